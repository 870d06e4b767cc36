// MAGMA's names by precision, arguments as they take them, and what they say of errors.
#pragma once

#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "check.hpp"
#include "talus/magma.h"

namespace talus::test {

// ---- arguments -------------------------------------------------------------------------------------------

/// MAGMA's type of an element.
template <class T>
using element = std::conditional_t<
    !is_complex<T>, T,
    std::conditional_t<std::is_same_v<real_of<T>, float>, magmaFloatComplex, magmaDoubleComplex>>;

template <class T>
element<T>* to_magma(T* start) {
  return reinterpret_cast<element<T>*>(start);
}
template <class T>
const element<T>* to_magma(const T* start) {
  return reinterpret_cast<const element<T>*>(start);
}
/// Where the matrices of a batch start.
template <class T>
element<T>** starts(const array<T*>& pointers) {
  return reinterpret_cast<element<T>**>(pointers.data());
}
template <class T>
element<T> number(T x) {
  if constexpr (is_complex<T>) {
    return {x.real(), x.imag()};
  } else {
    return x;
  }
}

constexpr magma_uplo_t to_magma(uplo of) { return of == uplo::lower ? MagmaLower : MagmaUpper; }
constexpr magma_side_t to_magma(side of) { return of == side::left ? MagmaLeft : MagmaRight; }
constexpr magma_diag_t to_magma(diag of) { return of == diag::unit ? MagmaUnit : MagmaNonUnit; }
constexpr magma_trans_t to_magma(op of) {
  return of == op::none ? MagmaNoTrans : of == op::trans ? MagmaTrans : MagmaConjTrans;
}

/// On the default stream, for as long as the program runs.
inline magma_queue_t default_queue() {
  static magma_queue_t const queue = [] {
    magma_queue_t made = nullptr;
    magma_queue_create_from_cuda(0, nullptr, nullptr, nullptr, &made);
    return made;
  }();
  return queue;
}

/// An array of one int for each matrix as MAGMA has it, with an element behind that is the call's, and one
/// that is nobody's.
class size_array {
 public:
  static constexpr int unset = -55, guard = -66;

  explicit size_array(std::vector<int> values) : values_(std::move(values)), memory_(with_last()) {}
  size_array(std::size_t count, int value) : size_array(std::vector<int>(count, value)) {}

  int* data() const { return memory_.data(); }
  const std::vector<int>& values() const { return values_; }
  void set(std::size_t b, int value) {
    values_[b] = value;
    restore();
  }
  void restore() { memory_.upload(with_last()); }
  /// Throws if anything else was written.
  int last() const {
    std::vector<int> now = memory_.download();
    const int last = now[values_.size()];
    now[values_.size()] = unset;
    if (now != with_last()) throw std::runtime_error("sizes were written");
    return last;
  }

