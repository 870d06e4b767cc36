// Cholesky on the CPU: one matrix per SIMD lane while that is faster, else one per call of OpenBLAS.
#include "backends.hpp"
#include "host/cholesky.hpp"

namespace talus::host {

template <class T>
int potrf(uplo uplo, batch<T> A, int* info) {
  if (A.n > lanes_n_max<T>) {
    for_each_matrix(A.count, [&](std::int64_t b) { info[b] = factor(uplo, A[b]); });
    return 0;
  }
  const auto& lanes = lane_kernels<T>();
  const auto n = static_cast<std::size_t>(A.n);
  return for_each_group<T>(A.count, lanes.width, n * (n + 1), [&](std::int64_t first, T* scratch) {
    T* matrices[widest_group];
    int failed[widest_group];
    group_pointers(A, first, lanes.width, matrices);
    prefetch_group(A, first + lanes.width, lanes.width);
    lanes.potrf(uplo, A.n, matrices, A.lda, failed, scratch);
    copy_info(failed, first, lanes.width, A.count, info);
  });
}

template int potrf(uplo, batch<TALUS_T>, int*);

}  // namespace talus::host
