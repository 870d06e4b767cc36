// Three kernels that stage elements in shared memory: consecutive threads read consecutive elements of `from`
// and write consecutive elements of `to`. A block of copy_groups copies several whole matrices, or rows of
// narrow matrices. A block of copy_tiles copies a square of a large matrix, and copy_different copies squares
// of matrices of different sizes.
#include "copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "gpu/async_copy.cuh"
#include "gpu/launch.cuh"
#include "gpu/scalar.cuh"

namespace talus::python::cuda {
namespace {

using namespace talus::cuda;

constexpr int threads = 256;

/// Elements of a block of copy_groups, at most; the order of copy_tiles' squares. Enough bytes are on their
/// way then, whatever the type.
template <class T>
constexpr int group_elements = sizeof(T) == 16 ? 1024 : 2048;
template <class T>
constexpr int tile_order = sizeof(T) == 4 ? 64 : 32;
/// A square in shared memory, whose lines begin in different banks.
template <class T>
constexpr int tile_elements = tile_order<T>*(tile_order<T> + 1);

/// Matrices that are this narrow are copied by copy_groups, rows by rows if they are long.
constexpr int narrow = 32;

/// A number that others are divided by, e < 4096 by at most 2048.
struct divisor {
  int number;
  unsigned inverse;

  explicit divisor(int n) : number(n), inverse((1u << 31) / static_cast<unsigned>(n) + 1) {}
  __device__ int quotient(int e) const {
    return static_cast<int>(__umulhi(2 * static_cast<unsigned>(e), inverse));
  }
};

/// number / by, in 32 bits where they suffice.
__device__ std::int64_t quotient_of(std::int64_t number, unsigned by) {
  return number >> 32 == 0 ? static_cast<unsigned>(number) / by : number / by;
}

/// What is copied: all, or the lower or the upper triangle, and its conjugate transpose if it is mirrored.
template <class T>
struct copying {
  bool all, lower, mirrored, in_place;
  int m, n;
  std::int64_t count;
  matrices<const T> from;
  matrices<T> to;

  __device__ bool keeps(int i, int j) const { return lower ? i >= j : i <= j; }
  /// Whether element (i, j) is read, and whether what stands there is written.
  __device__ bool reads(int i, int j) const { return keeps(i, j) && (!in_place || mirrored); }
  __device__ bool writes(int i, int j) const { return !in_place || !keeps(i, j); }
};

/// In which order the elements of a group of matrices are gone through: along a line, which is a column where
/// `by_columns` and else a row, line after line, matrix after matrix.
struct order {
  bool by_columns, dense;  // dense: this is how they lie in memory, one behind the other
  divisor length, lines;   // of a matrix

  struct place {
    int matrix, line, along;
  };
  /// Elements to go through, of whose columns only the first `rows` elements may exist.
  __device__ int elements(int matrices, int rows) const {
    return by_columns && !dense ? matrices * lines.number * length.number
           : by_columns         ? matrices * lines.number * rows
                                : matrices * rows * length.number;
  }
  __device__ int line_of(int e) const { return length.quotient(e); }
  __device__ place at(int e) const {
    const int line = line_of(e), matrix = lines.quotient(line);
    return {matrix, line - matrix * lines.number, e - line * length.number};
  }
};

/// A block has `each` whole matrices, or `rows` rows of one.
template <class T>
struct grouping {
  int each, rows, blocks_of_matrix;
  order reading, writing;

