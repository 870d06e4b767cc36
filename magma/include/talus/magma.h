/* MAGMA's names for Talus's routines: the interface of libtalus_magma, for programs written against MAGMA 2.
 *
 * The functions take MAGMA's arguments and give MAGMA's results, and Talus does the work. A program can use
 * the library in two ways (docs/magma.md describes both, and has a table of all names):
 *
 *   alone           Compile with this header (or with MAGMA's names for it: magma_v2.h, magma_dvbatched.h,
 *                   ...), and link libtalus_magma in place of MAGMA.
 *   ahead of MAGMA  Compile with MAGMA's own headers, and link libtalus_magma before libmagma. The batched
 *                   routines are then Talus's, and run on MAGMA's queues. Calls that are not batched are
 *                   passed on to MAGMA.
 *
 * Common to all routines
 *   memory     Matrices, and arrays of pointers, sizes, pivots and info, are in device memory unless a
 *              routine states otherwise. Scalars are on the host.
 *   queue      Work is queued on the CUDA stream of the queue, and the call returns at once. Some calls first
 *              read sizes on the device and wait for these values: _vbatched, _vbatched_nocheck,
 *              _vbatched_max and _expert_vbatched. The routines of one matrix getrf_gpu, getrs_gpu and
 *              print_gpu wait for their results. No other call waits for its results.
 *   info       info_array has one int per matrix. Every call writes all of them.
 *   sizes      For batches of mixed sizes, arrays of sizes, leading dimensions and increments have
 *              batchCount + 1 elements, as in MAGMA: a call that first reads the sizes writes the last
 *              element. The arrays of getrf and getrf_nopiv have batchCount elements.
 *   empty      A matrix without elements may have a null pointer, and batchCount may be 0. A leading
 *              dimension is at least 1.
 *   returns    0, -i if argument i is illegal, or one of the MAGMA_ERR codes. For errors that MAGMA's code
 *              checks, i is MAGMA's number. For a null array, i is the number of that argument in Talus's own
 *              routine. A value other than 0 is also reported on standard error, as in MAGMA. The routines of
 *              BLAS return nothing and only report it. */
#ifndef TALUS_MAGMA_H
#define TALUS_MAGMA_H

#include <cuComplex.h>
#include <cuda_runtime_api.h>
#include <stddef.h>

#if defined(MAGMA_ILP64) || defined(MKL_ILP64)
#error "libtalus_magma has 32-bit integers: compile without MAGMA_ILP64 and MKL_ILP64"
#endif

/* MAGMA's header includes the headers of cuBLAS and cuSPARSE. If those are not installed, declarations of
 * their handles are enough. */
#if defined(__has_include)
#if __has_include(<cublas_v2.h>) && __has_include(<cusparse.h>)
#include <cublas_v2.h>
#include <cusparse.h>
#define TALUS_MAGMA_HAS_HANDLES
#endif
#endif
#ifndef TALUS_MAGMA_HAS_HANDLES
typedef struct cublasContext* cublasHandle_t;
typedef struct cusparseContext* cusparseHandle_t;
#endif

#if defined(__GNUC__)
#define TALUS_MAGMA_API __attribute__((visibility("default")))
#else
#define TALUS_MAGMA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types --------------------------------------------------------------------------------------------- */

#ifndef MAGMA_HAVE_CUDA
#define MAGMA_HAVE_CUDA 1
#endif
#define MAGMA_VERSION_MAJOR 2
#define MAGMA_VERSION_MINOR 10
#define MAGMA_VERSION_MICRO 0

typedef int magma_int_t;
typedef int magma_index_t;
typedef magma_int_t magma_device_t;
typedef struct magma_queue* magma_queue_t;
typedef cuFloatComplex magmaFloatComplex;
typedef cuDoubleComplex magmaDoubleComplex;

