// Needs: getrf gesv

// The lines of LU's tables on the GPU: each kernel by itself, at the corners of its box; and those of mixed
// sizes, with the bits of the same kernel on equal ones.
#include "lines.hpp"
#include "batched/lu/gesv.hpp"
#include "batched/lu/getrf.hpp"
#include "catch.hpp"
#include "lu/lu.hpp"
#include "lu/vbatched.hpp"
#include "vbatched/lu/getrf.hpp"

#ifdef TALUS_WITH_CUDA

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace talus;
using namespace talus::test;

namespace {

constexpr pivoting both_pivotings[] = {pivoting::partial, pivoting::none};

/// The bound of one of a line's extents; where it has none, something beyond the line above it.
template <class Tables, class T>
int upper_bound_of(int line, int extent) {
  const auto bound = [extent](int l) { return Tables::template at<T>(l).bounds[extent]; };
  if (bound(line) != cuda::any_extent) return bound(line);
  return line == 0 || bound(line - 1) == cuda::any_extent ? 100 : bound(line - 1) + 77;
}

/// More rows than this take too long to be tried in every way.
constexpr int many_rows = 2000;

/// Extents that a line is run at: the borders of its box, or where these are far apart some.
std::set<int> extents_upto(int most) {
  return most > many_rows ? std::set<int>{0, 1, 150, most} : borders(most);
}

/// Matrices of known factors, and what a call says of them: without row exchanges the second has pivots below
/// a floor of 1; the third is singular.
template <class T>
struct known_batch {
  static constexpr int distinct = 3;

  known_batch(pivoting how_, const shape& s, bool partial_, std::int64_t count, int ld, int gap)
      : how(how_),
        partial(partial_),
        k(partial ? s.k : std::min(s.m, s.n)),
        before(s.m, s.n, ld, count, gap),
        floors(std::vector<real_of<T>>(floors_of(count))) {
    for (int i = 0; i < distinct; ++i) {
      known_shape like{s.m, s.n, k, how == pivoting::none ? 0 : partial ? k : s.m};
      if (how == pivoting::none && i == 1 && k > 0) like.small = {0, k / 2, k - 1};
      if (i == 2 && k > 0) like.zeros = {k / 2};
      known.emplace_back(like, static_cast<unsigned>(i));
    }
    for (std::int64_t b = 0; b < count; ++b) before.put(b, of(b).A);
  }
  const known_lu<T>& of(std::int64_t b) const { return known[static_cast<std::size_t>(b % distinct)]; }
  static std::vector<real_of<T>> floors_of(std::int64_t count) {
    std::vector<real_of<T>> all;
    for (std::int64_t b = 0; b < count; ++b) all.push_back(b % distinct == 1 ? 1 : 0);
    return all;
  }
  eliminations<real_of<T>> each(vectors<int> ipiv, int* replaced) const {
    eliminations<real_of<T>> all;
    if (how == pivoting::partial) all.ipiv = ipiv;
    if (how == pivoting::none) all.floors = floors.data(), all.replaced = replaced;
    all.partial = partial;
    all.k = k;
    return all;
  }
  /// Bit for bit, and nothing beside.
  void check(const slab<T>& after, const std::vector<std::vector<int>>& pivots, const std::vector<int>& infos,
             const std::vector<int>& replaced) const {
    CHECK(after.guards_untouched(before));
    CHECK(position_does_not_matter(after, distinct));
    bool all = true;
    for (std::int64_t b = 0; b < after.count; ++b) {
      const auto at = static_cast<std::size_t>(b);
      if (b < distinct) {
        CAPTURE(b);
        CHECK(after.get(b) == of(b).factors);
      }
      all = all && infos[at] == of(b).info &&
            (how == pivoting::none ? replaced[at] == of(b).replaced : pivots[at] == of(b).ipiv);
    }
    CHECK(all);
  }

