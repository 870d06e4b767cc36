// What Cholesky's routines tell over_batch.hpp in common.
#pragma once

#include <cstddef>

#include "batched/cholesky/backends.hpp"
#include "host/cholesky/kernels.hpp"
#include "host/cholesky/one_matrix.hpp"
#include "host/cholesky/ways.hpp"
#include "host/over_batch.hpp"
#include "validate.hpp"

namespace talus::host {

template <class T>
struct cholesky_routine {
  talus::uplo uplo;
  const cholesky_kernels<T>& kernels = lane_kernels<cholesky_kernels<T>>();

  int width() const { return kernels.width; }
  template <class E>  // T or const T
  std::size_t lanes_bytes(const matrix<E>& A) const {
    return kernels.work_bytes(A.n);
  }
};

}  // namespace talus::host
