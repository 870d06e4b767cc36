// The kernels of rows.hpp.
#pragma once

#include "batched/blas/families/rows.hpp"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/triangle.cuh"
#include "batched/blas/pieces/turns.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::blas {

/// What the kernel is compiled for.
template <int WARPS_, int SIDES_, int DEPTH_>
struct rows_policy {
  static constexpr int WARPS = WARPS_, SIDES = SIDES_, DEPTH = DEPTH_, THREADS = 32 * WARPS_;
};

/// One pass over a triangle, seen as a lower one: rows of tiles I = 0, 1, ..., warp by warp in turn, each
/// tile by tile from the left to the diagonal.
template <class T, class Policy>
struct pass_over_rows {
  static constexpr int WARPS = Policy::WARPS, SIDES = Policy::SIDES, order = rows::order, pitch = rows::pitch;

  matrix<const T> A;
  triangle_form form;
  bad_diagonal rule;
  int* first_bad;  // the first bad element of the diagonal, in shared memory
  bool is_first;   // of the passes over this triangle
  T* x;            // right-hand sides: row i of side r at x[i * SIDES + r]
  T* tiles;        // in shared memory
  int staying;     // of the triangle, one after the other, as many as have room to stay
  T* ring;         // of this warp
  int lane, warp;
  int I, P, slot = 0;  // of the next tile to be copied

  __device__ pass_over_rows(const matrix<const T>& A_, triangle_form form_, bad_diagonal rule_,
                            int* first_bad_, bool is_first_, T* x_, T* tiles_, int staying_, T* rings)
      : A(A_),
        form(form_),
        rule(rule_),
        first_bad(first_bad_),
        is_first(is_first_),
        x(x_),
        tiles(tiles_),
        staying(staying_),
        lane(static_cast<int>(threadIdx.x) % 32),
        warp(static_cast<int>(threadIdx.x) / 32),
        I(warp),
        P(0) {
    ring = rings + warp * Policy::DEPTH * order * pitch;
#pragma unroll
    for (int d = 0; d < Policy::DEPTH; ++d) copy();
  }

  /// All threads call; when it returns x can be read.
  __device__ __forceinline__ void solve() {
    const int count = blocks();
    turns<WARPS> others(count);
    int used = 0;  // tiles that this warp has used
    for (int i = warp; i < count; i += WARPS) {
      T* const mine = x + (order * place(i) + (form.backward ? order - 1 - lane : lane)) * SIDES;
      T y[SIDES];
#pragma unroll
      for (int r = 0; r < SIDES; ++r) y[r] = mine[r];
      for (int p = 0; p < i; ++p) {
        const T* const tile = next(i, p, used);
        others.wait_for(p);
        take_off(y, tile, p);
        __syncwarp();
        copy();
      }
      solve_diagonal(y, next(i, i, used), i);
#pragma unroll
      for (int r = 0; r < SIDES; ++r) mine[r] = y[r];
      others.tell(i);
      copy();
    }
    others.wait_for_all();
    wait_for_groups<0>();
    __syncthreads();
  }

 private:
  __device__ int blocks() const { return ceil_div(A.n, order); }
  /// Where block i of the rows is in memory.
  __device__ int place(int i) const { return form.backward ? blocks() - 1 - i : i; }

  /// Tile (i, p), at a place of its own if it stays, else in the ring.
  __device__ T* tile_at(int i, int p, int in_ring) const {
    const int a = place(i), b = place(p), high = max(a, b), low = min(a, b),
              number = high * (high + 1) / 2 + low;
    return number < staying ? tiles + number * order * pitch : ring + in_ring * order * pitch;
  }

  /// The next tile of this warp on its way, if there is one and it is not there from the pass before: as it
  /// is in memory, column after column.
  __device__ __forceinline__ void copy() {
    if (I < blocks()) {
      const int a = place(I), b = place(P), high = max(a, b), low = min(a, b);
      if (is_first || high * (high + 1) / 2 + low >= staying) {
        T* const to = tile_at(I, P, slot);
        const int R = order * (form.transposed ? b : a), C = order * (form.transposed ? a : b);
        const bool is_lower = form.is_lower();
        const int row = R + lane;
        int begin = 0, end = row < A.n ? min(order, A.n - C) : 0;  // of the columns that this lane's row has
        if (I == P && is_lower) end = min(end, lane + 1);
        if (I == P && !is_lower) begin = lane;
        const unsigned count = static_cast<unsigned>(max(0, end - begin));
        const T* from = A.A + row + static_cast<std::ptrdiff_t>(C) * A.lda;
#pragma unroll 8
        for (int c = 0; c < order; ++c) {
          copy_element_async(to + lane + c * pitch, from, static_cast<unsigned>(c - begin) < count);
          from += A.lda;
        }
      }
      slot = (slot + 1) % Policy::DEPTH;
      if (++P > I) {
        P = 0;
        I += WARPS;
      }
    }
    close_group();
  }
  /// Waits for this warp's next tile, which is (i, p).
  __device__ __forceinline__ const T* next(int i, int p, int& used) const {
    wait_for_groups<Policy::DEPTH - 1>();
    __syncwarp();
    const int in_ring = used;
    used = (used + 1) % Policy::DEPTH;
    return tile_at(i, p, in_ring);
  }

