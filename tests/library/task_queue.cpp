// The protocols of tasks on the host: the order of tasks under random schedules, and the tickets of their queues.
#include "gpu/task_queue.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "batched/cholesky/pieces/front_tasks.hpp"
#include "batched/lu/pieces/column_blocks/task_list.hpp"
#include "catch.hpp"

using namespace talus::cuda;
using lu::lu_task;

namespace {

// ---- LU by column blocks -------------------------------------------------------------------------

/// The numbers that the order of tasks depends on.
template <int NB_, int STEP_, int TILE_ROWS_, int TILE_COLUMNS_>
struct shape {
  static constexpr int NB = NB_, STEP = STEP_, TILE_ROWS = TILE_ROWS_, TILE_COLUMNS = TILE_COLUMNS_;
};

/// The state of a matrix: steps that are done for each group of columns, and for each tile.
template <class Shape>
struct model {
  using list_t = lu::task_list<Shape>;

  explicit model(const list_t& list_)
      : list(list_),
        counters(talus::lu_progress::size),
        solved_steps(static_cast<std::size_t>(list_.groups())) {}

  list_t list;
  std::vector<int> counters;
  std::vector<int> solved_steps;              // of each group: steps 0 ... solved_steps - 1 are solved for
  int finished = 0, factored = 0;             // tasks; panels
  std::map<int, std::vector<int>> exchanged;  // step: its panels whose rows are exchanged
  std::map<std::pair<int, int>, std::vector<int>> updated;  // (step, group): how often each tile was updated

  talus::lu_progress progress() { return {counters.data()}; }
  bool all_updated(int s, int group) const {
    const int tiles = list_t::TILES * list.tile_rows(s);
    if (tiles == 0) return true;
    const auto found = updated.find({s, group});
    if (found == updated.end()) return false;
    for (int t = 0; t < tiles; ++t) {
      if (found->second[static_cast<std::size_t>(t)] != 1) return false;
    }
    return true;
  }
  /// True if the steps before s are solved for and subtracted in all tiles of the group.
  bool is_up_to_date(int s, int group) const {
    if (solved_steps[static_cast<std::size_t>(group)] != s) return false;
    for (int before = 0; before < s; ++before) {
      if (!all_updated(before, group)) return false;
    }
    return true;
  }
};

/// Actions that only find out whether a task may start.
template <class Shape>
struct readiness {
  const model<Shape>& m;
  bool& ready;

  void await(const int* counter, int least) const { ready = ready && *counter >= least; }
  void await_finished(int tasks) const { ready = ready && m.finished >= tasks; }
  void count(int*) const {}
  void count_part(talus::lu_progress::step_parts, int, int) const {}
  void factor(int s, int number) const {
    ready = ready && m.counters[0] >= m.list.panels_upto(s - 1) + number;
  }
  void exchange_panel(int, int) const {}
  void exchange_step(int) const {}
  void solve(int, int) const {}
  void update(int, int, int, int) const {}
};

/// Actions at the start of a task: they check that its operands are there.
template <class Shape>
struct start {
  const model<Shape>& m;
  int number;

  void await(const int*, int) const {}
  void await_finished(int) const {}
  void count(int*) const {}
  void count_part(talus::lu_progress::step_parts, int, int) const {}
  void factor(int s, int panel) const {
    CHECK(m.factored == m.list.panels_upto(s - 1) + panel);
    CHECK(m.is_up_to_date(s, s));
  }
  void exchange_panel(int s, int) const { CHECK(m.factored >= m.list.panels_upto(s)); }
  void exchange_step(int) const { CHECK(m.finished >= m.list.first_exchange_of_all()); }
  void solve(int s, int group) const {
    CHECK(m.factored >= m.list.panels_upto(s));
    const auto exchanged = m.exchanged.find(s);
    const int done = exchanged == m.exchanged.end() ? 0 : static_cast<int>(exchanged->second.size());
    CHECK(done == m.list.exchanges(s));
    CHECK(m.is_up_to_date(s, group));
  }
  void update(int s, int group, int, int) const {
    CHECK(m.solved_steps[static_cast<std::size_t>(group)] == s + 1);
    for (int before = 0; before < s; ++before) CHECK(m.all_updated(before, group));
  }
};

/// Actions at the end of a task: what it has done, and its counters.
template <class Shape>
struct finish {
  model<Shape>& m;

