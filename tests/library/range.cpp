// Needs: potrf potrs posv potri getrf getrf_partial_split getrs gesv getri trsm qr gels geqrf

// Problems of small integers times powers of two, from the least subnormal number to the largest number. The
// answer must be the answer of the integers times its own power of two.
#include <cmath>
#include <string>
#include <vector>

#include "blas/blas.hpp"
#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "lu/fronts.hpp"
#include "lu/lu.hpp"
#include "qr/qr.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Matrices of one size, or a list of sizes without a bound.
enum class sizes { equal, own };
constexpr sizes both_sizes[] = {sizes::equal, sizes::own};

/// Routines for both kinds of sizes. They return after the call has finished.
namespace any_size {

/// An extent of each matrix.
struct each {
  each(std::int64_t count, int value) : all(std::vector<int>(static_cast<std::size_t>(count), value)) {}
  operator const int*() const { return all.data(); }
  array<int> all;
};

int finished(int status) {
  finish();
  return status;
}

template <class T>
int gesv(sizes how, const resident<T>& A, const pivot_array& ipiv, const resident<T>& B,
         const info_array& info) {
  if (how == sizes::equal) return finished(test::gesv(call_form::strided, A, ipiv, B, info));
  const slab<T>&a = A.host, &b = B.host;
  const each n(a.count, a.n), nrhs(a.count, b.n), lda(a.count, a.ld), ldb(a.count, b.ld);
  return finished(gesv_vbatched<T>(n, nrhs, A.pointers.data(), lda, ipiv.pointers.data(), B.pointers.data(),
                                   ldb, info.data(), a.count, -1, -1, test_queue()));
}

template <class T>
int getrs(sizes how, op op, const resident<T>& A, const pivot_array& ipiv, const resident<T>& B,
          const info_array& info) {
  if (how == sizes::equal) return finished(test::getrs(call_form::strided, op, A, ipiv, B, info.data()));
  const slab<T>&a = A.host, &b = B.host;
  const each n(a.count, a.n), nrhs(a.count, b.n), lda(a.count, a.ld), ldb(a.count, b.ld);
  return finished(getrs_vbatched<T>(op, n, nrhs, A.pointers.data(), lda, ipiv.pointers.data(),
                                    B.pointers.data(), ldb, info.data(), a.count, -1, -1, test_queue()));
}

template <class T>
int getrs_nopiv(sizes how, op op, const resident<T>& A, const resident<T>& B, const info_array& info) {
  if (how == sizes::equal) return finished(test::getrs_nopiv(call_form::strided, op, A, B, info.data()));
  const slab<T>&a = A.host, &b = B.host;
  const each n(a.count, a.n), nrhs(a.count, b.n), lda(a.count, a.ld), ldb(a.count, b.ld);
  return finished(getrs_nopiv_vbatched<T>(op, n, nrhs, A.pointers.data(), lda, B.pointers.data(), ldb,
                                          info.data(), a.count, -1, -1, test_queue()));
}

template <class T>
int getri(sizes how, const resident<T>& A, const pivot_array& ipiv, const info_array& info) {
  if (how == sizes::equal) return finished(test::getri(call_form::strided, A, ipiv, info.data()));
  const slab<T>& a = A.host;
  const each n(a.count, a.n), lda(a.count, a.ld);
  return finished(getri_vbatched<T>(n, A.pointers.data(), lda, ipiv.pointers.data(), info.data(), a.count, -1,
                                    test_queue()));
}

template <class T>
int trsm(sizes how, const trsm_form& f, const resident<T>& A, const resident<T>& B, const info_array& info) {
  if (how == sizes::equal) return finished(test::trsm(call_form::strided, f, T(1), A, B, info.data()));
  const slab<T>&a = A.host, &b = B.host;
  const each m(a.count, b.m), n(a.count, b.n), lda(a.count, a.ld), ldb(a.count, b.ld);
  return finished(trsm_vbatched<T>(f.side, f.uplo, f.op, f.diag, m, n, T(1), A.pointers.data(), lda,
                                   B.pointers.data(), ldb, info.data(), a.count, -1, -1, test_queue()));
}

template <class T>
int potrs(sizes how, uplo uplo, const resident<T>& A, const resident<T>& B, const info_array& info) {
  if (how == sizes::equal) return finished(test::potrs(call_form::strided, uplo, A, B, info));
  const slab<T>&a = A.host, &b = B.host;
  const each n(a.count, a.n), nrhs(a.count, b.n), lda(a.count, a.ld), ldb(a.count, b.ld);
  return finished(potrs_vbatched<T>(uplo, n, nrhs, A.pointers.data(), lda, B.pointers.data(), ldb,
                                    info.data(), a.count, -1, -1, test_queue()));
}

template <class T>
int posv(sizes how, uplo uplo, const resident<T>& A, const resident<T>& B, const info_array& info) {
  if (how == sizes::equal) return finished(test::posv(call_form::strided, uplo, A, B, info));
  const slab<T>&a = A.host, &b = B.host;
  const each n(a.count, a.n), nrhs(a.count, b.n), lda(a.count, a.ld), ldb(a.count, b.ld);
  return finished(posv_vbatched<T>(uplo, n, nrhs, A.pointers.data(), lda, B.pointers.data(), ldb, info.data(),
                                   a.count, -1, -1, test_queue()));
}

template <class T>
int potri(sizes how, uplo uplo, const resident<T>& A, const info_array& info) {
  if (how == sizes::equal) return finished(test::potri(call_form::strided, uplo, A, info));
  const slab<T>& a = A.host;
  const each n(a.count, a.n), lda(a.count, a.ld);
  return finished(potri_vbatched<T>(uplo, n, A.pointers.data(), lda, info.data(), a.count, -1, test_queue()));
}

template <class T>
int geqrf(sizes how, const resident<T>& A, const resident<T>& tau, const info_array& info) {
  if (how == sizes::equal) return finished(test::geqrf(call_form::strided, A, tau, info));
  const slab<T>& a = A.host;
  const each m(a.count, a.m), n(a.count, a.n), lda(a.count, a.ld);
  return finished(geqrf_vbatched<T>(m, n, A.pointers.data(), lda, tau.pointers.data(), info.data(), a.count,
                                    -1, -1, test_queue()));
}

template <class T>
int qr(sizes how, const resident<T>& A, const resident<T>& R, const info_array& info) {
  if (how == sizes::equal) return finished(test::qr(call_form::strided, A, R, info));
  const slab<T>&a = A.host, &r = R.host;
  const each m(a.count, a.m), n(a.count, a.n), lda(a.count, a.ld), ldr(a.count, r.ld);
  return finished(qr_vbatched<T>(m, n, A.pointers.data(), lda, R.pointers.data(), ldr, info.data(), a.count,
                                 -1, -1, test_queue()));
}

template <class T>
int gels(sizes how, op op, const resident<T>& A, const resident<T>& B, const info_array& info) {
  const slab<T>&a = A.host, &b = B.host;
  if (how == sizes::equal) return finished(test::gels(call_form::strided, op, a.m, a.n, A, B, info));
  const each m(a.count, a.m), n(a.count, a.n), nrhs(a.count, b.n), lda(a.count, a.ld), ldb(a.count, b.ld);
  return finished(gels_vbatched<T>(op, m, n, nrhs, A.pointers.data(), lda, B.pointers.data(), ldb,
                                   info.data(), a.count, -1, -1, -1, test_queue()));
}

}  // namespace any_size

