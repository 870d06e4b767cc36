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

/// Triangle of a Hermitian or a triangular matrix that is stored: the elements of the other triangle are
/// neither used nor written.
enum class uplo : char { lower = 'L', upper = 'U' };

/// Operation on a matrix A: op(A) is A itself, its transpose, or its conjugate transpose.
enum class op : char { none = 'N', trans = 'T', conj_trans = 'C' };

/// Position of a matrix in a product: on the left or on the right of the other matrix.
enum class side : char { left = 'L', right = 'R' };

/// Diagonal of a triangular matrix: the stored elements are used (non_unit), or ignored and taken as ones
/// (unit).
enum class diag : char { non_unit = 'N', unit = 'U' };

/// Result that getrf_partial_split stores in A21 and A12, beside the factors of A11. lapack: LAPACK's
/// L21 = A21 U11^-1  in A21 and  U12 = L11^-1 P^T A12  in A12. left:  A11^-1 A12  in A12; A21 is only read.
enum class form : char { lapack = 'F', left = 'I' };

/// Result that getrf_partial_split stores in A22. subtract: the Schur complement  A22 - A21 A11^-1 A12.
/// product: the product  A21 A11^-1 A12  alone.
enum class schur : char { subtract = 'S', product = 'P' };

/// Backend of a call: the place of every array argument, and the place where the work runs.
enum class backend : int { host = 0, cuda = 1 };

/// Place where a call runs and, optionally, scratch memory for the call: plain data, passed by value.
///
/// On `backend::host` a call returns when its work is done. The call uses the OpenMP threads of the caller's
/// context.
/// - While the call uses OpenBLAS, OpenBLAS is set to one thread in the whole process. Afterwards the
///   previous number of threads is restored.
/// - After a call on `backend::host`, a child process made by fork() must not call this backend: GNU's OpenMP
///   does not give the child the threads of its parent, and the call hangs. Call exec() in the child first
///   (in Python's multiprocessing: 'spawn').
///
/// On `backend::cuda` the work is queued on `stream` in order, for the current device, and the call returns
/// at once. The call never synchronises, never allocates outside the order of the stream, and may be captured
/// in a CUDA graph. The only exception is a _vbatched call that must find a bound of the sizes itself (for
/// example n_max = -1): it synchronises the stream and cannot be captured.
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

/// Status codes: a call returns 0; or -i if argument i (counted from 1) is illegal, and then nothing was
/// done; or one of these codes.
constexpr int err_cuda = -101;         ///< the CUDA runtime refused a launch or an allocation
constexpr int err_work = -102;         ///< scratch too small, or no memory for it; nothing was queued
constexpr int err_no_cuda = -103;      ///< no CUDA device is usable, or Talus was built without CUDA
constexpr int err_unsupported = -104;  ///< the call is legal, but beyond what this device can do

/// Returns a sentence that describes any status of a routine. The pointer is never null, and the string must
/// not be freed.
TALUS_API const char* strerror(int status) noexcept;

}  // namespace talus
