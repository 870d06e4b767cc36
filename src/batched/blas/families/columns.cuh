// The kernels of columns.hpp.
#pragma once

#include "batched/blas/families/columns.hpp"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/triangle.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::blas {

/// What the kernel is compiled for.
template <int ORDER_, int LANES_, int TBC_>
struct columns_policy {
  static constexpr int ORDER = ORDER_, LANES = LANES_, TBC = TBC_, OF_WARP = 32 / LANES_;
};

/// A matrix of order n <= N in shared memory, and what solving with it takes. Where rows are told apart, each
/// has a lane.
template <class T, int N, int LANES>
struct system_of_columns {
  static constexpr int PIECE = piece<T>, pitch = N, sides_pitch = N + 1;
  T* A;        // element (i, k) at A[i + k * pitch]; rows from n on are zero
  T* inverse;  // reciprocals of the diagonal, which are to be multiplied by their
  real_t<T>* scale;
  T* sides;     // unknown i of right-hand side c at sides[i + c * sides_pitch]
  int* place;   // of each row, before or after the exchanges
  int n, most;  // order; the largest of any matrix of the warp
  int lane;

  __device__ system_of_columns(unsigned char* shared, int n_, int most_, int lane_)
      : A(reinterpret_cast<T*>(shared)),
        inverse(A + N * pitch),
        scale(reinterpret_cast<real_t<T>*>(inverse + N)),
        sides(inverse + 2 * N),
        place(reinterpret_cast<int*>(sides + LANES * sides_pitch)),
        n(n_),
        most(most_),
        lane(lane_) {}

  /// Of a matrix the triangles that are asked for, and zeros.
  __device__ __forceinline__ void copy_async(const matrix<const T>& from, bool lower, bool upper) const {
    const int end = lane < n ? n : 0, first = lower ? 0 : lane, last = upper ? end : min(end, lane + 1);
    const unsigned count = static_cast<unsigned>(max(0, last - first));
    const T* at = from.A + lane;
    T* to = A + lane;
#pragma unroll 8
    for (int k = 0; k < N; ++k) {
      if (k >= most) break;
      if (is_row()) copy_element_async(to, at, static_cast<unsigned>(k - first) < count);
      at += from.lda;
      to += pitch;
    }
    close_group();
  }

  /// Returns the first row with a bad diagonal element or pivot, from 1, or 0. All lanes of the warp call it.
  __device__ __forceinline__ int first_bad(bad_diagonal rule, bool is_illegal) const {
    const bool bad = is_illegal || (lane < n && is_bad(rule, A[lane * (pitch + 1)]));
    const unsigned of_matrix = __ballot_sync(~0u, bad) >> (threadIdx.y * LANES % 32) & (~0u >> (32 - LANES));
    return __ffs(static_cast<int>(of_matrix));
  }

  /// Where each row is after all exchanges. All lanes of the warp call.
  __device__ __forceinline__ void find_places(const int* ipiv) const {
    const int other = ipiv != nullptr && lane < n ? exchanged_with(ipiv, lane, n) : lane;
    int row = lane;
    for (int j = most - 1; j >= 0; --j) {
      const int b = __shfl_sync(~0u, other, j, LANES);
      if (j < n) row = row == j ? b : row == b ? j : row;
    }
    if (is_row()) place[lane] = row;
    __syncwarp();
  }

  /// x <- triangle^-1 x
  __device__ __forceinline__ void solve(T (&x)[N], const triangle_form& form, bool real_diagonal) const {
    T d = from_real<T>(1);
    if (lane < n && !form.unit) d = A[lane * (pitch + 1)];
    if (form.conjugated) d = conj(d);
    if (real_diagonal) d = from_real<T>(real(d));
    const reciprocal_of<T> by(d);
    __syncwarp();
    if (is_row()) inverse[lane] = by.inverse;
    if (is_row()) scale[lane] = by.scale;
    __syncwarp();
    if (form.transposed) {
      if (form.backward) {
        by_rows<true>(x, form.conjugated);
      } else {
        by_rows<false>(x, form.conjugated);
      }
    } else {
      if (form.backward) {
        by_columns<true>(x, form.conjugated);
      } else {
        by_columns<false>(x, form.conjugated);
      }
    }
  }

