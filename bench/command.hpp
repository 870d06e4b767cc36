// The command line of talus-bench: what the user asked for, and who can be compared.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "measure/routines/description.hpp"
#include "report.hpp"

namespace talus::bench {

struct figure;

/// What the user may say, and what it means.
struct options {
  std::string routine = "potrf", sizes, backend = "auto", uplo = "lower", csv, json;
  std::vector<std::string> precisions = {"d"}, regimes = {"fill"}, compare = {"all"};
  std::uint64_t bytes = 0;
  std::string table;
  int number = 0, nrhs = 1, repeats = 5, line = -1;

  // Of mixed sizes.
  std::vector<std::string> distributions = {"uniform"}, trees;
  std::string maxima, peers;
  std::int64_t batch = 3000;
  std::uint64_t seed = 1;

  std::set<std::string> given;            // names of the options that were said
  const bench::figure* figure = nullptr;  // of the paper, if one was asked for
  talus::backend where = talus::backend::host;

  bool is_lower() const { return uplo == "lower"; }
  bool forces_line() const { return line >= 0 || !table.empty(); }
};

/// The maxima of mixed sizes that are measured unless others are asked for.
constexpr const char* default_maxima = "32,64,128,256,512";

// ---- who is compared -----------------------------------------------------------------------------

/// What is to be known of a routine to say who may be compared with it.
struct compared {
  std::string routine;
  bool mixed_sizes, has_one_size, is_hermitian, has_tables;
  const peer* (*find)(std::string_view library);
};

/// Names behind --compare, or what a figure compares, each once; which of them cannot run, and why, is said.
std::vector<std::string> names_to_run(const options& o, const compared& with, int nrhs);

/// Measures a routine; returns the exit status.
int run_routine(const options& o, const std::string& command);

}  // namespace talus::bench
