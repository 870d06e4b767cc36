// The ways to do a routine's work that are compared: a name, and a function that does it on a problem.
#pragma once

#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "measure/routines.hpp"

/// What is written once for all precisions: by their letters and their type.
#define TALUS_FOR_ALL_LETTERS(WRITE) \
  WRITE(s, S, float)                 \
  WRITE(d, D, double)                \
  WRITE(c, C, std::complex<float>)   \
  WRITE(z, Z, std::complex<double>)

namespace talus::bench {

using namespace measure;

/// One way to do the work, on problems of one kind.
template <class Problem>
struct way {
  std::string name;
  std::string variant;  // of several entries under one name the fastest counts, and its variant is noted
  bool writes_info;     // one int per matrix, as talus does
  std::function<void(const Problem&, int copy)> run;  // on a cuda problem it may return before it is done
  int n_max = std::numeric_limits<int>::max();        // no use in measuring it above

  /// If set: called before the clock starts, for each copy once it is restored.
  std::function<void(const Problem&, int copy)> prepare = {};
  /// If set: called after the run on copy 0 that is checked, instead of the check that all others get, which
  /// it may call. Returns a complaint, or nothing.
  std::function<std::string(const Problem&, const std::function<std::string()>& usual)> check = {};

  /// Moves what the routine must move, and computes nothing: the ceiling.
  bool is_copy() const { return name == "copy"; }
};

/// Of a routine, R being its description.
template <class R>
using ways_of = std::vector<way<typename R::problem>>;

/// What a copy moves: A, written or only read, and B, or of a B that is only written as
/// much as a factor of min(m, n) rows takes; or A to B.
struct traffic {
  bool writes_A, has_B, A_to_B = false, reads_B = true;
};

/// That of a routine.
template <class R>
constexpr traffic traffic_of = {(R::writes_A&& R::leaves_A), R::has_B, R::A_to_B, R::reads_B};

/// From A to B, which has room for it. Queued on cuda.
template <class Problem>
way<Problem> copy_to_B() {
  return {"copy", "A to B", false, [](const Problem& p, int copy) {
            const auto elements = static_cast<std::size_t>(p.first(p.batch));
            copy_within(p.where, p.B(copy), p.A(copy), elements * sizeof(*p.A(copy)));
          }};
}

/// Copies of what a problem stores, triangles or whole matrices, in as many ways as make sense.
template <class Problem>
std::vector<way<Problem>> host_copies(const Problem& p, traffic what);
template <class Problem>
std::vector<way<Problem>> cuda_copies(const Problem& p, traffic what);

}  // namespace talus::bench
