#include <algorithm>
#include <cstdio>
#include <random>
#include <talus/talus.hpp>
#include <vector>

namespace {

/// Factors the matrices by geqrf, in the given order, and returns the factors.
std::vector<float> factored(std::vector<float> A, int n, int count) {
  std::vector<float> tau(std::size_t(n) * count);
  std::vector<int> info(count);
  const int status = talus::geqrf_strided_batched(n, n, A.data(), n, n * n, tau.data(), n,
                                                  info.data(), count, talus::queue::host());
  if (status != 0) std::fprintf(stderr, "%s\n", talus::strerror(status));
  return A;
}

}  // namespace

int main() {
  const int n = 12, count = 1000, size = n * n;
  std::mt19937 random(1);
  std::vector<float> A(std::size_t(size) * count);
  for (float& a : A) a = std::uniform_real_distribution<float>(-1, 1)(random);

  const std::vector<float> first = factored(A, n, count), again = factored(A, n, count);

  std::vector<float> backwards;  // the matrices in reverse order
  for (int b = count - 1; b >= 0; --b)
    backwards.insert(backwards.end(), A.begin() + b * size, A.begin() + (b + 1) * size);
  backwards = factored(backwards, n, count);
  bool moved = true;
  for (int b = 0; b < count; ++b)
    moved = moved && std::equal(first.begin() + b * size, first.begin() + (b + 1) * size,
                                backwards.begin() + (count - 1 - b) * size);
  std::printf("a second run: %s, another order: %s\n", first == again ? "same bits" : "other bits",
              moved ? "same bits" : "other bits");
  return first == again && moved ? 0 : 1;
}
