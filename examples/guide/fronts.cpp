#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

// The matrix of order 6 has 2 on the diagonal and -1 beside it; its determinant is 7. Nested
// dissection eliminates the unknowns in the order 0 1 2 | 4 5 | 3. The first two groups are
// independent fronts, and unknown 3 is the root front above them.
int main() {
  const talus::queue q = talus::queue::host();
  double determinant = 1;
  int failures = 0;
  const auto eliminate = [&](std::vector<std::vector<double>>& fronts, const std::vector<int>& n,
                             const std::vector<int>& k) {
    std::vector<double*> A;
    std::vector<int> info(fronts.size());
    for (std::vector<double>& front : fronts) A.push_back(front.data());
    failures +=
        talus::potrf_partial_vbatched(talus::uplo::lower, n.data(), k.data(), A.data(), n.data(),
                                      info.data(), static_cast<int>(fronts.size()), 4, 3, q) != 0;
    for (std::size_t f = 0; f < fronts.size(); ++f) {
      failures += info[f] != 0;
      for (int j = 0; j < k[f]; ++j) determinant *= std::pow(fronts[f][j * (n[f] + 1)], 2);
    }
  };

  // Level 0. Each front has its own unknowns first, then unknown 3. The diagonal element of
  // unknown 3 is in the root.
  std::vector<std::vector<double>> leaves{
      {2, -1, 0, 0, 0, 2, -1, 0, 0, 0, 2, -1, 0, 0, 0, 0},  // unknowns 0 1 2, then 3
      {2, -1, -1, 0, 2, 0, 0, 0, 0}};                       // unknowns 4 5, then 3
  eliminate(leaves, {4, 3}, {3, 2});

  // Level 1. The Schur complements of both fronts are added to the front of unknown 3.
  std::vector<std::vector<double>> root{{2 + leaves[0].back() + leaves[1].back()}};
  eliminate(root, {1}, {1});

  std::printf("determinant %.15g, failures %d\n", determinant, failures);
  return failures != 0 || std::abs(determinant - 7) > 1e-13;
}
