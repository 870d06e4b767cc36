// Inverse from the factors of an LU factorization on the GPU, in their place and beside them: small ones as
// the solution of A X = I.
#include "batched/blas/pieces/inverse.cuh"
#include "batched/blas/trsm.cuh"
#include "batched/lu/backends.hpp"

namespace talus::cuda {

using D = device_t<TALUS_T>;

#if TALUS_SHARD == 0
/// vbatched/lu/getri.cu calls it.
template int blas::launch_inverse<getri_tables, TALUS_T>(const blas::either_systems<D>&, int, int*, queue,
                                                         const blas::solve_plan<D>&);

template <>
int getri_outofplace(batch<const TALUS_T> A, vectors<const int> ipiv, batch<TALUS_T> C, int* info, queue q) {
  if (A.n == 0) return clear_info(info, A.count, q);
  const auto plan = blas::inverse_of(blas::plan_of_getrs<TALUS_T>(op::none, ipiv), blas::written::all);
  const blas::equal_systems<D> all = {on_device(A), on_device(C), false};
  return blas::launch_inverse<getri_tables, TALUS_T>(all, A.n, info, q, blas::on_device(plan));
}

template <>
int getri(batch<TALUS_T> A, vectors<const int> ipiv, int* info, queue q) {
  return getri_outofplace(read_only(A), ipiv, A, info, q);
}
#endif

}  // namespace talus::cuda
