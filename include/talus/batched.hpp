// Batches of matrices that all have one size. Every routine comes in two forms that differ only in how matrix
// b is found, for b = 0 ... batch_count - 1:
//
//   X_batched          A_b starts at A_array[b]        A_array: batch_count pointers
//   X_strided_batched  A_b starts at A + b * stride_A  one slab of memory
//
// T is float, double, std::complex<float> or std::complex<double>. Matrices are column-major: element (i, j)
// of A_b lies at A_b[i + j * lda]. For real T read ^H as ^T.
//
// Common to all routines
//   memory      Every array argument, pointer arrays and info_array included, lives in memory that q.where
//               can reach: host memory for backend::host, device memory for backend::cuda.
//   alignment   On backend::cuda every matrix begins at a multiple of sizeof(T), as memory of cudaMalloc
//               does: std::complex<double> at 16 bytes, where C++ asks for 8. A slab that does not is an
//               illegal argument. Pointers inside a pointer array are not looked at on the host: one that
//               is misplaced ends in a CUDA error that costs the context. On backend::host, as C++ asks.
//   batch_count 64 bits, >= 0. With batch_count = 0 nothing is done and every pointer may be null.
//   n = 0       legal: matrix pointers may be null (info_array may not), and every info is 0.
//   strides     in elements, at least 0. Matrices that are written may lie anywhere as long as no two of
//               them share an element, the square of an A_b counted whole: one behind the other
//               (stride_A >= lda * n), on top of each other in one tall array (stride_A = n, lda >= n *
//               batch_count), as diagonal blocks of one large matrix (stride_A = n * (lda + 1)). A stride
//               that makes them overlap is illegal. A matrix that is only read may have stride 0: it then
//               serves the whole batch.
//   info_array  batch_count ints, written by every call, never read: what was in it does not matter.
//   failures    A matrix that fails (info_array[b] > 0) never disturbs its neighbours.
//   triangle    Only the triangle named by uplo is used and written; what is in the other one has no
//               effect. Imaginary parts of its diagonal are taken as zero.
//   NaN         counts as a failed pivot: it is reported in info_array, never passed over.
//   same bits   The same call gives the same bits on every run, with any number of threads. The result of a
//               matrix depends neither on its position in the batch, nor on what its neighbours hold, nor
//               on which of the two forms was called. But batch_count chooses how matrices are factored,
//               as the sizes do: among more or fewer matrices one may differ in its last bits.
//   fork        backend::host hangs in the child of a process that has used it: see queue.
//   OpenBLAS    has one thread while a call on backend::host runs, in the whole process: see queue.
//   returns     0, or -i if argument i (counted from 1) is illegal and nothing was touched, or one of the
//               err_ codes of types.hpp.
#pragma once

#include "talus/types.hpp"

