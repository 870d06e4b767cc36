// Cholesky by one or a few threads per matrix, which is staged in shared memory: read once, factored on the
// chip, written once.
#pragma once

#include <utility>

#include "batch.hpp"
#include "launch.cuh"
#include "potf2.cuh"
#include "potrf_table.hpp"
#include "scalar.cuh"
#include "triangle.cuh"

namespace talus::cuda {

/// Packed lower triangle: element (i, j), i >= j, of an n-by-n matrix lies at packed_column(j, n) + i.
__host__ __device__ constexpr int packed_column(int j, int n) { return j * (2 * n - j - 1) / 2; }
__host__ __device__ constexpr int packed_size(int n) { return n * (n + 1) / 2; }

/// The factor in shared memory as posv_warp.cuh wants it.
template <class T>
struct packed_columns {
  const T* first;
  int n;
  static constexpr bool finite = false;
  __device__ const T* column(int j) const { return first + packed_column(j, n); }
};

/// work(0), work(1), ... work(COUNT - 1), each with its number as a constant.
template <int... NUMBER, class Work>
__device__ void for_each_number(std::integer_sequence<int, NUMBER...>, Work work) {
  (work(std::integral_constant<int, NUMBER>{}), ...);
}

/// Left-looking Cholesky in steps of IB columns, all in one launch (loop-inclusive).
///
/// Thread map  (THREADS, tbc): thread (i, t) owns rows i, i + THREADS, ... of matrix tbc * block + t, ROWS of
///             them: what it reads of the rows that face the panel serves them all
/// Stored      the matrix as packed lower triangle in shared memory, the current panel's rows in registers
/// Launch      ceil(count / tbc) blocks, potrf_thread_elements of shared memory per matrix
/// Needs       n <= THREADS * ROWS: every row has its thread; THREADS a power of two up to 32 or a multiple
///             of 32
/// Barriers    one per column and one per panel; a matrix within one warp uses the warp's barrier
/// Info        j: as LAPACK
/// Source      Algorithm 2 of Abdelfattah et al. (ICCS 2016), loop-inclusive, with tbc
/// Bound by    shared-memory loads: IB + ROWS of them for IB * ROWS multiply-adds
template <class T, int IB, int THREADS, int ROWS, class THEN>
__global__ void __launch_bounds__(potrf_thread_most, THEN::solves ? 1 : 0)
    potrf_thread(std::int64_t first_block, uplo uplo, batch<T> A, int* info_array, THEN then) {
  const int n = A.n, thread = static_cast<int>(threadIdx.x);
  const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
  T* const L = shared_memory<T>() + threadIdx.y * potrf_thread_elements(n, IB, THREADS, sizeof(T));  // packed
  T* const published = L + packed_size(n);                                                           // 2 x IB

  const bool exists = b < A.count;
  int info = exists ? 0 : -1;
  auto sync = [] {
    if constexpr (THREADS <= 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  };

  // Consecutive threads take consecutive addresses, whichever triangle is stored. Several columns are under
  // way before the first is put in its place: loads do not pass stores that they might overlap.
  constexpr int AHEAD = ROWS < 4 ? 8 / ROWS : 2;
  const bool lower = uplo == uplo::lower;
  auto holds = [&](int i, int j) {
    return j < n && i < n && (lower ? i >= j : i <= j);
  };  // element i of stored column j
  auto place = [&](int i, int j) { return lower ? packed_column(j, n) + i : packed_column(i, n) + j; };
  if (exists) {
    const matrix<T> stored = A[b];
    for (int j = 0; j < n; j += AHEAD) {
      T column[AHEAD][ROWS];
#pragma unroll
      for (int c = 0; c < AHEAD; ++c) {
#pragma unroll
        for (int u = 0; u < ROWS; ++u) {
          const int i = thread + u * THREADS;
          if (holds(i, j + c)) column[c][u] = stored(i, j + c);
        }
      }
#pragma unroll
      for (int c = 0; c < AHEAD; ++c) {
#pragma unroll
        for (int u = 0; u < ROWS; ++u) {
          const int i = thread + u * THREADS;
          if (holds(i, j + c)) L[place(i, j + c)] = lower ? column[c][u] : conj(column[c][u]);
        }
      }
    }
  }
  sync();

  int j = 0;
  for_each_number(std::make_integer_sequence<int, ROWS>{}, [&](auto number) {
    constexpr int FIRST = decltype(number)::value;  // rows[u] with u < FIRST are done in all threads
    for (; j < n && j < (FIRST + 1) * THREADS; j += IB) {
      const int jb = min(IB, n - j);
      T rows[ROWS][IB];  // A(i, j : j+IB) for each i of this thread
#pragma unroll
      for (int u = FIRST; u < ROWS; ++u) {
        const int i = thread + u * THREADS;
#pragma unroll
        for (int c = 0; c < IB; ++c)
          rows[u][c] = c < jb && i < n && i >= j + c ? L[packed_column(j + c, n) + i] : T{};
      }

      // A(j:n, j:j+ib) -= L(j:n, 0:j) L(j:j+ib, 0:j)^H
      for (int k = 0; k < j; ++k) {
        const T* const column = L + packed_column(k, n);
        T a[ROWS];
#pragma unroll
        for (int u = FIRST; u < ROWS; ++u) a[u] = -column[min(thread + u * THREADS, n - 1)];
#pragma unroll
        for (int c = 0; c < IB; ++c) {
          const T facing = conj(column[j + c]);  // beyond jb: computed with, never stored
#pragma unroll
          for (int u = FIRST; u < ROWS; ++u) multiply_add(rows[u][c], a[u], facing);
        }
      }
      if (jb < IB) sync();  // the reads beyond jb reached into what potf2 publishes
      potf2<FIRST>(rows, thread - j, THREADS, jb, j, info, published, sync);
#pragma unroll
      for (int u = FIRST; u < ROWS; ++u) {
        const int i = thread + u * THREADS;
#pragma unroll
        for (int c = 0; c < IB; ++c) {
          if (c < jb && i < n && i >= j + c) L[packed_column(j + c, n) + i] = rows[u][c];
        }
      }
      sync();
    }
  });

  if (exists) {
    const matrix<T> stored = A[b];
    for (int j = 0; j < n; ++j) {
#pragma unroll
      for (int u = 0; u < ROWS; ++u) {
        const int i = thread + u * THREADS;
        if (holds(i, j)) stored(i, j) = lower ? L[place(i, j)] : conj(L[place(i, j)]);
      }
    }
  }
  if (exists && thread == 0) info_array[b] = info;
  if constexpr (THEN::solves) {
    sync();
#pragma unroll
    for (int u = 0; u < ROWS; ++u) {
      const int i = thread + u * THREADS;
      T& diagonal = L[packed_column(min(i, n - 1), n) + min(i, n - 1)];
      if (i < n) diagonal = from_real<T>(1 / real(diagonal));
    }
    sync();
    // The factor is that of the matrix itself, whichever triangle is stored.
    then.template all<THREADS, ROWS>(packed_columns<T>{L, n}, uplo::lower, thread, b, exists && info == 0);
  }
}

template <class T, int IB, int THREADS, int ROWS, class THEN = nothing>
int launch_potrf_thread(int tbc, uplo uplo, batch<T> A, int* info, queue q, THEN then = {}) {
  const std::size_t bytes =
      static_cast<std::size_t>(tbc * potrf_thread_elements(A.n, IB, THREADS, sizeof(T))) * sizeof(T);
  return launch<potrf_thread<T, IB, THREADS, ROWS, THEN>>(ceil_div<std::int64_t>(A.count, tbc),
                                                          dim3(THREADS, static_cast<unsigned>(tbc)), bytes, q,
                                                          uplo, A, info, then);
}

}  // namespace talus::cuda
