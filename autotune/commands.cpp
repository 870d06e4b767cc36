#include "commands.hpp"

#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "measure/facts.hpp"
#include "measure/program.hpp"
#include "words.hpp"

namespace talus::tune {

namespace fs = std::filesystem;
using measure::usage_error;

namespace {

/// Empty where the program is not installed.
fs::path installed_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = (program.parent_path() / TALUS_INSTALLED_AUTOTUNE_DIR).lexically_normal();
  return !program.empty() && fs::is_directory(folder, error) ? folder : fs::path();
}

}  // namespace

std::string autotune_folder() {
  const fs::path installed = installed_folder();
  return installed.empty() ? TALUS_AUTOTUNE_DIR : installed.string();
}

std::string tables_of_build() {
  const fs::path installed = installed_folder();
  return installed.empty() ? TALUS_TABLES_DIR : (installed / "tables").string();
}

std::string generic_path(const options& o) {
  return o.generic.empty() ? autotune_folder() + "/tables/generic/" + o.routine + ".inc" : o.generic;
}

std::string precisions_of(const options& o) {
  const std::string built = built_precisions;
  std::string all;
  for (const std::string& p : o.precisions) {
    if (all.find(p) == std::string::npos) all += p;
    if (built.find(p) == std::string::npos)
      throw usage_error("--precision: " + p + " is not in this build (TALUS_PRECISIONS chose " + built + ")");
  }
  return all.empty() ? built : all;
}

double budget_of(const options& o) { return o.budget.empty() ? 0 : parse_seconds(o.budget); }

std::string tables_folder(const options& o, const std::string& gpu) {
  return o.out.empty() ? "autotune/tables/" + folder_name(gpu) : o.out;
}

std::string results_path(const options& o, const std::string& out) {
  if (!o.results.empty()) return o.results;
  const fs::path folder = fs::path(out).lexically_normal();
  const fs::path named = folder.has_filename() ? folder : folder.parent_path(), above = named.parent_path();
  const bool is_of_tables = above.filename() == "tables";
  const fs::path beside = is_of_tables ? above.parent_path() / "results" / named.filename() : named;
  return (beside / (o.routine + ".csv")).string();
}

void require_writable(const std::string& option, const std::string& folder_path) {
  const fs::path folder = folder_path;
  std::error_code error;
  fs::create_directories(folder.empty() ? "." : folder, error);
  const fs::path probe = folder / ".talus-tune";
  const bool writable = !error && std::ofstream(probe);
  fs::remove(probe, error);
  if (!writable) throw usage_error(option + ": cannot write into '" + folder.string() + "'");
}

std::string folder_name(const std::string& gpu) {
  std::string name;
  for (const char c : gpu) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter))
      name += static_cast<char>(std::tolower(letter));
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  for (const std::string prefix : {"nvidia_", "tesla_", "geforce_"}) {
    if (name.rfind(prefix, 0) == 0) name = name.substr(prefix.size());
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "gpu" : name;
}

namespace {

/// Refuses to go on with measurements that were made under other facts.
void require_same(const facts& then, const facts& now, bool may_be_missing, const std::string& results) {
  for (const auto& [name, value] : now) {
    const std::string before = value_of(then, name);
    if (before == value || (before.empty() && may_be_missing)) continue;
    throw usage_error("--results: '" + results + "' was measured with another " + name + " (" + before +
                      ", now " + value + "): --fresh starts over, --results FILE keeps it");
  }
}

}  // namespace

workplace prepare(const options& o, const std::string& command, backend where, const std::string& out,
                  const facts& fixed, const facts& if_there) {
  const std::string results = results_path(o, out);
  require_writable("--out", out);
  require_writable("--results", fs::path(results).parent_path());
  const measure::machine limits = measure::machine::measure(where);
  facts about = measure::facts_of(limits, where, command);
  const facts of_machine = {about[0], about[1]};  // its name and its details
  about.insert(about.end(), fixed.begin(), fixed.end());
  for (const auto& [name, value] : about) {
    if (name != "command" && name != "date") std::printf("%s: %s\n", name.c_str(), value.c_str());
  }
  about.insert(about.end(), if_there.begin(), if_there.end());

  bool go_on = !o.fresh && fs::exists(results) && fs::file_size(results) > 0;
  recorded known;
  if (go_on) known = read_results(results);
  if (!value_of(known.about, thinned).empty()) {
    std::printf("%s is what was left of a sweep: this one starts over\n", results.c_str());
    go_on = false;
    known = {};
  }
  if (go_on) {
    require_same(known.about, of_machine, false, results);
    require_same(known.about, fixed, false, results);
    require_same(known.about, if_there, true, results);
  }
  std::printf("measurements go to %s%s\n", results.c_str(),
              go_on ? (", which holds " + std::to_string(known.all.size()) + " already").c_str() : "");
  return {results, limits, known.all, results_file(results, about, go_on)};
}

namespace {
volatile std::sig_atomic_t interrupted = 0;
void interrupt(int) { interrupted = 1; }
}  // namespace

void heed_interrupts() {
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
}
bool is_interrupted() { return interrupted != 0; }

void show(const std::string& words) {
  if (!isatty(STDERR_FILENO)) return;
  std::fprintf(stderr, "\r\033[K%s", words.c_str());
  std::fflush(stderr);
}
void say(const std::string& words) {
  show("");
  std::printf("%s\n", words.c_str());
}

}  // namespace talus::tune
