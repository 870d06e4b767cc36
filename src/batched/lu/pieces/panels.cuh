// Elimination of a matrix that a block of threads reaches, in shared memory or in memory, panel by panel:
// all its warps factor a panel, in registers where they hold its rows; then they move rows, solve and
// update.
#pragma once

#include "batched/lu/pieces/panels.hpp"
#include "batched/lu/pieces/pivot.cuh"
#include "batched/lu/pieces/rows.cuh"
#include "gpu/mma.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// Where the rows go that a panel's pivots moved: row from[t] to row to[t], at most two for each pivot.
struct row_moves {
  static constexpr int most = 2 * panel_columns;
  int count;
  int from[most], to[most];
};

struct panel_result {
  int info, replaced;
};

/// What a block has in shared memory beside the matrix.
template <class T, class Policy>
struct panel_memory {
  rows_exchange<T, Policy::WARPS, panel_columns> exchange;
  candidate first[Policy::WARPS];
  row_moves moved;
  panel_result result;
};

/// work(i, c) for all rows i < m of all columns c < n, a warp per column.
template <int THREADS, class Work>
__device__ __forceinline__ void copy_columns(int m, int n, Work work) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);
  for (int c = warp; c < n; c += THREADS / 32) {
#pragma unroll 4
    for (int i = lane; i < m; i += 32) work(i, c);
  }
}

/// The matrix, and what its block does to it. Row and column 0 are number `origin` of the matrix that
/// this is a part of.
///
/// Policy      WARPS of the block; ROWS of a panel that a thread holds: of more, it is factored where it lies
template <class T, class Policy>
struct panels : matrix<T> {
  using R = real_t<T>;
  static constexpr int IB = panel_columns, WARPS = Policy::WARPS, ROWS = Policy::ROWS, THREADS = 32 * WARPS;

  panel_memory<T, Policy>& memory;
  int origin;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);

  __device__ panels(const matrix<T>& A, panel_memory<T, Policy>& memory_, int origin_ = 0)
      : matrix<T>(A), memory(memory_), origin(origin_) {}

  /// All columns that are to be eliminated. Every thread of the block calls it, and gets the result.
  __device__ __forceinline__ panel_result eliminate(const elimination<R>& each) const {
    const int k = each.columns;
    panel_result mine = {0, 0};
    for (int j = 0; j < k; j += IB) {
      const int width = min(IB, k - j);
      factor_panel<ROWS>(j, width, each, mine);
      __syncthreads();
      update(each.exchanges, j, width, j + width, this->n);
      if (each.exchanges) move_columns(0, j, memory.moved);
      __syncthreads();
    }
    return of_all(each.exchanges, mine);
  }

  /// What columns 0 ... columns - 1, which are eliminated, do to columns first ... end - 1: rows move, and to
  /// the right of them U and the rest follow. moves: one for each panel of them. Every thread of the block
  /// calls it.
  __device__ __forceinline__ void apply(bool exchanges, int columns, const row_moves* moves, int first,
                                        int end) const {
    if (exchanges) {  // all exchanges first: the panels' rows lie in their final order
      for (int j = 0; j < columns; j += IB) move_columns(first, end, moves[j / IB]);
    }
    if (first < columns) return;
    for (int j = 0; j < columns; j += IB) {
      __syncthreads();
      update(false, j, min(IB, columns - j), first, end);
    }
  }
  /// The moves of these columns, whose pivots are known.
  __device__ __forceinline__ void find_moves(int columns, const int* ipiv, row_moves* moves) const {
    for (int j = warp * IB; j < columns; j += WARPS * IB)
      list_moves(j, min(IB, columns - j), j + lane < columns ? ipiv[j + lane] - 1 - origin - j : 0,
                 moves[j / IB]);
    __syncthreads();
  }

 private:
  /// What threads know, to everybody.
  __device__ panel_result of_all(bool exchanges, panel_result mine) const {
    panel_result& all = memory.result;
    __syncthreads();
    if (threadIdx.x == 0) all = {mine.info, 0};
    __syncthreads();
    if (!exchanges) {
      if (mine.replaced > 0) atomicAdd(&all.replaced, mine.replaced);
      __syncthreads();
    }
    return all;
  }

  /// Panel of columns j ... j + width - 1: its rows from j on in registers, as few to a thread as
  /// there are left.
  template <int MOST>
  __device__ __forceinline__ void factor_panel(int j, int width, const elimination<R>& each,
                                               panel_result& result) const {
    if (this->m - j > THREADS * ROWS) {
      factor_long(j, width, each, result);
      return;
    }
    if constexpr (MOST > 1) {
      if (this->m - j <= THREADS * (MOST - 1)) {
        factor_panel<MOST - 1>(j, width, each, result);
        return;
      }
    }
    factor_rows<MOST>(j, width, each, result);
  }
  template <int COUNT>
  __device__ __forceinline__ void factor_rows(int j, int width, const elimination<R>& each,
                                              panel_result& result) const {
    using rows_t = thread_rows<T, rows_shape<32, WARPS, COUNT, IB>>;
    const int thread = static_cast<int>(threadIdx.x), m = this->m;
    row_moves& moved = memory.moved;
    rows_t rows(thread);
    if (thread == 0) moved.count = 0;
#pragma unroll
    for (int u = 0; u < COUNT; ++u) {
      const int i = thread + u * rows_t::THREADS;
      rows.position[u] = j + i < m ? i : rows_t::no_position;
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        rows.a[u][c] = T{};
        if (j + i < m && c < width) rows.a[u][c] = (*this)(j + i, j + c);
      }
    }
    if (each.exchanges) {
      rows.template eliminate<pivoting::partial, true>(width, width, each.pivot_rows - j, 0, memory.exchange);
    } else {
      rows.template eliminate<pivoting::none, true>(width, width, 0, each.floor, memory.exchange);
    }
    if (result.info == 0 && rows.info != 0) result.info = origin + j + rows.info;
    result.replaced += rows.replaced;
