// The device's side of problem.hpp; problem.cpp calls it, problem.cu implements it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace talus::bench::cuda {

void* allocate(std::size_t bytes);
void release(void* memory) noexcept;
void copy_within(void* to, const void* from, std::size_t bytes);
void upload(void* to, const void* from, std::size_t bytes);
void download(void* to, const void* from, std::size_t bytes);
void fill_bytes(void* memory, unsigned char value, std::size_t bytes);
std::size_t last_level_cache();

struct gpu_clock;
gpu_clock* create_clock();
void destroy_clock(gpu_clock* c) noexcept;
void start(gpu_clock* c);
double stop(gpu_clock* c);

template <class T>
void generate_A(T* A, int n, std::int64_t batch);
template <class T>
void generate_B(T* B, int n, int nrhs, std::int64_t batch);
void point_to(void** array, void* first, std::int64_t stride_bytes, std::int64_t count);

// Of variable batches: see variable.hpp.
template <class T>
void generate_variable_A(T* A, const std::int64_t* first, const int* n, std::int64_t batch);
template <class T>
void pad(T* padded, int n_max, bool lower, const T* const* A_array, const int* n, std::int64_t batch);
template <class T>
void unpad(T* const* A_array, const int* n, bool lower, const T* padded, int n_max, std::int64_t batch);

}  // namespace talus::bench::cuda
