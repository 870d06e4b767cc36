// Needs: potrf potrs posv potri

// Batches of variable size with failures and illegal sizes among them: what info says, what is left alone.
// Every case runs on the backend under test.
#include <limits>
#include <vector>

#include "catch.hpp"
#include "mixed_sizes.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Failures in the middle of a batch of mixed sizes, for all four routines: info says where, right-hand sides
/// (of potri: the factor) are as they were, and neighbours get the bits they get without a failure.
template <class T>
void fail_and_check(uplo uplo, const std::vector<int>& n, const std::vector<int>& nrhs) {
  CAPTURE(static_cast<char>(uplo), n.size());
  library<T> A("random");
  const std::vector<slab<T>> healthy = matrices(A, n, uplo), sides = right_hand_sides<T>(n, nrhs);
  const int n_max = largest_of(n), nrhs_max = largest_of(nrhs);
  const results<T> without(uplo, healthy, sides, n_max, nrhs_max);

  std::vector<slab<T>> spoilt = healthy, spoilt_factors = without.factors;
  std::vector<int> expected(n.size());
  for (std::size_t b = 1; b < n.size(); b += 3) {
    if (n[b] == 0) continue;
    const T pivots[] = {T(-1), nan_of<T>(), T(0)};
    const int where[] = {n[b] / 2, n[b] - 1, 0};
    const std::size_t i = b / 3 % 3;
    spoilt[b].at(0, where[i], where[i]) = spoilt_factors[b].at(0, where[i], where[i]) = pivots[i];
    expected[b] = where[i] + 1;
  }
  const mixed<T> a(spoilt), a_at_once(spoilt), b_at_once(sides), f(spoilt_factors), b(sides);
  const info_array info(a.count()), info_at_once(a.count()), info_solve(a.count()), info_inverse(a.count());
  REQUIRE(potrf(uplo, a, info, n_max) == 0);
  REQUIRE(posv(uplo, a_at_once, b_at_once, info_at_once, n_max, nrhs_max) == 0);
  REQUIRE(potrs(uplo, f, b, info_solve, n_max, nrhs_max) == 0);
  finish();
  CHECK(same_bits(f.download(), spoilt_factors));
  REQUIRE(potri(uplo, f, info_inverse, n_max) == 0);
  finish();
  for (const info_array* i : {&info, &info_at_once, &info_solve, &info_inverse})
    CHECK(i->download() == expected);
  const std::vector<slab<T>> factors = a.download(), at_once = a_at_once.download(), X = b.download(),
                             X_at_once = b_at_once.download(), inverses = f.download();
  for (std::size_t i = 0; i < n.size(); ++i) {
    CAPTURE(i, n[i], nrhs[i], expected[i]);
    if (expected[i] == 0) {
      CHECK(factors[i].same_bits(without.factors[i]));
      CHECK(at_once[i].same_bits(without.at_once[i]));
      CHECK(X[i].same_bits(without.solved[i]));
      CHECK(X_at_once[i].same_bits(without.solved_at_once[i]));
      CHECK(inverses[i].same_bits(without.inverses[i]));
    } else {
      CHECK(factors[i].guards_untouched(spoilt[i], &uplo));
      const int pivot = expected[i] - 1;
      CHECK_FALSE(std::real(factors[i].at(0, pivot, pivot)) > 0);
      CHECK(X[i].same_bits(sides[i]));
      CHECK(X_at_once[i].same_bits(sides[i]));
      CHECK(inverses[i].same_bits(spoilt_factors[i]));
    }
  }
}

/// Something illegal about matrix b, and what info says of it in potrf and potri, in potrs and posv; 0: legal
/// there.
struct illegal {
  const char* what;
  int n, lda_less, nrhs, ldb_less;  // lda_less: by how much lda is below what is legal
  bool no_A, no_B;
  int matrix, system;
};

