// Is what a library left the right answer? In O(n^2) per matrix, so that it costs less than the measurement.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "problem.hpp"
#include "variable.hpp"

namespace talus::bench {

/// LAPACK's own limit for its test ratios.
constexpr double largest_ratio = 30;

/// Dense matrices of the host in long double, so that the check's own rounding does not matter.
using wide = std::complex<long double>;
using wide_vector = std::vector<wide>;

template <class T>
wide widened(element e) {  // as it was rounded to T
  return {static_cast<real_of<T>>(e.re), is_complex<T> ? static_cast<real_of<T>>(e.im) : 0};
}

inline long double norm1(const wide_vector& x) {
  long double sum = 0;
  for (const wide& e : x) sum += std::abs(e);
  return sum;
}

/// y = M x for a matrix given by a function of (i, j), and its 1-norm.
template <class Matrix>
wide_vector times(const Matrix& M, const wide_vector& x, long double* norm = nullptr) {
  const int n = static_cast<int>(x.size());
  wide_vector y(x.size());
  long double largest = 0;
  for (int j = 0; j < n; ++j) {
    long double sum = 0;
    for (int i = 0; i < n; ++i) {
      const wide m = M(i, j);
      y[static_cast<std::size_t>(i)] += m * x[static_cast<std::size_t>(j)];
      sum += std::abs(m);
    }
    if (!(sum <= largest)) largest = sum;  // a NaN stays
  }
  if (norm) *norm = largest;
  return y;
}

inline wide_vector minus(wide_vector x, const wide_vector& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return x;
}

/// The check of one matrix's Cholesky factor, as often as it is computed anew: ||A x - L L^H x|| / (||A||
/// ||x||) on one random vector, where LAPACK takes the whole matrix, divided by n eps.
template <class T>
class factor_check {
 public:
  factor_check(int n, bool lower, std::int64_t b) : n_(static_cast<std::size_t>(n)), b_(b), lower_(lower) {
    for (int i = 0; i < n; ++i) x_.push_back(rounded(element_of_B(b, i, n)));
    Ax_.resize(n_);
    for (int j = 0; j < n; ++j) {
      long double sum = 0;
      for (int i = 0; i < n; ++i) {
        const number a = rounded(element_of_A(b, i, j, n));
        Ax_[static_cast<std::size_t>(i)] += product(a, x_[static_cast<std::size_t>(j)]);
        sum += std::abs(a);
      }
      norm_A_ = std::max(norm_A_, sum);
    }
    for (const number& e : x_) norm_x_ += std::abs(e);
  }

  std::int64_t matrix() const { return b_; }

  /// Of the factor in copy 0.
  template <class Problem>
  double ratio(const Problem& p) const {
    const std::vector<T> stored = p.download_A(b_);
    std::vector<number> r = Ax_;
    for (std::size_t j = 0; j < n_; ++j) {  // column j of L is row j of U, conjugated
      const auto L = [&](std::size_t i) -> number {
        return lower_ ? stored[i + j * n_] : conj(stored[j + i * n_]);
      };
      number y = 0;  // of y = L^H x
      for (std::size_t i = j; i < n_; ++i) y += product(conj(L(i)), x_[i]);
      for (std::size_t i = j; i < n_; ++i) r[i] -= product(L(i), y);
    }
    long double norm_r = 0;
    for (const number& e : r) norm_r += std::abs(e);
    constexpr long double eps = std::numeric_limits<real_of<T>>::epsilon() / 2;
    return static_cast<double>(norm_r / (norm_A_ * norm_x_ * static_cast<long double>(n_) * eps));
  }

