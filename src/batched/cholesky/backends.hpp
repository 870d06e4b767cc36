// What a backend provides of Cholesky: one function per routine, called with arguments that were checked and
// a batch that is not empty. <routine>.cpp chooses the backend; host/cholesky/routines.cpp, or <routine>.cu
// and for mixed sizes vbatched/cholesky/<routine>.cu, do the work.
#pragma once

#include "batch.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus {

namespace host {
template <class T>
int potrf(uplo, batch<T> A, int* info);
template <class T>
int potrs(uplo, batch<const T> A, batch<T> B, int* info);
template <class T>
int posv(uplo, batch<T> A, batch<T> B, int* info);
template <class T>
int potri(uplo, batch<T> A, int* info);
template <class T>
int potrf_partial(uplo, batch<T> A, int k, int* info);
/// A front in three blocks: A11 k x k, A21 n2 x k (uplo::upper: A12, k x n2, in its place), A22 n2 x n2.
template <class T>
int potrf_partial_split(uplo, batch<T> A11, batch<T> A21, batch<T> A22, int* info);

// Of mixed sizes: bounds as the caller promised them, or unknown_bound.
template <class T>
int potrf(uplo, variable_batch<T> A, int* info, int n_max);
template <class T>
int potrs(uplo, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max);
template <class T>
int posv(uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max);
template <class T>
int potri(uplo, variable_batch<T> A, int* info, int n_max);
template <class T>
int potrf_partial(uplo, variable_batch<T> A, const int* k, int* info, int n_max, int k_max);
template <class T>
int potrf_partial_split(uplo, variable_batch<T> A11, variable_batch<T> A21, variable_batch<T> A22, int* info,
                        int k_max, int n2_max);
}  // namespace host

namespace cuda {
#ifdef TALUS_WITH_CUDA
template <class T>
int potrf(uplo, batch<T> A, int* info, queue q, int line = selected);
template <class T>
int potrs(uplo, batch<const T> A, batch<T> B, int* info, queue q);
template <class T>
int posv(uplo, batch<T> A, batch<T> B, int* info, queue q, int line = selected);
template <class T>
int potri(uplo, batch<T> A, int* info, queue q);
template <class T>
int potrf_partial(uplo, batch<T> A, int k, int* info, queue q, int line = selected);
template <class T>
int potrf_partial_split(uplo, batch<T> A11, batch<T> A21, batch<T> A22, int* info, queue q,
                        int line = selected);

template <class T>
int potrf(uplo, variable_batch<T> A, int* info, int n_max, queue q);
template <class T>
int potrs(uplo, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max, queue q);
template <class T>
int posv(uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max, queue q);
template <class T>
int potri(uplo, variable_batch<T> A, int* info, int n_max, queue q);
template <class T>
int potrf_partial(uplo, variable_batch<T> A, const int* k, int* info, int n_max, int k_max, queue q);
template <class T>
int potrf_partial_split(uplo, variable_batch<T> A11, variable_batch<T> A21, variable_batch<T> A22, int* info,
                        int k_max, int n2_max, queue q);
#else  // Built without CUDA: whoever asks for it is told so.
template <class... Arguments>
int potrf(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int potrs(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int posv(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int potri(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int potrf_partial(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int potrf_partial_split(Arguments...) {
  return err_no_cuda;
}
#endif
}  // namespace cuda

}  // namespace talus
