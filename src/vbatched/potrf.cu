// Cholesky of matrices of different sizes on the GPU: order them by size, and give each class of sizes to the
// kernel of its line of the table.
#include <algorithm>
#include <utility>

#include "backends.hpp"
#include "batched/scalar.cuh"
#include "vbatched/potrf.hpp"
#include "vbatched/potrf_blocked.cuh"
#include "vbatched/potrf_panel.cuh"
#include "vbatched/potrf_smem.cuh"
#include "vbatched/potrf_table.hpp"
#include "vbatched/potrf_warp.cuh"

namespace talus::cuda {
namespace {

/// The matrices that a check is about, to be written.
template <class T>
variable_batch<T> written(const matrix_check<T>& check) {
  return check.A;
}
template <class T>
variable_batch<T> written(const system_check<T>& check) {
  return {const_cast<T* const*>(check.A.array), check.A.m, check.A.n, check.A.lda, check.A.count};
}

/// The kernel of a line, for the matrices of a share, none of which is larger than n_max.
template <class T, int LINE>
int launch_line(int n_max, uplo uplo, variable_batch<T> A, int* info, const share& s, queue q) {
  using D = device_t<T>;
  constexpr potrf_vbatched_line line = potrf_vbatched_tables::lines<T>[LINE];
  static_assert(!potrf_vbatched_objection(line, sizeof(T), any_gpu_limits),
                "no kernel serves the line: potrf_vbatched_objection says why");
  constexpr bool lazy =
      line.schedule == vbatched_schedule::lazy_classic || line.schedule == vbatched_schedule::lazy_aggressive;
  if constexpr (line.family == potrf_family::warp) {
    return launch_potrf_warp<D, line.threads, line.rows, line.nb>(line.tbc, uplo, on_device(A), info, s, q);
  } else if constexpr (line.family == potrf_family::smem && line.threads == 32) {
    return launch_potrf_smem<D, line.rows>(n_max, line.nb, uplo, on_device(A), info, s, q);
  } else if constexpr (line.family == potrf_family::smem) {
    return launch_potrf_smem_ahead<D, line.threads, line.rows, line.n_max>(n_max, uplo, on_device(A), info, s,
                                                                           q);
  } else if constexpr (line.family == potrf_family::blocked) {
    return launch_potrf_blocked<D, line.nb, line.threads, line.rows>(lazy, n_max, uplo, on_device(A), info, s,
                                                                     q);
  } else {
    constexpr bool aggressive = line.schedule == vbatched_schedule::greedy_aggressive ||
                                line.schedule == vbatched_schedule::lazy_aggressive;
    return launch_potrf_panel<D, line.ib, line.threads, line.rows>(lazy, aggressive, line.tbc, n_max, uplo,
                                                                   on_device(A), info, s, q);
  }
}

template <class T, std::size_t... LINE>
int launch_at(int line, int n_max, uplo uplo, variable_batch<T> A, int* info, const share& s, queue q,
              std::index_sequence<LINE...>) {
  using launcher = int (*)(int, talus::uplo, variable_batch<T>, int*, const share&, queue);
  constexpr launcher launch[] = {launch_line<T, LINE>...};
  return launch[line](n_max, uplo, A, info, s, q);
}
template <class T>
int launch_at(int line, int n_max, uplo uplo, variable_batch<T> A, int* info, const share& s, queue q) {
  return launch_at(line, n_max, uplo, A, info, s, q,
                   std::make_index_sequence<potrf_vbatched_tables::lines<T>.size()>{});
}

template <class T>
const potrf_vbatched_line& line_at(int line) {
  return potrf_vbatched_tables::lines<T>[static_cast<std::size_t>(line)];
}

/// All matrices that `check` finds legal, each by the line of its class of sizes. One class needs no order,
/// if its kernel looks for what is illegal itself; those of blocked go over their matrices again and again,
/// and posv has more to look at.
template <class T, class Check>
int factor_by(const class_lines& by, uplo uplo, const Check& check, int* info, queue q) {
  const int only = by.line[0];
  if (by.count == 1 && line_at<T>(only).family != potrf_family::blocked) {
    const auto launch_all = [&](const Check& part, int* infos, share s) {
      return launch_at<T>(only, check.n_max, uplo, written(part), infos, s, q);
    };
    if (by.ordered || !std::is_same_v<Check, matrix_check<T>>) return in_order(check, info, q, launch_all);
    return in_parts(check, info, [&](const Check& part, int* infos) {
      share s;
      s.n_max = check.n_max;
      s.count = static_cast<int>(part.A.count);
      return launch_all(part, infos, s);
    });
  }
  class_bounds bounds{by.count, {}};
  for (int c = 0; c < by.count; ++c) bounds.n_max[c] = line_at<T>(by.line[c]).n_max;
  return for_each_class(bounds, check, info, q, [&](int c, const Check& part, int* infos, const share& s) {
    return launch_at<T>(by.line[c], std::min(check.n_max, bounds.n_max[c]), uplo, written(part), infos, s, q);
  });
}

/// The lines of a table that serve the batch.
template <class T, class Check>
int factor_with(int table, uplo uplo, Check check, int* info, queue q) {
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bound(check, q)) return status;
  return factor_by<T>(lines_for<T>(table, check.n_max, check.A.count), uplo, check, info, q);
}

template <class T, class Check>
int factor_here(uplo uplo, const Check& check, int* info, queue q) {
  const auto& gpus = potrf_vbatched_tables::gpus;
  int table = 0;
  if (const int status = find_table(gpus.data(), static_cast<int>(gpus.size()), table)) return status;
  return factor_with<T>(table, uplo, check, info, q);
}

}  // namespace

template <class T>
int potrf(uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  return factor_here<T>(uplo, matrix_check<T>{A, n_max}, info, q);
}

template <class T>
int potrf_of_systems(uplo uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max,
                     queue q) {
  return factor_here<T>(uplo, system_check<T>{read_only(A), B, n_max, nrhs_max}, info, q);
}

template <class T>
int potrf_vbatched_with(int table, uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  return factor_with<T>(table, uplo, matrix_check<T>{A, n_max}, info, q);
}

template <class T>
int potrf_vbatched_by(const class_lines& by, uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  matrix_check<T> check{A, n_max};
  if (const int status = check_work(q, A.count)) return status;
  if (const int status = find_bound(check, q)) return status;
  check.n_max = std::min(check.n_max, line_at<T>(by.line[by.count - 1]).n_max);
  return factor_by<T>(by, uplo, check, info, q);
}

template int potrf(uplo, variable_batch<TALUS_T>, int*, int, queue);
template int potrf_of_systems(uplo, variable_batch<TALUS_T>, variable_batch<TALUS_T>, int*, int, int, queue);
template int potrf_vbatched_by(const class_lines&, uplo, variable_batch<TALUS_T>, int*, int, queue);
template int potrf_vbatched_with(int, uplo, variable_batch<TALUS_T>, int*, int, queue);

}  // namespace talus::cuda
