// The order in which matrices of mixed sizes are worked on: by (class, work), the most work first; each
// class has a part of that order as its work queue. Made on the GPU; the host never sees a size. Knows
// sizes, and no routine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "gpu/scratch.cuh"
#include "gpu/table.hpp"
#include "scratch.hpp"
#include "talus/types.hpp"
#include "validate.hpp"
#include "vbatched/mixed_sizes.cuh"
#include "vbatched/schedule.hpp"

namespace talus::cuda {

// ---- bins ------------------------------------------------------------------------------------------

/// Bins of the counting sort. Bin 0 is for those that nobody works on: what is illegal or empty is done
/// when it is seen. Matrices of one bin keep no order among themselves.
constexpr int bins = 1024;

/// Which bin a matrix belongs to: a class has the bins from first_bin[c] up to the next class's, in each
/// class by work in steps of 2^shift[c].
template <int COUNT>
struct binning {
  int classes = 0;
  extents<COUNT> bounds[most_classes] = {};
  int first_bin[most_classes + 1] = {};
  int least_work[most_classes] = {};
  int shift[most_classes] = {};

  /// Takes the first class that covers the sizes, or the last class. Visits all classes, so that lanes of a
  /// warp do not diverge.
  __device__ int bin_of(const extents<COUNT>& sizes, int work) const {
    int c = classes - 1;
    for (int i = classes - 2; i >= 0; --i) {
      if (bounds[i].cover(sizes)) c = i;
    }
    const int within = max(0, work - least_work[c]) >> shift[c];
    return min(first_bin[c] + within, first_bin[c + 1] - 1);
  }
};

/// As fine as there are bins for: each amount of work a bin of its own, or in the classes that have the most
/// of them two, four, ... together.
template <class Check, int COUNT>
binning<COUNT> binning_of(const Check& check, const extents<COUNT>* bounds, int classes) {
  binning<COUNT> by;
  by.classes = classes;
  int span[most_classes], all = 0;
  for (int c = 0; c < classes; ++c) {
    by.bounds[c] = bounds[c];
    // Of one extent a class begins where the one before it ends; of several it may reach down to nothing.
    by.least_work[c] = COUNT == 1 && c > 0 ? Check::work(bounds[c - 1]) + 1 : 1;
    span[c] = std::max(1, Check::work(bounds[c].within(check.bounds)) - by.least_work[c] + 1);
  }
  const auto bins_of = [&](int c) { return ((span[c] - 1) >> by.shift[c]) + 1; };
  do {
    all = 0;
    int widest = 0;
    for (int c = 0; c < classes; ++c) {
      all += bins_of(c);
      if (bins_of(c) > bins_of(widest)) widest = c;
    }
    if (all >= bins) ++by.shift[widest];
  } while (all >= bins);
  by.first_bin[0] = 1;
  for (int c = 0; c < classes; ++c) by.first_bin[c + 1] = by.first_bin[c] + bins_of(c);
  return by;
}

/// In scratch, in front of the order.
struct schedule_head {
  int begin[bins];   // by bin: first how many matrices it has, then where in the order they begin
  unsigned counted;  // blocks that have counted theirs
  queue_range ranges[most_classes];
  int largest[4];  // of each extent
};
static_assert(sizeof(schedule_head) <= schedule_head_bytes);

/// What is in scratch of schedule_bytes.
inline schedule_head* head_of(const scratch& work) { return static_cast<schedule_head*>(work.memory()); }
inline int* order_of(const scratch& work) {
  return reinterpret_cast<int*>(static_cast<unsigned char*>(work.memory()) + schedule_head_bytes);
}

/// Whether the caller's scratch suffices, if there is any: looked at before anything is queued.
inline int check_work(queue q, std::int64_t count) {
  return q.work != nullptr && q.work_bytes < schedule_bytes(count) ? err_work : 0;
}

/// The kernels that read the sizes of all matrices, and their launches. Erased: a check with elements of type
/// std::byte. order.cuh defines the functions. <family>/order.cu compiles the kernels once for all precisions
/// and all checks of the family.
template <class Erased>
struct ordering {
  using box = decltype(Erased::bounds);
  static constexpr int COUNT = static_cast<int>(std::size(box{}.of));

