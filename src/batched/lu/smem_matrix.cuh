// A matrix, or a part of its columns, in shared memory, and its elimination by a block, panel by panel.
// No row moves: which row stands at which position of LAPACK's order is a list.
#pragma once

#include <cstddef>

#include "batch.hpp"
#include "gpu/limits.hpp"
#ifdef __CUDACC__
#include "batched/lu/pivot.cuh"
#include "batched/lu/rows.cuh"
#include "gpu/mma.cuh"
#endif

namespace talus::cuda::lu {

/// Columns of a panel.
constexpr int smem_panel = 8;

/// From a column to the next: whole tiles of 16 rows, and what tensor units read of one lies in different
/// banks.
TALUS_HOST_DEVICE constexpr int smem_pitch(int m, std::size_t element_size) {
  return (m + 15) / 16 * 16 + (element_size == 4 ? 4 : 2);
}
/// Elements of the multipliers of a panel, as tensor units read them: of whole tiles of 16 rows.
TALUS_HOST_DEVICE constexpr int smem_multipliers(int m) { return (m + 15) / 16 * 16 * smem_panel; }
/// Bytes of a list of rows.
TALUS_HOST_DEVICE constexpr std::size_t smem_list_bytes(int m) {
  return static_cast<std::size_t>((m + 31) / 32 * 32) * sizeof(int);
}
/// Bytes of a block for a matrix with so many columns, right-hand sides counted: the order of the rows; the
/// matrix; the multipliers of one panel, or of two, in turn, where some warps are a panel ahead.
TALUS_HOST_DEVICE constexpr std::size_t smem_bytes(int m, int columns, std::size_t element_size, bool ahead) {
  const auto pitch = static_cast<std::size_t>(smem_pitch(m, element_size));
  const auto multipliers = static_cast<std::size_t>(smem_multipliers(m)) * (ahead ? 2 : 1);
  const std::size_t elements = pitch * ((static_cast<std::size_t>(columns) + 7) / 8 * 8) + multipliers;
  return smem_list_bytes(m) + elements * element_size;
}
/// What it has beside that, at most: pivot rows, the triangles of two panels.
constexpr std::size_t smem_extra_bytes = 4 * 1024;

#ifdef __CUDACC__

/// What those who factored a panel tell the others: the rows of its pivots, and their multipliers of each
/// other, a unit triangle L(k, l) at triangle[l][k].
template <class T>
struct factored_panel {
  alignas(16) T triangle[smem_panel][smem_panel];
  int pivot[smem_panel];
};

/// x <- L^-1 x, L(k, l) at triangle[l][k] below a diagonal of ones.
template <class T, int N>
__device__ __forceinline__ void solve_unit_lower(const T (&triangle)[N][N], T (&x)[N]) {
#pragma unroll
  for (int k = 0; k < N - 1; ++k) {
#pragma unroll
    for (int i = (k + 1) / piece<T> * piece<T>; i < N; i += piece<T>) {
      const auto l = *reinterpret_cast<const pack<T, piece<T>>*>(&triangle[k][i]);
#pragma unroll
      for (int e = 0; e < piece<T>; ++e) {
        if (i + e > k) multiply_add(x[i + e], -l.x[e], x[k]);
      }
    }
  }
}

/// A matrix in shared memory of n columns, which are column `first` and so on of a larger one: what stands at
/// positions before `first` is done.
///
/// Policy      WARPS of the block; TEAM of them, the first, factor panels: the others, if there are any,
///             update meanwhile; ROWS of a panel that a thread of the team holds
template <class T, class Policy>
struct smem_matrix {
  using R = real_t<T>;
  static constexpr int IB = smem_panel, WARPS = Policy::WARPS, TEAM = Policy::TEAM, ROWS = Policy::ROWS;
  static constexpr bool AHEAD = TEAM < WARPS;
  struct memory {
    rows_exchange<T, TEAM, IB> exchange;
    factored_panel<T> panel[AHEAD ? 2 : 1];
    int info, replaced;
  };

  int* order;  // the row at each position
  T* A;        // (i, c) at A[i + c * pitch]
  T* multipliers;
  memory& shared;
  int m, n, pitch, first = 0;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;

  /// The matrix lies behind so many lists, of which `order` is the first.
  __device__ smem_matrix(int m_, int n_, memory& shared_, int lists = 1)
      : order(shared_memory<int>()),
        A(reinterpret_cast<T*>(order + lists * ceil_div(m_, 32) * 32)),
        shared(shared_),
        m(m_),
        n(n_),
        pitch(smem_pitch(m_, sizeof(T))) {
    multipliers = A + pitch * (ceil_div(n, 8) * 8);
  }
  __device__ T& operator()(int i, int c) const { return A[i + c * pitch]; }

