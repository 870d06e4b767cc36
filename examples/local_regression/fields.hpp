// What is known at the points: fields whose derivatives are known, too.
#pragma once

#include <cmath>
#include <functional>

namespace regression {

/// What a fit is to find of a field at a point.
struct derivatives {
  double value = 0, gradient[3] = {}, laplacian = 0;
};

/// Of field number `which` at the point x of 2 or 3 coordinates.
using fields = std::function<derivatives(const double* x, int which)>;

/// A wave and a bell, smooth on the scale of the unit square or cube: sin(k . x + which) + exp(-2 |x - c|^2).
inline fields wave_and_bell(int dimension) {
  return [dimension](const double* x, int which) {
    constexpr double k[] = {3, 2, 2.5}, c[] = {0.3, 0.6, 0.45}, s = 2;
    double phase = which, square = 0, k_square = 0;
    for (int d = 0; d < dimension; ++d) {
      phase += k[d] * x[d], square += (x[d] - c[d]) * (x[d] - c[d]);
      k_square += k[d] * k[d];
    }
    const double bell = std::exp(-s * square);
    derivatives f;
    f.value = std::sin(phase) + bell;
    for (int d = 0; d < dimension; ++d) f.gradient[d] = k[d] * std::cos(phase) - 2 * s * (x[d] - c[d]) * bell;
    f.laplacian = -k_square * std::sin(phase) + (4 * s * s * square - 2 * s * dimension) * bell;
    return f;
  };
}

}  // namespace regression
