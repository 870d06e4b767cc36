/* Routines that talus/magma.h declares once per precision: x is s, d, c or z, T is the type of the elements,
 * and R is the real type of the same precision. This header has no include guard, because it is included four
 * times.
 * talus::potrf_batched and other names with talus:: are routines of talus/batched.hpp and talus/vbatched.hpp,
 * which document cost, numerics and source. Names without talus:: are routines of this header, without the
 * prefix magma_<x> or magmablas_<x>.
 * "Returns -1 uplo, -2 n" means that a call returns -1 if uplo is illegal, and -2 if n is illegal. info uses
 * the same notation for matrix b. A routine without a return value reports the number on standard error. */

#ifdef TALUS_MAGMA_X

/* ---- batches of one size: arrays of batchCount pointers ------------------------------------------------ */

/* Computes the Cholesky factorization A = L L^H or A = U^H U, as talus::potrf_batched does.
 * info: 0, or j if the leading minor of order j is not positive definite or holds a NaN.
 * uplo may be either triangle, while MAGMA supports only the lower triangle.
 * Returns -1 uplo, -2 n, -4 ldda, -6 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrf_batched)(magma_uplo_t uplo, magma_int_t n,
                                                            TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                            magma_int_t* info_array, magma_int_t batchCount,
                                                            magma_queue_t queue);
/* Does the same as potrf_batched. nb and recnb are MAGMA's blocking sizes and are not used. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrf_expert_batched)(
    magma_uplo_t uplo, magma_int_t n, magma_int_t nb, magma_int_t recnb, TALUS_MAGMA_T** dA_array,
    magma_int_t ldda, magma_int_t* info_array, magma_int_t batchCount, magma_queue_t queue);

/* Solves A X = B with the Cholesky factor that potrf_batched computed, as talus::potrs_batched does. X
 * overwrites B. If the factorization of a matrix failed, its B is untouched.
 * Returns -1 uplo, -2 n, -3 nrhs, -5 ldda, -7 lddb, -8 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrs_batched)(magma_uplo_t uplo, magma_int_t n,
                                                            magma_int_t nrhs, TALUS_MAGMA_T** dA_array,
                                                            magma_int_t ldda, TALUS_MAGMA_T** dB_array,
                                                            magma_int_t lddb, magma_int_t batchCount,
                                                            magma_queue_t queue);

/* Solves A X = B by potrf and then potrs, as talus::posv_batched does.
 * info: as for potrf_batched. If info is not 0, B is untouched.
 * Returns -1 uplo, -2 n, -3 nrhs, -5 ldda, -7 lddb, -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(posv_batched)(magma_uplo_t uplo, magma_int_t n, magma_int_t nrhs,
                                                           TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                           TALUS_MAGMA_T** dB_array, magma_int_t lddb,
                                                           magma_int_t* dinfo_array, magma_int_t batchCount,
                                                           magma_queue_t queue);

/* Computes the LU factorization with partial pivoting, A = P L U, of m-by-n matrices, as talus::getrf_batched
 * does. Pivots are counted from 1.
 * info: 0, or j if U(j, j) is exactly zero or column j met a NaN.
 * Returns -1 m, -2 n, -4 ldda, -7 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_batched)(magma_int_t m, magma_int_t n,
                                                            TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                            magma_int_t** ipiv_array, magma_int_t* info_array,
                                                            magma_int_t batchCount, magma_queue_t queue);

/* Computes the LU factorization without row interchanges, A = L U, as talus::getrf_nopiv_batched does.
 * Returns -1 m, -2 n, -4 ldda, -6 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_batched)(magma_int_t m, magma_int_t n,
                                                                  TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                                  magma_int_t* info_array,
                                                                  magma_int_t batchCount,
                                                                  magma_queue_t queue);

/* Solves op(A) X = B with the factors and pivots that getrf_batched computed, as talus::getrs_batched does. X
 * overwrites B. If the diagonal of U has a zero or a NaN, B of that matrix is untouched.
 * Returns -1 trans, -2 n, -3 nrhs, -5 ldda, -8 lddb, -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrs_batched)(magma_trans_t trans, magma_int_t n,
                                                            magma_int_t nrhs, TALUS_MAGMA_T** dA_array,
                                                            magma_int_t ldda, magma_int_t** dipiv_array,
                                                            TALUS_MAGMA_T** dB_array, magma_int_t lddb,
                                                            magma_int_t batchCount, magma_queue_t queue);
/* Solves op(A) X = B with the factors that getrf_nopiv_batched computed. X overwrites B.
 * info: 0, or j if U(j, j) is zero or NaN; B is then untouched.
 * Returns -1 trans, -2 n, -3 nrhs, -5 ldda, -8 lddb (MAGMA's number for this argument), -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrs_nopiv_batched)(magma_trans_t trans, magma_int_t n,
                                                                  magma_int_t nrhs, TALUS_MAGMA_T** dA_array,
                                                                  magma_int_t ldda, TALUS_MAGMA_T** dB_array,
                                                                  magma_int_t lddb, magma_int_t* info_array,
                                                                  magma_int_t batchCount,
                                                                  magma_queue_t queue);

/* Solves A X = B by getrf and then getrs, as talus::gesv_batched does.
 * info: as for getrf_batched. If info is not 0, B is untouched.
 * Returns -1 n, -2 nrhs, -4 ldda, -6 lddb (MAGMA's number for this argument), -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(gesv_batched)(magma_int_t n, magma_int_t nrhs,
                                                           TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                           magma_int_t** dipiv_array,
                                                           TALUS_MAGMA_T** dB_array, magma_int_t lddb,
                                                           magma_int_t* dinfo_array, magma_int_t batchCount,
                                                           magma_queue_t queue);

/* Computes the inverse A^-1 from the factors and pivots that getrf_batched computed, and stores it in other
 * matrices, as talus::getri_outofplace_batched does.
 * info: 0, or j if U(j, j) is zero or NaN; invA is then untouched.
 * Returns -1 n, -3 ldda, -6 lddia, -8 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getri_outofplace_batched)(
    magma_int_t n, TALUS_MAGMA_T** dA_array, magma_int_t ldda, magma_int_t** dipiv_array,
    TALUS_MAGMA_T** dinvA_array, magma_int_t lddia, magma_int_t* info_array, magma_int_t batchCount,
    magma_queue_t queue);

/* Computes the Householder QR factorization of m-by-n matrices, as talus::geqrf_batched does.
 * info: 0.
 * Returns -1 m, -2 n, -4 ldda, -7 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(geqrf_batched)(magma_int_t m, magma_int_t n,
                                                            TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                            TALUS_MAGMA_T** dtau_array,
                                                            magma_int_t* info_array, magma_int_t batchCount,
                                                            magma_queue_t queue);
/* Does the same as geqrf_batched with scratch of the caller, which has *device_lwork bytes. If *device_lwork
 * is negative, the call stores the number of bytes that it needs there and does nothing else.
 * Returns -1 m, -2 n, -4 ldda, -8 if *device_lwork is too small, -9 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(geqrf_batched_work)(magma_int_t m, magma_int_t n,
                                                                 TALUS_MAGMA_T** dA_array, magma_int_t ldda,
                                                                 TALUS_MAGMA_T** dtau_array,
                                                                 magma_int_t* info_array, void* device_work,
                                                                 magma_int_t* device_lwork,
                                                                 magma_int_t batchCount, magma_queue_t queue);
/* Does the same as geqrf_batched. MAGMA's blocking size, triangles and scratch are not used. provide_RT must
 * be 0; otherwise the call returns MAGMA_ERR_NOT_IMPLEMENTED. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(geqrf_expert_batched)(
    magma_int_t m, magma_int_t n, magma_int_t nb, TALUS_MAGMA_T** dA_array, magma_int_t ldda,
    TALUS_MAGMA_T** dR_array, magma_int_t lddr, TALUS_MAGMA_T** dT_array, magma_int_t lddt,
    TALUS_MAGMA_T** dtau_array, magma_int_t provide_RT, TALUS_MAGMA_T** dW_array, magma_int_t* info_array,
    magma_int_t batchCount, magma_queue_t queue);

/* Computes C := alpha op(A) op(B) + beta C for matrices that are a stride apart. The call takes 48 bytes of
 * stream-ordered scratch per matrix.
 * Reports -1 transA, -2 transB, -3 m, -4 n, -5 k, -8 ldda, -11 lddb, -15 lddc, -17 batchCount. */
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemm_batched_strided)(
    magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n, magma_int_t k,
    TALUS_MAGMA_T alpha, TALUS_MAGMA_T const* dA, magma_int_t ldda, magma_int_t strideA,
    TALUS_MAGMA_T const* dB, magma_int_t lddb, magma_int_t strideB, TALUS_MAGMA_T beta, TALUS_MAGMA_T* dC,
    magma_int_t lddc, magma_int_t strideC, magma_int_t batchCount, magma_queue_t queue);

