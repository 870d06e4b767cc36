// Whether a backend is there. What it provides stands with the routines: batched/cholesky/backends.hpp.
#pragma once

namespace talus::cuda {

#ifdef TALUS_WITH_CUDA
/// Whether the current device can run what was compiled: being there is not enough.
bool device_is_usable() noexcept;
#else
inline bool device_is_usable() noexcept { return false; }
#endif

}  // namespace talus::cuda
