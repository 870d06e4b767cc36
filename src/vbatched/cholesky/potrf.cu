// Cholesky of matrices of mixed sizes on the GPU: order them, and give each class to the kernel of its line of
// the table.
#include <algorithm>

#include "backends.hpp"
#include "gpu/dispatch.cuh"
#include "vbatched/cholesky/potrf.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"

namespace talus::cuda {
namespace {

/// The kernel of a line, for the matrices of a subset, none of which is larger than n_max.
struct launch_potrf {
  template <class Line, uplo UPLO, class T>
  static int line(Line line, stored_as<UPLO> stored, variable_batch<T> A, int n_max, int* info, subset s,
                  queue q) {
    using D = device_t<T>;
    const mixed_sizes<D> source{on_device(A), s, n_max, Line::line.schedule == schedule::lazy};
    return cholesky::launch_family<D>(Line::kernel, line, stored, source, info, q, no_epilogue{});
  }
};

template <class T>
int launch_at(int line, uplo uplo, variable_batch<T> A, int n_max, int* info, const subset& s, queue q) {
  return dispatch<potrf_vbatched_tables, T, launch_potrf>(line, uplo, A, n_max, info, s, q);
}

/// The matrices that a check is about, to be written.
template <class T>
variable_batch<T> written(const matrix_check<T>& check) {
  return check.A;
}
template <class T>
variable_batch<T> written(const system_check<T>& check) {
  return {const_cast<T* const*>(check.A.array), check.A.m, check.A.n, check.A.lda, check.A.count};
}

/// All matrices that `check` finds legal, each by the line of its class. One class needs no order, if its
/// kernel looks for what is illegal itself; those that go step by step pass over their matrices again and
/// again, and posv has more to look at.
template <class T, class Check>
int factor_by(const class_lines& by, uplo uplo, const Check& check, int* info, queue q) {
  const auto bounds_of = [&](int c) {
    return potrf_vbatched_tables::at<T>(by.line[static_cast<std::size_t>(c)]).bounds;
  };
  const int only = by.line[0], n_max = check.bounds[0];
  if (by.count == 1 && !goes_by_steps(potrf_vbatched_tables::at<T>(only).schedule)) {
    const auto launch_all = [&](const Check& part, int* infos, const subset& s) {
      return launch_at<T>(only, uplo, written(part), n_max, infos, s, q);
    };
    if (by.ordered || !std::is_same_v<Check, matrix_check<T>>) return in_order(check, info, q, launch_all);
    return in_parts(check, info, [&](const Check& part, int* infos) {
      subset s;
      s.n_max = n_max;
      s.count = static_cast<int>(part.A.count);
      return launch_all(part, infos, s);
    });
  }
  extents<1> bounds[most_classes];
  for (int c = 0; c < by.count; ++c) bounds[c] = bounds_of(c);
  return for_each_class(bounds, by.count, check, info, q,
                        [&](int c, const Check& part, int* infos, const subset& s) {
                          return launch_at<T>(by.line[static_cast<std::size_t>(c)], uplo, written(part),
                                              std::min(n_max, bounds[c][0]), infos, s, q);
                        });
}

/// By the lines of a table that serve the batch.
template <class T, class Check>
int factor_with(int table, uplo uplo, Check check, int* info, queue q) {
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  return factor_by<T>(lines_for<potrf_vbatched_tables, T>(table, check.bounds, check.A.count), uplo, check,
                      info, q);
}

}  // namespace

template <class T>
int potrf(uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  int table = 0;
  if (const int status = potrf_vbatched_tables::find(table)) return status;
  return factor_with<T>(table, uplo, matrix_check<T>{A, upto(n_max)}, info, q);
}

template <class T>
int potrf_of_systems(uplo uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max,
                     queue q) {
  int table = 0;
  if (const int status = potrf_vbatched_tables::find(table)) return status;
  return factor_with<T>(table, uplo, system_check<T>{read_only(A), B, upto(n_max), nrhs_max}, info, q);
}

template <class T>
int potrf_vbatched_with(int table, uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  return factor_with<T>(table, uplo, matrix_check<T>{A, upto(n_max)}, info, q);
}

template <class T>
int potrf_vbatched_by(const class_lines& by, uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  matrix_check<T> check{A, upto(n_max)};
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const int last = by.line[static_cast<std::size_t>(by.count - 1)];
  check.bounds = upto(std::min(check.bounds[0], potrf_vbatched_tables::at<T>(last).bounds[0]));
  return factor_by<T>(by, uplo, check, info, q);
}

template int potrf(uplo, variable_batch<TALUS_T>, int*, int, queue);
template int potrf_of_systems(uplo, variable_batch<TALUS_T>, variable_batch<TALUS_T>, int*, int, int, queue);
template int potrf_vbatched_by(const class_lines&, uplo, variable_batch<TALUS_T>, int*, int, queue);
template int potrf_vbatched_with(int, uplo, variable_batch<TALUS_T>, int*, int, queue);

}  // namespace talus::cuda
