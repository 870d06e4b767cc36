// What a backend provides of LU: one function per algorithm, called with arguments that were checked and a
// batch that is not empty. <routine>.cpp chooses the backend; host/lu/routines.cpp, or <routine>.cu and for
// mixed sizes vbatched/lu/<routine>.cu, do the work.
#pragma once

#include "batch.hpp"
#include "batched/lu/fronts.hpp"
#include "gpu/table.hpp"
#include "talus/batched.hpp"
#include "talus/types.hpp"

namespace talus {

/// Which element of a column is its pivot: the largest in magnitude, whose row comes up for it; or the one on
/// the diagonal, whatever it is.
enum class pivoting : char { partial, none };

/// How one matrix is eliminated.
template <class R>
struct elimination {
  int columns;            // eliminated columns
  int pivot_rows;         // pivots are taken from the first pivot_rows rows
  int* ipiv;              // for partial pivoting
  R floor;                // without pivoting: the least magnitude of a pivot; 0: any
  int* replaced;          // without pivoting: the number of pivots below `floor`; null: not stored
  bool exchanges = true;  // of rows. Kernels read it; the host code tests whether ipiv is null instead
};

/// How the matrices of a batch are: what the call says of it beside A. Plain data, as batch.
template <class R>
struct eliminations {
  vectors<int> ipiv = {};
  R floor = 0;
  const R* floors = nullptr;  // one for each, or null: `floor` for all
  int* replaced = nullptr;
  bool partial = false;          // only k columns, with pivots from the first k rows; else all min(m, n)
  int k = 0;                     // of all matrices, unless
  const int* k_array = nullptr;  // each has its own
  bool exchanges = true;         // of rows; the functions of a backend set it from their `pivoting`

  /// Of matrix b, which is m x n.
  TALUS_HOST_DEVICE elimination<R> of(std::int64_t b, int m, int n) const {
    const int columns = partial ? (k_array != nullptr ? k_array[b] : k) : m < n ? m : n;
    const R least = floors != nullptr ? floors[b] : floor;
    return {columns,
            partial ? columns : m,
            has_ipiv() ? ipiv[b] : nullptr,
            least > 0 ? least : R(0),
            replaced != nullptr ? replaced + b : nullptr,
            exchanges};
  }
  /// Of the matrices from number `first` on, where each has what it has by pointers.
  eliminations part(std::int64_t first) const {
    eliminations rest = *this;
    if (ipiv.array != nullptr) rest.ipiv.array += first;
    if (floors != nullptr) rest.floors += first;
    if (replaced != nullptr) rest.replaced += first;
    if (k_array != nullptr) rest.k_array += first;
    return rest;
  }
  /// Leaves out the floors, which no check of arguments reads.
  eliminations<float> without_floors() const {
    return {ipiv, 0, nullptr, replaced, partial, k, k_array, exchanges};
  }
  TALUS_HOST_DEVICE bool has_ipiv() const { return ipiv.array != nullptr || ipiv.slab != nullptr; }
};

namespace host {
template <class T>
int getrf(pivoting, batch<T> A, eliminations<real_type<T>>, int* info);
template <class T>
int getrs(op, batch<const T> A, vectors<const int> ipiv, batch<T> B, int* info);
template <class T>
int getrs_nopiv(op, batch<const T> A, batch<T> B, int* info);
template <class T>
int gesv(batch<T> A, vectors<int> ipiv, batch<T> B, int* info);
template <class T>
int getri(batch<T> A, vectors<const int> ipiv, int* info);
template <class T>
int getri_outofplace(batch<const T> A, vectors<const int> ipiv, batch<T> C, int* info);
/// A front in four blocks, of which A11 is eliminated.
template <class T>
int getrf_partial_split(pivoting, form, schur, lu_fronts<batch<T>> A, eliminations<real_type<T>>, int* info);

// Of mixed sizes: bounds as the caller promised them, or unknown_bound.
template <class T>
int getrf(pivoting, variable_batch<T> A, eliminations<real_type<T>>, int* info, int m_max, int n_max,
          int k_max);
template <class T>
int getrs(op, variable_batch<const T> A, vectors<const int> ipiv, variable_batch<T> B, int* info, int n_max,
          int nrhs_max);
template <class T>
int getrs_nopiv(op, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max);
template <class T>
int gesv(variable_batch<T> A, vectors<int> ipiv, variable_batch<T> B, int* info, int n_max, int nrhs_max);
template <class T>
int getri(variable_batch<T> A, vectors<const int> ipiv, int* info, int n_max);
template <class T>
int getri_outofplace(variable_batch<const T> A, vectors<const int> ipiv, variable_batch<T> C, int* info,
                     int n_max);
template <class T>
int getrf_partial_split(pivoting, form, schur, lu_fronts<variable_batch<T>> A, eliminations<real_type<T>>,
                        int* info, int k_max, int m2_max, int n2_max);
}  // namespace host

namespace cuda {
#ifdef TALUS_WITH_CUDA
template <class T>
int getrf(pivoting, batch<T> A, eliminations<real_type<T>>, int* info, queue q, int line = selected);
template <class T>
int getrs(op, batch<const T> A, vectors<const int> ipiv, batch<T> B, int* info, queue q);
template <class T>
int getrs_nopiv(op, batch<const T> A, batch<T> B, int* info, queue q);
template <class T>
int gesv(batch<T> A, vectors<int> ipiv, batch<T> B, int* info, queue q, int line = selected);
template <class T>
int getri(batch<T> A, vectors<const int> ipiv, int* info, queue q);
template <class T>
int getri_outofplace(batch<const T> A, vectors<const int> ipiv, batch<T> C, int* info, queue q);
template <class T>
int getrf_partial_split(pivoting, form, schur, lu_fronts<batch<T>> A, eliminations<real_type<T>>, int* info,
                        queue q, int line = selected);

template <class T>
int getrf(pivoting, variable_batch<T> A, eliminations<real_type<T>>, int* info, int m_max, int n_max,
          int k_max, queue q);
template <class T>
int getrs(op, variable_batch<const T> A, vectors<const int> ipiv, variable_batch<T> B, int* info, int n_max,
          int nrhs_max, queue q);
template <class T>
int getrs_nopiv(op, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max,
                queue q);
template <class T>
int gesv(variable_batch<T> A, vectors<int> ipiv, variable_batch<T> B, int* info, int n_max, int nrhs_max,
         queue q);
template <class T>
int getri(variable_batch<T> A, vectors<const int> ipiv, int* info, int n_max, queue q);
template <class T>
int getri_outofplace(variable_batch<const T> A, vectors<const int> ipiv, variable_batch<T> C, int* info,
                     int n_max, queue q);
template <class T>
int getrf_partial_split(pivoting, form, schur, lu_fronts<variable_batch<T>> A, eliminations<real_type<T>>,
                        int* info, int k_max, int m2_max, int n2_max, queue q);
#else  // Built without CUDA: whoever asks for it is told so.
template <class... Arguments>
int getrf(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int getrs(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int getrs_nopiv(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int gesv(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int getri(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int getri_outofplace(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int getrf_partial_split(Arguments...) {
  return err_no_cuda;
}
#endif
}  // namespace cuda

}  // namespace talus
