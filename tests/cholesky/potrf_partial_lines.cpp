// Needs: potrf_partial

// The lines of potrf_partial's tables on the GPU: each kernel by itself, and those of mixed sizes, with the
// bits of the same kernel on fronts of one size.
#include "batched/cholesky/potrf_partial.hpp"
#include "catch.hpp"
#include "cholesky/fronts.hpp"
#include "lines.hpp"
#include "vbatched/cholesky/potrf_partial.hpp"

#ifdef TALUS_WITH_CUDA

#include <algorithm>
#include <vector>

using namespace talus;
using namespace talus::test;

namespace {

using tables = cuda::potrf_partial_tables;
using mixed_tables = cuda::potrf_partial_vbatched_tables;

/// Fronts whose last unit of pivots, or of other rows, is empty, has one row, lacks one, or is full.
const std::vector<front_size> sizes_of_lines{
    {1, 1},    {2, 1},    {16, 16}, {17, 9},   {63, 62},  {64, 64},   {65, 64},   {65, 65},  {128, 64},
    {129, 63}, {130, 65}, {192, 1}, {193, 96}, {200, 40}, {257, 193}, {400, 129}, {513, 256}};

/// Those that a line serves.
template <class Tables, class T>
std::vector<front_size> served_by(int line) {
  std::vector<front_size> served;
  for (const front_size& f : sizes_of_lines) {
    if (Tables::template at<T>(line).bounds.cover(cuda::upto(f.n, f.k))) served.push_back(f);
  }
  return served;
}

template <class T>
slab<T> by_line(int line, uplo uplo, const front_size& f, const slab<T>& before) {
  const resident<T> A(before);
  const info_array info(before.count);
  REQUIRE(cuda::potrf_partial(uplo, pointer_batch(A.pointers.data(), f.n, f.n, before.ld, before.count), f.k,
                              info.data(), test_queue(), line) == 0);
  finish();
  CHECK(all_zero(info.download()));
  slab<T> after = A.download();
  CHECK(after.guards_untouched(before, &uplo));
  return after;
}

template <class T>
slab<T> by_line_in_blocks(int line, uplo uplo, const slab<T>& before, int k) {
  const resident_blocks<T> A(front_blocks<T>(before, k, uplo));
  const auto strided = [](const resident<T>& block) {
    const slab<T>& s = block.host;
    return strided_batch(block.memory.data(), s.m, s.n, s.ld, s.stride, s.count);
  };
  const info_array info(before.count);
  REQUIRE(cuda::potrf_partial_split(uplo, strided(A.A11), strided(A.A21), strided(A.A22), info.data(),
                                    test_queue(), line) == 0);
  finish();
  CHECK(all_zero(info.download()));
  return A.download().together(before);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE(
    "every line of potrf_partial's table is backward stable and gives the same bits in blocks",
    "[potrf_partial]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    for (const front_size& f : served_by<tables, T>(line)) {
      for (const uplo uplo : both) {
        for (const std::int64_t count : {1, 3, f.n <= 64 ? 700 : 5}) {
          CAPTURE(line, f.n, f.k, static_cast<char>(uplo), count);
          const repeated<T> A("random", f.n, 2, 5);
          const slab<T> before = A.fill(uplo, f.n, f.n + 1, count);
          const slab<T> after = by_line(line, uplo, f, before);
          CHECK(position_does_not_matter(after, 2));
          for (std::int64_t b = 0; b < std::min<std::int64_t>(count, 2); ++b)
            CHECK(front_ratio(A[b], after.get_lower(b, uplo), f.n, f.k) < threshold);
          CHECK(after.same_bits(by_line_in_blocks(line, uplo, before, f.k)));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every line of potrf_partial_vbatched's table gives the bits of potrf_partial's",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  if (!on_cuda()) return;
  library<T> A("random");
  for (int line = 0; line < lines_of<mixed_tables, T>(); ++line) {
    const auto& mixed_line = mixed_tables::at<T>(line);
    int same_kernel = -1;
    for (int i = 0; i < lines_of<tables, T>(); ++i) {
      if (parameters_of(tables::at<T>(i).kernel) == parameters_of(mixed_line.kernel)) same_kernel = i;
    }
    std::vector<front_size> sizes = served_by<mixed_tables, T>(line);
    sizes.push_back({3, 0});
    sizes.push_back({0, 0});
    for (const uplo uplo : both) {
      CAPTURE(line, static_cast<char>(uplo), same_kernel);
      mixed_fronts<T> memory(A, sizes, uplo);
      memory.restore();
      const size_bounds most = bounds_of(sizes, layout::whole);
      const variable_batch<T> all = {memory.A.pointers.data(), memory.A.n.data(), memory.A.n.data(),
                                     memory.A.ld.data(), memory.A.count()};
      REQUIRE(cuda::potrf_partial_vbatched_by<T>({1, {line}, cuda::schedule::ordered}, uplo, all,
                                                 memory.k.data(), memory.info.data(), most.n, most.k,
                                                 test_queue()) == 0);
      const std::vector<slab<T>> after = memory.left(layout::whole);
      CHECK(all_zero(memory.info.download()));
      for (std::size_t b = 0; b < after.size(); ++b) {
        const front_size& f = sizes[b];
        CAPTURE(b, f.n, f.k);
        const slab<T>& before = memory.A.host[b];
        if (f.k == 0) {
          CHECK(after[b].same_bits(before));
        } else if (same_kernel >= 0) {
          CHECK(after[b].same_bits(by_line(same_kernel, uplo, f, before)));
        } else {
          CHECK(front_ratio(whole(before.get_lower(0, uplo), f.n), after[b].get_lower(0, uplo), f.n, f.k) <
                threshold);
        }
      }
    }
  }
}

#endif
