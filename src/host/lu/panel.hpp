// LU of a few columns of one matrix, with its rows in the lanes: for the panels of a larger one.
#pragma once

#include "batched/lu/backends.hpp"
#include "host/lanes/columns.hpp"
#include "host/lu/lanes_pivot.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// Columns that are eliminated one by one, before those right of them follow.
template <class T>
constexpr int block_columns = width_of<T> < 4 ? width_of<T> : 4;

/// An odd number of vectors from column to column: powers of two compete for few lines of a cache.
template <class T>
int panel_vectors(int m) {
  return tiles(m, width_of<T>) | 1;
}
template <class T>
std::size_t panel_bytes(int m, int n) {
  return static_cast<std::size_t>(panel_vectors<T>(m)) * static_cast<std::size_t>(n) * sizeof(lanes<T>);
}

/// All columns of a panel.
template <class T>
struct panel_of : columns<T> {
  int m, n;
  int used;  // vectors of each column that hold rows

  panel_of(int rows, int columns_, void* scratch)
      : columns<T>{static_cast<lanes<T>*>(scratch), panel_vectors<T>(rows)},
        m(rows),
        n(columns_),
        used(tiles(rows, width_of<T>)) {}
};

/// The rows of vector v.
template <class T>
TALUS_INLINE mask_of<T> rows_of(int v) {
  return count_from<T>(v * width_of<T>);
}

/// Column j between memory and scratch, where it is filled up with zeros.
template <bool TO_MATRIX, class T>
void copy_column(const panel_of<T>& X, T* A, int lda, int j) {
  using R = real_of<T>;
  constexpr int W = width_of<T>;
  R* const a = reinterpret_cast<R*>(A + static_cast<std::ptrdiff_t>(j) * lda);
  if (!TO_MATRIX) X.column(j)[X.used - 1] = lanes<T>{};
  for (int first = 0; first < X.m; first += W) {
    R* const x = X.at(first, j);
    R* const of_matrix = a + static_cast<std::ptrdiff_t>(first) * X.parts;
    const int rows = X.m - first < W ? X.m - first : W;
    for (int i = 0; i < rows; ++i) {
      for (int part = 0; part < X.parts; ++part) {
        if (TO_MATRIX) {
          of_matrix[i * X.parts + part] = x[part * W + i];
        } else {
          x[part * W + i] = of_matrix[i * X.parts + part];
        }
      }
    }
  }
}

/// The row of the pivot of column j among those up to `end`; -1 if there is a NaN.
template <class T>
int find_pivot(const panel_of<T>& X, int j, int end) {
  constexpr int W = width_of<T>;
  const lanes<T>* const x = X.column(j);
  mask_of<T> most = mask_of<T>{} - 1, at = {};
  for (int v = j / W; v < tiles(end, W); ++v) {
    mask_of<T> key = key_of(x[v]);
    if (v == j / W || v == end / W) {
      const mask_of<T> rows = rows_of<T>(v);
      key = ((rows >= j) & (rows < end)) ? key : mask_of<T>{} - 1;
    }
    at = key > most ? mask_of<T>{} + v : at;
    most = key > most ? key : most;
  }
  at = at * W + rows_of<T>(0);
  auto best = most[0];
  auto row = at[0];
  for (int l = 1; l < W; ++l) {
    const bool better = most[l] > best || (most[l] == best && at[l] < row);
    best = better ? most[l] : best;
    row = better ? at[l] : row;
  }
  return is_key_of_nan<T>(mask_of<T>{} + best)[0] != 0 ? -1 : static_cast<int>(row);
}

/// Column j by its pivot, and R columns right of it less what it makes of them.
template <int R, class T>
TALUS_INLINE void eliminate(const panel_of<T>& X, int j, const divisor<T>& by) {
  constexpr int W = width_of<T>;
  lanes<T>* const x = X.column(j);
  lanes<T> u[R + 1];
  TALUS_UNROLL
  for (int r = 0; r < R; ++r) u[r] = X.broadcast(j, j + 1 + r);
  const auto one_vector = [&](int v, const lanes<T>& l) TALUS_INLINED {
    TALUS_UNROLL
    for (int r = 0; r < R; ++r) subtract_product<T>(X.column(j + 1 + r)[v], l, u[r]);
  };
  const int first = j / W;
  const mask_of<T> below = rows_of<T>(first) > j;
  const lanes<T> quotient = by.divide(x[first]);
  x[first] = select(below, quotient, x[first]);
  one_vector(first, select(below, quotient, lanes<T>{}));
  for (int v = first + 1; v < X.used; ++v) {
    const lanes<T> l = x[v] = by.divide(x[v]);
    one_vector(v, l);
  }
}

