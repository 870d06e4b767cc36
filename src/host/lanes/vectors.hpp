// Vectors as they lie in memory, the parts of a complex number side by side, and single elements beside them.
#pragma once

#include "host/lanes/simd.hpp"

namespace talus::host::TALUS_ISA {
namespace {

template <class R>
TALUS_INLINE vec_of<R> load_vector(const R* from) {
  return *reinterpret_cast<const typename chunk<R, simd<R>::width>::loose_vec*>(from);
}
template <class R>
TALUS_INLINE void store_vector(vec_of<R> x, R* to) {
  *reinterpret_cast<typename chunk<R, simd<R>::width>::loose_vec*>(to) = x;
}

/// The parts of each number have changed places.
template <class R, std::size_t... L>
TALUS_INLINE vec_of<R> parts_exchanged(vec_of<R> x, std::index_sequence<L...>) {
  return __builtin_shufflevector(x, x, (static_cast<int>(L) ^ 1)...);
}

/// i x, of complex numbers.
template <class R>
TALUS_INLINE vec_of<R> times_i(vec_of<R> x) {
  const vec_of<R> other = parts_exchanged<R>(x, std::make_index_sequence<simd<R>::width>{});
  return (count_from<R>(0) & 1) != 0 ? other : -other;
}

template <class T>
TALUS_INLINE void store_first_lane(const lanes<T>& x, T* to) {
  auto* const parts = reinterpret_cast<real_of<T>*>(to);
  parts[0] = x.re[0];
  if constexpr (is_complex<T>) parts[1] = x.im[0];
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
