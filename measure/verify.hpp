// Is what a library left the right answer? In O(n^2) per matrix, so that it costs less than the measurement.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "measure/problem.hpp"

namespace talus::measure {

/// LAPACK's own limit for its test ratios.
constexpr double largest_ratio = 30;

/// The larger one; a NaN stays.
inline long double larger(long double a, long double b) { return a >= b || std::isnan(a) ? a : b; }

/// What all checks of one matrix know of it: how it was before, and a random vector, where LAPACK takes the
/// whole matrix. In long double, so that the check's own rounding does not matter.
template <class T>
class matrix_check {
 public:
  using number = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;
  using vector = std::vector<number>;

  matrix_check(const sizes& s, talus::uplo uplo, std::int64_t b)
      : n_(static_cast<std::size_t>(s.n)), b_(b), lower_(uplo == talus::uplo::lower), x_(n_) {
    for (std::size_t i = 0; i < n_; ++i) x_[i] = rounded(element_of_B(b, static_cast<int>(i), s.n));
  }
  std::int64_t matrix() const { return b_; }

 protected:
  number A(std::size_t i, std::size_t j) const {
    return rounded(element_of_A(b_, static_cast<int>(i), static_cast<int>(j), static_cast<int>(n_)));
  }
  static number rounded(element e) {
    const T x = to_scalar<T>(e);
    return number(x);
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
  static vector minus(vector x, const vector& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
    return x;
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
    return times([&](std::size_t i, std::size_t j) { return A(i, j); }, x, norm);
  }

  /// LAPACK's ratio, divided by n eps.
  double in_n_eps(long double ratio) const {
    constexpr long double eps = std::numeric_limits<real_of<T>>::epsilon() / 2;
    return static_cast<double>(ratio / (static_cast<long double>(n_) * eps));
  }

  std::size_t n_;
  std::int64_t b_;
  bool lower_;
  vector x_;
};

/// Of a Cholesky factor: ||A x - L L^H x|| / (||A|| ||x||).
template <class T>
class factor_check : public matrix_check<T> {
 public:
  factor_check(const sizes& s, talus::uplo uplo, std::int64_t b) : matrix_check<T>(s, uplo, b) {
    Ax_ = this->A_times(this->x_, norm_A_);
  }

  /// Of the factor in copy 0.
  template <class Problem>
  double ratio(const Problem& p) const {
    using number = typename matrix_check<T>::number;
    const std::size_t n = this->n_;
    const std::vector<T> stored = p.download_A(this->b_);
    std::vector<number> r = Ax_;
    for (std::size_t j = 0; j < n; ++j) {  // column j of L is row j of U, conjugated
      const auto L = [&](std::size_t i) {
        return this->lower_ ? number(stored[i + j * n]) : this->conj(stored[j + i * n]);
      };
      number y = 0;  // of y = L^H x
      for (std::size_t i = j; i < n; ++i) y += this->product(this->conj(L(i)), this->x_[i]);
      for (std::size_t i = j; i < n; ++i) r[i] -= this->product(L(i), y);
    }
    return this->in_n_eps(this->norm1(r) / (norm_A_ * this->norm1(this->x_)));
  }

 private:
  typename matrix_check<T>::vector Ax_;
  long double norm_A_ = 0;
};

/// Of solutions: ||B - A X|| / (||A|| ||X||), the worst of all columns.
template <class T>
class solution_check : public matrix_check<T> {
 public:
  using matrix_check<T>::matrix_check;

  template <class Problem>
  double ratio(const Problem& p) const {
    const std::vector<T> X = p.download_B(this->b_);
    typename matrix_check<T>::vector x(this->n_), b(this->n_);
    long double ratio = 0, norm_A = 0;
    for (int j = 0; j < p.sizes_of(this->b_).nrhs; ++j) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = X[i + static_cast<std::size_t>(j) * x.size()];
        b[i] = this->rounded(element_of_B(this->b_, static_cast<int>(i), j));
      }
      const auto r = this->minus(b, this->A_times(x, norm_A));
      ratio = larger(ratio, this->norm1(r) / (norm_A * this->norm1(x)));
    }
    return this->in_n_eps(ratio);
  }
};

/// Of a factor and of what was solved with it.
template <class T>
class system_check {
 public:
  system_check(const sizes& s, talus::uplo uplo, std::int64_t b)
      : factor_(s, uplo, b), solution_(s, uplo, b) {}
  std::int64_t matrix() const { return factor_.matrix(); }
  template <class Problem>
  double ratio(const Problem& p) const {
    return static_cast<double>(larger(factor_.ratio(p), solution_.ratio(p)));
  }

 private:
  factor_check<T> factor_;
  solution_check<T> solution_;
};

/// Of a triangle of the inverse: ||x - A A^-1 x|| / (||A|| ||A^-1|| ||x||).
template <class T>
class inverse_check : public matrix_check<T> {
 public:
  using matrix_check<T>::matrix_check;

  template <class Problem>
  double ratio(const Problem& p) const {
    using number = typename matrix_check<T>::number;
    const std::size_t n = this->n_;
    const std::vector<T> stored = p.download_A(this->b_);
    const auto inverse = [&](std::size_t i, std::size_t j) -> number {
      if (i == j) return std::real(stored[i + i * n]);
      return (i > j) == this->lower_ ? number(stored[i + j * n]) : this->conj(stored[j + i * n]);
    };
    long double norm_A = 0, norm_inverse = 0;
    const auto y = this->times(inverse, this->x_, norm_inverse);
    const auto r = this->minus(this->x_, this->A_times(y, norm_A));
    return this->in_n_eps(this->norm1(r) / (norm_A * norm_inverse * this->norm1(this->x_)));
  }
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
      const double ratio = one.ratio(p_);
      if (ratio < largest_ratio) continue;
      char text[128];
      std::snprintf(text, sizeof text, " has a residual of %.3g n eps, the limit is %.0f", ratio,
                    largest_ratio);
      return name_of(one.matrix()) + text;
    }
    return "";
  }

  /// The same of what should have changed nothing.
  std::string complaint_of_copy() const {
    for (const auto& one : checks_) {
      if (p_.download_A(one.matrix()) != p_.download_pristine_A(one.matrix()))
        return name_of(one.matrix()) + " has changed";
    }
    return "";
  }

 private:
  std::string name_of(std::int64_t b) const {
    return "matrix " + std::to_string(b) + " of n = " + std::to_string(p_.sizes_of(b).n);
  }

  const problem& p_;
  std::vector<typename Routine::check> checks_;
};

}  // namespace talus::measure
