// Matrices from one layout into another: transposed on the way where the layouts differ, the whole or one
// triangle.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "batch.hpp"
#include "talus/types.hpp"

namespace talus::python {

/// Which part of the matrices is copied, and what becomes of the rest: lower, upper: zeros; mirror_lower,
/// mirror_upper: the conjugate transpose of that triangle.
enum class part { all, lower, upper, mirror_lower, mirror_upper };

/// Where matrix b of a batch is: its element (i, j) at
/// data[b * stride_batch + i * stride_row + j * stride_column].
template <class T>
struct matrices {
  T* data;
  std::int64_t stride_batch, stride_row, stride_column;
};

/// to := from, on q.where. T is float, double, std::complex<float>, std::complex<double> or int.
///
/// 1 part         all, lower and upper of m-by-n matrices, the mirror_ ones of square ones
/// 2 m, 3 n       rows and columns of every matrix, >= 0
/// 4 batch_count  number of matrices
/// 5 from         read; stride_batch may be 0. Of a triangle and what is made of it nothing else is read
/// 6 to           written; no two of its elements are one. It may be `from`, all strides the same (then only
///                what is outside the triangle is written), else it has no element in common with that
/// 7 q            on cuda, the copy is queued on q.stream, and may be captured in a graph; both are aligned
///                to sizeof(T)
///
/// Returns 0, -i if argument i is illegal, or one of the err_ codes of talus/types.hpp.
template <class T>
int copy(part, int m, int n, std::int64_t batch_count, matrices<const T> from, matrices<T> to, queue q);

/// One matrix and where it is copied to, by the rules of `copy`: element (i, j) from from[i * from_row + j *
/// from_column] to to[i * to_row + j * to_column].
struct one_copy {
  part which;
  int m, n;
  const void* from;
  std::int64_t from_row, from_column;
  void* to;
  std::int64_t to_row, to_column;
};

/// Matrices of any sizes at once.
///
/// 1 each       the copies, of which none writes what another one reads or writes
/// 2 on_device  the same in device memory if q is a stream, else not read
/// 3 q          as of copy
///
/// Returns 0, -i if argument i of `copy` would be illegal, or one of the err_ codes of talus/types.hpp.
template <class T>
int copy_each(const std::vector<one_copy>& each, const one_copy* on_device, queue q);

// ---- what both backends need -----------------------------------------------------------------------

TALUS_HOST_DEVICE constexpr bool keeps_lower(part p) { return p == part::lower || p == part::mirror_lower; }
TALUS_HOST_DEVICE constexpr bool keeps_upper(part p) { return p == part::upper || p == part::mirror_upper; }
TALUS_HOST_DEVICE constexpr bool mirrors(part p) {
  return p == part::mirror_lower || p == part::mirror_upper;
}

template <class T>
bool is_aligned(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(T) == 0;
}

/// The same part of the transposed matrices.
constexpr part transposed(part p) {
  switch (p) {
    case part::lower:
      return part::upper;
    case part::upper:
      return part::lower;
    case part::mirror_lower:
      return part::mirror_upper;
    case part::mirror_upper:
      return part::mirror_lower;
    default:
      return p;
  }
}
/// The transposed matrices.
template <class T>
matrices<T> transposed(matrices<T> A) {
  return {A.data, A.stride_batch, A.stride_column, A.stride_row};
}

namespace cuda {

/// The same of legal arguments, where there is something to copy. Not there if Talus is built without CUDA.
template <class T>
int copy(part, int m, int n, std::int64_t batch_count, matrices<const T> from, matrices<T> to, bool in_place,
         queue q);

/// The same of `count` legal copies, count > 0. largest: elements of the largest matrix.
template <class T>
int copy_each(const one_copy* on_device, std::int64_t count, std::int64_t largest, queue q);

}  // namespace cuda
}  // namespace talus::python
