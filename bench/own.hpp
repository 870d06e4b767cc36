// Talus itself: the routine as its user calls it; with other tables; and, where sizes are mixed, what the
// user would otherwise do with the routine for equal sizes.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "measure/kernel_text.hpp"
#include "measure/program.hpp"
#include "ways.hpp"

namespace talus::bench {

// ---- tables --------------------------------------------------------------------------------------

/// Index of the table that --table names, or of this GPU's own.
template <class R>
int table_index(const options& o) {
  int index = 0;
  if (o.table.empty()) {
    require_success(R::tables::find(index));
    return index;
  }
  std::vector<std::string> names;
  for (const cuda::gpu_table& t : R::tables::gpus) {
    if (o.table == t.name) return index;
    ++index;
    names.emplace_back(t.name);
  }
  throw usage_error("--table: '" + o.table + "' is none of this build's tables (" + joined(names, ", ") +
                    ")");
}

/// Of all lines for a precision, the one that --table and --line ask for.
template <class R>
int asked_line(const options& o) {
  using T = typename R::problem::scalar;
  return R::tables::template first_line<T>[static_cast<std::size_t>(table_index<R>(o))] + o.line;
}

/// Throws unless the table has the line, and the line serves all of these sizes.
template <class R>
void check_line(const options& o, const std::vector<sizes>& all) {
  using T = typename R::problem::scalar;
  const auto& first = R::tables::template first_line<T>;
  const auto t = static_cast<std::size_t>(table_index<R>(o));
  if (o.line >= first[t + 1] - first[t])
    throw usage_error("--line: the table has lines 0 to " + std::to_string(first[t + 1] - first[t] - 1) +
                      ", not " + std::to_string(o.line));
  if (o.line < 0) return;
  const auto& bounds = R::tables::template at<T>(asked_line<R>(o)).bounds;
  std::vector<std::string> serves;
  for (const char* const name : R::tables::routine::extent_names)
    serves.push_back(std::string(name) + " = " + std::to_string(bounds[static_cast<int>(serves.size())]));
  for (const sizes& one : all) {
    if (!bounds.cover(R::box(one)))
      throw usage_error("--line: line " + std::to_string(o.line) + " serves sizes up to " +
                        joined(serves, ", ") + (R::mixed_sizes ? ", --max" : ", --sizes") + " asks for " +
                        text_of(one));
  }
}

/// The sizes of a problem by lines in ascending order.
template <class R>
std::map<int, std::vector<int>> sizes_by(const cuda::class_lines& by, const typename R::problem& p) {
  using T = typename R::problem::scalar;
  std::map<int, std::vector<int>> classes;
  for (std::int64_t b = 0; b < p.batch; ++b) {
    const sizes s = p.sizes_of(b);
    std::size_t c = 0;
    while (!R::tables::template at<T>(by.line[c]).bounds.cover(R::box(s))) ++c;
    classes[by.line[c]].push_back(s.n);
  }
  return classes;
}

/// Which lines serve the problem, for the note of talus's results: "h200 line 3: warp lanes=4 rows=2 tbc=8",
/// or of mixed sizes "h200 lines 3 5".
template <class R>
std::string text_of_lines(const options& o, const typename R::problem& p) {
  using tables = typename R::tables;
  using T = typename R::problem::scalar;
  const auto number = [](int line) {
    return std::to_string(line - tables::template first_line<T>[tables::template table_of<T>(line)]);
  };
  const auto name = [](int line) {
    return std::string(tables::gpus[tables::template table_of<T>(line)].name);
  };
  int line = 0;
  if (o.line >= 0) {
    line = asked_line<R>(o);
  } else if constexpr (R::mixed_sizes) {
    const auto by = cuda::lines_for<tables, T>(table_index<R>(o), R::box({p.m, p.n, p.k}), p.batch);
    std::string words;
    for (const auto& one : sizes_by<R>(by, p))
      words += (words.empty() ? name(one.first) + " lines " : " ") + number(one.first);
    return words;
  } else {
    line = tables::template select<T>(table_index<R>(o), R::box(p.sizes_of(0)), p.batch);
  }
  const auto& of = tables::template at<T>(line);
  std::string text = name(line) + " line " + number(line) + ": ";
  if constexpr (R::mixed_sizes) text += std::string(name_of(of.schedule)) + ' ';
  return text + text_of(of.kernel);
}

// ---- ways ----------------------------------------------------------------------------------------

/// A routine's way that calls run(operands), which returns a status.
template <class R, class Run>
way<typename R::problem> own_way(const std::string& name, Run run) {
  return {name, "", true,
          [=](const typename R::problem& p, int copy) { require_success(run(p.operands(copy))); }};
}

/// As its user calls it, unless a table or a line was asked for.
template <class R>
way<typename R::problem> talus_way([[maybe_unused]] const options& o, const queue& q) {
  using operands = typename R::operands;
#ifdef TALUS_WITH_CUDA
  if constexpr (has_tables<R>) {
    if (o.line >= 0)
      return own_way<R>("talus",
                        [q, line = asked_line<R>(o)](const operands& x) { return R::run_line(line, x, q); });
    if (o.forces_line())
      return own_way<R>(
          "talus", [q, table = table_index<R>(o)](const operands& x) { return R::run_table(table, x, q); });
  }
#endif
  return own_way<R>("talus", [q](const operands& x) { return R::run(x, q); });
}

// ---- mixed sizes ---------------------------------------------------------------------------------

/// padding: all slots already filled, one size factored. padding_copies: the same with what is around it.
template <class R>
void add_padding(ways_of<R>& ways) {
  using problem = typename R::problem;
  using padded = padded_problem<typename problem::scalar>;
  // Of both, and allocated when it is first needed: it may be more than there is memory for.
  const auto slab = std::make_shared<std::unique_ptr<padded>>();
  const auto allocated = [slab](const problem& p) -> const padded& {
    if (!*slab) *slab = std::make_unique<padded>(p);
    return **slab;
  };
  const auto factor = [allocated](const problem& p, int copy) {
    require_success(R::of_one_size::run(allocated(p).operands(p, copy), queue_of(p.where)));
  };
  way<problem> padding = {"padding", "", true, factor};
  padding.prepare = [allocated](const problem& p, int copy) { allocated(p).fill(p, copy); };
  padding.check = [allocated](const problem& p, const std::function<std::string()>& usual) {
    allocated(p).copy_back(p, 0);
    return usual();
  };
  way<problem> with_copies = {"padding_copies", "", true, [allocated, factor](const problem& p, int copy) {
                                allocated(p).fill(p, copy);
                                factor(p, copy);
                                allocated(p).copy_back(p, copy);
                              }};
  with_copies.prepare = [allocated](const problem& p, int) { allocated(p); };
  ways.push_back(padding);
  ways.push_back(with_copies);
}

/// The start of vector or matrix b of copy `copy`, start(copy, b), for all copies and these b, in this order.
template <class Problem, class Start>
auto pointers_in_order(const Problem& p, const std::vector<std::int64_t>& order, Start start) {
  std::vector<decltype(start(0, std::int64_t{0}))> pointers;
  for (int copy = 0; copy < p.copies; ++copy) {
    for (const std::int64_t b : order) pointers.push_back(start(copy, b));
  }
  return std::make_shared<array<typename decltype(pointers)::value_type>>(p.where, pointers);
}

/// One call for each size that occurs, its pointers at hand. Infos come in the order of sizes.
template <class R>
way<typename R::problem> size_groups(const typename R::problem& p) {
  struct group {
    int m, n;
    std::int64_t begin, count;
  };
  std::map<std::pair<int, int>, std::vector<std::int64_t>> by_size;
  for (std::int64_t b = 0; b < p.batch; ++b) by_size[{p.sizes_of(b).m, p.sizes_of(b).n}].push_back(b);
  std::vector<std::int64_t> order;
  std::vector<group> groups;
  for (const auto& [size, numbers] : by_size) {
    groups.push_back({size.first, size.second, static_cast<std::int64_t>(order.size()),
                      static_cast<std::int64_t>(numbers.size())});
    order.insert(order.end(), numbers.begin(), numbers.end());
  }
  const auto A_array = pointers_in_order(p, order, [&](int copy, std::int64_t b) { return p.A(copy, b); });
  const auto ipiv_array =
      pointers_in_order(p, order, [&](int copy, std::int64_t b) { return p.ipiv(copy, b); });
  const auto tau_array =
      pointers_in_order(p, order, [&](int copy, std::int64_t b) { return p.tau(copy, b); });
  return {"groups", std::to_string(groups.size()) + (groups.size() == 1 ? " call" : " calls"), true,
          [=](const typename R::problem& q, int copy) {
            for (const group& g : groups) {
              const std::int64_t first = copy * q.batch + g.begin;
              const auto A = pointer_batch(A_array->data() + first, g.m, g.n, g.m, g.count);
              const auto ipiv = pointer_vectors(ipiv_array->data() + first);
              const auto tau = pointer_vectors(tau_array->data() + first);
              require_success(R::of_one_size::run({q.uplo, A, {}, ipiv, tau, q.info() + g.begin, g.m, g.n},
                                                  queue_of(q.where)));
            }
          }};
}

#ifdef TALUS_WITH_CUDA
/// For each class of sizes that the table has, also where one launch serves them all, one call for equal
/// sizes on as many other matrices as the class has, all of the order whose cube is the mean of the class's
/// cubes, rounded up: about the same work, at the speed of one size.
template <class R>
way<typename R::problem> classes_way(const options& o, const typename R::problem& p) {
  using T = typename R::problem::scalar;
  using one_size = typename R::of_one_size;
  using problems = std::vector<std::unique_ptr<typename one_size::problem>>;
  std::vector<std::pair<int, std::int64_t>> orders;
  std::vector<std::string> words;
  const auto by =
      cuda::classes_for<typename R::tables, T>(table_index<R>(o), R::box({p.m, p.n, p.k}), p.batch);
  for (const auto& one : sizes_by<R>(by, p)) {
    double cubes = 0;
    for (const int n : one.second) cubes += static_cast<double>(n) * n * n;
    const auto count = static_cast<std::int64_t>(one.second.size());
    // Less than rounding moves it, lest equal sizes become larger ones.
    const int n = static_cast<int>(std::ceil(std::cbrt(cubes / static_cast<double>(count)) * (1 - 1e-12)));
    orders.emplace_back(n, count);
    words.push_back(std::to_string(count) + " x " + std::to_string(n));
  }
  const auto all = std::make_shared<problems>();
  way<typename R::problem> classes = {"classes", joined(words, " + "), true,
                                      [all](const typename R::problem&, int copy) {
                                        for (const auto& one : *all)
                                          run<one_size>(*one, copy, queue_of(one->where));
                                      }};
  classes.prepare = [all, orders](const typename R::problem& q, int copy) {
    if (all->empty()) {
      problems made;  // all of them or none
      for (const auto& [n, count] : orders)
        made.push_back(std::make_unique<typename one_size::problem>(contents_of<one_size>(), q.where, q.uplo,
                                                                    square(n), count, q.copies));
      *all = std::move(made);
    }
    for (const auto& one : *all) one->restore(copy);
  };
  classes.check = [all](const typename R::problem&, const std::function<std::string()>&) {
    for (const auto& one : *all) {
      const std::string wrong = result_check<one_size>(*one).complaint(true);
      if (!wrong.empty()) return wrong;
    }
    return std::string();
  };
  return classes;
}
#endif

}  // namespace talus::bench
