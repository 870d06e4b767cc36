// The macros that are not of talus/version.h come from CMake, that of the commit from a file of its own, so
// that a new one compiles nothing but this.
#include "version.hpp"

#include "talus/version.h"
#include "talus_commit.hpp"

namespace talus {

const char* const commit = TALUS_COMMIT;

}  // namespace talus

int talus_version(void) { return TALUS_VERSION; }

const char* talus_configuration(void) {
  return "Talus " TALUS_VERSION_STRING "\ncommit: " TALUS_COMMIT "\nbackends: " TALUS_BACKENDS
         "\nprecisions: " TALUS_PRECISIONS "\ntables: " TALUS_TABLE_FOLDERS;
}
