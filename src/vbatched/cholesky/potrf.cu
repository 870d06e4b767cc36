// Cholesky of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line
// of the table.
#include "vbatched/cholesky/potrf.hpp"

#include "batched/cholesky/backends.hpp"
#include "vbatched/cholesky/check.hpp"
#include "vbatched/dispatch.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;
using source = mixed_sizes<matrix_check<D>>;
using mixed_tables = potrf_vbatched_tables;

TALUS_DEFINE_LAUNCHERS(potrf_vbatched_tables, source, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
namespace {

/// The matrices that a check is about, to be written.
variable_batch<TALUS_T> written(const matrix_check<TALUS_T>& check) { return check.A; }
variable_batch<TALUS_T> written(const system_check<TALUS_T>& check) {
  return {const_cast<TALUS_T* const*>(check.A.array), check.A.m, check.A.n, check.A.lda, check.A.count};
}

/// posv has more to look at than a kernel that factors: its calls are ordered.
template <class Check, class Lines>
int factor_classes(uplo uplo, const Check& check, int* info, queue q, Lines lines_of) {
  return launch_classes<
      mixed_tables,
      TALUS_T>(check, info, q, lines_of, [&](int line, const auto& each, const extents<1>& bounds) {
    const bool lazy = mixed_tables::at<TALUS_T>(line).schedule == schedule::lazy;
    const auto launch = find_launcher<mixed_tables, TALUS_T, source, int*, queue, no_epilogue>(uplo, line);
    return launch({{on_device(written(each.part)), bounds}, each.matrices, lazy}, each.info_of_part, q, {});
  });
}

}  // namespace

template <>
int potrf(uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return factor_classes(uplo, matrix_check<TALUS_T>{A, upto(n_max)}, info, q,
                        lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int potrf_of_systems(uplo uplo, variable_batch<TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
                     int nrhs_max, queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return factor_classes(uplo, system_check<TALUS_T>{read_only(A), B, upto(n_max), nrhs_max}, info, q,
                        lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int potrf_vbatched_with(int table, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  return factor_classes(uplo, matrix_check<TALUS_T>{A, upto(n_max)}, info, q,
                        lines_of_table<mixed_tables, TALUS_T>(table, A.count));
}

template <>
int potrf_vbatched_by(const class_lines& by, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max,
                      queue q) {
  return factor_classes(uplo, matrix_check<TALUS_T>{A, upto(n_max)}, info, q, [&](extents<1>) { return by; });
}

#endif

}  // namespace talus::cuda
