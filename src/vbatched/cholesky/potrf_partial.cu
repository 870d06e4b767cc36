// Partial Cholesky of fronts of mixed sizes on the GPU: order them, and give each class to the kernel of its
// line of the table.
#include "vbatched/cholesky/potrf_partial.hpp"

#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/pieces/either_fronts.cuh"
#include "batched/cholesky/potrf_partial.cuh"
#include "checks/cholesky.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using fronts = cholesky::front_check<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(potrf_partial_vbatched_tables, mixed_sizes<cholesky::front_check<D>>, int*, queue,
                       no_epilogue)

#if TALUS_SHARD == 0
namespace cholesky {

/// What kernels take their fronts from.
static front_check<D> on_device(const fronts& check) {
  const variable_fronts<TALUS_T>& A = check.A;
  return {
      {A.uplo, A.split, cuda::on_device(A.A), A.k, cuda::on_device(A.A21), cuda::on_device(A.A22), A.count},
      check.promised,
      check.bounds};
}

}  // namespace cholesky

using mixed_tables = potrf_partial_vbatched_tables;

template <class Lines>
static int launch_fronts(const fronts& check, int* info, queue q, Lines lines_of) {
  if (q.work != nullptr &&
      !is_enough_for_fronts<TALUS_T>(q.work_bytes, check.promised.order_max(), check.A.count))
    return err_work;
  return launch_classes<mixed_tables, TALUS_T>(check.A.uplo, check, info, q, lines_of);
}

template <>
int potrf_partial(uplo uplo, variable_batch<TALUS_T> A, const int* k, int* info, int n_max, int k_max,
                  queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return launch_fronts(fronts(fronts_of(uplo, A, k), {n_max, k_max, unknown_bound}), info, q,
                       lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int potrf_partial_split(uplo uplo, variable_batch<TALUS_T> A11, variable_batch<TALUS_T> A21,
                        variable_batch<TALUS_T> A22, int* info, int k_max, int n2_max, queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return launch_fronts(fronts(fronts_of(uplo, A11, A21, A22), {unknown_bound, k_max, n2_max}), info, q,
                       lines_of_table<mixed_tables, TALUS_T>(table, A11.count));
}

template <>
int potrf_partial_vbatched_by(const class_lines& by, uplo uplo, variable_batch<TALUS_T> A, const int* k,
                              int* info, int n_max, int k_max, queue q) {
  return launch_fronts(fronts(fronts_of(uplo, A, k), {n_max, k_max, unknown_bound}), info, q,
                       [&](extents<2>) { return by; });
}

#endif

}  // namespace talus::cuda
