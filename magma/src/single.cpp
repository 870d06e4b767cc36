// One matrix, for programs that call MAGMA so where they have no batch. Ahead of MAGMA, whose own routines
// call these names, too, they are MAGMA's.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>

#include "precision.hpp"
#include "sizes.hpp"

using namespace talus::magma;

namespace {

/// MAGMA's routines of one matrix have no queue: the default stream, which waits for other streams.
constexpr cudaStream_t default_stream = nullptr;

int copied(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return status_of(cudaMemcpy(to, from, bytes, kind));
}

void print(float value) { std::printf(" %10.4f", static_cast<double>(value)); }
void print(double value) { std::printf(" %10.4f", value); }
/// Without a blank before the sign, which would begin another number.
template <class Real>
void print(std::complex<Real> value) {
  std::printf(" %10.4f%+.4fi", static_cast<double>(value.real()), static_cast<double>(value.imag()));
}

}  // namespace

extern "C" {

magma_int_t TALUS_MAGMA_NAME(getrf_gpu)(magma_int_t m, magma_int_t n, M* dA, magma_int_t ldda,
                                        magma_int_t* ipiv, magma_int_t* info) {
  static const auto theirs = in_magma(&TALUS_MAGMA_NAME(getrf_gpu), __func__);
  if (theirs) return theirs(m, n, dA, ldda, ipiv, info);
  int found = 0;
  *info = call(__func__).require(1, m >= 0).require(2, n >= 0).require(4, ldda >= std::max(1, m)).run([&] {
    const std::size_t pivots = static_cast<std::size_t>(std::min(m, n));
    const scratch memory(default_stream, sizeof(int) * (pivots + 1));
    if (memory.status != 0) return memory.status;
    int* const on_device = memory.as<int>();
    const int status =
        talus::getrf_strided_batched(m, n, to_talus(dA), ldda, 0, on_device + 1, std::int64_t{0}, on_device,
                                     1, talus::queue::cuda(default_stream));
    if (status != 0) return status;
    if (const int failed = copied(&found, on_device, sizeof(int), cudaMemcpyDeviceToHost)) return failed;
    return copied(ipiv, on_device + 1, sizeof(int) * pivots, cudaMemcpyDeviceToHost);
  });
  if (*info == 0) *info = found;
  return *info;
}

magma_int_t TALUS_MAGMA_NAME(getrs_gpu)(magma_trans_t trans, magma_int_t n, magma_int_t nrhs, M* dA,
                                        magma_int_t ldda, magma_int_t* ipiv, M* dB, magma_int_t lddb,
                                        magma_int_t* info) {
  static const auto theirs = in_magma(&TALUS_MAGMA_NAME(getrs_gpu), __func__);
  if (theirs) return theirs(trans, n, nrhs, dA, ldda, ipiv, dB, lddb, info);
  *info = call(__func__)
              .require(1, to_op(trans) != talus::op{})
              .require(2, n >= 0)
              .require(3, nrhs >= 0)
              .require(5, ldda >= std::max(1, n))
              .require(8, lddb >= std::max(1, n))
              .run([&] {
                const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(n);
                const scratch memory(default_stream, bytes);
                if (memory.status != 0) return memory.status;
                int* const on_device = memory.as<int>();
                if (const int failed = copied(on_device, ipiv, bytes, cudaMemcpyHostToDevice)) return failed;
                const int status = talus::getrs_strided_batched<T>(
                    to_op(trans), n, nrhs, to_talus(dA), ldda, 0, on_device, 0, to_talus(dB), lddb, 0,
                    nullptr, 1, talus::queue::cuda(default_stream));
                if (status != 0) return status;
                return status_of(cudaStreamSynchronize(default_stream));
              });
  return *info;
}

void TALUS_MAGMA_NAME(gemv)(magma_trans_t transA, magma_int_t m, magma_int_t n, M alpha, M const* dA,
                            magma_int_t ldda, M const* dx, magma_int_t incx, M beta, M* dy, magma_int_t incy,
                            magma_queue_t queue) {
  static const auto theirs = in_magma(&TALUS_MAGMA_NAME(gemv), __func__);
  if (theirs) return theirs(transA, m, n, alpha, dA, ldda, dx, incx, beta, dy, incy, queue);
  call(__func__)
      .require(1, to_op(transA) != talus::op{})
      .require(2, m >= 0)
      .require(3, n >= 0)
      .require(6, ldda >= std::max(1, m))
      .require(8, incx != 0)
      .require(11, incy != 0)
      .run([&] {
        const cudaStream_t stream = stream_of(queue);
        const scratch memory(stream, 3 * sizeof(T*));
        if (memory.status != 0) return memory.status;
        T** const pointers = memory.as<T*>();
        const void* const places[] = {dA, dx, dy};
        for (int i = 0; i < 3; ++i) {
          if (const int status =
                  set_pointers(reinterpret_cast<void**>(pointers + i), places[i], 0, 0, 1, stream))
            return status;
        }
        return gemv_of_equal_sizes(to_op(transA), m, n, number(alpha), pointers, ldda, pointers + 1, incx,
                                   number(beta), pointers + 2, incy, 1, queue);
      });
}

void TALUS_MAGMA_NAME(print_gpu)(magma_int_t m, magma_int_t n, M const* dA, magma_int_t ldda,
                                 magma_queue_t queue) {
  static const auto theirs = in_magma(&TALUS_MAGMA_NAME(print_gpu), __func__);
  if (theirs) return theirs(m, n, dA, ldda, queue);
  call c(__func__);
  c.require(1, m >= 0).require(2, n >= 0).require(4, ldda >= std::max(1, m));
  std::unique_ptr<T[]> A;
  if (c.is_fine()) {
    A.reset(new (std::nothrow) T[static_cast<std::size_t>(m) * static_cast<std::size_t>(n)]);
    if (!A) c.found(MAGMA_ERR_HOST_ALLOC);
  }
  c.run([&] {
    const auto bytes = [](int elements) { return sizeof(T) * static_cast<std::size_t>(elements); };
    if (m > 0 && n > 0) {
      const cudaStream_t stream = stream_of(queue);
      if (const int failed =
              status_of(cudaMemcpy2DAsync(A.get(), bytes(m), dA, bytes(ldda), bytes(m),
                                          static_cast<std::size_t>(n), cudaMemcpyDeviceToHost, stream)))
        return failed;
      if (const int failed = status_of(cudaStreamSynchronize(stream))) return failed;
    }
    std::printf("[\n");
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j)
        print(A[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(m)]);
      std::printf("\n");
    }
    std::printf("];\n");
    return 0;
  });
}

}  // extern "C"
