// Peers on the GPU: cuSOLVER, cuBLAS and MAGMA, each where it was found when this was configured. All of them
// run on the default stream.
#include <climits>
#include <complex>
#include <memory>

#include "check_cuda.cuh"
#include "peers.hpp"

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
namespace {

/// These libraries count a batch in ints.
template <class Problem>
[[maybe_unused]] int batch_as_int(const Problem& p) {
  if (p.batch > INT_MAX) throw std::runtime_error("a batch is limited to 2^31 - 1 matrices");
  return static_cast<int>(p.batch);
}

// The libraries' own complex types have the layout of std::complex.
[[maybe_unused]] float** theirs(float** A) { return A; }
[[maybe_unused]] double** theirs(double** A) { return A; }
[[maybe_unused]] float2** theirs(std::complex<float>** A) { return reinterpret_cast<float2**>(A); }
[[maybe_unused]] double2** theirs(std::complex<double>** A) { return reinterpret_cast<double2**>(A); }

// ---- cuSOLVER ------------------------------------------------------------------------------------
#ifdef TALUS_WITH_CUSOLVER

void check_cusolver(cusolverStatus_t status, const char* what) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": cuSOLVER's status " +
                             std::to_string(static_cast<int>(status)));
}

#define TALUS_CUSOLVER(P, E)                                                                            \
  cusolverStatus_t cusolver_potrf(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, E** A, int* info, \
                                  int batch) {                                                          \
    return cusolverDn##P##potrfBatched(h, uplo, n, A, n, info, batch);                                  \
  }                                                                                                     \
  cusolverStatus_t cusolver_potrs(cusolverDnHandle_t h, cublasFillMode_t uplo, int n, E** A, E** B,     \
                                  int* status, int batch) {                                             \
    return cusolverDn##P##potrsBatched(h, uplo, n, 1, A, n, B, n, status, batch);                       \
  }
TALUS_CUSOLVER(S, float)
TALUS_CUSOLVER(D, double)
TALUS_CUSOLVER(C, cuComplex)
TALUS_CUSOLVER(Z, cuDoubleComplex)
#undef TALUS_CUSOLVER

class cusolver {
 public:
  cusolver() : status_(backend::cuda, 1) { check_cusolver(cusolverDnCreate(&handle_), "cusolverDnCreate"); }
  ~cusolver() { cusolverDnDestroy(handle_); }
  cusolver(const cusolver&) = delete;
  cusolver& operator=(const cusolver&) = delete;

  template <class T>
  void potrf(const problem<T>& p, int copy) const {
    check_cusolver(
        cusolver_potrf(handle_, triangle(p), p.n, theirs(p.A_array(copy)), p.info(), batch_as_int(p)),
        "potrfBatched");
  }
  template <class T>
  void potrs(const problem<T>& p, int copy) const {
    check_cusolver(cusolver_potrs(handle_, triangle(p), p.n, theirs(p.A_array(copy)), theirs(p.B_array(copy)),
                                  status_.data(), batch_as_int(p)),
                   "potrsBatched");
  }

 private:
  template <class T>
  static cublasFillMode_t triangle(const problem<T>& p) {
    return p.uplo == uplo::lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  }
  cusolverDnHandle_t handle_ = nullptr;
  array<int> status_;  // of the call's arguments, on the device
};

template <class T>
void add_cusolver(std::vector<library<T>>& peers, const std::string& routine, int nrhs) {
  const bool factors = routine == "potrf" || routine == "posv";
  const bool solves = (routine == "potrs" || routine == "posv") && nrhs == 1;  // all that potrsBatched serves
  if (routine == "posv" ? !solves : !factors && !solves) return;
  const auto handle = std::make_shared<cusolver>();
  peers.push_back(
      {"cusolver", routine == "posv" ? "potrf + potrs" : "", factors, [=](const problem<T>& p, int copy) {
         if (factors) handle->potrf(p, copy);
         if (solves) handle->potrs(p, copy);
       }});
}
#else
template <class T>
void add_cusolver(std::vector<library<T>>&, const std::string&, int) {}
#endif

// ---- cuBLAS --------------------------------------------------------------------------------------
#ifdef TALUS_WITH_CUBLAS

void check_cublas(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

inline float one_of(float) { return 1; }
inline double one_of(double) { return 1; }
inline cuComplex one_of(cuComplex) { return make_cuComplex(1, 0); }
inline cuDoubleComplex one_of(cuDoubleComplex) { return make_cuDoubleComplex(1, 0); }

#define TALUS_CUBLAS(P, E)                                                                                   \
  cublasStatus_t cublas_trsm(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t op, int n, int nrhs, \
                             E** A, E** B, int batch) {                                                      \
    const E one = one_of(E());                                                                               \
    return cublas##P##trsmBatched(h, CUBLAS_SIDE_LEFT, uplo, op, CUBLAS_DIAG_NON_UNIT, n, nrhs, &one, A, n,  \
                                  B, n, batch);                                                              \
  }
TALUS_CUBLAS(S, float)
TALUS_CUBLAS(D, double)
TALUS_CUBLAS(C, cuComplex)
TALUS_CUBLAS(Z, cuDoubleComplex)
#undef TALUS_CUBLAS

class cublas {
 public:
  cublas() { check_cublas(cublasCreate(&handle_), "cublasCreate"); }
  ~cublas() { cublasDestroy(handle_); }
  cublas(const cublas&) = delete;
  cublas& operator=(const cublas&) = delete;

