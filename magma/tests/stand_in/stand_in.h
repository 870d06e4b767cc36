/* A library with some of MAGMA's names, which stands in for it where the order of libraries is tested. */
#ifndef TALUS_MAGMA_STAND_IN_H
#define TALUS_MAGMA_STAND_IN_H

#include "talus/magma.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What it counts, and what its routines answer. */
extern TALUS_MAGMA_API int
    magma_stand_in_routines; /* calls of its routines that have a name of Talus's, too */
extern TALUS_MAGMA_API int magma_stand_in_streams; /* how often a queue's stream was asked for */
extern TALUS_MAGMA_API int magma_stand_in_inits;
#define MAGMA_STAND_IN_LWORK 424242
#define MAGMA_STAND_IN_VERSION 77

/* Looks into a queue: is it one of its own? */
TALUS_MAGMA_API int magma_stand_in_check(magma_queue_t queue);

/* Names of MAGMA's alone. geqp3 makes a queue and looks into it: *info says -1 where it is not its own. */
TALUS_MAGMA_API magma_int_t magma_getdevice_arch(void);
TALUS_MAGMA_API magma_int_t magma_dgeqp3_gpu(magma_int_t m, magma_int_t n, magmaDouble_ptr dA,
                                             magma_int_t ldda, magma_int_t* jpvt, double* tau,
                                             magmaDouble_ptr dwork, magma_int_t lwork, magma_int_t* info);

#ifdef __cplusplus
}
#endif

#endif
