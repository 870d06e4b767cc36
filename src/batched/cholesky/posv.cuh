// The kernels that posv's tables name.
#pragma once

#include "batched/cholesky/families/smem.cuh"
#include "batched/cholesky/families/warp.cuh"
#include "batched/cholesky/posv.hpp"
