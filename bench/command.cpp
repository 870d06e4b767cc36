#include "command.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <utility>

#include "program.hpp"

namespace talus::bench {

settings settings_of(const options& o) {
  settings s;
  s.figure = o.figure;
  s.routine = o.routine;
  s.uplo = o.uplo == "lower" ? talus::uplo::lower : talus::uplo::upper;
  s.nrhs = o.nrhs;
  s.repeats = o.repeats;
  s.line = o.line;
  s.where = o.backend == "auto" ? queue::best().where : o.backend == "cuda" ? backend::cuda : backend::host;
  return s;
}

void check_files(const options& o) {
  if (!o.json.empty() && !has_json)
    throw usage_error(
        "--json: this build writes no JSON, because nlohmann-json was not found when it was configured");
  for (const auto& [option, path] : {std::pair{"--csv", o.csv}, std::pair{"--json", o.json}}) {
    if (!path.empty() && !std::ofstream(path, std::ios::app))
      throw usage_error(std::string(option) + ": cannot write '" + path + "'");
  }
}

machine begin(const options& o, backend where, const std::string& command, outputs& files) {
  const machine limits = machine::measure(where);
  std::printf(
      "%s\n%s\nbandwidth %.1f GB/s, peak %.1f GFLOP/s in double, %.1f GFLOP/s in single, as measured now\n",
      limits.name.c_str(), limits.details.c_str(), limits.bandwidth * 1e-9, limits.peak_double * 1e-9,
      limits.peak_single * 1e-9);
  const facts about = facts_of(limits, where, command);
  if (!o.csv.empty()) files.csv = std::make_unique<csv_file>(o.csv, about);
  if (!o.json.empty()) files.json = std::make_unique<json_file>(o.json, limits, about);
  return limits;
}

void progress_line::show(const std::string& words) {
  if (!isatty(STDERR_FILENO)) return;
  std::fprintf(stderr, "\r\033[K%s: %s ...", name_.c_str(), words.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void progress_line::clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace talus::bench