typedef void* magma_ptr;
typedef const void* magma_const_ptr;
typedef magma_int_t* magmaInt_ptr;
typedef float* magmaFloat_ptr;
typedef double* magmaDouble_ptr;
typedef magmaFloatComplex* magmaFloatComplex_ptr;
typedef magmaDoubleComplex* magmaDoubleComplex_ptr;
typedef const magma_int_t* magmaInt_const_ptr;
typedef const float* magmaFloat_const_ptr;
typedef const double* magmaDouble_const_ptr;
typedef const magmaFloatComplex* magmaFloatComplex_const_ptr;
typedef const magmaDoubleComplex* magmaDoubleComplex_const_ptr;

typedef enum { MagmaFalse = 0, MagmaTrue = 1 } magma_bool_t;
typedef enum {
  MagmaNoTrans = 111,
  MagmaTrans = 112,
  MagmaConjTrans = 113,
  Magma_ConjTrans = MagmaConjTrans
} magma_trans_t;
typedef enum { MagmaUpper = 121, MagmaLower = 122, MagmaFull = 123 } magma_uplo_t;
typedef enum { MagmaNonUnit = 131, MagmaUnit = 132 } magma_diag_t;
typedef enum { MagmaLeft = 141, MagmaRight = 142 } magma_side_t;

enum {
  MAGMA_SUCCESS = 0,
  MAGMA_ERR = -100,
  MAGMA_ERR_NOT_INITIALIZED = -101,
  MAGMA_ERR_NOT_SUPPORTED = -103,
  MAGMA_ERR_HOST_ALLOC = -112,
  MAGMA_ERR_DEVICE_ALLOC = -113,
  MAGMA_ERR_INVALID_PTR = -115,
  MAGMA_ERR_UNKNOWN = -116,
  MAGMA_ERR_NOT_IMPLEMENTED = -117
};

#define MAGMA_S_MAKE(r, i) (r)
#define MAGMA_D_MAKE(r, i) (r)
#define MAGMA_C_MAKE(r, i) make_cuFloatComplex(r, i)
#define MAGMA_Z_MAKE(r, i) make_cuDoubleComplex(r, i)
#define MAGMA_S_REAL(a) (a)
#define MAGMA_D_REAL(a) (a)
#define MAGMA_C_REAL(a) (a).x
#define MAGMA_Z_REAL(a) (a).x
#define MAGMA_S_IMAG(a) (0.0f)
#define MAGMA_D_IMAG(a) (0.0)
#define MAGMA_C_IMAG(a) (a).y
#define MAGMA_Z_IMAG(a) (a).y
#define MAGMA_S_ZERO 0.0f
#define MAGMA_D_ZERO 0.0
#define MAGMA_C_ZERO MAGMA_C_MAKE(0.0f, 0.0f)
#define MAGMA_Z_ZERO MAGMA_Z_MAKE(0.0, 0.0)
#define MAGMA_S_ONE 1.0f
#define MAGMA_D_ONE 1.0
#define MAGMA_C_ONE MAGMA_C_MAKE(1.0f, 0.0f)
#define MAGMA_Z_ONE MAGMA_Z_MAKE(1.0, 0.0)
#define MAGMA_S_NEG_ONE (-1.0f)
#define MAGMA_D_NEG_ONE (-1.0)
#define MAGMA_C_NEG_ONE MAGMA_C_MAKE(-1.0f, 0.0f)
#define MAGMA_Z_NEG_ONE MAGMA_Z_MAKE(-1.0, 0.0)

/* ---- the library and its devices ----------------------------------------------------------------------- */

/* Call magma_init before all other functions, and call magma_finalize once for each call of magma_init.
 * magma_init returns MAGMA_ERR_UNKNOWN if CUDA does not respond. A machine without a device is not an error
 * at this point. */
TALUS_MAGMA_API magma_int_t magma_init(void);
/* Ends one call of magma_init. Returns MAGMA_ERR_NOT_INITIALIZED if there is none. */
TALUS_MAGMA_API magma_int_t magma_finalize(void);
/* Stores the version of MAGMA that defines these names. */
TALUS_MAGMA_API void magma_version(magma_int_t* major, magma_int_t* minor, magma_int_t* micro);
/* Returns a sentence that describes a return value. The string is never null and must not be freed. */
TALUS_MAGMA_API const char* magma_strerror(magma_int_t error);
/* Reports an error on standard error. Routines call this function if they return a value other than 0; info
 * is the returned value with its sign changed. A program may define its own magma_xerbla. */
