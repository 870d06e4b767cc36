// LU of matrices too large for shared memory, in one launch: a strip of columns at a time is brought up
// to date with all that is left of it, factored on the chip, and written.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/smem_matrix.cuh"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::lu {

// ---- parameters ----------------------------------------------------------------------------------

/// A line of a table: a block per matrix of up to 16 * warps * tiles rows and any number of columns.
struct left {
  static constexpr const char* name = "left";

  int nb = 0;      // columns of a strip
  int warps = 0;   // per matrix
  int tiles = 0;   // of 16 rows of a strip, per warp
  int team = 0;    // warps that factor panels; the others, if there are any, update meanwhile
  int blocks = 0;  // per multiprocessor that registers are shared out to at least; 0: as the compiler likes

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("nb", self.nb);
    visit("warps", self.warps);
    visit("tiles", self.tiles);
    visit("team", self.team);
    visit("blocks", self.blocks);
  }

  constexpr const char* objection(int m_max, int, const element& e, const gpu_limits& limits) const {
    if (nb < 8 || nb > 64 || nb % 8 != 0) return "nb is no multiple of 8 between 8 and 64";
    if (warps < 1 || warps > 16 || tiles < 1) return "warps is not between 1 and 16, or tiles is below 1";
    if (team < 1 || team > warps) return "team is not between 1 and warps";
    if (16 * warps * tiles < m_max) return "16 * warps * tiles is less than m_max";
    if (e.registers() * tiles * nb / 2 > 128) return "a lane's tiles need more registers than there are";
    if (e.registers() * panel_rows() * smem_panel > 128)
      return "a lane's rows need more registers than there are";
    if (blocks < 0 || blocks > 32 || blocks * warps > 64) return "blocks * warps is not between 0 and 64";
    if (bytes(m_max, e.size) + smem_extra_bytes > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Rows of a panel per lane of the team.
  constexpr int panel_rows() const { return (tiles * warps + 2 * team - 1) / (2 * team); }
  /// Shared memory of a block: a strip, with the lists of rows; before a strip is there, what its warps tell
  /// each other.
  constexpr std::size_t bytes(int m, std::size_t element_size) const {
    const std::size_t strip = smem_list_bytes(m) + smem_bytes(m, nb, element_size, team < warps);
    const std::size_t exchange = 2 * smem_list_bytes(m) + exchange_elements(nb, warps) * element_size;
    return strip > exchange ? strip : exchange;
  }
  /// Pivot rows and triangles of two panels, and for each warp a panel's rows of U.
  static constexpr std::size_t exchange_elements(int nb, int warps) {
    return static_cast<std::size_t>(8 * (2 + warps) * exchange_pitch(nb) + 2 * 8 * 8);
  }
  static constexpr int exchange_pitch(int nb) { return nb + 4; }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, pivoting HOW, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<left> space() {
    return {{{"nb", {16, 32, 64}, "as many columns as registers hold"},
             {"warps", {2, 4, 8, 16}, "of a block"},
             {"tiles", {1, 2, 3, 4}, "as many rows as n takes"},
             {"team", {1, 2, 4, 8, 16}, "few rows per lane, and few warps to wait for"},
             {"blocks", {0, 2, 3, 4, 6}, "they decide how many matrices are under way"}},
            48,
            1024,
            "smaller ones have smem; of larger ones a strip does not fit on the chip",
            [](const left& k, int n) {
              const int rows = 16 * k.warps * k.tiles;
              return rows < n + 16 * k.warps && k.panel_rows() <= 4 && k.team <= k.panel_rows() * 8 &&
                     k.blocks * rows < 1024;
            },
            "rows as n takes; panels of up to four rows per lane",
            "tiles"};
  }
};

#ifdef __CUDACC__

/// What the kernel is compiled for.
template <int NB_, int WARPS_, int TILES_, int TEAM_, int BLOCKS_>
struct left_policy {
  static constexpr int NB = NB_, WARPS = WARPS_, TILES = TILES_, TEAM = TEAM_, BLOCKS = BLOCKS_;
  static constexpr int ROWS = left{NB_, WARPS_, TILES_, TEAM_, BLOCKS_}.panel_rows();
};

/// A strip of NB columns in the registers of a block, TILES tiles of 16 rows by each warp, while it is
/// brought up to date with panels of 8 columns to its left. Rows lie as they did in the beginning.
///
/// Which of them a panel's multipliers act upon their positions say: element k of row i is a multiplier if
/// that row's position is after K + k. So the rows of the panel itself are solved with L11 while those
/// below are updated, and rows that are done stay as they are.
template <class T, class Policy>
struct strip {
  static constexpr int NB = Policy::NB, WARPS = Policy::WARPS, TILES = Policy::TILES, IB = smem_panel;
  static constexpr int COLUMNS = NB / tile_columns, PITCH = left::exchange_pitch(NB);
  struct panel {
    T row[IB][PITCH];    // of the strip, at the panel's positions
    T triangle[IB][IB];  // L11(k, l) at triangle[l][k]
  };
  struct memory {
    panel panels[2];  // in turn
    T U[WARPS][IB][PITCH];
  };
  static_assert(sizeof(memory) == left::exchange_elements(NB, WARPS) * sizeof(T));

  tile<T> x[TILES][COLUMNS];
  int position[TILES][2];  // of rows g and g + 8 of a tile; -1 where there is none
  const matrix<T>& A;
  memory& shared;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int g = lane / 4, t = lane % 4;

  __device__ strip(const matrix<T>& A_, memory& shared_) : A(A_), shared(shared_) {}
  __device__ int row(int u, int half) const { return (warp * TILES + u) * tile_rows + g + 8 * half; }

  /// Columns c ... c + width - 1 of A.
  __device__ __forceinline__ void load(int c, int width, const int* positions) {
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int i = row(u, half);
        position[u][half] = i < A.m ? positions[i] : -1;
#pragma unroll
        for (int v = 0; v < COLUMNS; ++v) {
#pragma unroll
          for (int e = 0; e < 2; ++e) {
            const int column = v * tile_columns + 2 * t + e;
            T& mine = x[u][v].x[2 * half + e];
            mine = T{};
            if (i < A.m && column < width) mine = A(i, c + column);
          }
        }
      }
    }
  }

  /// With all panels of the first `columns` columns. Every thread of the block calls it.
  __device__ __forceinline__ void update(int columns) {
    T next[TILES][4];
    load_panel(0, columns, next);
#pragma unroll 1
    for (int K = 0; K < columns; K += IB) {
      T L[TILES][4];
      panel& mine = shared.panels[K / IB % 2];
#pragma unroll
      for (int u = 0; u < TILES; ++u) {
#pragma unroll
        for (int e = 0; e < 4; ++e) L[u][e] = next[u][e];
        publish(u, K, L[u], mine);
      }
      __syncthreads();
      load_panel(K + IB, columns, next);
      solve(mine, min(IB, columns - K));
      right_factor<T> U[COLUMNS];
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) {
#pragma unroll
        for (int e = 0; e < 2; ++e) U[v].set(e, -conj(shared.U[warp][2 * t + e][v * tile_columns + g]));
      }
      __syncwarp();
#pragma unroll
      for (int u = 0; u < TILES; ++u) {
        left_factor<T> multipliers;
#pragma unroll
        for (int e = 0; e < 4; ++e)
          multipliers.set(e, position[u][e % 2] > K + 2 * t + e / 2 ? L[u][e] : T{});
#pragma unroll
        for (int v = 0; v < COLUMNS; ++v) multiply_add(x[u][v], multipliers, U[v]);
      }
    }
  }

  /// To (i, c) of M.
  template <class M>
  __device__ __forceinline__ void store(const M& to) const {
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        if (row(u, half) >= A.m) continue;
#pragma unroll
        for (int v = 0; v < COLUMNS; ++v) {
#pragma unroll
          for (int e = 0; e < 2; ++e)
            to(row(u, half), v * tile_columns + 2 * t + e) = x[u][v].x[2 * half + e];
        }
      }
    }
  }

 private:
  /// Columns K ... K + 7 of A, of those before `columns`, as a left factor has them.
  __device__ __forceinline__ void load_panel(int K, int columns, T (&L)[TILES][4]) const {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int column = K + 2 * t + e / 2;
#pragma unroll
      for (int u = 0; u < TILES; ++u) {
        const int i = row(u, e % 2);
        L[u][e] = T{};
        if (column < columns && i < A.m) L[u][e] = A(i, column);
      }
    }
  }

  /// The rows of tile u that are at the panel's positions, and theirs of the panel, to all.
  __device__ __forceinline__ void publish(int u, int K, const T (&L)[4], panel& to) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int p = position[u][half] - K;
      if (p < 0 || p >= IB) continue;
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) {
#pragma unroll
        for (int e = 0; e < 2; ++e) to.row[p][v * tile_columns + 2 * t + e] = x[u][v].x[2 * half + e];
      }
