// The diagonal of a triangle that is to be solved with.
#pragma once

#include "batch.hpp"

namespace talus::host {

template <class T>
bool is_nan(T x) {
  return x != x;
}

/// 0, or the first j, from 1, whose diagonal element is zero or NaN.
template <class T>
int failed_pivot(const matrix<const T>& A) {
  for (int j = 0; j < A.n; ++j) {
    if (A(j, j) == T(0) || is_nan(A(j, j))) return j + 1;
  }
  return 0;
}

}  // namespace talus::host