  pivoting how;
  bool partial;
  int k;
  std::vector<known_lu<T>> known;
  slab<T> before;
  array<real_of<T>> floors;
};

/// One line of the table at one size, in both forms of a batch. The matrices lie one behind the other if
/// there is no gap.
template <class T>
void run_line(int line, pivoting how, const shape& s, bool partial, std::int64_t count, int gap) {
  CAPTURE(line, static_cast<int>(how), s.m, s.n, s.k, partial, count, gap);
  const int ld = std::max(1, s.m) + (gap == 0 ? 0 : 3);
  const known_batch<T> known(how, s, partial, count, ld, gap);
  const resident<T> strided(known.before), pointers(known.before);
  for (const call_form form : forms) {
    const pivot_array ipiv(count, known.k);
    const info_array info(count), replaced(count);
    const resident<T>& memory = form == call_form::strided ? strided : pointers;
    const batch<T> A = form == call_form::strided
                           ? strided_batch(memory.memory.data(), s.m, s.n, ld, known.before.stride, count)
                           : pointer_batch(memory.pointers.data(), s.m, s.n, ld, count);
    const vectors<int> pivots = form == call_form::strided ? strided_vectors(ipiv.memory.data(), ipiv.stride)
                                                           : pointer_vectors<int>(ipiv.pointers.data());
    REQUIRE(cuda::getrf_at(line, how, A, known.each(pivots, replaced.data()), info.data(), test_queue()) ==
            0);
    finish();
    known.check(memory.download(), ipiv.download(), info.download(), replaced.download());
  }
  CHECK(strided.download().same_bits(pointers.download()));
}

/// Matrices whose factors are not known: LAPACK's ratio, and a NaN among them.
template <class T>
void run_line_on_random(int line, pivoting how, int m, int n) {
  CAPTURE(line, static_cast<int>(how), m, n);
  const std::int64_t count = 5;
  const int k = std::min(m, n);
  const repeated_general<T> A(how == pivoting::none ? "dominant" : "random", m, n, 1, 3);
  slab<T> s = A.fill(m, count);
  s.at(1, m - 1, k - 1) = nan_of<T>();
  s.at(3, k / 2, k / 2) = nan_of<T>();
  const resident<T> memory(s);
  const pivot_array ipiv(count, k);
  const info_array info(count);
  eliminations<real_of<T>> each;
  if (how == pivoting::partial) each.ipiv = strided_vectors(ipiv.memory.data(), ipiv.stride);
  REQUIRE(cuda::getrf_at(line, how, strided_batch(memory.memory.data(), m, n, m, s.stride, count), each,
                         info.data(), test_queue()) == 0);
  finish();
  const int last = how == pivoting::partial || m == k ? k : 0;
  CHECK(info.download() == std::vector<int>{0, last, 0, k / 2 + 1, 0});
  const slab<T> after = memory.download();
  CHECK(after.same_bits(2, after, 0));
  CHECK(after.same_bits(4, after, 0));
  const std::vector<int> exchanges = how == pivoting::partial ? ipiv.download()[0] : std::vector<int>{};
  if (how == pivoting::partial) {
    check_pivoted(A[0], after.get(0), exchanges, 0, m, n);
  } else {
    CHECK(lu_ratio(A[0], after.get(0), {}, m, n) < threshold);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of getrf's table works at the corners of its box", "[getrf][table]",
                        precisions) {
  using T = TestType;
  using tables = cuda::getrf_tables;
  if (!on_cuda()) return;
  std::set<std::vector<int>> run;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const auto& kernel = tables::at<T>(line).kernel;
    const bool any_size = std::holds_alternative<cuda::lu::column_blocks>(kernel);
    if (any_size && !run.insert(parameters_of(kernel)).second) continue;  // its box says nothing to it
    const int most_m = upper_bound_of<tables, T>(line, 0), most_n = upper_bound_of<tables, T>(line, 1);
    const int tbc = tbc_of(kernel);
    for (const int m : extents_upto(most_m)) {
      for (const int n : extents_upto(most_n)) {
        const bool largest = m == most_m && n == most_n;
        if (m > many_rows && !largest) continue;
        for (const std::int64_t count : std::set<std::int64_t>{1, std::max(1, tbc - 1), tbc + 1, 1000}) {
          if (count == 1000 && (!largest || m * n > 8000)) continue;
          if (count > 1 && m > many_rows) continue;
          for (const pivoting how : both_pivotings)
            run_line<T>(line, how, {m, n, 0, 0}, false, count, count == tbc + 1 ? 5 : 0);
        }
        const int k = std::min(m, n);
        for (const int columns : std::set<int>{1, k / 2, k - 1, k}) {
          if (columns < 0 || columns > k || (m > many_rows && columns != k / 2)) continue;
          for (const pivoting how : both_pivotings) run_line<T>(line, how, {m, n, columns, 0}, true, 5, 5);
        }
        for (const pivoting how : both_pivotings) {
          if (k > 0) run_line_on_random<T>(line, how, m, n);
        }
      }
    }
    if (!any_size) continue;
    for (const pivoting how : both_pivotings) {  // several steps, with columns behind them
      const int m = std::min(most_m, 700);
      run_line<T>(line, how, {m, 900, 0, 0}, false, 3, 5);
      run_line<T>(line, how, {m, 900, 400, 0}, true, 3, 0);
    }
  }
}

/// Small enough for tools that slow a kernel down a hundredfold: lines that share a kernel are run once, with
/// the first that has it.
TEMPLATE_LIST_TEST_CASE("every kernel of getrf's tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  using tables = cuda::getrf_tables;
  if (!on_cuda()) return;
  std::set<std::vector<int>> run;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const auto& kernel = tables::at<T>(line).kernel;
    if (!run.insert(parameters_of(kernel, {"tbc"})).second) continue;
    const int m = upper_bound_of<tables, T>(line, 0), n = upper_bound_of<tables, T>(line, 1);
    for (const pivoting how : both_pivotings) {
      run_line<T>(line, how, {m, n, 0, 0}, false, tbc_of(kernel) + 1, 5);
      run_line<T>(line, how, {m, n, std::min(m, n) / 2, 0}, true, 3, 0);
      run_line_on_random<T>(line, how, m, n);
    }
  }
}

