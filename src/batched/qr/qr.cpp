#include <algorithm>

#include "batched/qr/backends.hpp"
#include "c_api.hpp"
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

extern "C" {

int TALUS_NAME(qr_batched)(int m, int n, TALUS_T* const* A_array, int lda, TALUS_T* const* R_array, int ldr,
                           int* info_array, int64_t batch_count, talus_queue q) {
  return talus::qr_batched<TALUS_T>(m, n, A_array, lda, R_array, ldr, info_array, batch_count,
                                    talus::to_queue(q));
}
int TALUS_NAME(qr_strided_batched)(int m, int n, TALUS_T* A, int lda, int64_t stride_A, TALUS_T* R, int ldr,
                                   int64_t stride_R, int* info_array, int64_t batch_count, talus_queue q) {
  return talus::qr_strided_batched<TALUS_T>(m, n, A, lda, stride_A, R, ldr, stride_R, info_array, batch_count,
                                            talus::to_queue(q));
}
int TALUS_NAME(qr_vbatched)(const int* m, const int* n, TALUS_T* const* A_array, const int* lda,
                            TALUS_T* const* R_array, const int* ldr, int* info_array, int64_t batch_count,
                            int m_max, int n_max, talus_queue q) {
  return talus::qr_vbatched<TALUS_T>(m, n, A_array, lda, R_array, ldr, info_array, batch_count, m_max, n_max,
                                     talus::to_queue(q));
}
size_t TALUS_NAME(qr_work)(int m, int n, int64_t batch_count) {
  return talus::qr_work<TALUS_T>(m, n, batch_count);
}
size_t TALUS_NAME(qr_vbatched_work)(int m_max, int n_max, int64_t batch_count) {
  return talus::qr_vbatched_work<TALUS_T>(m_max, n_max, batch_count);
}

}  // extern "C"
