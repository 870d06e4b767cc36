// What a backend provides of QR: one function per algorithm, called with arguments that were checked and a
// batch that is not empty. <routine>.cpp chooses the backend; host/qr/routines.cpp, or <routine>.cu and for
// mixed sizes vbatched/qr/<routine>.cu, do the work.
#pragma once

#include "batch.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus {

// Of Q only reflectors are stored, as columns of A and in tau. In ormqr A has as many columns as there are
// reflectors, k, and as many rows as the side of C that Q is on. In gels B has max(m, n) rows; of mixed sizes
// it has A's m beside it. In qr R has min(m, n) rows; of mixed sizes it has A's m and n beside it.

namespace host {
template <class T>
int geqrf(batch<T> A, vectors<T> tau, int* info);
template <class T>
int ormqr(side, op, batch<const T> A, vectors<const T> tau, batch<T> C, int* info);
template <class T>
int orgqr(int k, batch<T> A, vectors<const T> tau, int* info);
template <class T>
int gels(op, batch<T> A, batch<T> B, int* info);
template <class T>
int qr(batch<T> A, batch<T> R, int* info);

// Of mixed sizes: bounds as the caller promised them, or unknown_bound.
template <class T>
int geqrf(variable_batch<T> A, vectors<T> tau, int* info, int m_max, int n_max);
template <class T>
int ormqr(side, op, variable_batch<const T> A, vectors<const T> tau, variable_batch<T> C, int* info,
          int m_max, int n_max, int k_max);
template <class T>
int orgqr(const int* k, variable_batch<T> A, vectors<const T> tau, int* info, int m_max, int n_max,
          int k_max);
template <class T>
int gels(op, variable_batch<T> A, variable_batch<T> B, int* info, int m_max, int n_max, int nrhs_max);
template <class T>
int qr(variable_batch<T> A, variable_batch<T> R, int* info, int m_max, int n_max);
}  // namespace host

namespace cuda {
#ifdef TALUS_WITH_CUDA
template <class T>
int geqrf(batch<T> A, vectors<T> tau, int* info, queue q, int line = selected);
template <class T>
int ormqr(side, op, batch<const T> A, vectors<const T> tau, batch<T> C, int* info, queue q);
template <class T>
int orgqr(int k, batch<T> A, vectors<const T> tau, int* info, queue q, int line = selected);
template <class T>
int gels(op, batch<T> A, batch<T> B, int* info, queue q, int line = selected);
template <class T>
int qr(batch<T> A, batch<T> R, int* info, queue q);

template <class T>
int geqrf(variable_batch<T> A, vectors<T> tau, int* info, int m_max, int n_max, queue q);
template <class T>
int ormqr(side, op, variable_batch<const T> A, vectors<const T> tau, variable_batch<T> C, int* info,
          int m_max, int n_max, int k_max, queue q);
template <class T>
int orgqr(const int* k, variable_batch<T> A, vectors<const T> tau, int* info, int m_max, int n_max, int k_max,
          queue q);
template <class T>
int gels(op, variable_batch<T> A, variable_batch<T> B, int* info, int m_max, int n_max, int nrhs_max,
         queue q);
template <class T>
int qr(variable_batch<T> A, variable_batch<T> R, int* info, int m_max, int n_max, queue q);
#else  // Built without CUDA: whoever asks for it is told so.
template <class... Arguments>
int geqrf(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int ormqr(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int orgqr(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int gels(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int qr(Arguments...) {
  return err_no_cuda;
}
#endif
}  // namespace cuda

}  // namespace talus