 private:
  /// Of the arrays of shared memory.
  __device__ bool is_row() const { return N == LANES || lane < N; }

  __device__ __forceinline__ T over_diagonal(T x, int k) const { return product(x * scale[k], inverse[k]); }

  /// Elements first ... end - 1 of column k of A: work(i, element). All three are known to the compiler.
  /// (Loops of fixed length keep x in registers.)
  template <class Work>
  __device__ __forceinline__ void for_each_of_column(int k, int first, int end, bool conjugated,
                                                     Work work) const {
#pragma unroll
    for (int p = 0; p < N; p += PIECE) {
      if (p + PIECE <= first || p >= end) continue;
      const auto elements = *reinterpret_cast<const pack<T, PIECE>*>(A + k * pitch + p);
#pragma unroll
      for (int e = 0; e < PIECE; ++e) {
        if (p + e >= first && p + e < end) work(p + e, conjugated ? conj(elements.x[e]) : elements.x[e]);
      }
    }
  }

  /// Column k of the factor is column k of A: what is known is taken off the others.
  template <bool BACKWARD>
  __device__ __forceinline__ void by_columns(T (&x)[N], bool conjugated) const {
#pragma unroll
    for (int step = 0; step < N; ++step) {
      const int k = BACKWARD ? N - 1 - step : step;
      if (k >= most) continue;
      x[k] = over_diagonal(x[k], k);
      const T known = -x[k];
      for_each_of_column(k, BACKWARD ? 0 : k + 1, BACKWARD ? k : N, conjugated,
                         [&](int i, T element) { multiply_add(x[i], element, known); });
    }
  }
  /// Row k of the factor is column k of A: of each unknown all others are taken off.
  template <bool BACKWARD>
  __device__ __forceinline__ void by_rows(T (&x)[N], bool conjugated) const {
#pragma unroll
    for (int step = 0; step < N; ++step) {
      const int k = BACKWARD ? N - 1 - step : step;
      if (k >= most) continue;
      T sum[2] = {};
      for_each_of_column(k, BACKWARD ? k + 1 : 0, BACKWARD ? N : k, conjugated,
                         [&](int i, T element) { multiply_add(sum[i % 2], element, x[i]); });
      x[k] = over_diagonal(x[k] - (sum[0] + sum[1]), k);
    }
  }
};

/// Right-hand sides c ... c + LANES - 1 between memory and shared memory, along what is consecutive in
/// memory: work(element there, where it is in memory, whether it is there, its row, its column). place: of
/// rows in memory that are exchanged; null: their own.
template <class T, int N, int LANES, class Work>
__device__ __forceinline__ void for_each_of_sides(const system_of_columns<T, N, LANES>& system,
                                                  const sides_view<T>& X, int c, const int* place,
                                                  Work work) {
  const bool by_rows = X.column == 1;
#pragma unroll 4
  for (int step = 0; step < (by_rows ? N : LANES); ++step) {
    const int i = by_rows ? step : system.lane, side = by_rows ? system.lane : step;
    const bool is_there = i < system.n && c + side < X.count;
    const int row = is_there && place != nullptr ? place[i] : i;
    if (N == LANES || i < N)
      work(system.sides[i + side * system.sides_pitch], X.first + row * X.row + (c + side) * X.column,
           is_there, row, c + side);
  }
}

