// Argument checks: pure, the same on every backend, done before anything is touched.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "batch.hpp"
#include "talus/types.hpp"

namespace talus {

constexpr bool is_legal(uplo triangle) { return triangle == uplo::lower || triangle == uplo::upper; }
constexpr bool is_legal(op of) { return of == op::none || of == op::trans || of == op::conj_trans; }
constexpr bool is_legal(side where) { return where == side::left || where == side::right; }
constexpr bool is_legal(diag of) { return of == diag::non_unit || of == diag::unit; }
constexpr bool is_legal(form of) { return of == form::lapack || of == form::left; }
constexpr bool is_legal(schur of) { return of == schur::subtract || of == schur::product; }
constexpr bool is_legal(const queue& q) {
  return (q.where == backend::host || q.where == backend::cuda) && q.options == 0 &&
         q.reserved[0] == nullptr && q.reserved[1] == nullptr;
}

/// What may take the place of Q, or of a matrix in least squares. Of complex ones the plain transpose may
/// not, as in LAPACK.
template <class T>
constexpr bool is_legal_of_q(op of) {
  return is_legal(of) && (of != op::trans || std::is_same_v<T, decltype(std::real(T()))>);
}
/// The same where trans is legal, so real: backends see only none and conj_trans.
constexpr op conjugated(op of) { return of == op::trans ? op::conj_trans : of; }

/// Do two matrices of a slab share an element? They are rows x columns with leading dimension ld, and start
/// stride >= 0 elements apart. (No, where ld < rows: its own check reports that.)
///
/// Matrices b and b + k have one in common if k * stride = j * ld + i for two columns j apart and two rows i
/// apart: 0 <= j < columns, -rows < i < rows. For each j it is enough to look at the first multiple of the
/// stride beyond j * ld - rows.
constexpr bool matrices_overlap(int rows, int columns, int ld, std::int64_t stride,
                                std::int64_t batch_count) {
  if (rows <= 0 || columns <= 0 || ld < rows || batch_count <= 1) return false;
  if (stride < rows) return true;
  for (std::int64_t j = (stride - rows + 1) / ld; j < columns; ++j) {  // up to there, one stride is too far
    const std::int64_t k = std::max<std::int64_t>(1, (j * ld - rows) / stride + 1);
    if (k >= batch_count) return false;
    if (k * stride < j * ld + rows) return true;
  }
  return false;
}

/// Matrices that are written must not overlap.
constexpr bool is_legal_stride(std::int64_t stride, int rows, int columns, int ld, std::int64_t batch_count) {
  return batch_count <= 1 || columns == 0 ||
         (stride >= 0 && !matrices_overlap(rows, columns, ld, stride, batch_count));
}

/// For a bound that the caller does not know: the call finds it.
constexpr int unknown_bound = -1;

/// Is there a bound that it is above?
TALUS_HOST_DEVICE constexpr bool is_above(int extent, int bound) {
  return bound != unknown_bound && extent > bound;
}
/// Does it point at nothing, although there is something to point at?
template <class E>
TALUS_HOST_DEVICE bool is_missing(const E* start, bool needed) {
  return needed && start == nullptr;
}

/// A bound of the least of some extents from their bounds: 0 if it is 0 for sure, else unknown.
template <class... Bounds>
constexpr int least_bound(Bounds... bounds) {
  return ((bounds == 0) || ...) ? 0 : unknown_bound;
}
/// The same for the largest of them.
template <class... Bounds>
constexpr int largest_bound(Bounds... bounds) {
  return ((bounds == 0) && ...) ? 0 : unknown_bound;
}

// The matrices of a call are a batch, where its arguments are A_array and lda, or one of these two. Backends
// take them for the batch or variable_batch that they are.

/// A, lda, stride_A
template <class T>
struct strided : batch<T> {
  strided(T* A, int m, int n, int lda, std::int64_t stride, std::int64_t count)
      : batch<T>(strided_batch(A, m, n, lda, stride, count)) {}
};

/// A_array, lda, one for each matrix; m_max, n_max: what the caller promises of m and n, or unknown_bound.
template <class T>
struct bounded : variable_batch<T> {
  int m_max, n_max;

  bounded(T* const* A_array, const int* m, const int* n, const int* lda, std::int64_t count, int m_max,
          int n_max)
      : variable_batch<T>{A_array, m, n, lda, count}, m_max(m_max), n_max(n_max) {}
};

// Vectors beside the matrices, such as pivots, are one of the next two. length: elements of each; where
// matrices have their own sizes the most of any, or unknown_bound.

/// v_array
template <class E>
struct vector_pointers : vectors<E> {
  int length;

