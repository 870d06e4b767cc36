// Needs: getrf getrs gesv getri

// LU of mixed sizes: what the nine routines compute, and what they promise of bits, memory and streams. Every
// case runs on the backend under test.
#include "lu/vbatched.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Matrices whose factors are known, some of them singular, some with pivots below a floor of 1.
template <class T>
void factor_known(routine r, const std::vector<shape>& shapes, const size_bounds& most) {
  CAPTURE(static_cast<int>(r), shapes.size(), most.m, most.n, most.k);
  std::vector<known_lu<T>> known;
  std::vector<slab<T>> matrices, sides(shapes.size(), slab<T>(0, 0, 1, 1));
  std::vector<int> columns, lengths;
  std::vector<real_of<T>> floors;
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const shape& s = shapes[b];
    const int k = eliminated(r, s);
    known_shape like{s.m, s.n, k, is_nopiv(r) ? 0 : is_partial(r) ? s.k : s.m};
    if (k > 0 && b % 4 == 1) like.zeros = {k / 2};
    if (k > 0 && b % 4 == 2 && is_nopiv(r)) like.small = {0, k / 2, k - 1};
    known.emplace_back(like, static_cast<unsigned>(b));
    matrices.emplace_back(s.m, s.n, ld_of(s.m, b), 1);
    matrices.back().put(0, known.back().A);
    columns.push_back(s.k);
    lengths.push_back(k);
    floors.push_back(known.back().replaced > 0 ? 1 : 0);
  }
  lu_batch<T> batch(matrices, columns, mixed_pivots::unset(lengths), sides);
  batch.set_floors(floors);
  REQUIRE(batch.run(r, most) == 0);
  const lu_results<T> now = batch.finished(r);
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    CAPTURE(b, shapes[b].m, shapes[b].n, columns[b]);
    CHECK(now.info[b] == known[b].info);
    CHECK(now.A[b].get(0) == known[b].factors);
    if (is_nopiv(r)) {
      CHECK(now.replaced[b] == known[b].replaced);
    } else {
      CHECK(now.ipiv[b] == known[b].ipiv);
    }
  }
}

template <class T>
void factor_and_check(const std::string& kind, const std::vector<shape>& shapes, const size_bounds& most) {
  CAPTURE(kind, shapes.size(), most.m, most.n);
  general_library<T> A(kind);
  const auto batch = operands(routine::getrf, A, shapes);
  REQUIRE(batch->run(routine::getrf, most) == 0);
  const lu_results<T> now = batch->finished(routine::getrf);
  std::map<std::pair<std::pair<int, int>, std::size_t>, std::size_t>
      first;  // of a shape, and of its two matrices
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const auto [m, n, k, nrhs] = shapes[b];
    CAPTURE(b, m, n);
    const auto [found, is_new] = first.try_emplace({{m, n}, b % 2}, b);
    if (is_new) {
      check_pivoted(A(shapes[b], b), now.A[b].get(0), now.ipiv[b], now.info[b], m, n);
    } else {
      CHECK(same(now.A[b].get(0), now.A[found->second].get(0)));
      CHECK(now.ipiv[b] == now.ipiv[found->second]);
    }
  }
}

