// The search space of a kernel family, as it declares it beside its parameters: what talus-tune tries, and
// why nothing else. Only the tuner uses it.
#pragma once

#include <vector>

namespace talus::cuda {

/// The values of one parameter, by the name that tables give it, and why no others.
struct search_values {
  const char* parameter;
  std::vector<int> of;
  const char* why;
};

template <class Family>
struct search_space {
  std::vector<search_values> parameters;  // those that are not named keep their default
  int n_min, n_max;                       // where it is tried
  const char* why;                        // there

  /// Whether a combination is worth trying at n, beyond being possible, and why others are not.
  bool (*worth)(const Family& kernel, int n);
  const char* why_worth;

  /// The parameter that follows from n and the others, if one does: two kernels that differ in nothing else
  /// are neighbours.
  const char* follows_from_n = "";
};

}  // namespace talus::cuda
