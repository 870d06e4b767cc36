// The kernels of warp.hpp.
#pragma once

#include "batched/blas/families/warp.hpp"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/triangle.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::blas {

/// A matrix of order n <= lanes() in shared memory, one lane per row. LANES: their number; 0: blockDim.x.
///
/// EQUAL: all matrices of the warp have order n.
template <class T, int LANES, bool EQUAL>
struct system_of_lanes {
  static constexpr int MOST = LANES == 0 ? warp::most_lanes : LANES;
  T* shared;    // element (i, k) at shared[i + k * pitch()]
  int n, most;  // order; the largest of any matrix of the warp
  int lane;

  __device__ static int lanes() { return LANES == 0 ? static_cast<int>(blockDim.x) : LANES; }
  __device__ static int pitch() { return lanes() + 1; }

  /// Of A what these forms need; all lanes of the warp call.
  __device__ __forceinline__ void copy_async(const matrix<const T>& A, bool lower, bool upper) const {
    const int end = lane < n ? n : 0;
    const int first = lower ? 0 : lane, last = upper ? end : min(end, lane + 1);
    const unsigned count = static_cast<unsigned>(max(0, last - first));
    const T* from = A.A + lane;
    T* to = shared + lane;
#pragma unroll 8
    for (int k = 0; k < MOST; ++k) {
      if (k >= most) break;
      copy_element_async(to, from, static_cast<unsigned>(k - first) < count);
      from += A.lda;
      to += pitch();
    }
    close_group();
  }

  /// Which row a lane has of a triangle that is seen so.
  __device__ int row_of(bool backward) const { return backward ? n - 1 - lane : lane; }

  /// y <- triangle^-1 y, a lane per row as it is seen. Each row is told to those below it. What they have of
  /// its column is divided by their own diagonal element beforehand.
  template <int SIDES>
  __device__ __forceinline__ void solve(T (&y)[SIDES], triangle_form form, bool real_diagonal) const {
    int down = form.transposed ? pitch() : 1, right = form.transposed ? 1 : pitch();
    const T* l = shared;
    if (form.backward) {
      l += (n - 1) * (down + right);
      down = -down;
      right = -right;
    }
    const bool exists = lane < n;
    l += min(lane, max(n - 1, 0)) * down;
    T d = from_real<T>(1);
    if (exists && !form.unit) d = l[lane * right];
    if (form.conjugated) d = conj(d);
    if (real_diagonal) d = from_real<T>(real(d));
    const reciprocal_of<T> by(d);
    const unsigned scaled = __ballot_sync(~0u, by.is_scaled());
    if (scaled == 0) {
      const auto over_diagonal = [&](T x) { return product(x, by.inverse); };
#pragma unroll
      for (int r = 0; r < SIDES; ++r) y[r] = over_diagonal(y[r]);
      eliminate<SIDES, 8>(
          y, l, right, over_diagonal, [](T x) { return x; }, form.conjugated);
    } else {  // matrices with such a row divide last, because sums of quotients may overflow
      const bool divides_last = (scaled & mask_of_matrix()) != 0;
      const auto divided_first = [&](T x) { return divides_last ? x : product(x, by.inverse); };
      const auto divided_last = [&](T x) { return divides_last ? by(x) : x; };
#pragma unroll
      for (int r = 0; r < SIDES; ++r) y[r] = divided_first(y[r]);
      eliminate<SIDES, 1>(y, l, right, divided_first, divided_last, form.conjugated);
#pragma unroll
      for (int r = 0; r < SIDES; ++r) y[r] = divided_last(y[r]);
    }
  }

  /// Where row `row` is after all exchanges. All lanes of the warp call.
  __device__ __forceinline__ int place_of(int row, const int* ipiv) const {
    const int other = ipiv != nullptr && lane < n ? ipiv[lane] - 1 : lane;
    for (int j = most - 1; j >= 0; --j) {
      const int b = __shfl_sync(~0u, other, j, lanes());
      if (j < n) row = row == j ? b : row == b ? j : row;
    }
    return row;
  }

 private:
  /// Returns the mask of this matrix's lanes in its warp.
  __device__ static unsigned mask_of_matrix() {
    return ~0u >> (32 - lanes()) << (static_cast<int>(threadIdx.y) * lanes() % 32);
  }

  /// Computes y(k+1:n) += factor_of(-L(k+1:n, k)) * value_of(y(k)) for each row k. Lanes without a row hold
  /// unused numbers.
  template <int SIDES, int UNROLL, class Factor, class Value>
  __device__ __forceinline__ void eliminate(T (&y)[SIDES], const T* l, int right, Factor factor_of,
                                            Value value_of, bool conjugated) const {
#pragma unroll UNROLL
    for (int k = 0; k < MOST - 1; ++k) {
      if (k >= most - 1) break;
      T element = {};
      if (EQUAL || k < n) element = factor_of(-(conjugated ? conj(*l) : *l));
      l += right;
#pragma unroll
      for (int r = 0; r < SIDES; ++r) {
        const T known = shuffle(value_of(y[r]), k, lanes());
        if (lane > k) multiply_add(y[r], element, known);
      }
    }
  }
};

