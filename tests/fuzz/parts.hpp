// What calls of several families need.
#pragma once

#include <string>
#include <vector>

#include "fuzz/call.hpp"
#include "lu/fronts.hpp"

/// The functions of a routine with one size for all matrices, and with a size for each.
#define TALUS_FUZZ_VBATCHED(routine)         \
  template <class... X>                      \
  static int vbatched(X... x) {              \
    return routine##_vbatched<T>(x...);      \
  }                                          \
  template <class... X>                      \
  std::size_t vbatched_work(X... x) const {  \
    return routine##_vbatched_work<T>(x...); \
  }
#define TALUS_FUZZ_ENTRIES(routine)            \
  TALUS_FUZZ_VBATCHED(routine)                 \
  template <class... X>                        \
  static int batched(X... x) {                 \
    return routine##_batched<T>(x...);         \
  }                                            \
  template <class... X>                        \
  static int strided(X... x) {                 \
    return routine##_strided_batched<T>(x...); \
  }                                            \
  template <class... X>                        \
  std::size_t work(X... x) const {             \
    return routine##_work<T>(x...);            \
  }

namespace talus::test::fuzz {

inline std::size_t at(int i, int j, int ld) {
  return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(ld);
}

/// A copy of every matrix before the call.
template <class T>
using originals = std::vector<dense<T>>;
template <class T>
dense<T>& keep(originals<T>& all, std::size_t b, dense<T> A) {
  if (all.size() <= b) all.resize(b + 1);
  return all[b] = std::move(A);
}

/// m x n elements of a matrix from (i0, j0) on.
template <class T>
void copy_part(const dense<T>& from, int ld, int i0, int j0, dense<T>& to, int m, int n) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) to[at(i, j, m)] = from[at(i0 + i, j0 + j, ld)];
  }
}
template <class T>
void put_part(const dense<T>& from, int m, int n, dense<T>& to, int ld, int i0, int j0) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) to[at(i0 + i, j0 + j, ld)] = from[at(i, j, m)];
  }
}

/// Random, with at least max(m, n) on the diagonal in half of the cases.
template <class T>
dense<T> any_matrix(draw& own, int m, int n) {
  return general<T>(own.one_in(2) ? "dominant" : "random", m, n, own.seed());
}

}  // namespace talus::test::fuzz