#pragma unroll
      for (int e = 0; e < 2; ++e) to.triangle[2 * t + e][p] = L[2 * e + half];
    }
  }

  /// The panel's rows, of which there are `rows`: x <- L11^-1 x, by each warp for itself, a lane per column. Where
  /// there is none U is zero, as what stands there meets multipliers that are zero.
  __device__ __forceinline__ void solve(const panel& from, int rows) const {
#pragma unroll
    for (int c = lane; c < NB; c += 32) {
      T y[IB];
#pragma unroll
      for (int i = 0; i < IB; ++i) y[i] = from.row[i][c];
      solve_unit_lower(from.triangle, y);
#pragma unroll
      for (int i = 0; i < IB; ++i) shared.U[warp][i][c] = i < rows ? y[i] : T{};
    }
    __syncwarp();
  }
};

/// Rows of the first `columns` columns of A as `order` says, a column by each warp.
template <class T, class Policy>
__device__ __forceinline__ void move_rows(const matrix<T>& A, int columns, const int* order) {
  constexpr int COUNT = ceil_div(Policy::TILES * Policy::WARPS, 2);  // to each lane
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int row[COUNT];
#pragma unroll
  for (int u = 0; u < COUNT; ++u) row[u] = lane + 32 * u < A.m ? order[lane + 32 * u] : -1;
#pragma unroll 1
  for (int c = warp; c < columns; c += Policy::WARPS) {
    T x[COUNT];
#pragma unroll
    for (int u = 0; u < COUNT; ++u) x[u] = row[u] >= 0 ? A(row[u], c) : T{};
    __syncwarp();
#pragma unroll
    for (int u = 0; u < COUNT; ++u) {
      if (row[u] >= 0) store_last(&A(lane + 32 * u, c), x[u]);
    }
  }
}

