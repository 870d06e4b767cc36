// One way to run a routine, as tables and measurements name it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vbatched/schedule.hpp"

namespace talus::tune {

/// A kernel family with the values of its parameters, in the family's order. One that is on or off is 1 or 0;
/// what is 0 is left out. Where matrices differ in size, also which of them when.
struct kernel {
  std::string family;
  std::vector<std::pair<std::string, int>> parameters = {};
  std::string schedule = {};  // empty where all are of one size
};
bool operator==(const kernel& a, const kernel& b);
bool operator!=(const kernel& a, const kernel& b);
bool operator<(const kernel& a, const kernel& b);

/// Of a parameter by its name; 0 if it is left out.
int value_of(const kernel& k, const std::string& parameter);

/// The kernel with a parameter left out.
kernel without(kernel k, const std::string& parameter);

/// "warp lanes=4 rows=1 tbc=8", "queued smem tiles=4"; and back. Any text reads back the same: what a call
/// of several classes is recorded as is taken for a family, and a word without a value for a parameter that
/// is 0.
std::string describe(const kernel& k);
kernel kernel_named(const std::string& text);

/// Nothing where no schedule has that name.
std::optional<cuda::schedule> schedule_named(const std::string& name);

/// Which lines of a set have its schedule; those for mixed sizes alone.
cuda::line_group group_of(const kernel& k);
/// Whether its schedule is one launch for all sizes; one launch per step.
bool is_alone(const kernel& k);
bool is_by_steps(const kernel& k);

}  // namespace talus::tune
