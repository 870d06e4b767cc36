#include <cstdio>
#include <limits>
#include <talus/talus.hpp>
#include <vector>

int main() {
  const int n = 3, count = 4;
  const talus::queue q = talus::queue::host();
  std::vector<double> A(n * n * count);
  std::vector<int> info(count);
  for (int b = 0; b < count; ++b)
    for (int j = 0; j < n; ++j) A[n * n * b + j * (n + 1)] = 1;
  A[n * n * 1 + 4] = -1;                                        // matrix 1 is not positive definite
  A[n * n * 2 + 8] = std::numeric_limits<double>::quiet_NaN();  // matrix 2 holds a NaN

  // Argument 4, the leading dimension, is illegal: the call does nothing and returns -4.
  int status =
      talus::potrf_strided_batched(talus::uplo::lower, n, A.data(), 2, 9, info.data(), count, q);
  std::printf("%d: %s\n", status, talus::strerror(status));
  bool as_expected = status == -4;

  // Two matrices cannot be factored: the call succeeds, and info holds the failed pivot of each.
  status = talus::potrf_strided_batched(talus::uplo::lower, n, A.data(), n, n * n, info.data(),
                                        count, q);
  for (int b = 0; b < count; ++b) std::printf("matrix %d: info %d\n", b, info[b]);
  as_expected = as_expected && status == 0 && info == std::vector<int>{0, 2, 3, 0};
  return as_expected ? 0 : 1;
}
