#include "matching.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <utility>

namespace sparse {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int none = -1;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Chooses an entry of each column, no two in a row, with the least sum of
///
///   cost of a_ij = log2(max_k |a_kj|) - log2 |a_ij| >= 0  of A equilibrated.
///
/// Potentials of rows and columns prove that it is the least: cost - row_potential - column_potential, called
/// the slack, is never negative, and 0 for chosen entries.
class assignment {
 public:
  explicit assignment(const matrix& A)
      : A_(A),
        equilibrating_(equilibrating_scales(A)),
        n_(A.n),
        begin_(at(n_) + 1, 0),
        log_max_(at(n_), 0.0),
        row_potential_(at(n_), infinity),
        column_potential_(at(n_), infinity),
        row_of_(at(n_), none),
        column_of_(at(n_), none),
        distance_(at(n_), infinity),
        reached_from_(at(n_), none),
        settled_(at(n_), false) {
    for (int j = 0; j < n_; ++j) {
      double most = -infinity;
      for (int e = A.begin[at(j)]; e < A.begin[at(j) + 1]; ++e) {
        if (A.value[at(e)] == 0) continue;
        const int i = A.row[at(e)];
        const double size = std::log2(std::abs(A.value[at(e)])) + equilibrating_.row[at(i)];
        row_.push_back(i);
        cost_.push_back(-size);
        most = std::max(most, size);
      }
      begin_[at(j) + 1] = static_cast<int>(row_.size());
      if (begin_[at(j)] == begin_[at(j) + 1]) continue;
      log_max_[at(j)] = most;
      for (std::size_t e = at(begin_[at(j)]); e < cost_.size(); ++e) cost_[e] += most;
    }
  }

  matching solve(const std::string& name) {
    choose_greedily();
    int unmatched = 0, left_over = none;
    for (int j = 0; j < n_; ++j)
      if (row_of_[at(j)] == none && !augment(j) && unmatched++ == 0) left_over = j;
    if (unmatched > 0)
      throw structurally_singular(name + ": singular whatever its entries' values are: of " +
                                  std::to_string(n_) + " columns " + std::to_string(n_ - unmatched) +
                                  " can have pivots in rows of their own, but then column " +
                                  std::to_string(left_over + 1) + " has none");
    log_scales scales = equilibrating_;
    for (std::size_t i = 0; i < row_of_.size(); ++i) {
      scales.row[i] += row_potential_[i];
      scales.column[i] = column_potential_[i] - log_max_[i];
    }
    return {row_of_, rounded(A_, scales)};
  }

 private:
  /// Rounding makes it negative by a little at times.
  double slack(int e, int j) const {
    return std::max(0.0, cost_[at(e)] - row_potential_[at(row_[at(e)])] - column_potential_[at(j)]);
  }

  void match(int i, int j) { row_of_[at(j)] = i, column_of_[at(i)] = j; }

  /// Potentials that leave slack 0 somewhere in each row and column; there entries are chosen while they
  /// last.
  void choose_greedily() {
    for (std::size_t e = 0; e < row_.size(); ++e)
      row_potential_[at(row_[e])] = std::min(row_potential_[at(row_[e])], cost_[e]);
    for (int j = 0; j < n_; ++j) {
      double& least = column_potential_[at(j)];
      for (int e = begin_[at(j)]; e < begin_[at(j) + 1]; ++e)
        least = std::min(least, cost_[at(e)] - row_potential_[at(row_[at(e)])]);
      for (int e = begin_[at(j)]; e < begin_[at(j) + 1] && row_of_[at(j)] == none; ++e)
        if (column_of_[at(row_[at(e)])] == none && slack(e, j) == 0) match(row_[at(e)], j);
    }
  }

  /// Gives column `start` a row along the shortest path, by slack, to a row without a column: each row on the
  /// path passes to the column before it. False where there is no path; rows seen then stay settled, since no
  /// later path can lead on from them either.
  bool augment(int start) {
    using reach = std::pair<double, int>;  // distance, row
    std::priority_queue<reach, std::vector<reach>, std::greater<>> nearest;
    std::vector<int> touched, inside;  // rows with a distance, with a settled one
    double shortest = infinity, walked = 0;
    int end = none;
    for (int j = start; j != none;) {
      for (int e = begin_[at(j)]; e < begin_[at(j) + 1]; ++e) {
        const int i = row_[at(e)];
        const double length = walked + slack(e, j);
        if (settled_[at(i)] || length >= std::min(shortest, distance_[at(i)])) continue;
        if (distance_[at(i)] == infinity) touched.push_back(i);
        distance_[at(i)] = length, reached_from_[at(i)] = j;
        if (column_of_[at(i)] == none)
          shortest = length, end = i;
        else
          nearest.push({length, i});
      }
      j = none;
      while (!nearest.empty() && nearest.top().first < shortest && j == none) {
        const auto [length, i] = nearest.top();
        nearest.pop();
        if (settled_[at(i)]) continue;
        settled_[at(i)] = true;
        inside.push_back(i);
        walked = length, j = column_of_[at(i)];
      }
    }
    if (end == none) return false;

    column_potential_[at(start)] += shortest;
    for (const int i : inside) {
      const double rest = shortest - distance_[at(i)];
      row_potential_[at(i)] -= rest;
      column_potential_[at(column_of_[at(i)])] += rest;
      settled_[at(i)] = false;
    }
    for (const int i : touched) distance_[at(i)] = infinity;
    for (int j = none; j != start;) {
      j = reached_from_[at(end)];
      const int given_up = row_of_[at(j)];
      match(end, j);
      end = given_up;
    }
    return true;
  }

  const matrix& A_;
  log_scales equilibrating_;
  int n_;
  std::vector<int> begin_, row_;  ///< by columns, without zeros
  std::vector<double> cost_;      ///< beside row_
  std::vector<double> log_max_;   ///< of each column, rows equilibrated
  std::vector<double> row_potential_, column_potential_;
  std::vector<int> row_of_, column_of_;  ///< the entry chosen in each column, each row

  // Of one search:
  std::vector<double> distance_;   ///< to each row; infinite unless touched
  std::vector<int> reached_from_;  ///< the column before each row
  std::vector<bool> settled_;      ///< rows whose distance is the shortest
};

}  // namespace

matching largest_product(const matrix& A) { return assignment(A).solve(A.name); }

}  // namespace sparse
