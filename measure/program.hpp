// What the command-line programs have in common: exit statuses, and the way from argv to them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "measure/completion.hpp"
#include "measure/facts.hpp"
#include "talus/version.h"

namespace talus::measure {

enum exit_code { fine = 0, wrong = 1, bad_arguments = 2, no_backend = 3, unfinished = 4, lost_output = 5 };

/// The user asked for what is not possible: the message names the option and its value.
using usage_error = std::invalid_argument;

/// What every program can say of itself; completion is for the build, which installs it.
inline void add_program_options(CLI::App& app) {
  app.set_version_flag("--version", talus::configuration, "Print version, commit and how Talus was built");
  const auto print = [&app](const std::string& shell) {
    std::printf("%s", completion(app, shell).c_str());
    throw CLI::Success();
  };
  app.add_option_function<std::string>("--completion", print)
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->group("");
}

/// Parses the command line and calls run(command), which returns the exit status; `command` is the line
/// itself. What is thrown becomes a message and a status.
template <class Run>
int run_program(CLI::App& app, int argc, char** argv, Run run) {
  add_program_options(app);
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);  // a table in a pipe grows line by line, too
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? fine : bad_arguments;
  }
  std::string command = app.get_name();
  for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
  try {
    const int status = run(command);
    if (status != fine || (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)) return status;
    throw write_error("standard output was lost");
  } catch (const usage_error& e) {
    std::fprintf(stderr, "%s\nRun with --help for more information.\n", e.what());
    return bad_arguments;
  } catch (const write_error& e) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), e.what());
    return lost_output;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), e.what());
    return wrong;
  }
}

}  // namespace talus::measure
