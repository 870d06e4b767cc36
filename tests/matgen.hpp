// Matrices for tests, by name: dense, column-major, ld = n.
// compiled_once/matgen.cpp compiles the slow functions with -O3.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace talus::test {

/// The precisions this build has.
using precisions = decltype(std::tuple_cat(
#ifdef TALUS_HAVE_S
    std::tuple<float>(),
#endif
#ifdef TALUS_HAVE_D
    std::tuple<double>(),
#endif
#ifdef TALUS_HAVE_C
    std::tuple<std::complex<float>>(),
#endif
#ifdef TALUS_HAVE_Z
    std::tuple<std::complex<double>>(),
#endif
    std::tuple<>()));

template <class T>
using real_of = decltype(std::real(T()));
template <class T>
constexpr bool is_complex = !std::is_same_v<T, real_of<T>>;
template <class T>
using in_double = std::conditional_t<is_complex<T>, std::complex<double>, double>;
template <class T>
constexpr real_of<T> epsilon = std::numeric_limits<real_of<T>>::epsilon() /
                               2;  // LAPACK's eps: half an ulp of 1

template <class T>
T conjugate(T x) {
  if constexpr (is_complex<T>) {
    return std::conj(x);
  } else {
    return x;
  }
}

/// a b as four products: operator* of complex numbers takes care of infinities, for several times the time.
template <class T>
T times(T a, T b) {
  if constexpr (is_complex<T>) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return a * b;
  }
}

template <class T>
using dense = std::vector<T>;

/// Uniform in [-0.5, 0.5), in both parts.
template <class T>
T random_element(std::mt19937& generator) {
  auto uniform = [&] {
    return static_cast<real_of<T>>(generator()) / real_of<T>(4294967296.0) - real_of<T>(0.5);
  };
  if constexpr (is_complex<T>) {
    const real_of<T> re = uniform();
    return {re, uniform()};
  } else {
    return uniform();
  }
}

template <class T>
dense<T> random_matrix(int m, int n, unsigned seed);

/// A lower triangular matrix of small integers, powers of two on the diagonal: L L^H is exact in every
/// precision, and so is each step of its factorization.
template <class T>
dense<T> exact_factor(int n, unsigned seed);

template <class T>
dense<T> times_own_conjugate_transpose(const dense<T>& L, int n);

/// Hermitian matrices by name. All are positive definite, also when rounded.
///
///   random     uniform in [-0.5, 0.5), plus n on the diagonal
///   exact      L L^H with exact_factor
///   graded     D R D with R random and D from 1 down to 2^-20
///   condition  eigenvalues spread evenly in logarithm from 1 down to 64 n eps: condition near 1 / eps
///   tiny       random, scaled to 2^10 times the least normal number
///   huge       random, scaled to 2^-20 times the largest number
inline const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names{"random", "exact", "graded", "condition", "tiny", "huge"};
  return names;
}

template <class T>
dense<T> hermitian(const std::string& kind, int n, unsigned seed);

/// Uniformly one of the eight elements of magnitude |re| + |im| = 1 whose parts are 0, 1/2 or 1; of real
/// numbers 1 or -1.
template <class T>
T unit_element(std::mt19937& generator) {
  using R = real_of<T>;
  const R sign = generator() % 2 == 0 ? R(1) : R(-1);
  if constexpr (is_complex<T>) {
    const T units[] = {T(1), T(0, 1), T(R(0.5), R(0.5)), T(R(0.5), R(-0.5))};
    return units[generator() % 4] * sign;
  } else {
    return sign;
  }
}

/// m x n matrices of no symmetry, by name. All but zero_column and ties have full rank, also when rounded.
///
///   random       uniform in [-0.5, 0.5)
///   dominant     random, plus max(m, n) on the diagonal
///   growth       Wilkinson's: 1 on the diagonal and in the last column, -1 below the diagonal of the first
///                20 columns; the last column's elements double in each of these steps
///   ties         of magnitude 1, all of them
///   zero_column  random, with zeros in column min(m, n) / 2
///   graded       D R D with R random and D from 1 down to 2^-20
///   condition    singular values spread evenly in logarithm from 1 down to 64 min(m, n) eps
///   tiny         random, scaled to 1e-300 (in single precision 1e-30)
///   huge         random, scaled to 1e300 (1e30)
inline const std::vector<std::string>& general_kinds() {
  static const std::vector<std::string> names{"random", "dominant",  "growth", "ties", "zero_column",
                                              "graded", "condition", "tiny",   "huge"};
  return names;
}

/// (I - 2 v v^H) D (I - 2 w w^H) with unit vectors v and w, and D from 1 down to 64 min(m, n) eps.
template <class T>
dense<T> ill_conditioned(int m, int n, std::mt19937& generator);

template <class T>
dense<T> general(const std::string& kind, int m, int n, unsigned seed);

/// What pivots are compared by: |re| + |im|.
template <class T>
real_of<T> magnitude(T x) {
  return std::abs(std::real(x)) + std::abs(std::imag(x));
}

/// Draws parts of matrices whose factors are known to the last bit.
template <class T>
class small_numbers {
 public:
  explicit small_numbers(unsigned seed) : generator_(seed) {}

  int below(int bound) {
    return bound <= 1 ? 0 : static_cast<int>(generator_() % static_cast<unsigned>(bound));
  }
  /// Parts from -2 ... 2 times `unit`.
  T element(real_of<T> unit) {
    const real_of<T> re = static_cast<real_of<T>>(below(5) - 2) * unit;
    if constexpr (is_complex<T>) {
      return {re, static_cast<real_of<T>>(below(5) - 2) * unit};
    } else {
      return re;
    }
  }
  /// 1 or -1; of complex numbers i or -i, too.
  T unit() {
    const real_of<T> sign = below(2) == 0 ? real_of<T>(1) : real_of<T>(-1);
    if constexpr (is_complex<T>) {
      return below(2) == 0 ? T(sign) : T(0, sign);
    } else {
      return sign;
    }
  }
  /// A power of two, at least 1; complex ones may be turned by 45 degrees.
  T pivot() {
    T p = unit() * static_cast<real_of<T>>(1 << below(3));
    if constexpr (is_complex<T>) {
      if (below(2) == 0) p = times(p, T(1, 1));
    }
    return p;
  }
  /// A multiplier whose product with the pivot is less in magnitude than that, or where it may, not more.
  T multiplier(T pivot, bool may_tie) {
    for (;;) {
      const T l = element(real_of<T>(0.5));
      const real_of<T> size = magnitude(times(l, pivot)), most = magnitude(pivot);
      if (size < most || (may_tie && size == most)) return l;
    }
  }

 private:
  std::mt19937 generator_;
};

}  // namespace talus::test
