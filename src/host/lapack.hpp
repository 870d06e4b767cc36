// The LAPACK and BLAS routines that the host backend calls for one matrix, overloaded over the four
// precisions.
#pragma once

#include <complex>

extern "C" {
#define TALUS_PROTOTYPES(p, T)                                                                         \
  void p##potri_(const char* uplo, const int* n, T* A, const int* lda, int* info);                     \
  void p##trsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, \
                const int* n, const T* alpha, const T* A, const int* lda, T* B, const int* ldb);
TALUS_PROTOTYPES(s, float)
TALUS_PROTOTYPES(d, double)
TALUS_PROTOTYPES(c, std::complex<float>)
TALUS_PROTOTYPES(z, std::complex<double>)
#undef TALUS_PROTOTYPES
#define TALUS_PROTOTYPES(name, T, R)                                                                     \
  void name(const char* uplo, const char* trans, const int* n, const int* k, const R* alpha, const T* A, \
            const int* lda, const R* beta, T* C, const int* ldc);
TALUS_PROTOTYPES(ssyrk_, float, float)
TALUS_PROTOTYPES(dsyrk_, double, double)
TALUS_PROTOTYPES(cherk_, std::complex<float>, float)
TALUS_PROTOTYPES(zherk_, std::complex<double>, double)
#undef TALUS_PROTOTYPES
}

namespace talus::host::lapack {

// trsm: non-unit diagonal, alpha = 1.
#define TALUS_OVERLOADS(p, T)                                                                            \
  inline int potri(char uplo, int n, T* A, int lda) {                                                    \
    int info = 0;                                                                                        \
    p##potri_(&uplo, &n, A, &lda, &info);                                                                \
    return info;                                                                                         \
  }                                                                                                      \
  inline void trsm(char side, char uplo, char trans, int m, int n, const T* A, int lda, T* B, int ldb) { \
    const T one = 1;                                                                                     \
    p##trsm_(&side, &uplo, &trans, "N", &m, &n, &one, A, &lda, B, &ldb);                                 \
  }
TALUS_OVERLOADS(s, float)
TALUS_OVERLOADS(d, double)
TALUS_OVERLOADS(c, std::complex<float>)
TALUS_OVERLOADS(z, std::complex<double>)
#undef TALUS_OVERLOADS

// C -= A A^H (trans 'N') or A^H A ('C'), of real matrices, too.
#define TALUS_OVERLOADS(name, T, R)                                                                    \
  inline void subtract_herk(char uplo, char trans, int n, int k, const T* A, int lda, T* C, int ldc) { \
    const R minus_one = -1, one = 1;                                                                   \
    name(&uplo, &trans, &n, &k, &minus_one, A, &lda, &one, C, &ldc);                                   \
  }
TALUS_OVERLOADS(ssyrk_, float, float)
TALUS_OVERLOADS(dsyrk_, double, double)
TALUS_OVERLOADS(cherk_, std::complex<float>, float)
TALUS_OVERLOADS(zherk_, std::complex<double>, double)
#undef TALUS_OVERLOADS

}  // namespace talus::host::lapack
