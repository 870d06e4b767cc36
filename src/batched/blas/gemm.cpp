#include "batched/blas/backends.hpp"
#include "c_api.hpp"
#include "scratch.hpp"
#include "talus/vbatched.hpp"
#include "validate.hpp"

namespace talus {
namespace {

using T = TALUS_T;

/// alpha and beta by their addresses, which of a C name may be null.
int gemm(op of_A, op of_B, const int* m, const int* n, const int* k, const T* alpha, const T* const* A_array,
         const int* lda, const T* const* B_array, const int* ldb, const T* beta, T* const* C_array,
         const int* ldc, int* info, std::int64_t count, int m_max, int n_max, int k_max, queue q) {
  const bool plain_A = of_A == op::none, plain_B = of_B == op::none;
  const bounded A(A_array, plain_A ? m : k, plain_A ? k : m, lda, count, plain_A ? m_max : k_max,
                  plain_A ? k_max : m_max),
      B(B_array, plain_B ? k : n, plain_B ? n : k, ldb, count, plain_B ? k_max : n_max,
        plain_B ? n_max : k_max);
  const bounded C(C_array, m, n, ldc, count, m_max, n_max);
  const int status = arguments(count, q)
                         .list(of_A, of_B, m, n, k)
                         .check(alpha != nullptr || count <= 0)
                         .list(A, B)
                         .check(beta != nullptr || count <= 0)
                         .list(C)
                         .anything()
                         .end(m_max, n_max, k_max)
                         .status;
  if (status != 0 || count == 0) return status;
  const product_of<T> product = {of_A, of_B, *alpha, *beta};
  return q.where == backend::host ? host::gemm(product, A, B, C, k, info, m_max, n_max, k_max)
                                  : cuda::gemm(product, A, B, C, k, info, m_max, n_max, k_max, q);
}

}  // namespace

template <>
int gemm_vbatched(op of_A, op of_B, const int* m, const int* n, const int* k, T alpha,
                  const T* const* A_array, const int* lda, const T* const* B_array, const int* ldb, T beta,
                  T* const* C_array, const int* ldc, int* info_array, std::int64_t batch_count, int m_max,
                  int n_max, int k_max, queue q) {
  return gemm(of_A, of_B, m, n, k, &alpha, A_array, lda, B_array, ldb, &beta, C_array, ldc, info_array,
              batch_count, m_max, n_max, k_max, q);
}

template <>
std::size_t gemm_vbatched_work<T>(int, int, int, std::int64_t batch_count) noexcept {
  return schedule_bytes(batch_count);
}

}  // namespace talus

extern "C" {

int TALUS_NAME(gemm_vbatched)(int op_A, int op_B, const int* m, const int* n, const int* k,
                              const TALUS_T* alpha, TALUS_T* const* A_array, const int* lda,
                              TALUS_T* const* B_array, const int* ldb, const TALUS_T* beta,
                              TALUS_T* const* C_array, const int* ldc, int* info_array, int64_t batch_count,
                              int m_max, int n_max, int k_max, talus_queue q) {
  return talus::gemm(talus::to_op(op_A), talus::to_op(op_B), m, n, k, alpha, A_array, lda, B_array, ldb, beta,
                     C_array, ldc, info_array, batch_count, m_max, n_max, k_max, talus::to_queue(q));
}
size_t TALUS_NAME(gemm_vbatched_work)(int m_max, int n_max, int k_max, int64_t batch_count) {
  return talus::gemm_vbatched_work<TALUS_T>(m_max, n_max, k_max, batch_count);
}

}  // extern "C"
