// The host's one parameter: up to which n a batch is factored in SIMD lanes. Measured, chosen, written like
// the GPU's tables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results.hpp"
#include "table.hpp"

namespace talus::tune {

struct host_plan {
  std::string precisions = "d";
  std::vector<std::string> regimes = {"fill"};
  std::vector<int> sizes = {32,  48,  64,  80,  96,  112, 128, 160, 192, 224,
                            256, 288, 320, 352, 384, 416, 448, 480, 512};
};

/// Measures both ways in turn at every size and regime. What `all` holds already is not measured again.
/// False: stopped.
bool sweep_host(const host_plan& plan, std::vector<measurement>& all,
                const std::function<void(const measurement&)>& add,
                const std::function<void(const std::string&)>& say, const std::function<bool()>& stop);

/// The largest measured n up to which, in every regime, lanes are nowhere slower than one by one by more than
/// the noise; 0: they never win. `factor` gets how many times as fast they are there, in the worse regime.
int choose_lanes_n_max(const std::vector<measurement>& all, char precision, double& factor);

/// Puts what was chosen for this machine's instruction set into the host's table, and says so.
void write_host_table(const std::string& path, const std::vector<measurement>& all,
                      const std::string& machine);

/// One line of the host's table.
struct host_line {
  char precision = 0;
  std::string isa;
  int n_max = 0;
  std::string evidence;
};
std::vector<host_line> read_host_table(const std::string& path, std::vector<problem_found>& problems);
std::vector<problem_found> check_host_table(const std::string& path);

}  // namespace talus::tune
