// The kernels of memory.hpp and problem.hpp.
#include "gpu/scalar.cuh"
#include "measure/gpu.hpp"
#include "measure/precisions.hpp"

namespace talus::measure::gpu {
namespace {

/// Keeps the stream waiting until the host has queued what is timed: a GPU that waits for the host's next
/// launch would be measured otherwise. Two milliseconds at most, lest a queued call that waits for the GPU
/// waits for ever.
__global__ void hold_kernel(const volatile int* queued) {
  const auto now = [] {
    long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
  };
  const long long last = now() + 2000000;
  while (!*queued && now() < last) {
  }
}

// ---- the batch's columns -------------------------------------------------------------------------

using cuda::device_t;
template <class T>
generate_work<device_t<T>> on_device(const generate_work<T>& w) {
  return {w.kind, reinterpret_cast<device_t<T>*>(w.X), w.first, w.m_array, w.n_array, w.m, w.n};
}
template <class T, bool BACK>
pad_work<device_t<T>, BACK> on_device(const pad_work<T, BACK>& w) {
  using D = device_t<T>;
  return {reinterpret_cast<D*>(w.padded), w.n_max, w.lower, reinterpret_cast<D* const*>(w.A_array), w.n};
}

constexpr int threads = 256;

template <class Work>
__global__ void __launch_bounds__(threads)
    column_kernel(Work work, std::int64_t batch, int columns, int lanes) {
  const std::int64_t column =
      static_cast<std::int64_t>(blockIdx.x) * (threads / lanes) + static_cast<int>(threadIdx.x) / lanes;
  const std::int64_t b = column / columns;
  if (b < batch)
    work(b, static_cast<int>(column - b * columns), static_cast<int>(threadIdx.x) % lanes, lanes);
}

}  // namespace

void hold(const volatile int* queued) {
  hold_kernel<<<1, 1>>>(queued);
  check_launch("hold");
}

/// As many threads for a column as it has rows, up to a warp.
template <class Work>
void for_each_column(const Work& work, std::int64_t batch, int columns, int rows) {
  int lanes = 4;
  while (lanes < 32 && lanes < rows) lanes *= 2;
  const std::int64_t per_block = threads / lanes, blocks = (batch * columns + per_block - 1) / per_block;
  if (blocks == 0) return;
  column_kernel<<<static_cast<unsigned>(blocks), threads>>>(on_device(work), batch, columns, lanes);
  check_launch("column_kernel");
}

#define TALUS_INSTANTIATE(T)                                                        \
  template void for_each_column(const generate_work<T>&, std::int64_t, int, int);   \
  template void for_each_column(const pad_work<T, false>&, std::int64_t, int, int); \
  template void for_each_column(const pad_work<T, true>&, std::int64_t, int, int);
TALUS_FOR_ALL_TYPES(TALUS_INSTANTIATE)

}  // namespace talus::measure::gpu
