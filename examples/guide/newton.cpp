#include <algorithm>
#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

// Robertson's reaction of three species in 5,000 cells with different rates: one step of implicit
// Euler. All cells take each Newton step together, in one call of gesv.
int main() {
  const int n = 3, cells = 5000;
  const double dt = 0.1;
  const talus::queue q = talus::queue::host();
  std::vector<double> y, J(n * n * cells), F(n * cells), slow(cells);
  std::vector<int> ipiv(n * cells), info(cells);
  for (int c = 0; c < cells; ++c) {
    slow[c] = 0.04 * (1 + c % 7);
    y.insert(y.end(), {1, 0, 0});
  }
  const std::vector<double> before = y;

  int status = 0, steps = 0;
  double change = 1;
  for (; change > 1e-12 && steps < 50 && status == 0; ++steps) {
    for (int c = 0; c < cells; ++c) {
      const double *u = &y[n * c], *old = &before[n * c], k1 = slow[c], k2 = 1e4, k3 = 3e7;
      const double made[] = {-k1 * u[0] + k2 * u[1] * u[2], 0, k3 * u[1] * u[1]};  // per second
      const double rate[] = {made[0], -made[0] - made[2], made[2]};
      const double dfdu[] = {-k1,           k1,         0, k2 * u[2], -k2 * u[2] - 2 * k3 * u[1],
                             2 * k3 * u[1],  // column by column
                             k2 * u[1],     -k2 * u[1], 0};
      for (int i = 0; i < n; ++i) F[n * c + i] = u[i] - old[i] - dt * rate[i];
      for (int i = 0; i < n * n; ++i) J[n * n * c + i] = (i % (n + 1) == 0 ? 1 : 0) - dt * dfdu[i];
    }
    status = talus::gesv_strided_batched(n, 1, J.data(), n, n * n, ipiv.data(), n, F.data(), n, n,
                                         info.data(), cells, q);
    status |=
        *std::max_element(info.begin(), info.end());  // F is unchanged if its Jacobian is singular
    change = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] -= F[i];
      change = std::max(change, std::abs(F[i]));
    }
  }
  double lost = 0;  // mass is conserved
  for (int c = 0; c < cells; ++c)
    lost = std::max(lost, std::abs(y[n * c] + y[n * c + 1] + y[n * c + 2] - 1));
  std::printf("status %d, %d steps, last change %.1e, mass lost %.1e\n", status, steps, change,
              lost);
  return status != 0 || change > 1e-12 || lost > 1e-12;
}
