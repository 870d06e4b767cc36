// The kernels of resident.hpp.
#pragma once

#include "batched/blas/families/resident.hpp"
#include "batched/blas/pieces/diagonal_tile.cuh"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/triangle.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::blas {

/// What the kernel is compiled for.
template <int TILES_, int WARPS_, int BLOCKS_>
struct resident_policy {
  static constexpr int TILES = TILES_, WARPS = WARPS_, THREADS = 32 * WARPS_, BLOCKS = BLOCKS_;
  static constexpr int SIDES = 16 * WARPS_;  // right-hand sides of a block
};

/// One or two triangles of a matrix in shared memory, as tiles: those on the diagonal, those beside it of the
/// first triangle, those of the second, if that is another. In each set tile (high, low), high > low, has
/// number high (high - 1) / 2 + low, whether the triangle is the lower or the upper one. Tiles lie as they
/// are in memory.
template <class T, class Policy>
struct resident_triangles {
  static constexpr int TILES = Policy::TILES, beside = TILES * (TILES - 1) / 2;
  T* shared;
  const matrix<const T>& A;

  __device__ __forceinline__ void copy_async(const solve_plan<T>& plan) const {
#pragma unroll 1
    for (int d = 0; d * square_order < A.n; ++d) copy_tile(d, d, d);
#pragma unroll 1
    for (int t = 0; t < (two(plan) ? 2 : 1); ++t) {
      const bool lower = plan.triangle(t).is_lower();
#pragma unroll 1
      for (int high = 1; high * square_order < A.n; ++high) {
#pragma unroll 1
        for (int low = 0; low < high; ++low)
          copy_tile(TILES + t * beside + high * (high - 1) / 2 + low, lower ? high : low, lower ? low : high);
      }
    }
    close_group();
  }

  /// Whether the two triangles are different ones.
  __device__ static bool two(const solve_plan<T>& plan) {
    return plan.has_second && plan.first.is_lower() != plan.second.is_lower();
  }

  __device__ const T* on_diagonal(int d) const { return shared + d * square_elements; }
  /// Tile (1, 0) of the set of triangle t.
  __device__ const T* first_beside(const solve_plan<T>& plan, int t) const {
    return shared + (TILES + (t > 0 && two(plan) ? beside : 0)) * square_elements;
  }

 private:
  /// Tile (R, C) of the matrix; what does not exist is zero.
  __device__ __forceinline__ void copy_tile(int number, int R, int C) const {
    const T* const first = A.A + square_order * R + static_cast<std::ptrdiff_t>(square_order) * C * A.lda;
    T* const to = shared + number * square_elements;
    const int rows = A.n - square_order * R, columns = A.n - square_order * C;
    copy_tile_async<Policy::THREADS>(to, first, A.lda, rows, columns, static_cast<int>(threadIdx.x));
  }
};

/// Element (i, k) of the tile on the diagonal from row k0 on, as its triangle has it. Rows that do not exist
/// are the identity's.
template <class T>
struct resident_diagonal {
  const T* tile;
  triangle_form form;
  bool real_diagonal;
  int existing;

  __device__ T operator()(int i, int k) const {
    if (i == k && (form.unit || i >= existing)) return from_real<T>(1);
    const T x = tile[tile_layout<T>{!form.transposed, false}(i, k)];
    return real_diagonal && i == k ? from_real<T>(real(x)) : x;
  }
};

/// Out of line, as it is rare.
template <class T>
__device__ __noinline__ void substitute_tile(square<T>& a, resident_diagonal<T> tile) {
  substitute(a, tile, tile.form.backward, tile.existing, tile_lane(static_cast<int>(threadIdx.x) % 32));
}

/// What a block has in shared memory beside the triangles.
template <class T, class Policy>
struct alignas(16) resident_memory {
  T diagonal[2][Policy::TILES][diagonal_tile<T>::elements];
  int place[16 * Policy::TILES];  // where each row is before, or after, its exchanges
  int first_bad;                  // on the diagonal, or n
  bool tame[2][Policy::TILES];
};

