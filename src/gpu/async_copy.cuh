// Copies from memory to shared memory that nobody waits for until a whole group of them has to be there. On
// GPUs before compute capability 8.0 they are plain ones.
#pragma once

#include <cstddef>
#include <cstdint>

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
/// 16 bytes, both ends at multiples of that.
template <class T>
__device__ void copy_piece_async(T* to, const T* from) {
#if __CUDA_ARCH__ >= 800
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from));
#else
  *reinterpret_cast<int4*>(to) = *reinterpret_cast<const int4*>(from);
#endif
}
/// m elements of a column by LANES threads, of which this is number `lane`, to a place at a multiple of 16
/// bytes: in pieces of 16 bytes where they begin so, too.
template <int LANES, class T>
__device__ __forceinline__ void copy_column_async(T* to, const T* from, int m, int lane) {
  constexpr int piece = 16 / static_cast<int>(sizeof(T));
  int i = lane;
  if (piece > 1 && reinterpret_cast<std::uintptr_t>(from) % 16 == 0) {
    T* t = to + i * piece;
    const T* f = from + i * piece;
#pragma unroll 4
    for (int left = m - i * piece; left >= piece;
         left -= LANES * piece, t += LANES * piece, f += LANES * piece)
      copy_piece_async(t, f);
    i = m / piece * piece + lane;
  }
  for (; i < m; i += LANES) copy_element_async(to + i, from + i, true);
}
/// m x n elements by THREADS threads, of which this is number `thread`: columns `from_pitch` apart become
/// columns `to_pitch` apart, which begin at multiples of 16 bytes. In pieces of 16 bytes where all begin so.
template <int THREADS, class T>
__device__ void copy_matrix_async(T* to, int to_pitch, const T* from, std::ptrdiff_t from_pitch, int m, int n,
                                  int thread) {
  constexpr int piece = 16 / static_cast<int>(sizeof(T)), lanes = 8;  // of a column: 128 bytes at a time
  const int first = thread / lanes, step = THREADS / lanes;
  int i = thread % lanes;
  if (piece > 1 && reinterpret_cast<std::uintptr_t>(from) % 16 == 0 && from_pitch % piece == 0) {
    for (i *= piece; i + piece <= m; i += lanes * piece) {
      T* t = to + i + first * to_pitch;
      const T* f = from + i + first * from_pitch;
#pragma unroll 4
      for (int c = first; c < n; c += step, t += step * to_pitch, f += step * from_pitch)
        copy_piece_async(t, f);
    }
    i = m / piece * piece + thread % lanes;
  }
  for (; i < m; i += lanes) {
    T* t = to + i + first * to_pitch;
    const T* f = from + i + first * from_pitch;
#pragma unroll 4
    for (int c = first; c < n; c += step, t += step * to_pitch, f += step * from_pitch)
      copy_element_async(t, f, true);
  }
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
