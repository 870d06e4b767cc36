// What the commands of talus-bench share: the options as the user gave them, and where results go.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "machine.hpp"
#include "measure.hpp"
#include "report.hpp"

namespace talus::bench {

/// What the user may say, before it is understood.
struct options {
  std::string routine = "potrf", sizes, backend = "auto", uplo = "lower", csv, json;
  std::vector<std::string> precisions = {"d"}, regimes = {"fill"}, compare = {"all"};
  std::uint64_t bytes = 0;
  std::string table;
  int figure = 0, nrhs = 1, repeats = 5, line = -1;

  // Of potrf_vbatched.
  std::vector<std::string> distributions = {"uniform"};
  std::string maxima, peers;
  std::int64_t batch = 3000;
  std::uint64_t seed = 1;

  std::set<std::string> given;  // names of the options that were said
};

struct outputs {
  std::unique_ptr<csv_file> csv;
  std::unique_ptr<json_file> json;

  void add(const std::vector<row>& rows) const {
    if (csv) csv->add(rows);
    if (json) json->add(rows);
  }
};

/// What every command takes of the options as they are.
settings settings_of(const options& o);

/// Refuses files that cannot be written, before the minutes of measuring.
void check_files(const options& o);

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

/// talus-bench potrf_vbatched, and the figures of variable sizes. Returns the exit status.
int run_variable(const options& o, const std::string& command);

/// Refuses what potrf_vbatched does not understand.
void check_variable(const options& o);

/// Every name that --compare may ask for beside potrf_vbatched.
extern const std::vector<std::string> variable_peer_names;

/// The maxima that are measured unless others are asked for.
extern const char* const variable_maxima;

}  // namespace talus::bench
