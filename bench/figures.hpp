// The experiments of Abdelfattah, Haidar, Tomov, Dongarra (ICCS 2016) that can be repeated on one GPU: which
// kernels, sizes and batches belong to each of their figures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "peers.hpp"
#include "plan.hpp"
#ifdef TALUS_WITH_CUDA
#include "batched/potrf_table.hpp"
#include "vbatched/potrf_table.hpp"
#endif

namespace talus::bench {

struct figure {
  int number;
  const char* what;
  std::vector<int> sizes;
  std::int64_t batch;
  std::vector<std::string> on_host;  // further ways, measured on the CPU with a batch that fills its memory
  bool has_kernels = true;           // of the table `figures`
  std::vector<std::string> distributions = {};  // of variable sizes, and sizes are their maxima
  std::vector<std::string> on_cuda = {};        // of potrf_vbatched's peers

  bool is_variable() const { return !distributions.empty(); }
};

inline const std::vector<figure> figures = {
    {2,
     "loop-inclusive and loop-exclusive panels, ib from 2 to 32, 3,000 matrices",
     {16, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512},
     3000,
     {}},
    {3,
     "1 to 8 matrices per thread block (tbc), 10,000 matrices",
     {4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32},
     10000,
     {}},
    {4,
     "greedy and lazy schedules that end early in the classic or the aggressive way, 3,000 matrices of sizes "
     "from 1 on",
     {32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512},
     3000,
     {},
     true,
     {"uniform"}},
    {5,
     "one fused kernel per step, separate kernels, and three ways on the CPU, 3,000 matrices",
     {16, 32, 64, 96, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024},
     3000,
     {"openblas-loop", "openblas-static", "openblas-dynamic"}},
    {6,
     "variable sizes, uniform and gaussian, against padding to the largest and three ways on the CPU, 3,000 "
     "matrices",
     {16, 32, 64, 100, 128, 192, 200, 256, 300, 384, 400, 500, 512, 640, 768, 1024},
     3000,
     {"openblas-loop", "openblas-static", "openblas-dynamic"},
     false,
     {"uniform", "gaussian"},
     {"padding", "padding_copies", "magma"}}};

/// Null if there is none of that number.
inline const figure* find_figure(int number) {
  for (const figure& f : figures) {
    if (f.number == number) return &f;
  }
  return nullptr;
}

#ifdef TALUS_WITH_CUDA
/// Index of the table, among potrf's or potrf_vbatched's, that holds the figures' kernels; -1 in a build
/// without.
inline int figures_table(bool variable) {
  const auto index_in = [](const auto& tables) {
    int index = 0;
    for (const talus::cuda::gpu_table& t : tables) {
      if (std::string(t.name) == "figures") return index;
      ++index;
    }
    return -1;
  };
  return variable ? index_in(talus::cuda::potrf_vbatched_tables::gpus)
                  : index_in(talus::cuda::potrf_tables::gpus);
}

/// What a line of that table is called in a figure; empty: it does not belong there.
inline std::string series_name(int number, const talus::cuda::potrf_line& line) {
  const bool panel = line.family == talus::cuda::potrf_family::panel_inclusive ||
                     line.family == talus::cuda::potrf_family::panel_exclusive;
  const bool tiny = line.n_max <= 32;
  if (number == 2 && panel && !tiny && line.rows == 1) {
    return (line.family == talus::cuda::potrf_family::panel_inclusive ? "inclusive ib=" : "exclusive ib=") +
           std::to_string(line.ib);
  }
  if (number == 3 && tiny) return (panel ? "tbc=" : "warp tbc=") + std::to_string(line.tbc);
  if (number == 5 && !tiny) {
    if (line.family == talus::cuda::potrf_family::panel_exclusive) return "fused";
    if (line.family == talus::cuda::potrf_family::blocked) return "separate";
  }
  return "";
}

/// The same of a line of potrf_vbatched's: "greedy classic ib=8", or of the blocked factorization "...
/// nb=64".
inline std::string series_name(const talus::cuda::potrf_vbatched_line& line) {
  std::string name = name_of(line.schedule);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name + (line.nb > 0 ? " nb=" + std::to_string(line.nb) : " ib=" + std::to_string(line.ib));
}

/// The series of a figure, as libraries; run_line(line, problem, copy) runs a line of potrf_tables::lines<T>.
template <class T, class Run>
std::vector<library<T>> series_of(int number, Run run_line) {
  std::vector<library<T>> all;
  const auto table = static_cast<std::size_t>(figures_table(false));
  const auto& first = talus::cuda::potrf_tables::first_line<T>;
  for (int i = first[table]; i < first[table + 1]; ++i) {
    const talus::cuda::potrf_line& line = talus::cuda::potrf_tables::lines<T>[static_cast<std::size_t>(i)];
    const std::string name = series_name(number, line);
    if (name.empty()) continue;
    const std::string variant = line.nb > 0 ? "nb=" + std::to_string(line.nb)
                                            : "ib=" + std::to_string(line.ib) +
                                                  (line.rows > 1 ? " rows=" + std::to_string(line.rows) : "");
    all.push_back(
        {name, variant, true, [=](const problem<T>& p, int copy) { run_line(i, p, copy); }, 1, line.n_max});
  }
  return all;
}
#endif

}  // namespace talus::bench
