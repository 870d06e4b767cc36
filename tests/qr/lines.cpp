// Needs: geqrf

// The lines of QR's tables on the GPU: each kernel by itself, at the corners of its box; and those of mixed
// sizes, with the bits of the same kernel on equal ones.
#include "lines.hpp"
#include "batched/qr/geqrf.hpp"
#include "catch.hpp"
#include "mixed_sizes.hpp"
#include "qr/qr.hpp"
#include "vbatched/qr/geqrf.hpp"

#ifdef TALUS_WITH_CUDA

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace talus;
using namespace talus::test;

namespace {

template <class Kernel>
const cuda::householder::cluster* cluster_of(const Kernel& kernel) {
  return std::get_if<cuda::householder::cluster>(&kernel);
}

/// The bound of one of a line's extents; where it has none, something beyond all bounds that other lines have
/// but those for tall matrices.
template <class Tables, class T>
int largest_of_line(int line, int extent) {
  const int bound = Tables::template at<T>(line).bounds[extent];
  if (bound != cuda::any_extent) return bound;
  int most = 23;
  for (int l = 0; l < lines_of<Tables, T>(); ++l) {
    const auto& other = Tables::template at<T>(l);
    if (other.bounds[extent] != cuda::any_extent && cluster_of(other.kernel) == nullptr)
      most = std::max(most, other.bounds[extent]);
  }
  return most + 77;
}

/// Rows that take long to check are not taken: of a cluster enough for three blocks, the last with one row.
template <class Kernel>
int enough_rows(const Kernel& kernel, int m) {
  const auto* cluster = cluster_of(kernel);
  return cluster == nullptr ? m : std::min(m, 2 * cluster->rows_of_block() + 1);
}

/// Rows at which a kernel changes what it does: those at both ends, and where a block of a cluster is full.
template <class Kernel>
std::set<int> row_borders(const Kernel& kernel, int most) {
  std::set<int> all = borders(most);
  if (const auto* cluster = cluster_of(kernel)) {
    for (const int m : {cluster->rows_of_block(), cluster->rows_of_block() + 1})
      if (m <= most) all.insert(m);
  }
  return all;
}

/// Matrices whose reflectors are known by one line of the table, in both forms of a batch. They lie one
/// behind the other if there is no gap.
template <class T>
void run_line(int line, int m, int n, std::int64_t count, int gap) {
  CAPTURE(line, m, n, count, gap);
  const int distinct = 3, ld = std::max(1, m) + (gap == 0 ? 0 : 3), k = std::min(m, n);
  std::vector<known_qr<T>> known;
  for (unsigned seed = 0; seed < distinct; ++seed) known.emplace_back(m, n, seed);
  slab<T> before(m, n, ld, count, gap);
  for (std::int64_t b = 0; b < count; ++b) before.put(b, known[static_cast<std::size_t>(b % distinct)].A);
  std::vector<slab<T>> results;
  for (const call_form how : forms) {
    const resident<T> a(before), tau(unset_tau<T>(k, count));
    const info_array info(count);
    const bool strided = how == call_form::strided;
    const batch<T> A = strided ? strided_batch(a.memory.data(), m, n, ld, before.stride, count)
                               : pointer_batch(a.pointers.data(), m, n, ld, count);
    const vectors<T> taus = strided ? strided_vectors(tau.memory.data(), tau.host.stride)
                                    : pointer_vectors<T>(tau.pointers.data());
    REQUIRE(cuda::geqrf_at(line, A, taus, info.data(), test_queue()) == 0);
    finish();
    CHECK(all_zero(info.download()));
    const slab<T> after = a.download(), tau_after = tau.download();
    CHECK(after.guards_untouched(before));
    CHECK(tau_after.guards_untouched(tau.host));
    CHECK(position_does_not_matter(after, distinct));
    CHECK(position_does_not_matter(tau_after, distinct));
    for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b) {
      CAPTURE(b);
      CHECK(after.get(b) == known[static_cast<std::size_t>(b)].factors);
      CHECK(tau_after.get(b) == known[static_cast<std::size_t>(b)].tau);
    }
    results.push_back(after);
  }
  CHECK(results[0].same_bits(results[1]));
}

