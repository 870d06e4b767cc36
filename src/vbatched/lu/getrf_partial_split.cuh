// The kernels that getrf_partial_split's tables name.
#pragma once

#include "batched/lu/families/front_strips.cuh"
#include "batched/lu/families/smem_front.cuh"
#include "vbatched/lu/getrf_partial_split.hpp"