 private:
  std::vector<int> with_last() const {
    std::vector<int> all = values_;
    all.push_back(unset);
    all.push_back(guard);
    return all;
  }
  std::vector<int> values_;
  array<int> memory_;
};

// ---- errors ----------------------------------------------------------------------------------------------

/// A call of magma_xerbla, which this program has one of its own of.
struct report {
  std::string name;
  int number;
  bool operator==(const report& other) const { return name == other.name && number == other.number; }
};
inline std::ostream& operator<<(std::ostream& out, const report& one) {
  return out << one.name << " says " << one.number;
}
/// Those that no test has taken yet. If any is left at the end, the program fails.
inline std::vector<report>& reports() {
  static std::vector<report> all;
  return all;
}
/// What was said since it was asked last.
inline std::vector<report> taken_reports() {
  std::vector<report> taken;
  std::swap(taken, reports());
  return taken;
}
/// For routines that return nothing: what they would.
inline int said() { return reports().empty() ? 0 : -reports().back().number; }

// ---- names -----------------------------------------------------------------------------------------------

template <class T>
struct names;

#define TALUS_TEST_ROUTINE(x, name) static constexpr auto name = magma_##x##name;
#define TALUS_TEST_BLAS_ROUTINE(x, name) static constexpr auto name = magmablas_##x##name;
#define TALUS_TEST_NAMES(x, T)                                             \
  template <>                                                              \
  struct names<T> {                                                        \
    static constexpr char letter = #x[0];                                  \
    TALUS_TEST_ROUTINE(x, potrf_batched)                                   \
    TALUS_TEST_ROUTINE(x, potrf_expert_batched)                            \
    TALUS_TEST_ROUTINE(x, potrs_batched)                                   \
    TALUS_TEST_ROUTINE(x, posv_batched)                                    \
    TALUS_TEST_ROUTINE(x, getrf_batched)                                   \
    TALUS_TEST_ROUTINE(x, getrf_nopiv_batched)                             \
    TALUS_TEST_ROUTINE(x, getrs_batched)                                   \
    TALUS_TEST_ROUTINE(x, getrs_nopiv_batched)                             \
    TALUS_TEST_ROUTINE(x, gesv_batched)                                    \
    TALUS_TEST_ROUTINE(x, getri_outofplace_batched)                        \
    TALUS_TEST_ROUTINE(x, geqrf_batched)                                   \
    TALUS_TEST_ROUTINE(x, geqrf_batched_work)                              \
    TALUS_TEST_ROUTINE(x, geqrf_expert_batched)                            \
    TALUS_TEST_BLAS_ROUTINE(x, gemm_batched_strided)                       \
    TALUS_TEST_BLAS_ROUTINE(x, gemv_batched)                               \
    TALUS_TEST_ROUTINE(x, set_pointer)                                     \
    TALUS_TEST_ROUTINE(x, potrf_vbatched)                                  \
    TALUS_TEST_ROUTINE(x, potrf_vbatched_max_nocheck)                      \
    TALUS_TEST_ROUTINE(x, getrf_vbatched)                                  \
    TALUS_TEST_ROUTINE(x, getrf_vbatched_max_nocheck)                      \
    TALUS_TEST_ROUTINE(x, getrf_vbatched_max_nocheck_work)                 \
    TALUS_TEST_ROUTINE(x, getrf_nopiv_vbatched)                            \
    TALUS_TEST_ROUTINE(x, getrf_nopiv_expert_vbatched)                     \
    TALUS_TEST_ROUTINE(x, getrf_nopiv_vbatched_max_nocheck)                \
    TALUS_TEST_ROUTINE(x, getrf_nopiv_vbatched_max_nocheck_work)           \
    TALUS_TEST_BLAS_ROUTINE(x, trsm_vbatched)                              \
    TALUS_TEST_BLAS_ROUTINE(x, trsm_vbatched_nocheck)                      \
    TALUS_TEST_BLAS_ROUTINE(x, trsm_vbatched_max)                          \
    TALUS_TEST_BLAS_ROUTINE(x, trsm_vbatched_max_nocheck)                  \
    TALUS_TEST_BLAS_ROUTINE(x, gemm_vbatched)                              \
    TALUS_TEST_BLAS_ROUTINE(x, gemm_vbatched_nocheck)                      \
    TALUS_TEST_BLAS_ROUTINE(x, gemm_vbatched_max)                          \
    TALUS_TEST_BLAS_ROUTINE(x, gemm_vbatched_max_nocheck)                  \
    TALUS_TEST_BLAS_ROUTINE(x, gemv_vbatched)                              \
    TALUS_TEST_BLAS_ROUTINE(x, gemv_vbatched_nocheck)                      \
    TALUS_TEST_BLAS_ROUTINE(x, gemv_vbatched_max)                          \
    TALUS_TEST_BLAS_ROUTINE(x, gemv_vbatched_max_nocheck)                  \
    TALUS_TEST_ROUTINE(x, getrf_gpu)                                       \
    TALUS_TEST_ROUTINE(x, getrs_gpu)                                       \
    TALUS_TEST_ROUTINE(x, gemv)                                            \
    TALUS_TEST_ROUTINE(x, print_gpu)                                       \
    TALUS_TEST_ROUTINE(x, malloc)                                          \
    TALUS_TEST_ROUTINE(x, malloc_cpu)                                      \
    TALUS_TEST_ROUTINE(x, malloc_pinned)                                   \
    TALUS_TEST_ROUTINE(x, setvector)                                       \
    TALUS_TEST_ROUTINE(x, getvector)                                       \
    TALUS_TEST_ROUTINE(x, setmatrix)                                       \
    TALUS_TEST_ROUTINE(x, getmatrix)                                       \
    static constexpr auto nbparam = magma_get_##x##getrf_vbatched_nbparam; \
  };
#ifdef TALUS_HAVE_S
TALUS_TEST_NAMES(s, float)
#endif
#ifdef TALUS_HAVE_D
TALUS_TEST_NAMES(d, double)
#endif
#ifdef TALUS_HAVE_C
TALUS_TEST_NAMES(c, std::complex<float>)
#endif
#ifdef TALUS_HAVE_Z
TALUS_TEST_NAMES(z, std::complex<double>)
#endif

}  // namespace talus::test
