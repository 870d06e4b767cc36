#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

int main() {
  const int n = 16, count = 100000;  // 100,000 systems with 16 unknowns each
  std::vector<double> A(std::size_t{n} * n * count, 1.0), B(std::size_t{n} * count, 1.0);
  for (int b = 0; b < count; ++b)
    for (int j = 0; j < n; ++j)
      A[std::size_t{n} * n * b + j * (n + 1)] = 2 + b % 5;  // the diagonal of matrix b
  std::vector<int> info(count);

  const int status =
      talus::posv_strided_batched(talus::uplo::lower, n, 1, A.data(), n, n * n, B.data(), n, n,
                                  info.data(), count, talus::queue::host());
  if (status != 0) {
    std::fprintf(stderr, "%s\n", talus::strerror(status));
    return 1;
  }
  int wrong = 0;  // each element of the solution is 1 / (n + 1 + b % 5)
  for (int b = 0; b < count; ++b)
    wrong += info[b] != 0 || std::abs(B[std::size_t{n} * b] - 1.0 / (n + 1 + b % 5)) > 1e-14;
  std::printf("%d systems solved, %d of them wrong\n", count, wrong);
  return wrong != 0;
}