template <class T>
void refuse_and_check(uplo uplo, bool bounds_known) {
  CAPTURE(static_cast<char>(uplo), bounds_known);
  const int n_max = bounds_known ? 40 : -1, nrhs_max = bounds_known ? 5 : -1;
  const std::vector<illegal> cases{
      {"nothing", 7, 0, 2, 0, false, false, 0, 0},
      {"n", -1, 0, 2, 0, false, false, -2, -2},
      {"n, the least", std::numeric_limits<int>::min(), 0, 2, 0, false, false, -2, -2},
      {"nothing", 33, 0, 1, 0, false, false, 0, 0},
      {"no A", 9, 0, 2, 0, true, false, -3, -4},
      {"lda", 17, 1, 2, 0, false, false, -4, -5},
      {"n is more than memory", std::numeric_limits<int>::max(), 1, 2, 1, false, false, -4, -5},
      {"lda of an empty one", 0, 1, 2, 0, false, false, -4, -5},
      {"nothing, empty", 0, 0, 2, 0, true, true, 0, 0},
      {"nrhs", 12, 0, -1, 0, false, false, 0, -3},
      {"no B", 12, 0, 3, 0, false, true, 0, -6},
      {"no B for no nrhs", 12, 0, 0, 0, false, true, 0, 0},
      {"ldb", 12, 0, 3, 1, false, false, 0, -7},
      {"ldb for no nrhs", 12, 0, 0, 1, false, false, 0, -7},
      {"nothing", 40, 0, 5, 0, false, false, 0, 0},
      {"above n_max", 41, 0, 2, 0, false, false, -7, -10},
      {"above nrhs_max", 30, 0, 6, 0, false, false, 0, -11},
      {"n, then all others", -3, 5, -1, 9, true, true, -2, -2},
      {"A, then lda and n_max", 50, 1, 2, 0, true, false, -3, -4},
      {"lda, then n_max", 50, 1, 2, 0, false, false, -4, -5},
      {"nothing", 1, 0, 1, 0, false, false, 0, 0},
  };
  // What is really there is 4 x 4 where the size is illegal.
  std::vector<int> n, nrhs;
  for (const illegal& c : cases) {
    n.push_back(c.n < 0 || c.n > 100 ? 4 : c.n);
    nrhs.push_back(std::max(0, c.nrhs));
  }
  library<T> A("random");
  const std::vector<slab<T>> all = matrices(A, n, uplo), sides = right_hand_sides<T>(n, nrhs);
  const auto told = [&](mixed<T>& a, mixed<T>& b) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const illegal& c = cases[i];
      a.columns[i] = c.n;
      b.columns[i] = c.nrhs;
      if (c.lda_less > 0) a.lds[i] = std::max(1, c.n) - c.lda_less;
      if (c.ldb_less > 0) b.lds[i] = std::max(1, c.n) - c.ldb_less;
      if (c.no_A) a.starts[i] = nullptr;
      if (c.no_B) b.starts[i] = nullptr;
    }
    a.upload_sizes();
    b.upload_sizes();
  };
  mixed<T> a(all), a_at_once(all), b(sides), b_at_once(sides);
  told(a, b);
  told(a_at_once, b_at_once);
  std::vector<int> of_matrix, of_system;
  for (const illegal& c : cases) {
    const auto known = [&](int code, int bound) { return !bounds_known && code == bound ? 0 : code; };
    of_matrix.push_back(known(c.matrix, -7));
    of_system.push_back(c.system == -11 ? known(c.system, -11) : known(c.system, -10));
  }
  const info_array info(a.count()), info_at_once(a.count()), info_solve(a.count()), info_inverse(a.count());
  REQUIRE(potrf(uplo, a, info, n_max) == 0);
  finish();
  const std::vector<slab<T>> factors = a.download();
  REQUIRE(potrs(uplo, a, b, info_solve, n_max, nrhs_max) == 0);
  REQUIRE(posv(uplo, a_at_once, b_at_once, info_at_once, n_max, nrhs_max) == 0);
  REQUIRE(potri(uplo, a, info_inverse, n_max) == 0);
  finish();
  CHECK(info.download() == of_matrix);
  CHECK(info_inverse.download() == of_matrix);
  CHECK(info_solve.download() == of_system);
  CHECK(info_at_once.download() == of_system);
  const std::vector<slab<T>> inverses = a.download(), at_once = a_at_once.download(), X = b.download(),
                             X_at_once = b_at_once.download();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i, cases[i].what);
    if (of_matrix[i] != 0) {
      CHECK(factors[i].same_bits(all[i]));
      CHECK(inverses[i].same_bits(all[i]));
    } else {
      const dense<T> L = factors[i].get_lower(0, uplo), Y = whole(inverses[i].get_lower(0, uplo), n[i]);
      CHECK(factors[i].guards_untouched(all[i], &uplo));
      CHECK(inverses[i].guards_untouched(all[i], &uplo));
      CHECK(factor_ratio(A(n[i], i), L, n[i]) < threshold);
      CHECK(inverse_ratio(A(n[i], i), Y, n[i]) < threshold);
    }
    if (of_system[i] != 0) {
      CHECK(at_once[i].same_bits(all[i]));
      CHECK(X[i].same_bits(sides[i]));
      CHECK(X_at_once[i].same_bits(sides[i]));
    } else {
      CHECK(at_once[i].guards_untouched(all[i], &uplo));
      CHECK(factor_ratio(A(n[i], i), at_once[i].get_lower(0, uplo), n[i]) < threshold);
      for (const std::vector<slab<T>>* x : {&X, &X_at_once}) {
        CHECK((*x)[i].guards_untouched(sides[i]));
        if (nrhs[i] > 0)
          CHECK(solve_ratio(A(n[i], i), (*x)[i].get(0), sides[i].get(0), n[i], nrhs[i]) < threshold);
      }
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a failure among mixed sizes is reported and harms no neighbour",
                        "[cholesky_vbatched]", precisions) {
  using T = TestType;
  for (const uplo uplo : both) {
    std::vector<int> n = some_sizes(40, 300, 1);
    n[19] = n[22] = n[25] = 300;  // these fail, each at another pivot
    fail_and_check<T>(uplo, n, some_nrhs(40));
    fail_and_check<T>(uplo, some_sizes(300, 33, 2), some_nrhs(300));
    fail_and_check<T>(uplo, std::vector<int>(60, 8), some_nrhs(60));
  }
}

