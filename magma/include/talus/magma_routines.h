/* What talus/magma.h declares once per precision: x is s, d, c or z, T that type, R the real one of its
 * precision. No guard: it is included four times. Where a line says "as potrf_batched", that is the routine of
 * talus/batched.hpp, which has cost, numerics and source. */

#ifdef TALUS_MAGMA_X

/* ---- batches of one size: arrays of batchCount pointers -------------------------------------------------------- */

/* Cholesky factorization, A = L L^H or A = U^H U, as potrf_batched.
 * info: 0, or j where the leading minor of order j is not positive definite, or holds a NaN.
 * Both triangles: MAGMA has the lower one alone. -1 uplo, -2 n, -4 ldda, -6 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrf_batched)(magma_uplo_t uplo, magma_int_t n,
                                                            TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                            magma_int_t* info_array, magma_int_t batchCount,
                                                            magma_queue_t queue);
/* The same. nb and recnb are MAGMA's blocking sizes: not used. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrf_expert_batched)(
    magma_uplo_t uplo, magma_int_t n, magma_int_t nb, magma_int_t recnb, TALUS_MAGMA_T** dA_array,
    magma_int_t ldda, magma_int_t* info_array, magma_int_t batchCount, magma_queue_t queue);

/* X := A^-1 B from potrf's factor, over B, as potrs_batched. B of a matrix that potrf found wanting is untouched.
 * -1 uplo, -2 n, -3 nrhs, -5 ldda, -7 lddb, -8 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrs_batched)(magma_uplo_t uplo, magma_int_t n,
                                                            magma_int_t nrhs, TALUS_MAGMA_T** dA_array,
                                                            magma_int_t ldda, TALUS_MAGMA_T** dB_array,
                                                            magma_int_t lddb, magma_int_t batchCount,
                                                            magma_queue_t queue);

/* potrf, then potrs, as posv_batched. info as potrf's; where it is not 0, B is untouched.
 * -1 uplo, -2 n, -3 nrhs, -5 ldda, -7 lddb, -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(posv_batched)(magma_uplo_t uplo, magma_int_t n, magma_int_t nrhs,
                                                           TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                           TALUS_MAGMA_T** dB_array, magma_int_t lddb,
                                                           magma_int_t* dinfo_array, magma_int_t batchCount,
                                                           magma_queue_t queue);

/* LU factorization with partial pivoting, A = P L U of m-by-n matrices, as getrf_batched. Pivots count from 1.
 * info: 0, or j where U(j, j) is exactly zero, or column j met a NaN. -1 m, -2 n, -4 ldda, -7 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_batched)(magma_int_t m, magma_int_t n,
                                                            TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                            magma_int_t** ipiv_array, magma_int_t* info_array,
                                                            magma_int_t batchCount, magma_queue_t queue);

/* The same without row exchanges, as getrf_nopiv_batched. -1 m, -2 n, -4 ldda, -6 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_batched)(magma_int_t m, magma_int_t n,
                                                                  TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                                  magma_int_t* info_array,
                                                                  magma_int_t batchCount,
                                                                  magma_queue_t queue);

/* X := op(A)^-1 B from getrf's factors, over B, as getrs_batched. B of a matrix with a zero or a NaN on U's
 * diagonal is untouched. -1 trans, -2 n, -3 nrhs, -5 ldda, -8 lddb, -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrs_batched)(magma_trans_t trans, magma_int_t n,
                                                            magma_int_t nrhs, TALUS_MAGMA_T** dA_array,
                                                            magma_int_t ldda, magma_int_t** dipiv_array,
                                                            TALUS_MAGMA_T** dB_array, magma_int_t lddb,
                                                            magma_int_t batchCount, magma_queue_t queue);
/* The same with the factors of getrf_nopiv. info: 0, or j where U(j, j) is zero or NaN, and B is untouched.
 * -1 trans, -2 n, -3 nrhs, -5 ldda, -8 lddb (MAGMA's number for it), -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrs_nopiv_batched)(magma_trans_t trans, magma_int_t n,
                                                                  magma_int_t nrhs, TALUS_MAGMA_T** dA_array,
                                                                  magma_int_t ldda, TALUS_MAGMA_T** dB_array,
                                                                  magma_int_t lddb, magma_int_t* info_array,
                                                                  magma_int_t batchCount,
                                                                  magma_queue_t queue);

/* getrf, then getrs, as gesv_batched. info as getrf's; where it is not 0, B is untouched.
 * -1 n, -2 nrhs, -4 ldda, -6 lddb (MAGMA's number for it), -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(gesv_batched)(magma_int_t n, magma_int_t nrhs,
                                                           TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                           magma_int_t** dipiv_array,
                                                           TALUS_MAGMA_T** dB_array, magma_int_t lddb,
                                                           magma_int_t* dinfo_array, magma_int_t batchCount,
                                                           magma_queue_t queue);

/* A^-1 from getrf's factors into matrices of their own, as getri_outofplace_batched.
 * info: 0, or j where U(j, j) is zero or NaN, and invA is untouched. -1 n, -3 ldda, -6 lddia, -8 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getri_outofplace_batched)(
    magma_int_t n, TALUS_MAGMA_T** dA_array, magma_int_t ldda, magma_int_t** dipiv_array,
    TALUS_MAGMA_T** dinvA_array, magma_int_t lddia, magma_int_t* info_array, magma_int_t batchCount,
    magma_queue_t queue);

/* Householder QR of m-by-n matrices, as geqrf_batched. info: 0. -1 m, -2 n, -4 ldda, -7 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(geqrf_batched)(magma_int_t m, magma_int_t n,
                                                            TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                            TALUS_MAGMA_T** dtau_array,
                                                            magma_int_t* info_array, magma_int_t batchCount,
                                                            magma_queue_t queue);
/* The same with scratch of the caller's: *device_lwork bytes of it. Where that is negative, the bytes that are
 * needed are written there, and nothing else is done. -8 device_lwork is too small, -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(geqrf_batched_work)(magma_int_t m, magma_int_t n,
                                                                 TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                                 TALUS_MAGMA_T** dtau_array,
                                                                 magma_int_t* info_array, void* device_work,
                                                                 magma_int_t* device_lwork,
                                                                 magma_int_t batchCount, magma_queue_t queue);
/* The same. MAGMA's blocking size, triangles and scratch are not used: provide_RT has to be 0, else
 * MAGMA_ERR_NOT_IMPLEMENTED. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(geqrf_expert_batched)(
    magma_int_t m, magma_int_t n, magma_int_t nb, TALUS_MAGMA_T** dA_array, magma_int_t ldda,
    TALUS_MAGMA_T** dR_array, magma_int_t lddr, TALUS_MAGMA_T** dT_array, magma_int_t lddt,
    TALUS_MAGMA_T** dtau_array, magma_int_t provide_RT, TALUS_MAGMA_T** dW_array, magma_int_t* info_array,
    magma_int_t batchCount, magma_queue_t queue);

/* C := alpha op(A) op(B) + beta C of matrices a stride apart. -1 transA, -2 transB, -3 m, -4 n, -5 k, -8 ldda,
 * -11 lddb, -15 lddc, -17 batchCount. Takes 48 bytes per matrix of stream-ordered scratch. */
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemm_batched_strided)(
    magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n, magma_int_t k,
    TALUS_MAGMA_T alpha, TALUS_MAGMA_T const* dA, magma_int_t ldda, magma_int_t strideA,
    TALUS_MAGMA_T const* dB, magma_int_t lddb, magma_int_t strideB, TALUS_MAGMA_T beta, TALUS_MAGMA_T* dC,
    magma_int_t lddc, magma_int_t strideC, magma_int_t batchCount, magma_queue_t queue);

