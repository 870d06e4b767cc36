// The list of all routines that are measured, tuned and tested: a new one is a file and a line here.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "measure/routines/gels.hpp"
#include "measure/routines/geqrf.hpp"
#include "measure/routines/geqrf_vbatched.hpp"
#include "measure/routines/gesv.hpp"
#include "measure/routines/getrf.hpp"
#include "measure/routines/getrf_nopiv.hpp"
#include "measure/routines/getrf_partial_vbatched.hpp"
#include "measure/routines/getrf_vbatched.hpp"
#include "measure/routines/getri.hpp"
#include "measure/routines/getrs.hpp"
#include "measure/routines/orgqr.hpp"
#include "measure/routines/ormqr.hpp"
#include "measure/routines/posv.hpp"
#include "measure/routines/potrf.hpp"
#include "measure/routines/potrf_partial_vbatched.hpp"
#include "measure/routines/potrf_vbatched.hpp"
#include "measure/routines/potri.hpp"
#include "measure/routines/potrs.hpp"
#include "measure/routines/qr.hpp"
#include "measure/routines/trsm.hpp"

namespace talus::measure {

/// Whether this build has the routine that a description calls (TALUS_ROUTINES).
template <template <class> class ROUTINE>
constexpr bool is_built() {
  const std::string_view all = TALUS_BUILT_ROUTINES;  // " potrf trsm "
  std::string_view name = ROUTINE<double>::built_with;
  if (name.empty()) name = ROUTINE<double>::name;
  const std::string_view suffix = "_vbatched";
  if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
    name.remove_suffix(suffix.size());
  for (std::size_t at = all.find(name); at != all.npos; at = all.find(name, at + 1)) {
    if (all[at - 1] == ' ' && all[at + name.size()] == ' ') return true;
  }
  return false;
}

/// A description as a value, to be handed to a visitor.
template <template <class> class ROUTINE>
struct routine {
  template <class T>
  using of = ROUTINE<T>;
  static constexpr const char* name = ROUTINE<double>::name;
  static constexpr const char* short_name = ROUTINE<double>::short_name;
  static constexpr bool is_built = measure::is_built<ROUTINE>();
  static constexpr bool mixed_sizes = ROUTINE<double>::mixed_sizes;
  static constexpr bool has_tables = measure::has_tables<ROUTINE<double>>;
};

/// visit(routine<...>()) for each of them that this build has.
template <class Visit>
void for_each_routine(Visit visit_built) {
  const auto visit = [&](auto r) {
    if constexpr (decltype(r)::is_built) visit_built(r);
  };
  visit(routine<potrf>());
  visit(routine<potrs>());
  visit(routine<posv>());
  visit(routine<potri>());
  visit(routine<potrf_vbatched>());
  visit(routine<potrf_partial_vbatched>());
  visit(routine<getrf>());
  visit(routine<getrf_nopiv>());
  visit(routine<getrs>());
  visit(routine<gesv>());
  visit(routine<getri>());
  visit(routine<getri_outofplace>());
  visit(routine<getrf_vbatched>());
  visit(routine<getrf_partial_vbatched>());
  visit(routine<geqrf>());
  visit(routine<ormqr>());
  visit(routine<orgqr>());
  visit(routine<gels>());
  visit(routine<qr>());
  visit(routine<geqrf_vbatched>());
  visit(routine<trsm>());
}

inline std::vector<std::string> routine_names() {
  std::vector<std::string> names;
  for_each_routine([&](auto r) { names.emplace_back(r.name); });
  return names;
}

/// visit(routine<...>()) for the one of that name; throws std::invalid_argument where there is none.
template <class Visit>
void with_routine(const std::string& name, Visit visit) {
  bool found = false;
  for_each_routine([&](auto r) {
    if (name != r.name) return;
    found = true;
    visit(r);
  });
  if (!found) throw std::invalid_argument("'" + name + "' is no routine of this build");
}

}  // namespace talus::measure
