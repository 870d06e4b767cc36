// From the options of a command to the measurements of a routine.
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "backends.hpp"
#include "figures/figures.hpp"
#include "measure/precisions.hpp"
#include "measure/program.hpp"
#include "measured.hpp"

namespace talus::bench {
namespace {

/// What is known of MAGMA elsewhere.
peer_times find_peers(const options& o, const machine& limits) {
  if (!o.peers.empty()) return read_peer_times(o.peers);
  peer_times all;
  if (o.where != backend::cuda || limits.name.find("H200") == std::string::npos) return all;
  for (const char* const name : {"/peers-h200.csv", "/peers-h200-trees.csv"}) {
    const std::string path = std::string(TALUS_SHARED_DATA) + name;
    if (!std::ifstream(path)) continue;
    const peer_times some = read_peer_times(path);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// Measures the machine, says what it is, and opens the files.
machine begin(const options& o, const std::string& command, results& files) {
  for (const auto& [option, path] : {std::pair{"--csv", o.csv}, std::pair{"--json", o.json}}) {
    if (!path.empty() && !std::ofstream(path, std::ios::app))
      throw usage_error(std::string(option) + ": cannot write '" + path + "'");
  }
  const machine limits = machine::measure(o.where);
  std::printf(
      "%s\n%s\nbandwidth %.1f GB/s, peak %.1f GFLOP/s in double, %.1f GFLOP/s in single, as measured now\n",
      limits.name.c_str(), limits.details.c_str(), limits.bandwidth * 1e-9, limits.peak_double * 1e-9,
      limits.peak_single * 1e-9);
  const facts about = facts_of(limits, o.where, command);
  if (!o.csv.empty()) files.csv = std::make_unique<csv_file>(o.csv, about);
  if (!o.json.empty()) files.json = std::make_unique<json_file>(o.json, limits, about);
  return limits;
}

}  // namespace

int run_routine(const options& asked, const std::string& command) {
  options o = asked;
  if (o.where == backend::cuda && !cuda::device_is_usable()) {
    std::fprintf(stderr, "--backend cuda: %s\n", strerror(err_no_cuda));
    return no_backend;
  }
  const auto measurement_in = [&](const std::string& precision) {
    std::unique_ptr<measurement> one;
    with_type(precision, [&](auto zero) { one = measurement_of<decltype(zero)>(o); });
    return one;
  };
  for (const std::string& precision : o.precisions) measurement_in(precision)->check();
  results files;
  const machine limits = begin(o, command, files);
  const peer_times known = find_peers(o, limits);

  bool right = true;
  const auto run_on = [&](const machine& here, const peer_times& peers, const std::string& precision) {
    right = measurement_in(precision)->run(here, peers, files) && right;
  };
  std::unique_ptr<machine> host;
  for (const std::string& precision : o.precisions) {
    run_on(limits, o.figure && o.where == backend::host ? peer_times{} : known, precision);
    if (!o.figure || o.figure->on_host.empty() || o.where == backend::host) continue;
    if (!host) host = std::make_unique<machine>(machine::measure(backend::host));
    o.where = backend::host;
    run_on(*host, {}, precision);
    o.where = backend::cuda;
  }
  std::printf("\n%s", table::legend());
  if (right) return fine;
  std::fprintf(stderr, "\n*** Talus failed or gave a WRONG result, see above. ***\n");
  return wrong;
}

}  // namespace talus::bench
