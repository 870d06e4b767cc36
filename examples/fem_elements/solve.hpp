// Factors and solves all systems in one call each, times it, and checks every solution.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "blas.hpp"
#include "common/one_thread_blas.hpp"
#include "common/program.hpp"
#include "systems.hpp"
#include "talus/batched.hpp"

namespace fem {

using example::copy;
using example::stopwatch;

struct solution {
  double potrf_seconds, posv_seconds;  ///< medians, for the whole batch
  std::vector<int> info;               ///< of posv; where it was 0, that of potrf
  std::vector<double> residual;        ///< see residual() below; only where info is 0
};

/// Bytes that solve() needs in the memory where q runs and, for a cuda queue, what it needs on the host
/// besides.
template <class T>
double solve_bytes(int n, int nrhs, std::int64_t count, talus::queue q) {
  const double one = (static_cast<double>(n) * n + static_cast<double>(n) * nrhs) * sizeof(T);
  // The host restores its work arrays from the systems themselves, a device from a second copy of its own.
  return static_cast<double>(count) * ((q.where == talus::backend::cuda ? 2 : 1) * one + sizeof(int));
}
template <class T>
double systems_bytes(int n, int nrhs, std::int64_t count) {
  return static_cast<double>(count) * (static_cast<double>(n) * n + 2.0 * n * nrhs) * sizeof(T);
}

/// ||B - A X||_1 / (n ||A||_1 ||X||_1 eps) with eps the unit roundoff of T: LAPACK's measure, below 30 for a
/// backward stable solver. NaN where X holds one.
template <class T>
double residual(int n, int nrhs, const T* A, const T* X, const T* B) {
  const auto norm_1 = [n](const T* column) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += std::abs(static_cast<double>(column[i]));
    return sum;
  };
  double norm_A = 0, norm_X = 0, norm_R = 0;
  for (std::ptrdiff_t j = 0; j < n; ++j) norm_A = std::max(norm_A, norm_1(A + j * n));
  std::vector<double> R(static_cast<std::size_t>(n));
  for (std::ptrdiff_t r = 0; r < nrhs; ++r) {
    const T *x = X + r * n, *b = B + r * n;
    std::copy(b, b + n, R.begin());
    for (std::ptrdiff_t j = 0; j < n; ++j)
      for (std::ptrdiff_t i = 0; i < n; ++i)
        R[static_cast<std::size_t>(i)] -= static_cast<double>(A[i + j * n]) * static_cast<double>(x[j]);
    double sum = 0;
    for (const double value : R) sum += std::abs(value);
    if (std::isnan(sum)) return sum;
    norm_R = std::max(norm_R, sum);
    norm_X = std::max(norm_X, norm_1(x));
  }
  if (norm_R == 0) return 0;
  return norm_R / (n * norm_A * norm_X * (std::numeric_limits<T>::epsilon() / 2));
}

/// Median time of `run`, with `restore` before each and outside of it; the first run only warms up. Short
/// runs, which noise hurts most, are repeated beyond `repetitions`.
template <class Restore, class Run>
double median_seconds(int repetitions, talus::queue q, Restore restore, Run run) {
  constexpr double long_enough = 0.05;
  stopwatch watch(q);
  const auto once = [&] {
    restore();
    watch.start();
    run();
    return watch.stop();
  };
  once();
  std::vector<double> seconds;
  for (double total = 0; static_cast<int>(seconds.size()) < repetitions || total < long_enough;) {
    seconds.push_back(once());
    total += seconds.back() + 1e-6;  // a clock that stands still must not keep us here
  }
  return example::median(seconds);
}

/// Seconds for the whole batch, with OpenBLAS.
struct openblas_times {
  struct way {
    const char* name;
    double seconds;
  };
  std::vector<way> ways;
  bool extrapolated;  ///< from a part of the batch

  const way& best() const {
    return *std::min_element(ways.begin(), ways.end(),
                             [](const way& a, const way& b) { return a.seconds < b.seconds; });
  }
};