/* Computes y := alpha op(A) x + beta y. The call takes 20 bytes of stream-ordered scratch per matrix.
 * Reports -1 trans, -2 m, -3 n, -6 ldda, -8 incx, -11 incy, -12 batchCount. */
TALUS_MAGMA_API void TALUS_MAGMABLAS_NAME(gemv_batched)(
    magma_trans_t trans, magma_int_t m, magma_int_t n, TALUS_MAGMA_T alpha,
    TALUS_MAGMA_T const* const* dA_array, magma_int_t ldda, TALUS_MAGMA_T const* const* dx_array,
    magma_int_t incx, TALUS_MAGMA_T beta, TALUS_MAGMA_T** dy_array, magma_int_t incy, magma_int_t batchCount,
    magma_queue_t queue);

/* Sets output_array[b] := input + b * batch_offset + row + column * lda for b = 0 ... batchCount - 1. */
TALUS_MAGMA_API void TALUS_MAGMA_NAME(set_pointer)(TALUS_MAGMA_T** output_array, TALUS_MAGMA_T* input,
                                                   magma_int_t lda, magma_int_t row, magma_int_t column,
                                                   magma_int_t batch_offset, magma_int_t batchCount,
                                                   magma_queue_t queue);

/* ---- batches of mixed sizes ---------------------------------------------------------------------------- */

