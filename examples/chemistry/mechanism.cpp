#include "mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace chemistry {
namespace {

/// The product of the concentrations, all of them or all but one.
double product(const std::vector<int>& molecules, const double* c, std::size_t left_out) {
  double all = 1;
  for (std::size_t i = 0; i < molecules.size(); ++i)
    if (i != left_out) all *= c[molecules[i]];
  return all;
}
constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Troe's k = k_high Pr / (1 + Pr) F with Pr = k_low M / k_high and
///
///   log F = log Fc / (1 + r^2),  r = u / v,  u = log Pr - 0.4 - 0.67 log Fc,
///                                            v = 0.75 - 1.27 log Fc - 0.14 u
///
/// as a factor of k_high, and how its logarithm changes with T and with M.
struct blend {
  double factor, by_T, by_M;
};
blend troe_blend(const falloff& f, const arrhenius& high, double T, double M) {
  constexpr double ln10 = 2.302585092994046;
  const double Pr = std::max(f.low.at(T) * M / high.at(T), 1e-300);
  const double narrow = (1 - f.a) * std::exp(-T / f.T3), wide = f.a * std::exp(-T / f.T1),
               rest = std::exp(-f.T2 / T);
  const double Fc = narrow + wide + rest, Fc_by_T = -narrow / f.T3 - wide / f.T1 + rest * f.T2 / (T * T);

  const double log_Fc = std::log10(Fc), u = std::log10(Pr) - 0.4 - 0.67 * log_Fc,
               v = 0.75 - 1.27 * log_Fc - 0.14 * u, r = u / v, damping = 1 / (1 + r * r);
  const auto slope = [&](double log_Pr_slope, double log_Fc_slope) {  // of ln (Pr / (1 + Pr) F)
    const double du = log_Pr_slope - 0.67 * log_Fc_slope, dv = -1.27 * log_Fc_slope - 0.14 * du,
                 dr = (du - r * dv) / v;
    const double log_F_slope = damping * (log_Fc_slope - 2 * r * dr * damping * log_Fc);
    return ln10 * (log_Pr_slope / (1 + Pr) + log_F_slope);
  };
  return {Pr / (1 + Pr) * std::pow(10, log_Fc * damping),
          slope((f.low.slope(T) - high.slope(T)) / ln10, Fc_by_T / (Fc * ln10)), slope(1 / (M * ln10), 0)};
}

}  // namespace

thermodynamics at(const species& one, double T) {
  const std::array<double, 7>& a = T < one.middle ? one.low : one.high;
  return {a[0] + T * (a[1] + T * (a[2] + T * (a[3] + T * a[4]))),
          a[1] + T * (2 * a[2] + T * (3 * a[3] + T * 4 * a[4])),
          a[0] + T * (a[1] / 2 + T * (a[2] / 3 + T * (a[3] / 4 + T * a[4] / 5))) + a[5] / T,
          a[0] * std::log(T) + T * (a[1] + T * (a[2] / 2 + T * (a[3] / 3 + T * a[4] / 4))) + a[6]};
}

double arrhenius::at(double T) const {
  return b == 0 && Ta == 0 ? A : A * std::exp(b * std::log(T) - Ta / T);
}

int mechanism::index(const std::string& species_name) const {
  for (int k = 0; k < size(); ++k)
    if (all[static_cast<std::size_t>(k)].name == species_name) return k;
  throw std::invalid_argument(name + " has no species " + species_name);
}

double mechanism::molar_mass(int k) const {
  double sum = 0;
  for (std::size_t e = 0; e < elements.size(); ++e)
    sum += atomic_weights[e] * all[static_cast<std::size_t>(k)].atoms[e];
  return sum;
}

reaction& mechanism::add(const std::string& equation, const arrhenius& rate,
                         const std::vector<std::pair<std::string, double>>& efficiencies) {
  reaction r;
  r.rate = rate;
  bool third_body = false, right = false;
  std::istringstream words(equation);
  for (std::string word; words >> word;) {
    if (word == "+") continue;
    if (word == "M")
      third_body = true;
    else if (word == "=" || word == "=>")
      right = true, r.reversible = word == "=";
    else
      (right ? r.to : r.from).push_back(index(word));
  }
  if (third_body) {
    r.third_body.assign(all.size(), 1.0);
    for (const auto& [who, efficiency] : efficiencies)
      r.third_body[static_cast<std::size_t>(index(who))] = efficiency;
  }
  for (int k = 0; k < size(); ++k) {
    const auto made = std::count(r.to.begin(), r.to.end(), k) - std::count(r.from.begin(), r.from.end(), k);
    if (made != 0) r.change.emplace_back(k, static_cast<int>(made));
  }
  reactions.push_back(std::move(r));
  return reactions.back();
}

evaluator::evaluator(const mechanism& m) : m_(m), at_T_(m.all.size(), thermodynamics{0, 0, 0, 0}) {}

