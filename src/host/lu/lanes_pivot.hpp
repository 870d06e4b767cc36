// The pivots of a group of matrices, each lane its own, and what is divided by them.
#pragma once

#include "host/lanes/numbers.hpp"
#include "host/lanes/rectangle.hpp"

namespace talus::host::TALUS_ISA {
namespace {

/// The scratch of one group.
template <class T>
struct workspace {
  rectangle<T> X;
  lanes<T>* inverse;  // reciprocals of U's diagonal, for divide()
  lanes<T>* Y;        // E columns of right-hand sides, row by row
  int* rows;          // of the pivots, from 0: that of column j in lane l is rows[j * width + l]
  int* columns;       // as many others

  static constexpr int E = side<T>, W = width_of<T>;

  static std::size_t bytes(int m, int n) {
    const auto whole = static_cast<std::size_t>(tiles(m > n ? m : n, E) * E);
    return (rectangle<T>::elements(m, n) + whole * (1 + E)) * sizeof(lanes<T>) +
           whole * (2 * W + 1) * sizeof(int);
  }

  workspace(int m, int n, void* scratch) {
    const int whole = tiles(m > n ? m : n, E) * E;
    const auto data = static_cast<lanes<T>*>(scratch);
    inverse = data + rectangle<T>::elements(m, n);
    Y = inverse + whole;
    rows = reinterpret_cast<int*>(Y + whole * E);
    columns = rows + whole * W;
    int* const row = columns + whole * W;
    rectangle<T>::set_rows(m, n, row);
    X = {data, row, m, n};
  }
};

// ---- pivots --------------------------------------------------------------------------------------

/// `count` elements of lane l from a on trade places with those from b on; they are `step` elements apart.
template <class T>
TALUS_INLINE void exchange(lanes<T>* a, lanes<T>* b, int l, int count, std::ptrdiff_t step) {
  using R = real_of<T>;
  R* x = reinterpret_cast<R*>(a) + l;
  R* y = reinterpret_cast<R*>(b) + l;
  step *= lanes<T>::parts * width_of<T>;
  for (int c = 0; c < count; ++c, x += step, y += step) {
    TALUS_UNROLL
    for (int part = 0; part < lanes<T>::parts; ++part) {
      R &of_x = x[part * width_of<T>], &of_y = y[part * width_of<T>];
      const R was = of_x;
      of_x = of_y;
      of_y = was;
    }
  }
}

/// The same by selection: N elements of row j trade places with those of row at[l], one of the rows below it
/// up to `end`. row(i) is where row i is, of which the elements are STEP apart.
template <int N, int STEP, class T, class Row>
TALUS_INLINE void exchange_by_selection(int j, int end, mask_of<T> at, Row row) {
  lanes<T>* const first = row(j);
  lanes<T> top[N], pivot[N];
  TALUS_UNROLL
  for (int v = 0; v < N; ++v) top[v] = pivot[v] = first[v * STEP];
  for (int i = j + 1; i < end; ++i) {
    const mask_of<T> here = at == i;
    lanes<T>* const x = row(i);
    TALUS_UNROLL
    for (int v = 0; v < N; ++v) {
      const lanes<T> was = x[v * STEP];
      x[v * STEP] = select(here, top[v], was);
      pivot[v] = select(here, was, pivot[v]);
    }
  }
  TALUS_UNROLL
  for (int v = 0; v < N; ++v) first[v * STEP] = pivot[v];
}

/// By which pivots are compared: |re| + |im|, as the integer of the same bits. That orders numbers that are
/// not negative as they are ordered, with NaN above all.
template <class T>
TALUS_INLINE mask_of<T> key_of(const lanes<T>& x) {
  real_lanes<T> size = absolute<real_of<T>>(x.re);
  if constexpr (is_complex<T>) size += absolute<real_of<T>>(x.im);
  return reinterpret_cast<mask_of<T>>(size);
}
template <class T>
TALUS_INLINE mask_of<T> is_key_of_nan(mask_of<T> key) {
  const real_lanes<T> size = reinterpret_cast<real_lanes<T>>(key);
  return size != size;
}

/// Partial pivoting.
template <class T>
struct largest_pivots {
  int* rows;
  mask_of<T> info = {};

  explicit largest_pivots(int* rows_of_pivots) : rows(rows_of_pivots) {}

