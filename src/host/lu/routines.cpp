// LU's routines on the host: how each does a group of matrices in lanes, and one matrix alone.
#include <algorithm>

#include "batched/lu/backends.hpp"
#include "checks/lu.hpp"
#include "host/lu/kernels.hpp"
#include "host/lu/one_matrix.hpp"
#include "host/lu/ways.hpp"
#include "host/over_batch.hpp"

namespace talus::host {
namespace {

using T = TALUS_T;
using R = real_type<T>;

/// What they tell over_batch.hpp in common.
struct routine {
  const lu_kernels<T>& kernels = lane_kernels<lu_kernels<T>>();

  int width() const { return kernels.width; }
  std::size_t lanes_bytes(int m, int n) const { return kernels.work_bytes(m, n); }
};

struct getrf_routine : routine {
  pivoting how;
  bool partial;  // k columns, else all min(m, n)

  getrf_routine(pivoting by, bool only_k) : how(by), partial(only_k) {}

  lanes_range range() const { return partial ? no_range() : getrf_range(kernels); }
  void in_lanes(const group<T>& A, const vector_group<int>& ipiv, const vector_group<const R>& floors,
                const vector_group<int>& replaced, const vector_group<const int>&, int* infos,
                void* scratch) const {
    if (how == pivoting::partial) {
      kernels.getrf(A.m, A.n, A.of, A.lda, ipiv.of, infos, scratch);
    } else {
      kernels.getrf_nopiv(A.m, A.n, A.of, A.lda, floors.of, replaced.of, infos, scratch);
    }
  }
  std::size_t alone_bytes(int m, int n) const { return factor_bytes(kernels, m, n); }
  int alone(const matrix<T>& A, int* ipiv, const R* floor, int* replaced, const int* k, void* scratch) const {
    const int columns = partial ? *k : std::min(A.m, A.n);
    if (replaced != nullptr) *replaced = 0;
    return factor(kernels, A, {columns, partial ? columns : A.m, ipiv, *floor > 0 ? *floor : R(0), replaced},
                  scratch);
  }
};

struct getrs_routine : routine {
  talus::op op;

  explicit getrs_routine(talus::op of) : op(of) {}

  lanes_range range() const { return getrs_range(kernels); }
  void in_lanes(const group<const T>& A, const vector_group<const int>& ipiv, const group<T>& B, int* infos,
                void* scratch) const {
    kernels.getrs(op, A.n, B.n, A.of, A.lda, ipiv.of, B.of, B.lda, infos, scratch);
  }
  std::size_t alone_bytes(int, int n) const { return kernels.substitution_bytes(n); }
  int alone(const matrix<const T>& A, const int* ipiv, const matrix<T>& B, void* scratch) const {
    return solve_if_factored(kernels, op, A, ipiv, B, scratch);
  }
};

struct gesv_routine : routine {
  lanes_range range() const { return getrf_range(kernels); }
  void in_lanes(const group<T>& A, const vector_group<int>& ipiv, const group<T>& B, int* infos,
                void* scratch) const {
    kernels.gesv(A.n, B.n, A.of, A.lda, ipiv.of, B.of, B.lda, infos, scratch);
  }
  std::size_t alone_bytes(int m, int n) const {
    return std::max(factor_bytes(kernels, m, n), kernels.substitution_bytes(n));
  }
  int alone(const matrix<T>& A, int* ipiv, const matrix<T>& B, void* scratch) const {
    const int info = factor(kernels, A, {A.n, A.n, ipiv, R(0), nullptr}, scratch);
    if (info == 0) solve<T>(kernels, op::none, A.A, A.lda, ipiv, B, scratch);
    return info;
  }
};

/// Into C, which in place is A again.
struct getri_routine : routine {
  lanes_range range() const { return getri_range(kernels); }
  void in_lanes(const group<const T>& A, const vector_group<const int>& ipiv, const group<T>& C, int* infos,
                void* scratch) const {
    kernels.getri(A.n, A.of, A.lda, ipiv.of, C.of, C.lda, infos, scratch);
  }
  std::size_t alone_bytes(int, int n) const { return aligned_bytes<T>(n, n); }
  int alone(const matrix<const T>& A, const int* ipiv, const matrix<T>& C, void* scratch) const {
    return invert_if_factored(A, ipiv, C, scratch);
  }
};

/// A front in blocks, matrix by matrix.
struct getrf_partial_split_routine : one_by_one {
  talus::form form;
  talus::schur schur;
  const lu_kernels<T>& kernels = lane_kernels<lu_kernels<T>>();

  getrf_partial_split_routine(talus::form leaves, talus::schur makes) : form(leaves), schur(makes) {}

