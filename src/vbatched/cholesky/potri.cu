// Inverses from Cholesky factors of mixed sizes on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/cholesky/backends.hpp"
#include "checks/cholesky.hpp"
#include "vbatched/blas/inverse.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

#if TALUS_SHARD == 0
/// batched/cholesky/potri.cu defines it.
extern template int blas::launch_inverse<potri_tables, TALUS_T>(const blas::either_systems<D>&, int, int*,
                                                                queue, const blas::solve_plan<D>&);

template <>
int potri(uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  const blas::systems_check<TALUS_T, cholesky::infos_of_potri> check = {
      read_only(A), A, {}, false, upto(n_max, n_max)};
  return blas::invert_classes<potri_tables, potri_vbatched_tables>(
      check, info, q, [=](const cholesky::infos_of_potri&) {
        const auto part = uplo == talus::uplo::lower ? blas::written::lower : blas::written::upper;
        return blas::inverse_of(blas::plan_of_potrs<TALUS_T>(uplo), part);
      });
}
#endif

}  // namespace talus::cuda
