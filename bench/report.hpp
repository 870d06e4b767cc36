// Where results go: a table for people, CSV and JSON for programs. Each result is written when it is known.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "measure/facts.hpp"
#include "measure/machine.hpp"

namespace talus::bench {

using namespace measure;

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

/// The files that were asked for.
struct results {
  std::unique_ptr<csv_file> csv;
  std::unique_ptr<json_file> json;

  void add(const std::vector<row>& rows) {
    if (csv) csv->add(rows);
    if (json) json->add(rows);
  }
};

/// A library that talus is compared with, and what it is called.
struct column {
  std::string library, title;
};

/// One line per batch: talus, then for each of the others its time and how many times as fast talus is, or of
/// a ceiling which share of it talus reaches.
class table {
 public:
  /// `label`: of the first column, which tells the batches apart.
  table(std::string label, std::vector<column> columns)
      : label_(std::move(label)), columns_(std::move(columns)) {}
  std::string head() const;

  /// A library without a row shows a dash.
  std::string line(const std::string& name, const std::vector<row>& rows) const;

  /// Over all batches: a line per column, and one on the best of the others.
  std::string summary(const std::vector<std::vector<row>>& batches) const;
  static const char* legend();

 private:
  std::string label_;
  std::vector<column> columns_;
};

/// The rows of several batches that are worked on one after the other as one: of each library that has a row
/// in all of them, the sum of the times.
std::vector<row> sum_of(const std::vector<std::vector<row>>& batches);

/// How much faster talus is than the fastest of the others, ceilings and wrong results not counted; 0
/// without peers.
struct speed_up {
  int n = 0;
  double factor = 0;
  std::string peer;
};
speed_up speed_up_of(const std::vector<row>& rows);

/// Put into the note of a result that failed its check.
extern const char* const wrong_result;

}  // namespace talus::bench
