// QR of a tall matrix by a cluster of blocks. Each block has a part of the rows, and its rows of the current
// panel are in registers. Products over all rows are sums over the blocks.
#pragma once

#include "batched/qr/pieces/block_reflector.cuh"
#include "batched/qr/pieces/blocks.cuh"
#include "batched/qr/pieces/cluster_panel.cuh"
#include "gpu/cluster.cuh"
#include "gpu/equal_sizes.cuh"
#include "gpu/launch.cuh"
#include "gpu/view.cuh"

namespace talus::cuda::householder {

/// What a kernel for clusters is compiled for: NB columns of a panel, WARPS of a block, ROWS of a panel per
/// thread, STRIP tiles of 8 columns that a warp updates at a time.
template <int NB_, int WARPS_, int ROWS_, int STRIP_>
struct cluster_policy {
  static constexpr int NB = NB_, WARPS = WARPS_, ROWS = ROWS_, STRIP = STRIP_;
  static constexpr int BLOCKS = 1;                                       // of a multiprocessor
  static constexpr int OF_WARP = 32 * ROWS, OF_BLOCK = OF_WARP * WARPS;  // rows
};

/// Columns of products that a cluster adds up at a time.
constexpr int columns_at_once = 32;

/// Shared memory of a block beside V.
template <class T, class Policy>
struct cluster_memory {
  static constexpr int COLUMNS = wy_memory<T, Policy>::COLUMNS, STRIPS = columns_at_once / COLUMNS;
  static constexpr int OF_STRIP = COLUMNS * wy_memory<T, Policy>::PITCH;  // elements
  wy_memory<T, Policy> reflectors;
  reduction_memory<T, Policy> reduction;
  T of_warps[Policy::WARPS][STRIPS * OF_STRIP];  // V^H [V C] of a warp's rows,
  T of_block[STRIPS * OF_STRIP];                 // of a block's,
  T of_all[STRIPS * OF_STRIP];                   // of all
};

/// A cluster at work, as in_panels wants it. Block r has rows r * OF_BLOCK ... of the matrix; the first one
/// has all pivots. V of a block's rows is in its shared memory.
template <class T, class Policy>
struct cluster_work {
  using memory_t = cluster_memory<T, Policy>;
  static constexpr int NB = Policy::NB, WARPS = Policy::WARPS, THREADS = 32 * WARPS;
  static constexpr int OF_WARP = Policy::OF_WARP, OF_BLOCK = Policy::OF_BLOCK, PITCH = OF_BLOCK + 4;
  static constexpr bool RESIDENT = true;

  memory_t& memory;
  T* V;
  int m;  // rows of the matrix
  block_reflector<T, Policy> block;
  cluster_reduction<T, Policy> reduce;

  __device__ cluster_work(memory_t& memory_, T* V_, int blocks_, int m_)
      : memory(memory_), V(V_), m(m_), block(memory_.reflectors), reduce(memory_.reduction, blocks_) {
    synchronize();
  }

  __device__ bool is_first() const { return reduce.rank == 0; }
  __device__ static void synchronize() { synchronize_cluster(); }
  __device__ static int rank() { return rank_in_cluster(); }
  __device__ static int blocks() { return blocks_in_cluster(); }
  /// Returns the three lowest bits that are set in any thread of the cluster. All of its threads call it.
  __device__ static unsigned any_bits(unsigned mine) {
    __shared__ unsigned of_block;
    const unsigned found = any_bits_of_block(mine);
    if (threadIdx.x == 0) of_block = found;
    synchronize();
    unsigned all = 0;
    for (int r = 0; r < blocks(); ++r) all |= *in_block(r, &of_block);
    synchronize();
    return all;
  }

  template <class View>
  __device__ __forceinline__ void factor_panel(const View& panel) {
    cluster_panel<T, Policy>(V, PITCH, memory.reflectors.tau, reduce).factor(mine(panel));
    __syncthreads();
  }

  template <class View>
  __device__ __forceinline__ void load_reflectors(const View& panel) const {
    const View here = mine(panel);
    const int above = is_first() ? 0 : NB;  // there are no pivots in other blocks
    for (int c = 0; c < NB; ++c) {
      for (int i = static_cast<int>(threadIdx.x); i < OF_BLOCK; i += THREADS) {
        T x{};
        if (i < here.m && c < here.n && above + i > c) x = here.read(i, c);
        if (above + i == c && c < here.n) x = from_real<T>(1);
        V[i + c * PITCH] = x;
      }
    }
  }

  /// V^H V, of which T is made, and V^H C are added up together, some strips at a time.
  template <class Panel, class View>
  __device__ __forceinline__ void multiply(bool adjoint, const Panel&, const View& C) const {
    constexpr int COLUMNS = memory_t::COLUMNS, OF_STRIP = memory_t::OF_STRIP, STRIPS = memory_t::STRIPS;
    constexpr int OF_V = ceil_div(NB, COLUMNS);
    const int warp = reduce.warp;
    const View here = rows_of(mine(C), warp * OF_WARP, OF_WARP);
    const stored_reflectors<T> reflectors = {V + warp * OF_WARP, PITCH};
    const plain_view<T> themselves = {reflectors.V, PITCH, here.m, NB};
    const int strips = OF_V + ceil_div(C.n, COLUMNS);
    for (int first = 0; first < strips; first += STRIPS) {
      const int end = min(strips, first + STRIPS);
      for (int s = first; s < end; ++s) {
        T* const W = memory.of_warps[warp] + (s - first) * OF_STRIP;
        if (s < OF_V) {
          block.multiply_strip(reflectors, themselves, COLUMNS * s, W);
        } else {
          block.multiply_strip(reflectors, here, COLUMNS * (s - OF_V), W);
        }
      }
      add_up((end - first) * OF_STRIP);
      if (first == 0) block.form_triangle(memory.of_all);
      for (int s = max(first, OF_V); s < end; ++s)
        block.update_strip(adjoint, reflectors, here, COLUMNS * (s - OF_V),
                           memory.of_all + (s - first) * OF_STRIP);
    }
    __syncthreads();
  }

