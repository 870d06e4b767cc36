// QR of tall matrices by clusters of blocks, in panels: each block has a part of the rows, those of the panel at
// work in registers. What depends on all rows is a sum over the blocks.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#ifdef __CUDACC__
#include "batched/qr/block_reflector.cuh"
#include "batched/qr/cluster_panel.cuh"
#include "batched/qr/source.cuh"
#include "gpu/cluster.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/view.cuh"
#endif

namespace talus::cuda::householder {

/// A line of a table: matrices of one size, of up to 8 * 32 * warps * rows rows. Their first block has all pivots.
struct cluster {
  static constexpr const char* name = "cluster";
  static constexpr int columns_at_once = 32;  // of products that are added up

  int nb = 0;     // columns of a panel
  int warps = 0;  // of a block
  int rows = 0;   // of a panel, per thread
  int strip = 0;  // tiles of 8 columns that a warp updates at a time

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("nb", self.nb);
    visit("warps", self.warps);
    visit("rows", self.rows);
    visit("strip", self.strip);
  }

  constexpr int rows_of_block() const { return 32 * warps * rows; }

  constexpr const char* objection(int m_max, int n_max, const element& e, const gpu_limits& limits) const {
    if (nb != 8 && nb != 16 && nb != 32) return "nb is not 8, 16 or 32";
    if (warps < 1 || warps > 16) return "warps is not between 1 and 16";
    if (rows < 1 || e.registers() * rows * nb > 128)
      return "a thread's rows need more registers than there are";
    if (strip != 1 && strip != 2 && strip != 4) return "strip is not 1, 2 or 4";
    if (most_of_cluster * rows_of_block() < m_max) return "8 * 32 * warps * rows is less than m_max";
    if (rows_of_block() < std::min(m_max, n_max)) return "32 * warps * rows is less than m_max and n_max";
    if (bytes(e) > limits.shared_bytes) return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Shared memory of a block, or a little more.
  constexpr std::size_t bytes(const element& e) const {
    const int pitch = nb + 4, V = (rows_of_block() + 4) * nb;
    const int reflectors = 2 * nb * pitch + warps * 8 * strip * pitch + nb;
    const int reduction = (warps + 2 * most_of_cluster + 3) * nb;
    const int products = (warps + 2) * columns_at_once * pitch;
    return static_cast<std::size_t>(V + reflectors + reduction + products) * e.size;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<cluster> space() {
    return {{{"nb", {8, 16, 32}, "what registers hold"},
             {"warps", {8, 16}, "of a block"},
             {"rows", {1, 2, 4, 8}, "fewer, and more blocks have a matrix"},
             {"strip", {1, 2}, "more take registers"}},
            1,
            any_extent,
            "whatever n",
            [](const cluster&, int) { return false; },
            "it is meant for tall matrices, and those tried are square"};
  }
};

#ifdef __CUDACC__

/// What the kernel is compiled for.
template <int NB_, int WARPS_, int ROWS_, int STRIP_>
struct cluster_policy {
  static constexpr int NB = NB_, WARPS = WARPS_, ROWS = ROWS_, STRIP = STRIP_;
};

/// Shared memory of a block beside V.
template <class T, class Policy>
struct cluster_memory {
  static constexpr int COLUMNS = wy_memory<T, Policy>::COLUMNS, STRIPS = cluster::columns_at_once / COLUMNS;
  static constexpr int OF_STRIP = COLUMNS * wy_memory<T, Policy>::PITCH;  // elements
  wy_memory<T, Policy> block;
  reduction_memory<T, Policy> reduction;
  T of_warps[Policy::WARPS][STRIPS * OF_STRIP];  // V^H [V C] of a warp's rows,
  T of_block[STRIPS * OF_STRIP];                 // of a block's,
  T of_all[STRIPS * OF_STRIP];                   // of all
};

template <class T, class Policy>
struct cluster_qr {
  using memory_t = cluster_memory<T, Policy>;
  using View = plain_view<T>;
  static constexpr int NB = Policy::NB, WARPS = Policy::WARPS, THREADS = 32 * WARPS;
  static constexpr int STRIPS = memory_t::STRIPS, OF_STRIP = memory_t::OF_STRIP;
  static constexpr int OF_WARP = 32 * Policy::ROWS, OF_BLOCK = OF_WARP * WARPS;  // rows
  static constexpr int PITCH = OF_BLOCK + 4;

  memory_t& memory;
  T* V;
  int blocks;
  block_reflector<T, Policy> block;
  cluster_reduction<T, Policy> reduce;

  __device__ cluster_qr(memory_t& memory_, T* V_, int blocks_)
      : memory(memory_), V(V_), blocks(blocks_), block(memory_.block), reduce(memory_.reduction, blocks_) {
    synchronize_cluster();
  }

  /// A = Q R with min(m, n) reflectors, as geqrf leaves them. Every thread of the cluster calls it.
  __device__ __forceinline__ void factor(const View& A, T* tau) {
    const int k = min(A.m, A.n);
    for (int j = 0; j < k; j += NB) {
      const int columns = min(NB, k - j);
      const View mine = rows_of_block(A, j);
      cluster_panel<T, Policy>(V, PITCH, memory.block.tau, reduce).factor(mine.part(0, j, columns));
      __syncthreads();
      if (reduce.rank == 0 && threadIdx.x < columns) tau[j + threadIdx.x] = memory.block.tau[threadIdx.x];
      if (A.n > j + columns) update(mine.part(0, j + columns, A.n - j - columns));
      __syncthreads();
    }
  }

 private:
  /// What this block has of the rows from j on. Of A it has OF_BLOCK rows, the first block the first ones.
  __device__ View rows_of_block(const View& A, int j) const {
    const int first = reduce.rank == 0 ? j : reduce.rank * OF_BLOCK;
    const int rows = max(0, min(A.m, (reduce.rank + 1) * OF_BLOCK) - first);
    return {A.A + (rows > 0 ? first : 0), A.column, rows, A.n};
  }

  /// C <- (I - V T V^H)^H C: V^H V, of which T is made, and V^H C are added up together, some strips at a time.
  __device__ __forceinline__ void update(const View& C) const {
    const int warp = reduce.warp, rows = max(0, min(OF_WARP, C.m - warp * OF_WARP));
    const stored_reflectors<T> mine = {V + warp * OF_WARP, PITCH};
    const View V_here = {mine.V, PITCH, rows, NB};
    const View C_here = {C.A + (rows > 0 ? warp * OF_WARP : 0), C.column, rows, C.n};
    constexpr int COLUMNS = memory_t::COLUMNS, OF_V = ceil_div(NB, COLUMNS);
    const int strips = OF_V + ceil_div(C.n, COLUMNS);
    for (int first = 0; first < strips; first += STRIPS) {
      const int end = min(strips, first + STRIPS);
      for (int s = first; s < end; ++s) {
        T* const W = memory.of_warps[warp] + (s - first) * OF_STRIP;
        if (s < OF_V) {
          block.multiply_strip(mine, V_here, COLUMNS * s, W);
        } else {
          block.multiply_strip(mine, C_here, COLUMNS * (s - OF_V), W);
        }
      }
      add_up((end - first) * OF_STRIP);
      if (first == 0) block.form_triangle(memory.of_all);
      for (int s = max(first, OF_V); s < end; ++s)
        block.update_strip(true, mine, C_here, COLUMNS * (s - OF_V), memory.of_all + (s - first) * OF_STRIP);
    }
  }

  /// The first `elements` of what each warp has, over all warps of the cluster, in the order of their rows.
  __device__ __forceinline__ void add_up(int elements) const {
    __syncthreads();
    for (int e = static_cast<int>(threadIdx.x); e < elements; e += THREADS) {
      T sum = memory.of_warps[0][e];
#pragma unroll
      for (int w = 1; w < WARPS; ++w) sum = sum + memory.of_warps[w][e];
      memory.of_block[e] = sum;
    }
    synchronize_cluster();
    for (int e = static_cast<int>(threadIdx.x); e < elements; e += THREADS) {
      T sum = *in_block(0, memory.of_block + e);
      for (int r = 1; r < blocks; ++r) sum = sum + *in_block(r, memory.of_block + e);
      memory.of_all[e] = sum;
    }
    synchronize_cluster();
  }
};

/// Right-looking QR of tall matrices in panels of NB columns, all in one launch.
///
/// Thread map  a cluster of blocks per matrix, a block for every 32 * WARPS * ROWS rows; a thread has ROWS rows
///             of the panel, a warp 32 * ROWS consecutive ones, of the panel and of the other columns
/// Stored      the panel in registers; V, and sums of products, in shared memory
/// Launch      count * blocks
/// Barriers    of the cluster one per column, and 1 + 2 per panel and four strips of 8 columns
/// Info        0
/// Source      LAPACK's xGEQRF; the sums over row blocks are those of Demmel, Grigori, Hoemmen and Langou, SIAM J.
///             Sci. Comput. 34 (2012), of a column's products instead of its R
/// Bound by    the latency of a column: its products, the sum over the cluster, the reflector
template <class T, class Policy, class Then>
__global__ void __launch_bounds__(32 * Policy::WARPS)
    geqrf_cluster(std::int64_t first_block, equal_sizes<T> source, int blocks, int* info_array, Then then) {
  using work = cluster_qr<T, Policy>;
  const std::int64_t b = (first_block + blockIdx.x) / blocks;
  auto& memory = *shared_memory<typename work::memory_t>();
  work on(memory, reinterpret_cast<T*>(&memory + 1), blocks);
  on.factor(as_it_is(source.A[b]), then.tau[b]);
  if (threadIdx.x == 0 && rank_in_cluster() == 0) info_array[b] = 0;
}

template <class Line, auto FORM, class Source, class Then>
int cluster::launch(Source source, int* info, queue q, Then then) {
  if constexpr (!Source::equal || !factors<Then> || forms_q<Then> || solves<Then>) {
    return err_unsupported;  // tasks.cuh does it
  } else {
    using T = typename Source::element;
    constexpr cluster p = Line::kernel;
    using policy = cluster_policy<p.nb, p.warps, p.rows, p.strip>;
    using work = cluster_qr<T, policy>;
    const int blocks = ceil_div(std::max(1, source.A.m), work::OF_BLOCK);
    if (blocks > most_of_cluster || std::min(source.A.m, source.A.n) > work::OF_BLOCK) return err_unsupported;
    constexpr std::size_t bytes = sizeof(typename work::memory_t) + work::PITCH * policy::NB * sizeof(T);
    return launch_step<geqrf_cluster<T, policy, Then>>({false, -1, blocks}, source, blocks, work::THREADS,
                                                       bytes, q, blocks, info, then);
  }
}

#endif

}  // namespace talus::cuda::householder
