// A matrix, or a part of its columns, in shared memory, and its elimination by a block, panel by panel. Rows
// of a panel go where its pivots send them, and so do those of the columns to its right; columns to its left
// follow when they are read for the last time.
#pragma once

#include <cstddef>
#include <type_traits>

#include "batch.hpp"
#include "batched/lu/pieces/pivot.cuh"
#include "batched/lu/pieces/rows.cuh"
#include "batched/lu/pieces/smem_layout.cuh"
#include "gpu/mma.cuh"
#include "gpu/named_barriers.cuh"

namespace talus::cuda::lu {

/// Variables in shared memory beside a smem_matrix, through which the threads of a block communicate.
template <class T, class Policy>
struct smem_matrix_memory {
  static constexpr int IB = smem_panel, TEAM = Policy::TEAM;
  /// Whether a panel is updated with the one before when its rows are in registers. Complex products are left
  /// to the tensor units.
  static constexpr bool IN_REGISTERS = TEAM < Policy::WARPS && std::is_same_v<T, real_t<T>>;
  /// Whether U of the next panel is stored by rows, too. In double it would cost a matrix per multiprocessor
  /// (log of getrf, 24a).
  static constexpr bool HAS_UPPER = IN_REGISTERS && sizeof(T) == 4;

  /// The moves of rows in other columns than the panel's. Row from[i] moves to place i of the panel (i < 8).
  /// The row that was at place i moves to row to[i] below, or to nowhere() if its new place is in the panel.
  struct row_moves {
    alignas(16) int from[IB];
    alignas(16) int to[IB];
  };

  rows_exchange<T, TEAM, IB> exchange;
  row_moves moves[2];                           // of the current panel and of the next panel, in turn
  alignas(16) T upper[HAS_UPPER ? IB : 1][IB];  // U of the next panel, by rows
  bool is_plain[2];                             // in turn: true if all pivots of a panel are plain (rows.cuh)
  int info, replaced;
  int shift;  // of the warps' roles
};

/// A matrix of n columns in shared memory: columns `first`, `first` + 1, ... of a larger matrix. Rows before
/// `first`, which is a multiple of 8, are finished.
///
/// Exchanges   bool or known: true if rows are exchanged, for partial pivoting
/// Policy      WARPS: warps of the block. TEAM: the first TEAM warps factor panels; the other warps, if any,
///             update meanwhile. ROWS: the most rows of a panel that a thread of the team has
template <class T, class Policy, class Exchanges = bool>
struct smem_matrix {
  using R = real_t<T>;
  static constexpr int IB = smem_panel, WARPS = Policy::WARPS, TEAM = Policy::TEAM, ROWS = Policy::ROWS;
  static constexpr bool AHEAD = TEAM < WARPS;
  static constexpr bool IN_REGISTERS = smem_matrix_memory<T, Policy>::IN_REGISTERS;
  static constexpr bool HAS_UPPER = smem_matrix_memory<T, Policy>::HAS_UPPER;
  using row_number = std::conditional_t<smem_row_size(32 * TEAM * ROWS) == 1, unsigned char, unsigned short>;

  using memory = smem_matrix_memory<T, Policy>;
  using row_moves = typename memory::row_moves;

  T* A;                 // (i, c) at A[i + c * pitch]
  row_number* sources;  // for each panel, of the rows not done before: where they were before it
  memory& shared;
  int m, n, pitch, first = 0;
  Exchanges exchanges;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);

  /// most_n: columns that there is room for.
  __device__ smem_matrix(int m_, int n_, int most_n, Exchanges exchanges_, memory& shared_)
      : A(once(shared_memory<T>())),
        sources(reinterpret_cast<row_number*>(A + smem_elements(m_, most_n, sizeof(T)))),
        shared(*once(&shared_)),
        m(uniform(m_)),
        n(uniform(n_)),
        pitch(smem_pitch(m_, sizeof(T))),
        exchanges(exchanges_) {}
  __device__ T& operator()(int i, int c) const { return A[i + c * pitch]; }

  /// Which warp does what. A multiprocessor has four schedulers, and its warps belong to them in turn: where
  /// a block has an even number of them, the first warps of all blocks would share one or two schedulers. So
  /// roles shift by where on its multiprocessor a block is. The first thread finds that out, and after a
  /// barrier all take their roles.
  __device__ void find_roles() const {
    if constexpr (WARPS % 2 == 0) {
      unsigned first_warp;
      asm volatile("mov.u32 %0, %%warpid;" : "=r"(first_warp));
      if (threadIdx.x == 0) shared.shift = static_cast<int>(first_warp / 4) % WARPS;
    }
  }
  __device__ void take_roles() {
    if constexpr (WARPS % 2 == 0) warp = uniform((warp + shared.shift) % WARPS);
  }

