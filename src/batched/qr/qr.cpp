#include <algorithm>

#include "batched/qr/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

template <class Batch, class Triangle, class... Bounds>
int qr(Batch A, Triangle R, int* info, queue q, Bounds... bounds) {
  const int status = arguments(A.count, q).list(A.m, A.n, A, R).info(info).end(bounds...).status;
  if (status != 0 || A.count == 0) return status;
  return q.where == backend::host ? host::qr(A, R, info, bounds...) : cuda::qr(A, R, info, bounds..., q);
}

}  // namespace

template <>
int qr_batched(int m, int n, T* const* A_array, int lda, T* const* R_array, int ldr, int* info_array,
               std::int64_t batch_count, queue q) {
  return qr(pointer_batch(A_array, m, n, lda, batch_count),
            pointer_batch(R_array, std::min(m, n), n, ldr, batch_count), info_array, q);
}

template <>
int qr_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, T* R, int ldr,
                       std::int64_t stride_R, int* info_array, std::int64_t batch_count, queue q) {
  return qr(strided(A, m, n, lda, stride_A, batch_count),
            strided(R, std::min(m, n), n, ldr, stride_R, batch_count), info_array, q);
}

template <>
int qr_vbatched(const int* m, const int* n, T* const* A_array, const int* lda, T* const* R_array,
                const int* ldr, int* info_array, std::int64_t batch_count, int m_max, int n_max, queue q) {
  return qr(bounded(A_array, m, n, lda, batch_count, m_max, n_max),
            bounded(R_array, m, n, ldr, batch_count, m_max, n_max), info_array, q, m_max, n_max);
}

template <>
std::size_t qr_work<T>(int, int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t qr_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus
