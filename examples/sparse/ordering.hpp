// In which order unknowns are eliminated, so that little fills in.
#pragma once

#include <string>
#include <vector>

#include "matrix.hpp"

namespace sparse {

/// Which unknowns stand in an equation together: those of A + A^T, without the diagonal.
struct graph {
  int n = 0;
  std::vector<int> begin;      ///< n + 1
  std::vector<int> neighbour;  ///< ascending for each unknown
};

/// Where order has each number.
std::vector<int> inverse(const std::vector<int>& order);

/// The graph of A with its rows renumbered: row i becomes row new_row[i]. Empty: as they are.
graph graph_of(const matrix& A, const std::vector<int>& new_row);

/// "metis": nested dissection; "amd": approximate minimum degree; "natural": as they are numbered; "auto":
/// the first of these that is built in. Element i is the unknown that is eliminated as number i. Throws
/// example::unavailable where the library was not built in: the message says how to get it.
std::vector<int> fill_reducing_order(const graph& g, std::string& method);

}  // namespace sparse