namespace talus {

/// Cholesky factorization  A_b = L_b L_b^H  (uplo::lower)  or  A_b = U_b^H U_b  (uplo::upper), in place.
///
/// 1 uplo         the triangle that holds A_b and receives the factor
/// 2 n            order of every A_b, n >= 0
/// 3 A_array      pointers to n-by-n Hermitian positive definite matrices
///   A, stride_A  (strided) the slab and the distance between matrices, in elements: arguments 3 and 5
/// 4 lda          leading dimension, lda >= max(1, n)
/// 5 info_array   0: factored. j > 0: the leading minor of order j is not positive definite, or a NaN was met
///                there. Then the leading (j-1)-by-(j-1) triangle holds that of the factor, and the failed
///                pivot, which is not > 0, stands at (j, j). The rest of the triangle is unspecified, though
///                every run of the same call leaves the same.
/// 6 batch_count  number of matrices
/// 7 q            where to run
///
/// Cost      n^3/3 + n^2/2 + n/6 flops per matrix (complex: four times that); each triangle is read and
///           written once where it fits on the chip.
/// Numerics  ||A - L L^H||_1 / (n ||A||_1 eps) < 30 in the tests, below 10 expected. On GPUs with TF32 tensor
///           units, products in single precision are sums of three TF32 products, good to some 19 bits each
///           at worst; the bound is the same. Beyond n = 32 they lose what is below the least normal number:
///           scale a matrix of subnormal elements.
/// Source    LAPACK's xPOTRF; on the GPU, Abdelfattah, Haidar, Tomov, Dongarra, ICCS 2016,
///           Algorithms 2 and 3.
template <class T>
TALUS_API int potrf_batched(uplo, int n, T* const* A_array, int lda, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potrf_strided_batched(uplo, int n, T* A, int lda, std::int64_t stride_A, int* info_array,
                                    std::int64_t batch_count, queue q);

/// Solves  A_b X_b = B_b  with the Cholesky factor of A_b that potrf left; X_b overwrites B_b.
///
/// 1 uplo         the triangle that holds the factor
/// 2 n            order of A_b and rows of B_b, n >= 0
/// 3 nrhs         columns of B_b, nrhs >= 0
/// 4 A_array, 5 lda  n-by-n factors, only read
/// 6 B_array, 7 ldb  n-by-nrhs right-hand sides, ldb >= max(1, n)
///                (strided: A, lda, stride_A are 4, 5, 6 and B, ldb, stride_B are 7, 8, 9)
/// 8 info_array   0: solved. j > 0: diagonal element j of the factor is not > 0 (so potrf failed there);
///                B_b is untouched.
/// 9 batch_count, 10 q
///
/// Cost      2 n^2 nrhs flops per matrix (complex: four times that).
/// Numerics  ||B - A X||_1 / (n ||A||_1 ||X||_1 eps) < 30 in the tests, below 10 expected.
/// Source    LAPACK's xPOTRS.
template <class T>
TALUS_API int potrs_batched(uplo, int n, int nrhs, const T* const* A_array, int lda, T* const* B_array,
                            int ldb, int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potrs_strided_batched(uplo, int n, int nrhs, const T* A, int lda, std::int64_t stride_A, T* B,
                                    int ldb, std::int64_t stride_B, int* info_array, std::int64_t batch_count,
                                    queue q);

/// Solves  A_b X_b = B_b  for Hermitian positive definite A_b: potrf, then potrs. The factor overwrites A_b,
/// the solution B_b. Arguments as for potrs, except that A_b holds the matrix and is written.
///
/// info_array  as for potrf, and so is what a failed A_b holds; where it is > 0, B_b is untouched.
/// Cost        n^3/3 + 2 n^2 nrhs flops per matrix to leading order (complex: four times that).
/// Numerics    ||B - A X||_1 / (n ||A||_1 ||X||_1 eps) < 30 in the tests, below 10 expected.
/// Source      LAPACK's xPOSV.
template <class T>
TALUS_API int posv_batched(uplo, int n, int nrhs, T* const* A_array, int lda, T* const* B_array, int ldb,
                           int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int posv_strided_batched(uplo, int n, int nrhs, T* A, int lda, std::int64_t stride_A, T* B, int ldb,
                                   std::int64_t stride_B, int* info_array, std::int64_t batch_count, queue q);

/// Inverse of A_b from the Cholesky factor that potrf left; the triangle named by uplo of A_b^-1 overwrites
/// the factor.
///
/// Arguments as for potrf, except that A_b holds the factor.
/// info_array  0: inverted. j > 0: diagonal element j of the factor is not > 0 (so potrf failed there);
///             A_b is untouched then.
/// Cost        2 n^3/3 flops per matrix to leading order (complex: four times that).
/// Numerics    ||I - A A^-1||_1 / (n ||A||_1 ||A^-1||_1 eps) < 30 in the tests, below 10 expected.
/// Source      LAPACK's xPOTRI.
template <class T>
TALUS_API int potri_batched(uplo, int n, T* const* A_array, int lda, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potri_strided_batched(uplo, int n, T* A, int lda, std::int64_t stride_A, int* info_array,
                                    std::int64_t batch_count, queue q);

/// Bytes of scratch a call may use from queue::work, from its sizes alone; no device call is made. The
/// routines above work in place and on the chip: all of these are 0 today.
template <class T>
TALUS_API std::size_t potrf_work(int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potrs_work(int n, int nrhs, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t posv_work(int n, int nrhs, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potri_work(int n, std::int64_t batch_count) noexcept;

}  // namespace talus
