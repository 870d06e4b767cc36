// Solve with Cholesky factors of mixed sizes on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/cholesky/backends.hpp"
#include "checks/cholesky.hpp"
#include "vbatched/blas/solve.cuh"

namespace talus::cuda {
namespace {

struct infos_of_potrs {
  TALUS_HOST_DEVICE int operator()(std::int64_t, const matrix<const TALUS_T>& A, const matrix<TALUS_T>& B,
                                   const extents<2>& bounds) const {
    return talus::cholesky::check_system(A, B, bounds[0], bounds[1]);
  }
  infos_of_potrs part(std::int64_t) const { return *this; }
};

}  // namespace

template <>
int potrs(uplo uplo, variable_batch<const TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
          int nrhs_max, queue q) {
  const blas::systems_check<TALUS_T, infos_of_potrs> check = {A, B, {}, false, upto(n_max, nrhs_max)};
  return blas::solve_classes(check, info, q,
                             [=](const infos_of_potrs&) { return blas::plan_of_potrs<TALUS_T>(uplo); });
}

}  // namespace talus::cuda
