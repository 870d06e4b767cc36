// A block of columns of a matrix that the blocks of a cluster work on together: where its rows are, and how
// they come there.
#pragma once

#include <cstddef>

#include "batch.hpp"
#include "batched/lu/pieces/column_blocks/exchanges.cuh"
#include "batched/lu/pieces/column_blocks/pivot_exchange.cuh"
#include "gpu/cluster.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

/// The rows of a matrix, divided into units of ROWS rows.
template <int ROWS>
struct row_units {
  int all_rows, all;  // rows; units

  __device__ explicit row_units(int rows) : all_rows(rows), all(ceil_div(rows, ROWS)) {}

  /// Rows of unit u.
  __device__ int rows(int u) const { return min(ROWS, all_rows - u * ROWS); }
};

/// Rows of some columns from one row on, in shared memory or where the matrix is stored.
template <class T>
struct unit_rows {
  T* first;
  std::ptrdiff_t ld;

  __device__ T& operator()(int i, int c) const { return first[i + c * ld]; }
};

/// The block's part of shared memory.
template <class T, class Policy>
struct column_block_memory {
  sent_offers<T, Policy> offers;
  int down[Policy::IB];  // where the row that a pivot replaces goes, or -1
  arrivals moved;
  int rounds, known;  // times that rows moved, in all; panels that are done
  exchanges<Policy::NB> rows;
};

template <class T, class Policy>
__device__ __forceinline__ column_block_memory<T, Policy>& memory_of_block() {
  __shared__ column_block_memory<T, Policy> memory;
  return memory;
}

/// A column block. This thread block of the cluster has its units rank, rank + blocks, ... The rows are in
/// shared memory, or stay where the matrix is stored.
template <class T, class Policy>
struct column_block {
  using R = real_t<T>;
  using memory_t = column_block_memory<T, Policy>;
  static constexpr int NB = Policy::NB, UNIT = Policy::UNIT, IB = Policy::IB;
  static constexpr int WARPS = Policy::WARPS, THREADS = 32 * WARPS;
  static constexpr bool ALONE = Policy::ALONE;
  using row_units_t = row_units<UNIT>;

  unit_rows<T> stored;  // row 0 of the columns
  row_units_t units;
  int width;
  T* resident;  // null: rows are used where they are stored
  cluster_size<ALONE> blocks = {};
  int rank = ALONE ? 0 : rank_in_cluster();
  int lane = static_cast<int>(threadIdx.x % 32), warp = uniform(static_cast<int>(threadIdx.x / 32));

  __device__ column_block(const unit_rows<T>& stored_, const row_units_t& units_, int width_, T* resident_)
      : stored(stored_), units(units_), width(width_), resident(resident_) {}

  __device__ static memory_t& memory() { return memory_of_block<T, Policy>(); }
  /// From a column to the next, of what is in shared memory(). Neither rows nor columns of a tile meet in a
  /// bank.
  __device__ std::ptrdiff_t pitch() const { return blocks.quotient_up(units.all) * UNIT + 8; }
  __device__ static std::size_t elements(int units, cluster_size<ALONE> blocks) {
    return static_cast<std::size_t>(NB) * static_cast<std::size_t>(blocks.quotient_up(units) * UNIT + 8);
  }

  __device__ unit_rows<T> stored_rows(int row) const { return {stored.first + row, stored.ld}; }
  __device__ unit_rows<T> stored_unit(int u) const { return stored_rows(u * UNIT); }
  /// Of any block of the cluster.
  __device__ __forceinline__ unit_rows<T> unit(int u) const {
    if (resident == nullptr) return stored_unit(u);
    T* const mine = resident + blocks.quotient(u) * UNIT;
    const int block = blocks.remainder(u);
    return {block == rank ? mine : in_block(block, mine), pitch()};
  }
  __device__ unit_rows<T> unit_of_mine(int u) const {
    if (resident == nullptr) return stored_unit(u);
    return {resident + blocks.quotient(u) * UNIT, pitch()};
  }
  /// The first unit from u on that is this block's.
  __device__ int first_of_mine(int u) const { return u + blocks.remainder(rank - u); }
  __device__ T& at(int row, int c) const { return unit(row / UNIT)(row % UNIT, c); }
  /// Which block of the cluster has a row, and its rows from there on to the end of its unit.
  __device__ int block_of(int row) const { return blocks.remainder(row / UNIT); }
  __device__ unit_rows<T> rows_of_mine(int row) const {
    const unit_rows<T> A = unit_of_mine(row / UNIT);
    return {A.first + row % UNIT, A.ld};
  }

  // ---- in and out --------------------------------------------------------------------------------

  /// Rows and columns that do not exist become zero in shared memory.
  __device__ __forceinline__ void load() const {
    if (resident == nullptr) return;
    for (int u = first_of_mine(0); u < units.all; u += blocks.count()) {
      const unit_rows<T> from = stored_unit(u), to = unit_of_mine(u);
      const int rows = units.rows(u);
#pragma unroll 4
      for (int c = warp; c < NB; c += WARPS) {
#pragma unroll
        for (int i = lane; i < UNIT; i += 32) to(i, c) = i < rows && c < width ? from(i, c) : T{};
      }
    }
  }
  /// Stores the rows from `first` on.
  __device__ __forceinline__ void store(int first) const {
    if (resident == nullptr) return;
    for (int u = first_of_mine(first / UNIT); u < units.all; u += blocks.count()) {
      const unit_rows<T> to = stored_unit(u), from = unit_of_mine(u);
      const int begin = first - u * UNIT, rows = units.rows(u);
#pragma unroll 4
      for (int c = warp; c < width; c += WARPS) {
        T x[UNIT / 32];
#pragma unroll
        for (int k = 0; k < UNIT / 32; ++k) {
          if (lane + 32 * k < rows) x[k] = from(lane + 32 * k, c);
        }
#pragma unroll
        for (int k = 0; k < UNIT / 32; ++k) {
          const int i = lane + 32 * k;
          if (i >= begin && i < rows) to(i, c) = x[k];
        }
      }
    }
  }

  __device__ static void synchronize() {
    if constexpr (ALONE) {
      __syncthreads();
    } else {
      synchronize_cluster();
    }
  }
  /// The same in two parts.
  __device__ static void arrive() {
    if constexpr (!ALONE) arrive_in_cluster();
  }
  __device__ static void wait() {
    if constexpr (ALONE) {
      __syncthreads();
    } else {
      wait_for_cluster();
    }
  }
};

}  // namespace talus::cuda::lu