/// Solves with one or two triangles.
///
/// Thread map  (LANES, TBC): LANES lanes have a matrix, each a right-hand side
/// Stored      the matrix in shared memory, of which all lanes read the same; right-hand sides in registers
/// Info        j > 0: diagonal element or pivot j is bad, B untouched; null: nobody asks
/// Source      LAPACK's xPOTRS, xGETRS, xPOTRI, xGETRI, BLAS's xTRSM
/// Bound by    memory; for the larger n multiplying
template <class T, class Policy, class Systems>
__global__ void __launch_bounds__(Policy::LANES* Policy::TBC)
    solve_in_columns(std::int64_t first_block, Systems systems, int* info_array, solve_plan<T> plan) {
  constexpr int N = Policy::ORDER, LANES = Policy::LANES;
  systems.for_each_of_warp(
      Policy::OF_WARP, first_block, info_array,
      [&](std::int64_t b, bool exists, const matrix<const T>& A, const matrix<T>& B) {
        const sides_view<T> X(B, plan.sides_are_rows);
        const int n = exists ? X.n : 0, lane = static_cast<int>(threadIdx.x);
        const system_of_columns<T, N, LANES> system(
            shared_memory<unsigned char>() + threadIdx.y * columns::bytes(N, LANES, sizeof(T)), n,
            most_of_warp(n), lane);
        const bool zero = is_zero(plan.alpha), reads = !zero && !plan.inverts;
        if (!zero) system.copy_async(A, plan.reads(true), plan.reads(false));
        const int* const ipiv = exists ? plan.ipiv[b] : nullptr;
        const bool exchanges = __any_sync(~0u, ipiv != nullptr);
        const bool is_illegal = exchanges && lane < n && is_illegal_pivot(ipiv, lane, n);
        if (exchanges) system.find_places(ipiv);
        const int* const from = exchanges && plan.exchange_before ? system.place : nullptr;
        const int* const to = exchanges && !plan.exchange_before ? system.place : nullptr;
        const auto fetch = [&](int c) {
          for_each_of_sides(system, X, c, from, [&](T& x, const T* at, bool is_there, int, int) {
            copy_element_async(&x, at, is_there);
          });
          close_group();
        };
        if (reads) fetch(0);
        wait_for_groups<0>();
        __syncwarp();

        const int bad = zero ? 0 : system.first_bad(plan.bad, is_illegal);
        const bool usable = exists && bad == 0;
        if (exists && lane == 0 && info_array != nullptr) info_array[b] = bad;
        const int sides = most_of_warp(exists ? X.count : 0);
        for (int c = 0; c < sides; c += LANES) {
          if (c > 0 && reads) {
            fetch(c);
            wait_for_groups<0>();
            __syncwarp();
          }
          T* const mine = system.sides + lane * system.sides_pitch;
          T x[N];
#pragma unroll
          for (int i = 0; i < N; ++i) {
            x[i] = T{};
            if (reads) x[i] = product(mine[i], plan.alpha);
            if (plan.inverts) x[i] = from_real<T>((from != nullptr ? from[i] : i) == c + lane ? 1 : 0);
          }
          if (!zero) {
#pragma unroll 1
            for (int t = 0; t < plan.triangles(); ++t)
              system.solve(x, plan.triangle(t), plan.bad == bad_diagonal::not_positive);
          }
#pragma unroll
          for (int i = 0; i < N; ++i) mine[i] = x[i];
          __syncwarp();
          for_each_of_sides(system, X, c, to, [&](const T& x, T* at, bool is_there, int row, int column) {
            if (!is_there || !usable || !is_written(plan.part, row, column)) return;
            *at = plan.part != written::all && row == column ? from_real<T>(real(x)) : x;  // it is Hermitian
          });
          __syncwarp();
        }
      });
}

template <class Line, auto FORM, class Systems, class Plan>
int columns::launch(Systems systems, int* info, queue q, Plan plan) {
  using T = typename Systems::element;
  constexpr int order = Line::kernel.order, lanes = lanes_of(order);
  using policy = columns_policy<order, lanes, Line::kernel.tbc>;
  constexpr std::size_t shared = static_cast<std::size_t>(policy::TBC) * bytes(order, lanes, sizeof(T));
  return launch_small_systems<solve_in_columns<T, policy, Systems>>(
      systems, policy::TBC, dim3(policy::LANES, policy::TBC), shared, q, info, plan);
}

}  // namespace talus::cuda::blas
