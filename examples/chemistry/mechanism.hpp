// What reacts with what, and how fast: species with their thermodynamics, reactions with their rate
// constants, and from them the rates of change and their Jacobian in one cell of constant volume.
//
//   unknowns   x = (c_1, ..., c_s, T): concentrations in mol/m^3 and the temperature in K
//   species    dc_k/dt = sum over reactions r of nu_kr omega_r
//   energy     dT/dt = -sum u_k dc_k/dt / sum c_k cv_k     (no heat comes in, no work is done)
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace chemistry {

constexpr double gas_constant = 8.31446261815324;  // J / (mol K)
constexpr double atmosphere = 101325;              // Pa

struct species {
  std::string name;
  std::vector<int> atoms;           ///< of each element
  std::array<double, 7> low, high;  ///< NASA's polynomials, below and above middle
  double middle = 1000;
};

/// Without dimension, at one temperature: cp / R, its slope per K, h / (R T), s / R.
struct thermodynamics {
  double cp, cp_slope, h, s;
};
thermodynamics at(const species& one, double T);

/// k(T) = A T^b exp(-Ta / T), in mol, m^3, s and K
struct arrhenius {
  double A, b = 0, Ta = 0;
  double at(double T) const;
  double slope(double T) const { return (b + Ta / T) / T; }  ///< d ln k / dT
};

/// How Troe's rate constant falls from its limit at high pressure to `low` times the third bodies.
struct falloff {
  arrhenius low;
  double a, T3, T1, T2;
};

struct reaction {
  std::vector<int> from, to;                ///< species, one entry for each molecule
  std::vector<std::pair<int, int>> change;  ///< molecules of a species that one event makes; those not 0
  arrhenius rate;                           ///< at high pressure, if there is a falloff
  bool reversible = true;
  std::vector<double> third_body;  ///< each species' efficiency; empty: no third body takes part
  std::optional<falloff> troe;
};

struct mechanism {
  std::string name;
  std::vector<std::string> elements;
  std::vector<double> atomic_weights;  ///< in g/mol, of the elements
  std::vector<species> all;
  std::vector<reaction> reactions;
  bool isothermal = false;  ///< then the temperature is no unknown, and rate constants are those at 1 K

  int size() const { return static_cast<int>(all.size()); }
  int order() const { return size() + (isothermal ? 0 : 1); }
  int index(const std::string& species_name) const;  ///< throws std::invalid_argument if there is none
  double molar_mass(int k) const;                    ///< in g/mol

  /// "H + O2 = O + OH"; "=>" for one direction only; "+ M" on both sides for a third body. Third bodies have
  /// efficiency 1 where none is given.
  reaction& add(const std::string& equation, const arrhenius& rate,
                const std::vector<std::pair<std::string, double>>& efficiencies = {});
};

/// The right-hand side and its Jacobian. Has memory of its own: one for each thread.
class evaluator {
 public:
  explicit evaluator(const mechanism& m);

  /// f = dx/dt; J = df/dx, column-major with leading dimension order(), unless it is null.
  void operator()(const double* x, double* f, double* J);

  double energy(const double* x);         ///< sum c_k u_k, in J/m^3
  double heat_capacity(const double* x);  ///< sum c_k cv_k, in J/(m^3 K)

 private:
  /// k in both directions, d ln k / dT of each and, of a falloff, d ln k / dM of both.
  struct constants {
    double forward, reverse, forward_slope, reverse_slope, by_third_body;
  };
  constants constants_of(const reaction& r, double M) const;
  void add(const reaction& r, const double* c, double* f, double* J) const;
  void add_energy(const double* x, double* f, double* J) const;
  void set_temperature(double T);

  const mechanism& m_;
  double T_ = 1;
  std::vector<thermodynamics> at_T_;
};

}  // namespace chemistry
