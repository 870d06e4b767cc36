// A panel of LU: a block of columns that the blocks of a cluster factor together.
#pragma once

#include "batched/lu/backends.hpp"
#include "batched/lu/pieces/column_blocks/column_block.cuh"
#include "batched/lu/pieces/column_blocks/pivot_exchange.cuh"
#include "batched/lu/pieces/column_blocks/register_rows.cuh"
#include "batched/lu/pieces/pivot.cuh"
#include "gpu/cluster.cuh"
#include "gpu/mma.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// What a block needs to factor a panel, at the beginning of dynamic shared memory, where L of other panels
/// lies before. Others may send to it once this block has offered a pivot: it then has no more use for L.
template <class T, int NB, int IB, int WARPS>
struct factoring_memory {
  alignas(16) T of_pivots[IB][NB];  // the pivots' rows as they were moved
  alignas(16) T down[IB][NB];       // what made room for them, if it comes to this block
  own_pivots<T, IB, WARPS> own;
};

/// A panel: rows of IB columns are eliminated where registers hold them, or where they lie; then rows are
/// exchanged, and the panel's other columns solved and updated.
template <class T, class Policy>
struct column_panel : column_block<T, Policy> {
  using block = column_block<T, Policy>;
  using R = real_t<T>;
  using block::memory, block::block_of, block::first_of_mine, block::unit_of_mine, block::rows_of_mine;
  using block::NB, block::UNIT, block::IB, block::WARPS, block::ALONE, block::THREADS;
  using block::units, block::width, block::resident, block::blocks, block::rank, block::lane, block::warp;

  __device__ column_panel(const block& columns) : block(columns) {}

  __device__ static factoring_memory<T, NB, IB, WARPS>& factoring() {
    return *shared_memory<factoring_memory<T, NB, IB, WARPS>>();
  }
  /// The pivot of one of the columns that are being factored, and the row where it was.
  __device__ static const offered_row<T, IB>& pivot_of(int j) { return factoring().own.pivots[j]; }
  __device__ static int home_of(int j) { return pivot_of(j).home / 4; }

  /// What comes of a panel.
  struct result {
    int info = 0, replaced = 0;
  };

  /// Factors panel number `panel`. Pivots come from rows before each.pivot_rows. Every thread of the cluster
  /// calls it. The result is valid in the first warp of each block.
  ///
  /// Barriers  eight of the block for IB columns, and for each column one (two if the block is alone) of the
  ///           warps that have rows. At the latter a block also waits for data from other blocks
  __device__ __forceinline__ result factor(int panel, const elimination<R>& each) const {
    result all;
    const int most = blocks.quotient_up(units.all - panel * NB / UNIT) * UNIT;  // rows of a block
#pragma unroll 1
    for (int c = 0; c < width; c += IB) {
      __syncthreads();
      if (each.exchanges) {
        factor_columns<Policy::ROWS, pivoting::partial>(panel, most, c, each.pivot_rows, 0, all);
      } else {
        factor_columns<Policy::ROWS, pivoting::none>(panel, most, c, each.pivot_rows, each.floor, all);
      }
      solve_rows(panel, c);
      update_columns(panel, c);
    }
    return all;
  }

 private:
  /// As few rows per thread as can be.
  template <int MOST, pivoting HOW>
  __device__ __forceinline__ void factor_columns(int panel, int most, int c, int pivot_rows, R floor,
                                                 result& all) const {
    if constexpr (MOST > 1) {
      if (most <= MOST / 2 * THREADS) {
        factor_columns<MOST / 2, HOW>(panel, most, c, pivot_rows, floor, all);
        return;
      }
    }
    result now;
    if (most <= MOST * THREADS) {
      now = factor_rows<MOST, HOW>(*this, panel, ceil_div(most, 32 * MOST), c, pivot_rows, floor);
    } else {
      now = factor_long<HOW>(*this, panel, c, pivot_rows, floor);
    }
    if (all.info == 0) all.info = now.info;
    all.replaced += now.replaced;
  }