/* Forms with _max take upper bounds of the sizes. A negative bound is an illegal argument, and the caller
 * must guarantee that the bounds hold.
 * If the host does not check the sizes, the kernels do: they skip a matrix with an illegal size, a size above
 * its bound, or a null pointer, and process its neighbours as usual. The info of a skipped matrix is negative
 * and has the number of the routine in talus/vbatched.hpp. This is in addition to the values that are listed
 * for info below. trsm, gemm and gemv have no info. */

/* Computes the Cholesky factorization of matrices of order n[b], as talus::potrf_vbatched does. n and ldda
 * have batchCount + 1 ints.
 * info: as for potrf_batched.
 * Returns -1 uplo, -2 n, -4 ldda, -6 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrf_vbatched)(magma_uplo_t uplo, magma_int_t* n,
                                                             TALUS_MAGMA_T** dA_array, magma_int_t* ldda,
                                                             magma_int_t* info_array, magma_int_t batchCount,
                                                             magma_queue_t queue);
/* Does the same as potrf_vbatched with an upper bound of n[b]. The call does not read sizes back to the host.
 * info: as for potrf_vbatched, and also -2 n, -3 dA_array, -4 ldda, -7 if n[b] > max_n.
 * Returns -1 uplo, -6 batchCount, -7 max_n. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(potrf_vbatched_max_nocheck)(
    magma_uplo_t uplo, magma_int_t* n, TALUS_MAGMA_T** dA_array, magma_int_t* ldda, magma_int_t* info_array,
    magma_int_t batchCount, magma_int_t max_n, magma_queue_t queue);

/* Computes the LU factorization with partial pivoting of m[b]-by-n[b] matrices, as talus::getrf_vbatched
 * does. m, n and ldda have batchCount ints.
 * info: as for getrf_batched.
 * Returns -1 m, -2 n, -4 ldda, -7 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_vbatched)(magma_int_t* m, magma_int_t* n,
                                                             TALUS_MAGMA_T** dA_array, magma_int_t* ldda,
                                                             magma_int_t** ipiv_array,
                                                             magma_int_t* info_array, magma_int_t batchCount,
                                                             magma_queue_t queue);
/* Does the same as getrf_vbatched with upper bounds. minmn, max_minmn, max_mxn, nb, recnb and pivinfo_array
 * are not used.
 * info: as for getrf_vbatched, and also -1 m, -2 n, -3 dA_array, -4 ldda, -5 ipiv_array, -8 if m[b] > max_m,
 * -9 if n[b] > max_n.
 * Returns -4 max_m, -5 max_n, -15 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_vbatched_max_nocheck)(
    magma_int_t* m, magma_int_t* n, magma_int_t* minmn, magma_int_t max_m, magma_int_t max_n,
    magma_int_t max_minmn, magma_int_t max_mxn, magma_int_t nb, magma_int_t recnb, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, magma_int_t** ipiv_array, magma_int_t** pivinfo_array, magma_int_t* info_array,
    magma_int_t batchCount, magma_queue_t queue);
/* Does the same as getrf_vbatched_max_nocheck with scratch of the caller, which has *lwork bytes. If *lwork
 * is negative, the call stores the number of bytes that it needs there and does nothing else; the arrays and
 * the queue may then be null.
 * Returns -3 max_m, -4 max_n, -12 if *lwork is too small, -13 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_vbatched_max_nocheck_work)(
    magma_int_t* m, magma_int_t* n, magma_int_t max_m, magma_int_t max_n, magma_int_t max_minmn,
    magma_int_t max_mxn, TALUS_MAGMA_T** dA_array, magma_int_t* ldda, magma_int_t** dipiv_array,
    magma_int_t* info_array, void* work, magma_int_t* lwork, magma_int_t batchCount, magma_queue_t queue);
/* Stores blocking sizes to pass on to getrf_vbatched_max_nocheck, which does not use them: 1 and 1. */
TALUS_MAGMA_API void TALUS_MAGMA_GET_NAME(getrf_vbatched_nbparam)(magma_int_t max_m, magma_int_t max_n,
                                                                  magma_int_t* nb, magma_int_t* recnb);

