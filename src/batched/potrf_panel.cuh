// The fused left-looking kernel: update and factorization of a panel of ib columns in one kernel (Algorithm 3
// of Abdelfattah, Haidar, Tomov, Dongarra, ICCS 2016), launched once per panel (loop-exclusive) or once
// (loop-inclusive).
#pragma once

#include "batch.hpp"
#include "launch.cuh"
#include "potf2.cuh"
#include "scalar.cuh"
#include "triangle.cuh"

namespace talus::cuda {

/// rA <- A(row, k : k+IB), as far as it lies in the lower triangle
template <class T, int IB>
__device__ void load_row(T (&rA)[IB], const triangle<T>& A, int n, int row, int k) {
#pragma unroll
  for (int c = 0; c < IB; ++c) rA[c] = row < n && row >= k + c ? A(row, k + c) : T{};
}

/// One step: columns i ... i+IB-1 of the factor, from the columns 0 ... i-1 that are done.
///
/// row        this thread's row of the matrix; threads with rows above i or beyond n only take part in the
/// barriers rC         in: this thread's row of the panel before this one, if INCLUSIVE; out: of this one sB
/// IB x IB in shared memory: the rows of A that face the panel, transposed published  for potf2
///
/// The paper holds the panel C in shared memory. No thread needs another's row but those of the diagonal
/// block, so here each row stays in its thread's registers through update and factorization: shared memory is
/// IB x IB whatever the height, and occupancy is a matter of registers and threads alone.
template <bool INCLUSIVE, class T, int IB>
__device__ void potrf_panel_step(const triangle<T>& A, int n, int i, int row, T (&rC)[IB], T* sB,
                                 T* published, int& info) {
  auto barrier = [] { __syncthreads(); };
  // INCLUSIVE: the panel before this one is still in registers and need not be read again.
  T rAk[IB], rAkk[IB], last[IB];
  if constexpr (INCLUSIVE) {
#pragma unroll
    for (int c = 0; c < IB; ++c) last[c] = rC[c];
  }
  auto fetch = [&](int k) {
    if (INCLUSIVE && k + IB == i) {
#pragma unroll
      for (int c = 0; c < IB; ++c) rAk[c] = last[c];
    } else {
      load_row(rAk, A, n, row >= i ? row : n, k);
    }
  };

  fetch(0);
#pragma unroll
  for (int c = 0; c < IB; ++c) rC[c] = T{};
  for (int k = 0; k < i; k += IB) {
#pragma unroll
    for (int c = 0; c < IB; ++c) rAkk[c] = rAk[c];
    if (row >= i && row < i + IB) {  // sB <- A(i:i+ib, k:k+ib)^H
#pragma unroll
      for (int c = 0; c < IB; ++c) sB[c * IB + row - i] = conj(rAkk[c]);
    }
    barrier();
    fetch(k + IB);  // in flight during the product; the last one fetches the panel itself
#pragma unroll
    for (int kk = 0; kk < IB; ++kk) {
#pragma unroll
      for (int c = 0; c < IB; ++c) multiply_add(rC[c], rAkk[kk], sB[kk * IB + c]);
    }
    barrier();
  }
#pragma unroll
  for (int c = 0; c < IB; ++c) rC[c] = rAk[c] - rC[c];

  const int jb = min(IB, n - i);
  potf2(rC, row - i, jb, i, info, published, barrier);
#pragma unroll
  for (int c = 0; c < IB; ++c) {
    if (row < n && c < jb && row >= i + c) A.store(row, i + c, rC[c]);
  }
}

template <class T, int IB>
constexpr std::size_t potrf_panel_bytes = (IB * IB + 2 * IB) * sizeof(T);

/// Most threads a panel kernel may be launched with: one row each, and registers for three rows of IB
/// elements.
constexpr int potrf_panel_threads = 512;

/// Loop-exclusive: step i of all matrices. The host launches one per step, with threads for the rows that
/// remain.
///
/// Thread map  (rows that remain, tbc): thread (r, t) owns row i + r of matrix tbc * block + t.
/// Launch      ceil(count / tbc) blocks
/// Needs       n - i <= blockDim.x, a multiple of 32 and so of IB; tbc * blockDim.x <= THREADS, which leaves
/// each thread the
///             registers for three rows of IB elements
/// Barriers    two per IB columns of the update, one per column of the factorization
/// Info        written in step 0, read and if need be written in the others; a failed matrix takes no further
/// part Bound by    the reads of all columns to the left: traffic is 1 + n / (6 ib) times the least
template <class T, int IB, int THREADS>
__global__ void __launch_bounds__(THREADS)
    potrf_panel_exclusive(std::int64_t first_block, uplo uplo, batch<T> A, int* info_array, int i) {
  const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
  T* const sB = shared_memory<T>() + threadIdx.y * (IB * IB + 2 * IB);
  int info = b >= A.count ? -1 : i > 0 ? info_array[b] : 0;
  const bool alive = info == 0;
  if (!__syncthreads_or(alive)) return;

  const int row = alive ? i + static_cast<int>(threadIdx.x) : A.n + IB;
  T rC[IB];
  potrf_panel_step<false>(triangle<T>(A[alive ? b : 0], uplo), A.n, i, row, rC, sB, sB + IB * IB, info);
  if (alive && threadIdx.x == 0 && (i == 0 || info != 0)) info_array[b] = info;
}

/// Loop-inclusive: all steps in one launch.
///
/// Thread map  (n rounded up to 32, tbc): thread (r, t) owns row r of matrix tbc * block + t; it idles once
/// its row is
///             done. The rest as for potrf_panel_exclusive.
template <class T, int IB, int THREADS>
__global__ void __launch_bounds__(THREADS)
    potrf_panel_inclusive(std::int64_t first_block, uplo uplo, batch<T> A, int* info_array) {
  const std::int64_t b = (first_block + blockIdx.x) * blockDim.y + threadIdx.y;
  T* const sB = shared_memory<T>() + threadIdx.y * (IB * IB + 2 * IB);
  const bool alive = b < A.count;
  int info = alive ? 0 : -1;

  const int row = alive ? static_cast<int>(threadIdx.x) : A.n + IB;
  const triangle<T> mine(A[alive ? b : 0], uplo);
  T rC[IB] = {};
  for (int i = 0; i < A.n; i += IB) {
    potrf_panel_step<true>(mine, A.n, i, row, rC, sB, sB + IB * IB, info);
  }
  if (alive && threadIdx.x == 0) info_array[b] = info;
}

/// Threads for `rows` rows of each of tbc matrices.
inline dim3 panel_threads(int rows, int tbc) {
  return dim3(static_cast<unsigned>(ceil_div(rows, 32) * 32), static_cast<unsigned>(tbc));
}

template <class T, int IB, int THREADS>
int launch_potrf_panel_exclusive(int tbc, uplo uplo, batch<T> A, int* info, queue q) {
  for (int i = 0; i < A.n; i += IB) {
    const int status = launch<potrf_panel_exclusive<T, IB, THREADS>>(
        ceil_div<std::int64_t>(A.count, tbc), panel_threads(A.n - i, tbc),
        static_cast<std::size_t>(tbc) * potrf_panel_bytes<T, IB>, q, uplo, A, info, i);
    if (status != 0) return status;
  }
  return 0;
}

template <class T, int IB, int THREADS>
int launch_potrf_panel_inclusive(int tbc, uplo uplo, batch<T> A, int* info, queue q) {
  return launch<potrf_panel_inclusive<T, IB, THREADS>>(
      ceil_div<std::int64_t>(A.count, tbc), panel_threads(A.n, tbc),
      static_cast<std::size_t>(tbc) * potrf_panel_bytes<T, IB>, q, uplo, A, info);
}

}  // namespace talus::cuda