  void await(const int*, int) const {}
  void await_finished(int) const {}
  void count(int* counter) const { ++*counter; }
  void count_part(talus::lu_progress::step_parts parts, int step, int all) const {
    if (++*parts.finished != all) return;
    *parts.finished = 0;
    *parts.steps() = step + 1;
  }
  void factor(int s, int panel) const {
    m.factored = m.list.panels_upto(s - 1) + panel + 1;
    *m.progress().panels() = m.factored;
  }
  void exchange_panel(int s, int panel) const { m.exchanged[s].push_back(panel); }
  void exchange_step(int) const {}
  void solve(int s, int group) const { m.solved_steps[static_cast<std::size_t>(group)] = s + 1; }
  void update(int s, int group, int number, int each) const {
    const int tiles = m.list.TILES * m.list.tile_rows(s);
    auto& times = m.updated[{s, group}];
    times.resize(static_cast<std::size_t>(tiles));
    for (int t = 0; t < each; ++t) {
      for (int rank = 0; rank < m.list.blocks; ++rank) {
        const int tile = m.list.tile(number, each, t, rank);
        if (tile < tiles) ++times[static_cast<std::size_t>(tile)];
      }
    }
  }
};

/// Performs all tasks of a matrix by `workers` blocks. Each block takes the next task, waits until it is ready,
/// and does it; a random block goes on each time.
template <class Shape>
void run_in_random_order(const lu::task_list<Shape>& list, int workers, unsigned seed) {
  CAPTURE(list.rows, list.columns, list.others, list.pivots, workers, seed);
  model<Shape> m(list);
  std::mt19937 random(seed);
  struct worker {
    int number = -1;
    bool runs = false;
  };
  std::vector<worker> all(static_cast<std::size_t>(workers));
  const int count = list.count();
  int next = 0;
  while (m.finished < count) {
    const std::size_t first = random() % all.size();
    bool went_on = false;
    for (std::size_t i = 0; i < all.size() && !went_on; ++i) {
      worker& w = all[(first + i) % all.size()];
      if (w.number < 0 && next < count) w.number = next++;
      if (w.number < 0) continue;
      const lu_task task = list.at(w.number);
      if (w.runs) {
        list.perform(task, m.progress(), finish<Shape>{m});
        ++m.finished;
        w = {};
        went_on = true;
      } else {
        bool ready = true;
        list.perform(task, m.progress(), readiness<Shape>{m, ready});
        if (!ready) continue;
        list.perform(task, m.progress(), start<Shape>{m, w.number});
        w.runs = went_on = true;
      }
    }
    REQUIRE(went_on);  // else every block waits
  }
  CHECK(next == count);
  CHECK(m.factored == list.panels_upto(list.steps() - 1));
  for (int group = 0; group < list.groups(); ++group) {
    const int before = std::min(group, list.steps());  // steps to the left of the group
    CHECK(m.solved_steps[static_cast<std::size_t>(group)] == before);
    for (int s = 0; s < before; ++s) CHECK(m.all_updated(s, group));
  }
}

template <class Shape>
void run_shapes(int blocks) {
  unsigned seed = 1;
  for (const auto& [rows, columns, others] : {std::array<int, 3>{40, 40, 0},
                                              {300, 300, 0},
                                              {1000, 1000, 0},
                                              {2100, 700, 0},
                                              {600, 600, 900},
                                              {257, 257, 1},
                                              {100, 100, 700},
                                              {20000, 600, 0},
                                              {900, 0, 300}}) {
    for (const bool pivots : {true, false}) {
      for (const int workers : {1, 2, 7, 132})
        run_in_random_order<Shape>({rows, columns, others, pivots, blocks}, workers, seed++);
    }
  }
}

}  // namespace

TEST_CASE("tasks of LU by column blocks find their operands in every order of execution", "[task_queue]") {
  run_shapes<shape<32, 256, 128, 128>>(16);
  run_shapes<shape<32, 256, 128, 128>>(1);
  run_shapes<shape<16, 256, 64, 128>>(8);
  run_shapes<shape<32, 0, 128, 128>>(8);
}

TEST_CASE("more groups of columns than counters share them", "[task_queue]") {
  run_in_random_order<shape<32, 256, 128, 128>>({600, 600, 256 * 150, true, 16}, 20, 1);
}

TEST_CASE("the first block alone never waits", "[task_queue]") {
  using list_t = lu::task_list<shape<32, 256, 128, 128>>;
  const list_t list = {1500, 1500, 300, true, 4};
  model<shape<32, 256, 128, 128>> m(list);
  for (int number = 0; number < list.count(); ++number) {
    CAPTURE(number);
    bool ready = true;
    const lu_task task = list.at(number);
    list.perform(task, m.progress(), readiness<shape<32, 256, 128, 128>>{m, ready});
    REQUIRE(ready);
    list.perform(task, m.progress(), finish<shape<32, 256, 128, 128>>{m});
    ++m.finished;
  }
}

// ---- Cholesky by tiles ---------------------------------------------------------------------------

