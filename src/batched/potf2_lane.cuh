// Unblocked Cholesky of a panel of 8 columns without waiting: every lane factors the 8 x 8 diagonal block for
// itself, and applies each column as it comes to the rows that it owns.
#pragma once

#include "scalar.cuh"
#include "tile.cuh"

namespace talus::cuda {

/// 1 / sqrt(x) to within an ulp, exact for powers of four, where x >= least_normal<R>.
__device__ inline float reciprocal_sqrt(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(0.5f * y, fmaf(-x * y, y, 1.0f), y);
}
__device__ inline double reciprocal_sqrt(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));  // to 20 bits
  const double e = fma(-x * y, y, 1.0);
  return fma(y * e, fma(e, 0.375, 0.5), y);
}
template <class R>
constexpr R least_normal = sizeof(R) == 4 ? R(1.17549435e-38) : R(2.2250738585072014e-308);

/// What makes a subnormal pivot normal.
template <class R>
constexpr R scale_up = sizeof(R) == 4 ? R(1 << 24) : R(1ll << 54);
template <class R>
constexpr R sqrt_of_scale_up = sizeof(R) == 4 ? R(1 << 12) : R(1 << 27);

/// In   block  the diagonal block, rows 0 ... 7 of a tile in shared memory, on and below its diagonal
///      x      ROWS rows of the panel; those below FIRST are not looked at
///      r, step  x[u] is row r + u * step of the panel, row 0 that with the diagonal's first element
/// Out  x      the same of the factor, as far as they lie below the diagonal
/// Returns the first column whose pivot is not > 0, else 8. The columns before it are finished, and it keeps
/// that pivot; what stands right of it has no meaning.
template <int FIRST, class T, int ROWS>
__device__ int potf2_lane(const T* block, T (&x)[ROWS][tile_columns], int r, int step) {
  using R = real_t<T>;
  constexpr int N = tile_columns;
  T L[N][N];  // of the block, what is still needed
  auto load = [&](int i, int c) {
    const auto p = *reinterpret_cast<const pack<T, piece<T>>*>(block + tile_at<T>(tile_row<T>(i), c));
#pragma unroll
    for (int e = 0; e < piece<T>; ++e) {
      if (c + e <= i) L[i][c + e] = p.x[e];
    }
  };
#pragma unroll
  for (int i = 0; i < N; ++i) {
#pragma unroll
    for (int c = 0; c <= i && c < N / 2; c += piece<T>) load(i, c);
  }
  int failed = N;
#pragma unroll
  for (int c = 0; c < N; ++c) {
    if (c == N / 2) {  // the lower right quarter comes in only here, to save registers
#pragma unroll
      for (int i = N / 2; i < N; ++i) {
#pragma unroll
        for (int k = N / 2; k <= i; k += piece<T>) load(i, k);
#pragma unroll
        for (int k = N / 2; k <= i; ++k) {
#pragma unroll
          for (int e = 0; e < N / 2; ++e) multiply_add(L[i][k], -L[i][e], conj(L[k][e]));
        }
      }
    }
    const R pivot = real(L[c][c]);
    R inverse = reciprocal_sqrt(pivot);
    const R almost = pivot * inverse;
    R root = fma(R(0.5) * inverse, fma(-almost, almost, pivot), almost);
    if (__any_sync(~0u, !(pivot >= least_normal<R>))) {  // all lanes or none
      if (!(pivot > 0)) {                                // a NaN fails too
        failed = min(failed, c);
        root = pivot;
        inverse = 0;
      } else {
        inverse = reciprocal_sqrt(pivot * scale_up<R>) * sqrt_of_scale_up<R>;
        root = pivot * inverse;
      }
    }
#pragma unroll
    for (int u = FIRST; u < ROWS; ++u) x[u][c] = r + u * step == c ? from_real<T>(root) : x[u][c] * inverse;
#pragma unroll
    for (int k = c + 1; k < N; ++k) {
      L[k][c] = L[k][c] * inverse;
      const T factor = conj(L[k][c]);
#pragma unroll
      for (int u = FIRST; u < ROWS; ++u) multiply_add(x[u][k], -x[u][c], factor);
    }
#pragma unroll
    for (int k = c + 1; k < N; ++k) {
#pragma unroll
      for (int i = k; i < N; ++i) {
        if (c >= N / 2 || k < N / 2) multiply_add(L[i][k], -L[i][c], conj(L[k][c]));
      }
    }
  }
  return failed;
}

}  // namespace talus::cuda
