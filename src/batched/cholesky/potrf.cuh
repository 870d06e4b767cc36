// The kernels that potrf's tables name.
#pragma once

#include "batched/cholesky/families/blocked.cuh"
#include "batched/cholesky/families/smem.cuh"
#include "batched/cholesky/families/smem_lookahead.cuh"
#include "batched/cholesky/families/tiled.cuh"
#include "batched/cholesky/families/warp.cuh"
#include "batched/cholesky/potrf.hpp"
