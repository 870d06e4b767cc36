// Factor and solve on the CPU while each matrix is in cache: one per SIMD lane while that is faster, else by
// OpenBLAS.
#include "backends.hpp"
#include "host/cholesky.hpp"

namespace talus::host {

template <class T>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info) {
  if (A.n > lanes_n_max<T>) {
    for_each_matrix(A.count, [&](std::int64_t b) {
      info[b] = factor(uplo, A[b]);
      if (info[b] == 0) solve(uplo, read_only(A)[b], B[b]);
    });
    return 0;
  }
  const auto& lanes = lane_kernels<T>();
  const auto n = static_cast<std::size_t>(A.n), nrhs = static_cast<std::size_t>(B.n);
  return for_each_group<T>(A.count, lanes.width, n * (n + 1 + nrhs), [&](std::int64_t first, T* scratch) {
    T *matrices[widest_group], *right[widest_group];
    int failed[widest_group];
    group_pointers(A, first, lanes.width, matrices);
    group_pointers(B, first, lanes.width, right);
    prefetch_group(A, first + lanes.width, lanes.width);
    prefetch_group(B, first + lanes.width, lanes.width);
    lanes.posv(uplo, A.n, B.n, matrices, A.lda, right, B.lda, failed, scratch);
    copy_info(failed, first, lanes.width, A.count, info);
  });
}

template int posv(uplo, batch<TALUS_T>, batch<TALUS_T>, int*);

}  // namespace talus::host
