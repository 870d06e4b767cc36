// The few BLAS and LAPACK routines the example calls by themselves, and OpenBLAS's number of threads.
#pragma once

extern "C" {
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* A, const int* lda, const double* beta, double* C, const int* ldc);
void spotrf_(const char* uplo, const int* n, float* A, const int* lda, int* info);
void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info);
void spotrs_(const char* uplo, const int* n, const int* nrhs, const float* A, const int* lda, float* B,
             const int* ldb, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* A, const int* lda, double* B,
             const int* ldb, int* info);
int openblas_get_num_threads(void);
void openblas_set_num_threads(int count);
}

namespace fem::blas {

/// C := alpha A^T A + beta C, where A is k-by-n and contiguous; of C only the lower triangle.
inline void syrk(int n, int k, double alpha, const double* A, double beta, double* C) {
  dsyrk_("L", "T", &n, &k, &alpha, A, &k, &beta, C, &n);
}

inline void potrf(char uplo, int n, float* A, int* info) { spotrf_(&uplo, &n, A, &n, info); }
inline void potrf(char uplo, int n, double* A, int* info) { dpotrf_(&uplo, &n, A, &n, info); }
inline void potrs(char uplo, int n, int nrhs, const float* A, float* B, int* info) {
  spotrs_(&uplo, &n, &nrhs, A, &n, B, &n, info);
}
inline void potrs(char uplo, int n, int nrhs, const double* A, double* B, int* info) {
  dpotrs_(&uplo, &n, &nrhs, A, &n, B, &n, info);
}

/// One BLAS thread while it lives: OpenMP threads that each call BLAS must not start more.
class one_thread {
 public:
  one_thread() : before_(openblas_get_num_threads()) { openblas_set_num_threads(1); }
  ~one_thread() { openblas_set_num_threads(before_); }
  one_thread(const one_thread&) = delete;
  one_thread& operator=(const one_thread&) = delete;

 private:
  int before_;
};

}  // namespace fem::blas
