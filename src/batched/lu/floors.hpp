// What a call without row exchanges says of its pivots. Compiles without nvcc.
#pragma once

#include "batched/lu/backends.hpp"

namespace talus {

template <class R>
eliminations<R> with_floors(R floor, const R* floors, int* replaced) {
  eliminations<R> each;
  each.floor = floor;
  each.floors = floors;
  each.replaced = replaced;
  return each;
}

}  // namespace talus
