// The kernels of memory.hpp and problem.hpp.
#include <algorithm>
#include <complex>

#include "measure/batch_work.hpp"
#include "measure/gpu.hpp"
#include "measure/precisions.hpp"

namespace talus::measure {

TALUS_HOST_DEVICE inline void store(float2* p, element e) {
  *p = make_float2(static_cast<float>(e.re), static_cast<float>(e.im));
}
TALUS_HOST_DEVICE inline void store(double2* p, element e) { *p = make_double2(e.re, e.im); }

namespace gpu {
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

float* plain(float* p) { return p; }
double* plain(double* p) { return p; }
float2* plain(std::complex<float>* p) { return reinterpret_cast<float2*>(p); }
double2* plain(std::complex<double>* p) { return reinterpret_cast<double2*>(p); }
template <class T>
using plain_type = std::remove_pointer_t<decltype(plain(static_cast<T*>(nullptr)))>;

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

/// As many threads for a column as it has rows, up to a warp.
template <class Work>
void launch_columns(const Work& work, std::int64_t batch, int columns, int rows) {
  int lanes = 4;
  while (lanes < 32 && lanes < rows) lanes *= 2;
  const std::int64_t per_block = threads / lanes, blocks = (batch * columns + per_block - 1) / per_block;
  if (blocks == 0) return;
  column_kernel<<<static_cast<unsigned>(blocks), threads>>>(work, batch, columns, lanes);
  check_launch("column_kernel");
}

}  // namespace

void hold(const volatile int* queued) {
  hold_kernel<<<1, 1>>>(queued);
  check_launch("hold");
}

template <class T>
void for_each_column(const generate_work<T>& w, std::int64_t batch, int columns, int rows) {
  launch_columns(generate_work<plain_type<T>>{plain(w.X), w.first, w.n, w.n_all, w.columns}, batch, columns,
                 rows);
}
template <class T, bool BACK>
void for_each_column(const pad_work<T, BACK>& w, std::int64_t batch, int columns, int rows) {
  using E = plain_type<T>;
  launch_columns(
      pad_work<E, BACK>{plain(w.padded), w.n_max, w.lower, reinterpret_cast<E* const*>(w.A_array), w.n},
      batch, columns, rows);
}

#define TALUS_INSTANTIATE(T)                                                        \
  template void for_each_column(const generate_work<T>&, std::int64_t, int, int);   \
  template void for_each_column(const pad_work<T, false>&, std::int64_t, int, int); \
  template void for_each_column(const pad_work<T, true>&, std::int64_t, int, int);
TALUS_FOR_ALL_TYPES(TALUS_INSTANTIATE)

}  // namespace gpu
}  // namespace talus::measure
