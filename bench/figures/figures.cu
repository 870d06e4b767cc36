// The kernels of the paper's figures, in one precision: TALUS_T. Compiled with -DTALUS_FIGURES=ON only, and
// no part of the library.
#include <string>
#include <variant>

#include "batched/cholesky/blocked.cuh"
#include "batched/cholesky/warp.cuh"
#include "figures/figures.hpp"
#include "figures/panel.cuh"
#include "figures/panel_vbatched.cuh"
#include "gpu/dispatch.cuh"
#include "measure/kernel_text.hpp"
#include "vbatched/schedule.cuh"

namespace talus::cuda::figures {

using cholesky::blocked;
using cholesky::launch_family;
using cholesky::warp;

// ---- equal sizes ---------------------------------------------------------------------------------

struct potrf_routine {
  static constexpr int extents = 1;
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

struct launch_potrf {
  template <class Line, uplo UPLO, class T>
  static int line(Line line, stored_as<UPLO> stored, batch<T> A, int* info, queue q) {
    using D = device_t<T>;
    return launch_family<D>(Line::kernel, line, stored, equal_sizes<D>{on_device(A)}, info, q, no_epilogue{});
  }
};

// ---- mixed sizes ---------------------------------------------------------------------------------

struct potrf_vbatched_routine {
  static constexpr int extents = 1;
  using kernel = std::variant<panel_exclusive, blocked>;

  template <class Line, class Family>
  static constexpr const char* objection(const Line& line, const Family& family, const element& e,
                                         const gpu_limits& limits) {
    if (std::is_same_v<Family, blocked> && is_aggressive(line.schedule))
      return "blocked has no idle threads that could end before their block";
    return family.objection(line.bounds[0], e, limits);
  }
};

struct figure_line : table_line<potrf_vbatched_routine> {
  paper_schedule schedule = paper_schedule::greedy_classic;
};
#define TALUS_FIGURE_LINE(precision, bounds, how, ...) \
  {{}, {{#precision[0], bounds, any_batch, __VA_ARGS__}, paper_schedule::how}},

inline constexpr table_entry<figure_line> potrf_vbatched_entries[] = {
#include "figures/potrf_vbatched.inc"
};
using potrf_vbatched_tables = tables<potrf_vbatched_routine, potrf_vbatched_entries>;

struct launch_potrf_vbatched {
  template <class Line, uplo UPLO, class T>
  static int line(Line line, stored_as<UPLO> stored, variable_batch<T> A, int n_max, int* info, subset s,
                  queue q) {
    using D = device_t<T>;
    const mixed_sizes<D> source{on_device(A), s, n_max, is_lazy(Line::line.schedule)};
    return launch_family<D>(Line::kernel, line, stored, source, info, q, no_epilogue{});
  }
};

/// All matrices as one class.
template <class T>
int run_in_steps(int line, uplo uplo, variable_batch<T> A, int* info, int n_max, queue q) {
  const matrix_check<T> check{A, upto(n_max)};
  return for_each_class(&check.bounds, 1, check, info, q,
                        [&](int, const matrix_check<T>& part, int* infos, const subset& s) {
                          return dispatch<potrf_vbatched_tables, T, launch_potrf_vbatched>(
                              line, uplo, part.A, n_max, infos, s, q);
                        });
}

}  // namespace talus::cuda::figures

namespace talus::bench {
namespace {

namespace figures = cuda::figures;

std::string with(const char* parameter, int value) {
  return std::string(" ") + parameter + "=" + std::to_string(value);
}

/// What a kernel is called in a figure; empty: it does not belong there. Up to n = 32 are figure 3's.
std::string name_in(int number, bool is_tiny, const figures::panel_inclusive& k) {
  if (number == 3 && is_tiny) return "tbc=" + std::to_string(k.tbc);
  return number == 2 && !is_tiny ? "inclusive" + with("ib", k.ib) : "";
}
std::string name_in(int number, bool is_tiny, const figures::panel_exclusive& k) {
  if (number == 2 && !is_tiny && k.rows == 1) return "exclusive" + with("ib", k.ib);
  return number == 5 && !is_tiny ? "fused" : "";
}
std::string name_in(int number, bool is_tiny, const figures::warp& k) {
  return number == 3 && is_tiny ? "warp" + with("tbc", k.tbc) : "";
}
std::string name_in(int number, bool, const figures::blocked&) { return number == 5 ? "separate" : ""; }

std::string parameter_of(const figures::panel_exclusive& k) { return with("ib", k.ib); }
std::string parameter_of(const figures::blocked& k) { return with("nb", k.nb); }

/// Calls add(number, line) for all lines of a precision.
template <class Tables, class T, class Add>
void for_each_line(Add add) {
  int number = 0;
  for (const auto& line : Tables::template lines<T>) add(number++, line);
}

}  // namespace

template <>
std::vector<way<problem<TALUS_T>>> kernels_of_figure(int figure) {
  std::vector<way<problem<TALUS_T>>> all;
  for_each_line<figures::potrf_tables, TALUS_T>([&](int number, const auto& line) {
    const int n_max = line.bounds[0];
    const std::string name =
        std::visit([&](const auto& family) { return name_in(figure, n_max <= 32, family); }, line.kernel);
    if (name.empty()) return;
    all.push_back({name, text_of(line.kernel), true,
                   [number](const problem<TALUS_T>& p, int copy) {
                     const auto x = p.operands(copy);
                     require_success(cuda::dispatch<figures::potrf_tables, TALUS_T, figures::launch_potrf>(
                         number, x.uplo, x.A, x.info, queue_of(p.where)));
                   },
                   n_max});
  });
  return all;
}

template <>
std::vector<way<variable_problem<TALUS_T>>> kernels_of_figure(int) {
  std::vector<way<variable_problem<TALUS_T>>> all;
  for_each_line<figures::potrf_vbatched_tables, TALUS_T>([&](int number, const auto& line) {
    const std::string parameter = std::visit([](const auto& k) { return parameter_of(k); }, line.kernel);
    all.push_back({name_of(line.schedule) + parameter, text_of(line.kernel), true,
                   [number](const variable_problem<TALUS_T>& p, int copy) {
                     const auto x = p.operands(copy);
                     require_success(
                         figures::run_in_steps(number, x.uplo, x.A, x.info, x.n_max, queue_of(p.where)));
                   },
                   line.bounds[0]});
  });
  return all;
}

}  // namespace talus::bench
