// QR in panels: a matrix is factored, Q is applied or formed. By one block of threads the panel at work is in
// registers, or in shared memory, or where it lies if neither has room.
#pragma once

#include "batched/qr/pieces/block_reflector.cuh"
#include "batched/qr/pieces/register_panel.cuh"
#include "gpu/launch.cuh"
#include "gpu/limits.hpp"
#include "gpu/view.cuh"

namespace talus::cuda::householder {

/// Elements of a panel in shared memory.
TALUS_HOST_DEVICE constexpr std::size_t panel_elements(int m, int nb) {
  return (static_cast<std::size_t>(m) + 15) / 16 * 16 * nb + 4 * static_cast<std::size_t>(nb) + 16;
}

/// QR in panels of NB columns: what geqrf, ormqr and orgqr do, whoever works on a matrix and where a panel is
/// meanwhile. `Work` is that, and has for it:
///
///   factor_panel(panel)            what geqrf leaves of it; memory.tau
///   load_reflectors(panel)         V of a panel that is factored, to where products read it
///   multiply(adjoint, panel, C)    C <- (I - V T V^H) C or its adjoint, with memory.tau and the V that is
///   there for_each(first, end, n, work)  work(i, c) for rows first ... end - 1 of n columns
///   keep_tau(columns, tau)         memory.tau to where the caller has it RESIDENT
///   whether V is not where the panel lies; else there is form_in_place(panel, rest, columns)  the panel's
///   columns of Q, and what its reflectors make of the others rank(), blocks(), any_bits(x)  number of this
///   block among the blocks of its matrix, their number, and the three
///                                  lowest bits of x that are set in any of their threads
///   is_first(), synchronize()      whether this block has R and the pivots; the wait for other blocks'
///   results NB, THREADS, block             columns of a panel; threads of a block; its block_reflector, with
///   memory.tau
template <class Work>
struct in_panels : Work {
  using Work::NB;
  using Work::Work;

  /// A = Q R with min(m, n) reflectors, as geqrf leaves them. Every thread that works on the matrix calls it;
  /// what those of its block have written it may read when it returns.
  template <class View, class T>
  __device__ __forceinline__ void factor(const View& A, T* tau) {
    const int k = min(A.m, A.n);
    for (int j = 0; j < k; j += NB) {
      const int columns = min(NB, k - j);
      const View panel = A.part(j, j, columns), rest = A.part(j, j + columns, A.n - j - columns);
      this->factor_panel(panel);
      this->keep_tau(columns, tau + j);
      __syncthreads();
      if (rest.n > 0) this->multiply(true, panel, rest);
    }
  }

  /// C <- Q C, or Q^H C if `adjoint`, of the reflectors that geqrf left in A and tau, k = A.n of them.
  template <class Reflectors, class T, class View>
  __device__ __forceinline__ void apply(bool adjoint, const Reflectors& A, const T* tau, const View& C) {
    const int blocks = ceil_div(A.n, NB);
    for (int step = 0; step < blocks; ++step) {
      const int j = (adjoint ? step : blocks - 1 - step) * NB, columns = min(NB, A.n - j);
      const auto panel = A.part(j, j, columns);
      get_tau(columns, tau + j);
      this->load_reflectors(panel);
      __syncthreads();
      this->multiply(adjoint, panel, C.part(j, 0, C.n));
    }
  }

  /// The first Q.n columns of Q in the place of its k <= Q.n reflectors.
  template <class View, class T>
  __device__ __forceinline__ void form(const View& Q, int k, const T* tau) {
    this->for_each(0, Q.m, Q.n - k,
                   [&](int i, int c) { Q.write(i, k + c, from_real<T>(i == k + c ? 1 : 0)); });
    for (int j = (k - 1) / NB * NB; j >= 0 && k > 0; j -= NB) {
      const int columns = min(NB, k - j);
      const View panel = Q.part(j, j, columns), rest = Q.part(j, j, Q.n - j);
      get_tau(columns, tau + j);
      if constexpr (Work::RESIDENT) {
        this->load_reflectors(panel);
        __syncthreads();
        this->for_each(0, Q.m, columns,
                       [&](int i, int c) { Q.write(i, j + c, from_real<T>(i == j + c ? 1 : 0)); });
        this->for_each(j, j + columns, Q.n - j - columns,
                       [&](int i, int c) { Q.write(i, j + columns + c, T{}); });
        __syncthreads();
        this->multiply(false, panel, rest);
      } else {
        this->form_in_place(panel, rest, columns);
        this->for_each(0, j, columns, [&](int i, int c) { Q.write(i, j + c, T{}); });
      }
    }
  }

