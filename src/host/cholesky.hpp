// What the host's Cholesky routines have in common: loops over a batch, and one matrix by OpenBLAS.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <memory>

#include <omp.h>

#include "batch.hpp"
#include "host/lanes.hpp"
#include "host/lapack.hpp"
#include "host/one_thread_blas.hpp"
#include "talus/types.hpp"

namespace talus::host {

/// Up to which n one matrix per lane is faster than one matrix per call of OpenBLAS. On two cores of a
/// Sapphire Rapids (2 MB of L2 each, AVX-512, OpenBLAS 0.3.21) lanes win to n = 256 in single and double
/// precision, but a group of doubles then fills the L2; other machines have less.
template <class T>
constexpr int lanes_n_max = 0;
template <>
constexpr int lanes_n_max<float> = 192;
template <>
constexpr int lanes_n_max<double> = 128;
template <>
constexpr int lanes_n_max<std::complex<float>> = 128;
template <>
constexpr int lanes_n_max<std::complex<double>> = 96;

struct free_memory {
  void operator()(void* p) const { std::free(p); }
};

/// Runs work(A, info, scratch) for every group of lanes; `elements` is the scratch of one matrix. Threads
/// take groups as they become free, a few at a time so that taking one costs little even for n = 2.
template <class T, class Work>
int for_each_group(std::int64_t count, int width, std::size_t elements, Work work) {
  const std::size_t lines = (elements * static_cast<std::size_t>(width) * sizeof(T) + 63) / 64 + 2;
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  const std::unique_ptr<void, free_memory> scratch(std::aligned_alloc(64, threads * lines * 64));
  if (!scratch) return err_work;
  const std::int64_t groups = (count + width - 1) / width;
  const auto chunk = static_cast<int>(std::clamp<std::size_t>(2048 / lines, 1, 128));
#pragma omp parallel for schedule(dynamic, chunk)
  for (std::int64_t group = 0; group < groups; ++group) {
    char* const mine =
        static_cast<char*>(scratch.get()) + static_cast<std::size_t>(omp_get_thread_num()) * lines * 64;
    work(group * width, reinterpret_cast<T*>(mine));
  }
  return 0;
}

/// Brings the matrices of the group that begins at matrix `first` on their way to the cache. A group's
/// matrices are read column by column in turn, which no hardware prefetcher recognises as the one stream it
/// is.
template <class T>
void prefetch_group(const batch<T>& A, std::int64_t first, int width) {
  const auto bytes =
      static_cast<std::ptrdiff_t>(sizeof(T)) * (static_cast<std::ptrdiff_t>(A.lda) * (A.n - 1) + A.m);
  for (std::int64_t b = first; b < std::min(first + width, A.count); ++b) {
    const char* const start = reinterpret_cast<const char*>(A[b].A);
    for (std::ptrdiff_t line = 0; line < bytes; line += 64) __builtin_prefetch(start + line, 1, 2);
  }
}

/// Starts of the matrices of the group that begins at matrix `first`, the last of the batch again where it
/// ends.
template <class T>
void group_pointers(const batch<T>& A, std::int64_t first, int width, T** pointers) {
  for (int l = 0; l < width; ++l) pointers[l] = A[std::min(first + l, A.count - 1)].A;
}

/// Stores a group's infos as far as the batch goes.
inline void copy_info(const int* group, std::int64_t first, int width, std::int64_t count, int* info) {
  for (int l = 0; l < width && first + l < count; ++l) info[first + l] = group[l];
}

/// Runs work(b) for every matrix, OpenBLAS on one thread in each.
template <class Work>
void for_each_matrix(std::int64_t count, Work work) {
  const one_thread_blas quiet;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < count; ++b) work(b);
}

/// 0, or 1 + the first diagonal element that is not > 0.
template <class T>
int check_diagonal(const matrix<T>& A) {
  for (int j = 0; j < A.n; ++j) {
    if (!(std::real(A(j, j)) > 0)) return j + 1;
  }
  return 0;
}

/// OpenBLAS's xPOTRF, with what it leaves out: it takes a NaN for a positive pivot, and imaginary parts of
/// the diagonal as they come.
template <class T>
int factor(uplo uplo, const matrix<T>& A) {
  const char letter = static_cast<char>(uplo);
  int info = 0;
  if constexpr (!std::is_floating_point_v<T>) {
    for (int j = 0; j < A.n; ++j) A(j, j) = std::real(A(j, j));
  }
  lapack::potrf(&letter, &A.n, A.A, &A.lda, &info);
  const int found = check_diagonal(A);  // a NaN stays where it was met and spoils every later pivot
  return found != 0 && (info == 0 || found < info) ? found : info;
}

template <class T>
void solve(uplo uplo, const matrix<const T>& A, const matrix<T>& B) {
  const char letter = static_cast<char>(uplo);
  int info = 0;
  if (B.n > 0) lapack::potrs(&letter, &A.n, &B.n, A.A, &A.lda, B.A, &B.lda, &info);
}

}  // namespace talus::host
