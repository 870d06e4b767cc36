// Copies from memory to shared memory that nobody waits for until a whole group of them has to be there. On
// GPUs before compute capability 8.0 they are plain ones.
#pragma once

namespace talus::cuda {

/// An element from memory to shared memory, without registers and without waiting; zero if it does not exist.
template <class T>
__device__ void copy_element_async(T* to, const T* from, bool exists) {
#if __CUDA_ARCH__ >= 800
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(from), "n"(sizeof(T)),
               "r"(exists ? static_cast<int>(sizeof(T)) : 0));
#else
  *to = exists ? *from : T{};
#endif
}
__device__ inline void close_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// All groups but the newest `open` have arrived.
template <int OPEN>
__device__ void wait_for_groups() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(OPEN) : "memory");
#endif
}

}  // namespace talus::cuda
