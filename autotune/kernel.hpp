// One way to run a routine, as tables and measurements name it.
#pragma once

#include <string>
#include <tuple>
#include <vector>

namespace talus::tune {

/// A parameter of a kernel family. One that is on or off is 1 or 0.
struct parameter {
  std::string name;
  int value;
};
bool operator==(const parameter& a, const parameter& b);
bool operator<(const parameter& a, const parameter& b);

/// A kernel family with the values of its parameters, in the family's order. What is 0 is left out. Where
/// matrices differ in size, also which of them when.
struct kernel {
  std::string family;
  std::vector<parameter> parameters = {};
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

/// Whether its schedule is one launch for all sizes.
bool is_alone(const kernel& k);

/// Whether its schedule is one launch per step.
bool is_by_steps(const kernel& k);

}  // namespace talus::tune
