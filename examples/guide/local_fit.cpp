#include <algorithm>
#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

// Computes derivatives of a function that is known at scattered points. A parabola is fitted to the
// neighbours of each point.
int main() {
  const int neighbours = 9, coefficients = 3, points = 2000;
  std::vector<double> at(points + neighbours), A, B;
  for (std::size_t i = 0; i < at.size(); ++i)
    at[i] = 0.002 * (double(i) + 0.4 * std::sin(5.0 * double(i)));
  for (int p = 0; p < points; ++p) {
    const double centre = at[p + neighbours / 2], scale = 0.01;
    for (int power = 0; power < coefficients; ++power)
      for (int i = 0; i < neighbours; ++i)
        A.push_back(std::pow((at[p + i] - centre) / scale, power));
    for (int i = 0; i < neighbours; ++i) B.push_back(std::sin(at[p + i]));
  }
  std::vector<int> info(points);
  const int status = talus::gels_strided_batched(
      talus::op::none, neighbours, coefficients, 1, A.data(), neighbours, neighbours * coefficients,
      B.data(), neighbours, neighbours, info.data(), points, talus::queue::host());
  double error = 0, residual = 0;
  for (int p = 0; p < points; ++p) {
    const double* x =
        &B[neighbours * p];  // the coefficients, then elements that have the norm of the residual
    error = std::max(error, std::abs(x[1] / 0.01 - std::cos(at[p + neighbours / 2])));
    double squares = 0;
    for (int i = coefficients; i < neighbours; ++i) squares += x[i] * x[i];
    residual = std::max(residual, std::sqrt(squares));
  }
  const bool full_rank = *std::max_element(info.begin(), info.end()) == 0;
  std::printf("status %d, error of derivatives %.1e, largest residual %.1e\n", status, error,
              residual);
  return status != 0 || !full_rank || error > 1e-4 || residual > 1e-6;
}
