#include "prune.hpp"

#include <algorithm>
#include <map>

namespace talus::tune {

worth_measuring prune(const routine& of, const cuda::gpu_limits& limits, const kernel& reference,
                      char precision, int n, const std::string& regime,
                      const std::vector<measurement>& before, double floor_over_reference) {
  constexpr double hopeless = 1.6, never_measured = 1e9;
  const auto concerns = [&](const measurement& m) { return m.precision == precision && m.regime == regime; };
  int below = 0, above = 0;
  for (const measurement& m : before) {
    if (!concerns(m)) continue;
    if (m.n < n) below = std::max(below, m.n);
    if (m.n > n && (above == 0 || m.n < above)) above = m.n;
  }
  // What each kind of kernel loses to the best at a size. A kind that is a candidate there but was not
  // measured was hopeless already.
  const auto losses_at = [&](int size) {
    std::map<kernel, double> losses;
    for (const kernel& k : candidates(of, precision, size, limits))
      losses[neighbour_key(of, k)] = never_measured;
    double best = 0;
    for (const measurement& m : before) {
      if (concerns(m) && m.n == size && m.median_ms > 0 && (best == 0 || m.ratio() < best)) best = m.ratio();
    }
    for (const measurement& m : before) {
      if (!concerns(m) || m.n != size || !(m.median_ms > 0)) continue;
      const kernel key = neighbour_key(of, m.how);
      const double loss = m.ratio() / best;
      const auto known = losses.find(key);
      if (known == losses.end() || loss < known->second) losses[key] = loss;
    }
    return losses;
  };
  std::vector<std::map<kernel, double>> neighbours;
  // A size further away than half says nothing.
  if (below > 0 && 2 * below >= n) neighbours.push_back(losses_at(below));
  if (above > 0 && above <= 2 * n) neighbours.push_back(losses_at(above));
  const bool has_both_sides = neighbours.size() == 2;

  worth_measuring result;
  std::vector<std::pair<double, kernel>> promising;
  for (const kernel& k : candidates(of, precision, n, limits)) {
    if (k == reference) continue;  // it is measured with every other
    if (floor_over_reference * traffic(of, k, n) > 1) {
      ++result.by_roofline;
      continue;
    }
    double least = 0;
    bool hopeless_everywhere = has_both_sides;
    for (const auto& losses : neighbours) {
      const auto found = losses.find(neighbour_key(of, k));
      if (found == losses.end() || found->second < hopeless) hopeless_everywhere = false;
      if (found != losses.end() && (least == 0 || found->second < least)) least = found->second;
    }
    if (hopeless_everywhere) {
      ++result.by_neighbours;
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