/// The exponents of the least subnormal number and of the largest power of two.
template <class T>
constexpr int least = std::numeric_limits<real_of<T>>::min_exponent - std::numeric_limits<real_of<T>>::digits;
template <class T>
constexpr int most = std::numeric_limits<real_of<T>>::max_exponent - 1;
/// The largest elements of A and B are below 2^(most + 1 - headroom). In a solve, products may exceed the
/// largest number where sums do not. Such a multiply-add must be fused, and the checks of the address
/// sanitizer keep GCC from fusing it.
#ifdef __SANITIZE_ADDRESS__
constexpr int headroom = 2;
#else
constexpr int headroom = 0;
#endif

/// x 2^e, rounded once.
template <class T>
T times_power(T x, int e) {
  if constexpr (is_complex<T>) {
    return {std::ldexp(x.real(), e), std::ldexp(x.imag(), e)};
  } else {
    return std::ldexp(x, e);
  }
}

template <class T>
dense<T> times_power(dense<T> A, int e) {
  for (T& a : A) a = times_power(a, e);
  return A;
}

/// The exponent of the largest part of a matrix, rounded up.
template <class T>
int top_exponent(const dense<T>& A) {
  real_of<T> largest = 1;
  for (const T& a : A) largest = std::max({largest, std::abs(std::real(a)), std::abs(std::imag(a))});
  return std::ilogb(largest) + 1;
}

/// Exponents from `first` to `last`: both ends, around the least normal number and its reciprocal, and steps
/// between.
template <class T>
std::vector<int> exponents(int first, int last) {
  const int normal = std::numeric_limits<real_of<T>>::min_exponent - 1;
  std::set<int> all{0};
  for (int e = 0; e < 4; ++e) {
    all.insert(first + e);
    all.insert(last - e);
    all.insert(normal - 3 + e);
    all.insert(normal + 1 + e);
    all.insert(-normal - e);
  }
  for (int e = first; e < last; e += (most<T> - least<T>) / 24) all.insert(e);
  std::vector<int> within;
  for (const int e : all) {
    if (e >= first && e <= last) within.push_back(e);
  }
  return within;
}

/// True if solves of this order multiply tiles on a GPU, and tiles lose digits there. Lists of sizes have
/// tiles at every order, but only TF32 loses digits up to n = 32.
template <class T>
bool has_tiles(sizes how, int n) {
  return on_cuda() && (n > 32 || (how == sizes::own && sizeof(real_of<T>) == 4));
}

/// True if tiles keep all digits of integers times 2^e (docs/guide/accuracy.md).
template <class T>
bool tiles_keep_digits(int e) {
  return e >= (sizeof(real_of<T>) == 4 ? -102 : -1000);
}

/// Describes the first element of `got` that is not X 2^e to within `slack` eps, or is empty. What overflows
/// must not be finite. An element's error is compared with the largest element of its column, and may be
/// `steps` least subnormal numbers.
template <class T>
std::string first_wrong(const dense<T>& got, const dense<T>& X, int m, int n, int e, double slack,
                        int steps = 1) {
  using wide = long double;
  const wide eps = std::numeric_limits<real_of<T>>::epsilon(), limit = std::numeric_limits<real_of<T>>::max();
  const wide step = std::ldexp(wide(1), least<T>);
  for (int j = 0; j < n; ++j) {
    wide largest = 0;
    for (int i = 0; i < m; ++i) {
      const T x = X[static_cast<std::size_t>(i + j * m)];
      largest = std::max({largest, std::abs(wide(std::real(x))), std::abs(wide(std::imag(x)))});
    }
    if (std::ldexp(largest, e) > limit) {  // LAPACK's answer has Inf, too, and NaN beside it
      bool finite = true;
      for (int i = 0; i < m; ++i) {
        const T x = got[static_cast<std::size_t>(i + j * m)];
        finite = finite && std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
      }
      if (finite) return "column " + std::to_string(j) + " is finite";
      continue;
    }
    const wide allowed = slack * eps * std::ldexp(largest, e) + steps * step;
    for (int i = 0; i < m; ++i) {
      const T x = got[static_cast<std::size_t>(i + j * m)], y = X[static_cast<std::size_t>(i + j * m)];
      const wide off = std::max(std::abs(wide(std::real(x)) - std::ldexp(wide(std::real(y)), e)),
                                std::abs(wide(std::imag(x)) - std::ldexp(wide(std::imag(y)), e)));
      if (!(off <= allowed)) {
        std::ostringstream text;
        text.precision(17);
        text << "(" << i << ", " << j << "): " << x << " for " << y << " 2^" << e;
        return text.str();
      }
    }
  }
  return "";
}

