// Pivots: how large an element is, which of those that lanes offer is the largest, and what it divides by.
#pragma once

#include "batched/lu/backends.hpp"
#include "gpu/equal_sizes.cuh"
#include "gpu/launch.cuh"
#include "gpu/reciprocal.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::lu {

// ---- how large it is -----------------------------------------------------------------------------

/// |re| + |im|, by which LAPACK compares pivots.
__device__ inline float magnitude(float x) { return fabsf(x); }
__device__ inline double magnitude(double x) { return fabs(x); }
template <class R>
__device__ R magnitude(complex<R> x) {
  return magnitude(x.re) + magnitude(x.im);
}

/// The absolute value, which a floor is compared with.
template <class R>
__device__ R absolute(R x) {
  return magnitude(x);
}
__device__ inline float absolute(complex<float> x) { return hypotf(x.re, x.im); }
__device__ inline double absolute(complex<double> x) { return hypot(x.re, x.im); }

/// Of a complex number those of the magnitude that pivots are compared by.
using cuda::high_bits_of;
template <class R>
__device__ unsigned high_bits_of(complex<R> x) {
  return high_bits_of(magnitude(x));
}

/// What they leave out.
__device__ inline unsigned low_bits_of(float) { return 0; }
__device__ inline unsigned low_bits_of(double x) { return static_cast<unsigned>(__double2loint(x)); }
template <class R>
__device__ unsigned low_bits_of(complex<R> x) {
  return low_bits_of(magnitude(x));
}

/// Whether a number with these high bits is neither zero, subnormal, infinite nor NaN, and has a normal
/// reciprocal.
template <class R>
__device__ bool is_ordinary(unsigned high_bits) {
  constexpr unsigned least = sizeof(R) == 4 ? 0x00800000 : 0x00100000;
  constexpr unsigned beyond = sizeof(R) == 4 ? 0x7e800000 : 0x7fd00000;
  return high_bits - least < beyond - least;
}

// ---- what it divides by --------------------------------------------------------------------------

/// x / by where nobody hurries for it: out of line, as it is long.
template <class T>
__device__ __noinline__ T rare_quotient(T x, T by) {
  return x / by;
}

// ---- by masks, where predicates would be too many ------------------------------------------------

/// Bits of x where a mask has ones, of y elsewhere.
__device__ inline float selected(unsigned mask, float x, float y) {
  return __uint_as_float((__float_as_uint(x) & mask) | (__float_as_uint(y) & ~mask));
}
__device__ inline double selected(unsigned mask, double x, double y) {
  const auto part = [&](int a, int b) { return static_cast<int>((a & mask) | (b & ~mask)); };
  return __hiloint2double(part(__double2hiint(x), __double2hiint(y)),
                          part(__double2loint(x), __double2loint(y)));
}
template <class R>
__device__ complex<R> selected(unsigned mask, complex<R> x, complex<R> y) {
  return {selected(mask, x.re, y.re), selected(mask, x.im, y.im)};
}
template <class T>
__device__ T masked(T x, unsigned mask) {
  return selected(mask, x, T{});
}

/// A pivot that is below the floor becomes the floor with the pivot's phase; true if so.
template <class T>
__device__ bool raise_to_floor(T& pivot, real_t<T> floor) {
  using R = real_t<T>;
  if (!(magnitude(pivot) < 2 * floor)) return false;  // nor can its absolute value be below the floor
  const R size = absolute(pivot);
  if (!(size < floor)) return false;
  if constexpr (std::is_same_v<T, R>) {
    pivot = pivot < 0 ? -floor : floor;
  } else {
    const bool is_zero = size == 0;
    const R re = is_zero ? R(1) : pivot.re / size, im = is_zero ? R(0) : pivot.im / size;
    pivot = {re * floor, im * floor};
  }
  return true;
}

// ---- which is the largest ------------------------------------------------------------------------

/// An element that may be a pivot, so that comparing its members in their order decides: the larger
/// magnitude, of equal ones the row at the smaller position. Nothing, if all are 0.
struct candidate {
  template <class R>
  static constexpr unsigned infinity = (sizeof(R) == 4 ? 0x7f800000 : 0x7ff00000) + 1;

  unsigned key, low_bits, place;  // key: the high bits, one up; place: ~position

  template <class T>
  __device__ static candidate of(T x, int position) {
    return {high_bits_of(x) + 1, low_bits_of(x), ~static_cast<unsigned>(position)};
  }
  /// Whatever is at a position: before what is none.
  __device__ static candidate at(int position) { return {1, 0, ~static_cast<unsigned>(position)}; }
  __device__ bool is_before(const candidate& other) const {
    if (key != other.key) return key > other.key;
    return low_bits != other.low_bits ? low_bits > other.low_bits : place > other.place;
  }
  __device__ int position() const { return static_cast<int>(~place); }
  __device__ bool is_zero() const { return key == 1 && low_bits == 0; }
  /// Or infinite.
  template <class R>
  __device__ bool may_be_nan() const {
    return key >= infinity<R>;
  }
  template <class R>
  __device__ bool is_nan() const {
    constexpr unsigned infinity = candidate::infinity<R>;
    return key > infinity || (key == infinity && low_bits != 0);
  }
};

/// The first of the candidates of a group's lanes. All lanes of the warp call.
template <int LANES>
__device__ candidate first_of_group(candidate mine) {
  candidate first{};
  first.key = largest_of_group<LANES>(mine.key);
  first.low_bits = largest_of_group<LANES>(mine.key == first.key ? mine.low_bits : 0);
  first.place =
      largest_of_group<LANES>(mine.key == first.key && mine.low_bits == first.low_bits ? mine.place : 0);
  return first;
}

/// Of a group's lanes. They call it together.
template <int LANES>
__device__ int sum_of_group(int x) {
#pragma unroll
  for (int step = LANES / 2; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
  return x;
}

// ---- what a call says of them --------------------------------------------------------------------

/// Of matrix b, m x n. Of equal sizes it is an argument of the kernel, of mixed sizes the source has it.
template <class Source, class Then>
__device__ auto elimination_of(const Source& source, const Then& then, std::int64_t b, int m, int n) {
  if constexpr (Source::equal) {
    return then.each.of(b, m, n);
  } else {
    return source.check.each.of(b, m, n);
  }
}

/// A bool that is a compile-time constant.
template <bool VALUE>
struct known {
  TALUS_HOST_DEVICE constexpr operator bool() const { return VALUE; }
};

/// True if families with one kernel per kind of pivoting compile the kernel without pivoting, too. False for
/// gesv, which always exchanges rows, and in a build that measures one form.
#ifdef TALUS_ONE_FORM
template <class Then>
constexpr bool may_exchange_no_rows = false;
#else
template <class Then>
constexpr bool may_exchange_no_rows = !Then::solves;
#endif
/// True if a launch exchanges rows.
template <class Source, class Then>
bool exchanges_rows(const Source& source, const Then& then) {
  if constexpr (Then::solves) {
    return true;
  } else if constexpr (Source::equal) {
    return then.each.exchanges;
  } else {
    return source.check.each.exchanges;
  }
}

/// What follows an elimination: nothing.
template <class R>
struct factor_only {
  static constexpr bool solves = false;
  eliminations<R> each;
};

/// Columns to eliminate, at most.
template <class Source, class Then>
int columns_of(const Source& source, const Then& then) {
  const extents<2> most = largest_of(source);
  if constexpr (Source::equal) {
    return then.each.of(0, most[0], most[1]).columns;
  } else {
    return std::min(most[0], most[1]);
  }
}

}  // namespace talus::cuda::lu
