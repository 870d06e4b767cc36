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

template void run_on_host(const scatter_entries&);
template void run_on_host(const extend_add&);
template void run_on_host(const gather_rows&);
template void run_on_host(const rows_of_parents&);
template void run_on_host(const scatter_solution&);
template void run_on_host(const residual&);
template void run_on_host(const follow_exchanges&);

#ifndef TALUS_WITH_CUDA
template <class Body>
void run_on_gpu(const Body&, void*) {}  // no queue asks for it

template void run_on_gpu(const scatter_entries&, void*);
template void run_on_gpu(const extend_add&, void*);
template void run_on_gpu(const gather_rows&, void*);
template void run_on_gpu(const rows_of_parents&, void*);
template void run_on_gpu(const scatter_solution&, void*);
template void run_on_gpu(const residual&, void*);
template void run_on_gpu(const follow_exchanges&, void*);
#endif

}  // namespace multifrontal