  /// Element (row, k) of a tile, as the triangle is seen, lies at corner(tile)[row * down() + k * right()].
  __device__ int down() const { return (form.transposed ? pitch : 1) * (form.backward ? -1 : 1); }
  __device__ int right() const { return (form.transposed ? 1 : pitch) * (form.backward ? -1 : 1); }
  __device__ const T* corner(const T* tile) const {
    return form.backward ? tile + (order - 1) * (pitch + 1) : tile;
  }
  __device__ T seen(T element) const { return form.conjugated ? conj(element) : element; }

  /// y <- y - tile x(block p), several sums side by side where there are few right-hand sides.
  __device__ __forceinline__ void take_off(T (&y)[SIDES], const T* tile, int p) const {
    constexpr int SUMS = SIDES >= 4 ? 1 : 4 / SIDES;
    const int right = this->right(), step = form.backward ? -SIDES : SIDES;
    const T* l = corner(tile) + lane * down();
    const T* from = x + (order * place(p) + (form.backward ? order - 1 : 0)) * SIDES;
    T sum[SUMS][SIDES] = {};
#pragma unroll 2
    for (int k = 0; k < order; k += 4) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const T element = seen(*l);
#pragma unroll
        for (int r = 0; r < SIDES; ++r) multiply_add(sum[e % SUMS][r], element, from[r]);
        l += right;
        from += step;
      }
    }
#pragma unroll
    for (int r = 0; r < SIDES; ++r) {
#pragma unroll
      for (int e = 0; e < SUMS; ++e) y[r] = y[r] - sum[e][r];
    }
  }

  /// Row by row: each is told to those below it. What they have of its column is divided by their own
  /// diagonal element beforehand. Rows from n on are none.
  __device__ __forceinline__ void solve_diagonal(T (&y)[SIDES], const T* tile, int i) const {
    const int right = this->right(), row = order * place(i) + (form.backward ? order - 1 - lane : lane);
    const T* l = corner(tile) + lane * down();
    T d = from_real<T>(1);
    if (!form.unit && row < A.n) {
      d = l[lane * right];
      if (is_bad(rule, d)) atomicMin(first_bad, row);
      d = seen(rule == bad_diagonal::not_positive ? from_real<T>(real(d)) : d);
    }
    const reciprocal_of<T> by(d);
    if (__any_sync(~0u, by.is_scaled())) {  // divides last, because sums of quotients may overflow
      eliminate<1>(
          y, l, [](T element) { return element; }, by);
#pragma unroll
      for (int r = 0; r < SIDES; ++r) y[r] = by(y[r]);
    } else {
#pragma unroll
      for (int r = 0; r < SIDES; ++r) y[r] = product(y[r], by.inverse);
      eliminate<8>(
          y, l, [&](T element) { return product(element, by.inverse); }, [](T x) { return x; });
    }
  }
  /// Computes y(k+1:n) += factor_of(-L(k+1:n, k)) * value_of(y(k)) for each row k of a tile.
  template <int UNROLL, class Factor, class Value>
  __device__ __forceinline__ void eliminate(T (&y)[SIDES], const T* l, Factor factor_of,
                                            Value value_of) const {
    const int right = this->right();
#pragma unroll UNROLL
    for (int k = 0; k < order; ++k) {
      const T element = factor_of(-seen(*l));
      l += right;
#pragma unroll
      for (int r = 0; r < SIDES; ++r) {
        const T known = shuffle(value_of(y[r]), k);
        if (lane > k) multiply_add(y[r], element, known);
      }
    }
  }
};

/// Exchanges rows of X by the first warp of a block; all warps wait for it. first_bad: as in exchange_rows.
template <class T>
__device__ __forceinline__ void exchange_in_shared(const sides_view<T>& X, const int* ipiv, bool undo,
                                                   int* first_bad) {
  if (threadIdx.x < 32) exchange_rows(X, X.count, ipiv, undo, first_bad);
  __syncthreads();
}