// ---- gesv ------------------------------------------------------------------------------------------------

namespace {

template <class T>
void run_gesv_line(int line, int n, int nrhs, std::int64_t count, int gap) {
  CAPTURE(line, n, nrhs, count, gap);
  const int ld = std::max(1, gap == 0 ? n : n + 1);
  const known_batch<T> known(pivoting::partial, {n, n, 0, 0}, false, count, ld, gap);
  const slab<T> before = right_hand_sides<T>(n, nrhs, n + 2, count, known.distinct);
  const resident<T> a(known.before), b(before);
  const pivot_array ipiv(count, n);
  const info_array info(count);
  REQUIRE(cuda::gesv_at(line, strided_batch(a.memory.data(), n, n, ld, known.before.stride, count),
                        strided_vectors(ipiv.memory.data(), ipiv.stride),
                        strided_batch(b.memory.data(), n, nrhs, before.ld, before.stride, count), info.data(),
                        test_queue()) == 0);
  finish();
  known.check(a.download(), ipiv.download(), info.download(), {});
  const slab<T> X = b.download();
  CHECK(X.guards_untouched(before));
  CHECK(position_does_not_matter(X, known.distinct));
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, known.distinct); ++i) {
    if (known.of(i).info > 0) {
      CHECK(X.same_bits(i, before, i));
    } else if (nrhs > 0) {
      CHECK(solve_ratio(known.of(i).A, X.get(i), before.get(i), n, nrhs) < threshold);
    }
  }
}

