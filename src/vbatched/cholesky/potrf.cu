// Cholesky of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line
// of the table.
#include "vbatched/cholesky/potrf.hpp"

#include "batched/cholesky/backends.hpp"
#include "batched/cholesky/fronts.hpp"
#include "batched/cholesky/potrf.cuh"
#include "checks/cholesky.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using matrices = cholesky::matrix_check<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(potrf_vbatched_tables, mixed_sizes<cholesky::matrix_check<D>>, int*, queue,
                       no_epilogue)

#if TALUS_SHARD == 0
namespace cholesky {

/// What kernels take their matrices from.
static matrix_check<D> on_device(const matrices& check) { return {cuda::on_device(check.A), check.bounds}; }

/// posv's A is only read by its check, and written by these kernels.
static matrix_check<D> on_device(const system_check<TALUS_T>& check) {
  const variable_batch<const TALUS_T>& A = check.A;
  auto* const array = const_cast<TALUS_T* const*>(A.array);
  return on_device(matrices{{array, A.m, A.n, A.lda, A.count}, check.bounds});
}

}  // namespace cholesky

using mixed_tables = potrf_vbatched_tables;

/// Whether the caller's scratch suffices, if there is any.
static int check_fronts_work(queue q, int n_max, std::int64_t count) {
  return q.work != nullptr && !is_enough_for_fronts<TALUS_T>(q.work_bytes, n_max, count) ? err_work : 0;
}

template <>
int potrf(uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  int table = 0;
  if (const int status = check_fronts_work(q, n_max, A.count)) return status;
  if (const int status = mixed_tables::find(table)) return status;
  return launch_classes<mixed_tables, TALUS_T>(uplo, matrices{A, upto(n_max)}, info, q,
                                               lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int potrf_of_systems(uplo uplo, variable_batch<TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
                     int nrhs_max, queue q) {
  int table = 0;
  if (const int status = check_fronts_work(q, n_max, A.count)) return status;
  if (const int status = mixed_tables::find(table)) return status;
  return launch_classes<mixed_tables, TALUS_T>(
      uplo, cholesky::system_check<TALUS_T>{read_only(A), B, upto(n_max), nrhs_max}, info, q,
      lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int potrf_vbatched_with(int table, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  return launch_classes<mixed_tables, TALUS_T>(uplo, matrices{A, upto(n_max)}, info, q,
                                               lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int potrf_vbatched_by(const class_lines& by, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max,
                      queue q) {
  return launch_classes<mixed_tables, TALUS_T>(uplo, matrices{A, upto(n_max)}, info, q,
                                               [&](extents<1>) { return by; });
}

#endif

}  // namespace talus::cuda
