// LU of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line of the
// table.
#include "vbatched/lu/getrf.hpp"

#include "batched/lu/backends.hpp"
#include "batched/lu/getrf.cuh"
#include "checks/lu.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using R = real_type<TALUS_T>;
using matrices = lu::matrix_check<TALUS_T, R>;

TALUS_DEFINE_LAUNCHERS(getrf_vbatched_tables, mixed_sizes<lu::matrix_check<D, R>>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
namespace lu {

/// What kernels take their matrices from.
static matrix_check<D, R> on_device(const matrices& check) {
  eliminations<R> each = check.each;
  each.exchanges = check.how == pivoting::partial;
  return {cuda::on_device(check.A), each, check.how, check.bounds, check.k_max};
}

/// gesv's A is only read by its check, and written by these kernels.
static matrix_check<D, R> on_device(const system_check<TALUS_T>& check) {
  const variable_batch<const TALUS_T>& A = check.A;
  eliminations<R> each;
  each.ipiv = pointer_vectors(const_cast<int* const*>(check.ipiv.array));
  return on_device(matrices{{const_cast<TALUS_T* const*>(A.array), A.m, A.n, A.lda, A.count},
                            each,
                            pivoting::partial,
                            check.bounds,
                            unknown_bound});
}

}  // namespace lu

using mixed_tables = getrf_vbatched_tables;

/// Whether the caller's scratch suffices, if there is any.
static int check_lu_work(queue q, std::int64_t count) {
  return q.work != nullptr && q.work_bytes < mixed_lu_work_bytes(count) ? err_work : 0;
}

template <>
int getrf(pivoting how, variable_batch<TALUS_T> A, eliminations<R> each, int* info, int m_max, int n_max,
          int k_max, queue q) {
  int table = 0;
  if (const int status = check_lu_work(q, A.count)) return status;
  if (const int status = mixed_tables::find(table)) return status;
  // No kernel counts the replaced pivots of an illegal or empty matrix.
  if (const int status = clear_info(each.replaced, A.count, q)) return status;
  return launch_classes<mixed_tables, TALUS_T>(0, matrices{A, each, how, upto(m_max, n_max), k_max}, info, q,
                                               lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int getrf_of_systems(variable_batch<TALUS_T> A, vectors<int> ipiv, variable_batch<TALUS_T> B, int* info,
                     int n_max, int nrhs_max, queue q) {
  int table = 0;
  if (const int status = check_lu_work(q, A.count)) return status;
  if (const int status = mixed_tables::find(table)) return status;
  const lu::system_check<TALUS_T> systems{read_only(A), read_only(ipiv), B, upto(n_max, n_max), nrhs_max};
  return launch_classes<mixed_tables, TALUS_T>(0, systems, info, q,
                                               lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int getrf_vbatched_with(int table, pivoting how, variable_batch<TALUS_T> A, eliminations<R> each, int* info,
                        int m_max, int n_max, queue q) {
  return launch_classes<mixed_tables, TALUS_T>(0, matrices{A, each, how, upto(m_max, n_max), unknown_bound},
                                               info, q,
                                               lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int getrf_vbatched_by(const class_lines& by, pivoting how, variable_batch<TALUS_T> A, eliminations<R> each,
                      int* info, int m_max, int n_max, queue q) {
  return launch_classes<mixed_tables, TALUS_T>(0, matrices{A, each, how, upto(m_max, n_max), unknown_bound},
                                               info, q, [&](extents<2>) { return by; });
}

#endif

}  // namespace talus::cuda
