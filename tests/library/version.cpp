// The version's macros, CMake's number and the library agree, and the library says how it was built.
#include "talus/version.h"

#include <string>

#include "catch.hpp"
#include "version.hpp"

TEST_CASE("one version, as numbers, as text and at run time", "[version]") {
  const std::string parts = std::to_string(TALUS_VERSION_MAJOR) + "." + std::to_string(TALUS_VERSION_MINOR) +
                            "." + std::to_string(TALUS_VERSION_PATCH);
  CHECK(parts == TALUS_VERSION_STRING);
  CHECK(parts == TALUS_PROJECT_VERSION);
  CHECK(TALUS_VERSION / 10000 == TALUS_VERSION_MAJOR);
  CHECK(TALUS_VERSION / 100 % 100 == TALUS_VERSION_MINOR);
  CHECK(TALUS_VERSION % 100 == TALUS_VERSION_PATCH);
  CHECK(talus::version() == TALUS_VERSION);
  CHECK(talus_version() == TALUS_VERSION);
}

TEST_CASE("the configuration names commit, backends, precisions and tables", "[version]") {
  const std::string text = talus::configuration();
  INFO(text);
  CHECK(text.find("Talus " TALUS_VERSION_STRING "\n") == 0);
  CHECK(text.find("\ncommit: " + std::string(talus::commit) + "\n") != std::string::npos);
  CHECK(text.find("\nbackends: host (baseline") != std::string::npos);
#ifdef TALUS_WITH_CUDA
  CHECK(text.find("cuda (compute capability ") != std::string::npos);
#else
  CHECK(text.find("cuda") == std::string::npos);
#endif
  std::string precisions;
#ifdef TALUS_HAVE_S
  precisions += ", s";
#endif
#ifdef TALUS_HAVE_D
  precisions += ", d";
#endif
#ifdef TALUS_HAVE_C
  precisions += ", c";
#endif
#ifdef TALUS_HAVE_Z
  precisions += ", z";
#endif
  CHECK(text.find("\nprecisions: " + precisions.substr(2) + "\n") != std::string::npos);
  CHECK(text.find("generic, host", text.find("\ntables: ")) != std::string::npos);
  CHECK(text.back() != '\n');
}
