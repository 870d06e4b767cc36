// Which batches a command measures: sizes by regimes, or where sizes are mixed distributions by their maxima.
#pragma once

#include <omp.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "figures/figures.hpp"
#include "measure/plan.hpp"

namespace talus::bench {

/// One batch to be measured.
struct batch_to_measure {
  std::string label, regime;     // what tells it apart: in the table, in the file
  sizes largest;                 // all of one size; the maximum asked for; of a level of a tree the largest
  std::int64_t count;            // of matrices
  std::vector<sizes> each = {};  // where they are mixed
};

/// Those that stand in one table.
struct series {
  std::string title;
  std::string label;          // of the table's first column
  std::string sum_label;      // regime of the sum of all, if they are worked on one after the other
  std::int64_t left_out = 0;  // fronts of a tree that are larger than asked for
  std::vector<batch_to_measure> batches = {};
};

/// As many matrices as a regime says, of so many bytes each.
inline std::int64_t count_of(const regime& how_many, const options& o, char precision, double matrix_bytes) {
  if (how_many.batch_count > 0) return how_many.batch_count;
  return fill_of(o.where, precision, omp_get_max_threads(), static_cast<double>(o.bytes))
      .batch_count(matrix_bytes);
}

/// Of each kind of extents the largest.
inline sizes largest_of(const std::vector<sizes>& each) {
  sizes largest;
  for (const sizes& one : each) {
    largest.m = std::max(largest.m, one.m);
    largest.n = std::max(largest.n, one.n);
    largest.k = std::max(largest.k, one.k);
  }
  return largest;
}

/// Fronts as a routine takes them: one that has no k factors all of them.
template <class R>
series series_of_tree(const options& o, const distribution& d) {
  const int n_max = o.maxima.empty() ? largest_size : parse_sizes(o.maxima).front();
  tree fronts = read_tree(d.path, n_max);
  series levels = {d.name, "level", d.name + ":all", fronts.left_out};
  for (tree_level& level : fronts.levels) {
    for (sizes& front : level.fronts) {
      if (!R::has_k) front.k = front.n;
    }
    const auto count = static_cast<std::int64_t>(level.fronts.size());
    levels.batches.push_back(
        {level.name, d.name + ':' + level.name, largest_of(level.fronts), count, std::move(level.fronts)});
  }
  return levels;
}

template <class R>
std::vector<series> series_of_equal(const options& o) {
  using T = typename R::problem::scalar;
  std::vector<regime> regimes;
  if (o.figure == nullptr) {
    for (const std::string& text : o.regimes) regimes.push_back(parse_regime(text));
  } else {  // on the host as many matrices as fill its memory
    regimes.push_back(
        {"figure " + std::to_string(o.figure->number), o.where == backend::cuda ? o.figure->batch : 0});
  }
  std::vector<series> all;
  for (const regime& how_many : regimes) {
    series of_sizes = {"regime " + how_many.name, "n", ""};
    for (sizes s : o.sizes.empty() ? squares(grid) : parse_shapes(o.sizes)) {
      s.nrhs = columns_of_B<R>(s.n, o.nrhs);
      of_sizes.batches.push_back(
          {text_of(s), how_many.name, s, count_of(how_many, o, precision_of<T>, sizeof(T) * elements_of(s))});
    }
    all.push_back(std::move(of_sizes));
  }
  return all;
}

/// Squares of random orders; a routine that has k eliminates half of their columns, rounded up.
template <class R>
std::vector<sizes> random_squares(const distribution& d, int n_max, std::int64_t count, std::uint64_t seed) {
  std::vector<sizes> each = squares(random_sizes(d.is, n_max, count, seed));
  for (sizes& one : each) {
    if (R::has_k) one.k = (one.n + 1) / 2;
  }
  return each;
}

template <class R>
std::vector<series> series_of_mixed(const options& o) {
  using T = typename R::problem::scalar;
  const bool fills = o.figure != nullptr && o.where == backend::host;
  std::vector<series> all;
  for (const std::string& text : o.distributions) {
    const distribution d = parse_distribution(text);
    if (d.is == distribution::kind::tree) {
      all.push_back(series_of_tree<R>(o, d));
      continue;
    }
    series of_maxima = {d.name, "max", ""};
    for (const int n : parse_sizes(o.maxima.empty() ? default_maxima : o.maxima)) {
      std::vector<sizes> each = random_squares<R>(d, n, o.batch, o.seed);
      if (fills) {
        double bytes = 0;
        for (const sizes& one : each) bytes += sizeof(T) * elements_of(one);
        const auto count =
            count_of({"fill", 0}, o, precision_of<T>, bytes / static_cast<double>(each.size()));
        each = random_squares<R>(d, n, count, o.seed);
      }
      const auto count = static_cast<std::int64_t>(each.size());
      of_maxima.batches.push_back({std::to_string(n), d.name, square(n), count, std::move(each)});
    }
    all.push_back(std::move(of_maxima));
  }
  return all;
}

}  // namespace talus::bench
