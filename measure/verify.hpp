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

/// One matrix A as it was before, and a random vector x. With them a description says how far off a result
/// is, which problems have in copy 0: LAPACK's ratio, divided by n eps; on one vector, where LAPACK takes the
/// whole matrix, and in long double, so that the check's own rounding does not matter.
template <class T>
class matrix_check {
 public:
  using number = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;
  using vector = std::vector<number>;

  matrix_check(matrix_kind kind, const sizes& s, talus::uplo uplo, std::int64_t number_of_matrix)
      : matrix(number_of_matrix),
        m(static_cast<std::size_t>(s.m)),
        n(static_cast<std::size_t>(s.n)),
        k(static_cast<std::size_t>(s.k)),
        is_lower(uplo == talus::uplo::lower),
        kind_(kind),
        x_(column(matrix_kind::right_hand_sides, n, n)) {
    Ax_ = A_times(x_, norm_A_);
  }

  const std::int64_t matrix;  // its number
  const std::size_t m, n, k;  // k: columns that are eliminated
  const bool is_lower;        // the triangle that is stored

  const vector& x() const { return x_; }
  const vector& Ax() const { return Ax_; }
  long double norm_A() const { return norm_A_; }

  /// Of solutions with a square A: ||B - A X|| / (||A|| ||X||), the worst of all columns.
  template <class Problem>
  double of_solution(const Problem& p) const {
    return of_solution(p, [&](std::size_t i, std::size_t j) { return A(i, j); });
  }
  /// The same with another matrix of its size in A's place, a function of (i, j).
  template <class Problem, class Matrix>
  double of_solution(const Problem& p, const Matrix& M) const {
    const std::vector<T> X = p.download_B(matrix);
    vector solution(n);
    long double ratio = 0, norm = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(p.nrhs); ++j) {
      for (std::size_t i = 0; i < n; ++i) solution[i] = X[i + j * n];
      vector r = right_hand_side(j, n);
      subtract(r, times(M, n, solution, norm));
      ratio = larger(ratio, norm1(r) / (norm * norm1(solution)));
    }
    return in_n_eps(ratio);
  }

  /// Column j of the right-hand sides as they were before.
  vector right_hand_side(std::size_t j, std::size_t rows) const {
    return column(matrix_kind::right_hand_sides, j, rows);
  }

  vector A_times(const vector& v, long double& norm) const {
    return times([&](std::size_t i, std::size_t j) { return A(i, j); }, m, v, norm);
  }
  vector AH_times(const vector& v) const {
    long double norm = 0;
    return times([&](std::size_t i, std::size_t j) { return conj(A(j, i)); }, n, v, norm);
  }
  /// n: of rectangles the larger of m and n.
  double in_n_eps(long double ratio) const {
    constexpr long double eps = std::numeric_limits<real_of<T>>::epsilon() / 2;
    return static_cast<double>(ratio / (static_cast<long double>(std::max(m, n)) * eps));
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
  static long double norm1(const vector& v) {
    long double sum = 0;
    for (const number& e : v) sum += std::abs(e);
    return sum;
  }
  static void subtract(vector& from, const vector& v) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= v[i];
  }
  /// M v for a matrix of so many rows given by a function of (i, j), and its 1-norm.
  template <class Matrix>
  static vector times(const Matrix& M, std::size_t rows, const vector& v, long double& norm) {
    vector y(rows);
    norm = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      long double sum = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        const number e = M(i, j);
        y[i] += product(e, v[j]);
        sum += std::abs(e);
      }
      norm = larger(norm, sum);
    }
    return y;
  }

 private:
  number A(std::size_t i, std::size_t j) const { return element(kind_, i, j); }
  number element(matrix_kind kind, std::size_t i, std::size_t j) const {
    return number(to_scalar<T>(
        element_of(kind, matrix, static_cast<int>(i), static_cast<int>(j), static_cast<int>(n))));
  }
  vector column(matrix_kind kind, std::size_t j, std::size_t rows) const {
    vector v(rows);
    for (std::size_t i = 0; i < rows; ++i) v[i] = element(kind, i, j);
    return v;
  }

  matrix_kind kind_;
  vector x_, Ax_;
  long double norm_A_ = 0;
};

/// What a routine left of a problem. Prepared once, as every library leaves the same.
template <class Routine>
class result_check {
 public:
  using problem = typename Routine::problem;

  explicit result_check(const problem& p) : p_(p) {
    for (const std::int64_t b : p.sample()) checks_.emplace_back(p.kind, p.sizes_of(b), p.uplo, b);
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
    return "matrix " + std::to_string(b) + " of n = " + text_of(p_.sizes_of(b));
  }

  const problem& p_;
  std::vector<matrix_check<typename problem::scalar>> checks_;
};

}  // namespace talus::measure
