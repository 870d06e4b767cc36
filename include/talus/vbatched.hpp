// Batches of matrices that each have their own size. A routine X_vbatched applies the operation of X_batched
// (batched.hpp) to every matrix b = 0 ... batch_count - 1, with the sizes of that matrix. The documentation
// of X_batched, with its cost, numerics and source, holds for X_vbatched, too, except for the points listed
// here. gemm and gemv have this form only.
//
//   sizes        Extents (m, n, k, nrhs, ...), leading dimensions and increments are arrays of batch_count
//                ints. They live where the matrices live: on backend::cuda in device memory. No call copies
//                them back to the host.
//   alignment    On backend::cuda every address A_array[b] must be a multiple of sizeof(T), as in
//                batched.hpp. No call checks this.
//   n_max        An upper bound that the caller guarantees: n[b] <= n_max for all b. The bound decides which
//                kernels are launched and how, so it should be close to the largest n[b]. If n_max is -1, the
//                call finds the largest n[b] itself. On backend::cuda the call then synchronises the stream
//                to read that number, so it cannot be captured in a CUDA graph: during a capture it returns
//                err_unsupported and queues nothing.
//   bounds       m_max, k_max, m2_max, n2_max and nrhs_max are upper bounds of m, k, m2, n2 and nrhs, with
//                the rules of n_max and the same meaning of -1. A few bounds only decide which sizes are
//                legal. For these bounds, -1 means "no bound" and causes no synchronisation. They are k_max
//                in getrf_partial and getrf_partial_nopiv, nrhs_max in gels, n_max in orgqr, and in ormqr
//                n_max for side::left and m_max for side::right.
//   info_array   0 or j > 0 as in batched.hpp, or -i if argument i of matrix b is illegal: an illegal size,
//                leading dimension or increment, a null pointer to a matrix or vector that has elements, or a
//                bound that is smaller than the size of matrix b. The call skips such a matrix and touches
//                nothing of it, processes its neighbours as usual, and returns 0.
//   n[b] = 0     Legal, like 0 for any other extent: A_array[b] may be null, lda[b] must still be >= 1, and
//                info is as for an extent of 0 in batched.hpp.
//   scratch      On backend::cuda a call uses X_vbatched_work bytes of scratch. If queue::work is not null,
//                the call takes the scratch from there: this memory must be aligned to 16 bytes, and two
//                calls may use the same memory only if one call runs after the other. If queue::work is null,
//                the call allocates and frees its scratch in stream order.
//   same bits    The same call gives the same bits on every run. The values of other matrices do not
//                influence the bits of a matrix, but the number of matrices may. On backend::cuda, one kernel
//                serves each class of sizes (a range of sizes), and a matrix gets the bits of the kernel of
//                its class. The classes depend on batch_count and on n_max (on the largest n[b] if n_max
//                is -1). On backend::host, a matrix gets the same bits as from a call of X_batched with
//                batch_count = c, where c is the number of legal matrices of the same order, min(m[b], n[b]),
//                in this call.
//   cost         On backend::cuda a call makes one pass over the sizes and one launch for each class of sizes
//                up to n_max, so small matrices do not run in the kernel for the largest matrix. A call on
//                few or on small matrices makes one launch for all sizes.
#pragma once

#include "talus/batched.hpp"
#include "talus/types.hpp"

