// The routines with tables that can be priced: all measured routines, and further routines with a table.
#pragma once

#include "measure/routines.hpp"
#include "measure/routines/priced/blas.hpp"
#include "measure/routines/priced/fronts.hpp"

namespace talus::measure {

/// Calls visit(routine<...>()) for each routine of this build that is priced but not swept.
template <class Visit>
void for_each_priced_routine(Visit visit_built) {
  const auto visit = [&](auto r) {
    if constexpr (decltype(r)::is_built) visit_built(r);
  };
  visit(routine<priced::potrf_partial>());
  visit(routine<priced::potrf_partial_vbatched>());
  visit(routine<priced::getrf_partial_split>());
  visit(routine<priced::trsm_vbatched>());
  visit(routine<priced::gemm_vbatched>());
}

}  // namespace talus::measure
