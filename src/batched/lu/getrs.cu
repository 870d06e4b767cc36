// Solve with the factors of an LU factorization on the GPU.
#include "batched/lu/backends.hpp"
#include "batched/lu/getrs_panel.cuh"

namespace talus::cuda {

template <>
int getrs(op op, batch<const TALUS_T> A, vectors<const int> ipiv, batch<TALUS_T> B, int* info, queue q) {
  return solve_all(lu::factors{op, ipiv}, on_device(A), on_device(B), info, q);
}

template <>
int getrs_nopiv(op op, batch<const TALUS_T> A, batch<TALUS_T> B, int* info, queue q) {
  return solve_all(lu::factors{op, {}}, on_device(A), on_device(B), info, q);
}

}  // namespace talus::cuda