namespace talus {

/// Computes the Cholesky factorization  A_b = L_b L_b^H  (uplo::lower)  or  A_b = U_b^H U_b  (uplo::upper),
/// in place.
///
/// 1 uplo         the triangle that holds A_b and receives the factor
/// 2 n            batch_count ints: order of A_b, 0 <= n[b] <= n_max
/// 3 A_array      pointers to n[b]-by-n[b] Hermitian positive definite matrices
/// 4 lda          batch_count ints: leading dimension of A_b, lda[b] >= max(1, n[b])
/// 5 info_array   0 or j > 0: as for potrf_batched, which also specifies the contents of A_b if j > 0.
///                -2, -3, -4: argument 2, 3 or 4 of matrix b is illegal. -7: n[b] > n_max.
/// 6 batch_count  number of matrices
/// 7 n_max        upper bound of n, or -1
/// 8 q            where to run
///
/// Source    LAPACK's xPOTRF; on the GPU, Abdelfattah, Haidar, Tomov, Dongarra, ICCS 2016, section 4.
template <class T>
TALUS_API int potrf_vbatched(uplo, const int* n, T* const* A_array, const int* lda, int* info_array,
                             std::int64_t batch_count, int n_max, queue q);

/// Solves  A_b X_b = B_b  with the Cholesky factor of A_b that potrf_vbatched computed; X_b overwrites B_b.
///
/// 1 uplo         the triangle that holds the factor
/// 2 n            batch_count ints: order of A_b, 0 <= n[b] <= n_max
/// 3 nrhs         batch_count ints: columns of B_b, 0 <= nrhs[b] <= nrhs_max
/// 4 A_array      pointers to n[b]-by-n[b] factors, only read
/// 5 lda          batch_count ints: leading dimension of A_b, lda[b] >= max(1, n[b])
/// 6 B_array      pointers to n[b]-by-nrhs[b] right-hand sides
/// 7 ldb          batch_count ints: leading dimension of B_b, ldb[b] >= max(1, n[b])
/// 8 info_array   0 or j > 0: as for potrs_batched. -2 ... -7: argument 2 ... 7 of matrix b is illegal.
///                -10: n[b] > n_max. -11: nrhs[b] > nrhs_max.
/// 9 batch_count  number of systems
/// 10 n_max       upper bound of n, or -1
/// 11 nrhs_max    upper bound of nrhs, or -1
/// 12 q           where to run
template <class T>
TALUS_API int potrs_vbatched(uplo, const int* n, const int* nrhs, const T* const* A_array, const int* lda,
                             T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count,
                             int n_max, int nrhs_max, queue q);

/// Solves  A_b X_b = B_b  for Hermitian positive definite A_b by potrf and then potrs; the factor overwrites
/// A_b, and X_b overwrites B_b.
///
/// 1 uplo         the triangle that holds A_b and receives the factor
/// 2 n, 3 nrhs    batch_count ints each: order of A_b, columns of B_b
/// 4 A_array, 5 lda  as for potrf_vbatched
/// 6 B_array, 7 ldb  as for potrs_vbatched
/// 8 info_array   0 or j > 0: as for posv_batched, which also specifies the contents of A_b if j > 0.
///                -2 ... -7: argument 2 ... 7 of matrix b is illegal. -10: n[b] > n_max.
///                -11: nrhs[b] > nrhs_max.
/// 9 batch_count  number of systems
/// 10 n_max, 11 nrhs_max  upper bounds of n and nrhs, or -1
/// 12 q           where to run
template <class T>
TALUS_API int posv_vbatched(uplo, const int* n, const int* nrhs, T* const* A_array, const int* lda,
                            T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count,
                            int n_max, int nrhs_max, queue q);

/// Computes the inverse  A_b^-1  from the Cholesky factor of A_b that potrf_vbatched computed; a triangle of
/// the inverse overwrites the factor.
///
/// 1 uplo         the triangle that holds the factor and receives the inverse
/// 2 n            batch_count ints: order of A_b, 0 <= n[b] <= n_max
/// 3 A_array, 4 lda  n[b]-by-n[b] factors, lda[b] >= max(1, n[b])
/// 5 info_array   0 or j > 0: as for potri_batched. -2, -3, -4: argument 2, 3 or 4 of matrix b is illegal.
///                -7: n[b] > n_max.
/// 6 batch_count  number of matrices
/// 7 n_max        upper bound of n, or -1
/// 8 q            where to run
template <class T>
TALUS_API int potri_vbatched(uplo, const int* n, T* const* A_array, const int* lda, int* info_array,
                             std::int64_t batch_count, int n_max, queue q);

/// Computes a partial Cholesky factorization in place. It eliminates the first k[b] columns of
/// A_b = [A11 A21^H; A21 A22]  as follows:  A11 = L11 L11^H,  L21 = A21 L11^-H,  A22 := A22 - L21 L21^H.
///
/// 1 uplo         the triangle that holds A_b and receives the result
/// 2 n            batch_count ints: order of A_b, 0 <= n[b] <= n_max
/// 3 k            batch_count ints: columns to eliminate, 0 <= k[b] <= min(n[b], k_max)
/// 4 A_array      pointers to n[b]-by-n[b] Hermitian matrices
/// 5 lda          batch_count ints: leading dimension of A_b, lda[b] >= max(1, n[b])
/// 6 info_array   0 or j > 0: as for potrf_partial_batched, which also specifies the contents of A_b if
///                j > 0. -2 ... -5: argument 2 ... 5 of matrix b is illegal. -8: n[b] > n_max.
///                -9: k[b] > k_max.
/// 7 batch_count  number of matrices
/// 8 n_max, 9 k_max  upper bounds of n and k, or -1
/// 10 q           where to run
///
/// The formulas above are for uplo::lower. potrf_partial_batched gives the formulas for uplo::upper. A matrix
/// that is factored in this partial way is called a front.
///
/// Source    The frontal matrices of multifrontal solvers: Duff and Reid, ACM TOMS 9 (1983).
template <class T>
TALUS_API int potrf_partial_vbatched(uplo, const int* n, const int* k, T* const* A_array, const int* lda,
                                     int* info_array, std::int64_t batch_count, int n_max, int k_max,
                                     queue q);

/// Computes a partial Cholesky factorization of fronts (frontal matrices). The blocks of a front are in
/// separate arrays. The results are  A11 = L11 L11^H,  L21 = A21 L11^-H,  A22 := A22 - L21 L21^H.
///
/// 1 uplo         the triangle of A11 and A22 that is used. The third block is A21 if uplo is lower, and A12
///                if uplo is upper
/// 2 k, 3 n2      batch_count ints each: orders of A11 and A22, 0 <= k[b] <= k_max, 0 <= n2[b] <= n2_max
/// 4 A11_array, 5 lda11  k[b]-by-k[b] matrices, which receive L11 or U11; lda11[b] >= max(1, k[b])
/// 6 A21_array, 7 lda21  lower: n2[b]-by-k[b] matrices A21, which receive L21; lda21[b] >= max(1, n2[b]).
///                upper: k[b]-by-n2[b] matrices A12, which receive U12; lda21[b] >= max(1, k[b]).
/// 8 A22_array, 9 lda22  n2[b]-by-n2[b] matrices, which receive the Schur complement;
///                lda22[b] >= max(1, n2[b])
/// 10 info_array  0 or j > 0: as for potrf_partial_split_batched. -2 ... -9: argument 2 ... 9 of front b is
///                illegal. -12: k[b] > k_max. -13: n2[b] > n2_max.
/// 11 batch_count  number of fronts
/// 12 k_max, 13 n2_max  upper bounds of k and n2, or -1
/// 14 q           where to run
template <class T>
TALUS_API int potrf_partial_split_vbatched(uplo, const int* k, const int* n2, T* const* A11_array,
                                           const int* lda11, T* const* A21_array, const int* lda21,
                                           T* const* A22_array, const int* lda22, int* info_array,
                                           std::int64_t batch_count, int k_max, int n2_max, queue q);

/// Computes the LU factorization  A_b = P_b L_b U_b  in place, with partial pivoting.
///
/// 1 m, 2 n       batch_count ints each: rows and columns of A_b
/// 3 A_array, 4 lda  m[b]-by-n[b] matrices, lda[b] >= max(1, m[b])
/// 5 ipiv_array   pointers to min(m[b], n[b]) ints, written
/// 6 info_array   0 or j > 0: as for getrf_batched. -1 ... -5: argument 1 ... 5 of matrix b is illegal.
///                -8: m[b] > m_max. -9: n[b] > n_max.
/// 7 batch_count  number of matrices
/// 8 m_max, 9 n_max  upper bounds of m and n, or -1
/// 10 q           where to run
template <class T>
TALUS_API int getrf_vbatched(const int* m, const int* n, T* const* A_array, const int* lda,
                             int* const* ipiv_array, int* info_array, std::int64_t batch_count, int m_max,
                             int n_max, queue q);

/// Computes the LU factorization  A_b = L_b U_b  in place, without row interchanges.
///
/// 1 m, 2 n, 3 A_array, 4 lda  as for getrf_vbatched
/// 5 pivot_floor, 6 pivot_floor_array, 7 replaced_array  as for getrf_nopiv_batched; replaced_array[b] is 0
///                if matrix b is skipped
/// 8 info_array   0 or j > 0: as for getrf_nopiv_batched. -1 ... -4: argument 1 ... 4 of matrix b is illegal.
///                -10: m[b] > m_max. -11: n[b] > n_max.
/// 9 batch_count  number of matrices
/// 10 m_max, 11 n_max  upper bounds of m and n, or -1
/// 12 q           where to run
template <class T>
TALUS_API int getrf_nopiv_vbatched(const int* m, const int* n, T* const* A_array, const int* lda,
                                   real_type<T> pivot_floor, const real_type<T>* pivot_floor_array,
                                   int* replaced_array, int* info_array, std::int64_t batch_count, int m_max,
                                   int n_max, queue q);

/// Computes a partial LU factorization in place. It eliminates the first k[b] columns of
/// A_b = [A11 A12; A21 A22]  as follows:  A11 = P L11 U11,  L21 = A21 U11^-1,  U12 = L11^-1 P^T A12,
/// A22 := A22 - L21 U12.  All pivots come from the first k[b] rows.
///
/// 1 m, 2 n, 3 k  batch_count ints each: rows and columns of A_b, and columns to eliminate,
///                0 <= k[b] <= min(m[b], n[b])
/// 4 A_array, 5 lda  as for getrf_vbatched
/// 6 ipiv_array   pointers to k[b] ints, written
/// 7 info_array   0 or j > 0: as for getrf_partial_batched. -1 ... -6: argument 1 ... 6 of matrix b is
///                illegal. -9: m[b] > m_max. -10: n[b] > n_max. -11: k[b] > k_max.
/// 8 batch_count  number of matrices
/// 9 m_max, 10 n_max, 11 k_max  upper bounds of m, n and k, or -1
/// 12 q           where to run
template <class T>
TALUS_API int getrf_partial_vbatched(const int* m, const int* n, const int* k, T* const* A_array,
                                     const int* lda, int* const* ipiv_array, int* info_array,
                                     std::int64_t batch_count, int m_max, int n_max, int k_max, queue q);

/// Computes a partial LU factorization in place, without row interchanges. It eliminates the first k[b]
/// columns of  A_b = [A11 A12; A21 A22]  as follows:  A11 = L11 U11,  L21 = A21 U11^-1,  U12 = L11^-1 A12,
/// A22 := A22 - L21 U12.
///
/// 1 m, 2 n, 3 k, 4 A_array, 5 lda  as for getrf_partial_vbatched
/// 6 pivot_floor, 7 pivot_floor_array, 8 replaced_array  as for getrf_nopiv_vbatched
/// 9 info_array   0 or j > 0: as for getrf_partial_nopiv_batched. -1 ... -5: argument 1 ... 5 of matrix b is
///                illegal. -11: m[b] > m_max. -12: n[b] > n_max. -13: k[b] > k_max.
/// 10 batch_count  number of matrices
/// 11 m_max, 12 n_max, 13 k_max  upper bounds of m, n and k, or -1
/// 14 q           where to run
template <class T>
TALUS_API int getrf_partial_nopiv_vbatched(const int* m, const int* n, const int* k, T* const* A_array,
                                           const int* lda, real_type<T> pivot_floor,
                                           const real_type<T>* pivot_floor_array, int* replaced_array,
                                           int* info_array, std::int64_t batch_count, int m_max, int n_max,
                                           int k_max, queue q);

/// Computes a partial LU factorization of fronts (frontal matrices)  A_b = [A11 A12; A21 A22].  The four
/// blocks are in separate arrays. A11 is factored as  A11 = P L11 U11,  and all pivots come from the rows of
/// A11.
///
/// 1 form         one value for all fronts: the results in A12 and A21, as for getrf_partial_split_batched
/// 2 schur        one value for all fronts: the result in A22, as for getrf_partial_split_batched
/// 3 k, 4 m2, 5 n2  batch_count ints each: order of A11, rows and columns of A22, 0 <= k[b] <= k_max,
///                0 <= m2[b] <= m2_max, 0 <= n2[b] <= n2_max
/// 6 A11_array, 7 lda11  k[b]-by-k[b] matrices, lda11[b] >= max(1, k[b])
/// 8 A12_array, 9 lda12  k[b]-by-n2[b] matrices, lda12[b] >= max(1, k[b])
/// 10 A21_array, 11 lda21  m2[b]-by-k[b] matrices, lda21[b] >= max(1, m2[b])
/// 12 A22_array, 13 lda22  m2[b]-by-n2[b] matrices, lda22[b] >= max(1, m2[b])
/// 14 ipiv_array  pointers to k[b] ints, written
/// 15 info_array  0 or j > 0: as for getrf_partial_split_batched. -3 ... -14: argument 3 ... 14 of front b is
///                illegal. -17: k[b] > k_max. -18: m2[b] > m2_max. -19: n2[b] > n2_max.
/// 16 batch_count  number of fronts
/// 17 k_max, 18 m2_max, 19 n2_max  upper bounds of k, m2 and n2, or -1
/// 20 q           where to run
template <class T>
TALUS_API int getrf_partial_split_vbatched(form, schur, const int* k, const int* m2, const int* n2,
                                           T* const* A11_array, const int* lda11, T* const* A12_array,
                                           const int* lda12, T* const* A21_array, const int* lda21,
                                           T* const* A22_array, const int* lda22, int* const* ipiv_array,
                                           int* info_array, std::int64_t batch_count, int k_max, int m2_max,
                                           int n2_max, queue q);

/// Computes a partial LU factorization of fronts (frontal matrices)  A_b = [A11 A12; A21 A22].  The four
/// blocks are in separate arrays. A11 is factored without row interchanges as  A11 = L11 U11.
///
/// 1 form, 2 schur, 3 k, 4 m2, 5 n2  as for getrf_partial_split_vbatched
/// 6 A11_array, 7 lda11, 8 A12_array, 9 lda12  as for getrf_partial_split_vbatched
/// 10 A21_array, 11 lda21, 12 A22_array, 13 lda22  as for getrf_partial_split_vbatched
/// 14 pivot_floor, 15 pivot_floor_array, 16 replaced_array  as for getrf_nopiv_vbatched
/// 17 info_array  0 or j > 0: as for getrf_partial_split_nopiv_batched. -3 ... -13: argument 3 ... 13 of
///                front b is illegal. -19: k[b] > k_max. -20: m2[b] > m2_max. -21: n2[b] > n2_max.
/// 18 batch_count  number of fronts
/// 19 k_max, 20 m2_max, 21 n2_max  upper bounds of k, m2 and n2, or -1
/// 22 q           where to run
template <class T>
TALUS_API int getrf_partial_split_nopiv_vbatched(
    form, schur, const int* k, const int* m2, const int* n2, T* const* A11_array, const int* lda11,
    T* const* A12_array, const int* lda12, T* const* A21_array, const int* lda21, T* const* A22_array,
    const int* lda22, real_type<T> pivot_floor, const real_type<T>* pivot_floor_array, int* replaced_array,
    int* info_array, std::int64_t batch_count, int k_max, int m2_max, int n2_max, queue q);

/// Solves  op(A_b) X_b = B_b  with the factors and pivots of A_b that getrf_vbatched computed; X_b overwrites
/// B_b.
///
/// 1 op           one operation for all matrices, as for getrs_batched
/// 2 n, 3 nrhs    batch_count ints each: order of A_b, columns of B_b
/// 4 A_array, 5 lda  n[b]-by-n[b] factors, only read, lda[b] >= max(1, n[b])
/// 6 ipiv_array   pointers to n[b] pivots, only read
/// 7 B_array, 8 ldb  n[b]-by-nrhs[b] right-hand sides, ldb[b] >= max(1, n[b])
/// 9 info_array   may be null. 0 or j > 0: as for getrs_batched. -2 ... -8: argument 2 ... 8 of matrix b is
///                illegal. -11: n[b] > n_max. -12: nrhs[b] > nrhs_max.
/// 10 batch_count  number of systems
/// 11 n_max, 12 nrhs_max  upper bounds of n and nrhs, or -1
/// 13 q           where to run
template <class T>
TALUS_API int getrs_vbatched(op, const int* n, const int* nrhs, const T* const* A_array, const int* lda,
                             const int* const* ipiv_array, T* const* B_array, const int* ldb, int* info_array,
                             std::int64_t batch_count, int n_max, int nrhs_max, queue q);

/// Solves  op(A_b) X_b = B_b  with the factors of A_b that getrf_nopiv_vbatched computed; X_b overwrites B_b.
/// These factors have no pivots.
///
/// 1 op, 2 n, 3 nrhs, 4 A_array, 5 lda  as for getrs_vbatched
/// 6 B_array, 7 ldb  as for getrs_vbatched
/// 8 info_array   may be null. 0 or j > 0: as for getrs_nopiv_batched. -2 ... -7: argument 2 ... 7 of matrix
///                b is illegal. -10: n[b] > n_max. -11: nrhs[b] > nrhs_max.
/// 9 batch_count  number of systems
/// 10 n_max, 11 nrhs_max  upper bounds of n and nrhs, or -1
/// 12 q           where to run
template <class T>
TALUS_API int getrs_nopiv_vbatched(op, const int* n, const int* nrhs, const T* const* A_array, const int* lda,
                                   T* const* B_array, const int* ldb, int* info_array,
                                   std::int64_t batch_count, int n_max, int nrhs_max, queue q);

/// Solves  A_b X_b = B_b  by getrf and then getrs; the factors overwrite A_b, and X_b overwrites B_b.
///
/// 1 n, 2 nrhs    batch_count ints each: order of A_b, columns of B_b
/// 3 A_array, 4 lda  n[b]-by-n[b] matrices, overwritten by their factors, lda[b] >= max(1, n[b])
/// 5 ipiv_array   pointers to n[b] ints, written
/// 6 B_array, 7 ldb  n[b]-by-nrhs[b] right-hand sides, ldb[b] >= max(1, n[b])
/// 8 info_array   0 or j > 0: as for gesv_batched. -1 ... -7: argument 1 ... 7 of matrix b is illegal.
///                -10: n[b] > n_max. -11: nrhs[b] > nrhs_max.
/// 9 batch_count  number of systems
/// 10 n_max, 11 nrhs_max  upper bounds of n and nrhs, or -1
/// 12 q           where to run
template <class T>
TALUS_API int gesv_vbatched(const int* n, const int* nrhs, T* const* A_array, const int* lda,
                            int* const* ipiv_array, T* const* B_array, const int* ldb, int* info_array,
                            std::int64_t batch_count, int n_max, int nrhs_max, queue q);

/// Computes the inverse  A_b^-1  from the factors and pivots of A_b that getrf_vbatched computed; the inverse
/// overwrites the factors.
///
/// 1 n            batch_count ints: order of A_b
/// 2 A_array, 3 lda  n[b]-by-n[b] factors, overwritten by the inverse, lda[b] >= max(1, n[b])
/// 4 ipiv_array   pointers to n[b] pivots, only read
/// 5 info_array   may be null. 0 or j > 0: as for getri_batched. -1 ... -4: argument 1 ... 4 of matrix b is
///                illegal. -7: n[b] > n_max.
/// 6 batch_count  number of matrices
/// 7 n_max        upper bound of n, or -1
/// 8 q            where to run
template <class T>
TALUS_API int getri_vbatched(const int* n, T* const* A_array, const int* lda, const int* const* ipiv_array,
                             int* info_array, std::int64_t batch_count, int n_max, queue q);

/// Computes the inverse  C_b = A_b^-1  from the factors and pivots of A_b that getrf_vbatched computed; the
/// factors stay unchanged.
///
/// 1 n            batch_count ints: order of A_b
/// 2 A_array, 3 lda  n[b]-by-n[b] factors, only read, lda[b] >= max(1, n[b])
/// 4 ipiv_array   pointers to n[b] pivots, only read
/// 5 C_array, 6 ldc  n[b]-by-n[b] matrices, written, ldc[b] >= max(1, n[b])
/// 7 info_array   may be null. 0 or j > 0: as for getri_outofplace_batched. -1 ... -6: argument 1 ... 6 of
///                matrix b is illegal. -9: n[b] > n_max.
/// 8 batch_count  number of matrices
/// 9 n_max        upper bound of n, or -1
/// 10 q           where to run
template <class T>
TALUS_API int getri_outofplace_vbatched(const int* n, const T* const* A_array, const int* lda,
                                        const int* const* ipiv_array, T* const* C_array, const int* ldc,
                                        int* info_array, std::int64_t batch_count, int n_max, queue q);

/// Computes the QR factorization  A_b = Q_b R_b  with Householder reflectors, in place.
///
/// 1 m, 2 n       batch_count ints each: rows and columns of A_b
/// 3 A_array, 4 lda  m[b]-by-n[b] matrices, lda[b] >= max(1, m[b])
/// 5 tau_array    pointers to min(m[b], n[b]) elements, written
/// 6 info_array   0: factored. -1 ... -5: argument 1 ... 5 of matrix b is illegal. -8: m[b] > m_max.
///                -9: n[b] > n_max.
/// 7 batch_count  number of matrices
/// 8 m_max, 9 n_max  upper bounds of m and n, or -1
/// 10 q           where to run
template <class T>
TALUS_API int geqrf_vbatched(const int* m, const int* n, T* const* A_array, const int* lda,
                             T* const* tau_array, int* info_array, std::int64_t batch_count, int m_max,
                             int n_max, queue q);

/// Multiplies C_b by the Q_b that geqrf_vbatched computed:  C_b := op(Q_b) C_b  (side::left)  or
/// C_b := C_b op(Q_b)  (side::right).
///
/// 1 side, 2 op   one side and one operation for all matrices, as for ormqr_batched
/// 3 m, 4 n, 5 k  batch_count ints each: rows and columns of C_b, number of reflectors. side::left:
///                0 <= k[b] <= m[b]. side::right: 0 <= k[b] <= n[b].
/// 6 A_array, 7 lda, 8 tau_array  the results of geqrf_vbatched, only read. side::left:
///                lda[b] >= max(1, m[b]). side::right: lda[b] >= max(1, n[b]).
/// 9 C_array, 10 ldc  m[b]-by-n[b] matrices, ldc[b] >= max(1, m[b])
/// 11 info_array  may be null. 0: multiplied. -3 ... -10: argument 3 ... 10 of matrix b is illegal.
///                -13: m[b] > m_max. -14: n[b] > n_max. -15: k[b] > k_max.
/// 12 batch_count  number of matrices
/// 13 m_max, 14 n_max, 15 k_max  upper bounds of m, n and k, or -1
/// 16 q           where to run
template <class T>
TALUS_API int ormqr_vbatched(side, op, const int* m, const int* n, const int* k, const T* const* A_array,
                             const int* lda, const T* const* tau_array, T* const* C_array, const int* ldc,
                             int* info_array, std::int64_t batch_count, int m_max, int n_max, int k_max,
                             queue q);

/// Forms the first n[b] columns of  Q_b = H_1 H_2 ... H_k  from the k = k[b] reflectors that geqrf_vbatched
/// computed; Q_b overwrites the reflectors.
///
/// 1 m, 2 n, 3 k  batch_count ints each: rows of A_b, columns of Q_b, number of reflectors,
///                0 <= k[b] <= n[b] <= m[b]
/// 4 A_array, 5 lda  m[b]-by-n[b] matrices, lda[b] >= max(1, m[b])
/// 6 tau_array    pointers to k[b] elements, only read
/// 7 info_array   may be null. 0: formed. -1 ... -6: argument 1 ... 6 of matrix b is illegal.
///                -9: m[b] > m_max. -10: n[b] > n_max. -11: k[b] > k_max.
/// 8 batch_count  number of matrices
/// 9 m_max, 10 n_max, 11 k_max  upper bounds of m, n and k, or -1
/// 12 q           where to run
template <class T>
TALUS_API int orgqr_vbatched(const int* m, const int* n, const int* k, T* const* A_array, const int* lda,
                             const T* const* tau_array, int* info_array, std::int64_t batch_count, int m_max,
                             int n_max, int k_max, queue q);

/// Multiplies C_b by the Q_b that geqrf_vbatched computed, for complex T. This function is ormqr_vbatched
/// under LAPACK's name, and takes the same arguments.
template <class T>
int unmqr_vbatched(side side, op op, const int* m, const int* n, const int* k, const T* const* A_array,
                   const int* lda, const T* const* tau_array, T* const* C_array, const int* ldc,
                   int* info_array, std::int64_t batch_count, int m_max, int n_max, int k_max, queue q) {
  static_assert(!std::is_same_v<T, real_type<T>>, "of real matrices it is ormqr");
  return ormqr_vbatched<T>(side, op, m, n, k, A_array, lda, tau_array, C_array, ldc, info_array, batch_count,
                           m_max, n_max, k_max, q);
}
/// Forms the first n[b] columns of the Q_b that geqrf_vbatched computed, for complex T. This function is
/// orgqr_vbatched under LAPACK's name, and takes the same arguments.
template <class T>
int ungqr_vbatched(const int* m, const int* n, const int* k, T* const* A_array, const int* lda,
                   const T* const* tau_array, int* info_array, std::int64_t batch_count, int m_max, int n_max,
                   int k_max, queue q) {
  static_assert(!std::is_same_v<T, real_type<T>>, "of real matrices it is orgqr");
  return orgqr_vbatched<T>(m, n, k, A_array, lda, tau_array, info_array, batch_count, m_max, n_max, k_max, q);
}

/// Computes the least-squares or the least-norm solution of  op(A_b) X_b = B_b  with A_b of full rank; X_b
/// overwrites B_b.
///
/// 1 op           one operation for all matrices, as for gels_batched
/// 2 m, 3 n, 4 nrhs  batch_count ints each: rows and columns of A_b, columns of B_b
/// 5 A_array, 6 lda  m[b]-by-n[b] matrices, overwritten, lda[b] >= max(1, m[b])
/// 7 B_array, 8 ldb  max(m[b], n[b])-by-nrhs[b] matrices, ldb[b] >= max(1, m[b], n[b])
/// 9 info_array   0 or j > 0: as for gels_batched. -2 ... -8: argument 2 ... 8 of matrix b is illegal.
///                -11: m[b] > m_max. -12: n[b] > n_max. -13: nrhs[b] > nrhs_max.
/// 10 batch_count  number of systems
/// 11 m_max, 12 n_max, 13 nrhs_max  upper bounds of m, n and nrhs, or -1
/// 14 q           where to run
template <class T>
TALUS_API int gels_vbatched(op, const int* m, const int* n, const int* nrhs, T* const* A_array,
                            const int* lda, T* const* B_array, const int* ldb, int* info_array,
                            std::int64_t batch_count, int m_max, int n_max, int nrhs_max, queue q);

/// Computes the thin QR factorization  A_b = Q_b R_b  and forms Q_b, which overwrites the first
/// min(m[b], n[b]) columns of A_b.
///
/// 1 m, 2 n       batch_count ints each: rows and columns of A_b
/// 3 A_array, 4 lda  m[b]-by-n[b] matrices, lda[b] >= max(1, m[b])
/// 5 R_array, 6 ldr  min(m[b], n[b])-by-n[b] matrices, written, ldr[b] >= max(1, min(m[b], n[b]))
/// 7 info_array   0: factored. -1 ... -6: argument 1 ... 6 of matrix b is illegal. -9: m[b] > m_max.
///                -10: n[b] > n_max.
/// 8 batch_count  number of matrices
/// 9 m_max, 10 n_max  upper bounds of m and n, or -1
/// 11 q           where to run
template <class T>
TALUS_API int qr_vbatched(const int* m, const int* n, T* const* A_array, const int* lda, T* const* R_array,
                          const int* ldr, int* info_array, std::int64_t batch_count, int m_max, int n_max,
                          queue q);

/// Solves  op(A_b) X_b = alpha B_b  (side::left)  or  X_b op(A_b) = alpha B_b  (side::right)  with triangular
/// A_b; X_b overwrites B_b.
///
/// 1 side, 2 uplo, 3 op, 4 diag  one value each for all matrices, as for trsm_batched
/// 5 m, 6 n       batch_count ints each: rows and columns of B_b
/// 7 alpha        as for trsm_batched
/// 8 A_array, 9 lda  triangles, only read. side::left: order m[b], lda[b] >= max(1, m[b]). side::right: order
///                n[b], lda[b] >= max(1, n[b]).
/// 10 B_array, 11 ldb  m[b]-by-n[b] matrices, ldb[b] >= max(1, m[b])
/// 12 info_array  may be null. 0: solved. -5, -6, -8 ... -11: argument 5, 6 or 8 ... 11 of matrix b is
///                illegal. -14: m[b] > m_max. -15: n[b] > n_max.
/// 13 batch_count  number of systems
/// 14 m_max, 15 n_max  upper bounds of m and n, or -1
/// 16 q           where to run
template <class T>
TALUS_API int trsm_vbatched(side, uplo, op, diag, const int* m, const int* n, T alpha,
                            const T* const* A_array, const int* lda, T* const* B_array, const int* ldb,
                            int* info_array, std::int64_t batch_count, int m_max, int n_max, queue q);

/// Computes the matrix product  C_b := alpha op(A_b) op(B_b) + beta C_b.
///
/// 1 op_A, 2 op_B  op_A is the operation on every A_b, and op_B is the operation on every B_b. none: as
///                stored, trans: transposed, conj_trans: conjugate transposed.
/// 3 m, 4 n, 5 k  batch_count ints each: op(A_b) is m[b]-by-k[b], op(B_b) is k[b]-by-n[b], C_b is
///                m[b]-by-n[b]
/// 6 alpha        one number for all products; in C a pointer to a number in host memory. If alpha = 0 or
///                k[b] = 0, A_b and B_b are not read.
/// 7 A_array, 8 lda  m[b]-by-k[b] matrices, or k[b]-by-m[b] if op_A transposes them, only read;
///                lda[b] >= max(1, rows of A_b)
/// 9 B_array, 10 ldb  k[b]-by-n[b] matrices, or n[b]-by-k[b] if op_B transposes them, only read;
///                ldb[b] >= max(1, rows of B_b)
/// 11 beta        one number for all products, passed like alpha. If beta = 0, C_b is not read, and its
///                values do not matter.
/// 12 C_array, 13 ldc  m[b]-by-n[b] matrices, ldc[b] >= max(1, m[b]). No C_b shares an element with another
///                C_b, or with any A_b or B_b.
/// 14 info_array  may be null. 0: multiplied. -3, -4, -5, -7 ... -10, -12, -13: argument 3, 4, 5, 7 ... 10,
///                12 or 13 of product b is illegal. -16: m[b] > m_max. -17: n[b] > n_max. -18: k[b] > k_max.
/// 15 batch_count  number of products
/// 16 m_max, 17 n_max, 18 k_max  upper bounds of m, n and k, or -1
/// 19 q           where to run
///
/// Cost      2 m n k flops per product (complex: four times this number).
/// Numerics  |error| / ((k + 1) eps (|alpha| |op(A)| |op(B)| + |beta| |C|)) is < 30 in the tests, element by
///           element; values below 4 are expected. Single precision on GPUs with TF32 tensor units is an
///           exception: a product is computed there as the sum of three TF32 products, so the ratio can be
///           larger than 4, but is still < 30 in the tests.
/// Source    BLAS's xGEMM.
template <class T>
TALUS_API int gemm_vbatched(op op_A, op op_B, const int* m, const int* n, const int* k, T alpha,
                            const T* const* A_array, const int* lda, const T* const* B_array, const int* ldb,
                            T beta, T* const* C_array, const int* ldc, int* info_array,
                            std::int64_t batch_count, int m_max, int n_max, int k_max, queue q);

/// Computes  y_b := alpha op(A_b) x_b + beta y_b  with a matrix A_b and vectors x_b and y_b.
///
/// 1 op           one operation for all matrices. none: A, trans: A^T, conj_trans: A^H.
/// 2 m, 3 n       batch_count ints each: rows and columns of A_b. If m[b] = 0 or n[b] = 0, nothing is done,
///                as in BLAS: y_b is not multiplied by beta.
/// 4 alpha        one number for all products; in C a pointer to a number in host memory. If alpha = 0, A_b
///                and x_b are not read.
/// 5 A_array, 6 lda  m[b]-by-n[b] matrices, only read, lda[b] >= max(1, m[b])
/// 7 x_array, 8 incx  vectors of n[b] elements, or of m[b] elements if op transposes A_b, only read.
///                Neighbouring elements are incx[b] apart, and incx[b] is not 0. If incx[b] < 0, the vector
///                is stored backwards: x_array[b] is the start of the storage, and the first element is the
///                last in memory.
/// 9 beta         one number for all products, passed like alpha. If beta = 0, y_b is not read, and its
///                values do not matter.
/// 10 y_array, 11 incy  vectors of m[b] elements, or of n[b] elements if op transposes A_b. The rules for
///                incx[b] apply to incy[b], too. No y_b shares an element with another y_b, or with any A_b
///                or x_b. Memory between the elements of y_b is not written.
/// 12 info_array  may be null. 0: multiplied. -2, -3, -5 ... -8, -10, -11: argument 2, 3, 5 ... 8, 10 or 11
///                of product b is illegal. -14: m[b] > m_max. -15: n[b] > n_max.
/// 13 batch_count  number of products
/// 14 m_max, 15 n_max  upper bounds of m and n, or -1
/// 16 q           where to run
///
/// Cost      2 m n flops per product (complex: four times this number).
/// Numerics  as for gemm_vbatched, with the length of x_b in place of k.
/// Source    BLAS's xGEMV.
template <class T>
TALUS_API int gemv_vbatched(op, const int* m, const int* n, T alpha, const T* const* A_array, const int* lda,
                            const T* const* x_array, const int* incx, T beta, T* const* y_array,
                            const int* incy, int* info_array, std::int64_t batch_count, int m_max, int n_max,
                            queue q);

/// Returns the number of bytes of scratch that potrf_vbatched uses on backend::cuda. If queue::work is not
/// null, the call takes the scratch from there. Each function X_vbatched_work does the same for X_vbatched.
///
/// The arguments are the bounds and the batch_count of the call. No device call is made.
template <class T>
TALUS_API std::size_t potrf_vbatched_work(int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potrs_vbatched_work(int n_max, int nrhs_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t posv_vbatched_work(int n_max, int nrhs_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potri_vbatched_work(int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potrf_partial_vbatched_work(int n_max, int k_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t potrf_partial_split_vbatched_work(int k_max, int n2_max,
                                                        std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_vbatched_work(int m_max, int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_nopiv_vbatched_work(int m_max, int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_partial_vbatched_work(int m_max, int n_max, int k_max,
                                                  std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_partial_nopiv_vbatched_work(int m_max, int n_max, int k_max,
                                                        std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_partial_split_vbatched_work(int k_max, int m2_max, int n2_max,
                                                        std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrf_partial_split_nopiv_vbatched_work(int k_max, int m2_max, int n2_max,
                                                              std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrs_vbatched_work(int n_max, int nrhs_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getrs_nopiv_vbatched_work(int n_max, int nrhs_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t gesv_vbatched_work(int n_max, int nrhs_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getri_vbatched_work(int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t getri_outofplace_vbatched_work(int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t geqrf_vbatched_work(int m_max, int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t ormqr_vbatched_work(int m_max, int n_max, int k_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t orgqr_vbatched_work(int m_max, int n_max, int k_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t gels_vbatched_work(int m_max, int n_max, int nrhs_max,
                                         std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t qr_vbatched_work(int m_max, int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t trsm_vbatched_work(int m_max, int n_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t gemm_vbatched_work(int m_max, int n_max, int k_max, std::int64_t batch_count) noexcept;
template <class T>
TALUS_API std::size_t gemv_vbatched_work(int m_max, int n_max, std::int64_t batch_count) noexcept;
template <class T>
std::size_t unmqr_vbatched_work(int m_max, int n_max, int k_max, std::int64_t batch_count) noexcept {
  return ormqr_vbatched_work<T>(m_max, n_max, k_max, batch_count);
}
template <class T>
std::size_t ungqr_vbatched_work(int m_max, int n_max, int k_max, std::int64_t batch_count) noexcept {
  return orgqr_vbatched_work<T>(m_max, n_max, k_max, batch_count);
}

}  // namespace talus
