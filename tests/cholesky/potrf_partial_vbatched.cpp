// Needs: potrf_partial

// potrf_partial and potrf_partial_split of fronts that each have their own size: what they compute, what is
// illegal among them, and what they promise of bits, memory and streams. Every case runs on the backend under
// test.
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cholesky/fronts.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Orders around the borders that kernels may have; any number of columns eliminated, none and all, too.
std::vector<front_size> some_fronts(std::int64_t count, int largest, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<front_size> fronts;
  for (const int n : some_sizes(count, largest, seed)) {
    const std::size_t b = fronts.size();
    const int k = static_cast<int>(generator() % static_cast<unsigned>(n + 1));
    fronts.push_back({n, b % 7 == 3 ? n : b % 7 == 5 ? 0 : k});
  }
  return fronts;
}

template <class T>
void eliminate_known(const std::vector<front_size>& fronts, uplo uplo, int more, bool bounds_known) {
  std::vector<known_front<T>> known;
  std::vector<slab<T>> all;
  std::vector<int> columns;
  for (std::size_t b = 0; b < fronts.size(); ++b) {
    known.emplace_back(fronts[b], static_cast<unsigned>(b));
    all.emplace_back(fronts[b].n, fronts[b].n, ld_of(fronts[b].n, b), 1);
    all.back().put_triangle(0, known[b].A, uplo);
    columns.push_back(fronts[b].k);
  }
  for (const layout as : layouts) {
    CAPTURE(static_cast<char>(uplo), as == layout::split, more, bounds_known);
    mixed_fronts<T> batch(all, columns, uplo);
    REQUIRE(batch.run(as, bounds_known ? bounds_of(fronts, as, more) : size_bounds{}) == 0);
    const std::vector<slab<T>> left = batch.left(as);
    CHECK(all_zero(batch.info.download()));
    for (std::size_t b = 0; b < fronts.size(); ++b) {
      CAPTURE(b, fronts[b].n, fronts[b].k);
      if (fronts[b].k == 0) {
        CHECK(left[b].same_bits(all[b]));
      } else {
        CHECK(left[b].get_lower(0, uplo) == known[b].left);
      }
    }
  }
}