#pragma unroll
    for (int u = 0; u < COUNT; ++u) {
      const int i = thread + u * rows_t::THREADS, to = rows.position[u];
      if (to == rows_t::no_position) continue;
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        if (c < width) (*this)(j + to, j + c) = rows.a[u][c];
      }
      if (each.exchanges && to != i) {
        const int t = atomicAdd(&moved.count, 1);  // in any order: they do not meet
        moved.from[t] = j + i;
        moved.to[t] = j + to;
      }
    }
    if (each.exchanges && thread < width) each.ipiv[j + thread] = origin + j + rows.ipiv[0] + 1;
  }

  /// The same of more rows than registers hold, where they lie: rows are exchanged at once.
  __device__ __noinline__ void factor_long(int j, int width, const elimination<R>& each,
                                           panel_result& result) const {
    const int thread = static_cast<int>(threadIdx.x), m = this->m;
    T* const A = &(*this)(j, j);
    const std::ptrdiff_t ld = this->lda;
    const int rows = m - j, pivot_rows = each.pivot_rows - j;
    int swapped = -1;  // lane t has what pivot t was exchanged with
    __syncthreads();
    for (int c = 0; c < width; ++c) {
      int found = c;
      bool has_nan = false;
      if (each.exchanges) {
        found = first_in_column(A + c * ld, c, pivot_rows, has_nan);
        if (thread == c) swapped = found;
        if (thread < width && found != c) {
          const T x = A[c + thread * ld];
          A[c + thread * ld] = A[found + thread * ld];
          A[found + thread * ld] = x;
        }
        __syncthreads();
      } else if (thread == 0 && each.floor > 0) {
        if (raise_to_floor(A[c + c * ld], each.floor)) ++result.replaced;
      }
      if (!each.exchanges) __syncthreads();
      const T pivot = A[c + c * ld];
      const R size = magnitude(pivot);
      if (result.info == 0 && (!(size > 0) || has_nan)) result.info = origin + j + c + 1;
      const bool ordinary = is_ordinary<R>(high_bits_of(size));
      const T factor = reciprocal(pivot);
      for (int i = c + 1 + thread; i < rows; i += THREADS) {
        T l = A[i + c * ld];
        l = ordinary ? product(l, factor) : is_zero(pivot) ? l : rare_quotient(l, pivot);
        A[i + c * ld] = l;
        for (int e = c + 1; e < width; ++e) multiply_add(A[i + e * ld], -l, A[c + e * ld]);
      }
      __syncthreads();
    }
    if (each.exchanges && warp == 0) {
      if (lane < width) each.ipiv[j + lane] = origin + j + swapped + 1;
      list_moves(j, width, swapped, memory.moved);
    }
  }

  /// Where the first of the largest elements of a column is, from row c on; if there is a NaN, c.
  __device__ int first_in_column(const T* column, int c, int pivot_rows, bool& has_nan) const {
    candidate mine{};
    for (int i = c + warp * 32 + lane; i < pivot_rows; i += THREADS) {
      const candidate other = candidate::of(column[i], i);
      if (other.is_before(mine)) mine = other;
    }
    mine = first_of_team(mine, warp, memory.first, [] { __syncthreads(); });
    has_nan = mine.template is_nan<R>();
    return has_nan ? c : mine.position();
  }

  /// From a panel's exchanges to where its rows went: row j + t was exchanged with row j + swapped, lane t
  /// of the warp that calls it says.
  __device__ void list_moves(int j, int width, int swapped, row_moves& moved) const {
    int row[row_moves::most], holds[row_moves::most], count = 0;  // row row[t] holds what was row holds[t]
#pragma unroll 1
    for (int t = 0; t < width; ++t) {
      const int with = __shfl_sync(~0u, swapped, t);
      int one = -1, other = -1;
      for (int s = 0; s < count; ++s) {
        if (row[s] == t) one = s;
        if (row[s] == with) other = s;
      }
      if (one < 0) one = count, row[count] = holds[count] = t, ++count;
      if (with == t) continue;
      if (other < 0) other = count, row[count] = holds[count] = with, ++count;
      const int x = holds[one];
      holds[one] = holds[other];
      holds[other] = x;
    }
    if (lane != 0) return;
    for (int s = 0; s < count; ++s) {
      moved.from[s] = j + holds[s];
      moved.to[s] = j + row[s];
    }
    moved.count = count;
  }

  /// Rows of columns first ... end - 1 as a panel's pivots want them, a lane per column.
  __device__ __forceinline__ void move_columns(int first, int end, const row_moves& moved) const {
    for (int c = first + (WARPS - 1 - warp) * 32 + lane; c < end; c += THREADS) move_rows(c, moved);
  }
  __device__ __forceinline__ void move_rows(int c, const row_moves& moved) const {
    T* const column = &(*this)(0, c);
    T x[row_moves::most];
    const int count = moved.count;
#pragma unroll
    for (int t = 0; t < row_moves::most; ++t) {
      if (t < count) x[t] = column[moved.from[t]];
    }
#pragma unroll
    for (int t = 0; t < row_moves::most; ++t) {
      if (t < count) column[moved.to[t]] = x[t];
    }
  }

  /// What the panel does to columns first ... end - 1 to its right: rows move, A12 <- L11^-1 A12,
  /// A22 <- A22 - L21 A12.
  __device__ __forceinline__ void update(bool exchanges, int j, int width, int first, int end) const {
    for (int c = first + static_cast<int>(threadIdx.x); c < end; c += THREADS) {
      if (exchanges) move_rows(c, memory.moved);
      solve_column(j, width, c);
    }
    __syncthreads();
    const int tiles = ceil_div(max(0, end - first), tile_columns), below = this->m - j - width;
    if (tiles == 0 || below <= 0) return;
    const int parts = min(ceil_div(WARPS, tiles), ceil_div(below, tile_rows));
    for (int item = warp; item < tiles * parts; item += WARPS)
      update_tiles(j, width, first + item % tiles * tile_columns, end, item / tiles, parts);
  }

  /// Rows j ... j + width - 1 of column c: x <- L11^-1 x.
  __device__ __forceinline__ void solve_column(int j, int width, int c) const {
    T* const column = &(*this)(j, c);
    const T* const L = &(*this)(j, j);
    const std::ptrdiff_t ld = this->lda;
    T x[IB];
#pragma unroll
    for (int i = 0; i < IB; ++i) {
      if (i < width) x[i] = column[i];
    }
#pragma unroll
    for (int k = 0; k < IB - 1; ++k) {
#pragma unroll
      for (int i = k + 1; i < IB; ++i) {
        if (i < width) multiply_add(x[i], -L[i + k * ld], x[k]);
      }
    }
#pragma unroll
    for (int i = 1; i < IB; ++i) {
      if (i < width) column[i] = x[i];
    }
  }

  /// Columns c ... c + 7 before `end` of every parts-th tile of 16 rows below the panel, from tile `part` on.
  __device__ __forceinline__ void update_tiles(int j, int width, int c, int end, int part, int parts) const {
    const panels& A = *this;
    const int g = lane / 4, t = lane % 4, m = this->m;
    right_factor<T> right;
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      T x{};
      if (c + g < end && 2 * t + e < width) x = A(j + 2 * t + e, c + g);
      right.set(e, -conj(x));
    }
#pragma unroll 2
    for (int i = j + width + part * tile_rows; i < m; i += parts * tile_rows) {
      left_factor<T> left;
      tile<T> sum;
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = i + g + e % 2 * 8, k = 2 * t + e / 2;
        left.set(e, row < m && k < width ? A(row, j + k) : T{});
      }
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = i + g + e / 2 * 8, column = c + 2 * t + e % 2;
        sum.x[e] = row < m && column < end ? A(row, column) : T{};
      }
      multiply_add(sum, left, right);
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int row = i + g + e / 2 * 8, column = c + 2 * t + e % 2;
        if (row < m && column < end) A(row, column) = sum.x[e];
      }
    }
  }
};

}  // namespace talus::cuda::lu
