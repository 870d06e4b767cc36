// The device's side of problem.hpp; problem.cpp calls it, problem.cu implements it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace talus::bench::cuda {

void* allocate(std::size_t bytes);
void release(void* memory) noexcept;
void copy_within(void* to, const void* from, std::size_t bytes);
void download(void* to, const void* from, std::size_t bytes);
void fill_bytes(void* memory, unsigned char value, std::size_t bytes);
std::size_t last_level_cache();

void* create_event();
void destroy_event(void* event) noexcept;
void record(void* event);
double seconds_between(void* start, void* stop);  // waits for stop

template <class T>
void generate_A(T* A, int n, std::int64_t batch);
template <class T>
void generate_B(T* B, int n, int nrhs, std::int64_t batch);
void point_to(void** array, void* first, std::int64_t stride_bytes, std::int64_t count);

}  // namespace talus::bench::cuda
