#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <talus/talus.hpp>
#include <vector>

namespace {

using vector = std::vector<double>;
constexpr int n = 32, lines = 200;  // a grid of 32 x 200 points, one diagonal block for each line
constexpr double strong = 1, weak = .1;  // conduction along and across lines

/// Returns A x, where A is the matrix of heat conduction on the grid.
vector apply(const vector& x) {
  vector y(x.size());
  for (int l = 0; l < lines; ++l) {
    for (int i = 0; i < n; ++i) {
      const int p = l * n + i;
      y[p] = 2 * (strong + weak) * x[p];
      if (i > 0) y[p] -= strong * x[p - 1];
      if (i < n - 1) y[p] -= strong * x[p + 1];
      if (l > 0) y[p] -= weak * x[p - n];
      if (l < lines - 1) y[p] -= weak * x[p + n];
    }
  }
  return y;
}

double dot(const vector& a, const vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Solves A x = b by conjugate gradients. Returns the number of iterations.
template <class Preconditioner>
int solve(const vector& b, Preconditioner precondition) {
  vector x(b.size()), r = b, z = precondition(r), p = z;
  double rz = dot(r, z);
  for (int step = 1;; ++step) {
    const vector Ap = apply(p);
    const double alpha = rz / dot(p, Ap);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += alpha * p[i], r[i] -= alpha * Ap[i];
    if (dot(r, r) < 1e-20 * dot(b, b) || step == 1000) return step;
    z = precondition(r);
    const double before = rz;
    rz = dot(r, z);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + rz / before * p[i];
  }
}

}  // namespace

int main() {
  const talus::queue q = talus::queue::host();
  vector blocks(n * n * lines);
  for (int l = 0; l < lines; ++l) {
    for (int i = 0; i < n; ++i) {
      blocks[n * n * l + i * (n + 1)] = 2 * (strong + weak);
      if (i < n - 1) blocks[n * n * l + i * (n + 1) + 1] = -strong;
    }
  }
  // Factor all diagonal blocks once.
  std::vector<int> info(lines);
  int status = talus::potrf_strided_batched(talus::uplo::lower, n, blocks.data(), n, n * n,
                                            info.data(), lines, q);
  status |= *std::max_element(info.begin(), info.end());

  // In each iteration, solve with all blocks. Each block has its own part of the residual.
  const auto block_jacobi = [&](vector r) {
    status |= talus::potrs_strided_batched(talus::uplo::lower, n, 1, blocks.data(), n, n * n,
                                           r.data(), n, n, info.data(), lines, q);
    return r;
  };
  const vector b(n * lines, 1.0);
  const int with = solve(b, block_jacobi), without = solve(b, [](const vector&r) { return r; });
  std::printf("iterations: %d with block-Jacobi, %d without\n", with, without);
  return status != 0 || 2 * with > without;
}