template <class T>
void eliminate_and_check(const std::string& kind, const std::vector<front_size>& fronts, uplo uplo, layout as,
                         const size_bounds& most) {
  CAPTURE(kind, fronts.size(), static_cast<char>(uplo), as == layout::split, most.n, most.k);
  library<T> A(kind);
  mixed_fronts<T> batch(A, fronts, uplo);
  REQUIRE(batch.run(as, most) == 0);
  const std::vector<slab<T>> left = batch.left(as);
  CHECK(all_zero(batch.info.download()));
  for (std::size_t b = 0; b < fronts.size(); ++b) {
    const front_size& f = fronts[b];
    CAPTURE(b, f.n, f.k);
    if (f.k > 0)
      CHECK(front_ratio(A(f.n, b), left[b].get_lower(0, uplo), f.n, f.k) < threshold);
    else
      CHECK(left[b].same_bits(batch.A.host[b]));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("potrf_partial of mixed sizes gives exact factors and Schur complements",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  const std::vector<front_size> all{{0, 0}, {3, 2},    {16, 16}, {1, 0},    {33, 20}, {1, 1},
                                    {8, 3}, {130, 65}, {100, 0}, {64, 32},  {65, 1},  {12, 12},
                                    {0, 0}, {40, 39},  {17, 9},  {200, 150}};
  for (const uplo uplo : both) {
    eliminate_known<T>(all, uplo, 0, true);
    eliminate_known<T>(all, uplo, 7, true);
    eliminate_known<T>(all, uplo, 0, false);
    eliminate_known<T>({{5, 2}}, uplo, 0, true);
    eliminate_known<T>({{5, 0}, {0, 0}, {9, 0}}, uplo, 0, true);  // k_max = 0
    eliminate_known<T>({{5, 5}, {0, 0}, {9, 9}}, uplo, 0, true);  // n2_max = 0
    eliminate_known<T>({{0, 0}, {0, 0}}, uplo, 0, true);
    eliminate_known<T>({{0, 0}, {7, 0}}, uplo, 0, false);
    eliminate_known<T>(some_fronts(65, 65, 3), uplo, 1, true);
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial of mixed sizes is backward stable on every kind of matrix",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  unsigned seed = 0;
  for (const std::string& kind : kinds()) {
    for (const std::int64_t count : {1, 2, 31, 33}) {
      for (const layout as : layouts) {
        const int largest = kind == "random" && count == 33 ? 300 : kind == "exact" ? 64 : 130;
        const std::vector<front_size> fronts = some_fronts(count, largest, ++seed);
        const size_bounds bounds[] = {bounds_of(fronts, as), bounds_of(fronts, as, 70), {}};
        eliminate_and_check<T>(kind, fronts, both[seed / 2 % 2], as, bounds[seed % 3]);
      }
    }
  }
  for (const layout as : layouts) {
    const std::vector<front_size> many = some_fronts(600, 33, 8);
    eliminate_and_check<T>("random", many, uplo::lower, as, bounds_of(many, as));
  }
}

TEMPLATE_LIST_TEST_CASE("on the host potrf_partial of mixed sizes gets the bits of one front alone",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  if (on_cuda()) return;
  const std::vector<front_size> fronts = some_fronts(41, 130, 6);
  for (const uplo uplo : both) {
    library<T> A("condition");
    for (const layout as : layouts) {
      mixed_fronts<T> batch(A, fronts, uplo);
      REQUIRE(batch.run(as, bounds_of(fronts, as)) == 0);
      const std::vector<slab<T>> left = batch.left(as);
      for (std::size_t b = 0; b < fronts.size(); ++b) {
        CAPTURE(static_cast<char>(uplo), as == layout::split, b, fronts[b].n, fronts[b].k);
        const eliminated<T> alone(layout::whole, call_form::strided, uplo, fronts[b].k, batch.A.host[b]);
        CHECK(left[b].same_bits(alone.fronts));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial of mixed sizes gives the same bits again, and wherever a front stands",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  const std::vector<front_size> fronts = some_fronts(64, 100, 9);
  for (const uplo uplo : both) {
    for (const layout as : layouts) {
      CAPTURE(static_cast<char>(uplo), as == layout::split);
      library<T> A("random");
      mixed_fronts<T> first(A, fronts, uplo), again(A, fronts, uplo);
      const size_bounds most = bounds_of(fronts, as);
      REQUIRE(first.run(as, most) == 0);
      REQUIRE(again.run(as, most) == 0);
      const std::vector<slab<T>> left = first.left(as);
      CHECK(same_bits(left, again.left(as)));
      // The other way round; what library and leading dimensions make of a place stays with the front.
      std::vector<slab<T>> reversed(first.A.host.rbegin(), first.A.host.rend());
      const std::vector<int> columns(first.columns.rbegin(), first.columns.rend());
      mixed_fronts<T> backwards(reversed, columns, uplo);
      REQUIRE(backwards.run(as, most) == 0);
      const std::vector<slab<T>> left_backwards = backwards.left(as);
      for (std::size_t b = 0; b < left.size(); ++b)
        CHECK(left[b].same_bits(left_backwards[left.size() - 1 - b]));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial of mixed sizes reports failures, and harms no neighbour",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  const std::vector<front_size> fronts = some_fronts(70, 130, 5);
  for (const uplo uplo : both) {
    for (const layout as : layouts) {
      CAPTURE(static_cast<char>(uplo), as == layout::split);
      library<T> A("random");
      mixed_fronts<T> healthy(A, fronts, uplo);
      REQUIRE(healthy.run(as, bounds_of(fronts, as)) == 0);
      const std::vector<slab<T>> without = healthy.left(as);

      std::vector<slab<T>> spoilt = healthy.A.host;
      std::vector<int> expected(fronts.size());
      for (std::size_t b = 1; b < fronts.size(); b += 3) {
        const int k = fronts[b].k, end = fronts[b].n - 1;
        const T pivots[] = {T(-1), nan_of<T>(), T(0)};
        const int where[] = {k / 2, k - 1, 0};
        const std::size_t i = b / 3 % 3;
        if (k == 0) continue;
        if (b % 2 == 0 && end >= k) {
          spoilt[b].at(0, end, end) = T(-1);  // no pivot
        } else {
          spoilt[b].at(0, where[i], where[i]) = pivots[i];
          expected[b] = where[i] + 1;
        }
      }
      mixed_fronts<T> batch(spoilt, healthy.columns, uplo);
      REQUIRE(batch.run(as, bounds_of(fronts, as)) == 0);
      const std::vector<slab<T>> left = batch.left(as);
      CHECK(batch.info.download() == expected);
      for (std::size_t b = 0; b < fronts.size(); ++b) {
        CAPTURE(b, fronts[b].n, fronts[b].k, expected[b]);
        if (expected[b] > 0) {
          const int pivot = expected[b] - 1;
          CHECK_FALSE(std::real(left[b].at(0, pivot, pivot)) > 0);
        } else if (spoilt[b].same_bits(healthy.A.host[b])) {
          CHECK(left[b].same_bits(without[b]));
        }
      }
    }
  }
}

namespace {

/// Something illegal about a front, and what info says of it; 0: legal. ld_less: by how much a leading
/// dimension is below what is legal. A21's rows and columns change places with the triangle.
struct illegal {
  const char* what;
  int n, k, lda_less;  // potrf_partial: order, columns to eliminate
  bool no_A;
  int info;
};
struct illegal_split {
  const char* what;
  int k, n2, ld_less[3];  // of A11, A21, A22
  bool missing[3];
  int info;
};

/// What is really there of a front whose extent is illegal or beyond all memory.
int real_extent(int extent) { return extent < 0 || extent > 100 ? 4 : extent; }

}  // namespace

TEMPLATE_LIST_TEST_CASE("illegal fronts among legal ones are left alone and told by number",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  const int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  const std::vector<illegal> cases{{"nothing", 7, 3, 0, false, 0},
                                   {"n", -1, 0, 0, false, -2},
                                   {"n, the least", least, 0, 0, false, -2},
                                   {"nothing", 33, 20, 0, false, 0},
                                   {"k", 9, -1, 0, false, -3},
                                   {"k above n", 9, 10, 0, false, -3},
                                   {"k above an empty one", 0, 1, 0, false, -3},
                                   {"no A", 9, 4, 0, true, -4},
                                   {"no A for no columns", 9, 0, 0, true, -4},
                                   {"lda", 17, 5, 1, false, -5},
                                   {"n is more than memory", most, 5, 1, false, -5},
                                   {"lda of an empty one", 0, 0, 1, false, -5},
                                   {"nothing, empty", 0, 0, 0, true, 0},
                                   {"nothing, no columns", 12, 0, 0, false, 0},
                                   {"nothing, all columns", 20, 20, 0, false, 0},
                                   {"above n_max", 41, 5, 0, false, -8},
                                   {"above k_max", 40, 21, 0, false, -9},
                                   {"n, then all others", -3, 90, 5, true, -2},
                                   {"k, then all others", 50, 51, 1, true, -3},
                                   {"A, then others", 50, 30, 1, true, -4},
                                   {"n_max, then k_max", 50, 30, 0, false, -8},
                                   {"nothing", 40, 20, 0, false, 0}};
  std::vector<front_size> there;
  for (const illegal& c : cases) {
    const int n = real_extent(c.n);
    there.push_back({n, std::clamp(c.k, 0, n)});
  }
  for (const uplo uplo : both) {
    for (const bool bounds_known : {true, false}) {
      library<T> A("random");
      mixed_fronts<T> batch(A, there, uplo);
      std::vector<int> expected;
      for (std::size_t b = 0; b < cases.size(); ++b) {
        const illegal& c = cases[b];
        batch.A.columns[b] = c.n;
        batch.columns[b] = c.k;
        if (c.lda_less > 0) batch.A.lds[b] = std::max(1, c.n) - c.lda_less;
        if (c.no_A) batch.A.starts[b] = nullptr;
        expected.push_back(!bounds_known && c.info <= -8 ? 0 : c.info);
      }
      batch.upload();
      REQUIRE(batch.run(layout::whole, bounds_known ? size_bounds{-1, 40, 20, -1} : size_bounds{}) == 0);
      finish();
      CHECK(batch.info.download() == expected);
      const std::vector<slab<T>> left = batch.A.download();
      for (std::size_t b = 0; b < cases.size(); ++b) {
        CAPTURE(static_cast<char>(uplo), bounds_known, b, cases[b].what);
        if (expected[b] != 0 || cases[b].n == 0 || cases[b].k == 0)
          CHECK(left[b].same_bits(batch.A.host[b]));
        else
          CHECK(front_ratio(A(there[b].n, b), left[b].get_lower(0, uplo), there[b].n, there[b].k) <
                threshold);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("illegal fronts in blocks among legal ones are left alone and told by number",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  const int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  const std::vector<illegal_split> cases{
      {"nothing", 3, 4, {0, 0, 0}, {false, false, false}, 0},
      {"k", -1, 4, {0, 0, 0}, {false, false, false}, -2},
      {"k, the least", least, 4, {0, 0, 0}, {false, false, false}, -2},
      {"n2", 3, -1, {0, 0, 0}, {false, false, false}, -3},
      {"n2, the least", 3, least, {0, 0, 0}, {false, false, false}, -3},
      {"nothing", 20, 13, {0, 0, 0}, {false, false, false}, 0},
      {"no A11", 5, 6, {0, 0, 0}, {true, false, false}, -4},
      {"lda11", 5, 6, {1, 0, 0}, {false, false, false}, -5},
      {"no A21", 5, 6, {0, 0, 0}, {false, true, false}, -6},
      {"lda21", 5, 6, {0, 1, 0}, {false, false, false}, -7},
      {"no A22", 5, 6, {0, 0, 0}, {false, false, true}, -8},
      {"no A22 for no columns", 0, 6, {0, 0, 0}, {false, false, true}, -8},
      {"lda22", 5, 6, {0, 0, 1}, {false, false, false}, -9},
      {"k is more than memory", most, 6, {1, 0, 0}, {false, false, false}, -5},
      {"n2 is more than memory", 5, most, {0, 0, 1}, {false, false, false}, -9},
      {"lda11 of an empty one", 0, 6, {1, 0, 0}, {false, false, false}, -5},
      {"lda22 of an empty one", 5, 0, {0, 0, 1}, {false, false, false}, -9},
      {"nothing, empty", 0, 0, {0, 0, 0}, {true, true, true}, 0},
      {"nothing, no columns", 0, 9, {0, 0, 0}, {true, true, false}, 0},
      {"nothing, all columns", 9, 0, {0, 0, 0}, {false, true, true}, 0},
      {"above k_max", 21, 5, {0, 0, 0}, {false, false, false}, -12},
      {"above n2_max", 5, 31, {0, 0, 0}, {false, false, false}, -13},
      {"k, then all others", -3, -4, {5, 5, 5}, {true, true, true}, -2},
      {"n2, then all others", 4, -4, {1, 1, 1}, {true, true, true}, -3},
      {"A11, then all others", 40, 50, {1, 1, 1}, {true, true, true}, -4},
      {"A21, then others", 40, 50, {0, 1, 1}, {false, true, true}, -6},
      {"k_max, then n2_max", 40, 50, {0, 0, 0}, {false, false, false}, -12},
      {"nothing", 20, 30, {0, 0, 0}, {false, false, false}, 0}};
  std::vector<front_size> there;
  for (const illegal_split& c : cases)
    there.push_back({real_extent(c.k) + real_extent(c.n2), real_extent(c.k)});
  for (const uplo uplo : both) {
    for (const bool bounds_known : {true, false}) {
      library<T> A("random");
      mixed_fronts<T> batch(A, there, uplo);
      mixed<T>* const blocks[] = {&batch.A11, &batch.A21, &batch.A22};
      std::vector<int> expected;
      for (std::size_t b = 0; b < cases.size(); ++b) {
        const illegal_split& c = cases[b];
        const int rows[] = {c.k, uplo == uplo::lower ? c.n2 : c.k, c.n2};
        batch.A11.columns[b] = c.k;
        batch.A22.columns[b] = c.n2;
        for (std::size_t i = 0; i < 3; ++i) {
          // What is there has the leading dimension of its own extents: enough, but where memory is not.
          if (rows[i] > 100) blocks[i]->lds[b] = rows[i];
          if (c.ld_less[i] > 0) blocks[i]->lds[b] = std::max(1, rows[i]) - c.ld_less[i];
          if (c.missing[i]) blocks[i]->starts[b] = nullptr;
        }
        expected.push_back(!bounds_known && c.info <= -12 ? 0 : c.info);
      }
      batch.upload();
      REQUIRE(batch.run(layout::split, bounds_known ? size_bounds{-1, 30, 20, -1} : size_bounds{}) == 0);
      finish();
      CHECK(batch.info.download() == expected);
      const fronts_results<T> left = batch.results();
      for (std::size_t b = 0; b < cases.size(); ++b) {
        CAPTURE(static_cast<char>(uplo), bounds_known, b, cases[b].what);
        if (expected[b] != 0 || cases[b].k == 0) {
          CHECK(left.A11[b].same_bits(batch.A11.host[b]));
          CHECK(left.A21[b].same_bits(batch.A21.host[b]));
          CHECK(left.A22[b].same_bits(batch.A22.host[b]));
          continue;
        }
        front_blocks<T> now = batch.blocks[b];
        now.A11 = left.A11[b];
        now.A21 = left.A21[b];
        now.A22 = left.A22[b];
        CHECK(now.guards_untouched(batch.blocks[b]));
        CHECK(front_ratio(A(there[b].n, b), now.together(batch.A.host[b]).get_lower(0, uplo), there[b].n,
                          there[b].k) < threshold);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("nothing to do among fronts of mixed sizes needs no memory", "[potrf_partial]",
                        precisions) {
  using T = TestType;
  const queue q = test_queue();
  const array<int> zeros(std::vector<int>{0, 0}), ones(std::vector<int>{1, 1});
  for (const uplo uplo : both) {
    for (const int bound : {0, -1}) {
      CAPTURE(static_cast<char>(uplo), bound);
      const array<T*> nulls(std::vector<T*>{nullptr, nullptr});
      T* const* const nowhere = bound == 0 ? nullptr : nulls.data();
      const info_array info(2), info_split(2);
      CHECK(potrf_partial_vbatched<T>(uplo, zeros.data(), zeros.data(), nowhere, ones.data(), info.data(), 2,
                                      bound, bound, q) == 0);
      CHECK(potrf_partial_split_vbatched<T>(uplo, zeros.data(), zeros.data(), nowhere, ones.data(), nowhere,
                                            ones.data(), nowhere, ones.data(), info_split.data(), 2, bound,
                                            bound, q) == 0);
      finish();
      CHECK(all_zero(info.download()));
      CHECK(all_zero(info_split.download()));
    }
    // A bound of 0 for one of them: A11 and A21 are empty, or A21 and A22.
    const slab<T> s = repeated<T>("random", 1, 1, 1).fill(uplo, 1, 1, 2);
    const resident<T> A(s), L(s);
    const info_array info(2), info_all(2);
    CHECK(potrf_partial_split_vbatched<T>(uplo, zeros.data(), ones.data(), nullptr, ones.data(), nullptr,
                                          ones.data(), A.pointers.data(), ones.data(), info.data(), 2, 0, 1,
                                          q) == 0);
    CHECK(potrf_partial_split_vbatched<T>(uplo, ones.data(), zeros.data(), L.pointers.data(), ones.data(),
                                          nullptr, ones.data(), nullptr, ones.data(), info_all.data(), 2, 1,
                                          0, q) == 0);
    finish();
    CHECK(all_zero(info.download()));
    CHECK(all_zero(info_all.download()));
    CHECK(A.download().same_bits(s));
    CHECK(factor_ratio(repeated<T>("random", 1, 1, 1)[0], L.download().get_lower(0, uplo), 1) < threshold);
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial of mixed sizes, small", "[.][sanitize]", precisions) {
  using T = TestType;
  const std::vector<front_size> fronts{{8, 3}, {0, 0}, {70, 33}, {3, 3}, {1, 0}, {33, 8}, {16, 8}, {20, 20}};
  for (const uplo uplo : both) {
    eliminate_known<T>(fronts, uplo, 0, true);
    eliminate_known<T>(fronts, uplo, 0, false);
  }
}

#ifdef TALUS_WITH_CUDA
namespace {

/// Both routines, of both triangles, on operands of their own of the same mixed sizes.
template <class T>
struct every_call : calls_on_mixed_sizes<mixed_fronts<T>, layout> {
  every_call() {
    library<T> A("random");
    const size_bounds& most = most_of_calls;
    for (const uplo uplo : both) {
      for (const layout as : layouts)
        this->calls.push_back({as, std::make_unique<mixed_fronts<T>>(A, some_fronts(33, 200, 4), uplo),
                               as == layout::whole
                                   ? potrf_partial_vbatched_work<T>(most.n, most.k, 33)
                                   : potrf_partial_split_vbatched_work<T>(most.k, most.n, 33)});
    }
    finish();
  }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("potrf_partial of mixed sizes can be captured in a graph and replayed",
                        "[potrf_partial]", precisions) {
  if (on_cuda()) capture_and_replay<every_call<TestType>>();
}

TEMPLATE_LIST_TEST_CASE("potrf_partial of mixed sizes takes the scratch it says and no less",
                        "[potrf_partial]", precisions) {
  if (on_cuda()) check_scratch<every_call<TestType>>();
}
#endif
