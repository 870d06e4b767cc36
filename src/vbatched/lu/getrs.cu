// Solve with the factors of LU factorizations of mixed sizes on the GPU.
#include "batched/lu/backends.hpp"
#include "batched/lu/getrs_panel.cuh"
#include "vbatched/lu/check.hpp"
#include "vbatched/panel_solve.cuh"

namespace talus::cuda {
namespace {

int solve(op op, const lu::system_check<TALUS_T>& check, int* info, queue q) {
  return solve_classes(check, info, q, [&](const auto& part) { return lu::factors{op, part.ipiv}; });
}

}  // namespace

template <>
int getrs(op op, variable_batch<const TALUS_T> A, vectors<const int> ipiv, variable_batch<TALUS_T> B,
          int* info, int n_max, int nrhs_max, queue q) {
  return solve(op, {A, ipiv, B, true, true, upto(n_max), nrhs_max}, info, q);
}

template <>
int getrs_nopiv(op op, variable_batch<const TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
                int nrhs_max, queue q) {
  return solve(op, {A, {}, B, true, false, upto(n_max), nrhs_max}, info, q);
}

}  // namespace talus::cuda
