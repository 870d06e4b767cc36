/* The C99 interface of Talus. Fortran, Julia and Python can call it, too. The names of the functions are
 * talus_<s|d|c|z><routine>. For example, talus_dpotrf_batched is the function potrf_batched<double> of C++.
 *
 * Every function takes the arguments of its C++ template in the same order and with the same meaning. info
 * and the return value are the same, too. There are two differences: alpha and beta are pointers, and
 * enumerations are ints. The values of enumerations are letters, as in LAPACK. talus/batched.hpp and
 * talus/vbatched.hpp document the templates. */
#ifndef TALUS_H
#define TALUS_H

#include <stddef.h>
#include <stdint.h>

#include "talus/version.h"

#ifdef __cplusplus
#include <complex>
typedef std::complex<float> talus_complex_float;
typedef std::complex<double> talus_complex_double;
#else
#include <complex.h>
typedef float _Complex talus_complex_float;
typedef double _Complex talus_complex_double;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Functions take these values as int, so that a binding of any language can pass a letter. Any other value is
 * an illegal argument. */
enum { TALUS_LOWER = 'L', TALUS_UPPER = 'U' };
enum { TALUS_NO_TRANS = 'N', TALUS_TRANS = 'T', TALUS_CONJ_TRANS = 'C' };
enum { TALUS_LEFT = 'L', TALUS_RIGHT = 'R' };
enum { TALUS_NON_UNIT = 'N', TALUS_UNIT = 'U' };
enum { TALUS_FORM_LAPACK = 'F', TALUS_FORM_LEFT = 'I' };
enum { TALUS_SCHUR_SUBTRACT = 'S', TALUS_SCHUR_PRODUCT = 'P' };

enum { TALUS_HOST = 0, TALUS_CUDA = 1 };

enum {
  TALUS_ERR_CUDA = -101,
  TALUS_ERR_WORK = -102,
  TALUS_ERR_NO_CUDA = -103,
  TALUS_ERR_UNSUPPORTED = -104,
  TALUS_ERR_MEMORY = -105
};

/* A queue has the fields of talus::queue. Create a queue with one of the functions below, or set all fields
 * to zero and then set the fields that you need. The fields options and reserved must be zero. */
typedef struct talus_queue {
  int where;         /* TALUS_HOST or TALUS_CUDA */
  void* stream;      /* TALUS_CUDA: a cudaStream_t; NULL is the default stream */
  void* work;        /* optional scratch, or NULL */
  size_t work_bytes; /* size of work */
  uint32_t options;  /* no options exist yet: must be 0 */
  void* reserved[2]; /* for later versions: must be NULL */
} talus_queue;

TALUS_C_API talus_queue talus_queue_host(void);
TALUS_C_API talus_queue talus_queue_cuda(void* stream);
TALUS_C_API talus_queue talus_queue_best(void);
TALUS_C_API const char* talus_strerror(int status);

/* potrf: computes the Cholesky factorization. If info is j > 0, the leading (j-1)-by-(j-1) triangle holds the
 * leading triangle of the factor, element (j, j) holds the failed pivot, and the remaining elements of the
 * triangle are unspecified. */
