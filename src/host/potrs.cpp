#include "backends.hpp"
#include "host/one_matrix.hpp"
#include "host/over_batch.hpp"
#include "host/potrf_ways.hpp"

namespace talus::host {

template <class T>
int potrs(uplo uplo, batch<const T> A, batch<T> B, int* info) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  if (solve_range(lanes).covers(A.n, A.count)) {
    return over_groups(lanes, A.count, A.n, info, [&](std::int64_t first, int* infos, void* scratch) {
      lanes.potrs(uplo, A.n, B.n, group<const T>(A, first, lanes.width).of, A.lda,
                  group<T>(B, first, lanes.width).of, B.lda, infos, scratch);
    });
  }
  return over_matrices(A.count, solve_bytes<T>(A.n), [&](std::int64_t b, void* scratch) {
    info[b] = solve_if_factored(uplo, A[b], B[b], scratch);
  });
}

template int potrs(uplo, batch<const TALUS_T>, batch<TALUS_T>, int*);

}  // namespace talus::host
