// Batches of several matrices per problem: for products, solves, and fronts in blocks. For timing only: no
// result is checked.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "measure/problem.hpp"

namespace talus::measure {

/// The arguments of a call on problems of several parts.
template <class Batch, std::size_t COUNT>
struct parts_of {
  std::array<Batch, COUNT> part;
  const int* k = nullptr;  // for mixed sizes
  vectors<int> ipiv;       // of the first part
  int* info = nullptr;
  sizes largest;
};

/// A batch of problems of several parts. Each part has its own slab. Parts::sizes_of(i, s) returns the sizes
/// of part i in a problem of sizes s. Parts::kinds has the kind of matrix of each part.
template <class T, bool MIXED, class Parts>
class problem_of_parts {
  static constexpr std::size_t count = std::size(Parts::kinds);
  using part_problem = problem_of<T, MIXED>;
  using part_batch = std::conditional_t<MIXED, variable_batch<T>, talus::batch<T>>;

 public:
  using scalar = T;
  using operands_type = parts_of<part_batch, count>;
  static constexpr bool mixed_sizes = MIXED;

  const backend where;
  const sizes largest;
  const int m, n;
  const std::int64_t batch;
  const int copies;

  problem_of_parts(const contents&, backend where_, uplo uplo, const sizes& largest_, std::int64_t batch_,
                   int copies_, const std::vector<sizes>& each = {})
      : where(where_),
        largest(largest_),
        m(largest_.m),
        n(largest_.n),
        batch(batch_),
        copies(copies_),
        k_(where_, MIXED ? each.size() : 0) {
    std::vector<int> k;
    for (const sizes& one : each) k.push_back(one.k);
    copy_across(where, k_.data(), k.data(), k.size() * sizeof(int));
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<sizes> each_part;
      sizes most = allocated(i, largest);
      for (const sizes& one : each) each_part.push_back(allocated(i, one));
      parts_.push_back(std::make_unique<part_problem>(contents{Parts::kinds[i], i == 0}, where, uplo, most,
                                                      batch, copies, each_part));
    }
  }

  int* info() const { return parts_.front()->info(); }
  sizes sizes_of(std::int64_t) const { return largest; }
  void restore(int copy) {
    for (const auto& part : parts_) part->restore(copy);
  }

  operands_type operands(int copy) const {
    operands_type x;
    for (std::size_t i = 0; i < count; ++i) {
      x.part[i] = parts_[i]->operands(copy).A;
      if constexpr (!MIXED) {
        x.part[i].m = Parts::sizes_of(i, largest).m;
        x.part[i].n = Parts::sizes_of(i, largest).n;
      }
    }
    x.k = k_.data();
    x.ipiv = parts_.front()->operands(copy).ipiv;
    x.info = info();
    x.largest = largest;
    return x;
  }

 private:
  /// Returns the sizes of part i in memory: at least one row and one column.
  static sizes allocated(std::size_t i, const sizes& s) {
    const sizes part = Parts::sizes_of(i, s);
    return {std::max(part.m, 1), std::max(part.n, 1), std::max(std::min(part.m, part.n), 1), 0};
  }

  array<int> k_;
  std::vector<std::unique_ptr<part_problem>> parts_;
};

}  // namespace talus::measure
