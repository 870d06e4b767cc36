// Options that the examples' command lines have in common, how their help shows them, and the way from argv
// to an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "common/grid.hpp"
#include "common/program.hpp"
#include "talus/version.h"

namespace example {

/// In the help, an option shows the word for its value and its default; what may be given, its description
/// says. An empty value is refused: programs take an empty string for an option that was not given.
template <class Value>
CLI::Option* add_option(CLI::App& app, const char* group, const char* name, Value& value, const char* word,
                        const char* text) {
  const CLI::Validator not_empty([](std::string& given) { return given.empty() ? "its value is empty" : ""; },
                                 "");
  CLI::Option* option =
      app.add_option(name, value, text)->group(group)->capture_default_str()->check(not_empty);
  const std::string initial = option->get_default_str();
  return option->option_text(initial.empty() || initial == "0" ? word : word + (" [" + initial + "]"));
}

inline CLI::Validator is_grid() {
  return CLI::Validator(
      [](std::string& text) {
        grid size;
        return parse_grid(text, size) ? std::string()
                                      : "'" + text + "' is not NXxNY or NXxNYxNZ with numbers from 1 to " +
                                            std::to_string(grid_edge_max);
      },
      "NXxNYxNZ");
}

inline void add_version_flag(CLI::App& app, const char* group) {
  app.set_version_flag("--version", talus::configuration, "print how Talus was built")->group(group);
}

/// Where to run, and in what precision: options of every example.
struct common_options {
  std::string backend = "auto", precision = "d";
};

inline void add_common_options(CLI::App& app, const char* group, common_options& o) {
  add_option(app, group, "--backend", o.backend, "WHERE", "host, cuda, or auto: a GPU where there is one")
      ->check(CLI::IsMember({"auto", "host", "cuda"}));
  add_option(app, group, "--precision", o.precision, "P", "s (float) or d (double)")
      ->check(CLI::IsMember({"s", "d"}));
  add_version_flag(app, group);
}

/// A whole program whose options are declared: reads them, then run(T{}, q) works in the precision and on the
/// queue that they name.
template <class Run>
int run_command(CLI::App& app, int argc, char** argv, const common_options& o, Run run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? all_fine : bad_input;
  }
  return run_program(app.get_name(), [&] {
    const talus::queue q = chosen_queue(o.backend);
    return in_precision(o.precision, [&](auto zero) { return run(zero, q); });
  });
}

}  // namespace example
