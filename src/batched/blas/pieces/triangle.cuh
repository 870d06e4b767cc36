// The triangles and right-hand sides of a solve as kernels see them: every triangle a lower one, solved with
// from its first row down, every right-hand side a column.
#pragma once

#include "batch.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/diagonal.cuh"
#include "gpu/launch.cuh"
#include "gpu/reciprocal.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::blas {

/// The plan of a call, its scalars as device code has them.
template <class T>
solve_plan<device_t<T>> on_device(const solve_plan<T>& plan) {
  return {
      plan.first, plan.second,          plan.has_second, plan.bad, plan.sides_are_rows, to_device(plan.alpha),
      plan.ipiv,  plan.exchange_before, plan.inverts,    plan.part};
}

/// Element (i, k), i >= k, of a lower triangle of order n lies at first[i * row + k * column]. What solves
/// backward is seen from its last row up.
template <class T>
struct lower_view {
  const T* first;
  std::ptrdiff_t row, column;
  int n;
  bool unit, real_diagonal, ones_for_zeros = false;  // of the diagonal

  __device__ lower_view(const matrix<const T>& A, triangle_form form, bool real)
      : first(A.A),
        row(form.transposed ? A.lda : 1),
        column(form.transposed ? 1 : A.lda),
        n(A.n),
        unit(form.unit),
        real_diagonal(real) {
    if (!form.backward) return;
    first += (n - 1) * (row + column);
    row = -row;
    column = -column;
  }
};

/// Unknown i of right-hand side c lies at first[i * row + c * column].
template <class T>
struct sides_view {
  T* first;
  std::ptrdiff_t row, column;
  int n, count;

  __device__ sides_view(const matrix<T>& B, bool sides_are_rows)
      : first(B.A),
        row(sides_are_rows ? B.lda : 1),
        column(sides_are_rows ? 1 : B.lda),
        n(sides_are_rows ? B.n : B.m),
        count(sides_are_rows ? B.m : B.n) {}

  __device__ sides_view(T* first_, std::ptrdiff_t row_, std::ptrdiff_t column_, int n_, int count_)
      : first(first_), row(row_), column(column_), n(n_), count(count_) {}

  /// From the last unknown up.
  __device__ sides_view reversed() const {
    sides_view other = *this;
    other.first += (n - 1) * row;
    other.row = -row;
    return other;
  }

  /// From right-hand side c on.
  __device__ sides_view from(int c) const {
    sides_view other = *this;
    other.first += c * column;
    other.count -= c;
    return other;
  }
};

/// Element (i, k) of a matrix of order n lies at first[i * row + k * column].
template <class T>
struct square_view {
  T* first;
  int row, column, n;

  __device__ T* at(int i, int k) const {
    return first + static_cast<std::ptrdiff_t>(i) * row + static_cast<std::ptrdiff_t>(k) * column;
  }
  __device__ T& operator()(int i, int k) const { return *at(i, k); }
};
template <class T>
__device__ square_view<T> as_it_is(const matrix<T>& A) {
  return {A.A, 1, A.lda, A.n};
}
template <class T>
__device__ square_view<const T> read_only(const square_view<T>& A) {
  return {A.first, A.row, A.column, A.n};
}
/// A lower triangle becomes an upper one.
template <class T>
__device__ square_view<T> transposed(const square_view<T>& A) {
  return {A.first, A.column, A.row, A.n};
}

/// The largest of all lanes of a warp, 0 at least.
__device__ inline int most_of_warp(int x) {
  return static_cast<int>(largest_of_group<32>(static_cast<unsigned>(max(x, 0))));
}

/// Whether element i of column c of a result is written.
__device__ inline bool is_written(written part, int i, int c) {
  return part == written::all || (part == written::lower ? i >= c : i <= c);
}

/// Whether an element of the diagonal lets nothing be solved.
template <class T>
__device__ bool is_bad(bad_diagonal rule, T d) {
  return rule == bad_diagonal::not_positive ? !(real(d) > 0)
                                            : rule == bad_diagonal::zero_or_nan && is_zero_or_nan(d);
}

/// True if pivot i is not a row from i to n, counted from 1. ipiv may be null.
__device__ inline bool is_illegal_pivot(const int* ipiv, int i, int n) {
  return ipiv != nullptr && static_cast<unsigned>(ipiv[i] - 1 - i) >= static_cast<unsigned>(n - i);
}
/// Returns the row that row i is exchanged with; i if the pivot is illegal.
__device__ inline int exchanged_with(const int* ipiv, int i, int n) {
  return is_illegal_pivot(ipiv, i, n) ? i : ipiv[i] - 1;
}

/// True if all diagonal elements and pivots of a matrix are legal. Writes *info, unless it is null. All
/// threads of a block call it.
template <class T>
__device__ bool is_usable(bad_diagonal rule, const matrix<const T>& A, const int* ipiv, int* info) {
  if (rule == bad_diagonal::none) {
    if (threadIdx.x == 0 && info != nullptr) *info = 0;
    return true;
  }
  const auto is_bad_row = [&](int j) {
    const bool is_illegal = is_illegal_pivot(ipiv, j, A.n);  // first, so that both numbers are read at once
    return is_illegal | is_bad(rule, A(j, j));
  };
  return check_diagonal(true, A.n, info, is_bad_row).any;
}

/// 1 / d without a branch, where |d|^2 and its reciprocal are normal.
template <class R>
__device__ R quick_reciprocal(R d) {
  return divide(R(1), d);
}
template <class R>
__device__ complex<R> quick_reciprocal(complex<R> d) {
  return conj(d) * divide(R(1), fma(d.re, d.re, d.im * d.im));
}

