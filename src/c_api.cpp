// The C names of the routines that this build has, in one precision. CMake writes a definition for each prototype
// of talus/talus_routines.h (cmake/TalusCApi.cmake).
#include "c_api.hpp"

#include <complex>

#include "talus/batched.hpp"
#include "talus/vbatched.hpp"

#define TALUS_JOIN_(s, name) talus_##s##name
#define TALUS_JOIN(s, name) TALUS_JOIN_(s, name)
#define TALUS_C_NAME(name) TALUS_JOIN(TALUS_PREFIX, name)
#define TALUS_C_T TALUS_T
#define TALUS_C_REAL decltype(std::real(TALUS_T()))

#define TALUS_IS_COMPLEX_s 0
#define TALUS_IS_COMPLEX_d 0
#define TALUS_IS_COMPLEX_c 1
#define TALUS_IS_COMPLEX_z 1
#define TALUS_IS_COMPLEX_OF_(s) TALUS_IS_COMPLEX_##s
#define TALUS_IS_COMPLEX_OF(s) TALUS_IS_COMPLEX_OF_(s)
#define TALUS_C_IS_COMPLEX TALUS_IS_COMPLEX_OF(TALUS_PREFIX)

extern "C" {
#include "c_definitions.inc"
}  // extern "C"
