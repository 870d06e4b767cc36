// Work on a stream that does not end before it is told to.
#pragma once

#include <cuda_runtime_api.h>

namespace talus::test {

/// The stream waits until *released is not 0, but for no more than a second. released: where the device can
/// read what the host writes.
cudaError_t hold(cudaStream_t stream, const int* released);

}  // namespace talus::test
