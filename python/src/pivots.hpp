// Pivots that a caller gives.
#pragma once

namespace talus::python {

/// Returns the index of the first of n pivots outside 1..n, or n if all n are legal. LAPACK permits a pivot
/// above its row, though getrf yields none.
inline int first_illegal_pivot(const int* ipiv, int n) {
  // The compiler vectorizes a loop without an exit.
  const auto rows = static_cast<unsigned>(n);
  bool all_legal = true;
  for (int i = 0; i < n; ++i) all_legal &= static_cast<unsigned>(ipiv[i]) - 1u < rows;
  if (all_legal) return n;
  int i = 0;
  while (static_cast<unsigned>(ipiv[i]) - 1u < rows) ++i;
  return i;
}

}  // namespace talus::python
