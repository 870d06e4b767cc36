// Needs: potrs

// potrs and posv: solutions, failures, and what is left alone. Every case runs on the backend under test.
#include <set>
#include <utility>
#include <vector>

#include "batched/cholesky/posv.hpp"
#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "host/cholesky/ways.hpp"
#include "lines.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::vector<int> sizes{1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 65, 96, 100, 129, 200};

template <class T>
void solve_and_check(const std::string& kind, uplo uplo, int n, int nrhs, std::int64_t count, call_form how) {
  CAPTURE(kind, static_cast<char>(uplo), n, nrhs, count, how == call_form::pointers);
  const int distinct = 3;
  const repeated<T> A(kind, n, distinct, 7);
  const slab<T> matrices = A.fill(uplo, n, n + 2, count),
                before = right_hand_sides<T>(n, nrhs, n + 1, count, distinct);
  const resident<T> a(matrices), b(before), a_at_once(matrices), b_at_once(before);
  const info_array info(count), info_solve(count), info_at_once(count);
  REQUIRE(test::potrf(how, uplo, a, info) == 0);
  finish();
  const slab<T> factors = a.download();
  REQUIRE(test::potrs(how, uplo, a, b, info_solve) == 0);
  REQUIRE(test::posv(how, uplo, a_at_once, b_at_once, info_at_once) == 0);
  finish();
  CHECK(all_zero(info.download()));
  CHECK(all_zero(info_solve.download()));
  CHECK(all_zero(info_at_once.download()));
  CHECK(a.download().same_bits(factors));  // potrs only reads it
  for (const resident<T>* result : {&b, &b_at_once}) {
    const slab<T> X = result->download();
    CHECK(X.guards_untouched(before));
    CHECK(position_does_not_matter(X, distinct));
    for (std::int64_t i = 0; i < std::min<std::int64_t>(count, distinct); ++i) {
      CHECK(solve_ratio(A[i], X.get(i), before.get(i), n, nrhs) < threshold);
    }
  }
  const slab<T> factor_at_once = a_at_once.download();
  CHECK(factor_at_once.guards_untouched(matrices, &uplo));
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, distinct); ++i) {
    CHECK(factor_ratio(A[i], factor_at_once.get_lower(i, uplo), n) < threshold);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("posv solves the system worked by hand", "[potrs]", precisions) {
  using T = TestType;
  for (const uplo uplo : both) {
    slab<T> A(3, 3, 3, 1), B(3, 1, 3, 1);
    A.put_triangle(0, {4, 12, -16, 12, 37, -43, -16, -43, 98}, uplo);
    B.put(0, {4 + 24 - 48, 12 + 74 - 129, -16 - 86 + 294});  // A times (1, 2, 3)
    const resident<T> a(A), b(B);
    const info_array info(1);
    REQUIRE(posv(call_form::strided, uplo, a, b, info) == 0);
    finish();
    const dense<T> X = b.download().get(0);
    for (int i = 0; i < 3; ++i)
      CHECK(std::abs(X[static_cast<std::size_t>(i)] - T(static_cast<real_of<T>>(i + 1))) < real_of<T>(1e-3));
    CHECK(info.download() == std::vector<int>{0});
  }
}

TEMPLATE_LIST_TEST_CASE("potrs and posv are backward stable", "[potrs]", precisions) {
  using T = TestType;
  for (const int n : sizes) {
    for (const int nrhs : {1, 2, 3, 5, 17, 40}) {
      const call_form how = nrhs % 2 ? call_form::pointers : call_form::strided;
      solve_and_check<T>("random", both[(n + nrhs) % 2], n, nrhs, 5, how);
      solve_and_check<T>("random", both[(n + nrhs + 1) % 2], n, nrhs, 5, how);
    }
    for (const char* kind : {"graded", "condition"})
      solve_and_check<T>(kind, both[n % 2], n, 2, 4, call_form::strided);
  }
  for (const int n : {300, 513, 700}) solve_and_check<T>("random", both[n % 2], n, 3, 2, call_form::pointers);
}

TEMPLATE_LIST_TEST_CASE("potrs and posv take any number of matrices", "[potrs]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 17, 31, 33, 64, 65, 1000}) {
    for (const int n : {1, 2, 3, 5, 8, 13, 20}) {
      solve_and_check<T>("random", both[n % 2], n, 1, count, call_form::strided);
      solve_and_check<T>("random", both[n % 2], n, 2, count, call_form::pointers);
    }
  }
  solve_and_check<T>("random", uplo::lower, 2, 1, 70000, call_form::strided);
}

