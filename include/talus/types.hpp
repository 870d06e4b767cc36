// Types that all routines of Talus share: the enumerations for triangles, operations, sides and blocks, the
// queue that selects where a call runs, and the status codes.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#if defined(__GNUC__)
#define TALUS_API __attribute__((visibility("default")))
#else
#define TALUS_API
#endif

namespace talus {

/// Selects one triangle of a Hermitian or triangular matrix. This triangle holds the matrix. The elements of
/// the other triangle are neither used nor written.
enum class uplo : char { lower = 'L', upper = 'U' };

/// Operation on a matrix A: op(A) is A itself, its transpose, or its conjugate transpose.
enum class op : char { none = 'N', trans = 'T', conj_trans = 'C' };

/// Position of a matrix in a product: on the left or on the right of the other matrix.
enum class side : char { left = 'L', right = 'R' };

/// Diagonal of a triangular matrix. non_unit: the stored diagonal elements are used. unit: the stored
/// diagonal elements are not used, and all diagonal elements are taken as one.
enum class diag : char { non_unit = 'N', unit = 'U' };

/// Results that getrf_partial_split stores in A21 and A12, in addition to the factors of A11. lapack: A21
/// receives  L21 = A21 U11^-1,  and A12 receives  U12 = L11^-1 P^T A12,  as in LAPACK. left: A12 receives
/// A11^-1 A12,  and A21 is only read.
enum class form : char { lapack = 'F', left = 'I' };

/// Result that getrf_partial_split stores in A22. subtract: A22 receives the Schur complement
/// A22 - A21 A11^-1 A12.  product: A22 receives the product  A21 A11^-1 A12.
enum class schur : char { subtract = 'S', product = 'P' };

/// Backend of a call: where every array argument is, and where the work runs.
enum class backend : int { host = 0, cuda = 1 };

/// Selects where a call runs and, optionally, provides scratch memory for the call. A queue is plain data and
/// is passed by value.
///
/// On `backend::host` a call returns when its work is done. It uses the OpenMP threads of the caller.
/// - While the call uses OpenBLAS, OpenBLAS is set to one thread in the whole process. Afterwards the
///   previous number of threads is restored.
/// - After a call on `backend::host`, a child process made by fork() must not call this backend: GNU's OpenMP
///   does not give the child the threads of its parent, and the call hangs. Call exec() in the child first
///   (in Python's multiprocessing: 'spawn').
///
/// On `backend::cuda` the work is queued on `stream` in order, for the current device, and the call returns
/// at once. The call never synchronises. If it allocates memory, it does so in stream order
/// (cudaMallocAsync). The call may be captured in a CUDA graph. The only exception is a _vbatched call that
/// must find a bound of the sizes itself (for example n_max = -1): such a call synchronises the stream and
/// cannot be captured.
struct queue {
  backend where = backend::host;  ///< where the arrays are and the work runs
  void* stream = nullptr;         ///< cuda: a cudaStream_t; null is the default stream
  void* work = nullptr;           ///< optional scratch of work_bytes bytes, in the memory of the backend
  std::size_t work_bytes = 0;     ///< size of work: see <routine>_work
  std::uint32_t options = 0;      ///< there are no options yet: must be 0
  void* reserved[2] = {};         ///< reserved for extensions: must be null

  TALUS_API static queue host() noexcept;
  TALUS_API static queue cuda(void* stream = nullptr) noexcept;
  TALUS_API static queue best() noexcept;  ///< cuda if a device is usable, else host
};

/// Status codes: a call returns 0, or -i if argument i (counted from 1) is illegal, or one of these codes. If
/// a call returns -i, it has done nothing.
constexpr int err_cuda = -101;         ///< the CUDA runtime reported an error
constexpr int err_work = -102;         ///< scratch too small, or no memory for it; nothing was queued
constexpr int err_no_cuda = -103;      ///< no CUDA device is usable, or Talus was built without CUDA
constexpr int err_unsupported = -104;  ///< the call is legal, but beyond what this device can do
constexpr int err_memory = -105;  ///< less than 64 MiB of device memory are free: too little to load a kernel

/// Returns a sentence that describes any status of a routine. The pointer is never null, and the string must
/// not be freed.
TALUS_API const char* strerror(int status) noexcept;

}  // namespace talus
