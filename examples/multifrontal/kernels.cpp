#include "kernels.hpp"

namespace multifrontal {

template <class Body>
void run_on_host(const Body& body) {
  const std::int64_t items = body.items();
#pragma omp parallel for schedule(dynamic, 4)
  for (std::int64_t item = 0; item < items; ++item) {
    typename Body::shared memory;
    body(item, memory, block_thread{});
  }
}

#define ON_HOST(body) template void run_on_host(const body&);
MULTIFRONTAL_BODIES(ON_HOST)

#ifndef TALUS_WITH_CUDA
template <class Body>
void run_on_gpu(const Body&, void*) {}  // no queue asks for it

#define ON_GPU(body) template void run_on_gpu(const body&, void*);
MULTIFRONTAL_BODIES(ON_GPU)
#endif

}  // namespace multifrontal
