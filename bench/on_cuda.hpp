// How the host's files hand over to problem_cuda.hpp what is on a device.
#pragma once

#ifdef TALUS_WITH_CUDA
#include "problem_cuda.hpp"
#endif

// Without CUDA there is no problem on a device: main asks for the backend first.
#ifdef TALUS_WITH_CUDA
#define TALUS_ON_CUDA(where, call) \
  if (where == backend::cuda) return cuda::call
#else
#define TALUS_ON_CUDA(where, call) static_cast<void>(where)
#endif
