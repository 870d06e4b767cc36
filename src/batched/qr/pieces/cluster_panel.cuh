// A panel is factored in the registers of all blocks of a cluster: one reflector after the other, and a sum
// over all rows for each.
#pragma once

#include "batched/qr/pieces/panel.cuh"
#include "batched/qr/pieces/reflector.cuh"
#include "gpu/cluster.cuh"
#include "gpu/limits.hpp"
#include "gpu/scalar.cuh"

namespace talus::cuda::householder {

struct plus {
  template <class T>
  __device__ T operator()(T x, T y) const {
    return x + y;
  }
};
struct maximum {
  template <class T>
  __device__ T operator()(T x, T y) const {
    return from_real<T>(fmax(real(x), real(y)));
  }
};

/// Shared memory of a block by which its cluster adds up.
template <class T, class Policy>
struct reduction_memory {
  static constexpr int NB = Policy::NB;
  T of_warps[Policy::WARPS][NB];
  T of_blocks[2][most_of_cluster][NB];  // every other time the same; of blocks that there are not zero
  T row[NB], row_of_first[2][NB];
};

/// NB numbers of each thread are reduced to NB over all threads of a cluster: in a warp, in a block, then
/// over the blocks. The order is the same whatever the values, and in every block.
template <class T, class Policy>
struct cluster_reduction {
  using memory_t = reduction_memory<T, Policy>;
  static constexpr int NB = Policy::NB, WARPS = Policy::WARPS,
                       SAME = 32 / NB;  // lanes that have the same number

  struct result {
    T all, row;  // number lane % NB, and of what the first block had in memory.row
  };

  memory_t& memory;
  int blocks, rank = rank_in_cluster(), turn = 0;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);

  /// Every block calls it; they meet before the first reduction.
  __device__ __forceinline__ cluster_reduction(memory_t& memory_, int blocks_)
      : memory(memory_), blocks(blocks_) {
    T* const all = &memory.of_blocks[0][0][0];
    for (int i = static_cast<int>(threadIdx.x); i < 2 * most_of_cluster * NB; i += 32 * WARPS) all[i] = T{};
  }

  /// Barriers  one of the block, one of the cluster
  template <class Combine>
  __device__ __forceinline__ result operator()(T (&x)[NB], Combine combine) {
    reduce_halves<16>(x, combine);
    if (lane % SAME == 0) memory.of_warps[warp][lane / SAME] = x[0];
    __syncthreads();
    turn = 1 - turn;
    for (int i = static_cast<int>(threadIdx.x); i < blocks * NB; i += 32 * WARPS) {
      const int c = i % NB;
      T all = memory.of_warps[0][c];
#pragma unroll
      for (int w = 1; w < WARPS; ++w) all = combine(all, memory.of_warps[w][c]);
      *in_block(i / NB, &memory.of_blocks[turn][rank][c]) = all;
      if (rank == 0) *in_block(i / NB, &memory.row_of_first[turn][c]) = memory.row[c];
    }
    synchronize_cluster();
    const int c = lane % NB;
    T all = memory.of_blocks[turn][lane / NB][c];
#pragma unroll
    for (int r = SAME; r < most_of_cluster; r += SAME)
      all = combine(all, memory.of_blocks[turn][lane / NB + r][c]);
#pragma unroll
    for (int mask = NB; mask < 32; mask *= 2) all = combine(all, shuffle_xor(all, mask));
    return {all, memory.row_of_first[turn][c]};
  }

 private:
  /// Each half of the lanes goes on with half of the numbers; lane l ends up with number l / SAME.
  template <int MASK, int N, class Combine>
  __device__ __forceinline__ void reduce_halves(T (&x)[N], Combine combine) const {
    if constexpr (N > 1) {
      constexpr int HALF = N / 2;
      const bool upper = lane & MASK;
      T kept[HALF];
#pragma unroll
      for (int i = 0; i < HALF; ++i)
        kept[i] = combine(upper ? x[i + HALF] : x[i], shuffle_xor(upper ? x[i] : x[i + HALF], MASK));
      reduce_halves<MASK / 2>(kept, combine);
      x[0] = kept[0];
    } else {
#pragma unroll
      for (int mask = MASK; mask > 0; mask /= 2) x[0] = combine(x[0], shuffle_xor(x[0], mask));
    }
  }
};

/// Each warp has 32 * ROWS rows of all columns, of which lane l has rows l, l + 32, ...: columns that are
/// done leave the registers, and the others move up.
template <class T, class Policy>
struct cluster_panel {
  using R = real_t<T>;
  using reduction = cluster_reduction<T, Policy>;
  static constexpr int NB = Policy::NB, ROWS = Policy::ROWS;

  T a[ROWS][NB];
  R power;     // that column lane % NB is multiplied by
  T *V, *tau;  // shared memory: v's with their zeros and ones, `pitch` apart
  int pitch;
  reduction& reduce;
  int lane = reduce.lane, first_row = reduce.warp * 32 * ROWS;
  bool is_top;  // whether this warp has the panel's first rows

