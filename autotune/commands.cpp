#include "commands.hpp"

#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "measure/facts.hpp"
#include "measure/program.hpp"
#include "talus/types.hpp"
#include "words.hpp"

namespace talus::tune {

namespace fs = std::filesystem;
using measure::usage_error;

std::string generic_path(const options& o) {
  return o.generic.empty() ? std::string(TALUS_AUTOTUNE_DIR) + "/tables/generic/" + o.routine + ".inc"
                           : o.generic;
}

std::string precisions_of(const options& o) {
  std::string all;
  for (const std::string& p : o.precisions) {
    if (all.find(p) == std::string::npos) all += p;
  }
  for (const char p : all) {
    if (std::string(built_precisions).find(p) == std::string::npos)
      throw usage_error(std::string("--precision: ") + p + " is not in this build (TALUS_PRECISIONS chose " +
                        built_precisions + ")");
  }
  return all.empty() ? built_precisions : all;
}

std::string tables_folder(const options& o, const std::string& gpu) {
  return o.out.empty() ? "autotune/tables/" + folder_name(gpu) : o.out;
}

std::string default_results(const options& o, const std::string& out) {
  if (!o.results.empty()) return o.results;
  const fs::path folder = fs::path(out).lexically_normal();
  const fs::path named = folder.has_filename() ? folder : folder.parent_path();
  if (named.parent_path().filename() == "tables")
    return (named.parent_path().parent_path() / "results" / named.filename() / (o.routine + ".csv")).string();
  return (named / (o.routine + ".csv")).string();
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

int no_gpu_here() {
  std::fprintf(stderr,
               "talus-tune: there is no usable GPU here (%s); --backend host tunes the CPU's threshold, "
               "--help shows what else works without one\n",
               strerror(err_no_cuda));
  return measure::no_backend;
}

workplace prepare(const options& o, const gpu_here& device, const table& generic,
                  const std::string& command) {
  workplace w;
  w.out = tables_folder(o, device.name);
  w.results = default_results(o, w.out);
  require_writable("--out", w.out);
  require_writable("--results", fs::path(w.results).parent_path());
  w.limits = measure::machine::measure(backend::cuda);
  w.about = measure::facts_of(w.limits, backend::cuda, command);
  w.about.insert(w.about.begin() + 1, {"capability", std::to_string(device.capability)});
  w.about.insert(w.about.begin() + 2, {"clocks", device.clocks});
  w.about.emplace_back("reference", fingerprint(generic));
  return w;
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

std::string folder_name(const std::string& gpu) {
  std::string name;
  for (const char c : gpu) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  for (const std::string prefix : {"nvidia_", "tesla_", "geforce_"}) {
    if (name.rfind(prefix, 0) == 0) name = name.substr(prefix.size());
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "gpu" : name;
}

std::string fingerprint(const table& t) {  // FNV-1a of what the lines say
  std::uint64_t hash = 14695981039346656037u;
  for (const table_line& line : t.lines) {
    for (const char c :
         line.precision + text_of_n(line.n_max()) + text_of_batch(line.batch_max) + describe(line.how))
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return formatted("%016llx", static_cast<unsigned long long>(hash));
}

earlier read_earlier(const options& o, const std::string& results, const facts& about,
                     const std::vector<std::string>& must_agree, const std::vector<std::string>& if_there) {
  earlier found;
  found.go_on = !o.fresh && fs::exists(results) && fs::file_size(results) > 0;
  if (!found.go_on) return found;
  found.measured = read_results(results);
  if (!value_of(found.measured.about, thinned).empty()) {
    std::printf("%s is what was left of a sweep: this one starts over\n", results.c_str());
    return {};
  }
  std::vector<std::string> all = must_agree;
  for (const std::string& fact : if_there) {
    if (!value_of(found.measured.about, fact).empty()) all.push_back(fact);
  }
  for (const std::string& fact : all) {
    const std::string then = value_of(found.measured.about, fact), now = value_of(about, fact);
    if (then != now)
      throw usage_error("--results: '" + results + "' was measured with another " + fact + " (" + then +
                        ", now " + now + "): --fresh starts over, --results FILE keeps it");
  }
  return found;
}

}  // namespace talus::tune
