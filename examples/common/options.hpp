// Options that the examples' command lines have in common, and how their help shows them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace example {

/// In the help, an option shows the word for its value and its default; what may be given, its description
/// says.
template <class Value>
CLI::Option* add_option(CLI::App& app, const char* group, const char* name, Value& value, const char* word,
                        const char* text) {
  CLI::Option* option = app.add_option(name, value, text)->group(group)->capture_default_str();
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

}  // namespace example
