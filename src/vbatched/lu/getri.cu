// Inverses from the factors of LU factorizations of mixed sizes on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/lu/backends.hpp"
#include "checks/lu.hpp"
#include "vbatched/blas/inverse.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

#if TALUS_SHARD == 0
/// batched/lu/getri.cu defines it.
extern template int blas::launch_inverse<getri_tables, TALUS_T>(const blas::either_systems<D>&, int, int*,
                                                                queue, const blas::solve_plan<D>&);

namespace {

int invert(variable_batch<const TALUS_T> A, const lu::infos_of_getri& infos, variable_batch<TALUS_T> C,
           int* info, int n_max, queue q) {
  const blas::systems_check<TALUS_T, lu::infos_of_getri> check = {A, C, infos, false, upto(n_max, n_max)};
  return blas::invert_classes<getri_tables, getri_vbatched_tables>(
      check, info, q, [=](const lu::infos_of_getri& part) {
        return blas::inverse_of(blas::plan_of_getrs<TALUS_T>(op::none, part.ipiv), blas::written::all);
      });
}

}  // namespace

template <>
int getri(variable_batch<TALUS_T> A, vectors<const int> ipiv, int* info, int n_max, queue q) {
  return invert(read_only(A), {ipiv, true}, A, info, n_max, q);
}

template <>
int getri_outofplace(variable_batch<const TALUS_T> A, vectors<const int> ipiv, variable_batch<TALUS_T> C,
                     int* info, int n_max, queue q) {
  return invert(A, {ipiv, false}, C, info, n_max, q);
}
#endif

}  // namespace talus::cuda
