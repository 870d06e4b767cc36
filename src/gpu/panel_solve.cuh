// Solves with the two triangles of a factorization: the right-hand sides stay on the chip, the factors stream
// by in panels of columns.
#pragma once

#include "batch.hpp"
#include "gpu/diagonal.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda {

// What a routine says of its factors is plain data, `Factors`:
//
//   of(A, b)   matrix b, of which A are the factors:
//
//     is_bad(j)                whether diagonal element j lets nothing be solved
//     before(), after()        row exchanges of right-hand sides before both triangles, and undone after them
//     forward(), backward()    the triangles L and M, both lower ones, of  X <- M^-T L^-1 X:
//
//       (i, k)                 element below the diagonal
//       kept(i)                what is kept of diagonal element i
//       over_diagonal(x, kept) x divided by that element
//       unrolled               steps of a solve that are unrolled: where they divide, registers are short

/// Exchanges of rows one after the other, row i with row ipiv[i] - 1; null: none.
struct row_exchanges {
  const int* ipiv;
  int n;

  /// Where a row is after all.
  __device__ __forceinline__ int place_of(int row) const {
    if (ipiv == nullptr) return row;
#pragma unroll 8
    for (int i = 0; i < n; ++i) {
      const int other = ipiv[i] - 1;
      row = row == i ? other : row == other ? i : row;
    }
    return row;
  }
  /// Of a vector.
  template <class T>
  __device__ __forceinline__ void apply(T* x) const {
    for (int i = 0; ipiv != nullptr && i < n; ++i) exchange(x, 1, i);
  }
  template <class T>
  __device__ __forceinline__ void undo(T* x, std::ptrdiff_t step = 1) const {
    for (int i = n - 1; ipiv != nullptr && i >= 0; --i) exchange(x, step, i);
  }

 private:
  template <class T>
  __device__ __forceinline__ void exchange(T* x, std::ptrdiff_t step, int i) const {
    const int other = ipiv[i] - 1;
    if (other == i) return;
    const T kept = x[i * step];
    x[i * step] = x[other * step];
    x[other * step] = kept;
  }
};

/// Right-hand sides X (n x nrhs) of one matrix, and the room to solve with a triangle for them.
template <class T, int THREADS>
struct panel_solve {
  static constexpr int IB = THREADS < 32 ? THREADS : 32;
  static constexpr int room = IB * IB + IB;  // elements of shared memory

  T* block;  // IB x IB: L(k0 + i, k0 + k) at block[i + k * IB]; then what is kept of its diagonal
  T* X;
  std::ptrdiff_t ldx;
  int n, nrhs;

  /// X <- L^-1 X
  template <class Triangle>
  __device__ __forceinline__ void forward(const Triangle& L) const {
    for (int k0 = 0; k0 < n; k0 += IB) {
      const int kb = min(IB, n - k0);
      load_block(L, k0, kb);
      solve_block<true>(L, k0, kb);
      for (int i = k0 + kb + thread(); i < n; i += THREADS)
        update_row(i, k0, kb, [&](int k) { return L(i, k0 + k); });
    }
  }

  /// X <- L^-T X; X can be read when it returns.
  template <class Triangle>
  __device__ __forceinline__ void backward(const Triangle& L) const {
    for (int k0 = (n - 1) / IB * IB; k0 >= 0; k0 -= IB) {
      const int kb = min(IB, n - k0);
      load_block(L, k0, kb);
      solve_block<false>(L, k0, kb);
      for (int i = thread(); i < k0; i += THREADS) update_row(i, k0, kb, [&](int k) { return L(k0 + k, i); });
    }
  }

