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

namespace {

/// Returns the public names of the module, sorted.
nb::list public_names(const nb::module_& m) {
  nb::list names;
  for (nb::handle name : nb::borrow<nb::dict>(m.attr("__dict__")).keys())
    if (nb::cast<nb::str>(name).c_str()[0] != '_') names.append(name);
  names.attr("sort")();
  return names;
}

}  // namespace

NB_MODULE(_talus, m) {
  m.doc() = "Talus's routines by LAPACK's names; see talus.";
#define TALUS_FAMILY(name) talus::python::bind_##name(m);
  TALUS_FAMILIES
#undef TALUS_FAMILY
  talus::python::bind_copy(m);
  m.attr("__all__") = public_names(m);  // the names that the package talus exports: all routines
  m.attr("__version__") = TALUS_VERSION_STRING;
  m.def("configuration", talus_configuration, "How the library was built, a line each.");
}
