// The mechanisms of examples/chemistry, their rates and Jacobians, and the integration of their cells.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "catch.hpp"
#include "checks.hpp"
#include "common/output_file.hpp"
#include "integrate.hpp"
#include "mechanism.hpp"
#include "memory.hpp"
#include "picture.hpp"
#include "problems.hpp"
#include "reference.hpp"
#include "temporary_file.hpp"

namespace {

using namespace chemistry;
using talus::test::test_queue;
#ifdef TALUS_HAVE_D
using real = double;
#else
using real = float;
#endif

bool close(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }

std::vector<double> rates(const mechanism& m, const std::vector<double>& x, double* J = nullptr) {
  std::vector<double> f(x.size());
  evaluator evaluate(m);
  evaluate(x.data(), f.data(), J);
  return f;
}

std::vector<problem> all_problems() {
  return {robertson(), hydrogen(), generated(21), generated(60), generated(144)};
}

/// A state in which everything is there, none as much as another.
std::vector<double> some_state(const mechanism& m, double T) {
  std::vector<double> x;
  for (int k = 0; k < m.size(); ++k) x.push_back(0.1 + 0.05 * (k * 7 % 11));
  if (!m.isothermal) x.push_back(T);
  return x;
}

/// Amounts in mol/m^3 of this gas by name.
double& of(std::vector<double>& x, const mechanism& m, const std::string& name) {
  return x[static_cast<std::size_t>(m.index(name))];
}

outcome integrate(const problem& p, std::int64_t cells, double tolerance, std::int64_t watched = 1) {
  accuracy a;
  a.relative = tolerance;
  return integration<real>(p, cells, watched, a, test_queue()).run();
}

/// One species that decays, or one that breeds, at rate 1: y = exp(-t), y = exp(t).
problem decay() {
  mechanism m;
  m.name = "decay";
  m.elements = {"A"};
  m.atomic_weights = {1};
  m.isothermal = true;
  m.all = {{"A", {1}, {}, {}}, {"B", {1}, {}, {}}};
  m.add("A => B", {1});
  return {m, 3, [](const mechanism&, std::int64_t) { return start{{1, 0}, ""}; }};
}
problem breeding() {
  problem p = decay();
  p.chemistry.all.pop_back();
  p.chemistry.reactions.clear();
  p.chemistry.add("A => A + A", {1});
  p.first = [](const mechanism&, std::int64_t) { return start{{1}, ""}; };
  return p;
}

}  // namespace

TEST_CASE("Robertson's rates and Jacobian, by hand", "[chemistry]") {
  const mechanism m = robertson().chemistry;
  std::vector<double> J(9);
  const std::vector<double> f = rates(m, {0.5, 2e-5, 0.25}, J.data());
  // 0.04 * 0.5 = 0.02, 3e7 * 4e-10 = 0.012, 1e4 * 2e-5 * 0.25 = 0.05
  CHECK(close(f[0], -0.02 + 0.05, 1e-14));
  CHECK(close(f[1], 0.02 - 0.012 - 0.05, 1e-14));
  CHECK(close(f[2], 0.012, 1e-14));
  const std::vector<double> expected = {-0.04, 0.04, 0, 2500, -2500 - 1200, 1200, 0.2, -0.2, 0};
  for (std::size_t e = 0; e < 9; ++e) CHECK(std::abs(J[e] - expected[e]) <= 1e-12 * std::abs(expected[e]));
}

TEST_CASE("the thermodynamics of hydrogen and oxygen are those of the tables", "[chemistry]") {
  // Heat of formation in kJ/mol and entropy in J/(mol K) at 298.15 K, NIST-JANAF.
  struct entry {
    const char* name;
    double heat, entropy;
  };
  const mechanism m = hydrogen().chemistry;
  for (const entry& e :
       {entry{"H2", 0, 130.68}, entry{"O2", 0, 205.15}, entry{"N2", 0, 191.61}, entry{"H2O", -241.83, 188.83},
        entry{"H", 218.0, 114.72}, entry{"O", 249.17, 161.06}}) {
    INFO(e.name);
    const thermodynamics one = at(m.all[static_cast<std::size_t>(m.index(e.name))], 298.15);
    CHECK(std::abs(1e-3 * gas_constant * 298.15 * one.h - e.heat) < 0.1);
    CHECK(std::abs(gas_constant * one.s - e.entropy) < 0.1);
  }
}

