#include "backends.hpp"
#include "host/one_matrix.hpp"
#include "host/over_batch.hpp"
#include "host/potrf_ways.hpp"

namespace talus::host {

template <class T>
int potrf_at(potrf_way way, uplo uplo, batch<T> A, int* info) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  if (way == potrf_way::lanes) {
    return over_groups(lanes, A.count, A.n, info, [&](std::int64_t first, int* infos, void* scratch) {
      lanes.potrf(uplo, A.n, group<T>(A, first, lanes.width).of, A.lda, infos, scratch);
    });
  }
  return over_matrices(A.count, factor_bytes(lanes),
                       [&](std::int64_t b, void* scratch) { info[b] = factor(lanes, uplo, A[b], scratch); });
}

template <class T>
int potrf(uplo uplo, batch<T> A, int* info) {
  const bool in_lanes = potrf_range(lane_kernels<T>()).covers(A.n, A.count);
  return potrf_at(in_lanes ? potrf_way::lanes : potrf_way::one_by_one, uplo, A, info);
}

template int potrf(uplo, batch<TALUS_T>, int*);
template int potrf_at(potrf_way, uplo, batch<TALUS_T>, int*);

}  // namespace talus::host
