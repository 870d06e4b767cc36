// QR of a matrix whose columns are in the registers of a part of a warp, a warp or a few. On its way in and
// out, and while one column is told to all lanes, it is in shared memory.
#pragma once

#include "batched/qr/pieces/reflector.cuh"
#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::cuda::householder {

/// LANES = DOWN * ACROSS lanes of a matrix, a part of a warp or whole warps. Lane (r, c) = c * DOWN + r has
/// ROWS rows r, r + DOWN, ... of COLUMNS columns c, c + ACROSS, ... Where rows are done, SHRINK rows of each
/// lane at a time are left out.
template <int DOWN_, int ACROSS_, int ROWS_, int COLUMNS_, int SHRINK_>
struct columns_shape {
  static constexpr int DOWN = DOWN_, ACROSS = ACROSS_, ROWS = ROWS_, COLUMNS = COLUMNS_, SHRINK = SHRINK_;
  static constexpr int LANES = DOWN * ACROSS, M = DOWN * ROWS, N = ACROSS * COLUMNS;

  /// All lanes of a matrix, and those that share a warp with them.
  static __device__ __forceinline__ void meet() {
    if constexpr (LANES <= 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }
};

/// COUNT elements to a place at a multiple of 16 bytes, in pieces of 16 bytes where whole ones are: of what
/// lies behind them nothing is written.
template <int COUNT, class T, int ROWS>
__device__ __forceinline__ void put_pieces(T* to, const T (&from)[ROWS]) {
  constexpr int PIECE = piece<T>, whole = COUNT / PIECE * PIECE;
#pragma unroll
  for (int k = 0; k < whole; k += PIECE) {
    pack<T, PIECE> next;
#pragma unroll
    for (int e = 0; e < PIECE; ++e) next.x[e] = from[k + e];
    store(to + k, next);
  }
#pragma unroll
  for (int k = whole; k < COUNT; ++k) to[k] = from[k];
}
/// Whole pieces are read.
template <int COUNT, class T>
__device__ __forceinline__ void get_pieces(T (&x)[COUNT], const T* from) {
  constexpr int PIECE = piece<T>;
#pragma unroll
  for (int k = 0; k < COUNT; k += PIECE) {
    const auto next = *reinterpret_cast<const pack<T, PIECE>*>(from + k);
#pragma unroll
    for (int e = 0; e < PIECE; ++e) {
      if (k + e < COUNT) x[k + e] = next.x[e];
    }
  }
}

/// A matrix in shared memory.
///
/// First columns lie there as they are, `pitch` apart, and behind each what else is known of it. Then each is
/// in DOWN parts, row i in part i % DOWN, and shifted so that what a reflector is made of begins with whole
/// pieces of 16 bytes. In the end R lies above the diagonal, and below it what reflectors were made of.
template <class T, class Shape>
struct columns_memory {
  static constexpr int PIECE = piece<T>, DOWN = Shape::DOWN;
  static constexpr int whole_pieces(int elements) { return (elements + PIECE - 1) / PIECE * PIECE; }
  static constexpr int odd_pieces(int elements) { return (whole_pieces(elements) / PIECE | 1) * PIECE; }
  static constexpr int extra = Shape::ACROSS == 1 ? 0 : Shape::SHRINK;  // told beyond the last row
  static constexpr int of_part = Shape::ROWS + extra + PIECE - 1, part = whole_pieces(of_part);
  // Behind a column's last part are its scale and tau, then its beta and power, and sum where warps share it.
  static constexpr int behind = (DOWN - 1) * part + of_part, real_numbers = Shape::LANES > 32 ? 3 : 2;
  static constexpr int reals = (real_numbers * sizeof(real_t<T>) + sizeof(T) - 1) / sizeof(T);
  static constexpr int pitch = odd_pieces(behind + 2 + reals);
  static constexpr int elements = odd_pieces(pitch * Shape::N);

  /// What shared memory has of a matrix, in bytes.
  static constexpr std::size_t bytes = elements * sizeof(T);

  T* a;

  __device__ explicit columns_memory(unsigned char* at) : a(reinterpret_cast<T*>(at)) {}

