// Sparse matrices that tests make up.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/backend.hpp"
#include "common/random_numbers.hpp"
#include "sparse/matrix.hpp"
#include "sparse/ordering.hpp"

namespace talus::test {

/// "auto", or where neither METIS nor AMD is built in "natural".
inline std::string best_ordering() {
  std::string method = "auto";
  try {
    sparse::fill_reducing_order({1, {0, 0}, {}}, method);
  } catch (const example::unavailable&) {
    return "natural";
  }
  return "auto";
}

/// entry(i, j) column by column, of symmetric matrices i >= j alone. What is zero is not stored.
template <class Entry>
sparse::matrix made(int n, bool symmetric, Entry entry) {
  sparse::matrix A;
  A.name = "made up", A.n = n, A.symmetric = symmetric;
  A.begin = {0};
  for (int j = 0; j < n; ++j) {
    for (int i = symmetric ? j : 0; i < n; ++i)
      if (const double value = entry(i, j); value != 0) A.row.push_back(i), A.value.push_back(value);
    A.begin.push_back(static_cast<int>(A.row.size()));
  }
  return A;
}

/// Calls visit(i, j, place in A.value) for what is stored.
template <class Visit>
void each_entry(const sparse::matrix& A, Visit visit) {
  for (int j = 0; j < A.n; ++j)
    for (int e = A.begin[static_cast<std::size_t>(j)]; e < A.begin[static_cast<std::size_t>(j) + 1]; ++e)
      visit(A.row[static_cast<std::size_t>(e)], j, static_cast<std::size_t>(e));
}

/// With so large a diagonal that a symmetric matrix is positive definite. All of it is stored.
inline sparse::matrix dominated(sparse::matrix A) {
  std::vector<double> sum(static_cast<std::size_t>(A.n), 1.0);
  each_entry(A, [&](int i, int j, std::size_t e) {
    if (i == j) return;
    sum[static_cast<std::size_t>(i)] += std::abs(A.value[e]);
    sum[static_cast<std::size_t>(j)] += std::abs(A.value[e]);
  });
  each_entry(A, [&](int i, int j, std::size_t e) {
    if (i == j) A.value[e] = sum[static_cast<std::size_t>(i)];
  });
  return A;
}

/// Positive definite, with about so many neighbours of each unknown.
inline sparse::matrix random_definite(int n, double neighbours, std::uint64_t seed) {
  example::random_numbers random(seed);
  return dominated(made(n, true, [&](int i, int j) {
    const double value = random.next(), chance = random.next();
    return i == j || chance + 1 < 2 * neighbours / n ? value : 0;
  }));
}

/// Dense blocks of `size`, none joined with another, but each with about half of the last `root` unknowns,
/// which are dense, too: a front of many pivots for each. The diagonal is `diagonal`.
inline sparse::matrix joined_blocks(int blocks, int size, int root, bool symmetric, double diagonal) {
  example::random_numbers random(5);
  const int joint = blocks * size;
  const auto joined = [=](int in_block, int in_root) {
    return (in_block / size + in_root * in_root / 3) % 2 == 0;
  };
  return made(joint + root, symmetric, [&](int i, int j) {
    const double value = random.next();
    const int low = i < j ? i : j, high = i < j ? j : i;
    const bool stored = low >= joint || (high < joint ? low / size == high / size : joined(low, high));
    return i == j ? diagonal : stored ? value : 0;
  });
}

/// Unsymmetric, with about so many entries in a column. The diagonal is of the size `diagonal`; where that is
/// 0 the entries beside it are large.
inline sparse::matrix random_unsymmetric(int n, double entries, double diagonal, std::uint64_t seed) {
  example::random_numbers random(seed);
  return made(n, false, [&](int i, int j) {
    const double value = random.next(), chance = random.next();
    if (i == j) return diagonal * (1.5 + value);
    if (diagonal == 0 && i == (j + 1) % n) return 3 + value;
    return chance + 1 < 2 * entries / n ? value : 0;
  });
}

}  // namespace talus::test