void evaluator::set_temperature(double T) {
  T_ = T;
  std::transform(m_.all.begin(), m_.all.end(), at_T_.begin(), [T](const species& s) { return at(s, T); });
}

evaluator::constants evaluator::constants_of(const reaction& r, double M) const {
  constants k{r.rate.at(T_), 0, r.rate.slope(T_), 0, 0};
  if (r.troe) {
    const blend b = troe_blend(*r.troe, r.rate, T_, M);
    k.forward *= b.factor, k.forward_slope += b.by_T, k.by_third_body = b.by_M;
  }
  if (!r.reversible) return k;
  double g = 0, h = 0, molecules = 0;  // what the reaction adds of g / (R T), of h / (R T), of molecules
  for (const auto& [s, nu] : r.change) {
    const thermodynamics& one = at_T_[static_cast<std::size_t>(s)];
    g += nu * (one.h - one.s), h += nu * one.h, molecules += nu;
  }
  // Equilibrium: k_forward / k_reverse = exp(-g) (p0 / (R T))^molecules
  k.reverse = k.forward * std::exp(g - molecules * std::log(atmosphere / (gas_constant * T_)));
  k.reverse_slope = k.forward_slope - (h - molecules) / T_;
  return k;
}

void evaluator::add(const reaction& r, const double* c, double* f, double* J) const {
  double M = 0;
  for (std::size_t s = 0; s < r.third_body.size(); ++s) M += r.third_body[s] * c[s];
  const bool proportional = !r.third_body.empty() && !r.troe;  // to the third bodies
  const double factor = proportional ? M : 1;
  const constants k = constants_of(r, M);
  const double forward = k.forward * product(r.from, c, none), reverse = k.reverse * product(r.to, c, none);
  for (const auto& [s, nu] : r.change) f[s] += nu * factor * (forward - reverse);
  if (!J) return;

  const auto add_to_column = [&](std::size_t column, double slope) {
    for (const auto& [s, nu] : r.change)
      J[static_cast<std::size_t>(s) + column * static_cast<std::size_t>(m_.order())] += nu * slope;
  };
  for (std::size_t i = 0; i < r.from.size(); ++i)
    add_to_column(static_cast<std::size_t>(r.from[i]), factor * k.forward * product(r.from, c, i));
  if (r.reversible)
    for (std::size_t i = 0; i < r.to.size(); ++i)
      add_to_column(static_cast<std::size_t>(r.to[i]), -factor * k.reverse * product(r.to, c, i));
  for (std::size_t s = 0; s < r.third_body.size(); ++s)
    if (r.third_body[s] != 0)
      add_to_column(s, r.third_body[s] * (proportional ? 1 : k.by_third_body) * (forward - reverse));
  if (!m_.isothermal)
    add_to_column(m_.all.size(), factor * (forward * k.forward_slope - reverse * k.reverse_slope));
}

void evaluator::add_energy(const double* x, double* f, double* J) const {
  const std::size_t T = m_.all.size(), n = T + 1;
  const auto u = [&](std::size_t k) { return gas_constant * T_ * (at_T_[k].h - 1); };
  const auto cv = [&](std::size_t k) { return gas_constant * (at_T_[k].cp - 1); };
  double capacity = 0, heat = 0;
  for (std::size_t k = 0; k < T; ++k) capacity += x[k] * cv(k), heat -= u(k) * f[k];
  f[T] = heat / capacity;
  if (!J) return;

  for (std::size_t column = 0; column < n; ++column) {
    double slope = 0;  // of the heat, and of the capacity times dT/dt
    for (std::size_t k = 0; k < T; ++k) slope -= u(k) * J[k + column * n];
    if (column < T)
      slope -= cv(column) * f[T];
    else
      for (std::size_t k = 0; k < T; ++k)
        slope -= cv(k) * f[k] + x[k] * gas_constant * at_T_[k].cp_slope * f[T];
    J[T + column * n] = slope / capacity;
  }
}

void evaluator::operator()(const double* x, double* f, double* J) {
  const auto n = static_cast<std::size_t>(m_.order());
  if (!m_.isothermal) set_temperature(x[m_.size()]);
  std::fill_n(f, n, 0.0);
  if (J) std::fill_n(J, n * n, 0.0);
  for (const reaction& r : m_.reactions) add(r, x, f, J);
  if (!m_.isothermal) add_energy(x, f, J);
}

double evaluator::energy(const double* x) {
  set_temperature(x[m_.size()]);
  double sum = 0;
  for (std::size_t k = 0; k < at_T_.size(); ++k) sum += x[k] * gas_constant * T_ * (at_T_[k].h - 1);
  return sum;
}

double evaluator::heat_capacity(const double* x) {
  set_temperature(x[m_.size()]);
  double sum = 0;
  for (std::size_t k = 0; k < at_T_.size(); ++k) sum += x[k] * gas_constant * (at_T_[k].cp - 1);
  return sum;
}

}  // namespace chemistry
