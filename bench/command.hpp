// The command line of talus-bench: the options as the user gave them, what they must agree on, where results
// go.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "measure/machine.hpp"
#include "measure/routines/description.hpp"
#include "report.hpp"

namespace talus::bench {

struct figure;

/// What the user may say, before it is understood.
struct options {
  std::string routine = "potrf", sizes, backend = "auto", uplo = "lower", csv, json;
  std::vector<std::string> precisions = {"d"}, regimes = {"fill"}, compare = {"all"};
  std::uint64_t bytes = 0;
  std::string table;
  int number = 0, nrhs = 1, repeats = 5, line = -1;

  // Of mixed sizes.
  std::vector<std::string> distributions = {"uniform"};
  std::string maxima, peers;
  std::int64_t batch = 3000;
  std::uint64_t seed = 1;

  std::set<std::string> given;            // names of the options that were said
  const bench::figure* figure = nullptr;  // of the paper, if one was asked for
};

/// The maxima of mixed sizes that are measured unless others are asked for.
constexpr const char* default_maxima = "32,64,128,256,512";

void declare(CLI::App& app, options& o);

/// What a figure fixes is filled in; what it lacks in this build, and what does not belong to the routine, is
/// refused.
options checked(const options& asked);

/// What is the same for all batches.
struct settings {
  talus::uplo uplo = talus::uplo::lower;
  talus::backend where = talus::backend::host;
  int nrhs = 1, repeats = 5;
  int table = 0, line = -1;  // on cuda: which table; which of its lines, -1: the one that serves n
  bool forces_line = false;  // table or line were asked for
  const bench::figure* figure = nullptr;
};
settings settings_of(const options& o);

struct outputs {
  std::unique_ptr<csv_file> csv;
  std::unique_ptr<json_file> json;

  void add(const std::vector<row>& rows) const {
    if (csv) csv->add(rows);
    if (json) json->add(rows);
  }
};

/// Measures the machine, says what it is, and opens the files.
machine begin(const options& o, backend where, const std::string& command, outputs& files);

/// On a terminal, what is being done stands in the line where the result will.
class progress_line {
 public:
  explicit progress_line(std::string name) : name_(std::move(name)) {}
  ~progress_line() { clear(); }
  void show(const std::string& words);
  void clear();

 private:
  std::string name_;
  bool shown_ = false;
};

// ---- who is compared -----------------------------------------------------------------------------

/// Every name that --compare may ask for, in the order of the table.
extern const std::vector<std::string> compare_names;

/// What is to be known of a routine to say who may be compared with it.
struct compared {
  std::string routine;
  bool mixed_sizes, has_tables;
  const peer* (*find)(std::string_view library);
};

/// Names behind --compare, each once; which of them cannot run, and why, is said.
std::vector<std::string> names_to_run(const std::vector<std::string>& compare, const compared& with,
                                      backend where, int nrhs);

/// Measures a routine; returns the exit status.
int run_routine(const options& o, const std::string& command);

}  // namespace talus::bench
