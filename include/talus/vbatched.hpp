// Batches of matrices that each have their own size. Every routine is that of batched.hpp, applied to every
// matrix b = 0 ... batch_count - 1 of its own order n[b], except for what stands here.
//
//   sizes        m, n, k, nrhs, lda and their kin are arrays of batch_count ints that live where the
//                matrices live: on backend::cuda in device memory, from where no call reads them back.
//   alignment    on backend::cuda every A_array[b] is a multiple of sizeof(T), as in batched.hpp; that is
//                checked by no call.
//   n_max        a promise, n[b] <= n_max for all b: it decides which kernels are launched and how. The
//                closer to the largest n[b], the better. -1 means "find it": on backend::cuda such a call
//                waits for what it finds, so it synchronises the stream and cannot be captured
//                (err_unsupported while a capture is on).
//   m_max        the same promise of m, where matrices are not square.
//   nrhs_max     a promise that nrhs[b] <= nrhs_max. It only says what is legal; -1: any number is.
//   k_max        the same of k.
//   info_array   0 or j > 0 as in batched.hpp; -i if argument i of matrix b is illegal: a size, a pointer
//                (null is fine where there is nothing to point at), or the bound that its size is above.
//                Such a matrix is skipped, nothing of it is touched, its neighbours are factored as ever,
//                and the call itself returns 0.
//   n[b] = 0     legal, as is any extent of 0: A_array[b] may be null, lda[b] >= 1, info is 0.
//   scratch      backend::cuda takes X_vbatched_work bytes from queue::work if that is set (aligned to 16
//                bytes, and shared by no two calls unless one comes after the other), else it allocates and
//                frees them in the stream's order.
//   same bits    The same call gives the same bits on every run. What other matrices hold does not matter,
//                their number may: on backend::cuda a matrix gets the bits of the kernel that serves its
//                class of sizes, and batch_count and n_max (where it is -1, the largest n[b]) choose the
//                classes; on backend::host it gets those of a batch of all matrices of its order.
//   cost         a pass over the sizes, and a launch for each class of sizes that n_max reaches, not one that
//                suits the largest alone; few or small matrices are one launch for all sizes.
#pragma once

#include "talus/batched.hpp"
#include "talus/types.hpp"