  /// Lines are staged an odd number of elements apart, so that what is consecutive across them comes from
  /// different banks.
  TALUS_HOST_DEVICE int pitch() const { return reading.length.number | 1; }
  std::size_t shared_bytes() const {
    return sizeof(T) * static_cast<std::size_t>(each * reading.lines.number * pitch());
  }
};

template <class T, bool ALL>
__global__ __launch_bounds__(threads) void copy_groups(std::int64_t first_block, copying<T> what,
                                                       grouping<T> group) {
  T* const staged = shared_memory<T>();
  const auto blocks = static_cast<unsigned>(group.blocks_of_matrix);
  const std::int64_t block = first_block + blockIdx.x,
                     unit = blocks == 1 ? block : quotient_of(block, blocks);
  const std::int64_t first = unit * group.each;
  const int top = static_cast<int>(block - unit * blocks) * group.rows, rows = min(group.rows, what.m - top);
  const int members = static_cast<int>(min(std::int64_t{group.each}, what.count - first));
  const int pitch = group.pitch();

  {
    const order in = group.reading;
    const matrices<const T>& A = what.from;
    const T* const corner = A.data + first * A.stride_batch + top * A.stride_row;
    const int all = in.elements(members, rows);
    for (int e = static_cast<int>(threadIdx.x); e < all; e += threads) {
      T* const to = staged + e + in.line_of(e) * (pitch - in.length.number);
      if (ALL && in.dense) {
        copy_element_async(to, corner + e, true);
      } else {
        const order::place p = in.at(e);
        const int i = in.by_columns ? p.along : p.line, j = in.by_columns ? p.line : p.along;
        const T* const from =
            in.dense ? corner + e
                     : corner + p.matrix * A.stride_batch + i * A.stride_row + j * A.stride_column;
        copy_element_async(to, from, i < rows && (ALL || what.reads(top + i, j)));
      }
    }
    close_group();
    wait_for_groups<0>();
  }
  __syncthreads();

  const order out = group.writing;
  const matrices<T>& B = what.to;
  T* const corner = B.data + first * B.stride_batch + top * B.stride_row;
  const int of_matrix = group.reading.lines.number * pitch;
  const int of_row = group.reading.by_columns ? 1 : pitch, of_column = group.reading.by_columns ? pitch : 1;
  const int all = out.elements(members, rows);
#pragma unroll 4
  for (int e = static_cast<int>(threadIdx.x); e < all; e += threads) {
    const order::place p = out.at(e);
    const int i = out.by_columns ? p.along : p.line, j = out.by_columns ? p.line : p.along;
    if (i >= rows || (!ALL && !what.writes(top + i, j))) continue;
    const T* const own = staged + p.matrix * of_matrix;
    T x;
    if (!ALL && what.mirrored && !what.keeps(i, j)) {  // square, so from the first row on
      x = conj(own[j * of_row + i * of_column]);
    } else {
      x = own[i * of_row + j * of_column];
    }
    (out.dense ? corner[e] : corner[p.matrix * B.stride_batch + i * B.stride_row + j * B.stride_column]) = x;
  }
}

/// Whether neighbours in memory are those in a column, of m x n matrices, rather than those in a row.
template <class T>
TALUS_HOST_DEVICE bool by_columns(const matrices<T>& A, int m, int n) {
  const auto magnitude = [](std::int64_t x) { return x < 0 ? -x : x; };
  return n == 1 || (m > 1 && magnitude(A.stride_row) <= magnitude(A.stride_column));
}

/// One tile of matrix b, or with a mirrored triangle the tile and its image, by a block of 32 x 8 threads.
/// staged: room in shared memory for tile_elements<T>.
template <class T, bool ALL>
__device__ void copy_tile(const copying<T>& what, std::int64_t b, int top, int left, bool reads_columns,
                          bool writes_columns, T* staged) {
  constexpr int order = tile_order<T>, pitch = order + 1;
  if (!ALL && what.mirrored && top != left && !what.keeps(top, left)) return;  // another tile's image
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int of_row = reads_columns ? 1 : pitch, of_column = reads_columns ? pitch : 1;

  const T* const from = what.from.data + b * what.from.stride_batch;
#pragma unroll
  for (int line = 0; line < order; line += threads / 32) {
#pragma unroll
    for (int along = 0; along < order; along += 32) {
      const int i = reads_columns ? along + x : line + y, j = reads_columns ? line + y : along + x;
      const int row = top + i, column = left + j;
      copy_element_async(staged + i * of_row + j * of_column,
                         from + row * what.from.stride_row + column * what.from.stride_column,
                         row < what.m && column < what.n && (ALL || what.reads(row, column)));
    }
  }
  close_group();
  wait_for_groups<0>();
  __syncthreads();

  T* const to = what.to.data + b * what.to.stride_batch;
  const auto write = [&](int corner_row, int corner_column, auto element) {
#pragma unroll
    for (int line = 0; line < order; line += threads / 32) {
#pragma unroll
      for (int along = 0; along < order; along += 32) {
        const int i = writes_columns ? along + x : line + y, j = writes_columns ? line + y : along + x;
        const int row = corner_row + i, column = corner_column + j;
        if (row < what.m && column < what.n)
          element(to + row * what.to.stride_row + column * what.to.stride_column, i, j, row, column);
      }
    }
  };
  write(top, left, [&](T* at, int i, int j, int row, int column) {
    if (ALL || (what.writes(row, column) && (!what.mirrored || what.keeps(row, column))))
      *at = staged[i * of_row + j * of_column];
  });
  if (!ALL && what.mirrored) {
    write(left, top, [&](T* at, int i, int j, int row, int column) {
      if (!what.keeps(row, column)) *at = conj(staged[j * of_row + i * of_column]);
    });
  }
}

/// One tile for a block.
template <class T, bool ALL>
__global__ __launch_bounds__(threads) void copy_tiles(std::int64_t first_block, copying<T> what,
                                                      unsigned tiles_down, unsigned tiles, bool reads_columns,
                                                      bool writes_columns) {
  __shared__ unsigned char memory alignas(16)[tile_elements<T> * sizeof(T)];
  const std::int64_t block = first_block + blockIdx.x, b = quotient_of(block, tiles);
  const auto tile = static_cast<unsigned>(block - b * tiles);
  const int top = static_cast<int>(tile % tiles_down) * tile_order<T>,
            left = static_cast<int>(tile / tiles_down) * tile_order<T>;
  copy_tile<T, ALL>(what, b, top, left, reads_columns, writes_columns, reinterpret_cast<T*>(memory));
}

/// `blocks` blocks for each matrix, which take turns at its tiles.
template <class T>
__global__ __launch_bounds__(threads) void copy_different(std::int64_t first_block, const one_copy* each,
                                                          unsigned blocks) {
  __shared__ unsigned char memory alignas(16)[tile_elements<T> * sizeof(T)];
  const std::int64_t block = first_block + blockIdx.x, b = quotient_of(block, blocks);
  const one_copy own = each[b];
  const copying<T> what{own.which == part::all,
                        keeps_lower(own.which),
                        mirrors(own.which),
                        own.from == own.to && own.from_row == own.to_row && own.from_column == own.to_column,
                        own.m,
                        own.n,
                        1,
                        {static_cast<const T*>(own.from), 0, own.from_row, own.from_column},
                        {static_cast<T*>(own.to), 0, own.to_row, own.to_column}};
  if (what.all && what.in_place) return;
  const bool reads_columns = by_columns(what.from, own.m, own.n),
             writes_columns = by_columns(what.to, own.m, own.n);
  const int down = ceil_div(own.m, tile_order<T>);
  const std::int64_t tiles = std::int64_t{down} * ceil_div(own.n, tile_order<T>);
  T* const staged = reinterpret_cast<T*>(memory);
  for (std::int64_t tile = block - b * blocks; tile < tiles; tile += blocks) {
    const int top = static_cast<int>(tile % down) * tile_order<T>,
              left = static_cast<int>(tile / down) * tile_order<T>;
    if (what.all)
      copy_tile<T, true>(what, 0, top, left, reads_columns, writes_columns, staged);
    else
      copy_tile<T, false>(what, 0, top, left, reads_columns, writes_columns, staged);
    __syncthreads();
  }
}

/// The order in which `each` times m x n elements lie in A: what is written or read in it is coalesced.
template <class T>
order order_in(const matrices<T>& A, int each, int m, int n) {
  const bool columns = by_columns(A, m, n);
  const int length = columns ? m : n, lines = columns ? n : m;
  const std::int64_t step = columns ? A.stride_row : A.stride_column,
                     line = columns ? A.stride_column : A.stride_row;
  return {columns,
          (length == 1 || step == 1) && (lines == 1 || line == length) &&
              (each == 1 || A.stride_batch == std::int64_t{m} * n),
          divisor(length), divisor(lines)};
}

template <class T, bool ALL>
int launch_groups(const copying<T>& what, queue q) {
  constexpr int most = group_elements<T>;
  constexpr std::int64_t enough_blocks = 1024;  // for any GPU: there a block may have fewer matrices
  const std::int64_t size = std::int64_t{what.m} * what.n;
  int each = 1, rows = what.m;
  if (size <= most) {
    const std::int64_t least = ceil_div<std::int64_t>(threads, size);
    each = static_cast<int>(
        std::min(most / size, std::max(least, ceil_div<std::int64_t>(what.count, enough_blocks))));
  } else {
    rows = most / what.n / 32 * 32;
  }
  const grouping<T> group{each, rows, ceil_div(what.m, rows), order_in(what.from, each, rows, what.n),
                          order_in(what.to, each, rows, what.n)};
  const std::int64_t blocks = ceil_div<std::int64_t>(what.count, each) * group.blocks_of_matrix;
  return launch<copy_groups<T, ALL>>({}, blocks, dim3(threads), group.shared_bytes(), q, what, group);
}

template <class T, bool ALL>
int launch_tiles(const copying<T>& what, queue q) {
  const auto tiles = [](int extent) { return static_cast<unsigned>(ceil_div(extent, tile_order<T>)); };
  const unsigned down = tiles(what.m), all = down * tiles(what.n);
  return launch<copy_tiles<T, ALL>>({}, what.count * all, dim3(32, threads / 32), 0, q, what, down, all,
                                    by_columns(what.from, what.m, what.n),
                                    by_columns(what.to, what.m, what.n));
}

template <class T, bool ALL>
int launch_copy(const copying<T>& what, queue q) {
  return std::int64_t{what.m} * what.n <= group_elements<T> || what.n <= narrow
             ? launch_groups<T, ALL>(what, q)
             : launch_tiles<T, ALL>(what, q);
}

/// Whether both are the same slab without gaps.
template <class T>
bool is_plain(const copying<T>& what) {
  const auto is_slab = [&](const auto& A) {
    const order in = order_in(A, what.count == 1 ? 1 : 2, what.m, what.n);
    return in.dense ? (in.by_columns ? 1 : 2) : 0;
  };
  return what.all && is_slab(what.from) != 0 && is_slab(what.from) == is_slab(what.to);
}

}  // namespace

template <class T>
int copy(part part, int m, int n, std::int64_t batch_count, matrices<const T> from, matrices<T> to,
         bool in_place, queue q) {
  // Neither zero nor a copy depends on what 32 bits mean.
  using D = device_t<std::conditional_t<std::is_same_v<T, int>, float, T>>;
  if (!is_aligned<T>(from.data)) return -5;
  if (!is_aligned<T>(to.data)) return -6;
  if (m < n) {  // long matrices rather than wide ones
    std::swap(m, n);
    from = transposed(from);
    to = transposed(to);
    part = transposed(part);
  }
  const copying<D> what{
      part == part::all,
      keeps_lower(part),
      mirrors(part),
      in_place,
      m,
      n,
      batch_count,
      {reinterpret_cast<const D*>(from.data), from.stride_batch, from.stride_row, from.stride_column},
      {reinterpret_cast<D*>(to.data), to.stride_batch, to.stride_row, to.stride_column}};
  if (is_plain(what)) {
    const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(m) * static_cast<std::size_t>(n) *
                              static_cast<std::size_t>(batch_count);
    return reported(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDeviceToDevice,
                                    static_cast<cudaStream_t>(q.stream)));
  }
  return what.all ? launch_copy<D, true>(what, q) : launch_copy<D, false>(what, q);
}

