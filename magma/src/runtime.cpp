// What MAGMA has beside its routines: the library, its devices, queues, memory, copies, errors.
//
// Ahead of MAGMA, queues are MAGMA's: its other routines look into them. And these routines call the names of
// this file, too. So each function passes the call on to MAGMA's of the same name; where there is none, we
// are alone.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>

#include "call.hpp"
#include "sizes.hpp"

/// A queue, alone.
struct magma_queue {
  magma_device_t device;
  cudaStream_t stream;
  bool owns_stream;
};

namespace talus::magma {
namespace {

/// What MAGMA has of that name, or null.
#define TALUS_IN_MAGMA(name) static const auto theirs = in_magma(&name, #name)

std::mutex init_mutex;
int init_count = 0;

// What is reported is no error of later calls.
void report(cudaError_t error, const char* func, const char* file, int line) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  std::fprintf(stderr, "CUDA runtime error: %s (%d) in %s at %s:%d\n", cudaGetErrorString(error),
               static_cast<int>(error), func, file, line);
}

void report(cudaError_t error, const char* func) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  std::fprintf(stderr, "CUDA runtime error: %s (%d) in %s\n", cudaGetErrorString(error),
               static_cast<int>(error), func);
}

/// Scratch is allocated in a stream's order, from the device's pool, which by default gives its memory back
/// whenever the program waits, and takes some 40 us to get it again. A program's own choice stays.
void keep_scratch(magma_device_t device) {
  cudaMemPool_t pool = nullptr;
  std::uint64_t bytes = 0;
  constexpr std::uint64_t kept = 64 << 20;
  bool is_set = cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
                cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes) == cudaSuccess;
  if (is_set && bytes == 0) {
    bytes = kept;
    is_set = cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes) == cudaSuccess;
  }
  if (!is_set) cudaGetLastError();  // a device without pools
}

/// Elements inc apart are the first row of a matrix with that leading dimension.
void copy(magma_int_t m, magma_int_t n, magma_int_t elem_size, const void* from, magma_int_t ld_from,
          void* to, magma_int_t ld_to, cudaMemcpyKind kind, bool wait, magma_queue_t queue, const char* func,
          const char* file, int line) {
  if (m <= 0 || n <= 0) return;
  const auto bytes = [&](magma_int_t elements) {
    return static_cast<std::size_t>(elements) * static_cast<std::size_t>(elem_size);
  };
  const cudaStream_t stream = stream_of(queue);
  cudaError_t error;
  if (ld_from == m && ld_to == m)
    error = cudaMemcpyAsync(to, from, bytes(m) * static_cast<std::size_t>(n), kind, stream);
  else
    error = cudaMemcpy2DAsync(to, bytes(ld_to), from, bytes(ld_from), bytes(m), static_cast<std::size_t>(n),
                              kind, stream);
  if (error == cudaSuccess && wait) error = cudaStreamSynchronize(stream);
  report(error, func, file, line);
}

}  // namespace

magma_int_t code_of(int status) {
  switch (status) {
    case err_cuda:
      return MAGMA_ERR_UNKNOWN;
    case err_work:
    case err_memory:
      return MAGMA_ERR_DEVICE_ALLOC;
    case err_no_cuda:
    case err_unsupported:
      return MAGMA_ERR_NOT_SUPPORTED;
    default:
      return status;
  }
}

work_space::work_space(void* work, magma_int_t* lwork, std::size_t needed)
    : is_query(*lwork < 0), is_enough(true), memory(nullptr), bytes(0) {
  constexpr std::size_t alignment = 16;
  const std::size_t asked = needed > 0 ? needed + alignment : 0;
  // More than an int can say is none of the caller's: Talus allocates.
  const bool is_sayable = asked <= static_cast<std::size_t>(std::numeric_limits<magma_int_t>::max());
  if (is_query) {
    *lwork = is_sayable ? static_cast<magma_int_t>(asked) : 0;
    return;
  }
  if (!is_sayable || asked == 0) return;
  is_enough = static_cast<std::size_t>(*lwork) >= asked;
  if (work == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(work);
  memory = reinterpret_cast<unsigned char*>((address + alignment - 1) / alignment * alignment);
  bytes = needed;
}

}  // namespace talus::magma

