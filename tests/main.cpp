// Runs the tests on one backend: talus-tests --backend host|cuda, then Catch2's own arguments. Asked for a
// backend that is not here it says 'skipped: no CUDA device' and exits with 77, which the test driver counts
// as skipped.
#ifdef TALUS_CATCH2_IS_A_LIBRARY
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "backends.hpp"
#include "memory.hpp"

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Memory that one case gave back serves the next: half of the time would go into pages of fresh zeros.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::strcmp(argv[i], "--backend") == 0 && i + 1 < argc) {
      talus::test::backend_under_test() =
          std::strcmp(argv[++i], "cuda") == 0 ? talus::backend::cuda : talus::backend::host;
    } else {
      rest.push_back(argv[i]);
    }
  }
  if (talus::test::backend_under_test() == talus::backend::cuda && !talus::cuda::device_is_usable()) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  return Catch::Session().run(static_cast<int>(rest.size()), rest.data());
}
