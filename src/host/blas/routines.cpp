// BLAS's routines on the host: how each does a group of matrices in lanes, and one matrix alone.
#include <algorithm>

#include "batched/blas/backends.hpp"
#include "checks/blas.hpp"
#include "host/blas/kernels.hpp"
#include "host/blas/one_matrix.hpp"
#include "host/over_batch.hpp"

namespace talus::host {
namespace {

using T = TALUS_T;

struct trsm_routine {
  triangular_system<T> system;
  const blas_kernels<T>& kernels = lane_kernels<blas_kernels<T>>();

  int width() const { return kernels.width; }
  /// Whatever the number of right-hand sides.
  lanes_range range() const {
    return system.alpha == T(0) ? no_range() : lanes_range{kernels.trsm_n_max, 32, kernels.width};
  }
  std::size_t lanes_bytes(int, int n) const { return kernels.trsm_bytes(n); }
  void in_lanes(const group<const T>& A, const group<T>& B, int* infos, void* scratch) const {
    const int sides = system.side == side::left ? B.n : B.m;
    kernels.trsm(system, A.n, sides, A.of, A.lda, B.of, B.lda, scratch);
    std::fill_n(infos, kernels.width, 0);
  }
  std::size_t alone_bytes(int, int) const { return 0; }
  int alone(const matrix<const T>& A, const matrix<T>& B, void*) const {
    solve(system, A, B);
    return 0;
  }
};

struct gemm_routine : one_by_one {
  product_of<T> product;

  explicit gemm_routine(const product_of<T>& what) : product(what) {}

  std::size_t alone_bytes(int, int) const { return 0; }
  int alone(const matrix<T>& C, const matrix<const T>& A, const matrix<const T>& B, int k, void*) const {
    multiply(product, A, B, C, k);
    return 0;
  }
};

struct gemv_routine : one_by_one {
  product_with_vector<T> product;
  const blas_kernels<T>& kernels = lane_kernels<blas_kernels<T>>();

  explicit gemv_routine(const product_with_vector<T>& what) : product(what) {}

  std::size_t alone_bytes(int m, int n) const { return vector_bytes<T>(m, n); }
  int alone(const matrix<const T>& A, const T* x, int incx, T* y, int incy, void* scratch) const {
    multiply(kernels, product, A, x, incx, y, incy, scratch);
    return 0;
  }
};

}  // namespace

template <>
int trsm(triangular_system<T> system, batch<const T> A, batch<T> B, int* info) {
  return with_info(info, A.count, [&](int* infos) { return over_batch(trsm_routine{system}, infos, A, B); });
}

template <>
int trsm(triangular_system<T> system, variable_batch<const T> A, variable_batch<T> B, int* info, int m_max,
         int n_max) {
  const auto check = [=](auto A_b, auto B_b) {
    return blas::check_trsm(system.side, A_b, B_b, m_max, n_max);
  };
  return with_info(info, A.count,
                   [&](int* infos) { return over_sizes(trsm_routine{system}, check, infos, A, B); });
}

/// C comes first: where it is empty there is nothing to do, and where k = 0 there is.
template <>
int gemm(product_of<T> product, variable_batch<const T> A, variable_batch<const T> B, variable_batch<T> C,
         const int* k, int* info, int m_max, int n_max, int k_max) {
  const auto check = [=](auto C_b, auto A_b, auto B_b, int k_b) {
    return blas::check_gemm(A_b, B_b, C_b, k_b, m_max, n_max, k_max);
  };
  return with_info(info, C.count, [&](int* infos) {
    return over_sizes(gemm_routine(product), check, infos, C, A, B, extents{k, 0});
  });
}

template <>
int gemv(product_with_vector<T> product, variable_batch<const T> A, stepped_vectors<const T> x,
         stepped_vectors<T> y, int* info, int m_max, int n_max) {
  const auto check = [=](auto A_b, auto x_b, int incx, auto y_b, int incy) {
    return blas::check_gemv(product.of_A, A_b, x_b, incx, y_b, incy, m_max, n_max);
  };
  return with_info(info, A.count, [&](int* infos) {
    return over_sizes(gemv_routine(product), check, infos, A, pointer_vectors(x.array), extents{x.step, 0},
                      pointer_vectors(y.array), extents{y.step, 0});
  });
}

}  // namespace talus::host
