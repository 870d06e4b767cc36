// What the routines by MAGMA's names have in common: MAGMA's arguments as Talus's, illegal ones, errors,
// scratch.
#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <complex>
#include <cstddef>
#include <cstdint>

#include "talus/magma.h"
#include "talus/types.hpp"

namespace talus::magma {

// ---- enumerations: what is none of them stays illegal, and Talus refuses it ----------------------------

constexpr uplo to_uplo(magma_uplo_t of) {
  return of == MagmaLower ? uplo::lower : of == MagmaUpper ? uplo::upper : uplo{};
}
constexpr op to_op(magma_trans_t of) {
  return of == MagmaNoTrans     ? op::none
         : of == MagmaTrans     ? op::trans
         : of == MagmaConjTrans ? op::conj_trans
                                : op{};
}
constexpr side to_side(magma_side_t of) {
  return of == MagmaLeft ? side::left : of == MagmaRight ? side::right : side{};
}
constexpr diag to_diag(magma_diag_t of) {
  return of == MagmaNonUnit ? diag::non_unit : of == MagmaUnit ? diag::unit : diag{};
}

// ---- elements: MAGMA's complex numbers are CUDA's, laid out as C++'s -------------------------------------

inline float* to_talus(float* A) { return A; }
inline double* to_talus(double* A) { return A; }
inline std::complex<float>* to_talus(magmaFloatComplex* A) {
  return reinterpret_cast<std::complex<float>*>(A);
}
inline std::complex<double>* to_talus(magmaDoubleComplex* A) {
  return reinterpret_cast<std::complex<double>*>(A);
}
template <class M>
using element = std::remove_pointer_t<decltype(to_talus(static_cast<M*>(nullptr)))>;

template <class M>
const element<M>* to_talus(const M* A) {
  return to_talus(const_cast<M*>(A));
}
template <class M>
element<M>* const* to_talus(M** A_array) {
  return reinterpret_cast<element<M>* const*>(A_array);
}
template <class M>
const element<M>* const* to_talus(const M* const* A_array) {
  return reinterpret_cast<const element<M>* const*>(A_array);
}
/// A number on the host.
template <class M>
element<M> number(M value) {
  return *to_talus(&value);
}

// ---- calls ------------------------------------------------------------------------------------------------

/// MAGMA's function of a name of ours: the next one in the order in which libraries are searched. Null: there
/// is none, we are alone.
template <class Function>
Function* in_magma(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// The stream of a queue, be it MAGMA's or ours: the function by which it is asked for may be MAGMA's.
/// Without a queue the default stream.
inline cudaStream_t stream_of(magma_queue_t queue) {
  return queue != nullptr ? magma_queue_get_cuda_stream(queue) : nullptr;
}

/// Talus's status of an error, which is then none of later calls.
inline int status_of(cudaError_t error) {
  if (error == cudaSuccess) return 0;
  cudaGetLastError();
  return err_cuda;
}

/// Scratch on the device in the order of a stream; nothing for no bytes.
class scratch {
 public:
  scratch(cudaStream_t stream, std::size_t bytes) : stream_(stream) {
    if (bytes > 0 && cudaMallocAsync(&memory_, bytes, stream_) != cudaSuccess) {
      cudaGetLastError();
      memory_ = nullptr;
      status = err_work;
    }
  }
  ~scratch() {
    if (memory_ != nullptr) cudaFreeAsync(memory_, stream_);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  template <class E>
  E* as(std::size_t byte_offset = 0) const {
    return reinterpret_cast<E*>(static_cast<unsigned char*>(memory_) + byte_offset);
  }

  int status = 0;

 private:
  cudaStream_t stream_;
  void* memory_ = nullptr;
};

/// MAGMA's code for a status of Talus's. What Talus finds illegal beside MAGMA's own checks keeps its number.
magma_int_t code_of(int status);

/// One call: what it finds illegal in its arguments, in their order, and what it returns.
///
///   call c(__func__);
///   c.require(2, n >= 0).require(4, ldda >= std::max(1, n));
///   return c.run([&] { return talus::potrf_batched(...); });
class call {
 public:
  explicit call(const char* name) : name_(name) {}

  /// Argument number i is illegal unless that holds. The first that is illegal counts.
  call& require(int i, bool holds) {
    if (code_ == 0 && !holds) code_ = -i;
    return *this;
  }
  /// What was found in another way.
  call& found(magma_int_t code) {
    if (code_ == 0) code_ = code;
    return *this;
  }
  bool is_fine() const { return code_ == 0; }

  /// Does it where nothing is illegal, says what is not 0, and returns it.
  template <class Do>
  magma_int_t run(Do&& work) {
    if (code_ == 0) code_ = code_of(work());
    if (code_ != 0) magma_xerbla(name_, -code_);
    return code_;
  }

 private:
  const char* name_;
  magma_int_t code_ = 0;
};

/// Scratch of the caller's, as MAGMA's routines take it: lwork says how many bytes there are, or where it is
/// negative asks how many there have to be.
struct work_space {
  work_space(void* work, magma_int_t* lwork, std::size_t needed);

  bool is_query;
  bool is_enough;
  unsigned char* memory;  ///< aligned as Talus wants it; null: Talus allocates
  std::size_t bytes;
};

/// A queue of Talus's with scratch of the caller's, if there is any.
inline talus::queue on(magma_queue_t queue, void* work = nullptr, std::size_t work_bytes = 0) {
  talus::queue q = talus::queue::cuda(stream_of(queue));
  q.work = work;
  q.work_bytes = work_bytes;
  return q;
}

}  // namespace talus::magma
