// What belongs to all results of a run: which machine, which build, which command.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "measure/machine.hpp"
#include "measure/text.hpp"

namespace talus::measure {

/// In order: (name, value).
using facts = std::vector<std::pair<std::string, std::string>>;
facts facts_of(const machine& m, backend where, const std::string& command);

/// What was measured could not be written: a full disk, say.
struct write_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace talus::measure
