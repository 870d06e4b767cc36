// Copies from memory to shared memory that nobody waits for until a whole group of them has to be there. On
// GPUs before compute capability 8.0 they are plain ones. Bulk copies are waited for by an mbarrier; before
// compute capability 9.0 there are none.
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
/// 4, 8 or 16 bytes, both ends at multiples of that.
template <int BYTES, class T>
__device__ void copy_bytes_async(T* to, const T* from) {
#if __CUDA_ARCH__ >= 800
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (BYTES == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(BYTES));
  }
#else
  for (int i = 0; i < BYTES / static_cast<int>(sizeof(T)); ++i) to[i] = from[i];
#endif
}
/// 16 bytes, both ends at multiples of that, of which only the first `existing` are read; zeros for the rest.
template <class T>
__device__ void copy_existing_async(T* to, const T* from, int existing) {
#if __CUDA_ARCH__ >= 800
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(existing));
#else
  constexpr int size = static_cast<int>(sizeof(T));
  for (int i = 0; i < 16 / size; ++i) to[i] = i * size < existing ? from[i] : T{};
#endif
}
/// 4, 8 or 16 bytes, both ends at multiples of that; zeros if they do not exist. By a predicate: a copy of no
/// bytes, as the two above have it, takes some instructions more for its address.
template <int BYTES = 16, class T>
__device__ void copy_piece_async(T* to, const T* from, bool exists) {
#if __CUDA_ARCH__ >= 800
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (BYTES == 16) {
    asm volatile(
        "{\n.reg .pred none;\nsetp.eq.u32 none, %2, 0;\n"
        "cp.async.cg.shared.global [%0], [%1], 16, none;\n}" ::"r"(address),
        "l"(from), "r"(static_cast<unsigned>(exists)));
  } else {
    asm volatile(
        "{\n.reg .pred none;\nsetp.eq.u32 none, %2, 0;\n"
        "cp.async.ca.shared.global [%0], [%1], %3, none;\n}" ::"r"(address),
        "l"(from), "r"(static_cast<unsigned>(exists)), "n"(BYTES));
  }
#else
  for (int i = 0; i < BYTES / static_cast<int>(sizeof(T)); ++i) to[i] = exists ? from[i] : T{};
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
      copy_bytes_async<16>(t, f);
    i = m / piece * piece + lane;
  }
  for (; i < m; i += LANES) copy_element_async(to + i, from + i, true);
}
/// copy_matrix_async in pieces of BYTES, at multiples of which all columns begin; of a column 128 bytes at a
/// time.
template <int BYTES, int THREADS, class T>
__device__ __forceinline__ void copy_pieces_async(T* to, int to_pitch, const T* from,
                                                  std::ptrdiff_t from_pitch, int m, int n, int thread) {
  constexpr int piece = BYTES / static_cast<int>(sizeof(T));
  constexpr int lanes = 128 / BYTES;
  const int first = thread / lanes, step = THREADS / lanes, whole = m / piece * piece;
  for (int i = thread % lanes * piece; i < whole; i += lanes * piece) {
    T* t = to + i + first * to_pitch;
    const T* f = from + i + first * from_pitch;
#pragma unroll 4
    for (int c = first; c < n; c += step, t += step * to_pitch, f += step * from_pitch)
      copy_bytes_async<BYTES>(t, f);
  }
  for (int c = thread; c < n; c += THREADS) {
    for (int i = whole; i < m; ++i)
      copy_element_async(to + i + c * to_pitch, from + i + c * from_pitch, true);
  }
}
/// m x n elements by THREADS threads, of which this is number `thread`: columns `from_pitch` apart become
/// columns `to_pitch` apart, which begin at multiples of 16 bytes. In pieces as large as alignment allows.
template <int THREADS, class T>
__device__ void copy_matrix_async(T* to, int to_pitch, const T* from, std::ptrdiff_t from_pitch, int m, int n,
                                  int thread) {
  const auto begins =
      reinterpret_cast<std::uintptr_t>(from) | static_cast<std::uintptr_t>(from_pitch) * sizeof(T);
  if (sizeof(T) == 16 || begins % 16 == 0) {
    copy_pieces_async<16, THREADS>(to, to_pitch, from, from_pitch, m, n, thread);
  } else if constexpr (sizeof(T) == 8) {
    copy_pieces_async<8, THREADS>(to, to_pitch, from, from_pitch, m, n, thread);
  } else if constexpr (sizeof(T) == 4) {
    if (begins % 8 == 0) {
      copy_pieces_async<8, THREADS>(to, to_pitch, from, from_pitch, m, n, thread);
    } else {
      copy_pieces_async<4, THREADS>(to, to_pitch, from, from_pitch, m, n, thread);
    }
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

// ---- many bytes by one instruction, from compute capability 9.0 on -------------------------------

/// Whether the GPU that this is compiled for has cp.async.bulk.
__device__ constexpr bool copies_in_bulk() {
#if __CUDA_ARCH__ >= 900
  return true;
#else
  return false;
#endif
}
/// An mbarrier in shared memory that counts bytes, round by round. One thread begins a round and says how
/// many will arrive; all may wait for its end.
struct arrivals {
  unsigned long long state;

  __device__ unsigned address() const { return static_cast<unsigned>(__cvta_generic_to_shared(this)); }
  /// By one thread, before a barrier of all that use it.
  __device__ void open() {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address()) : "memory");
#endif
  }
  /// By one thread, after a barrier of all that used it. Only then may it be opened again.
  __device__ void close() {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address()) : "memory");
#endif
  }
  /// By one thread, before the copies: so many bytes will arrive in this round.
  __device__ void begin(int bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes) : "memory");
#endif
  }
  /// round: its parity, 0 for the first. To be called before the next but one begins.
  __device__ void wait(unsigned round) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        "@!done bra again;\n}" ::"r"(address()),
        "r"(round)
        : "memory");
#endif
  }
};
/// A multiple of 16 bytes, both ends at multiples of 16.
__device__ inline void copy_bulk_async(void* to, const void* from, int bytes, arrivals& arrived) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(bytes), "r"(arrived.address())
      : "memory");
#endif
}
/// What this thread wrote or read before comes before bulk copies that are issued after a barrier.
__device__ inline void fence_before_bulk() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async;" ::: "memory");
#endif
}

}  // namespace talus::cuda
