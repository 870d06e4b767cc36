// QR of a matrix whose columns are in the registers of a warp or a part of one. On its way in and out, and
// while one column is told to all lanes, it is in shared memory.
#pragma once

#include "batched/qr/reflector.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::householder {

/// LANES = DOWN * ACROSS lanes of a matrix. Lane (r, c) = c * DOWN + r has ROWS rows r, r + DOWN, ... of
/// COLUMNS columns c, c + ACROSS, ... Where rows are done, SHRINK rows of each lane at a time are left out.
template <int DOWN_, int ACROSS_, int ROWS_, int COLUMNS_, int SHRINK_>
struct columns_shape {
  static constexpr int DOWN = DOWN_, ACROSS = ACROSS_, ROWS = ROWS_, COLUMNS = COLUMNS_, SHRINK = SHRINK_;
  static constexpr int LANES = DOWN * ACROSS, M = DOWN * ROWS, N = ACROSS * COLUMNS;
};

/// A matrix in shared memory, and what else is known of its columns.
///
/// First columns lie there as they are, `pitch` apart. In the end column c has at its beginning what its
/// reflector was made of, from row c / DOWN * DOWN on, and at its end R above the diagonal, backwards. Each
/// is in DOWN parts, row i in part i % DOWN. Together they are up to SHRINK * DOWN rows longer than the
/// column.
template <class T, class Shape>
struct columns_memory {
  static constexpr int PIECE = piece<T>, DOWN = Shape::DOWN;
  static constexpr int odd_pieces(int elements) { return ((elements + PIECE - 1) / PIECE | 1) * PIECE; }
  static constexpr int whole_pieces(int elements) { return (elements + PIECE - 1) / PIECE * PIECE; }
  static constexpr int extra = Shape::ACROSS == 1 ? 0 : Shape::SHRINK;
  static constexpr int part = whole_pieces(Shape::ROWS + extra);
  static constexpr int pitch = Shape::ACROSS == 1 ? part * DOWN : odd_pieces(part * DOWN);
  static constexpr int elements = odd_pieces(pitch * Shape::N);

  /// What shared memory has of a matrix, in bytes.
  static constexpr std::size_t bytes =
      (elements * sizeof(T) + Shape::N * (2 * sizeof(T) + 2 * sizeof(real_t<T>)) + 15) / 16 * 16;

  T* a;
  T *scale, *tau;          // of each column
  real_t<T>*beta, *power;  // power: by which the column was multiplied, a power of two

  __device__ explicit columns_memory(unsigned char* at)
      : a(reinterpret_cast<T*>(at)),
        scale(a + elements),
        tau(scale + Shape::N),
        beta(reinterpret_cast<real_t<T>*>(tau + Shape::N)),
        power(beta + Shape::N) {}

  __device__ T& of_reflector(int i, int c) const {
    const int k = i - c / DOWN * DOWN;
    return a[c * pitch + k % DOWN * part + k / DOWN];
  }
  __device__ T& of_R(int i, int c) const { return a[c * pitch + i % DOWN * part + part - 1 - i / DOWN]; }
  /// Element (i, c) of what geqrf leaves.
  __device__ T result(int i, int c) const {
    if (i > c) {
      T v{};
      multiply_add(v, of_reflector(i, c), scale[c]);
      return v;
    }
    const real_t<T> undo = 1 / power[c];  // exact
    return i == c ? from_real<T>(beta[c] * undo) : of_R(i, c) * undo;
  }
};

/// A lane's part of the columns, and their elimination.
template <class T, class Shape>
struct columns {
  using R = real_t<T>;
  using memory_t = columns_memory<T, Shape>;
  static constexpr int DOWN = Shape::DOWN, ACROSS = Shape::ACROSS, ROWS = Shape::ROWS,
                       COLUMNS = Shape::COLUMNS;
  static constexpr int SHRINK = Shape::SHRINK, LANES = Shape::LANES, M = Shape::M, N = Shape::N;
  static constexpr int PIECE = piece<T>;

  T a[COLUMNS][ROWS];
  memory_t memory;
  int r, c;  // this lane

  __device__ columns(const memory_t& memory_, int lane) : memory(memory_), r(lane % DOWN), c(lane / DOWN) {}