/// One pass over triangle t: a holds -B and becomes X.
template <class T, class Policy, bool UPPER>
__device__ __forceinline__ void pass_over_tiles(square<T> (&a)[Policy::TILES],
                                                const resident_triangles<T, Policy>& triangles,
                                                resident_memory<T, Policy>& memory, const solve_plan<T>& plan,
                                                int t, const tile_lane& my) {
  constexpr int TILES = Policy::TILES;
  const int n = triangles.A.n;
  const triangle_form& form = plan.triangle(t);
  const tile_places<T> facing(tile_layout<T>{!form.transposed, false}, my);
  const T* const beside = triangles.first_beside(plan, t);
#pragma unroll
  for (int step = 0; step < TILES; ++step) {
    const int d = UPPER ? TILES - 1 - step : step;
    if (square_order * d >= n) continue;
    if (memory.tame[t][d]) {
      diagonal_tile<T>{memory.diagonal[t][d]}.solve(a[d], UPPER, my);
    } else {
      square<T> x = a[d];
      substitute_tile(x, resident_diagonal<T>{triangles.on_diagonal(d), form,
                                              plan.bad == bad_diagonal::not_positive, n - square_order * d});
      a[d] = x;
    }
    const left_factor<T> left[2] = {as_left(a[d].half[0]), as_left(a[d].half[1])};
#pragma unroll
    for (int c = 0; c < TILES; ++c) {
      if (UPPER ? c >= d : c <= d) continue;
      const int high = UPPER ? d : c, low = UPPER ? c : d;
      if (square_order * high < n)
        add_product(a[c], left, facing(beside + (high * (high - 1) / 2 + low) * square_elements));
    }
  }
}
template <class T, class Policy>
__device__ __forceinline__ void pass_over_tiles(square<T> (&a)[Policy::TILES],
                                                const resident_triangles<T, Policy>& triangles,
                                                resident_memory<T, Policy>& memory, const solve_plan<T>& plan,
                                                int t, const tile_lane& my) {
  if (plan.triangle(t).backward) {
    pass_over_tiles<T, Policy, true>(a, triangles, memory, plan, t, my);
  } else {
    pass_over_tiles<T, Policy, false>(a, triangles, memory, plan, t, my);
  }
}

/// 16 right-hand sides in a warp's registers.
template <class T, class Policy>
struct resident_sides {
  static constexpr int TILES = Policy::TILES;
  const sides_view<T> X;  // from the warp's first right-hand side on
  const tile_lane& my;
  const int* place;  // of its row
  bool conjugated;   // X is kept so
  square<T> a[TILES];

  /// -alpha B.
  __device__ __forceinline__ void load(const solve_plan<T>& plan, bool exchanged) {
    for_each(exchanged, [&](T& x, const T* from, bool exists) {
      x = T{};
      if (exists) x = product(*from, -plan.alpha);
      if (conjugated) x = conj(x);
    });
  }
  __device__ __forceinline__ void store(bool exchanged) {
    for_each(exchanged, [&](const T& x, T* to, bool exists) {
      if (exists) *to = conjugated ? conj(x) : x;
    });
  }
  /// What a triangle has left is the right-hand side of the next one.
  __device__ __forceinline__ void turn(const triangle_form& next) {
    const bool flips = conjugated == next.conjugated;
    conjugated = !next.conjugated;
#pragma unroll
    for (int d = 0; d < TILES; ++d) {
#pragma unroll
      for (int e = 0; e < 8; ++e) {
        T& x = a[d].half[e / 4].x[e % 4];
        x = flips ? -conj(x) : -x;
      }
    }
  }

 private:
  /// work(element, where it is in memory, whether it is there)
  template <class Work>
  __device__ __forceinline__ void for_each(bool exchanged, Work work) {
    T* const corner = X.first + my.row * X.column;
#pragma unroll
    for (int d = 0; d < TILES; ++d) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {  // columns t, t + 4, t + 8, t + 12
        const int k = square_order * d + 4 * e + my.t;
        const bool exists = k < X.n;
        const int row = exists && exchanged ? place[k] : k;
        T* const at = corner + row * X.row;
#pragma unroll
        for (int below = 0; below < 2; ++below)
          work(a[d].half[e / 2].x[e % 2 + 2 * below], at + 8 * below * X.column,
               exists && my.row + 8 * below < X.count);
      }
    }
  }
};

