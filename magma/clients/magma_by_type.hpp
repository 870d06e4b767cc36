// MAGMA's routines by type: by_type<double>::getrf_batched is magma_dgetrf_batched. T is what the host
// computes with; element is MAGMA's type of the same layout.
#pragma once

#include <magma_v2.h>

#include <complex>
#include <cstring>

namespace client {

template <class T>
struct by_type;

#define CLIENT_MAGMA_BY_TYPE(x, T, M)                                                                   \
  template <>                                                                                           \
  struct by_type<T> {                                                                                   \
    using element = M;                                                                                  \
    static constexpr auto set_pointer = magma_##x##set_pointer;                                         \
    static constexpr auto getrf_batched = magma_##x##getrf_batched;                                     \
    static constexpr auto getrs_batched = magma_##x##getrs_batched;                                     \
    static constexpr auto getri_outofplace_batched = magma_##x##getri_outofplace_batched;               \
    static constexpr auto gemm_batched_strided = magmablas_##x##gemm_batched_strided;                   \
    static constexpr auto gemv_batched = magmablas_##x##gemv_batched;                                   \
    static constexpr auto getrf_vbatched_max_nocheck_work = magma_##x##getrf_vbatched_max_nocheck_work; \
    static constexpr auto getrf_nopiv_vbatched = magma_##x##getrf_nopiv_vbatched;                       \
    static constexpr auto getrf_nopiv_expert_vbatched = magma_##x##getrf_nopiv_expert_vbatched;         \
    static constexpr auto trsm_vbatched_nocheck = magmablas_##x##trsm_vbatched_nocheck;                 \
    static constexpr auto trsm_vbatched_max_nocheck = magmablas_##x##trsm_vbatched_max_nocheck;         \
    static constexpr auto gemm_vbatched_max_nocheck = magmablas_##x##gemm_vbatched_max_nocheck;         \
    static constexpr auto gemv_vbatched_max_nocheck = magmablas_##x##gemv_vbatched_max_nocheck;         \
    static constexpr auto getrf_gpu = magma_##x##getrf_gpu;                                             \
    static constexpr auto getrs_gpu = magma_##x##getrs_gpu;                                             \
    static constexpr auto gemv = magma_##x##gemv;                                                       \
  };
CLIENT_MAGMA_BY_TYPE(s, float, float)
CLIENT_MAGMA_BY_TYPE(d, double, double)
CLIENT_MAGMA_BY_TYPE(c, std::complex<float>, magmaFloatComplex)
CLIENT_MAGMA_BY_TYPE(z, std::complex<double>, magmaDoubleComplex)
#undef CLIENT_MAGMA_BY_TYPE

template <class T>
using element_of = typename by_type<T>::element;

/// A number as MAGMA takes it.
template <class T>
element_of<T> scalar(T value) {
  element_of<T> number;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

}  // namespace client
