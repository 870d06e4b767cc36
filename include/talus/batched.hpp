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
//   n = 0       legal, as is any extent of 0: matrix pointers may be null (info_array may not where a
//               routine demands it), and every info is 0.
//   strides     in elements, at least 0. Matrices that are written may lie anywhere as long as no two of
//               them share an element, the square of an A_b counted whole: one behind the other
//               (stride_A >= lda * n), on top of each other in one tall array (stride_A = n, lda >= n *
//               batch_count), as diagonal blocks of one large matrix (stride_A = n * (lda + 1)). A stride
//               that makes them overlap is illegal. A matrix that is only read may have stride 0: it then
//               serves the whole batch.
//   info_array  batch_count ints, written by every call, never read: what was in it does not matter. To
//               getrs, getrs_nopiv, getri, getri_outofplace, ormqr, orgqr, trsm it may be null: nobody asks.
//   ipiv        int vectors beside the matrices, as LAPACK's: counted from 1, row i was exchanged with row
//               ipiv[i], i <= ipiv[i] <= m. A solve or an inverse fails at the first illegal pivot (info) and
//               touches nothing of that matrix. ipiv_array: batch_count pointers; strided: ipiv of matrix b
//               starts at ipiv + b * stride_ipiv, and none overlap where they are written.
//   tau         vectors of T beside the matrices, as LAPACK's: with the columns below the diagonal they are
//               the reflectors that Q is made of. tau_array: batch_count pointers; strided: tau of matrix b
//               starts at tau + b * stride_tau, and none overlap where they are written.
//   failures    A matrix that fails (info_array[b] > 0) never disturbs its neighbours.
//   triangle    Of Hermitian matrices only the triangle named by uplo is used and written; what is in the
//               other one has no effect. Imaginary parts of its diagonal are taken as zero.
//   NaN         counts as a failed pivot: it is reported in info_array, never passed over. QR has no pivots:
//               there a NaN comes out in the results, and gels alone reports it, on R's diagonal.
//   same bits   The same call gives the same bits on every run, with any number of threads. The result of a
//               matrix depends neither on its position in the batch, nor on what its neighbours hold, nor
//               on which of the two forms was called. But batch_count chooses how matrices are factored,
//               as the sizes do: among more or fewer matrices one may differ in its last bits.
//   fork        backend::host hangs in the child of a process that has used it: see queue.
//   OpenBLAS    has one thread while a call on backend::host runs, in the whole process: see queue.
//   returns     0, or -i if argument i (counted from 1) is illegal and nothing was touched, or one of the
//               err_ codes of types.hpp.
#pragma once

#include <complex>
#include <type_traits>

#include "talus/types.hpp"

