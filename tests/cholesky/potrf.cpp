// Needs: potrf

// potrf: what it computes, what it reports, what it leaves alone. Every case runs on the backend under test.
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "batched/cholesky/potrf.hpp"
#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "lines.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Sizes around every border a kernel may have.
const std::vector<int> sizes{1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16, 17, 23,  24,  25,  31,  32,
                             33, 40, 47, 48, 49, 63, 64, 65, 80, 95, 96, 97, 127, 128, 129, 160, 200};

template <class T>
void factor_and_check(const std::string& kind, uplo uplo, int n, int ld, std::int64_t count) {
  CAPTURE(kind, static_cast<char>(uplo), n, ld, count);
  const int distinct = 3;
  const repeated<T> A(kind, n, distinct, static_cast<unsigned>(n));
  const slab<T> before = A.fill(uplo, n, ld, count);
  const resident<T> memory(before);
  const info_array info(count);
  REQUIRE(potrf(call_form::strided, uplo, memory, info) == 0);
  finish();
  const slab<T> after = memory.download();
  CHECK(all_zero(info.download()));
  CHECK(after.guards_untouched(before, &uplo));
  CHECK(position_does_not_matter(after, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
    CHECK(factor_ratio(A[b], after.get_lower(b, uplo), n) < threshold);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("potrf factors the matrix worked by hand", "[potrf]", precisions) {
  using T = TestType;
  const dense<T> A{4, 12, -16, 12, 37, -43, -16, -43, 98}, L{2, 6, -8, 0, 1, 5, 0, 0, 3};
  for (const uplo uplo : both) {
    slab<T> s(3, 3, 4, 2);
    s.put_triangle(0, A, uplo);
    s.put_triangle(1, A, uplo);
    const resident<T> memory(s);
    const info_array info(2);
    REQUIRE(potrf(call_form::pointers, uplo, memory, info) == 0);
    finish();
    CHECK(memory.download().get_lower(0, uplo) == L);
    CHECK(memory.download().get_lower(1, uplo) == L);
    CHECK(info.download() == std::vector<int>{0, 0});
  }
}

TEMPLATE_LIST_TEST_CASE("potrf gives the exact factor where there is one", "[potrf]", precisions) {
  using T = TestType;
  for (const int n : sizes) {
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      const dense<T> L = exact_factor<T>(n, static_cast<unsigned>(n));
      slab<T> s(n, n, n + 1, 5);
      for (int b = 0; b < 5; ++b) s.put_triangle(b, times_own_conjugate_transpose(L, n), uplo);
      const resident<T> memory(s);
      const info_array info(5);
      REQUIRE(potrf(call_form::strided, uplo, memory, info) == 0);
      finish();
      const slab<T> result = memory.download();
      for (int b = 0; b < 5; ++b) CHECK(result.get_lower(b, uplo) == L);
      CHECK(all_zero(info.download()));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf of matrices of large and small numbers is that of one around 1, scaled",
                        "[potrf]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  // Of the largest numbers a pivot's reciprocal is subnormal; between them and the others is where kernels
  // may no longer multiply pivots with each other.
  const std::vector<int> exponents = sizeof(R) == 4 ? std::vector<int>{126, 60, -60, -100}
                                                    : std::vector<int>{1022, 500, 470, 300, -300, -470, -500};
  for (const int n : {1, 2, 5, 8, 9, 16, 17, 24, 32, 33, 48, 64, 65, 100, 130, 200}) {
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      const auto count = static_cast<int>(exponents.size()) + 1;
      slab<T> scaled(n, n, n, count);
      for (int b = 0; b < count; ++b) {
        const R scale = b == 0 ? R(1) : std::ldexp(R(1), exponents[static_cast<std::size_t>(b - 1)]);
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < n; ++i) {
            if (uplo == uplo::lower ? i < j : i > j) continue;
            const auto element = static_cast<R>(i == j ? 1 + i % 4 / 8.0 : (1 + (i + j) % 3) / (16.0 * n));
            scaled.at(b, i, j) = element * scale;
          }
        }
      }
      const resident<T> memory(scaled);
      const info_array info(count);
      REQUIRE(potrf(call_form::strided, uplo, memory, info) == 0);
      finish();
      CHECK(all_zero(info.download()));
      const slab<T> result = memory.download();
      for (int b = 1; b < count; ++b) {
        const int exponent = exponents[static_cast<std::size_t>(b - 1)];
        CAPTURE(exponent);
        const R root = std::ldexp(R(1), exponent / 2);
        bool same = true;  // but for rounding: a kernel may eliminate such numbers in another way
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < n; ++i) {
            if (uplo == uplo::lower ? i < j : i > j) continue;
            same &= std::abs(result.at(b, i, j) / root - result.at(0, i, j)) <=
                    8 * std::numeric_limits<R>::epsilon();
          }
        }
        CHECK(same);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf factors matrices of subnormal numbers", "[potrf]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  // Small integers times the least number that has a square root: no bit of the matrix or its factor is lost.
  const R root = sizeof(R) == 4 ? std::ldexp(R(1), -74) : std::ldexp(R(1), -537);
  for (const int n : {1, 2, 5, 8, 9, 16, 17, 33, 48, 65, 100, 230}) {
    // The sums of the tensor units' single precision are zero where they would be subnormal.
    if (on_cuda() && sizeof(R) == 4 && n > 32) continue;
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      dense<T> L = exact_factor<T>(n, static_cast<unsigned>(n)), A = times_own_conjugate_transpose(L, n);
      for (T& x : L) x *= root;
      for (T& x : A) x = x * root * root;
      slab<T> s(n, n, n, 3);
      for (int b = 0; b < 3; ++b) s.put_triangle(b, A, uplo);
      const resident<T> memory(s);
      const info_array info(3);
      REQUIRE(potrf(call_form::strided, uplo, memory, info) == 0);
      finish();
      CHECK(all_zero(info.download()));
      for (int b = 0; b < 3; ++b) CHECK(memory.download().get_lower(b, uplo) == L);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf is backward stable on every kind of matrix", "[potrf]", precisions) {
  using T = TestType;
  for (const std::string& kind : kinds()) {
    for (const int n : sizes) {
      for (const uplo uplo : both) factor_and_check<T>(kind, uplo, n, n + n % 3, 4);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf factors large matrices", "[potrf]", precisions) {
  using T = TestType;
  for (const int n : {255, 300, 511, 512, 513, 545, 640, 1000}) {
    factor_and_check<T>("random", both[n % 2], n, n + n % 3, 2);
  }
}

TEST_CASE("potrf factors a matrix of order 4096", "[potrf]") {
#ifdef TALUS_HAVE_D
  for (const uplo uplo : both) {  // L has ones on the diagonal and below: A(i, j) = min(i, j) + 1
    const int n = 4096;
    slab<double> s(n, n, n, 1);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (uplo == uplo::lower ? i >= j : i <= j) s.at(0, i, j) = std::min(i, j) + 1;
      }
    }
    const resident<double> memory(s);
    const info_array info(1);
    REQUIRE(potrf(call_form::strided, uplo, memory, info) == 0);
    finish();
    const slab<double> result = memory.download();
    CHECK(info.download() == std::vector<int>{0});
    bool ones = true;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (uplo == uplo::lower ? i >= j : i <= j) ones = ones && result.at(0, i, j) == 1;
      }
    }
    CHECK(ones);
  }
#endif
}

TEMPLATE_LIST_TEST_CASE("potrf takes any number of matrices", "[potrf]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129, 1000, 70000}) {
    for (const int n : {1, 2, 3, 5, 8, 13}) factor_and_check<T>("random", both[n % 2], n, n + n % 2, count);
  }
  for (const std::int64_t count : {1, 7, 17, 70}) {
    for (const int n : {16, 30, 33, 64, 100}) factor_and_check<T>("random", both[n % 2], n, n + 1, count);
  }
}

