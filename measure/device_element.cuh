// Elements on the device: what the bench's kernels take in place of std::complex.
#pragma once

#include <cuda_runtime.h>

#include <complex>

#include "measure/problem.hpp"

namespace talus::measure::gpu {

__device__ inline void store(float* p, element e) { *p = static_cast<float>(e.re); }
__device__ inline void store(double* p, element e) { *p = e.re; }
__device__ inline void store(float2* p, element e) {
  *p = make_float2(static_cast<float>(e.re), static_cast<float>(e.im));
}
__device__ inline void store(double2* p, element e) { *p = make_double2(e.re, e.im); }

inline float* plain(float* p) { return p; }
inline double* plain(double* p) { return p; }
inline float2* plain(std::complex<float>* p) { return reinterpret_cast<float2*>(p); }
inline double2* plain(std::complex<double>* p) { return reinterpret_cast<double2*>(p); }

/// The same for constants and arrays of pointers.
template <class T>
using plain_type = std::remove_pointer_t<decltype(plain(static_cast<T*>(nullptr)))>;

}  // namespace talus::measure::gpu
