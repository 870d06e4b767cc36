#include "batched/blas/backends.hpp"
#include "c_api.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

/// What is solved, as the call has it: alpha by its address, which of a C name may be null.
struct request {
  talus::side side;
  talus::uplo uplo;
  talus::op op;
  talus::diag diag;
  const T* alpha;

  /// Of A, where B is m x n: extents, arrays of them, or bounds.
  template <class Extent>
  Extent order(Extent m, Extent n) const {
    return side == side::right ? n : m;
  }
};

template <class Triangles, class Sides, class... Bounds>
int trsm(const request& r, Triangles A, Sides B, int* info, queue q, Bounds... bounds) {
  const int status = arguments(B.count, q)
                         .list(r.side, r.uplo, r.op, r.diag, B.m, B.n)
                         .check(r.alpha != nullptr || B.count <= 0)
                         .list(A, B)
                         .anything()
                         .end(bounds...)
                         .status;
  if (status != 0 || B.count == 0) return status;
  const triangular_system<T> system = {r.side, r.uplo, r.op, r.diag, *r.alpha};
  return q.where == backend::host ? host::trsm(system, A, B, info, bounds...)
                                  : cuda::trsm(system, A, B, info, bounds..., q);
}

int trsm_by_pointers(const request& r, int m, int n, const T* const* A_array, int lda, T* const* B_array,
                     int ldb, int* info_array, std::int64_t batch_count, queue q) {
  const int order = r.order(m, n);
  return trsm(r, pointer_batch(A_array, order, order, lda, batch_count),
              pointer_batch(B_array, m, n, ldb, batch_count), info_array, q);
}

int trsm_by_strides(const request& r, int m, int n, const T* A, int lda, std::int64_t stride_A, T* B, int ldb,
                    std::int64_t stride_B, int* info_array, std::int64_t batch_count, queue q) {
  const int order = r.order(m, n);
  return trsm(r, strided(A, order, order, lda, stride_A, batch_count),
              strided(B, m, n, ldb, stride_B, batch_count), info_array, q);
}

int trsm_of_mixed_sizes(const request& r, const int* m, const int* n, const T* const* A_array, const int* lda,
                        T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count,
                        int m_max, int n_max, queue q) {
  const int *const order = r.order(m, n), order_max = r.order(m_max, n_max);
  return trsm(r, bounded(A_array, order, order, lda, batch_count, order_max, order_max),
              bounded(B_array, m, n, ldb, batch_count, m_max, n_max), info_array, q, m_max, n_max);
}

}  // namespace

template <>
int trsm_batched(side side, uplo uplo, op op, diag diag, int m, int n, T alpha, const T* const* A_array,
                 int lda, T* const* B_array, int ldb, int* info_array, std::int64_t batch_count, queue q) {
  return trsm_by_pointers({side, uplo, op, diag, &alpha}, m, n, A_array, lda, B_array, ldb, info_array,
                          batch_count, q);
}

template <>
int trsm_strided_batched(side side, uplo uplo, op op, diag diag, int m, int n, T alpha, const T* A, int lda,
                         std::int64_t stride_A, T* B, int ldb, std::int64_t stride_B, int* info_array,
                         std::int64_t batch_count, queue q) {
  return trsm_by_strides({side, uplo, op, diag, &alpha}, m, n, A, lda, stride_A, B, ldb, stride_B, info_array,
                         batch_count, q);
}

template <>
int trsm_vbatched(side side, uplo uplo, op op, diag diag, const int* m, const int* n, T alpha,
                  const T* const* A_array, const int* lda, T* const* B_array, const int* ldb, int* info_array,
                  std::int64_t batch_count, int m_max, int n_max, queue q) {
  return trsm_of_mixed_sizes({side, uplo, op, diag, &alpha}, m, n, A_array, lda, B_array, ldb, info_array,
                             batch_count, m_max, n_max, q);
}

template <>
std::size_t trsm_work<T>(side, int, int, std::int64_t) noexcept {
  return 0;
}

template <>
std::size_t trsm_vbatched_work<T>(int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus

extern "C" {

int TALUS_NAME(trsm_batched)(int side, int uplo, int op, int diag, int m, int n, const TALUS_T* alpha,
                             TALUS_T* const* A_array, int lda, TALUS_T* const* B_array, int ldb,
                             int* info_array, int64_t batch_count, talus_queue q) {
  return talus::trsm_by_pointers(
      {talus::to_side(side), talus::to_uplo(uplo), talus::to_op(op), talus::to_diag(diag), alpha}, m, n,
      A_array, lda, B_array, ldb, info_array, batch_count, talus::to_queue(q));
}
int TALUS_NAME(trsm_strided_batched)(int side, int uplo, int op, int diag, int m, int n, const TALUS_T* alpha,
                                     const TALUS_T* A, int lda, int64_t stride_A, TALUS_T* B, int ldb,
                                     int64_t stride_B, int* info_array, int64_t batch_count, talus_queue q) {
  return talus::trsm_by_strides(
      {talus::to_side(side), talus::to_uplo(uplo), talus::to_op(op), talus::to_diag(diag), alpha}, m, n, A,
      lda, stride_A, B, ldb, stride_B, info_array, batch_count, talus::to_queue(q));
}
int TALUS_NAME(trsm_vbatched)(int side, int uplo, int op, int diag, const int* m, const int* n,
                              const TALUS_T* alpha, TALUS_T* const* A_array, const int* lda,
                              TALUS_T* const* B_array, const int* ldb, int* info_array, int64_t batch_count,
                              int m_max, int n_max, talus_queue q) {
  return talus::trsm_of_mixed_sizes(
      {talus::to_side(side), talus::to_uplo(uplo), talus::to_op(op), talus::to_diag(diag), alpha}, m, n,
      A_array, lda, B_array, ldb, info_array, batch_count, m_max, n_max, talus::to_queue(q));
}
size_t TALUS_NAME(trsm_work)(int side, int m, int n, int64_t batch_count) {
  return talus::trsm_work<TALUS_T>(talus::to_side(side), m, n, batch_count);
}
size_t TALUS_NAME(trsm_vbatched_work)(int m_max, int n_max, int64_t batch_count) {
  return talus::trsm_vbatched_work<TALUS_T>(m_max, n_max, batch_count);
}

}  // extern "C"
