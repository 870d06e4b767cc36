// Least squares with elements so far from 1 that their products would overflow or lose digits. One block
// scales such a system by powers of two and solves it, in a function apart from the fast path, which keeps
// its registers.
#pragma once

#include "batched/qr/pieces/panel.cuh"
#include "batched/qr/pieces/reflector.cuh"
#include "gpu/diagonal.cuh"
#include "gpu/launch.cuh"
#include "gpu/view.cuh"

namespace talus::cuda::householder {

/// Loads of every `threads`-th number of a matrix, from number `thread` on, column by column. A complex
/// element is two numbers. A load fetches the upper 32 bits of a number: without the sign they order
/// magnitudes.
template <class T>
class strided_loads {
  using R = real_t<T>;
  static constexpr int PARTS = sizeof(T) / sizeof(R), WORDS = sizeof(R) / sizeof(unsigned);

 public:
  /// Starts at number `thread`. A has at least one row.
  __device__ strided_loads(const plain_view<T>& A, int thread, int threads)
      : m(PARTS * A.m), n(A.n), down(threads % m), across(threads / m), i(thread % m), c(thread / m) {
    const std::ptrdiff_t column = PARTS * A.column;
    at = reinterpret_cast<const unsigned*>(A.A) + WORDS * (i + c * column) + WORDS - 1;
    step = WORDS * (down + across * column);
    to_next_column = WORDS * (column - m);
  }
  __device__ bool has_more() const { return c < n; }

  /// Loads the next numbers; 0 where the matrix has no more.
  template <int COUNT>
  __device__ __forceinline__ void load(unsigned (&x)[COUNT]) {
    constexpr int GROUP = COUNT < 8 ? COUNT : 8;  // loads without a branch
#pragma unroll
    for (int first = 0; first < COUNT; first += GROUP) {
      const bool any = has_more();
#pragma unroll
      for (int e = first; e < first + GROUP; ++e) x[e] = 0;
      if (!any) continue;
#pragma unroll
      for (int e = first; e < first + GROUP; ++e) {
        if (has_more()) x[e] = *at;
        i += down;
        const bool wraps = i >= m;
        i -= wraps ? m : 0;
        c += across + wraps;
        at += step + (wraps ? to_next_column : 0);
      }
    }
  }

 private:
  int m, n;          // numbers of a column; columns
  int down, across;  // steps from one load to the next
  int i, c;          // row and column of the next load
  const unsigned* at;
  std::ptrdiff_t step, to_next_column;  // of `at`: always, and if the row wraps around
};

/// Returns the largest of the loaded numbers, without signs.
template <int COUNT>
__device__ __forceinline__ unsigned largest_of(const unsigned (&x)[COUNT]) {
  unsigned largest = 0;
#pragma unroll
  for (int e = 0; e < COUNT; ++e) largest = max(largest, x[e] & 0x7fffffff);
  return largest;
}

/// A system that one block solves in global memory, one warp per column. No loop is unrolled: each kernel of
/// gels has a copy of this code, which rarely runs.
///
/// Source  LAPACK's xGELS and xGEQR2; unlike there, each right-hand side has its own power of two
template <class T>
class far_system {
  using R = real_t<T>;

 public:
  /// Describes A X = B, or A^H X = B if adjoint. `room`: shared memory for min(A.m, A.n) elements.
  __device__ far_system(const matrix<T>& A_, const matrix<T>& B, bool adjoint, T* room)
      : A(seen(A_, A_.m < A_.n)),
        X(as_it_is(B)),
        is_least_squares(adjoint == (A_.m < A_.n)),
        tau(room),
        warp(static_cast<int>(threadIdx.x) / 32),
        warps(static_cast<int>(blockDim.x) / 32),
        lane(static_cast<int>(threadIdx.x) % 32) {}

  /// Overwrites A by the QR factorization of a multiple of A, and B by the solution. Writes info as gels
  /// does.
  __device__ void solve(int* info) const {
    const int power = exponent(largest_of_A());
    __syncthreads();
    for (int j = warp; j < A.n; j += warps) multiply(A, 0, A.m, j, -power);
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < A.n; ++j) eliminate(j);
    if (check_diagonal(true, A.n, info, [&](int j) { return is_zero_or_nan(A.read(j, j)); }).mine) {
#pragma unroll 1
      for (int c = warp; c < X.n; c += warps) solve_column(c, power);
    }
    __syncthreads();
  }