/// One matrix of a problem and its right-hand sides are scaled by 2^of_A and 2^of_B, so that the solution is
/// scaled by 2^of_X.
struct powers {
  int of_A, of_B, of_X;
};

/// All powers for which A and B are representable; B about as large as A, or about 1. X is A^-order B.
template <class T>
std::vector<powers> powers_of(int top_of_A, int top_of_B, int order = 1) {
  std::vector<powers> all;
  for (const int e : exponents<T>(least<T> + 2, most<T> - headroom - top_of_A)) {
    const int similar = std::min(std::max(order * e, least<T> + 2), most<T> - headroom - top_of_B);
    all.push_back({e, similar, similar - order * e});
    if (std::abs(e) > 20 && std::abs(e) < most<T> - top_of_B) all.push_back({e, 0, -order * e});
  }
  return all;
}

/// Checks run(a, b, info) for all powers, in one batch and one by one. put(slab, b, e) stores matrix b times
/// 2^e.
template <class T, class Put, class Run>
void check_solutions(const std::vector<powers>& all, int n, const dense<T>& B, const dense<T>& X, int rows,
                     int columns, double slack, Put put, Run run) {
  const auto check = [&](const std::vector<powers>& some) {
    const auto count = static_cast<std::int64_t>(some.size());
    slab<T> A(n, n, n, count), sides(rows, columns, rows, count);
    for (std::int64_t i = 0; i < count; ++i) {
      put(A, i, some[static_cast<std::size_t>(i)].of_A);
      sides.put(i, times_power(B, some[static_cast<std::size_t>(i)].of_B));
    }
    const resident<T> a(A), b(sides);
    const info_array info(count);
    REQUIRE(run(a, b, info) == 0);
    finish();
    CHECK(all_zero(info.download()));
    const slab<T> got = b.download();
    for (std::int64_t i = 0; i < count; ++i) {
      const powers& p = some[static_cast<std::size_t>(i)];
      CAPTURE(p.of_A, p.of_B, p.of_X, count);
      CHECK(first_wrong(got.get(i), X, rows, columns, p.of_X, slack) == "");
    }
  };
  check(all);
  for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(1, all.size() / 12)) check({all[i]});
}

/// The powers at which the kernels for this size keep all digits.
template <class T>
std::vector<powers> powers_for(sizes how, int n, std::vector<powers> all) {
  const auto loses_digits = [](const powers& p) {
    return !tiles_keep_digits<T>(std::min({p.of_A, p.of_B, p.of_X}));
  };
  if (has_tiles<T>(how, n)) all.erase(std::remove_if(all.begin(), all.end(), loses_digits), all.end());
  return all;
}

template <class T>
dense<T> integer_solution(int n, int nrhs) {
  return small_integers<T>(n, nrhs, 5);
}

/// Orders below and above the host's limit for lanes, and nrhs below and above its limit for OpenBLAS's
/// xTRSM.
struct solve_size {
  int n, nrhs;
};
const std::vector<solve_size> solve_sizes{{1, 1},  {2, 3},  {3, 1},  {5, 2},   {8, 17}, {13, 1}, {16, 3},
                                          {24, 1}, {32, 4}, {40, 1}, {40, 17}, {65, 3}, {100, 1}};

/// The upper triangle of factors, with the diagonal, is multiplied by 2^e.
template <class T>
dense<T> upper_times_power(dense<T> A, int n, int e) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i <= j; ++i) {
      T& a = A[static_cast<std::size_t>(i + j * n)];
      a = times_power(a, e);
    }
  }
  return A;
}

template <class T>
dense<T> times_number(dense<T> A, real_of<T> x) {
  for (T& a : A) a *= x;
  return A;
}

