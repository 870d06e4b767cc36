// What pictures have in common.
#pragma once

#include <string>

namespace example {

/// Text as it has to stand in an SVG file.
inline std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

}  // namespace example
