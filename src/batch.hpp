// Where matrix b of a batch is, or vector b. Kernels and host loops ask batch[b] and never know how the user
// laid the batch out, so one compiled kernel serves pointer arrays and strided slabs and gives both the same
// bits.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#define TALUS_HOST_DEVICE __host__ __device__
#else
#define TALUS_HOST_DEVICE
#endif

namespace talus {

/// The letter by which LAPACK and the tables name a type.
template <class T>
inline constexpr char precision_of = 0;
template <>
inline constexpr char precision_of<float> = 's';
template <>
inline constexpr char precision_of<double> = 'd';
template <>
inline constexpr char precision_of<std::complex<float>> = 'c';
template <>
inline constexpr char precision_of<std::complex<double>> = 'z';

/// One column-major matrix.
template <class T>
struct matrix {
  T* A;
  int m, n, lda;

  TALUS_HOST_DEVICE T& operator()(int i, int j) const { return A[i + static_cast<std::ptrdiff_t>(j) * lda]; }
};

/// The same matrix, only to be read.
template <class T>
matrix<const T> read_only(const matrix<T>& A) {
  return {A.A, A.m, A.n, A.lda};
}

/// batch_count matrices of one size, or the same block of each of them. Plain data: kernels take it by value.
template <class T>
struct batch {
  T* const* array;      // start of matrix b is array[b] + offset, if array is set,
  T* slab;              // else slab + b * stride + offset
  std::int64_t stride;  // in elements
  std::int64_t offset;  // of the block's element (0, 0), in elements
  int m, n, lda;
  std::int64_t count;

  TALUS_HOST_DEVICE matrix<T> operator[](std::int64_t b) const {
    return {(array ? array[b] : slab + b * stride) + offset, m, n, lda};
  }

  /// Rows i ... i+m_block-1 and columns j ... j+n_block-1 of every matrix.
  TALUS_HOST_DEVICE batch block(int i, int j, int m_block, int n_block) const {
    batch part = *this;
    part.offset += i + static_cast<std::int64_t>(j) * lda;
    part.m = m_block;
    part.n = n_block;
    return part;
  }
};

template <class T>
batch<T> pointer_batch(T* const* array, int m, int n, int lda, std::int64_t count) {
  return {array, nullptr, 0, 0, m, n, lda, count};
}

template <class T>
batch<T> strided_batch(T* slab, int m, int n, int lda, std::int64_t stride, std::int64_t count) {
  return {nullptr, slab, stride, 0, m, n, lda, count};
}

/// The same matrices, only to be read.
template <class T>
batch<const T> read_only(batch<T> A) {
  return {A.array, A.slab, A.stride, A.offset, A.m, A.n, A.lda, A.count};
}

/// A vector beside each matrix of a batch: its pivots, its tau. Where it starts; how long it is follows from
/// the matrix. Plain data, as batch.
template <class E>
struct vectors {
  E* const* array;      // vector b starts at array[b], if array is set,
  E* slab;              // else at slab + b * stride
  std::int64_t stride;  // in elements

  TALUS_HOST_DEVICE E* operator[](std::int64_t b) const { return array ? array[b] : slab + b * stride; }
};

template <class E>
vectors<E> pointer_vectors(E* const* array) {
  return {array, nullptr, 0};
}

template <class E>
vectors<E> strided_vectors(E* slab, std::int64_t stride) {
  return {nullptr, slab, stride};
}

/// The same vectors, only to be read.
template <class E>
vectors<const E> read_only(vectors<E> v) {
  return {v.array, v.slab, v.stride};
}

/// batch_count matrices, each of its own size, which lives where the matrices live. Plain data, as batch. No
/// array, which a bound of 0 allows, is one of null pointers.
template <class T>
struct variable_batch {
  T* const* array;
  const int *m, *n, *lda;  // of matrix b: m[b], n[b], lda[b]
  std::int64_t count;

  TALUS_HOST_DEVICE matrix<T> operator[](std::int64_t b) const {
    return {array ? array[b] : nullptr, m[b], n[b], lda[b]};
  }
};

template <class T>
variable_batch<const T> read_only(variable_batch<T> A) {
  return {A.array, A.m, A.n, A.lda, A.count};
}

// The same matrices or vectors with elements of type std::byte, for code that only compares their pointers
// with null. It is compiled once for all precisions.

template <class T>
using byte_of = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;

template <class T>
variable_batch<byte_of<T>> as_bytes(const variable_batch<T>& A) {
  return {reinterpret_cast<byte_of<T>* const*>(A.array), A.m, A.n, A.lda, A.count};
}
template <class E>
vectors<byte_of<E>> as_bytes(const vectors<E>& v) {
  using byte = byte_of<E>;
  const auto stride = v.stride * static_cast<std::int64_t>(sizeof(E));
  return {reinterpret_cast<byte* const*>(v.array), reinterpret_cast<byte*>(v.slab), stride};
}

/// A batch or a variable_batch, in a kernel that is compiled once for both.
template <class T>
struct either_batch {
  batch<T> equal;                                        // m, n and lda are unused if
  const int *m = nullptr, *n = nullptr, *lda = nullptr;  // each matrix has its own size

  either_batch(const batch<T>& A) : equal(A) {}
  either_batch(const variable_batch<T>& A)
      : equal(pointer_batch(A.array, 0, 0, 0, A.count)), m(A.m), n(A.n), lda(A.lda) {}

  TALUS_HOST_DEVICE bool is_equal() const { return m == nullptr; }
  TALUS_HOST_DEVICE matrix<T> operator[](std::int64_t b) const {
    const matrix<T> one = equal[b];
    return is_equal() ? one : matrix<T>{one.A, m[b], n[b], lda[b]};
  }
};

}  // namespace talus