  /// Row j trades places with row at[l] in lane l: by selection from all rows below where those are few, else
  /// lane by lane, which is slower until there are more rows than lanes.
  TALUS_INLINE void exchange_rows(const rectangle<T>& X, int j, mask_of<T> at) {
    constexpr int E = side<T>, W = width_of<T>;
    if (X.m - j <= W) {
      for (int q = 0; q < tiles(X.n, E); ++q) {
        exchange_by_selection<E, E, T>(j, X.m, at, [&](int i) TALUS_INLINED { return &X(i, q * E); });
      }
    } else {
      for (int l = 0; l < W; ++l) {
        const int row = rows[j * W + l];
        if (row != j) exchange<T>(&X(j, 0), &X(row, 0), l, X.n, X.E);
      }
    }
  }

  /// Finds the pivot of column j and brings it to row j.
  TALUS_INLINE lanes<T> choose(const rectangle<T>& X, int j) {
    constexpr int W = width_of<T>;
    const lanes<T>* const column = X.data + X.E * j;
    mask_of<T> most = {}, at = mask_of<T>{} + j;
    for (int i = j; i < X.m; ++i) {
      const mask_of<T> key = key_of(column[X.row[i]]);
      most = key > most ? key : most;
    }
    for (int i = X.m - 1; i >= j; --i) at = key_of(column[X.row[i]]) == most ? mask_of<T>{} + i : at;
    const mask_of<T> nan = is_key_of_nan<T>(most);
    at = nan ? mask_of<T>{} + j : at;
    for (int l = 0; l < W; ++l) rows[j * W + l] = static_cast<int>(at[l]);
    exchange_rows(X, j, at);
    const lanes<T> pivot = X(j, j);
    info |= (nan | is_zero(pivot)) & (info == 0) & (j + 1);
    return pivot;
  }
};

template <class T>
void store_pivots(const int* rows, int count, int* const* ipiv) {
  for (int l = 0; l < width_of<T>; ++l) {
    for (int j = 0; j < count; ++j) ipiv[l][j] = rows[j * width_of<T> + l] + 1;
  }
}

/// Loads n pivots of each matrix. failed: lowered to the first j, from 1, whose pivot is no row from j to n.
template <class T>
void load_pivots(const int* const* ipiv, int n, int* rows, mask_of<T>& failed) {
  constexpr int W = width_of<T>;
  typedef int ints __attribute__((vector_size(W * sizeof(int))));
  for (int l = 0; l < W; ++l) {
    for (int j = 0; j < n; ++j) rows[j * W + l] = ipiv[l][j] - 1;
  }
  ints illegal = {};
  for (int j = 0; j < n; ++j) {
    const ints pivots = *reinterpret_cast<const ints*>(rows + j * W);
    illegal |= (pivots < j) | (pivots >= n);
  }
  if (!any<T>(__builtin_convertvector(illegal, mask_of<T>))) return;
  for (int j = n - 1; j >= 0; --j) {
    for (int l = 0; l < W; ++l) {
      int& row = rows[j * W + l];
      if (row >= j && row < n) continue;
      row = j;
      if (failed[l] == 0 || failed[l] > j + 1) failed[l] = j + 1;
    }
  }
}

/// A pivot that is smaller in magnitude than the floor becomes one as large, with the phase that it had; zero
/// becomes positive. `replaced` counts.
template <class T>
TALUS_INLINE lanes<T> raise(const lanes<T>& pivot, real_lanes<T> floor, mask_of<T>& replaced) {
  const mask_of<T> zero = is_zero(pivot);
  const normalized<T> x(select(zero, element<T>(ones<T>()), pivot));
  lanes<T> phase = x.near_one;
  real_lanes<T> magnitude = absolute<real_of<T>>(pivot.re);
  if constexpr (is_complex<T>) {
    const real_lanes<T> norm = square_root(phase.re * phase.re + phase.im * phase.im);
    phase = phase * (1 / norm);
    magnitude = zero ? real_lanes<T>{} : norm / x.inverse / x.up;
  }
  const mask_of<T> small = magnitude < floor;
  replaced -= small;
  return select(small, phase * floor, pivot);
}

/// No pivoting, but what is smaller in magnitude than its lane's floor is made as large.
template <class T>
struct diagonal_pivots {
  real_lanes<T> floor;
  mask_of<T> info = {}, replaced = {};

  explicit diagonal_pivots(const real_of<T>* const* floors) {
    for (int l = 0; l < width_of<T>; ++l) floor[l] = floors[l][0];
    floor = floor > 0 ? floor : real_lanes<T>{};
  }

  TALUS_INLINE lanes<T> choose(const rectangle<T>& X, int j) {
    const lanes<T> pivot = X(j, j) = raise<T>(X(j, j), floor, replaced);
    info |= (is_zero(pivot) | is_nan(pivot)) & (info == 0) & (j + 1);
    return pivot;
  }
};

}  // namespace
}  // namespace talus::host::TALUS_ISA