 private:
  using number = std::conditional_t<is_complex<T>, wide, long double>;
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
  static number rounded(element e) {
    if constexpr (is_complex<T>) {
      return widened<T>(e);
    } else {
      return static_cast<T>(e.re);
    }
  }
  std::size_t n_;
  std::int64_t b_;
  bool lower_;
  std::vector<number> x_, Ax_;
  long double norm_A_ = 0, norm_x_ = 0;
};

/// LAPACK's ratio of matrix b in copy 0 of the problem, divided by n eps, on one random vector where LAPACK
/// takes the whole matrix: factor_check after potrf, ||B - A X|| / (||A|| ||X||) after a solve, and after
/// potri ||x - A A^-1 x|| / (||A|| ||A^-1|| ||x||).
template <class T>
double residual_ratio(const problem<T>& p, const std::string& routine, std::int64_t b) {
  const int n = p.n;
  const bool lower = p.uplo == talus::uplo::lower;
  if (routine == "potrf") return factor_check<T>(n, lower, b).ratio(p);
  const std::vector<T> stored = p.download_A(b);
  const auto at = [&](int i, int j) -> wide {
    return stored[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(n)];
  };
  const auto A = [&](int i, int j) { return widened<T>(element_of_A(b, i, j, n)); };
  const auto inverse = [&](int i, int j) {
    const wide e = (i >= j) == lower || i == j ? at(i, j) : std::conj(at(j, i));
    return i == j ? wide(e.real()) : e;
  };

  wide_vector x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = widened<T>(element_of_B(b, i, n));
  long double norm_A = 0, ratio = 0;
  if (routine == "potri") {
    long double norm_inverse = 0;
    const wide_vector y = times(inverse, x, &norm_inverse);
    ratio = norm1(minus(x, times(A, y, &norm_A))) / (norm_A * norm_inverse * norm1(x));
  } else {
    const std::vector<T> X = p.download_B(b);
    for (int j = 0; j < p.nrhs; ++j) {
      wide_vector x_j(x.size()), b_j(x.size());
      for (int i = 0; i < n; ++i) {
        const auto e = static_cast<std::size_t>(i);
        x_j[e] = X[e + static_cast<std::size_t>(j) * x.size()];
        b_j[e] = widened<T>(element_of_B(b, i, j));
      }
      const wide_vector Ax = times(A, x_j, &norm_A);
      const long double r = norm1(minus(b_j, Ax)) / (norm_A * norm1(x_j));
      if (!(r <= ratio)) ratio = r;
    }
  }
  constexpr long double eps = std::numeric_limits<real_of<T>>::epsilon() / 2;
  return static_cast<double>(ratio / (n * eps));
}

/// Empty, or which matrix's info is not 0.
template <class Problem>
std::string info_complaint(const Problem& p) {
  const std::vector<int> info = p.download_info();
  for (std::size_t b = 0; b < info.size(); ++b) {
    if (info[b] != 0) return "info of matrix " + std::to_string(b) + " is " + std::to_string(info[b]);
  }
  return "";
}

/// Empty, or that a residual, which is called so, is too large.
inline std::string residual_complaint(const std::string& matrix, double ratio) {
  if (ratio < largest_ratio) return "";
  char text[128];
  std::snprintf(text, sizeof text, " has a residual of %.3g n eps, the limit is %.0f", ratio, largest_ratio);
  return matrix + text;
}

/// Empty, or what is wrong with copy 0: an info that is not 0, or a residual that is too large. A copy must
/// have changed nothing.
template <class T>
std::string complaint(const problem<T>& p, const std::string& routine, bool writes_info, bool is_copy) {
  if (writes_info) {
    const std::string wrong = info_complaint(p);
    if (!wrong.empty()) return wrong;
  }
  for (const std::int64_t b : std::set<std::int64_t>{0, p.batch / 3, p.batch - 1}) {
    if (is_copy) {
      if (p.download_A(b) != p.download_pristine_A(b)) return "matrix " + std::to_string(b) + " has changed";
      continue;
    }
    const std::string wrong =
        residual_complaint("matrix " + std::to_string(b), residual_ratio(p, routine, b));
    if (!wrong.empty()) return wrong;
  }
  return "";
}

/// The same of a variable batch: prepared once, as every library leaves the same factors. Looks at all infos,
/// and at the residuals of the smallest matrix, the largest, and a few between.
template <class T>
class variable_check {
 public:
  explicit variable_check(const variable_problem<T>& p) : p_(p) {
    const auto smallest_and_largest = std::minmax_element(p.sizes.begin(), p.sizes.end());
    std::set<std::int64_t> sample = {smallest_and_largest.first - p.sizes.begin(),
                                     smallest_and_largest.second - p.sizes.begin(), 0, p.batch - 1};
    for (std::int64_t k = 1; k < 5; ++k) sample.insert(p.batch * k / 5);
    for (const std::int64_t b : sample) {
      checks_.emplace_back(p.sizes[static_cast<std::size_t>(b)], p.uplo == talus::uplo::lower, b);
    }
  }

  std::string complaint(bool writes_info, bool is_copy) const {
    const std::string wrong = writes_info ? info_complaint(p_) : "";
    if (!wrong.empty()) return wrong;
    for (const factor_check<T>& one : checks_) {
      const std::int64_t b = one.matrix();
      const std::string matrix =
          "matrix " + std::to_string(b) + " of n = " + std::to_string(p_.sizes[static_cast<std::size_t>(b)]);
      if (is_copy) {
        if (p_.download_A(b) != p_.download_pristine_A(b)) return matrix + " has changed";
        continue;
      }
      const std::string residual = residual_complaint(matrix, one.ratio(p_));
      if (!residual.empty()) return residual;
    }
    return "";
  }

 private:
  const variable_problem<T>& p_;
  std::vector<factor_check<T>> checks_;
};

}  // namespace talus::bench
