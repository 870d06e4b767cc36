#include "problems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>

namespace chemistry {
namespace {

/// Points that fill the unit square evenly (the R2 sequence); cell 0 is its corner.
struct point {
  double u, v;
};
point of_cell(std::int64_t cell) {
  const auto c = static_cast<double>(cell);
  return {std::fmod(c * 0.7548776662466927, 1), std::fmod(c * 0.5698402909980532, 1)};
}

std::string label(const char* format, double a, double b) {
  char text[60];
  std::snprintf(text, sizeof text, format, a, b);
  return text;
}

/// Concentrations of a mixture whose amounts have these proportions, and its temperature.
std::vector<double> gas(double T, double pressure, std::vector<double> amounts) {
  double sum = 0;
  for (const double amount : amounts) sum += amount;
  for (double& amount : amounts) amount *= pressure / (gas_constant * T * sum);
  amounts.push_back(T);
  return amounts;
}

start robertson_cell(const mechanism&, std::int64_t cell) {
  const auto [u, v] = of_cell(cell);
  const double total = std::exp(u * std::log(4.0)), first = 1 - 0.5 * v;
  return {{total * first, 0, total * (1 - first)}, label("total %.3g, y1 %.3g", total, total * first)};
}

start hydrogen_cell(const mechanism& m, std::int64_t cell) {
  const auto [u, v] = of_cell(cell);
  const double T = 1000 + 400 * u, ratio = 0.5 + 1.5 * v;
  std::vector<double> amounts(m.all.size(), 0.0);
  const auto amount = [&](const char* name) -> double& {
    return amounts[static_cast<std::size_t>(m.index(name))];
  };
  amount("H2") = 2 * ratio, amount("O2") = 1, amount("N2") = 3.76;
  return {gas(T, atmosphere, amounts), label("%.0f K, equivalence ratio %.2f", T, ratio)};
}

/// Half of what is not inert is the first molecule of two atoms or more, half is the second one.
start generated_cell(const mechanism& m, std::int64_t cell) {
  const auto [u, v] = of_cell(cell);
  const double T = 1200 + 400 * u, inert = 0.5 + 0.3 * v;
  std::vector<double> amounts(m.all.size(), 0.0);
  amounts[3] = amounts[4] = (1 - inert) / 2;
  amounts.back() = inert;
  return {gas(T, atmosphere, amounts), label("%.0f K, %.0f %% inert", T, 100 * inert)};
}

/// As the literature prints it: in cm^3, mol, s and cal.
struct printed_reaction {
  const char* equation;
  double A, b, E;
  std::vector<std::pair<std::string, double>> efficiencies = {};
};

arrhenius in_metres(double A, double b, double E, std::size_t molecules) {
  return {A * std::pow(1e-6, static_cast<double>(molecules) - 1), b, E * 4.184 / gas_constant};
}

const std::vector<printed_reaction>& hydrogen_reactions() {
  static const std::vector<printed_reaction> all = {
      {"O + O + M = O2 + M", 1.2e17, -1, 0, {{"H2", 2.4}, {"H2O", 15.4}}},
      {"O + H + M = OH + M", 5e17, -1, 0, {{"H2", 2}, {"H2O", 6}}},
      {"O + H2 = H + OH", 3.87e4, 2.7, 6260},
      {"O + HO2 = OH + O2", 2e13, 0, 0},
      {"O + H2O2 = OH + HO2", 9.63e6, 2, 4000},
      {"H + O2 + M = HO2 + M", 2.8e18, -0.86, 0, {{"O2", 0}, {"H2O", 0}, {"N2", 0}}},
      {"H + O2 + O2 = HO2 + O2", 2.08e19, -1.24, 0},
      {"H + O2 + H2O = HO2 + H2O", 1.126e19, -0.76, 0},
      {"H + O2 + N2 = HO2 + N2", 2.6e19, -1.24, 0},
      {"H + O2 = O + OH", 2.65e16, -0.6707, 17041},
      {"H + H + M = H2 + M", 1e18, -1, 0, {{"H2", 0}, {"H2O", 0}}},
      {"H + H + H2 = H2 + H2", 9e16, -0.6, 0},
      {"H + H + H2O = H2 + H2O", 6e19, -1.25, 0},
      {"H + OH + M = H2O + M", 2.2e22, -2, 0, {{"H2", 0.73}, {"H2O", 3.65}}},
      {"H + HO2 = O + H2O", 3.97e12, 0, 671},
      {"H + HO2 = O2 + H2", 4.48e13, 0, 1068},
      {"H + HO2 = OH + OH", 8.4e13, 0, 635},
      {"H + H2O2 = HO2 + H2", 1.21e7, 2, 5200},
      {"H + H2O2 = OH + H2O", 1e13, 0, 3600},
      {"OH + H2 = H + H2O", 2.16e8, 1.51, 3430},
      {"OH + OH = O + H2O", 3.57e4, 2.4, -2110},
      {"OH + HO2 = O2 + H2O", 1.45e13, 0, -500},
      {"OH + H2O2 = HO2 + H2O", 2e12, 0, 427},
      {"OH + H2O2 = HO2 + H2O", 1.7e18, 0, 29410},
      {"HO2 + HO2 = O2 + H2O2", 1.3e11, 0, -1630},
      {"HO2 + HO2 = O2 + H2O2", 4.2e14, 0, 12000},
      {"OH + HO2 = O2 + H2O", 5e15, 0, 17330},
  };
  return all;
}

// NASA's polynomials: (atoms of H, O, N), below 1000 K, above.
const std::vector<species>& hydrogen_species() {
  static const std::vector<species> all = {
      {"H2",
       {2, 0, 0},
       {2.34433112, 7.98052075e-03, -1.9478151e-05, 2.01572094e-08, -7.37611761e-12, -917.935173,
        0.683010238},
       {3.3372792, -4.94024731e-05, 4.99456778e-07, -1.79566394e-10, 2.00255376e-14, -950.158922,
        -3.20502331}},
      {"H",
       {1, 0, 0},
       {2.5, 7.05332819e-13, -1.99591964e-15, 2.30081632e-18, -9.27732332e-22, 25473.6599, -0.446682853},
       {2.50000001, -2.30842973e-11, 1.61561948e-14, -4.73515235e-18, 4.98197357e-22, 25473.6599,
        -0.446682914}},
      {"O",
       {0, 1, 0},
       {3.1682671, -3.27931884e-03, 6.64306396e-06, -6.12806624e-09, 2.11265971e-12, 29122.2592, 2.05193346},
       {2.56942078, -8.59741137e-05, 4.19484589e-08, -1.00177799e-11, 1.22833691e-15, 29217.5791,
        4.78433864}},
      {"O2",
       {0, 2, 0},
       {3.78245636, -2.99673416e-03, 9.84730201e-06, -9.68129509e-09, 3.24372837e-12, -1063.94356,
        3.65767573},
       {3.28253784, 1.48308754e-03, -7.57966669e-07, 2.09470555e-10, -2.16717794e-14, -1088.45772,
        5.45323129}},
      {"OH",
       {1, 1, 0},
       {3.99201543, -2.40131752e-03, 4.61793841e-06, -3.88113333e-09, 1.3641147e-12, 3615.08056,
        -0.103925458},
       {3.09288767, 5.48429716e-04, 1.26505228e-07, -8.79461556e-11, 1.17412376e-14, 3858.657, 4.4766961}},
      {"H2O",
       {2, 1, 0},
       {4.19864056, -2.0364341e-03, 6.52040211e-06, -5.48797062e-09, 1.77197817e-12, -30293.7267,
        -0.849032208},
       {3.03399249, 2.17691804e-03, -1.64072518e-07, -9.7041987e-11, 1.68200992e-14, -30004.2971, 4.9667701}},
      {"HO2",
       {1, 2, 0},
       {4.30179801, -4.74912051e-03, 2.11582891e-05, -2.42763894e-08, 9.29225124e-12, 294.80804, 3.71666245},
       {4.0172109, 2.23982013e-03, -6.3365815e-07, 1.1424637e-10, -1.07908535e-14, 111.856713, 3.78510215}},
      {"H2O2",
       {2, 2, 0},
       {4.27611269, -5.42822417e-04, 1.67335701e-05, -2.15770813e-08, 8.62454363e-12, -17702.5821,
        3.43505074},
       {4.16500285, 4.90831694e-03, -1.90139225e-06, 3.71185986e-10, -2.87908305e-14, -17861.7877,
        2.91615662}},
      {"N2",
       {0, 0, 2},
       {3.298677, 1.4082404e-03, -3.963222e-06, 5.641515e-09, -2.444854e-12, -1020.8999, 3.950372},
       {2.92664, 1.4879768e-03, -5.68476e-07, 1.0097038e-10, -6.753351e-15, -922.7977, 5.980528}},
  };
  return all;
}

/// What molecules that are made up win with each atom, in J/mol, and how far from it one of them may be: less
/// than half as far, so that to take an atom on always gives heat.
constexpr double bond = 300e3, spread = 100e3;

species made_up(const std::string& name, const std::vector<int>& atoms, double enthalpy) {
  int all = 0;
  for (const int number : atoms) all += number;
  const double cp = 2.5 + 1.3 * (all - 1), entropy = 14 + 5 * std::sqrt(all - 1.0);  // at 298 K
  const std::array<double, 7> a = {
      cp, 0, 0, 0, 0, enthalpy / gas_constant - 298 * cp, entropy - cp * std::log(298.0)};
  return {name, atoms, a, a};
}

using formula = std::array<int, 3>;

std::string name_of(const formula& atoms) {
  static constexpr const char* elements[] = {"X", "Y", "Z"};
  std::string name;
  for (std::size_t e = 0; e < 3; ++e)
    if (atoms[e] > 0) name += elements[e] + (atoms[e] > 1 ? std::to_string(atoms[e]) : std::string());
  return name;
}

}  // namespace

problem robertson() {
  mechanism m;
  m.name = "Robertson";
  m.elements = {"A"};
  m.atomic_weights = {1};
  m.isothermal = true;
  for (const char* name : {"A", "B", "C"}) m.all.push_back({name, {1}, {}, {}});
  m.add("A => B", {0.04});
  m.add("B + B => C + B", {3e7});
  m.add("B + C => A + C", {1e4});
  return {m, 1e11, robertson_cell};
}

problem hydrogen() {
  mechanism m;
  m.name = "hydrogen in air";
  m.elements = {"H", "O", "N"};
  m.atomic_weights = {1.008, 15.999, 14.007};
  m.all = hydrogen_species();
  for (const printed_reaction& p : hydrogen_reactions()) {
    reaction& r = m.add(p.equation, {}, p.efficiencies);
    r.rate = in_metres(p.A, p.b, p.E, r.from.size() + (r.third_body.empty() ? 0 : 1));
  }
  reaction& r = m.add("OH + OH + M = H2O2 + M", in_metres(7.4e13, -0.37, 0, 2), {{"H2", 2}, {"H2O", 6}});
  r.troe = falloff{in_metres(2.3e18, -0.9, -1700, 3), 0.7346, 94, 1756, 5182};
  return {m, 1e-3, hydrogen_cell};
}

problem generated(int species_count) {
  std::mt19937_64 random(static_cast<std::uint64_t>(species_count));
  const auto between = [&](double least, double largest) {  // the same everywhere
    return least + (largest - least) * std::ldexp(static_cast<double>(random() >> 11), -53);
  };
  const auto any = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };

