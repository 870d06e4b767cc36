// The kernels that trsm's tables name.
#pragma once

#include "batched/blas/families/columns.cuh"
#include "batched/blas/families/resident.cuh"
#include "batched/blas/families/row_tiles.cuh"
#include "batched/blas/families/rows.cuh"
#include "batched/blas/families/strips.cuh"
#include "batched/blas/families/warp.cuh"
#include "batched/blas/trsm.hpp"