TALUS_MAGMA_API void magma_xerbla(const char* name, magma_int_t info);

/* Returns the value of $MAGMA_NUM_GPUS, or 1 if it is not set, but at most the number of devices. */
TALUS_MAGMA_API magma_int_t magma_num_gpus(void);
TALUS_MAGMA_API void magma_getdevice(magma_device_t* device);
TALUS_MAGMA_API void magma_setdevice(magma_device_t device);

/* ---- queues -------------------------------------------------------------------------------------------- */

/* Creates a queue with its own stream. This stream and the default stream wait for each other. The device
 * becomes the current device. */
#define magma_queue_create(device, queue_ptr) \
  magma_queue_create_internal(device, queue_ptr, __func__, __FILE__, __LINE__)
/* Creates a queue on a stream of the caller. A null stream is the default stream. The handles are not
 * used. */
#define magma_queue_create_from_cuda(device, stream, cublas, cusparse, queue_ptr)                        \
  magma_queue_create_from_cuda_internal(device, stream, cublas, cusparse, queue_ptr, __func__, __FILE__, \
                                        __LINE__)
#define magma_queue_destroy(queue) magma_queue_destroy_internal(queue, __func__, __FILE__, __LINE__)
#define magma_queue_sync(queue) magma_queue_sync_internal(queue, __func__, __FILE__, __LINE__)

TALUS_MAGMA_API void magma_queue_create_internal(magma_device_t device, magma_queue_t* queue_ptr,
                                                 const char* func, const char* file, int line);
TALUS_MAGMA_API void magma_queue_create_from_cuda_internal(magma_device_t device, cudaStream_t stream,
                                                           cublasHandle_t cublas, cusparseHandle_t cusparse,
                                                           magma_queue_t* queue_ptr, const char* func,
                                                           const char* file, int line);
TALUS_MAGMA_API void magma_queue_destroy_internal(magma_queue_t queue, const char* func, const char* file,
                                                  int line);
TALUS_MAGMA_API void magma_queue_sync_internal(magma_queue_t queue, const char* func, const char* file,
                                               int line);
TALUS_MAGMA_API magma_int_t magma_queue_get_device(magma_queue_t queue);
TALUS_MAGMA_API cudaStream_t magma_queue_get_cuda_stream(magma_queue_t queue);

/* ---- memory -------------------------------------------------------------------------------------------- */

/* Allocate memory on the device, on the host, and on the host in pinned memory that the device can access. A
 * request for 0 bytes gives a valid pointer. If there is not enough memory, the functions set a null pointer
 * and return MAGMA_ERR_DEVICE_ALLOC or MAGMA_ERR_HOST_ALLOC. */
TALUS_MAGMA_API magma_int_t magma_malloc(magma_ptr* ptr_ptr, size_t bytes);
TALUS_MAGMA_API magma_int_t magma_malloc_cpu(void** ptr_ptr, size_t bytes);
TALUS_MAGMA_API magma_int_t magma_malloc_pinned(void** ptr_ptr, size_t bytes);
#define magma_free(ptr) magma_free_internal(ptr, __func__, __FILE__, __LINE__)
#define magma_free_pinned(ptr) magma_free_pinned_internal(ptr, __func__, __FILE__, __LINE__)
TALUS_MAGMA_API magma_int_t magma_free_internal(magma_ptr ptr, const char* func, const char* file, int line);
TALUS_MAGMA_API magma_int_t magma_free_cpu(void* ptr);
TALUS_MAGMA_API magma_int_t magma_free_pinned_internal(void* ptr, const char* func, const char* file,
                                                       int line);

/* Set memory as cudaMemset does. The _async form runs in the order of the queue. */
TALUS_MAGMA_API magma_int_t magma_memset(void* ptr, int value, size_t count);
TALUS_MAGMA_API magma_int_t magma_memset_async(void* ptr, int value, size_t count, magma_queue_t queue);

