// One element of as many matrices as a register of TALUS_ISA holds: lanes<T>, a value with the few operations
// that a factorization needs, and how it comes from and goes to that many matrices in memory.
//
// For files that are compiled once per instruction set. Nothing here may have linkage beyond its file, or the
// linker could take one instruction set's copy for another's; so not even std:: functions are called.
#pragma once

#include <complex>
#include <cstddef>
#include <utility>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

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
  typedef R loose_vec __attribute__((vector_size(register_bytes), aligned(alignof(R)), may_alias));
  typedef R loose_piece __attribute__((vector_size(16), aligned(alignof(R)), may_alias));
  using mask = decltype(vec{} > vec{});  // integers as wide as R: -1 where true, else 0
};

template <class R>
using vec_of = typename simd<R>::vec;

TALUS_INLINE vec_of<double> square_root(vec_of<double> x) {
#if defined(__AVX512F__)
  return static_cast<vec_of<double>>(_mm512_maskz_sqrt_pd(0xff, x));
#elif defined(__AVX__)
  return static_cast<vec_of<double>>(_mm256_sqrt_pd(x));
#elif defined(__x86_64__)
  return static_cast<vec_of<double>>(_mm_sqrt_pd(x));
#else
  for (int l = 0; l < simd<double>::width; ++l) x[l] = __builtin_sqrt(x[l]);
  return x;
#endif
}

TALUS_INLINE vec_of<float> square_root(vec_of<float> x) {
#if defined(__AVX512F__)
  return static_cast<vec_of<float>>(_mm512_maskz_sqrt_ps(0xffff, x));
#elif defined(__AVX__)
  return static_cast<vec_of<float>>(_mm256_sqrt_ps(x));
#elif defined(__x86_64__)
  return static_cast<vec_of<float>>(_mm_sqrt_ps(x));
#else
  for (int l = 0; l < simd<float>::width; ++l) x[l] = __builtin_sqrtf(x[l]);
  return x;
#endif
}

/// Within each 16 bytes: granules of G numbers alternately from a and b, of their lower or upper halves.
template <int G, bool UPPER, class R, std::size_t... I>
TALUS_INLINE vec_of<R> interleave(vec_of<R> a, vec_of<R> b, std::index_sequence<I...>) {
  constexpr int p = simd<R>::piece, width = simd<R>::width;
  return __builtin_shufflevector(
      a, b,
      (static_cast<int>(I) / p * p + (static_cast<int>(I) % p / G) / 2 * G + static_cast<int>(I) % G +
       (UPPER ? p / 2 : 0) + (static_cast<int>(I) % p / G % 2 ? width : 0))...);
}

/// u[q] holds `piece` numbers of each of the matrices q, q + piece, ...; then u[r] holds number r of all
/// matrices, in order. Its own inverse.
template <class R>
TALUS_INLINE void transpose_pieces(vec_of<R>* u) {
  constexpr auto lanes = std::make_index_sequence<simd<R>::width>{};
  if constexpr (simd<R>::piece == 2) {
    const vec_of<R> u0 = u[0];
    u[0] = interleave<1, false, R>(u0, u[1], lanes);
    u[1] = interleave<1, true, R>(u0, u[1], lanes);
  } else {
    const vec_of<R> low01 = interleave<1, false, R>(u[0], u[1], lanes);
    const vec_of<R> high01 = interleave<1, true, R>(u[0], u[1], lanes);
    const vec_of<R> low23 = interleave<1, false, R>(u[2], u[3], lanes);
    const vec_of<R> high23 = interleave<1, true, R>(u[2], u[3], lanes);
    u[0] = interleave<2, false, R>(low01, low23, lanes);
    u[1] = interleave<2, true, R>(low01, low23, lanes);
    u[2] = interleave<2, false, R>(high01, high23, lanes);
    u[3] = interleave<2, true, R>(high01, high23, lanes);
  }
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

template <class R, int S>
TALUS_INLINE void exchange_blocks(vec_of<R>* v) {
  constexpr int width = simd<R>::width;
  if constexpr (S < width) {
    TALUS_UNROLL
    for (int r = 0; r < width; ++r) {
      if (r & S) continue;
      const vec_of<R> a = v[r], b = v[r + S];
      v[r] = exchange<S, false, R>(a, b, std::make_index_sequence<width>{});
      v[r + S] = exchange<S, true, R>(a, b, std::make_index_sequence<width>{});
    }
    exchange_blocks<R, 2 * S>(v);
  }
}

/// A square of numbers, as many as a register holds of as many matrices.
template <class R>
TALUS_INLINE void transpose(vec_of<R>* v) {
  constexpr int piece = simd<R>::piece;
  TALUS_UNROLL
  for (int r = 0; r < simd<R>::width; r += piece) transpose_pieces<R>(v + r);
  exchange_blocks<R, piece>(v);
}

template <class V, std::size_t... I>
TALUS_INLINE auto join(V a, V b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, static_cast<int>(I)...);
}

