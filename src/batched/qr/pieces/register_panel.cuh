// A panel is factored in the registers of a few warps of a block: one reflector after the other, a warp to
// several columns.
#pragma once

#include "batched/qr/pieces/panel.cuh"
#include "batched/qr/pieces/reflector.cuh"
#include "gpu/named_barriers.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::householder {

/// Sums of N numbers over a warp's lanes, in every lane. As long as there are several, each half of the lanes
/// goes on with half of them.
template <int MASK, int N, class T>
__device__ __forceinline__ void add_up_halves(T (&x)[N], int lane) {
  if constexpr (N > 1) {
    constexpr int HALF = (N + 1) / 2;
    const bool upper = lane & MASK;
    T kept[HALF];
#pragma unroll
    for (int i = 0; i < HALF; ++i) {
      const T low = x[i], high = i + HALF < N ? x[i + HALF] : T{};
      kept[i] = (upper ? high : low) + shuffle_xor(upper ? low : high, MASK);
    }
    add_up_halves<MASK / 2>(kept, lane);
#pragma unroll
    for (int i = 0; i < HALF; ++i) {
      const T other = shuffle_xor(kept[i], MASK);
      x[i] = upper ? other : kept[i];
      if (i + HALF < N) x[i + HALF] = upper ? kept[i] : other;
    }
  } else {
#pragma unroll
    for (int mask = MASK; mask > 0; mask /= 2) x[0] = x[0] + shuffle_xor(x[0], mask);
  }
}

/// Lane l has rows l, l + 32, ... of columns warp, warp + WARPS, ..., for warps below WARPS; up to 32 * ROWS
/// rows and NB columns. Of each warp's columns those that are not done are the first ones of `a`.
template <class T, class Policy, int COLUMNS_, int ROWS_>
struct register_panel {
  using R = real_t<T>;
  static constexpr int NB = Policy::NB, COLUMNS = COLUMNS_, ROWS = ROWS_, WARPS = NB / COLUMNS;

