// Peers on the GPU: cuSOLVER, cuBLAS and MAGMA, each where it was found when this was configured. All of them
// run on the default stream. A library says by overloads of run(description, problem, copy) how it does what a
// description says that it has.
#pragma once

#include <climits>
#include <complex>

#include "measure/check_cuda.cuh"
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
int batch_as_int(const Problem& p) {
  if (p.batch > INT_MAX) throw std::runtime_error("a batch is limited to 2^31 - 1 matrices");
  return static_cast<int>(p.batch);
}

// The libraries' own complex types have the layout of std::complex.
inline float** theirs(float** A) { return A; }
inline double** theirs(double** A) { return A; }
inline float2** theirs(std::complex<float>** A) { return reinterpret_cast<float2**>(A); }
inline double2** theirs(std::complex<double>** A) { return reinterpret_cast<double2**>(A); }

// ---- cuSOLVER ------------------------------------------------------------------------------------
#ifdef TALUS_WITH_CUSOLVER

inline void check_cusolver(cusolverStatus_t status, const char* what) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": cuSOLVER's status " +
                             std::to_string(static_cast<int>(status)));
}

#define TALUS_CUSOLVER(P, E)                                                                               \
  inline cusolverStatus_t cusolver_potrf(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, E** A,        \
                                         int* info, int batch) {                                           \
    return cusolverDn##P##potrfBatched(h, uplo, n, A, n, info, batch);                                     \
  }                                                                                                        \
  inline cusolverStatus_t cusolver_potrs(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, E** A, E** B, \
                                         int* status, int batch) {                                         \
    return cusolverDn##P##potrsBatched(h, uplo, n, 1, A, n, B, n, status, batch);                          \
  }
TALUS_CUSOLVER(S, float)
TALUS_CUSOLVER(D, double)
TALUS_CUSOLVER(C, cuComplex)
TALUS_CUSOLVER(Z, cuDoubleComplex)
#undef TALUS_CUSOLVER

class cusolver {
 public:
  static constexpr const char* name = "cusolver";
  cusolver() : status_(backend::cuda, 1) { check_cusolver(cusolverDnCreate(&handle_), "cusolverDnCreate"); }

  template <class T>
  void run(measure::potrf<T>, const problem<T>& p, int copy) const {
    check_cusolver(
        cusolver_potrf(handle_, triangle(p), p.n, theirs(p.A_array(copy)), p.info(), batch_as_int(p)),
        "potrfBatched");
  }
  template <class T>
  void run(measure::potrs<T>, const problem<T>& p, int copy) const {
    check_cusolver(cusolver_potrs(handle_, triangle(p), p.n, theirs(p.A_array(copy)), theirs(p.B_array(copy)),
                                  status_.data(), batch_as_int(p)),
                   "potrsBatched");
  }
  template <class T>
  void run(measure::posv<T>, const problem<T>& p, int copy) const {
    run(measure::potrf<T>(), p, copy);
    run(measure::potrs<T>(), p, copy);
  }

 private:
  template <class T>
  static cublasFillMode_t triangle(const problem<T>& p) {
    return p.uplo == uplo::lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  }
  cusolverDnHandle_t handle_ = nullptr;
  array<int> status_;  // of the call's arguments, on the device
};
#endif

// ---- cuBLAS --------------------------------------------------------------------------------------
#ifdef TALUS_WITH_CUBLAS

inline void check_cublas(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

inline float one_of(float) { return 1; }
inline double one_of(double) { return 1; }
inline cuComplex one_of(cuComplex) { return make_cuComplex(1, 0); }
inline cuDoubleComplex one_of(cuDoubleComplex) { return make_cuDoubleComplex(1, 0); }

#define TALUS_CUBLAS(P, E)                                                                                  \
  inline cublasStatus_t cublas_trsm(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t op, int n,   \
                                    int nrhs, E** A, E** B, int batch) {                                    \
    const E one = one_of(E());                                                                              \
    return cublas##P##trsmBatched(h, CUBLAS_SIDE_LEFT, uplo, op, CUBLAS_DIAG_NON_UNIT, n, nrhs, &one, A, n, \
                                  B, n, batch);                                                             \
  }
TALUS_CUBLAS(S, float)
TALUS_CUBLAS(D, double)
TALUS_CUBLAS(C, cuComplex)
TALUS_CUBLAS(Z, cuDoubleComplex)
#undef TALUS_CUBLAS

class cublas {
 public:
  static constexpr const char* name = "cublas";
  cublas() { check_cublas(cublasCreate(&handle_), "cublasCreate"); }

