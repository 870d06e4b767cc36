#include "talus/types.hpp"

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
  switch (status) {
    case 0:
      return "success";
    case -1:
      return "argument 1 is illegal";
    case -2:
      return "argument 2 is illegal";
    case -3:
      return "argument 3 is illegal";
    case -4:
      return "argument 4 is illegal";
    case -5:
      return "argument 5 is illegal";
    case -6:
      return "argument 6 is illegal";
    case -7:
      return "argument 7 is illegal";
    case -8:
      return "argument 8 is illegal";
    case -9:
      return "argument 9 is illegal";
    case -10:
      return "argument 10 is illegal";
    case -11:
      return "argument 11 is illegal";
    case -12:
      return "argument 12 is illegal";
    case err_cuda:
      return "the CUDA runtime refused a launch or an allocation";
    case err_work:
      return "the scratch space is too small, or there is no memory for it";
    case err_no_cuda:
      return "no CUDA device is usable, or Talus was built without CUDA";
    case err_unsupported:
      return "the sizes are legal but beyond what this device can do";
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
