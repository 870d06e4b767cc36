// Cholesky of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line
// of the table.
#include "vbatched/cholesky/potrf.hpp"

#include <algorithm>

#include "batched/cholesky/backends.hpp"
#include "gpu/dispatch.cuh"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {

using D = device_t<TALUS_T>;

TALUS_DEFINE_LAUNCHERS(potrf_vbatched_tables, mixed_sizes<D>, int*, queue, no_epilogue)

#if TALUS_SHARD == 0
namespace {

using mixed_tables = potrf_vbatched_tables;

/// The matrices that a check is about, to be written.
variable_batch<TALUS_T> written(const matrix_check<TALUS_T>& check) { return check.A; }
variable_batch<TALUS_T> written(const system_check<TALUS_T>& check) {
  return {const_cast<TALUS_T* const*>(check.A.array), check.A.m, check.A.n, check.A.lda, check.A.count};
}

/// All matrices that `check` finds legal, each by the line of its class among lines_of(bounds). A kernel for
/// all that looks for what is illegal itself needs no order; those that go step by step pass over their
/// matrices again and again, and posv has more to look at.
template <class Check, class Lines>
int factor_classes(uplo uplo, Check check, int* info, queue q, Lines lines_of) {
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const class_lines by = lines_of(check.bounds);
  const auto line_of = [&](int c) { return by.line[static_cast<std::size_t>(c)]; };
  extents<1> bounds[most_classes];
  for (int c = 0; c < by.count; ++c) bounds[c] = mixed_tables::at<TALUS_T>(line_of(c)).bounds;
  const int n_max = std::min(check.bounds[0], bounds[by.count - 1][0]);
  check.bounds = upto(n_max);
  schedule how = schedule::queued;
  if (by.count == 1 && !goes_by_steps(mixed_tables::at<TALUS_T>(line_of(0)).schedule)) {
    bounds[0] = check.bounds;
    constexpr bool looks_itself = std::is_same_v<Check, matrix_check<TALUS_T>>;
    how = by.ordered || !looks_itself ? schedule::ordered : schedule::direct;
  }
  launches<Check> each(how, check, bounds, by.count, info, q);
  while (each.next()) {
    const int line = line_of(each.c), bound = std::min(n_max, bounds[each.c][0]);
    const bool lazy = mixed_tables::at<TALUS_T>(line).schedule == schedule::lazy;
    const auto launch =
        find_launcher<mixed_tables, TALUS_T, mixed_sizes<D>, int*, queue, no_epilogue>(uplo, line);
    const mixed_sizes<D> source{on_device(written(each.part)), each.matrices, bound, lazy};
    if (const int status = launch(source, each.info_of_part, q, {})) return status;
  }
  return each.status;
}

/// The lines of a table that serve a batch.
auto lines_of_table(int table, std::int64_t count) {
  return [=](const extents<1>& bounds) { return lines_for<mixed_tables, TALUS_T>(table, bounds, count); };
}

}  // namespace

template <>
int potrf(uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return factor_classes(uplo, matrix_check<TALUS_T>{A, upto(n_max)}, info, q, lines_of_table(table, A.count));
}

template <>
int potrf_of_systems(uplo uplo, variable_batch<TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
                     int nrhs_max, queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return factor_classes(uplo, system_check<TALUS_T>{read_only(A), B, upto(n_max), nrhs_max}, info, q,
                        lines_of_table(table, A.count));
}

template <>
int potrf_vbatched_with(int table, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  return factor_classes(uplo, matrix_check<TALUS_T>{A, upto(n_max)}, info, q, lines_of_table(table, A.count));
}

template <>
int potrf_vbatched_by(const class_lines& by, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max,
                      queue q) {
  return factor_classes(uplo, matrix_check<TALUS_T>{A, upto(n_max)}, info, q, [&](extents<1>) { return by; });
}

#endif

}  // namespace talus::cuda
