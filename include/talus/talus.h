/* The C99 interface of Talus. Fortran, Julia and Python can call it, too. The names of the functions are
 * talus_<s|d|c|z><routine>. For example, talus_dpotrf_batched is the function potrf_batched<double> of C++.
 *
 * Every function takes the arguments of its C++ template in the same order and with the same meaning. info
 * and the return value are the same, too. There are two differences: alpha and beta are pointers, and
 * enumerations are ints. The values of enumerations are letters, as in LAPACK. talus/batched.hpp and
 * talus/vbatched.hpp document the templates. talus/talus_routines.h declares the routines. */
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

/* Each routine in each precision: s (float), d (double), c and z (complex). */
#define TALUS_C_NAME(name) talus_s##name
#define TALUS_C_T float
#define TALUS_C_REAL float
#define TALUS_C_IS_COMPLEX 0
#include "talus/talus_routines.h"
#undef TALUS_C_NAME
#undef TALUS_C_T
#undef TALUS_C_REAL

#define TALUS_C_NAME(name) talus_d##name
#define TALUS_C_T double
#define TALUS_C_REAL double
#include "talus/talus_routines.h"
#undef TALUS_C_NAME
#undef TALUS_C_T
#undef TALUS_C_REAL
#undef TALUS_C_IS_COMPLEX

#define TALUS_C_NAME(name) talus_c##name
#define TALUS_C_T talus_complex_float
#define TALUS_C_REAL float
#define TALUS_C_IS_COMPLEX 1
#include "talus/talus_routines.h"
#undef TALUS_C_NAME
#undef TALUS_C_T
#undef TALUS_C_REAL

#define TALUS_C_NAME(name) talus_z##name
#define TALUS_C_T talus_complex_double
#define TALUS_C_REAL double
#include "talus/talus_routines.h"
#undef TALUS_C_NAME
#undef TALUS_C_T
#undef TALUS_C_REAL
#undef TALUS_C_IS_COMPLEX

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TALUS_H */
