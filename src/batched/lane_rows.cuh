// Rows of a panel of 8 columns, one per lane of a warp, and how they come from memory and go back.
#pragma once

#include "batch.hpp"
#include "mma.cuh"
#include "scalar.cuh"
#include "talus/types.hpp"

namespace talus::cuda {

/// p + step, and not what was computed of step long before.
template <class T>
__device__ T* next_line(T* p, std::ptrdiff_t step) {
  asm volatile("" : "+l"(step));
  return p + step;
}

/// Where row i of a tile begins, and where its element c is from there: row after row, with the 16-byte
/// pieces of a row and the two rows of a pair exchanged such that no access below meets a bank twice. Every 8
/// rows it repeats.
template <class T>
__device__ constexpr int stack_row(int i) {
  constexpr int pieces = tile_columns / piece<T>;  // of a row
  const int exchange = i * pieces / 8 % pieces, row = pieces < 8 ? i ^ (exchange & 1) : i;
  return row * tile_columns + exchange * piece<T>;
}
template <class T>
__device__ constexpr int stack_at(int row, int c) {
  return (row ^ (c / piece<T> * piece<T>)) + c % piece<T>;
}

/// A row of a tile, by one lane.
template <class T>
__device__ void load_row(T (&x)[tile_columns], const T* tile, int row) {
#pragma unroll
  for (int c = 0; c < tile_columns; c += piece<T>) {
    const auto p = *reinterpret_cast<const pack<T, piece<T>>*>(tile + stack_at<T>(row, c));
#pragma unroll
    for (int e = 0; e < piece<T>; ++e) x[c + e] = p.x[e];
  }
}

template <class T>
__device__ void store_row(T* tile, int row, const T (&x)[tile_columns]) {
#pragma unroll
  for (int c = 0; c < tile_columns; c += piece<T>) {
    pack<T, piece<T>> p;
#pragma unroll
    for (int e = 0; e < piece<T>; ++e) p.x[e] = x[c + e];
    *reinterpret_cast<pack<T, piece<T>>*>(tile + stack_at<T>(row, c)) = p;
  }
}

/// From an element in an even column to the next in row i.
template <class T>
__device__ constexpr int stack_next(int i) {
  return piece<T> > 1 ? 1 : 1 - 2 * (i & 1);
}

/// A place in shared memory that is computed once and then kept, whatever the compiler thinks of that.
template <class T>
__device__ T* kept(T* place) {
  auto address = static_cast<unsigned>(__cvta_generic_to_shared(place));
  asm volatile("" : "+r"(address));
  return static_cast<T*>(__cvta_shared_to_generic(address));
}

/// The 8 rows at `corner` and the 8 rows `below` elements further on as the left factor, by lane 4 g + t;
/// `corner` is where its element (g, 2t) lies. The tensor units want elements of two rows next to each other.
/// Volatile, so that they come one by one to where they are wanted: of two in one access each product would
/// move one first.
template <class T>
__device__ left_factor<T> stack_left(const T* corner, int next, int below = 8 * tile_columns) {
  left_factor<T> f;
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const T* const from = corner + e % 2 * below + e / 2 * next;
    if constexpr (std::is_same_v<real_t<T>, T>) {
      f.set(e, *static_cast<const volatile T*>(from));
    } else {
      const auto part = reinterpret_cast<const volatile real_t<T>*>(from);
      f.set(e, {part[0], part[1]});
    }
  }
  return f;
}

/// Rows 0 ... 7 of a tile as the right factor.
template <class T>
__device__ right_factor<T> stack_right(const T* corner, int next) {
  right_factor<T> f;
  constexpr bool together = piece<T> != 1;
  if constexpr (together) {
    const auto p = *reinterpret_cast<const pack<T, 2>*>(corner);
    f.set(0, p.x[0]);
    f.set(1, p.x[1]);
  } else {
    f.set(0, corner[0]);
    f.set(1, corner[next]);
  }
  return f;
}

