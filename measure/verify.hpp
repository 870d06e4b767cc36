// Is what a library left the right answer? In O(n^2) per matrix, so that it costs less than the measurement.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "measure/facts.hpp"
#include "measure/problem.hpp"

namespace talus::measure {

/// LAPACK's own limit for its test ratios.
constexpr double largest_ratio = 30;

/// The larger one; a NaN stays.
inline long double larger(long double a, long double b) { return a >= b || std::isnan(a) ? a : b; }

/// One matrix as it was before, and what became of it. A residual is LAPACK's ratio, divided by n eps: on one
/// random vector, where LAPACK takes the whole matrix, and in long double, so that the check's own rounding
/// does not matter. Problems have the result in copy 0.
template <class T>
class matrix_check {
 public:
  matrix_check(const sizes& s, talus::uplo uplo, std::int64_t number)
      : matrix(number), n_(static_cast<std::size_t>(s.n)), lower_(uplo == talus::uplo::lower), x_(n_) {
    for (std::size_t i = 0; i < n_; ++i) x_[i] = B(i, n_);
    Ax_ = A_times(x_, norm_A_);
  }

  const std::int64_t matrix;  // its number

  /// Of a Cholesky factor: ||A x - L L^H x|| / (||A|| ||x||).
  template <class Problem>
  double of_factor(const Problem& p) const {
    const std::vector<T> stored = p.download_A(matrix);
    vector r = Ax_;
    for (std::size_t j = 0; j < n_; ++j) {  // column j of L is row j of U, conjugated
      const auto L = [&](std::size_t i) {
        return lower_ ? number(stored[i + j * n_]) : conj(number(stored[j + i * n_]));
      };
      number y = 0;  // of y = L^H x
      for (std::size_t i = j; i < n_; ++i) y += product(conj(L(i)), x_[i]);
      for (std::size_t i = j; i < n_; ++i) r[i] -= product(L(i), y);
    }
    return in_n_eps(norm1(r) / (norm_A_ * norm1(x_)));
  }

  /// Of solutions: ||B - A X|| / (||A|| ||X||), the worst of all columns.
  template <class Problem>
  double of_solution(const Problem& p) const {
    const std::vector<T> X = p.download_B(matrix);
    vector x(n_), r(n_);
    long double ratio = 0, norm = 0;
    for (std::size_t j = 0; j < X.size() / std::max<std::size_t>(n_, 1); ++j) {
      for (std::size_t i = 0; i < n_; ++i) x[i] = X[i + j * n_];
      const vector Ax = A_times(x, norm);
      for (std::size_t i = 0; i < n_; ++i) r[i] = B(i, j) - Ax[i];
      ratio = larger(ratio, norm1(r) / (norm_A_ * norm1(x)));
    }
    return in_n_eps(ratio);
  }

  /// Of a triangle of the inverse: ||x - A A^-1 x|| / (||A|| ||A^-1|| ||x||).
  template <class Problem>
  double of_inverse(const Problem& p) const {
    const std::vector<T> stored = p.download_A(matrix);
    long double norm_inverse = 0, norm = 0;
    const auto inverse = [&](std::size_t i, std::size_t j) -> number {
      if (i == j) return std::real(stored[i + i * n_]);
      return (i > j) == lower_ ? number(stored[i + j * n_]) : conj(number(stored[j + i * n_]));
    };
    vector r = A_times(times(inverse, x_, norm_inverse), norm);
    for (std::size_t i = 0; i < n_; ++i) r[i] -= x_[i];
    return in_n_eps(norm1(r) / (norm_A_ * norm_inverse * norm1(x_)));
  }

 private:
  using number = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;
  using vector = std::vector<number>;

  number B(std::size_t i, std::size_t j) const {
    return number(to_scalar<T>(element_of_B(matrix, static_cast<int>(i), static_cast<int>(j))));
  }
  static number conj(number a) {
    if constexpr (is_complex<T>) {
      return std::conj(a);
    } else {
      return a;
    }
  }
  /// The product of std::complex looks for infinities, which takes most of its time.
  static number product(number a, number b) {
    if constexpr (is_complex<T>) {
      return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    } else {
      return a * b;
    }
  }
  static long double norm1(const vector& x) {
    long double sum = 0;
    for (const number& e : x) sum += std::abs(e);
    return sum;
  }

  /// M x for a matrix given by a function of (i, j), and its 1-norm.
  template <class Matrix>
  static vector times(const Matrix& M, const vector& x, long double& norm) {
    vector y(x.size());
    norm = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      long double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const number m = M(i, j);
        y[i] += product(m, x[j]);
        sum += std::abs(m);
      }
      norm = larger(norm, sum);
    }
    return y;
  }
  vector A_times(const vector& x, long double& norm) const {
    const auto A = [&](std::size_t i, std::size_t j) {
      const element e = element_of_A(matrix, static_cast<int>(i), static_cast<int>(j), static_cast<int>(n_));
      return number(to_scalar<T>(e));
    };
    return times(A, x, norm);
  }
  double in_n_eps(long double ratio) const {
    constexpr long double eps = std::numeric_limits<real_of<T>>::epsilon() / 2;
    return static_cast<double>(ratio / (static_cast<long double>(n_) * eps));
  }

  std::size_t n_;
  bool lower_;
  vector x_, Ax_;
  long double norm_A_ = 0;
};

/// What a routine left of a problem. Prepared once, as every library leaves the same.
template <class Routine>
class result_check {
 public:
  using problem = typename Routine::problem;

  explicit result_check(const problem& p) : p_(p) {
    for (const std::int64_t b : p.sample()) checks_.emplace_back(p.sizes_of(b), p.uplo, b);
  }

  /// Empty, or what is wrong with copy 0: an info that is not 0, or a residual that is too large.
  std::string complaint(bool writes_info) const {
    if (writes_info) {
      const std::vector<int> info = p_.download_info();
      const auto bad = std::find_if(info.begin(), info.end(), [](int i) { return i != 0; });
      if (bad != info.end())
        return "info of matrix " + std::to_string(bad - info.begin()) + " is " + std::to_string(*bad);
    }
    for (const auto& one : checks_) {
      const double ratio = Routine::residual(one, p_);
      if (ratio < largest_ratio) continue;
      return name_of(one.matrix) +
             formatted(" has a residual of %.3g n eps, the limit is %.0f", ratio, largest_ratio);
    }
    return "";
  }

  /// The same of what should have changed nothing.
  std::string complaint_of_copy() const {
    for (const auto& one : checks_) {
      if (p_.download_A(one.matrix) != p_.download_pristine_A(one.matrix))
        return name_of(one.matrix) + " has changed";
    }
    return "";
  }

 private:
  std::string name_of(std::int64_t b) const {
    return "matrix " + std::to_string(b) + " of n = " + std::to_string(p_.sizes_of(b).n);
  }

  const problem& p_;
  std::vector<matrix_check<typename problem::scalar>> checks_;
};

}  // namespace talus::measure
