// The LAPACK routines of OpenBLAS that the host backend calls, under one name for all precisions.
#pragma once

#include <complex>

extern "C" {
void spotrf_(const char*, const int*, float*, const int*, int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);
void cpotrf_(const char*, const int*, std::complex<float>*, const int*, int*);
void zpotrf_(const char*, const int*, std::complex<double>*, const int*, int*);
void spotrs_(const char*, const int*, const int*, const float*, const int*, float*, const int*, int*);
void dpotrs_(const char*, const int*, const int*, const double*, const int*, double*, const int*, int*);
void cpotrs_(const char*, const int*, const int*, const std::complex<float>*, const int*,
             std::complex<float>*, const int*, int*);
void zpotrs_(const char*, const int*, const int*, const std::complex<double>*, const int*,
             std::complex<double>*, const int*, int*);
void spotri_(const char*, const int*, float*, const int*, int*);
void dpotri_(const char*, const int*, double*, const int*, int*);
void cpotri_(const char*, const int*, std::complex<float>*, const int*, int*);
void zpotri_(const char*, const int*, std::complex<double>*, const int*, int*);
}

namespace talus::host::lapack {

#define TALUS_LAPACK(T, s)                                                                             \
  inline void potrf(const char* uplo, const int* n, T* A, const int* lda, int* info) {                 \
    s##potrf_(uplo, n, A, lda, info);                                                                  \
  }                                                                                                    \
  inline void potrs(const char* uplo, const int* n, const int* nrhs, const T* A, const int* lda, T* B, \
                    const int* ldb, int* info) {                                                       \
    s##potrs_(uplo, n, nrhs, A, lda, B, ldb, info);                                                    \
  }                                                                                                    \
  inline void potri(const char* uplo, const int* n, T* A, const int* lda, int* info) {                 \
    s##potri_(uplo, n, A, lda, info);                                                                  \
  }
TALUS_LAPACK(float, s)
TALUS_LAPACK(double, d)
TALUS_LAPACK(std::complex<float>, c)
TALUS_LAPACK(std::complex<double>, z)
#undef TALUS_LAPACK

}  // namespace talus::host::lapack
