// Talus factors very many small matrices in one call (Cholesky, LU, QR) and solves systems with the factors,
// on an NVIDIA GPU or on the CPU. This header includes the whole C++ interface.
#pragma once

#include "talus/batched.hpp"
#include "talus/types.hpp"
#include "talus/vbatched.hpp"
#include "talus/version.h"