/// Solutions and inverses.
template <class T>
void solve_and_check(routine r, const std::string& kind, const std::vector<shape>& shapes,
                     const size_bounds& most, op op = op::none) {
  CAPTURE(static_cast<int>(r), kind, shapes.size(), most.n, most.nrhs, static_cast<char>(op));
  general_library<T> A(kind);
  const auto batch = operands(r, A, shapes);
  REQUIRE(batch->run(r, most, test_queue(), op) == 0);
  const lu_results<T> now = batch->finished(r);
  CHECK(all_zero(now.info));
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const int n = shapes[b].n, nrhs = shapes[b].nrhs;
    CAPTURE(b, n, nrhs);
    const dense<T>& matrix = A(shapes[b], b);
    if (takes_sides(r) && nrhs > 0) {
      const double allowed =
          is_nopiv(r) ? std::max(1.0, largest_multiplier(batch->A.host[b].get(0), n, n)) : 1;
      CHECK(solve_ratio(applied(op, matrix, n), now.B[b].get(0), batch->B.host[b].get(0), n, nrhs) <
            threshold * allowed);
    }
    if (r == routine::gesv) check_pivoted(matrix, now.A[b].get(0), now.ipiv[b], now.info[b], n, n);
    if (r == routine::getri) CHECK(inverse_ratio(now.A[b].get(0), matrix, n) < threshold);
    if (r == routine::getri_outofplace) CHECK(inverse_ratio(now.C[b].get(0), matrix, n) < threshold);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("LU of mixed sizes gives exact factors where there are such", "[lu_vbatched]",
                        precisions) {
  for (const routine r : factorizations) {
    unsigned seed = 0;
    for (const std::int64_t count : {1, 2, 31, 33, 300}) {
      const int largest = count < 33 ? 100 : 65;
      const std::vector<shape> shapes = some_shapes(count, largest, ++seed);
      for (const size_bounds& most : {bounds_of(shapes), bounds_of(shapes, 77), size_bounds{}})
        factor_known<TestType>(r, shapes, most);
    }
    const std::vector<shape> shapes = some_shapes(20, 50, 9);  // some bounds known, others not
    const size_bounds known = bounds_of(shapes);
    factor_known<TestType>(r, shapes, {known.m, -1, -1, -1});
    factor_known<TestType>(r, shapes, {-1, known.n, known.k, -1});
  }
}

TEMPLATE_LIST_TEST_CASE("getrf_vbatched is backward stable on every kind of matrix", "[lu_vbatched]",
                        precisions) {
  unsigned seed = 0;
  for (const std::string& kind : general_kinds()) {
    for (const std::int64_t count : {2, 33}) {
      const std::vector<shape> shapes = some_shapes(count, count == 2 ? 257 : 161, ++seed);
      factor_and_check<TestType>(kind, shapes, seed % 2 == 0 ? bounds_of(shapes, 5) : size_bounds{});
    }
  }
  for (const int largest : {8, 33, 70, 600}) {
    const std::vector<shape> shapes = some_shapes(largest == 600 ? 40 : 1000, largest, ++seed);
    factor_and_check<TestType>("random", shapes, bounds_of(shapes));
  }
}

TEMPLATE_LIST_TEST_CASE("solves and inverses of mixed sizes are backward stable", "[lu_vbatched]",
                        precisions) {
  using T = TestType;
  unsigned seed = 0;
  for (const std::int64_t count : {1, 2, 31, 33, 200}) {
    const std::vector<shape> shapes = some_systems(count, count == 31 ? 200 : count < 31 ? 130 : 64, ++seed);
    const size_bounds bounds[] = {bounds_of(shapes), bounds_of(shapes, 9), {}};
    for (const op op : every_op) {
      solve_and_check<T>(routine::getrs, "random", shapes, bounds[seed % 3], op);
      solve_and_check<T>(routine::getrs_nopiv, "dominant", shapes, bounds[(seed + 1) % 3], op);
    }
    for (const routine r : {routine::gesv, routine::getri, routine::getri_outofplace}) {
      solve_and_check<T>(r, "random", shapes, bounds[seed % 3]);
      if (count < 100) solve_and_check<T>(r, "condition", shapes, bounds[(seed + 2) % 3]);
    }
  }
  std::vector<shape> none = some_systems(40, 65, 5);
  for (shape& s : none) s.nrhs = 0;
  for (const routine r : {routine::getrs, routine::getrs_nopiv, routine::gesv})
    solve_and_check<T>(r, "dominant", none, bounds_of(none));
}

// ---- same bits -------------------------------------------------------------------------------------------

namespace {

template <class T>
void permute_and_compare(routine r, const std::vector<shape>& shapes) {
  CAPTURE(static_cast<int>(r), shapes.size());
  general_library<T> A("dominant");
  const size_bounds most = bounds_of(shapes);
  const auto first = operands(r, A, shapes), second = operands(r, A, shapes);
  std::vector<std::size_t> from(shapes.size());
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = i;
  std::shuffle(from.begin(), from.end(), std::mt19937(3));
  std::vector<slab<T>> matrices, sides;
  std::vector<int> columns;
  std::vector<std::vector<int>> pivots;
  for (const std::size_t i : from) {
    matrices.push_back(first->A.host[i]);
    sides.push_back(first->B.host[i]);
    columns.push_back(shapes[i].k);
    pivots.push_back(first->ipiv.host[i]);
  }
  lu_batch<T> moved(matrices, columns, pivots, sides);
  for (slab<T>& matrix : matrices)  // what others leave behind on the chip does not matter
    std::fill(matrix.host.begin(), matrix.host.end(), nan_of<T>());
  lu_batch<T> spoilt(matrices, columns, pivots, sides);
  for (lu_batch<T>* batch : {first.get(), &spoilt, second.get(), &moved}) REQUIRE(batch->run(r, most) == 0);
  finish();
  const lu_results<T> expected = first->results(), again = second->results(), elsewhere = moved.results();
  CHECK(again.same_bits(expected));
  for (std::size_t i = 0; i < from.size(); ++i) {
    CAPTURE(i, from[i], shapes[from[i]].m, shapes[from[i]].n);
    CHECK(elsewhere.same_bits(i, expected, from[i]));
  }
}

template <class T>
int run_equal(routine r, const resident<T>& a, const pivot_array& ipiv, const resident<T>& b,
              const resident<T>& c, const info_array& info) {
  const call_form how = call_form::strided;
  switch (r) {
    case routine::getrf:
      return test::getrf(how, a, ipiv, info);
    case routine::getrf_nopiv:
      return test::getrf_nopiv(how, a, {}, info);
    case routine::getrs:
      return test::getrs(how, op::none, a, ipiv, b, info.data());
    case routine::getrs_nopiv:
      return test::getrs_nopiv(how, op::none, a, b, info.data());
    case routine::gesv:
      return test::gesv(how, a, ipiv, b, info);
    case routine::getri:
      return test::getri(how, a, ipiv, info.data());
    case routine::getri_outofplace:
      return test::getri_outofplace(how, a, ipiv, c, info.data());
    default:
      return 1;  // of the partial ones, those of one shape differ in k
  }
}

/// All matrices of a shape, in a call of their own and among others.
template <class T>
void compare_with_equal(routine r, const std::vector<shape>& shapes) {
  general_library<T> A("dominant");
  const auto batch = operands(r, A, shapes);
  REQUIRE(batch->run(r, {}) == 0);
  const lu_results<T> now = batch->finished(r);
  std::map<std::pair<int, int>, std::vector<std::size_t>> by_shape;
  for (std::size_t b = 0; b < shapes.size(); ++b) by_shape[{shapes[b].m, shapes[b].n}].push_back(b);
  for (const auto& [extents, members] : by_shape) {
    CAPTURE(static_cast<int>(r), extents.first, extents.second, members.size());
    const resident<T> a(joined(batch->A.host, members)), b(joined(batch->B.host, members)),
        c(joined(batch->C.host, members));
    pivot_array ipiv(a.host.count, std::min(extents.first, extents.second));
    std::vector<int> pivots = ipiv.memory.download();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::vector<int>& each = batch->ipiv.host[members[i]];
      std::copy(each.begin(), each.end(), pivots.begin() + static_cast<std::int64_t>(i) * ipiv.stride);
    }
    ipiv.memory.upload(pivots);
    REQUIRE(run_equal(r, a, ipiv, b, c, info_array(a.host.count)) == 0);
    const slab<T> A_equal = a.download(), B_equal = b.download(), C_equal = c.download();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      CHECK(same(now.A[members[i]].get(0), A_equal.get(at)));
      CHECK(same(now.B[members[i]].get(0), B_equal.get(at)));
      CHECK(same(now.C[members[i]].get(0), C_equal.get(at)));
      CHECK(now.ipiv[members[i]] == ipiv.download()[i]);
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("LU of mixed sizes gives the same bits again, and wherever a matrix stands",
                        "[lu_vbatched]", precisions) {
  using T = TestType;
  for (const routine r : every_routine) {
    const bool square = takes_factors(r) || takes_sides(r);
    for (const auto& [count, largest] : {std::pair{37, 130}, {300, 33}})
      permute_and_compare<T>(r, square ? some_systems(count, largest, 3) : some_shapes(count, largest, 3));
  }
}

TEMPLATE_LIST_TEST_CASE("on the host LU of mixed sizes gets the bits of equal ones", "[lu_vbatched]",
                        precisions) {
  if (on_cuda()) return;
  // So many of each shape: their number decides which way they go.
  const std::pair<shape, int> counts[] = {{{1, 1, 0, 2}, 1},      {{5, 5, 0, 1}, 40},   {{32, 32, 0, 3}, 3},
                                          {{33, 33, 0, 3}, 1},    {{40, 40, 0, 2}, 17}, {{64, 64, 0, 1}, 33},
                                          {{70, 70, 0, 1}, 2},    {{71, 71, 0, 1}, 9},  {{9, 5, 0, 0}, 20},
                                          {{5, 9, 0, 0}, 20},     {{33, 8, 0, 0}, 3},   {{129, 129, 0, 2}, 3},
                                          {{100, 100, 0, 1}, 17}, {{70, 33, 0, 0}, 1}};
  std::vector<shape> shapes, squares;
  for (const auto& [s, count] : counts) shapes.insert(shapes.end(), static_cast<std::size_t>(count), s);
  std::shuffle(shapes.begin(), shapes.end(), std::mt19937(9));
  std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(squares),
               [](const shape& s) { return s.m == s.n; });
  for (const routine r : every_routine) {
    if (!is_partial(r))
      compare_with_equal<TestType>(r, takes_factors(r) || takes_sides(r) ? squares : shapes);
  }
}

// ---- batches of nothing, of very many, of one that is much larger ----------------------------------------

TEMPLATE_LIST_TEST_CASE("nothing to do among mixed sizes of LU needs no memory", "[lu_vbatched]",
                        precisions) {
  using T = TestType;
  using R = real_of<T>;
  const queue q = test_queue();
  const std::size_t count = 100;
  const auto b = static_cast<std::int64_t>(count);
  const array<int> zeros(std::vector<int>(count, 0)), ones(std::vector<int>(count, 1));
  const int *z = zeros.data(), *o = ones.data();
  const array<T*> nulls(std::vector<T*>(count, nullptr));
  const array<int*> null_pivots(std::vector<int*>(count, nullptr));
  for (const bool arrays : {true, false}) {
    T* const* const p = arrays ? nulls.data() : nullptr;
    int* const* const v = arrays ? null_pivots.data() : nullptr;
    for (const int most : {0, 5, -1}) {
      if (!arrays && most != 0) continue;
      CAPTURE(arrays, most);
      std::vector<std::unique_ptr<info_array>> infos;
      const auto next = [&] {
        infos.push_back(std::make_unique<info_array>(b));
        return infos.back()->data();
      };
      int* replaced = next();
      CHECK(getrf_vbatched<T>(z, z, p, o, v, next(), b, most, most, q) == 0);
      CHECK(getrf_vbatched<T>(o, z, p, o, v, next(), b, 1, most, q) == 0);
      CHECK(getrf_nopiv_vbatched<T>(z, z, p, o, R(1), nullptr, replaced, next(), b, most, most, q) == 0);
      CHECK(getrf_partial_vbatched<T>(z, z, z, p, o, v, next(), b, most, most, most, q) == 0);
      CHECK(getrf_partial_nopiv_vbatched<T>(z, z, z, p, o, R(1), nullptr, nullptr, next(), b, most, most,
                                            most, q) == 0);
      CHECK(getrs_vbatched<T>(op::trans, z, o, p, o, v, p, o, next(), b, most, 1, q) == 0);
      CHECK(getrs_nopiv_vbatched<T>(op::none, z, o, p, o, p, o, next(), b, most, 1, q) == 0);
      CHECK(gesv_vbatched<T>(z, o, p, o, v, p, o, next(), b, most, 1, q) == 0);
      CHECK(getri_vbatched<T>(z, p, o, v, next(), b, most, q) == 0);
      CHECK(getri_outofplace_vbatched<T>(z, p, o, v, p, o, next(), b, most, q) == 0);
      finish();
      for (const auto& info : infos) CHECK(all_zero(info->download()));
    }
  }
}

#ifdef TALUS_HAVE_D
namespace {

/// L is 1/2 below its diagonal, U is x in its first row and 1 in the others; the last row comes first, so
/// each step finds its pivot one row below.
double rotated_element(int i, int j, int n, double x) {
  const int row = (i + n - 1) % n;  // of L U
  const double first = row == 0 ? x : x / 2;
  if (row == 0) return first;
  return first + (row <= j ? 1 + (row - 1) / 2.0 : j / 2.0);
}
double rotated_factor(int i, int j, double x) { return i > j ? 0.5 : i == 0 ? x : 1; }

}  // namespace
#endif

TEST_CASE("getrf_vbatched factors many matrices of orders 0 to 8 in one call", "[lu_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::int64_t count = on_cuda() ? 1'000'000 : 200'000;
  const auto order = [](std::int64_t b) { return static_cast<int>(b * 7919 % 1009 % 9); };
  const auto value = [](std::int64_t b) { return static_cast<double>(1 << b % 7); };
  std::vector<int> n, lda;
  std::vector<double> host;
  std::vector<std::ptrdiff_t> start;
  for (std::int64_t b = 0; b < count; ++b) {
    const int m = order(b);
    n.push_back(m);
    lda.push_back(std::max(1, m));
    start.push_back(static_cast<std::ptrdiff_t>(host.size()));
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i) host.push_back(rotated_element(i, j, m, value(b)));
    }
  }
  const array<double> memory(host);
  const array<int> ipiv(static_cast<std::size_t>(8 * count));
  std::vector<double*> starts;
  std::vector<int*> pivots;
  for (const std::ptrdiff_t s : start) {
    starts.push_back(memory.data() + s);
    pivots.push_back(ipiv.data() + 8 * static_cast<std::ptrdiff_t>(pivots.size()));
  }
  const array<double*> pointers(starts);
  const array<int*> ipiv_pointers(pivots);
  const array<int> sizes(n), ld(lda);
  const info_array info(count);
  REQUIRE(getrf_vbatched(sizes.data(), sizes.data(), pointers.data(), ld.data(), ipiv_pointers.data(),
                         info.data(), count, 8, 8, test_queue()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  host = memory.download();
  const std::vector<int> exchanges = ipiv.download();
  std::int64_t wrong = 0;
  for (std::int64_t b = 0; b < count; ++b) {
    const int m = order(b);
    for (int j = 0; j < m; ++j) {
      wrong += exchanges[static_cast<std::size_t>(8 * b + j)] != std::min(j + 2, m);
      for (int i = 0; i < m; ++i)
        wrong += host[static_cast<std::size_t>(start[static_cast<std::size_t>(b)] + i + j * m)] !=
                 rotated_factor(i, j, value(b));
    }
  }
  CHECK(wrong == 0);
#endif
}

TEST_CASE("one large matrix among many of order 4 is factored by LU", "[lu_vbatched]") {
#ifdef TALUS_HAVE_D
  const std::size_t count = on_cuda() ? 100'001 : 10'001, where = count / 3;
  const int large = on_cuda() ? 2048 : 700;
  std::vector<slab<double>> all;
  std::vector<int> lengths, columns(count, 0);
  for (std::size_t b = 0; b < count; ++b) {
    const int n = b == where ? large : 4;
    slab<double> s(n, n, n + static_cast<int>(b % 2), 1);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) s.at(0, i, j) = rotated_element(i, j, n, 2);
    }
    all.push_back(std::move(s));
    lengths.push_back(n);
  }
  lu_batch<double> batch(all, columns, mixed_pivots::unset(lengths),
                         std::vector<slab<double>>(count, slab<double>(0, 0, 1, 1)));
  REQUIRE(batch.run(routine::getrf, {large, large, -1, -1}) == 0);
  finish();
  const lu_results<double> now = batch.results();
  CHECK(all_zero(now.info));
  std::int64_t wrong = 0;
  for (std::size_t b = 0; b < count; ++b) {
    const slab<double>& s = now.A[b];
    for (int j = 0; j < s.n; ++j) {
      wrong += now.ipiv[b][static_cast<std::size_t>(j)] != std::min(j + 2, s.n);
      for (int i = 0; i < s.n; ++i) wrong += s.at(0, i, j) != rotated_factor(i, j, 2);
    }
    if (b % 100 == 0 || b == where) wrong += !s.guards_untouched(all[b]);
  }
  CHECK(wrong == 0);
#endif
}