  /// What comes before eliminate, and a barrier between.
  __device__ void clear_multipliers() const {
    const int count = smem_multipliers(m) * (AHEAD ? 2 : 1);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += 32 * WARPS) multipliers[i] = T{};
  }

  /// Columns 0 ... columns - 1. Every thread of the block calls it, when multipliers are zero; what comes
  /// of it is in shared.info, shared.replaced and order.
  template <pivoting HOW>
  __device__ __forceinline__ void eliminate(int columns, const elimination<R>& each) const {
    const auto width_of = [&](int j) { return max(0, min(IB, columns - j)); };
    const bool is_team = warp < TEAM;
    int info = 0, replaced = 0;
    if (threadIdx.x == 0) shared.replaced = 0;
    if (is_team) factor_panel<ROWS, HOW>(0, width_of(0), each, info, replaced);
    for (int j = 0; j < columns; j += IB) {
      const int width = width_of(j), next = j + width, ahead = width_of(next);
      sync_warps<WARPS, WHOLE_BLOCK>();
      if constexpr (AHEAD) {
        if (is_team) {
          update<TEAM, TEAM_BARRIER>(warp, j, width, next, next + ahead);
          sync_warps<TEAM, TEAM_BARRIER>();
          factor_panel<ROWS, HOW>(next, ahead, each, info, replaced);
        } else {
          update<WARPS - TEAM, UPDATE_BARRIER>(warp - TEAM, j, width, next + ahead, n);
        }
      } else {
        update<WARPS, WHOLE_BLOCK>(warp, j, width, next, n);
        sync_warps<WARPS, WHOLE_BLOCK>();
        factor_panel<ROWS, HOW>(next, ahead, each, info, replaced);
      }
    }
    if (HOW == pivoting::none && replaced > 0) atomicAdd(&shared.replaced, replaced);
    if (threadIdx.x == 0) shared.info = info;
    __syncthreads();
  }

 private:
  static constexpr int WHOLE_BLOCK = 0, UPDATE_BARRIER = 1, TEAM_BARRIER = 3;  // 2: rows.cuh
  template <int COUNT, int BARRIER>
  __device__ static void sync_warps() {
    if constexpr (COUNT == 1) {
      __syncwarp();
    } else {
      asm volatile("bar.sync %0, %1;" ::"n"(BARRIER), "n"(32 * COUNT) : "memory");
    }
  }
  __device__ factored_panel<T>& panel_at(int j) const { return shared.panel[AHEAD ? j / IB % 2 : 0]; }
  __device__ T* multipliers_at(int j) const {
    return multipliers + (AHEAD ? j / IB % 2 : 0) * smem_multipliers(m);
  }
  /// Where the multiplier (i, k) of a panel is: lane 4 g + t finds (g, 2t) and (g+8, 2t) of its tile side by
  /// side, and 64 elements further (g, 2t+1) and (g+8, 2t+1).
  __device__ static int multiplier(int i, int k) {
    return i / 16 * 128 + k % 2 * 64 + (i % 8 * 4 + k / 2) * 2 + i / 8 % 2;
  }