TEST_CASE("the rates of hydrogen and oxygen are those that Cantera computes", "[chemistry]") {
  // Cantera 3.2, h2o2.yaml without argon, at 2 atm, of H2:0.3 O2:0.2 H2O:0.1 H:0.02 O:0.03 OH:0.04 HO2:0.001
  // H2O2:0.002 N2:0.307; in mol/(m^3 s) and K/s.
  const mechanism m = hydrogen().chemistry;
  const std::vector<std::pair<std::string, double>> mixture = {
      {"H2", 0.3},  {"O2", 0.2},    {"H2O", 0.1},    {"H", 0.02},  {"O", 0.03},
      {"OH", 0.04}, {"HO2", 0.001}, {"H2O2", 0.002}, {"N2", 0.307}};
  struct entry {
    const char* name;
    double at_1500, at_900;
  };
  const entry expected[] = {
      {"H2", -17162328.91849047, -8318007.626131881},  {"H", 19242980.64787698, 17030153.37226916},
      {"O", -5604434.1479627825, -10596639.050913895}, {"O2", 3196442.9313700576, 11577493.220815137},
      {"OH", -15961083.72525367, -21707460.259447403}, {"H2O", 17000739.715044145, 11007532.610719066},
      {"HO2", 1130610.8111628643, -1156676.65999192},  {"H2O2", -2044664.663446768, 227466.7889978942}};
  for (const double T : {1500.0, 900.0}) {
    std::vector<double> x(m.all.size() + 1, T);
    for (const auto& [name, share] : mixture) of(x, m, name) = share * 2 * atmosphere / (gas_constant * T);
    const std::vector<double> f = rates(m, x);
    for (const entry& e : expected) {
      INFO(e.name << " at " << T << " K");
      CHECK(close(f[static_cast<std::size_t>(m.index(e.name))], T == 1500 ? e.at_1500 : e.at_900, 1e-9));
    }
    CHECK(f[static_cast<std::size_t>(m.index("N2"))] == 0);
    CHECK(close(f.back(), T == 1500 ? 3815784005.2569017 : 3857145390.470376, 1e-9));
  }
}

TEST_CASE("no reaction makes or loses atoms, and the rates keep mass, elements and energy", "[chemistry]") {
  for (const problem& p : all_problems()) {
    const mechanism& m = p.chemistry;
    INFO(m.name << " " << m.size());
    for (const reaction& r : m.reactions)
      for (std::size_t e = 0; e < m.elements.size(); ++e) {
        int made = 0;
        for (const auto& [s, nu] : r.change) made += nu * m.all[static_cast<std::size_t>(s)].atoms[e];
        CHECK(made == 0);
      }
    const std::vector<double> x = some_state(m, 1400), f = rates(m, x);
    for (std::size_t e = 0; e < m.elements.size(); ++e) {
      double sum = 0, size = 0;
      for (std::size_t k = 0; k < m.all.size(); ++k)
        sum += m.all[k].atoms[e] * f[k], size += m.all[k].atoms[e] * std::abs(f[k]);
      CHECK(std::abs(sum) <= 1e-12 * size);
    }
    if (m.isothermal) continue;
    std::vector<double> before = x, after = x;  // along f, a little: energy changes by what is not linear
    const double little = 1e-7 * x.back() / std::abs(f.back());
    for (std::size_t i = 0; i < x.size(); ++i) before[i] -= little * f[i], after[i] += little * f[i];
    evaluator evaluate(m);
    CHECK(std::abs(evaluate.energy(after.data()) - evaluate.energy(before.data())) <
          1e-6 * evaluate.heat_capacity(x.data()) * little * std::abs(f.back()));
  }
}

