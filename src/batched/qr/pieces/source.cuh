// What kernels of QR are asked for, and where those of geqrf have tau from: of equal sizes it is an argument,
// of mixed sizes their source has it.
#pragma once

#include "batch.hpp"
#include "gpu/equal_sizes.cuh"
#include "gpu/launch.cuh"

namespace talus::cuda::householder {

/// geqrf.
template <class T>
struct factor_only {
  vectors<T> tau;
};

/// qr: R is written, and thin Q.
template <class T>
struct factor_and_form_q {
  batch<T> R;
};

/// orgqr, with k reflectors.
template <class T>
struct form_q_only {
  vectors<const T> tau;
  int k;
};

/// ormqr, with as many reflectors as A has columns.
template <class T>
struct multiply_by_q {
  side where;
  bool adjoint;
  vectors<const T> tau;
  batch<T> C;
};

/// gels, where A is no wider than it is tall and is not transposed: B beside it.
template <class T>
struct solve_least_squares {
  batch<T> B;
};

/// Whether reflectors are made, else they are there; and whether A becomes columns of Q.
template <class Then>
constexpr bool factors = true;
template <class T>
constexpr bool factors<form_q_only<T>> = false;
template <class T>
constexpr bool factors<multiply_by_q<T>> = false;
template <class Then>
constexpr bool forms_q = false;
template <class T>
constexpr bool forms_q<factor_and_form_q<T>> = true;
template <class T>
constexpr bool forms_q<form_q_only<T>> = true;

/// Whether there are right-hand sides.
template <class Then>
constexpr bool solves = false;
template <class T>
constexpr bool solves<solve_least_squares<T>> = true;

template <class Source, class Then>
__device__ auto tau_of(const Source& source, const Then& then, std::int64_t b) {
  if constexpr (Source::equal) {
    return then.tau[b];
  } else {
    return source.check.tau[b];
  }
}

}  // namespace talus::cuda::householder