/// The 16 bytes at `at` of BYTES / 16 matrices, every piece-th of those that `matrices` points to.
template <class R, int BYTES = register_bytes, class T>
TALUS_INLINE auto load_pieces(const T* const* matrices, std::ptrdiff_t at) {
  if constexpr (BYTES == 16) {
    typedef R exact __attribute__((vector_size(16)));
    return static_cast<exact>(*reinterpret_cast<const typename simd<R>::loose_piece*>(
        reinterpret_cast<const R*>(matrices[0]) + at));
  } else {
    constexpr int half = BYTES / 2 / sizeof(R);
    return join(load_pieces<R, BYTES / 2>(matrices, at), load_pieces<R, BYTES / 2>(matrices + half, at),
                std::make_index_sequence<2 * half>{});
  }
}

template <class V, std::size_t... I>
TALUS_INLINE auto part(V v, std::size_t first, std::index_sequence<I...>) {
  return first == 0 ? __builtin_shufflevector(v, v, static_cast<int>(I)...)
                    : __builtin_shufflevector(v, v, static_cast<int>(I + sizeof...(I))...);
}

template <class R, int BYTES = register_bytes, class V, class T>
TALUS_INLINE void store_pieces(V v, T* const* matrices, std::ptrdiff_t at) {
  if constexpr (BYTES == 16) {
    *reinterpret_cast<typename simd<R>::loose_piece*>(reinterpret_cast<R*>(matrices[0]) + at) = v;
  } else {
    constexpr int half = BYTES / 2 / sizeof(R);
    constexpr auto indices = std::make_index_sequence<half>{};
    store_pieces<R, BYTES / 2>(part(v, 0, indices), matrices, at);
    store_pieces<R, BYTES / 2>(part(v, 1, indices), matrices + half, at);
  }
}

template <class R, class T>
TALUS_INLINE vec_of<R> load_loose(const T* matrix, std::ptrdiff_t at) {
  return *reinterpret_cast<const typename simd<R>::loose_vec*>(reinterpret_cast<const R*>(matrix) + at);
}

