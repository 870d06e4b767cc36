// Matrices of mixed sizes, whole or in blocks of their own, as the source of column_blocks' tasks: those of a
// class, or all, in order. The other sources are in batched/lu/front.cuh.
#pragma once

#include "batched/lu/front.cuh"
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

template <class Check>
struct mixed_fronts {
  using element = typename Check::element;
  Check check;
  mixed_positions positions;

  std::size_t offset_of_scratch() const { return offset_of_lu_work(check.A.count); }

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
mixed_fronts<Check> as_fronts(const mixed_sizes<Check>& source, const Then&) {
  return {source.check, {source.s}};
}

}  // namespace talus::cuda::lu
