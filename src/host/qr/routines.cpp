// QR's routines on the host: how each does a group of matrices in lanes, and one matrix alone.
#include <algorithm>

#include "batched/qr/backends.hpp"
#include "checks/qr.hpp"
#include "host/over_batch.hpp"
#include "host/qr/kernels.hpp"
#include "host/qr/one_matrix.hpp"
#include "host/qr/ways.hpp"

namespace talus::host {
namespace {

using T = TALUS_T;

/// What they tell over_batch.hpp in common.
struct routine {
  const qr_kernels<T>& kernels = lane_kernels<qr_kernels<T>>();

  int width() const { return kernels.width; }
  lanes_range range() const { return qr_range(kernels); }
  std::size_t lanes_bytes(int m, int n) const { return kernels.work_bytes(m, n); }
  std::size_t alone_bytes(int m, int n) const { return one_matrix<T>::bytes(m, n, false); }
};

/// Of those that fail with no matrix.
void no_failures(int width, int* infos) { std::fill_n(infos, width, 0); }

struct geqrf_routine : routine {
  void in_lanes(const group<T>& A, const vector_group<T>& tau, int* infos, void* scratch) const {
    kernels.geqrf(A.m, A.n, A.of, A.lda, tau.of, scratch);
    no_failures(kernels.width, infos);
  }
  int alone(const matrix<T>& A, T* tau, void* scratch) const {
    factor(A, tau, scratch);
    return 0;
  }
};

struct ormqr_routine : routine {
  talus::side side;
  bool adjoint;

  ormqr_routine(talus::side on, op op) : side(on), adjoint(op != op::none) {}

  void in_lanes(const group<const T>& A, const vector_group<const T>& tau, const group<T>& C, int* infos,
                void* scratch) const {
    kernels.ormqr(side, adjoint, C.m, C.n, A.n, A.of, A.lda, tau.of, C.of, C.lda, scratch);
    no_failures(kernels.width, infos);
  }
  std::size_t alone_bytes(int m, int n) const { return one_matrix<T>::bytes(m, n, true); }
  int alone(const matrix<const T>& A, const T* tau, const matrix<T>& C, void* scratch) const {
    multiply(side, adjoint, A, tau, C, scratch);
    return 0;
  }
};

struct orgqr_routine : routine {
  void in_lanes(const group<T>& A, int k, const vector_group<const T>& tau, int* infos, void* scratch) const {
    kernels.orgqr(A.m, A.n, k, A.of, A.lda, tau.of, scratch);
    no_failures(kernels.width, infos);
  }
  int alone(const matrix<T>& A, int k, const T* tau, void* scratch) const {
    form(k, A, tau, scratch);
    return 0;
  }
};

struct gels_routine : routine {
  bool adjoint;

  explicit gels_routine(op op) : adjoint(op != op::none) {}

