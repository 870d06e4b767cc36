// Words joined, lists split, numbers as printf writes them.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace talus::measure {

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
