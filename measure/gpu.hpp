// The device's side of memory.hpp and problem.hpp, in memory.cu and problem.cu, and how the host's files hand
// over to it.
#pragma once

#include <cstddef>
#include <cstdint>

// Without CUDA there is nothing on a device: programs ask for the backend first.
#ifdef TALUS_WITH_CUDA
#define TALUS_ON_GPU(where, call) \
  if (where == backend::cuda) return gpu::call
#else
#define TALUS_ON_GPU(where, call) static_cast<void>(where)
#endif

namespace talus::measure::gpu {

void* allocate(std::size_t bytes);
void release(void* memory) noexcept;
void copy_within(void* to, const void* from, std::size_t bytes);
void upload(void* to, const void* from, std::size_t bytes);
void download(void* to, const void* from, std::size_t bytes);
void fill_bytes(void* memory, unsigned char value, std::size_t bytes);
std::size_t last_level_cache();
void finish();

struct clock;
clock* create_clock();
void destroy_clock(clock* c) noexcept;
void start(clock* c);
double stop(clock* c);

template <class T>
void generate_A(T* A, int n, std::int64_t batch);
template <class T>
void generate_B(T* B, int n, int nrhs, std::int64_t batch);
void point_to(void** array, void* first, std::int64_t stride_bytes, std::int64_t count);

template <class T>
void generate_variable_A(T* A, const std::int64_t* first, const int* n, std::int64_t batch);
template <class T>
void pad(T* padded, int n_max, bool lower, const T* const* A_array, const int* n, std::int64_t batch);
template <class T>
void unpad(T* const* A_array, const int* n, bool lower, const T* padded, int n_max, std::int64_t batch);

}  // namespace talus::measure::gpu
