#include <nanobind/nanobind.h>

#include "routines.hpp"
#include "talus/version.h"

NB_MODULE(_talus, m) {
  m.doc() = "Talus's routines by LAPACK's names; see talus.";
  m.attr("__version__") = TALUS_VERSION_STRING;
  m.def("configuration", talus_configuration, "How the library was built, a line each.");
  talus::python::bind_cholesky(m);
  talus::python::bind_lu(m);
  talus::python::bind_qr(m);
  talus::python::bind_blas(m);
  talus::python::bind_copy(m);
}