/// Times OpenBLAS on the same systems, in three ways that need no Talus. "loop" solves one matrix after the
/// other with OpenBLAS's own threads. "static" and "dynamic" are OpenMP loops over the matrices, with one
/// thread of OpenBLAS for each matrix. If the batch is large, this function times only its first matrices,
/// which are larger than most caches, and scales the times up.
template <class T>
openblas_times time_openblas(const systems<T>& given, talus::uplo triangle, int repetitions) {
  constexpr std::int64_t enough_bytes = std::int64_t{128} << 20;
  const std::int64_t matrix_bytes = given.stride_A() * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t many = std::clamp<std::int64_t>(enough_bytes / matrix_bytes, 1, given.count);
  const talus::queue host = talus::queue::host();
  const array<T> A(host.where, static_cast<std::size_t>(many * given.stride_A()));
  const array<T> B(host.where, static_cast<std::size_t>(many * given.stride_B()));
  const auto restore = [&] {
    copy(A.data(), given.A.data(), A.bytes(), host);
    copy(B.data(), given.B.data(), B.bytes(), host);
  };
  const auto solve_one = [&](std::int64_t b) {
    const char letter = static_cast<char>(triangle);
    int info = 0;
    T *A_b = A.data() + b * given.stride_A(), *B_b = B.data() + b * given.stride_B();
    blas::potrf(letter, given.n, A_b, &info);
    if (info == 0) blas::potrs(letter, given.n, given.nrhs, A_b, B_b, &info);
  };
  const double scale = static_cast<double>(given.count) / static_cast<double>(many);
  const auto seconds_of = [&](auto solve_all) {
    return scale * median_seconds(repetitions, host, restore, solve_all);
  };

  openblas_times times{{}, many < given.count};
  times.ways.push_back({"loop", seconds_of([&] {
                          for (std::int64_t b = 0; b < many; ++b) solve_one(b);
                        })});
  const example::one_thread_blas guard;
  times.ways.push_back({"static", seconds_of([&] {
#pragma omp parallel for schedule(static)
                          for (std::int64_t b = 0; b < many; ++b) solve_one(b);
                        })});
  times.ways.push_back({"dynamic", seconds_of([&] {
#pragma omp parallel for schedule(dynamic)
                          for (std::int64_t b = 0; b < many; ++b) solve_one(b);
                        })});
  return times;
}

template <class T>
solution solve(const systems<T>& given, talus::uplo triangle, int repetitions, talus::queue q) {
  const bool on_device = q.where == talus::backend::cuda;
  const auto count = static_cast<std::size_t>(given.count);
  const int n = given.n, nrhs = given.nrhs;
  solution s{0, 0, std::vector<int>(count), std::vector<double>(count)};
  const array<T> X(talus::backend::host, given.B.size());

  {
    const array<T> A(q.where, given.A.size()), B(q.where, given.B.size());
    const array<T> A_given(q.where, on_device ? A.size() : 0), B_given(q.where, on_device ? B.size() : 0);
    const array<int> info(q.where, count);
    if (on_device) {
      copy(A_given.data(), given.A.data(), A.bytes(), q);
      copy(B_given.data(), given.B.data(), B.bytes(), q);
    }
    const auto restore = [&] {
      copy(A.data(), on_device ? A_given.data() : given.A.data(), A.bytes(), q);
      copy(B.data(), on_device ? B_given.data() : given.B.data(), B.bytes(), q);
    };

    s.potrf_seconds = median_seconds(repetitions, q, restore, [&] {
      example::check("potrf_strided_batched",
                     talus::potrf_strided_batched(triangle, n, A.data(), n, given.stride_A(), info.data(),
                                                  given.count, q));
    });
    std::vector<int> potrf_info(count);
    copy(potrf_info.data(), info.data(), info.bytes(), q);

    s.posv_seconds = median_seconds(repetitions, q, restore, [&] {
      example::check("posv_strided_batched",
                     talus::posv_strided_batched(triangle, n, nrhs, A.data(), n, given.stride_A(), B.data(),
                                                 n, given.stride_B(), info.data(), given.count, q));
    });
    copy(s.info.data(), info.data(), info.bytes(), q);
    copy(X.data(), B.data(), B.bytes(), q);
    for (std::size_t b = 0; b < count; ++b)
      if (s.info[b] == 0) s.info[b] = potrf_info[b];
  }

#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < given.count; ++b)
    if (s.info[static_cast<std::size_t>(b)] == 0)
      s.residual[static_cast<std::size_t>(b)] =
          residual(n, nrhs, given.A_of(b), X.data() + b * given.stride_B(), given.B_of(b));
  return s;
}

}  // namespace fem
