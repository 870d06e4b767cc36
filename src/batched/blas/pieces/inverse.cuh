// Inverses from Cholesky factors or L and U: select a line of potri's or getri's tables, launch its kernel.
#pragma once

#include <utility>

#include "batched/blas/inverse.hpp"
#include "batched/blas/pieces/inverse_panels.cuh"
#include "batched/blas/pieces/inverse_tiles.cuh"
#include "batched/blas/pieces/systems.cuh"
#include "batched/blas/pieces/thin_inverse.cuh"
#include "batched/blas/solve_plan.hpp"
#include "batched/blas/trsm.hpp"
#include "gpu/dispatch.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::blas {

/// True if `limit` bytes of shared memory suffice for the kernel of a line and matrices of order n.
template <class T, bool CHOLESKY, class Family>
bool fits([[maybe_unused]] const Family& kernel, [[maybe_unused]] int n, [[maybe_unused]] std::size_t limit) {
  if constexpr (std::is_same_v<Family, in_tiles>) {
    return inverse_tiles<T, CHOLESKY>::bytes(n) <= limit;
  } else if constexpr (std::is_same_v<Family, in_panels>) {
    return panel_bytes<T>(n, kernel.tiles) <= limit / static_cast<std::size_t>(kernel.blocks);
  } else if constexpr (std::is_same_v<Family, by_threads>) {
    return thin_bytes<T>(n, kernel.columns) <= limit;
  } else {
    return solves<Family>;
  }
}

/// Finds the first line that serves matrices of order n with a kernel that fits the current device. Lines
/// that solve serve batches of one size only. Returns err_unsupported if there is no such line.
template <class Tables, class T>
int find_line_of_inverse(int n, std::int64_t count, bool is_one_size, int& line) {
  int table = 0;
  std::size_t limit = 0;
  if (const int status = Tables::find(table)) return status;
  if (const int status = shared_memory_limit(limit)) return status;
  limit -= 1024;  // for variables of a block
  const auto& first = Tables::template first_line<T>;
  auto t = static_cast<std::size_t>(table);
  if (first[t] == first[t + 1]) t = Tables::gpus.size() - 1;
  for (line = first[t]; line < first[t + 1]; ++line) {
    const auto& at = Tables::template at<T>(line);
    if (!at.bounds.cover(upto(n)) || at.batch_max < count) continue;
    const bool serves = std::visit(
        [&](const auto& kernel) {
          using family = std::decay_t<decltype(kernel)>;
          return (is_one_size || !solves<family>)&&fits<device_t<T>, Tables::routine::cholesky>(kernel, n,
                                                                                                limit);
        },
        at.kernel);
    if (serves) return 0;
  }
  return err_unsupported;
}

/// Launches the kernel of by_threads for all matrices of `systems`; their orders are at most n. Defined in
/// batched/blas/inverse.cu, once for potri and getri.
template <class T>
int launch_thin_inverse(int columns, const either_systems<T>& systems, int n, int* info, queue q,
                        const solve_plan<T>& plan);

/// Launches the kernel of a line.
template <class Tables, class T, int LINE, class Systems>
int launch_line_of_inverse(const Systems& systems, [[maybe_unused]] int n, int* info, queue q,
                           const solve_plan<device_t<T>>& plan) {
  using D = device_t<T>;
  using constant = line_constant<Tables, T, LINE>;
  using family = typename constant::family;
  constexpr auto k = constant::kernel;
  constexpr bool CHOLESKY = Tables::routine::cholesky;
  static_assert(!objection_to(constant::line, any_gpu_limits), "the objection of a family to a line");
  if constexpr (solves<family> && Systems::equal) {
    static_assert(are_lines_of_trsm<Tables, trsm_tables, T>, "no table of trsm has the kernel of a line");
    constexpr int line = lines_of_trsm<Tables, trsm_tables, T>[static_cast<std::size_t>(LINE)];
    return find_launcher<trsm_tables, T, Systems, int*, queue, solve_plan<D>>(0, line)(systems, info, q,
                                                                                       plan);
  } else if constexpr (std::is_same_v<family, in_tiles>) {
    return launch_whole_systems<invert_tiles<D, k.most_warps(), CHOLESKY, Systems>>(
        systems, dim3(static_cast<unsigned>(32 * ceil_div(n, square_order))),
        inverse_tiles<D, CHOLESKY>::bytes(n), q, info, plan);
  } else if constexpr (std::is_same_v<family, in_panels>) {
    using kernel = panels_kernel<k.tiles, k.warps * k.blocks, k.ahead>;
    const auto launch_over = [&](const auto& all) {
      return launch_whole_systems<invert_by_panels<D, kernel, CHOLESKY, std::decay_t<decltype(all)>>>(
          all, dim3(32 * k.warps), panel_bytes<D>(n, k.tiles), q, info, plan);
    };
    if constexpr (k.either) {
      return launch_over(as_either(systems, plan).first);
    } else {
      return launch_over(systems);
    }
  } else if constexpr (std::is_same_v<family, by_threads>) {
    return launch_thin_inverse(k.columns, as_either(systems, plan).first, n, info, q, plan);
  } else {
    return err_unsupported;
  }
}

template <class Tables, class T, class Systems, std::size_t... LINE>
int launch_line_of_inverse(std::index_sequence<LINE...>, int line, const Systems& systems, int n, int* info,
                           queue q, const solve_plan<device_t<T>>& plan) {
  int status = err_unsupported;
  static_cast<void>(
      ((static_cast<int>(LINE) == line &&
        (status = launch_line_of_inverse<Tables, T, static_cast<int>(LINE)>(systems, n, info, q, plan),
         true)) ||
       ...));
  return status;
}

/// Launches a kernel that inverts all matrices of `systems`; their orders are at most n. One block processes
/// each matrix, unless the line solves. Tables: potri_tables or getri_tables.
///
/// Kernels for equal_systems keep fewer values in registers during the work.
template <class Tables, class T, class Systems>
int launch_inverse(const Systems& systems, int n, int* info, queue q, const solve_plan<device_t<T>>& plan) {
  int line = 0;
  std::int64_t count = 0;
  if constexpr (Systems::equal) count = systems.A.count;
  if (const int status = find_line_of_inverse<Tables, T>(n, count, Systems::equal, line)) return status;
  return launch_line_of_inverse<Tables, T>(std::make_index_sequence<Tables::template lines<T>.size()>{}, line,
                                           systems, n, info, q, plan);
}

}  // namespace talus::cuda::blas