/* Copy n elements that are inc apart, or m-by-n matrices. set copies from the host to the device, get from
 * the device to the host, and copy from the device to the device. All copies run in the order of the queue.
 * The forms without _async return after the data has arrived. */
#define TALUS_MAGMA_HERE __func__, __FILE__, __LINE__
#define magma_setvector(n, elem_size, src, incx, dst, incy, queue) \
  magma_setvector_internal(n, elem_size, src, incx, dst, incy, queue, TALUS_MAGMA_HERE)
#define magma_getvector(n, elem_size, src, incx, dst, incy, queue) \
  magma_getvector_internal(n, elem_size, src, incx, dst, incy, queue, TALUS_MAGMA_HERE)
#define magma_copyvector(n, elem_size, src, incx, dst, incy, queue) \
  magma_copyvector_internal(n, elem_size, src, incx, dst, incy, queue, TALUS_MAGMA_HERE)
#define magma_setvector_async(n, elem_size, src, incx, dst, incy, queue) \
  magma_setvector_async_internal(n, elem_size, src, incx, dst, incy, queue, TALUS_MAGMA_HERE)
#define magma_getvector_async(n, elem_size, src, incx, dst, incy, queue) \
  magma_getvector_async_internal(n, elem_size, src, incx, dst, incy, queue, TALUS_MAGMA_HERE)
#define magma_copyvector_async(n, elem_size, src, incx, dst, incy, queue) \
  magma_copyvector_async_internal(n, elem_size, src, incx, dst, incy, queue, TALUS_MAGMA_HERE)
#define magma_setmatrix(m, n, elem_size, src, lda, dst, ldb, queue) \
  magma_setmatrix_internal(m, n, elem_size, src, lda, dst, ldb, queue, TALUS_MAGMA_HERE)
#define magma_getmatrix(m, n, elem_size, src, lda, dst, ldb, queue) \
  magma_getmatrix_internal(m, n, elem_size, src, lda, dst, ldb, queue, TALUS_MAGMA_HERE)
#define magma_copymatrix(m, n, elem_size, src, lda, dst, ldb, queue) \
  magma_copymatrix_internal(m, n, elem_size, src, lda, dst, ldb, queue, TALUS_MAGMA_HERE)
#define magma_setmatrix_async(m, n, elem_size, src, lda, dst, ldb, queue) \
  magma_setmatrix_async_internal(m, n, elem_size, src, lda, dst, ldb, queue, TALUS_MAGMA_HERE)
#define magma_getmatrix_async(m, n, elem_size, src, lda, dst, ldb, queue) \
  magma_getmatrix_async_internal(m, n, elem_size, src, lda, dst, ldb, queue, TALUS_MAGMA_HERE)
#define magma_copymatrix_async(m, n, elem_size, src, lda, dst, ldb, queue) \
  magma_copymatrix_async_internal(m, n, elem_size, src, lda, dst, ldb, queue, TALUS_MAGMA_HERE)

#define TALUS_MAGMA_COPY_OF_VECTOR(name)                                                             \
  TALUS_MAGMA_API void name(magma_int_t n, magma_int_t elem_size, const void* src, magma_int_t incx, \
                            void* dst, magma_int_t incy, magma_queue_t queue, const char* func,      \
                            const char* file, int line)
#define TALUS_MAGMA_COPY_OF_MATRIX(name)                                                          \
  TALUS_MAGMA_API void name(magma_int_t m, magma_int_t n, magma_int_t elem_size, const void* src, \
                            magma_int_t lda, void* dst, magma_int_t ldb, magma_queue_t queue,     \
                            const char* func, const char* file, int line)
