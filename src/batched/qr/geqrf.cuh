// The kernels that geqrf's tables name.
#pragma once

#include "batched/qr/families/blocked.cuh"
#include "batched/qr/families/cluster.cuh"
#include "batched/qr/families/thread.cuh"
#include "batched/qr/families/warp.cuh"
#include "batched/qr/geqrf.hpp"
