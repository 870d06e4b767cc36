#include "prune.hpp"

#include <algorithm>
#include <map>

namespace talus::tune {

namespace {

/// What each kind of kernel loses to the best at a size, by what was measured there.
std::map<kernel, double> losses_in(const routine& of, const std::vector<const measurement*>& there) {
  double best = 0;
  for (const measurement* const m : there) {
    if (m->median_ms > 0 && (best == 0 || m->ratio() < best)) best = m->ratio();
  }
  std::map<kernel, double> losses;
  for (const measurement* const m : there) {
    if (!(m->median_ms > 0)) continue;
    const double loss = m->ratio() / best;
    const auto [known, is_new] = losses.emplace(neighbour_key(of, m->how), loss);
    if (!is_new) known->second = std::min(known->second, loss);
  }
  return losses;
}

}  // namespace

worth_measuring prune(const routine& of, const cuda::gpu_limits& limits, const kernel& reference,
                      char precision, int n, const std::string& regime,
                      const std::vector<measurement>& before) {
  constexpr double hopeless = 1.6, never_measured = 1e9;
  std::map<int, std::vector<const measurement*>> by_size;
  for (const measurement& m : before) {
    if (m.precision == precision && m.regime == regime) by_size[m.n].push_back(&m);
  }
  // A kind that is a candidate at a size but was not measured there was hopeless already.
  std::vector<std::map<kernel, double>> neighbours;
  const auto look_at = [&](int size) {
    std::map<kernel, double> losses = losses_in(of, by_size[size]);
    for (const kernel& k : of.candidates(precision, size, limits))
      losses.emplace(neighbour_key(of, k), never_measured);
    neighbours.push_back(losses);
  };
  const auto above = by_size.upper_bound(n), here = by_size.lower_bound(n);
  const int below_n = here == by_size.begin() ? 0 : std::prev(here)->first;
  const int above_n = above == by_size.end() ? 0 : above->first;
  // A size further away than half says nothing.
  if (below_n > 0 && 2 * below_n >= n) look_at(below_n);
  if (above_n > 0 && above_n <= 2 * n) look_at(above_n);
  const bool has_both_sides = neighbours.size() == 2;

  worth_measuring result;
  std::vector<std::pair<double, kernel>> promising;
  for (const kernel& k : of.candidates(precision, n, limits)) {
    if (k == reference) continue;  // it is measured with every other
    double least = 0;
    bool hopeless_everywhere = has_both_sides;
    for (const auto& losses : neighbours) {
      const auto found = losses.find(neighbour_key(of, k));
      if (found == losses.end() || found->second < hopeless) hopeless_everywhere = false;
      if (found != losses.end() && (least == 0 || found->second < least)) least = found->second;
    }
    if (hopeless_everywhere) {
      ++result.left_out;
    } else {
      promising.emplace_back(least == 0 ? 1.1 : least, k);
    }
  }
  std::stable_sort(promising.begin(), promising.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [loss, k] : promising) result.kernels.push_back(k);
  return result;
}

}  // namespace talus::tune