/// Checks gesv and getrs. factor: a multiplier of A; with 3 no pivot is a power of two.
template <class T>
void check_lu_solves(sizes how, int n, int nrhs, real_of<T> factor) {
  CAPTURE(how == sizes::own, n, nrhs, factor);
  const known_lu<T> known(pivoted(n, n), static_cast<unsigned>(n));
  const dense<T> X = integer_solution<T>(n, nrhs), A = times_number(known.A, factor);
  dense<T> factors = known.factors;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i <= j; ++i) factors[static_cast<std::size_t>(i + j * n)] *= factor;
  }
  // Products of subnormal numbers that are not exact are rounded coarsely.
  const auto powers_without = [&](const dense<T>& B) {
    std::vector<powers> all = powers_of<T>(std::max(top_exponent(A), top_exponent(factors)), top_exponent(B));
    if (factor != 1) {
      const int from = least<T> + std::numeric_limits<real_of<T>>::digits / 2;
      all.erase(std::remove_if(all.begin(), all.end(), [&](const powers& p) { return p.of_A < from; }),
                all.end());
    }
    return powers_for<T>(how, n, all);
  };
  const double slack = factor == 1 ? 4 : std::ldexp(1.0, std::numeric_limits<real_of<T>>::digits / 2 + 8);
  for (const op op : every_op) {
    const dense<T> B = product(applied(op, A, n), X, n, n, nrhs);
    const std::vector<powers> all = powers_without(B);
    if (op == op::none) {
      CAPTURE("gesv");
      check_solutions<T>(
          all, n, B, X, n, nrhs, slack,
          [&](slab<T>& s, std::int64_t b, int e) { s.put(b, times_power(A, e)); },
          [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
            return any_size::gesv(how, a, pivot_array(a.host.count, n), b, info);
          });
    }
    CAPTURE("getrs", static_cast<char>(op));
    const auto put = [&](slab<T>& s, std::int64_t b, int e) { s.put(b, upper_times_power(factors, n, e)); };
    check_solutions<T>(all, n, B, X, n, nrhs, slack, put,
                       [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
                         const pivot_array ipiv(a.host.count, known.ipiv);
                         const int status = any_size::getrs(how, op, a, ipiv, b, info);
                         finish();
                         return status;
                       });
    // Without row exchanges the factors are of another matrix.
    const dense<T> P = exchanged(A, known.ipiv, n, n), B_nopiv = product(applied(op, P, n), X, n, n, nrhs);
    check_solutions<T>(all, n, B_nopiv, X, n, nrhs, slack, put,
                       [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
                         return any_size::getrs_nopiv(how, op, a, b, info);
                       });
  }
}

template <class T>
void check_trsm(sizes how, const trsm_form& f, int n, int nrhs) {
  if (f.diag == diag::unit) return;  // has no divisors
  CAPTURE(how == sizes::own, f.name(), n, nrhs);
  const int m = f.side == side::left ? n : nrhs, columns = f.side == side::left ? nrhs : n;
  const dense<T> A = as_stored(f, exact_triangle<T>(n, 3), n), X = integer_solution<T>(m, columns);
  const dense<T> B = sides_of(f, A, X, m, columns);
  const std::vector<powers> all =
      powers_for<T>(how, n, powers_of<T>(top_exponent(A), std::max(top_exponent(B), top_exponent(A))));
  check_solutions<T>(
      all, n, B, X, m, columns, 16,
      [&](slab<T>& s, std::int64_t b, int e) { put_triangle_of(f, s, b, times_power(A, e)); },
      [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
        return any_size::trsm(how, f, a, b, info);
      });
}

/// Checks potrs with L 2^e, a scale that potrf does not yield at the ends of the range, and posv.
template <class T>
void check_cholesky_solves(sizes how, uplo uplo, int n, int nrhs) {
  CAPTURE(how == sizes::own, static_cast<char>(uplo), n, nrhs);
  const dense<T> L = exact_factor<T>(n, static_cast<unsigned>(n)), A = times_own_conjugate_transpose(L, n);
  const dense<T> X = integer_solution<T>(n, nrhs), B = product(A, X, n, n, nrhs);
  const auto put_scaled = [&](slab<T>& s, std::int64_t b, const dense<T>& lower, int e) {
    const dense<T> stored = uplo == uplo::lower ? lower : applied(op::conj_trans, lower, n);
    s.put_triangle(b, times_power(stored, e), uplo);
  };
  {
    CAPTURE("potrs");
    check_solutions<T>(
        powers_for<T>(how, n, powers_of<T>(top_exponent(L), top_exponent(B), 2)), n, B, X, n, nrhs, 16,
        [&](slab<T>& s, std::int64_t b, int e) { put_scaled(s, b, L, e); },
        [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
          return any_size::potrs(how, uplo, a, b, info);
        });
  }
  CAPTURE("posv");
  std::vector<powers> even;
  for (const powers& p : powers_for<T>(how, n, powers_of<T>(top_exponent(A), top_exponent(B)))) {
    if (p.of_A % 2 == 0) even.push_back(p);
  }
  check_solutions<T>(
      even, n, B, X, n, nrhs, 16, [&](slab<T>& s, std::int64_t b, int e) { put_scaled(s, b, A, e); },
      [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
        return any_size::posv(how, uplo, a, b, info);
      });
}