  vector_pointers(E* const* v_array, int length_) : vectors<E>(pointer_vectors(v_array)), length(length_) {}
};

/// v, stride_v
template <class E>
struct vector_slab : vectors<E> {
  int length;

  vector_slab(E* v, std::int64_t stride, int length_)
      : vectors<E>(strided_vectors(v, stride)), length(length_) {}
};

/// A routine's arguments in LAPACK's order; status is 0 while all of them were legal, else -i for the first
/// that was not, argument i. A routine writes its list once, for pointers, slabs and matrices of their own
/// sizes: how many arguments a matrix stands for is what its type says.
///   arguments(A.count, q).list(uplo, A.n, A).info(info).end(n_max...).status
class arguments {
 public:
  int status = 0;

  arguments(std::int64_t batch_count, queue q) : batch_count_(batch_count), q_(q) {}

  /// Letters, extents, matrices, vectors.
  template <class... Argument>
  arguments& list(const Argument&... each) {
    (add(each), ...);
    return *this;
  }

  /// An extent that others bound. Where each matrix has its own, its backend compares them.
  template <class... Extents>
  arguments& at_most(int extent, Extents... others) {
    return check(extent >= 0 && ((extent <= others) && ...));
  }
  template <class... Extents>
  arguments& at_most(const int* extents, Extents...) {
    return list(extents);
  }

  arguments& info(const int* info_array) { return check(info_array != nullptr || batch_count_ <= 0); }

  /// The next argument, legal or not.
  arguments& check(bool legal) {
    ++i_;
    if (status == 0 && !legal) status = -i_;
    return *this;
  }
  /// One that may be anything: null, where it is not wanted.
  arguments& anything() { return check(true); }

  /// What every list ends with: batch_count, for matrices of their own sizes the bounds, and the queue.
  template <class... Bounds>
  arguments& end(Bounds... bounds) {
    check(batch_count_ >= 0);
    (check(bounds >= unknown_bound), ...);
    return check(is_legal(q_));
  }

 private:
  void add(uplo triangle) { check(is_legal(triangle)); }
  void add(op of) { check(is_legal(of)); }
  void add(side where) { check(is_legal(where)); }
  void add(diag of) { check(is_legal(of)); }
  void add(form of) { check(is_legal(of)); }
  void add(schur of) { check(is_legal(of)); }

  /// One for all matrices, or an array with one for each.
  void add(int extent) { check(extent >= 0); }
  void add(const int* extents) { check(extents != nullptr || batch_count_ <= 0); }

  // A null matrix is fine where there is nothing to point at: an extent is 0 (or illegal, which its own check
  // reports).

  template <class T>
  void add(const batch<T>& A) {
    check(A.array != nullptr || is_empty(A)).check(A.lda >= std::max(1, A.m));
  }
  template <class T>
  void add(const strided<T>& A) {
    check(is_empty(A) || is_slab(A.slab));
    check(A.lda >= std::max(1, A.m));
    check(std::is_const_v<T> ? A.stride >= 0 : is_legal_stride(A.stride, A.m, A.n, A.lda, batch_count_));
  }
  template <class T>
  void add(const bounded<T>& A) {
    check(A.array != nullptr || batch_count_ <= 0 || A.m_max == 0 || A.n_max == 0);
    add(A.lda);
  }

  template <class E>
  void add(const vector_pointers<E>& v) {
    check(v.array != nullptr || batch_count_ <= 0 || v.length == 0);
  }
  template <class E>
  void add(const vector_slab<E>& v) {
    const int length = std::max(v.length, 0);
    check(batch_count_ <= 0 || length == 0 || is_slab(v.slab));
    check(std::is_const_v<E> ? v.stride >= 0
                             : is_legal_stride(v.stride, length, 1, std::max(length, 1), batch_count_));
  }

  /// On the GPU a slab begins at a multiple of sizeof(T): kernels load whole elements, where C++ asks half of
  /// that of a complex number. Strides and leading dimensions, in elements, keep it so. What a pointer array
  /// points at is not known here.
  template <class T>
  bool is_slab(const T* start) const {
    return start != nullptr &&
           (q_.where != backend::cuda || reinterpret_cast<std::uintptr_t>(start) % sizeof(T) == 0);
  }
  template <class T>
  bool is_empty(const batch<T>& A) const {
    return batch_count_ <= 0 || A.m <= 0 || A.n <= 0;
  }

  int i_ = 0;
  std::int64_t batch_count_;
  queue q_;
};

}  // namespace talus
