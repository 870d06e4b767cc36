// The practical ceiling: kernels without arithmetic that move what a routine must move, in place. Which of
// them is the fastest depends on n, so all that make sense at a size are run.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>

#include "measure/facts.hpp"
#include "measure/gpu.hpp"
#include "measure/precisions.hpp"
#include "ways.hpp"

namespace talus::bench {
namespace {

using gpu::check_launch;

/// Bits of the size of an element, moved as one.
template <int BYTES>
struct alignas(BYTES) bits {
  unsigned word[BYTES / 4];

  __device__ unsigned folded() const {
    unsigned all = 0;
    for (const unsigned w : word) all ^= w;
    return all;
  }
  /// `nothing` is 0, but only the launch knows: x ^ nothing is x, and must be computed and written.
  __device__ bits changed(unsigned nothing) const {
    bits x = *this;
    for (unsigned& w : x.word) w ^= nothing;
    return x;
  }
};

constexpr int block_threads = 256;

/// LANES threads take COLUMNS columns from `start` on, n elements apart, rows begin[c] to end[c] of each,
/// ROWS pieces of LANES rows at a time, all of them loaded before any is stored. Returns something of what
/// was read.
template <class E, int LANES, int COLUMNS, int ROWS>
__device__ unsigned copy_columns(E* start, int n, const int (&begin)[COLUMNS], const int (&end)[COLUMNS],
                                 int lane, bool write, unsigned nothing) {
  int longest = 0;
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) longest = max(longest, end[c] - begin[c] / LANES * LANES);
  unsigned seen = 0;
  for (int row = 0; row < longest; row += ROWS * LANES) {
    E x[COLUMNS][ROWS];
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const int i = begin[c] / LANES * LANES + row + r * LANES + lane;
        x[c][r] = E{};
        if (i >= begin[c] && i < end[c]) x[c][r] = start[static_cast<std::size_t>(c) * n + i];
      }
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const int i = begin[c] / LANES * LANES + row + r * LANES + lane;
        seen ^= x[c][r].folded();
        if (write && i >= begin[c] && i < end[c])
          start[static_cast<std::size_t>(c) * n + i] = x[c][r].changed(nothing);
      }
    }
  }
  return seen;
}

/// As lda = n and the matrices lie side by side, column c of the slab starts at A + c * n.
template <class E, int LANES, int COLUMNS, int ROWS>
__global__ void __launch_bounds__(block_threads)
    triangle_kernel(E* A, int n, unsigned columns, bool lower, bool write, unsigned nothing) {
  const int lane = static_cast<int>(threadIdx.x) % LANES;
  const unsigned first = (blockIdx.x * (block_threads / LANES) + threadIdx.x / LANES) * COLUMNS;
  int begin[COLUMNS], end[COLUMNS];
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) {
    const int j = static_cast<int>((first + c) % static_cast<unsigned>(n));
    begin[c] = lower ? j : 0;
    end[c] = first + c >= columns ? 0 : lower ? n : j + 1;
  }
  E* const start = A + static_cast<std::size_t>(first) * static_cast<std::size_t>(n);
  const unsigned seen = copy_columns<E, LANES, COLUMNS, ROWS>(start, n, begin, end, lane, write, nothing);
  if (!write && nothing != 0 && seen == 0x9E3779B9u) *A = E{};  // never: makes the loads needed
}

/// Columns j, j + 1, ... of a matrix of order n, the first of them from `start` on in its slab.
struct column_group {
  std::int64_t start;
  int n, j;
};

/// The same where each matrix has its own size: who copies which columns is said by a list.
template <class E, int LANES, int COLUMNS, int ROWS>
__global__ void __launch_bounds__(block_threads)
    variable_triangle_kernel(E* A, const column_group* groups, std::int64_t count, bool lower,
                             unsigned nothing) {
  const std::int64_t g =
      static_cast<std::int64_t>(blockIdx.x) * (block_threads / LANES) + threadIdx.x / LANES;
  if (g >= count) return;
  const column_group at = groups[g];
  int begin[COLUMNS], end[COLUMNS];
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) {
    const int j = at.j + c;
    begin[c] = lower ? j : 0;
    end[c] = j >= at.n ? 0 : lower ? at.n : j + 1;
  }
  copy_columns<E, LANES, COLUMNS, ROWS>(A + at.start, at.n, begin, end, static_cast<int>(threadIdx.x) % LANES,
                                        true, nothing);
}