using namespace talus::magma;

extern "C" {

// ---- the library and its devices --------------------------------------------------------------------------

magma_int_t magma_init(void) {
  TALUS_IN_MAGMA(magma_init);
  if (theirs) return theirs();
  const std::lock_guard<std::mutex> lock(init_mutex);
  ++init_count;
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  cudaGetLastError();
  return error == cudaSuccess || error == cudaErrorNoDevice ? MAGMA_SUCCESS : MAGMA_ERR_UNKNOWN;
}

magma_int_t magma_finalize(void) {
  TALUS_IN_MAGMA(magma_finalize);
  if (theirs) return theirs();
  const std::lock_guard<std::mutex> lock(init_mutex);
  if (init_count <= 0) return MAGMA_ERR_NOT_INITIALIZED;
  --init_count;
  return MAGMA_SUCCESS;
}

void magma_version(magma_int_t* major, magma_int_t* minor, magma_int_t* micro) {
  TALUS_IN_MAGMA(magma_version);
  if (theirs) return theirs(major, minor, micro);
  *major = MAGMA_VERSION_MAJOR;
  *minor = MAGMA_VERSION_MINOR;
  *micro = MAGMA_VERSION_MICRO;
}

const char* magma_strerror(magma_int_t error) {
  TALUS_IN_MAGMA(magma_strerror);
  if (theirs) return theirs(error);
  if (error > 0) return "function-specific error, see documentation";
  if (error < 0 && error > MAGMA_ERR) return "invalid argument";
  switch (error) {
    case MAGMA_SUCCESS:
      return "success";
    case MAGMA_ERR_NOT_INITIALIZED:
      return "not initialized";
    case MAGMA_ERR_NOT_SUPPORTED:
      return "not supported by this device, or there is none";
    case MAGMA_ERR_HOST_ALLOC:
      return "cannot allocate memory on the host";
    case MAGMA_ERR_DEVICE_ALLOC:
      return "cannot allocate memory on the device";
    case MAGMA_ERR_INVALID_PTR:
      return "invalid pointer";
    case MAGMA_ERR_NOT_IMPLEMENTED:
      return "not implemented";
    default:
      return "unknown error";
  }
}

void magma_xerbla(const char* name, magma_int_t info) {
  if (info > 0 && info < -MAGMA_ERR)
    std::fprintf(stderr, "On entry to %s, parameter %d had an illegal value (info = %d)\n", name, info,
                 -info);
  else
    std::fprintf(stderr, "Error in %s: %s (info = %d)\n", name, magma_strerror(-info), -info);
}

magma_int_t magma_num_gpus(void) {
  TALUS_IN_MAGMA(magma_num_gpus);
  if (theirs) return theirs();
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) cudaGetLastError();
  const char* const wanted = std::getenv("MAGMA_NUM_GPUS");
  return std::min(devices, wanted != nullptr ? std::max(1, std::atoi(wanted)) : 1);
}

void magma_getdevice(magma_device_t* device) {
  TALUS_IN_MAGMA(magma_getdevice);
  if (theirs) return theirs(device);
  report(cudaGetDevice(device), __func__);
}
void magma_setdevice(magma_device_t device) {
  TALUS_IN_MAGMA(magma_setdevice);
  if (theirs) return theirs(device);
  report(cudaSetDevice(device), __func__);
}

// ---- queues -----------------------------------------------------------------------------------------------

void magma_queue_create_internal(magma_device_t device, magma_queue_t* queue_ptr, const char* func,
                                 const char* file, int line) {
  keep_scratch(device);
  TALUS_IN_MAGMA(magma_queue_create_internal);
  if (theirs) return theirs(device, queue_ptr, func, file, line);
  *queue_ptr = new (std::nothrow) magma_queue{device, nullptr, false};
  if (*queue_ptr == nullptr) return magma_xerbla(func, -MAGMA_ERR_HOST_ALLOC);
  report(cudaSetDevice(device), func, file, line);
  const cudaError_t error = cudaStreamCreate(&(*queue_ptr)->stream);
  (*queue_ptr)->owns_stream = error == cudaSuccess;
  report(error, func, file, line);
}

