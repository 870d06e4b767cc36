// Which precisions this build has, and the way from a letter to a type.
#pragma once

#include <complex>
#include <stdexcept>
#include <string>

/// What templates of other files are instantiated for, in all builds.
#define TALUS_FOR_ALL_TYPES(INSTANTIATE) \
  INSTANTIATE(float)                     \
  INSTANTIATE(double)                    \
  INSTANTIATE(std::complex<float>)       \
  INSTANTIATE(std::complex<double>)

namespace talus::measure {

inline const char* const built_precisions = TALUS_BUILT_PRECISIONS;  // some of sdcz, in this order

/// Calls work with a value of the type that a precision's letter names; throws std::invalid_argument where
/// the build has no such.
template <class Work>
void with_type(const std::string& precision, Work work) {
#ifdef TALUS_HAVE_S
  if (precision == "s") return work(float());
#endif
#ifdef TALUS_HAVE_D
  if (precision == "d") return work(double());
#endif
#ifdef TALUS_HAVE_C
  if (precision == "c") return work(std::complex<float>());
#endif
#ifdef TALUS_HAVE_Z
  if (precision == "z") return work(std::complex<double>());
#endif
  throw std::invalid_argument("--precision: " + precision +
                              " is not in this build (TALUS_PRECISIONS chose others)");
}

}  // namespace talus::measure
