// Solve with the factors of LU factorizations of mixed sizes on the GPU.
#include "batched/blas/trsm.cuh"
#include "batched/lu/backends.hpp"
#include "checks/lu.hpp"
#include "vbatched/blas/solve.cuh"

namespace talus::cuda {
namespace {

struct infos_of_getrs {
  vectors<const int> ipiv;
  bool has_ipiv;

  TALUS_HOST_DEVICE int operator()(std::int64_t b, const matrix<const TALUS_T>& A, const matrix<TALUS_T>& B,
                                   const extents<2>& bounds) const {
    return talus::lu::check_system(true, has_ipiv, A, ipiv[b], B, bounds[0], bounds[1]);
  }
  infos_of_getrs part(std::int64_t first) const { return {part_of(ipiv, first), has_ipiv}; }
};

int solve(op op, variable_batch<const TALUS_T> A, const infos_of_getrs& infos, variable_batch<TALUS_T> B,
          int* info, int n_max, int nrhs_max, queue q) {
  const blas::systems_check<TALUS_T, infos_of_getrs> check = {A, B, infos, false, upto(n_max, nrhs_max)};
  return blas::solve_classes(check, info, q, [=](const infos_of_getrs& part) {
    return blas::plan_of_getrs<TALUS_T>(op, part.ipiv);
  });
}

}  // namespace

template <>
int getrs(op op, variable_batch<const TALUS_T> A, vectors<const int> ipiv, variable_batch<TALUS_T> B,
          int* info, int n_max, int nrhs_max, queue q) {
  return solve(op, A, {ipiv, true}, B, info, n_max, nrhs_max, q);
}

template <>
int getrs_nopiv(op op, variable_batch<const TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
                int nrhs_max, queue q) {
  return solve(op, A, {{}, false}, B, info, n_max, nrhs_max, q);
}

}  // namespace talus::cuda