void magma_queue_create_from_cuda_internal(magma_device_t device, cudaStream_t stream, cublasHandle_t cublas,
                                           cusparseHandle_t cusparse, magma_queue_t* queue_ptr,
                                           const char* func, const char* file, int line) {
  keep_scratch(device);
  TALUS_IN_MAGMA(magma_queue_create_from_cuda_internal);
  if (theirs) return theirs(device, stream, cublas, cusparse, queue_ptr, func, file, line);
  *queue_ptr = new (std::nothrow) magma_queue{device, stream, false};
  if (*queue_ptr == nullptr) return magma_xerbla(func, -MAGMA_ERR_HOST_ALLOC);
  report(cudaSetDevice(device), func, file, line);
}

void magma_queue_destroy_internal(magma_queue_t queue, const char* func, const char* file, int line) {
  TALUS_IN_MAGMA(magma_queue_destroy_internal);
  if (theirs) return theirs(queue, func, file, line);
  if (queue == nullptr) return;
  if (queue->owns_stream) report(cudaStreamDestroy(queue->stream), func, file, line);
  delete queue;
}

void magma_queue_sync_internal(magma_queue_t queue, const char* func, const char* file, int line) {
  TALUS_IN_MAGMA(magma_queue_sync_internal);
  if (theirs) return theirs(queue, func, file, line);
  report(cudaStreamSynchronize(stream_of(queue)), func, file, line);
}

magma_int_t magma_queue_get_device(magma_queue_t queue) {
  TALUS_IN_MAGMA(magma_queue_get_device);
  return theirs ? theirs(queue) : queue->device;
}

cudaStream_t magma_queue_get_cuda_stream(magma_queue_t queue) {
  TALUS_IN_MAGMA(magma_queue_get_cuda_stream);
  return theirs ? theirs(queue) : queue->stream;
}

// ---- memory -----------------------------------------------------------------------------------------------

magma_int_t magma_malloc(magma_ptr* ptr_ptr, size_t bytes) {
  TALUS_IN_MAGMA(magma_malloc);
  if (theirs) return theirs(ptr_ptr, bytes);
  if (cudaMalloc(ptr_ptr, bytes > 0 ? bytes : 16) == cudaSuccess) return MAGMA_SUCCESS;
  cudaGetLastError();
  *ptr_ptr = nullptr;
  return MAGMA_ERR_DEVICE_ALLOC;
}

magma_int_t magma_malloc_cpu(void** ptr_ptr, size_t bytes) {
  TALUS_IN_MAGMA(magma_malloc_cpu);
  if (theirs) return theirs(ptr_ptr, bytes);
  constexpr size_t cache_line = 64;
  if (posix_memalign(ptr_ptr, cache_line, bytes > 0 ? bytes : cache_line) == 0) return MAGMA_SUCCESS;
  *ptr_ptr = nullptr;
  return MAGMA_ERR_HOST_ALLOC;
}

magma_int_t magma_malloc_pinned(void** ptr_ptr, size_t bytes) {
  TALUS_IN_MAGMA(magma_malloc_pinned);
  if (theirs) return theirs(ptr_ptr, bytes);
  if (cudaHostAlloc(ptr_ptr, bytes > 0 ? bytes : 16, cudaHostAllocPortable) == cudaSuccess)
    return MAGMA_SUCCESS;
  cudaGetLastError();
  *ptr_ptr = nullptr;
  return MAGMA_ERR_HOST_ALLOC;
}

magma_int_t magma_free_internal(magma_ptr ptr, const char* func, const char* file, int line) {
  TALUS_IN_MAGMA(magma_free_internal);
  if (theirs) return theirs(ptr, func, file, line);
  const cudaError_t error = cudaFree(ptr);
  report(error, func, file, line);
  return error == cudaSuccess ? MAGMA_SUCCESS : MAGMA_ERR_INVALID_PTR;
}

magma_int_t magma_free_cpu(void* ptr) {
  TALUS_IN_MAGMA(magma_free_cpu);
  if (theirs) return theirs(ptr);
  std::free(ptr);
  return MAGMA_SUCCESS;
}

magma_int_t magma_free_pinned_internal(void* ptr, const char* func, const char* file, int line) {
  TALUS_IN_MAGMA(magma_free_pinned_internal);
  if (theirs) return theirs(ptr, func, file, line);
  const cudaError_t error = cudaFreeHost(ptr);
  report(error, func, file, line);
  return error == cudaSuccess ? MAGMA_SUCCESS : MAGMA_ERR_INVALID_PTR;
}