/// All elements in the order of memory, IN_FLIGHT loads per thread.
template <class E>
__global__ void __launch_bounds__(block_threads)
    flat_kernel(E* X, std::size_t size, bool write, unsigned nothing) {
  constexpr int IN_FLIGHT = 4;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * block_threads * IN_FLIGHT + threadIdx.x;
  E x[IN_FLIGHT];
  unsigned seen = 0;
#pragma unroll
  for (int k = 0; k < IN_FLIGHT; ++k) {
    x[k] = E{};
    if (first + k * block_threads < size) x[k] = X[first + k * block_threads];
  }
#pragma unroll
  for (int k = 0; k < IN_FLIGHT; ++k) {
    seen ^= x[k].folded();
    if (write && first + k * block_threads < size) X[first + k * block_threads] = x[k].changed(nothing);
  }
  if (!write && nothing != 0 && seen == 0x9E3779B9u) *X = E{};
}

template <class E>
void launch_flat(void* X, std::size_t bytes, bool write) {
  const std::size_t size = bytes / sizeof(E), per_block = 4 * block_threads;
  flat_kernel<<<static_cast<unsigned>((size + per_block - 1) / per_block), block_threads>>>(
      static_cast<E*>(X), size, write, 0u);
  check_launch("flat copy");
}

void copy_flat(void* X, std::size_t bytes, bool write) {
  if (bytes == 0) return;
  const bool aligned = reinterpret_cast<std::uintptr_t>(X) % 16 == 0 && bytes % 16 == 0;
  aligned ? launch_flat<bits<16>>(X, bytes, write) : launch_flat<bits<4>>(X, bytes, write);
}

template <class T>
void copy_right_hand_sides(const problem<T>& p, int copy, traffic what) {
  if (what.reads_B) {
    copy_flat(p.B(copy), static_cast<std::size_t>(p.batch * p.stride_B()) * sizeof(T), true);
  } else {  // side by side
    const std::int64_t elements = p.batch * std::min(p.m, p.n) * p.nrhs;
    fill_bytes(p.where, p.B(copy), 0, static_cast<std::size_t>(elements) * sizeof(T));
  }
}

template <int LANES, int COLUMNS, int ROWS, class T>
void copy_triangles(const problem<T>& p, int copy, bool write) {
  using E = bits<sizeof(T)>;
  constexpr unsigned columns_per_block = block_threads / LANES * COLUMNS;
  const std::int64_t most = (std::int64_t{1} << 31) / p.n;  // matrices whose columns an unsigned can count
  for (std::int64_t b = 0; b < p.batch; b += most) {
    const auto columns = static_cast<unsigned>(std::min(most, p.batch - b) * p.n);
    triangle_kernel<E, LANES, COLUMNS, ROWS>
        <<<(columns + columns_per_block - 1) / columns_per_block, block_threads>>>(
            reinterpret_cast<E*>(p.A(copy, b)), p.n, columns, p.uplo == talus::uplo::lower, write, 0u);
    check_launch("triangle copy");
  }
}

/// Copies triangles of equal size, and B.
template <int LANES, int COLUMNS, int ROWS, class T>
auto triangles(const problem<T>&, traffic what) {
  return [what](const problem<T>& p, int copy) {
    copy_triangles<LANES, COLUMNS, ROWS>(p, copy, what.writes_A);
    if (what.has_B) copy_right_hand_sides(p, copy, what);
  };
}

