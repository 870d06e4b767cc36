// Forms of triangular systems, named triangles, and calls of trsm on resident slabs.
// compiled_once/blas.cpp compiles the slow functions with -O3.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "check.hpp"

namespace talus::test {

/// What trsm is asked for beside sizes and alpha.
struct trsm_form {
  talus::side side;
  talus::uplo uplo;
  talus::op op;
  talus::diag diag;

  int order(int m, int n) const { return side == side::left ? m : n; }
  std::string name() const {
    return {static_cast<char>(side), static_cast<char>(uplo), static_cast<char>(op), static_cast<char>(diag)};
  }
};

/// All 24 of them.
inline const std::vector<trsm_form>& every_trsm_form() {
  static const std::vector<trsm_form> forms = [] {
    std::vector<trsm_form> all;
    for (const side side : {side::left, side::right}) {
      for (const uplo uplo : {uplo::lower, uplo::upper}) {
        for (const op op : every_op) {
          for (const diag diag : {diag::non_unit, diag::unit}) all.push_back({side, uplo, op, diag});
        }
      }
    }
    return all;
  }();
  return forms;
}

/// Numbers that alpha and beta may be: without effect, exact, and any.
template <class T>
std::vector<T> factors() {
  if constexpr (is_complex<T>) {
    using R = real_of<T>;
    return {T(1), T(0, -2), T(R(0.5)), T(R(0.7), R(-0.3))};
  } else {
    return {T(1), T(-2), T(0.5), T(0.7)};
  }
}

/// Lower triangles by name, zeros above. All of them, or what is left with ones on their diagonals, can be
/// solved with.
///
///   dominant    random, with n on the diagonal
///   factor      U^T of a random matrix's LU with partial pivoting
///   kahan       Kahan's, of condition near 1 / eps
///   graded      D R D with R dominant and D^2 from 1 up to 1 / eps
///   tiny, huge  dominant, scaled to 1e-300 and 1e300 (in single precision 1e-30 and 1e30)
///   small       random: below 1 beside ones
inline const std::vector<std::string>& triangle_kinds() {
  static const std::vector<std::string> names{"dominant", "factor", "kahan", "graded",
                                              "tiny",     "huge",   "small"};
  return names;
}

/// U^T of a square matrix's LU with partial pivoting.
template <class T>
dense<T> transposed_factor(dense<T> A, int n);

template <class T>
dense<T> triangle(const std::string& kind, int n, unsigned seed);

/// Lower triangles of small integers with 1, 2 and their like on the diagonal, so that solves are exact.
template <class T>
dense<T> exact_triangle(int n, unsigned seed);

/// A matrix of integers from -2 to 2, in both parts.
template <class T>
dense<T> small_integers(int m, int n, unsigned seed);

/// From a lower triangle the whole matrix that a form of trsm stands for: as stored, with ones where they are
/// meant.
template <class T>
dense<T> as_stored(const trsm_form& f, dense<T> L, int n);

/// What the form makes of alpha B = op(A) X: B, m x n, for alpha = 1.
template <class T>
dense<T> sides_of(const trsm_form& f, const dense<T>& A, const dense<T>& X, int m, int n);

/// max over right-hand sides of ||alpha b - op(A) x||_1 / (k ||A||_1 ||x||_1 eps), and from the right the
/// same of the transposed system.
template <class T>
double trsm_ratio(const trsm_form& f, const dense<T>& A, const dense<T>& X, dense<T> B, T alpha, int m,
                  int n);

/// What a form of trsm owns of matrix b; everything else is NaN.
template <class T>
void put_triangle_of(const trsm_form& f, slab<T>& s, std::int64_t b, const dense<T>& A) {
  for (int j = 0; j < s.n; ++j) {
    for (int i = 0; i < s.m; ++i) {
      const bool owned = i == j ? f.diag == diag::non_unit : (i > j) == (f.uplo == uplo::lower);
      if (owned) s.at(b, i, j) = A[static_cast<std::size_t>(i + j * s.m)];
    }
  }
}

/// `distinct` triangles for a form, repeated until the batch is full.
template <class T>
struct repeated_triangles {
  repeated_triangles(const trsm_form& form, const std::string& kind, int order, int distinct, unsigned seed)
      : f(form), n(order) {
    for (int i = 0; i < distinct; ++i) {
      const unsigned own = seed + static_cast<unsigned>(i);
      matrices.push_back(
          as_stored(f, kind == "exact" ? exact_triangle<T>(n, own) : triangle<T>(kind, n, own), n));
    }
  }
  const dense<T>& operator[](std::int64_t b) const {
    return matrices[static_cast<std::size_t>(b) % matrices.size()];
  }
  slab<T> fill(int ld, std::int64_t count) const {
    slab<T> s(n, n, ld, count);
    for (std::int64_t b = 0; b < count; ++b) put_triangle_of(f, s, b, (*this)[b]);
    return s;
  }
  trsm_form f;
  int n;
  std::vector<dense<T>> matrices;
};

template <class T>
int trsm(call_form how, const trsm_form& f, T alpha, const resident<T>& A, const resident<T>& B, int* info,
         queue q = test_queue()) {
  const slab<T>&a = A.host, &b = B.host;
  return how == call_form::pointers
             ? trsm_batched<T>(f.side, f.uplo, f.op, f.diag, b.m, b.n, alpha, A.pointers.data(), a.ld,
                               B.pointers.data(), b.ld, info, b.count, q)
             : trsm_strided_batched<T>(f.side, f.uplo, f.op, f.diag, b.m, b.n, alpha, A.memory.data(), a.ld,
                                       a.stride, B.memory.data(), b.ld, b.stride, info, b.count, q);
}

}  // namespace talus::test