magma_int_t magma_memset(void* ptr, int value, size_t count) {
  TALUS_IN_MAGMA(magma_memset);
  if (theirs) return theirs(ptr, value, count);
  const cudaError_t error = cudaMemset(ptr, value, count);
  if (error != cudaSuccess) cudaGetLastError();
  return static_cast<magma_int_t>(error);
}
magma_int_t magma_memset_async(void* ptr, int value, size_t count, magma_queue_t queue) {
  TALUS_IN_MAGMA(magma_memset_async);
  if (theirs) return theirs(ptr, value, count, queue);
  const cudaError_t error = cudaMemsetAsync(ptr, value, count, stream_of(queue));
  if (error != cudaSuccess) cudaGetLastError();
  return static_cast<magma_int_t>(error);
}

#define TALUS_DEFINE_COPY(name, kind, wait)                                                                \
  void magma_##name(magma_int_t m, magma_int_t n, magma_int_t elem_size, const void* src, magma_int_t lda, \
                    void* dst, magma_int_t ldb, magma_queue_t queue, const char* func, const char* file,   \
                    int line) {                                                                            \
    static const auto theirs = in_magma(&magma_##name, "magma_" #name);                                    \
    if (theirs) return theirs(m, n, elem_size, src, lda, dst, ldb, queue, func, file, line);               \
    copy(m, n, elem_size, src, lda, dst, ldb, kind, wait, queue, func, file, line);                        \
  }
#define TALUS_DEFINE_VECTOR_COPY(name, kind, wait)                                                         \
  void magma_##name(magma_int_t n, magma_int_t elem_size, const void* src, magma_int_t incx, void* dst,    \
                    magma_int_t incy, magma_queue_t queue, const char* func, const char* file, int line) { \
    static const auto theirs = in_magma(&magma_##name, "magma_" #name);                                    \
    if (theirs) return theirs(n, elem_size, src, incx, dst, incy, queue, func, file, line);                \
    copy(1, n, elem_size, src, incx, dst, incy, kind, wait, queue, func, file, line);                      \
  }
TALUS_DEFINE_VECTOR_COPY(setvector_internal, cudaMemcpyHostToDevice, true)
TALUS_DEFINE_VECTOR_COPY(getvector_internal, cudaMemcpyDeviceToHost, true)
TALUS_DEFINE_VECTOR_COPY(copyvector_internal, cudaMemcpyDeviceToDevice, true)
TALUS_DEFINE_VECTOR_COPY(setvector_async_internal, cudaMemcpyHostToDevice, false)
TALUS_DEFINE_VECTOR_COPY(getvector_async_internal, cudaMemcpyDeviceToHost, false)
TALUS_DEFINE_VECTOR_COPY(copyvector_async_internal, cudaMemcpyDeviceToDevice, false)
TALUS_DEFINE_COPY(setmatrix_internal, cudaMemcpyHostToDevice, true)
TALUS_DEFINE_COPY(getmatrix_internal, cudaMemcpyDeviceToHost, true)
TALUS_DEFINE_COPY(copymatrix_internal, cudaMemcpyDeviceToDevice, true)
TALUS_DEFINE_COPY(setmatrix_async_internal, cudaMemcpyHostToDevice, false)
TALUS_DEFINE_COPY(getmatrix_async_internal, cudaMemcpyDeviceToHost, false)
TALUS_DEFINE_COPY(copymatrix_async_internal, cudaMemcpyDeviceToDevice, false)

// ---- pointers ---------------------------------------------------------------------------------------------

void magma_iset_pointer(magma_int_t** output_array, magma_int_t* input, magma_int_t lda, magma_int_t row,
                        magma_int_t column, magma_int_t batch_offset, magma_int_t batchCount,
                        magma_queue_t queue) {
  constexpr std::int64_t size = sizeof(magma_int_t);
  call(__func__).run([&] {
    return set_pointers(reinterpret_cast<void**>(output_array), input, size * batch_offset,
                        size * (row + std::int64_t{column} * lda), batchCount, stream_of(queue));
  });
}

}  // extern "C"
