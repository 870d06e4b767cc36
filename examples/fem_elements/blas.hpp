// The few BLAS and LAPACK routines the example calls by themselves.
#pragma once

extern "C" {
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* A, const int* lda, const double* beta, double* C, const int* ldc);
void sgemm_(const char* trans_A, const char* trans_B, const int* m, const int* n, const int* k,
            const float* alpha, const float* A, const int* lda, const float* B, const int* ldb,
            const float* beta, float* C, const int* ldc);
void dgemm_(const char* trans_A, const char* trans_B, const int* m, const int* n, const int* k,
            const double* alpha, const double* A, const int* lda, const double* B, const int* ldb,
            const double* beta, double* C, const int* ldc);
void spotrf_(const char* uplo, const int* n, float* A, const int* lda, int* info);
void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info);
void spotrs_(const char* uplo, const int* n, const int* nrhs, const float* A, const int* lda, float* B,
             const int* ldb, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* A, const int* lda, double* B,
             const int* ldb, int* info);
}

namespace fem::blas {

/// C := alpha A^T A + beta C, where A is k-by-n and contiguous; of C only the lower triangle.
inline void syrk(int n, int k, double alpha, const double* A, double beta, double* C) {
  dsyrk_("L", "T", &n, &k, &alpha, A, &k, &beta, C, &n);
}

/// C := A A, where both are n-by-n and contiguous.
inline void gemm(int n, const float* A, float* C) {
  const float one = 1, zero = 0;
  sgemm_("N", "N", &n, &n, &n, &one, A, &n, A, &n, &zero, C, &n);
}
inline void gemm(int n, const double* A, double* C) {
  const double one = 1, zero = 0;
  dgemm_("N", "N", &n, &n, &n, &one, A, &n, A, &n, &zero, C, &n);
}

inline void potrf(char uplo, int n, float* A, int* info) { spotrf_(&uplo, &n, A, &n, info); }
inline void potrf(char uplo, int n, double* A, int* info) { dpotrf_(&uplo, &n, A, &n, info); }
inline void potrs(char uplo, int n, int nrhs, const float* A, float* B, int* info) {
  spotrs_(&uplo, &n, &nrhs, A, &n, B, &n, info);
}
inline void potrs(char uplo, int n, int nrhs, const double* A, double* B, int* info) {
  dpotrs_(&uplo, &n, &nrhs, A, &n, B, &n, info);
}

}  // namespace fem::blas