  mechanism m;
  m.name = std::to_string(species_count) + " species, generated";
  m.elements = {"X", "Y", "Z", "inert"};
  m.atomic_weights = {12, 1, 16, 28};
  std::vector<formula> formulas;  // the smallest molecules first
  std::map<formula, std::size_t> found;
  for (int atoms = 1; m.size() + 1 < species_count; ++atoms)
    for (int x = atoms; x >= 0; --x)
      for (int y = atoms - x; y >= 0 && m.size() + 1 < species_count; --y) {
        const formula f = {x, y, atoms - x - y};
        found[f] = formulas.size();
        formulas.push_back(f);
        m.all.push_back(made_up(name_of(f), {f[0], f[1], f[2], 0},
                                -(atoms - 1) * bond + (atoms > 1 ? between(-spread, spread) : 0)));
      }
  m.all.push_back(made_up("inert", {0, 0, 0, 1}, 0));

  const auto enthalpy = [&](std::size_t k) { return at(m.all[k], 298).h; };
  /// Towards less enthalpy, so that no rate constant of the other direction is beyond what is physical.
  const auto add = [&](std::vector<std::size_t> from, std::vector<std::size_t> to, const arrhenius& rate,
                       const std::string& third_body) {
    double change = 0;
    for (const std::size_t k : from) change -= enthalpy(k);
    for (const std::size_t k : to) change += enthalpy(k);
    if (change > 0) std::swap(from, to);
    const auto side = [&](const std::vector<std::size_t>& molecules) {
      std::string text;
      for (const std::size_t k : molecules) text += (text.empty() ? "" : " + ") + m.all[k].name;
      return text + third_body;
    };
    m.add(side(from) + " = " + side(to), rate);
  };
  for (std::size_t a = 0; a < formulas.size(); ++a)
    for (int made = 0, tries = 0; made < 4 && tries < 100; ++tries) {
      const std::size_t e = any(3), b = any(formulas.size());
      formula less = formulas[a], more = formulas[b];
      --less[e], ++more[e];  // a gives an atom away: to b, or in the first reaction to nobody
      const auto rest = found.find(less), with = found.find(more);
      if (rest == found.end()) continue;
      formula atom = {0, 0, 0};
      atom[e] = 1;
      const double Ta = between(0, 60e3) / gas_constant;
      if (made == 0)
        add({rest->second, found[atom]}, {a}, {std::pow(10, between(2, 4)), -0.5, 0}, " + M"), ++made;
      else if (with != found.end() && rest->second != b)
        add({a, b}, {rest->second, with->second}, {std::pow(10, between(6, 8)), 0, Ta}, ""), ++made;
    }
  return {m, 1e-2, generated_cell};
}

}  // namespace chemistry