/// Solves with one or two triangles.
///
/// Thread map  (lanes, tbc): `lanes` lanes have a matrix, a lane per row
/// Stored      the matrix in shared memory, right-hand sides in registers, SIDES at a time
/// Info        j > 0: diagonal element or pivot j is bad, B untouched; null: nobody asks
/// Source      LAPACK's xPOTRS, xGETRS, BLAS's xTRSM
/// Bound by    memory; shared memory where a step's shuffles take longer
template <class T, int LANES, int SIDES, class Systems>
__global__ void __launch_bounds__(warp::most_threads)
    solve_in_warp(std::int64_t first_block, Systems systems, int* info_array, solve_plan<T> plan) {
  systems.for_each_of_warp(
      32 >> (__ffs(system_of_lanes<T, LANES, Systems::equal>::lanes()) - 1), first_block, info_array,
      [&](std::int64_t b, bool exists, const matrix<const T>& A, const matrix<T>& B) {
        const sides_view<T> X(B, plan.sides_are_rows);
        const int n = exists ? X.n : 0;
        using system_t = system_of_lanes<T, LANES, Systems::equal>;
        const int lanes = system_t::lanes();
        const system_t system = {
            once(shared_memory<T>()) + static_cast<int>(threadIdx.y) * warp::elements(lanes), n,
            most_of_warp(n), static_cast<int>(threadIdx.x)};
        const int lane = system.lane, sides = most_of_warp(exists ? X.count : 0);
        const triangle_form &one = plan.first, &two = plan.second;
        const bool zero = is_zero(plan.alpha);
        if (!zero) system.copy_async(A, plan.reads(true), plan.reads(false));
        const int* const ipiv = exists ? plan.ipiv[b] : nullptr;
        const int row = system.row_of(one.backward);
        int from = row, to = plan.has_second ? system.row_of(two.backward) : row;
        bool is_illegal = false;
        if (__any_sync(~0u, ipiv != nullptr)) {
          is_illegal = lane < n && is_illegal_pivot(ipiv, lane, n);
          const int place = system.place_of(plan.exchange_before ? from : to, ipiv);
          (plan.exchange_before ? from : to) = place;
        }
        wait_for_groups<0>();
        __syncwarp();

        const matrix<const T> copy = {system.shared, n, n, system.pitch()};
        const bool bad = is_illegal || (lane < n && is_bad(plan.bad, copy(lane, lane)));
        const unsigned of_matrix =
            __ballot_sync(~0u, bad) >> (static_cast<int>(threadIdx.y) * lanes % 32) & (~0u >> (32 - lanes));
        const bool usable = exists && of_matrix == 0;
        if (exists && lane == 0 && info_array != nullptr) info_array[b] = __ffs(static_cast<int>(of_matrix));
        for (int c = 0; c < sides; c += SIDES) {
          T y[SIDES];
#pragma unroll
          for (int r = 0; r < SIDES; ++r) {
            y[r] = T{};
            if (plan.inverts) {
              y[r] = from_real<T>(from == c + r ? 1 : 0);
            } else if (!zero && usable && lane < n && c + r < X.count) {
              y[r] = product(X.first[from * X.row + (c + r) * X.column], plan.alpha);
            }
          }
          if (!zero) {
#pragma unroll 1
            for (int t = 0; t < plan.triangles(); ++t) {
              if (t > 0 && one.backward != two.backward) {
#pragma unroll
                for (int r = 0; r < SIDES; ++r) y[r] = shuffle(y[r], n - 1 - lane, lanes);
              }
              system.solve(y, plan.triangle(t), plan.bad == bad_diagonal::not_positive);
            }
          }
#pragma unroll
          for (int r = 0; r < SIDES; ++r) {
            if (plan.part != written::all && to == c + r) y[r] = from_real<T>(real(y[r]));  // it is Hermitian
            if (usable && lane < n && c + r < X.count && is_written(plan.part, to, c + r))
              X.first[to * X.row + (c + r) * X.column] = y[r];
          }
        }
        __syncwarp();
      });
}

template <class Line, auto FORM, class Systems, class Plan>
int warp::launch(Systems systems, int* info, queue q, Plan plan) {
  using T = typename Systems::element;
  constexpr auto kernel = Line::kernel;
  constexpr std::size_t bytes = static_cast<std::size_t>(kernel.tbc * elements(kernel.lanes)) * sizeof(T);
  constexpr int fixed = Systems::equal && kernel.lanes <= 8 ? kernel.lanes : 0;
  return launch_small_systems<solve_in_warp<T, fixed, kernel.sides, Systems>>(
      systems, kernel.tbc, dim3(kernel.lanes, kernel.tbc), bytes, q, info, plan);
}

}  // namespace talus::cuda::blas
