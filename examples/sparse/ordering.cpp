#include "ordering.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "common/backend.hpp"

#ifdef TALUS_HAVE_METIS
#include <metis.h>
#endif
#ifdef TALUS_HAVE_SUITESPARSE
#include <suitesparse/amd.h>
#endif

namespace sparse {
namespace {

[[noreturn, maybe_unused]] void missing(const char* method, const char* library, const char* package) {
  throw example::unavailable(std::string("ordering '") + method + "': this program was built without " +
                             library + "; on Debian, 'apt-get install " + package + "' and configure again");
}

std::vector<int> natural_order(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> nested_dissection([[maybe_unused]] const graph& g) {
#ifdef TALUS_HAVE_METIS
  if (g.neighbour.empty()) return natural_order(g.n);  // METIS refuses a graph without edges
  std::vector<idx_t> begin(g.begin.begin(), g.begin.end()), neighbour(g.neighbour.begin(), g.neighbour.end());
  std::vector<idx_t> order(begin.size() - 1), number(order.size());
  idx_t n = g.n;
  if (METIS_NodeND(&n, begin.data(), neighbour.data(), nullptr, nullptr, order.data(), number.data()) !=
      METIS_OK)
    throw example::unavailable("METIS found no order: not enough memory");
  return {order.begin(), order.end()};
#else
  missing("metis", "METIS", "libmetis-dev");
#endif
}

std::vector<int> minimum_degree([[maybe_unused]] const graph& g) {
#ifdef TALUS_HAVE_SUITESPARSE
  std::vector<int> order(static_cast<std::size_t>(g.n));
  if (amd_order(g.n, g.begin.data(), g.neighbour.data(), order.data(), nullptr, nullptr) < AMD_OK)
    throw example::unavailable("AMD found no order: not enough memory");
  return order;
#else
  missing("amd", "AMD of SuiteSparse", "libsuitesparse-dev");
#endif
}

}  // namespace

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    number[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return number;
}

graph graph_of(const matrix& A, const std::vector<int>& new_row) {
  graph g;
  g.n = A.n;
  const auto each_edge = [&](auto visit) {
    for (int j = 0; j < A.n; ++j)
      for (int e = A.begin[static_cast<std::size_t>(j)]; e < A.begin[static_cast<std::size_t>(j) + 1]; ++e) {
        const int stored = A.row[static_cast<std::size_t>(e)];
        const int i = new_row.empty() ? stored : new_row[static_cast<std::size_t>(stored)];
        if (i != j) visit(i, j), visit(j, i);
      }
  };
  std::vector<std::size_t> begin(static_cast<std::size_t>(A.n) + 1, 0);
  each_edge([&](int i, int) { ++begin[static_cast<std::size_t>(i) + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  if (begin.back() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw example::unavailable(A.name + ": its graph has more edges than an int counts");
  std::vector<int> neighbour(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  each_edge([&](int i, int j) { neighbour[next[static_cast<std::size_t>(i)]++] = j; });

  g.begin.push_back(0);  // what stands on both sides of the diagonal came twice
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    const auto first = neighbour.begin() + static_cast<std::ptrdiff_t>(begin[i]),
               last = neighbour.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]);
    std::sort(first, last);
    g.neighbour.insert(g.neighbour.end(), first, std::unique(first, last));
    g.begin.push_back(static_cast<int>(g.neighbour.size()));
  }
  return g;
}

std::vector<int> fill_reducing_order(const graph& g, std::string& method) {
#if defined(TALUS_HAVE_METIS)
  if (method == "auto") method = "metis";
#elif defined(TALUS_HAVE_SUITESPARSE)
  if (method == "auto") method = "amd";
#endif
  if (method == "metis") return nested_dissection(g);
  if (method == "amd") return minimum_degree(g);
  if (method == "natural") return natural_order(g.n);
  throw example::unavailable(
      "this program was built without METIS and without AMD, one of which orders the unknowns; on Debian, "
      "'apt-get install libmetis-dev libsuitesparse-dev' and configure again, or take --ordering natural");
}

}  // namespace sparse
