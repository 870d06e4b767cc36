/* The stand-in's routines of names that Talus has, too. They compute nothing. */
#include "stand_in.h"

int magma_stand_in_routines = 0;

magma_int_t magma_dgetrf_vbatched_max_nocheck_work(magma_int_t* m, magma_int_t* n, magma_int_t max_m,
                                                   magma_int_t max_n, magma_int_t max_minmn,
                                                   magma_int_t max_mxn, double** dA_array, magma_int_t* ldda,
                                                   magma_int_t** dipiv_array, magma_int_t* info_array,
                                                   void* work, magma_int_t* lwork, magma_int_t batchCount,
                                                   magma_queue_t queue) {
  (void)m, (void)n, (void)max_m, (void)max_n, (void)max_minmn, (void)max_mxn, (void)dA_array, (void)ldda;
  (void)dipiv_array, (void)info_array, (void)work, (void)batchCount, (void)queue;
  ++magma_stand_in_routines;
  *lwork = MAGMA_STAND_IN_LWORK;
  return MAGMA_SUCCESS;
}

void magmablas_dtrsm_vbatched_max_nocheck(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,
                                          magma_diag_t diag, magma_int_t max_m, magma_int_t max_n,
                                          magma_int_t* m, magma_int_t* n, double alpha, double** dA_array,
                                          magma_int_t* ldda, double** dB_array, magma_int_t* lddb,
                                          magma_int_t batchCount, magma_queue_t queue) {
  (void)side, (void)uplo, (void)transA, (void)diag, (void)max_m, (void)max_n, (void)m, (void)n, (void)alpha;
  (void)dA_array, (void)ldda, (void)dB_array, (void)lddb, (void)batchCount, (void)queue;
  ++magma_stand_in_routines;
}

magma_int_t magma_dgetrf_gpu(magma_int_t m, magma_int_t n, double* dA, magma_int_t ldda, magma_int_t* ipiv,
                             magma_int_t* info) {
  (void)m, (void)n, (void)dA, (void)ldda, (void)ipiv;
  return *info = MAGMA_STAND_IN_LWORK;
}
