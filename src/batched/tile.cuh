// Tiles of a matrix in shared memory, and the product of two of them by one warp: what the tensor units of a
// multiprocessor multiply, in all four precisions.
#pragma once

#include "scalar.cuh"

namespace talus::cuda {

/// A tile has 8 columns and 16 rows; tiles stacked upon each other are one taller tile.
constexpr int tile_columns = 8, tile_rows = 16, tile_elements = tile_rows * tile_columns;

template <class T, int N>
struct alignas(N * sizeof(T)) pack {
  T x[N];
};

/// Elements that move in one 16-byte access.
template <class T>
constexpr int piece = 16 / static_cast<int>(sizeof(T));

/// Where row i of a tile begins, and where its element c is from there: row after row, with the 16-byte
/// pieces of a row and the two rows of a pair exchanged such that no access below meets a bank twice. Every 8
/// rows it repeats.
template <class T>
__device__ constexpr int tile_row(int i) {
  constexpr int pieces = tile_columns / piece<T>;  // of a row
  const int exchange = i * pieces / 8 % pieces, row = pieces < 8 ? i ^ (exchange & 1) : i;
  return row * tile_columns + exchange * piece<T>;
}
template <class T>
__device__ constexpr int tile_at(int row, int c) {
  return (row ^ (c / piece<T> * piece<T>)) + c % piece<T>;
}

/// A row of a tile, by one lane.
template <class T>
__device__ void load_row(T (&x)[tile_columns], const T* tile, int row) {
#pragma unroll
  for (int c = 0; c < tile_columns; c += piece<T>) {
    const auto p = *reinterpret_cast<const pack<T, piece<T>>*>(tile + tile_at<T>(row, c));
#pragma unroll
    for (int e = 0; e < piece<T>; ++e) x[c + e] = p.x[e];
  }
}

template <class T>
__device__ void store_row(T* tile, int row, const T (&x)[tile_columns]) {
#pragma unroll
  for (int c = 0; c < tile_columns; c += piece<T>) {
    pack<T, piece<T>> p;
#pragma unroll
    for (int e = 0; e < piece<T>; ++e) p.x[e] = x[c + e];
    *reinterpret_cast<pack<T, piece<T>>*>(tile + tile_at<T>(row, c)) = p;
  }
}

/// N real numbers as the tensor units read them. A single precision number is the sum of two of 11 bits;
/// three of the four products of two such sums are what an FMA would give, but for about two bits.
template <class R, int N>
struct operand;
template <int N>
struct operand<double, N> {
  double x[N];
  __device__ void set(int e, double value) { x[e] = value; }
  __device__ operand negative() const {
    operand o;
#pragma unroll
    for (int e = 0; e < N; ++e) o.x[e] = -x[e];
    return o;
  }
};
template <int N>
struct operand<float, N> {
  unsigned high[N], low[N];
  __device__ void set(int e, float value) {
    high[e] = (__float_as_uint(value) + 0x1000u) & 0xffffe000u;  // rounded to 11 bits
    low[e] = __float_as_uint(value - __uint_as_float(high[e]));  // exact; NaN where the value is
  }
  __device__ operand negative() const {
    operand o;
#pragma unroll
    for (int e = 0; e < N; ++e) {
      o.high[e] = high[e] ^ 0x80000000u;
      o.low[e] = low[e] ^ 0x80000000u;
    }
    return o;
  }
};

/// c += left right^T of a 16 x 8 and an 8 x 8 tile, as lanes hold them: lane 4 g + t has
///   left   (g, 2t), (g+8, 2t), (g, 2t+1), (g+8, 2t+1)
///   right  (g, 2t), (g, 2t+1)
///   c      (g, 2t), (g, 2t+1), (g+8, 2t), (g+8, 2t+1)
/// (The columns of left and right are summed over, in whichever order: 2t and 2t+1 stand where PTX has t and
/// t+4.)
__device__ inline void mma(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
  for (int e = 0; e < 4; ++e) {  // rows g or g+8, columns 2t or 2t+1
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[e % 2 * 2]), "+d"(c[e % 2 * 2 + 1])
        : "d"(a[e]), "d"(b[e / 2]));
  }
