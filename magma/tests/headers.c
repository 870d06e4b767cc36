/* The headers, compiled as C and, included in headers.cpp, as C++: with warnings, none of which may come. */
#include "all_headers.h"

#if MAGMA_VERSION_MAJOR != 2
#error "talus/magma.h says no version"
#endif

#define HAS_SIZE(type, size) typedef char type##_has_size[sizeof(type) == (size) ? 1 : -1]
HAS_SIZE(magma_int_t, 4);
HAS_SIZE(magmaFloatComplex, 8);
HAS_SIZE(magmaDoubleComplex, 16);

magma_int_t use_talus_magma_headers(magma_queue_t queue);

/* Every macro, and one function of each kind. It is not called. */
magma_int_t use_talus_magma_headers(magma_queue_t queue) {
  const magmaFloatComplex c[] = {MAGMA_C_ZERO, MAGMA_C_ONE, MAGMA_C_NEG_ONE, MAGMA_C_MAKE(1.0f, 2.0f)};
  const magmaDoubleComplex z[] = {MAGMA_Z_ZERO, MAGMA_Z_ONE, MAGMA_Z_NEG_ONE, MAGMA_Z_MAKE(1.0, 2.0)};
  const float s[] = {MAGMA_S_ZERO,       MAGMA_S_ONE,        MAGMA_S_NEG_ONE,    MAGMA_S_MAKE(1.0f, 0.0f),
                     MAGMA_S_REAL(2.0f), MAGMA_S_IMAG(2.0f), MAGMA_C_REAL(c[3]), MAGMA_C_IMAG(c[3])};
  const double d[] = {MAGMA_D_ZERO,      MAGMA_D_ONE,       MAGMA_D_NEG_ONE,    MAGMA_D_MAKE(1.0, 0.0),
                      MAGMA_D_REAL(2.0), MAGMA_D_IMAG(2.0), MAGMA_Z_REAL(z[3]), MAGMA_Z_IMAG(z[3])};
  double* dA = NULL;
  double** dA_array = NULL;
  magma_int_t *n = NULL, *ldda = NULL, *info = NULL, nb, recnb, sum = 0;
  sum += magma_init();
  magma_queue_create(0, &queue);
  magma_queue_create_from_cuda(0, NULL, NULL, NULL, &queue);
  sum += magma_dmalloc(&dA, 8);
  sum += magma_imalloc(&n, 8);
  magma_dsetmatrix(2, 2, d, 2, dA, 2, queue);
  magma_setvector(4, (magma_int_t)sizeof(float), s, 1, dA, 1, queue);
  magma_isetvector(1, &sum, 1, n, 1, queue);
  magma_igetvector(1, n, 1, &sum, 1, queue);
  magma_get_dgetrf_vbatched_nbparam(8, 8, &nb, &recnb);
  sum += nb + recnb;
  magma_dset_pointer(dA_array, dA, 2, 0, 0, 4, 2, queue);
  sum += magma_dpotrf_vbatched_max_nocheck(MagmaLower, n, dA_array, ldda, info, 2, 2, queue);
  magmablas_zgemm_batched_strided(MagmaNoTrans, MagmaConjTrans, 1, 1, 1, z[1], NULL, 1, 1, NULL, 1, 1, z[0],
                                  NULL, 1, 1, 1, queue);
  magma_queue_sync(queue);
  sum += magma_free(dA) + magma_free_pinned(NULL) + magma_free_cpu(NULL);
  magma_queue_destroy(queue);
  return sum + magma_finalize();
}
