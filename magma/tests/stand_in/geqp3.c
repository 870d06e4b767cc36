/* A routine of a name that MAGMA has and Talus has not. */
#include <stddef.h>

#include "stand_in.h"

magma_int_t magma_dgeqp3_gpu(magma_int_t m, magma_int_t n, magmaDouble_ptr dA, magma_int_t ldda,
                             magma_int_t* jpvt, double* tau, magmaDouble_ptr dwork, magma_int_t lwork,
                             magma_int_t* info) {
  magma_queue_t queue = NULL;
  (void)m, (void)n, (void)dA, (void)ldda, (void)jpvt, (void)tau, (void)dwork, (void)lwork;
  magma_queue_create(magma_getdevice_arch() > 0 ? 0 : 1, &queue);
  *info = magma_stand_in_check(queue) ? 0 : -1;
  magma_queue_destroy(queue);
  return *info;
}
