// The routines that can be measured: one line each.
#pragma once

#include <cstddef>
#include <string>

#include "problem.hpp"
#include "talus/batched.hpp"

namespace talus::bench {

template <class T>
struct routine {
  const char* name;
  bool takes_factor;  // A is what potrf left, instead of the matrix
  bool writes_A;
  bool has_B;  // right-hand sides, overwritten by the solution
  double (*flops)(double n, double nrhs);
  int (*run)(const problem<T>& p, int copy, queue q);  // by talus; returns its status
};

template <class T>
inline const routine<T> routines[] = {
    {"potrf", false, true, false, [](double n, double) { return potrf_flops<T>(n); },
     [](const problem<T>& p, int c, queue q) {
       return potrf_strided_batched(p.uplo, p.n, p.A(c), p.n, p.stride_A(), p.info(), p.batch, q);
     }},
    {"potrs", true, false, true, [](double n, double nrhs) { return potrs_flops<T>(n, nrhs); },
     [](const problem<T>& p, int c, queue q) {
       return potrs_strided_batched<T>(p.uplo, p.n, p.nrhs, p.A(c), p.n, p.stride_A(), p.B(c), p.n,
                                       p.stride_B(), p.info(), p.batch, q);
     }},
    {"posv", false, true, true,
     [](double n, double nrhs) { return potrf_flops<T>(n) + potrs_flops<T>(n, nrhs); },
     [](const problem<T>& p, int c, queue q) {
       return posv_strided_batched(p.uplo, p.n, p.nrhs, p.A(c), p.n, p.stride_A(), p.B(c), p.n, p.stride_B(),
                                   p.info(), p.batch, q);
     }},
    {"potri", true, true, false, [](double n, double) { return potri_flops<T>(n); },
     [](const problem<T>& p, int c, queue q) {
       return potri_strided_batched(p.uplo, p.n, p.A(c), p.n, p.stride_A(), p.info(), p.batch, q);
     }},
};

/// Null if there is none of that name.
template <class T>
const routine<T>* find_routine(const std::string& name) {
  for (const routine<T>& r : routines<T>) {
    if (name == r.name) return &r;
  }
  return nullptr;
}

}  // namespace talus::bench
