// The host's table, up to which n a batch is factored in SIMD lanes: read, checked, chosen from measurements,
// written.
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
std::vector<host_line> read_host_table(const std::string& path, std::vector<problem_found>& problems);
std::vector<problem_found> check_host_table(const std::string& path);
void write_host_table(const std::string& path, const std::vector<host_line>& lines);

/// The largest measured n up to which, in every regime, lanes are nowhere slower than one by one by more than
/// the noise; 0: they never win. `factor` gets how many times as fast they are there, in the worse regime.
int choose_lanes_n_max(const std::vector<measurement>& all, char precision, double& factor);

}  // namespace talus::tune
