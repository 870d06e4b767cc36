// The one precision that a file is compiled for: the names and types of its routines.
#pragma once

#include <complex>
#include <type_traits>

#include "call.hpp"
#include "talus/batched.hpp"

#define TALUS_MAGMA_X TALUS_PREFIX

namespace talus::magma {

using T = TALUS_T;
using R = real_type<T>;
/// The element type of MAGMA's functions.
using M =
    std::conditional_t<std::is_same_v<T, R>, T,
                       std::conditional_t<std::is_same_v<R, float>, magmaFloatComplex, magmaDoubleComplex>>;

/// y_b := alpha op(A_b) x_b + beta y_b of equal sizes, which a routine of mixed sizes does (batched.cpp).
int gemv_of_equal_sizes(talus::op op, int m, int n, T alpha, const T* const* A_array, int lda,
                        const T* const* x_array, int incx, T beta, T* const* y_array, int incy,
                        magma_int_t batch_count, magma_queue_t queue);

}  // namespace talus::magma
