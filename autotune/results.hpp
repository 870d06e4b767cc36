// What was measured, one line of a CSV file per candidate, written when it is known: a run that was killed
// goes on where it stopped.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "kernel.hpp"

namespace talus::tune {

enum class outcome {
  ok,      // measured in turn with the reference
  slow,    // one run was enough to see that it will not win
  failed,  // did not launch
  wrong    // gave a wrong result
};

/// Extents that differ from the routine's usual squares and usual number of right-hand sides. 0: as usual.
struct shape {
  int m = 0, k = 0, nrhs = 0;
};
bool operator==(const shape& a, const shape& b);
bool operator<(const shape& a, const shape& b);

/// "64", "256x64" for m x n, "64 nrhs=8", "64 k=16", as records and reports have it.
std::string text_of(int n, const shape& of);

/// One candidate at one point.
struct measurement {
  char precision = 0;
  std::string regime;
  int n = 0;
  shape of;
  std::int64_t batch = 0;
  kernel how;
  outcome result = outcome::ok;
  double median_ms = 0, min_ms = 0, max_ms = 0;
  double reference_ms = 0;  // median of the generic table's kernel, measured in turn with this one
  std::string why;          // of a failure; in a thinned file, of a reference: its noise
  std::string commit;       // the last one that the file names above this line, or empty

  /// From seconds of its own runs and of the reference's.
  void take_times(const std::vector<double>& own, const std::vector<double>& reference);

  /// Time over the reference's: what candidates are compared by, since it does not drift with the clock.
  double ratio() const { return median_ms / reference_ms; }
};

/// Facts of the run that stand at the head of the file: (name, value).
using facts = std::vector<std::pair<std::string, std::string>>;

/// The fact that a file was thinned , and how a reference's noise is written then.
inline const char* const thinned = "thinned";
inline const std::string noise_words = "noise ";

struct recorded {
  facts about;
  std::vector<measurement> all;
};

/// Reads a results file. A last line that was cut short is left out; any other line that cannot be understood
/// throws std::runtime_error with its number.
recorded read_results(const std::string& path);

std::string value_of(const facts& about, const std::string& name);  // empty if there is none
inline bool is_thinned(const recorded& r) { return !value_of(r.about, thinned).empty(); }

/// Writes results as they come. An existing file is gone on with, after a line that was cut short has been
/// taken away; throws std::runtime_error where that is not possible.
class results_file {
 public:
  results_file(const std::string& path, const facts& about, bool go_on);
  void add(const measurement& m);

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace talus::tune
