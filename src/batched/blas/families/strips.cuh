// The kernels of strips.hpp.
#pragma once

#include "batched/blas/families/strips.hpp"
#include "batched/blas/pieces/diagonal_tile.cuh"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/triangle.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"

namespace talus::cuda::blas {

/// What the kernel is compiled for.
template <int TILES_, int WARPS_, int BLOCKS_>
struct strips_policy {
  static constexpr int TILES = TILES_, WARPS = WARPS_, THREADS = 32 * WARPS_, BLOCKS = BLOCKS_;
  static constexpr int SIDES = 16 * WARPS_;  // right-hand sides of a block
  static constexpr int STAGES = 3;           // slabs in shared memory: one is used, the others on their way
};

/// Columns 16 P ... 16 P + 15 of the triangle in the rows of panel I, 16 TILES of them, on their way to
/// shared memory: for each panel from P = 0 up to its diagonal, panel by panel.
template <class T, class Policy>
struct slab_stream {
  static constexpr int TILES = Policy::TILES;
  using ring_type = slab_ring<T, TILES, Policy::THREADS, Policy::STAGES>;
  const lower_view<T> L;
  ring_type ring;
  int I = 0, P = 0;  // of the next slab to be copied

  __device__ slab_stream(const lower_view<T>& L_, T* shared) : L(L_), ring(shared, L_.row, L_.column) {
#pragma unroll 1
    for (int s = 0; s < Policy::STAGES - 1; ++s) copy();
  }
  /// Waits for the next slab and returns it; the one before it makes room for another.
  __device__ __forceinline__ const T* next() {
    const T* const here = ring.next();
    copy();
    return here;
  }

 private:
  __device__ __forceinline__ void copy() {
    const int row = square_order * TILES * I, column = square_order * P;
    if (row >= L.n) return ring.copy_nothing();
    ring.copy(L.first + row * L.row + column * L.column, {L.n - row, L.n - column});
    if (++P == min(TILES * (I + 1), ceil_div(L.n, square_order))) {
      P = 0;
      ++I;
    }
  }
};

// ---- strips of right-hand sides --------------------------------------------------------------------

/// 16 right-hand sides, by a warp.
template <class T>
struct strip_of_warp {
  sides_view<T> X;  // from this warp's first right-hand side on
  tile_lane my;
  bool conjugated;  // X is kept so

  /// Unknowns k0 ... k0 + 15.
  __device__ __forceinline__ square<T> load(int k0) const {
    square<T> a;
    for_each(k0, [&](int h, int e, const T* place, bool exists) {
      a.half[h].x[e] = T{};
      if (exists) a.half[h].x[e] = *place;
    });
    if (conjugated) conjugate(a);
    return a;
  }
  __device__ __forceinline__ void store(const square<T>& x, int k0) const {
    square<T> a = x;
    if (conjugated) conjugate(a);
    for_each(k0, [&](int h, int e, T* place, bool exists) {
      if (exists) *place = a.half[h].x[e];
    });
  }

 private:
  __device__ static void conjugate(square<T>& a) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) a.half[h].x[e] = conj(a.half[h].x[e]);
    }
  }
  template <class Work>
  __device__ __forceinline__ void for_each(int k0, Work work) const {
    T* const corner = X.first + (k0 + my.t) * X.row + my.row * X.column;
    const int unknowns = X.n - k0 - my.t, sides = X.count - my.row;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int k = 8 * h + e % 2 * 4, c = e / 2 * 8;
        work(h, e, corner + k * X.row + c * X.column, k < unknowns && c < sides);
      }
    }
  }
};

/// What a block has in shared memory.
template <class T, class Policy>
struct alignas(16) strips_memory {
  T ring[slab_stream<T, Policy>::ring_type::elements];
  T diagonal[Policy::TILES][diagonal_tile<T>::elements];  // of the panel
  bool tame[Policy::TILES];
};

/// X <- alpha L^-1 X for the right-hand sides of a block; before it, of each panel, the exchanges of its
/// rows.
template <class T, class Policy>
__device__ __forceinline__ void solve_strip(const lower_view<T>& L, bool conjugated, const sides_view<T>& all,
                                            T alpha, const int* ipiv, strips_memory<T, Policy>& memory) {
  constexpr int TILES = Policy::TILES, WARPS = Policy::WARPS;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const tile_lane my(static_cast<int>(threadIdx.x) % 32);
  const strip_of_warp<T> mine = {all.from(16 * warp), my, !conjugated};
  const bool active = mine.X.count > 0;
  const T minus_alpha = mine.conjugated ? -conj(alpha) : -alpha;
  slab_stream<T, Policy> stream(L, memory.ring);
  const tile_places<T> facing(stream.ring.layout, my);
  for (int first = 0; first < L.n; first += square_order * TILES) {
    if (ipiv != nullptr && active && first % 32 == 0) {  // of a panel of 16 rows, those of the next one, too
      for (int j = first; j < min(L.n, first + square_order * TILES); j += 32)
        exchange_rows(mine.X, min(16, mine.X.count), ipiv, j, false);
    }
    square<T> a[TILES];
#pragma unroll
    for (int c = 0; c < TILES; ++c) {
      a[c] = active ? mine.load(first + square_order * c) : square<T>{};
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int e = 0; e < 4; ++e) a[c].half[h].x[e] = product(a[c].half[h].x[e], minus_alpha);
      }
    }
    for (int d = warp; d < TILES; d += WARPS) {
      const bool tame = diagonal_tile<T>{memory.diagonal[d]}.put(
          diagonal_elements<T>{L, first + square_order * d}, false, my);
      if (my.lane == 0) memory.tame[d] = tame;
    }
    // a <- a + X L(panel, 0:first)^T, then the panel's own columns, one tile after the other
    const int end = min(ceil_div(L.n, square_order), first / square_order + TILES);
    square<T> x = active && first > 0 ? mine.load(0) : square<T>{};
