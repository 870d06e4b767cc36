/* The routines of talus/talus.h, which includes this file once per precision. The file has no include guard for
 * this reason. In the file, TALUS_C_NAME(potrf_batched) is talus_spotrf_batched, talus_dpotrf_batched, ...;
 * TALUS_C_T is the type of the elements, and TALUS_C_REAL is the real type of the same precision.
 *
 * Each routine has three forms. In _batched and _strided_batched all matrices have the same size;
 * talus/batched.hpp documents them. In _vbatched each matrix has its own size: m, n, k, nrhs, lda and so on are
 * arrays that live where the matrices live, and m_max, n_max, k_max, nrhs_max and so on are upper bounds of the
 * sizes, or -1 if the caller does not have a bound. talus/vbatched.hpp documents this form. The functions _work
 * and _vbatched_work return the number of bytes of scratch (queue.work) that a call may use. */

/* potrf: computes the Cholesky factorization. If info is j > 0, the leading (j-1)-by-(j-1) triangle holds the
 * leading triangle of the factor, element (j, j) holds the failed pivot, and the remaining elements of the
 * triangle are unspecified. */
TALUS_C_API int TALUS_C_NAME(potrf_batched)(int uplo, int n, TALUS_C_T* const* A_array, int lda,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(potrf_strided_batched)(int uplo, int n, TALUS_C_T* A, int lda, int64_t stride_A,
                                                    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(potrf_vbatched)(int uplo, const int* n, TALUS_C_T* const* A_array,
                                             const int* lda, int* info_array, int64_t batch_count, int n_max,
                                             talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(potrf_work)(int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(potrf_vbatched_work)(int n_max, int64_t batch_count);

/* potrs: solves A X = B with the Cholesky factor that potrf computed. */
TALUS_C_API int TALUS_C_NAME(potrs_batched)(int uplo, int n, int nrhs, TALUS_C_T* const* A_array, int lda,
                                            TALUS_C_T* const* B_array, int ldb, int* info_array,
                                            int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(potrs_strided_batched)(int uplo, int n, int nrhs, const TALUS_C_T* A, int lda,
                                                    int64_t stride_A, TALUS_C_T* B, int ldb, int64_t stride_B,
                                                    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(potrs_vbatched)(int uplo, const int* n, const int* nrhs,
                                             TALUS_C_T* const* A_array, const int* lda,
                                             TALUS_C_T* const* B_array, const int* ldb, int* info_array,
                                             int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(potrs_work)(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(potrs_vbatched_work)(int n_max, int nrhs_max, int64_t batch_count);

/* posv: solves A X = B by potrf and then potrs. If info is j > 0, A holds what potrf leaves there in this
 * case, and B is untouched. */
TALUS_C_API int TALUS_C_NAME(posv_batched)(int uplo, int n, int nrhs, TALUS_C_T* const* A_array, int lda,
                                           TALUS_C_T* const* B_array, int ldb, int* info_array,
                                           int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(posv_strided_batched)(int uplo, int n, int nrhs, TALUS_C_T* A, int lda,
                                                   int64_t stride_A, TALUS_C_T* B, int ldb, int64_t stride_B,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(posv_vbatched)(int uplo, const int* n, const int* nrhs,
                                            TALUS_C_T* const* A_array, const int* lda,
                                            TALUS_C_T* const* B_array, const int* ldb, int* info_array,
                                            int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(posv_work)(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(posv_vbatched_work)(int n_max, int nrhs_max, int64_t batch_count);

/* potri: computes the inverse from the Cholesky factor that potrf computed. */
TALUS_C_API int TALUS_C_NAME(potri_batched)(int uplo, int n, TALUS_C_T* const* A_array, int lda,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(potri_strided_batched)(int uplo, int n, TALUS_C_T* A, int lda, int64_t stride_A,
                                                    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(potri_vbatched)(int uplo, const int* n, TALUS_C_T* const* A_array,
                                             const int* lda, int* info_array, int64_t batch_count, int n_max,
                                             talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(potri_work)(int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(potri_vbatched_work)(int n_max, int64_t batch_count);

/* potrf_partial: eliminates the first k columns of A = [A11 A21^H; A21 A22]. L11, L21 and the Schur
 * complement A22 - L21 L21^H overwrite A (upper: U11, U12 and A22 - U12^H U12). info is as in potrf, and at
 * most k. */
TALUS_C_API int TALUS_C_NAME(potrf_partial_batched)(int uplo, int n, int k, TALUS_C_T* const* A_array,
                                                    int lda, int* info_array, int64_t batch_count,
                                                    talus_queue q);
TALUS_C_API int TALUS_C_NAME(potrf_partial_strided_batched)(int uplo, int n, int k, TALUS_C_T* A, int lda,
                                                            int64_t stride_A, int* info_array,
                                                            int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(potrf_partial_vbatched)(int uplo, const int* n, const int* k,
                                                     TALUS_C_T* const* A_array, const int* lda,
                                                     int* info_array, int64_t batch_count, int n_max,
                                                     int k_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(potrf_partial_work)(int n, int k, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(potrf_partial_vbatched_work)(int n_max, int k_max, int64_t batch_count);

/* potrf_partial_split: does the same as potrf_partial for a front (frontal matrix) that has each block in a
 * separate array. A11 is k-by-k, A21 is n2-by-k, and A22 is n2-by-n2. For upper, A12 takes the place of A21
 * and is k-by-n2. */
TALUS_C_API int TALUS_C_NAME(potrf_partial_split_batched)(
    int uplo, int k, int n2, TALUS_C_T* const* A11_array, int lda11, TALUS_C_T* const* A21_array, int lda21,
    TALUS_C_T* const* A22_array, int lda22, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(potrf_partial_split_strided_batched)(
    int uplo, int k, int n2, TALUS_C_T* A11, int lda11, int64_t stride_A11, TALUS_C_T* A21, int lda21,
    int64_t stride_A21, TALUS_C_T* A22, int lda22, int64_t stride_A22, int* info_array, int64_t batch_count,
    talus_queue q);
TALUS_C_API int TALUS_C_NAME(potrf_partial_split_vbatched)(int uplo, const int* k, const int* n2,
                                                           TALUS_C_T* const* A11_array, const int* lda11,
                                                           TALUS_C_T* const* A21_array, const int* lda21,
                                                           TALUS_C_T* const* A22_array, const int* lda22,
                                                           int* info_array, int64_t batch_count, int k_max,
                                                           int n2_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(potrf_partial_split_work)(int k, int n2, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(potrf_partial_split_vbatched_work)(int k_max, int n2_max,
                                                                   int64_t batch_count);

/* getrf: computes the LU factorization with partial pivoting. */
TALUS_C_API int TALUS_C_NAME(getrf_batched)(int m, int n, TALUS_C_T* const* A_array, int lda,
                                            int* const* ipiv_array, int* info_array, int64_t batch_count,
                                            talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_strided_batched)(int m, int n, TALUS_C_T* A, int lda, int64_t stride_A,
                                                    int* ipiv, int64_t stride_ipiv, int* info_array,
                                                    int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_vbatched)(const int* m, const int* n, TALUS_C_T* const* A_array,
                                             const int* lda, int* const* ipiv_array, int* info_array,
                                             int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getrf_work)(int m, int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getrf_vbatched_work)(int m_max, int n_max, int64_t batch_count);

/* getrf_nopiv: computes the LU factorization without row interchanges, with a floor for pivots. */
TALUS_C_API int TALUS_C_NAME(getrf_nopiv_batched)(int m, int n, TALUS_C_T* const* A_array, int lda,
                                                  TALUS_C_REAL pivot_floor,
                                                  const TALUS_C_REAL* pivot_floor_array, int* replaced_array,
                                                  int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_nopiv_strided_batched)(int m, int n, TALUS_C_T* A, int lda,
                                                          int64_t stride_A, TALUS_C_REAL pivot_floor,
                                                          const TALUS_C_REAL* pivot_floor_array,
                                                          int* replaced_array, int* info_array,
                                                          int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_nopiv_vbatched)(const int* m, const int* n, TALUS_C_T* const* A_array,
                                                   const int* lda, TALUS_C_REAL pivot_floor,
                                                   const TALUS_C_REAL* pivot_floor_array, int* replaced_array,
                                                   int* info_array, int64_t batch_count, int m_max, int n_max,
                                                   talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getrf_nopiv_work)(int m, int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getrf_nopiv_vbatched_work)(int m_max, int n_max, int64_t batch_count);

/* getrf_partial: eliminates the first k columns by LU factorization. All pivots come from the first k
 * rows. */
TALUS_C_API int TALUS_C_NAME(getrf_partial_batched)(int m, int n, int k, TALUS_C_T* const* A_array, int lda,
                                                    int* const* ipiv_array, int* info_array,
                                                    int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_partial_strided_batched)(int m, int n, int k, TALUS_C_T* A, int lda,
                                                            int64_t stride_A, int* ipiv, int64_t stride_ipiv,
                                                            int* info_array, int64_t batch_count,
                                                            talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_partial_vbatched)(const int* m, const int* n, const int* k,
                                                     TALUS_C_T* const* A_array, const int* lda,
                                                     int* const* ipiv_array, int* info_array,
                                                     int64_t batch_count, int m_max, int n_max, int k_max,
                                                     talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getrf_partial_work)(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getrf_partial_vbatched_work)(int m_max, int n_max, int k_max,
                                                             int64_t batch_count);

/* getrf_partial_nopiv: eliminates the first k columns by LU factorization without row interchanges, with a
 * floor for pivots. */
TALUS_C_API int TALUS_C_NAME(getrf_partial_nopiv_batched)(int m, int n, int k, TALUS_C_T* const* A_array,
                                                          int lda, TALUS_C_REAL pivot_floor,
                                                          const TALUS_C_REAL* pivot_floor_array,
                                                          int* replaced_array, int* info_array,
                                                          int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_partial_nopiv_strided_batched)(int m, int n, int k, TALUS_C_T* A, int lda,
                                                                  int64_t stride_A, TALUS_C_REAL pivot_floor,
                                                                  const TALUS_C_REAL* pivot_floor_array,
                                                                  int* replaced_array, int* info_array,
                                                                  int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_partial_nopiv_vbatched)(
    const int* m, const int* n, const int* k, TALUS_C_T* const* A_array, const int* lda,
    TALUS_C_REAL pivot_floor, const TALUS_C_REAL* pivot_floor_array, int* replaced_array, int* info_array,
    int64_t batch_count, int m_max, int n_max, int k_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getrf_partial_nopiv_work)(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getrf_partial_nopiv_vbatched_work)(int m_max, int n_max, int k_max,
                                                                   int64_t batch_count);

/* getrf_partial_split: does the same as getrf_partial for a front [A11 A12; A21 A22] that has each block in a
 * separate array. A11 is k-by-k, and A22 is m2-by-n2. If form is TALUS_FORM_LAPACK, A12 becomes U12 and A21
 * becomes L21. If form is TALUS_FORM_LEFT, A12 becomes A11^-1 A12 and A21 is unchanged. If schur is
 * TALUS_SCHUR_SUBTRACT, A22 becomes A22 - A21 A11^-1 A12. If schur is TALUS_SCHUR_PRODUCT, A22 becomes
 * A21 A11^-1 A12. */
TALUS_C_API int TALUS_C_NAME(getrf_partial_split_batched)(int form, int schur, int k, int m2, int n2,
                                                          TALUS_C_T* const* A11_array, int lda11,
                                                          TALUS_C_T* const* A12_array, int lda12,
                                                          TALUS_C_T* const* A21_array, int lda21,
                                                          TALUS_C_T* const* A22_array, int lda22,
                                                          int* const* ipiv_array, int* info_array,
                                                          int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_partial_split_strided_batched)(
    int form, int schur, int k, int m2, int n2, TALUS_C_T* A11, int lda11, int64_t stride_A11, TALUS_C_T* A12,
    int lda12, int64_t stride_A12, TALUS_C_T* A21, int lda21, int64_t stride_A21, TALUS_C_T* A22, int lda22,
    int64_t stride_A22, int* ipiv, int64_t stride_ipiv, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_partial_split_vbatched)(
    int form, int schur, const int* k, const int* m2, const int* n2, TALUS_C_T* const* A11_array,
    const int* lda11, TALUS_C_T* const* A12_array, const int* lda12, TALUS_C_T* const* A21_array,
    const int* lda21, TALUS_C_T* const* A22_array, const int* lda22, int* const* ipiv_array, int* info_array,
    int64_t batch_count, int k_max, int m2_max, int n2_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getrf_partial_split_work)(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getrf_partial_split_vbatched_work)(int k_max, int m2_max, int n2_max,
                                                                   int64_t batch_count);

/* getrf_partial_split_nopiv: does the same as getrf_partial_split, but without row interchanges and with a
 * floor for pivots. */
TALUS_C_API int TALUS_C_NAME(getrf_partial_split_nopiv_batched)(
    int form, int schur, int k, int m2, int n2, TALUS_C_T* const* A11_array, int lda11,
    TALUS_C_T* const* A12_array, int lda12, TALUS_C_T* const* A21_array, int lda21,
    TALUS_C_T* const* A22_array, int lda22, TALUS_C_REAL pivot_floor, const TALUS_C_REAL* pivot_floor_array,
    int* replaced_array, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_partial_split_nopiv_strided_batched)(
    int form, int schur, int k, int m2, int n2, TALUS_C_T* A11, int lda11, int64_t stride_A11, TALUS_C_T* A12,
    int lda12, int64_t stride_A12, TALUS_C_T* A21, int lda21, int64_t stride_A21, TALUS_C_T* A22, int lda22,
    int64_t stride_A22, TALUS_C_REAL pivot_floor, const TALUS_C_REAL* pivot_floor_array, int* replaced_array,
    int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrf_partial_split_nopiv_vbatched)(
    int form, int schur, const int* k, const int* m2, const int* n2, TALUS_C_T* const* A11_array,
    const int* lda11, TALUS_C_T* const* A12_array, const int* lda12, TALUS_C_T* const* A21_array,
    const int* lda21, TALUS_C_T* const* A22_array, const int* lda22, TALUS_C_REAL pivot_floor,
    const TALUS_C_REAL* pivot_floor_array, int* replaced_array, int* info_array, int64_t batch_count,
    int k_max, int m2_max, int n2_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getrf_partial_split_nopiv_work)(int k, int m2, int n2, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getrf_partial_split_nopiv_vbatched_work)(int k_max, int m2_max, int n2_max,
                                                                         int64_t batch_count);

/* getrs: solves op(A) X = B with the factors and pivots that getrf computed. op is TALUS_NO_TRANS,
 * TALUS_TRANS or TALUS_CONJ_TRANS. info_array may be null. */
TALUS_C_API int TALUS_C_NAME(getrs_batched)(int op, int n, int nrhs, TALUS_C_T* const* A_array, int lda,
                                            int* const* ipiv_array, TALUS_C_T* const* B_array, int ldb,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrs_strided_batched)(int op, int n, int nrhs, const TALUS_C_T* A, int lda,
                                                    int64_t stride_A, const int* ipiv, int64_t stride_ipiv,
                                                    TALUS_C_T* B, int ldb, int64_t stride_B, int* info_array,
                                                    int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrs_vbatched)(int op, const int* n, const int* nrhs, TALUS_C_T* const* A_array,
                                             const int* lda, int* const* ipiv_array,
                                             TALUS_C_T* const* B_array, const int* ldb, int* info_array,
                                             int64_t batch_count, int n_max, int nrhs_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getrs_work)(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getrs_vbatched_work)(int n_max, int nrhs_max, int64_t batch_count);

/* getrs_nopiv: solves op(A) X = B with the factors that getrf_nopiv computed. info_array may be null. */
TALUS_C_API int TALUS_C_NAME(getrs_nopiv_batched)(int op, int n, int nrhs, TALUS_C_T* const* A_array, int lda,
                                                  TALUS_C_T* const* B_array, int ldb, int* info_array,
                                                  int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrs_nopiv_strided_batched)(int op, int n, int nrhs, const TALUS_C_T* A,
                                                          int lda, int64_t stride_A, TALUS_C_T* B, int ldb,
                                                          int64_t stride_B, int* info_array,
                                                          int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getrs_nopiv_vbatched)(int op, const int* n, const int* nrhs,
                                                   TALUS_C_T* const* A_array, const int* lda,
                                                   TALUS_C_T* const* B_array, const int* ldb, int* info_array,
                                                   int64_t batch_count, int n_max, int nrhs_max,
                                                   talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getrs_nopiv_work)(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getrs_nopiv_vbatched_work)(int n_max, int nrhs_max, int64_t batch_count);

/* gesv: solves A X = B by getrf and then getrs. If info is j > 0, A holds what getrf leaves there in this
 * case, and B is untouched. */
TALUS_C_API int TALUS_C_NAME(gesv_batched)(int n, int nrhs, TALUS_C_T* const* A_array, int lda,
                                           int* const* ipiv_array, TALUS_C_T* const* B_array, int ldb,
                                           int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(gesv_strided_batched)(int n, int nrhs, TALUS_C_T* A, int lda, int64_t stride_A,
                                                   int* ipiv, int64_t stride_ipiv, TALUS_C_T* B, int ldb,
                                                   int64_t stride_B, int* info_array, int64_t batch_count,
                                                   talus_queue q);
TALUS_C_API int TALUS_C_NAME(gesv_vbatched)(const int* n, const int* nrhs, TALUS_C_T* const* A_array,
                                            const int* lda, int* const* ipiv_array, TALUS_C_T* const* B_array,
                                            const int* ldb, int* info_array, int64_t batch_count, int n_max,
                                            int nrhs_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(gesv_work)(int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(gesv_vbatched_work)(int n_max, int nrhs_max, int64_t batch_count);

/* getri: computes the inverse from the factors and pivots that getrf computed. info_array may be null. */
TALUS_C_API int TALUS_C_NAME(getri_batched)(int n, TALUS_C_T* const* A_array, int lda, int* const* ipiv_array,
                                            int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getri_strided_batched)(int n, TALUS_C_T* A, int lda, int64_t stride_A,
                                                    const int* ipiv, int64_t stride_ipiv, int* info_array,
                                                    int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getri_vbatched)(const int* n, TALUS_C_T* const* A_array, const int* lda,
                                             int* const* ipiv_array, int* info_array, int64_t batch_count,
                                             int n_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getri_work)(int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getri_vbatched_work)(int n_max, int64_t batch_count);

/* getri_outofplace: does the same as getri, but stores the inverse in C. info_array may be null. */
TALUS_C_API int TALUS_C_NAME(getri_outofplace_batched)(int n, TALUS_C_T* const* A_array, int lda,
                                                       int* const* ipiv_array, TALUS_C_T* const* C_array,
                                                       int ldc, int* info_array, int64_t batch_count,
                                                       talus_queue q);
TALUS_C_API int TALUS_C_NAME(getri_outofplace_strided_batched)(int n, const TALUS_C_T* A, int lda,
                                                               int64_t stride_A, const int* ipiv,
                                                               int64_t stride_ipiv, TALUS_C_T* C, int ldc,
                                                               int64_t stride_C, int* info_array,
                                                               int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(getri_outofplace_vbatched)(const int* n, TALUS_C_T* const* A_array,
                                                        const int* lda, int* const* ipiv_array,
                                                        TALUS_C_T* const* C_array, const int* ldc,
                                                        int* info_array, int64_t batch_count, int n_max,
                                                        talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(getri_outofplace_work)(int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(getri_outofplace_vbatched_work)(int n_max, int64_t batch_count);

/* geqrf: computes the QR factorization, with the reflectors, tau and signs of LAPACK. */
TALUS_C_API int TALUS_C_NAME(geqrf_batched)(int m, int n, TALUS_C_T* const* A_array, int lda,
                                            TALUS_C_T* const* tau_array, int* info_array, int64_t batch_count,
                                            talus_queue q);
TALUS_C_API int TALUS_C_NAME(geqrf_strided_batched)(int m, int n, TALUS_C_T* A, int lda, int64_t stride_A,
                                                    TALUS_C_T* tau, int64_t stride_tau, int* info_array,
                                                    int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(geqrf_vbatched)(const int* m, const int* n, TALUS_C_T* const* A_array,
                                             const int* lda, TALUS_C_T* const* tau_array, int* info_array,
                                             int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(geqrf_work)(int m, int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(geqrf_vbatched_work)(int m_max, int n_max, int64_t batch_count);

/* ormqr: multiplies C by the Q that geqrf computed. side is TALUS_LEFT or TALUS_RIGHT. op is TALUS_NO_TRANS
 * or TALUS_CONJ_TRANS, and for real numbers also TALUS_TRANS. info_array may be null. */
TALUS_C_API int TALUS_C_NAME(ormqr_batched)(int side, int op, int m, int n, int k, TALUS_C_T* const* A_array,
                                            int lda, TALUS_C_T* const* tau_array, TALUS_C_T* const* C_array,
                                            int ldc, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(ormqr_strided_batched)(int side, int op, int m, int n, int k, const TALUS_C_T* A,
                                                    int lda, int64_t stride_A, const TALUS_C_T* tau,
                                                    int64_t stride_tau, TALUS_C_T* C, int ldc,
                                                    int64_t stride_C, int* info_array, int64_t batch_count,
                                                    talus_queue q);
TALUS_C_API int TALUS_C_NAME(ormqr_vbatched)(int side, int op, const int* m, const int* n, const int* k,
                                             TALUS_C_T* const* A_array, const int* lda,
                                             TALUS_C_T* const* tau_array, TALUS_C_T* const* C_array,
                                             const int* ldc, int* info_array, int64_t batch_count, int m_max,
                                             int n_max, int k_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(ormqr_work)(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(ormqr_vbatched_work)(int m_max, int n_max, int k_max, int64_t batch_count);

/* unmqr: calls ormqr. unmqr is LAPACK's name of ormqr for complex numbers. */
#if TALUS_C_IS_COMPLEX
TALUS_C_API int TALUS_C_NAME(unmqr_batched)(int side, int op, int m, int n, int k, TALUS_C_T* const* A_array,
                                            int lda, TALUS_C_T* const* tau_array, TALUS_C_T* const* C_array,
                                            int ldc, int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(unmqr_strided_batched)(int side, int op, int m, int n, int k, const TALUS_C_T* A,
                                                    int lda, int64_t stride_A, const TALUS_C_T* tau,
                                                    int64_t stride_tau, TALUS_C_T* C, int ldc,
                                                    int64_t stride_C, int* info_array, int64_t batch_count,
                                                    talus_queue q);
TALUS_C_API int TALUS_C_NAME(unmqr_vbatched)(int side, int op, const int* m, const int* n, const int* k,
                                             TALUS_C_T* const* A_array, const int* lda,
                                             TALUS_C_T* const* tau_array, TALUS_C_T* const* C_array,
                                             const int* ldc, int* info_array, int64_t batch_count, int m_max,
                                             int n_max, int k_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(unmqr_work)(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(unmqr_vbatched_work)(int m_max, int n_max, int k_max, int64_t batch_count);
#endif

/* orgqr: forms the first n columns of the Q that geqrf computed. info_array may be null. */
TALUS_C_API int TALUS_C_NAME(orgqr_batched)(int m, int n, int k, TALUS_C_T* const* A_array, int lda,
                                            TALUS_C_T* const* tau_array, int* info_array, int64_t batch_count,
                                            talus_queue q);
TALUS_C_API int TALUS_C_NAME(orgqr_strided_batched)(int m, int n, int k, TALUS_C_T* A, int lda,
                                                    int64_t stride_A, const TALUS_C_T* tau,
                                                    int64_t stride_tau, int* info_array, int64_t batch_count,
                                                    talus_queue q);
TALUS_C_API int TALUS_C_NAME(orgqr_vbatched)(const int* m, const int* n, const int* k,
                                             TALUS_C_T* const* A_array, const int* lda,
                                             TALUS_C_T* const* tau_array, int* info_array,
                                             int64_t batch_count, int m_max, int n_max, int k_max,
                                             talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(orgqr_work)(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(orgqr_vbatched_work)(int m_max, int n_max, int k_max, int64_t batch_count);

/* ungqr: calls orgqr. ungqr is LAPACK's name of orgqr for complex numbers. */
#if TALUS_C_IS_COMPLEX
TALUS_C_API int TALUS_C_NAME(ungqr_batched)(int m, int n, int k, TALUS_C_T* const* A_array, int lda,
                                            TALUS_C_T* const* tau_array, int* info_array, int64_t batch_count,
                                            talus_queue q);
TALUS_C_API int TALUS_C_NAME(ungqr_strided_batched)(int m, int n, int k, TALUS_C_T* A, int lda,
                                                    int64_t stride_A, const TALUS_C_T* tau,
                                                    int64_t stride_tau, int* info_array, int64_t batch_count,
                                                    talus_queue q);
TALUS_C_API int TALUS_C_NAME(ungqr_vbatched)(const int* m, const int* n, const int* k,
                                             TALUS_C_T* const* A_array, const int* lda,
                                             TALUS_C_T* const* tau_array, int* info_array,
                                             int64_t batch_count, int m_max, int n_max, int k_max,
                                             talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(ungqr_work)(int m, int n, int k, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(ungqr_vbatched_work)(int m_max, int n_max, int k_max, int64_t batch_count);
#endif

/* gels: computes least-squares or least-norm solutions. op is as in ormqr. If info is j > 0, B is
 * untouched. */
TALUS_C_API int TALUS_C_NAME(gels_batched)(int op, int m, int n, int nrhs, TALUS_C_T* const* A_array, int lda,
                                           TALUS_C_T* const* B_array, int ldb, int* info_array,
                                           int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(gels_strided_batched)(int op, int m, int n, int nrhs, TALUS_C_T* A, int lda,
                                                   int64_t stride_A, TALUS_C_T* B, int ldb, int64_t stride_B,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(gels_vbatched)(int op, const int* m, const int* n, const int* nrhs,
                                            TALUS_C_T* const* A_array, const int* lda,
                                            TALUS_C_T* const* B_array, const int* ldb, int* info_array,
                                            int64_t batch_count, int m_max, int n_max, int nrhs_max,
                                            talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(gels_work)(int m, int n, int nrhs, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(gels_vbatched_work)(int m_max, int n_max, int nrhs_max, int64_t batch_count);

/* qr: computes the thin QR factorization. Q overwrites A, and R is stored separately. */
TALUS_C_API int TALUS_C_NAME(qr_batched)(int m, int n, TALUS_C_T* const* A_array, int lda,
                                         TALUS_C_T* const* R_array, int ldr, int* info_array,
                                         int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(qr_strided_batched)(int m, int n, TALUS_C_T* A, int lda, int64_t stride_A,
                                                 TALUS_C_T* R, int ldr, int64_t stride_R, int* info_array,
                                                 int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(qr_vbatched)(const int* m, const int* n, TALUS_C_T* const* A_array,
                                          const int* lda, TALUS_C_T* const* R_array, const int* ldr,
                                          int* info_array, int64_t batch_count, int m_max, int n_max,
                                          talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(qr_work)(int m, int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(qr_vbatched_work)(int m_max, int n_max, int64_t batch_count);

/* trsm: solves op(A) X = alpha B or X op(A) = alpha B with triangular A. side is TALUS_LEFT or TALUS_RIGHT,
 * and diag is TALUS_NON_UNIT or TALUS_UNIT. alpha is a pointer to a number in host memory. info_array may be
 * null. */
TALUS_C_API int TALUS_C_NAME(trsm_batched)(int side, int uplo, int op, int diag, int m, int n,
                                           const TALUS_C_T* alpha, TALUS_C_T* const* A_array, int lda,
                                           TALUS_C_T* const* B_array, int ldb, int* info_array,
                                           int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(trsm_strided_batched)(int side, int uplo, int op, int diag, int m, int n,
                                                   const TALUS_C_T* alpha, const TALUS_C_T* A, int lda,
                                                   int64_t stride_A, TALUS_C_T* B, int ldb, int64_t stride_B,
                                                   int* info_array, int64_t batch_count, talus_queue q);
TALUS_C_API int TALUS_C_NAME(trsm_vbatched)(int side, int uplo, int op, int diag, const int* m, const int* n,
                                            const TALUS_C_T* alpha, TALUS_C_T* const* A_array, const int* lda,
                                            TALUS_C_T* const* B_array, const int* ldb, int* info_array,
                                            int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(trsm_work)(int side, int m, int n, int64_t batch_count);
TALUS_C_API size_t TALUS_C_NAME(trsm_vbatched_work)(int m_max, int n_max, int64_t batch_count);

/* gemm: computes C := alpha op(A) op(B) + beta C. alpha and beta are pointers to numbers in host memory.
 * info_array may be null. */
TALUS_C_API int TALUS_C_NAME(gemm_vbatched)(int op_A, int op_B, const int* m, const int* n, const int* k,
                                            const TALUS_C_T* alpha, TALUS_C_T* const* A_array, const int* lda,
                                            TALUS_C_T* const* B_array, const int* ldb, const TALUS_C_T* beta,
                                            TALUS_C_T* const* C_array, const int* ldc, int* info_array,
                                            int64_t batch_count, int m_max, int n_max, int k_max,
                                            talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(gemm_vbatched_work)(int m_max, int n_max, int k_max, int64_t batch_count);

/* gemv: computes y := alpha op(A) x + beta y. alpha and beta are pointers to numbers in host memory.
 * info_array may be null. */
TALUS_C_API int TALUS_C_NAME(gemv_vbatched)(int op, const int* m, const int* n, const TALUS_C_T* alpha,
                                            TALUS_C_T* const* A_array, const int* lda,
                                            TALUS_C_T* const* x_array, const int* incx, const TALUS_C_T* beta,
                                            TALUS_C_T* const* y_array, const int* incy, int* info_array,
                                            int64_t batch_count, int m_max, int n_max, talus_queue q);
TALUS_C_API size_t TALUS_C_NAME(gemv_vbatched_work)(int m_max, int n_max, int64_t batch_count);
