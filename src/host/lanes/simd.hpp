// One element of as many matrices as a register of TALUS_ISA holds: lanes<T>, a value with the few operations
// that a factorization needs, and how it comes from and goes to that many matrices in memory.
//
// For files that are compiled once per instruction set. Nothing here may have linkage beyond its file, or the
// linker could take one instruction set's copy for another's; so not even std:: functions are called.
#pragma once

#include <complex>
#include <cstddef>
#include <type_traits>
#include <utility>

#define TALUS_INLINE __attribute__((always_inline)) inline
#define TALUS_INLINED __attribute__((always_inline))  // of a lambda
#define TALUS_UNROLL _Pragma("GCC unroll 16")

namespace talus::host::TALUS_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int register_bytes = 64, registers = 32;
#elif defined(__AVX__)
constexpr int register_bytes = 32, registers = 16;
#elif defined(__x86_64__)
constexpr int register_bytes = 16, registers = 16;
#else
constexpr int register_bytes = 16, registers = 32;
#endif

// ---- registers of real numbers -------------------------------------------------------------------

template <class R>
struct simd {
  static constexpr int width = register_bytes / sizeof(R);  // matrices side by side
  static constexpr int piece = 16 / sizeof(R);  // consecutive numbers of one of them that are moved at once
  typedef R vec __attribute__((vector_size(register_bytes)));
  using mask = decltype(vec{} > vec{});  // integers as wide as R: -1 where true, else 0
};

template <class R>
using vec_of = typename simd<R>::vec;

TALUS_INLINE double sqrt_of(double x) { return __builtin_sqrt(x); }
TALUS_INLINE float sqrt_of(float x) { return __builtin_sqrtf(x); }
template <class V>
TALUS_INLINE V square_root(V x) {  // one instruction, where GCC finds it (SSE2, float: not everywhere)
  TALUS_UNROLL
  for (std::size_t l = 0; l < sizeof(V) / sizeof(x[0]); ++l) x[l] = sqrt_of(x[l]);
  return x;
}

template <class R, std::size_t... L>
TALUS_INLINE typename simd<R>::mask count_up(std::index_sequence<L...>) {
  return typename simd<R>::mask{L...};
}

/// Within each 16 bytes: numbers alternately from a and b, of their lower or upper halves.
template <bool UPPER, class R, std::size_t... I>
TALUS_INLINE vec_of<R> interleave(vec_of<R> a, vec_of<R> b, std::index_sequence<I...>) {
  constexpr int p = simd<R>::piece, width = simd<R>::width;
  return __builtin_shufflevector(a, b,
                                 (static_cast<int>(I) / p * p + static_cast<int>(I) % p / 2 +
                                  (UPPER ? p / 2 : 0) + (I % 2 ? width : 0))...);
}

/// Blocks of S numbers trade places: the odd ones of a with the even ones of b.
template <int S, bool SECOND, class R, std::size_t... I>
TALUS_INLINE vec_of<R> exchange(vec_of<R> a, vec_of<R> b, std::index_sequence<I...>) {
  constexpr int width = simd<R>::width;
  return __builtin_shufflevector(
      a, b,
      (SECOND ? (I & S ? static_cast<int>(I) + width : static_cast<int>(I) + S)
              : (I & S ? static_cast<int>(I) + width - S : static_cast<int>(I)))...);
}

template <int S, int C, class R>
TALUS_INLINE void exchange_blocks(vec_of<R>* v) {
  constexpr auto lanes = std::make_index_sequence<simd<R>::width>{};
  if constexpr (S < C) {
    TALUS_UNROLL
    for (int r = 0; r < C; ++r) {
      if (r & S) continue;
      const vec_of<R> a = v[r], b = v[r + S];
      v[r] = exchange<S, false, R>(a, b, lanes);
      v[r + S] = exchange<S, true, R>(a, b, lanes);
    }
    exchange_blocks<2 * S, C, R>(v);
  }
}