/* Computes the LU factorization without row interchanges, as talus::getrf_nopiv_vbatched does.
 * info: 0, or j if pivot j is zero or NaN.
 * Returns -1 m, -2 n, -4 ldda, -6 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched)(magma_int_t* m, magma_int_t* n,
                                                                   TALUS_MAGMA_T** dA_array,
                                                                   magma_int_t* ldda, magma_int_t* info_array,
                                                                   magma_int_t batchCount,
                                                                   magma_queue_t queue);
/* Does the same as getrf_nopiv_vbatched with a tolerance: dtol_array[b], or eps for all matrices if
 * dtol_array is null. A pivot that is smaller in magnitude is replaced by the tolerance with the phase of the
 * pivot. If the tolerance is 0, no pivot is replaced.
 * info with a tolerance: the number of replaced pivots, or j if pivot j is NaN.
 * Returns -1 m, -2 n, -4 ldda, -8 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_expert_vbatched)(
    magma_int_t* m, magma_int_t* n, TALUS_MAGMA_T** dA_array, magma_int_t* ldda, TALUS_MAGMA_REAL* dtol_array,
    TALUS_MAGMA_REAL eps, magma_int_t* info_array, magma_int_t batchCount, magma_queue_t queue);
/* Does the same as getrf_nopiv_expert_vbatched with upper bounds. minmn, max_minmn, max_mxn, nb and recnb are
 * not used.
 * info: as for getrf_nopiv_expert_vbatched, and also -1 m, -2 n, -3 dA_array, -4 ldda, -10 if m[b] > max_m,
 * -11 if n[b] > max_n.
 * Returns -4 max_m, -5 max_n, -15 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched_max_nocheck)(
    magma_int_t* m, magma_int_t* n, magma_int_t* minmn, magma_int_t max_m, magma_int_t max_n,
    magma_int_t max_minmn, magma_int_t max_mxn, magma_int_t nb, magma_int_t recnb, TALUS_MAGMA_T** dA_array,
    magma_int_t* ldda, TALUS_MAGMA_REAL* dtol_array, TALUS_MAGMA_REAL eps, magma_int_t* info_array,
    magma_int_t batchCount, magma_queue_t queue);
/* Does the same as getrf_nopiv_vbatched_max_nocheck with scratch of the caller. work and lwork are as for
 * getrf_vbatched_max_nocheck_work.
 * Returns -3 max_m, -4 max_n, -12 if *lwork is too small, -14 batchCount. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_nopiv_vbatched_max_nocheck_work)(
    magma_int_t* m, magma_int_t* n, magma_int_t max_m, magma_int_t max_n, magma_int_t max_minmn,
    magma_int_t max_mxn, TALUS_MAGMA_T** dA_array, magma_int_t* ldda, TALUS_MAGMA_REAL* dtol_array,
    TALUS_MAGMA_REAL eps, magma_int_t* info_array, void* work, magma_int_t* lwork, magma_int_t batchCount,
    magma_queue_t queue);

/* Solves op(A) X = alpha B or X op(A) = alpha B with triangular A, as talus::trsm_vbatched does. X overwrites
 * B. The four forms differ in the checks on the device that the call waits for:
 *   _vbatched              looks for illegal sizes, and for the largest sizes
 *   _vbatched_nocheck      looks for the largest sizes only
 *   _vbatched_max          looks for illegal sizes only, because the caller gives bounds
 *   _vbatched_max_nocheck  looks for nothing, because the caller gives bounds
 * m, n, ldda and lddb have batchCount + 1 ints.
 * Reports -1 side, -2 uplo, -3 transA, -4 diag, -5 m, -6 n, -9 ldda, -11 lddb, -12 batchCount. All forms use
 * these numbers, which are the argument numbers of the first form. In forms with _max, -5 also stands for
 * max_m, and -6 for max_n. */
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

