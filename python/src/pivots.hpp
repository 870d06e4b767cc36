// Pivots that a caller gives.
#pragma once

namespace talus::python {

/// Returns the index i of the first of n pivots outside i + 1..n, or n if all are legal. Pivots that count
/// from 0 have an illegal one: the last is n - 1.
inline int first_illegal_pivot(const int* ipiv, int n) {
  // The compiler vectorizes a loop without an exit.
  const auto is_legal = [ipiv, n](int i) { return ipiv[i] > i && ipiv[i] <= n; };
  bool all_legal = true;
  for (int i = 0; i < n; ++i) all_legal &= is_legal(i);
  if (all_legal) return n;
  int i = 0;
  while (is_legal(i)) ++i;
  return i;
}

}  // namespace talus::python