  /// L Y = B, then L^H X = Y; from the upper triangle U^H Y = B, then U X = Y.
  template <class T>
  void run(measure::potrs<T>, const problem<T>& p, int copy) const {
    const bool lower = p.uplo == uplo::lower;
    trsm(p, copy, lower ? CUBLAS_OP_N : CUBLAS_OP_C);
    trsm(p, copy, lower ? CUBLAS_OP_C : CUBLAS_OP_N);
  }

 private:
  template <class T>
  void trsm(const problem<T>& p, int copy, cublasOperation_t op) const {
    const auto triangle = p.uplo == uplo::lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    check_cublas(cublas_trsm(handle_, triangle, op, p.n, p.nrhs, theirs(p.A_array(copy)),
                             theirs(p.B_array(copy)), batch_as_int(p)),
                 "trsmBatched");
  }
  cublasHandle_t handle_ = nullptr;
};
#endif

// ---- MAGMA ---------------------------------------------------------------------------------------
#ifdef TALUS_WITH_MAGMA

#define TALUS_MAGMA(p, E)                                                                                   \
  inline magma_int_t magma_potrf(magma_uplo_t uplo, int n, E** A, int* info, int batch, magma_queue_t q) {  \
    return magma_##p##potrf_batched(uplo, n, A, n, info, batch, q);                                         \
  }                                                                                                         \
  inline magma_int_t magma_potrs(magma_uplo_t uplo, int n, int nrhs, E** A, E** B, int batch,               \
                                 magma_queue_t q) {                                                         \
    return magma_##p##potrs_batched(uplo, n, nrhs, A, n, B, n, batch, q);                                   \
  }                                                                                                         \
  inline magma_int_t magma_posv(magma_uplo_t uplo, int n, int nrhs, E** A, E** B, int* info, int batch,     \
                                magma_queue_t q) {                                                          \
    return magma_##p##posv_batched(uplo, n, nrhs, A, n, B, n, info, batch, q);                              \
  }                                                                                                         \
  inline magma_int_t magma_potrf_vbatched(magma_uplo_t uplo, int* n, E** A, int* lda, int* info, int batch, \
                                          magma_queue_t q) {                                                \
    return magma_##p##potrf_vbatched(uplo, n, A, lda, info, batch, q);                                      \
  }
TALUS_MAGMA(s, float)
TALUS_MAGMA(d, double)
TALUS_MAGMA(c, magmaFloatComplex)
TALUS_MAGMA(z, magmaDoubleComplex)
#undef TALUS_MAGMA

class magma {
 public:
  static constexpr const char* name = "magma";
  magma() {
    if (magma_init() != MAGMA_SUCCESS) throw std::runtime_error("magma_init failed");
    int device = 0;
    gpu::check(cudaGetDevice(&device), "cudaGetDevice");
    magma_queue_create_from_cuda(device, nullptr, nullptr, nullptr, &queue_);
  }

  template <class T>
  void run(measure::potrf<T>, const problem<T>& p, int copy) const {
    check("potrf", magma_potrf(triangle(p), p.n, theirs(p.A_array(copy)), p.info(), batch_as_int(p), queue_));
  }
  template <class T>
  void run(measure::potrs<T>, const problem<T>& p, int copy) const {
    check("potrs", magma_potrs(triangle(p), p.n, p.nrhs, theirs(p.A_array(copy)), theirs(p.B_array(copy)),
                               batch_as_int(p), queue_));
  }
  template <class T>
  void run(measure::posv<T>, const problem<T>& p, int copy) const {
    check("posv", magma_posv(triangle(p), p.n, p.nrhs, theirs(p.A_array(copy)), theirs(p.B_array(copy)),
                             p.info(), batch_as_int(p), queue_));
  }
  template <class T>
  void run(measure::potrf_vbatched<T>, const variable_problem<T>& p, int copy) const {
    if (p.uplo != uplo::lower)
      throw std::runtime_error("MAGMA's potrf_vbatched serves the lower triangle only");
    check("potrf_vbatched", magma_potrf_vbatched(MagmaLower, p.n(), theirs(p.A_array(copy)), p.lda(),
                                                 p.info(), batch_as_int(p), queue_));
  }

 private:
  template <class T>
  static magma_uplo_t triangle(const problem<T>& p) {
    return p.uplo == uplo::lower ? MagmaLower : MagmaUpper;
  }
  static void check(const char* call, magma_int_t status) {
    if (status != 0)
      throw std::runtime_error(std::string(call) + ": MAGMA's status " + std::to_string(status));
  }
  magma_queue_t queue_ = nullptr;
};
#endif

// ---- all of them ---------------------------------------------------------------------------------

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
