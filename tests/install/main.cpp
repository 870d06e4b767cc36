#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

int main() {
  std::vector<double> A{4, 2, 0, 2, 4, 2, 0, 2};
  std::vector<int> info(2);
  const int status = talus::potrf_strided_batched(talus::uplo::lower, 2, A.data(), 2, 4, info.data(), 2,
                                                  talus::queue::host());
  if (status != 0 || info[1] != 0 || A[4] != 2 || A[7] != 1) {
    std::printf("wrong: %s\n", talus::strerror(status));
    return 1;
  }
  return 0;
}
