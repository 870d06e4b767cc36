// Batches of matrices that all have the same size.
//
// Every routine X has two forms. They differ only in how matrix b is found, for b = 0 ... batch_count - 1:
//
//   X_batched          A_b starts at A_array[b]        A_array: batch_count pointers
//   X_strided_batched  A_b starts at A + b * stride_A  A: one slab of memory
//
// T is float, double, std::complex<float> or std::complex<double>. Matrices are column-major: the element in
// row i and column j of A_b is A_b[i + j * lda], with i and j counted from 0. The comments below count rows
// and columns from 1, as LAPACK does. For real T read ^H as ^T.
//
// Common to all routines
//   arguments   A comment lists the arguments of X_batched by number. If X_strided_batched has another name
//               or number for an argument, the comment adds it in parentheses, for example (strided: 7). The
//               parentheses (strided: A, lda, stride_A are 3, 4, 5) mean that X_strided_batched has A as
//               argument 3, lda as argument 4 and stride_A as argument 5.
//   memory      Every array argument must be in memory that the backend q.where can access: host memory for
//               backend::host, device memory for backend::cuda. This includes pointer arrays and info_array.
//   alignment   On backend::cuda every matrix and every vector tau must begin at a multiple of sizeof(T), as
//               memory from cudaMalloc does. For std::complex<double> this means 16 bytes, where C++ requires
//               8. A slab at another address is an illegal argument. The pointers inside a pointer array are
//               not checked on the host: a misaligned pointer causes a CUDA error that destroys the CUDA
//               context. On backend::host the alignment that C++ requires is enough.
//   batch_count 64 bits, >= 0. If batch_count = 0, nothing is done and every pointer may be null.
//   n = 0       An extent of 0 is legal, for n as for m, k and nrhs. The pointer to matrices or vectors
//               without elements may be null, but info_array may not be null if the routine requires it. If
//               A_b has no elements, or if k = 0, every info is 0. If only nrhs is 0, info still reports
//               whether A_b fails.
//   strides     Counted in elements, >= 0. Matrices that are written may be anywhere, as long as no two of
//               them share an element. All rows and columns of A_b count, even if only one triangle is used.
//               The matrices may follow one another (stride_A >= lda * n), be stacked in one tall array
//               (stride_A = n, lda >= n * batch_count), or be diagonal blocks of one large matrix
//               (stride_A = n * (lda + 1)). A stride that makes them overlap is an illegal argument. A matrix
//               that is only read may have stride 0: it then serves the whole batch.
//   info_array  batch_count ints. Every call writes all of them and reads none, so they need no initial
//               value. The argument may be null for getrs, getrs_nopiv, getri, getri_outofplace, ormqr, orgqr
//               and trsm, which then report nothing.
//   ipiv        One vector of ints for each matrix, as in LAPACK. The numbers count from 1: row i was
//               exchanged with row ipiv[i], and i <= ipiv[i] <= m (<= k in partial factorizations). A solve
//               or an inverse fails at the first illegal pivot: info reports it, and the results of that
//               matrix are not written. ipiv_array: batch_count pointers. Strided: ipiv of matrix b starts at
//               ipiv + b * stride_ipiv, and vectors that are written must not overlap.
//   tau         One vector of T for each matrix, as in LAPACK. Together with the columns below the diagonal,
//               it defines the reflectors H_j, and Q is the product of these reflectors. tau_array:
//               batch_count pointers. Strided: tau of matrix b starts at tau + b * stride_tau, and vectors
//               that are written must not overlap.
//   failures    A matrix that fails (info_array[b] > 0) never disturbs the other matrices of the batch.
//   triangle    uplo names one triangle of a Hermitian matrix. Only this triangle is used and written; the
//               other triangle has no effect. Imaginary parts of the diagonal are taken as zero.
//   NaN         A NaN among the candidates for a pivot counts as a failed pivot. info_array reports this
//               pivot, and no routine passes over the NaN. QR and trsm have no pivots: results that depend
//               on a NaN are NaN. Among the routines based on QR, only gels reports a NaN, if the NaN is on
//               the diagonal of R.
//   same bits   The same call gives the same bits on every run, with any number of threads. The result of a
//               matrix depends neither on its position in the batch, nor on the contents of the other
//               matrices, nor on the form that is called (X_batched or X_strided_batched). However,
//               batch_count selects the algorithm, as the sizes do: in a batch with more or fewer matrices,
//               the result of the same matrix may differ in its last bits.
//   numerics    The tests of Talus check the ratios under Numerics. eps is half the distance from 1 to the
//               next larger number of the precision. The limit of 30 is LAPACK's own.
//   fork        After a call on backend::host, a call in a child process made by fork() hangs: see queue.
//   OpenBLAS    While a call on backend::host uses OpenBLAS, the whole process has one OpenBLAS thread:
//               see the comment on queue in types.hpp.
//   returns     A call returns 0, or -i if argument i (counted from 1) is illegal, or one of the err_ codes
//               of types.hpp. If a call returns -i, it has touched nothing.
#pragma once

#include <complex>
#include <type_traits>

#include "talus/types.hpp"