TEST_CASE("every unit of a front's triangle belongs to one task", "[task_queue]") {
  struct front {
    int k, n2;
  };
  constexpr int nb = 32, of_block = 2;
  for (const front& f : {front{1, 0}, {32, 0}, {33, 40}, {200, 0}, {200, 500}, {64, 1}, {0, 70}, {0, 0}}) {
    CAPTURE(f.k, f.n2);
    const auto tasks = cholesky::front_tasks<of_block>::of(f, nb);
    std::map<std::pair<int, int>, int> times;  // (row, column) of units
    int last_column = 0;
    for (int number = 0; number < tasks.count(); ++number) {
      const auto task = tasks.at(number);
      CHECK(task.column >= last_column);  // so a task needs only tasks with smaller numbers
      last_column = task.column;
      const bool has_pivots = task.column < tasks.pivots;
      if (task.row_block < 0) {
        CHECK(has_pivots);
        ++times[{task.column, task.column}];
        continue;
      }
      const int first = (has_pivots ? task.column + 1 : task.column) + of_block * task.row_block;
      for (int row = first; row < std::min(first + of_block, tasks.units); ++row) ++times[{row, task.column}];
    }
    for (int column = 0; column < tasks.units; ++column) {
      for (int row = column; row < tasks.units; ++row) CHECK(times[{row, column}] == 1);
    }
    CHECK(static_cast<int>(times.size()) == tasks.units * (tasks.units + 1) / 2);
  }
}

// ---- tickets -------------------------------------------------------------------------------------

TEST_CASE("a ticket names its task, and the round decides which matrix a slot serves", "[task_queue]") {
  CHECK(task_ticket{0}.number() == 0);
  CHECK(task_ticket{0}.position(3, 8, 100) == 3);
  CHECK(task_ticket{5}.number() == 5);
  const task_ticket second = task_ticket::after(3, 8);
  CHECK(second.number() == 0);
  CHECK(second.position(3, 8, 100) == 11);
  CHECK(task_ticket{second.word + 7}.number() == 7);
  CHECK(task_ticket{second.word + 7}.position(3, 8, 100) == 11);
  CHECK(task_ticket::after(99, 8).position(3, 8, 100) == 100);  // there is no further matrix
  const int most = 0x7fffffff;
  CHECK(task_ticket::after(most - 1, 2048).position(2047, 2048, most) == most);
}

/// As for_each_task (gpu/task_queue.cuh), with a thread in the place of a block.
TEST_CASE("threads that share queues do every task once, and every task after the tasks before it",
          "[task_queue]") {
  const int positions = 200, slots = 6, threads = 8;
  const auto tasks_of = [](int position) { return 1 + position * 5 % 23; };
  std::vector<std::atomic<unsigned long long>> taken(slots);
  std::vector<std::atomic<int>> finished(slots), progress(slots);
  std::vector<int> sums(slots);  // written by tasks, and ordered by `progress` alone
  std::vector<std::vector<std::atomic<int>>> done;
  for (int p = 0; p < positions; ++p) done.emplace_back(static_cast<std::size_t>(tasks_of(p)));
  std::atomic<int> wrong{0};

  const auto has_task = [&](int slot, task_ticket ticket) {
    const int position = ticket.position(slot, slots, positions);
    return position < positions && ticket.number() < tasks_of(position);
  };
  const auto block = [&](int mine) {
    int slot = mine * slots / threads;
    while (true) {
      const auto s = static_cast<std::size_t>(slot);
      const task_ticket ticket = {taken[s].fetch_add(1)};
      if (!has_task(slot, ticket)) {
        int steps = 1;
        while (steps <= slots && !has_task((slot + steps) % slots,
                                           {taken[static_cast<std::size_t>((slot + steps) % slots)].load()}))
          ++steps;
        if (steps > slots) return;
        slot = (slot + steps) % slots;
        continue;
      }
      const int position = ticket.position(slot, slots, positions), number = ticket.number();
      while (progress[s].load(std::memory_order_acquire) < number) std::this_thread::yield();
      if (sums[s] != number) ++wrong;
      sums[s] = number + 1;
      ++done[static_cast<std::size_t>(position)][static_cast<std::size_t>(number)];
      progress[s].store(number + 1, std::memory_order_release);
      if (finished[s].fetch_add(1) + 1 == tasks_of(position)) {
        progress[s] = 0;
        sums[s] = 0;
        finished[s] = 0;
        taken[s].exchange(task_ticket::after(position, slots).word);
      }
    }
  };
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) all.emplace_back(block, t);
  for (std::thread& t : all) t.join();
  CHECK(wrong == 0);
  for (int p = 0; p < positions; ++p) {
    for (const auto& times : done[static_cast<std::size_t>(p)]) CHECK(times == 1);
  }
}