/// The first vectors of the columns of a block, with zeros for U.
template <class T>
struct block_of_L {
  lanes<T> column[block_columns<T>];

  TALUS_INLINE block_of_L(const panel_of<T>& X, int k) {
    const mask_of<T> rows = rows_of<T>(k / width_of<T>);
    TALUS_UNROLL
    for (int q = 0; q < block_columns<T>; ++q)
      column[q] = select(rows > k + q, X.column(k + q)[k / width_of<T>], lanes<T>{});
  }
};

/// C columns from c on, less what the block of columns from k on makes of them.
template <int C, class T>
TALUS_INLINE void subtract_block(const panel_of<T>& X, const block_of_L<T>& first, int k, int c) {
  constexpr int B = block_columns<T>, W = width_of<T>;
  lanes<T> u[C][B];
  TALUS_UNROLL
  for (int v = 0; v < C; ++v) {
    lanes<T> x = X.column(c + v)[k / W];
    TALUS_UNROLL
    for (int q = 0; q < B; ++q) {
      u[v][q].re = x.re[k % W + q] - real_lanes<T>{};
      if constexpr (is_complex<T>) u[v][q].im = x.im[k % W + q] - real_lanes<T>{};
      subtract_product<T>(x, first.column[q], u[v][q]);
    }
    X.column(c + v)[k / W] = x;
  }
  for (int i = k / W + 1; i < X.used; ++i) {
    lanes<T> x[C];
    TALUS_UNROLL
    for (int v = 0; v < C; ++v) x[v] = X.column(c + v)[i];
    TALUS_UNROLL
    for (int q = 0; q < B; ++q) {
      const lanes<T> l = X.column(k + q)[i];
      TALUS_UNROLL
      for (int v = 0; v < C; ++v) subtract_product<T>(x[v], l, u[v][q]);
    }
    TALUS_UNROLL
    for (int v = 0; v < C; ++v) X.column(c + v)[i] = x[v];
  }
}

/// The pivot of column j, brought to row j of all n columns.
template <class T>
TALUS_INLINE lanes<T> bring_pivot(const panel_of<T>& X, int j, const elimination<real_of<T>>& each,
                                  int& info) {
  bool failed = false;
  if (each.ipiv != nullptr) {
    int row = find_pivot(X, j, each.pivot_rows);
    failed = row < 0;
    if (failed) row = j;
    each.ipiv[j] = row + 1;
    for (int c = 0; c < X.n && row != j; ++c) {
      for (int part = 0; part < X.parts; ++part) {
        real_of<T>&a = X.at(j, c)[part * X.W], &b = X.at(row, c)[part * X.W];
        const real_of<T> was = a;
        a = b;
        b = was;
      }
    }
  }
  lanes<T> pivot = X.broadcast(j, j);
  if (each.ipiv == nullptr && each.floor > 0) {
    mask_of<T> replaced = {};
    pivot = raise<T>(pivot, each.floor - real_lanes<T>{}, replaced);
    if (each.replaced != nullptr) *each.replaced += static_cast<int>(replaced[0]);
    *X.at(j, j) = pivot.re[0];
    if constexpr (is_complex<T>) X.at(j, j)[X.W] = pivot.im[0];
  }
  failed = failed || (is_zero(pivot) | is_nan(pivot))[0] != 0;
  if (failed && info == 0) info = j + 1;
  return pivot;
}

/// All n <= m columns: right-looking, a block at a time.
template <class T>
int panel(int m, int n, T* A, int lda, const elimination<real_of<T>>& each, void* scratch) {
  constexpr int B = block_columns<T>, C = registers == 32 ? (is_complex<T> ? 2 : 4) : (is_complex<T> ? 1 : 2);
  const panel_of<T> X(m, n, scratch);
  for (int j = 0; j < n; ++j) copy_column<false>(X, A, lda, j);
  int info = 0;
  for (int k = 0; k < n; k += B) {
    const int next = k + B < n ? k + B : n;
    for (int j = k; j < next; ++j) {
      const divisor<T> by(bring_pivot(X, j, each, info));
      if (j + 1 == next) eliminate<0>(X, j, by);
      with_rows<B - 1>(next - j - 1, [&](auto R) TALUS_INLINED { eliminate<R>(X, j, by); });
    }
    if (next == n) break;
    const block_of_L<T> first(X, k);
    int c = next;
    for (; c + C <= n; c += C) subtract_block<C>(X, first, k, c);
    for (; c < n; ++c) subtract_block<1>(X, first, k, c);
  }
  for (int j = 0; j < n; ++j) copy_column<true>(X, A, lda, j);
  return info;
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
