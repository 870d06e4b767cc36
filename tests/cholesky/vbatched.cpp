// Needs: potrf potrs posv potri

// Batches of variable size: what the four routines compute, and what they promise of bits, memory and
// streams. Every case runs on the backend under test.
#include "mixed_sizes.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "validate.hpp"

using namespace talus;
using namespace talus::test;

namespace {

template <class T>
void factor_and_check(const std::string& kind, uplo uplo, const std::vector<int>& n, int n_max) {
  CAPTURE(kind, static_cast<char>(uplo), n.size(), n_max);
  library<T> A(kind);
  const mixed<T> memory(matrices(A, n, uplo));
  const info_array info(memory.count());
  REQUIRE(potrf(uplo, memory, info, n_max) == 0);
  finish();
  CHECK(all_zero(info.download()));
  check_factors(A, memory.host, memory.download(), uplo);
}

template <class T>
void solve_and_check(const std::string& kind, uplo uplo, const std::vector<int>& n,
                     const std::vector<int>& nrhs, int n_max, int nrhs_max) {
  CAPTURE(kind, static_cast<char>(uplo), n.size(), n_max, nrhs_max);
  library<T> A(kind);
  const std::vector<slab<T>> all = matrices(A, n, uplo), sides = right_hand_sides<T>(n, nrhs);
  const mixed<T> a(all), b(sides), a_at_once(all), b_at_once(sides);
  const info_array info(a.count()), info_solve(a.count()), info_at_once(a.count());
  REQUIRE(potrf(uplo, a, info, n_max) == 0);
  finish();
  const std::vector<slab<T>> factors = a.download();
  REQUIRE(potrs(uplo, a, b, info_solve, n_max, nrhs_max) == 0);
  REQUIRE(posv(uplo, a_at_once, b_at_once, info_at_once, n_max, nrhs_max) == 0);
  finish();
  CHECK(all_zero(info_solve.download()));
  CHECK(all_zero(info_at_once.download()));
  CHECK(same_bits(a.download(), factors));  // potrs only reads it
  check_factors(A, all, a_at_once.download(), uplo);
  for (const mixed<T>* result : {&b, &b_at_once}) {
    const std::vector<slab<T>> X = result->download();
    for (std::size_t i = 0; i < n.size(); ++i) {
      CAPTURE(i, n[i], nrhs[i], result == &b);
      CHECK(X[i].guards_untouched(sides[i]));
      if (nrhs[i] > 0)
        CHECK(solve_ratio(A(n[i], i), X[i].get(0), sides[i].get(0), n[i], nrhs[i]) < threshold);
    }
  }
}

template <class T>
void invert_and_check(const std::string& kind, uplo uplo, const std::vector<int>& n, int n_max) {
  CAPTURE(kind, static_cast<char>(uplo), n.size(), n_max);
  library<T> A(kind);
  const mixed<T> memory(matrices(A, n, uplo));
  const info_array info(memory.count()), info_inverse(memory.count());
  REQUIRE(potrf(uplo, memory, info, n_max) == 0);
  REQUIRE(potri(uplo, memory, info_inverse, n_max) == 0);
  finish();
  CHECK(all_zero(info.download()));
  CHECK(all_zero(info_inverse.download()));
  const std::vector<slab<T>> after = memory.download();
  std::map<std::pair<int, std::size_t>, dense<T>> inverses;
  for (std::size_t b = 0; b < n.size(); ++b) {
    CAPTURE(b, n[b]);
    CHECK(after[b].guards_untouched(memory.host[b], &uplo));
    dense<T> X = whole(after[b].get_lower(0, uplo), n[b]);
    const auto [first, is_new] = inverses.try_emplace({n[b], b % 2}, X);
    if (is_new) {
      CHECK(inverse_ratio(A(n[b], b), X, n[b]) < threshold);
    } else {
      CHECK(same(first->second, X));
    }
  }
}

/// All orders up to `most`, shuffled.
std::vector<int> shuffled_up_to(int most, unsigned seed) {
  std::vector<int> n(static_cast<std::size_t>(most) + 1);
  for (int i = 0; i <= most; ++i) n[static_cast<std::size_t>(i)] = i;
  std::shuffle(n.begin(), n.end(), std::mt19937(seed));
  return n;
}

template <class T>
void factor_exactly(uplo uplo, const std::vector<int>& n, int n_max) {
  CAPTURE(static_cast<char>(uplo), n_max);
  std::vector<slab<T>> all;
  std::vector<dense<T>> factors;
  for (std::size_t b = 0; b < n.size(); ++b) {
    factors.push_back(exact_factor<T>(n[b], static_cast<unsigned>(b)));
    all.emplace_back(n[b], n[b], ld_of(n[b], b), 1);
    all.back().put_triangle(0, times_own_conjugate_transpose(factors[b], n[b]), uplo);
  }
  const mixed<T> memory(all);
  const info_array info(memory.count());
  REQUIRE(potrf(uplo, memory, info, n_max) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const std::vector<slab<T>> after = memory.download();
  for (std::size_t b = 0; b < n.size(); ++b) {
    CAPTURE(b, n[b]);
    CHECK(after[b].get_lower(0, uplo) == factors[b]);
    CHECK(after[b].guards_untouched(all[b], &uplo));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("matrices of four sizes worked by hand", "[cholesky_vbatched]", precisions) {
  using T = TestType;
  for (const uplo uplo : both) {
    std::vector<slab<T>> A{{0, 0, 1, 1}, {3, 3, 4, 1}, {1, 1, 3, 1}, {2, 2, 2, 1}},
        B{{0, 1, 1, 1}, {3, 1, 3, 1}, {1, 2, 1, 1}, {2, 0, 2, 1}};
    A[1].put_triangle(0, {4, 12, -16, 12, 37, -43, -16, -43, 98}, uplo);
    A[2].put_triangle(0, {16}, uplo);
    A[3].put_triangle(0, {4, 2, 2, 2}, uplo);
    B[1].put(0, {4 + 24 - 48, 12 + 74 - 129, -16 - 86 + 294});  // A times (1, 2, 3)
    B[2].put(0, {16, -32});
    const mixed<T> factor(A), at_once(A), b(B);
    REQUIRE(factor.starts[0] == nullptr);
    const info_array info(4), info_at_once(4), info_inverse(4);
    REQUIRE(potrf(uplo, factor, info, 3) == 0);
    REQUIRE(posv(uplo, at_once, b, info_at_once, 3, 2) == 0);
    finish();
    CHECK(info.download() == std::vector<int>{0, 0, 0, 0});
    CHECK(info_at_once.download() == std::vector<int>{0, 0, 0, 0});
    for (const mixed<T>* result : {&factor, &at_once}) {
      const std::vector<slab<T>> L = result->download();
      CHECK(L[1].get_lower(0, uplo) == dense<T>{2, 6, -8, 0, 1, 5, 0, 0, 3});
      CHECK(L[2].get_lower(0, uplo) == dense<T>{4});
      CHECK(L[3].get_lower(0, uplo) == dense<T>{2, 1, 0, 1});
      for (std::size_t i = 0; i < 4; ++i) CHECK(L[i].guards_untouched(A[i], &uplo));
    }
    const std::vector<slab<T>> X = b.download();
    for (int i = 0; i < 3; ++i)
      CHECK(std::abs(X[1].at(0, i, 0) - T(static_cast<real_of<T>>(i + 1))) < real_of<T>(1e-3));
    CHECK(X[2].get(0) == dense<T>{1, -2});
    REQUIRE(potri(uplo, factor, info_inverse, 3) == 0);
    finish();
    CHECK(info_inverse.download() == std::vector<int>{0, 0, 0, 0});
    CHECK(factor.download()[2].get_lower(0, uplo) == dense<T>{T(1 / real_of<T>(16))});
    CHECK(factor.download()[3].get_lower(0, uplo) == dense<T>{T(0.5), T(-0.5), T(0), T(1)});
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_vbatched gives exact factors where there are such", "[cholesky_vbatched]",
                        precisions) {
  for (const uplo uplo : both) {
    for (const int n_max : {70, 100, -1}) {
      factor_exactly<TestType>(uplo, shuffled_up_to(70, static_cast<unsigned>(n_max + 5)), n_max);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_vbatched is backward stable on every kind of matrix", "[cholesky_vbatched]",
                        precisions) {
  using T = TestType;
  unsigned seed = 0;
  for (const std::string& kind : kinds()) {
    for (const std::int64_t count : {1, 2, 31, 33}) {
      for (const uplo uplo : both) {
        const int largest = kind == "random" && count > 30 ? 600 : kind == "exact" ? 64 : 257;
        const int bounds[] = {largest, largest + 77, -1};
        ++seed;
        factor_and_check<T>(kind, uplo, some_sizes(count, largest, seed), bounds[seed % 3]);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_vbatched takes many matrices", "[cholesky_vbatched]", precisions) {
  using T = TestType;
  for (const uplo uplo : both) {
    for (const int largest : {8, 33, 70, 600}) {
      for (const int n_max : {largest, largest + 1, -1}) {
        if (largest == 600 && n_max != (uplo == uplo::lower ? 600 : -1)) continue;
        factor_and_check<T>("random", uplo, some_sizes(1000, largest, static_cast<unsigned>(largest)), n_max);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrs_vbatched and posv_vbatched are backward stable", "[cholesky_vbatched]",
                        precisions) {
  using T = TestType;
  unsigned seed = 0;
  for (const std::string kind : {"random", "graded", "condition"}) {
    for (const std::int64_t count : {1, 2, 31, 33, 300}) {
      if (count == 300 && kind != "random") continue;
      for (const uplo uplo : both) {
        const int largest = count == 31 ? 300 : count < 31 ? 130 : 64;
        const std::vector<int> n = some_sizes(count, largest, ++seed), nrhs = some_nrhs(n.size());
        const int most = largest_of(nrhs);
        const std::pair<int, int> bounds[] = {{largest, most}, {largest + 9, most + 30}, {-1, -1}};
        solve_and_check<T>(kind, uplo, n, nrhs, bounds[seed % 3].first, bounds[seed % 3].second);
      }
    }
  }
  const std::vector<int> n = some_sizes(40, 130, 5);
  solve_and_check<T>("random", uplo::lower, n, some_nrhs(40), -1, 40);
  solve_and_check<T>("random", uplo::upper, n, some_nrhs(40), 130, -1);
  solve_and_check<T>("random", uplo::upper, n, std::vector<int>(40, 0), 130, 0);
}

TEMPLATE_LIST_TEST_CASE("potri_vbatched is backward stable", "[cholesky_vbatched]", precisions) {
  using T = TestType;
  unsigned seed = 0;
  for (const char* const kind : {"random", "graded"}) {
    for (const std::int64_t count : {1, 2, 31, 33, 500}) {
      for (const uplo uplo : both) {
        const int largest = count < 33 ? 300 : 70;
        const int bounds[] = {largest, largest + 77, -1};
        ++seed;
        invert_and_check<T>(kind, uplo, some_sizes(count, largest, seed), bounds[seed % 3]);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potri_vbatched inverts a matrix to the same bits whatever others there are",
                        "[cholesky_vbatched]", precisions) {
  using T = TestType;
  for (const uplo uplo : both) {
    library<T> A("random");
    const mixed<T> all(
        matrices(A, {5, 20, 40, 70, 100, 130, 300}, uplo));  // the last makes a class of its own
    const info_array info(all.count());
    REQUIRE(potrf(uplo, all, info, -1) == 0);
    finish();
    std::vector<slab<T>> some = all.download();
    some.pop_back();
    const mixed<T> without(some);
    REQUIRE(potri(uplo, all, info, -1) == 0);
    REQUIRE(potri(uplo, without, info, -1) == 0);
    finish();
    const std::vector<slab<T>> expected = all.download(), result = without.download();
    for (std::size_t b = 0; b < result.size(); ++b) {
      CAPTURE(static_cast<char>(uplo), result[b].n);
      CHECK(result[b].same_bits(expected[b]));
      CHECK(!result[b].same_bits(some[b]));
    }
  }
}

// ---- same bits -----------------------------------------------------------------------------------

namespace {

template <class T>
void permute_and_compare(uplo uplo, const std::vector<int>& n, const std::vector<int>& nrhs) {
  CAPTURE(static_cast<char>(uplo), n.size());
  library<T> A("condition");
  const std::vector<slab<T>> a = matrices(A, n, uplo), b = right_hand_sides<T>(n, nrhs);
  std::vector<std::size_t> from(n.size());
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = i;
  std::shuffle(from.begin(), from.end(), std::mt19937(3));
  std::vector<slab<T>> a_moved, b_moved;
  for (const std::size_t i : from) {
    a_moved.push_back(a[i]);
    b_moved.push_back(b[i]);
  }
  const int n_max = largest_of(n), nrhs_max = largest_of(nrhs);
  const results<T> first(uplo, a, b, n_max, nrhs_max), second(uplo, a, b, n_max, nrhs_max),
      moved(uplo, a_moved, b_moved, n_max, nrhs_max);
  for (std::size_t r = 0; r < first.all().size(); ++r) {
    CAPTURE(r);
    CHECK(same_bits(*first.all()[r], *second.all()[r]));
    for (std::size_t i = 0; i < from.size(); ++i) {
      CAPTURE(i, from[i], n[from[i]]);
      CHECK((*moved.all()[r])[i].same_bits((*first.all()[r])[from[i]]));
    }
  }
}

/// Slabs of equal sizes as one, for the routines of batched.hpp.
template <class T>
slab<T> joined(const std::vector<const slab<T>*>& all, const uplo* triangle = nullptr) {
  const slab<T>& first = *all.front();
  slab<T> s(first.m, first.n, std::max(1, first.m), static_cast<std::int64_t>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (triangle) {
      s.put_triangle(static_cast<std::int64_t>(i), all[i]->get(0), *triangle);
    } else {
      s.put(static_cast<std::int64_t>(i), all[i]->get(0));
    }
  }
  return s;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a call on mixed sizes gives the same bits again, and wherever a matrix stands",
                        "[cholesky_vbatched]", precisions) {
  using T = TestType;
  for (const uplo uplo : both) {
    permute_and_compare<T>(uplo, some_sizes(37, 200, 1), some_nrhs(37));
    permute_and_compare<T>(uplo, some_sizes(600, 70, 2), some_nrhs(600));
  }
}

TEMPLATE_LIST_TEST_CASE("on the host mixed sizes get the bits of equal ones", "[cholesky_vbatched]",
                        precisions) {
  using T = TestType;
  if (on_cuda()) return;
  // As many matrices of one order as a group of lanes holds, 2 to 16, go one by one, more in lanes; above
  // n = 64 these two give other bits.
  const std::vector<std::pair<int, int>> counts{
      {1, 1},  {5, 40}, {32, 3},  {33, 1},  {64, 33}, {70, 1},   {71, 2},   {72, 3},  {73, 4},  {74, 5},
      {75, 8}, {76, 9}, {77, 16}, {78, 17}, {100, 2}, {101, 20}, {129, 17}, {260, 3}, {300, 17}};
  std::vector<int> n;
  for (const auto& [order, count] : counts) n.insert(n.end(), static_cast<std::size_t>(count), order);
  std::shuffle(n.begin(), n.end(), std::mt19937(9));
  const std::vector<int> illegal{71, 73, 75, 77};  // does not count among those of its order
  n.insert(n.end(), illegal.begin(), illegal.end());
  const std::vector<int> nrhs = some_nrhs(n.size());
  for (const uplo uplo : both) {
    library<T> A("condition");
    const std::vector<slab<T>> all = matrices(A, n, uplo), sides = right_hand_sides<T>(n, nrhs);
    mixed<T> a(all), a_at_once(all);
    const mixed<T> b(sides), b_at_once(sides);
    for (std::size_t i = n.size() - illegal.size(); i < n.size(); ++i)
      a.starts[i] = a_at_once.starts[i] = nullptr;
    a.upload_sizes();
    a_at_once.upload_sizes();
    const info_array info(a.count());
    REQUIRE(potrf(uplo, a, info, -1) == 0);
    const std::vector<slab<T>> factors = a.download();
    REQUIRE(potrs(uplo, a, b, info, -1, -1) == 0);
    REQUIRE(posv(uplo, a_at_once, b_at_once, info, -1, -1) == 0);
    REQUIRE(potri(uplo, a, info, -1) == 0);
    const std::vector<slab<T>> solved = b.download(), solved_at_once = b_at_once.download(),
                               factors_at_once = a_at_once.download(), inverses = a.download();

    std::map<int, std::vector<std::size_t>> by_order;
    std::map<std::pair<int, int>, std::vector<std::size_t>> by_sizes;
    for (std::size_t i = 0; i < n.size() - illegal.size(); ++i) {
      by_order[n[i]].push_back(i);
      by_sizes[{n[i], nrhs[i]}].push_back(i);
    }
    const auto parts = [](const std::vector<slab<T>>& from, const std::vector<std::size_t>& which) {
      std::vector<const slab<T>*> some;
      for (const std::size_t i : which) some.push_back(&from[i]);
      return some;
    };
    for (const auto& [order, members] : by_order) {
      CAPTURE(static_cast<char>(uplo), order, members.size());
      const resident<T> equal(joined(parts(all, members), &uplo)), factored(joined(parts(factors, members)));
      const info_array infos(equal.host.count);
      REQUIRE(test::potrf(call_form::strided, uplo, equal, infos) == 0);
      REQUIRE(test::potri(call_form::strided, uplo, factored, infos) == 0);
      const slab<T> L = equal.download(), X = factored.download();
      for (std::size_t i = 0; i < members.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        CHECK(same(factors[members[i]].get_lower(0, uplo), L.get_lower(at, uplo)));
        CHECK(same(inverses[members[i]].get_lower(0, uplo), X.get_lower(at, uplo)));
      }
    }
    for (const auto& [both_sizes, members] : by_sizes) {
      CAPTURE(static_cast<char>(uplo), both_sizes.first, both_sizes.second, members.size());
      // As many as there are of this order: their number decides which way they go.
      std::vector<std::size_t> repeated(by_order[both_sizes.first].size());
      for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = members[i % members.size()];
      const resident<T> equal(joined(parts(all, repeated), &uplo)),
          factored(joined(parts(factors, repeated))), x(joined(parts(sides, repeated))),
          x_at_once(joined(parts(sides, repeated)));
      const info_array infos(equal.host.count);
      REQUIRE(test::potrs(call_form::strided, uplo, factored, x, infos) == 0);
      REQUIRE(test::posv(call_form::strided, uplo, equal, x_at_once, infos) == 0);
      const slab<T> X = x.download(), X_at_once = x_at_once.download(), L = equal.download();
      for (std::size_t i = 0; i < members.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        CHECK(same(solved[members[i]].get(0), X.get(at)));
        CHECK(same(solved_at_once[members[i]].get(0), X_at_once.get(at)));
        CHECK(same(factors_at_once[members[i]].get_lower(0, uplo), L.get_lower(at, uplo)));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("imaginary parts of a factor's diagonal never matter among mixed sizes",
                        "[cholesky_vbatched]", precisions) {
  using T = TestType;
  if constexpr (is_complex<T>) {
    using R = real_of<T>;
    std::vector<int> n{1, 20, 32, 33, 100, 128, 129, 192, 193, 257, 300};
    n.insert(n.end(), 20, 193);
    const std::vector<int> nrhs = some_nrhs(n.size());
    for (const uplo uplo : both) {
      library<T> A("random");
      const std::vector<slab<T>> sides = right_hand_sides<T>(n, nrhs);
      const mixed<T> a(matrices(A, n, uplo)), b(sides), b_spoilt(sides);
      const info_array info(a.count());
      REQUIRE(potrf(uplo, a, info, -1) == 0);
      finish();
      std::vector<slab<T>> factors = a.download();
      for (slab<T>& L : factors) {
        for (int j = 0; j < L.n; ++j) {
          const R im = j % 2 == 0 ? R(1) : std::numeric_limits<R>::quiet_NaN();
          L.at(0, j, j) = {std::real(L.at(0, j, j)), im};
        }
      }
      const mixed<T> spoilt(factors);
      REQUIRE(potrs(uplo, a, b, info, -1, -1) == 0);
      REQUIRE(potrs(uplo, spoilt, b_spoilt, info, -1, -1) == 0);
      finish();
      CHECK(all_zero(info.download()));
      CHECK(same_bits(b.download(), b_spoilt.download()));
      CHECK(same_bits(spoilt.download(), factors));
    }
  }
}

// ---- batches of nothing, of very many, of one that is much larger ----------------------------------

TEMPLATE_LIST_TEST_CASE("nothing to do among mixed sizes needs no memory", "[cholesky_vbatched]",
                        precisions) {
  using T = TestType;
  const queue q = test_queue();
  const std::size_t count = 100;
  const array<int> zeros(std::vector<int>(count, 0)), ones(std::vector<int>(count, 1));
  const array<T*> nulls(std::vector<T*>(count, nullptr));
  for (T* const* pointers : {static_cast<T* const*>(nullptr), static_cast<T* const*>(nulls.data())}) {
    for (const int n_max : {0, 5, -1}) {
      if (!pointers && n_max != 0) continue;
      const info_array infos[] = {info_array(count), info_array(count), info_array(count), info_array(count)};
      const auto b = static_cast<std::int64_t>(count);
      CHECK(potrf_vbatched<T>(uplo::lower, zeros.data(), pointers, ones.data(), infos[0].data(), b, n_max,
                              q) == 0);
      CHECK(potri_vbatched<T>(uplo::upper, zeros.data(), pointers, ones.data(), infos[1].data(), b, n_max,
                              q) == 0);
      CHECK(potrs_vbatched<T>(uplo::upper, zeros.data(), ones.data(), pointers, ones.data(), pointers,
                              ones.data(), infos[2].data(), b, n_max, 1, q) == 0);
      CHECK(posv_vbatched<T>(uplo::lower, zeros.data(), zeros.data(), pointers, ones.data(), pointers,
                             ones.data(), infos[3].data(), b, n_max, 0, q) == 0);
      finish();
      for (const info_array& info : infos) CHECK(all_zero(info.download()));
    }
  }
  CHECK(potrf_vbatched<T>(uplo::lower, nullptr, nullptr, nullptr, nullptr, 0, 5, q) == 0);
  CHECK(potri_vbatched<T>(uplo::lower, nullptr, nullptr, nullptr, nullptr, 0, -1, q) == 0);
  CHECK(potrs_vbatched<T>(uplo::lower, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, 5, 5,
                          q) == 0);
  CHECK(posv_vbatched<T>(uplo::lower, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, -1,
                         -1, q) == 0);
}

TEST_CASE("on the host a call without memory for its scratch touches nothing", "[cholesky_vbatched]") {
#ifdef TALUS_HAVE_D
  if (on_cuda()) return;
  const int huge = 16'000'000;  // potri copies such a matrix: there are not that many addresses
  std::vector<double> memory(16, 2);
  double* const pointers[] = {memory.data(), memory.data() + 4};
  const int n[] = {2, huge}, ld[] = {2, huge};
  int info[] = {-777, -777};
  CHECK(potri_vbatched(uplo::lower, n, pointers, ld, info, 2, -1, queue::host()) == err_work);
  CHECK(memory == std::vector<double>(16, 2));
  CHECK((info[0] == -777 && info[1] == -777));
#endif
}

#ifdef TALUS_HAVE_D
namespace {

/// A matrix of any order whose factor is exact: 1 on and below the diagonal, but x below the first 2.
double exact_element(int i, int j, double x) {
  const auto first = [x](int k) { return k == 0 ? 2 : x; };
  return first(i) * first(j) + std::min(i, j);
}
double exact_factor_element(int i, int j, double x) { return j > 0 ? 1 : i == 0 ? 2 : x; }

}  // namespace
#endif

TEST_CASE("potrf_vbatched factors a million matrices of orders 0 to 8 in one call", "[cholesky_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::int64_t count = 1'000'000;
  const auto order = [](std::int64_t b) { return static_cast<int>(b * 7919 % 1009 % 9); };
  std::vector<int> n, lda;
  std::vector<double> host;
  std::vector<std::ptrdiff_t> start;
  for (std::int64_t b = 0; b < count; ++b) {
    const int m = order(b);
    n.push_back(m);
    lda.push_back(std::max(1, m));
    start.push_back(static_cast<std::ptrdiff_t>(host.size()));
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i)
        host.push_back(i < j ? -99 : exact_element(i, j, static_cast<double>(b % 64)));
    }
  }
  const array<double> memory(host);
  std::vector<double*> starts;
  for (const std::ptrdiff_t s : start) starts.push_back(memory.data() + s);
  const array<double*> pointers(starts);
  const array<int> n_array(n), lda_array(lda);
  const info_array info(count);
  REQUIRE(potrf_vbatched(uplo::lower, n_array.data(), pointers.data(), lda_array.data(), info.data(), count,
                         8, test_queue()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  host = memory.download();
  std::int64_t wrong = 0;
  for (std::int64_t b = 0; b < count; ++b) {
    const int m = order(b);
    const double* const A = host.data() + start[static_cast<std::size_t>(b)];
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i)
        wrong += A[i + j * m] != (i < j ? -99 : exact_factor_element(i, j, static_cast<double>(b % 64)));
    }
  }
  CHECK(wrong == 0);
#endif
}

#ifdef TALUS_HAVE_D
namespace {

/// Factors matrices first ... count-1 of `count`. Their order is 4, and `large` at `where`. n_max is a bound
/// of the orders or unknown_bound.
void check_one_large_matrix(uplo uplo, std::size_t first, std::size_t count, std::size_t where, int large,
                            int n_max) {
  CAPTURE(static_cast<char>(uplo), first, count, where, large, n_max);
  std::vector<slab<double>> all;
  for (std::size_t b = 0; b < count; ++b) {
    const int n = b == where ? large : 4;
    slab<double> s(n, n, n + static_cast<int>(b % 2), 1);
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i)
        (uplo == uplo::lower ? s.at(0, i, j) : s.at(0, j, i)) = exact_element(i, j, 1);
    }
    all.push_back(std::move(s));
  }
  const mixed<double> memory(std::move(all));
  const info_array info(static_cast<std::int64_t>(count - first));
  REQUIRE(potrf_vbatched(uplo, memory.n.data() + first, memory.pointers.data() + first,
                         memory.ld.data() + first, info.data(), static_cast<std::int64_t>(count - first),
                         n_max, test_queue()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const std::vector<slab<double>> after = memory.download();
  std::int64_t wrong = 0;
  for (std::size_t b = 0; b < first; ++b) wrong += !after[b].same_bits(0, memory.host[b], 0);
  for (std::size_t b = first; b < count; ++b) {
    const slab<double>& s = after[b];
    for (int j = 0; j < s.n; ++j) {
      for (int i = j; i < s.n; ++i)
        wrong += (uplo == uplo::lower ? s.at(0, i, j) : s.at(0, j, i)) != exact_factor_element(i, j, 1);
    }
    if (b % 100 == 0 || b == where) wrong += !s.guards_untouched(memory.host[b], &uplo);
  }
  CHECK(wrong == 0);
}

}  // namespace
#endif

TEST_CASE("one large matrix among many of order 4", "[cholesky_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::size_t count = on_cuda() ? 100'001 : 20'001;
  const int large = on_cuda() ? 4096 : 2048;
  for (const uplo uplo : both) check_one_large_matrix(uplo, 0, count, count / 3, large, large);
#endif
}

TEST_CASE("an unknown bound is found wherever the largest of many matrices stands", "[cholesky_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::size_t first = 5000, count = 10000;  // the call leaves the matrices before `first` alone
  for (const std::size_t b : std::vector<std::size_t>{0, 1023, 1024, 4999})
    check_one_large_matrix(uplo::lower, first, count, first + b, 100, unknown_bound);
#endif
}

TEMPLATE_LIST_TEST_CASE("routines on mixed sizes, small", "[.][sanitize]", precisions) {
  using T = TestType;
  const std::vector<int> n{8, 0, 70, 3, 1, 33, 16, 200, 8, 20}, nrhs = some_nrhs(n.size());
  for (const uplo uplo : both) {
    for (const int n_max : {200, 700, -1}) {  // one class; all classes; found
      factor_and_check<T>("random", uplo, n, n_max);
      solve_and_check<T>("random", uplo, n, nrhs, n_max, n_max < 0 ? -1 : 40);
      invert_and_check<T>("random", uplo, n, n_max);
    }
    factor_exactly<T>(uplo, {5, 0, 64, 17, 1}, 64);
    permute_and_compare<T>(uplo, n, nrhs);
  }
}

#ifdef TALUS_WITH_CUDA
namespace {

/// One batch of mixed sizes in all its roles: posv, potrs with what that left, potrf, potri.
template <class T>
struct four_calls {
  explicit four_calls(uplo uplo)
      : triangle(uplo),
        n(some_sizes(33, 300, 4)),
        nrhs(some_nrhs(n.size())),
        a(matrices(A, n, uplo)),
        b(right_hand_sides<T>(n, nrhs)),
        f(a.host) {}

  std::vector<int> run(queue q, int n_max = 300, int nrhs_max = 40) {
    return {posv(triangle, a, b, infos[0], n_max, nrhs_max, q),
            potrs(triangle, a, b, infos[1], n_max, nrhs_max, q), potrf(triangle, f, infos[2], n_max, q),
            potri(triangle, f, infos[3], n_max, q)};
  }
  void restore() {
    for (mixed<T>* m : {&a, &b, &f}) m->restore();
    for (info_array& i : infos) i.memory.upload(std::vector<int>(n.size() + 1, -777));
    finish();
  }
  bool untouched() const {
    bool all =
        same_bits(a.download(), a.host) && same_bits(b.download(), b.host) && same_bits(f.download(), f.host);
    for (const info_array& i : infos) all = all && i.download() == std::vector<int>(n.size(), -777);
    return all;
  }
  bool same_results(const four_calls& other) const {
    bool all = same_bits(a.download(), other.a.download()) && same_bits(b.download(), other.b.download()) &&
               same_bits(f.download(), other.f.download());
    for (const info_array& i : infos) all = all && all_zero(i.download());
    return all;
  }
  std::size_t work_bytes() const {
    const std::int64_t count = a.count();
    return std::max(std::max(potrf_vbatched_work<T>(300, count), potri_vbatched_work<T>(300, count)),
                    std::max(potrs_vbatched_work<T>(300, 40, count), posv_vbatched_work<T>(300, 40, count)));
  }

  talus::uplo triangle;
  library<T> A{"random"};
  std::vector<int> n, nrhs;
  mixed<T> a, b, f;
  info_array infos[4] = {info_array(33), info_array(33), info_array(33), info_array(33)};
};

const std::vector<int> all_done(4, 0);

}  // namespace

TEMPLATE_LIST_TEST_CASE("calls on mixed sizes can be captured in a graph and replayed", "[cholesky_vbatched]",
                        precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (const bool with_work : {true, false}) {
    CAPTURE(with_work);
    four_calls<T> direct(uplo::lower), captured(uplo::lower);
    const guarded_work work(direct.work_bytes());
    const stream s;
    queue q = queue::cuda(s.handle);
    if (with_work) {
      q.work = work.memory.data();
      q.work_bytes = work.bytes;
    }
    CHECK(direct.run(test_queue()) == all_done);
    finish();

    std::vector<int> without_bounds, statuses;
    const graph calls(s, [&] {
      without_bounds = captured.run(q, -1, -1);
      statuses = captured.run(q);
    });
    CHECK(without_bounds == std::vector<int>(4, err_unsupported));
    CHECK(statuses == all_done);
    CHECK(captured.untouched());  // captured, not run
    for (int round = 0; round < 2; ++round) {
      CAPTURE(round);
      captured.restore();
      calls.replay();
      CHECK(captured.same_results(direct));
    }
    CHECK(work.guard_untouched());

    // posv and potrs lack a bound and are refused before anything is queued; potrf and potri do not need it.
    four_calls<T> partly(uplo::lower);
    partly.restore();
    const graph other_calls(s, [&] { statuses = partly.run(q, 300, -1); });
    CHECK(statuses == std::vector<int>{err_unsupported, err_unsupported, 0, 0});
    other_calls.replay();
    CHECK(same_bits(partly.a.download(), partly.a.host));
    CHECK(same_bits(partly.b.download(), partly.b.host));
  }
}

TEMPLATE_LIST_TEST_CASE("mixed sizes take the scratch they say and no less", "[cholesky_vbatched]",
                        precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (const uplo uplo : both) {
    four_calls<T> without(uplo), with(uplo);
    const std::int64_t count = without.a.count();
    CHECK(without.run(test_queue()) == all_done);
    finish();
    const std::size_t bytes[] = {posv_vbatched_work<T>(300, 40, count),
                                 potrs_vbatched_work<T>(300, 40, count), potrf_vbatched_work<T>(300, count),
                                 potri_vbatched_work<T>(300, count)};
    const guarded_work works[] = {guarded_work(bytes[0]), guarded_work(bytes[1]), guarded_work(bytes[2]),
                                  guarded_work(bytes[3])};
    const auto run = [&](std::size_t less) {
      queue q[4];
      for (std::size_t i = 0; i < 4; ++i) {
        q[i] = test_queue();
        q[i].work = works[i].memory.data();
        q[i].work_bytes = bytes[i] - less;
      }
      return std::vector<int>{posv(uplo, with.a, with.b, with.infos[0], 300, 40, q[0]),
                              potrs(uplo, with.a, with.b, with.infos[1], 300, 40, q[1]),
                              potrf(uplo, with.f, with.infos[2], 300, q[2]),
                              potri(uplo, with.f, with.infos[3], 300, q[3])};
    };
    CHECK(run(1) == std::vector<int>(4, err_work));
    finish();
    CHECK(with.untouched());
    CHECK(run(0) == all_done);
    finish();
    CHECK(with.same_results(without));
    for (const guarded_work& work : works) CHECK(work.guard_untouched());
  }
}

TEMPLATE_LIST_TEST_CASE("calls on mixed sizes with and without scratch, small", "[.][sanitize]", precisions) {
  if (!on_cuda()) return;
  for (const uplo uplo : both) {
    four_calls<TestType> calls(uplo);
    const guarded_work work(calls.work_bytes());
    queue q = test_queue();
    CHECK(calls.run(q) == all_done);
    finish();
    calls.restore();
    q.work = work.memory.data();
    q.work_bytes = work.bytes;
    CHECK(calls.run(q) == all_done);
    finish();
    CHECK(work.guard_untouched());
  }
}
#endif
