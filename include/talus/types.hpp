// Words that Talus's routines share: which triangle, transposed or not, where the work runs, what a status
// means.
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

/// The triangle of a Hermitian or a triangular matrix that is stored; the other one is neither read nor
/// written.
enum class uplo : char { lower = 'L', upper = 'U' };

/// What takes the place of a matrix A: A, its transpose, or its conjugate transpose.
enum class op : char { none = 'N', trans = 'T', conj_trans = 'C' };

/// On which side of another matrix a matrix is in a product.
enum class side : char { left = 'L', right = 'R' };

/// What stands on the diagonal of a triangular matrix: what is stored there, or ones, whatever is stored.
enum class diag : char { non_unit = 'N', unit = 'U' };

/// What partial LU of a front in blocks leaves beside the factors of A11: LAPACK's L21 = A21 U11^-1 and
/// U12 = L11^-1 P^T A12; or A11^-1 A12, where A21 is only read.
enum class form : char { lapack = 'F', left = 'I' };

/// What it makes of A22: A22 - A21 A11^-1 A12, or the product A21 A11^-1 A12 in its place.
enum class schur : char { subtract = 'S', product = 'P' };

/// Where every array argument of a call lives, and where its work runs.
enum class backend : int { host = 0, cuda = 1 };

/// Plain data, passed by value: a place to run and, optionally, scratch.
///
/// On `backend::host` a call returns when it is done; it uses the OpenMP threads of the caller's context.
/// - Where it calls OpenBLAS, it sets that to one thread meanwhile, in the whole process, and then back.
/// - After a call on `backend::host`, a child of fork() must make none: GNU's OpenMP does not give it the
///   threads that its parent had, and the call hangs. exec() first (Python's multiprocessing: 'spawn').
///
/// On `backend::cuda` the work is queued on `stream` in order, for the device that is current, and the call
/// returns at once: it never synchronises, never allocates outside the stream's order, and may be captured in
/// a CUDA graph.
struct queue {
  backend where = backend::host;
  void* stream = nullptr;      ///< cuda: a cudaStream_t; null is the default stream
  void* work = nullptr;        ///< optional scratch of work_bytes, living where the arrays live
  std::size_t work_bytes = 0;  ///< see <routine>_work
  std::uint32_t options = 0;   ///< none yet: has to be 0
  void* reserved[2] = {};      ///< room to grow: has to be null

  TALUS_API static queue host() noexcept;
  TALUS_API static queue cuda(void* stream = nullptr) noexcept;
  TALUS_API static queue best() noexcept;  ///< cuda when a device is usable, else host
};

/// What a call returns: 0, or -i when argument i (counted from 1) is illegal and nothing was done, or one
/// of these.
constexpr int err_cuda = -101;     ///< the CUDA runtime refused a launch or an allocation; nothing is lost
constexpr int err_work = -102;     ///< scratch too small, or none to be had; nothing was queued
constexpr int err_no_cuda = -103;  ///< no CUDA device is usable, or Talus was built without CUDA
constexpr int err_unsupported = -104;  ///< legal, but beyond what this device can do

/// A sentence for any status a routine returns; never null, never freed.
TALUS_API const char* strerror(int status) noexcept;

}  // namespace talus