TEMPLATE_LIST_TEST_CASE("a matrix of illegal size is skipped and reported by argument", "[cholesky_vbatched]",
                        precisions) {
  for (const uplo uplo : both) {
    for (const bool bounds_known : {true, false}) refuse_and_check<TestType>(uplo, bounds_known);
  }
}

TEST_CASE("failures of all kinds among mixed sizes, whatever info held before", "[cholesky_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::vector<int> n{0, 5, 64, 3, 100, 8, 33, 0, 17, 200, 2, 5};
  for (const int stale : {0, 1, -1, 12345}) {
    for (const uplo uplo : both) {
      CAPTURE(stale, static_cast<char>(uplo));
      library<double> A("random");
      std::vector<slab<double>> all = matrices(A, n, uplo);
      all[2].at(0, 40, 40) = nan_of<double>();
      all[4].at(0, 99, 99) = -1;
      mixed<double> a(all);
      a.lds[6] = 32;
      a.starts[8] = nullptr;
      a.upload_sizes();
      array<int> info(n.size());
      const auto run = [&](auto* routine) {
        info.upload(std::vector<int>(n.size(), stale));
        REQUIRE(routine(uplo, a.n.data(), a.pointers.data(), a.ld.data(), info.data(), a.count(), 200,
                        test_queue()) == 0);
        finish();
        CHECK(info.download() == std::vector<int>{0, 0, 41, 0, 100, 0, -4, 0, -3, 0, 0, 0});
      };
      run(potrf_vbatched<double>);
      const std::vector<slab<double>> after = a.download();
      for (const std::size_t b : {1, 3, 5, 9, 10, 11})
        CHECK(factor_ratio(A(n[b], b), after[b].get_lower(0, uplo), n[b]) < threshold);
      CHECK(after[6].same_bits(all[6]));
      CHECK(after[8].same_bits(all[8]));
      run(potri_vbatched<double>);
    }
  }
#endif
}

TEST_CASE("sizes above a bound of 0 are refused without arrays of pointers", "[cholesky_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::vector<int> n{0, 3, -1}, expected_n{0, -3, -2}, expected_nrhs{0, 0, -3};
  const array<int> sizes(n), ones(std::vector<int>{1, 3, 1}), zeros(std::vector<int>{0, 0, 0});
  const info_array info(3), info_solve(3), info_sides(3);
  REQUIRE(potrf_vbatched<double>(uplo::lower, sizes.data(), nullptr, ones.data(), info.data(), 3, 0,
                                 test_queue()) == 0);
  REQUIRE(posv_vbatched<double>(uplo::lower, sizes.data(), zeros.data(), nullptr, ones.data(), nullptr,
                                ones.data(), info_solve.data(), 3, 0, 2, test_queue()) == 0);
  REQUIRE(potrs_vbatched<double>(uplo::lower, zeros.data(), sizes.data(), nullptr, ones.data(), nullptr,
                                 ones.data(), info_sides.data(), 3, 0, 3, test_queue()) == 0);
  finish();
  CHECK(info.download() == expected_n);
  CHECK(info_solve.download() == std::vector<int>{0, -4, -2});
  CHECK(info_sides.download() == expected_nrhs);
#endif
}

TEMPLATE_LIST_TEST_CASE("failures among mixed sizes, small", "[.][sanitize]", precisions) {
  using T = TestType;
  const std::vector<int> n{8, 0, 70, 3, 1, 33, 16, 200, 8, 20}, nrhs = some_nrhs(n.size());
  for (const uplo uplo : both) {
    fail_and_check<T>(uplo, n, nrhs);
    refuse_and_check<T>(uplo, true);
  }
}
