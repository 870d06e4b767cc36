// Which library's functions and queues a program has that is linked with libtalus_magma and, before or behind
// it, with another one that has MAGMA's names. One object, linked in each order:
//
//   ahead         Talus's routines on the other library's queues
//   ahead_static  the same with an archive, whose functions are the program's own
//   behind        the other's, and where it has none Talus's, on its queues
//   alone         all Talus's
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "stand_in.h"

// They are there where the stand-in is linked.
#pragma weak magma_stand_in_routines
#pragma weak magma_stand_in_streams
#pragma weak magma_stand_in_inits
#pragma weak magma_stand_in_check
#pragma weak magma_dgeqp3_gpu

namespace {

int failures = 0;

void check(bool holds, const char* what, int line) {
  if (holds) return;
  std::printf("order.cpp:%d: not so: %s\n", line, what);
  ++failures;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

/// The file with the function of this name, as libraries and other functions find it; nothing: there is none.
std::string file_of(const char* name) {
  Dl_info info;
  void* const function = dlsym(RTLD_DEFAULT, name);
  if (function == nullptr || dladdr(function, &info) == 0) return {};
  const char* const slash = std::strrchr(info.dli_fname, '/');
  return slash != nullptr ? slash + 1 : info.dli_fname;
}
bool is_in(const char* name, const std::string& file) {
  const std::string found = file_of(name);
  if (found.rfind(file, 0) == 0 && found.empty() == file.empty()) return true;
  std::printf("%s is in '%s', not in '%s'\n", name, found.c_str(), file.c_str());
  return false;
}

/// Memory of the device with these values.
template <class E>
struct on_device {
  explicit on_device(const std::vector<E>& values) : size(values.size()) {
    CHECK(magma_malloc(reinterpret_cast<magma_ptr*>(&data), size * sizeof(E)) == MAGMA_SUCCESS);
    CHECK(cudaMemcpy(data, values.data(), size * sizeof(E), cudaMemcpyHostToDevice) == cudaSuccess);
  }
  ~on_device() { magma_free(data); }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;
  std::vector<E> download() const {
    std::vector<E> values(size);
    CHECK(cudaMemcpy(values.data(), data, size * sizeof(E), cudaMemcpyDeviceToHost) == cudaSuccess);
    return values;
  }
  std::size_t size;
  E* data = nullptr;
};

/// Matrices on the device and what getrf takes of them: each has the factors (4, 1/2; 2, 3) and the pivots
/// 2, 2.
struct batch {
  static constexpr int count = 5;
  static std::vector<double> repeated(const std::vector<double>& one) {
    std::vector<double> all;
    for (int b = 0; b < count; ++b) all.insert(all.end(), one.begin(), one.end());
    return all;
  }
  template <class E>
  static std::vector<E*> starts(E* first) {
    std::vector<E*> all;
    for (int b = 0; b < count; ++b) all.push_back(first + b * static_cast<int>(sizeof(E) == 8 ? 4 : 2));
    return all;
  }
  on_device<double> A{repeated({2, 4, 4, 2})};
  on_device<double*> A_array{starts(A.data)};
  on_device<int> order{std::vector<int>(count + 1, 2)}, ipiv{std::vector<int>(2 * count, -9)},
      info{std::vector<int>(count, -9)};
  on_device<int*> ipiv_array{starts(ipiv.data)};

  magma_int_t factor(magma_queue_t queue) {
    magma_int_t lwork = 1 << 30;  // and no work: it is allocated
    return magma_dgetrf_vbatched_max_nocheck_work(order.data, order.data, 2, 2, 2, 4, A_array.data,
                                                  order.data, ipiv_array.data, info.data, nullptr, &lwork,
                                                  count, queue);
  }
  magma_int_t factor_equal_sizes(magma_queue_t queue) {
    return magma_dgetrf_batched(2, 2, A_array.data, 2, ipiv_array.data, info.data, count, queue);
  }
  bool is_factored() const {
    std::vector<int> pivots;
    for (int b = 0; b < 2 * count; ++b) pivots.push_back(2);
    return A.download() == repeated({4, 0.5, 2, 3}) && ipiv.download() == pivots &&
           info.download() == std::vector<int>(count, 0);
  }
  bool is_untouched() const {
    return A.download() == repeated({2, 4, 4, 2}) && info.download() == std::vector<int>(count, -9);
  }
};

/// Does this work go to the stream? It is captured there, then done.
template <class Work>
void on_its_stream(cudaStream_t stream, Work work) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  std::size_t nodes = 0;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  work();
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess);
  CHECK(nodes > 0);
  CHECK(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

void factor_on_device(bool routines_are_talus, bool queues_are_talus) {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  magma_queue_t queue = nullptr;
  magma_queue_create_from_cuda(0, stream, nullptr, nullptr, &queue);
  CHECK(magma_queue_get_cuda_stream(queue) == stream);
  {
    batch first;  // CUDA loads the kernels
    CHECK(first.factor(queue) == 0);
    magma_queue_sync(queue);
    CHECK(routines_are_talus ? first.is_factored() : first.is_untouched());
  }
  batch mixed, equal;
  const int asked = queues_are_talus ? 0 : magma_stand_in_streams;
  if (routines_are_talus) {
    on_its_stream(stream, [&] { CHECK(mixed.factor(queue) == 0); });
    CHECK(mixed.is_factored());
    CHECK(queues_are_talus || magma_stand_in_streams > asked);
  }
  // A name that Talus alone has here.
  const int asked_again = queues_are_talus ? 0 : magma_stand_in_streams;
  CHECK(equal.factor_equal_sizes(queue) == 0);
  magma_queue_sync(queue);
  CHECK(equal.is_factored());
  CHECK(queues_are_talus || magma_stand_in_streams > asked_again);
  magma_queue_destroy(queue);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string order = argc > 1 ? argv[1] : "";
  const std::string talus = "libtalus_magma.so", stand_in = "libmagma_stand_in.so",
                    program = "magma_ahead_static";
  const bool is_alone = order == "alone", is_behind = order == "behind", is_static = order == "ahead_static";
  if (!is_alone && !is_behind && !is_static && order != "ahead") {
    std::puts("usage: magma_<order> ahead | ahead_static | behind | alone");
    return 2;
  }

  // Names.
  const std::string& routines = is_behind ? stand_in : talus;
  CHECK(is_in("magma_dgetrf_vbatched_max_nocheck_work", routines));
  CHECK(is_in("magmablas_dtrsm_vbatched_max_nocheck", routines));
  CHECK(is_in("magma_dgetrf_batched", talus));
  CHECK(is_in("magma_malloc", talus));
  for (const char* const name : {"magma_queue_create_internal", "magma_queue_create_from_cuda_internal",
                                 "magma_queue_get_cuda_stream", "magma_queue_destroy_internal", "magma_init"})
    CHECK(is_in(name, is_static ? program : routines));
  CHECK(is_alone == (&magma_dgeqp3_gpu == nullptr));

  // The library: what is set up and said is the other one's, where it is there.
  CHECK(magma_init() == MAGMA_SUCCESS || is_alone);
  int major = 0, minor = 0, micro = 0;
  magma_version(&major, &minor, &micro);
  CHECK((major == MAGMA_STAND_IN_VERSION) == !is_alone);
  CHECK(is_alone || magma_stand_in_inits == 1);
  CHECK(is_alone || magma_num_gpus() == MAGMA_STAND_IN_VERSION);

  // Queues, which the other library looks into.
  magma_queue_t queue = nullptr, given = nullptr;
  magma_queue_create(0, &queue);
  magma_queue_create_from_cuda(0, nullptr, nullptr, nullptr, &given);
  for (magma_queue_t const one : {queue, given}) {
    CHECK(one != nullptr);
    if (one == nullptr) continue;
    CHECK(magma_queue_get_device(one) == 0);
    if (is_alone) continue;
    CHECK(magma_stand_in_check(one) == 1);
    const int asked = magma_stand_in_streams;
    CHECK(magma_queue_get_cuda_stream(one) == nullptr);
    CHECK(magma_stand_in_streams == asked + 1);
    magma_queue_sync(one);  // Talus's: it asks for the stream
    CHECK(magma_stand_in_streams == asked + 2);
  }
  if (!is_alone) {
    magma_int_t info = -9;
    CHECK(magma_dgeqp3_gpu(0, 0, nullptr, 1, nullptr, nullptr, nullptr, 0, &info) == 0);
    CHECK(info == 0);
  }

  // Routines.
  magma_int_t lwork = -1;
  CHECK(magma_dgetrf_vbatched_max_nocheck_work(nullptr, nullptr, 9, 9, 9, 81, nullptr, nullptr, nullptr,
                                               nullptr, nullptr, &lwork, 10, given) == 0);
  CHECK(lwork >= 0);
  CHECK((lwork == MAGMA_STAND_IN_LWORK) == is_behind);
  CHECK(is_alone || is_static || (magma_stand_in_routines > 0) == is_behind);
  CHECK(magma_dgetrf_batched(-1, 2, nullptr, 2, nullptr, nullptr, 5, given) == -1);  // Talus's says so

  // Of one matrix: the other library's, where that is shared.
  magma_int_t info = -9;
  CHECK((magma_dgetrf_gpu(-1, 2, nullptr, 2, nullptr, &info) == MAGMA_STAND_IN_LWORK) ==
        (!is_alone && !is_static));

  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0)
    factor_on_device(!is_behind, is_alone);
  else
    std::puts("no CUDA device: nothing is factored");

  magma_queue_destroy(queue);
  magma_queue_destroy(given);
  CHECK(magma_finalize() == MAGMA_SUCCESS);
  CHECK(is_alone || magma_stand_in_inits == 0);
  std::printf("%s: %s\n", order.c_str(), failures == 0 ? "all is well" : "failed");
  return failures == 0 ? 0 : 1;
}
