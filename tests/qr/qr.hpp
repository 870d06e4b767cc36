// Calls of QR's routines on resident slabs by whichever of their two forms, the kinds of matrices that QR is
// tested on, matrices whose reflectors are known to the last bit, LAPACK's own results, and its ratios.
// compiled_once/qr.cpp compiles the slow functions with -O3.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "check.hpp"

extern "C" {
void sgeqrf_(const int* m, const int* n, float* A, const int* lda, float* tau, float* work, const int* lwork,
             int* info);
void dgeqrf_(const int* m, const int* n, double* A, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void cgeqrf_(const int* m, const int* n, std::complex<float>* A, const int* lda, std::complex<float>* tau,
             std::complex<float>* work, const int* lwork, int* info);
void zgeqrf_(const int* m, const int* n, std::complex<double>* A, const int* lda, std::complex<double>* tau,
             std::complex<double>* work, const int* lwork, int* info);
}

namespace talus::test {

/// What stands beside `count` matrices: for each a vector of k elements that no routine has written yet, and
/// a gap behind it.
template <class T>
slab<T> unset_tau(int k, std::int64_t count) {
  return slab<T>(k, 1, std::max(1, k), count, 2);
}

/// What op may be: of complex matrices not the transpose.
template <class T>
std::vector<op> legal_ops() {
  return is_complex<T> ? std::vector<op>{op::none, op::conj_trans}
                       : std::vector<op>{op::none, op::trans, op::conj_trans};
}
constexpr side both_sides[] = {side::left, side::right};

// ---- calls -----------------------------------------------------------------------------------------------

template <class T>
int geqrf(call_form how, const resident<T>& A, const resident<T>& tau, const info_array& info,
          queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? geqrf_batched(s.m, s.n, A.pointers.data(), s.ld, tau.pointers.data(), info.data(), s.count, q)
             : geqrf_strided_batched(s.m, s.n, A.memory.data(), s.ld, s.stride, tau.memory.data(),
                                     tau.host.stride, info.data(), s.count, q);
}

template <class T>
int gels(call_form how, op op, int m, int n, const resident<T>& A, const resident<T>& B,
         const info_array& info, queue q = test_queue()) {
  const slab<T>&a = A.host, &x = B.host;
  return how == call_form::pointers
             ? gels_batched(op, m, n, x.n, A.pointers.data(), a.ld, B.pointers.data(), x.ld, info.data(),
                            a.count, q)
             : gels_strided_batched(op, m, n, x.n, A.memory.data(), a.ld, a.stride, B.memory.data(), x.ld,
                                    x.stride, info.data(), a.count, q);
}

template <class T>
int qr(call_form how, const resident<T>& A, const resident<T>& R, const info_array& info,
       queue q = test_queue()) {
  const slab<T>&a = A.host, &r = R.host;
  return how == call_form::pointers
             ? qr_batched(a.m, a.n, A.pointers.data(), a.ld, R.pointers.data(), r.ld, info.data(), a.count, q)
             : qr_strided_batched(a.m, a.n, A.memory.data(), a.ld, a.stride, R.memory.data(), r.ld, r.stride,
                                  info.data(), a.count, q);
}

// Of the next two, info may be null.

/// A has as many columns as there are reflectors.
template <class T>
int ormqr(call_form how, side where, op op, const resident<T>& A, const resident<T>& tau,
          const resident<T>& C, int* info, queue q = test_queue()) {
  const slab<T>&a = A.host, &c = C.host;
  return how == call_form::pointers
             ? ormqr_batched<T>(where, op, c.m, c.n, a.n, A.pointers.data(), a.ld, tau.pointers.data(),
                                C.pointers.data(), c.ld, info, c.count, q)
             : ormqr_strided_batched<T>(where, op, c.m, c.n, a.n, A.memory.data(), a.ld, a.stride,
                                        tau.memory.data(), tau.host.stride, C.memory.data(), c.ld, c.stride,
                                        info, c.count, q);
}

/// As many reflectors as tau has elements.
template <class T>
int orgqr(call_form how, const resident<T>& A, const resident<T>& tau, int* info, queue q = test_queue()) {
  const slab<T>& s = A.host;
  return how == call_form::pointers
             ? orgqr_batched<T>(s.m, s.n, tau.host.m, A.pointers.data(), s.ld, tau.pointers.data(), info,
                                s.count, q)
             : orgqr_strided_batched<T>(s.m, s.n, tau.host.m, A.memory.data(), s.ld, s.stride,
                                        tau.memory.data(), tau.host.stride, info, s.count, q);
}

// ---- matrices --------------------------------------------------------------------------------------------

/// Both ways, around the borders that kernels may have, up to many times as high as wide.
inline const std::vector<extents>& some_rectangles() {
  static const std::vector<extents> all{
      {1, 2},   {1, 9},    {2, 1},    {9, 1},    {70, 1},  {1, 70},  {3, 2},    {2, 3},
      {5, 8},   {8, 5},    {9, 4},    {4, 17},   {17, 16}, {16, 17}, {33, 8},   {8, 33},
      {128, 8}, {32, 31},  {31, 32},  {40, 64},  {64, 40}, {65, 33}, {33, 65},  {256, 16},
      {48, 3},  {100, 90}, {70, 130}, {130, 70}, {500, 7}, {7, 200}, {200, 32}, {300, 1}};
  return all;
}
/// Fewer, squares among them, for what is tried in many ways.
inline const std::vector<extents>& few_extents() {
  static const std::vector<extents> all{{1, 1},   {2, 2},   {3, 3},    {5, 5},   {8, 8},   {16, 16}, {17, 17},
                                        {32, 32}, {33, 33}, {64, 64},  {65, 65}, {97, 97}, {9, 1},   {1, 9},
                                        {9, 4},   {4, 9},   {40, 33},  {33, 40}, {128, 8}, {8, 70},  {70, 20},
                                        {20, 70}, {500, 7}, {130, 70}, {70, 130}};
  return all;
}

/// m x n matrices by name.
///
///   random          uniform in [-0.5, 0.5)
///   graded_rows     random, rows from 1 down to 2^-40
///   graded_columns  random, columns from 1 down to 2^-40
///   rank_deficient  random in its first half, the other columns repeat these, with a sign and doubled
///   condition       singular values spread evenly in logarithm from 1 down to 64 min(m, n) eps
///   clustered       ones, and of magnitude sqrt(eps) what makes the columns differ
///   tiny            random, scaled to 1e-300 (in single precision 1e-30)
///   huge            random, scaled to 1e300 (1e30)
///   mixed           random, columns in turn huge, tiny and around 1
///   tiny_below      (1, 0, ...), then columns that begin with 1 and go on tiny: their squares vanish
///   zero_column     random, with zeros in column min(m, n) / 2
///   zero            zeros
inline const std::vector<std::string>& qr_kinds() {
  static const std::vector<std::string> names{"random",    "graded_rows", "graded_columns", "rank_deficient",
                                              "condition", "clustered",   "tiny",           "huge",
                                              "mixed",     "tiny_below",  "zero_column",    "zero"};
  return names;
}

template <class T>
dense<T> qr_matrix(const std::string& kind, int m, int n, unsigned seed);

/// `distinct` matrices of one kind, repeated until the batch is full.
template <class T>
repeated_general<T> repeated_qr(const std::string& kind, int m, int n, int distinct, unsigned seed);

/// Dominated by its diagonal, whose elements are of any sign: QR is as good as unique, so are its reflectors.
template <class T>
dense<T> well_conditioned(int m, int n, unsigned seed);

/// A signed permutation (complex: i and -i are signs, too) of the rows of an upper trapezoid of small
/// integers with powers of two on its diagonal, and what geqrf leaves of it, to the last bit.
///
/// Of each column one element at or below the diagonal is not zero. If it is x below the diagonal, alpha is
/// 0: beta = -|x|, tau = 1, v = (1, x / |x|), and I - v v^H exchanges two rows but for their signs. If it is
/// alpha itself and real, tau = 0; if it is imaginary, beta = -|alpha|, tau = (1, Im alpha / |alpha|).
template <class T>
struct known_qr {
  known_qr(int m, int n, unsigned seed);

  int m, n;
  dense<T> A, factors, tau;
};

template <class T>
known_qr<T>::known_qr(int m_, int n_, unsigned seed)
    : m(m_), n(n_), A(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)) {
  small_numbers<T> draw(seed);
  const auto at = [this](int i, int j) { return static_cast<std::size_t>(i + j * m); };
  std::vector<int> to(static_cast<std::size_t>(m));  // which row of A a row of the trapezoid becomes
  std::iota(to.begin(), to.end(), 0);
  for (int i = 0; i < m; ++i) {  // about half of the rows stay in their places
    if (draw.below(2) == 0)
      std::swap(to[static_cast<std::size_t>(i)], to[static_cast<std::size_t>(i + draw.below(m - i))]);
  }
  for (int i = 0; i < std::min(m, n); ++i) {
    const T sign = draw.unit();
    for (int j = i; j < n; ++j) {
      const T r = i == j ? T(static_cast<real_of<T>>(1 << draw.below(3))) : draw.element(1);
      A[at(to[static_cast<std::size_t>(i)], j)] = times(sign, r) + T(0);  // -0 would have a sign
    }
  }
  factors = A;
  tau.assign(static_cast<std::size_t>(std::min(m, n)), T(0));
  for (int j = 0; j < std::min(m, n); ++j) {
    int p = j;
    while (factors[at(p, j)] == T(0)) ++p;
    const T x = factors[at(p, j)], unit = x / std::abs(x);
    T& t = tau[static_cast<std::size_t>(j)];
    if (p > j) {
      t = 1;
      for (int c = j; c < n; ++c) {
        const T above = factors[at(j, c)];
        factors[at(j, c)] = T(0) - times(conjugate(unit), factors[at(p, c)]);
        factors[at(p, c)] = T(0) - times(unit, above);
      }
      factors[at(p, j)] = unit;
    } else if (std::imag(x) != 0) {
      t = T(1) + unit;
      for (int c = j; c < n; ++c) factors[at(j, c)] = times(T(1) - conjugate(t), factors[at(j, c)]) + T(0);
    }
  }
}

// ---- Q, formed here --------------------------------------------------------------------------------------

/// What results are judged in.
template <class T>
using judged = std::conditional_t<is_complex<T>, std::complex<double>, double>;
/// The same with more digits than any result has.
template <class T>
using residual_type = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;

template <class W, class T>
dense<W> converted(const dense<T>& A) {
  dense<W> B;
  B.reserve(A.size());
  for (const T& a : A) B.push_back(static_cast<W>(a));
  return B;
}

/// The first `columns` columns of H_1 ... H_k in double, from the reflectors below V's diagonal and tau.
template <class T>
dense<judged<T>> explicit_Q(const dense<T>& V, const dense<T>& tau, int m, int k, int columns);

/// A^H, n x m.
template <class T>
dense<T> adjoint(const dense<T>& A, int m, int n);

/// The first k rows of what geqrf leaves, or another dense matrix, zeros below its diagonal.
template <class T>
dense<T> upper_trapezoid(const dense<T>& factors, int m, int n, int k);

/// Reflectors as LAPACK has them: what geqrf of OpenBLAS leaves.
template <class T>
struct reflectors {
  reflectors(dense<T> A, int m, int n)
      : factors(std::move(A)), tau(static_cast<std::size_t>(std::min(m, n))) {
    if (tau.empty()) return;
    const int size = 64 * n;
    dense<T> work(static_cast<std::size_t>(size));
    int info = 0;
    if constexpr (std::is_same_v<T, float>) {
      sgeqrf_(&m, &n, factors.data(), &m, tau.data(), work.data(), &size, &info);
    } else if constexpr (std::is_same_v<T, double>) {
      dgeqrf_(&m, &n, factors.data(), &m, tau.data(), work.data(), &size, &info);
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
      cgeqrf_(&m, &n, factors.data(), &m, tau.data(), work.data(), &size, &info);
    } else {
      zgeqrf_(&m, &n, factors.data(), &m, tau.data(), work.data(), &size, &info);
    }
    if (info != 0) throw std::runtime_error("geqrf of OpenBLAS refuses its arguments");
  }
  /// Those of a random matrix alone: NaN on and above the diagonal, where nobody may look.
  static reflectors alone(int m, int k, unsigned seed) {
    reflectors r(random_matrix<T>(m, k, seed), m, k);
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i <= std::min(j, m - 1); ++i)
        r.factors[static_cast<std::size_t>(i + j * m)] = nan_of<T>();
    }
    return r;
  }
  dense<T> factors, tau;
};

