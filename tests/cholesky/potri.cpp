// Needs: potri

// potri: inverses, failures, and what is left alone. Every case runs on the backend under test.
#include "catch.hpp"
#include "cholesky/cholesky.hpp"

using namespace talus;
using namespace talus::test;

namespace {

template <class T>
void invert_and_check(const std::string& kind, uplo uplo, int n, std::int64_t count, call_form how) {
  CAPTURE(kind, static_cast<char>(uplo), n, count, how == call_form::pointers);
  const int distinct = 3;
  const repeated<T> A(kind, n, distinct, 7);
  const slab<T> before = A.fill(uplo, n, n + 1, count);
  const resident<T> memory(before);
  const info_array info(count), info_inverse(count);
  REQUIRE(potrf(how, uplo, memory, info) == 0);
  REQUIRE(potri(how, uplo, memory, info_inverse) == 0);
  finish();
  const slab<T> after = memory.download();
  CHECK(all_zero(info.download()));
  CHECK(all_zero(info_inverse.download()));
  CHECK(after.guards_untouched(before, &uplo));
  CHECK(position_does_not_matter(after, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
    dense<T> X = after.get_lower(b, uplo);
    for (int j = 0; j < n; ++j) {
      for (int i = j + 1; i < n; ++i)
        X[static_cast<std::size_t>(j + i * n)] = conjugate(X[static_cast<std::size_t>(i + j * n)]);
    }
    CHECK(inverse_ratio(A[b], X, n) < threshold);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("potri inverts the matrix worked by hand", "[potri]", precisions) {
  using T = TestType;
  for (const uplo uplo : both) {  // L = [2 0; 1 1], A = [4 2; 2 2], A^-1 = [1/2 -1/2; -1/2 1]
    slab<T> s(2, 2, 2, 1);
    s.put_triangle(0, {2, 1, 1, 1}, uplo);
    const resident<T> memory(s);
    const info_array info(1);
    REQUIRE(potri(call_form::strided, uplo, memory, info) == 0);
    finish();
    CHECK(memory.download().get_lower(0, uplo) == dense<T>{T(0.5), T(-0.5), T(0), T(1)});
    CHECK(info.download() == std::vector<int>{0});
  }
}

TEMPLATE_LIST_TEST_CASE("potri is backward stable", "[potri]", precisions) {
  using T = TestType;
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 65, 96, 100, 129, 200}) {
    for (const uplo uplo : both) {
      invert_and_check<T>("random", uplo, n, 5, call_form::strided);
      invert_and_check<T>("graded", uplo, n, 3, call_form::pointers);
    }
  }
  for (const int n : {300, 513}) invert_and_check<T>("random", both[n % 2], n, 2, call_form::pointers);
}

TEMPLATE_LIST_TEST_CASE("potri takes any number of matrices", "[potri]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 33, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13, 20})
      invert_and_check<T>("random", both[n % 2], n, count, call_form::strided);
  }
  invert_and_check<T>("random", uplo::upper, 2, 70000, call_form::strided);
}

TEST_CASE("potri inverts a factor of order 4096", "[potri]") {
#ifdef TALUS_HAVE_D
  const int n =
      4096;  // L of ones: A^-1 is tridiagonal, 2 on the diagonal (1 in its last place), -1 beside it
  for (const uplo uplo : both) {
    slab<double> A(n, n, n, 1);
    auto lower = [&](slab<double>& s, int i, int j) -> double& {
      return uplo == uplo::lower ? s.at(0, i, j) : s.at(0, j, i);
    };
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) lower(A, i, j) = 1;
    }
    const resident<double> memory(A);
    const info_array info(1);
    REQUIRE(potri(call_form::strided, uplo, memory, info) == 0);
    finish();
    slab<double> X = memory.download();
    bool exact = true;
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) {
        exact = exact && lower(X, i, j) == (i == j ? (i == n - 1 ? 1 : 2) : i == j + 1 ? -1 : 0);
      }
    }
    CHECK(exact);
    CHECK(info.download() == std::vector<int>{0});
  }
#endif
}

TEMPLATE_LIST_TEST_CASE("potri leaves a matrix without inverse alone, and its neighbours", "[potri]",
                        precisions) {
  using T = TestType;
  for (const int n : {1, 2, 5, 8, 16, 17, 33, 64, 100, 200}) {
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      const std::int64_t count = 11;
      slab<T> A(n, n, n, count);
      for (std::int64_t b = 0; b < count; ++b) A.put_triangle(b, exact_factor<T>(n, 3), uplo::lower);
      if (uplo == uplo::upper) {
        dense<T> U = exact_factor<T>(n, 3), L = U;
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < n; ++i)
            U[static_cast<std::size_t>(j + i * n)] = conjugate(L[static_cast<std::size_t>(i + j * n)]);
        }
        A = slab<T>(n, n, n, count);
        for (std::int64_t b = 0; b < count; ++b) A.put_triangle(b, U, uplo);
      }
      const resident<T> healthy(A);
      A.at(2, n / 2, n / 2) = T(0);
      A.at(3, n - 1, n - 1) = nan_of<T>();
      A.at(10, 0, 0) = T(-1);
      std::vector<int> expected(static_cast<std::size_t>(count));
      expected[2] = n / 2 + 1;
      expected[3] = n;
      expected[10] = 1;
      const resident<T> spoilt(A);
      const info_array info(count), no_info(count);
      REQUIRE(potri(call_form::strided, uplo, healthy, no_info) == 0);
      REQUIRE(potri(call_form::pointers, uplo, spoilt, info) == 0);
      finish();
      CHECK(all_zero(no_info.download()));
      CHECK(info.download() == expected);
      const slab<T> X = spoilt.download(), unspoilt = healthy.download();
      for (std::int64_t b = 0; b < count; ++b) {
        CHECK(X.same_bits(b, expected[static_cast<std::size_t>(b)] ? A : unspoilt, b));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potri, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const int n : {3, 8, 20, 40, 70}) {
    for (const uplo uplo : both) invert_and_check<T>("random", uplo, n, 9, call_form::strided);
  }
}
