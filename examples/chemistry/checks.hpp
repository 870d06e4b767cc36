// Whether an integration came out right: what must stay is still there, and the watched cells went where the
// reference takes them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "integrate.hpp"
#include "picture.hpp"
#include "reference.hpp"

namespace chemistry {

/// By how much what should stay has changed in a cell, as a share of it. Energy as a share of the thermal
/// energy.
struct drift {
  double mass = 0, elements = 0, energy = 0;

  void add(const drift& other) {
    mass = example::worse_residual(mass, other.mass);
    elements = example::worse_residual(elements, other.elements);
    energy = example::worse_residual(energy, other.energy);
  }
};

inline drift drift_between(const mechanism& m, const double* before, const double* after) {
  const auto change_of = [&](auto per_molecule) {
    double sum = 0, change = 0;
    for (int k = 0; k < m.size(); ++k)
      sum += per_molecule(k) * before[k], change += per_molecule(k) * (after[k] - before[k]);
    return sum == 0 ? std::abs(change) : std::abs(change / sum);
  };
  drift d;
  d.mass = change_of([&](int k) { return m.molar_mass(k); });
  for (std::size_t e = 0; e < m.elements.size(); ++e)
    d.elements = example::worse_residual(
        d.elements, change_of([&](int k) { return m.all[static_cast<std::size_t>(k)].atoms[e]; }));
  if (m.isothermal) return d;
  evaluator evaluate(m);
  const double change = evaluate.energy(after) - evaluate.energy(before);
  d.energy = std::abs(change) / (evaluate.heat_capacity(after) * after[m.size()]);
  return d;
}

/// Of all cells; what is beyond the bounds is found to be off.
inline drift check_conservation(const problem& p, const outcome& all, double mass_bound, double energy_bound,
                                example::findings& off) {
  const auto n = static_cast<std::size_t>(p.chemistry.order());
  drift worst;
  for (std::size_t c = 0; c * n < all.states.size(); ++c) {
    const drift d = drift_between(
        p.chemistry, p.first(p.chemistry, static_cast<std::int64_t>(c)).state.data(), &all.states[c * n]);
    worst.add(d);
    if (!(d.mass <= mass_bound && d.elements <= mass_bound && d.energy <= energy_bound))
      off.add("cell " + std::to_string(c) + ": mass changed by " + example::two_digits(d.mass) +
              " of it, elements by " + example::two_digits(d.elements) + ", energy by " +
              example::two_digits(d.energy));
  }
  return worst;
}

/// How far a state is from another: of concentrations in shares of all, of the temperature in shares of it.
inline double deviation(const mechanism& m, const double* x, const double* right) {
  double total = 0, worst = 0;
  for (int k = 0; k < m.size(); ++k) total += right[k];
  for (int i = 0; i < m.order(); ++i)
    worst = example::worse_residual(worst, std::abs(x[i] - right[i]) / (i < m.size() ? total : right[i]));
  return worst;
}

/// The watched cells beside their references, at some twenty times; the curves of their temperatures.
struct comparison {
  double deviation = 0;
  std::vector<curve> curves;
};

inline comparison compare_with_reference(const problem& p, const outcome& all, double bound,
                                         example::findings& off) {
  const mechanism& m = p.chemistry;
  const auto n = static_cast<std::size_t>(m.order()), watched = all.histories.size();
  comparison result;
  result.curves.resize(watched);
  std::vector<double> worst(watched, 0.0);
  example::progress compared(m.name + ": comparing cells", static_cast<std::int64_t>(watched));
#pragma omp parallel for schedule(dynamic)
  for (std::size_t c = 0; c < watched; ++c) {
    const history& h = all.histories[c];
    const start first = p.first(m, static_cast<std::int64_t>(c));
    curve& drawn = result.curves[c];
    drawn.label = first.label;
    drawn.line = {{0}, {first.state.back()}};
    const std::size_t between = std::max<std::size_t>(1, h.times.size() / 20);
    try {
      reference right(m, first.state, h.times.empty() ? p.end : h.times[0]);
      for (std::size_t i = 0; i < h.times.size(); ++i) {
        const double* state = &h.states[i * n];
        drawn.line.times.push_back(h.times[i]), drawn.line.temperatures.push_back(state[n - 1]);
        if (i % between != 0 && i + 1 != h.times.size()) continue;
        right.advance_to(h.times[i]);
        worst[c] = example::worse_residual(worst[c], deviation(m, state, right.state().data()));
        drawn.dots.times.push_back(h.times[i]), drawn.dots.temperatures.push_back(right.state().back());
      }
    } catch (const std::runtime_error&) {
      worst[c] = std::nan("");
    }
    compared.advance();
  }
  for (std::size_t c = 0; c < watched; ++c) {
    result.deviation = example::worse_residual(result.deviation, worst[c]);
    if (!(worst[c] <= bound))
      off.add("cell " + std::to_string(c) + ": " + example::two_digits(worst[c]) +
              " away from its reference");
  }
  return result;
}

}  // namespace chemistry
