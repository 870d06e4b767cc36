/* Talus for C99, and through it for Fortran, Julia, Python: talus_<s|d|c|z><routine>.
 *
 * Every function takes the arguments of the C++ template of the same name, in the same order, with the same
 * meaning, info and return values: talus/batched.hpp documents each of them. Enumerations have LAPACK's
 * letters as values. */
#ifndef TALUS_H
#define TALUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <complex>
typedef std::complex<float> talus_complex_float;
typedef std::complex<double> talus_complex_double;
#else
#include <complex.h>
typedef float _Complex talus_complex_float;
typedef double _Complex talus_complex_double;
#endif

#if defined(__GNUC__)
#define TALUS_C_API __attribute__((visibility("default")))
#else
#define TALUS_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Passed as int, so that any binding can give a letter; anything but these two is refused. */
enum { TALUS_LOWER = 'L', TALUS_UPPER = 'U' };

enum { TALUS_HOST = 0, TALUS_CUDA = 1 };

enum { TALUS_ERR_CUDA = -101, TALUS_ERR_WORK = -102, TALUS_ERR_NO_CUDA = -103, TALUS_ERR_UNSUPPORTED = -104 };

/* The fields of talus::queue. Begin with one of the functions below, or with all fields zero: what is
 * reserved has to be. */
typedef struct talus_queue {
  int where;         /* TALUS_HOST or TALUS_CUDA */
  void* stream;      /* TALUS_CUDA: a cudaStream_t */
  void* work;        /* optional scratch */
  size_t work_bytes; /* its size */
  uint32_t options;  /* none yet: 0 */
  void* reserved[2]; /* room to grow: NULL */
} talus_queue;

TALUS_C_API talus_queue talus_queue_host(void);
TALUS_C_API talus_queue talus_queue_cuda(void* stream);
TALUS_C_API talus_queue talus_queue_best(void);
TALUS_C_API const char* talus_strerror(int status);

/* potrf: Cholesky factorization. info j > 0: the leading (j-1)-by-(j-1) triangle holds that of the factor,
 * element (j, j) the failed pivot, the rest of the triangle nothing that is specified. */
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

/* potrs: solve with the factor potrf left */
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

/* posv: factor and solve. info j > 0: A as after potrf, B untouched */
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

/* potri: inverse from the factor potrf left */
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

/* Batches of matrices that each have their own size: talus/vbatched.hpp. n, nrhs, lda and ldb are arrays that
 * live where the matrices live; n_max and nrhs_max bound them, -1: unknown. */

/* potrf: Cholesky factorization */
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

/* potri: inverse from the factor potrf left */
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

/* potrs: solve with the factor potrf left */
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

/* posv: factor and solve */
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

/* Bytes of scratch (queue.work) a call may use */
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

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TALUS_H */
