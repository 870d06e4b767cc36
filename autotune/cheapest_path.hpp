// The cheapest sequence of choices, one per step, where keeping a choice from one step to the next is free
// and changing it is not (Viterbi).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace talus::tune {

template <class Choice>
struct path_point {
  Choice choice;
  double cost;  // of this step; in what reached_by returns, of all up to it
  std::size_t before = 0;
};
template <class Choice>
using path_steps = std::vector<std::vector<path_point<Choice>>>;

/// Index of the cheapest.
template <class Choice>
std::size_t cheapest(const std::vector<path_point<Choice>>& step) {
  const auto less = [](const auto& a, const auto& b) { return a.cost < b.cost; };
  return static_cast<std::size_t>(std::min_element(step.begin(), step.end(), less) - step.begin());
}

/// What it costs at least to come to each choice, and from where: from the same one or from the cheapest. It
/// ends before a step without a choice.
template <class Choice>
path_steps<Choice> reached_by(path_steps<Choice> steps, double change) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].empty()) steps.resize(i);
    if (i == 0 || i == steps.size()) continue;
    const std::vector<path_point<Choice>>& from = steps[i - 1];
    const std::size_t least = cheapest(from);
    for (path_point<Choice>& to : steps[i]) {
      const auto same =
          std::find_if(from.begin(), from.end(), [&](const auto& p) { return p.choice == to.choice; });
      const bool stays = same != from.end() && same->cost <= from[least].cost + change;
      to.before = stays ? static_cast<std::size_t>(same - from.begin()) : least;
      to.cost += from[to.before].cost + (stays ? 0 : change);
    }
  }
  return steps;
}

/// The cheapest sequence of choices up to step `last`.
template <class Choice>
std::vector<Choice> cheapest_path(const path_steps<Choice>& reached, std::size_t last) {
  std::vector<Choice> path(last + 1);
  std::size_t at = cheapest(reached[last]);
  for (std::size_t i = last + 1; i-- > 0; at = reached[i][at].before) path[i] = reached[i][at].choice;
  return path;
}

}  // namespace talus::tune
