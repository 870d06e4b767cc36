// Matrices of different sizes as tasks for threads. Knows sizes, no routine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <omp.h>

#include "batch.hpp"
#include "host/lanes/group.hpp"

namespace talus::host {

/// Returns an estimate of the time, in nanoseconds, that one thread takes for an m x n matrix. columns: n,
/// and the columns of the other operands. The estimate is within a factor of about 3 of the time of potrf,
/// gesv and qr with n from 2 to 32; trsm takes less time.
inline double estimated_time(int m, int n, double columns) {
  const double elements = m * columns;
  return 8 + 0.3 * elements + 0.03 * n * elements;
}

/// Returns the number of columns of matrix b. Vectors and extents count as 0.
template <class T>
int columns_of(const variable_batch<T>& A, std::int64_t b) {
  return A.n[b];
}
template <class T>
int columns_of(const batch<T>& A, std::int64_t) {
  return A.n;
}
template <class E>
int columns_of(const vectors<E>&, std::int64_t) {
  return 0;
}
inline int columns_of(const extents&, std::int64_t) { return 0; }

/// What a thread does at a time: `count` matrices, which agree in all sizes if they go in lanes, else one.
struct task {
  const std::int64_t* matrices;
  std::int64_t count;
  bool in_lanes;
  double time;  // estimated
};

/// A whole batch as tasks, most work first: so threads that take one after the other end together.
class schedule {
 public:
  /// orders[b]: min(m, n) of matrix b if there is anything to do with it, else less than 1. The range decides
  /// for all matrices of one order, whatever their other sizes are, so that how they lie in memory has no
  /// influence on their bits. Operands: a matrix, and what belongs to it, such as right-hand sides.
  template <class... Batches>
  schedule(const std::vector<int>& orders, const lanes_range& range, int width, const Batches&... operands) {
    // One place per order up to the largest: less memory than one matrix of that order has.
    const int largest = std::max(0, *std::max_element(orders.begin(), orders.end()));
    std::vector<std::int64_t> ends(static_cast<std::size_t>(largest) + 1);
    sort_by_order(orders, ends);
    std::int64_t* first = by_order_.data();
    for (int n = 1; n <= largest; ++n) {
      std::int64_t* const last = by_order_.data() + ends[static_cast<std::size_t>(n)];
      if (first < last && range.covers(n, last - first)) {
        add_in_lanes(first, last, range, width, operands...);
      } else {
        for (; first < last; ++first) add(first, 1, false, operands...);
      }
      first = last;
    }
    std::sort(tasks_.begin(), tasks_.end(), [](const task& a, const task& b) {
      return a.time != b.time ? a.time > b.time : a.matrices < b.matrices;
    });
  }

  const std::vector<task>& tasks() const { return tasks_; }

 private:
  /// ends[n]: where those of order n end.
  void sort_by_order(const std::vector<int>& orders, std::vector<std::int64_t>& ends) {
    std::int64_t sum = 0;
    for (const int n : orders) {
      if (n > 0) ++ends[static_cast<std::size_t>(n)];
    }
    for (std::int64_t& end : ends) sum += std::exchange(end, sum);
    by_order_.resize(static_cast<std::size_t>(sum));
    for (std::size_t b = 0; b < orders.size(); ++b) {
      if (orders[b] < 1) continue;
      const std::int64_t next = ends[static_cast<std::size_t>(orders[b])]++;
      by_order_[static_cast<std::size_t>(next)] = static_cast<std::int64_t>(b);
    }
  }

  /// All matrices of one order: runs of equal sizes, each in tasks of some groups, or one by one where they
  /// are too large for a group.
  template <class Batch, class... Batches>
  void add_in_lanes(std::int64_t* first, std::int64_t* last, const lanes_range& range, int width,
                    const Batch& A, const Batches&... rest) {
    const auto sizes = [&](std::int64_t b) {
      return std::tuple_cat(extents_of(A, b), extents_of(rest, b)...);
    };
    const auto before = [&](std::int64_t b, std::int64_t c) {
      return std::pair(sizes(b), b) < std::pair(sizes(c), c);
    };
    if (!std::is_sorted(first, last, before)) std::sort(first, last, before);
    while (first < last) {
      const auto like_first = [&](std::int64_t b) { return sizes(b) == sizes(*first); };
      const std::int64_t* const next = std::find_if_not(first, last, like_first);
      const std::int64_t groups = (next - first + width - 1) / width;
      const std::int64_t most = width * groups_at_a_time(groups, width, A[*first], omp_get_max_threads());
      const bool fits = range.fits(A.m[*first], A.n[*first]);
      while (first < next) {
        const std::int64_t count = fits ? std::min<std::int64_t>(most, next - first) : 1;
        add(first, count, fits, A, rest...);
        first += count;
      }
    }
  }

  /// Vectors have no sizes of their own.
  template <class T>
  static std::tuple<int, int, int> extents_of(const variable_batch<T>& A, std::int64_t b) {
    return {A.m[b], A.n[b], A.lda[b]};
  }
  template <class E>
  static std::tuple<> extents_of(const vectors<E>&, std::int64_t) {
    return {};
  }
  static std::tuple<int> extents_of(const extents& all, std::int64_t b) { return {all[b]}; }
  template <class Batch, class... Batches>
  void add(const std::int64_t* matrices, std::int64_t count, bool in_lanes, const Batch& A,
           const Batches&... rest) {
    const auto as_double = [](int i) { return static_cast<double>(i); };
    const std::int64_t b = *matrices;
    const double columns = (as_double(A.n[b]) + ... + as_double(columns_of(rest, b)));
    const double time = estimated_time(A.m[b], A.n[b], columns) * static_cast<double>(count);
    tasks_.push_back({matrices, count, in_lanes, time});
  }

  std::vector<std::int64_t> by_order_;  // the matrices, those of one order one behind the other
  std::vector<task> tasks_;
};

}  // namespace talus::host
