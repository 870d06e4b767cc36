// The host's table, up to which n a batch is factored in SIMD lanes: read and checked, chosen from
// measurements. talus-tune --backend host (commands.hpp) makes these, and writes it.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"
#include "table.hpp"

namespace talus::tune {

/// One line of the host's table.
struct host_line {
  char precision = 0;
  std::string isa;
  int n_max = 0;
  std::string evidence;
};

/// Whatever is wrong with it is reported.
std::vector<host_line> read_host_table(const std::string& path, std::vector<problem_found>& problems);

/// The largest measured n up to which, in every regime, lanes are nowhere slower than one by one by more than
/// the noise; 0: they never win. `factor` gets how many times as fast they are there, in the worse regime.
int choose_lanes_n_max(const std::vector<measurement>& all, char precision, double& factor);

}  // namespace talus::tune