  /// Columns 0 ... columns - 1. Every thread of the block calls it, after a barrier; what comes of it is in
  /// shared.info and shared.replaced. EXACTLY: whatever the pivots are; else it ends where they are not plain
  /// (rows.cuh), and false is the result.
  template <bool EXACTLY>
  __device__ __forceinline__ bool eliminate(int columns, const elimination<R>& each) {
    columns = uniform(columns);
    const bool is_team = warp < TEAM, leads = warp == 0 && lane == 0;
    outcome mine;
    if (leads) {
      shared.replaced = 0;
      shared.is_plain[0] = shared.is_plain[1] = true;
    }
    int j = 0, width = 0;                       // the panel that the others are updated with: none yet
    for (int next = 0, turn = 0;; turn ^= 1) {  // the panel that comes after it
      const int ahead = min(IB, columns - next);
      if (AHEAD && !is_team) {
        update<WARPS - TEAM, lu_update_barrier>(warp - TEAM, j, width, turn ^ 1, next + IB, n);
      } else {
        const bool in_registers = IN_REGISTERS && width > 0 && ahead == IB;  // whole panels
        if (in_registers) {
          if constexpr (IN_REGISTERS) {
            if (warp == 0) solve_panel(shared.moves[turn ^ 1], j, next);
          }
        } else {
          update<TEAM, lu_team_barrier>(warp, j, width, turn ^ 1, next, AHEAD ? min(next + IB, n) : n);
        }
        sync_warps<TEAM, lu_team_barrier>();
        if (ahead > 0) factor_panel<EXACTLY, ROWS>(next, ahead, turn, in_registers, each, mine);
      }
      if (ahead <= 0) break;
      sync_warps<WARPS, whole_block_barrier>();
      if (!EXACTLY && !uniform(shared.is_plain[turn])) break;
      j = next;
      width = ahead;
      next += ahead;
    }
    if (!exchanges && mine.replaced > 0) atomicAdd(&shared.replaced, mine.replaced);
    if (leads) shared.info = mine.info;
    __syncthreads();
    return EXACTLY || uniform(shared.is_plain[0] && shared.is_plain[1]);
  }

  /// Before panel p of those that were eliminated, where was the row that is now at place i?
  __device__ __forceinline__ int source(int p, int i) const {
    if (!exchanges || i < first + p * IB) return i;
    return sources[p * smem_list_pitch(m) + i];
  }

  /// Writes all columns to memory, ld apart, of which `columns` were eliminated: the factor's row place[u] to
  /// row + 32 u. Warps share the columns. A column still has its rows where its panel left them, so places
  /// are followed back from the last panel to the first. In the end they say where the rows were before it.
  template <bool IS_READ_AGAIN = false, int COUNT>
  __device__ __forceinline__ void store_rows(T* to, std::ptrdiff_t ld, int columns, int row,
                                             int (&place)[COUNT]) const {
    constexpr int AT_ONCE = WARPS < IB ? WARPS : IB, GROUPS = WARPS / AT_ONCE;  // warps that share a panel
    to += row;
    store_columns<WARPS, IS_READ_AGAIN>(to, ld, columns + warp, n, row, place);
    for (int p = ceil_div(columns, IB) - 1; p >= 0; --p) {
      if (warp / AT_ONCE == p % GROUPS)
        store_columns<AT_ONCE, IS_READ_AGAIN>(to, ld, p * IB + warp % AT_ONCE, min(p * IB + IB, columns), row,
                                              place);
#pragma unroll
      for (int u = 0; u < COUNT; ++u) place[u] = source(p, place[u]);
    }
  }

 private:
  template <int COUNT, int BARRIER>
  __device__ static void sync_warps() {
    if constexpr (COUNT == 1) {
      __syncwarp();
    } else {
      synchronize_at<BARRIER, 32 * COUNT>();
    }
  }

