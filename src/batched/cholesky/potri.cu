// Inverse from a Cholesky factor on the GPU: small ones as the solution of A X = I.
#include "batched/blas/pieces/inverse.cuh"
#include "batched/blas/trsm.cuh"
#include "batched/cholesky/backends.hpp"

namespace talus::cuda {

using D = device_t<TALUS_T>;

#if TALUS_SHARD == 0
/// vbatched/cholesky/potri.cu calls it.
template int blas::launch_inverse<potri_tables, TALUS_T>(const blas::either_systems<D>&, int, int*, queue,
                                                         const blas::solve_plan<D>&);

template <>
int potri(uplo uplo, batch<TALUS_T> A, int* info, queue q) {
  if (A.n == 0) return clear_info(info, A.count, q);
  const auto part = uplo == talus::uplo::lower ? blas::written::lower : blas::written::upper;
  const auto plan = blas::inverse_of(blas::plan_of_potrs<TALUS_T>(uplo), part);
  const blas::equal_systems<D> all = {on_device(read_only(A)), on_device(A), false};
  return blas::launch_inverse<potri_tables, TALUS_T>(all, A.n, info, q, blas::on_device(plan));
}
#endif

}  // namespace talus::cuda
