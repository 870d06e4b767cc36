// Where results go: a table for people, CSV and JSON for programs. Each result is written when it is known.
#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "machine.hpp"

namespace talus::bench {

/// One library at one size, as a line of the CSV file.
struct row {
  std::string library, routine, precision, regime;
  int m = 0, n = 0;
  std::int64_t batch = 0;
  double median_ms = 0, min_ms = 0, max_ms = 0, gflops = 0, roofline_fraction = 0;
  std::string note;
};

extern const char* const csv_header;
std::string csv_line(const row& r);

/// Facts that belong to all results of a run, in order: (name, value).
using facts = std::vector<std::pair<std::string, std::string>>;
facts facts_of(const machine& m, backend where, const std::string& command);

/// What was measured could not be written: a full disk, say.
struct write_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Opened before anything is measured; every row is on disk when add returns. Throws write_error where the
/// file cannot be written.
class csv_file {
 public:
  csv_file(const std::string& path, const facts& about);
  void add(const std::vector<row>& rows);

 private:
  std::string path_;
  std::ofstream file_;
};

constexpr bool has_json =
#ifdef TALUS_WITH_JSON
    true;
#else
    false;
#endif

/// The same rows and facts as one JSON document, rewritten with each call of add.
class json_file {
 public:
  json_file(std::string path, const machine& m, facts about);
  void add(const std::vector<row>& rows);

 private:
  void write() const;
  std::string path_;
  machine machine_;
  facts about_;
  std::vector<row> rows_;
};

/// One line per size: talus with its shares, then each library that it is compared with.
class table {
 public:
  explicit table(std::vector<std::string> libraries) : libraries_(std::move(libraries)) {}
  std::string head() const;
  std::string line(const std::vector<row>& rows) const;  // of one size; a library without a row shows a dash

 private:
  std::vector<std::string> libraries_;
};

/// The same for batches of variable size: one line per batch, talus, then for each of the others its time and
/// what talus makes of it: how many times as fast talus is, or for a practical ceiling (copy, groups,
/// classes) which share of it talus reaches.
class variable_table {
 public:
  struct column {
    std::string library, title;
  };
  /// `label`: of the first column, which tells the batches apart.
  variable_table(std::string label, std::vector<column> columns)
      : label_(std::move(label)), columns_(std::move(columns)) {}
  std::string head() const;
  std::string line(const std::string& name, const std::vector<row>& rows) const;
  std::string summary(const std::vector<std::vector<row>>& batches) const;  // a line per column

 private:
  std::string label_;
  std::vector<column> columns_;
};

/// The rows of several batches that are worked on one after the other as one: of each library that has a row
/// in all of them, the sum of the times.
std::vector<row> sum_of(const std::vector<std::vector<row>>& batches);

/// How much faster talus is than the fastest of the others, copy and wrong results not counted; 0 without
/// peers.
struct speed_up {
  int n = 0;
  double factor = 0;
  std::string peer;
};
speed_up speed_up_of(const std::vector<row>& rows);

/// One paragraph on a run of many sizes; empty if there was no peer.
std::string summary(const std::vector<speed_up>& speed_ups);

/// The words that are not empty, with a separator between them.
std::string joined(const std::vector<std::string>& words, const std::string& separator = "; ");

/// Put into the note of a result that failed its check.
extern const char* const wrong_result;

}  // namespace talus::bench