TEST_CASE("generated mechanisms have the species asked for, each of them reacting", "[chemistry]") {
  for (const int species : {fewest_generated, 22, 99, most_generated}) {
    const mechanism m = generated(species).chemistry;
    CHECK(m.size() == species);
    CHECK(m.order() == species + 1);
    std::vector<int> reactions(m.all.size(), 0);
    for (const reaction& r : m.reactions)
      for (const auto& change : r.change) ++reactions[static_cast<std::size_t>(change.first)];
    CHECK(*std::min_element(reactions.begin(), reactions.end() - 1) > 0);
    CHECK(reactions.back() == 0);  // the inert gas
    const mechanism again = generated(species).chemistry;
    CHECK(rates(m, some_state(m, 1500)) == rates(again, some_state(again, 1500)));
  }
}

TEST_CASE("Jacobians are the differences of rates", "[chemistry]") {
  for (const problem& p : all_problems())
    for (const double T : {800.0, 1700.0}) {
      const mechanism& m = p.chemistry;
      INFO(m.name << " " << m.size() << " at " << T << " K");
      std::vector<double> x = some_state(m, T);
      const std::size_t n = x.size();
      std::vector<double> J(n * n);
      rates(m, x, J.data());
      double worst = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const double middle = x[j], h = 3e-6 * middle;
        x[j] = middle + h;
        const std::vector<double> above = rates(m, x);
        x[j] = middle - h;
        const std::vector<double> below = rates(m, x);
        x[j] = middle;
        const auto compare = [&](std::size_t begin, std::size_t end) {  // rows of one unit
          double size = 0, difference = 0;
          for (std::size_t i = begin; i < end; ++i) {
            const double slope = J[i + j * n];
            size = std::max({size, std::abs(slope), std::abs(above[i] / middle)});
            difference = std::max(difference, std::abs(slope - (above[i] - below[i]) / (2 * h)));
          }
          if (size > 0) worst = std::max(worst, difference / size);
        };
        compare(0, m.all.size());
        compare(m.all.size(), n);
      }
      CHECK(worst < 1e-6);
    }
}

TEST_CASE("Robertson's problem comes to its published solution", "[chemistry]") {
  // To 40: Hairer and Wanner, Section IV.10, and scipy's Radau with a tolerance of 1e-12, which at 1e11
  // agrees with the solution of the Test Set for IVP Solvers.
  struct entry {
    double t, y[3];
  };
  const entry published[] = {{0.4, {0.9851721138610, 3.386395378975e-05, 1.479402218522e-02}},
                             {40, {0.7158270687194, 9.185534764559e-06, 0.2841637457458}},
                             {4e5, {4.938274520980e-03, 1.984994087954e-08, 0.9950617056291}},
                             {1e11, {2.083340149700e-08, 8.333360770330e-14, 0.9999999791665}}};
  problem p = robertson();
  reference right(p.chemistry, p.first(p.chemistry, 0).state, 1e-4);
  const double tolerance = sizeof(real) == 8 ? 1e-5 : 1e-3;
  for (const entry& e : published) {
    INFO("t = " << e.t);
    right.advance_to(e.t);
    p.end = e.t;
    const outcome all = integrate(p, 1, tolerance);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(close(right.state()[i], e.y[i], 1e-6));
      CHECK(close(all.states[i], e.y[i], 10 * tolerance));
    }
  }
}

TEST_CASE("hydrogen ignites when Cantera's does", "[chemistry]") {
  // Cantera 3.2, constant volume, 1000 K, 1 atm, equivalence ratio 0.5: 1400 K at 0.29583 ms, in the end
  // 2458.49 K.
  const problem p = hydrogen();
  const outcome all = integrate(p, 1, 1e-4);
  const history& h = all.histories[0];
  const std::size_t n = 10;
  std::size_t hot = 0;
  while (h.states[hot * n + n - 1] < 1400) ++hot;
  const double before = h.states[(hot - 1) * n + n - 1], after = h.states[hot * n + n - 1];
  const double delay =
      h.times[hot - 1] + (1400 - before) / (after - before) * (h.times[hot] - h.times[hot - 1]);
  CHECK(close(delay, 0.295826e-3, 2e-3));
  CHECK(close(all.states[n - 1], 2458.491, 1e-4));
  reference right(p.chemistry, p.first(p.chemistry, 0).state, 1e-8);
  right.advance_to(p.end);
  CHECK(close(right.state().back(), 2458.491, 1e-5));
}

