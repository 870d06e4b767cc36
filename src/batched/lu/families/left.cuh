// The kernels of left.hpp.
#pragma once

#include "batched/lu/families/left.hpp"
#include "batched/lu/pieces/smem_matrix.cuh"
#include "gpu/async_copy.cuh"

namespace talus::cuda::lu {

/// What the kernel is compiled for.
template <int NB_, int WARPS_, int TILES_, int TEAM_, int BLOCKS_>
struct left_policy {
  static constexpr int NB = NB_, WARPS = WARPS_, TILES = TILES_, TEAM = TEAM_, BLOCKS = BLOCKS_;
  TALUS_HOST_DEVICE static constexpr left line() { return {NB_, WARPS_, TILES_, TEAM_, BLOCKS_}; }
  static constexpr int ROWS = line().panel_rows();
};

/// A strip of NB columns in the registers of a block, TILES tiles of 16 rows by each warp, while it is
/// brought up to date with panels of 8 columns to its left. Rows lie as they did in the beginning.
///
/// Which of them a panel's multipliers act upon their positions say: element k of row i is a multiplier if
/// that row's position is after K + k. With L11 = I + N, what the panel does to its own rows R of the strip
/// is R - N (L11^-1 R), and to those below R2 - L21 (L11^-1 R): so all rows are updated alike, and none waits
/// for a triangular solve.
template <class T, class Policy>
struct strip {
  static constexpr int NB = Policy::NB, WARPS = Policy::WARPS, TILES = Policy::TILES, IB = smem_panel;
  static constexpr int COLUMNS = NB / tile_columns, STAGES = NB / IB, THREADS = 32 * WARPS;
  static constexpr int PITCH = left::exchange_pitch(NB, sizeof(T));
  struct memory {
    T row[2][IB][PITCH];  // of the strip, at the panel's positions; in turn
  };
  static_assert(sizeof(memory) == left::exchange_elements(NB, sizeof(T)) * sizeof(T));

  tile<T> x[TILES][COLUMNS];
  unsigned positions[TILES];  // of rows g and g + 8 of a tile, 16 bits each: all ones if there is no row
  const matrix<T>& A;
  memory& shared;
  T* const stages;  // room for NB columns, `pitch` apart, where panels arrive
  const int pitch;
  arrivals (&arrived)[STAGES];  // of panels, if by_bulk
  unsigned& rounds;             // bit s: parity of the round in which stage s's next panel arrives
  const bool by_bulk;           // columns begin and end at multiples of 16 bytes, and the GPU can
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int g = lane / 4, t = lane % 4;

  __device__ strip(const matrix<T>& A_, memory& shared_, T* stages_, int pitch_, arrivals (&arrived_)[STAGES],
                   unsigned& rounds_)
      : A(A_),
        shared(shared_),
        stages(stages_),
        pitch(pitch_),
        arrived(arrived_),
        rounds(rounds_),
        by_bulk(copies_in_bulk() && has_whole_pieces(A_)) {}
  __device__ static bool has_whole_pieces(const matrix<T>& A) {
    const auto all =
        reinterpret_cast<std::uintptr_t>(A.A) | static_cast<std::uintptr_t>(A.lda | A.m) * sizeof(T);
    return uniform(static_cast<int>(all % 16)) == 0;
  }
  __device__ int row(int u, int half) const { return (warp * TILES + u) * tile_rows + g + 8 * half; }
  /// Of row `half` of tile u; -1 where there is none.
  __device__ int position(int u, int half) const {
    return static_cast<short>(half == 0 ? positions[u] : positions[u] >> 16);
  }

