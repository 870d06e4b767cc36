// What a solve with one or two triangles is: of trsm, of Cholesky factors, of L and U. Plain data, the same
// for all systems of a call. Compiles without nvcc.
#pragma once

#include "batch.hpp"
#include "talus/types.hpp"

namespace talus::cuda::blas {

/// A triangle of the stored matrix A, or its transpose: one of the factors of a solve.
struct triangle_form {
  bool transposed = false;  // element (i, k) of the factor is A(k, i)
  bool conjugated = false;  // or its conjugate
  bool backward = false;    // an upper triangle, which is solved with from its last row up
  bool unit = false;        // ones on its diagonal, whatever A holds there

  /// Whether it is the lower triangle of A.
  TALUS_HOST_DEVICE bool is_lower() const { return transposed == backward; }
};

/// Which diagonal elements of A let nothing be solved.
enum class bad_diagonal {
  none,          // nobody looks
  not_positive,  // whose real part is not > 0; imaginary parts do not matter
  zero_or_nan
};

/// What of X is written.
enum class written { all, lower, upper };

/// X <- alpha second^-1 first^-1 B, or first alone. Right-hand sides are the columns of B, or its rows.
template <class T>
struct solve_plan {
  triangle_form first, second;
  bool has_second = false;
  bad_diagonal bad = bad_diagonal::none;
  bool sides_are_rows = false;
  T alpha = T(1);
  vectors<const int> ipiv = {};  // rows of B that are exchanged, if any are: before both
  bool exchange_before = true;   // solves, or after them, undone

  bool inverts = false;  // B is not read: it is the identity; X may take the place of A
  written part = written::all;

  /// True if A holds a Cholesky factor: then one triangle of the inverse is written.
  TALUS_HOST_DEVICE bool has_cholesky_factor() const { return bad == bad_diagonal::not_positive; }
  TALUS_HOST_DEVICE int triangles() const { return has_second ? 2 : 1; }
  TALUS_HOST_DEVICE const triangle_form& triangle(int t) const { return t == 0 ? first : second; }
  /// Whether the lower, or the upper, triangle of A is read.
  TALUS_HOST_DEVICE bool reads(bool lower) const {
    return first.is_lower() == lower || (has_second && second.is_lower() == lower);
  }
};

/// op(A) X = alpha B, or X op(A) = alpha B: the transposed system of op(A)^T, then.
template <class T>
constexpr solve_plan<T> plan_of_trsm(side where, uplo uplo, op op, diag diag, T alpha) {
  const bool is_right = where == side::right, transposed = (op != talus::op::none) != is_right;
  const bool is_lower = (uplo == talus::uplo::lower) != transposed;
  solve_plan<T> plan;
  plan.first = {transposed, op == talus::op::conj_trans, !is_lower, diag == talus::diag::unit};
  plan.sides_are_rows = is_right;
  plan.alpha = alpha;
  return plan;
}

/// L L^H X = B, or U^H U X = B.
template <class T>
constexpr solve_plan<T> plan_of_potrs(uplo uplo) {
  const bool is_lower = uplo == talus::uplo::lower;
  solve_plan<T> plan;
  plan.first = {!is_lower, !is_lower, false, false};
  plan.second = {is_lower, is_lower, true, false};
  plan.has_second = true;
  plan.bad = bad_diagonal::not_positive;
  return plan;
}

/// op(P L U) X = B: row exchanges, L, U; or U^T, L^T, and the row exchanges undone.
template <class T>
constexpr solve_plan<T> plan_of_getrs(op op, vectors<const int> ipiv) {
  const bool transposed = op != talus::op::none, conjugated = op == talus::op::conj_trans;
  const triangle_form L = {transposed, conjugated, transposed, true},
                      U = {transposed, conjugated, !transposed, false};
  solve_plan<T> plan;
  plan.first = transposed ? U : L;
  plan.second = transposed ? L : U;
  plan.has_second = true;
  plan.bad = bad_diagonal::zero_or_nan;
  plan.ipiv = ipiv;
  plan.exchange_before = !transposed;
  return plan;
}

/// The inverse of A instead of a solution, or one triangle of it.
template <class T>
constexpr solve_plan<T> inverse_of(solve_plan<T> plan, written part) {
  plan.inverts = true;
  plan.part = part;
  return plan;
}

}  // namespace talus::cuda::blas