TALUS_C_API int talus_spotrf_batched(int uplo, int n, float* const* A_array, int lda, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_spotrf_strided_batched(int uplo, int n, float* A, int lda, int64_t stride_A,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dpotrf_batched(int uplo, int n, double* const* A_array, int lda, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dpotrf_strided_batched(int uplo, int n, double* A, int lda, int64_t stride_A,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotrf_batched(int uplo, int n, talus_complex_float* const* A_array, int lda,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotrf_strided_batched(int uplo, int n, talus_complex_float* A, int lda,
                                             int64_t stride_A, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_zpotrf_batched(int uplo, int n, talus_complex_double* const* A_array, int lda,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zpotrf_strided_batched(int uplo, int n, talus_complex_double* A, int lda,
                                             int64_t stride_A, int* info_array, int64_t batch_count,
                                             talus_queue q);

/* potrs: solves A X = B with the Cholesky factor that potrf computed. */
TALUS_C_API int talus_spotrs_batched(int uplo, int n, int nrhs, float* const* A_array, int lda,
                                     float* const* B_array, int ldb, int* info_array, int64_t batch_count,
                                     talus_queue q);
TALUS_C_API int talus_spotrs_strided_batched(int uplo, int n, int nrhs, const float* A, int lda,
                                             int64_t stride_A, float* B, int ldb, int64_t stride_B,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dpotrs_batched(int uplo, int n, int nrhs, double* const* A_array, int lda,
                                     double* const* B_array, int ldb, int* info_array, int64_t batch_count,
                                     talus_queue q);
TALUS_C_API int talus_dpotrs_strided_batched(int uplo, int n, int nrhs, const double* A, int lda,
                                             int64_t stride_A, double* B, int ldb, int64_t stride_B,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotrs_batched(int uplo, int n, int nrhs, talus_complex_float* const* A_array, int lda,
                                     talus_complex_float* const* B_array, int ldb, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotrs_strided_batched(int uplo, int n, int nrhs, const talus_complex_float* A, int lda,
                                             int64_t stride_A, talus_complex_float* B, int ldb,
                                             int64_t stride_B, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_zpotrs_batched(int uplo, int n, int nrhs, talus_complex_double* const* A_array, int lda,
                                     talus_complex_double* const* B_array, int ldb, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zpotrs_strided_batched(int uplo, int n, int nrhs, const talus_complex_double* A,
                                             int lda, int64_t stride_A, talus_complex_double* B, int ldb,
                                             int64_t stride_B, int* info_array, int64_t batch_count,
                                             talus_queue q);

/* posv: solves A X = B by potrf and then potrs. If info is j > 0, A holds what potrf leaves there in this
 * case, and B is untouched. */
TALUS_C_API int talus_sposv_batched(int uplo, int n, int nrhs, float* const* A_array, int lda,
                                    float* const* B_array, int ldb, int* info_array, int64_t batch_count,
                                    talus_queue q);
TALUS_C_API int talus_sposv_strided_batched(int uplo, int n, int nrhs, float* A, int lda, int64_t stride_A,
                                            float* B, int ldb, int64_t stride_B, int* info_array,
                                            int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dposv_batched(int uplo, int n, int nrhs, double* const* A_array, int lda,
                                    double* const* B_array, int ldb, int* info_array, int64_t batch_count,
                                    talus_queue q);
TALUS_C_API int talus_dposv_strided_batched(int uplo, int n, int nrhs, double* A, int lda, int64_t stride_A,
                                            double* B, int ldb, int64_t stride_B, int* info_array,
                                            int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cposv_batched(int uplo, int n, int nrhs, talus_complex_float* const* A_array, int lda,
                                    talus_complex_float* const* B_array, int ldb, int* info_array,
                                    int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cposv_strided_batched(int uplo, int n, int nrhs, talus_complex_float* A, int lda,
                                            int64_t stride_A, talus_complex_float* B, int ldb,
                                            int64_t stride_B, int* info_array, int64_t batch_count,
                                            talus_queue q);
TALUS_C_API int talus_zposv_batched(int uplo, int n, int nrhs, talus_complex_double* const* A_array, int lda,
                                    talus_complex_double* const* B_array, int ldb, int* info_array,
                                    int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zposv_strided_batched(int uplo, int n, int nrhs, talus_complex_double* A, int lda,
                                            int64_t stride_A, talus_complex_double* B, int ldb,
                                            int64_t stride_B, int* info_array, int64_t batch_count,
                                            talus_queue q);

/* potri: computes the inverse from the Cholesky factor that potrf computed. */
TALUS_C_API int talus_spotri_batched(int uplo, int n, float* const* A_array, int lda, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_spotri_strided_batched(int uplo, int n, float* A, int lda, int64_t stride_A,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dpotri_batched(int uplo, int n, double* const* A_array, int lda, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dpotri_strided_batched(int uplo, int n, double* A, int lda, int64_t stride_A,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotri_batched(int uplo, int n, talus_complex_float* const* A_array, int lda,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotri_strided_batched(int uplo, int n, talus_complex_float* A, int lda,
                                             int64_t stride_A, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_zpotri_batched(int uplo, int n, talus_complex_double* const* A_array, int lda,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zpotri_strided_batched(int uplo, int n, talus_complex_double* A, int lda,
                                             int64_t stride_A, int* info_array, int64_t batch_count,
                                             talus_queue q);

/* potrf_partial: eliminates the first k columns of A = [A11 A21^H; A21 A22]. L11, L21 and the Schur
 * complement A22 - L21 L21^H overwrite A (upper: U11, U12 and A22 - U12^H U12). info is as in potrf, and at
 * most k. */
TALUS_C_API int talus_spotrf_partial_batched(int uplo, int n, int k, float* const* A_array, int lda,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_spotrf_partial_strided_batched(int uplo, int n, int k, float* A, int lda,
                                                     int64_t stride_A, int* info_array, int64_t batch_count,
                                                     talus_queue q);
TALUS_C_API int talus_dpotrf_partial_batched(int uplo, int n, int k, double* const* A_array, int lda,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dpotrf_partial_strided_batched(int uplo, int n, int k, double* A, int lda,
                                                     int64_t stride_A, int* info_array, int64_t batch_count,
                                                     talus_queue q);
TALUS_C_API int talus_cpotrf_partial_batched(int uplo, int n, int k, talus_complex_float* const* A_array,
                                             int lda, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotrf_partial_strided_batched(int uplo, int n, int k, talus_complex_float* A, int lda,
                                                     int64_t stride_A, int* info_array, int64_t batch_count,
                                                     talus_queue q);
TALUS_C_API int talus_zpotrf_partial_batched(int uplo, int n, int k, talus_complex_double* const* A_array,
                                             int lda, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zpotrf_partial_strided_batched(int uplo, int n, int k, talus_complex_double* A, int lda,
                                                     int64_t stride_A, int* info_array, int64_t batch_count,
                                                     talus_queue q);

/* potrf_partial_split: does the same as potrf_partial for a front (frontal matrix) that has each block in a
 * separate array. A11 is k-by-k, A21 is n2-by-k, and A22 is n2-by-n2. For upper, A12 takes the place of A21
 * and is k-by-n2. */
TALUS_C_API int talus_spotrf_partial_split_batched(int uplo, int k, int n2, float* const* A11_array,
                                                   int lda11, float* const* A21_array, int lda21,
                                                   float* const* A22_array, int lda22, int* info_array,
                                                   int64_t batch_count, talus_queue q);
TALUS_C_API int talus_spotrf_partial_split_strided_batched(int uplo, int k, int n2, float* A11, int lda11,
                                                           int64_t stride_A11, float* A21, int lda21,
                                                           int64_t stride_A21, float* A22, int lda22,
                                                           int64_t stride_A22, int* info_array,
                                                           int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dpotrf_partial_split_batched(int uplo, int k, int n2, double* const* A11_array,
                                                   int lda11, double* const* A21_array, int lda21,
                                                   double* const* A22_array, int lda22, int* info_array,
                                                   int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dpotrf_partial_split_strided_batched(int uplo, int k, int n2, double* A11, int lda11,
                                                           int64_t stride_A11, double* A21, int lda21,
                                                           int64_t stride_A21, double* A22, int lda22,
                                                           int64_t stride_A22, int* info_array,
                                                           int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotrf_partial_split_batched(int uplo, int k, int n2,
                                                   talus_complex_float* const* A11_array, int lda11,
                                                   talus_complex_float* const* A21_array, int lda21,
                                                   talus_complex_float* const* A22_array, int lda22,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cpotrf_partial_split_strided_batched(int uplo, int k, int n2, talus_complex_float* A11,
                                                           int lda11, int64_t stride_A11,
                                                           talus_complex_float* A21, int lda21,
                                                           int64_t stride_A21, talus_complex_float* A22,
                                                           int lda22, int64_t stride_A22, int* info_array,
                                                           int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zpotrf_partial_split_batched(int uplo, int k, int n2,
                                                   talus_complex_double* const* A11_array, int lda11,
                                                   talus_complex_double* const* A21_array, int lda21,
                                                   talus_complex_double* const* A22_array, int lda22,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zpotrf_partial_split_strided_batched(int uplo, int k, int n2, talus_complex_double* A11,
                                                           int lda11, int64_t stride_A11,
                                                           talus_complex_double* A21, int lda21,
                                                           int64_t stride_A21, talus_complex_double* A22,
                                                           int lda22, int64_t stride_A22, int* info_array,
                                                           int64_t batch_count, talus_queue q);

/* getrf: computes the LU factorization with partial pivoting. */
TALUS_C_API int talus_sgetrf_batched(int m, int n, float* const* A_array, int lda, int* const* ipiv_array,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgetrf_strided_batched(int m, int n, float* A, int lda, int64_t stride_A, int* ipiv,
                                             int64_t stride_ipiv, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_dgetrf_batched(int m, int n, double* const* A_array, int lda, int* const* ipiv_array,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrf_strided_batched(int m, int n, double* A, int lda, int64_t stride_A, int* ipiv,
                                             int64_t stride_ipiv, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_cgetrf_batched(int m, int n, talus_complex_float* const* A_array, int lda,
                                     int* const* ipiv_array, int* info_array, int64_t batch_count,
                                     talus_queue q);
TALUS_C_API int talus_cgetrf_strided_batched(int m, int n, talus_complex_float* A, int lda, int64_t stride_A,
                                             int* ipiv, int64_t stride_ipiv, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_batched(int m, int n, talus_complex_double* const* A_array, int lda,
                                     int* const* ipiv_array, int* info_array, int64_t batch_count,
                                     talus_queue q);
TALUS_C_API int talus_zgetrf_strided_batched(int m, int n, talus_complex_double* A, int lda, int64_t stride_A,
                                             int* ipiv, int64_t stride_ipiv, int* info_array,
                                             int64_t batch_count, talus_queue q);

/* getrf_nopiv: computes the LU factorization without row interchanges, with a floor for pivots. */
TALUS_C_API int talus_sgetrf_nopiv_batched(int m, int n, float* const* A_array, int lda, float pivot_floor,
                                           const float* pivot_floor_array, int* replaced_array,
                                           int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgetrf_nopiv_strided_batched(int m, int n, float* A, int lda, int64_t stride_A,
                                                   float pivot_floor, const float* pivot_floor_array,
                                                   int* replaced_array, int* info_array, int64_t batch_count,
                                                   talus_queue q);
TALUS_C_API int talus_dgetrf_nopiv_batched(int m, int n, double* const* A_array, int lda, double pivot_floor,
                                           const double* pivot_floor_array, int* replaced_array,
                                           int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrf_nopiv_strided_batched(int m, int n, double* A, int lda, int64_t stride_A,
                                                   double pivot_floor, const double* pivot_floor_array,
                                                   int* replaced_array, int* info_array, int64_t batch_count,
                                                   talus_queue q);
TALUS_C_API int talus_cgetrf_nopiv_batched(int m, int n, talus_complex_float* const* A_array, int lda,
                                           float pivot_floor, const float* pivot_floor_array,
                                           int* replaced_array, int* info_array, int64_t batch_count,
                                           talus_queue q);
TALUS_C_API int talus_cgetrf_nopiv_strided_batched(int m, int n, talus_complex_float* A, int lda,
                                                   int64_t stride_A, float pivot_floor,
                                                   const float* pivot_floor_array, int* replaced_array,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_nopiv_batched(int m, int n, talus_complex_double* const* A_array, int lda,
                                           double pivot_floor, const double* pivot_floor_array,
                                           int* replaced_array, int* info_array, int64_t batch_count,
                                           talus_queue q);
TALUS_C_API int talus_zgetrf_nopiv_strided_batched(int m, int n, talus_complex_double* A, int lda,
                                                   int64_t stride_A, double pivot_floor,
                                                   const double* pivot_floor_array, int* replaced_array,
                                                   int* info_array, int64_t batch_count, talus_queue q);

/* getrf_partial: eliminates the first k columns by LU factorization. All pivots come from the first k
 * rows. */
TALUS_C_API int talus_sgetrf_partial_batched(int m, int n, int k, float* const* A_array, int lda,
                                             int* const* ipiv_array, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_sgetrf_partial_strided_batched(int m, int n, int k, float* A, int lda, int64_t stride_A,
                                                     int* ipiv, int64_t stride_ipiv, int* info_array,
                                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrf_partial_batched(int m, int n, int k, double* const* A_array, int lda,
                                             int* const* ipiv_array, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_dgetrf_partial_strided_batched(int m, int n, int k, double* A, int lda,
                                                     int64_t stride_A, int* ipiv, int64_t stride_ipiv,
                                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_batched(int m, int n, int k, talus_complex_float* const* A_array,
                                             int lda, int* const* ipiv_array, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_strided_batched(int m, int n, int k, talus_complex_float* A, int lda,
                                                     int64_t stride_A, int* ipiv, int64_t stride_ipiv,
                                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_batched(int m, int n, int k, talus_complex_double* const* A_array,
                                             int lda, int* const* ipiv_array, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_strided_batched(int m, int n, int k, talus_complex_double* A, int lda,
                                                     int64_t stride_A, int* ipiv, int64_t stride_ipiv,
                                                     int* info_array, int64_t batch_count, talus_queue q);

/* getrf_partial_nopiv: eliminates the first k columns by LU factorization without row interchanges, with a
 * floor for pivots. */
TALUS_C_API int talus_sgetrf_partial_nopiv_batched(int m, int n, int k, float* const* A_array, int lda,
                                                   float pivot_floor, const float* pivot_floor_array,
                                                   int* replaced_array, int* info_array, int64_t batch_count,
                                                   talus_queue q);
TALUS_C_API int talus_sgetrf_partial_nopiv_strided_batched(int m, int n, int k, float* A, int lda,
                                                           int64_t stride_A, float pivot_floor,
                                                           const float* pivot_floor_array,
                                                           int* replaced_array, int* info_array,
                                                           int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrf_partial_nopiv_batched(int m, int n, int k, double* const* A_array, int lda,
                                                   double pivot_floor, const double* pivot_floor_array,
                                                   int* replaced_array, int* info_array, int64_t batch_count,
                                                   talus_queue q);
TALUS_C_API int talus_dgetrf_partial_nopiv_strided_batched(int m, int n, int k, double* A, int lda,
                                                           int64_t stride_A, double pivot_floor,
                                                           const double* pivot_floor_array,
                                                           int* replaced_array, int* info_array,
                                                           int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_nopiv_batched(int m, int n, int k, talus_complex_float* const* A_array,
                                                   int lda, float pivot_floor, const float* pivot_floor_array,
                                                   int* replaced_array, int* info_array, int64_t batch_count,
                                                   talus_queue q);
TALUS_C_API int talus_cgetrf_partial_nopiv_strided_batched(int m, int n, int k, talus_complex_float* A,
                                                           int lda, int64_t stride_A, float pivot_floor,
                                                           const float* pivot_floor_array,
                                                           int* replaced_array, int* info_array,
                                                           int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_nopiv_batched(int m, int n, int k, talus_complex_double* const* A_array,
                                                   int lda, double pivot_floor,
                                                   const double* pivot_floor_array, int* replaced_array,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_nopiv_strided_batched(int m, int n, int k, talus_complex_double* A,
                                                           int lda, int64_t stride_A, double pivot_floor,
                                                           const double* pivot_floor_array,
                                                           int* replaced_array, int* info_array,
                                                           int64_t batch_count, talus_queue q);

/* getrf_partial_split: does the same as getrf_partial for a front [A11 A12; A21 A22] that has each block in a
 * separate array. A11 is k-by-k, and A22 is m2-by-n2. If form is TALUS_FORM_LAPACK, A12 becomes U12 and A21
 * becomes L21. If form is TALUS_FORM_LEFT, A12 becomes A11^-1 A12 and A21 is unchanged. If schur is
 * TALUS_SCHUR_SUBTRACT, A22 becomes A22 - A21 A11^-1 A12. If schur is TALUS_SCHUR_PRODUCT, A22 becomes
 * A21 A11^-1 A12. */
TALUS_C_API int talus_sgetrf_partial_split_batched(int form, int schur, int k, int m2, int n2,
                                                   float* const* A11_array, int lda11,
                                                   float* const* A12_array, int lda12,
                                                   float* const* A21_array, int lda21,
                                                   float* const* A22_array, int lda22, int* const* ipiv_array,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgetrf_partial_split_strided_batched(
    int form, int schur, int k, int m2, int n2, float* A11, int lda11, int64_t stride_A11, float* A12,
    int lda12, int64_t stride_A12, float* A21, int lda21, int64_t stride_A21, float* A22, int lda22,
    int64_t stride_A22, int* ipiv, int64_t stride_ipiv, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrf_partial_split_batched(
    int form, int schur, int k, int m2, int n2, double* const* A11_array, int lda11, double* const* A12_array,
    int lda12, double* const* A21_array, int lda21, double* const* A22_array, int lda22,
    int* const* ipiv_array, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrf_partial_split_strided_batched(
    int form, int schur, int k, int m2, int n2, double* A11, int lda11, int64_t stride_A11, double* A12,
    int lda12, int64_t stride_A12, double* A21, int lda21, int64_t stride_A21, double* A22, int lda22,
    int64_t stride_A22, int* ipiv, int64_t stride_ipiv, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_split_batched(int form, int schur, int k, int m2, int n2,
                                                   talus_complex_float* const* A11_array, int lda11,
                                                   talus_complex_float* const* A12_array, int lda12,
                                                   talus_complex_float* const* A21_array, int lda21,
                                                   talus_complex_float* const* A22_array, int lda22,
                                                   int* const* ipiv_array, int* info_array,
                                                   int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_split_strided_batched(
    int form, int schur, int k, int m2, int n2, talus_complex_float* A11, int lda11, int64_t stride_A11,
    talus_complex_float* A12, int lda12, int64_t stride_A12, talus_complex_float* A21, int lda21,
    int64_t stride_A21, talus_complex_float* A22, int lda22, int64_t stride_A22, int* ipiv,
    int64_t stride_ipiv, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_split_batched(int form, int schur, int k, int m2, int n2,
                                                   talus_complex_double* const* A11_array, int lda11,
                                                   talus_complex_double* const* A12_array, int lda12,
                                                   talus_complex_double* const* A21_array, int lda21,
                                                   talus_complex_double* const* A22_array, int lda22,
                                                   int* const* ipiv_array, int* info_array,
                                                   int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_split_strided_batched(
    int form, int schur, int k, int m2, int n2, talus_complex_double* A11, int lda11, int64_t stride_A11,
    talus_complex_double* A12, int lda12, int64_t stride_A12, talus_complex_double* A21, int lda21,
    int64_t stride_A21, talus_complex_double* A22, int lda22, int64_t stride_A22, int* ipiv,
    int64_t stride_ipiv, int* info_array, int64_t batch_count, talus_queue q);

/* getrf_partial_split_nopiv: does the same as getrf_partial_split, but without row interchanges and with a
 * floor for pivots. */
TALUS_C_API int talus_sgetrf_partial_split_nopiv_batched(
    int form, int schur, int k, int m2, int n2, float* const* A11_array, int lda11, float* const* A12_array,
    int lda12, float* const* A21_array, int lda21, float* const* A22_array, int lda22, float pivot_floor,
    const float* pivot_floor_array, int* replaced_array, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgetrf_partial_split_nopiv_strided_batched(
    int form, int schur, int k, int m2, int n2, float* A11, int lda11, int64_t stride_A11, float* A12,
    int lda12, int64_t stride_A12, float* A21, int lda21, int64_t stride_A21, float* A22, int lda22,
    int64_t stride_A22, float pivot_floor, const float* pivot_floor_array, int* replaced_array,
    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrf_partial_split_nopiv_batched(
    int form, int schur, int k, int m2, int n2, double* const* A11_array, int lda11, double* const* A12_array,
    int lda12, double* const* A21_array, int lda21, double* const* A22_array, int lda22, double pivot_floor,
    const double* pivot_floor_array, int* replaced_array, int* info_array, int64_t batch_count,
    talus_queue q);
TALUS_C_API int talus_dgetrf_partial_split_nopiv_strided_batched(
    int form, int schur, int k, int m2, int n2, double* A11, int lda11, int64_t stride_A11, double* A12,
    int lda12, int64_t stride_A12, double* A21, int lda21, int64_t stride_A21, double* A22, int lda22,
    int64_t stride_A22, double pivot_floor, const double* pivot_floor_array, int* replaced_array,
    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_split_nopiv_batched(
    int form, int schur, int k, int m2, int n2, talus_complex_float* const* A11_array, int lda11,
    talus_complex_float* const* A12_array, int lda12, talus_complex_float* const* A21_array, int lda21,
    talus_complex_float* const* A22_array, int lda22, float pivot_floor, const float* pivot_floor_array,
    int* replaced_array, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_split_nopiv_strided_batched(
    int form, int schur, int k, int m2, int n2, talus_complex_float* A11, int lda11, int64_t stride_A11,
    talus_complex_float* A12, int lda12, int64_t stride_A12, talus_complex_float* A21, int lda21,
    int64_t stride_A21, talus_complex_float* A22, int lda22, int64_t stride_A22, float pivot_floor,
    const float* pivot_floor_array, int* replaced_array, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_split_nopiv_batched(
    int form, int schur, int k, int m2, int n2, talus_complex_double* const* A11_array, int lda11,
    talus_complex_double* const* A12_array, int lda12, talus_complex_double* const* A21_array, int lda21,
    talus_complex_double* const* A22_array, int lda22, double pivot_floor, const double* pivot_floor_array,
    int* replaced_array, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_split_nopiv_strided_batched(
    int form, int schur, int k, int m2, int n2, talus_complex_double* A11, int lda11, int64_t stride_A11,
    talus_complex_double* A12, int lda12, int64_t stride_A12, talus_complex_double* A21, int lda21,
    int64_t stride_A21, talus_complex_double* A22, int lda22, int64_t stride_A22, double pivot_floor,
    const double* pivot_floor_array, int* replaced_array, int* info_array, int64_t batch_count,
    talus_queue q);

/* getrs: solves op(A) X = B with the factors and pivots that getrf computed. op is TALUS_NO_TRANS,
 * TALUS_TRANS or TALUS_CONJ_TRANS. info_array may be null. */
TALUS_C_API int talus_sgetrs_batched(int op, int n, int nrhs, float* const* A_array, int lda,
                                     int* const* ipiv_array, float* const* B_array, int ldb, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgetrs_strided_batched(int op, int n, int nrhs, const float* A, int lda,
                                             int64_t stride_A, const int* ipiv, int64_t stride_ipiv, float* B,
                                             int ldb, int64_t stride_B, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_dgetrs_batched(int op, int n, int nrhs, double* const* A_array, int lda,
                                     int* const* ipiv_array, double* const* B_array, int ldb, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrs_strided_batched(int op, int n, int nrhs, const double* A, int lda,
                                             int64_t stride_A, const int* ipiv, int64_t stride_ipiv,
                                             double* B, int ldb, int64_t stride_B, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrs_batched(int op, int n, int nrhs, talus_complex_float* const* A_array, int lda,
                                     int* const* ipiv_array, talus_complex_float* const* B_array, int ldb,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrs_strided_batched(int op, int n, int nrhs, const talus_complex_float* A, int lda,
                                             int64_t stride_A, const int* ipiv, int64_t stride_ipiv,
                                             talus_complex_float* B, int ldb, int64_t stride_B,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrs_batched(int op, int n, int nrhs, talus_complex_double* const* A_array, int lda,
                                     int* const* ipiv_array, talus_complex_double* const* B_array, int ldb,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrs_strided_batched(int op, int n, int nrhs, const talus_complex_double* A, int lda,
                                             int64_t stride_A, const int* ipiv, int64_t stride_ipiv,
                                             talus_complex_double* B, int ldb, int64_t stride_B,
                                             int* info_array, int64_t batch_count, talus_queue q);

/* getrs_nopiv: solves op(A) X = B with the factors that getrf_nopiv computed. info_array may be null. */
TALUS_C_API int talus_sgetrs_nopiv_batched(int op, int n, int nrhs, float* const* A_array, int lda,
                                           float* const* B_array, int ldb, int* info_array,
                                           int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgetrs_nopiv_strided_batched(int op, int n, int nrhs, const float* A, int lda,
                                                   int64_t stride_A, float* B, int ldb, int64_t stride_B,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrs_nopiv_batched(int op, int n, int nrhs, double* const* A_array, int lda,
                                           double* const* B_array, int ldb, int* info_array,
                                           int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetrs_nopiv_strided_batched(int op, int n, int nrhs, const double* A, int lda,
                                                   int64_t stride_A, double* B, int ldb, int64_t stride_B,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrs_nopiv_batched(int op, int n, int nrhs, talus_complex_float* const* A_array,
                                           int lda, talus_complex_float* const* B_array, int ldb,
                                           int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetrs_nopiv_strided_batched(int op, int n, int nrhs, const talus_complex_float* A,
                                                   int lda, int64_t stride_A, talus_complex_float* B, int ldb,
                                                   int64_t stride_B, int* info_array, int64_t batch_count,
                                                   talus_queue q);
TALUS_C_API int talus_zgetrs_nopiv_batched(int op, int n, int nrhs, talus_complex_double* const* A_array,
                                           int lda, talus_complex_double* const* B_array, int ldb,
                                           int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetrs_nopiv_strided_batched(int op, int n, int nrhs, const talus_complex_double* A,
                                                   int lda, int64_t stride_A, talus_complex_double* B,
                                                   int ldb, int64_t stride_B, int* info_array,
                                                   int64_t batch_count, talus_queue q);

/* gesv: solves A X = B by getrf and then getrs. If info is j > 0, A holds what getrf leaves there in this
 * case, and B is untouched. */
TALUS_C_API int talus_sgesv_batched(int n, int nrhs, float* const* A_array, int lda, int* const* ipiv_array,
                                    float* const* B_array, int ldb, int* info_array, int64_t batch_count,
                                    talus_queue q);
TALUS_C_API int talus_sgesv_strided_batched(int n, int nrhs, float* A, int lda, int64_t stride_A, int* ipiv,
                                            int64_t stride_ipiv, float* B, int ldb, int64_t stride_B,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgesv_batched(int n, int nrhs, double* const* A_array, int lda, int* const* ipiv_array,
                                    double* const* B_array, int ldb, int* info_array, int64_t batch_count,
                                    talus_queue q);
TALUS_C_API int talus_dgesv_strided_batched(int n, int nrhs, double* A, int lda, int64_t stride_A, int* ipiv,
                                            int64_t stride_ipiv, double* B, int ldb, int64_t stride_B,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgesv_batched(int n, int nrhs, talus_complex_float* const* A_array, int lda,
                                    int* const* ipiv_array, talus_complex_float* const* B_array, int ldb,
                                    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgesv_strided_batched(int n, int nrhs, talus_complex_float* A, int lda,
                                            int64_t stride_A, int* ipiv, int64_t stride_ipiv,
                                            talus_complex_float* B, int ldb, int64_t stride_B,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgesv_batched(int n, int nrhs, talus_complex_double* const* A_array, int lda,
                                    int* const* ipiv_array, talus_complex_double* const* B_array, int ldb,
                                    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgesv_strided_batched(int n, int nrhs, talus_complex_double* A, int lda,
                                            int64_t stride_A, int* ipiv, int64_t stride_ipiv,
                                            talus_complex_double* B, int ldb, int64_t stride_B,
                                            int* info_array, int64_t batch_count, talus_queue q);

/* getri: computes the inverse from the factors and pivots that getrf computed. info_array may be null. */
TALUS_C_API int talus_sgetri_batched(int n, float* const* A_array, int lda, int* const* ipiv_array,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgetri_strided_batched(int n, float* A, int lda, int64_t stride_A, const int* ipiv,
                                             int64_t stride_ipiv, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_dgetri_batched(int n, double* const* A_array, int lda, int* const* ipiv_array,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetri_strided_batched(int n, double* A, int lda, int64_t stride_A, const int* ipiv,
                                             int64_t stride_ipiv, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_cgetri_batched(int n, talus_complex_float* const* A_array, int lda,
                                     int* const* ipiv_array, int* info_array, int64_t batch_count,
                                     talus_queue q);
TALUS_C_API int talus_cgetri_strided_batched(int n, talus_complex_float* A, int lda, int64_t stride_A,
                                             const int* ipiv, int64_t stride_ipiv, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetri_batched(int n, talus_complex_double* const* A_array, int lda,
                                     int* const* ipiv_array, int* info_array, int64_t batch_count,
                                     talus_queue q);
TALUS_C_API int talus_zgetri_strided_batched(int n, talus_complex_double* A, int lda, int64_t stride_A,
                                             const int* ipiv, int64_t stride_ipiv, int* info_array,
                                             int64_t batch_count, talus_queue q);

/* getri_outofplace: does the same as getri, but stores the inverse in C. info_array may be null. */
TALUS_C_API int talus_sgetri_outofplace_batched(int n, float* const* A_array, int lda, int* const* ipiv_array,
                                                float* const* C_array, int ldc, int* info_array,
                                                int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgetri_outofplace_strided_batched(int n, const float* A, int lda, int64_t stride_A,
                                                        const int* ipiv, int64_t stride_ipiv, float* C,
                                                        int ldc, int64_t stride_C, int* info_array,
                                                        int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetri_outofplace_batched(int n, double* const* A_array, int lda,
                                                int* const* ipiv_array, double* const* C_array, int ldc,
                                                int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgetri_outofplace_strided_batched(int n, const double* A, int lda, int64_t stride_A,
                                                        const int* ipiv, int64_t stride_ipiv, double* C,
                                                        int ldc, int64_t stride_C, int* info_array,
                                                        int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetri_outofplace_batched(int n, talus_complex_float* const* A_array, int lda,
                                                int* const* ipiv_array, talus_complex_float* const* C_array,
                                                int ldc, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgetri_outofplace_strided_batched(int n, const talus_complex_float* A, int lda,
                                                        int64_t stride_A, const int* ipiv,
                                                        int64_t stride_ipiv, talus_complex_float* C, int ldc,
                                                        int64_t stride_C, int* info_array,
                                                        int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetri_outofplace_batched(int n, talus_complex_double* const* A_array, int lda,
                                                int* const* ipiv_array, talus_complex_double* const* C_array,
                                                int ldc, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgetri_outofplace_strided_batched(int n, const talus_complex_double* A, int lda,
                                                        int64_t stride_A, const int* ipiv,
                                                        int64_t stride_ipiv, talus_complex_double* C, int ldc,
                                                        int64_t stride_C, int* info_array,
                                                        int64_t batch_count, talus_queue q);

/* geqrf: computes the QR factorization, with the reflectors, tau and signs of LAPACK. */
TALUS_C_API int talus_sgeqrf_batched(int m, int n, float* const* A_array, int lda, float* const* tau_array,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sgeqrf_strided_batched(int m, int n, float* A, int lda, int64_t stride_A, float* tau,
                                             int64_t stride_tau, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_dgeqrf_batched(int m, int n, double* const* A_array, int lda, double* const* tau_array,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgeqrf_strided_batched(int m, int n, double* A, int lda, int64_t stride_A, double* tau,
                                             int64_t stride_tau, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_cgeqrf_batched(int m, int n, talus_complex_float* const* A_array, int lda,
                                     talus_complex_float* const* tau_array, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgeqrf_strided_batched(int m, int n, talus_complex_float* A, int lda, int64_t stride_A,
                                             talus_complex_float* tau, int64_t stride_tau, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgeqrf_batched(int m, int n, talus_complex_double* const* A_array, int lda,
                                     talus_complex_double* const* tau_array, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgeqrf_strided_batched(int m, int n, talus_complex_double* A, int lda, int64_t stride_A,
                                             talus_complex_double* tau, int64_t stride_tau, int* info_array,
                                             int64_t batch_count, talus_queue q);

/* ormqr: multiplies C by the Q that geqrf computed. side is TALUS_LEFT or TALUS_RIGHT. op is TALUS_NO_TRANS
 * or TALUS_CONJ_TRANS, and for real numbers also TALUS_TRANS. info_array may be null. */
TALUS_C_API int talus_sormqr_batched(int side, int op, int m, int n, int k, float* const* A_array, int lda,
                                     float* const* tau_array, float* const* C_array, int ldc, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sormqr_strided_batched(int side, int op, int m, int n, int k, const float* A, int lda,
                                             int64_t stride_A, const float* tau, int64_t stride_tau, float* C,
                                             int ldc, int64_t stride_C, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_dormqr_batched(int side, int op, int m, int n, int k, double* const* A_array, int lda,
                                     double* const* tau_array, double* const* C_array, int ldc,
                                     int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dormqr_strided_batched(int side, int op, int m, int n, int k, const double* A, int lda,
                                             int64_t stride_A, const double* tau, int64_t stride_tau,
                                             double* C, int ldc, int64_t stride_C, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cormqr_batched(int side, int op, int m, int n, int k,
                                     talus_complex_float* const* A_array, int lda,
                                     talus_complex_float* const* tau_array,
                                     talus_complex_float* const* C_array, int ldc, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cormqr_strided_batched(int side, int op, int m, int n, int k,
                                             const talus_complex_float* A, int lda, int64_t stride_A,
                                             const talus_complex_float* tau, int64_t stride_tau,
                                             talus_complex_float* C, int ldc, int64_t stride_C,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zormqr_batched(int side, int op, int m, int n, int k,
                                     talus_complex_double* const* A_array, int lda,
                                     talus_complex_double* const* tau_array,
                                     talus_complex_double* const* C_array, int ldc, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zormqr_strided_batched(int side, int op, int m, int n, int k,
                                             const talus_complex_double* A, int lda, int64_t stride_A,
                                             const talus_complex_double* tau, int64_t stride_tau,
                                             talus_complex_double* C, int ldc, int64_t stride_C,
                                             int* info_array, int64_t batch_count, talus_queue q);

/* unmqr: calls ormqr. unmqr is LAPACK's name of ormqr for complex numbers. */
TALUS_C_API int talus_cunmqr_batched(int side, int op, int m, int n, int k,
                                     talus_complex_float* const* A_array, int lda,
                                     talus_complex_float* const* tau_array,
                                     talus_complex_float* const* C_array, int ldc, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cunmqr_strided_batched(int side, int op, int m, int n, int k,
                                             const talus_complex_float* A, int lda, int64_t stride_A,
                                             const talus_complex_float* tau, int64_t stride_tau,
                                             talus_complex_float* C, int ldc, int64_t stride_C,
                                             int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zunmqr_batched(int side, int op, int m, int n, int k,
                                     talus_complex_double* const* A_array, int lda,
                                     talus_complex_double* const* tau_array,
                                     talus_complex_double* const* C_array, int ldc, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zunmqr_strided_batched(int side, int op, int m, int n, int k,
                                             const talus_complex_double* A, int lda, int64_t stride_A,
                                             const talus_complex_double* tau, int64_t stride_tau,
                                             talus_complex_double* C, int ldc, int64_t stride_C,
                                             int* info_array, int64_t batch_count, talus_queue q);

/* orgqr: forms the first n columns of the Q that geqrf computed. info_array may be null. */
TALUS_C_API int talus_sorgqr_batched(int m, int n, int k, float* const* A_array, int lda,
                                     float* const* tau_array, int* info_array, int64_t batch_count,
                                     talus_queue q);
TALUS_C_API int talus_sorgqr_strided_batched(int m, int n, int k, float* A, int lda, int64_t stride_A,
                                             const float* tau, int64_t stride_tau, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dorgqr_batched(int m, int n, int k, double* const* A_array, int lda,
                                     double* const* tau_array, int* info_array, int64_t batch_count,
                                     talus_queue q);
TALUS_C_API int talus_dorgqr_strided_batched(int m, int n, int k, double* A, int lda, int64_t stride_A,
                                             const double* tau, int64_t stride_tau, int* info_array,
                                             int64_t batch_count, talus_queue q);
TALUS_C_API int talus_corgqr_batched(int m, int n, int k, talus_complex_float* const* A_array, int lda,
                                     talus_complex_float* const* tau_array, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_corgqr_strided_batched(int m, int n, int k, talus_complex_float* A, int lda,
                                             int64_t stride_A, const talus_complex_float* tau,
                                             int64_t stride_tau, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_zorgqr_batched(int m, int n, int k, talus_complex_double* const* A_array, int lda,
                                     talus_complex_double* const* tau_array, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zorgqr_strided_batched(int m, int n, int k, talus_complex_double* A, int lda,
                                             int64_t stride_A, const talus_complex_double* tau,
                                             int64_t stride_tau, int* info_array, int64_t batch_count,
                                             talus_queue q);

/* ungqr: calls orgqr. ungqr is LAPACK's name of orgqr for complex numbers. */
TALUS_C_API int talus_cungqr_batched(int m, int n, int k, talus_complex_float* const* A_array, int lda,
                                     talus_complex_float* const* tau_array, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cungqr_strided_batched(int m, int n, int k, talus_complex_float* A, int lda,
                                             int64_t stride_A, const talus_complex_float* tau,
                                             int64_t stride_tau, int* info_array, int64_t batch_count,
                                             talus_queue q);
TALUS_C_API int talus_zungqr_batched(int m, int n, int k, talus_complex_double* const* A_array, int lda,
                                     talus_complex_double* const* tau_array, int* info_array,
                                     int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zungqr_strided_batched(int m, int n, int k, talus_complex_double* A, int lda,
                                             int64_t stride_A, const talus_complex_double* tau,
                                             int64_t stride_tau, int* info_array, int64_t batch_count,
                                             talus_queue q);

/* gels: computes least-squares or least-norm solutions. op is as in ormqr. If info is j > 0, B is
 * untouched. */
TALUS_C_API int talus_sgels_batched(int op, int m, int n, int nrhs, float* const* A_array, int lda,
                                    float* const* B_array, int ldb, int* info_array, int64_t batch_count,
                                    talus_queue q);
TALUS_C_API int talus_sgels_strided_batched(int op, int m, int n, int nrhs, float* A, int lda,
                                            int64_t stride_A, float* B, int ldb, int64_t stride_B,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dgels_batched(int op, int m, int n, int nrhs, double* const* A_array, int lda,
                                    double* const* B_array, int ldb, int* info_array, int64_t batch_count,
                                    talus_queue q);
TALUS_C_API int talus_dgels_strided_batched(int op, int m, int n, int nrhs, double* A, int lda,
                                            int64_t stride_A, double* B, int ldb, int64_t stride_B,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgels_batched(int op, int m, int n, int nrhs, talus_complex_float* const* A_array,
                                    int lda, talus_complex_float* const* B_array, int ldb, int* info_array,
                                    int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cgels_strided_batched(int op, int m, int n, int nrhs, talus_complex_float* A, int lda,
                                            int64_t stride_A, talus_complex_float* B, int ldb,
                                            int64_t stride_B, int* info_array, int64_t batch_count,
                                            talus_queue q);
TALUS_C_API int talus_zgels_batched(int op, int m, int n, int nrhs, talus_complex_double* const* A_array,
                                    int lda, talus_complex_double* const* B_array, int ldb, int* info_array,
                                    int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zgels_strided_batched(int op, int m, int n, int nrhs, talus_complex_double* A, int lda,
                                            int64_t stride_A, talus_complex_double* B, int ldb,
                                            int64_t stride_B, int* info_array, int64_t batch_count,
                                            talus_queue q);

/* qr: computes the thin QR factorization. Q overwrites A, and R is stored separately. */
TALUS_C_API int talus_sqr_batched(int m, int n, float* const* A_array, int lda, float* const* R_array,
                                  int ldr, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_sqr_strided_batched(int m, int n, float* A, int lda, int64_t stride_A, float* R,
                                          int ldr, int64_t stride_R, int* info_array, int64_t batch_count,
                                          talus_queue q);
TALUS_C_API int talus_dqr_batched(int m, int n, double* const* A_array, int lda, double* const* R_array,
                                  int ldr, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dqr_strided_batched(int m, int n, double* A, int lda, int64_t stride_A, double* R,
                                          int ldr, int64_t stride_R, int* info_array, int64_t batch_count,
                                          talus_queue q);
TALUS_C_API int talus_cqr_batched(int m, int n, talus_complex_float* const* A_array, int lda,
                                  talus_complex_float* const* R_array, int ldr, int* info_array,
                                  int64_t batch_count, talus_queue q);
TALUS_C_API int talus_cqr_strided_batched(int m, int n, talus_complex_float* A, int lda, int64_t stride_A,
                                          talus_complex_float* R, int ldr, int64_t stride_R, int* info_array,
                                          int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zqr_batched(int m, int n, talus_complex_double* const* A_array, int lda,
                                  talus_complex_double* const* R_array, int ldr, int* info_array,
                                  int64_t batch_count, talus_queue q);
TALUS_C_API int talus_zqr_strided_batched(int m, int n, talus_complex_double* A, int lda, int64_t stride_A,
                                          talus_complex_double* R, int ldr, int64_t stride_R, int* info_array,
                                          int64_t batch_count, talus_queue q);

/* trsm: solves op(A) X = alpha B or X op(A) = alpha B with triangular A. side is TALUS_LEFT or TALUS_RIGHT,
 * and diag is TALUS_NON_UNIT or TALUS_UNIT. alpha is a pointer to a number in host memory. info_array may be
 * null. */
TALUS_C_API int talus_strsm_batched(int side, int uplo, int op, int diag, int m, int n, const float* alpha,
                                    float* const* A_array, int lda, float* const* B_array, int ldb,
                                    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_strsm_strided_batched(int side, int uplo, int op, int diag, int m, int n,
                                            const float* alpha, const float* A, int lda, int64_t stride_A,
                                            float* B, int ldb, int64_t stride_B, int* info_array,
                                            int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dtrsm_batched(int side, int uplo, int op, int diag, int m, int n, const double* alpha,
                                    double* const* A_array, int lda, double* const* B_array, int ldb,
                                    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int talus_dtrsm_strided_batched(int side, int uplo, int op, int diag, int m, int n,
                                            const double* alpha, const double* A, int lda, int64_t stride_A,
                                            double* B, int ldb, int64_t stride_B, int* info_array,
                                            int64_t batch_count, talus_queue q);
TALUS_C_API int talus_ctrsm_batched(int side, int uplo, int op, int diag, int m, int n,
                                    const talus_complex_float* alpha, talus_complex_float* const* A_array,
                                    int lda, talus_complex_float* const* B_array, int ldb, int* info_array,
                                    int64_t batch_count, talus_queue q);
TALUS_C_API int talus_ctrsm_strided_batched(int side, int uplo, int op, int diag, int m, int n,
                                            const talus_complex_float* alpha, const talus_complex_float* A,
                                            int lda, int64_t stride_A, talus_complex_float* B, int ldb,
                                            int64_t stride_B, int* info_array, int64_t batch_count,
                                            talus_queue q);
TALUS_C_API int talus_ztrsm_batched(int side, int uplo, int op, int diag, int m, int n,
                                    const talus_complex_double* alpha, talus_complex_double* const* A_array,
                                    int lda, talus_complex_double* const* B_array, int ldb, int* info_array,
                                    int64_t batch_count, talus_queue q);
TALUS_C_API int talus_ztrsm_strided_batched(int side, int uplo, int op, int diag, int m, int n,
                                            const talus_complex_double* alpha, const talus_complex_double* A,
                                            int lda, int64_t stride_A, talus_complex_double* B, int ldb,
                                            int64_t stride_B, int* info_array, int64_t batch_count,
                                            talus_queue q);

/* Batches of matrices that each have their own size, documented in talus/vbatched.hpp. m, n, k, nrhs, lda and
 * so on are arrays that live where the matrices live. m_max, n_max, k_max, nrhs_max and so on are upper
 * bounds of the sizes, or -1 if the caller does not have a bound. */

/* potrf: computes the Cholesky factorization. */
TALUS_C_API int talus_spotrf_vbatched(int uplo, const int* n, float* const* A_array, const int* lda,
                                      int* info_array, int64_t batch_count, int n_max, talus_queue q);
TALUS_C_API int talus_dpotrf_vbatched(int uplo, const int* n, double* const* A_array, const int* lda,
                                      int* info_array, int64_t batch_count, int n_max, talus_queue q);
TALUS_C_API int talus_cpotrf_vbatched(int uplo, const int* n, talus_complex_float* const* A_array,
                                      const int* lda, int* info_array, int64_t batch_count, int n_max,
                                      talus_queue q);
TALUS_C_API int talus_zpotrf_vbatched(int uplo, const int* n, talus_complex_double* const* A_array,
                                      const int* lda, int* info_array, int64_t batch_count, int n_max,
                                      talus_queue q);

/* potri: computes the inverse from the Cholesky factor that potrf computed. */
TALUS_C_API int talus_spotri_vbatched(int uplo, const int* n, float* const* A_array, const int* lda,
                                      int* info_array, int64_t batch_count, int n_max, talus_queue q);
TALUS_C_API int talus_dpotri_vbatched(int uplo, const int* n, double* const* A_array, const int* lda,
                                      int* info_array, int64_t batch_count, int n_max, talus_queue q);
TALUS_C_API int talus_cpotri_vbatched(int uplo, const int* n, talus_complex_float* const* A_array,
                                      const int* lda, int* info_array, int64_t batch_count, int n_max,
                                      talus_queue q);
TALUS_C_API int talus_zpotri_vbatched(int uplo, const int* n, talus_complex_double* const* A_array,
                                      const int* lda, int* info_array, int64_t batch_count, int n_max,
                                      talus_queue q);

/* potrs: solves A X = B with the Cholesky factor that potrf computed. */
TALUS_C_API int talus_spotrs_vbatched(int uplo, const int* n, const int* nrhs, float* const* A_array,
                                      const int* lda, float* const* B_array, const int* ldb, int* info_array,
                                      int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_dpotrs_vbatched(int uplo, const int* n, const int* nrhs, double* const* A_array,
                                      const int* lda, double* const* B_array, const int* ldb, int* info_array,
                                      int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_cpotrs_vbatched(int uplo, const int* n, const int* nrhs,
                                      talus_complex_float* const* A_array, const int* lda,
                                      talus_complex_float* const* B_array, const int* ldb, int* info_array,
                                      int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_zpotrs_vbatched(int uplo, const int* n, const int* nrhs,
                                      talus_complex_double* const* A_array, const int* lda,
                                      talus_complex_double* const* B_array, const int* ldb, int* info_array,
                                      int64_t batch_count, int n_max, int nrhs_max, talus_queue q);

/* posv: solves A X = B by potrf and then potrs. */
TALUS_C_API int talus_sposv_vbatched(int uplo, const int* n, const int* nrhs, float* const* A_array,
                                     const int* lda, float* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_dposv_vbatched(int uplo, const int* n, const int* nrhs, double* const* A_array,
                                     const int* lda, double* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_cposv_vbatched(int uplo, const int* n, const int* nrhs,
                                     talus_complex_float* const* A_array, const int* lda,
                                     talus_complex_float* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_zposv_vbatched(int uplo, const int* n, const int* nrhs,
                                     talus_complex_double* const* A_array, const int* lda,
                                     talus_complex_double* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int n_max, int nrhs_max, talus_queue q);

/* potrf_partial: eliminates the first k columns by Cholesky factorization. */
TALUS_C_API int talus_spotrf_partial_vbatched(int uplo, const int* n, const int* k, float* const* A_array,
                                              const int* lda, int* info_array, int64_t batch_count, int n_max,
                                              int k_max, talus_queue q);
TALUS_C_API int talus_dpotrf_partial_vbatched(int uplo, const int* n, const int* k, double* const* A_array,
                                              const int* lda, int* info_array, int64_t batch_count, int n_max,
                                              int k_max, talus_queue q);
TALUS_C_API int talus_cpotrf_partial_vbatched(int uplo, const int* n, const int* k,
                                              talus_complex_float* const* A_array, const int* lda,
                                              int* info_array, int64_t batch_count, int n_max, int k_max,
                                              talus_queue q);
TALUS_C_API int talus_zpotrf_partial_vbatched(int uplo, const int* n, const int* k,
                                              talus_complex_double* const* A_array, const int* lda,
                                              int* info_array, int64_t batch_count, int n_max, int k_max,
                                              talus_queue q);

/* potrf_partial_split: does the same as potrf_partial for fronts that have each block in a separate array. */
TALUS_C_API int talus_spotrf_partial_split_vbatched(int uplo, const int* k, const int* n2,
                                                    float* const* A11_array, const int* lda11,
                                                    float* const* A21_array, const int* lda21,
                                                    float* const* A22_array, const int* lda22,
                                                    int* info_array, int64_t batch_count, int k_max,
                                                    int n2_max, talus_queue q);
TALUS_C_API int talus_dpotrf_partial_split_vbatched(int uplo, const int* k, const int* n2,
                                                    double* const* A11_array, const int* lda11,
                                                    double* const* A21_array, const int* lda21,
                                                    double* const* A22_array, const int* lda22,
                                                    int* info_array, int64_t batch_count, int k_max,
                                                    int n2_max, talus_queue q);
TALUS_C_API int talus_cpotrf_partial_split_vbatched(int uplo, const int* k, const int* n2,
                                                    talus_complex_float* const* A11_array, const int* lda11,
                                                    talus_complex_float* const* A21_array, const int* lda21,
                                                    talus_complex_float* const* A22_array, const int* lda22,
                                                    int* info_array, int64_t batch_count, int k_max,
                                                    int n2_max, talus_queue q);
TALUS_C_API int talus_zpotrf_partial_split_vbatched(int uplo, const int* k, const int* n2,
                                                    talus_complex_double* const* A11_array, const int* lda11,
                                                    talus_complex_double* const* A21_array, const int* lda21,
                                                    talus_complex_double* const* A22_array, const int* lda22,
                                                    int* info_array, int64_t batch_count, int k_max,
                                                    int n2_max, talus_queue q);

/* getrf: computes the LU factorization with partial pivoting. */
TALUS_C_API int talus_sgetrf_vbatched(const int* m, const int* n, float* const* A_array, const int* lda,
                                      int* const* ipiv_array, int* info_array, int64_t batch_count, int m_max,
                                      int n_max, talus_queue q);
TALUS_C_API int talus_dgetrf_vbatched(const int* m, const int* n, double* const* A_array, const int* lda,
                                      int* const* ipiv_array, int* info_array, int64_t batch_count, int m_max,
                                      int n_max, talus_queue q);
TALUS_C_API int talus_cgetrf_vbatched(const int* m, const int* n, talus_complex_float* const* A_array,
                                      const int* lda, int* const* ipiv_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_zgetrf_vbatched(const int* m, const int* n, talus_complex_double* const* A_array,
                                      const int* lda, int* const* ipiv_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, talus_queue q);

/* getrf_nopiv: computes the LU factorization without row interchanges, with a floor for pivots. */
TALUS_C_API int talus_sgetrf_nopiv_vbatched(const int* m, const int* n, float* const* A_array, const int* lda,
                                            float pivot_floor, const float* pivot_floor_array,
                                            int* replaced_array, int* info_array, int64_t batch_count,
                                            int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_dgetrf_nopiv_vbatched(const int* m, const int* n, double* const* A_array,
                                            const int* lda, double pivot_floor,
                                            const double* pivot_floor_array, int* replaced_array,
                                            int* info_array, int64_t batch_count, int m_max, int n_max,
                                            talus_queue q);
TALUS_C_API int talus_cgetrf_nopiv_vbatched(const int* m, const int* n, talus_complex_float* const* A_array,
                                            const int* lda, float pivot_floor, const float* pivot_floor_array,
                                            int* replaced_array, int* info_array, int64_t batch_count,
                                            int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_zgetrf_nopiv_vbatched(const int* m, const int* n, talus_complex_double* const* A_array,
                                            const int* lda, double pivot_floor,
                                            const double* pivot_floor_array, int* replaced_array,
                                            int* info_array, int64_t batch_count, int m_max, int n_max,
                                            talus_queue q);

/* getrf_partial: eliminates the first k columns by LU factorization. All pivots come from the first k
 * rows. */
TALUS_C_API int talus_sgetrf_partial_vbatched(const int* m, const int* n, const int* k, float* const* A_array,
                                              const int* lda, int* const* ipiv_array, int* info_array,
                                              int64_t batch_count, int m_max, int n_max, int k_max,
                                              talus_queue q);
TALUS_C_API int talus_dgetrf_partial_vbatched(const int* m, const int* n, const int* k,
                                              double* const* A_array, const int* lda, int* const* ipiv_array,
                                              int* info_array, int64_t batch_count, int m_max, int n_max,
                                              int k_max, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_vbatched(const int* m, const int* n, const int* k,
                                              talus_complex_float* const* A_array, const int* lda,
                                              int* const* ipiv_array, int* info_array, int64_t batch_count,
                                              int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_vbatched(const int* m, const int* n, const int* k,
                                              talus_complex_double* const* A_array, const int* lda,
                                              int* const* ipiv_array, int* info_array, int64_t batch_count,
                                              int m_max, int n_max, int k_max, talus_queue q);

/* getrf_partial_nopiv: eliminates the first k columns by LU factorization without row interchanges, with a
 * floor for pivots. */
TALUS_C_API int talus_sgetrf_partial_nopiv_vbatched(const int* m, const int* n, const int* k,
                                                    float* const* A_array, const int* lda, float pivot_floor,
                                                    const float* pivot_floor_array, int* replaced_array,
                                                    int* info_array, int64_t batch_count, int m_max,
                                                    int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_dgetrf_partial_nopiv_vbatched(const int* m, const int* n, const int* k,
                                                    double* const* A_array, const int* lda,
                                                    double pivot_floor, const double* pivot_floor_array,
                                                    int* replaced_array, int* info_array, int64_t batch_count,
                                                    int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_nopiv_vbatched(const int* m, const int* n, const int* k,
                                                    talus_complex_float* const* A_array, const int* lda,
                                                    float pivot_floor, const float* pivot_floor_array,
                                                    int* replaced_array, int* info_array, int64_t batch_count,
                                                    int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_nopiv_vbatched(const int* m, const int* n, const int* k,
                                                    talus_complex_double* const* A_array, const int* lda,
                                                    double pivot_floor, const double* pivot_floor_array,
                                                    int* replaced_array, int* info_array, int64_t batch_count,
                                                    int m_max, int n_max, int k_max, talus_queue q);

/* getrf_partial_split: does the same as getrf_partial for fronts that have each block in a separate array. */
TALUS_C_API int talus_sgetrf_partial_split_vbatched(
    int form, int schur, const int* k, const int* m2, const int* n2, float* const* A11_array,
    const int* lda11, float* const* A12_array, const int* lda12, float* const* A21_array, const int* lda21,
    float* const* A22_array, const int* lda22, int* const* ipiv_array, int* info_array, int64_t batch_count,
    int k_max, int m2_max, int n2_max, talus_queue q);
TALUS_C_API int talus_dgetrf_partial_split_vbatched(
    int form, int schur, const int* k, const int* m2, const int* n2, double* const* A11_array,
    const int* lda11, double* const* A12_array, const int* lda12, double* const* A21_array, const int* lda21,
    double* const* A22_array, const int* lda22, int* const* ipiv_array, int* info_array, int64_t batch_count,
    int k_max, int m2_max, int n2_max, talus_queue q);
TALUS_C_API int talus_cgetrf_partial_split_vbatched(int form, int schur, const int* k, const int* m2,
                                                    const int* n2, talus_complex_float* const* A11_array,
                                                    const int* lda11, talus_complex_float* const* A12_array,
                                                    const int* lda12, talus_complex_float* const* A21_array,
                                                    const int* lda21, talus_complex_float* const* A22_array,
                                                    const int* lda22, int* const* ipiv_array, int* info_array,
                                                    int64_t batch_count, int k_max, int m2_max, int n2_max,
                                                    talus_queue q);
TALUS_C_API int talus_zgetrf_partial_split_vbatched(int form, int schur, const int* k, const int* m2,
                                                    const int* n2, talus_complex_double* const* A11_array,
                                                    const int* lda11, talus_complex_double* const* A12_array,
                                                    const int* lda12, talus_complex_double* const* A21_array,
                                                    const int* lda21, talus_complex_double* const* A22_array,
                                                    const int* lda22, int* const* ipiv_array, int* info_array,
                                                    int64_t batch_count, int k_max, int m2_max, int n2_max,
                                                    talus_queue q);

/* getrf_partial_split_nopiv: does the same as getrf_partial_split, but without row interchanges and with a
 * floor for pivots. */
TALUS_C_API int talus_sgetrf_partial_split_nopiv_vbatched(
    int form, int schur, const int* k, const int* m2, const int* n2, float* const* A11_array,
    const int* lda11, float* const* A12_array, const int* lda12, float* const* A21_array, const int* lda21,
    float* const* A22_array, const int* lda22, float pivot_floor, const float* pivot_floor_array,
    int* replaced_array, int* info_array, int64_t batch_count, int k_max, int m2_max, int n2_max,
    talus_queue q);
TALUS_C_API int talus_dgetrf_partial_split_nopiv_vbatched(
    int form, int schur, const int* k, const int* m2, const int* n2, double* const* A11_array,
    const int* lda11, double* const* A12_array, const int* lda12, double* const* A21_array, const int* lda21,
    double* const* A22_array, const int* lda22, double pivot_floor, const double* pivot_floor_array,
    int* replaced_array, int* info_array, int64_t batch_count, int k_max, int m2_max, int n2_max,
    talus_queue q);
TALUS_C_API int talus_cgetrf_partial_split_nopiv_vbatched(
    int form, int schur, const int* k, const int* m2, const int* n2, talus_complex_float* const* A11_array,
    const int* lda11, talus_complex_float* const* A12_array, const int* lda12,
    talus_complex_float* const* A21_array, const int* lda21, talus_complex_float* const* A22_array,
    const int* lda22, float pivot_floor, const float* pivot_floor_array, int* replaced_array, int* info_array,
    int64_t batch_count, int k_max, int m2_max, int n2_max, talus_queue q);
TALUS_C_API int talus_zgetrf_partial_split_nopiv_vbatched(
    int form, int schur, const int* k, const int* m2, const int* n2, talus_complex_double* const* A11_array,
    const int* lda11, talus_complex_double* const* A12_array, const int* lda12,
    talus_complex_double* const* A21_array, const int* lda21, talus_complex_double* const* A22_array,
    const int* lda22, double pivot_floor, const double* pivot_floor_array, int* replaced_array,
    int* info_array, int64_t batch_count, int k_max, int m2_max, int n2_max, talus_queue q);

/* getrs: solves op(A) X = B with the factors and pivots that getrf computed. */
TALUS_C_API int talus_sgetrs_vbatched(int op, const int* n, const int* nrhs, float* const* A_array,
                                      const int* lda, int* const* ipiv_array, float* const* B_array,
                                      const int* ldb, int* info_array, int64_t batch_count, int n_max,
                                      int nrhs_max, talus_queue q);
TALUS_C_API int talus_dgetrs_vbatched(int op, const int* n, const int* nrhs, double* const* A_array,
                                      const int* lda, int* const* ipiv_array, double* const* B_array,
                                      const int* ldb, int* info_array, int64_t batch_count, int n_max,
                                      int nrhs_max, talus_queue q);
TALUS_C_API int talus_cgetrs_vbatched(int op, const int* n, const int* nrhs,
                                      talus_complex_float* const* A_array, const int* lda,
                                      int* const* ipiv_array, talus_complex_float* const* B_array,
                                      const int* ldb, int* info_array, int64_t batch_count, int n_max,
                                      int nrhs_max, talus_queue q);
TALUS_C_API int talus_zgetrs_vbatched(int op, const int* n, const int* nrhs,
                                      talus_complex_double* const* A_array, const int* lda,
                                      int* const* ipiv_array, talus_complex_double* const* B_array,
                                      const int* ldb, int* info_array, int64_t batch_count, int n_max,
                                      int nrhs_max, talus_queue q);

/* getrs_nopiv: solves op(A) X = B with the factors that getrf_nopiv computed. */
TALUS_C_API int talus_sgetrs_nopiv_vbatched(int op, const int* n, const int* nrhs, float* const* A_array,
                                            const int* lda, float* const* B_array, const int* ldb,
                                            int* info_array, int64_t batch_count, int n_max, int nrhs_max,
                                            talus_queue q);
TALUS_C_API int talus_dgetrs_nopiv_vbatched(int op, const int* n, const int* nrhs, double* const* A_array,
                                            const int* lda, double* const* B_array, const int* ldb,
                                            int* info_array, int64_t batch_count, int n_max, int nrhs_max,
                                            talus_queue q);
TALUS_C_API int talus_cgetrs_nopiv_vbatched(int op, const int* n, const int* nrhs,
                                            talus_complex_float* const* A_array, const int* lda,
                                            talus_complex_float* const* B_array, const int* ldb,
                                            int* info_array, int64_t batch_count, int n_max, int nrhs_max,
                                            talus_queue q);
TALUS_C_API int talus_zgetrs_nopiv_vbatched(int op, const int* n, const int* nrhs,
                                            talus_complex_double* const* A_array, const int* lda,
                                            talus_complex_double* const* B_array, const int* ldb,
                                            int* info_array, int64_t batch_count, int n_max, int nrhs_max,
                                            talus_queue q);

/* gesv: solves A X = B by getrf and then getrs. */
TALUS_C_API int talus_sgesv_vbatched(const int* n, const int* nrhs, float* const* A_array, const int* lda,
                                     int* const* ipiv_array, float* const* B_array, const int* ldb,
                                     int* info_array, int64_t batch_count, int n_max, int nrhs_max,
                                     talus_queue q);
TALUS_C_API int talus_dgesv_vbatched(const int* n, const int* nrhs, double* const* A_array, const int* lda,
                                     int* const* ipiv_array, double* const* B_array, const int* ldb,
                                     int* info_array, int64_t batch_count, int n_max, int nrhs_max,
                                     talus_queue q);
TALUS_C_API int talus_cgesv_vbatched(const int* n, const int* nrhs, talus_complex_float* const* A_array,
                                     const int* lda, int* const* ipiv_array,
                                     talus_complex_float* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_zgesv_vbatched(const int* n, const int* nrhs, talus_complex_double* const* A_array,
                                     const int* lda, int* const* ipiv_array,
                                     talus_complex_double* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int n_max, int nrhs_max, talus_queue q);

/* getri: computes the inverse from the factors and pivots that getrf computed. */
TALUS_C_API int talus_sgetri_vbatched(const int* n, float* const* A_array, const int* lda,
                                      int* const* ipiv_array, int* info_array, int64_t batch_count, int n_max,
                                      talus_queue q);
TALUS_C_API int talus_dgetri_vbatched(const int* n, double* const* A_array, const int* lda,
                                      int* const* ipiv_array, int* info_array, int64_t batch_count, int n_max,
                                      talus_queue q);
TALUS_C_API int talus_cgetri_vbatched(const int* n, talus_complex_float* const* A_array, const int* lda,
                                      int* const* ipiv_array, int* info_array, int64_t batch_count, int n_max,
                                      talus_queue q);
TALUS_C_API int talus_zgetri_vbatched(const int* n, talus_complex_double* const* A_array, const int* lda,
                                      int* const* ipiv_array, int* info_array, int64_t batch_count, int n_max,
                                      talus_queue q);

/* getri_outofplace: does the same as getri, but stores the inverse in C. */
TALUS_C_API int talus_sgetri_outofplace_vbatched(const int* n, float* const* A_array, const int* lda,
                                                 int* const* ipiv_array, float* const* C_array,
                                                 const int* ldc, int* info_array, int64_t batch_count,
                                                 int n_max, talus_queue q);
TALUS_C_API int talus_dgetri_outofplace_vbatched(const int* n, double* const* A_array, const int* lda,
                                                 int* const* ipiv_array, double* const* C_array,
                                                 const int* ldc, int* info_array, int64_t batch_count,
                                                 int n_max, talus_queue q);
TALUS_C_API int talus_cgetri_outofplace_vbatched(const int* n, talus_complex_float* const* A_array,
                                                 const int* lda, int* const* ipiv_array,
                                                 talus_complex_float* const* C_array, const int* ldc,
                                                 int* info_array, int64_t batch_count, int n_max,
                                                 talus_queue q);
TALUS_C_API int talus_zgetri_outofplace_vbatched(const int* n, talus_complex_double* const* A_array,
                                                 const int* lda, int* const* ipiv_array,
                                                 talus_complex_double* const* C_array, const int* ldc,
                                                 int* info_array, int64_t batch_count, int n_max,
                                                 talus_queue q);

/* geqrf: computes the QR factorization. */
TALUS_C_API int talus_sgeqrf_vbatched(const int* m, const int* n, float* const* A_array, const int* lda,
                                      float* const* tau_array, int* info_array, int64_t batch_count,
                                      int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_dgeqrf_vbatched(const int* m, const int* n, double* const* A_array, const int* lda,
                                      double* const* tau_array, int* info_array, int64_t batch_count,
                                      int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_cgeqrf_vbatched(const int* m, const int* n, talus_complex_float* const* A_array,
                                      const int* lda, talus_complex_float* const* tau_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_zgeqrf_vbatched(const int* m, const int* n, talus_complex_double* const* A_array,
                                      const int* lda, talus_complex_double* const* tau_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, talus_queue q);

/* ormqr: multiplies C by the Q that geqrf computed. */
TALUS_C_API int talus_sormqr_vbatched(int side, int op, const int* m, const int* n, const int* k,
                                      float* const* A_array, const int* lda, float* const* tau_array,
                                      float* const* C_array, const int* ldc, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_dormqr_vbatched(int side, int op, const int* m, const int* n, const int* k,
                                      double* const* A_array, const int* lda, double* const* tau_array,
                                      double* const* C_array, const int* ldc, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_cormqr_vbatched(int side, int op, const int* m, const int* n, const int* k,
                                      talus_complex_float* const* A_array, const int* lda,
                                      talus_complex_float* const* tau_array,
                                      talus_complex_float* const* C_array, const int* ldc, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_zormqr_vbatched(int side, int op, const int* m, const int* n, const int* k,
                                      talus_complex_double* const* A_array, const int* lda,
                                      talus_complex_double* const* tau_array,
                                      talus_complex_double* const* C_array, const int* ldc, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);

/* unmqr: calls ormqr. unmqr is LAPACK's name of ormqr for complex numbers. */
TALUS_C_API int talus_cunmqr_vbatched(int side, int op, const int* m, const int* n, const int* k,
                                      talus_complex_float* const* A_array, const int* lda,
                                      talus_complex_float* const* tau_array,
                                      talus_complex_float* const* C_array, const int* ldc, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_zunmqr_vbatched(int side, int op, const int* m, const int* n, const int* k,
                                      talus_complex_double* const* A_array, const int* lda,
                                      talus_complex_double* const* tau_array,
                                      talus_complex_double* const* C_array, const int* ldc, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);

/* orgqr: forms the first n columns of the Q that geqrf computed. */
TALUS_C_API int talus_sorgqr_vbatched(const int* m, const int* n, const int* k, float* const* A_array,
                                      const int* lda, float* const* tau_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_dorgqr_vbatched(const int* m, const int* n, const int* k, double* const* A_array,
                                      const int* lda, double* const* tau_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_corgqr_vbatched(const int* m, const int* n, const int* k,
                                      talus_complex_float* const* A_array, const int* lda,
                                      talus_complex_float* const* tau_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_zorgqr_vbatched(const int* m, const int* n, const int* k,
                                      talus_complex_double* const* A_array, const int* lda,
                                      talus_complex_double* const* tau_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);

/* ungqr: calls orgqr. ungqr is LAPACK's name of orgqr for complex numbers. */
TALUS_C_API int talus_cungqr_vbatched(const int* m, const int* n, const int* k,
                                      talus_complex_float* const* A_array, const int* lda,
                                      talus_complex_float* const* tau_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_zungqr_vbatched(const int* m, const int* n, const int* k,
                                      talus_complex_double* const* A_array, const int* lda,
                                      talus_complex_double* const* tau_array, int* info_array,
                                      int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);

/* gels: computes least-squares or least-norm solutions. */
TALUS_C_API int talus_sgels_vbatched(int op, const int* m, const int* n, const int* nrhs,
                                     float* const* A_array, const int* lda, float* const* B_array,
                                     const int* ldb, int* info_array, int64_t batch_count, int m_max,
                                     int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_dgels_vbatched(int op, const int* m, const int* n, const int* nrhs,
                                     double* const* A_array, const int* lda, double* const* B_array,
                                     const int* ldb, int* info_array, int64_t batch_count, int m_max,
                                     int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_cgels_vbatched(int op, const int* m, const int* n, const int* nrhs,
                                     talus_complex_float* const* A_array, const int* lda,
                                     talus_complex_float* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int m_max, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API int talus_zgels_vbatched(int op, const int* m, const int* n, const int* nrhs,
                                     talus_complex_double* const* A_array, const int* lda,
                                     talus_complex_double* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int m_max, int n_max, int nrhs_max, talus_queue q);

/* qr: computes the thin QR factorization. Q overwrites A, and R is stored separately. */
TALUS_C_API int talus_sqr_vbatched(const int* m, const int* n, float* const* A_array, const int* lda,
                                   float* const* R_array, const int* ldr, int* info_array,
                                   int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_dqr_vbatched(const int* m, const int* n, double* const* A_array, const int* lda,
                                   double* const* R_array, const int* ldr, int* info_array,
                                   int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_cqr_vbatched(const int* m, const int* n, talus_complex_float* const* A_array,
                                   const int* lda, talus_complex_float* const* R_array, const int* ldr,
                                   int* info_array, int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_zqr_vbatched(const int* m, const int* n, talus_complex_double* const* A_array,
                                   const int* lda, talus_complex_double* const* R_array, const int* ldr,
                                   int* info_array, int64_t batch_count, int m_max, int n_max, talus_queue q);

/* trsm: solves op(A) X = alpha B or X op(A) = alpha B with triangular A. */
TALUS_C_API int talus_strsm_vbatched(int side, int uplo, int op, int diag, const int* m, const int* n,
                                     const float* alpha, float* const* A_array, const int* lda,
                                     float* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_dtrsm_vbatched(int side, int uplo, int op, int diag, const int* m, const int* n,
                                     const double* alpha, double* const* A_array, const int* lda,
                                     double* const* B_array, const int* ldb, int* info_array,
                                     int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API int talus_ctrsm_vbatched(int side, int uplo, int op, int diag, const int* m, const int* n,
                                     const talus_complex_float* alpha, talus_complex_float* const* A_array,
                                     const int* lda, talus_complex_float* const* B_array, const int* ldb,
                                     int* info_array, int64_t batch_count, int m_max, int n_max,
                                     talus_queue q);
TALUS_C_API int talus_ztrsm_vbatched(int side, int uplo, int op, int diag, const int* m, const int* n,
                                     const talus_complex_double* alpha, talus_complex_double* const* A_array,
                                     const int* lda, talus_complex_double* const* B_array, const int* ldb,
                                     int* info_array, int64_t batch_count, int m_max, int n_max,
                                     talus_queue q);

/* gemm: computes C := alpha op(A) op(B) + beta C. alpha and beta are pointers to numbers in host memory.
 * info_array may be null. */
TALUS_C_API int talus_sgemm_vbatched(int op_A, int op_B, const int* m, const int* n, const int* k,
                                     const float* alpha, float* const* A_array, const int* lda,
                                     float* const* B_array, const int* ldb, const float* beta,
                                     float* const* C_array, const int* ldc, int* info_array,
                                     int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_dgemm_vbatched(int op_A, int op_B, const int* m, const int* n, const int* k,
                                     const double* alpha, double* const* A_array, const int* lda,
                                     double* const* B_array, const int* ldb, const double* beta,
                                     double* const* C_array, const int* ldc, int* info_array,
                                     int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_cgemm_vbatched(int op_A, int op_B, const int* m, const int* n, const int* k,
                                     const talus_complex_float* alpha, talus_complex_float* const* A_array,
                                     const int* lda, talus_complex_float* const* B_array, const int* ldb,
                                     const talus_complex_float* beta, talus_complex_float* const* C_array,
                                     const int* ldc, int* info_array, int64_t batch_count, int m_max,
                                     int n_max, int k_max, talus_queue q);
TALUS_C_API int talus_zgemm_vbatched(int op_A, int op_B, const int* m, const int* n, const int* k,
                                     const talus_complex_double* alpha, talus_complex_double* const* A_array,
                                     const int* lda, talus_complex_double* const* B_array, const int* ldb,
                                     const talus_complex_double* beta, talus_complex_double* const* C_array,
                                     const int* ldc, int* info_array, int64_t batch_count, int m_max,
                                     int n_max, int k_max, talus_queue q);

/* gemv: computes y := alpha op(A) x + beta y. alpha and beta are pointers to numbers in host memory.
 * info_array may be null. */
TALUS_C_API int talus_sgemv_vbatched(int op, const int* m, const int* n, const float* alpha,
                                     float* const* A_array, const int* lda, float* const* x_array,
                                     const int* incx, const float* beta, float* const* y_array,
                                     const int* incy, int* info_array, int64_t batch_count, int m_max,
                                     int n_max, talus_queue q);
TALUS_C_API int talus_dgemv_vbatched(int op, const int* m, const int* n, const double* alpha,
                                     double* const* A_array, const int* lda, double* const* x_array,
                                     const int* incx, const double* beta, double* const* y_array,
                                     const int* incy, int* info_array, int64_t batch_count, int m_max,
                                     int n_max, talus_queue q);
TALUS_C_API int talus_cgemv_vbatched(int op, const int* m, const int* n, const talus_complex_float* alpha,
                                     talus_complex_float* const* A_array, const int* lda,
                                     talus_complex_float* const* x_array, const int* incx,
                                     const talus_complex_float* beta, talus_complex_float* const* y_array,
                                     const int* incy, int* info_array, int64_t batch_count, int m_max,
                                     int n_max, talus_queue q);
TALUS_C_API int talus_zgemv_vbatched(int op, const int* m, const int* n, const talus_complex_double* alpha,
                                     talus_complex_double* const* A_array, const int* lda,
                                     talus_complex_double* const* x_array, const int* incx,
                                     const talus_complex_double* beta, talus_complex_double* const* y_array,
                                     const int* incy, int* info_array, int64_t batch_count, int m_max,
                                     int n_max, talus_queue q);

/* Returns the number of bytes of scratch (queue.work) that a call may use. */
TALUS_C_API size_t talus_spotrf_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_dpotrf_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_cpotrf_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_zpotrf_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_spotrs_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_dpotrs_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_cpotrs_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_zpotrs_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_sposv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_dposv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_cposv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_zposv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_spotri_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_dpotri_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_cpotri_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_zpotri_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_spotrf_partial_work(int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_dpotrf_partial_work(int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_cpotrf_partial_work(int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_zpotrf_partial_work(int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_spotrf_partial_split_work(int k, int n2, int64_t batch_count);
TALUS_C_API size_t talus_dpotrf_partial_split_work(int k, int n2, int64_t batch_count);
TALUS_C_API size_t talus_cpotrf_partial_split_work(int k, int n2, int64_t batch_count);
TALUS_C_API size_t talus_zpotrf_partial_split_work(int k, int n2, int64_t batch_count);
TALUS_C_API size_t talus_spotrf_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dpotrf_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cpotrf_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zpotrf_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_spotrs_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_dpotrs_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_cpotrs_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_zpotrs_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_sposv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_dposv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_cposv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_zposv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_spotri_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dpotri_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cpotri_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zpotri_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_spotrf_partial_vbatched_work(int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_dpotrf_partial_vbatched_work(int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_cpotrf_partial_vbatched_work(int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_zpotrf_partial_vbatched_work(int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_spotrf_partial_split_vbatched_work(int k_max, int n2_max, int64_t batch_count);
TALUS_C_API size_t talus_dpotrf_partial_split_vbatched_work(int k_max, int n2_max, int64_t batch_count);
TALUS_C_API size_t talus_cpotrf_partial_split_vbatched_work(int k_max, int n2_max, int64_t batch_count);
TALUS_C_API size_t talus_zpotrf_partial_split_vbatched_work(int k_max, int n2_max, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_nopiv_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_nopiv_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_nopiv_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_nopiv_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_partial_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_partial_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_partial_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_partial_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_partial_nopiv_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_partial_nopiv_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_partial_nopiv_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_partial_nopiv_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_partial_split_work(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_partial_split_work(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_partial_split_work(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_partial_split_work(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_partial_split_nopiv_work(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_partial_split_nopiv_work(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_partial_split_nopiv_work(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_partial_split_nopiv_work(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t talus_sgetrs_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_dgetrs_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_cgetrs_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_zgetrs_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_sgetrs_nopiv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_dgetrs_nopiv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_cgetrs_nopiv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_zgetrs_nopiv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_sgesv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_dgesv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_cgesv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_zgesv_work(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_sgetri_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_dgetri_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_cgetri_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_zgetri_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_sgetri_outofplace_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_dgetri_outofplace_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_cgetri_outofplace_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_zgetri_outofplace_work(int n, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_nopiv_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_nopiv_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_nopiv_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_nopiv_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_partial_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_partial_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_partial_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_partial_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_partial_nopiv_vbatched_work(int m_max, int n_max, int k_max,
                                                            int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_partial_nopiv_vbatched_work(int m_max, int n_max, int k_max,
                                                            int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_partial_nopiv_vbatched_work(int m_max, int n_max, int k_max,
                                                            int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_partial_nopiv_vbatched_work(int m_max, int n_max, int k_max,
                                                            int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_partial_split_vbatched_work(int k_max, int m2_max, int n2_max,
                                                            int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_partial_split_vbatched_work(int k_max, int m2_max, int n2_max,
                                                            int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_partial_split_vbatched_work(int k_max, int m2_max, int n2_max,
                                                            int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_partial_split_vbatched_work(int k_max, int m2_max, int n2_max,
                                                            int64_t batch_count);
TALUS_C_API size_t talus_sgetrf_partial_split_nopiv_vbatched_work(int k_max, int m2_max, int n2_max,
                                                                  int64_t batch_count);
TALUS_C_API size_t talus_dgetrf_partial_split_nopiv_vbatched_work(int k_max, int m2_max, int n2_max,
                                                                  int64_t batch_count);
TALUS_C_API size_t talus_cgetrf_partial_split_nopiv_vbatched_work(int k_max, int m2_max, int n2_max,
                                                                  int64_t batch_count);
TALUS_C_API size_t talus_zgetrf_partial_split_nopiv_vbatched_work(int k_max, int m2_max, int n2_max,
                                                                  int64_t batch_count);
TALUS_C_API size_t talus_sgetrs_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_dgetrs_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_cgetrs_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_zgetrs_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_sgetrs_nopiv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_dgetrs_nopiv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_cgetrs_nopiv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_zgetrs_nopiv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_sgesv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_dgesv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_cgesv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_zgesv_vbatched_work(int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_sgetri_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dgetri_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cgetri_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zgetri_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_sgetri_outofplace_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dgetri_outofplace_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cgetri_outofplace_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zgetri_outofplace_vbatched_work(int n_max, int64_t batch_count);
TALUS_C_API size_t talus_sgeqrf_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_dgeqrf_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_cgeqrf_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_zgeqrf_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_sormqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_dormqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_cormqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_zormqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_cunmqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_zunmqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_sorgqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_dorgqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_corgqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_zorgqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_cungqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_zungqr_work(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t talus_sgels_work(int m, int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_dgels_work(int m, int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_cgels_work(int m, int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_zgels_work(int m, int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t talus_sqr_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_dqr_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_cqr_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_zqr_work(int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_sgeqrf_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dgeqrf_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cgeqrf_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zgeqrf_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_sormqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_dormqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_cormqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_zormqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_cunmqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_zunmqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_sorgqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_dorgqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_corgqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_zorgqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_cungqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_zungqr_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_sgels_vbatched_work(int m_max, int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_dgels_vbatched_work(int m_max, int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_cgels_vbatched_work(int m_max, int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_zgels_vbatched_work(int m_max, int n_max, int nrhs_max, int64_t batch_count);
TALUS_C_API size_t talus_sqr_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dqr_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cqr_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zqr_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_strsm_work(int side, int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_dtrsm_work(int side, int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_ctrsm_work(int side, int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_ztrsm_work(int side, int m, int n, int64_t batch_count);
TALUS_C_API size_t talus_strsm_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dtrsm_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_ctrsm_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_ztrsm_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_sgemm_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_dgemm_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_cgemm_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_zgemm_vbatched_work(int m_max, int n_max, int k_max, int64_t batch_count);
TALUS_C_API size_t talus_sgemv_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_dgemv_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_cgemv_vbatched_work(int m_max, int n_max, int64_t batch_count);
TALUS_C_API size_t talus_zgemv_vbatched_work(int m_max, int n_max, int64_t batch_count);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TALUS_H */