  std::size_t lanes_bytes(int m, int n) const { return kernels.work_bytes(std::max(m, n), std::min(m, n)); }
  void in_lanes(const group<T>& A, const group<T>& B, int* infos, void* scratch) const {
    kernels.gels(adjoint, A.m, A.n, B.n, A.of, A.lda, B.of, B.lda, infos, scratch);
  }
  std::size_t alone_bytes(int m, int n) const {
    return one_matrix<T>::bytes(std::max(m, n), std::min(m, n), true);
  }
  int alone(const matrix<T>& A, const matrix<T>& B, void* scratch) const {
    return solve(adjoint, A, B, scratch);
  }
};

struct qr_routine : routine {
  void in_lanes(const group<T>& A, const group<T>& R, int* infos, void* scratch) const {
    kernels.qr(A.m, A.n, A.of, A.lda, R.of, R.lda, scratch);
    no_failures(kernels.width, infos);
  }
  int alone(const matrix<T>& A, const matrix<T>& R, void* scratch) const {
    factor_and_form(A, R, scratch);
    return 0;
  }
};

/// Of matrices with nothing to do.
int nothing(int* info, std::int64_t count) {
  std::fill_n(info, count, 0);
  return 0;
}

/// The solution of a system that has no rows or no columns.
void clear(const matrix<T>& B, int rows) {
  for (int j = 0; j < B.n && rows > 0; ++j) std::fill_n(&B(0, j), rows, T(0));
}

}  // namespace

template <>
int geqrf(batch<T> A, vectors<T> tau, int* info) {
  if (A.m == 0 || A.n == 0) return nothing(info, A.count);
  return over_batch(geqrf_routine(), info, A, tau);
}
template <>
int ormqr(side side, op op, batch<const T> A, vectors<const T> tau, batch<T> C, int* info) {
  return with_info(info, C.count, [&](int* infos) {
    if (A.n == 0 || C.m == 0 || C.n == 0) return nothing(infos, C.count);
    return over_batch(ormqr_routine(side, op), infos, A, tau, C);
  });
}
template <>
int orgqr(int k, batch<T> A, vectors<const T> tau, int* info) {
  return with_info(info, A.count, [&](int* infos) {
    if (A.n == 0) return nothing(infos, A.count);
    return over_batch(orgqr_routine(), infos, A, extents{nullptr, k}, tau);
  });
}
template <>
int gels(op op, batch<T> A, batch<T> B, int* info) {
  if (A.m > 0 && A.n > 0) return over_batch(gels_routine(op), info, A, B);
  for (std::int64_t b = 0; b < A.count; ++b) clear(B[b], std::max(A.m, A.n));
  return nothing(info, A.count);
}
template <>
int qr(batch<T> A, batch<T> R, int* info) {
  if (A.m == 0 || A.n == 0) return nothing(info, A.count);
  return over_batch(qr_routine(), info, A, R);
}

template <>
int geqrf(variable_batch<T> A, vectors<T> tau, int* info, int m_max, int n_max) {
  const auto check = [=](auto A_b, auto tau_b) { return householder::check_geqrf(A_b, tau_b, m_max, n_max); };
  return over_sizes(geqrf_routine(), check, info, A, tau);
}
template <>
int ormqr(side side, op op, variable_batch<const T> A, vectors<const T> tau, variable_batch<T> C, int* info,
          int m_max, int n_max, int k_max) {
  const auto check = [=](auto A_b, auto tau_b, auto C_b) {
    return householder::check_ormqr(side, A_b, tau_b, C_b, m_max, n_max, k_max);
  };
  return with_info(info, C.count,
                   [&](int* infos) { return over_sizes(ormqr_routine(side, op), check, infos, A, tau, C); });
}
template <>
int orgqr(const int* k, variable_batch<T> A, vectors<const T> tau, int* info, int m_max, int n_max,
          int k_max) {
  const auto check = [=](auto A_b, int k_b, auto tau_b) {
    return householder::check_orgqr(k_b, A_b, tau_b, m_max, n_max, k_max);
  };
  return with_info(info, A.count, [&](int* infos) {
    return over_sizes(orgqr_routine(), check, infos, A, extents{k, 0}, tau);
  });
}
template <>
int gels(op op, variable_batch<T> A, variable_batch<T> B, int* info, int m_max, int n_max, int nrhs_max) {
  const auto check = [=](auto A_b, auto B_b) {
    return householder::check_gels(A_b, B_b, m_max, n_max, nrhs_max);
  };
  const int status = over_sizes(gels_routine(op), check, info, A, B);
  for (std::int64_t b = 0; b < A.count && status == 0; ++b) {
    if (info[b] == 0 && std::min(A.m[b], A.n[b]) == 0) clear(B[b], std::max(A.m[b], A.n[b]));
  }
  return status;
}
template <>
int qr(variable_batch<T> A, variable_batch<T> R, int* info, int m_max, int n_max) {
  const auto check = [=](auto A_b, auto R_b) { return householder::check_qr(A_b, R_b, m_max, n_max); };
  return over_sizes(qr_routine(), check, info, A, R);
}

}  // namespace talus::host
