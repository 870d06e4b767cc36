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

}  // namespace talus::magma