 private:
  view<T> A;        // A or A^H, whichever has at least as many rows as columns
  plain_view<T> X;  // B, then the solution
  bool is_least_squares;
  T* tau;                 // of all reflectors
  int warp, warps, lane;  // of this thread; `warps` of the block

  /// Returns e if the number is about 2^e; 0 for zero, infinity and NaN.
  static __device__ int exponent(R largest) {
    return largest > 0 && largest - largest == 0 ? ilogb(largest) : 0;
  }

  /// Calls work(i) for rows first ... end - 1, one lane per row.
  template <class Work>
  __device__ __forceinline__ void for_rows(int first, int end, Work work) const {
#pragma unroll 1
    for (int i = first + lane; i < end; i += 32) work(i);
  }

  template <class View>
  __device__ R largest_of_column(const View& C, int first, int end, int c) const {
    R largest = 0;
    for_rows(first, end, [&](int i) { largest = fmax(largest, size_of(C.read(i, c))); });
    return largest_of_warp(largest);
  }
  __device__ R largest_of_A() const {
    R largest = 0;
#pragma unroll 1
    for (int j = 0; j < A.n; ++j) largest = fmax(largest, largest_of_column(A, 0, A.m, j));
    return largest;
  }

  /// Computes reflector j, in every warp, and applies H^H to columns j + 1 ... of A.
  __device__ void eliminate(int j) const {
    const R power = power_for_column(largest_of_column(A, j, A.m, j));
    R sum = 0;
    for_rows(j + 1, A.m, [&](int i) { add_square(sum, A.read(i, j) * power); });
    sum = sum_of_warp(sum);
    reflector<T> H(A.read(j, j), sum, power);
    if (sum == 0) H.leave_real(A.read(j, j));
    __syncthreads();
#pragma unroll 1
    for (int i = j + 1 + static_cast<int>(threadIdx.x); i < A.m; i += 32 * warps)
      A.write(i, j, product(A.read(i, j) * power, H.scale));
    if (threadIdx.x == 0) {
      A.write(j, j, from_real<T>(H.beta));
      tau[j] = H.tau;
    }
    __syncthreads();
#pragma unroll 1
    for (int c = j + 1 + warp; c < A.n; c += warps) reflect(j, conj(tau[j]), A, c);
    __syncthreads();
  }

  /// C(:, c) -= by * v_j * (v_j^H C(:, c))
  template <class View>
  __device__ void reflect(int j, T by, const View& C, int c) const {
    const T pivot = C.read(j, c);
    T sum{};
    for_rows(j + 1, A.m, [&](int i) { multiply_add(sum, conj(A.read(i, j)), C.read(i, c)); });
    const T factor = -product(by, sum_of_warp(sum) + pivot);
    for_rows(j + 1, A.m, [&](int i) { add(C, i, c, A.read(i, j), factor); });
    if (lane == 0) C.write(j, c, pivot + factor);
    __syncwarp();
  }

  /// Scales right-hand side c, solves with Q and R of A 2^-of_A, and scales the solution back.
  __device__ void solve_column(int c, int of_A) const {
    const int equations = is_least_squares ? A.m : A.n, unknowns = is_least_squares ? A.n : A.m;
    const int of_B = exponent(largest_of_column(X, 0, equations, c));
    multiply(X, 0, equations, c, -of_B);
    if (is_least_squares) {
#pragma unroll 1
      for (int j = 0; j < A.n; ++j) reflect(j, conj(tau[j]), X, c);
#pragma unroll 1
      for (int j = A.n - 1; j >= 0; --j) {
        const T x = divided(j, c);
        for_rows(0, j, [&](int i) { add(X, i, c, A.read(i, j), -x); });
        __syncwarp();
      }
    } else {
#pragma unroll 1
      for (int j = 0; j < A.n; ++j) {
        const T x = divided(j, c);
        for_rows(j + 1, A.n, [&](int i) { add(X, i, c, conj(A.read(j, i)), -x); });
        __syncwarp();
      }
      for_rows(A.n, A.m, [&](int i) { X.write(i, c, T{}); });
      __syncwarp();
#pragma unroll 1
      for (int j = A.n - 1; j >= 0; --j) reflect(j, tau[j], X, c);
    }
    multiply(X, 0, unknowns, c, of_B - of_A);
    multiply(X, unknowns, A.m, c, of_B);
  }

