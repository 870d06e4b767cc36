// The kernels that getrf's tables name.
#pragma once

#include "batched/lu/families/blocked.cuh"
#include "batched/lu/families/column_blocks.cuh"
#include "batched/lu/families/left.cuh"
#include "batched/lu/families/smem.cuh"
#include "batched/lu/families/warp.cuh"
#include "batched/lu/getrf.hpp"
