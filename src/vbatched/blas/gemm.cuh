// The kernels that gemm's tables name.
#pragma once

#include "batched/blas/families/products.cuh"
#include "vbatched/blas/gemm.hpp"