/// v[q] holds C numbers of each of the matrices q, q + C, ...; then v[r] holds number r of all matrices, in
/// order. Its own inverse.
template <int C, class R>
TALUS_INLINE void transpose(vec_of<R>* v) {
  constexpr auto lanes = std::make_index_sequence<simd<R>::width>{};
  constexpr int piece = simd<R>::piece;
  TALUS_UNROLL
  for (int stage = 1; stage < piece; stage *= 2) {  // within 16 bytes, by perfect shuffles
    vec_of<R> from[C];
    TALUS_UNROLL
    for (int r = 0; r < C; ++r) from[r] = v[r];
    TALUS_UNROLL
    for (int r = 0; r < C; r += 2) {
      const int q = r / piece * piece + r % piece / 2;
      v[r] = interleave<false, R>(from[q], from[q + piece / 2], lanes);
      v[r + 1] = interleave<true, R>(from[q], from[q + piece / 2], lanes);
    }
  }
  exchange_blocks<piece, C, R>(v);
}

/// C numbers, one behind the other, in a register and in a matrix.
template <class R, int C>
struct chunk {
  typedef R vec __attribute__((vector_size(C * sizeof(R))));
  typedef R loose_vec __attribute__((vector_size(C * sizeof(R)), aligned(alignof(R)), may_alias));
};

template <class V, std::size_t... I>
TALUS_INLINE auto join(V a, V b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(I)...);
}

/// The C numbers at `at` of COUNT matrices, every C-th of those that `matrices` points to.
template <class R, int C, int COUNT = simd<R>::width / C, class T>
TALUS_INLINE auto load_chunks(const T* const* matrices, std::ptrdiff_t at) {
  if constexpr (COUNT == 1) {
    return static_cast<typename chunk<R, C>::vec>(*reinterpret_cast<const typename chunk<R, C>::loose_vec*>(
        reinterpret_cast<const R*>(matrices[0]) + at));
  } else {
    constexpr int half = COUNT / 2;
    return join(load_chunks<R, C, half>(matrices, at), load_chunks<R, C, half>(matrices + half * C, at),
                std::make_index_sequence<COUNT * C>{});
  }
}

template <int FIRST, class V, std::size_t... I>
TALUS_INLINE auto part(V v, std::index_sequence<I...>) {
  return __builtin_shufflevector(v, v, static_cast<int>(FIRST + I)...);
}

template <class R, int C, int COUNT = simd<R>::width / C, class V, class T>
TALUS_INLINE void store_chunks(V v, T* const* matrices, std::ptrdiff_t at) {
  if constexpr (COUNT == 1) {
    *reinterpret_cast<typename chunk<R, C>::loose_vec*>(reinterpret_cast<R*>(matrices[0]) + at) = v;
  } else {
    constexpr int half = COUNT / 2;
    constexpr auto indices = std::make_index_sequence<half * C>{};
    store_chunks<R, C, half>(part<0>(v, indices), matrices, at);
    store_chunks<R, C, half>(part<half * C>(v, indices), matrices + half * C, at);
  }
}

template <class R, class T, std::size_t... L>
TALUS_INLINE vec_of<R> load_one(const T* const* matrices, std::ptrdiff_t at, std::index_sequence<L...>) {
  return vec_of<R>{reinterpret_cast<const R*>(matrices[L])[at]...};
}

template <class R, class T, std::size_t... L>
TALUS_INLINE void store_one(vec_of<R> v, T* const* matrices, std::ptrdiff_t at, std::index_sequence<L...>) {
  ((reinterpret_cast<R*>(matrices[L])[at] = v[L]), ...);
}

// ---- elements ------------------------------------------------------------------------------------

template <class T>
struct lanes {
  using real = T;
  static constexpr int parts = 1;
  vec_of<T> re;
};

template <class R>
struct lanes<std::complex<R>> {
  using real = R;
  static constexpr int parts = 2;
  vec_of<R> re, im;
};

template <class T>
using real_of = typename lanes<T>::real;
template <class T>
using real_lanes = vec_of<real_of<T>>;
template <class T>
constexpr int width_of = simd<real_of<T>>::width;
template <class T>
constexpr bool is_complex = lanes<T>::parts == 2;

