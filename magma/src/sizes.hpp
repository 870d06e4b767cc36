// Sizes in device memory: MAGMA's checks of them, their maxima, and arrays that hold one size for all.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include "talus/magma.h"

namespace talus::magma {

/// Arrays of sizes of one call, one int per matrix.
struct size_arrays {
  enum class kind {
    extent,     // at least 0
    leading,    // a leading dimension: at least 1 and `rows`
    increment,  // not 0
  };
  struct one {
    int number;  // of the argument
    kind of;
    int* values;
    const int* rows;  // of a leading dimension
  };
  static constexpr int most = 6;

  size_arrays& extent(int number, int* values) { return add({number, kind::extent, values, nullptr}); }
  size_arrays& leading(int number, int* values, const int* rows) {
    return add({number, kind::leading, values, rows});
  }
  size_arrays& increment(int number, int* values) { return add({number, kind::increment, values, nullptr}); }

  one list[most] = {};
  int count = 0;
  /// Whether each array has an element behind those of the matrices, which is MAGMA's to write.
  bool has_last = true;

 private:
  size_arrays& add(const one& next) {
    list[count++] = next;
    return *this;
  }
};

/// What a call looks for on the device: it waits for that.
enum class look_for { errors, largest, both };

struct looked {
  magma_int_t code = 0;                          // -i: argument i has an illegal element; or an error
  std::array<int, size_arrays::most> largest{};  // of each extent, in the order of the list
};

/// Looks at the sizes of a batch. Leaves in the last elements what MAGMA does: in those of extents the
/// largest where it is looked for, else 0; in the others 0; and -1 where an element is illegal, whereupon
/// nothing else is looked for.
looked look_at(const size_arrays& sizes, look_for what, std::int64_t batch_count, cudaStream_t stream);

/// to[b] := from + (b * stride + offset) bytes, for b = 0 ... batch_count - 1.
int set_pointers(void** to, const void* from, std::int64_t stride, std::int64_t offset,
                 std::int64_t batch_count, cudaStream_t stream);

/// Array i of `count`, one behind the other: batch_count times values[i].
int set_sizes(int* arrays, const std::array<int, size_arrays::most>& values, int count,
              std::int64_t batch_count, cudaStream_t stream);

/// info[b] := replaced[b] where it is 0.
int report_replaced(int* info, const int* replaced, std::int64_t batch_count, cudaStream_t stream);

}  // namespace talus::magma
