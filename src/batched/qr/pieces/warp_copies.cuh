// How matrices whose columns will be in registers come to shared memory, and leave it.
#pragma once

#include "batch.hpp"
#include "batched/qr/pieces/columns.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::householder {

/// The matrices of a warp, or the one matrix of several warps, on their way between memory and shared memory.
/// Any lane of the warp may copy any of its matrices; lane `which` * Shape::LANES has the description of
/// matrix `which`. Memory: what shared memory has of one, whose columns first lie there as they are.
template <class T, class Shape, class Memory = columns_memory<T, Shape>>
struct warp_copies {
  using memory_t = Memory;
  static constexpr int LANES = Shape::LANES < 32 ? 32 : Shape::LANES;  // that copy together
  static constexpr int COUNT = LANES / Shape::LANES, PIECE = piece<T>;

  /// Lanes that copy one matrix: as many as it has pieces, but at least those that will factor it.
  static constexpr int of_one() {
    int all = Shape::LANES;
    while (all < LANES && all * PIECE < Shape::M * Shape::N) all *= 2;
    return all;
  }
  static constexpr int OF_ONE = of_one();

  static __device__ __forceinline__ int lane() {
    return static_cast<int>(threadIdx.x + threadIdx.y * Shape::LANES) % LANES;
  }

  /// Lanes for the pieces of a column, a power of two.
  static TALUS_HOST_DEVICE constexpr int along(int step) {
    int all = 1;
    while (all < 32 && all < OF_ONE && all * step < Shape::M) all *= 2;
    return all;
  }

  /// work(i, c) of all elements of M x N where every STEP-th begins a piece, by the lanes of one matrix,
  /// UNROLL of them in code: few where matrices seldom are so.
  template <int STEP, int UNROLL, class Work>
  static __device__ __forceinline__ void for_each_piece(Work work) {
    constexpr int ALONG = along(STEP), AT_ONCE = OF_ONE / ALONG;
    const int mine = lane() % OF_ONE;
#pragma unroll
    for (int i0 = 0; i0 < Shape::M; i0 += ALONG * STEP) {
      const int i = i0 + mine % ALONG * STEP;
#pragma unroll UNROLL
      for (int c0 = 0; c0 < Shape::N; c0 += AT_ONCE) {
        const int c = c0 + mine / ALONG;
        if ((Shape::M % (ALONG * STEP) == 0 || i < Shape::M) && (Shape::N % AT_ONCE == 0 || c < Shape::N))
          work(i, c);
      }
    }
  }

  /// work(matrix, which) for the first `count` matrices of the warp. EQUAL: all have the same extents.
  template <bool EQUAL, int UNROLL = 1, class E, class Work>
  static __device__ __forceinline__ void for_each(const matrix<E>& mine, int count, Work work) {
#pragma unroll UNROLL
    for (int first = 0; first < count; first += LANES / OF_ONE) {
      const int which = first + lane() / OF_ONE;
      matrix<E> one = mine;
      if constexpr (COUNT > 1) {
        const int from = which * Shape::LANES;
        one.A = reinterpret_cast<E*>(__shfl_sync(~0u, reinterpret_cast<unsigned long long>(mine.A), from));
        if constexpr (!EQUAL) {
          one.m = __shfl_sync(~0u, mine.m, from);
          one.n = __shfl_sync(~0u, mine.n, from);
          one.lda = __shfl_sync(~0u, mine.lda, from);
        }
      }
      if (LANES == OF_ONE || which < count) work(one, which);
    }
  }

  template <class E>
  static __device__ bool in_pieces(const matrix<E>& A) {
    return ((reinterpret_cast<unsigned long long>(A.A) | static_cast<unsigned long long>(A.lda) * sizeof(T)) &
            15) == 0;
  }
  template <class E>
  static __device__ bool is_full(const matrix<E>& A) {
    return A.m == Shape::M && A.n == Shape::N;
  }
  /// Returns true if all matrices of the warp exist, have the full size and can be copied in pieces of 16
  /// bytes. Copies of such matrices, the usual case, need no further checks.
  template <bool EQUAL, class E>
  static __device__ __forceinline__ bool are_whole(const matrix<E>& mine, int count) {
    return EQUAL && Shape::M % PIECE == 0 && count == COUNT && is_full(mine) &&
           __all_sync(~0u, in_pieces(mine));
  }