TEST_CASE("a smaller tolerance gives a smaller error, and cells are not mixed up", "[chemistry]") {
  const problem p = decay();
  double last = 1;
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    const outcome all = integrate(p, 1, tolerance);
    const double error = std::abs(all.states[0] - std::exp(-3)) / std::exp(-3);
    CHECK(error < 5 * tolerance);
    CHECK(error < last);
    last = error;
  }
  // More cells than are under way at once: each is what it is alone.
  const problem h = hydrogen();
  problem one = h;
  one.first = [](const mechanism& m, std::int64_t) { return hydrogen().first(m, 5); };
  const outcome many = integrate(h, 40, 1e-3), alone = integrate(one, 1, 1e-3);
  const std::int64_t n = 10;
  CHECK(many.states.size() == 400);
  CHECK(deviation(h.chemistry, &many.states[5 * n], alone.states.data()) < 1e-6);
  CHECK(many.off.count == 0);
  CHECK(many.systems >= 5 * many.steps);  // five stages, each with one Newton step or more
}

TEST_CASE("a singular system repeats its time step, which then is shorter", "[chemistry]") {
  accuracy a;
  a.relative = std::ldexp(1, -10);
  a.floor = 0;
  a.first_step = 4;  // 1 - h gamma = 0
  problem p = breeding();
  p.end = 5;
  const outcome all = integration<real>(p, 3, 0, a, test_queue()).run();
  CHECK(all.singular == 3);
  CHECK(all.refused >= 3);
  CHECK(all.off.count == 0);
  for (const double y : all.states) CHECK(close(y, std::exp(5), 0.01));

  a.largest_refusals = 0;
  const outcome given_up = integration<real>(p, 2, 0, a, test_queue()).run();
  REQUIRE(given_up.off.count == 2);
  CHECK(given_up.off.lines[0].find("no time step is small enough at t = 0") != std::string::npos);
}

TEST_CASE("what is lost, and what leaves its reference, is found", "[chemistry]") {
  const problem p = hydrogen();
  outcome all = integrate(p, 3, 1e-4, 2);
  example::findings none, lost, away;
  CHECK(check_conservation(p, all, 1e-3, 1e-3, none).mass < 1e-3);
  CHECK(compare_with_reference(p, all, 1e-2, none).deviation > 0);
  CHECK(none.count == 0);

  all.states[10 + 5] *= 1.1;  // cell 1's water
  CHECK(check_conservation(p, all, 1e-3, 1e-3, lost).elements > 1e-3);
  REQUIRE(lost.count == 1);
  CHECK(lost.lines[0].compare(0, 8, "cell 1: ") == 0);

  all.histories[0].states.back() += 100;  // its temperature
  const comparison found = compare_with_reference(p, all, 1e-2, away);
  CHECK(close(found.deviation, 100 / 2458.5, 0.01));
  CHECK(away.count == 1);
  CHECK(found.curves.size() == 2);
  CHECK(found.curves[0].label == "1000 K, equivalence ratio 0.50");
}

TEST_CASE("a picture shows each panel, its curves and its dots", "[chemistry]") {
  const curve one = {"5 < 6 & 7", {{0, 1e-4, 1}, {1000, 1000, 2000}}, {{0.1, 1}, {1500, 2000}}};
  const std::string text = svg({{"first", 1, {one}}, {"second", 10, {one, one}}, {"empty", 1, {}}});
  const auto count = [&](const std::string& word) {
    int found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  CHECK(count("<circle") == 6);
  CHECK(count("5 &lt; 6 &amp; 7") == 3);
  CHECK(count(">first<") == 1);
  CHECK(count("nan") + count("inf") == 0);
  CHECK(count("<g") == count("</g>"));

  const talus::test::temporary_file file("");
  example::output_file("--picture", file.path()).write(text);
  std::ifstream in(file.path());
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == text);
  CHECK_THROWS(example::output_file("--picture", "/no/such/folder/picture.svg"));
}

TEST_CASE("a species that is not there is named", "[chemistry]") {
  mechanism m = robertson().chemistry;
  CHECK_THROWS_WITH(m.add("A = D", {1}), "Robertson has no species D");
}
