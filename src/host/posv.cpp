#include "backends.hpp"
#include "host/one_matrix.hpp"
#include "host/over_batch.hpp"
#include "host/potrf_ways.hpp"

namespace talus::host {

template <class T>
int posv(uplo uplo, batch<T> A, batch<T> B, int* info) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  if (solve_range(lanes).covers(A.n, A.count)) {
    return over_groups(lanes, A.count, A.n, info, [&](std::int64_t first, int* infos, void* scratch) {
      lanes.posv(uplo, A.n, B.n, group<T>(A, first, lanes.width).of, A.lda,
                 group<T>(B, first, lanes.width).of, B.lda, infos, scratch);
    });
  }
  return over_matrices(A.count, factor_bytes(lanes), [&](std::int64_t b, void* scratch) {
    info[b] = factor_and_solve(lanes, uplo, A[b], B[b], scratch);
  });
}

template int posv(uplo, batch<TALUS_T>, batch<TALUS_T>, int*);

}  // namespace talus::host