  __device__ __forceinline__ T& scale(int c) const { return a[c * pitch + behind]; }
  __device__ __forceinline__ T& tau(int c) const { return a[c * pitch + behind + 1]; }
  __device__ __forceinline__ real_t<T>& beta(int c) const { return real_of(c, 0); }
  /// By which the column was multiplied, a power of two.
  __device__ __forceinline__ real_t<T>& power(int c) const { return real_of(c, 1); }
  /// Of squares below the diagonal, if several warps share it.
  __device__ __forceinline__ real_t<T>& sum(int c) const { return real_of(c, 2); }

  /// Row j / DOWN * DOWN + r of column c, whose place is a multiple of 16 bytes where c == j.
  __device__ __forceinline__ T* from_row(int j, int c, int r) const {
    return a + c * pitch + r * part + shift(c) + j / DOWN;
  }
  /// Row i of column c.
  __device__ __forceinline__ T& row(int i, int c) const { return *from_row(i, c, i % DOWN); }
  /// Rows i, i + 1, ... of column c of what geqrf leaves; i is a multiple of PIECE. Those beyond M are
  /// anything.
  __device__ __forceinline__ pack<T, PIECE> result(int i, int c) const {
    pack<T, PIECE> all = stored(i, c);
    const T below = scale(c);
#pragma unroll
    for (int e = 0; e < PIECE; ++e) {
      T v{};
      multiply_add(v, all.x[e], below);
      if (i + e > c) all.x[e] = v;
    }
    return all;
  }
  /// The same of R, with zeros below.
  __device__ __forceinline__ pack<T, PIECE> upper(int i, int c) const {
    pack<T, PIECE> all = stored(i, c);
#pragma unroll
    for (int e = 0; e < PIECE; ++e) {
      if (i + e > c) all.x[e] = T{};
    }
    return all;
  }
  /// And of columns that lie as they are.
  __device__ __forceinline__ pack<T, PIECE> as_it_is(int i, int c) const {
    return *reinterpret_cast<const pack<T, PIECE>*>(a + i + c * pitch);
  }

 private:
  __device__ __forceinline__ real_t<T>& real_of(int c, int which) const {
    return reinterpret_cast<real_t<T>*>(a + c * pitch + behind + 2)[which];
  }
  static __device__ __forceinline__ int shift(int c) { return (PIECE - c / DOWN % PIECE) % PIECE; }
  __device__ __forceinline__ pack<T, PIECE> stored(int i, int c) const {
    pack<T, PIECE> all;
    const T* const column = a + c * pitch + shift(c);
#pragma unroll
    for (int e = 0; e < PIECE; ++e)
      all.x[e] = PIECE % DOWN == 0 ? column[e % DOWN * part + i / DOWN + e / DOWN]
                                   : column[(i + e) % DOWN * part + (i + e) / DOWN];
    return all;
  }
};

/// A lane's part of a column that lies as it is.
template <class T, class Shape>
__device__ __forceinline__ void get_column(T (&x)[Shape::ROWS], const T* from, int r, Shape) {
  if constexpr (Shape::DOWN == 1) {
    get_pieces<Shape::ROWS>(x, from);
  } else {
#pragma unroll
    for (int k = 0; k < Shape::ROWS; ++k) x[k] = from[k * Shape::DOWN + r];
  }
}

/// A sum over the lanes that share a column.
template <class Shape, class X>
__device__ __forceinline__ X sum_of_column(X x) {
#pragma unroll
  for (int mask = Shape::DOWN / 2; mask > 0; mask /= 2) x = x + shuffle_xor(x, mask);
  return x;
}

/// x^H times the columns of slots U and up; x[k] belongs to row k + OFFSET of each lane, and is zero for k
/// below BEGIN. Sums wait for themselves: so few columns have several.
template <class Shape, int U, int OFFSET, int BEGIN, class T, int LIVE>
__device__ __forceinline__ void multiply_columns(const T (&x)[LIVE],
                                                 const T (&a)[Shape::COLUMNS][Shape::ROWS],
                                                 T (&products)[Shape::COLUMNS]) {
  constexpr int LEFT = Shape::COLUMNS - U, SUMS = LEFT >= 4 ? 1 : LEFT >= 2 ? 2 : 4;
  T sums[Shape::COLUMNS][SUMS] = {};
#pragma unroll
  for (int k = BEGIN; k < LIVE; ++k) {
#pragma unroll
    for (int q = U; q < Shape::COLUMNS; ++q) multiply_add(sums[q][k % SUMS], conj(x[k]), a[q][k + OFFSET]);
  }
#pragma unroll
  for (int q = U; q < Shape::COLUMNS; ++q) {
#pragma unroll
    for (int half = SUMS / 2; half > 0; half /= 2) {
#pragma unroll
      for (int s = 0; s < half; ++s) sums[q][s] = sums[q][s] + sums[q][s + half];
    }
    products[q] = sum_of_column<Shape>(sums[q][0]);
  }
}

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
  int r, c;       // this lane
  bool all_safe;  // no column of the warp, or of the block if it has one matrix, was multiplied
  T alpha;        // of the next column, and the sum of squares below it
  R sum;