namespace talus {

/// float for float and std::complex<float>, double for double and std::complex<double>.
template <class T>
using real_type = decltype(std::real(T()));

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
///           at worst; the bound is the same. Beyond n = 32, in fronts and in lists of sizes, they lose what is
///           below the least normal number: scale a matrix with elements below 2^-102.
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

/// Partial Cholesky factorization: the first k columns are eliminated. What is left of
/// A_b = [A11 A21^H; A21 A22]  (uplo::lower):  L11 of  A11 = L11 L11^H,  L21 = A21 L11^-H,  and the Schur
/// complement  A22 - L21 L21^H.  uplo::upper, of A_b = [A11 A12; A12^H A22]:  U11 of  A11 = U11^H U11,
/// U12 = U11^-H A12,  and  A22 - U12^H U12.
///
/// 1 uplo         the triangle that holds A_b and receives the result
/// 2 n            order of every A_b, n >= 0
/// 3 k            columns to eliminate, 0 <= k <= n; k = n: all, as potrf
/// 4 A_array      pointers to n-by-n Hermitian matrices whose leading k-by-k block is positive definite
///   A, stride_A  (strided) the slab and the distance between matrices, in elements: arguments 4 and 6
/// 5 lda          leading dimension, lda >= max(1, n)
/// 6 info_array   (strided: 7) 0: done. j > 0, j <= k: the leading minor of order j is not positive definite,
///                or a NaN was met there. Then the leading (j-1)-by-(j-1) triangle holds that of the factor,
///                and the failed pivot, which is not > 0, stands at (j, j). The rest of the triangle is
///                unspecified, though every run of the same call leaves the same.
/// 7 batch_count, 8 q  (strided: 8, 9)
///
/// The Schur complement may be indefinite: it is not looked at. Its diagonal is real. A NaN outside A11 comes
/// out in what it has a part in, and info stays 0. With k = 0 nothing is written but info.
///
/// Cost      With n2 = n - k, k^3/3 + k^2 n2 + k n2^2 flops to leading order (complex: four times that).
/// Numerics  ||A - [L11; L21] [L11; L21]^H - [0 0; 0 S]||_1 / (n ||A||_1 eps) < 30 in the tests, where S is
///           the Schur complement; below 10 expected. TF32 tensor units: as potrf.
/// Source    The frontal matrices of multifrontal solvers: Duff and Reid, ACM TOMS 9 (1983).
template <class T>
TALUS_API int potrf_partial_batched(uplo, int n, int k, T* const* A_array, int lda, int* info_array,
                                    std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potrf_partial_strided_batched(uplo, int n, int k, T* A, int lda, std::int64_t stride_A,
                                            int* info_array, std::int64_t batch_count, queue q);

/// The same of fronts whose blocks are arrays of their own, as potrf_partial_batched would leave them.
///
/// 1 uplo         the triangle of A11 and A22; lower: the block between them is A21, upper: it is A12
/// 2 k            order of every A11, k >= 0: columns to eliminate
/// 3 n2           order of every A22, n2 >= 0
/// 4 A11_array, 5 lda11  k-by-k Hermitian positive definite matrices, lda11 >= max(1, k); receive L11 or U11
/// 6 A21_array, 7 lda21  lower: n2-by-k matrices, lda21 >= max(1, n2); receive L21.
///                upper: A12, k-by-n2, lda21 >= max(1, k); receive U12
/// 8 A22_array, 9 lda22  n2-by-n2 Hermitian matrices, lda22 >= max(1, n2); receive the Schur complement
///                (strided: A11, lda11, stride_A11 are 4, 5, 6, A21's are 7, 8, 9, and A22's 10, 11, 12)
/// 10 info_array  (strided: 13) as potrf_partial; what is unspecified then is the rest of A11's triangle, A21
///                and A22's triangle
/// 11 batch_count, 12 q  (strided: 14, 15)
///
/// Pointers of blocks without elements may be null: where k is 0 those of A11 and A21, where n2 is 0 those of
/// A21 and A22. No two blocks may share an element that is used.
///
/// Cost, numerics, source  as potrf_partial, with n = k + n2.
template <class T>
TALUS_API int potrf_partial_split_batched(uplo, int k, int n2, T* const* A11_array, int lda11,
                                          T* const* A21_array, int lda21, T* const* A22_array, int lda22,
                                          int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potrf_partial_split_strided_batched(uplo, int k, int n2, T* A11, int lda11,
                                                  std::int64_t stride_A11, T* A21, int lda21,
                                                  std::int64_t stride_A21, T* A22, int lda22,
                                                  std::int64_t stride_A22, int* info_array,
                                                  std::int64_t batch_count, queue q);

/// LU factorization with partial pivoting  A_b = P_b L_b U_b,  in place: unit lower trapezoidal L_b below the
/// diagonal, upper trapezoidal U_b on and above it.
///
/// 1 m, 2 n       rows and columns of every A_b, >= 0
/// 3 A_array      pointers to m-by-n matrices
///   A, stride_A  (strided) the slab and the distance between matrices: arguments 3 and 5
/// 4 lda          leading dimension, lda >= max(1, m)
/// 5 ipiv_array   min(m, n) ints for each matrix, written
///   ipiv, stride_ipiv  (strided) 6 and 7, stride_ipiv >= min(m, n)
/// 6 info_array   (strided: 8) 0: factored. j > 0: the first j for which U(j, j) is exactly zero, or column j
///                holds a NaN at or below its diagonal when its turn comes (then ipiv[j] = j). The
///                factorization is completed, as LAPACK does: a column of zeros is passed over.
/// 7 batch_count, 8 q  (strided: 9, 10)
///
/// The pivot of column j is its largest element in magnitude at or below the diagonal, |re| + |im| where it
/// is complex; of equal ones that of the smallest row. Infinite elements count as large ones. Of columns that
/// come to hold a NaN or an infinity nothing else is specified.
///
/// Cost      2 m n k - (m + n) k^2 + 2 k^3 / 3 flops per matrix to leading order, k = min(m, n) (complex:
///           four times that); the matrix is read and written once where it fits on the chip.
/// Numerics  ||A - P L U||_1 / (max(m, n) ||A||_1 eps) < 30 in the tests, below 10 expected, beyond what
///           growth makes of it. On GPUs with TF32 tensor units, products in single precision are sums of
///           three TF32 products, good to some 19 bits each at worst; the bound is the same.
/// Source    LAPACK's xGETRF. On the GPU rows do not move until they are stored: implicit pivoting. One launch
///           for a whole batch and kernels by size are after Abdelfattah, Haidar, Tomov, Dongarra, ICCS 2016.
template <class T>
TALUS_API int getrf_batched(int m, int n, T* const* A_array, int lda, int* const* ipiv_array, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrf_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, int* ipiv,
                                    std::int64_t stride_ipiv, int* info_array, std::int64_t batch_count,
                                    queue q);

/// LU factorization without row exchanges  A_b = L_b U_b,  in place. For matrices that need none, or whose
/// pivots a floor keeps from zero.
///
/// 1 m, 2 n, 3 A_array, 4 lda   as getrf (strided: A, lda, stride_A are 3, 4, 5)
/// 5 pivot_floor        (strided: 6) >= 0: a pivot smaller in magnitude becomes pivot_floor with the pivot's
///                      phase (a zero: +pivot_floor) when its turn comes, and the factorization goes on with
///                      that; 0: none does. The magnitude of a complex pivot is its absolute value.
/// 6 pivot_floor_array  (strided: 7) batch_count floors, one for each matrix; or null: pivot_floor for all. A
///                      floor below 0, or NaN, is taken as 0.
/// 7 replaced_array     (strided: 8) batch_count ints: how many pivots of matrix b were replaced; or null
/// 8 info_array         (strided: 9) 0: factored. j > 0: the first j whose pivot is zero after that, or NaN.
///                      The factorization is completed; a column under a zero pivot is left undivided.
/// 9 batch_count, 10 q  (strided: 10, 11)
///
/// Cost      as getrf.
/// Numerics  As good as the growth of the elements lets it be; for diagonally dominant matrices getrf's bound.
/// Source    LAPACK's xGETRF without its pivoting; the floor: Li and Demmel, SuperLU_DIST, ACM TOMS 29
///           (2003).
template <class T>
TALUS_API int getrf_nopiv_batched(int m, int n, T* const* A_array, int lda, real_type<T> pivot_floor,
                                  const real_type<T>* pivot_floor_array, int* replaced_array, int* info_array,
                                  std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrf_nopiv_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A,
                                          real_type<T> pivot_floor, const real_type<T>* pivot_floor_array,
                                          int* replaced_array, int* info_array, std::int64_t batch_count,
                                          queue q);

/// Partial LU factorization: the first k columns are eliminated, with pivots from the first k rows alone.
/// What is left of A_b = [A11 A12; A21 A22]:  L11 and U11 of  A11 = P L11 U11,  L21 = A21 U11^-1,
/// U12 = L11^-1 P^T A12,  and the Schur complement  A22 - L21 U12.
///
/// 1 m, 2 n       rows and columns of every A_b
/// 3 k            columns to eliminate, 0 <= k <= min(m, n)
/// 4 A_array, 5 lda   m-by-n matrices (strided: A, lda, stride_A are 4, 5, 6)
/// 6 ipiv_array   k ints for each matrix, written (strided: ipiv, stride_ipiv are 7, 8)
/// 7 info_array   (strided: 9) as getrf; a NaN counts where it is at or below the diagonal in the first k
///                rows. Where U(j, j) is zero the column below stays undivided, as LAPACK leaves it.
/// 8 batch_count, 9 q  (strided: 10, 11)
///
/// Cost      2 k m n - k^2 (m + n) + 2 k^3 / 3 flops to leading order (complex: four times that).
/// Source    The frontal matrices of multifrontal solvers: Duff and Reid, ACM TOMS 9 (1983).
template <class T>
TALUS_API int getrf_partial_batched(int m, int n, int k, T* const* A_array, int lda, int* const* ipiv_array,
                                    int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrf_partial_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A,
                                            int* ipiv, std::int64_t stride_ipiv, int* info_array,
                                            std::int64_t batch_count, queue q);

/// The same without row exchanges, with the pivot floor of getrf_nopiv.
///
/// 1 m, 2 n, 3 k, 4 A_array, 5 lda   as getrf_partial
/// 6 pivot_floor, 7 pivot_floor_array, 8 replaced_array, 9 info_array   as getrf_nopiv
/// 10 batch_count, 11 q
///                (strided: A, lda, stride_A are 4, 5, 6, what follows is one later)
template <class T>
TALUS_API int getrf_partial_nopiv_batched(int m, int n, int k, T* const* A_array, int lda,
                                          real_type<T> pivot_floor, const real_type<T>* pivot_floor_array,
                                          int* replaced_array, int* info_array, std::int64_t batch_count,
                                          queue q);
template <class T>
TALUS_API int getrf_partial_nopiv_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A,
                                                  real_type<T> pivot_floor,
                                                  const real_type<T>* pivot_floor_array, int* replaced_array,
                                                  int* info_array, std::int64_t batch_count, queue q);

/// The same of fronts  A_b = [A11 A12; A21 A22]  whose blocks are arrays of their own:  A11 = P L11 U11,
/// with pivots from its own rows, and of the other blocks what `form` and `schur` ask for.
///
/// 1 form         lapack: A12 becomes  U12 = L11^-1 P^T A12,  A21 becomes  L21 = A21 U11^-1.  left: A12
///                becomes  A11^-1 A12,  A21 is only read
/// 2 schur        subtract: A22 becomes  A22 - A21 A11^-1 A12.  product: it becomes  A21 A11^-1 A12,  and is
///                not read. Both take the product of what then stands in A21 and A12
/// 3 k            order of every A11, k >= 0: columns to eliminate
/// 4 m2, 5 n2     rows and columns of every A22, >= 0
/// 6 A11_array, 7 lda11  k-by-k matrices, lda11 >= max(1, k); receive L11 and U11
/// 8 A12_array, 9 lda12  k-by-n2 matrices, lda12 >= max(1, k)
/// 10 A21_array, 11 lda21  m2-by-k matrices, lda21 >= max(1, m2)
/// 12 A22_array, 13 lda22  m2-by-n2 matrices, lda22 >= max(1, m2)
///                (strided: A11, lda11, stride_A11 are 6, 7, 8, A12's are 9, 10, 11, A21's 12, 13, 14, and
///                A22's 15, 16, 17)
/// 14 ipiv_array  k ints for each front, written: row i of [A11 A12] was exchanged with row ipiv[i]
///                (strided: ipiv, stride_ipiv are 18, 19)
/// 15 info_array  (strided: 20) as getrf_partial. j > 0, j <= k: lapack: all is completed as getrf_partial
///                completes it; column j of L21, too, stays undivided where U11(j, j) is zero. left: A11 is
///                completed, A12 and A22 are untouched.
/// 16 batch_count, 17 q  (strided: 21, 22)
///
/// Pointers of blocks without elements may be null, and where k is 0 those of ipiv. No two blocks may share
/// an element that is used. Where k is 0, subtract leaves A22 as it is, and product makes it zero: a sum of
/// no terms. A NaN outside A11 comes out in what it has a part in, and info stays 0.
///
/// Cost      With m = k + m2 and n = k + n2, the flops of getrf_partial; left: k^2 (n2 - m2) more.
/// Numerics  lapack: ||A - P L U - [0 0; 0 S]||_1 / (max(m, n) ||A||_1 eps) < 30 in the tests, L = [L11; L21]
///           and U = [U11 U12], S the Schur complement, beyond what growth makes of it. left, X = A11^-1 A12:
///           ||A12 - A11 X||_1 / (k ||A11||_1 ||X||_1 eps) < 30,  and  ||A22 - S - A21 X||_1 /
///           ((k + 1) (||A22||_1 + ||A21||_1 ||X||_1) eps) < 30.  Below 10 expected. TF32 tensor units: as
///           getrf.
/// Source    As getrf_partial; left: STRUMPACK, Ghysels and Synk, Parallel Computing 110 (2022).
template <class T>
TALUS_API int getrf_partial_split_batched(form, schur, int k, int m2, int n2, T* const* A11_array, int lda11,
                                          T* const* A12_array, int lda12, T* const* A21_array, int lda21,
                                          T* const* A22_array, int lda22, int* const* ipiv_array,
                                          int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrf_partial_split_strided_batched(form, schur, int k, int m2, int n2, T* A11, int lda11,
                                                  std::int64_t stride_A11, T* A12, int lda12,
                                                  std::int64_t stride_A12, T* A21, int lda21,
                                                  std::int64_t stride_A21, T* A22, int lda22,
                                                  std::int64_t stride_A22, int* ipiv,
                                                  std::int64_t stride_ipiv, int* info_array,
                                                  std::int64_t batch_count, queue q);

/// The same without row exchanges, with the pivot floor of getrf_nopiv.
///
/// 1 form ... 13 lda22   as getrf_partial_split
/// 14 pivot_floor, 15 pivot_floor_array, 16 replaced_array   as getrf_nopiv
/// 17 info_array  as getrf_nopiv, of A11; what is left of the other blocks where it is > 0 is as in
///                getrf_partial_split
/// 18 batch_count, 19 q
///                (strided: A11 ... stride_A22 are 6 ... 17, pivot_floor is 18, and so on)
template <class T>
TALUS_API int getrf_partial_split_nopiv_batched(form, schur, int k, int m2, int n2, T* const* A11_array,
                                                int lda11, T* const* A12_array, int lda12,
                                                T* const* A21_array, int lda21, T* const* A22_array,
                                                int lda22, real_type<T> pivot_floor,
                                                const real_type<T>* pivot_floor_array, int* replaced_array,
                                                int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrf_partial_split_nopiv_strided_batched(
    form, schur, int k, int m2, int n2, T* A11, int lda11, std::int64_t stride_A11, T* A12, int lda12,
    std::int64_t stride_A12, T* A21, int lda21, std::int64_t stride_A21, T* A22, int lda22,
    std::int64_t stride_A22, real_type<T> pivot_floor, const real_type<T>* pivot_floor_array,
    int* replaced_array, int* info_array, std::int64_t batch_count, queue q);

/// Solves  op(A_b) X_b = B_b  with the factors and pivots of A_b that getrf left; X_b overwrites B_b.
///
/// 1 op           none: A, trans: A^T, conj_trans: A^H
/// 2 n            order of A_b and rows of B_b, n >= 0
/// 3 nrhs         columns of B_b, nrhs >= 0
/// 4 A_array, 5 lda  n-by-n factors, only read
/// 6 ipiv_array   n pivots of each, only read
/// 7 B_array, 8 ldb  n-by-nrhs right-hand sides, ldb >= max(1, n)
///                (strided: A, lda, stride_A are 4, 5, 6, ipiv, stride_ipiv 7, 8, B, ldb, stride_B 9, 10, 11)
/// 9 info_array   may be null. 0: solved. j > 0: U(j, j) is zero or NaN, or pivot j is not a row from j
///                to n, and B_b is untouched.
/// 10 batch_count, 11 q
///
/// Cost      2 n^2 nrhs flops per matrix (complex: four times that).
/// Numerics  ||B - op(A) X||_1 / (n ||A||_1 ||X||_1 eps) < 30 in the tests, below 10 expected.
/// Source    LAPACK's xGETRS.
template <class T>
TALUS_API int getrs_batched(op, int n, int nrhs, const T* const* A_array, int lda,
                            const int* const* ipiv_array, T* const* B_array, int ldb, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrs_strided_batched(op, int n, int nrhs, const T* A, int lda, std::int64_t stride_A,
                                    const int* ipiv, std::int64_t stride_ipiv, T* B, int ldb,
                                    std::int64_t stride_B, int* info_array, std::int64_t batch_count,
                                    queue q);

/// The same with the factors that getrf_nopiv left: there are no pivots. Arguments as for getrs without ipiv.
template <class T>
TALUS_API int getrs_nopiv_batched(op, int n, int nrhs, const T* const* A_array, int lda, T* const* B_array,
                                  int ldb, int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrs_nopiv_strided_batched(op, int n, int nrhs, const T* A, int lda, std::int64_t stride_A,
                                          T* B, int ldb, std::int64_t stride_B, int* info_array,
                                          std::int64_t batch_count, queue q);

/// Solves  A_b X_b = B_b: getrf, then getrs. The factors overwrite A_b, the pivots ipiv, the solution B_b.
///
/// 1 n            order of A_b and rows of B_b
/// 2 nrhs         columns of B_b
/// 3 A_array, 4 lda   n-by-n matrices, overwritten by their factors
/// 5 ipiv_array   n pivots of each, written
/// 6 B_array, 7 ldb   right-hand sides
///                (strided: A, lda, stride_A are 3, 4, 5, ipiv, stride_ipiv 6, 7, B, ldb, stride_B 8, 9, 10)
/// 8 info_array   as for getrf, and so is what A_b and ipiv then hold; where it is > 0, B_b is untouched.
/// 9 batch_count, 10 q
///
/// Cost        2 n^3 / 3 + 2 n^2 nrhs flops per matrix to leading order (complex: four times that).
/// Numerics    ||B - A X||_1 / (n ||A||_1 ||X||_1 eps) < 30 in the tests, below 10 expected.
/// Source      LAPACK's xGESV.
template <class T>
TALUS_API int gesv_batched(int n, int nrhs, T* const* A_array, int lda, int* const* ipiv_array,
                           T* const* B_array, int ldb, int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int gesv_strided_batched(int n, int nrhs, T* A, int lda, std::int64_t stride_A, int* ipiv,
                                   std::int64_t stride_ipiv, T* B, int ldb, std::int64_t stride_B,
                                   int* info_array, std::int64_t batch_count, queue q);

/// Inverse of A_b from the factors and pivots that getrf left; it overwrites the factors.
///
/// 1 n, 2 A_array, 3 lda   n-by-n factors, overwritten
/// 4 ipiv_array   n pivots of each, only read
///                (strided: A, lda, stride_A are 2, 3, 4, ipiv, stride_ipiv 5, 6)
/// 5 info_array   may be null. 0: inverted. j > 0: U(j, j) is zero or NaN, or pivot j is not a row from
///                j to n, and A_b is untouched.
/// 6 batch_count, 7 q
///
/// Cost      4 n^3 / 3 flops per matrix to leading order (complex: four times that).
/// Numerics  ||I - X A||_1 / (n ||A||_1 ||X||_1 eps) < 30 in the tests, below 10 expected.
/// Source    LAPACK's xGETRI.
template <class T>
TALUS_API int getri_batched(int n, T* const* A_array, int lda, const int* const* ipiv_array, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getri_strided_batched(int n, T* A, int lda, std::int64_t stride_A, const int* ipiv,
                                    std::int64_t stride_ipiv, int* info_array, std::int64_t batch_count,
                                    queue q);

/// The same into another matrix: C_b = A_b^-1. The factors are only read; where info > 0, C_b is untouched.
///
/// 1 n, 2 A_array, 3 lda, 4 ipiv_array   as getri, only read
/// 5 C_array, 6 ldc   n-by-n matrices, ldc >= max(1, n)
///                (strided: A, lda, stride_A are 2, 3, 4, ipiv, stride_ipiv 5, 6, C, ldc, stride_C 7, 8, 9)
/// 7 info_array, 8 batch_count, 9 q
template <class T>
TALUS_API int getri_outofplace_batched(int n, const T* const* A_array, int lda, const int* const* ipiv_array,
                                       T* const* C_array, int ldc, int* info_array, std::int64_t batch_count,
                                       queue q);
template <class T>
TALUS_API int getri_outofplace_strided_batched(int n, const T* A, int lda, std::int64_t stride_A,
                                               const int* ipiv, std::int64_t stride_ipiv, T* C, int ldc,
                                               std::int64_t stride_C, int* info_array,
                                               std::int64_t batch_count, queue q);

/// QR factorization  A_b = Q_b R_b  by Householder's reflectors, in place.
///
/// Q_b = H_1 H_2 ... H_k with k = min(m, n) and H_j = I - tau_j v_j v_j^H. R_b, upper trapezoidal, stands on
/// and above the diagonal of A_b, and its diagonal is real. v_j has j - 1 zeros and a one; the rest of it
/// stands in column j, below the diagonal. Signs are LAPACK's: R(j, j) has the opposite sign of the real part
/// of what stood there. Where all below the diagonal is exactly zero (and the diagonal is real) H_j = I and
/// tau_j = 0; however small it is otherwise, H_j is a reflector.
///
/// 1 m, 2 n       rows and columns of every A_b, >= 0
/// 3 A_array      pointers to m-by-n matrices
///   A, stride_A  (strided) the slab and the distance between matrices: arguments 3 and 5
/// 4 lda          leading dimension, lda >= max(1, m)
/// 5 tau_array    min(m, n) elements for each matrix, written
///   tau, stride_tau  (strided) 6 and 7, stride_tau >= min(m, n)
/// 6 info_array   (strided: 8) 0
/// 7 batch_count, 8 q  (strided: 9, 10)
///
/// Norms are scaled: elements near the largest or the least number neither overflow nor vanish in them. A NaN
/// or an infinity in a column makes NaNs of what follows from it; info stays 0.
///
/// Cost      2 m n^2 - 2 n^3 / 3 flops per matrix to leading order where m >= n, 2 n m^2 - 2 m^3 / 3 where
///           m < n (complex: four times that); the matrix is read and written once where it fits on the chip.
/// Numerics  ||A - Q R||_1 / (m ||A||_1 eps) and ||I - Q^H Q||_1 / (m eps) < 30 in the tests, below 10
///           expected. On GPUs with TF32 tensor units, products in single precision are sums of three TF32
///           products, good to some 19 bits each at worst; the bounds are the same.
/// Source    LAPACK's xGEQRF; Householder, J. ACM 5 (1958). Several reflectors at once are I - V T V^H, the
///           compact WY form: Schreiber and Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989).
template <class T>
TALUS_API int geqrf_batched(int m, int n, T* const* A_array, int lda, T* const* tau_array, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int geqrf_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, T* tau,
                                    std::int64_t stride_tau, int* info_array, std::int64_t batch_count,
                                    queue q);

/// Product with the Q_b that geqrf left: C_b := op(Q_b) C_b  (side::left)  or  C_b op(Q_b)  (side::right).
/// Q_b = H_1 H_2 ... H_k is never formed.
///
/// 1 side         left or right of C_b
/// 2 op           none: Q, conj_trans: Q^H; trans: the same as conj_trans for real T, illegal for complex T
/// 3 m, 4 n       rows and columns of C_b, >= 0
/// 5 k            reflectors, 0 <= k <= m (left), 0 <= k <= n (right)
/// 6 A_array, 7 lda  the first k columns of what geqrf left, of m rows (left) or n rows (right), only read;
///                lda >= max(1, m) (left), max(1, n) (right)
/// 8 tau_array    k elements of each, only read
/// 9 C_array, 10 ldc  m-by-n matrices, overwritten by the product, ldc >= max(1, m)
///                (strided: A, lda, stride_A are 6, 7, 8, tau, stride_tau 9, 10, C, ldc, stride_C 11, 12, 13)
/// 11 info_array  (strided: 14) may be null. 0
/// 12 batch_count, 13 q  (strided: 15, 16)
///
/// A NaN in A_b, tau_b or C_b comes out in C_b.
///
/// Cost      4 m n k - 2 n k^2 flops per matrix to leading order (left), 4 m n k - 2 m k^2 (right) (complex:
///           four times that).
/// Numerics  ||op(Q) C - result||_1 / (m ||C||_1 eps) < 30 in the tests (right: n), below 10 expected. Single
///           precision on GPUs with TF32 tensor units: as geqrf.
/// Source    LAPACK's xORMQR and xUNMQR; the compact WY form as in geqrf.
template <class T>
TALUS_API int ormqr_batched(side, op, int m, int n, int k, const T* const* A_array, int lda,
                            const T* const* tau_array, T* const* C_array, int ldc, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int ormqr_strided_batched(side, op, int m, int n, int k, const T* A, int lda, std::int64_t stride_A,
                                    const T* tau, std::int64_t stride_tau, T* C, int ldc,
                                    std::int64_t stride_C, int* info_array, std::int64_t batch_count,
                                    queue q);

/// The first n columns of the Q_b that geqrf left, in place of its reflectors: they are orthonormal. With
/// k < n they are those of H_1 H_2 ... H_k; with k = 0 those of the identity.
///
/// 1 m            rows of A_b, >= 0
/// 2 n            columns of Q_b that are wanted, 0 <= n <= m
/// 3 k            reflectors, 0 <= k <= n
/// 4 A_array, 5 lda   m-by-n matrices, lda >= max(1, m): the reflectors in the first k columns, overwritten
///                by Q_b; what the other columns hold does not matter
/// 6 tau_array    k elements of each, only read
///                (strided: A, lda, stride_A are 4, 5, 6, tau, stride_tau 7, 8)
/// 7 info_array   (strided: 9) may be null. 0
/// 8 batch_count, 9 q  (strided: 10, 11)
///
/// A NaN in the reflectors or in tau_b comes out in Q_b.
///
/// Cost      4 m n k - 2 (m + n) k^2 + 4 k^3 / 3 flops per matrix to leading order; of complex ones four
///           times as many.
/// Numerics  ||I - Q^H Q||_1 / (m eps) < 30 in the tests, below 10 expected. Single precision on GPUs with
///           TF32 tensor units: as geqrf.
/// Source    LAPACK's xORGQR and xUNGQR; the compact WY form as in geqrf.
template <class T>
TALUS_API int orgqr_batched(int m, int n, int k, T* const* A_array, int lda, const T* const* tau_array,
                            int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int orgqr_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A, const T* tau,
                                    std::int64_t stride_tau, int* info_array, std::int64_t batch_count,
                                    queue q);

/// ormqr and orgqr of complex T by LAPACK's names for them.
template <class T>
int unmqr_batched(side side, op op, int m, int n, int k, const T* const* A_array, int lda,
                  const T* const* tau_array, T* const* C_array, int ldc, int* info_array,
                  std::int64_t batch_count, queue q) {
  static_assert(!std::is_same_v<T, real_type<T>>, "of real matrices it is ormqr");
  return ormqr_batched<T>(side, op, m, n, k, A_array, lda, tau_array, C_array, ldc, info_array, batch_count,
                          q);
}
template <class T>
int unmqr_strided_batched(side side, op op, int m, int n, int k, const T* A, int lda, std::int64_t stride_A,
                          const T* tau, std::int64_t stride_tau, T* C, int ldc, std::int64_t stride_C,
                          int* info_array, std::int64_t batch_count, queue q) {
  static_assert(!std::is_same_v<T, real_type<T>>, "of real matrices it is ormqr");
  return ormqr_strided_batched<T>(side, op, m, n, k, A, lda, stride_A, tau, stride_tau, C, ldc, stride_C,
                                  info_array, batch_count, q);
}
template <class T>
int ungqr_batched(int m, int n, int k, T* const* A_array, int lda, const T* const* tau_array, int* info_array,
                  std::int64_t batch_count, queue q) {
  static_assert(!std::is_same_v<T, real_type<T>>, "of real matrices it is orgqr");
  return orgqr_batched<T>(m, n, k, A_array, lda, tau_array, info_array, batch_count, q);
}
template <class T>
int ungqr_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A, const T* tau,
                          std::int64_t stride_tau, int* info_array, std::int64_t batch_count, queue q) {
  static_assert(!std::is_same_v<T, real_type<T>>, "of real matrices it is orgqr");
  return orgqr_strided_batched<T>(m, n, k, A, lda, stride_A, tau, stride_tau, info_array, batch_count, q);
}

/// Least squares and least norm with A_b of full rank. X_b is what minimizes  ||op(A_b) X_b - B_b||_2,
/// column by column, where op is none and m >= n, or conj_trans and m < n. Else it is the solution of
/// op(A_b) X_b = B_b  of least norm. X_b overwrites B_b.
///
/// 1 op           none: A, conj_trans: A^H; trans: the same as conj_trans for real T, illegal for complex T
/// 2 m, 3 n       rows and columns of A_b, >= 0
/// 4 nrhs         columns of B_b and X_b, >= 0
/// 5 A_array, 6 lda   m-by-n matrices, lda >= max(1, m); overwritten, with what is not specified
/// 7 B_array, 8 ldb   max(m, n)-by-nrhs matrices, ldb >= max(1, m, n). On entry the first m rows (none) or n
///                rows (conj_trans) are B_b, the others do not matter. On return the first n rows (none) or m
///                rows (conj_trans) are X_b. In least squares the rows below hold what is left of Q^H B_b:
///                the squares in a column of them sum up to those of its residual.
///                (strided: A, lda, stride_A are 5, 6, 7, B, ldb, stride_B 8, 9, 10)
/// 9 info_array   (strided: 11) 0: solved. j > 0: the first j for which R(j, j) is zero or NaN, with R of the
///                QR factorization of A_b (m >= n) or A_b^H (m < n); all of B_b is untouched.
/// 10 batch_count, 11 q  (strided: 12, 13)
///
/// Where m = 0 or n = 0, all of B_b becomes zero. A NaN that does not meet R's diagonal comes out in X_b.
/// Whether A_b is nearly of lower rank is not looked at: then X_b is as large as R^-1 makes it.
///
/// Cost      geqrf's of the m-by-n matrix and nrhs (4 m n - min(m, n)^2) flops per matrix to leading order
///           (complex: four times that).
/// Numerics  least squares: ||op(A)^H (B - op(A) X)||_1 / (max(m, n, nrhs) ||A||_1 ||B||_1 eps); least norm:
///           ||B - op(A) X||_1 / (max(m, n) ||A||_1 ||X||_1 eps); both < 30 in the tests, below 10 expected.
///           Single precision on GPUs with TF32 tensor units: as geqrf.
/// Source    LAPACK's xGELS, of which only QR factorizations are used; Golub, Numer. Math. 7 (1965).
template <class T>
TALUS_API int gels_batched(op, int m, int n, int nrhs, T* const* A_array, int lda, T* const* B_array, int ldb,
                           int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int gels_strided_batched(op, int m, int n, int nrhs, T* A, int lda, std::int64_t stride_A, T* B,
                                   int ldb, std::int64_t stride_B, int* info_array, std::int64_t batch_count,
                                   queue q);

/// Thin QR factorization with Q formed:  A_b = Q_b R_b,  k = min(m, n), Q_b m-by-k with orthonormal columns,
/// R_b k-by-n and upper trapezoidal. It is geqrf, then orgqr.
///
/// 1 m, 2 n       rows and columns of every A_b, >= 0
/// 3 A_array, 4 lda   m-by-n matrices, lda >= max(1, m); the first k columns are overwritten by Q_b, the
///                others with what is not specified
/// 5 R_array, 6 ldr   k-by-n matrices, ldr >= max(1, k), written: R_b, with zeros below its diagonal. The
///                diagonal is real and has geqrf's signs.
///                (strided: A, lda, stride_A are 3, 4, 5, R, ldr, stride_R 6, 7, 8)
/// 7 info_array   (strided: 9) 0
/// 8 batch_count, 9 q  (strided: 10, 11)
///
/// A NaN or an infinity in A_b comes out in Q_b and R_b as NaN, as in geqrf.
///
/// Cost      4 m n^2 - 4 n^3 / 3 flops per matrix to leading order where m >= n, 2 m^2 n + 2 m^3 / 3 where
///           m < n (complex: four times that).
/// Numerics  as geqrf.
/// Source    LAPACK's xGEQRF with xORGQR or xUNGQR.
template <class T>
TALUS_API int qr_batched(int m, int n, T* const* A_array, int lda, T* const* R_array, int ldr,
                         int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int qr_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, T* R, int ldr,
                                 std::int64_t stride_R, int* info_array, std::int64_t batch_count, queue q);

/// Solves a triangular system with A_b on the left or on the right,  op(A_b) X_b = alpha B_b  or
/// X_b op(A_b) = alpha B_b;  X_b overwrites B_b.
///
/// 1 side         left: op(A_b) X_b, right: X_b op(A_b)
/// 2 uplo         the triangle that A_b is; the other one is neither read nor written
/// 3 op           none: A, trans: A^T, conj_trans: A^H
/// 4 diag         non_unit: A_b's diagonal is what is stored there, unit: ones, and nothing there is used
/// 5 m, 6 n       rows and columns of B_b, m >= 0, n >= 0
/// 7 alpha        a number, the same for all; in C a pointer to one in host memory. With alpha = 0 every B_b
///                becomes zero, whatever it and A_b hold.
/// 8 A_array, 9 lda   triangles of order k, only read: k = m (left) or n (right), lda >= max(1, k)
/// 10 B_array, 11 ldb  m-by-n matrices, ldb >= max(1, m)
///                (strided: A, lda, stride_A are 8, 9, 10 and B, ldb, stride_B 11, 12, 13)
/// 12 info_array  (strided: 14) may be null. 0
/// 13 batch_count, 14 q  (strided: 15, 16)
///
/// A zero on the diagonal is not looked for: its unknowns, and what depends on them, are infinite or NaN.
/// Imaginary parts of the diagonal count.
///
/// Cost      k^2 flops per column (left) or row (right) of B_b (complex: four times that).
/// Numerics  ||alpha B - op(A) X||_1 / (k ||A||_1 ||X||_1 eps) < 30 in the tests, and from the right the same
///           of the transposed system; below 10 expected.
/// Source    BLAS's xTRSM.
template <class T>
TALUS_API int trsm_batched(side, uplo, op, diag, int m, int n, T alpha, const T* const* A_array, int lda,
                           T* const* B_array, int ldb, int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int trsm_strided_batched(side, uplo, op, diag, int m, int n, T alpha, const T* A, int lda,
                                   std::int64_t stride_A, T* B, int ldb, std::int64_t stride_B,
                                   int* info_array, std::int64_t batch_count, queue q);

/// Bytes of scratch a call may use from queue::work, from its sizes alone; no device call is made. The
/// routines above work in place and on the chip: all of these are 0 today, but those of potrf, posv,
/// getrf and gesv, with and without row exchanges, and of the partial factorizations.
template <class T>
TALUS_API std::size_t potrf_work(int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potrs_work(int n, int nrhs, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t posv_work(int n, int nrhs, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potri_work(int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potrf_partial_work(int n, int k, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potrf_partial_split_work(int k, int n2, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_work(int m, int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_nopiv_work(int m, int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_partial_work(int m, int n, int k, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_partial_nopiv_work(int m, int n, int k, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_partial_split_work(int k, int m2, int n2, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_partial_split_nopiv_work(int k, int m2, int n2,
                                                     std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrs_work(int n, int nrhs, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrs_nopiv_work(int n, int nrhs, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t gesv_work(int n, int nrhs, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getri_work(int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getri_outofplace_work(int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t geqrf_work(int m, int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t ormqr_work(int m, int n, int k, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t orgqr_work(int m, int n, int k, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t gels_work(int m, int n, int nrhs, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t qr_work(int m, int n, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t trsm_work(side, int m, int n, std::int64_t batch_count) noexcept;
template <class T>
std::size_t unmqr_work(int m, int n, int k, std::int64_t batch_count) noexcept {
  return ormqr_work<T>(m, n, k, batch_count);
}
template <class T>
std::size_t ungqr_work(int m, int n, int k, std::int64_t batch_count) noexcept {
  return orgqr_work<T>(m, n, k, batch_count);
}

}  // namespace talus
