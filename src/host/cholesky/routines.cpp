// Cholesky's routines on the host: how each does a group of matrices in lanes, and one matrix alone.
#include "batched/cholesky/backends.hpp"
#include "checks/cholesky.hpp"
#include "host/cholesky/kernels.hpp"
#include "host/cholesky/one_matrix.hpp"
#include "host/cholesky/ways.hpp"
#include "host/over_batch.hpp"

namespace talus::host {
namespace {

using T = TALUS_T;

/// What they tell over_batch.hpp in common.
struct routine {
  talus::uplo uplo;
  const cholesky_kernels<T>& kernels = lane_kernels<cholesky_kernels<T>>();

  int width() const { return kernels.width; }
  std::size_t lanes_bytes(int, int n) const { return kernels.work_bytes(n); }
};

struct potrf_routine : routine {
  lanes_range range() const { return potrf_range(kernels); }
  void in_lanes(const group<T>& A, int* infos, void* scratch) const {
    kernels.potrf(uplo, A.n, A.of, A.lda, infos, scratch);
  }
  std::size_t alone_bytes(int, int) const { return factor_bytes(kernels); }
  int alone(const matrix<T>& A, void* scratch) const { return factor(kernels, uplo, A, scratch); }
};

struct potrs_routine : routine {
  lanes_range range() const { return solve_range(kernels); }
  void in_lanes(const group<const T>& A, const group<T>& B, int* infos, void* scratch) const {
    kernels.potrs(uplo, A.n, B.n, A.of, A.lda, B.of, B.lda, infos, scratch);
  }
  std::size_t alone_bytes(int, int n) const { return solve_bytes<T>(n); }
  int alone(const matrix<const T>& A, const matrix<T>& B, void* scratch) const {
    return solve_if_factored(uplo, A, B, scratch);
  }
};

struct posv_routine : routine {
  lanes_range range() const { return solve_range(kernels); }
  void in_lanes(const group<T>& A, const group<T>& B, int* infos, void* scratch) const {
    kernels.posv(uplo, A.n, B.n, A.of, A.lda, B.of, B.lda, infos, scratch);
  }
  std::size_t alone_bytes(int, int) const { return factor_bytes(kernels); }
  int alone(const matrix<T>& A, const matrix<T>& B, void* scratch) const {
    const int info = factor(kernels, uplo, A, scratch);
    if (info == 0) solve(uplo, A.A, A.lda, B);
    return info;
  }
};

struct potri_routine : routine {
  lanes_range range() const { return potri_range(kernels); }
  void in_lanes(const group<T>& A, int* infos, void* scratch) const {
    kernels.potri(uplo, A.n, A.of, A.lda, infos, scratch);
  }
  std::size_t alone_bytes(int, int n) const { return aligned_bytes<T>(n, n); }
  int alone(const matrix<T>& A, void* scratch) const { return invert_if_factored(uplo, A, scratch); }
};

/// Matrix by matrix: A and its k.
struct potrf_partial_routine : one_by_one {
  talus::uplo uplo;
  const cholesky_kernels<T>& kernels = lane_kernels<cholesky_kernels<T>>();

  explicit potrf_partial_routine(talus::uplo triangle) : uplo(triangle) {}

  std::size_t alone_bytes(int, int) const { return factor_bytes(kernels); }
  int alone(const matrix<T>& A, int k, void* scratch) const {
    return factor_partial(kernels, uplo, A, k, scratch);
  }
};

/// A11, whose order says whether there is anything to do, A21 and A22.
struct potrf_partial_split_routine : potrf_partial_routine {
  using potrf_partial_routine::potrf_partial_routine;

  int alone(const matrix<T>& A11, const matrix<T>& A21, const matrix<T>& A22, void* scratch) const {
    return factor_partial(kernels, uplo, A11, A21, A22, scratch);
  }
};

}  // namespace

template <>
int potrf(uplo uplo, batch<T> A, int* info) {
  return over_batch(potrf_routine{{uplo}}, info, A);
}
template <>
int potrs(uplo uplo, batch<const T> A, batch<T> B, int* info) {
  return over_batch(potrs_routine{{uplo}}, info, A, B);
}
template <>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info) {
  return over_batch(posv_routine{{uplo}}, info, A, B);
}
template <>
int potri(uplo uplo, batch<T> A, int* info) {
  return over_batch(potri_routine{{uplo}}, info, A);
}
template <>
int potrf_partial(uplo uplo, batch<T> A, int k, int* info) {
  return over_matrices(potrf_partial_routine(uplo), info, A, extents{nullptr, k});
}
template <>
int potrf_partial_split(uplo uplo, batch<T> A11, batch<T> A21, batch<T> A22, int* info) {
  return over_matrices(potrf_partial_split_routine(uplo), info, A11, A21, A22);
}

template <>
int potrf(uplo uplo, variable_batch<T> A, int* info, int n_max) {
  const auto check = [=](auto A_b) { return cholesky::check_matrix(A_b, n_max); };
  return over_sizes(potrf_routine{{uplo}}, check, info, A);
}
template <>
int potrs(uplo uplo, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max) {
  const auto check = [=](auto A_b, auto B_b) {
    return blas::check_system(2, false, A_b, nullptr, B_b, n_max, nrhs_max);
  };
  return over_sizes(potrs_routine{{uplo}}, check, info, A, B);
}
template <>
int posv(uplo uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max) {
  const auto check = [=](auto A_b, auto B_b) {
    return blas::check_system(2, false, A_b, nullptr, B_b, n_max, nrhs_max);
  };
  return over_sizes(posv_routine{{uplo}}, check, info, A, B);
}
template <>
int potri(uplo uplo, variable_batch<T> A, int* info, int n_max) {
  const auto check = [=](auto A_b) { return cholesky::check_matrix(A_b, n_max); };
  return over_sizes(potri_routine{{uplo}}, check, info, A);
}
template <>
int potrf_partial(uplo uplo, variable_batch<T> A, const int* k, int* info, int n_max, int k_max) {
  const auto check = [=](auto A_b, int k_b) { return cholesky::check_front(A_b, k_b, n_max, k_max); };
  return over_sizes(potrf_partial_routine(uplo), check, info, A, extents{k, 0});
}
template <>
int potrf_partial_split(uplo uplo, variable_batch<T> A11, variable_batch<T> A21, variable_batch<T> A22,
                        int* info, int k_max, int n2_max) {
  const auto check = [=](auto A11_b, auto A21_b, auto A22_b) {
    return cholesky::check_split(A11_b, A21_b, A22_b, uplo == uplo::lower, k_max, n2_max);
  };
  return over_sizes(potrf_partial_split_routine(uplo), check, info, A11, A21, A22);
}

template <>
int potrf_at(potrf_way way, uplo uplo, batch<T> A, int* info) {
  const potrf_routine routine{{uplo}};
  return way == potrf_way::lanes ? over_groups(routine, info, A) : over_matrices(routine, info, A);
}

}  // namespace talus::host