  /// This block's rows, a warp per column.
  template <class Each>
  __device__ __forceinline__ void for_each(int first, int end, int n, Each work) const {
    const int begin = reduce.rank * OF_BLOCK;
    first = max(first, begin);
    end = min(end, begin + OF_BLOCK);
    for (int c = reduce.warp; c < n; c += WARPS) {
#pragma unroll 4
      for (int i = first + reduce.lane; i < end; i += 32) work(i, c);
    }
  }

  /// `tau`: of every block, or the same one.
  __device__ void keep_tau(int columns, T* tau) const {
    for (int c = static_cast<int>(threadIdx.x); c < columns; c += THREADS) tau[c] = memory.reflectors.tau[c];
  }

 private:
  /// What there is of `count` rows from `first` on.
  template <class View>
  static __device__ View rows_of(const View& A, int first, int count) {
    const int rows = max(0, min(A.m - first, count));
    View part = A.part(rows > 0 ? first : 0, 0, A.n);
    part.m = rows;
    return part;
  }
  /// What this block has of the matrix's last A.m rows.
  template <class View>
  __device__ View mine(const View& A) const {
    const int above = m - A.m, begin = max(0, reduce.rank * OF_BLOCK - above);
    return rows_of(A, begin, (reduce.rank + 1) * OF_BLOCK - above - begin);
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
    synchronize();
    for (int e = static_cast<int>(threadIdx.x); e < elements; e += THREADS) {
      T sum = *in_block(0, memory.of_block + e);
      for (int r = 1; r < reduce.blocks; ++r) sum = sum + *in_block(r, memory.of_block + e);
      memory.of_all[e] = sum;
    }
    synchronize();
  }
};

/// Bytes of a block's shared memory, without what a task takes.
template <class T, class Policy>
constexpr std::size_t cluster_bytes = sizeof(cluster_memory<T, Policy>) +
                                      static_cast<std::size_t>(cluster_work<T, Policy>::PITCH* Policy::NB) *
                                          sizeof(T);

/// A task of tasks.cuh, or the factorization alone, on tall matrices of one size.
///
/// Thread map  a cluster of blocks per matrix, a block for every 32 * WARPS * ROWS rows; a thread has ROWS
///             rows of the panel, a warp 32 * ROWS consecutive ones, of the panel and of the other columns
/// Stored      the panel in registers; V, and sums of products, in shared memory
/// Launch      count * blocks
/// Barriers    of the cluster one per column, 1 + 2 per panel and 2 for every 32 further columns
/// Info        0; of gels as check_diagonal says; null: nobody asks
/// Source      LAPACK's xGEQRF. Demmel, Grigori, Hoemmen and Langou, SIAM J. Sci. Comput. 34 (2012),
///             combine results of row blocks, too. They combine triangles; this kernel combines
///             products of columns
/// Bound by    the latency of a column: its products, the sum over the cluster, the reflector
template <class T, class Policy, class Source, class Task>
__global__ void __launch_bounds__(32 * Policy::WARPS)
    householder_cluster(std::int64_t first_block, Source source, int blocks, int m, int extra,
                        int* info_array, Task task) {
  using work = in_panels<cluster_work<T, Policy>>;
  const std::int64_t b = (first_block + blockIdx.x) / blocks;
  int* const info = info_array == nullptr ? nullptr : info_array + b;
  if constexpr (Task::solves) {
    if (task.template solve_if_far<work>(source.A[b], b, info)) return;
  }
  auto& memory = *shared_memory<typename work::memory_t>();
  T* const of_task = reinterpret_cast<T*>(&memory + 1);
  work on(memory, of_task + extra, blocks, m);
  task(on, source.A[b], b, of_task, info);
  if (!Task::solves && info != nullptr && on.is_first() && threadIdx.x == 0) *info = 0;
}

/// Launches it for matrices of m rows and k reflectors; `extra`: elements of shared memory that the task
/// takes. err_unsupported where the GPU has no clusters or too little shared memory, or a cluster has no room
/// for so many rows.
template <class T, class Policy, class Source, class Task>
int launch_clusters(const Source& source, const Task& task, int m, int k, int extra, int* info, queue q) {
  using work = cluster_work<T, Policy>;
  if (m > most_of_cluster * work::OF_BLOCK || k > work::OF_BLOCK) return err_unsupported;
  const int blocks = ceil_div(std::max(1, m), work::OF_BLOCK);
  const std::size_t bytes = cluster_bytes<T, Policy> + static_cast<std::size_t>(extra) * sizeof(T);
  return launch_step<householder_cluster<T, Policy, Source, Task>>(
      {false, -1, blocks}, source, blocks, work::THREADS, bytes, q, blocks, m, extra, info, task);
}

}  // namespace talus::cuda::householder
