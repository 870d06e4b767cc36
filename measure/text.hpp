// Joins and splits words, and formats numbers.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace talus::measure {

/// Formats values like printf.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// Joins the words that are not empty.
std::string joined(const std::vector<std::string>& words, const std::string& separator = "; ");

/// Splits a text at each separator. N separators make N + 1 parts.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace talus::measure