 private:
  template <class T>
  __device__ void get_tau(int columns, const T* tau) const {
    for (int c = static_cast<int>(threadIdx.x); c < NB; c += Work::THREADS)
      this->block.memory.tau[c] = c < columns ? tau[c] : T{};
  }
};

/// Returns the three lowest bits that are set in any thread of the block. All threads call it.
__device__ inline unsigned any_bits_of_block(unsigned mine) {
  unsigned all = 0;
#pragma unroll
  for (unsigned bit = 1; bit <= 4; bit *= 2)
    all |= __syncthreads_or(static_cast<int>(mine & bit)) != 0 ? bit : 0;
  return all;
}

/// One block of threads at work, in whose shared memory V is if Policy::RESIDENT.
///
/// Policy   as of wy_memory, RESIDENT, and M_MAX: no matrix has more rows
template <class T, class Policy>
struct block_work {
  using memory_t = wy_memory<T, Policy>;
  static constexpr int WARPS = Policy::WARPS, NB = Policy::NB, THREADS = 32 * WARPS;
  static constexpr bool RESIDENT = Policy::RESIDENT;
  static constexpr int M_MAX = Policy::M_MAX;
  static constexpr int LEAST_ROWS = M_MAX < 128 ? ceil_div(M_MAX, 32) : 4;  // of a lane: 32 lanes have M_MAX

  memory_t& memory;
  T* V;
  block_reflector<T, Policy> block;

  __device__ block_work(memory_t& memory_, T* V_) : memory(memory_), V(V_), block(memory_) {}

  // A matrix has one block.
  __device__ static constexpr bool is_first() { return true; }
  __device__ static void synchronize() {}
  __device__ static constexpr int rank() { return 0; }
  __device__ static constexpr int blocks() { return 1; }
  __device__ static unsigned any_bits(unsigned mine) { return any_bits_of_block(mine); }

  template <class View>
  __device__ __forceinline__ void factor_panel(const View& panel) const {
    if constexpr (RESIDENT) {
      if (!factor_in_registers<LEAST_ROWS, 8, 16, 32>(panel)) factor_in_shared_memory(panel);
      __syncthreads();
    } else {
      panel_of<T, Policy, View>(panel).factor(memory.tau);
    }
  }
  template <class View>
  __device__ __forceinline__ void load_reflectors(const View& panel) const {
    if constexpr (RESIDENT) load(panel, true);
  }
  /// A warp per column.
  template <class Each>
  __device__ __forceinline__ void for_each(int first, int end, int n, Each work) const {
    for (int c = block.warp; c < n; c += WARPS) {
#pragma unroll 4
      for (int i = first + block.lane; i < end; i += 32) work(i, c);
    }
  }

  template <class Panel, class View>
  __device__ __forceinline__ void multiply(bool adjoint, const Panel& panel, const View& C) const {
    if constexpr (RESIDENT) {
      const stored_reflectors<T> here = {V, stored_reflectors<T>::pitch_of(panel.m)};
      block.form_triangle(here, panel.m);
      block.apply(adjoint, here, C);
    } else {
      const implicit_reflectors<T, Panel> there = {panel};
      block.form_triangle(there, panel.m);
      block.apply(adjoint, there, C);
    }
    __syncthreads();
  }

