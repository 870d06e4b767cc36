#include <nanobind/nanobind.h>

#include "talus/version.h"

namespace nb = nanobind;

// TALUS_FAMILIES is a definition from CMake: TALUS_FAMILY(cholesky) TALUS_FAMILY(lu) ...
namespace talus::python {
#define TALUS_FAMILY(name) void bind_##name(nb::module_& m);
TALUS_FAMILIES
#undef TALUS_FAMILY
void bind_copy(nb::module_& m);
}  // namespace talus::python

NB_MODULE(_talus, m) {
  m.doc() = "Talus's routines by LAPACK's names; see talus.";
#define TALUS_FAMILY(name) talus::python::bind_##name(m);
  TALUS_FAMILIES
#undef TALUS_FAMILY
  talus::python::bind_copy(m);
  m.attr("__version__") = TALUS_VERSION_STRING;
  m.def("configuration", talus_configuration, "How the library was built, a line each.");
}
