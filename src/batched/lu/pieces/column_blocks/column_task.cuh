// Clusters factor the panels of LU.
#pragma once

#include "batched/lu/pieces/column_blocks/column_panel.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/task_queue.cuh"
#include "gpu/trsm.cuh"

namespace talus::cuda::lu {

/// A cluster factors a panel of NB columns in what is left of a matrix when a step begins. The cluster
/// updates the panel with each panel to its left, as soon as that panel is factored. The pivots of a panel
/// exchange no rows of the panels to its left, because other clusters still read these.
template <class T, class Policy>
struct column_task {
  using R = real_t<T>;
  using block_t = column_block<T, Policy>;
  using ring_t = typename Policy::ring;
  using row_units_t = typename block_t::row_units_t;
  static constexpr int NB = Policy::NB, UNIT = Policy::UNIT, TILES = Policy::TILES,
                       ROW_TILES = Policy::ROW_TILES;
  static constexpr int WARPS = Policy::WARPS;
  static constexpr bool ALONE = Policy::ALONE;
  static constexpr int SLABS = Policy::SLABS, PARTS = TILES / SLABS;

  matrix<T> A;  // from the first row and column of the step on
  elimination<R> each;
  int origin;     // rows and columns of the matrix that are before it
  int* progress;  // panels of the matrix that are done
  row_units_t units;
  std::size_t room;  // elements for a column block in shared memory
  cluster_size<ALONE> blocks = {};
  int lane = static_cast<int>(threadIdx.x % 32), warp = uniform(static_cast<int>(threadIdx.x / 32));

  __device__ column_task(const matrix<T>& A_, const elimination<R>& each_, int origin_, int* progress_,
                         std::size_t room_)
      : A(A_), each(each_), origin(origin_), progress(progress_), units(A.m), room(room_) {}

  /// Factors panel J. Out of line, as all tasks, so that each has the registers for itself.
  __device__ __noinline__ static void factor(column_task all, int J, int* info) { all.factor(J, info); }
  __device__ __forceinline__ void factor(int J, int* info) const {
    const column_panel<T, Policy> C = columns_of(J);
    C.load();
    int known = 0;
#pragma unroll 1
    for (int K = 0; K < J; ++K) {
      block_t::arrive();
      wait_for(K, known);
      apply(C, K);
    }
    const auto [failed, replaced] = C.factor(J, each);
    if (threadIdx.x == 0 && C.rank == 0) {
      const bool is_first = origin + J == 0;
      if (is_first || (failed != 0 && *info == 0)) *info = failed == 0 ? 0 : origin + failed;
      if (!each.exchanges && each.replaced != nullptr)
        *each.replaced = replaced + (is_first ? 0 : *each.replaced);
    }
    if (each.exchanges && C.rank == 0 && static_cast<int>(threadIdx.x) < C.width)
      each.ipiv[J * NB + threadIdx.x] = origin + J * NB + block_t::memory().rows.pivot[threadIdx.x] + 1;
    C.store(J * NB);
    block_t::synchronize();
    if (threadIdx.x == 0 && C.rank == 0) tell(progress, origin / NB + J + 1);
  }

 private:
  __device__ unit_rows<T> columns_at(int J) const { return {&A(0, J * NB), A.lda}; }
  __device__ int width_of(int J) const { return min(NB, each.columns - J * NB); }

  /// Returns panel J, in shared memory if it fits.
  __device__ __forceinline__ block_t columns_of(int J) const {
    T* const columns = shared_memory<T>() + Policy::resident;
    return {columns_at(J), units, width_of(J),
            block_t::elements(units.all, blocks) <= room ? columns : nullptr};
  }

  /// Until panel K is factored.
  __device__ __forceinline__ void wait_for(int K, int& known) const {
    if (known <= K) {
      if (threadIdx.x == 0) {
        do known = told(progress) - origin / NB;
        while (known <= K);
        block_t::memory().known = known;
      }
    }
    __syncthreads();
    known = block_t::memory().known;
  }

  /// What panel K does to a block of columns: rows are exchanged, U <- L11^-1 A1, A2 <- A2 - L21 U. Before,
  /// all blocks of the cluster arrive: they have updated their rows.
  ///
  /// Barriers  one of the cluster, or two where rows stay in memory, and the second half of another
  __device__ __forceinline__ void apply(const block_t& C, int K) const {
    const int width = width_of(K), first = K * NB, below = first + NB;
    const unit_rows<T> L = columns_at(K);
    ring_t ring(shared_memory<T>() + Policy::slabs, true, L.ld);
    const part_of_L next = fetch_first(ring, L, C.first_of_mine(below / UNIT), width);
    if (each.exchanges && warp == WARPS - 1) {  // it gets tiles of L11 last, if at all
      auto& rows = block_t::memory().rows;
      for (int t = lane; t < width; t += 32) rows.pivot[t] = each.ipiv[first + t] - 1 - origin - first;
      __syncwarp();
      rows.template find<32>(0, width);
    }
    read_diagonal({L.first + first, L.ld}, A.m - first, width);
    __syncthreads();
    block_t::wait();
    solve(C, first, width);
    update(C, ring, next, L, first, below, width);
  }

