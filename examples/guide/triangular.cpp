#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

// Triangular matrices L of orders 1 to 40 have 2 on the diagonal and -1 below it. One call of trsm
// solves L x = b for all matrices, and one call of gemm computes every residual b - L x. Each
// element of b is 1, so x[i] = 1 - 2^-(i + 1).
int main() {
  const talus::queue q = talus::queue::host();
  const int count = 1000, n_max = 40;
  std::vector<std::vector<double>> L(count), x(count), r(count);
  std::vector<double*> L_array, x_array, r_array;
  std::vector<int> n, columns(count, 1), info(count);
  for (int b = 0; b < count; ++b) {
    n.push_back(1 + b % n_max);
    L[b].resize(n[b] * n[b]);
    for (int i = 0; i < n[b]; ++i) {
      L[b][i * (n[b] + 1)] = 2;
      if (i + 1 < n[b]) L[b][i * (n[b] + 1) + 1] = -1;
    }
    x[b].assign(n[b], 1);  // b, overwritten by x
    r[b].assign(n[b], 1);  // b, overwritten by the residual
    L_array.push_back(L[b].data());
    x_array.push_back(x[b].data());
    r_array.push_back(r[b].data());
  }

  int status = talus::trsm_vbatched<double>(talus::side::left, talus::uplo::lower, talus::op::none,
                                            talus::diag::non_unit, n.data(), columns.data(), 1,
                                            L_array.data(), n.data(), x_array.data(), n.data(),
                                            info.data(), count, n_max, 1, q);
  status |= talus::gemm_vbatched<double>(talus::op::none, talus::op::none, n.data(), columns.data(),
                                         n.data(), -1, L_array.data(), n.data(), x_array.data(),
                                         n.data(), 1, r_array.data(), n.data(), info.data(), count,
                                         n_max, 1, n_max, q);

  int wrong = 0;
  for (int b = 0; b < count; ++b)
    for (int i = 0; i < n[b]; ++i)
      wrong += std::abs(x[b][i] - (1 - std::pow(2, -(i + 1)))) > 1e-15 || std::abs(r[b][i]) > 1e-15;
  std::printf("status %d, %d systems solved, %d elements wrong\n", status, count, wrong);
  return status != 0 || wrong != 0;
}