/* y := alpha op(A) x + beta y. -1 trans, -2 m, -3 n, -6 ldda, -8 incx, -11 incy, -12 batchCount. Takes 20 bytes
 * per matrix of stream-ordered scratch. */
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemv_batched)(
    magma_trans_t trans, magma_int_t m, magma_int_t n, TALUS_MAGMA_T alpha,
    TALUS_MAGMA_T const* const* dA_array, magma_int_t ldda, TALUS_MAGMA_T const* const* dx_array,
    magma_int_t incx, TALUS_MAGMA_T beta, TALUS_MAGMA_T** dy_array, magma_int_t incy, magma_int_t batchCount,
    magma_queue_t queue);

/* output_array[b] := input + b * batch_offset + row + column * lda, for b = 0 ... batchCount - 1. */
TALUS_MAGMA_API void TALUS_MAGMA_NAME(set_pointer)(TALUS_MAGMA_T** output_array, TALUS_MAGMA_T* input,
                                                   magma_int_t lda, magma_int_t row, magma_int_t column,
                                                   magma_int_t batch_offset, magma_int_t batchCount,
                                                   magma_queue_t queue);

/* ---- batches of mixed sizes -------------------------------------------------------------------------------------- */

/* Forms with _max take bounds. A negative bound is refused. Bounds have to hold.
 * Sizes that a form does not look at are found by the kernels. A matrix is skipped that has an illegal size, a size
 * above its bound, or a null pointer; its neighbours are done as ever. Its info is negative, beside what stands for
 * info below: the number that the routine of talus/vbatched.hpp has. trsm, gemm and gemv have no info. */