  // ---- the panel's rows --------------------------------------------------------------------------

  __device__ T* below(int I, int P) const {
    return shared_memory<T>() + Policy::below + (I * (I - 1) / 2 + P) * square_elements;
  }
  __device__ T* factored(int c) const {
    return shared_memory<T>() + Policy::factored + c * factored_elements + 2 * lane;
  }

  /// L11 of a panel as solves want it: unit lower, the identity where there are no columns.
  __device__ __forceinline__ void read_diagonal(const unit_rows<T>& L, int rows, int width) const {
    const tile_lane my(lane);
    for (int tile = warp; tile < TILES * (TILES + 1) / 2; tile += WARPS) {
      int I = tile, P = tile;  // those on the diagonal first: they take longest
      if (tile >= TILES) {
        P = tile - TILES, I = 1;
        while (P >= I) P -= I++;
      }
      square<T> a;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int i = I * square_order + my.row + e / 2 * 8,
                    j = P * square_order + my.t + e % 2 * 4 + 8 * h;
          a.half[h].x[e] = from_real<T>(i == j ? 1 : 0);
          if (i > j && i < rows && j < width) a.half[h].x[e] = L(i, j);
        }
      }
      if (I == P) {
        put_factored(factored(I), a, lane);
      } else {
        put(below(I, P) + lane * tile_piece<T>, a);
      }
    }
  }

  /// Rows are exchanged, and U <- L11^-1 A1: of 16 columns by a warp of one of the blocks, which stores it.
  ///
  /// Barriers  one of the cluster, or two, and one of the block
  __device__ __forceinline__ void solve(const block_t& C, int first, int width) const {
    constexpr int EACH = ceil_div(NB, WARPS);
    static_assert(NB <= 32);
    const int wj = warp * C.blocks.count() + C.rank;
    const auto& rows = block_t::memory().rows;
    T x[EACH];
    T* to = nullptr;
    std::ptrdiff_t ld = 0;
    if (each.exchanges) {
      const int target = lane < width && rows.target[lane] >= 0 ? first + rows.target[lane] : -1;
      if (target >= 0 && C.block_of(target) == C.rank) {
        const unit_rows<T> rest = C.rows_of_mine(target);
        to = rest.first;
        ld = rest.ld;
        const T* const from = &C.at(first + rows.origin[lane], 0);
#pragma unroll
        for (int e = 0; e < EACH; ++e) {
          if (warp + WARPS * e < C.width) x[e] = from[(warp + WARPS * e) * ld];
        }
      }
    }
    if (C.resident == nullptr) block_t::synchronize();  // U comes to where these rows are
    if (wj < TILES) solve_columns(C, first, wj, width);
    block_t::synchronize();
    if (to != nullptr) {
#pragma unroll
      for (int e = 0; e < EACH; ++e) {
        if (warp + WARPS * e < C.width) to[(warp + WARPS * e) * ld] = x[e];
      }
    }
    __syncthreads();
  }
  /// In registers is the conjugate transpose, so that L11 is solved with from the right.
  __device__ __forceinline__ void solve_columns(const block_t& C, int first, int wj, int width) const {
    const tile_lane my(lane);
    const int c = wj * square_order + my.row;
    square<T> x[TILES];
#pragma unroll
    for (int I = 0; I < TILES; ++I) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          const int t = I * square_order + my.t + k * 4 + 8 * h;
          const int row = first + (each.exchanges && t < width ? block_t::memory().rows.source[t] : t);
          const bool exists = row % UNIT < C.units.rows(row / UNIT);
          const unit_rows<T> unit = C.unit(row / UNIT);
          const T* const from = unit.first + row % UNIT;
#pragma unroll
          for (int e = 0; e < 2; ++e) {
            x[I].half[h].x[k + 2 * e] = T{};
            if (exists && c + 8 * e < C.width) x[I].half[h].x[k + 2 * e] = conj(from[(c + 8 * e) * unit.ld]);
          }
        }
      }
    }
    const unit_rows<T> to = C.stored_rows(first);
    const int rows = A.m - first;
