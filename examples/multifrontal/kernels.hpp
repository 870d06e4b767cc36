// What the solver computes beside Talus's calls, written once for both backends. A body works on an item with
// the threads of a block: 64 or 256 on a GPU, one on the CPU. run() works on all items.
#pragma once

#include <cstdint>

#include "plan.hpp"
#include "talus/types.hpp"

#ifdef __CUDACC__
#define MULTIFRONTAL_BOTH __host__ __device__
#else
#define MULTIFRONTAL_BOTH
#endif

namespace multifrontal {

/// A thread among those of its block, which stand in rows of `width`.
struct block_thread {
  int x = 0, y = 0, width = 1, height = 1;

  MULTIFRONTAL_BOTH void sync() const {
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }
};

/// Memory that the threads of a block share, for bodies that need none.
struct nothing_shared {};

/// Bodies that treat `elements` numbers each on their own.
struct elementwise {
  using shared = nothing_shared;
  static constexpr int width = 256, height = 1, piece = 1024;
  std::int64_t elements;

  MULTIFRONTAL_BOTH std::int64_t items() const { return (elements + piece - 1) / piece; }
  template <class Visit>
  MULTIFRONTAL_BOTH void each(std::int64_t item, block_thread t, Visit visit) const {
    const std::int64_t begin = item * piece, end = begin + piece < elements ? begin + piece : elements;
    for (std::int64_t i = begin + t.x; i < end; i += t.width) visit(i);
  }
};

/// Writes A's entries, scaled, to where they belong in factors that are zero. Elements: entries of all
/// systems.
struct scatter_entries : elementwise {
  std::int64_t entries, factor_stride;
  const double *value, *scale;
  const std::int64_t* destination;
  double* factors;

  MULTIFRONTAL_BOTH void operator()(std::int64_t item, shared&, block_thread t) const {
    each(item, t, [this](std::int64_t i) {
      const std::int64_t system = i / entries, e = i % entries;
      factors[system * factor_stride + destination[e]] = scale[e] * value[i];
    });
  }
};

/// Extend-add: makes the tiles of one level's fronts out of their children's Schur complements, in the
/// children's order, so that sums have the same bits on every run. Each element of a child is read once, each
/// of a tile written once. Items: the level's tiles, of one system after the other.
struct extend_add {
  static constexpr int edge = tile::edge, width = 32, height = 8;
  struct shared {
    double sum[edge * edge];
  };

  bool symmetric;
  int systems;
  std::int64_t tiles;
  const tile* first_tile;
  const contribution* contributions;
  const int* in_parent;
  const double* children;  ///< Schur complements of the level before
  double *factors, *schur;
  std::int64_t children_stride, factor_stride, schur_stride;  ///< from one system to the next

  MULTIFRONTAL_BOTH std::int64_t items() const { return tiles * systems; }

  MULTIFRONTAL_BOTH void operator()(std::int64_t item, shared& memory, block_thread t) const {
    const std::int64_t system = item / tiles;
    const tile* here = first_tile + item % tiles;
    const int rows = here->rows, columns = here->columns;
    double* to =
        (here->schur ? schur + system * schur_stride : factors + system * factor_stride) + here->target;
    for (int j = t.y; j < columns; j += t.height)
      for (int i = t.x; i < rows; i += t.width)
        memory.sum[i + j * edge] = here->schur ? 0 : to[i + static_cast<std::int64_t>(j) * here->ld];
    t.sync();
    for (std::int64_t c = here[0].contributions; c < here[1].contributions; ++c) {
      add(contributions[c], *here, children + system * children_stride, memory, t);
      t.sync();
    }
    for (int j = t.y; j < columns; j += t.height)
      for (int i = t.x; i < rows; i += t.width)
        to[i + static_cast<std::int64_t>(j) * here->ld] = memory.sum[i + j * edge];
  }