  /// X(j, c) /= R(j, j). Returns the quotient.
  __device__ T divided(int j, int c) const {
    const T x = X.read(j, c) / real(A.read(j, j));
    __syncwarp();
    if (lane == 0) X.write(j, c, x);
    return x;
  }

  /// C(i, c) += a * b
  template <class View>
  static __device__ void add(const View& C, int i, int c, T a, T b) {
    T sum = C.read(i, c);
    multiply_add(sum, a, b);
    C.write(i, c, sum);
  }

  /// C(first:end-1, c) *= 2^power
  template <class View>
  __device__ void multiply(const View& C, int first, int end, int c, int power) const {
    for_rows(first, end, [&](int i) { C.write(i, c, times_power(C.read(i, c), power)); });
    __syncwarp();
  }
};

/// True if some element of A is not zero. All threads that work on the matrix call it.
template <class Work, class T>
__device__ bool is_nonzero(const plain_view<T>& A, int thread, int threads) {
  bool found = false;
  for (std::int64_t e = thread; e < std::int64_t{A.m} * A.n; e += threads)
    found = found || !is_zero(A.read(static_cast<int>(e % A.m), static_cast<int>(e / A.m)));
  return Work::any_bits(found) != 0;
}

/// Returns true if A or B is far from 1, and then solves A X = B, or A^H X = B if adjoint. All threads that
/// work on the matrix call it and get the same result. Not inlined, so that the kernel keeps its registers.
template <class Work, class T>
__device__ __noinline__ bool solve_if_far(matrix<T> A_, matrix<T> B_, bool adjoint, int* info) {
  using R = real_t<T>;
  // Upper halves: one + limit of 2^900, one - limit of 2^-900 (single precision: 2^78, 2^-78)
  constexpr unsigned one = sizeof(R) == 4 ? 127 << 23 : 1023 << 20;
  constexpr unsigned limit = sizeof(R) == 4 ? 78 << 23 : 900 << 20;
  constexpr int AT_ONCE = Work::THREADS == 32 ? 16 : 32;
  if (A_.m == 0 || A_.n == 0) return false;
  const int thread = Work::rank() * Work::THREADS + static_cast<int>(threadIdx.x);
  const int threads = Work::blocks() * Work::THREADS;
  const plain_view<T> A = as_it_is(A_), B = {B_.A, B_.lda, adjoint ? A.n : A.m, B_.n};
  unsigned b[2], a[AT_ONCE];
  strided_loads<T> of_B(B, thread, threads), of_A(A, thread, threads);
  of_B.load(b);  // arrives together with the first elements of A
  unsigned largest_A = 0, largest_B = 0;
  while (of_A.has_more()) {
    of_A.load(a);
    largest_A = max(largest_A, largest_of(a));
  }
  largest_B = largest_of(b);
  while (of_B.has_more()) {
    of_B.load(b);
    largest_B = max(largest_B, largest_of(b));
  }
  constexpr unsigned is_large = 1, A_is_normal = 2, B_is_normal = 4;
  const unsigned found = Work::any_bits((max(largest_A, largest_B) > one + limit ? is_large : 0) |
                                        (largest_A >= one - limit ? A_is_normal : 0) |
                                        (largest_B >= one - limit ? B_is_normal : 0));
  bool is_far = (found & is_large) != 0;
  if (!is_far && !(found & A_is_normal)) is_far = is_nonzero<Work>(A, thread, threads);
  if (!is_far && !(found & B_is_normal)) is_far = is_nonzero<Work>(B, thread, threads);
  if (is_far && Work::rank() == 0) far_system<T>(A_, B_, adjoint, shared_memory<T>()).solve(info);
  return is_far;
}

}  // namespace talus::cuda::householder
