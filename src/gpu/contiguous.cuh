// Small matrices that lie one behind the other, on their way between memory and shared memory: in coalesced
// accesses, whatever columns these cut.
#pragma once

#include "gpu/async_copy.cuh"
#include "gpu/contiguous.hpp"
#include "gpu/scalar.cuh"

namespace talus::cuda {

/// Whether matrices lie one behind the other, from where 16 bytes are copied at once.
template <class T>
bool are_contiguous(const batch<T>& A) {
  const auto first = reinterpret_cast<std::uintptr_t>(A.slab + A.offset);
  return A.array == nullptr && A.lda == A.n && A.stride == std::int64_t{A.n} * A.n && first % 16 == 0;
}

/// The triangles of the 32 / LANES matrices of a warp, of order n <= N, as far as they exist; all lanes work
/// on all of them.
/// Element e of the region that they fill is on line e / n of it: columns, matrix after matrix.
///
/// Of a 16-byte piece that lies outside the triangle altogether nothing is read; what comes with others is
/// never used, and only the triangle is written.
template <class T, int LANES, int N>
struct contiguous_matrices {
  static constexpr int COUNT = 32 / LANES, PIECE = piece<T>;
  T *memory, *staged;
  int n, all, pitch, lane;
  bool lower;

  /// first: the number of the warp's first matrix.
  __device__ contiguous_matrices(const batch<T>& A, uplo uplo, std::int64_t first, T* shared)
      : memory(A[first < A.count ? first : 0].A),
        n(A.n),
        all(static_cast<int>(max(std::int64_t{0}, min(std::int64_t{COUNT}, A.count - first))) * n * n),
        pitch(contiguous_elements(n, PIECE)),
        lane(static_cast<int>(threadIdx.x + threadIdx.y * LANES) % 32),
        lower(uplo == uplo::lower) {
    staged = shared + static_cast<int>(threadIdx.y) / COUNT * COUNT * pitch;
  }
  /// The first element of this lane's matrix.
  __device__ T* mine() const { return staged + lane / LANES * pitch; }

  /// Waits for them.
  __device__ void fetch() const {
    static_assert(COUNT * sizeof(T) % 16 == 0,
                  "a warp's first matrix begins where 16 bytes are copied at once");
    for (int e = PIECE * lane; e < all; e += 32 * PIECE) {
      const place at(*this, e);
      const int last = at.along + PIECE - 1;
      if (lower ? last < at.line : at.along > at.line && last < n) continue;
#if __CUDA_ARCH__ >= 800
      const auto to = static_cast<unsigned>(__cvta_generic_to_shared(staged + at.staged));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(memory + e),
                   "r"(min(PIECE, all - e) * static_cast<int>(sizeof(T))));
#else
      for (int i = 0; i < min(PIECE, all - e); ++i) staged[at.staged + i] = memory[e + i];
#endif
    }
    close_group();
    wait_for_groups<0>();
    __syncwarp();
  }
  /// Those of lanes whose matrix `moves`.
  __device__ void store(bool moves) const {
    const unsigned which = __ballot_sync(~0u, moves);
    __syncwarp();
    for (int e = lane; e < all; e += 32) {
      const place at(*this, e);
      if ((lower ? at.along >= at.line : at.along <= at.line) && (which >> at.matrix * LANES & 1) != 0)
        store_last(memory + e, staged[at.staged]);
    }
  }

 private:
  /// Where element e is: on which line of which matrix, how far along it, and in shared memory.
  struct place {
    int matrix, line, along, staged;
    __device__ place(const contiguous_matrices& in, int e) {
      constexpr int MOST = N < contiguous_most ? N : contiguous_most;
      static_assert(COUNT * MOST * MOST <= 65536 / MOST, "the quotients are exact");
      const int inverse = 65536 / in.n + 1, number = e * inverse >> 16;
      matrix = number * inverse >> 16;
      line = number - matrix * in.n;
      along = e - number * in.n;
      staged = e + matrix * (in.pitch - in.n * in.n);
    }
  };
};

}  // namespace talus::cuda
