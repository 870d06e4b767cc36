// What tests/fuzz.cpp knows of the random calls: their names, and a function for each routine and precision.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

/// All routines whose calls are drawn.
// clang-format off
#define TALUS_FUZZ_CHOLESKY(X) X(potrf) X(potrs) X(posv) X(potri) X(potrf_partial) X(potrf_partial_split)
#define TALUS_FUZZ_LU(X)                                                                                  \
  X(getrf) X(getrf_nopiv) X(getrf_partial) X(getrf_partial_nopiv) X(getrf_partial_split)                  \
  X(getrf_partial_split_nopiv) X(getrs) X(getrs_nopiv) X(gesv) X(getri) X(getri_outofplace)
#define TALUS_FUZZ_QR(X) X(geqrf) X(ormqr) X(orgqr) X(gels) X(qr)
#define TALUS_FUZZ_BLAS(X) X(trsm) X(gemm) X(gemv)
#define TALUS_FUZZ_ROUTINES(X) TALUS_FUZZ_CHOLESKY(X) TALUS_FUZZ_LU(X) TALUS_FUZZ_QR(X) TALUS_FUZZ_BLAS(X)
// clang-format on

namespace talus::test::fuzz {

class draw;
/// Gets the description of a call before it runs.
using announcement = std::function<void(const std::string&)>;

/// Runs a call of one routine: Call is one of the templates with the names above. Throws wrong_call, whose
/// text describes the call.
template <class Call>
void run(draw& random, const announcement& announce);

}  // namespace talus::test::fuzz
