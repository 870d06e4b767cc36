// The measurements that stand behind the lines of a GPU's table. Pure but for read_records().
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results.hpp"
#include "space.hpp"
#include "table.hpp"

namespace talus::tune {

/// Reads the measurements of one routine on one GPU: a file, or all such files in a folder and below. A file
/// that does not name its routine is of the routine that it is called after. Throws std::runtime_error if
/// `path` does not exist.
std::vector<recorded> read_records(const std::string& path, const routine& of, const std::string& gpu);

/// The measurements of one line's kernel in the line's box.
struct line_evidence {
  std::map<std::string, int> rows;  // by the commit that they were measured at
  measurement largest;              // of the largest n
  bool repeats_generic = false;     // the generic table has the same line, so the GPU's table claims nothing

  bool is_measured() const { return !rows.empty(); }
  bool is_missing() const { return rows.empty() && !repeats_generic; }
};

/// True if the point lies in the line's box and was measured with its kernel, whatever the line's schedule.
bool serves_with(const routine& of, const table_line& line, const measurement& m);

/// Finds the evidence of each line of a table. Equal sizes: measurements of the line's kernel at points that
/// the table selects the line for, or where the table has schedules, in the line's box. Mixed sizes: calls of at most batch_max matrices in which the line's kernel
/// served the line's box. Rows of a file without commit do not count.
std::vector<line_evidence> find_evidence(const routine& of, const table& t, const table& generic,
                                         const std::vector<recorded>& records);

/// A line in lists of lines without evidence: "h200/geqrf d upto(64, 24), any_batch: warp down=4 ...".
std::string name_of_line(const routine& of, const table& t, const table_line& line);

/// The comment of a line by its evidence, and by its price at today's table if `price` is not empty. Other
/// comments than "by hand" and "not measured" stay.
std::string comment_of(const table_line& line, const line_evidence& evidence, const std::string& price);

}  // namespace talus::tune