/* Cholesky factorization of matrices of order n[b], as potrf_vbatched. info as potrf_batched.
 * n, ldda: batchCount + 1 ints. -1 uplo, -2 n, -4 ldda, -6 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrf_vbatched)(magma_uplo_t uplo, magma_int_t* n,
                                                             TALUS_MAGMA_T** dA_array, magma_int_t* ldda,
                                                             magma_int_t* info_array, magma_int_t batchCount,
                                                             magma_queue_t queue);
/* The same with a bound of n[b]: nothing is looked at on the host.
 * info: also -2 n, -3 dA_array, -4 ldda, -7 n[b] > max_n. Returns -1 uplo, -6 batchCount, -7 max_n. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrf_vbatched_max_nocheck)(
    magma_uplo_t uplo, magma_int_t* n, TALUS_MAGMA_T** dA_array, magma_int_t* ldda, magma_int_t* info_array,
    magma_int_t batchCount, magma_int_t max_n, magma_queue_t queue);

/* LU factorization of m[b]-by-n[b] matrices, as getrf_vbatched. info as getrf_batched.
 * m, n, ldda: batchCount ints. -1 m, -2 n, -4 ldda, -7 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_vbatched)(magma_int_t* m, magma_int_t* n,
                                                             TALUS_MAGMA_T** dA_array, magma_int_t* ldda,
                                                             magma_int_t** ipiv_array,
                                                             magma_int_t* info_array, magma_int_t batchCount,
                                                             magma_queue_t queue);
/* The same with bounds. minmn, max_minmn, max_mxn, nb, recnb and pivinfo_array are not used.
 * info: also -1 m, -2 n, -3 dA_array, -4 ldda, -5 ipiv_array, -8 m[b] > max_m, -9 n[b] > max_n.
 * Returns -4 max_m, -5 max_n, -15 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_vbatched_max_nocheck)(
    magma_int_t* m, magma_int_t* n, magma_int_t* minmn, magma_int_t max_m, magma_int_t max_n,
    magma_int_t max_minmn, magma_int_t max_mxn, magma_int_t nb, magma_int_t recnb, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, magma_int_t** ipiv_array, magma_int_t** pivinfo_array, magma_int_t* info_array,
    magma_int_t batchCount, magma_queue_t queue);
/* The same with scratch of the caller's: *lwork bytes. Where that is negative, the bytes that are needed are
 * written there, and nothing else is done: arrays and queue may be null. -3 max_m, -4 max_n, -12 lwork is too
 * small, -13 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_vbatched_max_nocheck_work)(
    magma_int_t* m, magma_int_t* n, magma_int_t max_m, magma_int_t max_n, magma_int_t max_minmn,
    magma_int_t max_mxn, TALUS_MAGMA_T** dA_array, magma_int_t* ldda, magma_int_t** dipiv_array,
    magma_int_t* info_array, void* work, magma_int_t* lwork, magma_int_t batchCount, magma_queue_t queue);
/* Blocking sizes to pass on to getrf_vbatched_max_nocheck, which does not use them: 1 and 1. */
TALUS_MAGMA_API void TALUS_MAGMA_GET_NAME(getrf_vbatched_nbparam)(magma_int_t max_m, magma_int_t max_n,
                                                                  magma_int_t* nb, magma_int_t* recnb);