  __device__ columns(const memory_t& memory_, int lane) : memory(memory_), r(lane % DOWN), c(lane / DOWN) {}

  /// From shared memory, where columns lie as they are.
  __device__ __forceinline__ void load() {
    measure_t largest[COLUMNS] = {};
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      get_column(a[q], memory.a + (c + q * ACROSS) * memory_t::pitch, r, Shape{});
      unsigned below = 0;
#pragma unroll
      for (int k = 0; k < ROWS; ++k) {
        largest[q] = larger(largest[q], measure(a[q][k]));
        below |= bits_below_measure(a[q][k]);
      }
      if (largest[q] == 0 && below != 0) largest[q] = least_measure();
    }
    make_safe(largest);
  }

  /// All reflectors: what the memory has in the end is what columns_memory says. LEAVES: columns from `steps`
  /// on are whole there, as H^H made them, and remain multiplied by their powers; else only their first
  /// `steps` rows.
  template <bool LEAVES = false>
  __device__ __forceinline__ void eliminate(int steps) {
    stage<LEAVES, 0>(steps);
    Shape::meet();
    store_diagonal(steps);
    if (!LEAVES && !all_safe) undo_powers(steps);
  }

  /// Undoes the powers of two after a solve with R: in its first `steps` columns and in the columns beside
  /// them. There the first `steps` rows are unknowns.
  __device__ __forceinline__ void undo_powers_of_solution(int steps) {
    if (all_safe) return;
    for (int j = c; j < N; j += ACROSS) {
      const int of_column = ilogb(memory.power(j)), last = j < steps ? j : M - 1;
      for (int i = r; i <= last; i += DOWN) {
        T* const x = memory.from_row(i, j, r);
        *x = times_power(*x, (j >= steps && i < steps ? ilogb(memory.power(i)) : 0) - of_column);
      }
    }
  }

 private:
  /// How large a number is: itself, or its upper half where comparing that takes fewer instructions.
  using measure_t = std::conditional_t<sizeof(R) == 4, float, unsigned>;
  static __device__ measure_t measure(float x) { return fabsf(x); }
  static __device__ measure_t measure(double x) { return high_bits_of(x); }
  static __device__ measure_t measure(complex<R> x) { return larger(measure(x.re), measure(x.im)); }
  static __device__ float larger(float x, float y) { return fmaxf(x, y); }
  static __device__ unsigned larger(unsigned x, unsigned y) { return max(x, y); }
  /// Returns the bits that measure() drops.
  static __device__ unsigned bits_below_measure(float) { return 0; }
  static __device__ unsigned bits_below_measure(double x) { return static_cast<unsigned>(__double2loint(x)); }
  static __device__ unsigned bits_below_measure(complex<R> x) {
    return bits_below_measure(x.re) | bits_below_measure(x.im);
  }
  /// The measure of nonzero numbers without bits in the upper half.
  static __device__ measure_t least_measure() { return 1; }
  /// Returns a number about as large as the measured one.
  static __device__ float from_measure(float x) { return x; }
  static __device__ double from_measure(unsigned x) { return __hiloint2double(static_cast<int>(x), 0); }

  /// Multiplies columns by powers of two if their squares would overflow or vanish. Includes the barrier
  /// after the loads from shared memory.
  __device__ __forceinline__ void make_safe(measure_t (&largest)[COLUMNS]) {
    bool is_safe = true;
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
#pragma unroll
      for (int mask = DOWN / 2; mask > 0; mask /= 2)
        largest[q] = larger(largest[q], __shfl_xor_sync(~0u, largest[q], mask));
      is_safe = is_safe && !needs_power(from_measure(largest[q]));
    }
    if constexpr (LANES > 32) {
      all_safe = __syncthreads_and(is_safe) != 0;
    } else {
      Shape::meet();
      all_safe = __all_sync(~0u, is_safe) != 0;
    }
    if (all_safe) return;
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      const R power = power_for_column(from_measure(largest[q]));
#pragma unroll
      for (int k = 0; k < ROWS; ++k) a[q][k] = a[q][k] * power;
      if (r == 0) memory.power(c + q * ACROSS) = power;
    }
  }
  /// Stores R's diagonal.
  __device__ __forceinline__ void store_diagonal(int steps) {
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      const int j = c + q * ACROSS;
      if (j < steps && r == j % DOWN) *memory.from_row(j, j, r) = from_real<T>(memory.beta(j));
    }
  }
  /// Undoes the powers of two in R and in the columns beside it.
  __device__ __forceinline__ void undo_powers(int steps) {
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
      const int j = c + q * ACROSS;
      const R undo = 1 / memory.power(j);
      const int last = j < steps ? j : M - 1;
      for (int i = r; i <= last; i += DOWN) {
        T* const x = memory.from_row(i, j, r);
        *x = *x * undo;
      }
    }
  }

  /// Columns J ... of one slot, as long as lanes have as many rows. Columns that fill up DOWN of them are
  /// zero.
  template <bool LEAVES, int J>
  __device__ __forceinline__ void stage(int steps) {
    if constexpr (J < N && J < M) {
      constexpr int U = J / ACROSS, LIVE = ROWS - J / DOWN, LEFT = ACROSS * (U + 1) - J;
      constexpr int COUNT = LEFT < SHRINK * DOWN ? LEFT : SHRINK * DOWN;
      static_assert(COUNT % DOWN == 0);
      if constexpr (J % ACROSS == 0) announce<U, LIVE>(J, 0, 0);
#pragma unroll 1
      for (int s = 0; s < COUNT; s += DOWN) {
        if (J + s >= steps) break;
#pragma unroll
        for (int p = 0; p < DOWN; ++p) {
          if (!LEAVES || p == 0 || J + s + p < steps) step<U, LIVE>(J + s, p);
        }
      }
      if (J + COUNT < steps) {
        stage<LEAVES, J + COUNT>(steps);
      } else if constexpr (LEAVES) {
        leave_rest<U, LIVE>(steps);
      }
    }
  }

  /// Rows from `steps` on of the columns from there on go to shared memory.
  template <int U, int LIVE>
  __device__ __forceinline__ void leave_rest(int steps) const {
    const int first = steps / DOWN * DOWN, live = ROWS - steps / DOWN;  // as all lanes' rows begin
#pragma unroll
    for (int q = U; q < COLUMNS; ++q) {
      const int column = c + q * ACROSS;
      if (column < steps) continue;
      T* const rest = memory.from_row(first, column, r);
#pragma unroll
      for (int k = 0; k < LIVE; ++k) {
        if (k < live && (k > 0 || first + r >= steps)) rest[k] = a[q][k];
      }
    }
  }

  /// Lanes `owner` have column first + p in slot U, where their rows begin with row `first`. It goes to where
  /// all lanes read it, and all are told its alpha and the sum of squares below.
  template <int U, int LIVE>
  __device__ __forceinline__ void announce(int first, int p, int owner) {
    const int j = first + p;
    if (c == owner) put_pieces<LIVE>(memory.from_row(first, j, r), a[U]);
    constexpr int SUMS = 4;
    R sums[SUMS] = {};
    if (DOWN > 1 && r > p) add_square(sums[0], a[U][0]);
#pragma unroll
    for (int k = 1; k < LIVE; ++k) add_square(sums[k % SUMS], a[U][k]);
    sum = sum_of_column<Shape>((sums[0] + sums[2]) + (sums[1] + sums[3]));
    if constexpr (LANES > 32) {
      if (c == owner && r == 0) memory.sum(j) = sum;
    } else if constexpr (ACROSS > 1) {
      sum = shuffle(sum, owner * DOWN, LANES);
      alpha = shuffle(a[U][0], owner * DOWN + p, LANES);
    } else {
      alpha = DOWN > 1 ? shuffle(a[U][0], p, DOWN) : a[U][0];
    }
  }

  /// Column j = first + p, where lanes have row `first` and those that follow. Its reflector is made while
  /// its products with the others are summed up.
  template <int U, int LIVE>
  __device__ __forceinline__ void step(int first, int p) {
    const int j = first + p, owner = j % ACROSS;
    T x[LIVE];
    if constexpr (ACROSS > 1) {
      Shape::meet();
      get_pieces<LIVE>(x, memory.from_row(first, j, r));
    } else {
#pragma unroll
      for (int k = 0; k < LIVE; ++k) x[k] = a[U][k];
    }
    if constexpr (LANES > 32) {
      sum = memory.sum(j);
      alpha = DOWN > 1 ? shuffle(x[0], p, DOWN) : x[0];
    }
    if (DOWN > 1 && r <= p) x[0] = T{};
    T products[COLUMNS];
    reflector<T> h(alpha, sum, R(1));
    multiply_columns<Shape, U, 0, DOWN == 1>(x, a, products);
    if (__any_sync(~0u, !(sum >= least_sum<R>))) make_again<U>(h, x, products);
    apply<U, LIVE>(h, x, products, first, p, owner);
    if (c == owner && r == p) {
      memory.scale(j) = h.scale * h.power;
      memory.beta(j) = h.beta;
      memory.tau(j) = h.tau;
    }
  }

  /// Where squares vanish, x is multiplied by a power of two, 1 where that is not needed, and all that is
  /// made of it is made again.
  template <int U, int LIVE>
  __device__ __forceinline__ void make_again(reflector<T>& h, T (&x)[LIVE], T (&products)[COLUMNS]) const {
    const bool is_small = !(sum >= least_sum<R>);
    R largest = 0;
#pragma unroll
    for (int k = DOWN == 1; k < LIVE; ++k) largest = fmax(largest, size_of(x[k]));
#pragma unroll
    for (int mask = DOWN / 2; mask > 0; mask /= 2) largest = fmax(largest, shuffle_xor(largest, mask));
    const R power = is_small ? inverse_power_of(fmax(largest, size_of(alpha))) : R(1);
    R squares = 0;
#pragma unroll
    for (int k = DOWN == 1; k < LIVE; ++k) {
      x[k] = x[k] * power;
      add_square(squares, x[k]);
    }
    squares = sum_of_column<Shape>(squares);
    multiply_columns<Shape, U, 0, DOWN == 1>(x, a, products);
    if (!is_small) return;
    h = reflector<T>(alpha, squares, power);
    if (largest == 0 && sum == 0) h.leave_real(alpha);
  }

  /// Columns of slots U and up <- H^H times them. Row j = first + p goes to shared memory. The next column is
  /// announced as soon as it is ready, if it is in slot U. Where row j was a lane's last one of its register,
  /// p = DOWN - 1, all rows move up by one.
  template <int U, int LIVE>
  __device__ __forceinline__ void apply(const reflector<T>& h, const T (&x)[LIVE],
                                        const T (&products)[COLUMNS], int first, int p, int owner) {
    const bool shifts = p == DOWN - 1;
    const int j = first + p;
#pragma unroll
    for (int q = U; q < COLUMNS; ++q) {
      T top = a[q][0];
      if constexpr (DOWN > 1) top = shuffle(top, p, DOWN);
      const T row = h.of_row(top, products[q]), factor = h.factor(top, row);
      const int column = c + q * ACROSS;
      if (r == p) {
        if (column > j) *memory.from_row(j, column, r) = row;
        if (!shifts) a[q][0] = row;  // it is told once more, with what lies below
      }
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
      if (q == U && ACROSS > 1)
        announce<U, LIVE>(shifts ? first + DOWN : first, shifts ? 0 : p + 1, owner + 1);
    }
  }
};

}  // namespace talus::cuda::householder
