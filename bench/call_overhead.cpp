// Microseconds of the host's clock that calls take on one 2-by-2 matrix, for bench/python_linalg.py
// --overhead. On cuda they return when the work is queued; the queue is drained between blocks of calls.
//
//   talus-call-overhead [host | cuda]     prints lines such as "cholesky 4.21"
//
// potrf is the call alone. The others copy their arguments before, as talus.linalg does, into memory that is
// there.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "measure/memory.hpp"
#include "talus/talus.hpp"

namespace {

using namespace talus;
using T = double;

/// The median over blocks.
template <class Call>
double microseconds(backend where, Call call) {
  constexpr int blocks = 51, calls = 100;
  std::vector<double> times;
  for (int block = 0; block < blocks; ++block) {
    measure::finish(where);
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
    times.push_back(spent.count() / calls);
  }
  measure::finish(where);
  std::nth_element(times.begin(), times.begin() + blocks / 2, times.end());
  return times[blocks / 2];
}

void run(backend where) {
  constexpr int n = 2;
  const std::vector<T> matrix = {4, 1, 1, 3}, vector = {1, 1};
  const measure::array<T> A(where, matrix), B(where, vector), factor(where, matrix), X(where, vector);
  const measure::array<int> ipiv(where, n), info(where, 1);
  const queue q = measure::queue_of(where);
  const auto copy = [&](const measure::array<T>& from, const measure::array<T>& to) {
    measure::copy_within(where, to.data(), from.data(), from.size() * sizeof(T));
  };
  const auto potrf = [&] {
    potrf_strided_batched<T>(uplo::lower, n, factor.data(), n, n * n, info.data(), 1, q);
  };
  std::printf("potrf %.3f\n", microseconds(where, potrf));
  std::printf("cholesky %.3f\n", microseconds(where, [&] {
                copy(A, factor);
                potrf();
              }));
  std::printf("lu_factor %.3f\n", microseconds(where, [&] {
                copy(A, factor);
                getrf_strided_batched<T>(n, n, factor.data(), n, n * n, ipiv.data(), n, info.data(), 1, q);
              }));
  std::printf("solve %.3f\n", microseconds(where, [&] {
                copy(A, factor);
                copy(B, X);
                gesv_strided_batched<T>(n, 1, factor.data(), n, n * n, ipiv.data(), n, X.data(), n, n,
                                        info.data(), 1, q);
              }));
}

}  // namespace

int main(int argc, char** argv) {
  const bool cuda = argc == 2 && std::strcmp(argv[1], "cuda") == 0;
  if (argc > 2 || (argc == 2 && !cuda && std::strcmp(argv[1], "host") != 0)) {
    std::fprintf(stderr, "usage: talus-call-overhead [host | cuda]\n");
    return 2;
  }
  try {
    run(cuda ? talus::backend::cuda : talus::backend::host);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "talus-call-overhead: %s\n", error.what());
    return 1;
  }
  return 0;
}