/* LU factorization without row exchanges, as getrf_nopiv_vbatched.
 * info: 0, or j where pivot j is zero or NaN. -1 m, -2 n, -4 ldda, -6 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched)(magma_int_t* m, magma_int_t* n,
                                                                   TALUS_MAGMA_T** dA_array,
                                                                   magma_int_t* ldda, magma_int_t* info_array,
                                                                   magma_int_t batchCount,
                                                                   magma_queue_t queue);
/* The same with a tolerance: dtol_array[b], or where that array is null eps for all. A pivot smaller in magnitude
 * becomes the tolerance with the pivot's phase; 0: none does.
 * info with a tolerance: how many pivots became it, or j where pivot j is NaN.
 * -1 m, -2 n, -4 ldda, -8 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_expert_vbatched)(
    magma_int_t* m, magma_int_t* n, TALUS_MAGMA_T** dA_array, magma_int_t* ldda, TALUS_MAGMA_REAL* dtol_array,
    TALUS_MAGMA_REAL eps, magma_int_t* info_array, magma_int_t batchCount, magma_queue_t queue);
/* The same with bounds. minmn, max_minmn, max_mxn, nb and recnb are not used.
 * info: also -1 m, -2 n, -3 dA_array, -4 ldda, -10 m[b] > max_m, -11 n[b] > max_n.
 * Returns -4 max_m, -5 max_n, -15 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched_max_nocheck)(
    magma_int_t* m, magma_int_t* n, magma_int_t* minmn, magma_int_t max_m, magma_int_t max_n,
    magma_int_t max_minmn, magma_int_t max_mxn, magma_int_t nb, magma_int_t recnb, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, TALUS_MAGMA_REAL* dtol_array, TALUS_MAGMA_REAL eps, magma_int_t* info_array,
    magma_int_t batchCount, magma_queue_t queue);
/* The same with scratch of the caller's, as getrf_vbatched_max_nocheck_work, but -14 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched_max_nocheck_work)(
    magma_int_t* m, magma_int_t* n, magma_int_t max_m, magma_int_t max_n, magma_int_t max_minmn,
    magma_int_t max_mxn, TALUS_MAGMA_T** dA_array, magma_int_t* ldda, TALUS_MAGMA_REAL* dtol_array,
    TALUS_MAGMA_REAL eps, magma_int_t* info_array, void* work, magma_int_t* lwork, magma_int_t batchCount,
    magma_queue_t queue);

/* op(A) X = alpha B or X op(A) = alpha B with triangular A, X over B, as trsm_vbatched. Of the four forms,
 *   _vbatched              looks for illegal sizes, and for the largest
 *   _vbatched_nocheck      for the largest alone
 *   _vbatched_max          for illegal sizes alone: the caller gives bounds
 *   _vbatched_max_nocheck  for nothing
 * m, n, ldda, lddb: batchCount + 1 ints. -1 side, -2 uplo, -3 transA, -4 diag, -5 m, -6 n, -9 ldda, -11 lddb,
 * -12 batchCount: numbers of the first form. Of the forms with _max, -5 max_m and -6 max_n. */
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(trsm_vbatched)(magma_side_t side, magma_uplo_t uplo,
                                                         magma_trans_t transA, magma_diag_t diag,
                                                         magma_int_t* m, magma_int_t* n, TALUS_MAGMA_T alpha,
                                                         TALUS_MAGMA_T** dA_array, magma_int_t* ldda,
                                                         TALUS_MAGMA_T** dB_array, magma_int_t* lddb,
                                                         magma_int_t batchCount, magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(trsm_vbatched_nocheck)(
    magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t* m,
    magma_int_t* n, TALUS_MAGMA_T alpha, TALUS_MAGMA_T** dA_array, magma_int_t* ldda,
    TALUS_MAGMA_T** dB_array, magma_int_t* lddb, magma_int_t batchCount, magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(trsm_vbatched_max)(
    magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,
    magma_int_t max_n, magma_int_t* m, magma_int_t* n, TALUS_MAGMA_T alpha, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, TALUS_MAGMA_T** dB_array, magma_int_t* lddb, magma_int_t batchCount,
    magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(trsm_vbatched_max_nocheck)(
    magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,
    magma_int_t max_n, magma_int_t* m, magma_int_t* n, TALUS_MAGMA_T alpha, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, TALUS_MAGMA_T** dB_array, magma_int_t* lddb, magma_int_t batchCount,
    magma_queue_t queue);

/* C := alpha op(A) op(B) + beta C, as gemm_vbatched, in the four forms of trsm. batchCount comes before the
 * bounds: MAGMA's header has their names the other way round, its code and this have them so.
 * m, n, k, ldda, lddb, lddc: batchCount + 1 ints. -1 transA, -2 transB, -3 m, -4 n, -5 k, -8 ldda, -10 lddb,
 * -13 lddc, -14 batchCount. Of the forms with _max, -15 max_m, -16 max_n, -17 max_k. */
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemm_vbatched)(
    magma_trans_t transA, magma_trans_t transB, magma_int_t* m, magma_int_t* n, magma_int_t* k,
    TALUS_MAGMA_T alpha, TALUS_MAGMA_T const* const* dA_array, magma_int_t* ldda,
    TALUS_MAGMA_T const* const* dB_array, magma_int_t* lddb, TALUS_MAGMA_T beta, TALUS_MAGMA_T** dC_array,
    magma_int_t* lddc, magma_int_t batchCount, magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemm_vbatched_nocheck)(
    magma_trans_t transA, magma_trans_t transB, magma_int_t* m, magma_int_t* n, magma_int_t* k,
    TALUS_MAGMA_T alpha, TALUS_MAGMA_T const* const* dA_array, magma_int_t* ldda,
    TALUS_MAGMA_T const* const* dB_array, magma_int_t* lddb, TALUS_MAGMA_T beta, TALUS_MAGMA_T** dC_array,
    magma_int_t* lddc, magma_int_t batchCount, magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemm_vbatched_max)(
    magma_trans_t transA, magma_trans_t transB, magma_int_t* m, magma_int_t* n, magma_int_t* k,
    TALUS_MAGMA_T alpha, TALUS_MAGMA_T const* const* dA_array, magma_int_t* ldda,
    TALUS_MAGMA_T const* const* dB_array, magma_int_t* lddb, TALUS_MAGMA_T beta, TALUS_MAGMA_T** dC_array,
    magma_int_t* lddc, magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n, magma_int_t max_k,
    magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemm_vbatched_max_nocheck)(
    magma_trans_t transA, magma_trans_t transB, magma_int_t* m, magma_int_t* n, magma_int_t* k,
    TALUS_MAGMA_T alpha, TALUS_MAGMA_T const* const* dA_array, magma_int_t* ldda,
    TALUS_MAGMA_T const* const* dB_array, magma_int_t* lddb, TALUS_MAGMA_T beta, TALUS_MAGMA_T** dC_array,
    magma_int_t* lddc, magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n, magma_int_t max_k,
    magma_queue_t queue);

/* y := alpha op(A) x + beta y, as gemv_vbatched, in the four forms of trsm.
 * m, n, ldda, incx, incy: batchCount + 1 ints. -1 trans, -2 m, -3 n, -6 ldda, -8 incx, -11 incy,
 * -12 batchCount. Of the forms with _max, -13 max_m, -14 max_n. */
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemv_vbatched)(magma_trans_t trans, magma_int_t* m, magma_int_t* n,
                                                         TALUS_MAGMA_T alpha, TALUS_MAGMA_T** dA_array,
                                                         magma_int_t* ldda, TALUS_MAGMA_T** dx_array,
                                                         magma_int_t* incx, TALUS_MAGMA_T beta,
                                                         TALUS_MAGMA_T** dy_array, magma_int_t* incy,
                                                         magma_int_t batchCount, magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemv_vbatched_nocheck)(
    magma_trans_t trans, magma_int_t* m, magma_int_t* n, TALUS_MAGMA_T alpha, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, TALUS_MAGMA_T** dx_array, magma_int_t* incx, TALUS_MAGMA_T beta,
    TALUS_MAGMA_T** dy_array, magma_int_t* incy, magma_int_t batchCount, magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemv_vbatched_max)(
    magma_trans_t trans, magma_int_t* m, magma_int_t* n, TALUS_MAGMA_T alpha, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, TALUS_MAGMA_T** dx_array, magma_int_t* incx, TALUS_MAGMA_T beta,
    TALUS_MAGMA_T** dy_array, magma_int_t* incy, magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n,
    magma_queue_t queue);
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemv_vbatched_max_nocheck)(
    magma_trans_t trans, magma_int_t* m, magma_int_t* n, TALUS_MAGMA_T alpha, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, TALUS_MAGMA_T** dx_array, magma_int_t* incx, TALUS_MAGMA_T beta,
    TALUS_MAGMA_T** dy_array, magma_int_t* incy, magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n,
    magma_queue_t queue);

