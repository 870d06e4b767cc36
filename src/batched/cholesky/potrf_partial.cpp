// potrf_partial and potrf_partial_split: a front in one piece, and one in blocks of their own.
#include <cstddef>
#include <cstdint>

#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/fronts.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

/// One k for all fronts and no bounds, or an array with one for each and the bounds of n and k.
template <class Batch, class K, class... Bounds>
int potrf_partial(uplo uplo, Batch A, K k, int* info, queue q, Bounds... bounds) {
  const int status =
      arguments(A.count, q).list(uplo, A.n).at_most(k, A.n).list(A).info(info).end(bounds...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::potrf_partial(uplo, A, k, info, bounds...)
                                  : cuda::potrf_partial(uplo, A, k, info, bounds..., q);
}

template <class Batch, class... Bounds>
int potrf_partial_split(uplo uplo, Batch A11, Batch A21, Batch A22, int* info, queue q, Bounds... bounds) {
  const int status =
      arguments(A11.count, q).list(uplo, A11.n, A22.n, A11, A21, A22).info(info).end(bounds...).status;
  if (status != 0 || A11.count == 0) return status;
  return q.where == backend::host ? host::potrf_partial_split(uplo, A11, A21, A22, info, bounds...)
                                  : cuda::potrf_partial_split(uplo, A11, A21, A22, info, bounds..., q);
}

/// k and n2, or their arrays, or their bounds, as rows and columns of A21, or of A12 in its place.
template <class Extent>
struct extents_of_A21 {
  Extent m, n;

  extents_of_A21(uplo uplo, Extent k, Extent n2)
      : m(uplo == uplo::upper ? k : n2), n(uplo == uplo::upper ? n2 : k) {}
};

/// Of a front in blocks; negative: nobody knows.
constexpr std::int64_t order_of(int k, int n2) { return k < 0 || n2 < 0 ? -1 : std::int64_t{k} + n2; }

}  // namespace

template <>
int potrf_partial_batched(uplo uplo, int n, int k, T* const* A_array, int lda, int* info_array,
                          std::int64_t batch_count, queue q) {
  return potrf_partial(uplo, pointer_batch(A_array, n, n, lda, batch_count), k, info_array, q);
}

template <>
int potrf_partial_strided_batched(uplo uplo, int n, int k, T* A, int lda, std::int64_t stride_A,
                                  int* info_array, std::int64_t batch_count, queue q) {
  return potrf_partial(uplo, strided(A, n, n, lda, stride_A, batch_count), k, info_array, q);
}

template <>
int potrf_partial_vbatched(uplo uplo, const int* n, const int* k, T* const* A_array, const int* lda,
                           int* info_array, std::int64_t batch_count, int n_max, int k_max, queue q) {
  return potrf_partial(uplo, bounded(A_array, n, n, lda, batch_count, n_max, n_max), k, info_array, q, n_max,
                       k_max);
}

template <>
std::size_t potrf_partial_work<T>(int n, int, std::int64_t batch_count) noexcept {
  return fronts_bytes<T>(n, batch_count);
}

template <>
std::size_t potrf_partial_vbatched_work<T>(int n_max, int, std::int64_t batch_count) noexcept {
  return mixed_fronts_bytes<T>(n_max, batch_count);
}

template <>
int potrf_partial_split_batched(uplo uplo, int k, int n2, T* const* A11_array, int lda11, T* const* A21_array,
                                int lda21, T* const* A22_array, int lda22, int* info_array,
                                std::int64_t batch_count, queue q) {
  const extents_of_A21 of_A21(uplo, k, n2);
  return potrf_partial_split(uplo, pointer_batch(A11_array, k, k, lda11, batch_count),
                             pointer_batch(A21_array, of_A21.m, of_A21.n, lda21, batch_count),
                             pointer_batch(A22_array, n2, n2, lda22, batch_count), info_array, q);
}

template <>
int potrf_partial_split_strided_batched(uplo uplo, int k, int n2, T* A11, int lda11, std::int64_t stride_A11,
                                        T* A21, int lda21, std::int64_t stride_A21, T* A22, int lda22,
                                        std::int64_t stride_A22, int* info_array, std::int64_t batch_count,
                                        queue q) {
  const extents_of_A21 of_A21(uplo, k, n2);
  return potrf_partial_split(uplo, strided(A11, k, k, lda11, stride_A11, batch_count),
                             strided(A21, of_A21.m, of_A21.n, lda21, stride_A21, batch_count),
                             strided(A22, n2, n2, lda22, stride_A22, batch_count), info_array, q);
}

template <>
int potrf_partial_split_vbatched(uplo uplo, const int* k, const int* n2, T* const* A11_array,
                                 const int* lda11, T* const* A21_array, const int* lda21, T* const* A22_array,
                                 const int* lda22, int* info_array, std::int64_t batch_count, int k_max,
                                 int n2_max, queue q) {
  const extents_of_A21 of_A21(uplo, k, n2);
  const extents_of_A21 most(uplo, k_max, n2_max);
  return potrf_partial_split(uplo, bounded(A11_array, k, k, lda11, batch_count, k_max, k_max),
                             bounded(A21_array, of_A21.m, of_A21.n, lda21, batch_count, most.m, most.n),
                             bounded(A22_array, n2, n2, lda22, batch_count, n2_max, n2_max), info_array, q,
                             k_max, n2_max);
}

template <>
std::size_t potrf_partial_split_work<T>(int k, int n2, std::int64_t batch_count) noexcept {
  return fronts_bytes<T>(order_of(k, n2), batch_count);
}

template <>
std::size_t potrf_partial_split_vbatched_work<T>(int k_max, int n2_max, std::int64_t batch_count) noexcept {
  return mixed_fronts_bytes<T>(order_of(k_max, n2_max), batch_count);
}

}  // namespace talus
