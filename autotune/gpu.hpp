// The GPU that is here: what it calls itself, and points to measure on it.
#pragma once

#include <string>
#include <vector>

#include "classes.hpp"
#include "price_classes.hpp"
#include "sweep.hpp"

namespace talus::tune {

struct gpu_here {
  bool present = false;
  std::string name, clocks;
  int capability = 0;
  double memory = 0;  // bytes
};
gpu_here current_gpu();

/// How carefully points are measured.
struct point_options {
  int most_pairs = 6;          // runs of a kernel in turn with the reference; fewer if a run takes over 4 ms
  bool checks_results = true;  // info and residual, which takes longer than the timing of large matrices
};

/// A routine's on the current GPU; throws std::runtime_error where the build lacks a kernel.
point_maker points_on_gpu(const routine& of, const point_options& how = {});

/// Calls on the current GPU, on matrices that stay as long as neither precision nor batch changes.
class_timer classes_on_gpu(const routine& of, const table& generic);

/// Calls on the current GPU whose lines are numbered as in this build. Results are not checked.
call_timer calls_on_gpu(const routine& of, int most_pairs);

/// Throws std::runtime_error where this build lacks kernels of a table.
void require_kernels(const routine& of, const table& wanted);

}  // namespace talus::tune