/* ---- one matrix: what programs call where there is no batch -------------------------------------------------------- */

/* LU factorization with partial pivoting of one m-by-n matrix. ipiv and info are on the host: the call waits for
 * them. Its stream is the default stream. info: as getrf_batched's, and -1 m, -2 n, -4 ldda; returned, too. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_gpu)(magma_int_t m, magma_int_t n, TALUS_MAGMA_T* dA,
                                                        magma_int_t ldda, magma_int_t* ipiv,
                                                        magma_int_t* info);
/* X := op(A)^-1 B, over B. ipiv is on the host. The call waits for X. Its stream is the default stream.
 * info: -1 trans, -2 n, -3 nrhs, -5 ldda, -8 lddb. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrs_gpu)(magma_trans_t trans, magma_int_t n, magma_int_t nrhs,
                                                        TALUS_MAGMA_T* dA, magma_int_t ldda,
                                                        magma_int_t* ipiv, TALUS_MAGMA_T* dB,
                                                        magma_int_t lddb, magma_int_t* info);
/* y := alpha op(A) x + beta y of one matrix. */
TALUS_MAGMA_API void TALUS_MAGMA_NAME(gemv)(magma_trans_t transA, magma_int_t m, magma_int_t n,
                                            TALUS_MAGMA_T alpha, TALUS_MAGMA_T const* dA, magma_int_t ldda,
                                            TALUS_MAGMA_T const* dx, magma_int_t incx, TALUS_MAGMA_T beta,
                                            TALUS_MAGMA_T* dy, magma_int_t incy, magma_queue_t queue);
