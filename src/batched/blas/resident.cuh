// Solves for many right-hand sides of small systems on the tensor units: the triangles come to shared memory
// once, right-hand sides stay in registers from the first triangle to the end of the last.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/blas/solve_plan.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#ifdef __CUDACC__
#include "batched/blas/diagonal_tile.cuh"
#include "batched/blas/systems.cuh"
#include "batched/blas/triangle.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/tile.cuh"
#endif

namespace talus::cuda::blas {

/// A line of a table. n <= 16 tiles.
struct resident {
  static constexpr const char* name = "resident";
  static constexpr bool inverts = true;

  int tiles = 0;   // of 16 unknowns
  int warps = 0;   // of a block: 16 right-hand sides each
  int blocks = 0;  // of a multiprocessor, for which registers are to do; 0: as many as there are

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("warps", self.warps);
    visit("blocks", self.blocks);
  }

  /// Of shared memory, for one triangle or two.
  static constexpr std::size_t bytes(int tiles, bool two, std::size_t element_size) {
    const int all = two ? tiles * tiles : tiles * (tiles + 1) / 2;
    return static_cast<std::size_t>(256 * all + 2 * 320 * tiles) * element_size + 1024;
  }

  constexpr const char* objection(int n, int, const element& e, const gpu_limits& limits) const {
    if (tiles < 1 || tiles > 8) return "tiles is not between 1 and 8";
    if (n > 16 * tiles) return "n is above 16 tiles";
    if (warps < 1 || warps > 8) return "warps is not between 1 and 8";
    if (blocks < 0 || blocks > 32) return "blocks is not between 0 and 32";
    if (e.registers() * 8 * tiles > 128)
      return "a warp's right-hand sides need more registers than there are";
    if (bytes(tiles, true, e.size) > limits.shared_bytes)
      return "two triangles take more shared memory than there is";
    return nullptr;
  }

  /// Launches the kernel of a line for the systems of a source.
  template <class Line, auto FORM, class Systems, class Plan>
  static int launch(Systems systems, int* info, queue q, Plan plan);

  static search_space<resident> space() {
    return {{{"tiles", {1, 2, 3, 4, 6, 8}, "as n takes"},
             {"warps", {1, 2, 4, 8}, "of a block"},
             {"blocks", {0, 2, 3, 4, 8}, "of a multiprocessor"}},
            1,
            128,
            "registers hold no more unknowns",
            [](const resident& k, int n) { return 16 * k.tiles < n + 32; },
            "no more tiles than unknowns take"};
  }
};

#ifdef __CUDACC__

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
      const bool lower = is_lower(plan.triangle(t));
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
    return plan.has_second && is_lower(plan.first) != is_lower(plan.second);
  }
  __device__ static bool is_lower(const triangle_form& form) { return form.transposed == form.backward; }

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
    const bool in_pieces =
        (reinterpret_cast<std::uintptr_t>(first) | static_cast<std::uintptr_t>(A.lda) * sizeof(T)) % 16 == 0;
    if (in_pieces) {
      constexpr int PIECE = piece<T>, of_line = square_order / PIECE;
#pragma unroll
      for (int e = static_cast<int>(threadIdx.x); e < square_order * of_line; e += Policy::THREADS) {
        const int c = e / of_line, i = e % of_line * PIECE;
        const int existing = c < columns ? max(0, min(PIECE, rows - i)) : 0;
        const T* const from = first + i + static_cast<std::ptrdiff_t>(c) * A.lda;
        if constexpr (PIECE == 1) {
          copy_element_async(to + tile_layout<T>::place_of(c, i), from, existing > 0);
        } else {
          copy_existing_async(to + tile_layout<T>::place_of(c, i), from,
                              existing * static_cast<int>(sizeof(T)));
        }
      }
    } else {
#pragma unroll 1
      for (int e = static_cast<int>(threadIdx.x); e < square_elements; e += Policy::THREADS) {
        const int c = e / square_order, i = e % square_order;
        copy_element_async(to + tile_layout<T>::place_of(c, i),
                           first + i + static_cast<std::ptrdiff_t>(c) * A.lda, c < columns && i < rows);
      }
    }
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
  bool tame[2][Policy::TILES];
};

