// The LAPACK and BLAS routines that the host backend calls for one matrix, overloaded over the four
// precisions.
#pragma once

#include <complex>

namespace talus::host::lapack {

// trsm: alpha = 1. subtract_product: C -= A B. subtract_herk: C -= A A^H (trans 'N') or A^H A ('C'), of real
// matrices, too.
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
  inline void trsm(char side, char uplo, char trans, char diag, int m, int n, const T* A, int lda, T* B,     \
                   int ldb) {                                                                                \
    const T one = 1;                                                                                         \
    p##trsm_(&side, &uplo, &trans, &diag, &m, &n, &one, A, &lda, B, &ldb);                                   \
  }                                                                                                          \
  inline void subtract_product(int m, int n, int k, const T* A, int lda, const T* B, int ldb, T* C,          \
                               int ldc) {                                                                    \
    const T minus_one = -1, one = 1;                                                                         \
    p##gemm_("N", "N", &m, &n, &k, &minus_one, A, &lda, B, &ldb, &one, C, &ldc);                             \
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

}  // namespace talus::host::lapack