template <class T>
TALUS_INLINE lanes<T> conj(lanes<T> a) {
  if constexpr (is_complex<T>) a.im = -a.im;
  return a;
}

/// A real number as an element.
template <class T>
TALUS_INLINE lanes<T> element(real_lanes<T> re) {
  lanes<T> a = {};
  a.re = re;
  return a;
}

/// The same element in all lanes.
template <class T>
TALUS_INLINE lanes<T> broadcast(const T* from) {
  const auto* const parts = reinterpret_cast<const real_of<T>*>(from);
  lanes<T> x;
  x.re = parts[0] - real_lanes<T>{};
  if constexpr (is_complex<T>) x.im = parts[1] - real_lanes<T>{};
  return x;
}

template <class T>
TALUS_INLINE lanes<T> operator*(lanes<T> a, real_lanes<T> factor) {
  a.re *= factor;
  if constexpr (is_complex<T>) a.im *= factor;
  return a;
}

template <class T>
TALUS_INLINE lanes<T> operator*(const lanes<T>& a, const lanes<T>& b) {
  lanes<T> c;
  c.re = a.re * b.re;
  if constexpr (is_complex<T>) {
    c.re -= a.im * b.im;
    c.im = a.re * b.im;
    c.im += a.im * b.re;
  }
  return c;
}

template <class T>
TALUS_INLINE lanes<T> operator+(lanes<T> a, const lanes<T>& b) {
  a.re += b.re;
  if constexpr (is_complex<T>) a.im += b.im;
  return a;
}

template <class T>
using mask_of = typename simd<real_of<T>>::mask;

/// first, first + 1, ...
template <class T>
TALUS_INLINE mask_of<T> count_from(int first) {
  return count_up<real_of<T>>(std::make_index_sequence<width_of<T>>{}) + first;
}

/// Without its sign: of NaN, too.
template <class R>
TALUS_INLINE vec_of<R> absolute(vec_of<R> x) {
  using bits = typename simd<R>::mask;
  using word = std::remove_reference_t<decltype(bits{}[0])>;
  constexpr auto all_but_sign = static_cast<word>(~0ULL >> (65 - 8 * sizeof(R)));
  return reinterpret_cast<vec_of<R>>(reinterpret_cast<bits>(x) & all_but_sign);
}

/// c -= a b
template <class T>
TALUS_INLINE void subtract_product(lanes<T>& c, const lanes<T>& a, const lanes<T>& b) {
  c.re -= a.re * b.re;
  if constexpr (is_complex<T>) {
    c.re += a.im * b.im;
    c.im -= a.re * b.im;
    c.im -= a.im * b.re;
  }
}

/// c -= a conj(b)
template <class T>
TALUS_INLINE void subtract_product_conj(lanes<T>& c, const lanes<T>& a, const lanes<T>& b) {
  c.re -= a.re * b.re;
  if constexpr (is_complex<T>) {
    c.re -= a.im * b.im;
    c.im -= a.im * b.re;
    c.im += a.re * b.im;
  }
}

/// c -= a b, or c -= conj(a) b
template <bool CONJ, class T>
TALUS_INLINE void subtract(lanes<T>& c, const lanes<T>& a, const lanes<T>& b) {
  if constexpr (CONJ) {
    subtract_product_conj<T>(c, b, a);
  } else {
    subtract_product<T>(c, a, b);
  }
}

/// c -= |a|^2, for real c
template <class T>
TALUS_INLINE void subtract_square(lanes<T>& c, const lanes<T>& a) {
  c.re -= a.re * a.re;
  if constexpr (is_complex<T>) c.re -= a.im * a.im;
}

// ---- to and from memory --------------------------------------------------------------------------

