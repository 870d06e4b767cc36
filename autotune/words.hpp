// Words from and for people: times as they write them, precisions by their letters; and the clock.
#pragma once

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure/facts.hpp"
#include "measure/precisions.hpp"

namespace talus::tune {

using measure::built_precisions, measure::formatted, measure::joined;

template <class Work>
void with_type(char precision, Work work) {
  measure::with_type(std::string(1, precision), work);
}

template <class Number>
std::string in_words(const std::vector<Number>& numbers) {
  std::vector<std::string> words;
  for (const Number number : numbers) words.push_back(std::to_string(number));
  return joined(words, " ");
}

/// Since any start.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// "90s", "20m", "1.5h", or seconds; anything else throws std::invalid_argument.
inline double parse_seconds(const std::string& text) {
  std::size_t digits = 0;
  double value = 0;
  try {
    value = std::stod(text, &digits);
  } catch (const std::exception&) {
    digits = 0;
  }
  const std::string unit = text.substr(digits);
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (digits == 0 || factor == 0 || !(value > 0) || !std::isfinite(value))
    throw std::invalid_argument("--budget: '" + text + "' is no time such as 90s, 20m or 1h");
  return value * factor;
}

}  // namespace talus::tune