template <class T>
int copy_each(const one_copy* on_device, std::int64_t count, std::int64_t largest, queue q) {
  using D = device_t<T>;
  constexpr std::int64_t tiles_of_block = 4, enough_blocks = 1 << 16;
  const std::int64_t most = std::max<std::int64_t>(1, enough_blocks / count);
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::int64_t>(largest / (tile_order<D> * tile_order<D> * tiles_of_block), 1, most));
  return launch<copy_different<D>>({}, count * blocks, dim3(32, threads / 32), 0, q, on_device, blocks);
}

template int copy_each<float>(const one_copy*, std::int64_t, std::int64_t, queue);
template int copy_each<double>(const one_copy*, std::int64_t, std::int64_t, queue);
template int copy_each<std::complex<float>>(const one_copy*, std::int64_t, std::int64_t, queue);
template int copy_each<std::complex<double>>(const one_copy*, std::int64_t, std::int64_t, queue);
template int copy(part, int, int, std::int64_t, matrices<const float>, matrices<float>, bool, queue);
template int copy(part, int, int, std::int64_t, matrices<const double>, matrices<double>, bool, queue);
template int copy(part, int, int, std::int64_t, matrices<const std::complex<float>>,
                  matrices<std::complex<float>>, bool, queue);
template int copy(part, int, int, std::int64_t, matrices<const std::complex<double>>,
                  matrices<std::complex<double>>, bool, queue);
template int copy(part, int, int, std::int64_t, matrices<const int>, matrices<int>, bool, queue);

}  // namespace talus::python::cuda
