// Peers on the GPU: cuSOLVER, cuBLAS and MAGMA, each where it was found when this was configured. All of
// them run on the default stream. A library says by overloads of run(description, problem, copy) how it does
// what a description says that it has.
#pragma once

#include <algorithm>
#include <climits>
#include <complex>
#include <memory>

#include "measure/gpu.hpp"
#include "ways.hpp"

#ifdef TALUS_WITH_CUSOLVER
#include <cusolverDn.h>
#endif
#ifdef TALUS_WITH_CUBLAS
#include <cublas_v2.h>
#endif
#ifdef TALUS_WITH_MAGMA
#include <magma_v2.h>
#endif

namespace talus::bench {

/// These libraries count a batch in ints.
template <class Problem>
int count_of(const Problem& p) {
  if (p.batch > INT_MAX) throw std::runtime_error("a batch is limited to 2^31 - 1 matrices");
  return static_cast<int>(p.batch);
}

// The libraries' own complex types have the layout of std::complex.
inline float* theirs(float* x) { return x; }
inline double* theirs(double* x) { return x; }
inline float2* theirs(std::complex<float>* x) { return reinterpret_cast<float2*>(x); }
inline double2* theirs(std::complex<double>* x) { return reinterpret_cast<double2*>(x); }
template <class T>
auto theirs(T** A) {
  return reinterpret_cast<decltype(theirs(*A))*>(A);
}

/// Throws unless a library's status is 0, which is success for all of them.
template <class Status>
void require(Status status, const char* call) {
  if (static_cast<int>(status) != 0)
    throw std::runtime_error(std::string(call) + " returned " + std::to_string(static_cast<int>(status)));
}

#ifdef TALUS_WITH_CUBLAS
template <class T>
cublasFillMode_t stored_triangle(const problem<T>& p) {
  return p.uplo == uplo::lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}
#endif

#ifdef TALUS_WITH_CUSOLVER
/// The workspace that calls share, which grows in the first run, the one that is checked.
class shared_work {
 public:
  template <class T>
  T* of(int elements) {
    const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(T);
    if (!work_ || work_->size() < bytes) work_ = std::make_unique<array<char>>(backend::cuda, bytes);
    return reinterpret_cast<T*>(work_->data());
  }

