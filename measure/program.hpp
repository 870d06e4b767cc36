// What the command-line programs have in common: exit statuses, and the way from argv to them.
#pragma once

#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>

#include "measure/command_line.hpp"
#include "measure/facts.hpp"
#include "talus/version.h"

namespace talus::measure {

enum exit_code { fine = 0, wrong = 1, bad_arguments = 2, no_backend = 3, unfinished = 4, lost_output = 5 };

/// The user asked for what is not possible: the message names the option and its value.
using usage_error = std::invalid_argument;

/// Parses the command line and calls run(command), which returns the exit status; `command` is the line
/// itself. What is thrown becomes a message and a status.
template <class Run>
int run_program(command_line& line, int argc, char** argv, Run run) {
  line.add_version(talus::configuration, "Print version, commit and how Talus was built");
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);  // a table in a pipe grows line by line, too
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  std::string command = line.program();
  for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
  try {
    const int status = run(command);
    if (status != fine || (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)) return status;
    throw write_error("standard output was lost");
  } catch (const usage_error& e) {
    std::fprintf(stderr, "%s\nRun with --help for more information.\n", e.what());
    return bad_arguments;
  } catch (const write_error& e) {
    std::fprintf(stderr, "%s: %s\n", line.program().c_str(), e.what());
    return lost_output;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", line.program().c_str(), e.what());
    return wrong;
  }
}

}  // namespace talus::measure
