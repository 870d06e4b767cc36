// Where matrices differ in size: which calls are one launch for all sizes, by which kernel; and the classes
// of sizes that the others are divided into. The kernels are those that the sweep of equal sizes found to be
// the fastest: a few are tried for one launch; of classes only the borders are looked for, fine to coarse.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "results.hpp"
#include "space.hpp"
#include "table.hpp"

namespace talus::tune {

/// Sizes above those of the class before it, up to n_max.
struct size_class {
  std::string name;  // its bound, and where several kernels have that one, which: "56", "any_extent.1"
  int n_max;
  kernel how;
};
inline bool operator==(const size_class& a, const size_class& b) {
  return a.name == b.name && a.how == b.how;
}

/// A kernel for all sizes as that of a class, which it can be, too.
kernel as_class(kernel how);

/// Ascending. Of a set each has a bound of its own, the last any_extent; what a set can be made of may have
/// several with one bound, the most promising first.
using size_classes = std::vector<size_class>;

/// The finest classes that measurements of equal sizes on this GPU say are worth telling apart; several
/// kernels where matrices go by steps, greedy and lazy. Throws std::runtime_error where they do not reach
/// so far.
size_classes finest_classes(const routine& of, const std::vector<measurement>& of_equal, char precision,
                            const cuda::gpu_limits& limits);

/// The kernels worth trying for all sizes in one launch, each up to the largest size that it may be good for:
/// the fastest for equal sizes with many matrices and with 3,000, those of several warps that are nearly as
/// fast there, and the generic table's.
size_classes kernels_alone(const routine& of, const std::vector<measurement>& of_equal, char precision,
                           const cuda::gpu_limits& limits, const table& generic);

/// "16 queued warp lanes=16 rows=1 tbc=4; ..." and back; text that is none throws std::runtime_error.
std::string text_of(const size_classes& space);
size_classes parse_classes(const std::string& text);

/// The classes that serve a call by a table; one alone is a single launch.
size_classes classes_by(const table& t, char precision, int n_max, std::int64_t batch);

/// A call on `batch` matrices of sizes from 1 to n_max, all as likely.
struct class_call {
  char precision = 0;
  int n_max = 0;
  std::int64_t batch = 0;
  /// Of the classes: "16+32+56"; of one kernel for all sizes: "direct 56", "ordered 56"; and " again" where
  /// it is measured a second time.
  std::string name;
  size_classes by;
};

/// Measures a call in turn with the generic table's classes.
using class_timer = std::function<measurement(const class_call&)>;

struct class_plan {
  const routine* of = nullptr;
  char precision = 'd';
  size_classes space;                 // what classes may be made of
  size_classes alone;                 // kernels for all sizes
  std::vector<std::int64_t> batches;  // ascending
  std::vector<int> maxima;            // of sizes, ascending
  double most_bytes = 0;              // a batch that takes more is not measured
};

/// Every kernel of the plans, and the lines of `also`, as a table: what the search build is built with.
table class_table(const std::vector<class_plan>& plans, const table& also);

/// Matrices per call, and the largest sizes, that are measured unless others are asked for: every bound that
/// is no neighbour of the next, and some sizes beyond the last.
std::vector<std::int64_t> class_batches();
std::vector<int> class_maxima(const size_classes& space, const size_classes& alone);

/// What a file of measurements says of the plan of a precision, so that the choice can be made again from the
/// file alone; and back. Throws std::runtime_error where it says nothing.
facts facts_of_classes(const class_plan& plan);
class_plan plan_of_classes(const routine& of, const facts& about, char precision);

/// What is known of calls: in a file of measurements kernels that are named by their classes, of regime b<N>.
class class_memory {
 public:
  explicit class_memory(const std::vector<measurement>& all, bool is_thinned = false);
  void add(const measurement& m);

  /// Null: nothing is known.
  const measurement* find(const class_call& call) const;

  /// The same, or throws std::runtime_error.
  measurement recall(const class_call& call) const;

  /// Whether anything is known of such batches.
  bool holds(char precision, std::int64_t batch) const;

 private:
  using key = std::tuple<char, std::int64_t, int, std::string>;  // precision, batch, largest n, name
  std::map<key, measurement> known_;
  bool is_thinned_;  // then what is not known is far behind
};

/// A measurement that says which call it is of, and nothing else yet.
measurement measurement_of(const class_call& call);

struct class_rules {
  double class_gain =
      0.05;                 // what a class must gain, summed over all measured maxima, to be worth its launch
  double line_gain = 0.03;  // what a line for calls with one launch must gain, summed over what it serves
  double set_gain = 0.02;   // what a set must gain in the mean for a batch that another would serve, too
  double most_loss = 0.1;   // no measured call may lose more without a class, measured twice, or a set
};

struct chosen_classes {
  std::vector<table_line> lines;
  int calls = 0;               // batches and maxima that the gain is over
  double mean = 0, least = 0;  // of the generic table's time over this one's; mean: geometric
  int least_n = 0;
  std::int64_t least_batch = 0;
};

/// A set of classes for each batch where that pays, as the lines of a table. has_time(batch) is asked before
/// every batch but the first: those that are left out get the set of the last one measured.
chosen_classes choose_classes(const class_plan& plan, const class_rules& r, const class_timer& time,
                              const std::function<bool(std::int64_t)>& has_time,
                              const std::function<void(const std::string&)>& say);

}  // namespace talus::tune
