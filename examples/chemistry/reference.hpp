// One cell, integrated with nothing in common with integrate.hpp but the mechanism: the linearly implicit
// Euler method, extrapolated (Hairer and Wanner, Section IV.9), on LU of its own, to tolerances close to
// rounding.
#pragma once

#include <vector>

#include "mechanism.hpp"

namespace chemistry {

class reference {
 public:
  reference(const mechanism& m, std::vector<double> first, double first_step, double tolerance = 1e-9);

  /// Not backwards. Throws std::runtime_error where it finds no step small enough.
  void advance_to(double t);

  double time() const { return t_; }
  const std::vector<double>& state() const { return y_; }

 private:
  /// Extrapolates one step of length h; returns its error as a multiple of what is tolerated.
  double try_step(double h, std::vector<double>& next);

  evaluator evaluate_;
  std::vector<double> y_, smallest_;
  double t_ = 0, h_, tolerance_;
};

}  // namespace chemistry
