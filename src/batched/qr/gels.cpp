#include <algorithm>

#include "batched/qr/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

/// B of mixed sizes has A's m, but as many rows as the longer side of A: it may be null where its bounds say
/// that there are none.
template <class Batch, class Sides, class... Bounds>
int gels(op op, Batch A, Sides B, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q)
                         .check(is_legal_of_q<T>(op))
                         .list(A.m, A.n, B.n, A, B)
                         .info(info)
                         .end(bounds...)
                         .status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::gels(conjugated(op), A, B, info, bounds...)
                                  : cuda::gels(conjugated(op), A, B, info, bounds..., q);
}

}  // namespace

template <>
int gels_batched(op op, int m, int n, int nrhs, T* const* A_array, int lda, T* const* B_array, int ldb,
                 int* info_array, std::int64_t batch_count, queue q) {
  return gels(op, pointer_batch(A_array, m, n, lda, batch_count),
              pointer_batch(B_array, std::max(m, n), nrhs, ldb, batch_count), info_array, q);
}

template <>
int gels_strided_batched(op op, int m, int n, int nrhs, T* A, int lda, std::int64_t stride_A, T* B, int ldb,
                         std::int64_t stride_B, int* info_array, std::int64_t batch_count, queue q) {
  return gels(op, strided(A, m, n, lda, stride_A, batch_count),
              strided(B, std::max(m, n), nrhs, ldb, stride_B, batch_count), info_array, q);
}

template <>
int gels_vbatched(op op, const int* m, const int* n, const int* nrhs, T* const* A_array, const int* lda,
                  T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count, int m_max,
                  int n_max, int nrhs_max, queue q) {
  return gels(op, bounded(A_array, m, n, lda, batch_count, m_max, n_max),
              bounded(B_array, m, nrhs, ldb, batch_count, largest_bound(m_max, n_max), nrhs_max), info_array,
              q, m_max, n_max, nrhs_max);
}

template <>
std::size_t gels_work<T>(int, int, int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t gels_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
