#include <talus/talus.hpp>
constexpr int n = 16, count = 100000;
static double A[count][n][n];  // each matrix column by column
static int info[count];        // 0: factored; j > 0: the leading minor of order j is not positive
int main() {
  for (int i = 0; i < n * count; ++i) A[i / n][i % n][i % n] = 4;
  return talus::potrf_strided_batched(talus::uplo::lower, n, A[0][0], n, n * n, info, count, {});
}
