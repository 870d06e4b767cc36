// Needs: potrf

// The lines of potrf_vbatched's tables on the GPU: each kernel by itself, and classes of them.
#include "catch.hpp"
#include "mixed_sizes.hpp"

#ifdef TALUS_WITH_CUDA

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lines.hpp"
#include "vbatched/cholesky/potrf.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// One line of the table on sizes up to its bound, as they come or in order, with the bits of the same kernel
/// on equal sizes, where that is in the table of potrf.
template <class T>
void run_line(library<T>& A, int line, uplo uplo, int bound, std::int64_t count, bool ordered) {
  CAPTURE(line, static_cast<char>(uplo), bound, count, ordered);
  const int same_kernel = line_of_same_kernel<T>(cuda::potrf_vbatched_tables::at<T>(line));
  const int all_sizes[] = {0, 1, 2, bound / 2, bound - 1, bound};
  std::vector<int> n(static_cast<std::size_t>(count));
  for (std::size_t b = 0; b < n.size(); ++b) n[b] = std::min(bound, all_sizes[(5 * b + 5 + b / 6) % 6]);
  std::vector<slab<T>> before;
  for (std::size_t b = 0; b < n.size(); ++b) {
    before.emplace_back(n[b], n[b], n[b] + 1 + static_cast<int>(b % 3), 1);
    before.back().put_triangle(0, A(n[b], b), uplo);
  }
  const mixed<T> memory(before);
  const info_array info(count);
  REQUIRE(cuda::potrf_vbatched_by<T>(
              {1, {line}, ordered ? cuda::schedule::ordered : cuda::schedule::direct}, uplo,
              {memory.pointers.data(), memory.n.data(), memory.n.data(), memory.ld.data(), count},
              info.data(), bound, test_queue()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const std::vector<slab<T>> after = memory.download();
  if (same_kernel < 0) return check_factors(A, before, after, uplo);
  std::map<int, slab<T>> expected;  // both matrices of each order
  for (std::size_t b = 0; b < n.size(); ++b) {
    CAPTURE(b, n[b]);
    CHECK(after[b].guards_untouched(before[b], &uplo));
    if (n[b] == 0) continue;
    if (expected.count(n[b]) == 0) {
      slab<T> s(n[b], n[b], n[b] + 1, 2);
      for (const std::size_t i : {0, 1}) s.put_triangle(static_cast<std::int64_t>(i), A(n[b], i), uplo);
      const resident<T> equal(s);
      const info_array no_info(2);
      REQUIRE(cuda::potrf_at(same_kernel, uplo, pointer_batch(equal.pointers.data(), n[b], n[b], s.ld, 2),
                             no_info.data(), test_queue()) == 0);
      finish();
      expected.emplace(n[b], equal.download());
    }
    CHECK(same(after[b].get_lower(0, uplo),
               expected.at(n[b]).get_lower(static_cast<std::int64_t>(b % 2), uplo)));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of potrf_vbatched's table gives the bits of potrf's",
                        "[cholesky_vbatched]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  library<T> A("random");
  for (int line = 0; line < lines_of<cuda::potrf_vbatched_tables, T>(); ++line) {
    const int bound = std::min(cuda::potrf_vbatched_tables::at<T>(line).bounds[0], 700);
    for (const std::int64_t count : {1, 3, 37, 1000}) {
      if (count == 1000 && bound > 64) continue;
      for (const uplo uplo : both) run_line<T>(A, line, uplo, bound, count, false);
      if (count == 37) run_line<T>(A, line, uplo::lower, bound, count, true);
    }
  }
}

/// Three classes of lines that no set has side by side: of the first set's, every other one.
TEMPLATE_LIST_TEST_CASE("classes made of any lines give each line's bits", "[cholesky_vbatched]",
                        precisions) {
  using T = TestType;
  using tables = cuda::potrf_vbatched_tables;
  if (!on_cuda()) return;
  library<T> A("random");
  const auto bound_of = [](int line) { return tables::at<T>(line).bounds[0]; };
  cuda::class_lines by;
  std::vector<int> n{0, 1};
  int line = tables::first_line<T>[tables::gpus.size() - 1];
  for (; by.count < 2 && bound_of(line + 2) != cuda::any_extent; line += 2) {
    by.line[static_cast<std::size_t>(by.count++)] = line;
    for (const int more : {-1, 0, 1}) n.push_back(bound_of(line) + more);
  }
  while (bound_of(line) != cuda::any_extent) ++line;
  by.line[static_cast<std::size_t>(by.count++)] = line;
  REQUIRE(by.count == 3);
  n.push_back(n.back() + 40);
  for (const uplo uplo : both) {
    mixed<T> memory(matrices(A, n, uplo));
    const auto factored = [&](const cuda::class_lines& lines, int first, int count) {
      memory.restore();
      const info_array info(count);
      const variable_batch<T> some = {memory.pointers.data() + first, memory.n.data() + first,
                                      memory.n.data() + first, memory.ld.data() + first, count};
      REQUIRE(cuda::potrf_vbatched_by<T>(lines, uplo, some, info.data(), n.back(), test_queue()) == 0);
      finish();
      CHECK(all_zero(info.download()));
      return memory.download();
    };
    const std::vector<slab<T>> together = factored(by, 0, static_cast<int>(n.size()));
    for (std::size_t b = 0; b < n.size(); ++b) {
      std::size_t c = 0;
      while (bound_of(by.line[c]) < n[b]) ++c;
      CAPTURE(static_cast<char>(uplo), b, n[b], by.line[c]);
      const std::vector<slab<T>> alone = factored({1, {by.line[c]}}, static_cast<int>(b), 1);
      CHECK(same(together[b].get_lower(0, uplo), alone[b].get_lower(0, uplo)));
      CHECK(together[b].guards_untouched(memory.host[b], &uplo));
    }
  }
}

/// As few matrices as a set takes, at the borders of its lines and filled up with tiny ones: up to the
/// largest bound that one line serves alone, and beyond it.
TEMPLATE_LIST_TEST_CASE("every class of potrf_vbatched's tables serves the sizes up to its bound",
                        "[cholesky_vbatched]", precisions) {
  using T = TestType;
  using tables = cuda::potrf_vbatched_tables;
  if (!on_cuda()) return;
  library<T> A("random");
  for (std::size_t t = 0; t < tables::gpus.size(); ++t) {
    if (std::string(tables::gpus[t].name) == "figures") continue;  // lines, but no sets of them
    std::int64_t least = 1;
    for (int i = tables::first_line<T>[t]; i < tables::first_line<T>[t + 1];) {
      const std::int64_t most = tables::at<T>(i).batch_max;
      std::vector<int> n{0};
      int alone_to = 0;
      for (int bound = 0; bound != cuda::any_extent; ++i) {
        bound = tables::at<T>(i).bounds[0];
        if (bound == cuda::any_extent) continue;
        if (serves_alone(tables::at<T>(i).schedule)) alone_to = bound;
        for (const int size : {bound - 1, bound, bound + 1, bound}) n.push_back(size);
      }
      const int n_max = largest_of(n) + 200;
      while (static_cast<std::int64_t>(n.size()) < least) n.push_back(static_cast<int>(n.size() % 4));
      std::shuffle(n.begin(), n.end(), std::mt19937(7));
      CAPTURE(tables::gpus[t].name, least, n.size());
      REQUIRE(static_cast<std::int64_t>(n.size()) <= most);
      const auto serves = [&](const std::vector<int>& sizes, int bound, uplo uplo) {
        CAPTURE(bound, static_cast<char>(uplo));
        const mixed<T> memory(matrices(A, sizes, uplo));
        const info_array info(memory.count());
        REQUIRE(
            cuda::potrf_vbatched_with(static_cast<int>(t), uplo,
                                      variable_batch<T>{memory.pointers.data(), memory.n.data(),
                                                        memory.n.data(), memory.ld.data(), memory.count()},
                                      info.data(), bound, test_queue()) == 0);
        finish();
        CHECK(all_zero(info.download()));
        check_factors(A, memory.host, memory.download(), uplo);
      };
      for (const uplo uplo : both) serves(n, n_max, uplo);
      for (int& size : n) size = std::min(size, alone_to);
      if (alone_to > 0) serves(n, alone_to, least % 2 == 0 ? uplo::lower : uplo::upper);
      least = most + 1;
    }
  }
}

/// Lines that share a kernel and begin matrices alike are run once, with the first of them.
TEMPLATE_LIST_TEST_CASE("every kernel of potrf_vbatched's tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  library<T> A("random");
  using tables = cuda::potrf_vbatched_tables;
  for_each_mixed_kernel<tables, T>([&](int line) {
    const int bound = std::min(tables::at<T>(line).bounds[0], 200);
    for (const uplo uplo : both) run_line<T>(A, line, uplo, bound, 7, uplo == uplo::upper);
  });
}

#endif  // TALUS_WITH_CUDA