  /// From shared memory, where columns lie as they are; what is not there is zero.
  __device__ __forceinline__ void load(int m, int n) {
    unsigned largest[COLUMNS] = {};
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      const int column = c + q * ACROSS;
      const T* const from = memory.a + column * memory_t::pitch;
      if constexpr (DOWN == 1) {
#pragma unroll
        for (int k = 0; k < ROWS; k += PIECE) {
          const auto next = *reinterpret_cast<const pack<T, PIECE>*>(from + k);
#pragma unroll
          for (int e = 0; e < PIECE; ++e) {
            if (k + e < ROWS) a[q][k + e] = k + e < m && column < n ? next.x[e] : T{};
          }
        }
      } else {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
          const int i = k * DOWN + r;
          a[q][k] = i < m && column < n ? from[i] : T{};
        }
      }
#pragma unroll
      for (int k = 0; k < ROWS; ++k) largest[q] = max(largest[q], high_bits(a[q][k]));
    }
    __syncwarp();
    make_safe(largest);
  }

  /// All reflectors: what the memory has in the end is what columns_memory says.
  __device__ __forceinline__ void eliminate(int steps) { stage<0>(steps); }

 private:
  static __device__ unsigned high_bits(R x) { return high_bits_of(x); }
  static __device__ unsigned high_bits(complex<R> x) { return max(high_bits_of(x.re), high_bits_of(x.im)); }

  /// Multiplies columns by powers of two where reflectors could not be made otherwise.
  __device__ __forceinline__ void make_safe(unsigned (&largest)[COLUMNS]) {
    bool is_safe = true;
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
#pragma unroll
      for (int mask = DOWN / 2; mask > 0; mask /= 2)
        largest[q] = max(largest[q], __shfl_xor_sync(~0u, largest[q], mask));
      is_safe = is_safe && power_for_column(from_high_bits(largest[q])) == 1;
      if (r == 0) memory.power[c + q * ACROSS] = 1;
    }
    if (!__any_sync(~0u, !is_safe)) return;
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      const R power = power_for_column(from_high_bits(largest[q]));
#pragma unroll
      for (int k = 0; k < ROWS; ++k) a[q][k] = a[q][k] * power;
      if (r == 0) memory.power[c + q * ACROSS] = power;
    }
  }
  /// A number about as large; zero also of the least ones.
  static __device__ R from_high_bits(unsigned bits) {
    if constexpr (sizeof(R) == 4) {
      return __uint_as_float(bits);
    } else {
      return __hiloint2double(static_cast<int>(bits), 0);
    }
  }

  /// COUNT elements, pieces of 16 bytes where whole ones are: of what lies behind them nothing is written.
  template <int COUNT>
  static __device__ __forceinline__ void put(T* to, const T (&from)[ROWS]) {
    constexpr int whole = COUNT / PIECE * PIECE;
#pragma unroll
    for (int k = 0; k < whole; k += PIECE) {
      pack<T, PIECE> next;
#pragma unroll
      for (int e = 0; e < PIECE; ++e) next.x[e] = from[k + e];
      *reinterpret_cast<pack<T, PIECE>*>(to + k) = next;
    }
#pragma unroll
    for (int k = whole; k < COUNT; ++k) to[k] = from[k];
  }
  template <int COUNT>
  static __device__ __forceinline__ void get(T (&x)[COUNT], const T* from) {
#pragma unroll
    for (int k = 0; k < COUNT; k += PIECE) {
      const auto next = *reinterpret_cast<const pack<T, PIECE>*>(from + k);
#pragma unroll
      for (int e = 0; e < PIECE; ++e) {
        if (k + e < COUNT) x[k + e] = next.x[e];
      }
    }
  }

  /// Columns J ... of one slot, as long as lanes have as many rows.
  template <int J>
  __device__ __forceinline__ void stage(int steps) {
    if constexpr (J < N && J < M) {
      constexpr int U = J / ACROSS, LIVE = ROWS - J / DOWN, LEFT = ACROSS * (U + 1) - J;
      constexpr int COUNT = LEFT < SHRINK * DOWN ? LEFT : SHRINK * DOWN;
      static_assert(COUNT % DOWN == 0);
#pragma unroll 1
      for (int s = 0; s < COUNT; s += DOWN) {
        if (J + s >= steps) break;
#pragma unroll
        for (int p = 0; p < DOWN; ++p) step<U, LIVE>(J + s, p);
      }
      if (J + COUNT < steps) stage<J + COUNT>(steps);
    }
  }

  /// Column j = first + p, where lanes have row `first` and those that follow.
  template <int U, int LIVE>
  __device__ __forceinline__ void step(int first, int p) {
    const int j = first + p, owner = j % ACROSS;
    T* const told = memory.a + j * memory_t::pitch + r * memory_t::part;
    T x[LIVE];
    if (c == owner) put<LIVE>(told, a[U]);
    if constexpr (ACROSS > 1) {
      __syncwarp();
      get<LIVE>(x, told);
    } else {
#pragma unroll
      for (int k = 0; k < LIVE; ++k) x[k] = a[U][k];
    }
    T alpha = x[0], products[COLUMNS];
    if constexpr (DOWN > 1) {
      alpha = shuffle(alpha, p + c * DOWN, LANES);
      if (r <= p) x[0] = T{};
    }
    const reflector<T> h = make_reflector<U, LIVE>(alpha, x, products);
    apply<U, LIVE>(h, x, products, j, p);
    if (c == owner && r == p) {
      memory.scale[j] = h.scale * h.power;
      memory.beta[j] = h.beta;
      memory.tau[j] = h.tau;
    }
  }

  /// |x|^2, and x^H times the columns of slots U and up, summed up over the lanes that share a column.
  template <int U, int LIVE>
  __device__ __forceinline__ void add_up(const T (&x)[LIVE], R& sum, T (&products)[COLUMNS]) const {
    sum = 0;
#pragma unroll
    for (int q = U; q < COLUMNS; ++q) products[q] = T{};
#pragma unroll
    for (int k = DOWN == 1; k < LIVE; ++k) {
      add_square(sum, x[k]);
#pragma unroll
      for (int q = U; q < COLUMNS; ++q) multiply_add(products[q], conj(x[k]), a[q][k]);
    }
#pragma unroll
    for (int mask = DOWN / 2; mask > 0; mask /= 2) {
      sum += shuffle_xor(sum, mask);
#pragma unroll
      for (int q = U; q < COLUMNS; ++q) products[q] = products[q] + shuffle_xor(products[q], mask);
    }
  }

  /// The reflector of (alpha; x), and what add_up says of it. Where the squares of x vanish in any lane, all
  /// multiply it by a power of two, 1 where that is not needed, and add up again.
  template <int U, int LIVE>
  __device__ __forceinline__ reflector<T> make_reflector(T alpha, T (&x)[LIVE],
                                                         T (&products)[COLUMNS]) const {
    R sum, power = 1;
    bool is_zero = false;
    for (bool first_time = true;; first_time = false) {
      add_up<U>(x, sum, products);
      const bool is_small = !(sum >= least_sum<R>);
      if (!first_time || !__any_sync(~0u, is_small)) break;
      R largest = 0;
#pragma unroll
      for (int k = DOWN == 1; k < LIVE; ++k) largest = fmax(largest, magnitude_of(x[k]));
#pragma unroll
      for (int mask = DOWN / 2; mask > 0; mask /= 2) largest = fmax(largest, shuffle_xor(largest, mask));
      if (is_small) {
        is_zero = largest == 0 && sum == 0;
        power = inverse_power_of(fmax(largest, magnitude_of(alpha)));
      }
#pragma unroll
      for (int k = DOWN == 1; k < LIVE; ++k) x[k] = x[k] * power;
    }
    return {alpha, sum, is_zero, power};
  }

  /// Columns of slots U and up <- H^H times them. Row j goes to shared memory. Where that was a lane's last
  /// row of its register, p = DOWN - 1, all rows move up by one.
  template <int U, int LIVE>
  __device__ __forceinline__ void apply(const reflector<T>& h, const T (&x)[LIVE],
                                        const T (&products)[COLUMNS], int j, int p) {
    const bool shifts = p == DOWN - 1;
#pragma unroll
    for (int q = U; q < COLUMNS; ++q) {
      T top = a[q][0];
      if constexpr (DOWN > 1) top = shuffle(top, p + c * DOWN, LANES);
      const T w = h.times(top, products[q]);
      T factor{};
      multiply_add(factor, w, h.scale);
      const int column = c + q * ACROSS;
      if (column > j && r == p) memory.of_R(j, column) = top - w;
#pragma unroll
      for (int k = DOWN == 1; k < LIVE; ++k) {
        T next = a[q][k];
        multiply_add(next, -factor, x[k]);
        if (shifts && k > 0) {
          a[q][k - 1] = next;
        } else if (!shifts) {
          a[q][k] = next;
        }
      }
      if (shifts) a[q][LIVE - 1] = T{};
    }
  }
};

}  // namespace talus::cuda::householder
