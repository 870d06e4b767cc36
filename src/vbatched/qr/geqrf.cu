// QR of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line of the
// table.
#include "vbatched/qr/geqrf.hpp"

#include "batched/qr/backends.hpp"
#include "batched/qr/geqrf.cuh"
#include "checks/qr.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using matrices = householder::matrix_check<TALUS_T>;
using mixed_tables = geqrf_vbatched_tables;

TALUS_DEFINE_LAUNCHERS(geqrf_vbatched_tables, mixed_sizes<householder::matrix_check<D>>, int*, queue,
                       no_epilogue)

#if TALUS_SHARD == 0
namespace householder {

/// What kernels take their matrices from.
static matrix_check<D> on_device(const matrices& check) {
  return {cuda::on_device(check.A), cuda::on_device(check.tau), check.bounds};
}

}  // namespace householder

template <>
int geqrf_vbatched_with(int table, variable_batch<TALUS_T> A, vectors<TALUS_T> tau, int* info, int m_max,
                        int n_max, queue q) {
  return launch_classes<mixed_tables, TALUS_T>(op::none, matrices{A, tau, upto(m_max, n_max)}, info, q,
                                               lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int geqrf(variable_batch<TALUS_T> A, vectors<TALUS_T> tau, int* info, int m_max, int n_max, queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return geqrf_vbatched_with(table, A, tau, info, m_max, n_max, q);
}

template <>
int geqrf_vbatched_by(const class_lines& by, variable_batch<TALUS_T> A, vectors<TALUS_T> tau, int* info,
                      int m_max, int n_max, queue q) {
  return launch_classes<mixed_tables, TALUS_T>(op::none, matrices{A, tau, upto(m_max, n_max)}, info, q,
                                               [&](extents<2>) { return by; });
}

#endif

}  // namespace talus::cuda
