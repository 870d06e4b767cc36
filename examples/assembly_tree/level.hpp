// Factors all fronts of one level. What is too large for the memory is done in parts, a call for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "part.hpp"

namespace tree {

/// Bytes of what one call needs for a front of n rows, with a right-hand side.
template <class T>
double front_bytes(int n) {
  constexpr double arrays = 2 * sizeof(T*) + 4 * sizeof(int) + 2 * sizeof(std::int64_t);
  return (static_cast<double>(n) * n + n) * sizeof(T) + arrays;
}

/// The orders of a level's fronts, in no order, as a solver that walks through its tree has them.
inline std::vector<int> orders(const level& l) {
  std::vector<int> n;
  n.reserve(static_cast<std::size_t>(l.fronts()));
  for (const front_group& g : l.groups) n.insert(n.end(), static_cast<std::size_t>(g.count), g.n);
  std::mt19937_64 random(static_cast<std::uint64_t>(l.number));
  for (std::size_t i = n.size(); i > 1; --i) std::swap(n[i - 1], n[random() % i]);  // the same everywhere
  return n;
}

template <class T>
outcome factor(const level& l, const job& what, talus::queue q) {
  const std::vector<int> n = orders(l);
  outcome all;
  for (std::size_t begin = 0, end = 0; begin < n.size(); begin = end) {
    double bytes = 0;
    do bytes += front_bytes<T>(n[end++]);
    while (end < n.size() && bytes + front_bytes<T>(n[end]) <= what.memory);
    all.add(part<T>(l, n, begin, end, what, q).run());
  }
  return all;
}

}  // namespace tree
