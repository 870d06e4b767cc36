// The LAPACK and BLAS routines that the host backend calls for one matrix, overloaded over the four
// precisions.
#pragma once

#include <complex>
#include <cstddef>

namespace talus::host::lapack {

// trsm without alpha: it is 1. subtract_product: C -= A B. subtract_herk: C -= A A^H (trans 'N') or A^H A
// ('C'), of real matrices, too.
#define TALUS_LAPACK(p, T, herk, R)                                                                          \
  extern "C" {                                                                                               \
  void p##potri_(const char* uplo, const int* n, T* A, const int* lda, int* info);                           \
  void p##trtri_(const char* uplo, const char* diag, const int* n, T* A, const int* lda, int* info);         \
  void p##gemm_(const char* trans_A, const char* trans_B, const int* m, const int* n, const int* k,          \
                const T* alpha, const T* A, const int* lda, const T* B, const int* ldb, const T* beta, T* C, \
                const int* ldc);                                                                             \
  void p##trsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m,       \
                const int* n, const T* alpha, const T* A, const int* lda, T* B, const int* ldb);             \
  void p##herk##_(const char* uplo, const char* trans, const int* n, const int* k, const R* alpha,           \
                  const T* A, const int* lda, const R* beta, T* C, const int* ldc);                          \
  }                                                                                                          \
  inline int potri(char uplo, int n, T* A, int lda) {                                                        \
    int info = 0;                                                                                            \
    p##potri_(&uplo, &n, A, &lda, &info);                                                                    \
    return info;                                                                                             \
  }                                                                                                          \
  inline int trtri(char uplo, int n, T* A, int lda) {                                                        \
    int info = 0;                                                                                            \
    p##trtri_(&uplo, "N", &n, A, &lda, &info);                                                               \
    return info;                                                                                             \
  }                                                                                                          \
  inline void trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* A, int lda,  \
                   T* B, int ldb) {                                                                          \
    p##trsm_(&side, &uplo, &trans, &diag, &m, &n, &alpha, A, &lda, B, &ldb);                                 \
  }                                                                                                          \
  inline void trsm(char side, char uplo, char trans, char diag, int m, int n, const T* A, int lda, T* B,     \
                   int ldb) {                                                                                \
    trsm(side, uplo, trans, diag, m, n, T(1), A, lda, B, ldb);                                               \
  }                                                                                                          \
  inline void gemm(char trans_A, char trans_B, int m, int n, int k, T alpha, const T* A, int lda,            \
                   const T* B, int ldb, T beta, T* C, int ldc) {                                             \
    p##gemm_(&trans_A, &trans_B, &m, &n, &k, &alpha, A, &lda, B, &ldb, &beta, C, &ldc);                      \
  }                                                                                                          \
  inline void subtract_product(int m, int n, int k, const T* A, int lda, const T* B, int ldb, T* C,          \
                               int ldc) {                                                                    \
    gemm('N', 'N', m, n, k, T(-1), A, lda, B, ldb, T(1), C, ldc);                                            \
  }                                                                                                          \
  inline void subtract_herk(char uplo, char trans, int n, int k, const T* A, int lda, T* C, int ldc) {       \
    const R minus_one = -1, one = 1;                                                                         \
    p##herk##_(&uplo, &trans, &n, &k, &minus_one, A, &lda, &one, C, &ldc);                                   \
  }
TALUS_LAPACK(s, float, syrk, float)
TALUS_LAPACK(d, double, syrk, double)
TALUS_LAPACK(c, std::complex<float>, herk, float)
TALUS_LAPACK(z, std::complex<double>, herk, double)
#undef TALUS_LAPACK

// Work of work_elements(m, n), with which OpenBLAS works by blocks, for matrices of up to m rows and n
// columns.
inline std::size_t work_elements(int m, int n) { return 64 * (static_cast<std::size_t>(m > n ? m : n) + 65); }

// orgqr and ormqr: of complex numbers LAPACK calls them ungqr and unmqr. ormqr: trans 'T' of real, 'C' of
// complex matrices is what is meant by adjoint.
#define TALUS_LAPACK(p, T, q, transposed)                                                                    \
  extern "C" {                                                                                               \
  void p##geqrf_(const int* m, const int* n, T* A, const int* lda, T* tau, T* work, const int* lwork,        \
                 int* info);                                                                                 \
  void p##q##gqr_(const int* m, const int* n, const int* k, T* A, const int* lda, const T* tau, T* work,     \
                  const int* lwork, int* info);                                                              \
  void p##q##mqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, const T* A, \
                  const int* lda, const T* tau, T* C, const int* ldc, T* work, const int* lwork, int* info); \
  }                                                                                                          \
  inline void geqrf(int m, int n, T* A, int lda, T* tau, T* work) {                                          \
    const int lwork = static_cast<int>(work_elements(m, n));                                                 \
    int info = 0;                                                                                            \
    p##geqrf_(&m, &n, A, &lda, tau, work, &lwork, &info);                                                    \
  }                                                                                                          \
  inline void orgqr(int m, int n, int k, T* A, int lda, const T* tau, T* work) {                             \
    const int lwork = static_cast<int>(work_elements(m, n));                                                 \
    int info = 0;                                                                                            \
    p##q##gqr_(&m, &n, &k, A, &lda, tau, work, &lwork, &info);                                               \
  }                                                                                                          \
  inline void ormqr(char side, bool adjoint, int m, int n, int k, const T* A, int lda, const T* tau, T* C,   \
                    int ldc, T* work) {                                                                      \
    const int lwork = static_cast<int>(work_elements(m, n));                                                 \
    int info = 0;                                                                                            \
    p##q##mqr_(&side, adjoint ? transposed : "N", &m, &n, &k, A, &lda, tau, C, &ldc, work, &lwork, &info);   \
  }
TALUS_LAPACK(s, float, or, "T")
TALUS_LAPACK(d, double, or, "T")
TALUS_LAPACK(c, std::complex<float>, un, "C")
TALUS_LAPACK(z, std::complex<double>, un, "C")
#undef TALUS_LAPACK

}  // namespace talus::host::lapack