 private:
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }

  template <class Triangle>
  using kept_of = decltype(std::declval<const Triangle&>().kept(0));
  template <class Triangle>
  __device__ kept_of<Triangle>* kept() const {
    return reinterpret_cast<kept_of<Triangle>*>(block + IB * IB);
  }

  template <class Triangle>
  __device__ __forceinline__ void load_block(const Triangle& L, int k0, int kb) const {
    __syncthreads();  // whoever read the block before this one, or wrote X, is done
    for (int e = thread(); e < IB * IB; e += THREADS) {
      const int i = e % IB, k = e / IB;
      if (i < kb && k < i) block[e] = L(k0 + i, k0 + k);
      if (i < kb && k == i) kept<Triangle>()[i] = L.kept(k0 + i);
    }
    __syncthreads();
  }

  /// X(k0:k0+kb, :) <- L^-1 X or L^-T X with the block in shared memory: lane i holds row i of one right-hand
  /// side.
  template <bool FORWARD, class Triangle>
  __device__ __forceinline__ void solve_block(const Triangle& L, int k0, int kb) const {
    const int tx = thread();
    for (int c0 = 0; c0 < nrhs;
         c0 += THREADS / IB) {  // every lane goes round equally often: it meets barriers
      const int i = c0 + tx / IB < nrhs ? tx % IB : kb;
      T* const x = X + k0 + min(c0 + tx / IB, nrhs - 1) * ldx;
#pragma unroll Triangle::unrolled
      for (int step = 0; step < kb; ++step) {
        const int k = FORWARD ? step : kb - 1 - step;
        if (i == k) x[k] = L.over_diagonal(x[k], kept<Triangle>()[k]);
        __syncwarp();
        if (FORWARD && i > k && i < kb) multiply_add(x[i], -block[i + k * IB], x[k]);
        if (!FORWARD && i < k) multiply_add(x[i], -block[k + i * IB], x[k]);
        __syncwarp();
      }
    }
    __syncthreads();
  }

  /// X(i, :) -= factor(k) X(k0 + k, :) summed over k, for one row i outside the block, four right-hand sides
  /// at a time.
  template <class Factor>
  __device__ __forceinline__ void update_row(int i, int k0, int kb, Factor factor) const {
    for (int c = 0; c < nrhs; c += 4) {
      T sum[4] = {};
      for (int k = 0; k < kb; ++k) {
        const T l = factor(k);
#pragma unroll
        for (int v = 0; v < 4; ++v) multiply_add(sum[v], l, X[k0 + k + min(c + v, nrhs - 1) * ldx]);
      }
#pragma unroll
      for (int v = 0; v < 4; ++v) {
        if (c + v < nrhs) X[i + (c + v) * ldx] = X[i + (c + v) * ldx] - sum[v];
      }
    }
  }
};

/// Of one matrix, if it exists, for right-hand sides B from first_column on.
///
/// Thread map  (THREADS, tbc): the threads of a matrix own its rows, THREADS apart, in the updates; in the
///             solves with a diagonal block each group of IB lanes owns a right-hand side
/// Stored      X (n x columns) in shared memory if `resident`, else in place; the current IB x IB diagonal
///             block and what is kept of its diagonal in shared memory
/// Launch      ceil(count / tbc) * groups blocks, groups = ceil(nrhs / columns)
/// Needs       tbc = 1 unless resident
/// Barriers    three per IB rows in each direction
/// Info        j > 0: element (j, j) is bad, B untouched; null: nobody asks
/// Source      LAPACK's xPOTRS and xGETRS; blocked, right-looking in both directions, so that each row of a
///             triangle is read where it lies
/// Bound by    reading the factors
template <class T, int THREADS, class Factored>
__device__ __forceinline__ void solve_columns(const Factored& A, bool exists, const matrix<T>& B, int* info,
                                              int first_column, int columns, bool resident) {
  using solve = panel_solve<T, THREADS>;
  const int n = B.m, tx = static_cast<int>(threadIdx.x);
  const std::size_t each = solve::room + (resident ? static_cast<std::size_t>(n) * columns : 0);
  T* const block = shared_memory<T>() + threadIdx.y * each;
  const solve sides = {block, resident ? block + solve::room : &B(0, first_column), resident ? n : B.lda, n,
                       min(columns, B.n - first_column)};

  const usable_factors usable =
      check_diagonal(exists, n, first_column == 0 ? info : nullptr, [&](int j) { return A.is_bad(j); });
  if (!usable.any) return;

  if (resident) {
    for (int i = tx; i < n; i += THREADS) {
      T* const x = sides.X + (usable.mine ? A.before().place_of(i) : i);
      for (int c = 0; c < sides.nrhs; ++c) x[c * sides.ldx] = usable.mine ? B(i, first_column + c) : T{};
    }
  } else {
    for (int c = tx; c < sides.nrhs; c += THREADS) A.before().apply(sides.X + c * sides.ldx);
  }
  sides.forward(A.forward());
  sides.backward(A.backward());
  if (!resident) {
    for (int c = tx; c < sides.nrhs; c += THREADS) A.after().undo(sides.X + c * sides.ldx);
  } else if (usable.mine) {
    for (int i = tx; i < n; i += THREADS) {
      const T* const x = sides.X + A.after().place_of(i);
      for (int c = 0; c < sides.nrhs; ++c) B(i, first_column + c) = x[c * sides.ldx];
    }
  }
}