  /// Columns c, c + STEP, ... before `end`.
  template <int STEP, bool IS_READ_AGAIN, int COUNT>
  __device__ __forceinline__ void store_columns(T* to, std::ptrdiff_t ld, int c, int end, int row,
                                                const int (&place)[COUNT]) const {
    if (c >= end) return;
    to += c * ld;
    const T* from[COUNT];
#pragma unroll
    for (int u = 0; u < COUNT; ++u) from[u] = &(*this)(place[u], c);
#pragma unroll 4
    for (; c < end; c += STEP, to += STEP * ld) {
#pragma unroll
      for (int u = 0; u < COUNT; ++u) {
        if (row + 32 * u < m) {
          if (IS_READ_AGAIN) {
            to[32 * u] = *from[u];
          } else {
            store_last(to + 32 * u, *from[u]);
          }
        }
        from[u] += STEP * pitch;
      }
    }
  }

  /// A row behind all others.
  __device__ int nowhere() const { return pitch - 1; }

  struct outcome {
    int info = 0, replaced = 0;
  };

  /// Columns j ... j + width - 1 by the team, the rows from first + j on in its registers: as few to a thread
  /// as there are left. updates: first with the panel before; its 8 rows are solved already (solve_panel).
  template <bool EXACTLY, int MOST>
  __device__ __forceinline__ void factor_panel(int j, int width, int turn, bool updates,
                                               const elimination<R>& each, outcome& mine) const {
    if constexpr (MOST > (ROWS > 2 ? 2 : 1)) {  // not for every number: code has to be fetched
      if (m - first - j <= 32 * TEAM * (MOST - 1)) {
        factor_panel<EXACTLY, MOST - 1>(j, width, turn, updates, each, mine);
        return;
      }
    }
    factor_rows<EXACTLY, MOST>(j, width, turn, updates, each, mine);
  }
  template <bool EXACTLY, int COUNT>
  __device__ __forceinline__ void factor_rows(int j, int width, int turn, bool updates,
                                              const elimination<R>& each, outcome& mine) const {
    using rows_t = thread_rows<T, rows_shape<32, TEAM, COUNT, IB>>;
    width = uniform(width);
    const int thread = warp * 32 + lane, begin = first + j;
    T* const panel = A + j * pitch + begin;
    rows_t rows(thread);
    const T* from[COUNT];
#pragma unroll
    for (int u = 0; u < COUNT; ++u) {
      const int row = thread + u * rows_t::THREADS;
      rows.position[u] = row < m - begin ? row : rows_t::no_position;
      from[u] = panel + min(row, m - 1 - begin);
#pragma unroll
      for (int c = 0; c < IB; ++c) rows.a[u][c] = from[u][c * pitch];  // there are whole panels
    }
    if constexpr (IN_REGISTERS) {
      if (updates) update_rows(rows.a, from, panel - IB);
    }
    if (exchanges) {
      rows.template eliminate<pivoting::partial, true, EXACTLY>(width, width, each.pivot_rows - begin, 0,
                                                                shared.exchange);
    } else {
      rows.template eliminate<pivoting::none, true, EXACTLY>(width, width, 0, each.floor, shared.exchange);
    }
    if (!EXACTLY && !rows.is_plain) {
      shared.is_plain[turn] = false;
      return;
    }
    if (mine.info == 0 && rows.info != 0) mine.info = begin + rows.info;
    mine.replaced += rows.replaced;
    if (exchanges && thread < width) each.ipiv[begin + thread] = begin + rows.ipiv[0] + 1;
    row_moves& moves = shared.moves[turn];
    row_number* const list = sources + j / IB * smem_list_pitch(m) + begin;
#pragma unroll
    for (int u = 0; u < COUNT; ++u) {
      const int row = thread + u * rows_t::THREADS, place = rows.position[u];
      if (place == rows_t::no_position) continue;
      if (exchanges) {
        list[place] = static_cast<row_number>(begin + row);
        if (place < IB) moves.from[place] = begin + row;
        if (u == 0 && row < IB) moves.to[row] = place < IB ? nowhere() : begin + place;
      }
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        if (c < width) panel[place + c * pitch] = rows.a[u][c];
      }
    }
    if (exchanges && thread >= m - begin && thread < IB) {  // a place of the panel without a row
      moves.from[thread] = begin + thread;
      moves.to[thread] = nowhere();
    }
  }

  /// x <- x - L U: rows of a panel are updated with the panel before. L: the same rows, 8 columns to the
  /// left, where `from` is moved to. U: the 8 rows above, from solve_panel.
  template <int COUNT>
  __device__ __forceinline__ void update_rows(T (&x)[COUNT][IB], const T* (&from)[COUNT], const T* U) const {
    constexpr int AT_ONCE = HAS_UPPER ? 2 : piece<T>;  // of the panel's columns
#pragma unroll
    for (int u = 0; u < COUNT; ++u) from[u] -= IB * pitch;
#pragma unroll 1
    for (int k = 0; k < IB; k += AT_ONCE) {
      T l[COUNT][AT_ONCE], y[AT_ONCE][IB];
#pragma unroll
      for (int e = 0; e < AT_ONCE; ++e) {
#pragma unroll
        for (int u = 0; u < COUNT; ++u) {
          l[u][e] = -*from[u];
          from[u] += pitch;
        }
        if constexpr (HAS_UPPER) load_pieces(y[e], shared.upper[k + e]);
      }
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        if constexpr (!HAS_UPPER) {
          T column[AT_ONCE];
          load_pieces(column, U + k + c * pitch);
#pragma unroll
          for (int e = 0; e < AT_ONCE; ++e) y[e][c] = column[e];
        }
#pragma unroll
        for (int e = 0; e < AT_ONCE; ++e) {
#pragma unroll
          for (int u = 0; u < COUNT; ++u) multiply_add(x[u][c], l[u][e], y[e][c]);
        }
      }
    }
  }

  /// What the panel does to columns begin ... end - 1, by COUNT warps that wait for each other: rows move,
  /// A12 <- L11^-1 A12, A22 <- A22 - L21 A12. If the panel has less than 8 columns, its 8 rows are finished
  /// with A12.
  template <int COUNT, int BARRIER>
  __device__ __forceinline__ void update(int worker, int j, int width, int turn, int begin, int end) const {
    if (width == 0 || begin >= end) return;
    for (int c = begin + worker * 32 + lane; c < end; c += 32 * COUNT) {
      if (width == IB) {
        solve_column<true>(shared.moves[turn], j, width, c);
      } else {
        solve_column<false>(shared.moves[turn], j, width, c);
      }
    }
    sync_warps<COUNT, BARRIER>();
    const int below = first + j + IB, first_tile = below / tile_rows;
    const int row_tiles = ceil_div(m, tile_rows) - first_tile;
    if (below >= m) return;
    // Strips of as many tiles as possible, then shorter ones. The last tile may go on to where nobody has
    // anything, as n is rounded up to whole tiles; unless tiles begin elsewhere.
    const bool is_ragged = begin % tile_columns != 0 && (end - begin) % tile_columns != 0;
    const int tiles = (end - begin + (is_ragged ? 0 : tile_columns - 1)) / tile_columns;
    const int wide = tiles / strip_tiles, rest = tiles % strip_tiles;
    const int strips = wide + rest / 2 + rest % 2 + is_ragged;
    const int parts = COUNT == 1 ? 1 : min(ceil_div(COUNT, strips), row_tiles);
    for (int strip = worker, part = 0;; strip += COUNT) {
      for (; strip >= strips; ++part) strip -= strips;
      if (part >= parts) break;
      if (strip < wide) {
        update_strip<strip_tiles>(j, width, begin + strip * strip_columns, end, first_tile + part, parts);
      } else if (strip < wide + rest / 2) {
        update_strip<2>(j, width, begin + wide * strip_columns, end, first_tile + part, parts);
      } else if (is_ragged && strip == strips - 1) {
        update_strip<1, true>(j, width, begin + tiles * tile_columns, end, first_tile + part, parts);
      } else {
        update_strip<1>(j, width, begin + (tiles - 1) * tile_columns, end, first_tile + part, parts);
      }
    }
  }

  /// The panel's rows of column c: x <- L11^-1 P x. WHOLE: the panel has 8 columns.
  template <bool WHOLE>
  __device__ __forceinline__ void solve_column(const row_moves& moves, int j, int width, int c) const {
    T* const column = A + c * pitch;
    T* const here = column + first + j;
    T x[IB];
    load_pieces(x, here);
    if (exchanges) {
      T y[IB];
      int from[IB], to[IB];
      load_pieces(from, moves.from);
      load_pieces(to, moves.to);
#pragma unroll
      for (int i = 0; i < IB; ++i) y[i] = column[from[i]];
#pragma unroll
      for (int i = 0; i < IB; ++i) {
        column[to[i]] = x[i];
        x[i] = y[i];
      }
    }
    solve_rows<WHOLE>(j, width, x);
    store_pieces(here, x);
  }
  /// x <- L11^-1 x.
  template <bool WHOLE>
  __device__ __forceinline__ void solve_rows(int j, int width, T (&x)[IB]) const {
    const T* L = A + j * pitch + first + j;
#pragma unroll
    for (int k = 0; k < IB - 1; ++k, L += pitch) {
      if (!WHOLE && k >= width) break;
      T l[IB];
      load_pieces(l, L);
#pragma unroll
      for (int i = k + 1; i < IB; ++i) multiply_add(x[i], -l[i], x[k]);
    }
  }

  /// solve_column for columns c ... c + 7 of a whole panel, by one warp: four lanes move the rows of a
  /// column, then one lane solves for it. HAS_UPPER: U goes to shared.upper, too.
  __device__ __forceinline__ void solve_panel(const row_moves& moves, int j, int c) const {
    constexpr int LANES = 32 / IB, COUNT = IB / LANES;  // of a column; rows of a lane
    if (exchanges) {
      T* const column = A + (c + lane / LANES) * pitch;
      const int i = lane % LANES * COUNT;
      T x[COUNT], y[COUNT];
#pragma unroll
      for (int e = 0; e < COUNT; ++e) {
        x[e] = column[first + j + i + e];
        y[e] = column[moves.from[i + e]];
      }
      __syncwarp();
#pragma unroll
      for (int e = 0; e < COUNT; ++e) {
        const int to = moves.to[i + e];
        if (to != nowhere()) column[to] = x[e];
        column[first + j + i + e] = y[e];
      }
      __syncwarp();
    }
    if (lane < IB) {
      T* const here = A + (c + lane) * pitch + first + j;
      T x[IB];
      load_pieces(x, here);
      solve_rows<true>(j, IB, x);
      store_pieces(here, x);
      if constexpr (HAS_UPPER) {
#pragma unroll
        for (int k = 0; k < IB; ++k) shared.upper[k][lane] = x[k];
      }
    }
  }

  /// Columns of a strip: multipliers are read, and split into two, once for all of them.
  static constexpr int strip_tiles = std::is_same_v<T, float> ? 3 : 2,
                       strip_columns = strip_tiles * tile_columns;

  /// TILES tiles of 8 columns, from c on and before `end`, of every parts-th tile of 16 rows, from tile
  /// `row_tile` on. Rows up to the panel's stay as they are. RAGGED: so do columns from `end` on.
  template <int TILES, bool RAGGED = false>
  __device__ __forceinline__ void update_strip(int j, int width, int c, int end, int row_tile,
                                               int parts) const {
    const int g = lane / 4, t = lane % 4, begin = first + j, step = parts * tile_rows;
    right_factor<T> right[TILES];
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const bool exists = 2 * t + e < width && !(RAGGED && c + g >= end);
      const T* const row = A + begin + (exists ? 2 * t + e : 0) + (exists ? c + g : c) * pitch;
#pragma unroll
      for (int v = 0; v < TILES; ++v) {
        const T x = row[v * tile_columns * pitch];
        right[v].set(e, exists ? -conj(x) : T{});
      }
    }
    const int first_row = row_tile * tile_rows, i = first_row + g;
    const T* L[2];  // of a narrow panel some column, which meets zeros
