// Argument checks: pure, the same on every backend, done before anything is touched.
#pragma once

#include <algorithm>
#include <cstdint>

#include "talus/types.hpp"

namespace talus {

/// Collects the status of a call: 0 while all arguments were legal, else -i for the first that was not.
///   return arguments{}.check(1, is_legal(uplo)).check(2, n >= 0).status;
struct arguments {
  int status = 0;

  constexpr arguments& check(int i, bool legal) {
    if (status == 0 && !legal) status = -i;
    return *this;
  }
};

constexpr bool is_legal(uplo triangle) { return triangle == uplo::lower || triangle == uplo::upper; }
constexpr bool is_legal(backend where) { return where == backend::host || where == backend::cuda; }
constexpr bool is_legal_ld(int ld, int rows) { return ld >= std::max(1, rows); }

/// Null is fine where there is nothing to point at: one of the extents is 0 (or illegal, which its own check reports).
constexpr bool is_legal_data(const void* pointer, std::int64_t batch_count, int rows = 1, int columns = 1) {
  return pointer != nullptr || batch_count <= 0 || rows <= 0 || columns <= 0;
}

/// Matrices that are written must not overlap: closer than one column's length they always do.
constexpr bool is_legal_stride(std::int64_t stride, int rows, int columns, std::int64_t batch_count) {
  return batch_count <= 1 || columns == 0 || stride >= rows;
}

}  // namespace talus
