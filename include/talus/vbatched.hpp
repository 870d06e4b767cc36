// Batches of matrices that each have their own size. Every routine is that of batched.hpp, applied to every
// matrix b = 0 ... batch_count - 1 of its own order n[b], except for what stands here.
//
//   sizes        n, lda and their kin are arrays of batch_count ints that live where the matrices live: on
//                backend::cuda in device memory, from where no call reads them back.
//   alignment    on backend::cuda every A_array[b] is a multiple of sizeof(T), as in batched.hpp; that is
//                checked by no call.
//   n_max        a promise, n[b] <= n_max for all b: it decides which kernels are launched and how. The
//                closer to the largest n[b], the better. -1 means "find it": on backend::cuda such a call
//                waits for what it finds, so it synchronises the stream and cannot be captured
//                (err_unsupported while a capture is on).
//   nrhs_max     the same promise, which only says what is legal; -1: any number is.
//   info_array   0 or j > 0 as in batched.hpp; -i if argument i of matrix b is illegal: a size, a pointer
//                (null is fine where there is nothing to point at), or the bound that its size is above.
//                Such a matrix is skipped, nothing of it is touched, its neighbours are factored as ever,
//                and the call itself returns 0.
//   n[b] = 0     legal: A_array[b] may be null, lda[b] >= 1, info is 0.
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

}  // namespace talus
