// Peers on the GPU: cuSOLVER, cuBLAS and MAGMA, each where it was found when this was configured. All of
// them run on the default stream. A library says by overloads of run(description, problem, copy) how it does
// what a description says that it has.
#pragma once

#include <climits>
#include <complex>

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
  }
  TALUS_FOR_ALL_LETTERS(TALUS_CUSOLVER)
#undef TALUS_CUSOLVER
  template <class T>
  void run(measure::posv<T>, const problem<T>& p, int copy) const {
    run(measure::potrf<T>(), p, copy);
    run(measure::potrs<T>(), p, copy);
  }

 private:
  cusolverDnHandle_t handle_ = nullptr;
  array<int> status_;  // of the call's arguments, on the device
};
#endif

#ifdef TALUS_WITH_CUBLAS
class cublas {
 public:
  static constexpr const char* name = "cublas";
  cublas() { require(cublasCreate(&handle_), "cublasCreate"); }

  /// L Y = B, then L^H X = Y; from the upper triangle U^H Y = B, then U X = Y.
#define TALUS_CUBLAS(letter, P, T)                                                                         \
  void run(measure::potrs<T>, const problem<T>& p, int copy) const {                                       \
    const bool lower = p.uplo == uplo::lower;                                                              \
    T one = 1;                                                                                             \
    for (const bool plain : {lower, !lower})                                                               \
      require(cublas##P##trsmBatched(handle_, CUBLAS_SIDE_LEFT, stored_triangle(p),                        \
                                     plain ? CUBLAS_OP_N : CUBLAS_OP_C, CUBLAS_DIAG_NON_UNIT, p.n, p.nrhs, \
                                     theirs(&one), theirs(p.A_array(copy)), p.n, theirs(p.B_array(copy)),  \
                                     p.n, count_of(p)),                                                    \
              "cublas" #P "trsmBatched");                                                                  \
  }
  TALUS_FOR_ALL_LETTERS(TALUS_CUBLAS)
#undef TALUS_CUBLAS

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

#define TALUS_MAGMA(P, LETTER, T)                                                                           \
  void run(measure::potrf<T>, const problem<T>& p, int copy) const {                                        \
    require(magma_##P##potrf_batched(triangle(p), p.n, theirs(p.A_array(copy)), p.n, p.info(), count_of(p), \
                                     queue_),                                                               \
            "magma_" #P "potrf_batched");                                                                   \
  }                                                                                                         \
  void run(measure::potrs<T>, const problem<T>& p, int copy) const {                                        \
    require(magma_##P##potrs_batched(triangle(p), p.n, p.nrhs, theirs(p.A_array(copy)), p.n,                \
                                     theirs(p.B_array(copy)), p.n, count_of(p), queue_),                    \
            "magma_" #P "potrs_batched");                                                                   \
  }                                                                                                         \
  void run(measure::posv<T>, const problem<T>& p, int copy) const {                                         \
    require(magma_##P##posv_batched(triangle(p), p.n, p.nrhs, theirs(p.A_array(copy)), p.n,                 \
                                    theirs(p.B_array(copy)), p.n, p.info(), count_of(p), queue_),           \
            "magma_" #P "posv_batched");                                                                    \
  }                                                                                                         \
  void run(measure::potrf_vbatched<T>, const variable_problem<T>& p, int copy) const {                      \
    if (p.uplo != uplo::lower) throw std::runtime_error("it serves the lower triangle only");               \
    require(magma_##P##potrf_vbatched(MagmaLower, p.n_array(), theirs(p.A_array(copy)), p.m_array(),        \
                                      p.info(), count_of(p), queue_),                                       \
            "magma_" #P "potrf_vbatched");                                                                  \
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
void add_peer(ways_of<R>& peers, int nrhs) {
  constexpr const peer* known = find_peer<R>(Library::name);
  if constexpr (known != nullptr) {
    if (nrhs > known->nrhs_max) return;
    peers.push_back({Library::name, known->how, known->writes_info,
                     [](const typename R::problem& p, int copy) { the<Library>().run(R(), p, copy); }});
  }
}

/// The peers of this build that serve a routine.
template <class R>
ways_of<R> cuda_peers([[maybe_unused]] int nrhs) {
  ways_of<R> peers;
#ifdef TALUS_WITH_CUSOLVER
  add_peer<cusolver, R>(peers, nrhs);
#endif
#ifdef TALUS_WITH_CUBLAS
  add_peer<cublas, R>(peers, nrhs);
#endif
#ifdef TALUS_WITH_MAGMA
  add_peer<magma, R>(peers, nrhs);
#endif
  return peers;
}

}  // namespace talus::bench
