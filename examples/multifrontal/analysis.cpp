#include "analysis.hpp"

#include <limits>

#include "common/backend.hpp"

namespace multifrontal {

analysis analyse(const sparse::matrix& A, bool symmetric, const std::string& ordering) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  sparse::matching matched;  // symmetric: scales alone
  std::vector<int> new_row;  // row i is matched with column new_row[i]; empty: with its own
  if (symmetric) {
    matched.scales = sparse::scales_of_diagonal(A);
  } else {
    matched = sparse::largest_product(A);
    new_row.resize(at(A.n));
    for (int j = 0; j < A.n; ++j) new_row[at(matched.row_of_column[at(j)])] = j;
  }

  analysis all;
  all.ordering = ordering;
  const sparse::graph g = sparse::graph_of(A, new_row);
  all.tree = build_tree(g, sparse::fill_reducing_order(g, all.ordering));
  if (all.tree.row.size() > at(std::numeric_limits<int>::max()))  // the leading dimension of right-hand sides
    throw example::unavailable(A.name + ": its fronts have " + std::to_string(all.tree.row.size()) +
                               " rows, more than an int counts");
  all.where = make_plan(all.tree, symmetric);
  all.destination = destinations(A, new_row, all.tree, all.where);

  all.column_of_pivot = all.tree.order;
  for (const int j : all.column_of_pivot) {
    const int i = symmetric ? j : matched.row_of_column[at(j)];
    all.row_of_pivot.push_back(i);
    all.row_scale.push_back(matched.scales.of_row(i));
    all.column_scale.push_back(matched.scales.of_column(j));
  }
  for (int j = 0; j < A.n; ++j)
    for (int e = A.begin[at(j)]; e < A.begin[at(j) + 1]; ++e)
      all.entry_scale.push_back(matched.scales.of_entry(A.row[at(e)], j));
  return all;
}

}  // namespace multifrontal
