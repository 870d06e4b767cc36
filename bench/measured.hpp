// A routine in one precision, to be measured. measured.cpp is compiled once per precision.
#pragma once

#include <memory>
#include <vector>

#include "command.hpp"
#include "measure/machine.hpp"
#include "report.hpp"

namespace talus::bench {

using peer_times = std::vector<peer_time>;

struct measurement {
  virtual ~measurement() = default;
  /// Throws if --sizes, --table or --line name something that the routine lacks.
  virtual void check() const = 0;
  /// Returns whether talus was right.
  virtual bool run(const measure::machine& limits, const peer_times& known, results& files) const = 0;
};

/// Measures the routine that the options name. The result refers to the options.
template <class T>
std::unique_ptr<measurement> measurement_of(const options& o);

}  // namespace talus::bench