  /// Queues the kernels that order the matrices of `part` by these bins, and that write info of illegal and
  /// empty matrices.
  static int make(const Erased& part, const binning<COUNT>& by, int* info, const scratch& work, queue q);
  /// Finds the largest legal extents of `all`, and waits for them.
  static int find_extents(const Erased& all, box& largest, queue q);
};
template <class Check>
using ordering_of = ordering<decltype(std::declval<const Check&>().erased())>;

/// The launches of a call, one after the other while next(): one for each class of matrices that these bounds
/// make, the last class first; direct, ordered: one for all. Of a call that has more matrices than
/// schedule_most, one part after the other. The array of bounds outlives the launches.
template <class Check>
class launches {
  static constexpr int COUNT = ordering_of<Check>::COUNT;

 public:
  int status = 0;     // of what made the order
  int c = 0;          // the class
  subset matrices;    // that the launch works on,
  Check part;         // of this part of the call,
  int* info_of_part;  // which has its infos here, unless nobody asks for them

  launches(schedule how, const Check& check, const extents<COUNT>* bounds, int classes, int* info, queue q)
      : part(check),
        info_of_part(info),
        all_(check),
        info_(info),
        bounds_(bounds),
        classes_(classes),
        how_(how),
        q_(q),
        work_(has_order() ? scratch(q, schedule_bytes(check.A.count)) : scratch()) {
    if (!has_order()) return;
    status = work_.status;
    by_ = binning_of(check, bounds, classes);
  }

  bool next() {
    if (--c < 0 && !next_part()) return false;
    const bool is_first = c == classes_ - 1;
    if (how_ == schedule::filtered) {
      matrices.filters = true;
      matrices.is_first = is_first;
      for (int e = 0; e < COUNT; ++e) matrices.below[e] = c > 0 ? bounds_[c - 1][e] : -1;
    } else if (!serves_alone(how_)) {
      matrices.range = head_of(work_)->ranges + c;
      matrices.waits = is_first;
    }
    return true;
  }

 private:
  bool has_order() const { return how_ != schedule::direct && how_ != schedule::filtered; }

  bool next_part() {
    if (status != 0 || first_ >= all_.A.count) return false;
    part = all_.part(first_, std::min(schedule_most, all_.A.count - first_));
    info_of_part = info_ != nullptr ? info_ + first_ : nullptr;
    first_ += schedule_most;
    c = classes_ - 1;
    const int count = static_cast<int>(part.A.count);
    matrices = {nullptr, nullptr, count, false};
    if (!has_order()) return true;
    status = ordering_of<Check>::make(part.erased(), by_, info_of_part, work_, q_);
    matrices = {order_of(work_), nullptr, count, true};
    return status == 0;
  }

  Check all_;
  int* info_;
  const extents<COUNT>* bounds_;
  int classes_;
  schedule how_;
  queue q_;
  scratch work_;
  binning<COUNT> by_;
  std::int64_t first_ = 0;
};

/// Replaces each unknown bound by the largest legal extent, and waits for it.
template <class Check>
int find_bounds(Check& check, queue q) {
  auto& bounds = check.bounds.of;
  decltype(check.bounds) largest;
  if (std::count(std::begin(bounds), std::end(bounds), unknown_bound) == 0) return 0;
  if (const int status = ordering_of<Check>::find_extents(check.erased(), largest, q)) return status;
  for (std::size_t e = 0; e < std::size(bounds); ++e) {
    if (bounds[e] == unknown_bound) bounds[e] = largest.of[e];
  }
  return 0;
}

}  // namespace talus::cuda