/// Brings the triangles of a matrix, and all that is kept beside them, to shared memory; with the first bad
/// element of the diagonal, or n. By a block.
template <class T, class Policy>
__device__ __forceinline__ void prepare(const resident_triangles<T, Policy>& triangles,
                                        const solve_plan<T>& plan, const int* ipiv,
                                        resident_memory<T, Policy>& memory, const tile_lane& my) {
  const int thread = static_cast<int>(threadIdx.x), n = triangles.A.n;
  triangles.copy_async(plan);
  if (thread == 0) memory.first_bad = n;
  for (int i = thread; ipiv != nullptr && i < n; i += Policy::THREADS)
    memory.place[i] = exchanged_row(i, ipiv, n);
  wait_for_groups<0>();
  __syncthreads();
  for (int i = thread; i < n; i += Policy::THREADS) {
    const int in_tile = tile_layout<T>::place_of(i % square_order, i % square_order);
    if (is_bad(plan.bad, triangles.on_diagonal(i / square_order)[in_tile]) || is_illegal_pivot(ipiv, i, n))
      atomicMin(&memory.first_bad, i);
  }
#pragma unroll 1
  for (int e = thread / 32; e < Policy::TILES * plan.triangles(); e += Policy::WARPS) {
    const int t = e / Policy::TILES, d = e % Policy::TILES;
    if (square_order * d >= n) continue;
    const bool tame = diagonal_tile<T>{memory.diagonal[t][d]}.put(
        resident_diagonal<T>{triangles.on_diagonal(d), plan.triangle(t),
                             plan.bad == bad_diagonal::not_positive, n - square_order * d},
        plan.triangle(t).backward, my);
    if (my.lane == 0) memory.tame[t][d] = tame;
  }
  __syncthreads();
}

/// Solves with one or two triangles.
///
/// Thread map  a block per matrix and Policy::SIDES right-hand sides, or per matrix; a warp per 16 of them
/// Stored      a warp's right-hand sides in registers; the triangles in shared memory
/// Barriers    three per matrix
/// Info        j > 0: diagonal element or pivot j is bad, B untouched; null: nobody asks
/// Source      LAPACK's xPOTRS, xGETRS, BLAS's xTRSM; right-looking
/// Bound by    memory
template <class T, class Policy>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    solve_resident(std::int64_t first_block, either_systems<T> systems, int* info_array, solve_plan<T> plan) {
  auto& memory = *shared_memory<resident_memory<T, Policy>>();
  const tile_lane my(static_cast<int>(threadIdx.x) % 32);
  const int first_of_warp = 16 * (static_cast<int>(threadIdx.x) / 32);
  systems.template for_each_of_block<Policy>(
      first_block,
      [&](std::int64_t b, const matrix<const T>& A, const matrix<T>& B, int first, int end, bool says) {
        const sides_view<T> all(B, plan.sides_are_rows);
        int* const info = says && info_array != nullptr ? info_array + b : nullptr;
        const int* const ipiv = plan.ipiv[b];
        if (is_zero(plan.alpha)) {
          if (threadIdx.x == 0 && info != nullptr) *info = 0;
          set_zero<Policy::THREADS>(all.from(first), end - first);
          return;
        }
        const resident_triangles<T, Policy> triangles = {reinterpret_cast<T*>(&memory + 1), A};
        prepare(triangles, plan, ipiv, memory, my);
        const int bad = memory.first_bad;
        if (threadIdx.x == 0 && info != nullptr) *info = bad < A.n ? bad + 1 : 0;
        for (int c = first + first_of_warp; bad == A.n && c < min(end, all.count); c += Policy::SIDES) {
          resident_sides<T, Policy> sides = {all.from(c), my, memory.place, !plan.first.conjugated};
          sides.load(plan, ipiv != nullptr && plan.exchange_before);
#pragma unroll 1
          for (int t = 0; t < plan.triangles(); ++t) {
            if (t > 0) sides.turn(plan.second);
            pass_over_tiles<T, Policy>(sides.a, triangles, memory, plan, t, my);
          }
          sides.store(ipiv != nullptr && !plan.exchange_before);
        }
        __syncthreads();
      });
}

template <class Line, auto FORM, class Systems, class Plan>
int resident::launch(Systems systems, int* info, queue q, Plan plan) {
  using T = typename Systems::element;
  using policy = resident_policy<Line::kernel.tiles, Line::kernel.warps, Line::kernel.blocks>;
  const bool two = plan.has_second && plan.bad != bad_diagonal::not_positive;
  const std::size_t bytes =
      sizeof(resident_memory<T, policy>) +
      static_cast<std::size_t>(policy::TILES + resident_triangles<T, policy>::beside * (two ? 2 : 1)) *
          square_elements * sizeof(T);
  return launch_systems<solve_resident<T, policy>>(systems, policy::SIDES, dim3(policy::THREADS), bytes, q,
                                                   info, plan);
}

}  // namespace talus::cuda::blas
