#include "batches.hpp"

#include <omp.h>

#include <algorithm>

#include "figures/figures.hpp"

namespace talus::bench {
namespace {

/// As many matrices as a regime says, of so many bytes each.
std::int64_t count_of(const regime& how_many, const options& o, const matrices& of, double matrix_bytes) {
  if (how_many.batch_count > 0) return how_many.batch_count;
  return fill_of(of.where, of.precision, omp_get_max_threads(), static_cast<double>(o.bytes))
      .batch_count(matrix_bytes);
}

series series_of_tree(const options& o, const distribution& d) {
  const int n_max = o.maxima.empty() ? largest_size : parse_sizes(o.maxima).front();
  tree fronts = read_tree(d.path, n_max);
  series levels = {d.name, "level", d.name + ":all", fronts.left_out};
  for (tree_level& level : fronts.levels) {
    const int n = *std::max_element(level.sizes.begin(), level.sizes.end());
    const auto count = static_cast<std::int64_t>(level.sizes.size());
    levels.batches.push_back({level.name, d.name + ':' + level.name, n, count, std::move(level.sizes)});
  }
  return levels;
}

}  // namespace

std::vector<series> series_of_equal(const options& o, const matrices& of) {
  std::vector<regime> regimes;
  if (o.figure == nullptr) {
    for (const std::string& text : o.regimes) regimes.push_back(parse_regime(text));
  } else {  // on the host as many matrices as fill its memory
    regimes.push_back(
        {"figure " + std::to_string(o.figure->number), of.where == backend::cuda ? o.figure->batch : 0});
  }
  std::vector<series> all;
  for (const regime& how_many : regimes) {
    series of_sizes = {"regime " + how_many.name, "n", ""};
    for (const int n : o.sizes.empty() ? grid : parse_sizes(o.sizes)) {
      const double bytes = static_cast<double>(of.element_bytes) * n * (n + of.nrhs);
      of_sizes.batches.push_back({std::to_string(n), how_many.name, n, count_of(how_many, o, of, bytes)});
    }
    all.push_back(std::move(of_sizes));
  }
  return all;
}

std::vector<series> series_of_mixed(const options& o, const matrices& of) {
  const bool fills = o.figure != nullptr && of.where == backend::host;
  std::vector<series> all;
  for (const std::string& text : o.distributions) {
    const distribution d = parse_distribution(text);
    if (d.is == distribution::kind::tree) {
      all.push_back(series_of_tree(o, d));
      continue;
    }
    series of_maxima = {d.name, "max", ""};
    for (const int n : parse_sizes(o.maxima.empty() ? default_maxima : o.maxima)) {
      std::vector<int> sizes = random_sizes(d.is, n, o.batch, o.seed);
      if (fills) {
        double bytes = 0;
        for (const int size : sizes) bytes += static_cast<double>(of.element_bytes) * size * size;
        const auto count = count_of({"fill", 0}, o, of, bytes / static_cast<double>(sizes.size()));
        sizes = random_sizes(d.is, n, count, o.seed);
      }
      const auto count = static_cast<std::int64_t>(sizes.size());
      of_maxima.batches.push_back({std::to_string(n), d.name, n, count, std::move(sizes)});
    }
    all.push_back(std::move(of_maxima));
  }
  return all;
}

}  // namespace talus::bench