/// One pass over a triangle: a holds -B and becomes X, but for the sign in between.
template <class T, class Policy, bool UPPER>
__device__ __forceinline__ void pass_over_tiles(square<T> (&a)[Policy::TILES], const T* beside,
                                                const facing_lane<T>& facing, const T* on_diagonal,
                                                const resident_memory<T, Policy>& memory, int t,
                                                const triangle_form& form, bool real_diagonal, int n,
                                                const tile_lane& my) {
  constexpr int TILES = Policy::TILES;
#pragma unroll
  for (int step = 0; step < TILES; ++step) {
    const int d = UPPER ? TILES - 1 - step : step;
    if (square_order * d >= n) continue;
    if (memory.tame[t][d]) {
      diagonal_tile<T>{const_cast<T*>(memory.diagonal[t][d])}.solve(a[d], UPPER, my);
    } else {
      square<T> x = a[d];
      substitute_tile(x, resident_diagonal<T>{on_diagonal + d * square_elements, form, real_diagonal,
                                              n - square_order * d});
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

/// Solves with one or two triangles.
///
/// Thread map  a block per matrix and Policy::SIDES right-hand sides, or per matrix; a warp per 16 of them
/// Stored      a warp's right-hand sides in registers; the triangles in shared memory
/// Barriers    two, and one for row exchanges
/// Info        j > 0: diagonal element j is bad, B untouched; null: nobody asks
/// Source      LAPACK's xPOTRS, xGETRS, BLAS's xTRSM; right-looking
/// Bound by    memory
template <class T, class Policy, class Systems>
__global__ void __launch_bounds__(Policy::THREADS, Policy::BLOCKS)
    solve_resident(std::int64_t first_block, Systems systems, int* info_array, solve_plan<T> plan) {
  constexpr int TILES = Policy::TILES;
  __shared__ int first_bad;
  auto& memory = *shared_memory<resident_memory<T, Policy>>();
  systems.template for_each_of_block<Policy>(
      first_block, info_array,
      [&](std::int64_t b, const matrix<const T>& A, const matrix<T>& B, int first, int end, bool says) {
        const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
        const tile_lane my(thread % 32);
        const sides_view<T> all(B, plan.sides_are_rows);
        int* const info = says && info_array != nullptr ? info_array + b : nullptr;
        const int* const ipiv = plan.ipiv[b];
        if (is_zero(plan.alpha)) {
          if (thread == 0 && info != nullptr) *info = 0;
          set_zero<Policy::THREADS>(all.from(first), end - first);
          return;
        }
        const resident_triangles<T, Policy> triangles = {reinterpret_cast<T*>(&memory + 1), A};
        triangles.copy_async(plan);
        if (thread == 0) first_bad = A.n;
        for (int i = thread; i < A.n; i += Policy::THREADS) {
          int row = i;
          for (int j = A.n - 1; ipiv != nullptr && j >= 0; --j) {
            const int other = ipiv[j] - 1;
            row = row == j ? other : row == other ? j : row;
          }
          memory.place[i] = row;
        }
        wait_for_groups<0>();
        __syncthreads();
        const bool real_diagonal = plan.bad == bad_diagonal::not_positive;
        for (int i = thread; i < A.n; i += Policy::THREADS) {
          if (is_bad(plan.bad, triangles.on_diagonal(i / 16)[tile_layout<T>::place_of(i % 16, i % 16)]))
            atomicMin(&first_bad, i);
        }
#pragma unroll 1
        for (int e = warp; e < TILES * plan.triangles(); e += Policy::WARPS) {
          const int t = e / TILES, d = e % TILES;
          if (square_order * d >= A.n) continue;
          const triangle_form& form = plan.triangle(t);
          const bool tame = diagonal_tile<T>{memory.diagonal[t][d]}.put(
              resident_diagonal<T>{triangles.on_diagonal(d), form, real_diagonal, A.n - square_order * d},
              form.backward, my);
          if (my.lane == 0) memory.tame[t][d] = tame;
        }
        __syncthreads();
        const int bad = first_bad;
        if (thread == 0 && info != nullptr) *info = bad < A.n ? bad + 1 : 0;
        for (int c0 = first; bad == A.n && c0 < end; c0 += Policy::SIDES) {
          const sides_view<T> X = all.from(c0 + 16 * warp);
          if (X.count <= 0) continue;
          square<T> a[TILES];
          const auto for_each = [&](bool exchanged, auto work) {
            T* const corner = X.first + my.row * X.column;
#pragma unroll
            for (int d = 0; d < TILES; ++d) {
#pragma unroll
              for (int h = 0; h < 2; ++h) {
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                  const int k = square_order * d + 8 * h + 4 * e + my.t;
                  const bool exists = k < A.n;
                  const int row = exists && exchanged ? memory.place[k] : k;
                  T* const place = corner + row * X.row;
#pragma unroll
                  for (int below = 0; below < 2; ++below)
                    work(a[d].half[h].x[e + 2 * below], place + 8 * below * X.column,
                         exists && my.row + 8 * below < X.count, row, c0 + 16 * warp + my.row + 8 * below);
                }
              }
            }
          };
          bool conjugated = !plan.first.conjugated;  // X is kept so
          const bool exchanged = ipiv != nullptr && plan.exchange_before;
          if (plan.inverts) {
            for_each(exchanged,
                     [&](T& x, const T*, bool, int row, int c) { x = from_real<T>(row == c ? -1 : 0); });
          } else {
            for_each(exchanged, [&](T& x, const T* place, bool exists, int, int) {
              x = T{};
              if (exists) x = product(*place, -plan.alpha);
              if (conjugated) x = conj(x);
            });
          }
#pragma unroll 1
          for (int t = 0; t < plan.triangles(); ++t) {
            const triangle_form& form = plan.triangle(t);
            if (t > 0) {
              const bool flips = conjugated == form.conjugated;
              conjugated = !form.conjugated;
#pragma unroll
              for (int d = 0; d < TILES; ++d) {
#pragma unroll
                for (int h = 0; h < 2; ++h) {
#pragma unroll
                  for (int e = 0; e < 4; ++e) {
                    T& x = a[d].half[h].x[e];
                    x = flips ? -conj(x) : -x;
                  }
                }
              }
            }
            const facing_lane<T> facing(tile_layout<T>{!form.transposed, false}, my);
            const T* const beside = triangles.first_beside(plan, t);
            if (form.backward) {
              pass_over_tiles<T, Policy, true>(a, beside, facing, triangles.on_diagonal(0), memory, t, form,
                                               real_diagonal, A.n, my);
            } else {
              pass_over_tiles<T, Policy, false>(a, beside, facing, triangles.on_diagonal(0), memory, t, form,
                                                real_diagonal, A.n, my);
            }
          }
          for_each(ipiv != nullptr && !plan.exchange_before,
                   [&](T& x, T* place, bool exists, int row, int c) {
                     T result = conjugated ? conj(x) : x;
                     if (plan.part != written::all && row == c)
                       result = from_real<T>(real(result));  // it is Hermitian
                     if (exists && is_written(plan.part, row, c)) *place = result;
                   });
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
  return launch_systems<solve_resident<T, policy, Systems>>(systems, policy::SIDES, dim3(policy::THREADS),
                                                            bytes, q, info, plan);
}

#endif

}  // namespace talus::cuda::blas