namespace talus {

/// Cholesky factorization  A_b = L_b L_b^H  (uplo::lower)  or  A_b = U_b^H U_b  (uplo::upper), in place.
///
/// 1 uplo         the triangle that holds A_b and receives the factor
/// 2 n            batch_count ints: order of A_b, 0 <= n[b] <= n_max
/// 3 A_array      pointers to n[b]-by-n[b] Hermitian positive definite matrices
/// 4 lda          batch_count ints: leading dimension of A_b, lda[b] >= max(1, n[b])
/// 5 info_array   as potrf_batched, and so is what a failed A_b then holds; -2, -3, -4: that argument of
///                matrix b is illegal, -7: n[b] > n_max
/// 6 batch_count  number of matrices
/// 7 n_max        bound of n, or -1
/// 8 q            where to run
///
/// Source      LAPACK's xPOTRF; on the GPU, Abdelfattah, Haidar, Tomov, Dongarra, ICCS 2016, section 4.
template <class T>
TALUS_API int potrf_vbatched(uplo, const int* n, T* const* A_array, const int* lda, int* info_array,
                             std::int64_t batch_count, int n_max, queue q);

/// Solves  A_b X_b = B_b  with the factor that potrf left; X_b overwrites B_b.
///
/// 1 uplo         the triangle that holds the factor
/// 2 n            batch_count ints: order of A_b, 0 <= n[b] <= n_max
/// 3 nrhs         batch_count ints: columns of B_b, 0 <= nrhs[b] <= nrhs_max
/// 4 A_array      pointers to n[b]-by-n[b] factors, only read
/// 5 lda          batch_count ints: leading dimension of A_b, lda[b] >= max(1, n[b])
/// 6 B_array      pointers to n[b]-by-nrhs[b] right-hand sides
/// 7 ldb          batch_count ints: leading dimension of B_b, ldb[b] >= max(1, n[b])
/// 8 info_array   as potrs_batched; -2 ... -7: that argument of matrix b is illegal, -10: n[b] > n_max,
///                -11: nrhs[b] > nrhs_max
/// 9 batch_count  number of systems
/// 10 n_max       bound of n, or -1
/// 11 nrhs_max    bound of nrhs, or -1
/// 12 q           where to run
template <class T>
TALUS_API int potrs_vbatched(uplo, const int* n, const int* nrhs, const T* const* A_array, const int* lda,
                             T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count,
                             int n_max, int nrhs_max, queue q);

/// Solves  A_b X_b = B_b: potrf, then potrs. Arguments as for potrs, except that A_b holds the matrix and is
/// overwritten by the factor. What info > 0 says, and what A_b then holds, is as for potrf_batched.
template <class T>
TALUS_API int posv_vbatched(uplo, const int* n, const int* nrhs, T* const* A_array, const int* lda,
                            T* const* B_array, const int* ldb, int* info_array, std::int64_t batch_count,
                            int n_max, int nrhs_max, queue q);

/// Inverse of A_b from the factor that potrf left. Arguments as for potrf, except that A_b holds the factor.
template <class T>
TALUS_API int potri_vbatched(uplo, const int* n, T* const* A_array, const int* lda, int* info_array,
                             std::int64_t batch_count, int n_max, queue q);

/// Partial Cholesky factorization: the first k[b] columns are eliminated, the Schur complement is left in the
/// trailing triangle.
///
/// 1 uplo         the triangle that holds A_b and receives the result
/// 2 n            batch_count ints: order of A_b, 0 <= n[b] <= n_max
/// 3 k            batch_count ints: columns to eliminate, 0 <= k[b] <= min(n[b], k_max)
/// 4 A_array      pointers to n[b]-by-n[b] Hermitian matrices
/// 5 lda          batch_count ints: leading dimension of A_b, lda[b] >= max(1, n[b])
/// 6 info_array   as potrf_partial_batched, and so is what a failed A_b then holds; -2 ... -5: that argument
///                of matrix b is illegal, -8: n[b] > n_max, -9: k[b] > k_max
/// 7 batch_count
/// 8 n_max, 9 k_max   bounds of n and k, or -1
/// 10 q
///
/// Source      The frontal matrices of multifrontal solvers: Duff and Reid, ACM TOMS 9 (1983).
template <class T>
TALUS_API int potrf_partial_vbatched(uplo, const int* n, const int* k, T* const* A_array, const int* lda,
                                     int* info_array, std::int64_t batch_count, int n_max, int k_max,
                                     queue q);

/// The same of fronts whose blocks are arrays of their own.
///
/// 1 uplo         the triangle of A11 and A22; lower: the block between them is A21, upper: it is A12
/// 2 k, 3 n2      batch_count ints each: orders of A11 and A22, 0 <= k[b] <= k_max, 0 <= n2[b] <= n2_max
/// 4 A11_array, 5 lda11   k[b]-by-k[b], lda11[b] >= max(1, k[b])
/// 6 A21_array, 7 lda21   lower: n2[b]-by-k[b], lda21[b] >= max(1, n2[b]); upper: A12, k[b]-by-n2[b],
///                lda21[b] >= max(1, k[b])
/// 8 A22_array, 9 lda22   n2[b]-by-n2[b], lda22[b] >= max(1, n2[b])
/// 10 info_array  as potrf_partial_split_batched; -2 ... -9: that argument of front b is illegal, -12: k[b] >
///                k_max, -13: n2[b] > n2_max
/// 11 batch_count
/// 12 k_max, 13 n2_max   bounds of k and n2, or -1
/// 14 q
template <class T>
TALUS_API int potrf_partial_split_vbatched(uplo, const int* k, const int* n2, T* const* A11_array,
                                           const int* lda11, T* const* A21_array, const int* lda21,
                                           T* const* A22_array, const int* lda22, int* info_array,
                                           std::int64_t batch_count, int k_max, int n2_max, queue q);

/// LU factorization with partial pivoting  A_b = P_b L_b U_b,  in place.
///
/// 1 m, 2 n       batch_count ints each: rows and columns of A_b
/// 3 A_array, 4 lda   m[b]-by-n[b] matrices, lda[b] >= max(1, m[b])
/// 5 ipiv_array   pointers to min(m[b], n[b]) ints, written
/// 6 info_array   as getrf_batched; -1 ... -5: that argument of matrix b is illegal, -8: m[b] > m_max, -9:
///                n[b] > n_max
/// 7 batch_count
/// 8 m_max, 9 n_max   bounds of m and n, or -1
/// 10 q
template <class T>
TALUS_API int getrf_vbatched(const int* m, const int* n, T* const* A_array, const int* lda,
                             int* const* ipiv_array, int* info_array, std::int64_t batch_count, int m_max,
                             int n_max, queue q);

/// LU factorization without row exchanges.
///
/// 1 m, 2 n, 3 A_array, 4 lda   as getrf_vbatched
/// 5 pivot_floor, 6 pivot_floor_array, 7 replaced_array   as getrf_nopiv_batched; replaced_array[b] is 0
///                where matrix b is skipped
/// 8 info_array   as getrf_nopiv_batched; -1 ... -4, or -10, -11: above m_max, n_max
/// 9 batch_count, 10 m_max, 11 n_max, 12 q
template <class T>
TALUS_API int getrf_nopiv_vbatched(const int* m, const int* n, T* const* A_array, const int* lda,
                                   real_type<T> pivot_floor, const real_type<T>* pivot_floor_array,
                                   int* replaced_array, int* info_array, std::int64_t batch_count, int m_max,
                                   int n_max, queue q);

/// Partial LU factorization: the first k[b] columns, with pivots from the first k[b] rows alone.
///
/// 1 m, 2 n, 3 k  batch_count ints each, 0 <= k[b] <= min(m[b], n[b])
/// 4 A_array, 5 lda, 6 ipiv_array   as getrf_vbatched; k[b] pivots
/// 7 info_array   as getrf_partial_batched; -1 ... -6, or -9, -10, -11: above m_max, n_max, k_max
/// 8 batch_count, 9 m_max, 10 n_max, 11 k_max, 12 q
template <class T>
TALUS_API int getrf_partial_vbatched(const int* m, const int* n, const int* k, T* const* A_array,
                                     const int* lda, int* const* ipiv_array, int* info_array,
                                     std::int64_t batch_count, int m_max, int n_max, int k_max, queue q);

/// The same without row exchanges.
///
/// 1 m, 2 n, 3 k, 4 A_array, 5 lda   as getrf_partial_vbatched
/// 6 pivot_floor, 7 pivot_floor_array, 8 replaced_array   as getrf_nopiv_vbatched
/// 9 info_array   -1 ... -5, or -11, -12, -13: above m_max, n_max, k_max
/// 10 batch_count, 11 m_max, 12 n_max, 13 k_max, 14 q
template <class T>
TALUS_API int getrf_partial_nopiv_vbatched(const int* m, const int* n, const int* k, T* const* A_array,
                                           const int* lda, real_type<T> pivot_floor,
                                           const real_type<T>* pivot_floor_array, int* replaced_array,
                                           int* info_array, std::int64_t batch_count, int m_max, int n_max,
                                           int k_max, queue q);

/// The same of fronts whose blocks are arrays of their own.
///
/// 1 form, 2 schur   as getrf_partial_split_batched
/// 3 k, 4 m2, 5 n2   batch_count ints each: order of A11, rows and columns of A22, 0 <= k[b] <= k_max,
///                0 <= m2[b] <= m2_max, 0 <= n2[b] <= n2_max
/// 6 A11_array, 7 lda11   k[b]-by-k[b], lda11[b] >= max(1, k[b])
/// 8 A12_array, 9 lda12   k[b]-by-n2[b], lda12[b] >= max(1, k[b])
/// 10 A21_array, 11 lda21   m2[b]-by-k[b], lda21[b] >= max(1, m2[b])
/// 12 A22_array, 13 lda22   m2[b]-by-n2[b], lda22[b] >= max(1, m2[b])
/// 14 ipiv_array   pointers to k[b] ints, written
/// 15 info_array   as getrf_partial_split_batched; -3 ... -14: that argument of front b is illegal, -17, -18,
///                -19: above k_max, m2_max, n2_max
/// 16 batch_count
/// 17 k_max, 18 m2_max, 19 n2_max   bounds of k, m2 and n2, or -1
/// 20 q
template <class T>
TALUS_API int getrf_partial_split_vbatched(form, schur, const int* k, const int* m2, const int* n2,
                                           T* const* A11_array, const int* lda11, T* const* A12_array,
                                           const int* lda12, T* const* A21_array, const int* lda21,
                                           T* const* A22_array, const int* lda22, int* const* ipiv_array,
                                           int* info_array, std::int64_t batch_count, int k_max, int m2_max,
                                           int n2_max, queue q);

/// The same without row exchanges.
///
/// 1 form ... 13 lda22   as getrf_partial_split_vbatched
/// 14 pivot_floor, 15 pivot_floor_array, 16 replaced_array   as getrf_nopiv_vbatched
/// 17 info_array   -3 ... -13, or -19, -20, -21: above k_max, m2_max, n2_max
/// 18 batch_count, 19 k_max, 20 m2_max, 21 n2_max, 22 q
template <class T>
TALUS_API int getrf_partial_split_nopiv_vbatched(
    form, schur, const int* k, const int* m2, const int* n2, T* const* A11_array, const int* lda11,
    T* const* A12_array, const int* lda12, T* const* A21_array, const int* lda21, T* const* A22_array,
    const int* lda22, real_type<T> pivot_floor, const real_type<T>* pivot_floor_array, int* replaced_array,
    int* info_array, std::int64_t batch_count, int k_max, int m2_max, int n2_max, queue q);

/// Solves  op(A_b) X_b = B_b  with the factors and pivots that getrf left.
///
/// 1 op
/// 2 n, 3 nrhs    batch_count ints each: order of A_b, columns of B_b
/// 4 A_array, 5 lda, 6 ipiv_array, 7 B_array, 8 ldb
/// 9 info_array   as getrs_batched, may be null; -2 ... -8, or -11, -12: above n_max, nrhs_max
/// 10 batch_count, 11 n_max, 12 nrhs_max, 13 q
template <class T>
TALUS_API int getrs_vbatched(op, const int* n, const int* nrhs, const T* const* A_array, const int* lda,
                             const int* const* ipiv_array, T* const* B_array, const int* ldb, int* info_array,
                             std::int64_t batch_count, int n_max, int nrhs_max, queue q);

/// The same with the factors that getrf_nopiv left. Arguments as for getrs without ipiv: info -2 ... -7, or
/// -10, -11.
template <class T>
TALUS_API int getrs_nopiv_vbatched(op, const int* n, const int* nrhs, const T* const* A_array, const int* lda,
                                   T* const* B_array, const int* ldb, int* info_array,
                                   std::int64_t batch_count, int n_max, int nrhs_max, queue q);

/// Solves  A_b X_b = B_b: getrf, then getrs.
///
/// 1 n, 2 nrhs, 3 A_array, 4 lda, 5 ipiv_array, 6 B_array, 7 ldb
/// 8 info_array   as gesv_batched; -1 ... -7, or -10, -11: above n_max, nrhs_max
/// 9 batch_count, 10 n_max, 11 nrhs_max, 12 q
template <class T>
TALUS_API int gesv_vbatched(const int* n, const int* nrhs, T* const* A_array, const int* lda,
                            int* const* ipiv_array, T* const* B_array, const int* ldb, int* info_array,
                            std::int64_t batch_count, int n_max, int nrhs_max, queue q);

/// Inverse of A_b from the factors and pivots that getrf left, in their place.
///
/// 1 n, 2 A_array, 3 lda, 4 ipiv_array
/// 5 info_array   as getri_batched, may be null; -1 ... -4, or -7: above n_max
/// 6 batch_count, 7 n_max, 8 q
template <class T>
TALUS_API int getri_vbatched(const int* n, T* const* A_array, const int* lda, const int* const* ipiv_array,
                             int* info_array, std::int64_t batch_count, int n_max, queue q);

/// The same into C_b.
///
/// 1 n, 2 A_array, 3 lda, 4 ipiv_array, 5 C_array, 6 ldc
/// 7 info_array   as getri_outofplace_batched, may be null; -1 ... -6, or -9: above n_max
/// 8 batch_count, 9 n_max, 10 q
template <class T>
TALUS_API int getri_outofplace_vbatched(const int* n, const T* const* A_array, const int* lda,
                                        const int* const* ipiv_array, T* const* C_array, const int* ldc,
                                        int* info_array, std::int64_t batch_count, int n_max, queue q);

/// QR factorization  A_b = Q_b R_b  by Householder's reflectors, in place.
///
/// 1 m, 2 n       batch_count ints each: rows and columns of A_b
/// 3 A_array, 4 lda   m[b]-by-n[b] matrices, lda[b] >= max(1, m[b])
/// 5 tau_array    pointers to min(m[b], n[b]) elements, written
/// 6 info_array   0; -1 ... -5: that argument of matrix b is illegal, -8: m[b] > m_max, -9: n[b] > n_max
/// 7 batch_count, 8 m_max, 9 n_max, 10 q   bounds of m and n, or -1
template <class T>
TALUS_API int geqrf_vbatched(const int* m, const int* n, T* const* A_array, const int* lda,
                             T* const* tau_array, int* info_array, std::int64_t batch_count, int m_max,
                             int n_max, queue q);

/// Product with the Q_b that geqrf left: C_b := op(Q_b) C_b  or  C_b op(Q_b).
///
/// 1 side, 2 op   as ormqr_batched, of all matrices
/// 3 m, 4 n, 5 k  batch_count ints each: rows and columns of C_b, reflectors. From the left
///                0 <= k[b] <= m[b], from the right n[b] takes the place of m[b].
/// 6 A_array, 7 lda, 8 tau_array   what geqrf left, only read. From the left lda[b] >= max(1, m[b]), from
///                the right max(1, n[b]).
/// 9 C_array, 10 ldc   m[b]-by-n[b] matrices, ldc[b] >= max(1, m[b])
/// 11 info_array  may be null. 0; -3 ... -10, or -13, -14, -15: above m_max, n_max, k_max
/// 12 batch_count, 13 m_max, 14 n_max, 15 k_max, 16 q
template <class T>
TALUS_API int ormqr_vbatched(side, op, const int* m, const int* n, const int* k, const T* const* A_array,
                             const int* lda, const T* const* tau_array, T* const* C_array, const int* ldc,
                             int* info_array, std::int64_t batch_count, int m_max, int n_max, int k_max,
                             queue q);

/// The first n[b] columns of the Q_b that geqrf left, in place of its reflectors.
///
/// 1 m, 2 n, 3 k  batch_count ints each, 0 <= k[b] <= n[b] <= m[b]
/// 4 A_array, 5 lda   m[b]-by-n[b] matrices, lda[b] >= max(1, m[b])
/// 6 tau_array    k[b] elements of each, only read
/// 7 info_array   may be null. 0; -1 ... -6, or -9, -10, -11: above m_max, n_max, k_max
/// 8 batch_count, 9 m_max, 10 n_max, 11 k_max, 12 q
template <class T>
TALUS_API int orgqr_vbatched(const int* m, const int* n, const int* k, T* const* A_array, const int* lda,
                             const T* const* tau_array, int* info_array, std::int64_t batch_count, int m_max,
                             int n_max, int k_max, queue q);

/// ormqr and orgqr of complex T by LAPACK's names for them.
template <class T>
int unmqr_vbatched(side side, op op, const int* m, const int* n, const int* k, const T* const* A_array,
                   const int* lda, const T* const* tau_array, T* const* C_array, const int* ldc,
                   int* info_array, std::int64_t batch_count, int m_max, int n_max, int k_max, queue q) {
  static_assert(!std::is_same_v<T, real_type<T>>, "of real matrices it is ormqr");
  return ormqr_vbatched<T>(side, op, m, n, k, A_array, lda, tau_array, C_array, ldc, info_array, batch_count,
                           m_max, n_max, k_max, q);
}
template <class T>
int ungqr_vbatched(const int* m, const int* n, const int* k, T* const* A_array, const int* lda,
                   const T* const* tau_array, int* info_array, std::int64_t batch_count, int m_max, int n_max,
                   int k_max, queue q) {
  static_assert(!std::is_same_v<T, real_type<T>>, "of real matrices it is orgqr");
  return orgqr_vbatched<T>(m, n, k, A_array, lda, tau_array, info_array, batch_count, m_max, n_max, k_max, q);
}

/// Least squares and least norm with A_b of full rank; X_b overwrites B_b.
///
/// 1 op           as gels_batched, of all matrices
/// 2 m, 3 n, 4 nrhs   batch_count ints each: rows and columns of A_b, columns of B_b
/// 5 A_array, 6 lda   m[b]-by-n[b] matrices, lda[b] >= max(1, m[b]); overwritten
/// 7 B_array, 8 ldb   max(m[b], n[b])-by-nrhs[b] matrices, ldb[b] >= max(1, m[b], n[b])
/// 9 info_array   as gels_batched; -2 ... -8, or -11, -12, -13: above m_max, n_max, nrhs_max
/// 10 batch_count, 11 m_max, 12 n_max, 13 nrhs_max, 14 q
template <class T>
TALUS_API int gels_vbatched(op, const int* m, const int* n, const int* nrhs, T* const* A_array,
                            const int* lda, T* const* B_array, const int* ldb, int* info_array,
                            std::int64_t batch_count, int m_max, int n_max, int nrhs_max, queue q);

/// Thin QR factorization with Q formed: Q_b over A_b, and R_b.
///
/// 1 m, 2 n       batch_count ints each: rows and columns of A_b
/// 3 A_array, 4 lda   m[b]-by-n[b] matrices, lda[b] >= max(1, m[b])
/// 5 R_array, 6 ldr   min(m[b], n[b])-by-n[b] matrices, ldr[b] >= max(1, min(m[b], n[b])), written
/// 7 info_array   0; -1 ... -6, or -9, -10: above m_max, n_max
/// 8 batch_count, 9 m_max, 10 n_max, 11 q
template <class T>
TALUS_API int qr_vbatched(const int* m, const int* n, T* const* A_array, const int* lda, T* const* R_array,
                          const int* ldr, int* info_array, std::int64_t batch_count, int m_max, int n_max,
                          queue q);

/// Solves  op(A_b) X_b = alpha B_b  or  X_b op(A_b) = alpha B_b  with triangular A_b; X_b overwrites B_b.
///
/// 1 side, 2 uplo, 3 op, 4 diag   as trsm_batched, of all matrices
/// 5 m, 6 n       batch_count ints each: rows and columns of B_b
/// 7 alpha        as trsm_batched
/// 8 A_array, 9 lda   triangles of order m[b] (left) or n[b] (right), only read
/// 10 B_array, 11 ldb  m[b]-by-n[b] matrices, ldb[b] >= max(1, m[b])
/// 12 info_array  may be null. 0; -5, -6, -8 ... -11, or -14, -15: above m_max, n_max
/// 13 batch_count, 14 m_max, 15 n_max, 16 q
template <class T>
TALUS_API int trsm_vbatched(side, uplo, op, diag, const int* m, const int* n, T alpha,
                            const T* const* A_array, const int* lda, T* const* B_array, const int* ldb,
                            int* info_array, std::int64_t batch_count, int m_max, int n_max, queue q);

/// Matrix product  C_b := alpha op(A_b) op(B_b) + beta C_b.
///
/// 1 op_A, 2 op_B  none: as it is, trans: transposed, conj_trans: conjugate transposed
/// 3 m, 4 n, 5 k  batch_count ints each: op(A_b) is m[b] x k[b], op(B_b) k[b] x n[b], C_b m[b] x n[b]
/// 6 alpha        a number, the same for all; in C a pointer to one in host memory. With alpha = 0, or where
///                k[b] = 0, A_b and B_b are not read.
/// 7 A_array, 8 lda   m[b]-by-k[b] matrices, or where op_A transposes them k[b]-by-m[b], only read;
///                lda[b] >= max(1, their rows)
/// 9 B_array, 10 ldb  k[b]-by-n[b] matrices, or where op_B transposes them n[b]-by-k[b], only read;
///                ldb[b] >= max(1, their rows)
/// 11 beta        as alpha. With beta = 0, C_b is not read: it may hold anything.
/// 12 C_array, 13 ldc  m[b]-by-n[b] matrices, ldc[b] >= max(1, m[b]). None shares an element with another, or
///                with any A_b or B_b.
/// 14 info_array  may be null. 0; -3, -4, -5, -7 ... -10, -12, -13, or -16, -17, -18: above m_max, n_max,
///                k_max
/// 15 batch_count, 16 m_max, 17 n_max, 18 k_max, 19 q
///
/// Cost      2 m n k flops per product (complex: four times that).
/// Numerics  |error| / ((k + 1) eps (|alpha| |op(A)| |op(B)| + |beta| |C|)) < 30 in the tests, element by
///           element; below 4 expected, but on GPUs with TF32 tensor units, where products in single
///           precision are sums of three TF32 products.
/// Source    BLAS's xGEMM.
template <class T>
TALUS_API int gemm_vbatched(op op_A, op op_B, const int* m, const int* n, const int* k, T alpha,
                            const T* const* A_array, const int* lda, const T* const* B_array, const int* ldb,
                            T beta, T* const* C_array, const int* ldc, int* info_array,
                            std::int64_t batch_count, int m_max, int n_max, int k_max, queue q);

/// Product of matrix and vector  y_b := alpha op(A_b) x_b + beta y_b.
///
/// 1 op           none: A, trans: A^T, conj_trans: A^H
/// 2 m, 3 n       batch_count ints each: rows and columns of A_b. Where one of them is 0, nothing is done, as
///                in BLAS: y_b is not multiplied by beta.
/// 4 alpha        a number, the same for all; in C a pointer to one in host memory. With alpha = 0, A_b and
///                x_b are not read.
/// 5 A_array, 6 lda   m[b]-by-n[b] matrices, only read, lda[b] >= max(1, m[b])
/// 7 x_array, 8 incx  vectors of n[b] elements, or where op transposes m[b], only read. Elements are incx[b]
///                apart, not 0. A negative incx[b] walks back: x_array[b] is where the storage starts, and the
///                first element is the last in memory.
/// 9 beta         as alpha. With beta = 0, y_b is not read: it may hold anything.
/// 10 y_array, 11 incy  vectors of m[b] elements, or where op transposes n[b], incy[b] apart as those of x_b.
///                None shares an element with another, or with any A_b or x_b. What is between the elements
///                is not written.
/// 12 info_array  may be null. 0; -2, -3, -5 ... -8, -10, -11, or -14, -15: above m_max, n_max
/// 13 batch_count, 14 m_max, 15 n_max, 16 q
///
/// Cost      2 m n flops per product (complex: four times that).
/// Numerics  as gemm_vbatched, with the length of x_b in the place of k.
/// Source    BLAS's xGEMV.
template <class T>
TALUS_API int gemv_vbatched(op, const int* m, const int* n, T alpha, const T* const* A_array, const int* lda,
                            const T* const* x_array, const int* incx, T beta, T* const* y_array,
                            const int* incy, int* info_array, std::int64_t batch_count, int m_max, int n_max,
                            queue q);

/// Bytes of scratch that a call on backend::cuda takes from queue::work if that is set. No device call is
/// made for them.
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
