// The tasks of a matrix in LU by column blocks, in an order in which no task waits for a later one.
#pragma once

#include <cstddef>

#include "batched/lu/fronts.hpp"
#include "gpu/integers.hpp"

namespace talus::cuda::lu {

/// A task of a matrix.
struct lu_task {
  enum class kind {
    panel,        // updates a panel of the step by the panels to its left, and factors it
    exchange,     // exchanges rows of a panel of the step as later pivots of the step require
    solve,        // exchanges rows of a group of columns, and solves with L11 of the step
    update,       // A22 -= L21 * U12 in some tiles of a group
    exchange_all  // exchanges rows of the step's columns as the pivots of later steps require
  };
  kind what;
  int step, number;
  int group;  // of columns, that is solved or updated
  bool near;  // the group has the columns of the next step
};

/// The order of the tasks, and what they wait for.
///
/// Columns are divided into groups of GROUP; groups of eliminated columns come first. Each of these groups is
/// a step, or, if STEP is 0, all of them are one step. A step is factored panel by panel. Then rows of its
/// panels are exchanged, and all groups to the right are solved and updated. The group of the next step
/// (near) comes first, so that it can be factored while the other groups (far) still follow: the tasks of far
/// groups lie between the tasks of panels, which wait for one another.
template <class Policy>
struct task_list {
  using kind = lu_task::kind;
  static constexpr int NB = Policy::NB, STEP = Policy::STEP;
  static constexpr int GROUP = 256;
  static_assert(STEP == GROUP || STEP == 0);
  static constexpr int TILE_ROWS = Policy::TILE_ROWS, TILES = ceil_div(GROUP, Policy::TILE_COLUMNS);
  static constexpr int PLACES = lu_group_places;

  int rows, columns, others;  // rows; columns that are eliminated; the other columns
  bool pivots;                // rows are exchanged
  int blocks;                 // of the cluster that performs a task

  TALUS_HOST_DEVICE int steps() const { return STEP == 0 ? 1 : max(1, ceil_div(columns, GROUP)); }
  TALUS_HOST_DEVICE int columns_of(int step) const {
    return STEP == 0 ? columns : min(GROUP, columns - step * GROUP);
  }
  /// Returns the number of groups of columns: groups of the steps, and groups of the other columns.
  TALUS_HOST_DEVICE int groups() const { return steps() + ceil_div(others, GROUP); }
  /// Returns the first group that is not near.
  TALUS_HOST_DEVICE int first_far(int step) const { return min(step + 2, steps()); }
  TALUS_HOST_DEVICE int far_groups(int step) const { return groups() - first_far(step); }
  /// Returns the number of tiles that each block updates in a task.
  TALUS_HOST_DEVICE static int each(bool near) { return near ? 1 : 8; }
  /// Returns the number of rows of tiles below a step.
  TALUS_HOST_DEVICE int tile_rows(int step) const { return ceil_div(max(0, rows - end_of(step)), TILE_ROWS); }
  /// Returns the number of tasks that update a group after a step.
  TALUS_HOST_DEVICE int updates(int step, bool near) const {
    const int tiles = TILES * tile_rows(step);
    return max(1, ceil_div(tiles, blocks * each(near)));
  }
  /// Returns tile t of the tiles that block `rank` of a cluster updates in update task `number`. Tiles are
  /// numbered row by row, with TILES tiles in a row.
  TALUS_HOST_DEVICE int tile(int number, int each, int t, int rank) const {
    return (number * each + t) * blocks + rank;
  }
  TALUS_HOST_DEVICE int begin_of(int step) const { return step * GROUP; }
  TALUS_HOST_DEVICE int end_of(int step) const { return begin_of(step) + columns_of(step); }
  /// Returns the number of panels of this step and of the steps before.
  TALUS_HOST_DEVICE int panels_upto(int step) const { return step < 0 ? 0 : ceil_div(end_of(step), NB); }
  /// Returns the number of tasks that exchange rows of a step's panels.
  TALUS_HOST_DEVICE int exchanges(int step) const {
    return pivots ? max(0, ceil_div(columns_of(step), NB) - 1) : 0;
  }

  TALUS_HOST_DEVICE int count() const {
    int all = 0;
    for (int phase = 0; phase <= steps(); ++phase) all += at_phase(phase).count();
    return all + exchanges_of_all();
  }
  /// Returns the number of tasks that solve for, or update, the groups that share place `place` in steps
  /// before `step`. On the GPU all lanes of a warp call.
  TALUS_HOST_DEVICE int solves_before(int step, int place) const {
    return sum_of(step, [&](int s) { return far_at(s, place); });
  }
  TALUS_HOST_DEVICE int updates_before(int step, int place) const {
    return sum_of(step, [&](int s) { return far_at(s, place) * updates(s, false); });
  }

  /// Returns the number of the first exchange task. All other tasks come before it, so no task reads old
  /// panels later.
  TALUS_HOST_DEVICE int first_exchange_of_all() const { return count() - exchanges_of_all(); }