/* An m-by-n matrix on standard output, as MATLAB reads it. */
TALUS_MAGMA_API void TALUS_MAGMA_NAME(print_gpu)(magma_int_t m, magma_int_t n, TALUS_MAGMA_T const* dA,
                                                 magma_int_t ldda, magma_queue_t queue);

/* ---- memory, by elements: MAGMA's headers have these as functions of their own --------------------------------------- */

static inline magma_int_t TALUS_MAGMA_NAME(malloc)(TALUS_MAGMA_T** ptr_ptr, size_t n) {
  return magma_malloc((magma_ptr*)ptr_ptr, n * sizeof(TALUS_MAGMA_T));
}
static inline magma_int_t TALUS_MAGMA_NAME(malloc_cpu)(TALUS_MAGMA_T** ptr_ptr, size_t n) {
  return magma_malloc_cpu((void**)ptr_ptr, n * sizeof(TALUS_MAGMA_T));
}
static inline magma_int_t TALUS_MAGMA_NAME(malloc_pinned)(TALUS_MAGMA_T** ptr_ptr, size_t n) {
  return magma_malloc_pinned((void**)ptr_ptr, n * sizeof(TALUS_MAGMA_T));
}
static inline void TALUS_MAGMA_NAME(setvector)(magma_int_t n, TALUS_MAGMA_T const* hx, magma_int_t incx,
                                               TALUS_MAGMA_T* dy, magma_int_t incy, magma_queue_t queue) {
  magma_setvector(n, (magma_int_t)sizeof(TALUS_MAGMA_T), hx, incx, dy, incy, queue);
}
static inline void TALUS_MAGMA_NAME(getvector)(magma_int_t n, TALUS_MAGMA_T const* dx, magma_int_t incx,
                                               TALUS_MAGMA_T* hy, magma_int_t incy, magma_queue_t queue) {
  magma_getvector(n, (magma_int_t)sizeof(TALUS_MAGMA_T), dx, incx, hy, incy, queue);
}
static inline void TALUS_MAGMA_NAME(setmatrix)(magma_int_t m, magma_int_t n, TALUS_MAGMA_T const* hA,
                                               magma_int_t lda, TALUS_MAGMA_T* dB, magma_int_t lddb,
                                               magma_queue_t queue) {
  magma_setmatrix(m, n, (magma_int_t)sizeof(TALUS_MAGMA_T), hA, lda, dB, lddb, queue);
}
static inline void TALUS_MAGMA_NAME(getmatrix)(magma_int_t m, magma_int_t n, TALUS_MAGMA_T const* dA,
                                               magma_int_t ldda, TALUS_MAGMA_T* hB, magma_int_t ldb,
                                               magma_queue_t queue) {
  magma_getmatrix(m, n, (magma_int_t)sizeof(TALUS_MAGMA_T), dA, ldda, hB, ldb, queue);
}

#endif