/* Computes C := alpha op(A) op(B) + beta C, as talus::gemm_vbatched does, in the four forms of trsm.
 * batchCount comes before the bounds, as in MAGMA's code. MAGMA's header names these arguments in another
 * order. m, n, k, ldda, lddb and lddc have batchCount + 1 ints.
 * Reports -1 transA, -2 transB, -3 m, -4 n, -5 k, -8 ldda, -10 lddb, -13 lddc, -14 batchCount. In forms with
 * _max, also -15 max_m, -16 max_n, -17 max_k. */
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

/* Computes y := alpha op(A) x + beta y, as talus::gemv_vbatched does, in the four forms of trsm. m, n, ldda,
 * incx and incy have batchCount + 1 ints.
 * Reports -1 trans, -2 m, -3 n, -6 ldda, -8 incx, -11 incy, -12 batchCount. In forms with _max, also
 * -13 max_m, -14 max_n. */
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

/* ---- one matrix: for programs that have no batch at this point ----------------------------------------- */

/* Computes the LU factorization with partial pivoting of one m-by-n matrix, on the default stream. ipiv and
 * info are on the host, and the call waits for them.
 * info: as for getrf_batched, and -1 m, -2 n, -4 ldda. The call also returns this value. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrf_gpu)(magma_int_t m, magma_int_t n, TALUS_MAGMA_T* dA,
                                                        magma_int_t ldda, magma_int_t* ipiv,
                                                        magma_int_t* info);
/* Solves op(A) X = B on the default stream. X overwrites B. ipiv is on the host, and the call waits for X.
 * info: -1 trans, -2 n, -3 nrhs, -5 ldda, -8 lddb. */
TALUS_MAGMA_API magma_int_t TALUS_MAGMA_NAME(getrs_gpu)(magma_trans_t trans, magma_int_t n, magma_int_t nrhs,
                                                        TALUS_MAGMA_T* dA, magma_int_t ldda,
                                                        magma_int_t* ipiv, TALUS_MAGMA_T* dB,
                                                        magma_int_t lddb, magma_int_t* info);
/* Computes y := alpha op(A) x + beta y for one matrix. */
TALUS_MAGMA_API void TALUS_MAGMA_NAME(gemv)(magma_trans_t transA, magma_int_t m, magma_int_t n,
                                            TALUS_MAGMA_T alpha, TALUS_MAGMA_T const* dA, magma_int_t ldda,
                                            TALUS_MAGMA_T const* dx, magma_int_t incx, TALUS_MAGMA_T beta,
                                            TALUS_MAGMA_T* dy, magma_int_t incy, magma_queue_t queue);
/* Prints an m-by-n matrix on standard output in a format that MATLAB reads. */
TALUS_MAGMA_API void TALUS_MAGMA_NAME(print_gpu)(magma_int_t m, magma_int_t n, TALUS_MAGMA_T const* dA,
                                                 magma_int_t ldda, magma_queue_t queue);

/* ---- allocations and copies by elements, which are separate functions in MAGMA's headers, too ---------- */

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
