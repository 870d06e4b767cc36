// Talus's routines as XLA's custom calls: handlers of XLA's FFI for the CPU and for CUDA, which talus/jax.py
// registers and calls. They are built with the headers of some jaxlib; whether these are too old or too new
// for the one that runs, XLA says when they are registered.
//
// Arrays are batches of matrices over all leading dimensions, stored column by column: XLA is told so, and
// transposes them where it has to, together with other work where it can. What is overwritten is an argument
// and a result in the same place, before which XLA makes a copy where it has to.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>
#include <xla/ffi/api/ffi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pivots.hpp"
#include "talus/talus.hpp"

namespace nb = nanobind;
namespace ffi = xla::ffi;

namespace talus::python {
namespace {

/// Where a handler runs: its backend, and on CUDA XLA's stream, whose device is current.
template <backend WHERE>
struct queue_on {};

}  // namespace
}  // namespace talus::python

template <talus::backend WHERE>
struct xla::ffi::CtxDecoding<talus::python::queue_on<WHERE>> {
  using Type = talus::queue;

  template <class Context>
  static std::optional<Type> Decode(const XLA_FFI_Api* api, Context* context, DiagnosticEngine& diagnostic) {
    if constexpr (WHERE == talus::backend::host) {
      return talus::queue::host();
    } else {
      const auto stream = CtxDecoding<PlatformStream<void*>>::Decode(api, context, diagnostic);
      return stream ? std::optional(talus::queue::cuda(*stream)) : std::nullopt;
    }
  }
};

namespace talus::python {
namespace {

/// A buffer of XLA's, as matrices of its last two dimensions.
class array {
 public:
  explicit array(const ffi::AnyBuffer& buffer) : data_(buffer.untyped_data()), bytes_(buffer.size_bytes()) {
    const auto dimensions = buffer.dimensions();
    const std::size_t rank = dimensions.size();
    if (rank < 2) return;
    m_ = size_of(dimensions[rank - 2]);
    n_ = size_of(dimensions[rank - 1]);
    for (std::size_t i = 0; i < rank - 2; ++i) count_ *= dimensions[i];
  }

  template <class T>
  T* of() const {
    return static_cast<T*>(data_);
  }
  std::size_t bytes() const { return bytes_; }
  int m() const { return m_; }
  int n() const { return n_; }
  std::int64_t count() const { return count_; }
  /// The leading dimension of matrices that are stored column by column, and their distance.
  int ld() const { return std::max(1, m_); }
  std::int64_t stride() const { return std::int64_t{m_} * n_; }

 private:
  static int size_of(std::int64_t n) {  // one that is too large is refused as an illegal argument
    return n > std::numeric_limits<int>::max() ? -1 : static_cast<int>(n);
  }

