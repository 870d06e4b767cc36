// The kernels of the paper's figures, in one precision: TALUS_T. No part of the library.
#include <string>
#include <variant>

#include "batched/cholesky/families/blocked.cuh"
#include "batched/cholesky/families/warp.cuh"
#include "checks/cholesky.hpp"
#include "figures/figures.hpp"
#include "figures/panel.cuh"
#include "gpu/dispatch.cuh"
#include "measure/kernel_text.hpp"
#include "vbatched/schedule.cuh"

namespace talus::cuda::figures {

using cholesky::blocked;
using cholesky::warp;

// ---- equal sizes ---------------------------------------------------------------------------------

struct potrf_routine {
  static constexpr int extents = 1;
  static constexpr uplo forms[] = {uplo::lower, uplo::upper};
  using kernel = std::variant<panel_inclusive, panel_exclusive, warp, blocked>;

  template <class Line, class Family>
  static constexpr const char* objection(const Line& line, const Family& family, const element& e,
                                         const gpu_limits& limits) {
    return family.objection(line.bounds[0], e, limits);
  }
};

inline constexpr table_entry<table_line<potrf_routine>> potrf_entries[] = {
#include "figures/potrf.inc"
};
using potrf_tables = tables<potrf_routine, potrf_entries>;

// ---- mixed sizes ---------------------------------------------------------------------------------

struct potrf_vbatched_routine {
  static constexpr int extents = 1;
  static constexpr uplo forms[] = {uplo::lower, uplo::upper};
  using kernel = std::variant<panel_exclusive, blocked>;

  template <class Line, class Family>
  static constexpr const char* objection(const Line& line, const Family& family, const element& e,
                                         const gpu_limits& limits) {
    if (std::is_same_v<Family, blocked> && line.schedule.aggressive)
      return "blocked has no idle threads that could end before their block";
    return family.objection(line.bounds[0], e, limits);
  }
};

struct figure_line : table_line<potrf_vbatched_routine> {
  paper_schedule schedule = greedy_classic;
};
#define TALUS_FIGURE_LINE(precision, bounds, how, ...) \
  {{}, {{#precision[0], bounds, any_batch, __VA_ARGS__}, how}},

inline constexpr table_entry<figure_line> potrf_vbatched_entries[] = {
#include "figures/potrf_vbatched.inc"
};
using potrf_vbatched_tables = tables<potrf_vbatched_routine, potrf_vbatched_entries>;

}  // namespace talus::cuda::figures

namespace talus::cuda {

using D = device_t<TALUS_T>;
using mixed_source = mixed_sizes<cholesky::matrix_check<D>>;

TALUS_DEFINE_LAUNCHERS(figures::potrf_tables, equal_sizes<D>, int*, queue, no_epilogue)
TALUS_DEFINE_LAUNCHERS(figures::potrf_vbatched_tables, mixed_source, int*, queue, no_epilogue)

namespace figures {

int run(int line, uplo uplo, batch<TALUS_T> A, int* info, queue q) {
  return find_launcher<potrf_tables, TALUS_T, equal_sizes<D>, int*, queue, no_epilogue>(uplo, line)(
      {on_device(A)}, info, q, {});
}

/// All matrices as one class.
int run_in_steps(int line, uplo uplo, variable_batch<TALUS_T> A, int* info, int n_max, queue q) {
  const cholesky::matrix_check<TALUS_T> check{A, upto(n_max)};
  const bool lazy = potrf_vbatched_tables::at<TALUS_T>(line).schedule.lazy;
  const auto launch =
      find_launcher<potrf_vbatched_tables, TALUS_T, mixed_source, int*, queue, no_epilogue>(uplo, line);
  launches<cholesky::matrix_check<TALUS_T>> each(schedule::queued, check, &check.bounds, 1, info, q);
  while (each.next()) {
    const mixed_source source{{on_device(each.part.A), check.bounds}, each.matrices, lazy};
    if (const int status = launch(source, each.info_of_part, q, {})) return status;
  }
  return each.status;
}

}  // namespace figures
}  // namespace talus::cuda

namespace talus::bench {
namespace {

namespace figures = cuda::figures;

std::string with(const std::string& name, const char* parameter, int value) {
  return name + " " + parameter + "=" + std::to_string(value);
}

/// What a kernel is called in a figure; empty: it does not belong there. Up to n = 32 are figure 3's.
std::string name_in(int number, bool is_tiny, const figures::panel_inclusive& k) {
  if (number == 3 && is_tiny) return "tbc=" + std::to_string(k.tbc);
  return number == 2 && !is_tiny ? with("inclusive", "ib", k.ib) : "";
}
std::string name_in(int number, bool is_tiny, const figures::panel_exclusive& k) {
  if (number == 2 && !is_tiny && k.rows == 1) return with("exclusive", "ib", k.ib);
  return number == 5 && !is_tiny ? "fused" : "";
}
std::string name_in(int number, bool is_tiny, const figures::warp& k) {
  return number == 3 && is_tiny ? with("warp", "tbc", k.tbc) : "";
}
std::string name_in(int number, bool, const figures::blocked&) { return number == 5 ? "separate" : ""; }

/// The same of a schedule.
std::string name_of(const figures::paper_schedule& how, const figures::panel_exclusive& k) {
  return with(std::string(how.lazy ? "lazy" : "greedy") + (how.aggressive ? " aggressive" : " classic"), "ib",
              k.ib);
}
std::string name_of(const figures::paper_schedule& how, const figures::blocked& k) {
  return with(how.lazy ? "lazy classic" : "greedy classic", "nb", k.nb);
}

}  // namespace

template <>
std::vector<way<problem<TALUS_T>>> kernels_of_figure(int figure) {
  std::vector<way<problem<TALUS_T>>> all;
  int number = -1;
  for (const auto& line : figures::potrf_tables::lines<TALUS_T>) {
    ++number;
    const int n_max = line.bounds[0];
    const std::string name =
        std::visit([&](const auto& family) { return name_in(figure, n_max <= 32, family); }, line.kernel);
    if (name.empty()) continue;
    all.push_back({name, text_of(line.kernel), true,
                   [number](const problem<TALUS_T>& p, int copy) {
                     const auto x = p.operands(copy);
                     require_success(figures::run(number, x.uplo, x.A, x.info, queue_of(p.where)));
                   },
                   n_max});
  }
  return all;
}

template <>
std::vector<way<variable_problem<TALUS_T>>> kernels_of_figure(int) {
  std::vector<way<variable_problem<TALUS_T>>> all;
  int number = -1;
  for (const auto& line : figures::potrf_vbatched_tables::lines<TALUS_T>) {
    ++number;
    const std::string name =
        std::visit([&](const auto& k) { return name_of(line.schedule, k); }, line.kernel);
    all.push_back({name, text_of(line.kernel), true,
                   [number](const variable_problem<TALUS_T>& p, int copy) {
                     const auto x = p.operands(copy);
                     require_success(
                         figures::run_in_steps(number, x.uplo, x.A, x.info, x.n_max, queue_of(p.where)));
                   },
                   line.bounds[0]});
  }
  return all;
}

}  // namespace talus::bench
