// What belongs to all results of a run: which machine, which build, which command.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "measure/machine.hpp"

namespace talus::measure {

/// In order: (name, value).
using facts = std::vector<std::pair<std::string, std::string>>;
facts facts_of(const machine& m, backend where, const std::string& command);

/// What was measured could not be written: a full disk, say.
struct write_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// As printf writes it.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// The words that are not empty, with a separator between them.
std::string joined(const std::vector<std::string>& words, const std::string& separator = "; ");

/// The parts between separators: always one more than there are separators.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace talus::measure