/// `length` consecutive elements of width_of<T> matrices: move(count, i) for `count` numbers at once, from
/// element i on, move_one(i) for one element. Squares while they fit: they touch each matrix's cache lines
/// once, which matters where equal addresses modulo 4096 compete for the same few lines. Then pieces, of
/// which a last incomplete one overlaps the one before: moving an element twice is cheaper than moving it
/// alone.
template <class T, class Move, class MoveOne>
TALUS_INLINE void over_run(int length, Move move, MoveOne move_one) {
  using R = real_of<T>;
  constexpr std::integral_constant<int, simd<R>::width> square{};
  constexpr std::integral_constant<int, simd<R>::piece> piece{};
  constexpr int parts = lanes<T>::parts;
  int i = 0;
  for (; i + square / parts <= length; i += square / parts) move(square, i);
  for (; i + piece / parts <= length; i += piece / parts) move(piece, i);
  if (i == length) return;
  if (i > 0) {
    move(piece, length - piece / parts);
  } else {
    for (; i < length; ++i) move_one(i);
  }
}

/// Element i of those that lie from `at` on comes to the place that where(i) refers to.
template <class T, class Where>
TALUS_INLINE void load_run(const T* const* matrices, std::ptrdiff_t at, int length, Where where) {
  using R = real_of<T>;
  constexpr int parts = lanes<T>::parts;
  const auto put = [&](int i, const vec_of<R>* v) TALUS_INLINED {
    lanes<T> x;
    x.re = v[0];
    if constexpr (is_complex<T>) x.im = v[1];
    where(i) = x;
  };
  const auto move = [&](auto count, int i) TALUS_INLINED {
    constexpr int C = count;
    vec_of<R> v[C];
    TALUS_UNROLL
    for (int q = 0; q < C; ++q) v[q] = load_chunks<R, C>(matrices + q, (at + i) * parts);
    transpose<C, R>(v);
    TALUS_UNROLL
    for (int e = 0; e < C / parts; ++e) put(i + e, v + e * parts);
  };
  const auto move_one = [&](int i) TALUS_INLINED {
    constexpr auto all = std::make_index_sequence<width_of<T>>{};
    vec_of<R> v[parts];
    for (int q = 0; q < parts; ++q) v[q] = load_one<R>(matrices, (at + i) * parts + q, all);
    put(i, v);
  };
  over_run<T>(length, move, move_one);
}

/// where(i) is element i of those that go to `at`.
template <class T, class Where>
TALUS_INLINE void store_run(T* const* matrices, std::ptrdiff_t at, int length, Where where) {
  using R = real_of<T>;
  constexpr int parts = lanes<T>::parts;
  const auto get = [&](int i, vec_of<R>* v) TALUS_INLINED {
    const lanes<T> x = where(i);
    v[0] = x.re;
    if constexpr (is_complex<T>) v[1] = x.im;
  };
  const auto move = [&](auto count, int i) TALUS_INLINED {
    constexpr int C = count;
    vec_of<R> v[C];
    TALUS_UNROLL
    for (int e = 0; e < C / parts; ++e) get(i + e, v + e * parts);
    transpose<C, R>(v);
    TALUS_UNROLL
    for (int q = 0; q < C; ++q) store_chunks<R, C>(v[q], matrices + q, (at + i) * parts);
  };
  const auto move_one = [&](int i) TALUS_INLINED {
    constexpr auto all = std::make_index_sequence<width_of<T>>{};
    vec_of<R> v[parts];
    get(i, v);
    for (int q = 0; q < parts; ++q) store_one<R>(v[q], matrices, (at + i) * parts + q, all);
  };
  over_run<T>(length, move, move_one);
}

/// The same for those matrices alone whose info is 0, one number at a time: the others are not touched.
template <class T, class Where>
void store_run_of_good(const int* info, T* const* matrices, std::ptrdiff_t at, int length, Where where) {
  for (int i = 0; i < length; ++i) {
    const lanes<T> x = where(i);
    for (int l = 0; l < width_of<T>; ++l) {
      if (info[l] != 0) continue;
      real_of<T>* const to = reinterpret_cast<real_of<T>*>(matrices[l] + at + i);
      to[0] = x.re[l];
      if constexpr (is_complex<T>) to[1] = x.im[l];
    }
  }
}

}  // namespace
}  // namespace talus::host::TALUS_ISA