// ---- what factors have to be -----------------------------------------------------------------------------

/// max over columns of ||a - Q r||_1 / (m ||a||_1 eps). LAPACK's ratio has the norms of the whole matrix,
/// which would not see what became of tiny columns beside huge ones. Each column is scaled first.
template <class T>
double qr_ratio(const dense<T>& A, const dense<judged<T>>& Q, const dense<T>& R, int m, int n, int k);

/// ||I - Q^H Q||_1 / (m eps), Q m x k
template <class T>
double orthogonality_ratio(const dense<judged<T>>& Q, int m, int k);

template <class T>
bool has_real_diagonal(const dense<T>& A, int m, int k);

/// Is I - tau v v^H, for some v, unitary as LAPACK's: |tau - 1| at most 1, its real part at least 1, or 0?
template <class T>
bool are_taus(const dense<T>& tau);

/// All that geqrf promises of one matrix's factors and tau. Q is formed here, not by orgqr.
template <class T>
void check_reflectors(const dense<T>& A, const dense<T>& factors, const dense<T>& tau, int m, int n) {
  const int k = std::min(m, n);
  CHECK(are_taus(tau));
  CHECK(has_real_diagonal(factors, m, k));
  const dense<judged<T>> Q = explicit_Q(factors, tau, m, k, k);
  CHECK(orthogonality_ratio<T>(Q, m, k) < threshold);
  CHECK(qr_ratio(A, Q, upper_trapezoid(factors, m, n, k), m, n, k) < threshold);
}

/// All that qr promises of one matrix's Q (the first k columns of it) and R.
template <class T>
void check_thin(const dense<T>& A, dense<T> Q, const dense<T>& R, int m, int n) {
  const int k = std::min(m, n);
  Q.resize(static_cast<std::size_t>(m) * static_cast<std::size_t>(k));
  const dense<judged<T>> wide = converted<judged<T>>(Q);
  CHECK(R == upper_trapezoid(R, k, n, k));  // zeros are written below the diagonal
  CHECK(has_real_diagonal(R, k, k));
  CHECK(orthogonality_ratio<T>(wide, m, k) < threshold);
  CHECK(qr_ratio(A, wide, R, m, n, k) < threshold);
}

/// max |a - b| of two matrices, relative to what is given.
template <class T>
double difference_ratio(const dense<T>& A, const dense<T>& B, double size);

template <class T>
bool has_nan(const slab<T>& s, std::int64_t b, int j);

}  // namespace talus::test
