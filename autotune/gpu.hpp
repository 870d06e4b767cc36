// The GPU that is here: what it calls itself, and points to measure on it.
#pragma once

#include <string>
#include <vector>

#include "classes.hpp"
#include "sweep.hpp"

namespace talus::tune {

struct gpu_here {
  bool present = false;
  std::string name, clocks;
  int capability = 0;
  double memory = 0;  // bytes
};
gpu_here current_gpu();

/// A routine's on the current GPU; throws std::runtime_error where the build lacks a kernel.
point_maker points_on_gpu(const routine& of);

/// Calls on the current GPU, on matrices that stay as long as neither precision nor batch changes.
class_timer classes_on_gpu(const table& generic);

/// Kernels of a plan and its generic table that this build lacks, in words.
std::vector<std::string> missing_kernels(const sweep_plan& plan, const table& generic);
std::vector<std::string> missing_classes(const class_plan& plan, const table& generic);

}  // namespace talus::tune