  __device__ __forceinline__ cluster_panel(T* V_, int pitch_, T* tau_, reduction& reduce_)
      : V(V_), tau(tau_), pitch(pitch_), reduce(reduce_), is_top(reduce_.rank == 0 && reduce_.warp == 0) {}

  /// A <- what geqrf leaves, of the panel's rows that this block has; the first block has its first ones. All
  /// threads of the cluster call it, and meet before any of them uses what others of its block have written.
  ///
  /// Barriers  those of a reduction per column, and of one
  template <class View>
  __device__ __forceinline__ void factor(const View& A) {
    load(A);
#pragma unroll 1
    for (int j = 0; j < A.n; ++j) step(A, j);
    for (int c = A.n; c < NB; ++c) {
#pragma unroll
      for (int k = 0; k < ROWS; ++k) V[row(k) + c * pitch] = T{};
      if (threadIdx.x == 0) tau[c] = T{};
    }
  }

 private:
  __device__ __forceinline__ int row(int k) const { return first_row + lane + 32 * k; }

  template <class View>
  __device__ __forceinline__ void load(const View& A) {
    T largest[NB];
#pragma unroll
    for (int c = 0; c < NB; ++c) {
      R most = 0;
#pragma unroll
      for (int k = 0; k < ROWS; ++k) {
        a[k][c] = row(k) < A.m && c < A.n ? A.read(row(k), c) : T{};
        most = fmax(most, size_of(a[k][c]));
      }
      largest[c] = from_real<T>(most);
    }
    power = power_for_column(real(reduce(largest, maximum{}).all));
#pragma unroll
    for (int c = 0; c < NB; ++c) {
      const R by = shuffle(power, c);
      if (by != 1) {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) a[k][c] = a[k][c] * by;
      }
    }
  }

  /// Column j, the first one that is not done.
  template <class View>
  __device__ __forceinline__ void step(const View& A, int j) {
    T x[ROWS];
#pragma unroll
    for (int k = 0; k < ROWS; ++k) x[k] = a[k][0];
    if (is_top && lane <= j) x[0] = T{};
    if (is_top && lane == j) {
#pragma unroll
      for (int c = 0; c < NB; ++c) reduce.memory.row[c] = a[0][c];
    }
    typename reduction::result products = multiply(x);
    const T alpha = shuffle(products.row, 0);
    R sum = real(shuffle(products.all, 0));
    reflector<T> h(alpha, sum, R(1));
    if (!(sum >= least_sum<R>)) h = make_safe(alpha, sum, x, products);
    const T of_row = h.of_row(products.row, products.all), factor = h.factor(products.row, of_row);
    const R its_power = shuffle(power, j + lane), undo = its_power == 1 ? R(1) : 1 / its_power;
    if (is_top && lane < A.n - j) A.write(j, j + lane, (lane == 0 ? from_real<T>(h.beta) : of_row) * undo);
    if (threadIdx.x == 0) tau[j] = h.tau;
    store(A, j, x, h.scale);
#pragma unroll
    for (int c = 1; c < NB; ++c) {
      const T by = shuffle(factor, c);
#pragma unroll
      for (int k = 0; k < ROWS; ++k) {
        a[k][c - 1] = a[k][c];
        multiply_add(a[k][c - 1], -by, x[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < ROWS; ++k) a[k][NB - 1] = T{};
  }

  /// x^H times all columns; the first one's is |x|^2.
  __device__ __forceinline__ typename reduction::result multiply(const T (&x)[ROWS]) const {
    T products[NB];
#pragma unroll
    for (int c = 0; c < NB; ++c) {
      products[c] = T{};
#pragma unroll
      for (int k = 0; k < ROWS; ++k) multiply_add(products[c], conj(x[k]), a[k][c]);
    }
    return reduce(products, plus{});
  }

  /// The reflector of an x whose squares vanish: x is multiplied by a power of two.
  __device__ __forceinline__ reflector<T> make_safe(T alpha, R sum, T (&x)[ROWS],
                                                    typename reduction::result& products) {
    T largest[NB] = {};
#pragma unroll
    for (int k = 0; k < ROWS; ++k) largest[0] = maximum{}(largest[0], from_real<T>(size_of(x[k])));
    const R most = real(shuffle(reduce(largest, maximum{}).all, 0));
    const R by = inverse_power_of(fmax(most, size_of(alpha)));
#pragma unroll
    for (int k = 0; k < ROWS; ++k) a[k][0] = x[k] = x[k] * by;
    products = multiply(x);
    reflector<T> h(alpha, real(shuffle(products.all, 0)), by);
    if (most == 0 && sum == 0) h.leave_real(alpha);
    return h;
  }

  /// Column j of V.
  template <class View>
  __device__ __forceinline__ void store(const View& A, int j, const T (&x)[ROWS], T scale) const {
#pragma unroll
    for (int k = 0; k < ROWS; ++k) {
      const int i = row(k);
      const bool above = is_top && k == 0 && lane <= j;
      T v{};
      multiply_add(v, x[k], scale);
      if (above) v = from_real<T>(lane == j ? 1 : 0);
      V[i + j * pitch] = v;
      if (i < A.m && !above) A.write(i, j, v);
    }
  }
};

}  // namespace talus::cuda::householder