namespace talus {

/// Real type that belongs to T: float for float and std::complex<float>, double for double and
/// std::complex<double>.
template <class T>
using real_type = decltype(std::real(T()));

/// Computes the Cholesky factorization  A_b = L_b L_b^H  (uplo::lower)  or  A_b = U_b^H U_b  (uplo::upper),
/// in place.
///
/// 1 uplo         the triangle that holds A_b and receives the factor
/// 2 n            order of every A_b, n >= 0
/// 3 A_array      pointers to n-by-n Hermitian positive definite matrices
/// 4 lda          leading dimension of every A_b, lda >= max(1, n)
///                (strided: A, lda, stride_A are 3, 4, 5)
/// 5 info_array   (strided: 6) 0: factored. j > 0: the leading minor of order j is not positive definite, or
///                a NaN was met there. The leading (j-1)-by-(j-1) triangle then holds the leading triangle of
///                the factor, and element (j, j) holds the failed pivot, which is not > 0. The remaining part
///                of the triangle is unspecified, but identical in every run of the same call.
/// 6 batch_count  (strided: 7) number of matrices
/// 7 q            (strided: 8) where to run
///
/// Cost      n^3/3 + n^2/2 + n/6 flops per matrix (complex: four times this number). Each triangle is read
///           and written once if it fits on the chip (registers or shared memory of the GPU).
/// Numerics  ||A - L L^H||_1 / (n ||A||_1 eps) is < 30 in the tests; values below 10 are expected. On GPUs
///           with TF32 tensor units, a product in single precision is computed as the sum of three TF32
///           products. In the worst case this sum is accurate to about 19 bits; the limit stays 30. In some
///           calls the sum also loses low-order parts that are below the least normal number: in calls with
///           n > 32, in partial factorizations, and in _vbatched routines. For these calls, scale a matrix
///           that has elements below 2^-102.
/// Source    LAPACK's xPOTRF; on the GPU, Algorithms 2 and 3 of Abdelfattah, Haidar, Tomov, Dongarra, ICCS
///           2016.
template <class T>
TALUS_API int potrf_batched(uplo, int n, T* const* A_array, int lda, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potrf_strided_batched(uplo, int n, T* A, int lda, std::int64_t stride_A, int* info_array,
                                    std::int64_t batch_count, queue q);

/// Solves  A_b X_b = B_b  with the Cholesky factor of A_b that potrf computed; X_b overwrites B_b.
///
/// 1 uplo         the triangle that holds the factor
/// 2 n            order of every A_b and rows of every B_b, n >= 0
/// 3 nrhs         columns of every B_b, nrhs >= 0
/// 4 A_array      pointers to n-by-n matrices that hold the factors, only read
/// 5 lda          leading dimension of every A_b, lda >= max(1, n)
///                (strided: A, lda, stride_A are 4, 5, 6)
/// 6 B_array      pointers to n-by-nrhs right-hand sides, overwritten by X_b
/// 7 ldb          leading dimension of every B_b, ldb >= max(1, n)
///                (strided: B, ldb, stride_B are 7, 8, 9)
/// 8 info_array   (strided: 10) 0: solved. j > 0: diagonal element j of the factor is not > 0, so potrf
///                failed there; B_b is untouched.
/// 9 batch_count  (strided: 11) number of systems
/// 10 q           (strided: 12) where to run
///
/// Cost      2 n^2 nrhs flops per matrix (complex: four times this number).
/// Numerics  ||B - A X||_1 / (n ||A||_1 ||X||_1 eps) is < 30 in the tests; values below 10 are expected.
/// Source    LAPACK's xPOTRS.
template <class T>
TALUS_API int potrs_batched(uplo, int n, int nrhs, const T* const* A_array, int lda, T* const* B_array,
                            int ldb, int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potrs_strided_batched(uplo, int n, int nrhs, const T* A, int lda, std::int64_t stride_A, T* B,
                                    int ldb, std::int64_t stride_B, int* info_array, std::int64_t batch_count,
                                    queue q);

/// Solves  A_b X_b = B_b  for Hermitian positive definite A_b by potrf and potrs; the factor overwrites A_b,
/// and X_b overwrites B_b.
///
/// Arguments as for potrs, except:
///
/// 1 uplo         the triangle that holds A_b and receives the factor
/// 4 A_array      pointers to n-by-n Hermitian positive definite matrices, overwritten by their factors
/// 8 info_array   (strided: 10) 0: solved. j > 0: the factorization failed. The meaning of j and the contents
///                of A_b are as for potrf; B_b is untouched.
///
/// Cost      n^3/3 + 2 n^2 nrhs flops per matrix to leading order (complex: four times this number).
/// Numerics  ||B - A X||_1 / (n ||A||_1 ||X||_1 eps) is < 30 in the tests; values below 10 are expected.
/// Source    LAPACK's xPOSV.
template <class T>
TALUS_API int posv_batched(uplo, int n, int nrhs, T* const* A_array, int lda, T* const* B_array, int ldb,
                           int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int posv_strided_batched(uplo, int n, int nrhs, T* A, int lda, std::int64_t stride_A, T* B, int ldb,
                                   std::int64_t stride_B, int* info_array, std::int64_t batch_count, queue q);

/// Computes the inverse of A_b from the Cholesky factor that potrf computed; the triangle of A_b^-1 that uplo
/// names overwrites the factor.
///
/// Arguments as for potrf, except:
///
/// 1 uplo         the triangle that holds the factor and receives this triangle of A_b^-1
/// 3 A_array      pointers to n-by-n matrices that hold the factors, overwritten
/// 5 info_array   (strided: 6) 0: inverted. j > 0: diagonal element j of the factor is not > 0, so potrf
///                failed there; A_b is untouched.
///
/// Cost      2 n^3/3 flops per matrix to leading order (complex: four times this number).
/// Numerics  ||I - A A^-1||_1 / (n ||A||_1 ||A^-1||_1 eps) is < 30 in the tests; < 10 is expected.
/// Source    LAPACK's xPOTRI.
template <class T>
TALUS_API int potri_batched(uplo, int n, T* const* A_array, int lda, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potri_strided_batched(uplo, int n, T* A, int lda, std::int64_t stride_A, int* info_array,
                                    std::int64_t batch_count, queue q);

/// Computes a partial Cholesky factorization in place. It eliminates the first k columns of
/// A_b = [A11 A21^H; A21 A22]  as follows:  A11 = L11 L11^H,  L21 = A21 L11^-H,  A22 := A22 - L21 L21^H.
///
/// 1 uplo         the triangle that holds A_b and receives the result
/// 2 n            order of every A_b, n >= 0
/// 3 k            columns to eliminate, 0 <= k <= n; k = n eliminates all columns, as potrf does
/// 4 A_array      pointers to n-by-n Hermitian matrices; the leading k-by-k block A11 is positive definite
/// 5 lda          leading dimension of every A_b, lda >= max(1, n)
///                (strided: A, lda, stride_A are 4, 5, 6)
/// 6 info_array   (strided: 7) 0: done. j > 0, at most k: the leading minor of order j is not positive
///                definite, or a NaN was met there. The leading (j-1)-by-(j-1) triangle then holds the
///                leading triangle of the factor, and element (j, j) holds the failed pivot, which is
///                not > 0. The remaining part of the triangle is unspecified, but every run of the same call
///                leaves identical values there.
/// 7 batch_count  (strided: 8) number of matrices
/// 8 q            (strided: 9) where to run
///
/// The formulas above are for uplo::lower: L11 overwrites A11, L21 overwrites A21, and the Schur complement
/// A22 - L21 L21^H  overwrites A22. For uplo::upper, A_b is [A11 A12; A12^H A22] and A11 is factored as
/// A11 = U11^H U11.  Then U11 overwrites A11,  U12 = U11^-H A12  overwrites A12, and the Schur complement
/// A22 - U12^H U12  overwrites A22. A matrix that is factored in this partial way is called a front.
///
/// The Schur complement may be indefinite, because only the first k pivots are tested. Its diagonal is real.
/// If a block other than A11 holds a NaN, every result that depends on the NaN is NaN, and info stays 0. If
/// k = 0, nothing is written except info.
///
/// Cost      With n2 = n - k, k^3/3 + k^2 n2 + k n2^2 flops per matrix to leading order (complex: 4 times
///           this number of flops).
/// Numerics  ||A - [L11; L21] [L11; L21]^H - [0 0; 0 S]||_1 / (n ||A||_1 eps) is < 30 in the tests, where S
///           is the Schur complement; values below 10 are expected. TF32 tensor units: as for potrf.
/// Source    The frontal matrices of multifrontal solvers: Duff and Reid, ACM TOMS 9 (1983).
template <class T>
TALUS_API int potrf_partial_batched(uplo, int n, int k, T* const* A_array, int lda, int* info_array,
                                    std::int64_t batch_count, queue q);
template <class T>
TALUS_API int potrf_partial_strided_batched(uplo, int n, int k, T* A, int lda, std::int64_t stride_A,
                                            int* info_array, std::int64_t batch_count, queue q);

/// Computes a partial Cholesky factorization of fronts (frontal matrices). The blocks of a front are in
/// separate arrays. The results are  A11 = L11 L11^H,  L21 = A21 L11^-H,  A22 := A22 - L21 L21^H.
///
/// 1 uplo         the triangle of A11 and A22 that is used. The third block is A21 if uplo is lower, and A12
///                if uplo is upper
/// 2 k            order of every A11, k >= 0: columns to eliminate
/// 3 n2           order of every A22, n2 >= 0
/// 4 A11_array    pointers to k-by-k Hermitian positive definite matrices, which receive L11 or U11
/// 5 lda11        leading dimension of every A11, lda11 >= max(1, k)
///                (strided: A11, lda11, stride_A11 are 4, 5, 6)
/// 6 A21_array    lower: pointers to n2-by-k matrices A21, which receive L21. upper: pointers to k-by-n2
///                matrices A12, which receive U12
/// 7 lda21        leading dimension of these matrices; lower: lda21 >= max(1, n2), upper: lda21 >= max(1, k)
///                (strided: A21, lda21, stride_A21 are 7, 8, 9)
/// 8 A22_array    pointers to n2-by-n2 Hermitian matrices, which receive the Schur complement
/// 9 lda22        leading dimension of every A22, lda22 >= max(1, n2)
///                (strided: A22, lda22, stride_A22 are 10, 11, 12)
/// 10 info_array  (strided: 13) as for potrf_partial. If j > 0, the remaining part of the triangle of A11,
///                all of A21 and the triangle of A22 are unspecified.
/// 11 batch_count  (strided: 14) number of fronts
/// 12 q           (strided: 15) where to run
///
/// Each block receives the result that potrf_partial stores in the same part of a front. potrf_partial gives
/// the formulas for uplo::upper. The pointers of blocks without elements may be null: A11 and A21 if k = 0,
/// A21 and A22 if n2 = 0. No two blocks may share an element that is used.
///
/// Cost      as for potrf_partial, with n = k + n2.
/// Numerics  as for potrf_partial, with n = k + n2.
/// Source    as for potrf_partial.
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

/// Computes the LU factorization  A_b = P_b L_b U_b  in place, with partial pivoting.
///
/// 1 m            rows of every A_b, m >= 0
/// 2 n            columns of every A_b, n >= 0
/// 3 A_array      pointers to m-by-n matrices
/// 4 lda          leading dimension of every A_b, lda >= max(1, m)
///                (strided: A, lda, stride_A are 3, 4, 5)
/// 5 ipiv_array   pointers to min(m, n) ints for each matrix, written
///                (strided: ipiv, stride_ipiv are 6, 7; stride_ipiv >= min(m, n))
/// 6 info_array   (strided: 8) 0: factored. j > 0: the first j for which U(j, j) is exactly zero, or for
///                which column j holds a NaN at or below the diagonal when column j is eliminated (then
///                ipiv[j] = j). The factorization is completed, as in LAPACK: a column of zeros at and below
///                the diagonal is skipped.
/// 7 batch_count  (strided: 9) number of matrices
/// 8 q            (strided: 10) where to run
///
/// L_b is unit lower trapezoidal and is stored below the diagonal. U_b is upper trapezoidal and is stored on
/// and above the diagonal.
///
/// The pivot of column j is its largest element in magnitude at or below the diagonal. The magnitude of a
/// complex element is |re| + |im|. If several elements have this largest magnitude, the pivot is the element
/// with the lowest row number. An infinite element counts as a large number, not as a failure. Nothing else
/// is specified for a column that contains a NaN or an infinity.
///
/// Cost      2 m n k - (m + n) k^2 + 2 k^3 / 3 flops per matrix to leading order, with k = min(m, n)
///           (complex: four times this number). The matrix is read and written once if it fits on the chip.
/// Numerics  ||A - P L U||_1 / (max(m, n) ||A||_1 eps) is < 30 g in the tests, where g is the growth of the
///           elements: the larger of 1 and max |U| / max |A|. Values below 10 g are expected. On GPUs with
///           TF32 tensor units, a product in single precision is computed as the sum of three TF32 products.
///           In the worst case this sum is accurate to about 19 bits; the limit stays 30 g.
/// Source    LAPACK's xGETRF. On the GPU, rows that a kernel holds in registers do not move until they are
///           stored (implicit pivoting). The use of one launch for a whole batch, and of different kernels
///           for different sizes, follows Abdelfattah, Haidar, Tomov, Dongarra, ICCS 2016.
template <class T>
TALUS_API int getrf_batched(int m, int n, T* const* A_array, int lda, int* const* ipiv_array, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrf_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, int* ipiv,
                                    std::int64_t stride_ipiv, int* info_array, std::int64_t batch_count,
                                    queue q);

/// Computes the LU factorization  A_b = L_b U_b  in place, without row interchanges.
///
/// 1 m, 2 n, 3 A_array, 4 lda  as for getrf
///                (strided: A, lda, stride_A are 3, 4, 5)
/// 5 pivot_floor  (strided: 6) >= 0. When a column is eliminated, a pivot smaller in magnitude than
///                pivot_floor is replaced by pivot_floor times the phase of the pivot (a zero pivot is
///                replaced by +pivot_floor). The factorization continues with the new pivot. If pivot_floor
///                is 0, no pivot is replaced. The magnitude of a complex pivot is its absolute value.
/// 6 pivot_floor_array  (strided: 7) null, or batch_count floors, one for each matrix. If it is null,
///                pivot_floor is the floor of all matrices. A floor in the array that is negative or NaN is
///                taken as 0.
/// 7 replaced_array  (strided: 8) null, or batch_count ints. Element b receives the number of replaced pivots
///                of matrix b
/// 8 info_array   (strided: 9) 0: factored. j > 0: the first j for which the pivot, after any replacement, is
///                zero or NaN. The factorization is completed. The column below a zero pivot is not divided
///                by the pivot.
/// 9 batch_count  (strided: 10) number of matrices
/// 10 q           (strided: 11) where to run
///
/// This routine is for matrices that need no row interchanges, and for matrices in which a pivot floor keeps
/// the pivots away from zero.
///
/// Cost      as for getrf.
/// Numerics  The accuracy is as good as the growth of the elements permits. For diagonally dominant matrices
///           the limit of getrf holds.
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

/// Computes a partial LU factorization in place. It eliminates the first k columns of
/// A_b = [A11 A12; A21 A22]  as follows:  A11 = P L11 U11,  L21 = A21 U11^-1,  U12 = L11^-1 P^T A12,
/// A22 := A22 - L21 U12.  All pivots come from the first k rows.
///
/// 1 m            rows of every A_b, m >= 0
/// 2 n            columns of every A_b, n >= 0
/// 3 k            columns to eliminate, 0 <= k <= min(m, n)
/// 4 A_array      pointers to m-by-n matrices
/// 5 lda          leading dimension of every A_b, lda >= max(1, m)
///                (strided: A, lda, stride_A are 4, 5, 6)
/// 6 ipiv_array   pointers to k ints for each matrix, written
///                (strided: ipiv, stride_ipiv are 7, 8)
/// 7 info_array   (strided: 9) as for getrf, except that a NaN counts only at or below the diagonal in the
///                first k rows of the first k columns. If U(j, j) is zero, the column below it is not divided
///                by U(j, j), as in LAPACK.
/// 8 batch_count  (strided: 10) number of matrices
/// 9 q            (strided: 11) where to run
///
/// L11 and U11 overwrite A11, L21 overwrites A21, U12 overwrites A12, and the Schur complement  A22 - L21 U12
/// overwrites A22.
///
/// Cost      2 k m n - k^2 (m + n) + 2 k^3 / 3 flops per matrix to leading order (complex: 4 times this
///           number of flops).
/// Source    The frontal matrices of multifrontal solvers: Duff and Reid, ACM TOMS 9 (1983).
template <class T>
TALUS_API int getrf_partial_batched(int m, int n, int k, T* const* A_array, int lda, int* const* ipiv_array,
                                    int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrf_partial_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A,
                                            int* ipiv, std::int64_t stride_ipiv, int* info_array,
                                            std::int64_t batch_count, queue q);

/// Computes the partial LU factorization of getrf_partial in place, but without row interchanges and with the
/// pivot floor of getrf_nopiv. It eliminates the first k columns of  A_b = [A11 A12; A21 A22]  as follows:
/// A11 = L11 U11,  L21 = A21 U11^-1,  U12 = L11^-1 A12,  A22 := A22 - L21 U12.
///
/// 1 m, 2 n, 3 k, 4 A_array, 5 lda  as for getrf_partial
///                (strided: A, lda, stride_A are 4, 5, 6)
/// 6 pivot_floor, 7 pivot_floor_array, 8 replaced_array, 9 info_array  as for getrf_nopiv
///                (strided: 7, 8, 9, 10)
/// 10 batch_count  (strided: 11) number of matrices
/// 11 q           (strided: 12) where to run
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

/// Computes a partial LU factorization of fronts (frontal matrices)  A_b = [A11 A12; A21 A22].  The four
/// blocks are in separate arrays. A11 is factored as  A11 = P L11 U11,  and all pivots come from the rows of
/// A11.
///
/// 1 form         lapack: A12 becomes  U12 = L11^-1 P^T A12,  and A21 becomes  L21 = A21 U11^-1.  left: A12
///                becomes  A11^-1 A12,  and A21 is only read
/// 2 schur        subtract: A22 becomes  A22 - A21 A11^-1 A12.  product: A22 becomes  A21 A11^-1 A12,  and
///                its old contents are not read. In both cases the product is computed from A21 and A12 as
///                `form` leaves them
/// 3 k            order of every A11, k >= 0: columns to eliminate
/// 4 m2           rows of every A22, m2 >= 0
/// 5 n2           columns of every A22, n2 >= 0
/// 6 A11_array    pointers to k-by-k matrices, which receive L11 and U11
/// 7 lda11        leading dimension of every A11, lda11 >= max(1, k)
///                (strided: A11, lda11, stride_A11 are 6, 7, 8)
/// 8 A12_array    pointers to k-by-n2 matrices
/// 9 lda12        leading dimension of every A12, lda12 >= max(1, k)
///                (strided: A12, lda12, stride_A12 are 9, 10, 11)
/// 10 A21_array   pointers to m2-by-k matrices
/// 11 lda21       leading dimension of every A21, lda21 >= max(1, m2)
///                (strided: A21, lda21, stride_A21 are 12, 13, 14)
/// 12 A22_array   pointers to m2-by-n2 matrices
/// 13 lda22       leading dimension of every A22, lda22 >= max(1, m2)
///                (strided: A22, lda22, stride_A22 are 15, 16, 17)
/// 14 ipiv_array  pointers to k ints for each front, written: the factorization interchanged row i of
///                [A11 A12] with row ipiv[i]
///                (strided: ipiv, stride_ipiv are 18, 19)
/// 15 info_array  (strided: 20) as for getrf_partial; j > 0 is at most k. After a failure with form lapack,
///                the factorization is completed as in getrf_partial. If U11(j, j) is zero, column j of L21
///                is not divided by U11(j, j) either. After a failure with form left, the factorization of
///                A11 is completed, and A12 and A22 are untouched.
/// 16 batch_count  (strided: 21) number of fronts
/// 17 q           (strided: 22) where to run
///
/// The pointers of blocks without elements may be null. If k = 0, the pointer of ipiv may be null, too. No
/// two blocks may share an element that is used. If k = 0, subtract leaves A22 unchanged and product makes
/// A22 zero, because the sum has no terms. If a block other than A11 holds a NaN, every result that depends
/// on the NaN is NaN, and info stays 0.
///
/// Cost      With m = k + m2 and n = k + n2, the flops of getrf_partial; left needs k^2 (n2 - m2) flops more.
/// Numerics  Form lapack, with L = [L11; L21], U = [U11 U12] and the Schur complement S: the ratio
///           ||A - P L U - [0 0; 0 S]||_1 / (max(m, n) ||A||_1 eps)  is < 30 g in the tests. Here g is the
///           growth of the elements as for getrf, times the larger of 1 and max |L|. Form left, with
///           X = A11^-1 A12 and the Schur complement S: the tests check two ratios. The first ratio,
///           ||A12 - A11 X||_1 / (k ||A11||_1 ||X||_1 eps),  is < 30 g, where g is computed from A11 and its
///           factors alone. The second ratio,
///           ||A22 - S - A21 X||_1 / ((k + 1) (||A22||_1 + ||A21||_1 ||X||_1) eps),  is < 30. In both forms,
///           values below a third of each limit are expected. TF32 tensor units: as for getrf.
/// Source    as for getrf_partial; left: STRUMPACK, Ghysels and Synk, Parallel Computing 110 (2022).
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

/// Computes the partial LU factorization of getrf_partial_split, but without row interchanges and with the
/// pivot floor of getrf_nopiv. A11 is factored as  A11 = L11 U11.
///
/// 1 form ... 13 lda22  as for getrf_partial_split
///                (strided: arguments 6 to 17 are as for getrf_partial_split)
/// 14 pivot_floor, 15 pivot_floor_array, 16 replaced_array  as for getrf_nopiv
///                (strided: 18, 19, 20)
/// 17 info_array  (strided: 21) as for getrf_nopiv, applied to A11. If j > 0, the other blocks are as
///                getrf_partial_split specifies them after a failure.
/// 18 batch_count  (strided: 22) number of fronts
/// 19 q           (strided: 23) where to run
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

/// Solves  op(A_b) X_b = B_b  with the factors and pivots of A_b that getrf computed; X_b overwrites B_b.
///
/// 1 op           none: A, trans: A^T, conj_trans: A^H
/// 2 n            order of every A_b and rows of every B_b, n >= 0
/// 3 nrhs         columns of every B_b, nrhs >= 0
/// 4 A_array      pointers to n-by-n matrices that hold the factors, only read
/// 5 lda          leading dimension of every A_b, lda >= max(1, n)
///                (strided: A, lda, stride_A are 4, 5, 6)
/// 6 ipiv_array   pointers to n pivots for each matrix, only read
///                (strided: ipiv, stride_ipiv are 7, 8)
/// 7 B_array      pointers to n-by-nrhs right-hand sides, overwritten by X_b
/// 8 ldb          leading dimension of every B_b, ldb >= max(1, n)
///                (strided: B, ldb, stride_B are 9, 10, 11)
/// 9 info_array   (strided: 12) may be null. 0: solved. j > 0: U(j, j) is zero or NaN, or pivot j is not one
///                of the row numbers j, ..., n; B_b is untouched.
/// 10 batch_count  (strided: 13) number of systems
/// 11 q           (strided: 14) where to run
///
/// Cost      2 n^2 nrhs flops per matrix (complex: four times this number).
/// Numerics  ||B - op(A) X||_1 / (n ||A||_1 ||X||_1 eps) is < 30 in the tests; values below 10 are expected.
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

/// Solves  op(A_b) X_b = B_b  with the factors of A_b that getrf_nopiv computed; X_b overwrites B_b.
///
/// Arguments as for getrs without ipiv, so the numbers after 5 differ:
///
/// 6 B_array      pointers to n-by-nrhs right-hand sides, overwritten by X_b
/// 7 ldb          leading dimension of every B_b, ldb >= max(1, n)
///                (strided: B, ldb, stride_B are 7, 8, 9)
/// 8 info_array   (strided: 10) may be null. 0: solved. j > 0: U(j, j) is zero or NaN; B_b is untouched.
/// 9 batch_count  (strided: 11) number of systems
/// 10 q           (strided: 12) where to run
template <class T>
TALUS_API int getrs_nopiv_batched(op, int n, int nrhs, const T* const* A_array, int lda, T* const* B_array,
                                  int ldb, int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getrs_nopiv_strided_batched(op, int n, int nrhs, const T* A, int lda, std::int64_t stride_A,
                                          T* B, int ldb, std::int64_t stride_B, int* info_array,
                                          std::int64_t batch_count, queue q);

/// Solves  A_b X_b = B_b  by getrf and getrs; the factors overwrite A_b, and X_b overwrites B_b.
///
/// 1 n            order of every A_b and rows of every B_b, n >= 0
/// 2 nrhs         columns of every B_b, nrhs >= 0
/// 3 A_array      pointers to n-by-n matrices, overwritten by their factors
/// 4 lda          leading dimension of every A_b, lda >= max(1, n)
///                (strided: A, lda, stride_A are 3, 4, 5)
/// 5 ipiv_array   pointers to n pivots for each matrix, written
///                (strided: ipiv, stride_ipiv are 6, 7)
/// 6 B_array      pointers to n-by-nrhs right-hand sides, overwritten by X_b
/// 7 ldb          leading dimension of every B_b, ldb >= max(1, n)
///                (strided: B, ldb, stride_B are 8, 9, 10)
/// 8 info_array   (strided: 11) 0: solved. j > 0: the factorization failed. The meaning of j and the contents
///                of A_b and ipiv are as for getrf; B_b is untouched.
/// 9 batch_count  (strided: 12) number of systems
/// 10 q           (strided: 13) where to run
///
/// Cost      2 n^3 / 3 + 2 n^2 nrhs flops per matrix to leading order (complex: four times this number).
/// Numerics  ||B - A X||_1 / (n ||A||_1 ||X||_1 eps) is < 30 in the tests; values below 10 are expected.
/// Source    LAPACK's xGESV.
template <class T>
TALUS_API int gesv_batched(int n, int nrhs, T* const* A_array, int lda, int* const* ipiv_array,
                           T* const* B_array, int ldb, int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int gesv_strided_batched(int n, int nrhs, T* A, int lda, std::int64_t stride_A, int* ipiv,
                                   std::int64_t stride_ipiv, T* B, int ldb, std::int64_t stride_B,
                                   int* info_array, std::int64_t batch_count, queue q);

/// Computes the inverse of A_b from the factors and pivots that getrf computed; A_b^-1 overwrites the
/// factors.
///
/// 1 n            order of every A_b, n >= 0
/// 2 A_array      pointers to n-by-n matrices that hold the factors, overwritten by A_b^-1
/// 3 lda          leading dimension of every A_b, lda >= max(1, n)
///                (strided: A, lda, stride_A are 2, 3, 4)
/// 4 ipiv_array   pointers to n pivots for each matrix, only read
///                (strided: ipiv, stride_ipiv are 5, 6)
/// 5 info_array   (strided: 7) may be null. 0: inverted. j > 0: U(j, j) is zero or NaN, or pivot j is not one
///                of the row numbers j, ..., n; A_b is untouched.
/// 6 batch_count  (strided: 8) number of matrices
/// 7 q            (strided: 9) where to run
///
/// Cost      4 n^3 / 3 flops per matrix to leading order (complex: four times this number).
/// Numerics  ||I - X A||_1 / (n ||A||_1 ||X||_1 eps), where X is the computed inverse, is < 30 in the tests;
///           values below 10 are expected.
/// Source    LAPACK's xGETRI.
template <class T>
TALUS_API int getri_batched(int n, T* const* A_array, int lda, const int* const* ipiv_array, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int getri_strided_batched(int n, T* A, int lda, std::int64_t stride_A, const int* ipiv,
                                    std::int64_t stride_ipiv, int* info_array, std::int64_t batch_count,
                                    queue q);

/// Computes the inverse  C_b = A_b^-1  from the factors and pivots of A_b that getrf computed; the factors
/// stay unchanged.
///
/// 1 n, 2 A_array, 3 lda, 4 ipiv_array  as for getri, but A_b is only read
///                (strided: A, lda, stride_A are 2, 3, 4) (strided: ipiv, stride_ipiv are 5, 6)
/// 5 C_array      pointers to n-by-n matrices, written
/// 6 ldc          leading dimension of every C_b, ldc >= max(1, n)
///                (strided: C, ldc, stride_C are 7, 8, 9)
/// 7 info_array   (strided: 10) as for getri; if j > 0, C_b is untouched
/// 8 batch_count  (strided: 11) number of matrices
/// 9 q            (strided: 12) where to run
template <class T>
TALUS_API int getri_outofplace_batched(int n, const T* const* A_array, int lda, const int* const* ipiv_array,
                                       T* const* C_array, int ldc, int* info_array, std::int64_t batch_count,
                                       queue q);
template <class T>
TALUS_API int getri_outofplace_strided_batched(int n, const T* A, int lda, std::int64_t stride_A,
                                               const int* ipiv, std::int64_t stride_ipiv, T* C, int ldc,
                                               std::int64_t stride_C, int* info_array,
                                               std::int64_t batch_count, queue q);

/// Computes the QR factorization  A_b = Q_b R_b  by Householder reflectors, in place.
///
/// 1 m            rows of every A_b, m >= 0
/// 2 n            columns of every A_b, n >= 0
/// 3 A_array      pointers to m-by-n matrices
/// 4 lda          leading dimension of every A_b, lda >= max(1, m)
///                (strided: A, lda, stride_A are 3, 4, 5)
/// 5 tau_array    pointers to min(m, n) elements for each matrix, written
///                (strided: tau, stride_tau are 6, 7; stride_tau >= min(m, n))
/// 6 info_array   (strided: 8) always 0
/// 7 batch_count  (strided: 9) number of matrices
/// 8 q            (strided: 10) where to run
///
/// Q_b = H_1 H_2 ... H_k with k = min(m, n) and H_j = I - tau_j v_j v_j^H. R_b is upper trapezoidal and is
/// stored on and above the diagonal of A_b; its diagonal is real. The first j - 1 elements of v_j are zero,
/// and element j is one. The other elements of v_j are stored in column j of A_b, below the diagonal.
///
/// The signs are LAPACK's: when column j is eliminated, R(j, j) gets the opposite sign of the real part of
/// the diagonal element that it replaces. If all elements below that diagonal element are exactly zero, and
/// the diagonal element is real, then H_j = I and tau_j = 0. Otherwise H_j is a reflector, however small the
/// elements below the diagonal are.
///
/// Norms are computed with scaling: they neither overflow nor underflow if elements are near the largest or
/// the smallest numbers of the precision. If a column holds a NaN or an infinity, every result that depends
/// on it becomes NaN; info stays 0.
///
/// Cost      2 m n^2 - 2 n^3 / 3 flops per matrix to leading order if m >= n, 2 n m^2 - 2 m^3 / 3 if m < n
///           (complex: four times this number). The matrix is read and written once if it fits on the chip.
/// Numerics  ||A - Q R||_1 / (m ||A||_1 eps) and ||I - Q^H Q||_1 / (m eps) are < 30 in the tests; values
///           below 10 are expected. On GPUs with TF32 tensor units, a product in single precision is computed
///           as the sum of three TF32 products. In the worst case this sum is accurate to about 19 bits; the
///           limits stay 30.
/// Source    LAPACK's xGEQRF; Householder, J. ACM 5 (1958). Several reflectors together are I - V T V^H, the
///           compact WY form: Schreiber and Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989).
template <class T>
TALUS_API int geqrf_batched(int m, int n, T* const* A_array, int lda, T* const* tau_array, int* info_array,
                            std::int64_t batch_count, queue q);
template <class T>
TALUS_API int geqrf_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, T* tau,
                                    std::int64_t stride_tau, int* info_array, std::int64_t batch_count,
                                    queue q);

/// Multiplies C_b by the orthogonal or unitary matrix Q_b that geqrf computed, in place:  C_b := op(Q_b) C_b
/// (side::left)  or  C_b := C_b op(Q_b)  (side::right).
///
/// 1 side         left: Q_b is to the left of C_b, right: to the right of C_b
/// 2 op           none: Q, conj_trans: Q^H; trans: equivalent to conj_trans for real T, illegal for complex T
/// 3 m            rows of every C_b, m >= 0
/// 4 n            columns of every C_b, n >= 0
/// 5 k            reflectors, 0 <= k <= m (left), 0 <= k <= n (right)
/// 6 A_array      pointers to matrices that hold the first k columns of the result of geqrf, with m rows
///                (left) or n rows (right), only read
/// 7 lda          leading dimension of every A_b, lda >= max(1, m) (left), lda >= max(1, n) (right)
///                (strided: A, lda, stride_A are 6, 7, 8)
/// 8 tau_array    pointers to k elements for each matrix, only read
///                (strided: tau, stride_tau are 9, 10)
/// 9 C_array      pointers to m-by-n matrices, overwritten by the product
/// 10 ldc         leading dimension of every C_b, ldc >= max(1, m)
///                (strided: C, ldc, stride_C are 11, 12, 13)
/// 11 info_array  (strided: 14) may be null; always 0
/// 12 batch_count  (strided: 15) number of matrices
/// 13 q           (strided: 16) where to run
///
/// Q_b = H_1 H_2 ... H_k is never formed. If A_b, tau_b or C_b holds a NaN on entry, every element of the
/// product that depends on the NaN is NaN.
///
/// Cost      4 m n k - 2 n k^2 flops per matrix to leading order (left), 4 m n k - 2 m k^2 (right)
///           (complex: four times this number).
/// Numerics  ||op(Q) C - result||_1 / (m ||C||_1 eps) is < 30 in the tests (right: n in place of m); values
///           below 10 are expected. Single precision on GPUs with TF32 tensor units: as for geqrf.
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

/// Forms the first n columns of  Q_b = H_1 H_2 ... H_k  from the reflectors that geqrf computed; these
/// orthonormal columns overwrite the reflectors.
///
/// 1 m            rows of every A_b, m >= 0
/// 2 n            columns of Q_b to form, 0 <= n <= m
/// 3 k            reflectors, 0 <= k <= n
/// 4 A_array      pointers to m-by-n matrices, overwritten by Q_b. On entry the first k columns hold the
///                reflectors, and the contents of the other columns do not matter
/// 5 lda          leading dimension of every A_b, lda >= max(1, m)
///                (strided: A, lda, stride_A are 4, 5, 6)
/// 6 tau_array    pointers to k elements for each matrix, only read
///                (strided: tau, stride_tau are 7, 8)
/// 7 info_array   (strided: 9) may be null; always 0
/// 8 batch_count  (strided: 10) number of matrices
/// 9 q            (strided: 11) where to run
///
/// If k < n, the result is still the first n columns of H_1 H_2 ... H_k. If k = 0, the result is the first n
/// columns of the identity. If the reflectors or tau_b hold a NaN, every element of Q_b that depends on the
/// NaN is NaN.
///
/// Cost      4 m n k - 2 (m + n) k^2 + 4 k^3 / 3 flops per matrix to leading order (complex: 4 times this
///           number of flops).
/// Numerics  ||I - Q^H Q||_1 / (m eps) is < 30 in the tests; values below 10 are expected. Single precision
///           on GPUs with TF32 tensor units: as for geqrf.
/// Source    LAPACK's xORGQR and xUNGQR; the compact WY form as in geqrf.
template <class T>
TALUS_API int orgqr_batched(int m, int n, int k, T* const* A_array, int lda, const T* const* tau_array,
                            int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int orgqr_strided_batched(int m, int n, int k, T* A, int lda, std::int64_t stride_A, const T* tau,
                                    std::int64_t stride_tau, int* info_array, std::int64_t batch_count,
                                    queue q);

/// Calls ormqr (unmqr) or orgqr (ungqr) with the same arguments. unmqr and ungqr are LAPACK's names for these
/// routines with complex T.
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

/// Solves least-squares problems  min ||op(A_b) X_b - B_b||_2  or least-norm problems  op(A_b) X_b = B_b with
/// A_b of full rank; X_b overwrites B_b.
///
/// 1 op           none: A, conj_trans: A^H; trans: equivalent to conj_trans for real T, illegal for complex T
/// 2 m            rows of every A_b, m >= 0
/// 3 n            columns of every A_b, n >= 0
/// 4 nrhs         columns of every B_b and X_b, nrhs >= 0
/// 5 A_array      pointers to m-by-n matrices, overwritten with unspecified values
/// 6 lda          leading dimension of every A_b, lda >= max(1, m)
///                (strided: A, lda, stride_A are 5, 6, 7)
/// 7 B_array      pointers to max(m, n)-by-nrhs matrices. On entry the first m rows (none) or n rows
///                (conj_trans) hold B_b, and the contents of the other rows do not matter. On return the
///                first n rows (none) or m rows (conj_trans) hold X_b. In least squares the rows below X_b
///                then hold the remaining rows of Q^H B_b. In each column, the sum of the squared magnitudes
///                of the elements in these rows is the squared 2-norm of the residual
/// 8 ldb          leading dimension of every B_b, ldb >= max(1, m, n)
///                (strided: B, ldb, stride_B are 8, 9, 10)
/// 9 info_array   (strided: 11) 0: solved. j > 0: the first j for which R(j, j) is zero or NaN, with R of the
///                QR factorization of A_b (m >= n) or A_b^H (m < n); all of B_b is untouched.
/// 10 batch_count  (strided: 12) number of systems
/// 11 q           (strided: 13) where to run
///
/// If op is none and m >= n, or op is conj_trans and m < n, each column of X_b minimizes the 2-norm of its
/// residual (least squares). Otherwise X_b is the solution of  op(A_b) X_b = B_b  of least norm.
///
/// If m = 0 or n = 0, all of B_b becomes zero. info reports a NaN in A_b only if the NaN reaches the diagonal
/// of R. If a NaN in A_b or B_b is not reported, every element of X_b that depends on the NaN is NaN. The
/// routine does not test whether A_b is close to a matrix of lower rank. For such a matrix R is
/// ill-conditioned, so the elements of X_b can be very large, and info does not report this.
///
/// Cost      The flops of geqrf for an m-by-n matrix, and nrhs (4 m n - min(m, n)^2) flops per matrix to
///           leading order (complex: four times this number).
/// Numerics  Least squares: ||op(A)^H (B - op(A) X)||_1 / (max(m, n, nrhs) ||A||_1 ||B||_1 eps). Least norm:
///           ||B - op(A) X||_1 / (max(m, n, nrhs) ||A||_1 ||X||_1 eps). Both are < 30 in the tests; values
///           below 10 are expected. Single precision on GPUs with TF32 tensor units: as for geqrf.
/// Source    LAPACK's xGELS, but with QR factorizations only; Golub, Numer. Math. 7 (1965).
template <class T>
TALUS_API int gels_batched(op, int m, int n, int nrhs, T* const* A_array, int lda, T* const* B_array, int ldb,
                           int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int gels_strided_batched(op, int m, int n, int nrhs, T* A, int lda, std::int64_t stride_A, T* B,
                                   int ldb, std::int64_t stride_B, int* info_array, std::int64_t batch_count,
                                   queue q);

/// Computes the thin QR factorization  A_b = Q_b R_b  and forms Q_b as a matrix, by geqrf and orgqr.
///
/// 1 m            rows of every A_b, m >= 0
/// 2 n            columns of every A_b, n >= 0
/// 3 A_array      pointers to m-by-n matrices. Q_b overwrites the first k columns, k = min(m, n); the other
///                columns receive unspecified values
/// 4 lda          leading dimension of every A_b, lda >= max(1, m)
///                (strided: A, lda, stride_A are 3, 4, 5)
/// 5 R_array      pointers to k-by-n matrices, which receive R_b with zeros below its diagonal. The diagonal
///                is real and has the same signs as in geqrf
/// 6 ldr          leading dimension of every R_b, ldr >= max(1, k)
///                (strided: R, ldr, stride_R are 6, 7, 8)
/// 7 info_array   (strided: 9) always 0
/// 8 batch_count  (strided: 10) number of matrices
/// 9 q            (strided: 11) where to run
///
/// Q_b is m-by-k and has orthonormal columns. R_b is k-by-n and upper trapezoidal. If A_b holds a NaN or an
/// infinity, every element of Q_b and R_b that depends on it becomes NaN, as in geqrf.
///
/// Cost      4 m n^2 - 4 n^3 / 3 flops per matrix to leading order if m >= n, 2 m^2 n + 2 m^3 / 3 if m < n
///           (complex: four times this number).
/// Numerics  as for geqrf.
/// Source    LAPACK's xGEQRF with xORGQR or xUNGQR.
template <class T>
TALUS_API int qr_batched(int m, int n, T* const* A_array, int lda, T* const* R_array, int ldr,
                         int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int qr_strided_batched(int m, int n, T* A, int lda, std::int64_t stride_A, T* R, int ldr,
                                 std::int64_t stride_R, int* info_array, std::int64_t batch_count, queue q);

/// Solves a triangular system with A_b on the left,  op(A_b) X_b = alpha B_b,  or on the right,
/// X_b op(A_b) = alpha B_b;  X_b overwrites B_b.
///
/// 1 side         left: op(A_b) X_b, right: X_b op(A_b)
/// 2 uplo         the triangle that holds A_b; the other triangle is neither used nor written
/// 3 op           none: A, trans: A^T, conj_trans: A^H
/// 4 diag         non_unit: the stored diagonal of A_b is used, unit: all diagonal elements are one, and the
///                stored diagonal is not used
/// 5 m            rows of every B_b, m >= 0
/// 6 n            columns of every B_b, n >= 0
/// 7 alpha        a number, equal for all systems; in C a pointer to a number in host memory. If alpha = 0,
///                every B_b becomes zero, whatever A_b and B_b hold.
/// 8 A_array      pointers to triangular matrices of order k, only read: k = m (left) or k = n (right)
/// 9 lda          leading dimension of every A_b, lda >= max(1, k)
///                (strided: A, lda, stride_A are 8, 9, 10)
/// 10 B_array     pointers to m-by-n matrices, overwritten by X_b
/// 11 ldb         leading dimension of every B_b, ldb >= max(1, m)
///                (strided: B, ldb, stride_B are 11, 12, 13)
/// 12 info_array  (strided: 14) may be null; always 0
/// 13 batch_count  (strided: 15) number of systems
/// 14 q           (strided: 16) where to run
///
/// The routine does not look for zeros on the diagonal. If a diagonal element is zero, its unknown and all
/// unknowns that depend on this unknown are infinite or NaN. Imaginary parts of the diagonal are used, not
/// taken as zero.
///
/// Cost      k^2 flops per column (left) or row (right) of B_b (complex: four times this number).
/// Numerics  ||alpha B - op(A) X||_1 / (k ||A||_1 ||X||_1 eps) (left), or the same ratio for the transposed
///           system (right), is < 30 in the tests; values below 10 are expected.
/// Source    BLAS's xTRSM.
template <class T>
TALUS_API int trsm_batched(side, uplo, op, diag, int m, int n, T alpha, const T* const* A_array, int lda,
                           T* const* B_array, int ldb, int* info_array, std::int64_t batch_count, queue q);
template <class T>
TALUS_API int trsm_strided_batched(side, uplo, op, diag, int m, int n, T alpha, const T* A, int lda,
                                   std::int64_t stride_A, T* B, int ldb, std::int64_t stride_B,
                                   int* info_array, std::int64_t batch_count, queue q);

/// Returns the number of bytes of scratch that a call may use from queue::work; the number depends on the
/// sizes alone, and no device call is made.
///
/// Most of the routines above work in place and on the chip, so their _work functions return 0 today. Only
/// the _work functions of potrf, posv, getrf, getrf_nopiv, gesv and the partial factorizations can return
/// more.
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