template <class R, class T>
TALUS_INLINE void store_loose(vec_of<R> v, T* matrix, std::ptrdiff_t at) {
  *reinterpret_cast<typename simd<R>::loose_vec*>(reinterpret_cast<R*>(matrix) + at) = v;
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

template <class T>
TALUS_INLINE lanes<T> operator*(lanes<T> a, real_lanes<T> factor) {
  a.re *= factor;
  if constexpr (is_complex<T>) a.im *= factor;
  return a;
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

/// c -= |a|^2, for real c
template <class T>
TALUS_INLINE void subtract_square(lanes<T>& c, const lanes<T>& a) {
  c.re -= a.re * a.re;
  if constexpr (is_complex<T>) c.re -= a.im * a.im;
}

// ---- to and from memory --------------------------------------------------------------------------

/// `length` consecutive elements of width_of<T> matrices, of which the first lies at `at`; element i goes to,
/// or comes from, the place that where(i) refers to. Squares are moved while they fit: they touch each
/// matrix's cache lines once, which matters where equal addresses modulo 4096 compete for the same few lines.
/// Then pieces, of which a last incomplete one overlaps the one before: moving an element twice is cheaper
/// than moving it alone.
template <class T, class Where>
TALUS_INLINE void load_run(const T* const* matrices, std::ptrdiff_t at, int length, Where where) {
  using R = real_of<T>;
  constexpr int parts = lanes<T>::parts, width = simd<R>::width, piece = simd<R>::piece;
  const auto put = [&](int i, const vec_of<R>* v) TALUS_INLINED {
    lanes<T> x;
    x.re = v[0];
    if constexpr (is_complex<T>) x.im = v[1];
    where(i) = x;
  };
  const auto move_square = [&](int i) TALUS_INLINED {
    vec_of<R> v[width];
    TALUS_UNROLL
    for (int l = 0; l < width; ++l) v[l] = load_loose<R>(matrices[l], (at + i) * parts);
    transpose<R>(v);
    TALUS_UNROLL
    for (int e = 0; e < width / parts; ++e) put(i + e, v + e * parts);
  };
  const auto move_pieces = [&](int i) TALUS_INLINED {
    vec_of<R> v[piece];
    TALUS_UNROLL
    for (int q = 0; q < piece; ++q) v[q] = load_pieces<R>(matrices + q, (at + i) * parts);
    transpose_pieces<R>(v);
    TALUS_UNROLL
    for (int e = 0; e < piece / parts; ++e) put(i + e, v + e * parts);
  };
  int i = 0;
  for (; i + width / parts <= length; i += width / parts) move_square(i);
  for (; i + piece / parts <= length; i += piece / parts) move_pieces(i);
  if (i == length) return;
  if (i > 0) {
    move_pieces(length - piece / parts);
  } else {
    for (; i < length; ++i) {
      vec_of<R> v[parts];
      for (int q = 0; q < parts; ++q)
        v[q] = load_one<R>(matrices, (at + i) * parts + q, std::make_index_sequence<width>{});
      put(i, v);
    }
  }
}

template <class T, class Where>
TALUS_INLINE void store_run(T* const* matrices, std::ptrdiff_t at, int length, Where where) {
  using R = real_of<T>;
  constexpr int parts = lanes<T>::parts, width = simd<R>::width, piece = simd<R>::piece;
  const auto get = [&](int i, vec_of<R>* v) TALUS_INLINED {
    const lanes<T> x = where(i);
    v[0] = x.re;
    if constexpr (is_complex<T>) v[1] = x.im;
  };
  const auto move_square = [&](int i) TALUS_INLINED {
    vec_of<R> v[width];
    TALUS_UNROLL
    for (int e = 0; e < width / parts; ++e) get(i + e, v + e * parts);
    transpose<R>(v);
    TALUS_UNROLL
    for (int l = 0; l < width; ++l) store_loose<R>(v[l], matrices[l], (at + i) * parts);
  };
  const auto move_pieces = [&](int i) TALUS_INLINED {
    vec_of<R> v[piece];
    TALUS_UNROLL
    for (int e = 0; e < piece / parts; ++e) get(i + e, v + e * parts);
    transpose_pieces<R>(v);
    TALUS_UNROLL
    for (int q = 0; q < piece; ++q) store_pieces<R>(v[q], matrices + q, (at + i) * parts);
  };
  int i = 0;
  for (; i + width / parts <= length; i += width / parts) move_square(i);
  for (; i + piece / parts <= length; i += piece / parts) move_pieces(i);
  if (i == length) return;
  if (i > 0) {
    move_pieces(length - piece / parts);
  } else {
    for (; i < length; ++i) {
      vec_of<R> v[parts];
      get(i, v);
      for (int q = 0; q < parts; ++q)
        store_one<R>(v[q], matrices, (at + i) * parts + q, std::make_index_sequence<width>{});
    }
  }
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
