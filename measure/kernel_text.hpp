// A line's kernel in words, for notes of results and files of measurements: "warp lanes=4 rows=2 tbc=8".
#pragma once

#include <string>
#include <variant>

#include "gpu/table.hpp"

namespace talus::measure {

/// The family's name and the parameters that are not 0.
template <class... Family>
std::string text_of(const std::variant<Family...>& kernel) {
  return std::visit(
      [](const auto& family) {
        std::string text = family.name;
        family.for_each_parameter(family, [&](const char* name, const auto& value) {
          if (value != 0) text += std::string(" ") + name + "=" + std::to_string(static_cast<int>(value));
        });
        return text;
      },
      kernel);
}

}  // namespace talus::measure
