// Cholesky of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line
// of the table.
#include "vbatched/cholesky/potrf.hpp"

#include <algorithm>
#include <optional>

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

/// All matrices that `check` finds legal, each by the line of its class. A kernel for all that looks for
/// what is illegal itself needs no order; those that go step by step pass over their matrices again and
/// again, and posv has more to look at.
template <class Check>
int factor_by(const class_lines& by, uplo uplo, const Check& check, int* info, queue q) {
  extents<1> bounds[most_classes];
  for (int c = 0; c < by.count; ++c)
    bounds[c] = mixed_tables::at<TALUS_T>(by.line[static_cast<std::size_t>(c)]).bounds;
  const int n_max = check.bounds[0];
  const bool in_one_launch = by.count == 1 && !goes_by_steps(mixed_tables::at<TALUS_T>(by.line[0]).schedule);
  const bool as_they_come = in_one_launch && !by.ordered && std::is_same_v<Check, matrix_check<TALUS_T>>;

  std::optional<schedule_maker<Check>> order;
  if (!as_they_come) {
    order.emplace(check, in_one_launch ? &check.bounds : bounds, by.count, q);
    if (order->status != 0) return order->status;
  }
  for (std::int64_t first = 0; first < check.A.count; first += schedule_most, info += schedule_most) {
    const Check part = check.part(first, std::min(schedule_most, check.A.count - first));
    if (order) {
      if (const int status = order->make(part, info)) return status;
    }
    for (int c = by.count - 1; c >= 0; --c) {
      const subset s = as_they_come ? subset{nullptr, nullptr, static_cast<int>(part.A.count), n_max, false}
                       : in_one_launch ? order->all()
                                       : order->of_class(c);
      const int line = by.line[static_cast<std::size_t>(c)];
      const bool lazy = mixed_tables::at<TALUS_T>(line).schedule == schedule::lazy;
      const auto launch =
          find_launcher<mixed_tables, TALUS_T, mixed_sizes<D>, int*, queue, no_epilogue>(uplo, line);
      const int bound = in_one_launch ? n_max : std::min(n_max, bounds[c][0]);
      if (const int status = launch({on_device(written(part)), s, bound, lazy}, info, q, {})) return status;
    }
  }
  return 0;
}

/// By the lines of a table that serve the batch.
template <class Check>
int factor_with(int table, uplo uplo, Check check, int* info, queue q) {
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  return factor_by(lines_for<mixed_tables, TALUS_T>(table, check.bounds, check.A.count), uplo, check, info,
                   q);
}

}  // namespace

template <>
int potrf(uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return factor_with(table, uplo, matrix_check<TALUS_T>{A, upto(n_max)}, info, q);
}

template <>
int potrf_of_systems(uplo uplo, variable_batch<TALUS_T> A, variable_batch<TALUS_T> B, int* info, int n_max,
                     int nrhs_max, queue q) {
  int table = 0;
  if (const int status = mixed_tables::find(table)) return status;
  return factor_with(table, uplo, system_check<TALUS_T>{read_only(A), B, upto(n_max), nrhs_max}, info, q);
}

template <>
int potrf_vbatched_with(int table, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  return factor_with(table, uplo, matrix_check<TALUS_T>{A, upto(n_max)}, info, q);
}

template <>
int potrf_vbatched_by(const class_lines& by, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max,
                      queue q) {
  matrix_check<TALUS_T> check{A, upto(n_max)};
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int last = by.line[static_cast<std::size_t>(by.count - 1)];
  check.bounds = upto(std::min(check.bounds[0], mixed_tables::at<TALUS_T>(last).bounds[0]));
  return factor_by(by, uplo, check, info, q);
}

#endif

}  // namespace talus::cuda
