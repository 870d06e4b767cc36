// The host's sweep: lanes against one by one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results.hpp"
#include "table.hpp"

namespace talus::tune {

/// The routine that has a table of the host.
extern const char* const host_routine;

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

/// Puts what was chosen for this machine's instruction set into the host's table, and says so.
void update_host_table(const std::string& path, const std::vector<measurement>& all,
                       const std::string& machine);

}  // namespace talus::tune