#pragma unroll
    for (int e = 0; e < 2; ++e) L[e] = A + (j + (2 * t + e < width ? 2 * t + e : 0)) * pitch + i;
    T* to[TILES][2];
#pragma unroll
    for (int v = 0; v < TILES; ++v) {
#pragma unroll
      for (int e = 0; e < 2; ++e) to[v][e] = A + (c + v * tile_columns + 2 * t + e) * pitch + i;
    }
    bool is_below = i >= begin + IB;  // of row i: only in the first tile it may be the panel's
#pragma unroll 1
    for (int row = first_row; row < m; row += step) {
      left_factor<T> left;
      tile<T> x[TILES];
#pragma unroll
      for (int e = 0; e < 4; ++e) left.set(e, L[e / 2][e % 2 * 8]);
#pragma unroll
      for (int v = 0; v < TILES; ++v) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (!RAGGED || c + 2 * t + e % 2 < end) x[v].x[e] = to[v][e % 2][e / 2 * 8];
        }
      }
#pragma unroll
      for (int v = 0; v < TILES; ++v) multiply_add(x[v], left, right[v]);
#pragma unroll
      for (int v = 0; v < TILES; ++v) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if ((e / 2 == 1 || is_below) && (!RAGGED || c + 2 * t + e % 2 < end))
            to[v][e % 2][e / 2 * 8] = x[v].x[e];
        }
      }
      is_below = true;
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        L[e] += step;
#pragma unroll
        for (int v = 0; v < TILES; ++v) to[v][e] += step;
      }
    }
    __syncwarp();
  }
};

}  // namespace talus::cuda::lu