/// At the borders of what one launch solves where a line has no bound.
template <class T>
std::set<int> all_nrhs(int line) {
  const int nrhs_max = cuda::gesv_tables::at<T>(line).bounds[1];
  return nrhs_max == cuda::any_extent ? std::set<int>{0, 1, 3, 20} : borders(nrhs_max);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of gesv's table works at its borders", "[gesv][table]", precisions) {
  using T = TestType;
  using tables = cuda::gesv_tables;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const int tbc = tbc_of(tables::at<T>(line).kernel);
    for (const int n : borders(upper_bound_of<tables, T>(line, 0))) {
      for (const std::int64_t count : std::set<std::int64_t>{1, std::max(1, tbc - 1), tbc + 1, 300}) {
        for (const int nrhs : all_nrhs<T>(line)) {
          if (count < 300 || nrhs <= 1) run_gesv_line<T>(line, n, nrhs, count, count == tbc + 1 ? 5 : 0);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every kernel of gesv's tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  using tables = cuda::gesv_tables;
  if (!on_cuda()) return;
  std::set<std::vector<int>> run;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const auto& kernel = tables::at<T>(line).kernel;
    if (!run.insert(parameters_of(kernel, {"tbc", "blocks"})).second) continue;
    for (const int gap : {5, 0})
      run_gesv_line<T>(line, upper_bound_of<tables, T>(line, 0), 3, tbc_of(kernel) + 2, gap);
  }
}

// ---- mixed sizes -----------------------------------------------------------------------------------------

namespace {

/// One line on sizes up to its bounds, as they come or in order, with the bits of the same kernel on equal
/// sizes, where that is in the table of getrf.
template <class T>
void run_mixed_line(int line, pivoting how, int most_m, int most_n, std::size_t count, bool ordered) {
  CAPTURE(line, static_cast<int>(how), most_m, most_n, count, ordered);
  const bool exchanges = how == pivoting::partial;
  const routine r = exchanges ? routine::getrf : routine::getrf_nopiv;
  const std::vector<shape> shapes = shapes_up_to(most_m, most_n, count);
  general_library<T> A(exchanges ? "random" : "dominant");
  const auto mixed = operands(r, A, shapes);
  const variable_batch<T> matrices = {mixed->A.pointers.data(), mixed->A.m.data(), mixed->A.n.data(),
                                      mixed->A.ld.data(), mixed->A.count()};
  eliminations<real_of<T>> each;
  if (exchanges) each.ipiv = pointer_vectors<int>(mixed->ipiv.pointers.data());
  REQUIRE(cuda::getrf_vbatched_by<T>({1, {line}, ordered ? cuda::schedule::ordered : cuda::schedule::direct},
                                     how, matrices, each, mixed->info.data(), most_m, most_n,
                                     test_queue()) == 0);
  const lu_results<T> now = mixed->finished(r);
  CHECK(all_zero(now.info));
  const int same_kernel =
      line_of_same_bounded_kernel<cuda::getrf_tables, T>(cuda::getrf_vbatched_tables::at<T>(line));
  std::set<std::pair<std::pair<int, int>, std::size_t>> checked;
  for (std::size_t b = 0; b < count; ++b) {
    const auto [m, n, k, nrhs] = shapes[b];
    CAPTURE(b, m, n);
    if (m == 0 || n == 0 || !checked.insert({{m, n}, b % 2}).second) continue;
    const dense<T>& matrix = A(shapes[b], b);
    const std::vector<int> pivots = exchanges ? now.ipiv[b] : std::vector<int>{};
    CHECK(lu_ratio(matrix, now.A[b].get(0), pivots, m, n) <
          threshold * growth(matrix, now.A[b].get(0), m, n));
    if (same_kernel < 0) continue;
    slab<T> s(m, n, m + 1, 2);
    for (const int i : {0, 1}) s.put(i, matrix);
    const resident<T> equal(s);
    const pivot_array ipiv(2, std::min(m, n));
    const info_array info(2);
    eliminations<real_of<T>> of_equal;
    if (exchanges) of_equal.ipiv = strided_vectors(ipiv.memory.data(), ipiv.stride);
    REQUIRE(cuda::getrf_at(same_kernel, how, pointer_batch(equal.pointers.data(), m, n, s.ld, 2), of_equal,
                           info.data(), test_queue()) == 0);
    finish();
    CHECK(same(now.A[b].get(0), equal.download().get(1)));
    if (exchanges) CHECK(now.ipiv[b] == ipiv.download()[1]);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of getrf_vbatched's table gives the bits of getrf's", "[lu_vbatched]",
                        precisions) {
  using T = TestType;
  using tables = cuda::getrf_vbatched_tables;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const int m = upper_bound_of<tables, T>(line, 0), n = upper_bound_of<tables, T>(line, 1);
    for (const pivoting how : both_pivotings) {
      for (const std::size_t count : {1, 3, 37, 500}) {
        if (count == 500 && m > 64) continue;
        run_mixed_line<T>(line, how, m, n, count, false);
        if (count == 37) run_mixed_line<T>(line, how, m, n, count, true);
      }
    }
  }
}

/// A launch of a filtered class also reads the sizes of empty matrices, illegal matrices and matrices of
/// other classes.
TEMPLATE_LIST_TEST_CASE("filtered classes of getrf_vbatched give the bits of the same classes in order",
                        "[lu_vbatched]", precisions) {
  using T = TestType;
  using tables = cuda::getrf_vbatched_tables;
  if (!on_cuda()) return;
  constexpr int largest = 64;
  cuda::class_lines by = cuda::classes_for<tables, T>(0, cuda::upto(largest, largest), cuda::any_batch);
  REQUIRE(by.count > 2);
  std::vector<shape> shapes(4, {6, 6, 6, 0});
  for (int c = 0; c < by.count; ++c) {
    const int n = std::min(largest, upper_bound_of<tables, T>(by.line[static_cast<std::size_t>(c)], 0));
    for (const int m : {n - 1, n, std::min(n + 1, largest), 1, 0}) {
      for (const auto& [rows, columns] : {std::pair{m, n}, {n, m}, {m, m}})
        shapes.push_back({rows, columns, std::min(rows, columns), 0});
    }
  }
  for (const pivoting how : both_pivotings) {
    const bool exchanges = how == pivoting::partial;
    const routine r = exchanges ? routine::getrf : routine::getrf_nopiv;
    const std::vector<int> infos{-1, -4, -3, exchanges ? -8 : -10};
    general_library<T> A(exchanges ? "random" : "dominant");
    const auto factored = [&](cuda::schedule schedule) {
      const auto batch = operands(r, A, shapes);
      batch->A.rows[0] = -1;
      batch->A.lds[1] = 5;
      batch->A.starts[2] = nullptr;
      batch->A.rows[3] = batch->A.lds[3] = largest + 1;
      batch->upload();
      eliminations<real_of<T>> each;
      if (exchanges) each.ipiv = pointer_vectors<int>(batch->ipiv.pointers.data());
      const variable_batch<T> matrices = {batch->A.pointers.data(), batch->A.m.data(), batch->A.n.data(),
                                          batch->A.ld.data(), batch->A.count()};
      by.how = schedule;
      REQUIRE(cuda::getrf_vbatched_by<T>(by, how, matrices, each, batch->info.data(), largest, largest,
                                         test_queue()) == 0);
      const lu_results<T> now = batch->finished(r);
      for (std::size_t b = 0; b < shapes.size(); ++b) {
        CAPTURE(static_cast<int>(how), b, shapes[b].m, shapes[b].n);
        CHECK(now.info[b] == (b < infos.size() ? infos[b] : 0));
        if (b < infos.size()) CHECK(now.A[b].same_bits(batch->A.host[b]));
      }
      return now;
    };
    const lu_results<T> expected = factored(cuda::schedule::queued);
    CHECK(factored(cuda::schedule::filtered).same_bits(expected));
  }
}

/// Every table, including tables of other GPUs. Up to 64 rows, most tables need no order.
TEMPLATE_LIST_TEST_CASE("every table of getrf_vbatched serves all sizes", "[lu_vbatched]", precisions) {
  using T = TestType;
  using tables = cuda::getrf_vbatched_tables;
  if (!on_cuda()) return;
  for (std::size_t t = 0; t < tables::gpus.size(); ++t) {
    if (tables::first_line<T>[t] == tables::first_line<T>[t + 1]) continue;
    for (const auto& [count, largest] : {std::pair{1, 200}, {33, 200}, {300, 64}, {1000, 64}, {1000, 97}}) {
      const std::vector<shape> shapes = some_shapes(count, largest, 7);
      CAPTURE(tables::gpus[t].name, count);
      general_library<T> A("random");
      const auto batch = operands(routine::getrf, A, shapes);
      eliminations<real_of<T>> each;
      each.ipiv = pointer_vectors<int>(batch->ipiv.pointers.data());
      const variable_batch<T> matrices = {batch->A.pointers.data(), batch->A.m.data(), batch->A.n.data(),
                                          batch->A.ld.data(), count};
      const size_bounds most = bounds_of(shapes);
      REQUIRE(cuda::getrf_vbatched_with<T>(static_cast<int>(t), pivoting::partial, matrices, each,
                                           batch->info.data(), most.m, most.n, test_queue()) == 0);
      const lu_results<T> now = batch->finished(routine::getrf);
      std::set<std::pair<int, int>> checked;
      for (std::size_t b = 0; b < shapes.size(); ++b) {
        if (!checked.insert({shapes[b].m, shapes[b].n}).second) continue;
        CAPTURE(b, shapes[b].m, shapes[b].n);
        check_pivoted(A(shapes[b], b), now.A[b].get(0), now.ipiv[b], now.info[b], shapes[b].m, shapes[b].n);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every kernel of getrf_vbatched's tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  using tables = cuda::getrf_vbatched_tables;
  if (!on_cuda()) return;
  for_each_mixed_kernel<tables, T>([&](int line) {
    const int m = std::min(upper_bound_of<tables, T>(line, 0), 130),
              n = std::min(upper_bound_of<tables, T>(line, 1), 130);
    for (const pivoting how : both_pivotings) run_mixed_line<T>(line, how, m, n, 7, how == pivoting::none);
  });
}

#endif  // TALUS_WITH_CUDA
