// Inverse from the factors of an LU factorization on the GPU, in their place and beside them.
#include "batched/lu/backends.hpp"
#include "batched/lu/getri_panel.cuh"

namespace talus::cuda {

template <>
int getri(batch<TALUS_T> A, vectors<const int> ipiv, int* info, queue q) {
  return lu::invert_all(on_device(read_only(A)), ipiv, on_device(A), info, q);
}

template <>
int getri_outofplace(batch<const TALUS_T> A, vectors<const int> ipiv, batch<TALUS_T> C, int* info, queue q) {
  return lu::invert_all(on_device(A), ipiv, on_device(C), info, q);
}

}  // namespace talus::cuda
