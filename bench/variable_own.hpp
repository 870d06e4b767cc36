// Talus itself on batches of variable size: potrf_vbatched, and what its user would otherwise do with the
// routines of one size.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "measure.hpp"
#include "peers.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"
#include "variable.hpp"
#ifdef TALUS_WITH_CUDA
#include "figures.hpp"
#include "tables.hpp"
#include "vbatched/potrf_table.hpp"
#endif

namespace talus::bench {

inline void require_success(int status) {
  if (status != 0) throw std::runtime_error(strerror(status));
}

#ifdef TALUS_WITH_CUDA
template <class T>
variable_batch<T> batch_of(const variable_problem<T>& p, int copy) {
  return {p.A_array(copy), p.n(), p.n(), p.lda(), p.batch};
}

/// Runs one line of potrf_vbatched_tables::lines<T> for all matrices.
template <class T>
variable_library<T> variable_line(const std::string& name, int line, const queue& q) {
  return {name, "", true, [=](const variable_problem<T>& p, int copy) {
            require_success(
                talus::cuda::potrf_vbatched_at(line, p.uplo, batch_of(p, copy), p.info(), p.n_max, q));
          }};
}

/// Runs the classes of one table.
template <class T>
variable_library<T> variable_with_table(const std::string& name, int table, const queue& q) {
  return {name, "", true, [=](const variable_problem<T>& p, int copy) {
            require_success(
                talus::cuda::potrf_vbatched_with(table, p.uplo, batch_of(p, copy), p.info(), p.n_max, q));
          }};
}

/// The sizes of the problem by lines in ascending order.
template <class T>
std::map<int, std::vector<int>> sizes_by(const talus::cuda::class_lines& by, const variable_problem<T>& p) {
  const auto bound_of = [&](std::size_t c) {
    return talus::cuda::potrf_vbatched_tables::lines<T>[static_cast<std::size_t>(by.line[c])].n_max;
  };
  std::map<int, std::vector<int>> classes;
  for (const int n : p.sizes) {
    std::size_t c = 0;
    while (bound_of(c) < n) ++c;
    classes[by.line[c]].push_back(n);
  }
  return classes;
}
#endif

/// Which lines serve this problem, for the note of talus's results.
template <class T>
std::string variable_lines([[maybe_unused]] const settings& s,
                           [[maybe_unused]] const variable_problem<T>& p) {
#ifdef TALUS_WITH_CUDA
  using tables = talus::cuda::potrf_vbatched_tables;
  if (p.where == backend::cuda) {
    const auto& first = tables::first_line<T>;
    if (s.line >= 0) {
      const auto table = static_cast<std::size_t>(s.table);
      const auto& line = tables::lines<T>[static_cast<std::size_t>(first[table] + s.line)];
      return std::string(tables::gpus[table].name) + " line " + std::to_string(s.line) + ": " +
             name_of(line.schedule) + ' ' + kernel_words(line);
    }
    std::string words;
    for (const auto& one : sizes_by(talus::cuda::lines_for<T>(s.table, p.n_max, p.batch), p)) {
      const std::size_t table = tables::table_of<T>(one.first);
      if (words.empty()) words = std::string(tables::gpus[table].name) + " lines";
      words += ' ' + std::to_string(one.first - first[table]);
    }
    return words;
  }
#endif
  return "";
}

/// potrf_vbatched as its user calls it, unless a table or a line was asked for.
template <class T>
variable_library<T> variable_talus([[maybe_unused]] const settings& s, const queue& q) {
#ifdef TALUS_WITH_CUDA
  if (s.line >= 0)
    return variable_line<T>(
        "talus",
        talus::cuda::potrf_vbatched_tables::first_line<T>[static_cast<std::size_t>(s.table)] + s.line, q);
  if (s.forces_line) return variable_with_table<T>("talus", s.table, q);
#endif
  return {"talus", "", true, [=](const variable_problem<T>& p, int copy) {
            require_success(
                potrf_vbatched<T>(p.uplo, p.n(), p.A_array(copy), p.lda(), p.info(), p.batch, p.n_max, q));
          }};
}

/// padding: all slots already filled, one size factored. padding_copies: the same with what is around it.
template <class T>
void add_padding(std::vector<variable_library<T>>& ways) {
  using problem = variable_problem<T>;
  // Of both, and allocated when it is first needed: it may be more than there is memory for.
  const auto slab = std::make_shared<std::unique_ptr<padded_problem<T>>>();
  const auto allocated = [slab](const problem& p) -> const padded_problem<T>& {
    if (!*slab) *slab = std::make_unique<padded_problem<T>>(p);
    return **slab;
  };
  const auto factor = [allocated](const problem& p, int copy) {
    require_success(potrf_strided_batched(p.uplo, p.n_max, allocated(p).A(p, copy), p.n_max,
                                          std::int64_t{p.n_max} * p.n_max, p.info(), p.batch,
                                          queue_of(p.where)));
  };
  variable_library<T> padding = {"padding", "", true, factor};
  padding.prepare = [allocated](const problem& p, int copy) { allocated(p).fill(p, copy); };
  padding.check = [allocated](const problem& p, const std::function<std::string()>& usual) {
    allocated(p).copy_back(p, 0);
    return usual();
  };
  variable_library<T> with_copies = {"padding_copies", "", true,
                                     [allocated, factor](const problem& p, int copy) {
                                       allocated(p).fill(p, copy);
                                       factor(p, copy);
                                       allocated(p).copy_back(p, copy);
                                     }};
  with_copies.prepare = [allocated](const problem& p, int) { allocated(p); };
  ways.push_back(padding);
  ways.push_back(with_copies);
}

/// One call of potrf_batched for each size that occurs, its pointers at hand. Infos come in the order of
/// sizes.
template <class T>
variable_library<T> size_groups(const variable_problem<T>& p) {
  struct group {
    int n;
    std::int64_t begin, count;
  };
  std::vector<std::int64_t> order(p.sizes.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto size_of = [&](std::int64_t b) { return p.sizes[static_cast<std::size_t>(b)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return size_of(a) < size_of(b); });
  std::vector<group> groups;
  for (std::int64_t i = 0; i < p.batch; ++i) {
    const int n = size_of(order[static_cast<std::size_t>(i)]);
    if (groups.empty() || groups.back().n != n) groups.push_back({n, i, 0});
    ++groups.back().count;
  }
  std::vector<T*> pointers;
  for (int copy = 0; copy < p.copies; ++copy) {
    for (const std::int64_t b : order) pointers.push_back(p.A(copy, b));
  }
  const auto A_array = std::make_shared<array<T*>>(p.where, pointers.size());
  upload(p.where, A_array->data(), pointers.data(), pointers.size() * sizeof(T*));
  return {"groups", std::to_string(groups.size()) + (groups.size() == 1 ? " call" : " calls"), true,
          [=](const variable_problem<T>& q, int copy) {
            for (const group& g : groups)
              require_success(potrf_batched<T>(q.uplo, g.n, A_array->data() + copy * q.batch + g.begin, g.n,
                                               q.info() + g.begin, g.count, queue_of(q.where)));
          }};
}

#ifdef TALUS_WITH_CUDA
/// For each class of sizes that the table has, also where one launch serves them all, one call of
/// potrf_strided_batched on as many other matrices as the class has, all of the order whose cube is the mean
/// of the class's cubes, rounded up: about the same work, at the speed of one size.
template <class T>
void add_classes(std::vector<variable_library<T>>& ways, const variable_problem<T>& p, int table) {
  using problems = std::vector<std::unique_ptr<problem<T>>>;
  std::vector<std::pair<int, std::int64_t>> orders;
  std::string words;
  for (const auto& one : sizes_by(talus::cuda::classes_for<T>(table, p.n_max, p.batch), p)) {
    double cubes = 0;
    for (const int n : one.second) cubes += static_cast<double>(n) * n * n;
    const auto count = static_cast<std::int64_t>(one.second.size());
    // Less than rounding moves it, lest equal sizes become larger ones.
    const int n = static_cast<int>(std::ceil(std::cbrt(cubes / static_cast<double>(count)) * (1 - 1e-12)));
    orders.emplace_back(n, count);
    words += (words.empty() ? "" : " + ") + std::to_string(count) + " x " + std::to_string(n);
  }
  const auto all = std::make_shared<problems>();
  variable_library<T> classes = {
      "classes", words, true, [all](const variable_problem<T>&, int copy) {
        for (const auto& one : *all)
          require_success(potrf_strided_batched(one->uplo, one->n, one->A(copy), one->n, one->stride_A(),
                                                one->info(), one->batch, queue_of(one->where)));
      }};
  classes.prepare = [all, orders](const variable_problem<T>& q, int copy) {
    if (all->empty()) {
      problems made;  // all of them or none
      for (const auto& [n, count] : orders)
        made.push_back(std::make_unique<problem<T>>(q.where, q.uplo, n, 0, count, q.copies));
      *all = std::move(made);
    }
    for (const auto& one : *all) one->restore(copy);
  };
  classes.check = [all](const variable_problem<T>&, const std::function<std::string()>&) {
    for (const auto& one : *all) {
      const std::string wrong = complaint(*one, "potrf", true, false);
      if (!wrong.empty()) return wrong + " in the class of n = " + std::to_string(one->n);
    }
    return std::string();
  };
  ways.push_back(classes);
}

/// The series of figure 4.
template <class T>
void add_series(std::vector<variable_library<T>>& ways, const queue& q) {
  using tables = talus::cuda::potrf_vbatched_tables;
  const auto table = static_cast<std::size_t>(figures_table(true));
  const auto& first = tables::first_line<T>;
  for (int i = first[table]; i < first[table + 1]; ++i) {
    const auto& line = tables::lines<T>[static_cast<std::size_t>(i)];
    ways.push_back(variable_line<T>(series_name(line), i, q));
    ways.back().n_max = line.n_max;
  }
}
#endif

}  // namespace talus::bench
