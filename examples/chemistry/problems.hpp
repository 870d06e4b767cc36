// The jobs: a mechanism, cells that each start at a temperature and a composition of their own, and for how
// long.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mechanism.hpp"

namespace chemistry {

constexpr int fewest_generated = 21, most_generated = 144;

/// Where a cell starts.
struct start {
  std::vector<double> state;
  std::string label;
};

struct problem {
  mechanism chemistry;
  double end;                                           ///< seconds, from 0
  start (*first)(const mechanism&, std::int64_t cell);  ///< the same cell whatever their number
};

/// H. H. Robertson, "The solution of a set of reaction rate equations", in J. Walsh (ed.), Numerical
/// Analysis: An Introduction, Academic Press 1966: three species, rate constants 0.04, 3e7 and 1e4. Cell 0
/// is the problem of the literature, y = (1, 0, 0); in the others the whole amount differs, and so does
/// what is there at first.
problem robertson();

/// Hydrogen in air igniting at constant volume: the reactions of H, O and N2 in GRI-Mech 3.0 (G. P. Smith,
/// D. M. Golden, M. Frenklach et al., http://combustion.berkeley.edu/gri-mech), as Cantera's h2o2.yaml has
/// them, without argon. Cells start at 1 atm, 1000 to 1400 K and equivalence ratios from 0.5 to 2.
problem hydrogen();

/// A mechanism of no real substance, but built as real ones are: molecules of three elements and an inert
/// gas, every one exchanging atoms with others in reversible reactions and falling apart on third bodies.
/// fewest_generated <= species <= most_generated; the same number gives the same mechanism everywhere.
problem generated(int species);

}  // namespace chemistry
