// From a routine's lines to the launches of a call on mixed sizes, for every routine. What launches a line is
// gpu/dispatch.cuh.
#pragma once

#include <type_traits>
#include <variant>

#include "gpu/dispatch.cuh"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.cuh"
#include "vbatched/schedule.hpp"

namespace talus::cuda {

/// Whether a line's kernels take their matrices in order alone.
template <class Family, class = void>
constexpr bool family_needs_order = false;
template <class Family>
constexpr bool family_needs_order<Family, std::void_t<decltype(Family::needs_order)>> = Family::needs_order;
template <class Line>
constexpr bool needs_order(const Line& line) {
  return std::visit([](const auto& kernel) { return family_needs_order<std::decay_t<decltype(kernel)>>; },
                    line.kernel);
}

/// All matrices that `check` finds legal, each by the line of its class among lines_of(bounds). Kernels take
/// them from source_of(part, subset, lazy), and what they are to do from then_of(part). A kernel for all that
/// looks for what is illegal itself needs no order; those that go step by step pass over their matrices again
/// and again.
template <class Tables, class T, class Check, class Lines, class SourceOf, class ThenOf>
int launch_classes(form_of<Tables> form, Check check, int* info, queue q, Lines lines_of, SourceOf source_of,
                   ThenOf then_of) {
  using source = decltype(source_of(check, subset{}, false));
  using then = decltype(then_of(check));
  if (const int status = check_work(q, check.A.count)) return status;
  if (const int status = find_bounds(check, q)) return status;
  const class_lines by = lines_of(check.bounds);
  const auto line_of = [&](int c) { return by.line[static_cast<std::size_t>(c)]; };
  typename Tables::box bounds[most_classes];
  for (int c = 0; c < by.count; ++c) bounds[c] = Tables::template at<T>(line_of(c)).bounds;
  check.bounds = check.bounds.within(bounds[by.count - 1]);
  const bool can_do_without_order = Check::in_kernels && !needs_order(Tables::template at<T>(line_of(0)));
  schedule how = by.how == schedule::filtered && can_do_without_order ? schedule::filtered : schedule::queued;
  if (by.count == 1 && !goes_by_steps(Tables::template at<T>(line_of(0)).schedule)) {
    bounds[0] = check.bounds;
    how = by.how == schedule::ordered || !can_do_without_order ? schedule::ordered : schedule::direct;
  }
  launches<Check> each(how, check, bounds, by.count, info, q);
  while (each.next()) {
    const int line = line_of(each.c);
    each.part.bounds = check.bounds.within(bounds[each.c]);
    const bool lazy = Tables::template at<T>(line).schedule == schedule::lazy;
    const auto launch = find_launcher<Tables, T, source, int*, queue, then>(form, line);
    if (const int status =
            launch(source_of(each.part, each.matrices, lazy), each.info_of_part, q, then_of(each.part)))
      return status;
  }
  return each.status;
}

/// The same where kernels take their matrices from on_device(check), which the routine has, and nothing
/// follows.
template <class Tables, class T, class Check, class Lines>
int launch_classes(form_of<Tables> form, Check check, int* info, queue q, Lines lines_of) {
  return launch_classes<Tables, T>(
      form, check, info, q, lines_of,
      [](const Check& part, const subset& matrices, bool lazy) {
        return mixed_sizes<decltype(on_device(part))>{on_device(part), matrices, lazy};
      },
      [](const Check&) { return no_epilogue{}; });
}

/// The lines of a table that serve a batch.
template <class Tables, class T>
auto lines_of_table(int table, std::int64_t count) {
  return [=](const typename Tables::box& bounds) { return lines_for<Tables, T>(table, bounds, count); };
}

}  // namespace talus::cuda
