// The kernels that gesv's tables name.
#pragma once

#include "batched/lu/families/smem.cuh"
#include "batched/lu/families/warp.cuh"
#include "batched/lu/gesv.hpp"