/// The lower triangle of a Hermitian matrix of which one triangle is stored, 32 rows x 8 columns at a time.
/// Where the upper one is stored, what is seen is its transpose, unconjugated: A = U^H U is conj(A) = L L^H
/// with L = U^T, so the same algorithm factors it.
///
/// Lanes take consecutive addresses, whichever triangle is stored: one column after the other of lower
/// storage; of upper storage four rows of 8 elements at once, which two tiles in shared memory turn into a
/// row per lane.
template <class T, uplo UPLO>
struct lane_rows {
  static constexpr int N = tile_columns;
  static constexpr bool lower = UPLO == uplo::lower;
  T* A;
  std::ptrdiff_t lda;
  int m;       // rows that the matrix has
  T* scratch;  // two tiles of this warp
  int lane;
  T* my_product[2];  // where this lane's elements of products go there

  __device__ lane_rows(const matrix<T>& stored, int m_, T* scratch_, int lane_)
      : A(stored.A),
        lda(stored.lda),
        m(m_),
        scratch(scratch_),
        lane(lane_),
        my_product{kept(scratch + stack_at<T>(stack_row<T>(lane % 4 * 2), lane / 4)),
                   kept(scratch + stack_at<T>(stack_row<T>(lane % 4 * 2 + 1), lane / 4))} {
    __builtin_assume(__isGlobal(A));
  }

  /// x <- A(i0 : i0+32, k0 : k0+8) as far as it lies in the triangle, else 0, in the order that memory has
  /// it.
  __device__ void fetch(T (&x)[N], int i0, int k0) const {
    const T* from = place(i0, k0);
#pragma unroll
    for (int e = 0; e < N; ++e, from = next_line(from, lower ? lda : 4 * lda)) {
      x[e] = T{};
      if (inside(i0, k0, e)) x[e] = *from;
    }
  }
  /// Of what was fetched, row i0 + lane.
  __device__ void arrange(T (&x)[N]) const {
    if (lower) return;
    const int l = recomputed(lane);
#pragma unroll
    for (int e = 0; e < N; ++e) scratch[stack_at<T>(stack_row<T>(l / N + 4 * e), l % N)] = x[e];
    __syncwarp();
    load_row(x, scratch, stack_row<T>(l));
    __syncwarp();
  }
  /// A(i0 : i0+32, k0 : k0+8) <- x, of which this lane has row i0 + lane.
  __device__ void store(const T (&x)[N], int i0, int k0) const {
    const int l = recomputed(lane);
    T* to = place(i0, k0);
    if (!lower) {
      store_row(scratch, stack_row<T>(l), x);
      __syncwarp();
    }
#pragma unroll
    for (int e = 0; e < N; ++e, to = next_line(to, lower ? lda : 4 * lda)) {
      if (inside(i0, k0, e))
        store_last(to, lower ? x[e] : scratch[stack_at<T>(stack_row<T>(l / N + 4 * e), l % N)]);
    }
    if (!lower) __syncwarp();
  }
  /// x -= columns 8 h ... 8 h + 7 of the products, of which this lane has row `lane`, if they have so many.
  template <int BLOCKS>
  __device__ void subtract(T (&x)[N], const tile<T> (&sum)[BLOCKS], int h) const {
#pragma unroll
    for (int block = 0; block < BLOCKS; ++block) {
#pragma unroll
      for (int e = 0; e < 2; ++e) my_product[e][block * 8 * N] = conj(sum[block].x[2 * h + e]);
    }
    __syncwarp();
    T update[N];
    load_row(update, scratch, stack_row<T>(recomputed(lane)));
#pragma unroll
    for (int c = 0; c < N; ++c) x[c] = x[c] - update[c];
    __syncwarp();
  }

 private:
  // Element e of this lane: (i0 + lane, k0 + e) of lower storage, (i0 + lane / 8 + 4 e, k0 + lane % 8) of
  // upper.
  __device__ T* place(int i0, int k0) const {
    return A + (lower ? i0 + lane + k0 * lda : k0 + lane % N + (i0 + lane / N) * lda);
  }
  __device__ bool inside(int i0, int k0, int e) const {
    if (lower) return (i0 + lane < m ? i0 + lane - k0 : -1) >= e;
    const int i = i0 + lane / N;
    return i - k0 - lane % N >= -4 * e && m - i > 4 * e;
  }
};

}  // namespace talus::cuda