  /// Columns c ... c + width - 1 of A.
  __device__ __forceinline__ void load(int c, int width, const unsigned short* position_of) {
#pragma unroll
    for (int u = 0; u < TILES; ++u) {
      positions[u] = 0;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int i = row(u, half);
        positions[u] |= (i < A.m ? position_of[i] : 0xffffu) << 16 * half;
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

  /// The first panels of `columns` columns are on their way when it returns. Every thread of the block
  /// calls it.
  __device__ __forceinline__ void fetch_first(int columns) const {
#pragma unroll
    for (int p = 0; p < STAGES - 1; ++p) fetch(p, columns);
  }

  /// With all panels of the first `columns` columns, for which invert_triangles was called. Every thread of
  /// the block calls it, after fetch_first.
  __device__ __forceinline__ void update(int columns, const T* inverses) {
#pragma unroll 1
    for (int p = 0, K = 0; K < columns; ++p, K += IB) {
      auto& rows = shared.row[p % 2];
#pragma unroll
      for (int u = 0; u < TILES; ++u) {
        asm volatile("" : "+r"(positions[u]));  // stay packed: unpacked, they spill
        publish(u, K, rows);
      }
      if (by_bulk) {
        const int stage = p % STAGES;
        arrived[stage].wait(rounds >> stage & 1);
        rounds ^= 1u << stage;
      } else {
        wait_for_groups<STAGES - 2>();
      }
      __syncthreads();
      fetch(p + STAGES - 1, columns);
      left_factor<T> L[TILES];
      const T* const panel = stages + p % STAGES * IB * pitch + row(0, 0) + 2 * t * pitch;
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int k = K + 2 * t + e / 2;
        const T* const column = panel + e / 2 * pitch;
#pragma unroll
        for (int u = 0; u < TILES; ++u) {
          T l{};
          if (k < min(position(u, e % 2), columns)) l = column[u * tile_rows + e % 2 * 8];
          L[u].set(e, l);
        }
      }
      right_factor<T> inverse;
      const T* R[2];
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        inverse.set(e, conj(inverses[K * IB + 2 * lane + e]));
        const int k =
            K + 2 * t + e < columns ? 2 * t + e : 0;  // of a narrow panel some row, which meets zeros
        R[e] = &rows[k][g];
      }
#pragma unroll
      for (int v = 0; v < COLUMNS; v += 2) {  // (-L11^-1 R)^T, 16 of its rows
        left_factor<T> transposed;
        tile<T> U;
#pragma unroll
        for (int e = 0; e < 4; ++e) transposed.set(e, R[e / 2][(v + e % 2) * tile_columns]);
        multiply_add(U, transposed, inverse);
#pragma unroll
        for (int w = 0; w < 2; ++w) {
          right_factor<T> right;
#pragma unroll
          for (int e = 0; e < 2; ++e) right.set(e, conj(U.x[2 * w + e]));
#pragma unroll
          for (int u = 0; u < TILES; ++u) multiply_add(x[u][v + w], L[u], right);
        }
      }
    }
    wait_for_groups<0>();
  }

  /// To M, rows at their positions.
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
            to(position(u, half), v * tile_columns + 2 * t + e) = x[u][v].x[2 * half + e];
        }
      }
    }
  }

 private:
  /// Panel p of A, if it is one of the first `columns` columns, to its stage.
  __device__ __forceinline__ void fetch(int p, int columns) const {
    const int K = p * IB;
    if (by_bulk) {
      const int count = min(IB, columns - K), stage = p % STAGES;
      if (warp != WARPS - 1 || count <= 0) return;
      const int bytes = A.m * static_cast<int>(sizeof(T));
      if (lane == 0) arrived[stage].begin(count * bytes);
      __syncwarp();
      if (lane < count)
        copy_bulk_async(stages + (stage * IB + lane) * pitch, &A(0, K + lane), bytes, arrived[stage]);
      return;
    }
    fetch_by_pieces(stages + p % STAGES * IB * pitch, pitch, &A(0, K), A.lda, A.m, min(IB, columns - K));
    close_group();
  }
  /// The same, out of line: it needs registers for itself.
  __device__ __noinline__ static void fetch_by_pieces(T* to, int pitch, const T* from, std::ptrdiff_t lda,
                                                      int m, int count) {
    constexpr int LANES = THREADS / IB;  // of a column
    const int thread = static_cast<int>(threadIdx.x), c = thread / LANES;
    if (c < count) copy_column_async<LANES>(to + c * pitch, from + c * lda, m, thread % LANES);
  }

  /// The rows of tile u that are at the panel's positions, to all.
  __device__ __forceinline__ void publish(int u, int K, T (&to)[IB][PITCH]) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int p = position(u, half) - K;
      if (p < 0 || p >= IB) continue;
#pragma unroll
      for (int v = 0; v < COLUMNS; ++v) {
#pragma unroll
        for (int e = 0; e < 2; ++e) to[p][v * tile_columns + 2 * t + e] = x[u][v].x[2 * half + e];
      }
    }
  }
};

/// x <- L^-1 x, where element (k, l) of L is L(k, l), below a diagonal of ones.
template <class T, int N, class Lower>
__device__ __forceinline__ void solve_unit_lower(const Lower& L, T (&x)[N]) {
#pragma unroll
  for (int k = 0; k < N - 1; ++k) {
#pragma unroll
    for (int i = k + 1; i < N; ++i) multiply_add(x[i], -L(i, k), x[k]);
  }
}

/// -L11^-1 for each panel of a strip that was eliminated, one after the other, by rows. A thread has a
/// column.
template <class T, class Policy, class M>
__device__ __forceinline__ void invert_triangles(const M& A, int columns, T* inverses) {
  constexpr int IB = smem_panel, THREADS = 32 * Policy::WARPS;
  for (int c = static_cast<int>(threadIdx.x); c < ceil_div(columns, IB) * IB; c += THREADS) {
    const int j = c / IB * IB, width = min(IB, columns - j);
    T x[IB];
#pragma unroll
    for (int i = 0; i < IB; ++i) x[i] = from_real<T>(j + i == c ? 1 : 0);
    solve_unit_lower([&](int i, int k) { return i < width ? A(A.first + j + i, j + k) : T{}; }, x);
#pragma unroll
    for (int i = 0; i < IB; ++i) inverses[j * IB + i * IB + c - j] = -x[i];
  }
}

