// The lines of one batch: what serves calls alone, and the classes of larger ones.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "classes.hpp"

namespace talus::tune {

/// A kernel for calls up to n_max, as one launch for all sizes.
struct alone_line {
  int n_max;
  size_class by;
};

/// What serves batches of some number: each call the first of `alone` that covers it, or else the classes.
struct class_set {
  std::vector<alone_line> alone;
  size_classes classes;
};

bool same(const class_set& a, const class_set& b);

/// Looks for the lines of one batch.
class batch_search {
 public:
  batch_search(const class_plan& plan, const class_rules& r, const class_timer& time, std::int64_t batch);

  int largest() const { return maxima_.back(); }
  const std::vector<int>& maxima() const { return maxima_; }

  /// What is beyond the measured sizes is as in `above`, if that has anything.
  class_set best(const class_set& above) const;

  measurement at(const class_set& set, int n_max) const;

  /// The logarithm of the time of a call up to n_max over the generic table's.
  double loss(const class_set& set, int n_max) const;

  /// Whether one set serves as well as the other: nearly as fast in the mean, and far behind with no call.
  bool serves_as_well(const class_set& set, const class_set& other) const;

 private:
  measurement measured(const size_classes& by, int n_max, bool again) const;

  /// What calls up to one size lose by each kernel that was tried.
  using choices = std::vector<std::pair<size_class, double>>;

  /// Kernels for a few more than n first. It is over when some are hopeless one after the other.
  choices choices_at(int n) const;

  /// Which of the choices serves which calls, one line for as many as it is good for; beyond the last of them
  /// the classes do.
  std::vector<alone_line> alone_up_to_the_best_end(const std::vector<choices>& alone,
                                                   const std::vector<double>& by_classes) const;

  measurement measured_in_classes(const size_classes& all, int n_max, bool again) const;
  double in_classes(const size_classes& all, int n_max, bool again = false) const;
  size_classes finest(const size_classes& above) const;

  /// From the finest classes down, for calls up to these sizes.
  size_classes coarsened(size_classes all, const std::vector<int>& served) const;

  /// Whether class c, which `without` lacks, is worth its launch; so is one whose sizes are not all measured.
  bool pays(const size_classes& all, const size_classes& without, std::size_t c,
            const std::vector<int>& served) const;

  /// Of the kernels for each class that goes by steps, the one whose sum over the class's sizes is least.
  void choose_ways_of_steps(size_classes& all, const std::vector<int>& served) const;

  const class_plan& plan_;
  const class_rules& rules_;
  const class_timer& time_;
  std::int64_t batch_;
  std::vector<int> maxima_;
};

}  // namespace talus::tune
