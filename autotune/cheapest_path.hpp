// The cheapest sequence of choices, one per step, where keeping a choice from one step to the next is free
// and changing it is not (Viterbi).
#pragma once

#include <cstddef>
#include <utility>
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

/// What it costs at least to come to each choice, and from where. It ends before a step without a choice.
template <class Choice>
path_steps<Choice> reached_by(path_steps<Choice> steps, double change) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].empty()) steps.resize(i);
    for (std::size_t here = 0; i > 0 && i < steps.size() && here < steps[i].size(); ++here) {
      path_point<Choice>& to = steps[i][here];
      double least = 0;
      for (std::size_t b = 0; b < steps[i - 1].size(); ++b) {
        const path_point<Choice>& from = steps[i - 1][b];
        if (b > 0 && from.cost >= least) continue;  // before it is compared, which takes longer
        const double cost = from.cost + (from.choice == to.choice ? 0 : change);
        if (b > 0 && cost >= least) continue;
        least = cost;
        to.before = b;
      }
      to.cost += least;
    }
  }
  return steps;
}

/// The choices up to step `last`, where the path ends with choice number `at`.
template <class Choice>
std::vector<Choice> path_to(const path_steps<Choice>& reached, std::size_t last, std::size_t at) {
  std::vector<Choice> path(last + 1);
  for (std::size_t i = last + 1; i-- > 0; at = reached[i][at].before) path[i] = reached[i][at].choice;
  return path;
}

/// Index of the cheapest.
template <class Choice>
std::size_t cheapest(const std::vector<path_point<Choice>>& step) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < step.size(); ++i) {
    if (step[i].cost < step[best].cost) best = i;
  }
  return best;
}

}  // namespace talus::tune
