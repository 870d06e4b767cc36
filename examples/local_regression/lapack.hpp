// LAPACK's least squares, which Talus is compared with.
#pragma once

extern "C" {
void sgels_(const char* trans, const int* m, const int* n, const int* nrhs, float* A, const int* lda,
            float* B, const int* ldb, float* work, const int* lwork, int* info);
void dgels_(const char* trans, const int* m, const int* n, const int* nrhs, double* A, const int* lda,
            double* B, const int* ldb, double* work, const int* lwork, int* info);
}

namespace regression::lapack {

inline void gels(int m, int n, int nrhs, float* A, float* B, float* work, int lwork, int* info) {
  sgels_("N", &m, &n, &nrhs, A, &m, B, &m, work, &lwork, info);
}
inline void gels(int m, int n, int nrhs, double* A, double* B, double* work, int lwork, int* info) {
  dgels_("N", &m, &n, &nrhs, A, &m, B, &m, work, &lwork, info);
}

}  // namespace regression::lapack