  /// L Y = B, then L^H X = Y; from the upper triangle U^H Y = B, then U X = Y.
  template <class T>
  void potrs(const problem<T>& p, int copy) const {
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

template <class T>
void add_cublas(std::vector<library<T>>& peers, const std::string& routine) {
  if (routine != "potrs") return;  // it has no Cholesky
  const auto handle = std::make_shared<cublas>();
  peers.push_back(
      {"cublas", "2 trsmBatched", false, [=](const problem<T>& p, int copy) { handle->potrs(p, copy); }});
}
#else
template <class T>
void add_cublas(std::vector<library<T>>&, const std::string&) {}
#endif

// ---- MAGMA ---------------------------------------------------------------------------------------
#ifdef TALUS_WITH_MAGMA

#define TALUS_MAGMA(p, E)                                                                                 \
  magma_int_t magma_potrf(magma_uplo_t uplo, int n, E** A, int* info, int batch, magma_queue_t q) {       \
    return magma_##p##potrf_batched(uplo, n, A, n, info, batch, q);                                       \
  }                                                                                                       \
  magma_int_t magma_potrs(magma_uplo_t uplo, int n, int nrhs, E** A, E** B, int batch, magma_queue_t q) { \
    return magma_##p##potrs_batched(uplo, n, nrhs, A, n, B, n, batch, q);                                 \
  }                                                                                                       \
  magma_int_t magma_posv(magma_uplo_t uplo, int n, int nrhs, E** A, E** B, int* info, int batch,          \
                         magma_queue_t q) {                                                               \
    return magma_##p##posv_batched(uplo, n, nrhs, A, n, B, n, info, batch, q);                            \
  }                                                                                                       \
  magma_int_t magma_potrf_vbatched(magma_uplo_t uplo, int* n, E** A, int* lda, int* info, int batch,      \
                                   magma_queue_t q) {                                                     \
    return magma_##p##potrf_vbatched(uplo, n, A, lda, info, batch, q);                                    \
  }
TALUS_MAGMA(s, float)
TALUS_MAGMA(d, double)
TALUS_MAGMA(c, magmaFloatComplex)
TALUS_MAGMA(z, magmaDoubleComplex)
#undef TALUS_MAGMA

class magma {
 public:
  magma() {
    if (magma_init() != MAGMA_SUCCESS) throw std::runtime_error("magma_init failed");
    int device = 0;
    cuda::check(cudaGetDevice(&device), "cudaGetDevice");
    magma_queue_create_from_cuda(device, nullptr, nullptr, nullptr, &queue_);
  }
  ~magma() {
    magma_queue_destroy(queue_);
    magma_finalize();
  }
  magma(const magma&) = delete;
  magma& operator=(const magma&) = delete;

  template <class T>
  void run(const std::string& routine, const problem<T>& p, int copy) const {
    const magma_uplo_t triangle = p.uplo == uplo::lower ? MagmaLower : MagmaUpper;
    const int batch = batch_as_int(p);
    const auto A = theirs(p.A_array(copy)), B = theirs(p.B_array(copy));
    const magma_int_t status = routine == "potrf" ? magma_potrf(triangle, p.n, A, p.info(), batch, queue_)
                               : routine == "potrs"
                                   ? magma_potrs(triangle, p.n, p.nrhs, A, B, batch, queue_)
                                   : magma_posv(triangle, p.n, p.nrhs, A, B, p.info(), batch, queue_);
    if (status != 0) throw std::runtime_error(routine + ": MAGMA's status " + std::to_string(status));
  }

  template <class T>
  void run(const variable_problem<T>& p, int copy) const {
    if (p.uplo != uplo::lower)
      throw std::runtime_error("MAGMA's potrf_vbatched serves the lower triangle only");
    const magma_int_t status = magma_potrf_vbatched(MagmaLower, p.n(), theirs(p.A_array(copy)), p.lda(),
                                                    p.info(), batch_as_int(p), queue_);
    if (status != 0) throw std::runtime_error("potrf_vbatched: MAGMA's status " + std::to_string(status));
  }

 private:
  magma_queue_t queue_ = nullptr;
};

template <class T>
void add_magma(std::vector<library<T>>& peers, const std::string& routine) {
  if (routine != "potrf" && routine != "potrs" && routine != "posv") return;
  const auto handle = std::make_shared<magma>();
  peers.push_back({"magma", "", routine != "potrs",
                   [=](const problem<T>& p, int copy) { handle->run(routine, p, copy); }});
}
#else
template <class T>
void add_magma(std::vector<library<T>>&, const std::string&) {}
#endif

}  // namespace

template <class T>
std::vector<library<T>> cuda_peers(const std::string& routine, traffic what, int nrhs) {
  std::vector<library<T>> peers = cuda_copies<T>(what);
  add_cusolver(peers, routine, nrhs);
  add_cublas(peers, routine);
  add_magma(peers, routine);
  return peers;
}

template <class T>
std::vector<variable_library<T>> variable_cuda_peers() {
  std::vector<variable_library<T>> peers;
#ifdef TALUS_WITH_MAGMA
  const auto handle = std::make_shared<magma>();
  peers.push_back({"magma", "", true, [=](const variable_problem<T>& p, int copy) { handle->run(p, copy); }});
#endif
  return peers;
}

template std::vector<variable_library<float>> variable_cuda_peers();
template std::vector<variable_library<double>> variable_cuda_peers();
template std::vector<variable_library<std::complex<float>>> variable_cuda_peers();
template std::vector<variable_library<std::complex<double>>> variable_cuda_peers();

template std::vector<library<float>> cuda_peers(const std::string&, traffic, int);
template std::vector<library<double>> cuda_peers(const std::string&, traffic, int);
template std::vector<library<std::complex<float>>> cuda_peers(const std::string&, traffic, int);
template std::vector<library<std::complex<double>>> cuda_peers(const std::string&, traffic, int);

}  // namespace talus::bench