/// Solves with one or two triangles.
///
/// Thread map  a block per matrix and SIDES right-hand sides, or per matrix; a warp has every WARPS-th row of
///             tiles, a lane a row of a tile
/// Stored      right-hand sides in shared memory; tiles of the triangle that are on their way, or stay
/// Barriers    one per row of tiles, of which each warp waits when it needs it
/// Info        j > 0: diagonal element or pivot j is bad, B untouched; null: nobody asks
/// Source      LAPACK's xPOTRS, xGETRS, BLAS's xTRSM; by rows of tiles
/// Bound by    reading the triangle; for small n the chain of the tiles on the diagonal
template <class T, class Policy, class Systems>
__global__ void __launch_bounds__(Policy::THREADS)
    solve_by_rows(std::int64_t first_block, Systems systems, int* info_array, solve_plan<T> plan, int room) {
  constexpr int SIDES = Policy::SIDES, tile = rows::order * rows::pitch;
  __shared__ int first_bad;
  systems.template for_each_of_block<Policy>(
      first_block,
      [&](std::int64_t b, const matrix<const T>& A, const matrix<T>& B, int first, int end, bool says) {
        using pass = pass_over_rows<T, Policy>;
        const sides_view<T> all(B, plan.sides_are_rows);
        const int blocks = ceil_div(A.n, rows::order), of_triangle = blocks * (blocks + 1) / 2;
        const bool twice = plan.has_second && plan.bad == bad_diagonal::not_positive;
        const int ring = Policy::WARPS * Policy::DEPTH, thread = static_cast<int>(threadIdx.x);
        const int staying = !twice ? 0 : of_triangle <= room ? of_triangle : max(0, room - ring);
        T* const x = shared_memory<T>();
        T* const tiles = x + blocks * rows::order * SIDES;
        T* const rings = tiles + (staying == of_triangle ? 0 : max(0, room - ring)) * tile;
        const int* const ipiv = plan.ipiv[b];
        int* const info = says && info_array != nullptr ? info_array + b : nullptr;
        if (is_zero(plan.alpha)) {
          if (thread == 0 && info != nullptr) *info = 0;
          set_zero<Policy::THREADS>(all.from(first), end - first);
          return;
        }
        for (int c = first; c < max(end, first + 1); c += SIDES) {
          const sides_view<T> X = all.from(c);
          pass over(A, plan.first, plan.bad, &first_bad, true, x, tiles, staying, rings);
          if (thread == 0) first_bad = A.n;
          for (int e = thread; e < blocks * rows::order * SIDES; e += Policy::THREADS) {
            const int i = e / SIDES, r = e % SIDES;
            x[e] = T{};
            if (i < A.n && r < X.count) x[e] = product(X.first[i * X.row + r * X.column], plan.alpha);
          }
          __syncthreads();
          if (ipiv != nullptr && !plan.exchange_before) find_illegal_pivots(ipiv, A.n, &first_bad);
          const sides_view<T> in_shared(x, SIDES, 1, A.n, SIDES);
          if (ipiv != nullptr && plan.exchange_before) exchange_in_shared(in_shared, ipiv, false, &first_bad);
#pragma unroll 1
          for (int t = 0; t < plan.triangles(); ++t) {
            if (t > 0) over = pass(A, plan.second, plan.bad, &first_bad, !twice, x, tiles, staying, rings);
            over.solve();
          }
          const int bad = first_bad;
          if (thread == 0 && info != nullptr && c == first) *info = bad < A.n ? bad + 1 : 0;
          if (ipiv != nullptr && !plan.exchange_before) exchange_in_shared(in_shared, ipiv, true, nullptr);
          for (int e = thread; bad == A.n && e < A.n * SIDES; e += Policy::THREADS) {
            const int i = e / SIDES, r = e % SIDES;
            if (r < X.count) X.first[i * X.row + r * X.column] = x[e];
          }
          __syncthreads();
          if (bad < A.n) return;
        }
      });
}

template <class Line, auto FORM, class Systems, class Plan>
int rows::launch(Systems systems, int* info, queue q, Plan plan) {
  using T = typename Systems::element;
  constexpr auto kernel = Line::kernel;
  using policy = rows_policy<kernel.warps, kernel.sides, kernel.depth>;
  constexpr std::size_t tile = tile_bytes(sizeof(T));
  const int n = systems.largest()[0], blocks = ceil_div(n, order), of_triangle = blocks * (blocks + 1) / 2;
  const int ring = kernel.warps * kernel.depth, budget = static_cast<int>(kernel.shared_kb * 1024 / tile);
  const bool twice = plan.has_second && plan.bad == bad_diagonal::not_positive;
  const int room = twice && of_triangle <= std::max(budget, ring) ? of_triangle
                   : twice                                        ? std::max(budget, ring)
                                                                  : ring;
  const std::size_t bytes = kernel.sides_bytes(n, sizeof(T)) + static_cast<std::size_t>(room) * tile;
  const auto run = [&](const auto& all) {
    return launch_systems<solve_by_rows<T, policy, std::decay_t<decltype(all)>>>(
        all, policy::SIDES, dim3(policy::THREADS), bytes, q, info, plan, room);
  };
  if constexpr (Systems::equal) {
    return run(systems);
  } else {
    return run(as_either(systems, plan).first);
  }
}

}  // namespace talus::cuda::blas
