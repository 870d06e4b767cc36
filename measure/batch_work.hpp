// What is done to the columns of all matrices of a batch, written once for host and device: a group of lanes
// takes column j of matrix b, its elements from `lane` on in steps of `lanes`. On the host a group is one.
#pragma once

#include "measure/problem.hpp"

namespace talus::measure {

template <class R>
TALUS_HOST_DEVICE void store(R* p, element e) {
  *p = static_cast<R>(e.re);
}
template <template <class> class Complex, class R>
TALUS_HOST_DEVICE void store(Complex<R>* p, element e) {
  *p = {static_cast<R>(e.re), static_cast<R>(e.im)};
}

/// What generate() does.
template <class E>
struct generate_work {
  matrix_kind kind;
  E* X;
  const std::int64_t* first;
  const int *m_array, *n_array;
  int m, n;

  TALUS_HOST_DEVICE void operator()(std::int64_t b, int j, int lane, int lanes) const {
    const std::int64_t rows = m_array ? m_array[b] : m;
    const int columns = n_array ? n_array[b] : n;
    if (j >= columns) return;
    E* const x = X + (first ? first[b] : b * rows * columns) + j * rows;
    for (int i = lane; i < rows; i += lanes) store(x + i, element_of(kind, b, i, j, columns));
  }
};

/// From the matrices into slots of order n_max, with the identity beyond them; or, BACK, from there. Just the
/// stored triangle.
template <class E, bool BACK>
struct pad_work {
  E* padded;
  int n_max;
  bool lower;
  E* const* A_array;
  const int* n;

  TALUS_HOST_DEVICE void operator()(std::int64_t b, int j, int lane, int lanes) const {
    const int n_b = n[b], inside = j < n_b ? n_b : 0;
    const int begin = lower ? j : 0, last = lower ? (BACK ? n_b : n_max) : j + 1;
    const int end = BACK && last > inside ? inside : last;
    E* __restrict__ const A = A_array[b] + static_cast<std::int64_t>(j) * n_b;
    E* __restrict__ const slot = padded + (b * n_max + j) * n_max;
#ifdef __CUDA_ARCH__
#pragma unroll 4
#endif
    for (int i = begin / lanes * lanes + lane; i < end; i += lanes) {
      if (i < begin) continue;
      if (BACK) {
        A[i] = slot[i];
      } else if (i < inside) {
        slot[i] = A[i];
      } else {
        store(slot + i, element{i == j ? 1.0 : 0.0, 0.0});
      }
    }
  }
};

}  // namespace talus::measure
