#include "talus/types.hpp"

#include <iterator>

#include "backends.hpp"
#include "talus/talus.h"

namespace talus {

queue queue::host() noexcept { return {}; }

queue queue::cuda(void* stream) noexcept {
  queue q;
  q.where = backend::cuda;
  q.stream = stream;
  return q;
}

queue queue::best() noexcept { return cuda::device_is_usable() ? cuda() : host(); }

const char* strerror(int status) noexcept {
  static constexpr const char* illegal[] = {
      "argument 1 is illegal",  "argument 2 is illegal",  "argument 3 is illegal",  "argument 4 is illegal",
      "argument 5 is illegal",  "argument 6 is illegal",  "argument 7 is illegal",  "argument 8 is illegal",
      "argument 9 is illegal",  "argument 10 is illegal", "argument 11 is illegal", "argument 12 is illegal",
      "argument 13 is illegal", "argument 14 is illegal", "argument 15 is illegal", "argument 16 is illegal",
      "argument 17 is illegal", "argument 18 is illegal", "argument 19 is illegal", "argument 20 is illegal",
      "argument 21 is illegal", "argument 22 is illegal", "argument 23 is illegal", "argument 24 is illegal"};
  if (status < 0 && status >= -static_cast<int>(std::size(illegal))) return illegal[-status - 1];
  switch (status) {
    case 0:
      return "success";
    case err_cuda:
      return "the CUDA runtime reported an error";
    case err_work:
      return "the scratch space is too small, or there is no memory for it";
    case err_no_cuda:
      return "no CUDA device is usable, or Talus was built without CUDA";
    case err_unsupported:
      return "the sizes are legal but beyond what this device can do";
    case err_memory:
      return "less than 64 MiB of device memory are free, which the first launch of a kernel requires";
    default:
      return "unknown status";
  }
}

}  // namespace talus

extern "C" {

static talus_queue to_c(talus::queue q) {
  const int where = static_cast<int>(q.where);
  return {where, q.stream, q.work, q.work_bytes, q.options, {q.reserved[0], q.reserved[1]}};
}

talus_queue talus_queue_host(void) { return to_c(talus::queue::host()); }
talus_queue talus_queue_cuda(void* stream) { return to_c(talus::queue::cuda(stream)); }
talus_queue talus_queue_best(void) { return to_c(talus::queue::best()); }
const char* talus_strerror(int status) { return talus::strerror(status); }

}  // extern "C"