  /// Returns task `number`. On the GPU all lanes of a warp call with the same number.
  TALUS_HOST_DEVICE lu_task at(int number) const {
#ifdef __CUDA_ARCH__
    const int lane = static_cast<int>(threadIdx.x % 32);
    for (int first = 0; first <= steps(); first += 32) {  // each lane has a phase
      const int mine = first + lane <= steps() ? at_phase(first + lane).count() : 0,
                upto = sum_upto_lane(mine);
      const unsigned behind = __ballot_sync(~0u, number < upto);
      if (behind != 0) {
        const int found = __ffs(static_cast<int>(behind)) - 1;
        return task_of(first + found, at_phase(first + found), number - __shfl_sync(~0u, upto - mine, found));
      }
      number -= __shfl_sync(~0u, upto, 31);
    }
#else
    for (int phase = 0; phase <= steps(); ++phase) {
      const phase_counts these = at_phase(phase);
      if (number < these.count()) return task_of(phase, these, number);
      number -= these.count();
    }
#endif
    return {kind::exchange_all, number, number, 0, false};
  }

  /// Waits for what a task needs, does it, and counts it. `progress` has the counters of the matrix (see
  /// lu_progress), and `on` does the work:
  ///
  ///   await(counter, least)         waits until the counter is at least `least`
  ///   await_finished(tasks)         waits until so many tasks of the matrix are finished
  ///   count(counter)                adds 1 to the counter
  ///   count_part(parts, step, all)  adds 1 to parts.finished; the last of `all` parts of the step sets
  ///                                 parts.finished to 0 and parts.steps to step + 1
  ///   factor(step, number)          the panel; waits for the panels of the step to its left in `panels`, and
  ///                                 sets `panels`
  ///   exchange_panel, solve, update, exchange_step
  template <class Actions>
  TALUS_HOST_DEVICE void perform(const lu_task& task, lu_progress progress, const Actions& on) const {
    const int s = task.step, first_panel = panels_upto(s - 1), place = task.group % PLACES;
    switch (task.what) {
      case kind::panel:
        if (s > 0) on.await(progress.near_updated().steps(), s);
        on.factor(s, task.number);
        break;
      case kind::exchange:
        on.await(progress.panels(), panels_upto(s));
        on.exchange_panel(s, first_panel + task.number);
        on.count_part(progress.exchanged(), s, exchanges(s));
        break;
      case kind::solve:
        on.await(progress.panels(), panels_upto(s));
        if (exchanges(s) > 0) on.await(progress.exchanged().steps(), s + 1);
        on.await(progress.updated(place), updates_before(s, place));
        on.solve(s, task.group);
        if (task.near) {
          on.count_part(progress.near_solved(), s, 1);
        } else {
          on.count(progress.solved(place));
        }
        break;
      case kind::update:
        if (task.near) {
          on.await(progress.near_solved().steps(), s + 1);
        } else {
          on.await(progress.solved(place), solves_before(s + 1, place));
        }
        on.update(s, task.group, task.number, each(task.near));
        if (task.near) {
          on.count_part(progress.near_updated(), s, updates(s, true));
        } else {
          on.count(progress.updated(place));
        }
        break;
      case kind::exchange_all:
        on.await_finished(first_exchange_of_all());
        on.exchange_step(s);
        break;
    }
  }

 private:
#ifdef __CUDACC__
  /// Returns the sum over the lanes up to this lane.
  __device__ static int sum_upto_lane(int x) {
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(~0u, x, d);
      if (lane >= d) x += other;
    }
    return x;
  }
#endif
  /// Returns of(0) + ... + of(count - 1).
  template <class Of>
  TALUS_HOST_DEVICE static int sum_of(int count, Of of) {
    int all = 0;
#ifdef __CUDA_ARCH__
    const int lane = static_cast<int>(threadIdx.x % 32);
    for (int s = lane; s < count; s += 32) all += of(s);
    return __shfl_sync(~0u, sum_upto_lane(all), 31);
#else
    for (int s = 0; s < count; ++s) all += of(s);
    return all;
#endif
  }
  /// Returns the number of far groups of a step that share a place.
  TALUS_HOST_DEVICE int far_at(int step, int place) const {
    const auto below = [&](int end) { return (end - place + PLACES - 1) / PLACES; };  // groups before `end`
    return max(0, below(groups()) - below(first_far(step)));
  }
  /// Numbers of tasks of a phase: tasks of the step before on this step's columns; panels of this step and,
  /// between them, tasks of the step before on far groups; exchanges of this step.
  struct phase_counts {
    int near, panels, far, exchanges;
    TALUS_HOST_DEVICE int count() const { return near + panels + far + exchanges; }
  };
  TALUS_HOST_DEVICE phase_counts at_phase(int phase) const {
    const bool is_step = phase < steps(), follows = 0 < phase;
    const int own = is_step ? ceil_div(columns_of(phase), NB) : 0;
    return {is_step && follows ? 1 + updates(phase - 1, true) : 0, own,
            follows ? far_groups(phase - 1) * (1 + updates(phase - 1, false)) : 0,
            is_step ? exchanges(phase) : 0};
  }
  TALUS_HOST_DEVICE int exchanges_of_all() const { return pivots ? steps() - 1 : 0; }

  TALUS_HOST_DEVICE lu_task task_of(int phase, const phase_counts& these, int number) const {
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
  TALUS_HOST_DEVICE lu_task far_task(int step, int number) const {
    const int far = far_groups(step), first = first_far(step);
    if (number < far) return {kind::solve, step, 0, first + number, false};
    const int of_group = updates(step, false);
    return {kind::update, step, (number - far) % of_group, first + (number - far) / of_group, false};
  }
};

}  // namespace talus::cuda::lu
