// LU of a few large matrices, or of their first k columns: blocks of columns are tasks of clusters. One
// brings to its columns what the panels to their left do, as soon as each is there, and factors them, if they
// are a panel. So panels are factored while what is further to the right is still being updated.
#pragma once

#include <algorithm>

#include "batch.hpp"
#include "batched/lu/backends.hpp"
#include "batched/lu/fronts.hpp"
#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"
#ifdef __CUDACC__
#include "batched/lu/column_block.cuh"
#include "batched/lu/front.cuh"
#include "gpu/scratch.cuh"
#include "gpu/slab_ring.cuh"
#include "gpu/task_queue.cuh"
#include "gpu/trsm.cuh"
#endif

namespace talus::cuda::lu {

/// A line of a table. Every m and n.
struct column_blocks {
  static constexpr const char* name = "column_blocks";
  static constexpr bool needs_order = true;  // of mixed sizes

  int blocks = 0;  // of a cluster
  int nb = 0;      // columns of a task

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("blocks", self.blocks);
    visit("nb", self.nb);
  }

  constexpr const char* objection(int, int, const element& e, const gpu_limits& limits) const {
    if (blocks != 1 && blocks != 2 && blocks != 4 && blocks != 8) return "blocks is not 1, 2, 4 or 8";
    if (nb != 16 && nb != 32 && nb != 64) return "nb is not 16, 32 or 64";
    if (e.registers() * nb > 128) return "a warp's part of U needs more registers than there are";
    if (blocks > limits.cluster) return "the GPU has no clusters of so many blocks";
    if (bytes(e.size) > limits.shared_bytes) return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Rows that go together.
  constexpr int unit() const { return nb == 16 ? 128 : 64; }
  /// Slabs of 16 columns that are copied together.
  constexpr int slabs() const { return blocks == 1 || nb == 16 ? 1 : nb / 32; }
  /// Shared memory of a block, without what of a block of columns may lie there: tiles of L11, slabs of L21,
  /// and what blocks tell each other.
  constexpr std::size_t bytes(std::size_t element_size) const {
    const int tiles = nb / 16, L11 = tiles * (tiles - 1) / 2 * 256 + tiles * 5 * 64, of_slab = unit() * 16;
    const std::size_t elements = static_cast<std::size_t>(L11 + 2 * slabs() * of_slab + 16 * nb + 64);
    const std::size_t offers = 8 + 16 * static_cast<std::size_t>(blocks);
    return (elements + 9 * offers) * element_size + 32 * offers + 24 * static_cast<std::size_t>(nb) + 2048;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, pivoting HOW, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<column_blocks> space() {
    return {{{"blocks", {1, 2, 4, 8}, "of a cluster"},
             {"nb", {16, 32, 64}, "fewer stay on the chip with more rows"}},
            128,
            any_extent,
            "smaller ones are on the chip of one multiprocessor",
            [](const column_blocks&, int) { return true; },
            "all"};
  }
};

#ifdef __CUDACC__

/// What the kernel is compiled for.
template <class T, int BLOCKS_, int NB_, int UNIT_, int SLABS_>
struct column_blocks_policy {
  static constexpr int NB = NB_, IB = 8, WARPS = 8, BLOCKS = BLOCKS_, THREADS = 32 * WARPS;
  static constexpr int UNIT = UNIT_;  // rows that go together
  static constexpr int TILES = NB / square_order, ROW_TILES = UNIT / square_order;
  static constexpr int ROWS = sizeof(T) == 16 ? 4 : 8;  // of a panel, per thread, at most
  static constexpr int SLABS = SLABS_;                  // of 16 columns, that are copied together
  static_assert(UNIT % NB == 0);
  using ring = slab_ring<T, ROW_TILES, THREADS, 2 * SLABS>;
  // Where in shared memory, in elements: tiles of L11 below its diagonal, what solves with those on it, slabs
  // of L21, and a block of columns.
  static constexpr int below = 0, factored = below + TILES * (TILES - 1) / 2 * square_elements;
  static constexpr int slabs = factored + TILES * factored_elements;
  static constexpr int resident = slabs + ring::elements;
};

/// The tasks of a matrix: its columns go by blocks of NB, those of its panels first. After one task for each
/// comes one for each panel but the last: its rows are exchanged as later pivots want it. Until then the
/// others need it as it is.
template <class T, class Policy, pivoting HOW>
struct column_task {
  using R = real_t<T>;
  using block_t = column_block<T, Policy>;
  using ring_t = typename Policy::ring;
  using row_units_t = typename block_t::row_units_t;
  static constexpr int NB = Policy::NB, UNIT = Policy::UNIT, TILES = Policy::TILES,
                       ROW_TILES = Policy::ROW_TILES;
  static constexpr int WARPS = Policy::WARPS, BLOCKS = Policy::BLOCKS, THREADS = Policy::THREADS;
  static constexpr int SLABS = Policy::SLABS;

  front<T> A;
  elimination<R> each;
  split how;
  int* progress;  // panels that are done
  row_units_t units;
  int panels, blocks;  // of columns
  column_block_memory<T, Policy>& memory;
  std::size_t room;  // elements for a column block in shared memory
  int lane = static_cast<int>(threadIdx.x) % 32, warp = uniform(static_cast<int>(threadIdx.x) / 32);

  __device__ column_task(const front<T>& A_, const elimination<R>& each_, const split& how_, int* progress_,
                         column_block_memory<T, Policy>& memory_, std::size_t room_)
      : A(A_),
        each(each_),
        how(how_),
        progress(progress_),
        units(A.A11.m, A.A21.m),
        panels(ceil_div(each.columns, NB)),
        blocks(panels + ceil_div(A.A12.n, NB)),
        memory(memory_),
        room(room_) {}

  /// Tasks of a matrix.
  __device__ static int count(const front<T>& A, int columns) {
    const int panels = ceil_div(columns, NB);
    return panels + ceil_div(A.A12.n, NB) + (HOW == pivoting::partial ? max(0, panels - 1) : 0);
  }

  /// finished: tasks of the matrix that are.
  __device__ __forceinline__ void operator()(int number, const int* finished, int* info) const {
    if (panels == 0 && number == 0 && threadIdx.x == 0) {
      *info = 0;
      if (HOW == pivoting::none && each.replaced != nullptr) *each.replaced = 0;
    }
    if (number >= blocks) {
      if (threadIdx.x == 0) {
        while (told(finished) < blocks) continue;
      }
      __syncthreads();
      exchange_rows(number - blocks);
    } else if (number >= panels && how.form == form::left) {
      multiply_by_inverse(number, info);
    } else {
      do_columns(number, info);
    }
  }

 private:
  __device__ stored_columns<T> columns_at(int J) const {
    const bool is_panel = J < panels;
    const std::ptrdiff_t j = is_panel ? J * NB : (J - panels) * NB;
    T* const top = is_panel ? A.A11.A : A.A12.A;
    T* const bottom = is_panel ? A.A21.A : A.A22.A;
    const int lda_top = is_panel ? A.A11.lda : A.A12.lda, lda_bottom = is_panel ? A.A21.lda : A.A22.lda;
    return {top + j * lda_top, bottom + j * lda_bottom, lda_top, lda_bottom};
  }
  __device__ int width_of(int J) const {
    return min(NB, J < panels ? each.columns - J * NB : A.A12.n - (J - panels) * NB);
  }

  /// A block of columns, of some of its rows; in shared memory if it fits.
  __device__ __forceinline__ block_t columns_of(int J, const row_units_t& rows) const {
    const bool fits = block_t::elements(rows.all) <= room;
    return {columns_at(J), rows, width_of(J), fits ? shared_memory<T>() + Policy::resident : nullptr, memory};
  }
  /// From where on A22 is not read, and becomes the negative of what it is without it.
  __device__ int first_of_product() const { return how.schur == schur::product ? units.of_top : units.all; }

  /// A block of columns of the factors, or of U12 and A22.
  __device__ __forceinline__ void do_columns(int J, int* info) const {
    const bool is_panel = J < panels;
    const block_t C = columns_of(J, is_panel && how.form == form::left ? row_units_t(A.A11.m, 0) : units);
    const int product = is_panel ? units.all : first_of_product();
    C.load(product);
    int known = 0;
#pragma unroll 1
    for (int K = 0; K < min(J, panels); ++K) {
      wait_for(K, known);
      apply(C, K);
    }
    if (is_panel) {
      const auto [failed, replaced] = C.template factor<HOW>(J, each.pivot_rows, each.floor);
      if (threadIdx.x == 0 && C.rank == 0) {
        if (J == 0 || (failed != 0 && *info == 0)) *info = failed;
        if (HOW == pivoting::none && each.replaced != nullptr)
          *each.replaced = replaced + (J == 0 ? 0 : *each.replaced);
      }
      if (HOW == pivoting::partial && C.rank == 0 && static_cast<int>(threadIdx.x) < C.width)
        each.ipiv[J * NB + threadIdx.x] = J * NB + memory.rows.pivot[threadIdx.x] + 1;
    }
    block_t::synchronize();
    C.store(min(J, panels) * NB, product);
    __threadfence();
    block_t::synchronize();
    if (is_panel && threadIdx.x == 0 && C.rank == 0) tell(progress, J + 1);
  }
  /// Until panel K is factored.
  __device__ __forceinline__ void wait_for(int K, int& known) const {
    if (known <= K) {
      if (threadIdx.x == 0) {
        do known = told(progress);
        while (known <= K);
        memory.known = known;
      }
    }
    __syncthreads();
    known = memory.known;
  }

  /// What panel K does to a block of columns: rows are exchanged, U <- L11^-1 A1, A2 <- A2 - L21 U.
  ///
  /// Barriers  two of the cluster
  __device__ __forceinline__ void apply(const block_t& C, int K) const {
    const int width = width_of(K), first = K * NB, below = first + NB, end = C.units.all * UNIT;
    const stored_columns<T> L = columns_at(K);
    ring_t ring(shared_memory<T>() + Policy::slabs, true, L.lda_top);
    if (HOW == pivoting::partial && static_cast<int>(threadIdx.x) < width)
      memory.rows.pivot[threadIdx.x] = each.ipiv[first + threadIdx.x] - 1 - first;
    fetch(ring, C.units, L, C.first_of_mine(below / UNIT), C.units.all, 0, width);
    read_diagonal({L.top + first, L.lda_top}, C.units.top - first, width);
    __syncthreads();
    if (HOW == pivoting::partial) memory.rows.template find<WARPS>(0, width);
    block_t::synchronize();  // all blocks have updated their rows
    solve(C, first, width);
    update(C, ring, L, first, below, end, width);
  }

  /// A12 <- A11^-1 A12, A22 <- A22 - A21 A12, or A21 A12, by a block of columns; nothing if A11 is singular.
  __device__ __forceinline__ void multiply_by_inverse(int J, const int* info) const {
    int known = 0;
    if (panels > 0) wait_for(panels - 1, known);
    if (panels > 0 && *static_cast<const volatile int*>(info) != 0) return;
    const block_t top = columns_of(J, row_units_t(A.A11.m, 0));
    top.load(units.all);
#pragma unroll 1
    for (int K = 0; K < panels; ++K) {
      __syncthreads();
      apply(top, K);
    }
    const block_t C(columns_at(J), units, width_of(J), nullptr, memory);
    const int product = first_of_product();
    C.load(product);
#pragma unroll 1
    for (int K = panels - 1; K >= 0; --K) {
      const int width = width_of(K), first = K * NB;
      const stored_columns<T> L = columns_at(K);
      const auto update_rows = [&](int begin, int end) {
        ring_t ring(shared_memory<T>() + Policy::slabs, true, L.lda_top);
        __syncthreads();
        fetch(ring, units, L, C.first_of_mine(begin / UNIT), ceil_div(end, UNIT), 0, width);
        update(C, ring, L, first, begin, end, width);
      };
      __threadfence();
      block_t::synchronize();
      solve_upper(C, first, width);
      __threadfence();
      block_t::synchronize();
      update_rows(0, first);
      update_rows(units.of_top * UNIT, units.all * UNIT);
    }
    __syncthreads();
    C.store(0, product);
    block_t::synchronize();
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
    constexpr int EACH = ceil_div(NB, WARPS), HALVES = ceil_div(NB, 32);
    const int wj = warp * BLOCKS + C.rank;
    const auto& rows = memory.rows;
    T x[HALVES][EACH];
    T* to[HALVES] = {};
    std::ptrdiff_t ld = 0;
    if constexpr (HOW == pivoting::partial) {
#pragma unroll
      for (int half = 0; half < HALVES; ++half) {
        const int t = lane + 32 * half,
                  target = t < width && rows.target[t] >= 0 ? first + rows.target[t] : -1;
        if (target < 0 || C.block_of(target) != C.rank) continue;
        const unit_rows<T> rest = C.rows_of_mine(target);
        to[half] = rest.first;
        ld = rest.ld;
        const T* const from = &C.at(first + rows.origin[t], 0);
#pragma unroll
        for (int e = 0; e < EACH; ++e) {
          if (warp + WARPS * e < C.width) x[half][e] = from[(warp + WARPS * e) * ld];
        }
      }
    }
    if (C.resident == nullptr) block_t::synchronize();  // U comes to where these rows are
    if (wj < TILES) solve_columns(C, first, wj, width);
    block_t::synchronize();
#pragma unroll
    for (int half = 0; half < HALVES; ++half) {
      if (to[half] == nullptr) continue;
#pragma unroll
      for (int e = 0; e < EACH; ++e) {
        if (warp + WARPS * e < C.width) to[half][(warp + WARPS * e) * ld] = x[half][e];
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
          const int row = first + (HOW == pivoting::partial && t < width ? memory.rows.source[t] : t);
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
    const int rows = C.units.top - first;
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

  /// X <- U11^-1 A1 in the panel's rows, by substitution: 8 columns by a block.
  __device__ __forceinline__ void solve_upper(const block_t& C, int first, int width) const {
    constexpr int COLUMNS = tile_columns, GROUPS = THREADS / COLUMNS;
    T* const U = shared_memory<T>();  // NB x NB
    T* const x = U + NB * NB;         // NB x 8
    static_assert(NB * (NB + COLUMNS) <= Policy::resident);
    const int thread = static_cast<int>(threadIdx.x), c = thread / GROUPS, group = thread % GROUPS;
    const stored_columns<T> panel = columns_at(first / NB);
    const unit_rows<T> U11{panel.top + first, panel.lda_top}, A1 = C.stored_rows(first);
    __syncthreads();
    for (int e = thread; e < NB * NB; e += THREADS) {
      const int i = e % NB, j = e / NB;
      U[e] = i <= j && j < width ? U11(i, j) : T{};
    }
    for (int begin = C.rank * COLUMNS; begin < NB; begin += BLOCKS * COLUMNS) {
      const int column = begin + c;
      for (int i = group; i < NB; i += GROUPS)
        x[i + NB * c] = i < width && column < C.width ? A1(i, column) : T{};
      for (int t = width - 1; t >= 0; --t) {
        __syncthreads();
        const T solved = x[t + NB * c] / U[t + NB * t];
        for (int i = group; i < t; i += GROUPS) multiply_add(x[i + NB * c], -U[i + NB * t], solved);
        if (group == 0 && column < C.width) A1(t, column) = solved;
      }
      __syncthreads();
    }
  }

  // ---- the rows below ----------------------------------------------------------------------------

  /// Part `part` of the columns of L in unit u, if that is before `end`.
  __device__ __forceinline__ void fetch(ring_t& ring, const row_units_t& units, const stored_columns<T>& L,
                                        int u, int end, int part, int width) const {
    if (u < end) {
      const bool in_top = u < units.of_top;
      const std::ptrdiff_t lda = in_top ? L.lda_top : L.lda_bottom;
      const T* const rows = in_top ? L.top + u * UNIT : L.bottom + (u - units.of_top) * UNIT;
      ring.step = lda;
#pragma unroll
      for (int s = 0; s < SLABS; ++s) {
        const int c = (part * SLABS + s) * square_order;
        ring.fetch(rows + c * lda, {units.rows(u), width - c}, threadIdx.x);
        ring.advance();
      }
    }
    close_group();
  }

  /// A2 <- A2 - L21 U, of rows `begin` to before `end`, with U in the rows from `first` on: a warp has 16
  /// columns, of which U stays in registers, and of a unit's tiles of 16 rows every TEAMS-th.
  __device__ __forceinline__ void update(const block_t& C, ring_t& ring, const stored_columns<T>& L,
                                         int first, int begin, int end, int width) const {
    constexpr int TEAMS = WARPS / TILES, EACH = ceil_div(ROW_TILES, TEAMS), PARTS = TILES / SLABS;
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
    const int end_unit = ceil_div(end, UNIT);
    int now = 0;  // which half of the ring has what was copied last
#pragma unroll 1
    for (int u = C.first_of_mine(begin / UNIT); u < end_unit; u += BLOCKS) {
      const unit_rows<T> A2 = C.unit_of_mine(u);
      const int above = begin - u * UNIT, below = min(end - u * UNIT, C.units.rows(u));
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
        wait_for_groups<0>();
        __syncthreads();
        // the slabs that were copied last; the others make room
        const T* const slabs = ring.shared + now * SLABS * ring_t::of_slab;
        now = 1 - now;
        fetch(ring, C.units, L, part + 1 < PARTS ? u : u + BLOCKS, end_unit, (part + 1) % PARTS, width);
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

  // ---- what is to the left -----------------------------------------------------------------------

  /// Rows of panel K as later pivots exchange them.
  __device__ __forceinline__ void exchange_rows(int K) const {
    const int first = (K + 1) * NB, rank = BLOCKS > 1 ? rank_in_cluster() : 0;
    const int rows = each.pivot_rows - first, thread = static_cast<int>(threadIdx.x);
    int* const from = shared_memory<int>();
    T* const column =
        shared_memory<T>() + ceil_div(rows * static_cast<int>(sizeof(int)), static_cast<int>(sizeof(T)));
    for (int i = thread; i < rows; i += THREADS) from[i] = i;
    for (int begin = first; begin < each.columns; begin += NB) {
      const int count = min(NB, each.columns - begin);
      __syncthreads();
      auto& exchanged = memory.rows;
      if (thread < count) exchanged.pivot[thread] = each.ipiv[begin + thread] - 1 - begin;
      __syncthreads();
      exchanged.template find<WARPS>(0, count);
      int* const here = from + begin - first;
      int source = 0, origin = 0;
      if (thread < count) {
        source = here[exchanged.source[thread]];
        origin = here[exchanged.origin[thread]];
      }
      __syncthreads();
      if (thread < count) {
        here[thread] = source;
        if (exchanged.target[thread] >= 0) here[exchanged.target[thread]] = origin;
      }
    }
    __syncthreads();
    const stored_columns<T> L = columns_at(K);
    for (int c = rank; c < NB; c += BLOCKS) {
      T* const A = L.top + first + c * static_cast<std::ptrdiff_t>(L.lda_top);
      for (int i = thread; i < rows; i += THREADS) column[i] = A[i];
      __syncthreads();
      for (int i = thread; i < rows; i += THREADS) {
        if (from[i] != i) A[i] = column[from[i]];
      }
      __syncthreads();
    }
  }
};

/// Left-looking LU of the first columns of each matrix, by blocks of columns; its panels are right-looking.
///
/// Thread map  a cluster per task, task after task; of a block of columns each of its blocks has every
///             BLOCKS-th unit of NB rows
/// Stored      a block of columns in the shared memory of the cluster if it fits, else where it is
/// Launch      as many clusters as the device holds at once; task_queue_bytes of scratch. room: elements that
///             a block has for columns
/// Barriers    those of a task; clusters tell each other in memory how many panels of a matrix are there
/// Info        j: as LAPACK
/// Source      LAPACK's xGETRF, left-looking by columns of blocks
/// Bound by    with few matrices the chain of pivots; with large ones the second-level cache
template <class T, class Policy, pivoting HOW, class Source>
__global__ void __launch_bounds__(Policy::THREADS, 1)
    getrf_column_blocks(std::int64_t, Source source, int* info_array, task_queue queue, std::size_t room) {
  using task_t = column_task<T, Policy, HOW>;
  __shared__ column_block_memory<T, Policy> memory;
  if (threadIdx.x == 0) {
    memory.turns = memory.rounds = 0;
    for (arrivals& a : memory.offered) a.open();
    memory.moved.open();
  }
  column_block<T, Policy>::synchronize();
  source.positions.begin();
  for_each_task<Policy::BLOCKS>(
      queue, source.positions.count(),
      [&](int position) {
        const auto b = source.positions.number(position);
        return task_t::count(source.front_at(b), source.elimination_at(b).columns);
      },
      [&](const task_of_matrix& mine) {
        const auto b = source.positions.number(mine.position);
        const task_t task(source.front_at(b), source.elimination_at(b), source.how(),
                          queue.progress_of(mine.slot), memory, room);
        task(mine.number, queue.finished + mine.slot, info_array + b);
      });
  source.positions.end();
}

/// Queues behind what the order of a call takes of its scratch, if it has one; clusters as many as the device
/// holds at once.
template <class T, class Policy, pivoting HOW, class Fronts>
int launch_column_blocks(const Fronts& fronts, int* info, queue q) {
  constexpr std::size_t of_variables = sizeof(column_block_memory<T, Policy>) + 1024;
  std::size_t shared = 0;
  if (const int status = shared_memory_limit(shared)) return status;
  const std::size_t least = sizeof(T) * Policy::resident;
  if (shared < least + of_variables) return err_unsupported;
  shared = (shared - of_variables) / 128 * 128;
  const launch_options how = {false, all_shared, Policy::BLOCKS};
  const dim3 threads(Policy::THREADS);
  const scratch work(q, lu_work_bytes(fronts.positions.most), fronts.offset_of_scratch());
  if (work.status != 0) return work.status;
  const std::size_t room = shared / sizeof(T) - Policy::resident;
  task_queue tasks = {};
  std::int64_t clusters = 0;
  if (const int status = clusters_at_once<getrf_column_blocks<T, Policy, HOW, Fronts>>(
          how, threads, shared, q, clusters, fronts, info, tasks, room))
    return status;
  if (const int status = make_task_queue(tasks, work.memory(), fronts.positions.most, 1, q)) return status;
  return launch<getrf_column_blocks<T, Policy, HOW, Fronts>>(how, clusters * Policy::BLOCKS, threads, shared,
                                                             q, fronts, info, tasks, room);
}

template <class Line, pivoting HOW, class Source, class Then>
int column_blocks::launch(Source source, int* info, queue q, Then then) {
  using T = typename Source::element;
  constexpr column_blocks p = Line::kernel;
  using policy = column_blocks_policy<T, p.blocks, p.nb, p.unit(), p.slabs()>;
  static_assert(sizeof(column_block_memory<T, policy>) + policy::resident * sizeof(T) + 1024 <=
                p.bytes(sizeof(T)));
  return launch_in_parts(as_fronts(source, then), source.count(), [&](const auto& fronts) {
    return launch_column_blocks<T, policy, HOW>(fronts, info, q);
  });
}

#endif

}  // namespace talus::cuda::lu
