// What a table of a routine that factors and solves says of sizes for which no kernel does both.
#pragma once

#include "gpu/limits.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

/// A line of a table: the factorization, then the solve, as their own tables say. Every size.
struct unfused {
  static constexpr const char* name = "unfused";

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self&, Visit) {}
  template <class... Bounds>
  constexpr const char* objection(Bounds...) const {
    return nullptr;
  }

  template <class Line, auto FORM, class Source, class Then>
  static int launch(Source, int*, queue, Then) {
    return err_unsupported;  // there is no kernel: nobody comes here
  }

  static search_space<unfused> space() {
    return {{},
            1,
            any_extent,
            "the factorization, then the solve, whatever n",
            [](const unfused&, int) { return true; },
            "there is only one"};
  }
};

}  // namespace talus::cuda