  /// Of a panel that stays where it lies: the columns right of it first, then reflector by reflector, from
  /// the last to the first, its own.
  template <class View>
  __device__ __forceinline__ void form_in_place(const View& panel, const View& rest, int columns) const {
    const View right = rest.part(0, columns, rest.n - columns);
    for_each(0, columns, right.n, [&](int i, int c) { right.write(i, c, T{}); });
    __syncthreads();
    if (right.n > 0) multiply(false, panel, right);
    for (int j = columns - 1; j >= 0; --j) {
      const T tau_j = memory.tau[j];
      for (int c = j + 1 + block.warp; c < columns; c += WARPS) {
        T sum{};
        for (int i = j + 1 + block.lane; i < panel.m; i += 32)
          multiply_add(sum, conj(panel.read(i, j)), panel.read(i, c));
        T factor{};
        multiply_add(factor, tau_j, sum_of_warp(sum));  // element (j, c) is zero
        if (block.lane == 0) panel.write(j, c, -factor);
        for (int i = j + 1 + block.lane; i < panel.m; i += 32) {
          T x = panel.read(i, c);
          multiply_add(x, -factor, panel.read(i, j));
          panel.write(i, c, x);
        }
      }
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); i < panel.m; i += THREADS) {
        T x{};
        if (i > j) multiply_add(x, -tau_j, panel.read(i, j));
        panel.write(i, j, i == j ? from_real<T>(1) - tau_j : x);
      }
      __syncthreads();
    }
  }

  __device__ void keep_tau(int columns, T* tau) const {
    for (int c = static_cast<int>(threadIdx.x); c < NB; c += THREADS) {
      if (c < columns) {
        tau[c] = memory.tau[c];
      } else {
        memory.tau[c] = T{};
      }
    }
  }

 private:
  /// Where ROWS rows of each lane are enough, or one of the others; says whether they are. A warp has 4
  /// columns, more where there are too few warps for that, fewer where a lane has no room. A panel that this
  /// does not share out evenly is not in registers.
  template <int ROWS, int... MORE, class View>
  __device__ __forceinline__ bool factor_in_registers(const View& panel) const {
    constexpr int ELEMENTS = sizeof(T) == 16 ? 32 : 64, WANTED = NB / WARPS < 4 ? 4 : NB / WARPS;
    constexpr int OF_WARP = ELEMENTS / ROWS < WANTED ? ELEMENTS / ROWS : WANTED;
    constexpr bool is_last = 32 * ROWS >= M_MAX;
    if (is_last || panel.m <= 32 * ROWS) {
      if constexpr (NB % OF_WARP == 0 && NB / OF_WARP <= WARPS) {
        register_panel<T, Policy, OF_WARP, ROWS> registers(V, stored_reflectors<T>::pitch_of(panel.m),
                                                           memory.tau, memory.gram);
        registers.factor(panel);
        return true;
      }
    } else if constexpr (!is_last && sizeof...(MORE) > 0) {
      return factor_in_registers<MORE...>(panel);
    }
    return false;
  }
  template <class View>
  __device__ __forceinline__ void factor_in_shared_memory(const View& panel) const {
    const plain_view<T> here = load(panel, false);
    panel_of<T, Policy, plain_view<T>>(here).factor(memory.tau);
    for_each(0, here.m, here.n, [&](int i, int c) {
      const T x = here.read(i, c);
      panel.write(i, c, x);
      if (i <= c) here.write(i, c, from_real<T>(i == c ? 1 : 0));
    });
  }

  /// The panel in shared memory, NB columns and whole tiles of rows, filled up with zeros; with V's own ones
  /// and zeros, or with what is there. (A barrier follows, and one was before.)
  template <class View>
  __device__ __forceinline__ plain_view<T> load(const View& panel, bool reflectors) const {
    const int pitch = stored_reflectors<T>::pitch_of(panel.m);
    for_each(0, pitch - 4, NB, [&](int i, int c) {
      T x{};
      if (i < panel.m && c < panel.n && (i > c || !reflectors)) x = panel.read(i, c);
      if (reflectors && i == c && c < panel.n) x = from_real<T>(1);
      V[i + c * pitch] = x;
    });
    if (!reflectors) __syncthreads();
    return {V, pitch, panel.m, panel.n};
  }
};

template <class T, class Policy>
using qr_blocks = in_panels<block_work<T, Policy>>;

}  // namespace talus::cuda::householder