/// Checks that factors times 2^e have the inverse times 2^(-order e).
template <class T, class Put, class Invert>
void check_inverses(int n, int order, int top, Put put, Invert invert) {
  std::vector<int> all{0};
  for (const int e : exponents<T>(least<T> + 2, most<T> - top)) {
    const int result = -order * e;
    if (on_cuda() && !tiles_keep_digits<T>(std::min(e, result))) continue;
    // Where an inverse is close to the limit, sums on the way may be beyond it.
    const int growth = (on_cuda() ? 4 : 3) * top;
    if (result < most<T> - growth || result > most<T> + growth) all.push_back(e);
  }
  const auto count = static_cast<std::int64_t>(all.size());
  slab<T> A(n, n, n, count);
  for (std::int64_t b = 0; b < count; ++b) put(A, b, all[static_cast<std::size_t>(b)]);
  const resident<T> a(A);
  const info_array info(count);
  REQUIRE(invert(a, info) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const slab<T> got = a.download();
  for (std::int64_t b = 0; b < count; ++b) {
    const int e = all[static_cast<std::size_t>(b)];
    CAPTURE(n, e);
    CHECK(first_wrong(got.get(b), got.get(0), n, n, -order * e, 64.0 * n, n) == "");
  }
}

/// Checks fronts times 2^e. Form left makes the same A11^-1 A12, form lapack the same L; other blocks are
/// scaled.
template <class T>
void check_fronts(const split_way& way, int k, int rest) {
  CAPTURE(name_of(way), k, rest);
  const int n = k + rest;
  const auto at = [n](int i, int j) { return static_cast<std::size_t>(i + j * n); };
  known_shape shape{n, n, k, way.exchanges ? k : 0};
  const known_lu<T> known(shape, static_cast<unsigned>(n));
  dense<T> A = known.A, expected = known.factors;
  if (way.leaves == form::left) {
    const dense<T> X = integer_solution<T>(k, rest);
    for (int j = 0; j < rest; ++j) {
      for (int i = 0; i < n; ++i) {
        T sum{};
        for (int l = 0; l < k; ++l) sum += times(A[at(i, l)], X[static_cast<std::size_t>(l + j * k)]);
        A[at(i, k + j)] = i < k ? sum : sum + T(1);
        expected[at(i, k + j)] = i < k ? X[static_cast<std::size_t>(i + j * k)] : T(1);
        if (i >= k) {
          for (int l = 0; l < k; ++l) expected[at(i, l)] = A[at(i, l)];
        }
      }
    }
  }
  if (way.makes == schur::product) {  // A22 = L21 U12, or A21 (A11^-1 A12)
    for (int j = k; j < n; ++j) {
      for (int i = k; i < n; ++i) {
        expected[at(i, j)] = T(0);
        for (int l = 0; l < k; ++l) expected[at(i, j)] += times(expected[at(i, l)], expected[at(l, j)]);
      }
    }
  }
  const int top = std::max(top_exponent(A), top_exponent(expected));
  std::vector<int> all = exponents<T>(least<T> + 2, most<T> - top);
  if (on_cuda()) {  // kernels for fronts multiply tiles: a sum may overflow although the result does not
    const auto is_beyond = [top](int e) { return !tiles_keep_digits<T>(e) || e > most<T> - top - 16; };
    all.erase(std::remove_if(all.begin(), all.end(), is_beyond), all.end());
  }
  const auto check = [&](const std::vector<int>& some) {
    slab<T> fronts(n, n, n, static_cast<std::int64_t>(some.size()));
    for (std::size_t b = 0; b < some.size(); ++b)
      fronts.put(static_cast<std::int64_t>(b), times_power(A, some[b]));
    const split_fronts<T> now(way, call_form::strided, k, fronts);
    CHECK(all_zero(now.info));
    for (std::size_t b = 0; b < some.size(); ++b) {
      CAPTURE(some[b], some.size());
      dense<T> got = now.fronts.get(static_cast<std::int64_t>(b)), wanted = expected;
      // What is not scaled is compared unscaled; all else is brought back.
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          const bool unscaled =
              way.leaves == form::left ? (i > j && j < k && i < k) || (i < k && j >= k) : i > j && j < k;
          T& x = got[at(i, j)];
          if (!unscaled) x = times_power(x, -some[b]);
        }
      }
      CHECK(first_wrong(got, wanted, n, n, 0, 4) == "");
    }
  };
  check(all);
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}, all.size() / 2, all.size() - 1})
    check({all[i]});
}

/// Checks that column j of A times 2^e gives column j of R times 2^e, with the same Q or reflectors.
template <class T>
void check_qr(sizes how, int m, int n, bool reflectors) {
  CAPTURE(how == sizes::own, m, n, reflectors);
  const int k = std::min(m, n);
  dense<T> integers = times_number(random_matrix<T>(m, n, 7), 1024);
  for (T& a : integers) {
    if constexpr (is_complex<T>) {
      a = {std::round(a.real()), std::round(a.imag())};
    } else {
      a = std::round(a);
    }
  }
  for (int i = 0; i < k; ++i) integers[static_cast<std::size_t>(i + i * m)] += real_of<T>(1024);
  const int top = 14;
  const bool has_blocks = on_cuda() && (how == sizes::own || std::max(m, n) > 32);  // of reflectors
  std::vector<std::vector<int>> all{std::vector<int>(static_cast<std::size_t>(n), 0)};
  for (const int e : exponents<T>(least<T>, most<T> - top)) {
    if (has_blocks && !tiles_keep_digits<T>(e)) continue;
    all.push_back(std::vector<int>(static_cast<std::size_t>(n), e));
    std::vector<int> one(static_cast<std::size_t>(n), 0);  // beside columns around 1
    one[static_cast<std::size_t>(std::abs(e) % n)] = e;
    all.push_back(one);
  }
  const auto check = [&](const std::vector<std::vector<int>>& some) {
    const auto count = static_cast<std::int64_t>(some.size());
    slab<T> s(m, n, m, count);
    for (std::int64_t b = 0; b < count; ++b) {
      dense<T> scaled = integers;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i) {
          T& x = scaled[static_cast<std::size_t>(i + j * m)];
          x = times_power(x, some[static_cast<std::size_t>(b)][static_cast<std::size_t>(j)]);
        }
      }
      s.put(b, scaled);
    }
    const resident<T> a(s), r(slab<T>(k, reflectors ? 1 : n, k, count));  // tau or R
    const info_array info(count);
    REQUIRE((reflectors ? any_size::geqrf(how, a, r, info) : any_size::qr(how, a, r, info)) == 0);
    finish();
    CHECK(all_zero(info.download()));
    const slab<T> of_A = a.download(), of_R = r.download();
    const double slack = 64.0 * std::max(m, n);
    for (std::int64_t b = 1; b < count; ++b) {
      for (int j = 0; j < n; ++j) {
        const int e = some[static_cast<std::size_t>(b)][static_cast<std::size_t>(j)];
        dense<T> R, R0, Q, Q0;  // column j
        for (int i = 0; i < m; ++i) {
          const bool in_R = i <= j && i < k;
          if (reflectors) {
            (in_R ? R : Q).push_back(of_A.at(b, i, j));
            (in_R ? R0 : Q0).push_back(of_A.at(0, i, j));
          } else if (j < k) {
            Q.push_back(of_A.at(b, i, j));
            Q0.push_back(of_A.at(0, i, j));
          }
        }
        for (int i = 0; i < k && !reflectors; ++i) {
          R.push_back(of_R.at(b, i, j));
          R0.push_back(of_R.at(0, i, j));
        }
        if (reflectors && j < k) {
          Q.push_back(of_R.at(b, j, 0));
          Q0.push_back(of_R.at(0, j, 0));
        }
        CAPTURE(j, e, b, count);
        CHECK(first_wrong(R, R0, static_cast<int>(R.size()), 1, e, slack) == "");
        for (std::size_t i = 0; i < Q.size(); ++i) {  // against 1, not against this column's largest
          const double off = static_cast<double>(std::abs(Q[i] - Q0[i]));
          if (!(off <= slack * static_cast<double>(epsilon<T>))) {
            CAPTURE(i, Q[i], Q0[i]);
            FAIL_CHECK("an element of Q, or of a reflector, is another");
            break;
          }
        }
      }
    }
  };
  check(all);
  for (std::size_t b = 1; b < all.size(); b += 1 + all.size() / 24) check({all[0], all[b]});
}

