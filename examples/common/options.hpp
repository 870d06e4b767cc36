// Options that the examples' command lines have in common, how their help shows them, and the way from argv
// to an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "common/program.hpp"

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

inline void add_backend_and_precision(CLI::App& app, const char* group, std::string& backend,
                                      std::string& precision) {
  add_option(app, group, "--backend", backend, "WHERE", "host, cuda, or auto: a GPU where there is one")
      ->check(CLI::IsMember({"auto", "host", "cuda"}));
  add_option(app, group, "--precision", precision, "P", "s (float) or d (double)")
      ->check(CLI::IsMember({"s", "d"}));
}

/// A whole program: describe(app) declares its options, run() does its work.
template <class Describe, class Run>
int run_command(const char* name, const char* description, int argc, char** argv, Describe describe,
                Run run) {
  CLI::App app(description);
  describe(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? all_fine : bad_input;
  }
  return run_program(name, run);
}

}  // namespace example
