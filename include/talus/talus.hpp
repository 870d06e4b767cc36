// Talus: Cholesky factorizations of very many small matrices at once, on an NVIDIA GPU or on the CPU.
#pragma once

#include "talus/batched.hpp"
#include "talus/types.hpp"
#include "talus/vbatched.hpp"
#include "talus/version.h"