#pragma unroll 1
    for (int P = 0; P < end; ++P) {
      const int d = P - first / square_order;  // the panel's tile on the diagonal, if it is not negative
      const T* const slab = stream.next();     // at the first barrier the panel's diagonal is there
      if (!active) continue;
      if (d >= 0) {
#pragma unroll
        for (int c = 0; c < TILES; ++c) {
          if (c == d) x = a[c];
        }
        if (memory.tame[d]) {
          diagonal_tile<T>{memory.diagonal[d]}.solve(x, false, my);
        } else {
          square<T> y = x;
          substitute_tile(y, L, square_order * P, false);
          x = y;
        }
        mine.store(x, square_order * P);
      }
      const left_factor<T> left[2] = {as_left(x.half[0]), as_left(x.half[1])};
      if (d < -1) x = mine.load(square_order * (P + 1));
#pragma unroll
      for (int c = 0; c < TILES; ++c) {
        if (c > d) add_product(a[c], left, facing(stream.ring.tile(slab, c)));
      }
    }
    __syncthreads();  // before the next panel's diagonal comes
  }
  wait_for_groups<0>();
  __syncthreads();
}

/// Solves with one or two triangles.
///
/// Thread map  a block per matrix and Policy::SIDES right-hand sides, or per matrix; a warp per 16 of them
/// Stored      16 TILES unknowns of a warp's right-hand sides in registers, those before them in memory;
///             slabs of the triangle in shared memory
/// Barriers    one per slab, and one per 16 TILES unknowns
/// Info        j > 0: diagonal element or pivot j is bad, B untouched; null: nobody asks
/// Source      LAPACK's xPOTRS, xGETRS, BLAS's xTRSM; left-looking
/// Bound by    the tensor units, for small n the chain of the tiles on the diagonal
template <class T, class Policy>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    solve_in_strips(std::int64_t first_block, either_systems<T> systems, int* info_array,
                    solve_plan<T> plan) {
  auto& memory = *shared_memory<strips_memory<T, Policy>>();
  systems.template for_each_of_block<Policy>(
      first_block,
      [&](std::int64_t b, const matrix<const T>& A, const matrix<T>& B, int first, int end, bool says) {
        const sides_view<T> all(B, plan.sides_are_rows);
        const int* const ipiv = plan.ipiv[b];
        if (!is_usable(plan.bad, A, ipiv, says && info_array != nullptr ? info_array + b : nullptr)) return;
        if (is_zero(plan.alpha)) {
          set_zero<Policy::THREADS>(all.from(first), end - first);
          return;
        }
        const bool real = plan.bad == bad_diagonal::not_positive;
        for (int c = first; c < end; c += Policy::SIDES) {
          const sides_view<T> X = all.from(c);
#pragma unroll 1
          for (int t = 0; t < plan.triangles(); ++t) {
            const triangle_form& form = plan.triangle(t);
            solve_strip<T, Policy>(lower_view<T>(A, form, real), form.conjugated,
                                   form.backward ? X.reversed() : X, t == 0 ? plan.alpha : from_real<T>(1),
                                   t == 0 && plan.exchange_before ? ipiv : nullptr, memory);
          }
          if (ipiv != nullptr && !plan.exchange_before) {
            const sides_view<T> mine = X.from(16 * static_cast<int>(threadIdx.x / 32));
            if (mine.count > 0) exchange_rows(mine, min(16, mine.count), ipiv, true);
          }
        }
      });
}

template <class Line, auto FORM, class Systems, class Plan>
int strips::launch(Systems systems, int* info, queue q, Plan plan) {
  using T = typename Systems::element;
  using policy = strips_policy<Line::kernel.tiles, Line::kernel.warps, Line::kernel.blocks>;
  constexpr std::size_t bytes = sizeof(strips_memory<T, policy>);
  return launch_systems<solve_in_strips<T, policy>>(systems, policy::SIDES, dim3(policy::THREADS), bytes, q,
                                                    info, plan);
}

}  // namespace talus::cuda::blas