/// Left-looking LU of matrix b of A in strips of NB columns, all in one launch.
///
/// Thread map  a block per matrix. Strips: tiles of 16 rows by each warp; panels: smem_matrix
/// Stored      a strip in registers while it is brought up to date, in shared memory while it is factored; in
///             memory rows stay where they were until the last strip is done
/// Launch      count blocks, left::bytes of shared memory
/// Needs       m <= 16 * WARPS * TILES
/// Barriers    one per panel to the left of a strip; those of smem_matrix
/// Info        j: as LAPACK; the elimination goes on
/// Source      LAPACK's left-looking variant of xGETRF, with implicit pivoting
/// Bound by    the chain of the panels' pivots; of large matrices by memory, from which all to the left of a
///             strip is read once more
template <class T, class Policy, pivoting HOW>
__device__ __forceinline__ void eliminate_in_strips(const matrix<T>& A, const elimination<real_t<T>>& each,
                                                    std::int64_t b, int* info_array) {
  constexpr int NB = Policy::NB, WARPS = Policy::WARPS, THREADS = 32 * WARPS, LISTS = 2;
  using matrix_t = smem_matrix<T, Policy>;
  using strip_t = strip<T, Policy>;
  __shared__ typename matrix_t::memory shared;
  matrix_t M(A.m, NB, shared, LISTS);
  int* const position = M.order + ceil_div(A.m, 32) * 32;  // of each row
  const int tid = static_cast<int>(threadIdx.x);
  for (int i = tid; i < A.m; i += THREADS) M.order[i] = position[i] = i;
  __syncthreads();
  int info = 0, replaced = 0, unmoved = 0;  // columns whose rows lie as they did in the beginning
  for (int c = 0; c < A.n; c += NB) {
    const int width = min(NB, A.n - c), columns = min(width, each.columns - c);
    strip_t mine(A, *reinterpret_cast<typename strip_t::memory*>(M.A));
    mine.load(c, width, position);
    mine.update(min(c, each.columns));
    __syncthreads();
    mine.store(M);
    if (columns > 0) {
      M.clear_multipliers();
      M.n = width;
      M.first = c;
      __syncthreads();
      M.template eliminate<HOW>(columns, each);
      if (info == 0) info = shared.info;
      replaced += shared.replaced;
    } else {
      __syncthreads();
    }
    const bool is_last = c + NB >= A.n || c >= each.columns;  // of those that others are updated with
    if (!is_last) unmoved = c + NB;
    for (int i = M.lane; i < A.m; i += 32) {
      const int row = is_last ? M.order[i] : i;
      if (M.warp == 0) position[M.order[i]] = i;
#pragma unroll 4
      for (int v = M.warp; v < width; v += WARPS) A(i, c + v) = M(row, v);
    }
    __syncthreads();
  }
  if (tid == 0) {
    info_array[b] = info;
    if (HOW == pivoting::none && each.replaced != nullptr) *each.replaced = replaced;
  }
  if (HOW == pivoting::partial) move_rows<T, Policy>(A, unmoved, M.order);
}

template <class T, class Policy, pivoting HOW, class Source, class Then>
__global__ void __launch_bounds__(32 * Policy::WARPS, Policy::BLOCKS)
    getrf_left(std::int64_t first_block, Source source, int* info_array, Then then) {
  source.template for_each_of_block<32 * Policy::WARPS>(
      first_block, info_array, [&](auto number, const auto& A) {
        const std::int64_t b = number();
        const matrix<T> mine = A[b];
        eliminate_in_strips<T, Policy, HOW>(mine, elimination_of(source, then, b, mine.m, mine.n), b,
                                            info_array);
      });
}

template <class Line, pivoting HOW, class Source, class Then>
int left::launch(Source source, int* info, queue q, Then then) {
  using T = typename Source::element;
  constexpr left p = Line::kernel;
  using policy = left_policy<p.nb, p.warps, p.tiles, p.team, p.blocks>;
  return launch_over<getrf_left<T, policy, HOW, Source, Then>>(
      source, 1, dim3(32 * p.warps), p.bytes(largest_of(source)[0], sizeof(T)), 0, q, info, then);
}

#endif

}  // namespace talus::cuda::lu