TEMPLATE_LIST_TEST_CASE("LU of mixed sizes, small", "[.][sanitize]", precisions) {
  using T = TestType;
  const std::vector<shape> shapes{{8, 8, 3, 0}, {0, 5, 0, 0},   {70, 70, 33, 0}, {3, 3, 3, 0},
                                  {1, 1, 0, 0}, {33, 9, 8, 0},  {16, 16, 8, 0},  {9, 33, 9, 0},
                                  {8, 8, 8, 0}, {20, 20, 20, 0}};
  const std::vector<shape> systems = some_systems(9, 70, 3);
  for (const routine r : every_routine) {
    for (const bool bounds_known : {true, false}) {
      if (takes_factors(r) || takes_sides(r)) {
        for (const op op : every_op) {
          if (op != op::none && (r == routine::gesv || !takes_sides(r))) continue;
          solve_and_check<T>(r, "dominant", systems, bounds_known ? bounds_of(systems) : size_bounds{}, op);
        }
      } else {
        factor_known<T>(r, shapes, bounds_known ? bounds_of(shapes) : size_bounds{});
      }
    }
    permute_and_compare<T>(r, systems);
  }
}

#ifdef TALUS_WITH_CUDA
namespace {

/// Each routine once, on operands of its own of the same mixed sizes.
template <class T>
struct every_call : calls_on_mixed_sizes<lu_batch<T>, routine> {
  every_call() {
    general_library<T> A("dominant");
    const std::vector<shape> shapes = some_systems(33, 200, 4);
    for (const routine r : every_routine)
      this->calls.push_back({r, operands(r, A, shapes), work_bytes<T>(r, most_of_calls, 33)});
    finish();
  }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("calls of LU on mixed sizes can be captured in a graph and replayed", "[lu_vbatched]",
                        precisions) {
  if (on_cuda()) capture_and_replay<every_call<TestType>>();
}

TEMPLATE_LIST_TEST_CASE("LU of mixed sizes takes the scratch it says and no less", "[lu_vbatched]",
                        precisions) {
  if (on_cuda()) check_scratch<every_call<TestType>>();
}

TEMPLATE_LIST_TEST_CASE("calls of LU on mixed sizes with and without scratch, small", "[.][sanitize]",
                        precisions) {
  if (!on_cuda()) return;
  every_call<TestType> calls;
  const guarded_work work(calls.most_work_bytes());
  queue q = test_queue();
  CHECK(calls.run(q) == calls.all_done());
  finish();
  calls.restore();
  q.work = work.memory.data();
  q.work_bytes = work.bytes;
  CHECK(calls.run(q) == calls.all_done());
  finish();
  CHECK(work.guard_untouched());
}
#endif