  /// Rows of columns c ... c + IB - 1 of the panel, of which a thread has ROWS.
  template <int ROWS>
  __device__ __forceinline__ register_rows<T, Policy, ROWS> load_rows(int panel, int warps, int c) const {
    const int columns = min(IB, width - c), first = panel * NB + c, mine = first_of_mine(first / UNIT);
    register_rows<T, Policy, ROWS> rows;
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      const int local = static_cast<int>(threadIdx.x) + v * 32 * warps,
                u = mine + local / UNIT * blocks.count();
      const int i = local % UNIT;
      const bool exists = warp < warps && u < units.all && i < units.rows(u) && u * UNIT + i >= first;
      const unit_rows<T> from = unit_of_mine(exists ? u : 0);
      rows.ld[v] = static_cast<int>(from.ld);
      rows.home[v] = u * UNIT + i;
      rows.position[v] = exists ? rows.home[v] - first : rows.nowhere;
      rows.place[v] = from.first + i + c * from.ld;
      const T* at = rows.place[v];
#pragma unroll
      for (int j = 0; j < IB; ++j, at += from.ld) {
        T x{};
        if (exists && j < columns) x = *at;
        if (j == 0) rows.column[v] = x;
        if (j > 0) rows.a[v][j - 1] = x;
      }
      rows.a[v][IB - 1] = T{};
    }
    return rows;
  }

  /// Columns c ... c + IB - 1 of the panel, of rows that registers of `warps` warps hold. Out of line, so
  /// that it has the registers for itself, with a copy of what it works on: what it reached by address would
  /// be kept in memory.
  template <int ROWS, pivoting HOW>
  __device__ __noinline__ static result factor_rows(column_panel C, int panel, int warps, int c,
                                                    int pivot_rows, R floor) {
    result all;
    C.template eliminate_in_registers<ROWS, HOW>(panel, warps, c, pivot_rows, floor, all);
    return all;
  }
  template <int ROWS, pivoting HOW>
  __device__ __forceinline__ void eliminate_in_registers(int panel, int warps, int c, int pivot_rows, R floor,
                                                         result& all) const {
    constexpr bool PIVOTS = HOW == pivoting::partial;
    typename block::memory_t& memory = *once(&memory_of_block<T, Policy>());
    const int columns = min(IB, width - c), first = panel * NB + c;
    const int offered = pivot_rows - first;
    using rows_t = register_rows<T, Policy, ROWS>;
    rows_t rows = load_rows<ROWS>(panel, warps, c);
    pivot_exchange<T, Policy> exchange(factoring().own, memory.offers, blocks, warps, rank);
    if (warp < warps) {
      T L[ROWS] = {};
      auto best = rows.template candidate_of<PIVOTS>(0, offered, floor);
      rows.template offer<false>(exchange, best, 0, L, nullptr);
#pragma unroll 1
      for (int j = 0;; ++j) {
        const auto* pivot = &exchange.winner();
        T factor = pivot->factor;
        // A key is one more than the high bits; without pivoting it says nothing.
        if (__builtin_expect(PIVOTS ? !is_ordinary<R>(exchange.key - 1) : is_zero(factor), 0)) {
          if (PIVOTS && candidate{exchange.key, 0, 0}.template may_be_nan<R>() &&
              pivot->first().template is_nan<R>()) {  // then the row at position j
            best = rows.template candidate_of<false>(j, 0, 0);
            rows.template offer<false>(exchange, best, j, L, nullptr, pivot->of_nan);
            pivot = &exchange.winner();
            factor = pivot->factor;
          }
          if (is_zero(factor)) {
            rows.divide(j, *pivot);
            factor = from_real<T>(1);
          }
        }
        rows.eliminate(j, *pivot, factor, L);
        if (j + 1 == columns) {
          rows.store(j, L);
          exchange.keep(exchange.read(*pivot), j);
          break;
        }
        best = rows.template candidate_of<PIVOTS>(j + 1, offered, floor);
        rows.template offer<true>(exchange, best, j + 1, L, pivot);
        // While offers are on their way:
        rows.store(j, L);
        const int4 some = exchange.read(*pivot);
        rows.update(j, *pivot, L);
        exchange.keep(some, j);
      }
    }
    __syncthreads();
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      const int was = rows.home[v] - first, is = rows.position[v];
      if (is != rows.nowhere && was < columns)
        memory.down[was] = is != was && is >= columns ? first + is : -1;
    }
    take_pivots(exchange.count, c, columns, first, all);
  }
  /// The same of more rows than registers hold, where they lie.
  template <pivoting HOW>
  __device__ __noinline__ static result factor_long(column_panel C, int panel, int c, int pivot_rows,
                                                    R floor) {
    result all;
    C.template eliminate_in_place<HOW>(panel, c, pivot_rows, floor, all);
    return all;
  }
  template <pivoting HOW>
  __device__ __forceinline__ void eliminate_in_place(int panel, int c, int pivot_rows, R floor,
                                                     result& all) const {
    const int columns = min(IB, width - c), first = panel * NB + c, thread = static_cast<int>(threadIdx.x);
    const int offered = pivot_rows - first;
    pivot_exchange<T, Policy> exchange(factoring().own, memory().offers, blocks, WARPS, rank);
    // The first IB rows' positions change, and those of pivots: the others are at home.
    if (thread < IB) memory().down[thread] = thread;
    __syncthreads();
    const auto for_each_row = [&](auto work) {
      for (int u = first_of_mine(first / UNIT); u < units.all; u += blocks.count() * (THREADS / UNIT)) {
        const int unit = u + thread / UNIT * blocks.count(), i = thread % UNIT, row = unit * UNIT + i - first;
        if (unit < units.all && i < units.rows(unit) && row >= 0) work(unit_of_mine(unit), i, row);
      }
    };
    const auto position_of = [&](int row, int j) {  // negative: a pivot's, of those before j
      for (int k = 0; k < j; ++k) {
        if (home_of(k) == first + row) return -1;
      }
      return row < IB ? memory().down[row] : row;
    };
    const auto offer = [&](int j, const candidate& best, int said) {
      exchange.template offer<false>(best, largest_of_group<32>(best.key), j, nullptr, [&](auto& to) {
        for_each_row([&](const unit_rows<T>& A, int i, int row) {
          if (position_of(row, j) != best.position()) return;
          T x = A(i, c + j);
          if (HOW == pivoting::none && floor > 0 && raise_to_floor(x, floor)) said |= to.row.raised;
          A(i, c + j) = x;
          to.row.home = 4 * (first + row) + said;
          to.row.pivot = x;
          to.row.factor = is_ordinary<R>(high_bits_of(x)) ? reciprocal(x) : T{};
          for (int k = j + 1; k < columns; ++k) to.row.x[k - j - 1] = A(i, c + k);
        });
      });
      return &exchange.winner();
    };
    for (int j = 0; j < columns; ++j) {
      candidate best{}, next{};  // the latter at position j
      for_each_row([&](const unit_rows<T>& A, int i, int row) {
        const int position = position_of(row, j);
        if (position == j) next = candidate::at(j);
        if (position < 0 || position >= offered) return;
        const candidate other = candidate::of(A(i, c + j), position);
        if (other.is_before(best)) best = other;
      });
      const offered_row<T, IB>* pivot = offer(j, HOW == pivoting::partial ? best : next, 0);
      if (HOW == pivoting::partial && pivot->first().template is_nan<R>())
        pivot = offer(j, next, pivot->of_nan);
      const T factor = pivot->factor;
      const bool ordinary = !is_zero(factor);
      for_each_row([&](const unit_rows<T>& A, int i, int row) {
        if (first + row == pivot->home / 4 || position_of(row, j) < 0) return;
        T l = A(i, c + j);
        l = ordinary ? product(l, factor) : is_zero(pivot->pivot) ? l : rare_quotient(l, pivot->pivot);
        A(i, c + j) = l;
        for (int k = j + 1; k < columns; ++k) multiply_add(A(i, c + k), -l, pivot->x[k - j - 1]);
      });
      exchange.keep(exchange.read(*pivot), j);
      __syncthreads();
      if (thread == 0) {
        for (int t = 0; t < IB; ++t) {
          if (memory().down[t] == j) memory().down[t] = pivot->position();
        }
      }
      __syncthreads();
    }
    take_pivots(exchange.count, c, columns, first, all);
    // Where the first rows go, which pivots replace: the others stay where they are.
    if (block_of(first) == rank && thread < columns) {
      int is = memory().down[thread];
      for (int j = 0; j < columns; ++j) {
        if (home_of(j) == first + thread) is = -1;
      }
      memory().down[thread] = is >= columns ? first + is : -1;
    }
    __syncthreads();
  }

  /// What comes of the pivots of columns c ... c + columns - 1: the first warp has the result, and where rows
  /// go is found. All threads call.
  __device__ __forceinline__ void take_pivots(unsigned offers, int c, int columns, int first,
                                              result& all) const {
    if (threadIdx.x == 0) memory().offers.count = offers;
    if (warp == 0) {
      const bool exists = lane < columns;
      const auto& pivot = pivot_of(exists ? lane : 0);
      const bool fails = exists && (is_zero_or_nan(pivot.pivot) || (pivot.home & pivot.of_nan) != 0);
      const unsigned failed = __ballot_sync(~0u, fails);
      if (failed != 0) all.info = first + __ffs(static_cast<int>(failed));
      all.replaced = __popc(__ballot_sync(~0u, exists && (pivot.home & pivot.raised) != 0));
      if (exists) memory().rows.pivot[c + lane] = c + pivot.position();
    }
    memory().rows.template find<THREADS>(c, columns);
  }

  /// To another block's `to`, or to this one's; it counts what has moved there.
  __device__ __forceinline__ void send(int block, T* to, const pack<T, piece<T>>& x) const {
    if constexpr (ALONE) {
      cuda::store(to, x);
    } else {
      send_async(in_memory_of(block, to), x, in_memory_of(block, &memory().moved));
    }
  }

  /// Rows of the panel are exchanged: the pivots' come to the block that has its first rows, and those that
  /// were there go where the pivots' were. Where the panel has further columns, to the right, all blocks need
  /// the pivots' rows, and L of them, to solve.
  __device__ __forceinline__ void solve_rows(int panel, int c) const {
    constexpr int PIECE = piece<T>, pieces = NB / PIECE;
    const int columns = min(IB, width - c), first = panel * NB + c, thread = static_cast<int>(threadIdx.x);
    const int top = block_of(first);  // the block that has the pivots' positions
    const auto read = [&](int row, int column) {
      const unit_rows<T> from = rows_of_mine(row);
      pack<T, PIECE> x;
#pragma unroll
      for (int k = 0; k < PIECE; ++k) x.x[k] = column + k < width ? from(0, column + k) : T{};
      return x;
    };
    if (!ALONE && thread < 32) {
      int arriving = 0;
      if (lane < columns) {
        const int target = memory().rows.target[c + lane];
        arriving = target >= 0 && block_of(panel * NB + target) == rank;
      }
      const int moved = __popc(static_cast<int>(__ballot_sync(~0u, arriving != 0)));
      if (lane == 0)
        memory().moved.begin(((rank == top ? NB
                               : IB < NB   ? NB - c
                                           : 0) *
                                  columns +
                              moved * NB) *
                             static_cast<int>(sizeof(T)));
    }
    for (int j = warp; j < columns; j += WARPS) {
      const int home = home_of(j);
      if (block_of(home) == rank) {
        for (int k = lane; k < pieces; k += 32) {
          const int column = k * PIECE;
          const pack<T, PIECE> x = read(home, column);
          for (int block = 0; block < blocks.count(); ++block) {
            if ((IB < NB && column >= c) || block == top) send(block, &factoring().of_pivots[j][column], x);
          }
        }
      }
      if (rank == top && memory().down[j] >= 0) {
        for (int k = lane; k < pieces; k += 32) {
          const int column = k * PIECE;
          send(block_of(memory().down[j]), &factoring().down[j][column], read(first + j, column));
        }
      }
    }
    if (!ALONE) memory().moved.wait(static_cast<unsigned>(memory().rounds % 2));
    __syncthreads();
    if (thread == 0) ++memory().rounds;
    for (int t = warp; t < columns; t += WARPS) {
      const int target = memory().rows.target[c + t];
      if (target < 0 || block_of(panel * NB + target) != rank) continue;
      const unit_rows<T> to = rows_of_mine(panel * NB + target);
      for (int k = lane; k < width; k += 32) to(0, k) = factoring().down[memory().rows.origin[c + t] - c][k];
    }
    const unit_rows<T> pivots = rows_of_mine(first);
    if (rank == top && thread < c + IB) {
      for (int t = 0; t < columns; ++t) {
        if (thread < width)
          pivots(t, thread) =
              thread < c + t ? factoring().of_pivots[t][thread] : pivot_of(t).element(thread - c - t);
      }
    }
    if (IB < NB && thread >= c + IB && thread < width) {
      T u[IB];
#pragma unroll
      for (int k = 0; k < IB; ++k) {
        u[k] = factoring().of_pivots[k][thread];
#pragma unroll
        for (int l = 0; l < k; ++l) multiply_add(u[k], -factoring().of_pivots[k][c + l], u[l]);
        if (rank == top) pivots(k, thread) = u[k];
        factoring().of_pivots[k][thread] = u[k];
      }
    }
    __syncthreads();
  }

  /// Columns from c + IB on, of rows below the pivots: A <- A - L U. A warp has 8 columns; warps that have
  /// the same ones take turns with the tiles of 16 rows.
  __device__ __forceinline__ void update_columns(int panel, int c) const {
    constexpr int of_unit = UNIT / tile_rows;
    const int g = lane / 4, t = lane % 4, first = c + IB, row = panel * NB + first;
    const int column_tiles = ceil_div(width - first, tile_columns);
    if (column_tiles <= 0) return;
    const int teams = WARPS / column_tiles;  // that share a column of tiles
    if (warp >= teams * column_tiles) return;
    const int column = first + warp % column_tiles * tile_columns;
    constexpr int PARTS = IB / tile_columns;  // of L's columns
    right_factor<T> right[PARTS];
#pragma unroll
    for (int p = 0; p < PARTS; ++p) {
#pragma unroll
      for (int e = 0; e < 2; ++e)
        right[p].set(e, -conj(factoring().of_pivots[p * tile_columns + 2 * t + e][column + g]));
    }
    const int mine = first_of_mine(row / UNIT);
    const int begin = mine == row / UNIT ? row % UNIT / tile_rows : 0;  // tiles that are pivots' rows
    const int tiles = max(0, blocks.quotient_up(units.all - mine)) * of_unit;
#pragma unroll 2
    for (int k = warp / column_tiles + begin; k < tiles; k += teams) {
      const int u = mine + k / of_unit * blocks.count(), i = k % of_unit * tile_rows;
      const unit_rows<T> A = unit_of_mine(u);
      T* const L = A.first + i + g + (c + 2 * t) * A.ld;
      T* const at = A.first + i + g + (column + 2 * t) * A.ld;
      const int top = row - u * UNIT - i - g;  // rows before that are pivots' rows
      left_factor<T> left[PARTS];
      tile<T> sum;
      if (resident != nullptr) {
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
#pragma unroll
          for (int e = 0; e < 4; ++e) left[p].set(e, L[e % 2 * 8 + (e / 2 + p * tile_columns) * A.ld]);
        }
#pragma unroll
        for (int e = 0; e < 4; ++e) sum.x[e] = at[e / 2 * 8 + e % 2 * A.ld];
#pragma unroll
        for (int p = 0; p < PARTS; ++p) multiply_add(sum, left[p], right[p]);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (e / 2 * 8 >= top) at[e / 2 * 8 + e % 2 * A.ld] = sum.x[e];
        }
      } else {
        const int rows = units.rows(u) - i - g, columns = width - column - 2 * t;
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
#pragma unroll
          for (int e = 0; e < 4; ++e)
            left[p].set(e, e % 2 * 8 < rows ? L[e % 2 * 8 + (e / 2 + p * tile_columns) * A.ld] : T{});
        }
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (e / 2 * 8 < rows && e % 2 < columns) sum.x[e] = at[e / 2 * 8 + e % 2 * A.ld];
        }
#pragma unroll
        for (int p = 0; p < PARTS; ++p) multiply_add(sum, left[p], right[p]);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (e / 2 * 8 >= top && e / 2 * 8 < rows && e % 2 < columns)
            at[e / 2 * 8 + e % 2 * A.ld] = sum.x[e];
        }
      }
    }
  }
};

}  // namespace talus::cuda::lu
