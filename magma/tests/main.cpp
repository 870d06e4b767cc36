// Runs the tests of libtalus_magma on a device: talus-magma-tests, then Catch2's own arguments. Where there
// is none it says 'skipped: no CUDA device' and exits with 77. --without-device: for cases that need none.
#ifdef TALUS_CATCH2_IS_A_LIBRARY
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <cstdio>
#include <cstring>
#include <vector>

#include "names.hpp"

/// Takes the place of the library's, as a program's may.
extern "C" void magma_xerbla(const char* name, magma_int_t info) {
  talus::test::reports().push_back({name, info});
}

int main(int argc, char** argv) {
  bool needs_device = true;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::strcmp(argv[i], "--without-device") == 0)
      needs_device = false;
    else
      rest.push_back(argv[i]);
  }
  if (needs_device) {
    if (talus::queue::best().where != talus::backend::cuda) {
      std::puts("skipped: no CUDA device");
      return 77;
    }
    talus::test::backend_under_test() = talus::backend::cuda;
  }
  int failed = Catch::Session().run(static_cast<int>(rest.size()), rest.data());
  for (const talus::test::report& one : talus::test::taken_reports()) {
    std::printf("no test expects that %s says %d\n", one.name.c_str(), one.number);
    failed = 1;
  }
  return failed;
}
