// Where kernels of geqrf have tau from: of equal sizes it is an argument, of mixed sizes their source has it.
#pragma once

#include "batch.hpp"
#include "gpu/equal_sizes.cuh"
#include "gpu/launch.cuh"

namespace talus::cuda::householder {

/// What follows a factorization: nothing.
template <class T>
struct factor_only {
  vectors<T> tau;
};

template <class Source, class Then>
__device__ auto tau_of(const Source& source, const Then& then, std::int64_t b) {
  if constexpr (Source::equal) {
    return then.tau[b];
  } else {
    return source.check.tau[b];
  }
}

}  // namespace talus::cuda::householder