/// Rows of the first `columns` columns of A as `order` says, a column by each warp.
template <class T, class Policy>
__device__ __forceinline__ void move_rows(const matrix<T>& A, int columns, const unsigned short* order) {
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
/// Bound by    the panels' chain of pivots; from m = 512 on products, half of them masked, barriers, and
///             memory, as all to the left of a strip is read again
template <class T, class Policy>
__device__ __forceinline__ void eliminate_in_strips(const matrix<T>& A, const elimination<real_t<T>>& each,
                                                    std::int64_t b, int* info_array) {
  constexpr int NB = Policy::NB, WARPS = Policy::WARPS, THREADS = 32 * WARPS;
  using matrix_t = smem_matrix<T, Policy>;
  using strip_t = strip<T, Policy>;
  __shared__ typename matrix_t::memory shared;
  __shared__ arrivals arrived[strip_t::STAGES];
  static_assert(sizeof(shared) + sizeof(arrived) <= smem_extra_bytes);
  matrix_t M(A.m, NB, NB, each.exchanges, shared);
  T* const exchange = M.A + Policy::line().strip_bytes(A.m, sizeof(T)) / sizeof(T);
  T* const inverses = exchange + left::exchange_elements(NB, sizeof(T));
  // Which row stands at each place, and where each row stands, before a strip; a list to write the next to.
  auto* order = reinterpret_cast<unsigned short*>(inverses + left::inverse_elements(A.m));
  unsigned short *const position = order + smem_list_pitch(A.m), *spare = position + smem_list_pitch(A.m);
  const int tid = static_cast<int>(threadIdx.x);
  for (int i = tid; i < A.m; i += THREADS) order[i] = position[i] = static_cast<unsigned short>(i);
  if (tid < strip_t::STAGES) arrived[tid].open();
  unsigned rounds = 0;
  fence_before_bulk();
  __syncthreads();
  int info = 0, replaced = 0, unmoved = 0;  // columns whose rows lie as they did in the beginning
  for (int c = 0; c < A.n; c += NB) {
    const int width = min(NB, A.n - c), columns = max(0, min(width, each.columns - c));
    strip_t mine(A, *reinterpret_cast<typename strip_t::memory*>(exchange), M.A, M.pitch, arrived, rounds);
    mine.fetch_first(min(c, each.columns));
    mine.load(c, width, position);
    mine.update(min(c, each.columns), inverses);
    __syncthreads();
    mine.store(M);
    M.n = width;
    M.first = c;
    __syncthreads();
    if (columns > 0) {
      M.template eliminate<true>(columns, each);
      if (info == 0) info = M.shared.info;
      replaced += M.shared.replaced;
      invert_triangles<T, Policy>(M, columns, inverses + c * smem_panel);
    }
    const bool is_last = c + NB >= A.n || c >= each.columns;  // of those that others are updated with
    if (!is_last) unmoved = c + NB;
    constexpr int COUNT = 4;  // rows of a thread at a time
    if (each.exchanges && columns > 0) {
      for (int i = tid; i < A.m; i += THREADS) {
        int place = i;
        for (int p = ceil_div(columns, smem_panel) - 1; p >= 0; --p) place = M.source(p, place);
        spare[i] = order[place];
        position[order[place]] = static_cast<unsigned short>(i);
      }
      unsigned short* const list = order;
      order = spare;
      spare = list;
      __syncthreads();
    }
    for (int first = M.lane; first < A.m; first += 32 * COUNT) {
      int place[COUNT];
#pragma unroll
      for (int u = 0; u < COUNT; ++u) {
        const int i = min(first + 32 * u, A.m - 1);
        place[u] = is_last ? i : position[i];
      }
      M.template store_rows<true>(&A(0, c), A.lda, columns, first, place);
    }
    fence_before_bulk();
    __syncthreads();
  }
  if (tid < strip_t::STAGES) arrived[tid].close();
  if (tid == 0) {
    info_array[b] = info;
    if (!each.exchanges && each.replaced != nullptr) *each.replaced = replaced;
  }
  if (each.exchanges) move_rows<T, Policy>(A, unmoved, order);
}

template <class T, class Policy, class Source, class Then>
__global__ void __launch_bounds__(32 * Policy::WARPS, Policy::BLOCKS)
    getrf_left(std::int64_t first_block, Source source, int* info_array, Then then) {
  source.template for_each_of_block<32 * Policy::WARPS>(
      first_block, info_array, [&](auto number, const auto& A) {
        const std::int64_t b = number();
        const matrix<T> mine = A[b];
        eliminate_in_strips<T, Policy>(mine, elimination_of(source, then, b, mine.m, mine.n), b, info_array);
      });
}

template <class Line, int, class Source, class Then>
int left::launch(Source source, int* info, queue q, Then then) {
  using T = typename Source::element;
  constexpr left p = Line::kernel;
  using policy = left_policy<p.nb, p.warps, p.tiles, p.team, p.blocks>;
  return launch_over<getrf_left<T, policy, Source, Then>>(
      source, 1, dim3(32 * p.warps), p.bytes(largest_of(source)[0], sizeof(T)), 0, q, info, then);
}

}  // namespace talus::cuda::lu