 private:
  MULTIFRONTAL_BOTH void add(const contribution& c, const tile& here, const double* from, shared& memory,
                             block_thread t) const {
    const int* position = in_parent + c.first_row;
    const double* A22 = from + c.source;
    constexpr int ahead = 4;  // columns that are loaded before the first is added
    for (int j = c.column_begin + t.y; j < c.column_end; j += ahead * t.height)
      for (int i = c.row_begin + t.x; i < c.row_end; i += t.width) {
        double loaded[ahead];
        for (int a = 0; a < ahead; ++a) {
          const int column = j + a * t.height;
          const bool stored = column < c.column_end && (!symmetric || i >= column);
          loaded[a] = stored ? A22[i + static_cast<std::int64_t>(column) * c.ld] : 0;
        }
        double* row = memory.sum + position[i] - here.row;
        for (int a = 0; a < ahead; ++a) {
          const int column = j + a * t.height;
          if (column < c.column_end) row[(position[column] - here.column) * edge] += loaded[a];
        }
      }
  }
};

/// How vectors lie: w has all rows of all fronts, for one right-hand side of one system after the other; b
/// and x have the unknowns likewise.
struct vectors {
  int unknowns, nrhs;
  std::int64_t rows;  ///< of all fronts
  double* w;
};

/// The right-hand sides of a level's fronts: those of their pivots from b, plus what their children have
/// left.
struct gather_rows {
  static constexpr int edge = tile::edge, width = edge, height = 1;
  struct shared {
    double sum[edge];
  };

  vectors v;
  int systems;
  std::int64_t tiles;
  const row_tile* first_tile;
  const contribution* contributions;
  const int* in_parent;
  const double* b;
  const int* row_of_pivot;  ///< of A, the row that is eliminated as number i
  const double* row_scale;  ///< beside row_of_pivot
  const int* exchanged;     ///< LU: where pivoting has moved row i of its front; null: nowhere

  MULTIFRONTAL_BOTH std::int64_t items() const { return tiles * systems * v.nrhs; }

  MULTIFRONTAL_BOTH void operator()(std::int64_t item, shared& memory, block_thread t) const {
    const std::int64_t vector = item / tiles;
    const row_tile* here = first_tile + item % tiles;
    double* w = v.w + vector * v.rows;
    for (int i = t.x; i < here->rows; i += t.width) {
      const int pivot = here->first + here->row + i;
      memory.sum[i] =
          here->row < here->k ? row_scale[pivot] * b[vector * v.unknowns + row_of_pivot[pivot]] : 0;
    }
    t.sync();
    for (std::int64_t k = here[0].contributions; k < here[1].contributions; ++k) {
      const contribution& c = contributions[k];
      for (int i = c.row_begin + t.x; i < c.row_end; i += t.width)
        memory.sum[in_parent[c.first_row + i] - here->row] += w[c.first_row + i];
      t.sync();
    }
    const bool moves = exchanged && here->row < here->k;
    const std::int64_t first_pivot = vector / v.nrhs * v.unknowns + here->first;
    for (int i = t.x; i < here->rows; i += t.width) {
      const int row = here->row + i;
      w[here->target - here->row + (moves ? exchanged[first_pivot + row] : row)] = memory.sum[i];
    }
  }
};

/// On the way back: the rows of a level's fronts that are no pivots, from their parents' solutions.
struct rows_of_parents {
  using shared = nothing_shared;
  static constexpr int width = tile::edge, height = 1;

  vectors v;
  int systems;
  std::int64_t tiles;
  const row_tile* first_tile;
  const int* in_parent;

  MULTIFRONTAL_BOTH std::int64_t items() const { return tiles * systems * v.nrhs; }