 private:
  std::unique_ptr<array<char>> work_;
};

class cusolver {
 public:
  static constexpr const char* name = "cusolver";
  cusolver() : status_(backend::cuda, 1) { require(cusolverDnCreate(&handle_), "cusolverDnCreate"); }

#define TALUS_CUSOLVER(letter, P, T)                                                                       \
  void run(measure::potrf<T>, const problem<T>& p, int copy) const {                                       \
    require(cusolverDn##P##potrfBatched(handle_, stored_triangle(p), p.n, theirs(p.A_array(copy)), p.n,    \
                                        p.info(), count_of(p)),                                            \
            "cusolverDn" #P "potrfBatched");                                                               \
  }                                                                                                        \
  void run(measure::potrs<T>, const problem<T>& p, int copy) const {                                       \
    require(cusolverDn##P##potrsBatched(handle_, stored_triangle(p), p.n, 1, theirs(p.A_array(copy)), p.n, \
                                        theirs(p.B_array(copy)), p.n, status_.data(), count_of(p)),        \
            "cusolverDn" #P "potrsBatched");                                                               \
  }                                                                                                        \
  /* One matrix after the other; without pivoting where it is given no room for pivots. */                 \
  void factor(const problem<T>& p, int copy, bool pivots) const {                                          \
    int elements = 0;                                                                                      \
    require(cusolverDn##P##getrf_bufferSize(handle_, p.m, p.n, theirs(p.A(copy)), p.m, &elements),         \
            "cusolverDn" #P "getrf_bufferSize");                                                           \
    T* const work = work_.of<T>(elements);                                                                 \
    for (std::int64_t b = 0; b < p.batch; ++b)                                                             \
      require(cusolverDn##P##getrf(handle_, p.m, p.n, theirs(p.A(copy, b)), p.m, theirs(work),             \
                                   pivots ? p.ipiv(copy, b) : nullptr, p.info() + b),                      \
              "cusolverDn" #P "getrf");                                                                    \
  }                                                                                                        \
  void run(measure::getrf<T>, const problem<T>& p, int copy) const { factor(p, copy, true); }              \
  void run(measure::getrf_nopiv<T>, const problem<T>& p, int copy) const { factor(p, copy, false); }       \
  void run(measure::getrs<T>, const problem<T>& p, int copy) const {                                       \
    for (std::int64_t b = 0; b < p.batch; ++b)                                                             \
      require(cusolverDn##P##getrs(handle_, CUBLAS_OP_N, p.n, p.nrhs, theirs(p.A(copy, b)), p.n,           \
                                   p.ipiv(copy, b), theirs(p.B(copy, b)), p.n, status_.data()),            \
              "cusolverDn" #P "getrs");                                                                    \
  }                                                                                                        \
  void run(measure::geqrf<T>, const problem<T>& p, int copy) const {                                       \
    int elements = 0;                                                                                      \
    require(cusolverDn##P##geqrf_bufferSize(handle_, p.m, p.n, theirs(p.A(copy)), p.m, &elements),         \
            "cusolverDn" #P "geqrf_bufferSize");                                                           \
    T* const work = work_.of<T>(elements);                                                                 \
    for (std::int64_t b = 0; b < p.batch; ++b)                                                             \
      require(cusolverDn##P##geqrf(handle_, p.m, p.n, theirs(p.A(copy, b)), p.m, theirs(p.tau(copy, b)),   \
                                   theirs(work), elements, p.info() + b),                                  \
              "cusolverDn" #P "geqrf");                                                                    \
  }
  TALUS_FOR_ALL_LETTERS(TALUS_CUSOLVER)
#undef TALUS_CUSOLVER
  // What is orthogonal in real precisions, and named so, is unitary in the others.
#define TALUS_CUSOLVER_OF_Q(gqr, mqr, T, op)                                                                 \
  void run(measure::orgqr<T>, const problem<T>& p, int copy) const {                                         \
    const int k = std::min(p.m, p.n);                                                                        \
    int elements = 0;                                                                                        \
    require(cusolverDn##gqr##_bufferSize(handle_, p.m, k, k, theirs(p.A(copy)), p.m, theirs(p.tau(copy)),    \
                                         &elements),                                                         \
            "cusolverDn" #gqr "_bufferSize");                                                                \
    T* const work = work_.of<T>(elements);                                                                   \
    for (std::int64_t b = 0; b < p.batch; ++b)                                                               \
      require(cusolverDn##gqr(handle_, p.m, k, k, theirs(p.A(copy, b)), p.m, theirs(p.tau(copy, b)),         \
                              theirs(work), elements, p.info() + b),                                         \
              "cusolverDn" #gqr);                                                                            \
  }                                                                                                          \
  void run(measure::ormqr<T>, const problem<T>& p, int copy) const {                                         \
    const int k = std::min(p.m, p.n);                                                                        \
    int elements = 0;                                                                                        \
    require(cusolverDn##mqr##_bufferSize(handle_, CUBLAS_SIDE_LEFT, op, p.m, p.n, k, theirs(p.A(copy)), p.m, \
                                         theirs(p.tau(copy)), theirs(p.B(copy)), p.ldb(), &elements),        \
            "cusolverDn" #mqr "_bufferSize");                                                                \
    T* const work = work_.of<T>(elements);                                                                   \
    for (std::int64_t b = 0; b < p.batch; ++b)                                                               \
      require(cusolverDn##mqr(handle_, CUBLAS_SIDE_LEFT, op, p.m, p.n, k, theirs(p.A(copy, b)), p.m,         \
                              theirs(p.tau(copy, b)), theirs(p.B(copy, b)), p.ldb(), theirs(work), elements, \
                              p.info() + b),                                                                 \
              "cusolverDn" #mqr);                                                                            \
  }
  TALUS_CUSOLVER_OF_Q(Sorgqr, Sormqr, float, CUBLAS_OP_T)
  TALUS_CUSOLVER_OF_Q(Dorgqr, Dormqr, double, CUBLAS_OP_T)
  TALUS_CUSOLVER_OF_Q(Cungqr, Cunmqr, std::complex<float>, CUBLAS_OP_C)
  TALUS_CUSOLVER_OF_Q(Zungqr, Zunmqr, std::complex<double>, CUBLAS_OP_C)
#undef TALUS_CUSOLVER_OF_Q
  template <class T>
  void run(measure::posv<T>, const problem<T>& p, int copy) const {
    run(measure::potrf<T>(), p, copy);
    run(measure::potrs<T>(), p, copy);
  }
  template <class T>
  void run(measure::gesv<T>, const problem<T>& p, int copy) const {
    run(measure::getrf<T>(), p, copy);
    run(measure::getrs<T>(), p, copy);
  }

 private:
  cusolverDnHandle_t handle_ = nullptr;
  array<int> status_;  // of the call's arguments, on the device
  mutable shared_work work_;
};

/// One matrix after the other, each on the next of some streams, which wait for the default stream and it for
/// them.
class cusolver_streams {
 public:
  static constexpr const char* name = "cusolver_streams";
  cusolver_streams() {
    for (lane& one : lanes_) {
      gpu::check(cudaStreamCreate(&one.stream), "cudaStreamCreate");
      require(cusolverDnCreate(&one.handle), "cusolverDnCreate");
      require(cusolverDnSetStream(one.handle, one.stream), "cusolverDnSetStream");
    }
  }

#define TALUS_CUSOLVER(letter, P, T)                                                                        \
  void run(measure::potrf<T>, const problem<T>& p, int copy) const {                                        \
    int elements = 0;                                                                                       \
    require(cusolverDn##P##potrf_bufferSize(lanes_[0].handle, stored_triangle(p), p.n, theirs(p.A(copy)),   \
                                            p.n, &elements),                                                \
            "cusolverDn" #P "potrf_bufferSize");                                                            \
    for (std::int64_t b = 0; b < p.batch; ++b) {                                                            \
      lane& one = lanes_[b % count];                                                                        \
      require(cusolverDn##P##potrf(one.handle, stored_triangle(p), p.n, theirs(p.A(copy, b)), p.n,          \
                                   theirs(one.work.of<T>(elements)), elements, p.info() + b),               \
              "cusolverDn" #P "potrf");                                                                     \
    }                                                                                                       \
  }                                                                                                         \
  void run(measure::geqrf<T>, const problem<T>& p, int copy) const {                                        \
    int elements = 0;                                                                                       \
    require(cusolverDn##P##geqrf_bufferSize(lanes_[0].handle, p.m, p.n, theirs(p.A(copy)), p.m, &elements), \
            "cusolverDn" #P "geqrf_bufferSize");                                                            \
    for (std::int64_t b = 0; b < p.batch; ++b) {                                                            \
      lane& one = lanes_[b % count];                                                                        \
      require(cusolverDn##P##geqrf(one.handle, p.m, p.n, theirs(p.A(copy, b)), p.m, theirs(p.tau(copy, b)), \
                                   theirs(one.work.of<T>(elements)), elements, p.info() + b),               \
              "cusolverDn" #P "geqrf");                                                                     \
    }                                                                                                       \
  }
  TALUS_FOR_ALL_LETTERS(TALUS_CUSOLVER)
#undef TALUS_CUSOLVER

 private:
  static constexpr int count = 8;
  struct lane {
    cudaStream_t stream = nullptr;
    cusolverDnHandle_t handle = nullptr;
    shared_work work = {};
  };
  mutable lane lanes_[count];
};
#endif

#ifdef TALUS_WITH_CUBLAS
class cublas {
 public:
  static constexpr const char* name = "cublas";
  cublas() { require(cublasCreate(&handle_), "cublasCreate"); }

  // Of potrs L Y = B, then L^H X = Y; from the upper triangle U^H Y = B, then U X = Y. Of trsm the first.
#define TALUS_CUBLAS(letter, P, T)                                                                           \
  void solve(const problem<T>& p, int copy, bool plain) const {                                              \
    T one = 1;                                                                                               \
    require(cublas##P##trsmBatched(handle_, CUBLAS_SIDE_LEFT, stored_triangle(p),                            \
                                   plain ? CUBLAS_OP_N : CUBLAS_OP_C, CUBLAS_DIAG_NON_UNIT, p.n, p.nrhs,     \
                                   theirs(&one), theirs(p.A_array(copy)), p.n, theirs(p.B_array(copy)), p.n, \
                                   count_of(p)),                                                             \
            "cublas" #P "trsmBatched");                                                                      \
  }                                                                                                          \
  void run(measure::trsm<T>, const problem<T>& p, int copy) const { solve(p, copy, p.uplo == uplo::lower); } \
  void run(measure::potrs<T>, const problem<T>& p, int copy) const {                                         \
    for (const bool plain : {p.uplo == uplo::lower, p.uplo == uplo::upper}) solve(p, copy, plain);           \
  }                                                                                                          \
  /* It pivots where it is given room for pivots: n for each matrix, one vector behind the other. */         \
  void run(measure::getrf<T>, const problem<T>& p, int copy) const {                                         \
    require(cublas##P##getrfBatched(handle_, p.n, theirs(p.A_array(copy)), p.n, p.ipiv(copy), p.info(),      \
                                    count_of(p)),                                                            \
            "cublas" #P "getrfBatched");                                                                     \
  }                                                                                                          \
  void run(measure::getrf_nopiv<T>, const problem<T>& p, int copy) const {                                   \
    require(                                                                                                 \
        cublas##P##getrfBatched(handle_, p.n, theirs(p.A_array(copy)), p.n, nullptr, p.info(), count_of(p)), \
        "cublas" #P "getrfBatched without pivots");                                                          \
  }                                                                                                          \
  void run(measure::getrs<T>, const problem<T>& p, int copy) const {                                         \
    int status = 0; /* of the call's arguments, on the host */                                               \
    require(cublas##P##getrsBatched(handle_, CUBLAS_OP_N, p.n, p.nrhs, theirs(p.A_array(copy)), p.n,         \
                                    p.ipiv(copy), theirs(p.B_array(copy)), p.n, &status, count_of(p)),       \
            "cublas" #P "getrsBatched");                                                                     \
  }                                                                                                          \
  void run(measure::getri_outofplace<T>, const problem<T>& p, int copy) const {                              \
    require(cublas##P##getriBatched(handle_, p.n, theirs(p.A_array(copy)), p.n, p.ipiv(copy),                \
                                    theirs(p.B_array(copy)), p.n, p.info(), count_of(p)),                    \
            "cublas" #P "getriBatched");                                                                     \
  }                                                                                                          \
  void run(measure::geqrf<T>, const problem<T>& p, int copy) const {                                         \
    int status = 0; /* of the call's arguments, on the host */                                               \
    require(cublas##P##geqrfBatched(handle_, p.m, p.n, theirs(p.A_array(copy)), p.m,                         \
                                    theirs(p.tau_array(copy)), &status, count_of(p)),                        \
            "cublas" #P "geqrfBatched");                                                                     \
  }                                                                                                          \
  void run(measure::gels<T>, const problem<T>& p, int copy) const {                                          \
    int status = 0; /* of the call's arguments, on the host */                                               \
    require(cublas##P##gelsBatched(handle_, CUBLAS_OP_N, p.m, p.n, p.nrhs, theirs(p.A_array(copy)), p.m,     \
                                   theirs(p.B_array(copy)), p.ldb(), &status, p.info(), count_of(p)),        \
            "cublas" #P "gelsBatched");                                                                      \
  }
  TALUS_FOR_ALL_LETTERS(TALUS_CUBLAS)
#undef TALUS_CUBLAS
  template <class T>
  void run(measure::gesv<T>, const problem<T>& p, int copy) const {
    run(measure::getrf<T>(), p, copy);
    run(measure::getrs<T>(), p, copy);
  }

 private:
  cublasHandle_t handle_ = nullptr;
};
#endif

#ifdef TALUS_WITH_MAGMA
class magma {
 public:
  static constexpr const char* name = "magma";
  magma() {
    require(magma_init(), "magma_init");
    int device = 0;
    gpu::check(cudaGetDevice(&device), "cudaGetDevice");
    magma_queue_create_from_cuda(device, nullptr, nullptr, nullptr, &queue_);
  }

#define TALUS_MAGMA(P, LETTER, T)                                                                            \
  void run(measure::potrf<T>, const problem<T>& p, int copy) const {                                         \
    require(magma_##P##potrf_batched(triangle(p), p.n, theirs(p.A_array(copy)), p.n, p.info(), count_of(p),  \
                                     queue_),                                                                \
            "magma_" #P "potrf_batched");                                                                    \
  }                                                                                                          \
  void run(measure::potrs<T>, const problem<T>& p, int copy) const {                                         \
    require(magma_##P##potrs_batched(triangle(p), p.n, p.nrhs, theirs(p.A_array(copy)), p.n,                 \
                                     theirs(p.B_array(copy)), p.n, count_of(p), queue_),                     \
            "magma_" #P "potrs_batched");                                                                    \
  }                                                                                                          \
  void run(measure::posv<T>, const problem<T>& p, int copy) const {                                          \
    require(magma_##P##posv_batched(triangle(p), p.n, p.nrhs, theirs(p.A_array(copy)), p.n,                  \
                                    theirs(p.B_array(copy)), p.n, p.info(), count_of(p), queue_),            \
            "magma_" #P "posv_batched");                                                                     \
  }                                                                                                          \
  void run(measure::potrf_vbatched<T>, const variable_problem<T>& p, int copy) const {                       \
    if (p.uplo != uplo::lower) throw std::runtime_error("it serves the lower triangle only");                \
    require(magma_##P##potrf_vbatched(MagmaLower, p.n_array(), theirs(p.A_array(copy)), p.m_array(),         \
                                      p.info(), count_of(p), queue_),                                        \
            "magma_" #P "potrf_vbatched");                                                                   \
  }                                                                                                          \
  void run(measure::getrf<T>, const problem<T>& p, int copy) const {                                         \
    require(magma_##P##getrf_batched(p.m, p.n, theirs(p.A_array(copy)), p.m, p.ipiv_array(copy), p.info(),   \
                                     count_of(p), queue_),                                                   \
            "magma_" #P "getrf_batched");                                                                    \
  }                                                                                                          \
  void run(measure::getrf_nopiv<T>, const problem<T>& p, int copy) const {                                   \
    require(magma_##P##getrf_nopiv_batched(p.m, p.n, theirs(p.A_array(copy)), p.m, p.info(), count_of(p),    \
                                           queue_),                                                          \
            "magma_" #P "getrf_nopiv_batched");                                                              \
  }                                                                                                          \
  void run(measure::getrs<T>, const problem<T>& p, int copy) const {                                         \
    require(magma_##P##getrs_batched(MagmaNoTrans, p.n, p.nrhs, theirs(p.A_array(copy)), p.n,                \
                                     p.ipiv_array(copy), theirs(p.B_array(copy)), p.n, count_of(p), queue_), \
            "magma_" #P "getrs_batched");                                                                    \
  }                                                                                                          \
  void run(measure::gesv<T>, const problem<T>& p, int copy) const {                                          \
    require(magma_##P##gesv_batched(p.n, p.nrhs, theirs(p.A_array(copy)), p.n, p.ipiv_array(copy),           \
                                    theirs(p.B_array(copy)), p.n, p.info(), count_of(p), queue_),            \
            "magma_" #P "gesv_batched");                                                                     \
  }                                                                                                          \
  void run(measure::getri_outofplace<T>, const problem<T>& p, int copy) const {                              \
    require(                                                                                                 \
        magma_##P##getri_outofplace_batched(p.n, theirs(p.A_array(copy)), p.n, p.ipiv_array(copy),           \
                                            theirs(p.B_array(copy)), p.n, p.info(), count_of(p), queue_),    \
        "magma_" #P "getri_outofplace_batched");                                                             \
  }                                                                                                          \
  void run(measure::getrf_vbatched<T>, const variable_problem<T>& p, int copy) const {                       \
    require(magma_##P##getrf_vbatched(p.m_array(), p.n_array(), theirs(p.A_array(copy)), p.m_array(),        \
                                      p.ipiv_array(copy), p.info(), count_of(p), queue_),                    \
            "magma_" #P "getrf_vbatched");                                                                   \
  }                                                                                                          \
  void run(measure::geqrf<T>, const problem<T>& p, int copy) const {                                         \
    require(magma_##P##geqrf_batched(p.m, p.n, theirs(p.A_array(copy)), p.m, theirs(p.tau_array(copy)),      \
                                     p.info(), count_of(p), queue_),                                         \
            "magma_" #P "geqrf_batched");                                                                    \
  }
  TALUS_FOR_ALL_LETTERS(TALUS_MAGMA)
#undef TALUS_MAGMA

 private:
  template <class T>
  static magma_uplo_t triangle(const problem<T>& p) {
    return p.uplo == uplo::lower ? MagmaLower : MagmaUpper;
  }
  magma_queue_t queue_ = nullptr;
};
#endif

/// Made when it is first needed; never destroyed, as at the program's end the GPU may be gone before it.
template <class Library>
const Library& the() {
  static const Library* const one = new Library;
  return *one;
}

template <class Library, class R>
void add_peer(ways_of<R>& peers, const typename R::problem& of) {
  constexpr const peer* known = find_peer<R>(Library::name);
  if constexpr (known != nullptr) {
    if (!known->serves(of)) return;
    peers.push_back({Library::name, known->how, known->writes_info,
                     [](const typename R::problem& p, int copy) { the<Library>().run(R(), p, copy); }});
  }
}

/// The peers of this build that serve a routine on a problem.
template <class R>
ways_of<R> cuda_peers([[maybe_unused]] const typename R::problem& p) {
  ways_of<R> peers;
#ifdef TALUS_WITH_CUSOLVER
  add_peer<cusolver, R>(peers, p);
  add_peer<cusolver_streams, R>(peers, p);
#endif
#ifdef TALUS_WITH_CUBLAS
  add_peer<cublas, R>(peers, p);
#endif
#ifdef TALUS_WITH_MAGMA
  add_peer<magma, R>(peers, p);
#endif
  return peers;
}

}  // namespace talus::bench