/// Divides by d: x / d = (x * scale) * inverse. The scale is 1 if 1 / d is normal. Otherwise it is a power of
/// two with which no product overflows before the quotient does.
template <class T>
struct reciprocal_of {
  T inverse;
  real_t<T> scale;

  __device__ explicit reciprocal_of(T d) {
    using R = real_t<T>;
    const R size = size_of(d);
    scale = has_normal_reciprocal(size) ? R(1) : size < 1 ? scale_up<R> : R(0.25);
    inverse = reciprocal(d * scale);
  }
  __device__ bool is_scaled() const { return scale != 1; }
  __device__ T operator()(T x) const { return product(x * scale, inverse); }
};

/// put(e, get(e)) for e = 0 ... all - 1 by a block: of each thread some are read before the first is written,
/// so that their latencies overlap.
template <class T, class Get, class Put>
__device__ __forceinline__ void in_batches(int all, Get get, Put put) {
  const int threads = static_cast<int>(blockDim.x);
  constexpr int AT_ONCE = sizeof(T) == 16 ? 4 : 8;
#pragma unroll 1
  for (int first = static_cast<int>(threadIdx.x); first < all; first += AT_ONCE * threads) {
    T x[AT_ONCE];
#pragma unroll
    for (int e = 0; e < AT_ONCE; ++e) {
      if (first + e * threads < all) x[e] = get(first + e * threads);
    }
#pragma unroll
    for (int e = 0; e < AT_ONCE; ++e) {
      if (first + e * threads < all) put(first + e * threads, x[e]);
    }
  }
}

/// The first `count` right-hand sides of X become zero, by a block.
template <int THREADS, class T>
__device__ void set_zero(const sides_view<T>& X, int count) {
  const int across = min(count, X.count);
  const bool by_rows = X.row == 1;
  const int fast = by_rows ? X.n : across;
  const std::int64_t all = static_cast<std::int64_t>(X.n) * across;
  for (std::int64_t e = threadIdx.x; e < all; e += THREADS) {
    const std::int64_t slow = e / fast, along = e % fast;
    X.first[(by_rows ? along : slow) * X.row + (by_rows ? slow : along) * X.column] = T{};
  }
}

/// Lowers *first_bad to the first illegal pivot of a matrix, counted from 0. All threads of a block call it,
/// without a barrier. Not inlined, because it would take registers from the asynchronous copies of
/// solve_by_rows.
__device__ __noinline__ inline void find_illegal_pivots(const int* ipiv, int n, int* first_bad) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    if (is_illegal_pivot(ipiv, i, n)) atomicMin(first_bad, i);
  }
}

/// Exchanges rows j0 ... j0 + 31 of X, or those that there are of its n, with rows ipiv[j] - 1 >= j, one
/// after the other; undo: backward. By a warp, for its `count` <= 16 right-hand sides. Leaves out illegal
/// pivots, and lowers *first_bad to the first one, from 0, unless it is null.
template <class T>
__device__ __noinline__ void exchange_rows(const sides_view<T>& X, int count, const int* ipiv, int j0,
                                           bool undo, int* first_bad = nullptr) {
  constexpr int at_once = 4;
  const int lane = static_cast<int>(threadIdx.x) % 32, pivots = min(32, X.n - j0);
  const int here = j0 + lane;
  const bool is_illegal = lane < pivots && is_illegal_pivot(ipiv, here, X.n);
  const int other = lane < pivots && !is_illegal ? ipiv[here] - 1 : here;
  if (is_illegal && first_bad != nullptr) atomicMin(first_bad, here);
  if (__all_sync(~0u, other == here)) return;
  int comes_here = here, comes_other = other;  // where what comes to these rows was before
  for (int s = 0; s < pivots; ++s) {
    const int j = undo ? s : pivots - 1 - s, a = j0 + j, b = __shfl_sync(~0u, other, j);
    comes_here = comes_here == a ? b : comes_here == b ? a : comes_here;
    comes_other = comes_other == a ? b : comes_other == b ? a : comes_other;
  }
  const bool moves = lane < pivots;
  for (int c = 0; c < count; c += at_once) {
    T x[at_once], y[at_once];
#pragma unroll
    for (int e = 0; e < at_once; ++e) {
      const T* const column = X.first + min(c + e, count - 1) * X.column;
      if (moves) x[e] = column[comes_here * X.row];
      if (moves) y[e] = column[comes_other * X.row];
    }
    __syncwarp();
#pragma unroll
    for (int e = 0; e < at_once; ++e) {
      T* const column = X.first + (c + e) * X.column;
      if (moves && c + e < count && comes_here != here) column[here * X.row] = x[e];
      if (moves && c + e < count && comes_other != other) column[other * X.row] = y[e];
    }
    __syncwarp();
  }
}

/// Where row i comes from if all exchanges of n rows are applied, or where it goes if they are undone.
__device__ inline int exchanged_row(int i, const int* ipiv, int n) {
#pragma unroll 4
  for (int j = n - 1; j >= 0; --j) {
    const int other = ipiv[j] - 1;
    i = i == j ? other : i == other ? j : i;
  }
  return i;
}

/// All exchanges, by a warp.
template <class T>
__device__ void exchange_rows(const sides_view<T>& X, int count, const int* ipiv, bool undo,
                              int* first_bad = nullptr) {
  const int last = (X.n - 1) / 32 * 32;
  for (int j = 0; j <= last; j += 32) exchange_rows(X, count, ipiv, undo ? last - j : j, undo, first_bad);
}

}  // namespace talus::cuda::blas