  T a[COLUMNS][ROWS];
  T* V;  // shared memory, columns `pitch` apart: in the end v's, with their zeros and ones
  int pitch;
  T *tau, *sums, *powers;  // shared memory, of each column
  int m, n;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);

  /// `memory`: 2 NB elements that nobody else uses meanwhile.
  __device__ __forceinline__ register_panel(T* V_, int pitch_, T* tau_, T* memory)
      : V(V_), pitch(pitch_), tau(tau_), sums(memory), powers(memory + NB) {}

  /// A <- what geqrf leaves, n <= m of it. All threads of the block call it; they meet before any of them
  /// uses what the others have written.
  ///
  /// Barriers  one per column, and one per column of a warp, of WARPS warps
  template <class View>
  __device__ __forceinline__ void factor(const View& A) {
    if (warp >= WARPS) return;
    m = A.m;
    n = A.n;
    load(A);
    if (warp == 0) announce(a[0], 0);
    eliminate(A);
  }

 private:
  static __device__ __forceinline__ void meet() {
    if constexpr (WARPS == 1) {
      __syncwarp();
    } else {
      synchronize_at<qr_panel_barrier, 32 * WARPS>();
    }
  }
  __device__ __forceinline__ int row(int k) const { return lane + 32 * k; }

  template <class View>
  __device__ __forceinline__ void load(const View& A) {
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      const int c = warp + q * WARPS;
#pragma unroll
      for (int k = 0; k < ROWS; ++k) a[q][k] = row(k) < m && c < n ? A.read(row(k), c) : T{};
    }
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      R largest = 0;
#pragma unroll
      for (int k = 0; k < ROWS; ++k) largest = fmax(largest, size_of(a[q][k]));
      const R power = power_for_column(largest_of_warp(largest));
      if (power != 1) {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) a[q][k] = a[q][k] * power;
      }
      if (lane == 0) powers[warp + q * WARPS] = from_real<T>(power);
    }
  }

  /// One column of each warp after the other; the others move up. (Products with columns that are done cost
  /// less than code for each number of those that are left.)
  template <class View>
  __device__ __forceinline__ void eliminate(const View& A) {
#pragma unroll 1
    for (int first = 0; first < NB; first += WARPS) {
#pragma unroll 1
      for (int w = 0; w < WARPS && first + w < n; ++w) step(w, first + w);
      meet();  // these columns were read
      store(A, warp + first);
#pragma unroll
      for (int q = 0; q + 1 < COLUMNS; ++q) {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) a[q][k] = a[q + 1][k];
      }
    }
  }

  /// Column j goes to where all warps read it, and the sum of squares below its diagonal.
  __device__ __forceinline__ void announce(const T (&column)[ROWS], int j) const {
    R sum = 0;
#pragma unroll
    for (int k = 0; k < ROWS; ++k) {
      if (row(k) < m) V[row(k) + j * pitch] = column[k];
      if (k > 0 || lane > j) add_square(sum, column[k]);
    }
    sum = sum_of_warp(sum);
    if (lane == 0) sums[j] = from_real<T>(sum);
  }

  /// Column j, the first one of warp w.
  __device__ __forceinline__ void step(int w, int j) {
    meet();
    T x[ROWS], products[COLUMNS];
#pragma unroll
    for (int k = 0; k < ROWS; ++k) x[k] = row(k) < m ? V[row(k) + j * pitch] : T{};
    const T alpha = V[j + j * pitch];
    const R sum = real(sums[j]);
    if (lane <= j) x[0] = T{};
    reflector<T> h(alpha, sum, R(1));
    if (!(sum >= least_sum<R>)) h = make_safe(alpha, sum, x);
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      T two[2] = {};
#pragma unroll
      for (int k = 0; k < ROWS; ++k) multiply_add(two[k % 2], conj(x[k]), a[q][k]);
      products[q] = two[0] + two[1];
    }
    add_up_halves<16>(products, lane);
    const int next = (w + 1) % WARPS;  // whose first or second column is the next one
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      if (q > 0 || warp > w) apply(h, x, a[q], products[q], j);
      if (q == 0 && next > 0 && warp == next && j + 1 < n) announce(a[0], j + 1);
      if (q == 1 && next == 0 && warp == next && j + 1 < n) announce(a[1], j + 1);
    }
    if (warp == w) {
#pragma unroll
      for (int k = 0; k < ROWS; ++k) {
        T v{};
        multiply_add(v, x[k], h.scale);
        if (k > 0 || lane > j) a[0][k] = v;
      }
      if (lane == j) a[0][0] = from_real<T>(h.beta);
      if (lane == 0) tau[j] = h.tau;
    }
  }

  /// The reflector of an x whose squares vanish: x is multiplied by a power of two.
  __device__ __noinline__ static reflector<T> reflector_of_small(T alpha, R sum, R largest, R power,
                                                                 R scaled) {
    reflector<T> h(alpha, scaled, power);
    if (largest == 0 && sum == 0) h.leave_real(alpha);
    return h;
  }
  __device__ __forceinline__ reflector<T> make_safe(T alpha, R sum, T (&x)[ROWS]) const {
    R largest = 0, scaled = 0;
#pragma unroll
    for (int k = 0; k < ROWS; ++k) largest = fmax(largest, size_of(x[k]));
    largest = largest_of_warp(largest);
    const R power = inverse_power_of(fmax(largest, size_of(alpha)));
#pragma unroll
    for (int k = 0; k < ROWS; ++k) {
      x[k] = x[k] * power;
      add_square(scaled, x[k]);
    }
    return reflector_of_small(alpha, sum, largest, power, sum_of_warp(scaled));
  }

  /// A column <- H^H times it.
  __device__ __forceinline__ void apply(const reflector<T>& h, const T (&x)[ROWS], T (&column)[ROWS],
                                        T product, int j) const {
    const T top = shuffle(column[0], j), row_j = h.of_row(top, product), factor = h.factor(top, row_j);
#pragma unroll
    for (int k = 0; k < ROWS; ++k) multiply_add(column[k], -factor, x[k]);
    if (lane == j) column[0] = row_j;
  }

  /// The first column, which is number c.
  template <class View>
  __device__ __forceinline__ void store(const View& A, int c) const {
    const R power = real(powers[c]), undo = power == 1 ? R(1) : 1 / power;
#pragma unroll
    for (int k = 0; k < ROWS; ++k) {
      const int i = row(k);
      const bool below = k > 0 || lane > c;
      if (i < m && c < n) A.write(i, c, below ? a[0][k] : a[0][k] * undo);
      T v = below && c < n ? a[0][k] : T{};
      if (i == c && c < n) v = from_real<T>(1);
      if (i < pitch - 4) V[i + c * pitch] = v;
    }
  }
};

}  // namespace talus::cuda::householder