TEST_CASE("potrf factors ten million matrices of order 2 in one call", "[potrf]") {
#ifdef TALUS_HAVE_D
  const std::int64_t count = 10'000'000;
  std::vector<double> host(static_cast<std::size_t>(4 * count));
  for (std::int64_t b = 0; b < count; ++b) {  // L = [2 0; x 1], x = b mod 1024
    double* const A = &host[static_cast<std::size_t>(4 * b)];
    const double x = static_cast<double>(b % 1024);
    A[0] = 4;
    A[1] = 2 * x;
    A[2] = -99;
    A[3] = x * x + 1;
  }
  const array<double> memory(host);
  const info_array info(count);
  REQUIRE(potrf_strided_batched(uplo::lower, 2, memory.data(), 2, 4, info.data(), count, test_queue()) == 0);
  finish();
  host = memory.download();
  std::int64_t wrong = 0;
  for (std::int64_t b = 0; b < count; ++b) {
    const double* const A = &host[static_cast<std::size_t>(4 * b)];
    wrong += A[0] != 2 || A[1] != static_cast<double>(b % 1024) || A[2] != -99 || A[3] != 1;
  }
  CHECK(wrong == 0);
  CHECK(all_zero(info.download()));
#endif
}

TEMPLATE_LIST_TEST_CASE("potrf gives the same bits on every run, by pointers and by strides", "[potrf]",
                        precisions) {
  using T = TestType;
  for (const int n : sizes) {
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      const slab<T> s = repeated<T>("condition", n, 5, 11).fill(uplo, n, n, 37);
      const resident<T> first(s), second(s), third(s);
      const info_array info(37);
      REQUIRE(potrf(call_form::strided, uplo, first, info) == 0);
      REQUIRE(potrf(call_form::strided, uplo, second, info) == 0);
      REQUIRE(potrf(call_form::pointers, uplo, third, info) == 0);
      finish();
      CHECK(first.download().same_bits(second.download()));
      CHECK(first.download().same_bits(third.download()));
      CHECK(position_does_not_matter(first.download(), 5));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf reports the first pivot that is not positive, and harms no neighbour",
                        "[potrf]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  const R nan = std::numeric_limits<R>::quiet_NaN();
  for (const int n : {1, 2, 3, 4, 7, 8, 9, 16, 17, 31, 32, 33, 50, 64, 65, 96, 100, 129, 200, 513, 600}) {
    for (const uplo uplo : both) {
      for (const call_form how : forms) {
        if (n > 200 && how == call_form::strided) continue;
        const std::int64_t count = 19;
        const repeated<T> A("random", n, 3, 5);
        slab<T> s = A.fill(uplo, n, n + 1, count);
        const resident<T> healthy(s);
        std::vector<int> expected(static_cast<std::size_t>(count));
        auto spoil = [&](std::int64_t b, int i, int j,
                         T value) {  // element (i, j), i >= j, of the lower triangle
          s.at(b, uplo == uplo::lower ? i : j, uplo == uplo::lower ? j : i) = value;
          expected[static_cast<std::size_t>(b)] = i + 1;
        };
        spoil(1, n - 1, n - 1, T(0));
        spoil(4, n / 2, n / 2, T(-1));
        spoil(5, 0, 0, T(-2));
        spoil(9, n / 2, n / 2, T(nan));
        spoil(11, n - 1, n - 1, T(nan));
        spoil(12, n - 1, 0, T(nan));  // off the diagonal: shows in the pivot of its row
        spoil(14, n - 1, n / 2, T(nan));
        spoil(15, n / 2, n / 3, T(nan));
        spoil(18, 0, 0, T(nan));
        const resident<T> spoilt(s);
        const info_array info(count), no_info(count);
        REQUIRE(potrf(how, uplo, healthy, no_info) == 0);
        REQUIRE(potrf(how, uplo, spoilt, info) == 0);
        finish();
        CAPTURE(n, static_cast<char>(uplo), how == call_form::pointers);
        CHECK(info.download() == expected);
        CHECK(all_zero(no_info.download()));
        const slab<T> result = spoilt.download(), unspoilt = healthy.download();
        CHECK(result.guards_untouched(s, &uplo));
        for (std::int64_t b = 0; b < count; ++b) {
          const int failed = expected[static_cast<std::size_t>(b)];
          CAPTURE(b, failed);
          if (failed == 0) {
            CHECK(result.same_bits(b, unspoilt, b));
            continue;
          }
          const auto pivot = static_cast<std::size_t>((failed - 1) * (n + 1));
          CHECK_FALSE(std::real(result.get_lower(b, uplo)[pivot]) > 0);
          // What stands left of the failed column is the factor's as far as the failure has no part in it.
          const dense<T> L = result.get_lower(b, uplo), whole = unspoilt.get_lower(b, uplo);
          bool leading = true;
          for (int j = 0; j < failed - 1; ++j) {
            for (int i = j; i < failed - 1; ++i) {
              const T a = L[static_cast<std::size_t>(i + j * n)],
                      w = whole[static_cast<std::size_t>(i + j * n)];
              leading = leading && std::abs(a - w) <= R(100) * epsilon<T> * static_cast<R>(n);
            }
          }
          CHECK(leading);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("what a failed matrix holds does not depend on what ran before", "[potrf]",
                        precisions) {
  using T = TestType;
  using R = real_of<T>;
  // Other matrices leave their tiles behind on the chip, where a kernel that reads what it has not written
  // finds them. The host has one such place per thread.
  const slab<T> small = repeated<T>("random", 96, 3, 7).fill(uplo::lower, 96, 96, on_cuda() ? 1200 : 100);
  std::vector<T> large = small.host;
  for (T& element : large) element *= R(1e6);
  resident<T> others(small);
  const info_array no_info(small.count);
  const auto run_others = [&](const std::vector<T>& host) {
    others.memory.upload(host);
    REQUIRE(potrf(call_form::strided, uplo::lower, others, no_info) == 0);
    finish();
  };
  for (const int n : {9, 16, 22, 38, 84, 100, 200, 300, 600}) {
    for (const uplo uplo : both) {
      const std::int64_t count = 24;
      slab<T> s = repeated<T>("random", n, 3, 5).fill(uplo, n, n, count);
      std::vector<int> expected;
      for (std::int64_t b = 0; b < count; ++b) {  // one fails early in a tile, one late, one by a NaN beside
        const int failed = static_cast<int>(b * n / count);
        s.at(b, failed, failed) = b % 2 == 0 ? T(-1) : nan_of<T>();
        const int i = uplo == uplo::lower ? n - 1 : failed / 2, j = uplo == uplo::lower ? failed / 2 : n - 1;
        if (b % 3 == 0 && failed < n - 1) s.at(b, i, j) = nan_of<T>();
        expected.push_back(failed + 1);
      }
      const resident<T> first(s), second(s);
      const info_array info(count);
      run_others(small.host);
      REQUIRE(potrf(call_form::strided, uplo, first, info) == 0);
      finish();
      CHECK(info.download() == expected);
      run_others(large);
      REQUIRE(potrf(call_form::strided, uplo, second, info) == 0);
      finish();
      CAPTURE(n, static_cast<char>(uplo));
      CHECK(first.download().same_bits(second.download()));
    }
  }
}

TEST_CASE("potrf never reads info, writes every one", "[potrf]") {
#ifdef TALUS_HAVE_D
  for (const int n : {0, 1, 8, 40, 100, 300, 600}) {
    for (const int stale : {0, 1, -1, 12345}) {
      CAPTURE(n, stale);
      const std::int64_t count = 9;
      const slab<double> s = repeated<double>("random", n, 2, 1).fill(uplo::lower, n, std::max(1, n), count);
      const resident<double> memory(s);
      const array<int> info(std::vector<int>(static_cast<std::size_t>(count), stale));
      REQUIRE(potrf_strided_batched(uplo::lower, n, memory.memory.data(), s.ld, s.stride, info.data(), count,
                                    test_queue()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>(static_cast<std::size_t>(count), 0));
    }
  }
#endif
}

#ifdef TALUS_WITH_CUDA
namespace {

/// One line of the table at one size: residuals, guards, positions, info, and the same bits for both forms of
/// batch. The matrices lie one behind the other if there is no gap.
template <class T>
void run_line(int line, uplo uplo, int n, int ld, std::int64_t count, int gap = 5) {
  CAPTURE(line, static_cast<char>(uplo), n, ld, count, gap);
  const int distinct = n > 300 ? 2 : 3;  // the host takes longer over a large one than the GPU
  const repeated<T> A("random", n, distinct, 3);
  const slab<T> before = A.fill(uplo, n, ld, count, gap);
  const resident<T> strided(before), pointers(before);
  const info_array info(count);
  REQUIRE(cuda::potrf_at(line, uplo, strided_batch(strided.memory.data(), n, n, ld, before.stride, count),
                         info.data(), test_queue()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  REQUIRE(cuda::potrf_at(line, uplo, pointer_batch(pointers.pointers.data(), n, n, ld, count), info.data(),
                         test_queue()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const slab<T> after = strided.download();
  CHECK(after.guards_untouched(before, &uplo));
  CHECK(after.same_bits(pointers.download()));
  CHECK(position_does_not_matter(after, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
    const auto R = factor_residual(A[b], after.get_lower(b, uplo), n);
    CHECK(norm1(R, n, n) <= threshold * n * static_cast<double>(epsilon<T>));
    CHECK(entry_ratio(A[b], R, n) < 1);
  }
}

/// The largest n that a line is run with: of more than `most` the host would take minutes.
template <class T>
int upper_bound_of(int line) {
  constexpr int most = 1100;
  const auto bound = [](int l) { return cuda::potrf_tables::at<T>(l).bounds[0]; };
  if (bound(line) != cuda::any_extent) return std::min(bound(line), most);
  return line == 0 || bound(line - 1) == cuda::any_extent ? 100 : std::min(bound(line - 1), most) + 77;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of potrf's table works at its borders", "[potrf][table]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<cuda::potrf_tables, T>(); ++line) {
    const int bound = upper_bound_of<T>(line), tbc = tbc_of(cuda::potrf_tables::at<T>(line).kernel);
    for (const int n : borders(bound)) {
      for (const std::int64_t count : std::set<std::int64_t>{1, std::max(1, tbc - 1), tbc + 1, 1000}) {
        const std::int64_t affordable = 8'000'000 / std::max(1, n * n);
        if (count > 50 && affordable < 50) continue;
        for (const uplo uplo : both) {
          run_line<T>(line, uplo, n, std::max(1, n) + (count == tbc + 1 ? 3 : 0),
                      std::min<std::int64_t>(count, std::max<std::int64_t>(affordable, 3)),
                      count == 1 ? 5 : 0);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("matrices that a smaller GPU's shared memory has no room for are factored, too",
                        "[potrf][table]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  const smaller_gpu here;
  std::set<std::pair<int, std::vector<int>>> run;
  for (int line = 0; line < lines_of<cuda::potrf_tables, T>(); ++line) {
    const auto& [precision, bounds, batch_max, kernel] = cuda::potrf_tables::at<T>(line);
    const bool in_shared_memory = std::holds_alternative<cuda::cholesky::smem>(kernel) ||
                                  std::holds_alternative<cuda::cholesky::smem_lookahead>(kernel);
    if (!in_shared_memory || !run.insert({bounds[0], parameters_of(kernel, {"carve_out_kb"})}).second)
      continue;
    for (const uplo uplo : both) run_line<T>(line, uplo, bounds[0], bounds[0], 7);
  }
}

/// Kernels that copy 16 bytes at once, and those that cannot, because the slab begins elsewhere.
TEMPLATE_LIST_TEST_CASE("small matrices are factored to the same bits wherever in memory they begin",
                        "[potrf][table]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (int n = 1; n <= 20; ++n) {
    for (const uplo uplo : both) {
      const std::int64_t count = 77;
      slab<T> s = repeated<T>("random", n, 3, 2).fill(uplo, n, n, count, 0);
      std::vector<int> expected(static_cast<std::size_t>(count));
      s.at(40, n - 1, n - 1) = T(-1);  // one that fails, and one that wants care
      expected[40] = n;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          if (uplo == uplo::lower ? i >= j : i <= j)
            s.at(50, i, j) = T(i == j ? std::numeric_limits<real_of<T>>::min() / 4 : 0);
        }
      }
      std::vector<T> first;
      for (const std::size_t shift : {0, 1, 2, 3}) {
        CAPTURE(n, static_cast<char>(uplo), shift);
        std::vector<T> host(shift, nan_of<T>());
        host.insert(host.end(), s.host.begin(), s.host.end());
        const array<T> memory(host);
        const info_array info(count);
        REQUIRE(potrf_strided_batched(uplo, n, memory.data() + shift, n, s.stride, info.data(), count,
                                      test_queue()) == 0);
        finish();
        CHECK(info.download() == expected);
        slab<T> after = s;
        const std::vector<T> all = memory.download();
        after.host.assign(all.begin() + static_cast<std::ptrdiff_t>(shift), all.end());
        CHECK(after.guards_untouched(s, &uplo));
        CHECK(factor_ratio(repeated<T>("random", n, 3, 2)[0], after.get_lower(0, uplo), n) < threshold);
        if (first.empty()) first = after.host;
        CHECK(std::memcmp(first.data(), after.host.data(), first.size() * sizeof(T)) == 0);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every line of potrf's table reports failures", "[potrf][table]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<cuda::potrf_tables, T>(); ++line) {
    const int n = std::min(upper_bound_of<T>(line), 600);
    for (const auto& [uplo, gap] :
         {std::pair{uplo::lower, 5}, {uplo::upper, 5}, {uplo::lower, 0}, {uplo::upper, 0}}) {
      CAPTURE(line, n, static_cast<char>(uplo), gap);
      slab<T> s = repeated<T>("random", n, 1, 3).fill(uplo, n, n, 5, gap);
      s.at(1, n - 1, n - 1) = T(-1);
      s.at(3, n / 2, n / 2) = nan_of<T>();
      const resident<T> memory(s);
      const info_array info(5);
      REQUIRE(cuda::potrf_at(line, uplo, strided_batch(memory.memory.data(), n, n, n, s.stride, 5),
                             info.data(), test_queue()) == 0);
      finish();
      CHECK(info.download() == std::vector<int>{0, n, 0, n / 2 + 1, 0});
      CHECK(memory.download().same_bits(2, memory.download(), 0));
      CHECK(memory.download().same_bits(4, memory.download(), 0));
    }
  }
}

/// Small enough for tools that slow a kernel down a hundredfold: lines that share a kernel are run once, with
/// the first that has it.
TEMPLATE_LIST_TEST_CASE("every kernel of potrf's tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  std::set<std::vector<int>> run;
  for (int line = 0; line < lines_of<cuda::potrf_tables, T>(); ++line) {
    const auto& kernel = cuda::potrf_tables::at<T>(line).kernel;
    if (!run.insert(parameters_of(kernel, {"tbc"})).second) continue;
    const auto* const warp = std::get_if<cuda::cholesky::warp>(&kernel);
    const auto* const blocked = std::get_if<cuda::cholesky::blocked>(&kernel);
    const bool by_warps = std::holds_alternative<cuda::cholesky::smem_lookahead>(kernel);
    const int bound = upper_bound_of<T>(line), tbc = tbc_of(kernel);
    // Of blocked more than one step; where warps share a matrix, several tiles for each.
    const int n = std::min(bound, blocked ? blocked->nb + 75 : by_warps ? 75 : bound);
    for (const uplo uplo : both) run_line<T>(line, uplo, n, n + 1, tbc + 1);
    if (warp && warp->coalesced) {
      for (const uplo uplo : both) run_line<T>(line, uplo, n, n, tbc + 1, 0);
    }
    if (by_warps && bound > 16 * 14) {  // large enough to lack tiles
      for (const uplo uplo : both) run_line<T>(line, uplo, bound, bound + 1, 2);
    }
  }
}
#endif
