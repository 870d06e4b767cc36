#include "batched/blas/backends.hpp"
#include "scratch.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

/// Returns the order of A, where B is m x n: an extent, an array of extents, or a bound.
template <class Extent>
Extent order_of(const triangular_system<T>& system, Extent m, Extent n) {
  return system.side == side::right ? n : m;
}

template <class Triangles, class Sides, class... Bounds>
int trsm(const triangular_system<T>& system, Triangles A, Sides B, int* info, queue q, Bounds... bounds) {
  const int status = arguments(B.count, q)
                         .list(system.side, system.uplo, system.op, system.diag, B.m, B.n)
                         .anything()
                         .list(A, B)
                         .anything()
                         .end(bounds...)
                         .status;
  if (status != 0 || B.count == 0) return status;
  return q.where == backend::host ? host::trsm(system, A, B, info, bounds...)
                                  : cuda::trsm(system, A, B, info, bounds..., q);
}

}  // namespace

template <>
int trsm_batched(side side, uplo uplo, op op, diag diag, int m, int n, T alpha, const T* const* A_array,
                 int lda, T* const* B_array, int ldb, int* info_array, std::int64_t batch_count, queue q) {
  const triangular_system<T> system = {side, uplo, op, diag, alpha};
  const int order = order_of(system, m, n);
  return trsm(system, pointer_batch(A_array, order, order, lda, batch_count),
              pointer_batch(B_array, m, n, ldb, batch_count), info_array, q);
}

template <>
int trsm_strided_batched(side side, uplo uplo, op op, diag diag, int m, int n, T alpha, const T* A, int lda,
                         std::int64_t stride_A, T* B, int ldb, std::int64_t stride_B, int* info_array,
                         std::int64_t batch_count, queue q) {
  const triangular_system<T> system = {side, uplo, op, diag, alpha};
  const int order = order_of(system, m, n);
  return trsm(system, strided(A, order, order, lda, stride_A, batch_count),
              strided(B, m, n, ldb, stride_B, batch_count), info_array, q);
}

template <>
int trsm_vbatched(side side, uplo uplo, op op, diag diag, const int* m, const int* n, T alpha,
                  const T* const* A_array, const int* lda, T* const* B_array, const int* ldb, int* info_array,
                  std::int64_t batch_count, int m_max, int n_max, queue q) {
  const triangular_system<T> system = {side, uplo, op, diag, alpha};
  const int* const order = order_of(system, m, n);
  const int order_max = order_of(system, m_max, n_max);
  return trsm(system, bounded(A_array, order, order, lda, batch_count, order_max, order_max),
              bounded(B_array, m, n, ldb, batch_count, m_max, n_max), info_array, q, m_max, n_max);
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