#endif
}
__device__ inline void mma(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// The same by FMA, for GPUs that have no tensor units for R.
template <class R>
__device__ void multiply_by_fma(R (&c)[4], const R (&a)[4], const R (&b)[2]) {
  const int lane = static_cast<int>(threadIdx.x % 32), g = lane / 4, t = lane % 4;
#pragma unroll
  for (int k = 0; k < tile_columns; ++k) {
    const R left0 = __shfl_sync(~0u, a[k % 2 * 2], 4 * g + k / 2);
    const R left1 = __shfl_sync(~0u, a[k % 2 * 2 + 1], 4 * g + k / 2);
    const R right0 = __shfl_sync(~0u, b[k % 2], 8 * t + k / 2);
    const R right1 = __shfl_sync(~0u, b[k % 2], 8 * t + 4 + k / 2);
    c[0] = fma(left0, right0, c[0]);
    c[1] = fma(left0, right1, c[1]);
    c[2] = fma(left1, right0, c[2]);
    c[3] = fma(left1, right1, c[3]);
  }
}

__device__ inline void multiply_add(double (&c)[4], const operand<double, 4>& a,
                                    const operand<double, 2>& b) {
#if __CUDA_ARCH__ >= 800
  mma(c, a.x, b.x);
#else
  multiply_by_fma(c, a.x, b.x);
#endif
}
__device__ inline void multiply_add(float (&c)[4], const operand<float, 4>& a, const operand<float, 2>& b) {
#if __CUDA_ARCH__ >= 800
  mma(c, a.low, b.high);
  mma(c, a.high, b.low);
  mma(c, a.high, b.high);
#else
  const auto whole = [](unsigned high, unsigned low) { return __uint_as_float(high) + __uint_as_float(low); };
  const float l[4] = {whole(a.high[0], a.low[0]), whole(a.high[1], a.low[1]), whole(a.high[2], a.low[2]),
                      whole(a.high[3], a.low[3])};
  const float r[2] = {whole(b.high[0], b.low[0]), whole(b.high[1], b.low[1])};
  multiply_by_fma(c, l, r);
#endif
}

/// N elements of a tile as a factor: its real numbers, or its real and imaginary parts.
template <class T, int N>
struct factor {
  operand<T, N> re;
  __device__ void set(int e, T x) { re.set(e, x); }
};
template <class R, int N>
struct factor<complex<R>, N> {
  operand<R, N> re, im;
  __device__ void set(int e, complex<R> x) {
    re.set(e, x.re);
    im.set(e, x.im);
  }
};

/// From an element in an even column to the next in row i.
template <class T>
__device__ constexpr int tile_next(int i) {
  return piece<T> > 1 ? 1 : 1 - 2 * (i & 1);
}

/// A place in shared memory that is computed once and then kept, whatever the compiler thinks of that.
template <class T>
__device__ T* kept(T* place) {
  auto address = static_cast<unsigned>(__cvta_generic_to_shared(place));
  asm volatile("" : "+r"(address));
  return static_cast<T*>(__cvta_shared_to_generic(address));
}

/// The 8 rows at `corner` and the 8 rows `below` elements further on as the left factor, by lane 4 g + t;
/// `corner` is where its element (g, 2t) lies. The tensor units want elements of two rows next to each other.
/// Volatile, so that they come one by one to where they are wanted: of two in one access each product would
/// move one first.
template <class T>
__device__ factor<T, 4> load_left(const T* corner, int next, int below = 8 * tile_columns) {
  factor<T, 4> f;
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const T* const from = corner + e % 2 * below + e / 2 * next;
    if constexpr (std::is_same_v<real_t<T>, T>) {
      f.set(e, *static_cast<const volatile T*>(from));
    } else {
      const auto part = reinterpret_cast<const volatile real_t<T>*>(from);
      f.set(e, {part[0], part[1]});
    }
  }
  return f;
}

/// Rows 0 ... 7 of a tile as the right factor.
template <class T>
__device__ factor<T, 2> load_right(const T* corner, int next) {
  factor<T, 2> f;
  constexpr bool together = piece<T> != 1;
  if constexpr (together) {
    const auto p = *reinterpret_cast<const pack<T, 2>*>(corner);
    f.set(0, p.x[0]);
    f.set(1, p.x[1]);
  } else {
    f.set(0, corner[0]);
    f.set(1, corner[next]);
  }
  return f;
}

/// 8 rows x 16 columns of sums of products; lane 4 g + t has (2t, g), (2t+1, g), (2t, g+8) and (2t+1, g+8).
template <class T>
struct product {
  T sum[4] = {};
  __device__ T operator()(int e) const { return sum[e]; }
};
template <class R>
struct product<complex<R>> {
  R re[4] = {}, im[4] = {};
  __device__ complex<R> operator()(int e) const { return {re[e], im[e]}; }
};

/// sum += mine facing^H, where `mine` has 8 rows and `facing` 16
template <class T>
__device__ void multiply_add(product<T>& sum, const factor<T, 2>& mine, const factor<T, 4>& facing) {
  multiply_add(sum.sum, facing.re, mine.re);
}
template <class R>
__device__ void multiply_add(product<complex<R>>& sum, const factor<complex<R>, 2>& mine,
                             const factor<complex<R>, 4>& facing) {
  multiply_add(sum.re, facing.re, mine.re);
  multiply_add(sum.re, facing.im, mine.im);
  multiply_add(sum.im, facing.re, mine.im);
  multiply_add(sum.im, facing.im.negative(), mine.re);
}

}  // namespace talus::cuda
