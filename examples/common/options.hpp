// Options that the examples' command lines have in common, how their help shows them, and the way from argv
// to an exit code.
#pragma once

#include <optional>
#include <string>

#include "common/command_line.hpp"
#include "common/grid.hpp"
#include "common/program.hpp"
#include "talus/version.h"

namespace example {

/// In the help, an option shows the word for its value and its default; what may be given, its description
/// says. An empty value is refused: programs take an empty string for an option that was not given.
template <class Value>
option add_option(command_line& line, const char* group, const char* name, Value& value, const char* word,
                  const char* text) {
  option added = line.add(name, value, text).in_group(group).shows_default();
  added.passes([](const std::string& given) { return given.empty() ? "its value is empty" : ""; });
  const std::string initial = added.default_text();
  return added.shown_as(initial.empty() || initial == "0" ? word : word + (" [" + initial + "]"));
}

inline std::string is_grid(const std::string& text) {
  grid size;
  if (parse_grid(text, size)) return "";
  return "'" + text + "' is not NXxNY or NXxNYxNZ with numbers from 1 to " + std::to_string(grid_edge_max);
}

inline void add_version_flag(command_line& line, const char* group) {
  line.add_version(talus::configuration, "print how Talus was built").in_group(group);
}

/// Where to run, and in what precision: options of every example.
struct common_options {
  std::string backend = "auto", precision = "d";
};

inline void add_common_options(command_line& line, const char* group, common_options& o) {
  add_option(line, group, "--backend", o.backend, "WHERE", "host, cuda, or auto: a GPU where there is one")
      .one_of({"auto", "host", "cuda"});
  add_option(line, group, "--precision", o.precision, "P", "s (float) or d (double)").one_of({"s", "d"});
  add_version_flag(line, group);
}

/// A whole program whose options are declared: reads them, then run(T{}, q) works in the precision and on the
/// queue that they name.
template <class Run>
int run_command(command_line& line, int argc, char** argv, const common_options& o, Run run) {
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  return run_program(line.program(), [&] {
    const talus::queue q = chosen_queue(o.backend);
    return in_precision(o.precision, [&](auto zero) { return run(zero, q); });
  });
}

}  // namespace example