TEST_CASE("potrs solves with a factor of order 4096", "[potrs]") {
#ifdef TALUS_HAVE_D
  const int n = 4096, nrhs = 2;  // L of ones: A x for x = e_1 is a column of ones
  for (const uplo uplo : both) {
    slab<double> A(n, n, n, 1), B(n, nrhs, n, 1);
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) (uplo == uplo::lower ? A.at(0, i, j) : A.at(0, j, i)) = 1;
    }
    for (int i = 0; i < n; ++i) {
      B.at(0, i, 0) = 1;
      B.at(0, i, 1) = i + 1;  // A e_n
    }
    const resident<double> a(A), b(B);
    const info_array info(1);
    REQUIRE(potrs(call_form::strided, uplo, a, b, info) == 0);
    finish();
    const slab<double> X = b.download();
    bool exact = true;
    for (int i = 0; i < n; ++i) exact = exact && X.at(0, i, 0) == (i == 0) && X.at(0, i, 1) == (i == n - 1);
    CHECK(exact);
    CHECK(info.download() == std::vector<int>{0});
  }
#endif
}

TEMPLATE_LIST_TEST_CASE("one factor serves a whole batch of right-hand sides", "[potrs]", precisions) {
  using T = TestType;
  for (const int n : {3, 8, 20, 70}) {
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      const std::int64_t count = 21;
      const repeated<T> A("random", n, 1, 9);
      const resident<T> a(A.fill(uplo, n, n, 1));
      const slab<T> before = right_hand_sides<T>(n, 2, n, count, 21);
      const resident<T> b(before);
      const info_array info(count);
      REQUIRE(potrf(call_form::strided, uplo, a, info_array(1)) == 0);
      REQUIRE(potrs_strided_batched<T>(uplo, n, 2, a.memory.data(), n, 0, b.memory.data(), n, before.stride,
                                       info.data(), count, test_queue()) == 0);
      finish();
      const slab<T> X = b.download();
      for (std::int64_t i = 0; i < count; ++i)
        CHECK(solve_ratio(A[0], X.get(i), before.get(i), n, 2) < threshold);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a failed matrix keeps its right-hand sides and harms no neighbour", "[potrs]",
                        precisions) {
  using T = TestType;
  for (const int n : {1, 2, 5, 8, 16, 17, 33, 64, 100, 200, 600}) {
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      const std::int64_t count = 11;
      slab<T> A = repeated<T>("random", n, 1, 9).fill(uplo, n, n, count);
      const resident<T> healthy(A);
      A.at(2, n / 2, n / 2) = T(-1);
      A.at(3, n - 1, n - 1) = nan_of<T>();
      A.at(10, 0, 0) = T(0);
      std::vector<int> expected(static_cast<std::size_t>(count));
      expected[2] = n / 2 + 1;
      expected[3] = n;
      expected[10] = 1;
      const slab<T> before = right_hand_sides<T>(n, 2, n, count, 1);
      const resident<T> spoilt(A), b(before), b_healthy(before), b_again(before), b_healthy_again(before);
      const info_array info(count), no_info(count), info_again(count);
      REQUIRE(posv(call_form::pointers, uplo, healthy, b_healthy, no_info) == 0);
      REQUIRE(posv(call_form::strided, uplo, spoilt, b, info) == 0);
      REQUIRE(potrs(call_form::strided, uplo, healthy, b_healthy_again, no_info) == 0);
      REQUIRE(potrs(call_form::pointers, uplo, spoilt, b_again, info_again) == 0);
      finish();
      CHECK(all_zero(no_info.download()));
      CHECK(info.download() == expected);
      CHECK(info_again.download() == expected);  // potrs sees what potrf left
      for (const auto& [result, without_failures] :
           {std::pair{&b, &b_healthy}, {&b_again, &b_healthy_again}}) {
        const slab<T> X = result->download();
        for (std::int64_t i = 0; i < count; ++i) {
          CHECK(X.same_bits(i, expected[static_cast<std::size_t>(i)] ? before : without_failures->download(),
                            i));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("imaginary parts of a factor's diagonal never matter", "[potrs]", precisions) {
  using T = TestType;
  if constexpr (is_complex<T>) {
    using R = real_of<T>;
    for (const int n : {1, 8, 20, 32, 33, 64, 100, 128, 129, 192, 193, 256, 257, 300}) {
      for (const std::int64_t count : {1, 18}) {
        for (const uplo uplo : both) {
          CAPTURE(n, count, static_cast<char>(uplo));
          const resident<T> a(repeated<T>("random", n, 1, 9).fill(uplo, n, n + 1, count));
          const slab<T> before = right_hand_sides<T>(n, 3, n, count, 1);
          const info_array info(count), info_spoilt(count);
          REQUIRE(potrf(call_form::strided, uplo, a, info) == 0);
          finish();
          slab<T> factors = a.download();
          for (std::int64_t b = 0; b < count; ++b) {
            for (int j = 0; j < n; ++j) {
              const R im = j % 2 == 0 ? R(1) : std::numeric_limits<R>::quiet_NaN();
              factors.at(b, j, j) = {std::real(factors.at(b, j, j)), im};
            }
          }
          const resident<T> spoilt(factors), x(before), x_spoilt(before);
          REQUIRE(potrs(call_form::strided, uplo, a, x, info) == 0);
          REQUIRE(potrs(call_form::strided, uplo, spoilt, x_spoilt, info_spoilt) == 0);
          finish();
          CHECK(all_zero(info.download()));
          CHECK(all_zero(info_spoilt.download()));
          CHECK(x_spoilt.download().same_bits(x.download()));
          CHECK(spoilt.download().same_bits(factors));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("on the host posv gives the bits of potrf and potrs, few matrices or many", "[potrs]",
                        precisions) {
  using T = TestType;
  if (on_cuda()) return;
  for (const int n : {20, 33, 64, 100, 128}) {
    for (const std::int64_t count : {1, 2, 20}) {
      for (const uplo uplo : both) {
        CAPTURE(n, count, static_cast<char>(uplo));
        const slab<T> A = repeated<T>("random", n, 3, 9).fill(uplo, n, n + 1, count),
                      B = right_hand_sides<T>(n, 3, n, count, 3);
        const resident<T> a(A), b(B), a_at_once(A), b_at_once(B);
        const info_array info(count);
        REQUIRE(potrf(call_form::strided, uplo, a, info) == 0);
        REQUIRE(potrs(call_form::strided, uplo, a, b, info) == 0);
        REQUIRE(posv(call_form::strided, uplo, a_at_once, b_at_once, info) == 0);
        const slab<T> factors = a.download(), factors_at_once = a_at_once.download();
        for (std::int64_t i = 0; i < count; ++i)
          CHECK(factors_at_once.get_lower(i, uplo) == factors.get_lower(i, uplo));
        CHECK(b_at_once.download().same_bits(b.download()));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("the host takes lanes where there are matrices to fill them", "[potrs]", precisions) {
  const auto& lanes = host::lane_kernels<host::cholesky_kernels<TestType>>();
  const int n_max = lanes.n_max, width = lanes.width, few = (width + 3) / 4;
  const host::lanes_range potrf = potrf_range(lanes), solve = solve_range(lanes), potri = potri_range(lanes);
  struct {
    const host::lanes_range& range;
    int n;
    std::int64_t count;
    bool in_lanes;
  } const expected[] = {
      {potrf, 1, 1, true},
      {potrf, 32, 1, true},
      {potrf, 33, 1, false},
      {potrf, 33, width, false},
      {potrf, 33, width + 1, true},
      {potrf, lanes.potrf_n_max, width, false},
      {potrf, lanes.potrf_n_max, width + 1, true},
      {potrf, lanes.potrf_n_max + 1, 1'000'000, false},
      {solve, 1, 1, true},
      {solve, 32, 1, true},
      {solve, 33, 1, false},
      {solve, 33, width, false},
      {solve, 33, width + 1, true},
      {solve, n_max, width, false},
      {solve, n_max, width + 1, true},
      {solve, n_max + 1, 1'000'000, false},
      {potri, 1, 1, true},
      {potri, 48, 1, true},
      {potri, 49, 1, false},
      {potri, 49, few, false},
      {potri, 49, few + 1, true},
      {potri, n_max, few, false},
      {potri, n_max, few + 1, true},
      {potri, n_max + 1, 1'000'000, false},
  };
  for (const auto& [range, n, count, in_lanes] : expected) {
    CAPTURE(range.n_max_of_few, range.few, n, count);
    CHECK(range.covers(n, count) == in_lanes);
  }
}

TEST_CASE("no right-hand sides, no rows: legal", "[potrs]") {
#ifdef TALUS_HAVE_D
  const slab<double> A = repeated<double>("random", 6, 1, 9).fill(uplo::lower, 6, 6, 4);
  const resident<double> a(A);
  const info_array info(4);
  REQUIRE(posv_strided_batched<double>(uplo::lower, 6, 0, a.memory.data(), 6, A.stride, nullptr, 6, 0,
                                       info.data(), 4, test_queue()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const info_array empty(4);
  REQUIRE(posv_batched<double>(uplo::lower, 0, 3, nullptr, 1, nullptr, 1, empty.data(), 4, test_queue()) ==
          0);
  finish();
  CHECK(all_zero(empty.download()));
#endif
}

template <class T>
void solve_subnormal(int n, uplo uplo) {
  using R = real_of<T>;
  CAPTURE(n, static_cast<char>(uplo));
  // Small integers times the least number that has a square root: (root L) (root L)^H x = root (root L L^H
  // x).
  const R root = sizeof(R) == 4 ? std::ldexp(R(1), -74) : std::ldexp(R(1), -537);
  const std::int64_t count = 5;
  const int nrhs = 3;
  const dense<T> L = exact_factor<T>(n, static_cast<unsigned>(n));
  const dense<T> product = times_own_conjugate_transpose(L, n);
  auto at = [n](int i, int j) { return static_cast<std::size_t>(i + j * n); };
  auto solution = [](int i, int k) { return static_cast<R>((i + 2 * k) % 5 - 2); };
  slab<T> A(n, n, n, count), B(n, nrhs, n, count);
  for (int b = 0; b < count; ++b) {
    const bool small = b == 1 || b == 4;
    dense<T> scaled = product;
    if (small) {
      for (T& x : scaled) x = x * root * root;
    }
    A.put_triangle(b, scaled, uplo);
    for (int k = 0; k < nrhs; ++k) {
      for (int i = 0; i < n; ++i) {
        T sum{};
        for (int j = 0; j < n; ++j) {
          const T a = i >= j ? product[at(i, j)] : conjugate(product[at(j, i)]);
          sum += a * solution(j, k);
        }
        B.at(b, i, k) = small ? sum * root : sum;
      }
    }
  }
  const resident<T> a(A), x(B);
  const info_array info(count);
  REQUIRE(test::posv(call_form::strided, uplo, a, x, info) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const slab<T> X = x.download();
  for (int b = 0; b < count; ++b) {
    bool exact = true;
    for (int k = 0; k < nrhs; ++k) {
      for (int i = 0; i < n; ++i)
        exact = exact && X.at(b, i, k) == T(solution(i, k) * (b == 1 || b == 4 ? 1 / root : R(1)));
    }
    CHECK(exact);
  }
}

TEMPLATE_LIST_TEST_CASE("posv solves with matrices of subnormal numbers, and harms no neighbour", "[potrs]",
                        precisions) {
  for (const int n : {1, 2, 3, 5, 8, 9, 16, 20, 24, 32, 33, 48, 64}) {
    // The sums of the tensor units' single precision are zero where they would be subnormal.
    if (on_cuda() && sizeof(real_of<TestType>) == 4 && n > 32) continue;
    for (const uplo uplo : both) solve_subnormal<TestType>(n, uplo);
  }
}

TEMPLATE_LIST_TEST_CASE("posv of matrices of subnormal numbers, small", "[.][sanitize]", precisions) {
  for (const int n : {3, 8, 20}) {
    for (const uplo uplo : both) solve_subnormal<TestType>(n, uplo);
  }
}

TEMPLATE_LIST_TEST_CASE("potrs and posv, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const int n : {3, 8, 20, 40, 70}) {
    for (const uplo uplo : both) solve_and_check<T>("random", uplo, n, 3, 9, call_form::strided);
  }
}

#ifdef TALUS_WITH_CUDA
namespace {

/// One line of posv's table at one size: residuals, guards, positions and info, with a failure among them.
/// The matrices lie one behind the other if there is no gap.
template <class T>
void run_line(int line, uplo uplo, int n, int nrhs, std::int64_t count, int gap) {
  CAPTURE(line, static_cast<char>(uplo), n, nrhs, count, gap);
  const int distinct = 3;
  const repeated<T> A("random", n, distinct, 5);
  slab<T> matrices = A.fill(uplo, n, std::max(1, gap == 0 ? n : n + 1), count, gap);
  const slab<T> before = right_hand_sides<T>(n, nrhs, n + 2, count, distinct);
  const std::int64_t failing = count - 1;
  std::vector<int> expected(static_cast<std::size_t>(count));
  if (failing > 0 && n > 0) {
    matrices.at(failing, n - 1, n - 1) = T(-1);
    expected.back() = n;
  }
  const resident<T> a(matrices), b(before);
  const info_array info(count);
  REQUIRE(cuda::posv_at(line, uplo, strided_batch(a.memory.data(), n, n, matrices.ld, matrices.stride, count),
                        strided_batch(b.memory.data(), n, nrhs, before.ld, before.stride, count), info.data(),
                        test_queue()) == 0);
  finish();
  CHECK(info.download() == expected);
  const slab<T> X = b.download(), factors = a.download();
  CHECK(X.guards_untouched(before));
  CHECK(factors.guards_untouched(matrices, &uplo));
  for (std::int64_t i = 0; i < count; ++i) {
    if (expected[static_cast<std::size_t>(i)] != 0) {
      CHECK(X.same_bits(i, before, i));
    } else if (i < distinct) {
      CHECK(solve_ratio(A[i], X.get(i), before.get(i), n, nrhs) < threshold);
      CHECK(factor_ratio(A[i], factors.get_lower(i, uplo), n) < threshold);
    } else {
      CHECK(X.same_bits(i, X, i % distinct));
    }
  }
}

template <class T>
int largest_n(int line) {
  const int n_max = cuda::posv_tables::at<T>(line).bounds[0];
  return n_max == cuda::any_extent ? 70 : n_max;
}
/// At the borders of what one launch solves where a line has no bound.
template <class T>
std::set<int> all_nrhs(int line) {
  const int nrhs_max = cuda::posv_tables::at<T>(line).bounds[1];
  return nrhs_max == cuda::any_extent ? std::set<int>{0, 1, 3, 20} : borders(nrhs_max);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of posv's table works at its borders", "[potrs][table]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<cuda::posv_tables, T>(); ++line) {
    const int tbc = tbc_of(cuda::posv_tables::at<T>(line).kernel);
    for (const int n : borders(largest_n<T>(line))) {
      for (const std::int64_t count : std::set<std::int64_t>{1, std::max(1, tbc - 1), tbc + 1, 300}) {
        for (const int nrhs : all_nrhs<T>(line)) {
          if (count == 300 && nrhs > 1) continue;
          for (const uplo uplo : both) run_line<T>(line, uplo, n, nrhs, count, count == tbc + 1 ? 5 : 0);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every kernel of posv's tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  std::set<std::vector<int>> run;
  for (int line = 0; line < lines_of<cuda::posv_tables, T>(); ++line) {
    const auto& kernel = cuda::posv_tables::at<T>(line).kernel;
    if (!run.insert(parameters_of(kernel, {"tbc", "blocks", "carve_out_kb"})).second) continue;
    for (const int gap : {5, 0}) {
      for (const uplo uplo : both) run_line<T>(line, uplo, largest_n<T>(line), 3, tbc_of(kernel) + 2, gap);
    }
  }
}
#endif