  MULTIFRONTAL_BOTH void operator()(std::int64_t item, shared&, block_thread t) const {
    const row_tile& here = first_tile[item % tiles];
    double* w = v.w + item / tiles * v.rows;
    if (here.row < here.k) return;
    for (int i = t.x; i < here.rows; i += t.width)
      w[here.target + i] = w[here.parent + in_parent[here.target + i]];
  }
};

/// Takes the solution from the fronts' pivots; adds it to x where that is refined. Elements: of x.
struct scatter_solution : elementwise {
  vectors v;
  const int* row_of_w;         ///< in w, of pivot i
  const int* column_of_pivot;  ///< of A
  const double* column_scale;  ///< beside column_of_pivot
  double* x;
  bool add;

  MULTIFRONTAL_BOTH void operator()(std::int64_t item, shared&, block_thread t) const {
    each(item, t, [this](std::int64_t e) {
      const std::int64_t vector = e / v.unknowns, pivot = e % v.unknowns;
      double& to = x[vector * v.unknowns + column_of_pivot[pivot]];
      const double value = column_scale[pivot] * v.w[vector * v.rows + row_of_w[pivot]];
      to = add ? to + value : value;
    });
  }
};

/// A by rows, both triangles. Entry e is value[entry[e]] of each system.
struct rows_of_matrix {
  const int *begin, *column, *entry;
};

/// r := b - A x. Elements: of r.
struct residual : elementwise {
  vectors v;
  rows_of_matrix A;
  std::int64_t entries;
  const double *value, *x, *b;
  double* r;

  MULTIFRONTAL_BOTH void operator()(std::int64_t item, shared&, block_thread t) const {
    each(item, t, [this](std::int64_t i) {
      const std::int64_t vector = i / v.unknowns, row = i % v.unknowns;
      const double *of_system = value + vector / v.nrhs * entries, *of_x = x + vector * v.unknowns;
      double sum = b[i];
      for (int e = A.begin[row]; e < A.begin[row + 1]; ++e) sum -= of_system[A.entry[e]] * of_x[A.column[e]];
      r[i] = sum;
    });
  }
};

/// What LU's row exchanges do to each front's pivots: row i goes to exchanged[i]. Elements: fronts of all
/// systems.
struct follow_exchanges : elementwise {
  std::int64_t fronts;
  int unknowns;
  const int *first, *k;  ///< of each front
  const int* ipiv;       ///< unknowns for each system
  int *scratch, *exchanged;

  MULTIFRONTAL_BOTH void operator()(std::int64_t item, shared&, block_thread t) const {
    each(item, t, [this](std::int64_t i) {
      const std::int64_t begin = i / fronts * unknowns + first[i % fronts];
      const int pivots = k[i % fronts];
      int* row = scratch + begin;  // which row stands at position j
      for (int j = 0; j < pivots; ++j) row[j] = j;
      for (int j = 0; j < pivots; ++j) {
        const int other = ipiv[begin + j] - 1;
        if (other < j || other >= pivots) continue;  // of a front that failed, whose result nobody uses
        const int moved = row[other];
        row[other] = row[j];
        row[j] = moved;
      }
      for (int j = 0; j < pivots; ++j) exchanged[begin + row[j]] = j;
    });
  }
};

/// WHAT(body) for each of them: what kernels.cpp and kernels.cu instantiate.
#define MULTIFRONTAL_BODIES(WHAT) \
  WHAT(scatter_entries)           \
  WHAT(extend_add)                \
  WHAT(gather_rows)               \
  WHAT(rows_of_parents)           \
  WHAT(scatter_solution)          \
  WHAT(residual)                  \
  WHAT(follow_exchanges)

template <class Body>
void run_on_host(const Body& body);  // kernels.cpp
template <class Body>
void run_on_gpu(const Body& body, void* stream);  // kernels.cu

/// Works on all items of the body; on a GPU queues that.
template <class Body>
void run(const Body& body, talus::queue q) {
  if (q.where == talus::backend::host)
    run_on_host(body);
  else
    run_on_gpu(body, q.stream);
}

}  // namespace multifrontal