template <class T>
void check_gels(sizes how, op op, int m, int n, int nrhs) {
  CAPTURE(how == sizes::own, static_cast<char>(op), m, n, nrhs);
  const int equations = op == op::none ? m : n, unknowns = op == op::none ? n : m, rows = std::max(m, n);
  dense<T> A = small_integers<T>(m, n, 11);
  for (int i = 0; i < std::min(m, n); ++i) A[static_cast<std::size_t>(i + i * m)] += real_of<T>(8);
  const dense<T> B = small_integers<T>(equations, nrhs, 12);
  std::vector<powers> all = powers_of<T>(top_exponent(A), top_exponent(B));
  all.insert(all.begin(), {0, 0, 0});
  const auto check = [&](const std::vector<powers>& some) {
    const auto count = static_cast<std::int64_t>(some.size());
    slab<T> a_s(m, n, m, count), b_s(rows, nrhs, rows, count);
    for (std::int64_t b = 0; b < count; ++b) {
      const powers& p = some[static_cast<std::size_t>(b)];
      a_s.put(b, times_power(A, p.of_A));
      for (int j = 0; j < nrhs; ++j) {
        for (int i = 0; i < equations; ++i)
          b_s.at(b, i, j) = times_power(B[static_cast<std::size_t>(i + j * equations)], p.of_B);
      }
    }
    const resident<T> a(a_s), b(b_s);
    const info_array info(count);
    REQUIRE(any_size::gels(how, op, a, b, info) == 0);
    finish();
    CHECK(all_zero(info.download()));
    const slab<T> got = b.download();
    const auto solution = [&](std::int64_t i) {
      dense<T> X;
      for (int j = 0; j < nrhs; ++j) {
        for (int row = 0; row < unknowns; ++row) X.push_back(got.at(i, row, j));
      }
      return X;
    };
    for (std::int64_t i = 1; i < count; ++i) {
      const powers& p = some[static_cast<std::size_t>(i)];
      CAPTURE(p.of_A, p.of_B, count);
      CHECK(first_wrong(solution(i), solution(0), unknowns, nrhs, p.of_X, 256.0 * rows) == "");
    }
  };
  check(all);
  for (std::size_t i = 1; i < all.size(); i += 1 + all.size() / 16) check({all[0], all[i]});
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("solves with LU of integers times any power of two are exact", "[range][gesv][getrs]",
                        precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  for (const solve_size s : solve_sizes) check_lu_solves<TestType>(how, s.n, s.nrhs, 1);
}

TEMPLATE_LIST_TEST_CASE("solves with LU and pivots that are no powers of two, at any power of two",
                        "[range][gesv][getrs]", precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  for (const solve_size s : solve_sizes) {
    if (s.n <= 16) check_lu_solves<TestType>(how, s.n, s.nrhs, 3);
  }
}

TEMPLATE_LIST_TEST_CASE("trsm of integers times any power of two is exact", "[range][trsm]", precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  for (const trsm_form& f : every_trsm_form()) {
    for (const solve_size s : solve_sizes) {
      if (s.n <= 65) check_trsm<TestType>(how, f, s.n, s.nrhs);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("solves with Cholesky factors of integers times any power of two are exact",
                        "[range][potrs][posv]", precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  for (const solve_size s : solve_sizes) {
    for (const uplo uplo : both) check_cholesky_solves<TestType>(how, uplo, s.n, s.nrhs);
  }
}

TEMPLATE_LIST_TEST_CASE("inverses of factors times any power of two", "[range][getri][potri]", precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  using T = TestType;
  for (const int n : {1, 2, 3, 5, 8, 16, 24, 40}) {
    const known_lu<T> known(pivoted(n, n), static_cast<unsigned>(n));
    check_inverses<T>(
        n, 1, top_exponent(known.factors),
        [&](slab<T>& s, std::int64_t b, int e) { s.put(b, upper_times_power(known.factors, n, e)); },
        [&](const resident<T>& a, const info_array& info) {
          return any_size::getri(how, a, pivot_array(a.host.count, known.ipiv), info);
        });
    const dense<T> L = exact_factor<T>(n, static_cast<unsigned>(n));
    check_inverses<T>(
        n, 2, top_exponent(L),
        [&](slab<T>& s, std::int64_t b, int e) {
          // potri leaves the other triangle alone: it holds what all results have there
          s.put(b, dense<T>(L.size()));
          for (int j = 0; j < n; ++j) {
            for (int i = j; i < n; ++i)
              s.at(b, i, j) = times_power(L[static_cast<std::size_t>(i + j * n)], e);
          }
        },
        [&](const resident<T>& a, const info_array& info) {
          return any_size::potri(how, uplo::lower, a, info);
        });
  }
}

TEMPLATE_LIST_TEST_CASE("fronts of integers times any power of two are exact", "[range][getrf_partial_split]",
                        precisions) {
  for (const split_way& way : every_split_way) {
    for (const int k : {1, 3, 8, 20, 40}) {
      for (const int rest : {1, 17}) check_fronts<TestType>(way, k, rest);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("columns times any power of two have the same Q", "[range][qr][geqrf]", precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  for (const extents e :
       {extents{1, 1}, {2, 2}, {6, 4}, {3, 5}, {8, 8}, {13, 7}, {24, 24}, {40, 33}, {33, 40}}) {
    for (const bool reflectors : {true, false}) check_qr<TestType>(how, e.m, e.n, reflectors);
  }
}

TEMPLATE_LIST_TEST_CASE("least squares and least norm, times any power of two", "[range][gels]", precisions) {
  constexpr extents systems[] = {{1, 1},   {3, 2},   {2, 3},   {8, 8},  {13, 5},  {5, 13},  {40, 24},
                                 {24, 40}, {48, 40}, {40, 48}, {70, 2}, {300, 2}, {2, 300}, {700, 3}};
  const sizes how = GENERATE(sizes::equal, sizes::own);
  for (const op op : legal_ops<TestType>()) {
    for (const extents e : systems) check_gels<TestType>(how, op, e.m, e.n, 3);
  }
}

TEMPLATE_LIST_TEST_CASE("divisors of the largest magnitude divide", "[range][gesv][getrs][getri][trsm]",
                        precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  using T = TestType;
  using R = real_of<T>;
  const R power = std::ldexp(R(1), most<T>);
  T y(-power), half(R(0.5)), reciprocal(-std::ldexp(R(1), -most<T>));
  if constexpr (is_complex<T>) {
    y = {-power, -power};
    reciprocal = times_power(T(-1, 1), -most<T> - 1);
  }
  for (const int n : {1, 3, 8, 16, 40, 70}) {
    for (const int nrhs : {1, 16}) {
      for (const std::int64_t count : {1, 20}) {
        CAPTURE(n, nrhs, count);
        slab<T> A(n, n, n, count), B(n, nrhs, n, count), X(n, nrhs, n, count), C(n, n, n, count);
        for (std::int64_t b = 0; b < count; ++b) {
          A.put(b, dense<T>(static_cast<std::size_t>(n * n)));
          C.put(b, dense<T>(static_cast<std::size_t>(n * n)));
          for (int i = 0; i < n; ++i) {
            A.at(b, i, i) = y;
            C.at(b, i, i) = reciprocal;
            for (int j = 0; j < nrhs; ++j) {
              B.at(b, i, j) = times(y, half);
              X.at(b, i, j) = half;
            }
          }
        }
        std::vector<int> pivots;
        for (int i = 1; i <= n; ++i) pivots.push_back(i);
        const pivot_array ipiv(count, pivots);
        const auto solves = [&](const char* name, const slab<T>& sides, auto solve) {
          const resident<T> a(A), b(sides);
          const info_array info(count);
          REQUIRE(solve(a, b, info) == 0);
          finish();
          CAPTURE(name);
          CHECK(all_zero(info.download()));
          for (std::int64_t i = 0; i < count; ++i) CHECK(b.download().get(i) == X.get(i));
        };
        solves("gesv", B, [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
          const pivot_array own(count, n);
          const int status = any_size::gesv(how, a, own, b, info);
          finish();
          return status;
        });
        for (const op op : every_op) {
          slab<T> sides = B;
          if (op == op::conj_trans) {
            for (T& x : sides.host) x = conjugate(x);
          }
          CAPTURE(static_cast<char>(op));
          solves("getrs", sides, [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
            return any_size::getrs(how, op, a, ipiv, b, info);
          });
          solves("getrs_nopiv", sides,
                 [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
                   return any_size::getrs_nopiv(how, op, a, b, info);
                 });
          for (const uplo uplo : both) {
            const trsm_form f{side::left, uplo, op, diag::non_unit};
            solves("trsm", sides, [&](const resident<T>& a, const resident<T>& b, const info_array& info) {
              return any_size::trsm(how, f, a, b, info);
            });
          }
        }
        const std::vector<int> last(static_cast<std::size_t>(n), n);  // each row is exchanged with the last
        for (std::int64_t b = 0; b < count; ++b) {
          for (int j = n - 1; j >= 0; --j) {
            for (int i = 0; i < n; ++i) std::swap(C.at(b, i, j), C.at(b, i, n - 1));
          }
        }
        const resident<T> a(A);
        const pivot_array exchanges(count, last);
        const info_array info(count);
        REQUIRE(any_size::getri(how, a, exchanges, info) == 0);
        finish();
        CHECK(all_zero(info.download()));
        for (std::int64_t b = 0; b < count; ++b) CHECK(a.download().get(b) == C.get(b));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("gesv exchanges and divides by least subnormal numbers", "[range][gesv]",
                        precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  using T = TestType;
  const T a(std::numeric_limits<real_of<T>>::denorm_min());
  for (const std::int64_t count : {1, 50}) {
    slab<T> A(2, 2, 2, count), B(2, 1, 2, count);
    for (std::int64_t b = 0; b < count; ++b) {
      A.put(b, dense<T>{0, a, a, 0});
      B.put(b, dense<T>{a + a, a});
    }
    const resident<T> resident_A(A), x(B);
    const info_array info(count);
    const pivot_array ipiv(count, 2);
    REQUIRE(any_size::gesv(how, resident_A, ipiv, x, info) == 0);
    finish();
    CHECK(all_zero(info.download()));
    for (std::int64_t b = 0; b < count; ++b) CHECK(x.download().get(b) == dense<T>{1, 2});
  }
}

TEMPLATE_LIST_TEST_CASE("QR of numbers beside the largest is finite", "[range][qr][geqrf][gels]",
                        precisions) {
  const sizes how = GENERATE(sizes::equal, sizes::own);
  using T = TestType;
  using R = real_of<T>;
  const R large = R(0.66) * std::numeric_limits<R>::max();
  for (const int n : {1, 4, 8, 40}) {
    for (const std::int64_t count : {1, 20}) {
      CAPTURE(n, count);
      slab<T> A(n, n, n, count), B(n, 1, n, count);
      for (std::int64_t b = 0; b < count; ++b) {
        A.put(b, dense<T>(static_cast<std::size_t>(n * n), T(1)));
        for (int i = 0; i < n; ++i) A.at(b, i, i) = T(large);
        B.put(b, dense<T>(static_cast<std::size_t>(n), T(large)));
      }
      {
        const resident<T> a(A), r(slab<T>(n, n, n, count));
        const info_array info(count);
        REQUIRE(any_size::qr(how, a, r, info) == 0);
        finish();
        for (std::int64_t b = 0; b < count; ++b) {
          const dense<T> Q = a.download().get(b), R_b = r.download().get(b);
          for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
              const auto e = static_cast<std::size_t>(i + j * n);
              CHECK(std::abs(std::abs(Q[e]) - (i == j ? 1 : 0)) <= 64 * epsilon<T>);
              if (i == j) CHECK(std::abs(std::abs(R_b[e]) / large - 1) <= 64 * epsilon<T>);
            }
          }
        }
      }
      const resident<T> a(A), x(B);
      const info_array info(count);
      REQUIRE(any_size::gels(how, op::none, a, x, info) == 0);
      finish();
      for (std::int64_t b = 0; b < count; ++b) {
        for (const T value : x.download().get(b)) CHECK(std::abs(value - T(1)) <= 64 * epsilon<T>);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a matrix that QR scales changes no bits of its neighbours",
                        "[range][qr][geqrf][gels]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  const sizes how = GENERATE(sizes::equal, sizes::own);
  const int far = most<T> - 8, near = far / 3, n = 16;
  const std::int64_t count = 32;
  // R's diagonal is not far from 1, although a column is: such a matrix is not scaled. Each element of B is
  // far from 1, but not the sum of their magnitudes.
  dense<T> ordinary(static_cast<std::size_t>(n * n));
  for (int i = 0; i < n; ++i) ordinary[static_cast<std::size_t>(i + i * n)] = T(1);
  ordinary[static_cast<std::size_t>(0 + 1 * n)] = T(std::ldexp(R(1), far));
  ordinary[static_cast<std::size_t>(1 + 1 * n)] = T(std::ldexp(R(1), -near));
  const int limit = std::numeric_limits<R>::max_exponent * 7 / 8;
  const dense<T> sides(static_cast<std::size_t>(n), T(std::ldexp(R(1.25), -limit - 2)));
  slab<T> alone(n, n, n, count), beside(n, n, n, count), B_alone(n, 1, n, count), B_beside(n, 1, n, count);
  for (std::int64_t b = 0; b < count; ++b) {
    alone.put(b, ordinary);
    B_alone.put(b, sides);
    const bool tiny = b % 2 == 1;
    beside.put(b, tiny ? times_power(ordinary, least<T> + near) : ordinary);
    B_beside.put(b, tiny ? times_power(sides, -20) : sides);
  }
  const auto check = [&](const char* name, auto run) {
    const resident<T> a(alone), b(B_alone), c(beside), d(B_beside), r(slab<T>(n, n, n, count)),
        t(slab<T>(n, n, n, count));
    const info_array info(count);
    REQUIRE(run(a, b, r, info) == 0);
    REQUIRE(run(c, d, t, info) == 0);
    CAPTURE(name);
    const slab<T> A = a.download(), C = c.download(), X = b.download(), Y = d.download();
    const slab<T> R_alone = r.download(), R_beside = t.download();
    for (std::int64_t i = 0; i < count; i += 2) {
      CHECK(C.same_bits(i, A, i));
      CHECK(Y.same_bits(i, X, i));
      CHECK(R_beside.same_bits(i, R_alone, i));
    }
  };
  check("qr", [&](const resident<T>& a, const resident<T>&, const resident<T>& r, const info_array& info) {
    return any_size::qr(how, a, r, info);
  });
  check("geqrf", [&](const resident<T>& a, const resident<T>& b, const resident<T>&, const info_array& info) {
    return any_size::geqrf(how, a, b, info);
  });
  check("gels", [&](const resident<T>& a, const resident<T>& b, const resident<T>&, const info_array& info) {
    return any_size::gels(how, op::none, a, b, info);
  });
}
