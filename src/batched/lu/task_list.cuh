// What there is to do for a matrix in LU by column blocks, in an order in which nothing waits for what comes
// later.
#pragma once

#include "batch.hpp"

namespace talus::cuda::lu {

/// A task of a matrix: what, in which step, and which of those.
struct lu_task {
  enum class kind {
    panel,        // a block of columns of the step is updated by panels to its left, and factored
    exchange,     // rows of a panel of the step, as later pivots of the step want it
    solve,        // columns of a group: rows are exchanged and solved with
    update,       // tiles of a group
    exchange_all  // rows of a step's columns, as the pivots of later steps want it
  };
  kind what;
  int step, number;
  int group;  // of columns, that is solved or updated
  bool near;  // they are those of the next step
};

/// Columns go by groups of GROUP, those that are eliminated first. Each of these is a step, or, where STEP is
/// 0, all together are one. A step is factored panel by panel; then its panels' rows are exchanged as they
/// all want it, and all groups to the right are solved and updated. The next step's comes first, so that it
/// can be factored while the others still follow: these tasks lie between those of its panels, which wait for
/// one another.
template <class Policy>
struct task_list {
  using kind = lu_task::kind;
  static constexpr int NB = Policy::NB, STEP = Policy::STEP, BLOCKS = Policy::BLOCKS;
  static constexpr int GROUP = 256;
  static_assert(STEP == GROUP || STEP == 0);
  static constexpr int TILE_ROWS = Policy::TILE_ROWS, TILES = ceil_div(GROUP, Policy::TILE_COLUMNS);

  int rows, columns, others;  // rows; columns that are eliminated; the other columns
  bool pivots;                // rows are exchanged

  __device__ int steps() const { return STEP == 0 ? 1 : max(1, ceil_div(columns, GROUP)); }
  __device__ int columns_of(int step) const {
    return STEP == 0 ? columns : min(GROUP, columns - step * GROUP);
  }
  /// Groups of columns: those of the steps, and the others.
  __device__ int groups() const { return steps() + ceil_div(others, GROUP); }
  /// The first group that is not near, and how many there are.
  __device__ int first_far(int step) const { return min(step + 2, steps()); }
  __device__ int far_groups(int step) const { return groups() - first_far(step); }
  /// Tiles of a group that a block updates in a task.
  __device__ static int each(bool near) { return near ? 1 : 8; }
  /// Tasks that update a group after a step.
  __device__ int updates(int step, bool near) const {
    const int tiles = TILES * ceil_div(max(0, rows - end_of(step)), TILE_ROWS);
    return max(1, ceil_div(tiles, BLOCKS * each(near)));
  }
  __device__ int begin_of(int step) const { return step * GROUP; }
  __device__ int end_of(int step) const { return begin_of(step) + columns_of(step); }
  /// Panels of this step and of those before.
  __device__ int panels_upto(int step) const { return step < 0 ? 0 : ceil_div(end_of(step), NB); }
  /// Tasks that exchange rows of a step's panels.
  __device__ int exchanges(int step) const { return pivots ? max(0, ceil_div(columns_of(step), NB) - 1) : 0; }

  __device__ int count() const {
    int all = 0;
    for (int phase = 0; phase <= steps(); ++phase) all += at_phase(phase).count();
    return all + exchanges_of_all();
  }
  /// Of the groups that share place `place` of PLACES: tasks that solve for them in steps before `step`, and
  /// tasks that update them. All lanes of a warp call.
  template <int PLACES>
  __device__ int solves_before(int step, int place) const {
    return sum_of(step, [&](int s) { return far_at<PLACES>(s, place); });
  }
  template <int PLACES>
  __device__ int updates_before(int step, int place) const {
    return sum_of(step, [&](int s) { return far_at<PLACES>(s, place) * updates(s, false); });
  }

  /// Returns the number of the first exchange task. All other tasks come before it, so no task reads old
  /// panels later.
  __device__ int first_exchange_of_all() const { return count() - exchanges_of_all(); }

  /// Task `number`. All lanes of a warp call, for the same one.
  __device__ lu_task at(int number) const {
    const int lane = static_cast<int>(threadIdx.x % 32);
    for (int first = 0; first <= steps(); first += 32) {  // a phase by each lane
      const int mine = first + lane <= steps() ? at_phase(first + lane).count() : 0,
                upto = sum_upto_lane(mine);
      const unsigned behind = __ballot_sync(~0u, number < upto);
      if (behind != 0) {
        const int found = __ffs(static_cast<int>(behind)) - 1;
        return task_of(first + found, at_phase(first + found), number - __shfl_sync(~0u, upto - mine, found));
      }
      number -= __shfl_sync(~0u, upto, 31);
    }
    return {kind::exchange_all, number, number, 0, false};
  }

 private:
  /// Of all lanes up to this one.
  __device__ static int sum_upto_lane(int x) {
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(~0u, x, d);
      if (lane >= d) x += other;
    }
    return x;
  }
  /// of(0) + ... + of(count - 1)
  template <class Of>
  __device__ static int sum_of(int count, Of of) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    int all = 0;
    for (int s = lane; s < count; s += 32) all += of(s);
    return __shfl_sync(~0u, sum_upto_lane(all), 31);
  }
  /// Far groups of a step that share a place.
  template <int PLACES>
  __device__ int far_at(int step, int place) const {
    const auto below = [&](int end) { return (end - place + PLACES - 1) / PLACES; };  // groups before `end`
    return max(0, below(groups()) - below(first_far(step)));
  }
  /// What the step before brings to this one's columns; this one's panels and, between them, what that step
  /// brings to the others; this one's exchanges.
  struct phase_counts {
    int near, panels, far, exchanges;
    __device__ int count() const { return near + panels + far + exchanges; }
  };
  __device__ phase_counts at_phase(int phase) const {
    const bool is_step = phase<steps(), follows = phase> 0;
    const int own = is_step ? ceil_div(columns_of(phase), NB) : 0;
    return {is_step && follows ? 1 + updates(phase - 1, true) : 0, own,
            follows ? far_groups(phase - 1) * (1 + updates(phase - 1, false)) : 0,
            is_step ? exchanges(phase) : 0};
  }
  __device__ int exchanges_of_all() const { return pivots ? steps() - 1 : 0; }

  __device__ lu_task task_of(int phase, const phase_counts& these, int number) const {
    if (number < these.near)
      return {number == 0 ? kind::solve : kind::update, phase - 1, number - 1, phase, true};
    number -= these.near;
    if (number < these.panels + these.far) {
      const int stride = these.panels == 0 ? 1 : 1 + these.far / these.panels;
      const int before = these.panels == 0 ? 0 : min(these.panels, ceil_div(number, stride));  // panels
      if (number % stride == 0 && before < these.panels) return {kind::panel, phase, before, 0, false};
      return far_task(phase - 1, number - before);
    }
    number -= these.panels + these.far;
    return {kind::exchange, phase, number, 0, false};
  }
  __device__ lu_task far_task(int step, int number) const {
    const int far = far_groups(step), first = first_far(step);
    if (number < far) return {kind::solve, step, 0, first + number, false};
    const int of_group = updates(step, false);
    return {kind::update, step, (number - far) % of_group, first + (number - far) / of_group, false};
  }
};

}  // namespace talus::cuda::lu
