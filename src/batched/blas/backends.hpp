// What a backend provides of BLAS: one function per operation, called with arguments that were checked and a
// batch that is not empty. <routine>.cpp chooses the backend; host/blas/routines.cpp, or trsm.cu and for
// mixed sizes vbatched/blas/<routine>.cu, do the work. A, B and C are the matrices as they are stored, so
// that A of a product is m x k or, where it is transposed, k x m.
#pragma once

#include "batch.hpp"
#include "gpu/table.hpp"
#include "talus/batched.hpp"
#include "talus/types.hpp"

namespace talus {

// alpha is aligned as GPUs have it, and so that no half of a complex number is passed in a register of its
// own.

/// What trsm is asked for: op(A) X = alpha B, or X op(A) = alpha B.
template <class T>
struct triangular_system {
  talus::side side;
  talus::uplo uplo;
  talus::op op;
  talus::diag diag;
  alignas(sizeof(T)) T alpha;
};

/// C = alpha op(A) op(B) + beta C
template <class T>
struct product_of {
  talus::op of_A, of_B;
  alignas(sizeof(T)) T alpha;
  T beta;
};

/// y = alpha op(A) x + beta y
template <class T>
struct product_with_vector {
  talus::op of_A;
  alignas(sizeof(T)) T alpha;
  T beta;
};

/// A vector beside each matrix, each with a step of its own. A negative step walks back from the end:
/// array[b] is where the storage starts, as in BLAS. Plain data, as batch.
template <class T>
struct stepped_vectors {
  T* const* array;
  const int* step;
};
/// The same vectors, without the type of their elements.
template <class T>
stepped_vectors<byte_of<T>> as_bytes(const stepped_vectors<T>& v) {
  return {reinterpret_cast<byte_of<T>* const*>(v.array), v.step};
}

namespace host {
template <class T>
int trsm(triangular_system<T>, batch<const T> A, batch<T> B, int* info);

// Of mixed sizes: bounds as the caller promised them, or unknown_bound.
template <class T>
int trsm(triangular_system<T>, variable_batch<const T> A, variable_batch<T> B, int* info, int m_max,
         int n_max);
template <class T>
int gemm(product_of<T>, variable_batch<const T> A, variable_batch<const T> B, variable_batch<T> C,
         const int* k, int* info, int m_max, int n_max, int k_max);
template <class T>
int gemv(product_with_vector<T>, variable_batch<const T> A, stepped_vectors<const T> x, stepped_vectors<T> y,
         int* info, int m_max, int n_max);
}  // namespace host

namespace cuda {
#ifdef TALUS_WITH_CUDA
template <class T>
int trsm(triangular_system<T>, batch<const T> A, batch<T> B, int* info, queue q, int line = selected);

template <class T>
int trsm(triangular_system<T>, variable_batch<const T> A, variable_batch<T> B, int* info, int m_max,
         int n_max, queue q);
template <class T>
int gemm(product_of<T>, variable_batch<const T> A, variable_batch<const T> B, variable_batch<T> C,
         const int* k, int* info, int m_max, int n_max, int k_max, queue q);
template <class T>
int gemv(product_with_vector<T>, variable_batch<const T> A, stepped_vectors<const T> x, stepped_vectors<T> y,
         int* info, int m_max, int n_max, queue q);
#else  // Built without CUDA: whoever asks for it is told so.
template <class... Arguments>
int trsm(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int gemm(Arguments...) {
  return err_no_cuda;
}
template <class... Arguments>
int gemv(Arguments...) {
  return err_no_cuda;
}
#endif
}  // namespace cuda

}  // namespace talus
