// The kernels that potrf_partial's tables name.
#pragma once

#include "batched/cholesky/families/front_smem.cuh"
#include "batched/cholesky/families/tiled.cuh"
#include "batched/cholesky/potrf_partial.hpp"