  /// What is beyond a matrix's extents becomes zero, but for the next `others` columns, which are not
  /// touched. first: shared memory of the warp's first matrix.
  template <bool EQUAL, class E>
  static __device__ __forceinline__ void start_reading(const matrix<E>& mine, int count, unsigned char* first,
                                                       int others = 0) {
    if (are_whole<EQUAL>(mine, count)) {
      for_each<EQUAL, 2>(mine, COUNT, [&](const matrix<E>& A, int which) {
        T* const to = memory_t(first + which * memory_t::bytes).a;
        const std::ptrdiff_t lda = A.lda;
        for_each_piece<PIECE, Shape::N>(
            [&](int i, int c) { copy_bytes_async<16>(to + i + c * memory_t::pitch, A.A + i + c * lda); });
      });
      return;
    }
    for_each<EQUAL>(mine, count, [&](const matrix<E>& A, int which) {
      T* const to = memory_t(first + which * memory_t::bytes).a;
      const std::ptrdiff_t lda = A.lda;
      const auto is_others = [&](int c) { return c >= A.n && c < A.n + others; };
      if (!in_pieces(A)) {
        for_each_piece<1, 2>([&](int i, int c) {
          if (is_others(c)) return;
          const bool exists = i < A.m && c < A.n;
          copy_element_async(to + i + c * memory_t::pitch, A.A + (exists ? i + c * lda : 0), exists);
        });
      } else if (!EQUAL && Shape::M % PIECE == 0 && is_full(A)) {
        for_each_piece<PIECE, Shape::N>(
            [&](int i, int c) { copy_bytes_async<16>(to + i + c * memory_t::pitch, A.A + i + c * lda); });
      } else {
        for_each_piece<PIECE, 4>([&](int i, int c) {
          if (is_others(c)) return;
          const int rows = c < A.n ? min(A.m - i, PIECE) : 0;
          copy_existing_async(to + i + c * memory_t::pitch, A.A + (rows > 0 ? i + c * lda : 0),
                              max(rows, 0) * static_cast<int>(sizeof(T)));
        });
      }
    });
  }
  template <bool EQUAL, class E>
  static __device__ __forceinline__ void read(const matrix<E>& mine, int count, unsigned char* first) {
    start_reading<EQUAL>(mine, count, first);
    wait();
  }
  /// Until all that was copied to shared memory is there.
  static __device__ __forceinline__ void wait() {
    close_group();
    wait_for_groups<0>();
    Shape::meet();
  }

  /// work(memory, A, i, c) of all elements of the first `count` matrices of the warp, M rows of each: few
  /// columns.
  template <bool EQUAL, class Work>
  static __device__ __forceinline__ void for_each_element(const matrix<T>& mine, int count,
                                                          unsigned char* first, Work work) {
    for_each<EQUAL>(mine, count, [&](const matrix<T>& A, int which) {
      const memory_t memory(first + which * memory_t::bytes);
#pragma unroll 2
      for (int e = lane() % OF_ONE; e < Shape::M * A.n; e += OF_ONE)
        work(memory, A, e % Shape::M, e / Shape::M);
    });
  }

  /// To the first `count` matrices of the warp, get(memory, i, c) for each piece.
  template <bool EQUAL, class Get>
  static __device__ __forceinline__ void write(const matrix<T>& mine, int count, unsigned char* first,
                                               Get get) {
    if (are_whole<EQUAL>(mine, count)) {
      for_each<EQUAL, 2>(mine, COUNT, [&](const matrix<T>& A, int which) {
        const memory_t memory(first + which * memory_t::bytes);
        const std::ptrdiff_t lda = A.lda;
        for_each_piece<PIECE, Shape::N>(
            [&](int i, int c) { store_last(A.A + i + c * lda, get(memory, i, c)); });
      });
      return;
    }
    for_each<EQUAL>(mine, count, [&](const matrix<T>& A, int which) {
      const memory_t memory(first + which * memory_t::bytes);
      const std::ptrdiff_t lda = A.lda;
      if (!EQUAL && Shape::M % PIECE == 0 && is_full(A) && in_pieces(A)) {
        for_each_piece<PIECE, Shape::N>(
            [&](int i, int c) { store_last(A.A + i + c * lda, get(memory, i, c)); });
      } else {
        for_each_piece<PIECE, 4>([&](int i, int c) {
          const pack<T, PIECE> next = get(memory, i, c);
#pragma unroll
          for (int e = 0; e < PIECE; ++e) {
            if (i + e < A.m && c < A.n) store_last(A.A + i + e + c * lda, next.x[e]);
          }
        });
      }
    });
  }
};

/// N columns of C from c0 on, on their way between memory and the shared memory of a warp's matrices; or N
/// rows, which are columns there, not conjugated.
template <class T, class Shape>
struct strip_of {
  using copies = warp_copies<T, Shape>;
  using memory_t = columns_memory<T, Shape>;

  matrix<T> C;  // of this thread's matrix
  int c0;
  bool of_columns;
  int count;             // matrices of the warp
  unsigned char* first;  // shared memory of the warp's first matrix

  __device__ __forceinline__ void read() const {
    if (of_columns) {
      copies::template read<true>(columns(), count, first);
    } else {
      for_each_of_rows([](T* here, const T* there, bool exists) { copy_element_async(here, there, exists); });
      copies::wait();
    }
  }
  __device__ __forceinline__ void write() const {
    if (of_columns) {
      copies::template write<true>(columns(), count, first, [](const memory_t& memory, int i, int c) {
        return memory.as_it_is(i, c);
      });
    } else {
      for_each_of_rows([](const T* here, T* there, bool exists) {
        if (exists) store_last(there, *here);
      });
    }
  }

 private:
  __device__ __forceinline__ matrix<T> columns() const {
    matrix<T> all = C;
    all.A += static_cast<std::ptrdiff_t>(c0) * C.lda;
    all.n = min(C.n - c0, Shape::N);
    return all;
  }
  /// work(here, there, exists) of each element of the rows; `there` is C's first one where it does not exist.
  template <class Work>
  __device__ __forceinline__ void for_each_of_rows(Work work) const {
    copies::template for_each<true>(C, count, [&](const matrix<T>& one, int which) {
      const memory_t memory(first + which * memory_t::bytes);
#pragma unroll 4
      for (int e = copies::lane() % copies::OF_ONE; e < Shape::M * Shape::N; e += copies::OF_ONE) {
        const int c = e % Shape::N, i = e / Shape::N;
        const bool exists = c0 + c < one.m && i < one.n;
        work(memory.a + i + c * memory_t::pitch, exists ? &one(c0 + c, i) : one.A, exists);
      }
    });
  }
};

}  // namespace talus::cuda::householder
