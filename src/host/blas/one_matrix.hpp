// BLAS's operations on one matrix on the calling thread. OpenBLAS's xTRSM and xGEMM copy what they read into
// blocks of their own, so that their bits do not depend on where a matrix lies. Its xGEMV reads a matrix
// where it lies, so that Talus multiplies with vectors itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "batch.hpp"
#include "batched/blas/backends.hpp"
#include "host/blas/kernels.hpp"
#include "host/lapack.hpp"
#include "host/numbers.hpp"
#include "host/triangular.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// C <- beta C, whatever C holds if beta = 0.
template <class T>
void scale(const matrix<T>& C, T beta) {
  if (beta == T(1)) return;
  for (int j = 0; j < C.n; ++j) {
    for (int i = 0; i < C.m; ++i) C(i, j) = beta == T(0) ? T(0) : times(beta, C(i, j));
  }
}

template <class T>
void solve(const triangular_system<T>& system, const matrix<const T>& A, const matrix<T>& B) {
  if (B.m == 0 || B.n == 0) return;
  if (system.alpha == T(0)) return scale(B, T(0));
  solve_triangle(static_cast<char>(system.side), static_cast<char>(system.uplo), static_cast<char>(system.op),
                 static_cast<char>(system.diag), B.m, B.n, system.alpha, A.A, A.lda, B.A, B.lda);
}

template <class T>
void multiply(const product_of<T>& product, const matrix<const T>& A, const matrix<const T>& B,
              const matrix<T>& C, int k) {
  if (k == 0 || product.alpha == T(0)) return scale(C, product.beta);
  lapack::gemm(static_cast<char>(product.of_A), static_cast<char>(product.of_B), C.m, C.n, k, product.alpha,
               A.A, A.lda, B.A, B.lda, product.beta, C.A, C.lda);
}

/// Scratch of multiply with a vector: x and y, one element behind the other.
template <class T>
std::size_t vector_bytes(int m, int n) {
  return (static_cast<std::size_t>(m) + static_cast<std::size_t>(n)) * sizeof(T);
}

/// Element 0 of a vector whose storage starts there.
template <class T>
T* first_element(T* start, int length, int step) {
  return step > 0 ? start : start - static_cast<std::ptrdiff_t>(length - 1) * step;
}

template <class T>
void multiply(const blas_kernels<T>& kernels, const product_with_vector<T>& product, const matrix<const T>& A,
              const T* x, int incx, T* y, int incy, void* scratch) {
  const bool plain = product.of_A == op::none;
  const int length_x = plain ? A.n : A.m, length_y = plain ? A.m : A.n;
  T *const gathered = static_cast<T*>(scratch), *const sums = gathered + length_x;
  if (product.alpha != T(0)) {
    const T* const first = first_element(x, length_x, incx);
    for (int i = 0; i < length_x; ++i) gathered[i] = first[static_cast<std::ptrdiff_t>(i) * incx];
    kernels.multiply(product.of_A, A.m, A.n, A.A, A.lda, gathered, sums);
  }
  T* const to = first_element(y, length_y, incy);
  for (int i = 0; i < length_y; ++i) {
    T& y_i = to[static_cast<std::ptrdiff_t>(i) * incy];
    const T rest = product.beta == T(0) ? T(0) : times(product.beta, y_i);
    y_i = product.alpha == T(0) ? rest : rest + times(product.alpha, sums[i]);
  }
}

}  // namespace talus::host