  void* data_;
  std::size_t bytes_;
  int m_ = 0, n_ = 0;
  std::int64_t count_ = 1;
};

/// With `work` for scratch.
queue with(queue q, const array& work) {
  q.work = work.bytes() > 0 ? work.of<void>() : nullptr;
  q.work_bytes = work.bytes();
  return q;
}

// ---- the routines -----------------------------------------------------------------------------------------
//
// run<T>(queue, letters, arguments, results), where `letters` are LAPACK's for what the routine does. The
// first `in_place` results are the first arguments.

/// uplo; A -> L or U in its triangle, info, scratch
struct potrf {
  static constexpr const char* name = "potrf";
  static constexpr std::size_t arguments = 1, results = 3, in_place = 1;
  template <class T>
  static int run(queue q, std::string_view letters, const array*, const array* out) {
    const array& A = out[0];
    return potrf_strided_batched(static_cast<uplo>(letters[0]), A.n(), A.of<T>(), A.ld(), A.stride(),
                                 out[1].of<int>(), A.count(), with(q, out[2]));
  }
};

/// uplo; B, L or U -> X, info
struct potrs {
  static constexpr const char* name = "potrs";
  static constexpr std::size_t arguments = 2, results = 2, in_place = 1;
  template <class T>
  static int run(queue q, std::string_view letters, const array* in, const array* out) {
    const array &A = in[1], &B = out[0];
    return potrs_strided_batched(static_cast<uplo>(letters[0]), B.m(), B.n(), A.of<const T>(), A.ld(),
                                 A.stride(), B.of<T>(), B.ld(), B.stride(), out[1].of<int>(), B.count(), q);
  }
};

/// A -> L and U, ipiv, info, scratch
struct getrf {
  static constexpr const char* name = "getrf";
  static constexpr std::size_t arguments = 1, results = 4, in_place = 1;
  template <class T>
  static int run(queue q, std::string_view, const array*, const array* out) {
    const array& A = out[0];
    return getrf_strided_batched(A.m(), A.n(), A.of<T>(), A.ld(), A.stride(), out[1].of<int>(),
                                 std::min(A.m(), A.n()), out[2].of<int>(), A.count(), with(q, out[3]));
  }
};

/// op; B, L and U, ipiv -> X
struct getrs {
  static constexpr const char* name = "getrs";
  static constexpr std::size_t arguments = 3, results = 1, in_place = 1;
  /// True if each pivot i is a row from i to n. Reads host memory.
  static bool pivots_are_legal(const array* in) {
    const int n = in[1].n();
    for (std::int64_t b = 0; b < in[1].count(); ++b)
      if (first_illegal_pivot(in[2].of<const int>() + b * n, n) < n) return false;
    return true;
  }
  template <class T>
  static int run(queue q, std::string_view letters, const array* in, const array* out) {
    const array &A = in[1], &B = out[0];
    return getrs_strided_batched(static_cast<op>(letters[0]), B.m(), B.n(), A.of<const T>(), A.ld(),
                                 A.stride(), in[2].of<const int>(), A.n(), B.of<T>(), B.ld(), B.stride(),
                                 nullptr, B.count(), q);
  }
};

/// A, B -> L and U, X, ipiv, info, scratch
struct gesv {
  static constexpr const char* name = "gesv";
  static constexpr std::size_t arguments = 2, results = 5, in_place = 2;
  template <class T>
  static int run(queue q, std::string_view, const array*, const array* out) {
    const array &A = out[0], &B = out[1];
    return gesv_strided_batched(B.m(), B.n(), A.of<T>(), A.ld(), A.stride(), out[2].of<int>(), A.n(),
                                B.of<T>(), B.ld(), B.stride(), out[3].of<int>(), B.count(), with(q, out[4]));
  }
};

/// A -> A^-1, ipiv, info, scratch
struct inverse {
  static constexpr const char* name = "inverse";
  static constexpr std::size_t arguments = 1, results = 4, in_place = 1;
  template <class T>
  static int run(queue q, std::string_view, const array*, const array* out) {
    const array& A = out[0];
    int *const ipiv = out[1].of<int>(), *const info = out[2].of<int>();
    const int status = getrf_strided_batched(A.n(), A.n(), A.of<T>(), A.ld(), A.stride(), ipiv, A.n(), info,
                                             A.count(), with(q, out[3]));
    return status != 0
               ? status
               : getri_strided_batched(A.n(), A.of<T>(), A.ld(), A.stride(), ipiv, A.n(), info, A.count(), q);
  }
};

/// A -> Q in its first min(m, n) columns, R, info
struct qr {
  static constexpr const char* name = "qr";
  static constexpr std::size_t arguments = 1, results = 3, in_place = 1;
  template <class T>
  static int run(queue q, std::string_view, const array*, const array* out) {
    const array &A = out[0], &R = out[1];
    return qr_strided_batched(A.m(), A.n(), A.of<T>(), A.ld(), A.stride(), R.of<T>(), R.ld(), R.stride(),
                              out[2].of<int>(), A.count(), q);
  }
};

/// A -> reflectors and R, tau, info
struct geqrf {
  static constexpr const char* name = "geqrf";
  static constexpr std::size_t arguments = 1, results = 3, in_place = 1;
  template <class T>
  static int run(queue q, std::string_view, const array*, const array* out) {
    const array& A = out[0];
    return geqrf_strided_batched(A.m(), A.n(), A.of<T>(), A.ld(), A.stride(), out[1].of<T>(),
                                 std::min(A.m(), A.n()), out[2].of<int>(), A.count(), q);
  }
};

/// reflectors in the first columns, tau (one row for each matrix) -> Q
struct orgqr {
  static constexpr const char* name = "orgqr";
  static constexpr std::size_t arguments = 2, results = 1, in_place = 1;
  template <class T>
  static int run(queue q, std::string_view, const array* in, const array* out) {
    const array &Q = out[0], &tau = in[1];
    return orgqr_strided_batched(Q.m(), Q.n(), tau.n(), Q.of<T>(), Q.ld(), Q.stride(), tau.of<const T>(),
                                 tau.n(), nullptr, Q.count(), q);
  }
};

/// A, B of max(m, n) rows -> what is left of A, X, info
struct gels {
  static constexpr const char* name = "gels";
  static constexpr std::size_t arguments = 2, results = 3, in_place = 2;
  template <class T>
  static int run(queue q, std::string_view, const array*, const array* out) {
    const array &A = out[0], &B = out[1];
    return gels_strided_batched(op::none, A.m(), A.n(), B.n(), A.of<T>(), A.ld(), A.stride(), B.of<T>(),
                                B.ld(), B.stride(), out[2].of<int>(), A.count(), q);
  }
};

/// side, uplo, op; B, triangle -> X
struct trsm {
  static constexpr const char* name = "trsm";
  static constexpr std::size_t arguments = 2, results = 1, in_place = 1;
  template <class T>
  static int run(queue q, std::string_view letters, const array* in, const array* out) {
    const array &A = in[1], &B = out[0];
    return trsm_strided_batched(static_cast<side>(letters[0]), static_cast<uplo>(letters[1]),
                                static_cast<op>(letters[2]), diag::non_unit, B.m(), B.n(), T(1),
                                A.of<const T>(), A.ld(), A.stride(), B.of<T>(), B.ld(), B.stride(), nullptr,
                                B.count(), q);
  }
};

// ---- their handlers ---------------------------------------------------------------------------------------

template <class Routine>
int run_in(ffi::DataType type, queue q, std::string_view letters, const array* in, const array* out) {
  switch (type) {
#if defined(TALUS_HAVE_S)
    case ffi::DataType::F32:
      return Routine::template run<float>(q, letters, in, out);
#endif
#if defined(TALUS_HAVE_D)
    case ffi::DataType::F64:
      return Routine::template run<double>(q, letters, in, out);
#endif
#if defined(TALUS_HAVE_C)
    case ffi::DataType::C64:
      return Routine::template run<std::complex<float>>(q, letters, in, out);
#endif
#if defined(TALUS_HAVE_Z)
    case ffi::DataType::C128:
      return Routine::template run<std::complex<double>>(q, letters, in, out);
#endif
    default:
      return err_unsupported;  // talus/jax.py has seen to it
  }
}

template <class Routine>
ffi::Error call(queue q, std::string_view letters, ffi::RemainingArgs arguments, ffi::RemainingRets results) {
  const std::string name = std::string("talus ") + Routine::name + ": ";
  if (arguments.size() != Routine::arguments || results.size() != Routine::results)
    return ffi::Error::InvalidArgument(name + "not as many arrays as this version of talus.jax has");
  ffi::DataType type{};
  std::vector<array> in, out;
  for (std::size_t i = 0; i < Routine::arguments; ++i) {
    const auto buffer = arguments.get<ffi::AnyBuffer>(i);
    if (!buffer) return buffer.error();
    if (i == 0) type = buffer->element_type();
    in.emplace_back(*buffer);
  }
  for (std::size_t i = 0; i < Routine::results; ++i) {
    auto buffer = results.get<ffi::AnyBuffer>(i);
    if (!buffer) return buffer.error();
    out.emplace_back(**buffer);
    if (i < Routine::in_place && in[i].template of<void>() != out[i].template of<void>())
      return ffi::Error::Internal(name + "XLA did not let it work in place");
  }
  if constexpr (std::is_same_v<Routine, getrs>)
    if (q.where == backend::host && !getrs::pivots_are_legal(in.data()))
      return ffi::Error::InvalidArgument(
          name + "a pivot is above its row or outside the matrix; pivots count from 1");
  const int status = run_in<Routine>(type, q, letters, in.data(), out.data());
  return status == 0 ? ffi::Error::Success() : ffi::Error::Internal(name + strerror(status));
}

/// It may become part of a CUDA graph: it only queues work, and all its memory is XLA's.
template <class Routine, backend WHERE>
XLA_FFI_Error* handle(XLA_FFI_CallFrame* frame) {
  static const auto handler = ffi::Ffi::Bind()
                                  .Ctx<queue_on<WHERE>>()
                                  .template Attr<std::string_view>("letters")
                                  .RemainingArgs()
                                  .RemainingRets()
                                  .To(call<Routine>, {ffi::Traits::kCmdBufferCompatible});
  return handler->Call(frame);
}

template <backend WHERE, class... Routines>
nb::dict handlers_on() {
  nb::dict all;
  ((all[Routines::name] = nb::capsule(reinterpret_cast<void*>(handle<Routines, WHERE>))), ...);
  return all;
}
template <backend WHERE>
nb::dict all_handlers_on() {
  return handlers_on<WHERE, potrf, potrs, getrf, getrs, gesv, inverse, qr, geqrf, orgqr, gels, trsm>();
}

template <class T>
std::size_t scratch_of(std::string_view routine, int m, int n, std::int64_t count) {
  if (routine == potrf::name) return potrf_work<T>(n, count);
  if (routine == gesv::name) return gesv_work<T>(n, 0, count);
  return getrf_work<T>(m, n, count);  // of inverse, too
}

/// NumPy's letters of the types that were built.
constexpr const char* types =
#if defined(TALUS_HAVE_S)
    "f"
#endif
#if defined(TALUS_HAVE_D)
    "d"
#endif
#if defined(TALUS_HAVE_C)
    "F"
#endif
#if defined(TALUS_HAVE_Z)
    "D"
#endif
    "";

/// precision: one of these letters.
std::size_t scratch_bytes(std::string_view routine, char precision, int m, int n, std::int64_t count) {
  switch (precision) {
#if defined(TALUS_HAVE_S)
    case 'f':
      return scratch_of<float>(routine, m, n, count);
#endif
#if defined(TALUS_HAVE_D)
    case 'd':
      return scratch_of<double>(routine, m, n, count);
#endif
#if defined(TALUS_HAVE_C)
    case 'F':
      return scratch_of<std::complex<float>>(routine, m, n, count);
#endif
#if defined(TALUS_HAVE_Z)
    case 'D':
      return scratch_of<std::complex<double>>(routine, m, n, count);
#endif
    default:
      return 0;
  }
}

}  // namespace
}  // namespace talus::python

NB_MODULE(_jax, m) {
  using namespace talus::python;
  m.doc() = "Talus's routines as XLA's custom calls; see talus.jax.";
  m.def(
      "handlers",
      [] {
        nb::dict by_platform;
        by_platform["cpu"] = all_handlers_on<talus::backend::host>();
#if defined(TALUS_WITH_CUDA)
        by_platform["CUDA"] = all_handlers_on<talus::backend::cuda>();
#endif
        return by_platform;
      },
      "The handlers by platform and routine, as capsules.");
  m.def("scratch_bytes", scratch_bytes, nb::arg("routine"), nb::arg("precision"), nb::arg("m"), nb::arg("n"),
        nb::arg("count"), "How long the scratch result of potrf, getrf, gesv and inverse has to be.");
  m.attr("types") = types;
  m.attr("api_version") = nb::make_tuple(XLA_FFI_API_MAJOR, XLA_FFI_API_MINOR);
}
