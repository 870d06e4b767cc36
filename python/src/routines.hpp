// The bindings, by the family of the routines.
#pragma once

#include <nanobind/nanobind.h>

namespace talus::python {

void bind_cholesky(nanobind::module_& m);
void bind_lu(nanobind::module_& m);
void bind_qr(nanobind::module_& m);
void bind_blas(nanobind::module_& m);
void bind_copy(nanobind::module_& m);

}  // namespace talus::python