TALUS_MAGMA_COPY_OF_VECTOR(magma_setvector_internal);
TALUS_MAGMA_COPY_OF_VECTOR(magma_getvector_internal);
TALUS_MAGMA_COPY_OF_VECTOR(magma_copyvector_internal);
TALUS_MAGMA_COPY_OF_VECTOR(magma_setvector_async_internal);
TALUS_MAGMA_COPY_OF_VECTOR(magma_getvector_async_internal);
TALUS_MAGMA_COPY_OF_VECTOR(magma_copyvector_async_internal);
TALUS_MAGMA_COPY_OF_MATRIX(magma_setmatrix_internal);
TALUS_MAGMA_COPY_OF_MATRIX(magma_getmatrix_internal);
TALUS_MAGMA_COPY_OF_MATRIX(magma_copymatrix_internal);
TALUS_MAGMA_COPY_OF_MATRIX(magma_setmatrix_async_internal);
TALUS_MAGMA_COPY_OF_MATRIX(magma_getmatrix_async_internal);
TALUS_MAGMA_COPY_OF_MATRIX(magma_copymatrix_async_internal);

/* Allocations and copies for ints, which are separate functions in MAGMA's headers, too. */
static inline magma_int_t magma_imalloc(magmaInt_ptr* ptr_ptr, size_t n) {
  return magma_malloc((magma_ptr*)ptr_ptr, n * sizeof(magma_int_t));
}
static inline magma_int_t magma_imalloc_cpu(magma_int_t** ptr_ptr, size_t n) {
  return magma_malloc_cpu((void**)ptr_ptr, n * sizeof(magma_int_t));
}
static inline magma_int_t magma_imalloc_pinned(magma_int_t** ptr_ptr, size_t n) {
  return magma_malloc_pinned((void**)ptr_ptr, n * sizeof(magma_int_t));
}
#define magma_isetvector(n, src, incx, dst, incy, queue) \
  magma_setvector(n, (magma_int_t)sizeof(magma_int_t), src, incx, dst, incy, queue)
#define magma_igetvector(n, src, incx, dst, incy, queue) \
  magma_getvector(n, (magma_int_t)sizeof(magma_int_t), src, incx, dst, incy, queue)

/* Sets output_array[b] := input + b * batch_offset + row + column * lda for b = 0 ... batchCount - 1. */
TALUS_MAGMA_API void magma_iset_pointer(magma_int_t** output_array, magma_int_t* input, magma_int_t lda,
                                        magma_int_t row, magma_int_t column, magma_int_t batch_offset,
                                        magma_int_t batchCount, magma_queue_t queue);

/* ---- the routines, in each precision ------------------------------------------------------------------- */

#define TALUS_MAGMA_JOIN_(head, x, tail) head##x##tail
#define TALUS_MAGMA_JOIN(head, x, tail) TALUS_MAGMA_JOIN_(head, x, tail)
#define TALUS_MAGMA_NAME(tail) TALUS_MAGMA_JOIN(magma_, TALUS_MAGMA_X, tail)
#define TALUS_MAGMABLAS_NAME(tail) TALUS_MAGMA_JOIN(magmablas_, TALUS_MAGMA_X, tail)
#define TALUS_MAGMA_GET_NAME(tail) TALUS_MAGMA_JOIN(magma_get_, TALUS_MAGMA_X, tail)

#define TALUS_MAGMA_X s
#define TALUS_MAGMA_T float
#define TALUS_MAGMA_REAL float
#include "talus/magma_routines.h"
#undef TALUS_MAGMA_X
#undef TALUS_MAGMA_T
#undef TALUS_MAGMA_REAL

#define TALUS_MAGMA_X d
#define TALUS_MAGMA_T double
#define TALUS_MAGMA_REAL double
#include "talus/magma_routines.h"
#undef TALUS_MAGMA_X
#undef TALUS_MAGMA_T
#undef TALUS_MAGMA_REAL

#define TALUS_MAGMA_X c
#define TALUS_MAGMA_T magmaFloatComplex
#define TALUS_MAGMA_REAL float
#include "talus/magma_routines.h"
#undef TALUS_MAGMA_X
#undef TALUS_MAGMA_T
#undef TALUS_MAGMA_REAL

#define TALUS_MAGMA_X z
#define TALUS_MAGMA_T magmaDoubleComplex
#define TALUS_MAGMA_REAL double
#include "talus/magma_routines.h"
#undef TALUS_MAGMA_X
#undef TALUS_MAGMA_T
#undef TALUS_MAGMA_REAL

#ifdef __cplusplus
}
#endif

#endif
