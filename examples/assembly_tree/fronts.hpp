// The matrices: symmetric positive definite, put together as a front is, and what is checked of their factor.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/random_numbers.hpp"

namespace tree {

using example::random_numbers;
using example::random_vector;

///   A = I + sum over c of u_c u_c^T + sum over e of v_e v_e^T
///
/// u_c: what four children have passed up, dense and of length about 1; v_e: elements of eight neighbouring
/// rows each. All eigenvalues lie between 1 and some dozens. A front holds the vectors alone and writes A
/// column by column, so that a check does not need a second A.
template <class T>
class front {
 public:
  front(int n, std::uint64_t seed) : n_(n), children_(at(n) * children), elements_(at(n) * rows) {
    random_numbers random(seed);
    const double scale = std::sqrt(3.0 / std::max(n, 1));
    for (T& u : children_) u = static_cast<T>(scale * random.next());
    for (T& v : elements_) v = static_cast<T>(random.next());
  }

  int n() const { return n_; }

  /// Column j, from its first row on: both triangles.
  void column(int j, T* A_j) const {
    const T *u0 = &children_[0], *u1 = u0 + n_, *u2 = u1 + n_, *u3 = u2 + n_;
    const T a0 = u0[j], a1 = u1[j], a2 = u2[j], a3 = u3[j];
    for (int i = 0; i < n_; ++i) A_j[i] = u0[i] * a0 + u1[i] * a1 + u2[i] * a2 + u3[i] * a3;
    for (int e = std::max(0, j - rows + 1); e <= j; ++e) {  // element e has rows e ... e + 7
      const T* v = &elements_[at(e) * rows];
      for (int i = e; i < std::min(e + rows, n_); ++i) A_j[i] += v[i - e] * v[j - e];
    }
    A_j[j] += 1;
  }

  void write(T* A) const {
    for (int j = 0; j < n_; ++j) column(j, A + static_cast<std::ptrdiff_t>(j) * n_);
  }

 private:
  static constexpr int children = 4, rows = 8;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  int n_;
  std::vector<T> children_, elements_;
};

/// ||y - A x||_1 / (n ||A||_1 ||x||_1 eps), LAPACK's measure of a solution x of A x = y, with eps the unit
/// roundoff of T. NaN where x or y holds one.
template <class T>
double residual(const front<T>& A, const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = x.size();
  std::vector<double> r = y;
  std::vector<T> column(n);
  const auto norm_1 = [](const auto& values) {
    double sum = 0;
    for (const auto value : values) sum += std::abs(static_cast<double>(value));
    return sum;
  };
  double norm_A = 0;
  for (std::size_t j = 0; j < n; ++j) {
    A.column(static_cast<int>(j), column.data());
    norm_A = std::max(norm_A, norm_1(column));
    for (std::size_t i = 0; i < n; ++i) r[i] -= static_cast<double>(column[i]) * x[j];
  }
  const double norm_r = norm_1(r);
  if (norm_r == 0) return 0;
  return norm_r / (static_cast<double>(n) * norm_A * norm_1(x) * (std::numeric_limits<T>::epsilon() / 2));
}

/// The residual of a factor L, n-by-n in the lower triangle: that of L L^T x as A x, for one random x. An
/// entry of L that is wrong shows in it, at the cost of two products with a vector instead of a matrix.
template <class T>
double factor_residual(const front<T>& A, const T* L, std::uint64_t seed) {
  const int n = A.n();
  const std::vector<double> x = random_vector(n, seed);
  std::vector<double> y(x.size(), 0.0);
  for (int j = 0; j < n; ++j) {
    const T* L_j = L + static_cast<std::ptrdiff_t>(j) * n;
    double z = 0;  // of z = L^T x element j
    for (int i = j; i < n; ++i) z += static_cast<double>(L_j[i]) * x[static_cast<std::size_t>(i)];
    for (int i = j; i < n; ++i) y[static_cast<std::size_t>(i)] += static_cast<double>(L_j[i]) * z;
  }
  return residual(A, x, y);
}

}  // namespace tree