  /// Columns j ... j + width - 1 by the team: the rows at positions first + j and on in its registers, as
  /// few to a thread as there are left.
  template <int MOST, pivoting HOW>
  __device__ __forceinline__ void factor_panel(int j, int width, const elimination<R>& each, int& info,
                                               int& replaced) const {
    if constexpr (MOST > 1) {
      if (m - first - j <= 32 * TEAM * (MOST - 1)) {
        factor_panel<MOST - 1, HOW>(j, width, each, info, replaced);
        return;
      }
    }
    if (width > 0) factor_rows<MOST, HOW>(j, width, each, info, replaced);
  }
  template <int COUNT, pivoting HOW>
  __device__ __forceinline__ void factor_rows(int j, int width, const elimination<R>& each, int& info,
                                              int& replaced) const {
    using rows_t = thread_rows<T, rows_shape<32, TEAM, COUNT, IB>>;
    const int thread = warp * 32 + lane, begin = first + j;  // position of the first row
    rows_t rows(thread);
    int row[COUNT];
    T* const L = multipliers_at(j);
    factored_panel<T>& panel = panel_at(j);
#pragma unroll
    for (int u = 0; u < COUNT; ++u) {
      const int position = thread + u * rows_t::THREADS;
      const bool exists = begin + position < m;
      row[u] = exists ? order[begin + position] : 0;
      rows.position[u] = exists ? position : rows_t::no_position;
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        rows.a[u][c] = T{};
        if (exists && c < width) rows.a[u][c] = (*this)(row[u], j + c);
      }
    }
    if (AHEAD && thread < IB && j >= IB) {  // what the panel before took: rows that nobody updates
      const int done = order[begin - IB + thread];
#pragma unroll
      for (int c = 0; c < IB; ++c) L[multiplier(done, c)] = T{};
    }
    rows.template eliminate<HOW, true>(width, width, each.pivot_rows - begin, each.floor, shared.exchange);
    if (info == 0 && rows.info != 0) info = begin + rows.info;
    replaced += rows.replaced;
    if (HOW == pivoting::partial && thread < width) each.ipiv[begin + thread] = begin + rows.ipiv[0] + 1;
#pragma unroll
    for (int u = 0; u < COUNT; ++u) {
      const int position = rows.position[u];
      if (position == rows_t::no_position) continue;
      const bool is_pivot = position < width;
      order[begin + position] = row[u];
      if (is_pivot) panel.pivot[position] = row[u];
#pragma unroll
      for (int c = 0; c < IB; ++c) {
        if (c < width) (*this)(row[u], j + c) = rows.a[u][c];
        if (is_pivot) panel.triangle[c][position] = rows.a[u][c];
        L[multiplier(row[u], c)] = is_pivot || c >= width ? T{} : rows.a[u][c];
      }
    }
  }

  /// What the panel does to columns first ... end - 1, by COUNT warps that wait for each other:
  /// A12 <- L11^-1 A12, A22 <- A22 - L21 A12.
  template <int COUNT, int BARRIER>
  __device__ __forceinline__ void update(int worker, int j, int width, int first, int end) const {
    for (int c = first + worker * 32 + lane; c < end; c += 32 * COUNT) solve_column(panel_at(j), width, c);
    sync_warps<COUNT, BARRIER>();
    const int tiles = ceil_div(max(0, end - first), tile_columns), row_tiles = ceil_div(m, tile_rows);
    if (tiles == 0) return;
    const int parts = min(ceil_div(COUNT, tiles), row_tiles);
    for (int item = worker; item < tiles * parts; item += COUNT)
      update_tiles(j, width, first + item % tiles * tile_columns, end, item / tiles, parts);
    __syncwarp();
  }

  /// The pivots' rows of column c: x <- L11^-1 x.
  __device__ __forceinline__ void solve_column(const factored_panel<T>& panel, int width, int c) const {
    T* const column = A + c * pitch;
    T x[IB];
    int row[IB];
#pragma unroll
    for (int i = 0; i < IB; ++i) {
      row[i] = panel.pivot[i < width ? i : 0];
      x[i] = column[row[i]];
    }
    solve_unit_lower(panel.triangle, x);
#pragma unroll
    for (int i = 1; i < IB; ++i) {
      if (i < width) column[row[i]] = x[i];
    }
  }

  /// Columns c ... c + 7 before `end` of every parts-th tile of 16 rows, from tile `part` on. Multipliers of
  /// rows that are done are zero.
  __device__ __forceinline__ void update_tiles(int j, int width, int c, int end, int part, int parts) const {
    const int g = lane / 4, t = lane % 4;
    const factored_panel<T>& panel = panel_at(j);
    right_factor<T> right;
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      T x{};
      if (c + g < end && 2 * t + e < width) x = (*this)(panel.pivot[2 * t + e], c + g);
      right.set(e, -conj(x));
    }
    const T* const L = multipliers_at(j) + 2 * lane;
    const bool has_first = c + 2 * t < end, has_second = c + 2 * t + 1 < end;
    T* const first = A + (c + 2 * t) * pitch + g;
#pragma unroll 2
    for (int i = part * tile_rows; i < m; i += parts * tile_rows) {
      left_factor<T> left;
#pragma unroll
      for (int e = 0; e < 4; e += 2) {
        const auto p = *reinterpret_cast<const pack<T, 2>*>(L + i * smem_panel + e / 2 * 64);
        left.set(e, p.x[0]);
        left.set(e + 1, p.x[1]);
      }
      tile<T> sum;  // where rows end there are more of them, which nobody looks at
      if (has_first) sum.x[0] = first[i];
      if (has_second) sum.x[1] = first[i + pitch];
      if (has_first) sum.x[2] = first[i + 8];
      if (has_second) sum.x[3] = first[i + 8 + pitch];
      multiply_add(sum, left, right);
      if (has_first) first[i] = sum.x[0];
      if (has_second) first[i + pitch] = sum.x[1];
      if (has_first) first[i + 8] = sum.x[2];
      if (has_second) first[i + 8 + pitch] = sum.x[3];
    }
  }
};

#endif

}  // namespace talus::cuda::lu