template <class T, int THREADS, class Factors>
__global__ void __launch_bounds__(THREADS > 128 ? THREADS : 128)
    solve_in_panels(std::int64_t first_block, Factors factors, batch<const T> A, batch<T> B, int* info_array,
                    int columns, int groups, bool resident) {
  const std::int64_t block = first_block + blockIdx.x, b = block / groups * blockDim.y + threadIdx.y;
  const bool exists = b < A.count;
  const std::int64_t mine = exists ? b : 0;
  solve_columns<T, THREADS>(factors.of(A[mine], mine), exists, B[mine],
                            info_array != nullptr ? info_array + mine : nullptr,
                            static_cast<int>(block % groups) * columns, columns, resident);
}

template <int THREADS, class T, class Factors>
int launch_solve(Factors factors, batch<const T> A, batch<T> B, int* info, queue q) {
  constexpr std::size_t budget = 47 * 1024;  // every device grants that much
  constexpr std::size_t fixed = panel_solve<T, THREADS>::room * sizeof(T);
  const std::size_t column = static_cast<std::size_t>(A.n) * sizeof(T);
  int tbc = std::max(1, 128 / THREADS);
  while (tbc > 1 && tbc * (fixed + column) > budget) tbc /= 2;
  const std::size_t fit = (budget / static_cast<std::size_t>(tbc) - fixed) / column;
  const bool resident = fit > 0;
  const int columns = std::max(1, resident ? std::min(B.n, static_cast<int>(fit)) : B.n);
  const int groups = std::max(1, ceil_div(B.n, columns));
  const std::size_t each = fixed + (resident ? column * static_cast<std::size_t>(columns) : 0);
  return launch<solve_in_panels<T, THREADS, Factors>>(
      {}, ceil_div<std::int64_t>(A.count, tbc) * groups, dim3(THREADS, tbc),
      static_cast<std::size_t>(tbc) * each, q, factors, A, B, info, columns, groups, resident);
}

/// All matrices of a batch, the threads for each chosen by n.
template <class T, class Factors>
int solve_all(Factors factors, batch<const T> A, batch<T> B, int* info, queue q) {
  if (A.n == 0) return clear_info(info, A.count, q);
  if (A.n <= 4) return launch_solve<4>(factors, A, B, info, q);
  if (A.n <= 8) return launch_solve<8>(factors, A, B, info, q);
  if (A.n <= 16) return launch_solve<16>(factors, A, B, info, q);
  if (A.n <= 32) return launch_solve<32>(factors, A, B, info, q);
  if (A.n <= 64) return launch_solve<64>(factors, A, B, info, q);
  return launch_solve<256>(factors, A, B, info, q);
}

}  // namespace talus::cuda
