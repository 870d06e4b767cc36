// From a table's line to the launch of its kernel, for every routine: what the tables name is what is
// instantiated.
#pragma once

#include <utility>

#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

/// Launch::line(constant, stored, arguments...) of line LINE for the stored triangle. A build that measures
/// one triangle only (TALUS_ONLY_LOWER) has no kernels for the other.
template <class Tables, class T, class Launch, int LINE, class... Arguments>
int launch_line(uplo uplo, Arguments... arguments) {
  using constant = line_constant<Tables, T, LINE>;
  static_assert(!objection_to(constant::line, any_gpu_limits), "run talus-tune --check on the table");
  if (uplo == uplo::lower) return Launch::line(constant{}, stored_as<uplo::lower>{}, arguments...);
#ifdef TALUS_ONLY_LOWER
  return err_unsupported;
#else
  return Launch::line(constant{}, stored_as<uplo::upper>{}, arguments...);
#endif
}

template <class Tables, class T, class Launch, class... Arguments, std::size_t... LINE>
int dispatch_among(std::index_sequence<LINE...>, int line, uplo uplo, Arguments... arguments) {
  using launcher = int (*)(talus::uplo, Arguments...);
  constexpr launcher launchers[] = {
      launch_line<Tables, T, Launch, static_cast<int>(LINE), Arguments...>...};
  return launchers[line](uplo, arguments...);
}

/// Launches line number `line` of the tables.
template <class Tables, class T, class Launch, class... Arguments>
int dispatch(int line, uplo uplo, Arguments... arguments) {
  return dispatch_among<Tables, T, Launch>(std::make_index_sequence<Tables::template lines<T>.size()>{}, line,
                                           uplo, arguments...);
}

}  // namespace talus::cuda
