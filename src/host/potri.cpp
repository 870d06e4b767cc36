#include <algorithm>
#include <complex>
#include <limits>

#include "backends.hpp"
#include "host/one_matrix.hpp"
#include "host/over_batch.hpp"

namespace talus::host {
namespace {

/// One matrix by OpenBLAS's xPOTRI, in scratch: some of its kernels sum in another order where a matrix lies
/// at another distance from a 64-byte line. Columns are an odd number of lines apart, since those at powers
/// of two compete for few lines of a cache.
template <class T>
struct aligned_copy {
  static constexpr int line = 64 / sizeof(T);

  static std::size_t leading_dimension(int n) {
    return ((static_cast<std::size_t>(n) + line - 1) / line | 1) * line;
  }

  static std::size_t bytes(int n) {
    std::size_t all = 0;
    const bool overflow =
        __builtin_mul_overflow(leading_dimension(n), static_cast<std::size_t>(n) * sizeof(T), &all);
    return overflow ? std::numeric_limits<std::size_t>::max() : all;  // of which there is none to be had
  }

  static void invert(uplo uplo, const matrix<T>& A, void* scratch) {
    const matrix<T> X{static_cast<T*>(scratch), A.n, A.n, static_cast<int>(leading_dimension(A.n))};
    const bool lower = uplo == uplo::lower;
    for (int j = 0; j < A.n; ++j) {
      const int top = lower ? j : 0, rows = lower ? A.n - j : j + 1;
      std::copy_n(&A(top, j), rows, &X(top, j));
      X(j, j) = std::real(X(j, j));
    }
    lapack::potri(static_cast<char>(uplo), A.n, X.A, X.lda);
    for (int j = 0; j < A.n; ++j) {
      const int top = lower ? j : 0, rows = lower ? A.n - j : j + 1;
      std::copy_n(&X(top, j), rows, &A(top, j));
      A(j, j) = std::real(A(j, j));
    }
  }
};

}  // namespace

template <class T>
int potri(uplo uplo, batch<T> A, int* info) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  if (A.n <= lanes.n_max) {
    return over_groups(lanes, A.count, A.n, info, [&](std::int64_t first, int* infos, void* scratch) {
      lanes.potri(uplo, A.n, group<T>(A, first, lanes.width).of, A.lda, infos, scratch);
    });
  }
  return over_matrices(A.count, aligned_copy<T>::bytes(A.n), [&](std::int64_t b, void* scratch) {
    info[b] = failed_pivot(A[b]);
    if (info[b] == 0) aligned_copy<T>::invert(uplo, A[b], scratch);
  });
}

template int potri(uplo, batch<TALUS_T>, int*);

}  // namespace talus::host
