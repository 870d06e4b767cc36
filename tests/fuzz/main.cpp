// talus-fuzz: random calls of all routines, whose results plain loops check. A call prints nothing unless it
// fails. fuzz/call.hpp describes a call; the other files of fuzz/ describe the routines.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fuzz/draw.hpp"
#include "fuzz/fuzz.hpp"
#include "measure/precisions.hpp"
#include "measure/program.hpp"
#include "memory.hpp"

using namespace talus;

namespace {

using test::fuzz::announcement;
using test::fuzz::draw;
using test::fuzz::random_calls;

/// Returns the names of all routines, sorted.
std::vector<std::string> all_routines() {
  std::vector<std::string> names;
  for (const auto& [key, call] : random_calls()) {
    if (names.empty() || names.back() != key.first) names.push_back(key.first);
  }
  return names;
}

struct options {
  std::string backend = "host";
  std::vector<std::string> precisions, routines;
  std::uint64_t seed = 1;
  std::int64_t count = 0;
  double seconds = 10;
  bool verbose = false;
};

/// The element that a seed draws. The draws of one seed for different lists do not depend on each other.
const std::string& drawn(const std::vector<std::string>& all, std::uint64_t seed, std::uint64_t list) {
  std::seed_seq words{seed & 0xffffffff, seed >> 32, list};
  std::mt19937 generator(words);
  return all[generator() % all.size()];
}

int run(options& o) {
  if (o.precisions.empty()) {
    for (const char* p = measure::built_precisions; *p; ++p) o.precisions.emplace_back(1, *p);
  }
  if (o.routines.empty()) o.routines = all_routines();
  test::backend_under_test() = o.backend == "cuda" ? backend::cuda : backend::host;
  if (test::on_cuda() && queue::best().where != backend::cuda) {
    std::puts("skipped: no CUDA device");
    return measure::no_backend;
  }
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  constexpr int most_failures = 10;
  int failures = 0;
  std::uint64_t seed = o.seed;
  const auto is_last = [&] {
    if (o.count > 0) return seed - o.seed >= static_cast<std::uint64_t>(o.count);
    return std::chrono::duration<double>(clock::now() - start).count() >= o.seconds;
  };
  for (; !is_last() && failures < most_failures; ++seed) {
    const std::string &precision = drawn(o.precisions, seed, 0), &routine = drawn(o.routines, seed, 1);
    const std::string command = "talus-fuzz --backend " + o.backend + " --precision " + precision +
                                " --routine " + routine + " --seed " + std::to_string(seed) + " --count 1";
    try {
      draw random(seed);
      random_calls().at({routine, precision[0]})(random, [&](const std::string& call) {
        if (o.verbose) std::printf("%s\n  %s%s\n", command.c_str(), routine.c_str(), call.c_str());
      });
    } catch (const std::exception& e) {
      ++failures;
      std::printf("FAILED: %s\n  %s\n", command.c_str(), e.what());
    }
  }
  std::printf("%llu calls, %d failed\n", static_cast<unsigned long long>(seed - o.seed), failures);
  return failures == 0 ? measure::fine : measure::wrong;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  measure::command_line line(
      "Calls routines with random arguments and checks what they return and write: sizes, leading "
      "dimensions, strides, letters, illegal arguments, matrices that are singular or hold a NaN",
      "talus-fuzz");
  line.add("--backend", o.backend, "Where to run: host or cuda").one_of({"host", "cuda"}).shows_default();
  line.add("--precision", o.precisions, "Any of s,d,c,z (default: all that are built)")
      .one_of({"s", "d", "c", "z"})
      .between_commas();
  line.add("--routine", o.routines, "Routines such as getrf,gesv (default: all)")
      .one_of(all_routines())
      .between_commas()
      .shown_as("NAMES");
  line.add("--seed", o.seed, "Seed of the first call; each further call has the next seed").shows_default();
  auto count = line.add("--count", o.count, "Number of calls").positive();
  line.add("--seconds", o.seconds, "Time for which calls are made")
      .positive()
      .shows_default()
      .excludes(count);
  line.add_flag("--verbose", o.verbose, "Print each call before it runs, to find one that crashes");
  line.footer(
      "Examples:\n"
      "  talus-fuzz --seconds 600\n"
      "  talus-fuzz --backend cuda --routine getrf,gesv --precision s,d\n"
      "  talus-fuzz --precision d --routine getrf --seed 4711 --count 1\n"
      "Exit status: 0 all calls are right, 1 a call is wrong, 2 illegal arguments, 3 no CUDA device.");
  return measure::run_program(line, argc, argv, [&](const std::string&) { return run(o); });
}