#pragma unroll
    for (int I = 0; I < TILES; ++I) {
      trsm_tile(x[I], factored(I));
#pragma unroll
      for (int P = I + 1; P < TILES; ++P)
        subtract_product(x[P], x[I],
                         facing_square<T>(static_cast<const T*>(below(P, I)) + lane * tile_piece<T>));
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int i = I * square_order + my.t + e % 2 * 4 + 8 * h, j = c + e / 2 * 8;
          if (i < rows && j < C.width) to(i, j) = conj(x[I].half[h].x[e]);
        }
      }
    }
  }

  // ---- the rows below ----------------------------------------------------------------------------

  /// The part of L that is copied next: of unit u, SLABS times 16 columns.
  struct part_of_L {
    int u, part;
  };
  __device__ __forceinline__ void fetch(ring_t& ring, const unit_rows<T>& L, part_of_L& next,
                                        int width) const {
    const int u = next.u;
    if (u < units.all) {
      ring.step = L.ld;
#pragma unroll
      for (int s = 0; s < SLABS; ++s) {
        const int c = (next.part * SLABS + s) * square_order;
        ring.fetch(&L(u * UNIT, c), {units.rows(u), width - c}, threadIdx.x);
        ring.advance();
      }
    }
    close_group();
    next = next.part + 1 < PARTS ? part_of_L{u, next.part + 1} : part_of_L{u + blocks.count(), 0};
  }
  /// The first parts, before update().
  __device__ __forceinline__ part_of_L fetch_first(ring_t& ring, const unit_rows<T>& L, int u,
                                                   int width) const {
    part_of_L next = {u, 0};
#pragma unroll 1
    for (int k = 0; k < Policy::DEPTH - 1; ++k) fetch(ring, L, next, width);
    return next;
  }

  /// A2 <- A2 - L21 U, of the rows from `begin` on, with U in the rows from `first` on: a warp has 16
  /// columns, of which U stays in registers, and of a unit's tiles of 16 rows every TEAMS-th.
  __device__ __forceinline__ void update(const block_t& C, ring_t& ring, part_of_L next,
                                         const unit_rows<T>& L, int first, int begin, int width) const {
    constexpr int TEAMS = WARPS / TILES, EACH = ceil_div(ROW_TILES, TEAMS);
    const int wj = warp % TILES, r = warp / TILES;
    const tile_lane my(lane);
    const int j = wj * square_order + my.row;
    const unit_rows<T> solved = C.stored_rows(first);
    facing_square<T> U[TILES];
#pragma unroll
    for (int I = 0; I < TILES; ++I) {
      square<T> x;
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int t = I * square_order + my.t + e % 2 * 4 + 8 * h;
          x.half[h].x[e] = T{};
          if (t < width && j + e / 2 * 8 < C.width) x.half[h].x[e] = -conj(solved(t, j + e / 2 * 8));
        }
      }
      U[I] = facing_square<T>(x);
    }
    const tile_places<T> places(ring.layout, my);
    int now = 0;  // where in the ring the part is
#pragma unroll 1
    for (int u = C.first_of_mine(begin / UNIT); u < units.all; u += C.blocks.count()) {
      const unit_rows<T> A2 = C.unit_of_mine(u);
      const int above = begin - u * UNIT, below = units.rows(u);
      T* const corner = &A2(r * square_order + my.row, wj * square_order + my.t);
      const auto for_each = [&](auto work) {
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
#pragma unroll
          for (int h = 0; h < 2; ++h) {
#pragma unroll
            for (int e = 0; e < 4; ++e) {
              const int i = k * TEAMS * square_order + e / 2 * 8, c = e % 2 * 4 + 8 * h;
              const int row = r * square_order + my.row + i, column = wj * square_order + my.t + c;
              const bool inside = C.resident != nullptr || (row >= above && row < below && column < C.width);
              if (r + k * TEAMS < ROW_TILES && inside) work(k, h, e, corner + i + c * A2.ld);
            }
          }
        }
      };
      square<T> a[EACH] = {};
      for_each([&](int k, int h, int e, const T* at) { a[k].half[h].x[e] = *at; });
#pragma unroll
      for (int part = 0; part < PARTS; ++part) {
        wait_for_groups<Policy::DEPTH - 2>();
        __syncthreads();
        const T* const slabs = ring.shared + now * SLABS * ring_t::of_slab;
        now = now + 1 == Policy::DEPTH ? 0 : now + 1;
        fetch(ring, L, next, width);
#pragma unroll
        for (int s = 0; s < SLABS; ++s) {
#pragma unroll
          for (int k = 0; k < EACH; ++k) {
            if (r + k * TEAMS >= ROW_TILES) continue;
            const square<T> l = places.get(ring.tile(slabs + s * ring_t::of_slab, r + k * TEAMS));
            const left_factor<T> left[2] = {as_left(l.half[0]), as_left(l.half[1])};
            add_product(a[k], left, U[part * SLABS + s]);
          }
        }
      }
      for_each([&](int k, int h, int e, T* at) { *at = a[k].half[h].x[e]; });
    }
    wait_for_groups<0>();
  }
};

}  // namespace talus::cuda::lu
