// The experiments of Abdelfattah, Haidar, Tomov, Dongarra (ICCS 2016) that can be repeated on one GPU: which
// kernels, sizes and batches belong to each of their figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ways.hpp"

namespace talus::bench {

struct figure {
  int number;
  const char* what;
  std::vector<int> sizes;
  std::int64_t batch;
  std::vector<std::string> on_host;  // further ways, measured on the CPU with a batch that fills its memory
  bool has_kernels = true;           // of its own
  std::vector<std::string> distributions = {};  // of variable sizes, and sizes are their maxima
  std::vector<std::string> on_cuda = {};        // further ways there

  bool is_variable() const { return !distributions.empty(); }
  const char* routine() const {
    return is_variable() ? measure::potrf_vbatched<float>::name : measure::potrf<float>::name;
  }
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

constexpr bool has_kernels =
#ifdef TALUS_WITH_FIGURES
    true;
#else
    false;
#endif

/// The kernels of a figure, in real precisions of builds with CUDA and potrf (figures.cu).
template <class Problem>
std::vector<way<Problem>> kernels_of_figure(int number);

/// The same of any build.
template <class Problem>
std::vector<way<Problem>> figure_ways([[maybe_unused]] int number) {
  if constexpr (has_kernels && !is_complex<typename Problem::scalar>) {
    return kernels_of_figure<Problem>(number);
  } else {
    return {};
  }
}

}  // namespace talus::bench