/// Matrices whose reflectors are not known: LAPACK's ratios, and a NaN among them.
template <class T>
void run_line_on(const std::string& kind, int line, int m, int n) {
  CAPTURE(kind, line, m, n);
  const std::int64_t count = 5;
  const int k = std::min(m, n);
  const repeated_general<T> A = repeated_qr<T>(kind, m, n, 1, 3);
  slab<T> s = A.fill(m, count);
  s.at(1, m - 1, k - 1) = nan_of<T>();
  s.at(3, k / 2, k / 2) = nan_of<T>();
  const resident<T> memory(s), tau(unset_tau<T>(k, count));
  const info_array info(count);
  REQUIRE(cuda::geqrf_at(line, strided_batch(memory.memory.data(), m, n, m, s.stride, count),
                         strided_vectors(tau.memory.data(), tau.host.stride), info.data(),
                         test_queue()) == 0);
  finish();
  CHECK(all_zero(info.download()));
  const slab<T> after = memory.download(), taus = tau.download();
  for (const std::int64_t b : {2, 4}) {
    CHECK(after.same_bits(b, after, 0));
    CHECK(taus.same_bits(b, taus, 0));
  }
  CHECK(has_nan(after, 1, k - 1));
  CHECK(has_nan(after, 3, k / 2));
  check_reflectors(A[0], after.get(0), taus.get(0), m, n);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of geqrf's table works at the corners of its box", "[geqrf][table]",
                        precisions) {
  using T = TestType;
  using tables = cuda::geqrf_tables;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const int most_m = largest_of_line<tables, T>(line, 0), most_n = largest_of_line<tables, T>(line, 1);
    const auto& kernel = tables::at<T>(line).kernel;
    const int tbc = tbc_of(kernel), m_of_kinds = enough_rows(kernel, most_m);
    for (const int m : row_borders(kernel, most_m)) {
      for (const int n : borders(most_n)) {
        const bool largest = m == most_m && n == most_n;
        for (const std::int64_t count : std::set<std::int64_t>{1, std::max(1, tbc - 1), tbc + 1, 1000}) {
          if (count == 1000 && (!largest || m * n > 8000)) continue;
          run_line<T>(line, m, n, count, count == tbc + 1 ? 5 : 0);
        }
        if (m == 0 || n == 0) continue;
        run_line_on<T>("random", line, m, n);
      }
    }
    for (const std::string& kind : qr_kinds()) {
      run_line_on<T>(kind, line, m_of_kinds, most_n);
      run_line_on<T>(kind, line, m_of_kinds, std::max(1, most_n / 3));
      run_line_on<T>(kind, line, std::max(1, m_of_kinds / 3), most_n);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("geqrf factors what a smaller GPU's shared memory has no room for, too",
                        "[geqrf][table]", precisions) {
  if (!on_cuda()) return;
  const smaller_gpu here;
  for (const int m : {100, 300, 700, 1100}) {  // by one block, and what would be a cluster's
    run_line_on<TestType>("random", cuda::selected, m, 20);
    run_line_on<TestType>("mixed", cuda::selected, m, 70);
  }
}

/// Small enough for tools that slow a kernel down a hundredfold: lines that share a kernel are run once, with
/// the first that has it.
TEMPLATE_LIST_TEST_CASE("every kernel of geqrf's tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  using tables = cuda::geqrf_tables;
  if (!on_cuda()) return;
  std::set<std::vector<int>> run;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const auto& kernel = tables::at<T>(line).kernel;
    if (!run.insert(parameters_of(kernel, {"tbc"})).second) continue;
    const int m = enough_rows(kernel, largest_of_line<tables, T>(line, 0));
    const int n = std::min(m, largest_of_line<tables, T>(line, 1));
    run_line<T>(line, m, n, tbc_of(kernel) + 1, 5);
    run_line<T>(line, m, (n + 1) / 2, 3, 0);
    run_line_on<T>("random", line, m, n);
    run_line_on<T>("mixed", line, m, n);
  }
}

// ---- mixed sizes -----------------------------------------------------------------------------------------

namespace {

/// Random matrices of these sizes, and tau beside them.
template <class T>
struct mixed_operands {
  explicit mixed_operands(const std::vector<shape>& shapes)
      : A(matrices(shapes)), tau(taus(shapes)), info(A.count()) {}
  static dense<T> matrix(int m, int n, std::size_t b) {
    return random_matrix<T>(m, n, static_cast<unsigned>(2 * m + n) + static_cast<unsigned>(b % 2));
  }
  static std::vector<slab<T>> matrices(const std::vector<shape>& shapes) {
    std::vector<slab<T>> all;
    for (const shape& s : shapes) {
      const std::size_t b = all.size();
      all.emplace_back(s.m, s.n, ld_of(s.m, b), 1);
      all.back().put(0, matrix(s.m, s.n, b));
    }
    return all;
  }
  static std::vector<slab<T>> taus(const std::vector<shape>& shapes) {
    std::vector<slab<T>> all;
    for (const shape& s : shapes) all.push_back(unset_tau<T>(std::min(s.m, s.n), 1));
    return all;
  }
  variable_batch<T> batch() const {
    return {A.pointers.data(), A.m.data(), A.n.data(), A.ld.data(), A.count()};
  }

  mixed<T> A, tau;
  info_array info;
};

/// Those of equal matrices are equal, and of each size the first is held to LAPACK's ratios. With a line of
/// geqrf_tables (not -1): the bits that it gives the same matrix among equal ones.
template <class T>
void check_mixed(const std::vector<shape>& shapes, const mixed_operands<T>& batch, int same_kernel) {
  finish();
  CHECK(all_zero(batch.info.download()));
  const std::vector<slab<T>> A = batch.A.download(), tau = batch.tau.download();
  std::map<std::pair<std::pair<int, int>, std::size_t>, std::size_t> first;
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const auto [m, n, k, nrhs] = shapes[b];
    CAPTURE(b, m, n);
    CHECK(A[b].guards_untouched(batch.A.host[b]));
    CHECK(tau[b].guards_untouched(batch.tau.host[b]));
    if (m == 0 || n == 0) continue;
    const auto [found, is_new] = first.try_emplace({{m, n}, b % 2}, b);
    if (!is_new) {
      CHECK(same(A[b].get(0), A[found->second].get(0)));
      CHECK(same(tau[b].get(0), tau[found->second].get(0)));
      continue;
    }
    const dense<T> matrix = batch.matrix(m, n, b);
    check_reflectors(matrix, A[b].get(0), tau[b].get(0), m, n);
    if (same_kernel < 0) continue;
    slab<T> s(m, n, m + 1, 2);
    for (const int i : {0, 1}) s.put(i, matrix);
    const resident<T> equal(s), taus(unset_tau<T>(std::min(m, n), 2));
    const info_array info(2);
    REQUIRE(cuda::geqrf_at(same_kernel, pointer_batch(equal.pointers.data(), m, n, s.ld, 2),
                           pointer_vectors<T>(taus.pointers.data()), info.data(), test_queue()) == 0);
    finish();
    CHECK(same(A[b].get(0), equal.download().get(1)));
    CHECK(same(tau[b].get(0), taus.download().get(1)));
  }
}

/// One line on sizes up to its bounds, as they come or in order.
template <class T>
void run_mixed_line(int line, int most_m, int most_n, std::size_t count, bool ordered) {
  CAPTURE(line, most_m, most_n, count, ordered);
  const std::vector<shape> shapes = shapes_up_to(most_m, most_n, count);
  const mixed_operands<T> batch(shapes);
  REQUIRE(cuda::geqrf_vbatched_by<T>({1, {line}, ordered ? cuda::schedule::ordered : cuda::schedule::direct},
                                     batch.batch(), pointer_vectors<T>(batch.tau.pointers.data()),
                                     batch.info.data(), most_m, most_n, test_queue()) == 0);
  check_mixed(shapes, batch,
              line_of_same_bounded_kernel<cuda::geqrf_tables, T>(cuda::geqrf_vbatched_tables::at<T>(line)));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every line of geqrf_vbatched's table gives the bits of geqrf's", "[qr_vbatched]",
                        precisions) {
  using T = TestType;
  using tables = cuda::geqrf_vbatched_tables;
  if (!on_cuda()) return;
  for (int line = 0; line < lines_of<tables, T>(); ++line) {
    const int m = largest_of_line<tables, T>(line, 0), n = largest_of_line<tables, T>(line, 1);
    for (const std::size_t count : {1, 3, 37, 500}) {
      if (count == 500 && m > 64) continue;
      run_mixed_line<T>(line, m, n, count, false);
      if (count == 37) run_mixed_line<T>(line, m, n, count, true);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("each GPU's table factors mixed sizes with QR, whichever GPU runs it",
                        "[qr_vbatched]", precisions) {
  using T = TestType;
  using tables = cuda::geqrf_vbatched_tables;
  if (!on_cuda()) return;
  for (std::size_t t = 0; t < tables::gpus.size(); ++t) {
    if (tables::first_line<T>[t] == tables::first_line<T>[t + 1]) continue;
    for (const auto& [count, largest] : {std::pair{1, 200}, {33, 200}, {300, 64}, {1000, 64}, {1000, 97}}) {
      CAPTURE(tables::gpus[t].name, count, largest);
      const std::vector<int> m = some_sizes(count, largest, 7), n = some_sizes(count, largest, 8);
      std::vector<shape> shapes;
      for (std::size_t b = 0; b < m.size(); ++b) shapes.push_back({m[b], n[b], 0, 0});
      const mixed_operands<T> batch(shapes);
      REQUIRE(cuda::geqrf_vbatched_with<T>(static_cast<int>(t), batch.batch(),
                                           pointer_vectors<T>(batch.tau.pointers.data()), batch.info.data(),
                                           largest, largest, test_queue()) == 0);
      check_mixed(shapes, batch, -1);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every kernel of geqrf_vbatched's tables, small", "[.][sanitize]", precisions) {
  using T = TestType;
  using tables = cuda::geqrf_vbatched_tables;
  if (!on_cuda()) return;
  for_each_mixed_kernel<tables, T>([&](int line) {
    const int m = std::min(largest_of_line<tables, T>(line, 0), 130),
              n = std::min(largest_of_line<tables, T>(line, 1), 130);
    for (const bool ordered : {false, true}) run_mixed_line<T>(line, m, n, 7, ordered);
  });
}

#endif  // TALUS_WITH_CUDA
