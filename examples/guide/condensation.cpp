#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

// Static condensation eliminates the inner unknowns of each element before the elements are
// assembled. The elements discretize -u'' with quadratic functions on intervals of length h. After
// the middle node is eliminated, the matrix of a linear element remains.
int main() {
  const int n = 3, inside = 1, count = 1000;
  std::vector<double> h(count), K;  // stiffness matrices, the middle node first
  for (int e = 0; e < count; ++e) {
    h[e] = 1.0 / (1 + e % 10);
    for (const int entry : {16, -8, -8, -8, 7, 1, -8, 1, 7}) K.push_back(entry / (3 * h[e]));
  }
  std::vector<int> info(count);
  const int status = talus::potrf_partial_strided_batched(
      talus::uplo::lower, n, inside, K.data(), n, n * n, info.data(), count, talus::queue::host());
  int wrong = 0;
  for (int e = 0; e < count; ++e) {
    const double *S = &K[n * n * e], expected = 1 / h[e];  // [1 -1; -1 1] / h
    for (const double difference : {S[4] - expected, S[5] + expected, S[8] - expected})
      wrong += info[e] != 0 || std::abs(difference) > 1e-13 * expected;
  }
  std::printf("status %d, %d elements condensed, %d entries wrong\n", status, count, wrong);
  return status != 0 || wrong != 0;
}