  std::size_t alone_bytes(int, int k) const { return split_bytes(kernels, k); }
  int alone(const matrix<T>& A11, const matrix<T>& A12, const matrix<T>& A21, const matrix<T>& A22, int* ipiv,
            const R* floor, int* replaced, const int*, void* scratch) const {
    if (replaced != nullptr) *replaced = 0;
    return factor_split(kernels, form, schur, {A11, A12, A21, A22},
                        {A11.n, A11.n, ipiv, *floor > 0 ? *floor : R(0), replaced}, scratch);
  }
};

/// What `each` says of the matrices, as operands beside A.
template <class Operation>
int with_operands(const eliminations<R>& each, Operation run) {
  const vectors<const R> floors =
      each.floors != nullptr ? strided_vectors(each.floors, 1) : strided_vectors(&each.floor, 0);
  const vectors<const int> k =
      each.k_array != nullptr ? strided_vectors(each.k_array, 1) : strided_vectors(&each.k, 0);
  const vectors<int> replaced = strided_vectors(each.replaced, each.replaced != nullptr ? 1 : 0);
  return run(each.ipiv, floors, replaced, k);
}

}  // namespace

template <>
int getrf(pivoting how, batch<T> A, eliminations<R> each, int* info) {
  return with_operands(
      each, [&](auto... beside) { return over_batch(getrf_routine(how, each.partial), info, A, beside...); });
}
template <>
int getrs(op op, batch<const T> A, vectors<const int> ipiv, batch<T> B, int* info) {
  return with_info(info, A.count,
                   [&](int* infos) { return over_batch(getrs_routine(op), infos, A, ipiv, B); });
}
template <>
int getrs_nopiv(op op, batch<const T> A, batch<T> B, int* info) {
  return getrs(op, A, vectors<const int>{}, B, info);
}
template <>
int gesv(batch<T> A, vectors<int> ipiv, batch<T> B, int* info) {
  return over_batch(gesv_routine(), info, A, ipiv, B);
}
template <>
int getri_outofplace(batch<const T> A, vectors<const int> ipiv, batch<T> C, int* info) {
  return with_info(info, A.count, [&](int* infos) { return over_batch(getri_routine(), infos, A, ipiv, C); });
}
template <>
int getri(batch<T> A, vectors<const int> ipiv, int* info) {
  return getri_outofplace(read_only(A), ipiv, A, info);
}
template <>
int getrf_partial_split(pivoting, form form, schur schur, lu_fronts<batch<T>> A, eliminations<R> each,
                        int* info) {
  return with_operands(each, [&](auto... beside) {
    return over_matrices(getrf_partial_split_routine(form, schur), info, A.A11, A.A12, A.A21, A.A22,
                         beside...);
  });
}

template <>
int getrf(pivoting how, variable_batch<T> A, eliminations<R> each, int* info, int m_max, int n_max,
          int k_max) {
  const lu::bounds_of_lu most{m_max, n_max, k_max};
  const auto check = [&](const matrix<T>& A_b, int* ipiv, const R* floor, int* replaced, const int* k) {
    if (replaced != nullptr) *replaced = 0;
    const int columns = each.partial ? *k : std::min(A_b.m, A_b.n);
    return lu::check_matrix(how, each.partial, A_b, elimination<R>{columns, 0, ipiv, *floor, replaced}, most);
  };
  return with_operands(each, [&](auto... beside) {
    return over_sizes(getrf_routine(how, each.partial), check, info, A, beside...);
  });
}

namespace {

int solve_sizes(op op, bool has_ipiv, variable_batch<const T> A, vectors<const int> ipiv, variable_batch<T> B,
                int* info, int n_max, int nrhs_max) {
  const auto check = [=](auto A_b, auto ipiv_b, auto B_b) {
    return blas::check_system(2, has_ipiv, A_b, ipiv_b, B_b, n_max, nrhs_max);
  };
  return with_info(info, A.count,
                   [&](int* infos) { return over_sizes(getrs_routine(op), check, infos, A, ipiv, B); });
}

}  // namespace

template <>
int getrs(op op, variable_batch<const T> A, vectors<const int> ipiv, variable_batch<T> B, int* info,
          int n_max, int nrhs_max) {
  return solve_sizes(op, true, A, ipiv, B, info, n_max, nrhs_max);
}
template <>
int getrs_nopiv(op op, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max) {
  return solve_sizes(op, false, A, vectors<const int>{}, B, info, n_max, nrhs_max);
}
template <>
int gesv(variable_batch<T> A, vectors<int> ipiv, variable_batch<T> B, int* info, int n_max, int nrhs_max) {
  const auto check = [=](auto A_b, auto ipiv_b, auto B_b) {
    return blas::check_system(1, true, A_b, ipiv_b, B_b, n_max, nrhs_max);
  };
  return over_sizes(gesv_routine(), check, info, A, ipiv, B);
}
template <>
int getri(variable_batch<T> A, vectors<const int> ipiv, int* info, int n_max) {
  const auto check = [=](auto A_b, auto ipiv_b, auto) { return lu::check_factors(A_b, ipiv_b, n_max); };
  return with_info(info, A.count, [&](int* infos) {
    return over_sizes(getri_routine(), check, infos, read_only(A), ipiv, A);
  });
}
template <>
int getri_outofplace(variable_batch<const T> A, vectors<const int> ipiv, variable_batch<T> C, int* info,
                     int n_max) {
  const auto check = [=](auto A_b, auto ipiv_b, auto C_b) {
    return lu::check_factors(A_b, ipiv_b, C_b, n_max);
  };
  return with_info(info, A.count,
                   [&](int* infos) { return over_sizes(getri_routine(), check, infos, A, ipiv, C); });
}

template <>
int getrf_partial_split(pivoting how, form form, schur schur, lu_fronts<variable_batch<T>> A,
                        eliminations<R> each, int* info, int k_max, int m2_max, int n2_max) {
  const lu::bounds_of_split most{k_max, m2_max, n2_max};
  const getrf_partial_split_routine routine(form, schur);
  const auto check = [&](auto A11_b, auto A12_b, auto A21_b, auto A22_b, int* ipiv, const R*, int* replaced,
                         const int*) {
    const int illegal = lu::check_split(how, A11_b, A12_b, A21_b, A22_b, ipiv, most);
    if (replaced != nullptr) *replaced = 0;
    return illegal;
  };
  const int status = with_operands(each, [&](auto... beside) {
    return over_sizes(routine, check, info, A.A11, A.A12, A.A21, A.A22, beside...);
  });
  if (status != 0 || schur == schur::subtract) return status;
  for (std::int64_t b = 0; b < A.A11.count; ++b) {  // a product of no terms: nothing to do but this
    if (info[b] == 0 && A.A11.n[b] == 0) set_to_zero(A.A22[b]);
  }
  return 0;
}

}  // namespace talus::host
