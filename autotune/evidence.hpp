// The measurements (records) of the lines of a GPU's table. Pure except read_records().
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results.hpp"
#include "space.hpp"
#include "table.hpp"

namespace talus::tune {

/// Reads the measurements of one routine on one GPU: a file, or all such files in a folder and below. If a
/// file does not name its routine, the file's own name does. Throws std::runtime_error if `path` does not
/// exist.
std::vector<recorded> read_records(const std::string& path, const routine& of, const std::string& gpu);

/// The measurements of one line's kernel in the line's box.
struct line_evidence {
  std::map<std::string, int> rows;  // number of measurements, by commit
  measurement largest;              // the measurement with the largest n
  bool repeats_generic = false;     // the generic table has the same line, which needs no record

  bool is_measured() const { return !rows.empty(); }
  bool is_missing() const { return rows.empty() && !repeats_generic; }
};

/// True if the point lies in the line's box and was measured with its kernel, whatever the line's schedule.
bool serves_with(const routine& of, const table_line& line, const measurement& m);

/// Finds the evidence of each line of a table. Equal sizes: measurements of the line's kernel at points for
/// which the table selects the line; if the table has schedules, at all points in the line's box. Mixed
/// sizes: calls of at most batch_max matrices in which the line's kernel served its box. Rows without a
/// commit do not count.
std::vector<line_evidence> find_evidence(const routine& of, const table& t, const table& generic,
                                         const std::vector<recorded>& records);

/// Returns a line as lists of unmeasured lines have it:
/// "h200/geqrf d upto(64, 24), any_batch: warp down=4 ...".
std::string name_of_line(const routine& of, const table& t, const table_line& line);

/// Returns the comment of a line: `price`, its price at today's table, unless it is empty. Otherwise the
/// evidence replaces comments that are empty, "by hand" or "not measured", and if the line is measured also
/// comments that begin with these words. All other comments stay.
std::string comment_of(const table_line& line, const line_evidence& evidence, const std::string& price);

}  // namespace talus::tune
