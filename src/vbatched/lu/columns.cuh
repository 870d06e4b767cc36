// Matrices of mixed sizes, whole or in blocks of their own, as the source of column_blocks' tasks: those of a
// class, or all, in order. The other sources are in batched/lu/column_blocks.cuh.
#pragma once

#include "batched/lu/column_blocks.cuh"
#include "vbatched/lu/check.hpp"
#include "vbatched/mixed_sizes.cuh"

namespace talus::cuda::lu {

template <class T, class R>
__device__ elimination<R> elimination_of_number(const matrix_check<T, R>& check, int b) {
  const matrix<T> A = check.A[b];
  return check.each.of(b, A.m, A.n);
}
template <class T, class R>
__device__ front<T> front_of_number(const matrix_check<T, R>& check, int b) {
  return front_of(check.A[b], elimination_of_number(check, b).columns);
}
template <class T, class R>
__device__ split split_of(const matrix_check<T, R>&) {
  return {};
}

template <class T, class R>
__device__ elimination<R> elimination_of_number(const split_check<T, R>& check, int b) {
  const matrix<T> A11 = check.A.A11[b];
  return check.each.of(b, A11.m, A11.n);
}
template <class T, class R>
__device__ front<T> front_of_number(const split_check<T, R>& check, int b) {
  return {check.A.A11[b], check.A.A12[b], check.A.A21[b], check.A.A22[b]};
}
template <class T, class R>
__device__ split split_of(const split_check<T, R>& check) {
  return {check.form, check.schur};
}

template <class Check>
struct mixed_columns {
  static constexpr bool equal = false;
  using element = typename Check::element;
  Check check;
  subset s;
  std::int64_t first;
  int number_of_positions;  // at most

  std::size_t offset_of_scratch() const { return offset_of_lu_work(check.A.count); }

  __device__ void begin() const {
    if (s.waits) wait_for_previous_kernel();
    let_next_kernel_start();
  }
  __device__ void end() const {
    if (blockIdx.x == 0) wait_for_previous_kernel();
  }

  __device__ int positions() const { return s.end() - s.first(); }
  __device__ int number(int position) const { return s.number(s.first() + position); }
  /// A number that is none comes after all others: nothing is to be done.
  __device__ auto elimination_at(int b) const {
    return b < 0 ? elimination<real_t<element>>{} : elimination_of_number(check, b);
  }
  __device__ front<element> front_at(int b) const {
    return b < 0 ? front<element>{} : front_of_number(check, b);
  }
  __device__ split how() const { return split_of(check); }
};

template <class Check, class Then>
mixed_columns<Check> as_columns(const mixed_sizes<Check>& source, const Then&) {
  return {source.check, source.s, 0, 0};
}

}  // namespace talus::cuda::lu
