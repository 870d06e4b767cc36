// cuBLAS's batched routines by type, to stand beside the clients' calls: cublas<double>::getrf is
// cublasDgetrfBatched. Empty where cuBLAS was not found.
#pragma once

#ifdef CLIENT_WITH_CUBLAS
#include <cublas_v2.h>

#include <complex>
#include <stdexcept>
#include <string>

namespace client {

template <class T>
struct cublas;

#define CLIENT_CUBLAS_BY_TYPE(X, T)                        \
  template <>                                              \
  struct cublas<T> {                                       \
    static constexpr auto getrf = cublas##X##getrfBatched; \
    static constexpr auto getrs = cublas##X##getrsBatched; \
    static constexpr auto getri = cublas##X##getriBatched; \
    static constexpr auto gemm = cublas##X##gemmBatched;   \
  };
CLIENT_CUBLAS_BY_TYPE(S, float)
CLIENT_CUBLAS_BY_TYPE(D, double)
CLIENT_CUBLAS_BY_TYPE(C, std::complex<float>)
CLIENT_CUBLAS_BY_TYPE(Z, std::complex<double>)
#undef CLIENT_CUBLAS_BY_TYPE

inline void check_cublas(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

/// cuBLAS on a stream.
class cublas_handle {
 public:
  explicit cublas_handle(cudaStream_t stream) {
    check_cublas(cublasCreate(&handle_), "cublasCreate");
    check_cublas(cublasSetStream(handle_, stream), "cublasSetStream");
  }
  ~cublas_handle() { cublasDestroy(handle_); }
  cublas_handle(const cublas_handle&) = delete;
  cublas_handle& operator=(const cublas_handle&) = delete;
  operator cublasHandle_t() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace client
#endif