/// Of mixed sizes: who copies which columns is said by a list, and all is written.
template <int LANES, int COLUMNS, int ROWS, class T>
auto triangles(const variable_problem<T>& p, traffic) {
  std::vector<column_group> groups;
  for (std::int64_t b = 0; b < p.batch; ++b) {
    const int n = p.sizes_of(b).k == 0 ? 0 : p.sizes_of(b).n;  // k = 0: nothing changes
    for (int j = 0; j < n; j += COLUMNS)
      groups.push_back({p.first(b) + static_cast<std::int64_t>(j) * n, n, j});
  }
  return [list = std::make_shared<array<column_group>>(p.where, groups)](const variable_problem<T>& q,
                                                                         int copy) {
    using E = bits<sizeof(T)>;
    constexpr std::size_t groups_per_block = block_threads / LANES;
    const std::size_t blocks = (list->size() + groups_per_block - 1) / groups_per_block;
    if (blocks == 0) return;
    variable_triangle_kernel<E, LANES, COLUMNS, ROWS><<<static_cast<unsigned>(blocks), block_threads>>>(
        reinterpret_cast<E*>(q.A(copy)), list->data(), static_cast<std::int64_t>(list->size()),
        q.uplo == talus::uplo::lower, 0u);
    check_launch("variable triangle copy");
  };
}

/// The copies that make sense for a problem's n: of triangles in some ways; of whole matrices, where columns
/// share sectors or all of a matrix is stored.
template <class Problem>
struct copies {
  const Problem& p;
  traffic what;
  std::vector<way<Problem>> all = {};

  template <int LANES, int COLUMNS, int ROWS>
  void add(int n_min, int n_max = std::numeric_limits<int>::max()) {
    if (p.n < n_min || p.n > n_max) return;
    all.push_back({"copy", formatted("%d lanes x %d columns x %d pieces", LANES, COLUMNS, ROWS), false,
                   triangles<LANES, COLUMNS, ROWS>(p, what)});
  }
  void add_whole(const char* variant) {
    all.push_back({"copy", variant, false, [what = what](const Problem& q, int copy) {
                     copy_flat(q.A(copy), static_cast<std::size_t>(q.first(q.batch)) * sizeof(*q.A(0)),
                               what.writes_A);
                     if constexpr (!Problem::mixed_sizes) {
                       if (what.has_B) copy_right_hand_sides(q, copy, what);
                     }
                   }});
  }
};

}  // namespace

template <class Problem>
std::vector<way<Problem>> cuda_copies(const Problem& p, traffic what) {
  copies<Problem> some = {p, what};
  if (what.A_to_B) return {copy_to_B<Problem>()};
  if (!p.is_hermitian()) {
    some.add_whole("whole");
    return some.all;
  }
  if constexpr (Problem::mixed_sizes) {
    some.template add<8, 4, 1>(1, 32);
    some.template add<16, 4, 1>(5, 64);
    some.template add<32, 4, 1>(9);
    some.template add<32, 1, 4>(33);
    some.template add<32, 2, 4>(33);
    some.template add<32, 1, 8>(65);
    if (p.n <= 24) some.add_whole("square");  // half of the sizes are below 16
  } else {
    some.template add<8, 4, 1>(1, 16);
    some.template add<8, 8, 1>(1, 16);
    some.template add<16, 4, 1>(5, 32);
    some.template add<16, 8, 1>(5, 32);
    some.template add<32, 4, 1>(9);
    some.template add<32, 8, 1>(9, 128);
    some.template add<32, 2, 4>(33);
    some.template add<32, 1, 4>(33);
    some.template add<32, 1, 8>(65);
    some.template add<32, 4, 4>(33);
    if (p.n <= 16) some.add_whole("square");
  }
  return some.all;
}

#define TALUS_INSTANTIATE(T)                                                            \
  template std::vector<way<problem<T>>> cuda_copies(const problem<T>& p, traffic what); \
  template std::vector<way<variable_problem<T>>> cuda_copies(const variable_problem<T>& p, traffic what);
TALUS_FOR_ALL_TYPES(TALUS_INSTANTIATE)

}  // namespace talus::bench
