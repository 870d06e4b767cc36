// Which kernel factors which size on which GPU: the tables of tuned lines, as data, and what each kernel
// family needs of a line. Compiles without nvcc.
#pragma once

#include <array>
#include <cstddef>

#include "batch.hpp"
#include "batched/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda {

/// Where a matrix lives while it is factored: the kernel families, one file potrf_<family>.cuh each;
/// warp_late is warp looking at its pivots when it is done with all of them, warp_lines the same by whole
/// lines of memory, where matrices lie one behind the other. In posv's tables only: apart, potrf, then potrs.
enum class potrf_family {
  thread,
  warp,
  warp_late,
  warp_lines,
  smem,
  panel_inclusive,
  panel_exclusive,
  blocked,
  apart
};

inline constexpr std::array<const char*, 9> potrf_family_names = {
    "thread",          "warp",    "warp_late", "warp_lines", "smem", "panel_inclusive",
    "panel_exclusive", "blocked", "apart"};
constexpr const char* name_of(potrf_family family) {
  return potrf_family_names[static_cast<std::size_t>(family)];
}
constexpr bool is_warp(potrf_family family) {
  return family == potrf_family::warp || family == potrf_family::warp_late ||
         family == potrf_family::warp_lines;
}

struct potrf_line {
  char precision;          // s, d, c or z
  int n_max;               // the line serves sizes up to this one,
  std::int64_t batch_max;  // in batches of up to so many matrices, that no line above it serves
  potrf_family family;
  int ib;       // columns per step: inner block
  int nb;       // blocked: columns per step; warp: blocks of 128 threads that a multiprocessor's registers
                // are shared out to at least, 0: as the compiler likes; smem by one warp: KB of a
                // multiprocessor's memory that are shared memory, 0: as CUDA likes, which is room for as many
                // matrices as possible; else 0
  int tbc;      // matrices per thread block
  int threads;  // thread, warp, smem: threads per matrix; blocked: for its diagonal block; panel: the most
                // that a block may have
  int rows;     // rows per thread; smem and blocked: tiles of 16 rows per warp
};

// ---- what the families need ----------------------------------------------------------------------

/// Most threads of a block of _thread.
constexpr int potrf_thread_most = 256;

/// Elements of shared memory per matrix of order n: the packed triangle, two published columns, and as many
/// more that the matrices of a warp start in different banks.
TALUS_HOST_DEVICE constexpr int potrf_thread_elements(int n, int ib, int threads, std::size_t element_size) {
  const int banks = static_cast<int>(128 / element_size), used = n * (n + 1) / 2 + 2 * ib;
  return threads >= 32 ? used : used + ((threads + 1 - used) % banks + banks) % banks;
}

/// _warp: of a lower triangle of order N that lies column after column, each from the 16 bytes on that its
/// diagonal is in: where row 0 of column j would be.
TALUS_HOST_DEVICE constexpr int potrf_warp_column(int j, int N, int piece) {
  const int whole = j / piece;
  return piece * (whole * N - piece * whole * (whole - 1) / 2) + j % piece * (N - whole * piece) -
         whole * piece;
}

/// _warp: elements of shared memory per matrix: two columns, or all of them if the factor is solved with, and
/// as many more that the matrices of a warp start in different banks; for upper storage the rows that a warp
/// turns.
TALUS_HOST_DEVICE constexpr int potrf_warp_elements(std::size_t element_size, int lanes, int rows, uplo uplo,
                                                    bool solves = false) {
  const int banks = static_cast<int>(128 / element_size), piece = static_cast<int>(16 / element_size);
  const int N = (lanes * rows + piece - 1) / piece * piece;  // that each column begins where 16 bytes do
  const int used = solves ? potrf_warp_column(N, N, piece) + N : 2 * N;
  const int columns = (used + banks - 1) / banks * banks + 2 * piece;
  const int turned = (lanes * (N + piece) + banks - 1) / banks * banks;
  return uplo == uplo::lower ? columns : columns + turned;
}

/// warp_lines: the largest order, and elements of shared memory for a matrix of order n on its way, of which
/// `piece` are 16 bytes. An odd number of these, or no whole one: so matrices begin in different banks.
constexpr int potrf_warp_staged_most = 16;
TALUS_HOST_DEVICE constexpr int potrf_warp_staged(int n, int piece) {
  return n * n % piece == 0 && n * n / piece % 2 == 0 ? n * n + piece : n * n;
}

/// _warp: elements of shared memory of a block, at most.
constexpr int potrf_warp_block_elements(const potrf_line& line, std::size_t element_size,
                                        bool solves = false) {
  const int columns = potrf_warp_elements(element_size, line.threads, line.rows, uplo::upper, solves);
  const int staged = line.family == potrf_family::warp_lines
                         ? potrf_warp_staged(line.n_max, static_cast<int>(16 / element_size))
                         : 0;
  return line.tbc * (columns + staged);
}

/// _warp: the most registers of a lane for its rows where so many blocks share a multiprocessor's; with more,
/// some are spilled.
constexpr int potrf_warp_registers(int blocks) {
  constexpr int most[] = {192, 192, 192, 110, 96, 72, 56, 48, 40};
  return most[blocks];
}
constexpr int potrf_warp_most_blocks = 8;

/// The largest order that posv factors and solves with in one launch.
constexpr int posv_at_once = 64;

/// _smem: tiles of 16 x 16 that a matrix may have, one below the other.
constexpr int potrf_smem_tiles = 24;

/// _smem: KB of shared memory that any multiprocessor has at most. What is no shared memory is first-level
/// cache, through which all loads come, so fewer matrices with more of it can be faster.
constexpr int potrf_smem_most_shared = 228;

/// _smem: columns of a panel, and rows of a tile.
constexpr int potrf_smem_panel = 16;

/// _smem by one warp, in real precisions (registers): rows and columns of the identity that a matrix is taken
/// to have before its own, so that the first panel is half as wide where else the last tile would be half
/// empty. Such a panel may have a tile more than the warp holds.
TALUS_HOST_DEVICE constexpr int potrf_smem_border(int n) { return (n + 15) % 16 < 8 ? 8 : 0; }
constexpr int potrf_smem_bordered_tiles = 9;

/// _smem: where tile (I, P) of the factor lies, 16 x 16, I > P, of a matrix of `tiles` tiles by rows, and how
/// many elements all of them take. Once panel P is done nobody reads the tiles left of it in its own rows, so
/// a quarter of the square has room for all: each gets the first place that is free by then, those that are
/// read for longest first. After a border tiles (I, 0) are 16 x 8.
template <int TILES>
struct potrf_smem_slots {
  unsigned short at[TILES + 1][TILES][TILES];
  int elements[TILES + 1];
};
template <int TILES>
constexpr potrf_smem_slots<TILES> all_potrf_smem_slots(int border) {
  constexpr int half = 128;
  potrf_smem_slots<TILES> slots{};
  for (int tiles = 1; tiles <= TILES; ++tiles) {
    auto& at = slots.at[tiles];
    bool taken[TILES * TILES / 2 + 1] = {};  // by half a tile
    for (int P = 0; P < tiles; ++P) {
      for (int K = 0; K < P; ++K) {
        for (int h = K == 0 ? border / 8 : 0; h < 2; ++h) taken[at[P][K] / half + 1 - h] = false;
      }
      int slot = 0;
      for (int I = tiles - 1; I > P; --I) {
        const int halves = P == 0 && border > 0 ? 1 : 2;
        while (taken[slot] || taken[slot + halves - 1]) ++slot;
        at[I][P] = static_cast<unsigned short>(half * slot);
        for (int h = 0; h < halves; ++h) taken[slot++] = true;
        if (half * slot > slots.elements[tiles]) slots.elements[tiles] = half * slot;
      }
    }
  }
  return slots;
}

/// _smem: whether all tiles on the diagonal stay in shared memory for what is solved with them. Elsewhere
/// their room is worth another matrix: they come back from memory, and the last tile below has the place of
/// the one on the diagonal.
constexpr bool potrf_smem_keeps(std::size_t element_size, int tiles) {
  return element_size * tiles < 32 || tiles == 2;
}

/// _smem: elements of shared memory for what trsm wants of a tile on the diagonal, three blocks and two
/// inverses; of tiles that are kept, the blocks.
TALUS_HOST_DEVICE constexpr int potrf_smem_diagonal(int tiles, bool keeps) {
  return 64 * (keeps ? 3 * tiles + 2 : 5);
}

/// _smem by several warps: how many of them lead, with the tiles on the diagonal. Two where a multiprocessor
/// holds one or two matrices, and registers are not short.
TALUS_HOST_DEVICE constexpr int potrf_smem_leaders(int threads) { return threads < 224 ? 1 : 2; }

/// _smem: the largest order: one warp has all tiles of the panel; of several, leaders have the tile on the
/// diagonal, the others share those below.
constexpr int potrf_smem_most(int threads, int rows, bool bordered) {
  if (threads == 32) return 16 * rows + (bordered ? 8 : 0);
  const int tiles = 1 + (threads / 32 - potrf_smem_leaders(threads)) * rows;
  return 16 * (tiles < potrf_smem_tiles ? tiles : potrf_smem_tiles);
}

/// _smem: tiles of 16 rows that a warp may have.
constexpr int potrf_smem_rows(std::size_t element_size, bool complex) {
  if (element_size == 16) return 4;
  return complex ? 6 : 8;
}

/// _smem: warps per multiprocessor that the registers are shared out to at least, as many as leave none to be
/// spilled: 8 have 255 each, 12 have 168, 16 have 128, 20 have 96, 24 have 80, 28 have 72, 32 have 64.
/// `more`: for the kernel that lacks tiles.
TALUS_HOST_DEVICE constexpr int potrf_smem_warps(std::size_t element_size, bool complex, int threads,
                                                 int rows, bool more = false) {
  const bool alone = threads == 32;  // with the tile on the diagonal beside those below
  if (element_size == 4 && !alone && rows <= 3) {
    if (more) return 24;
    if (rows == 2) return threads == 256 ? 32 : threads == 320 ? 30 : 28;
    return threads <= 224 ? 28 : 24;
  }
  if (element_size == 4) return rows <= 4 ? 20 : rows <= (alone ? 7 : 8) ? 16 : 12;
  if (element_size == 16) return rows <= 2 && alone ? 12 : 8;
  if (complex) return rows <= 3 && alone ? 16 : rows <= 5 ? 12 : 8;
  if (rows == (alone ? 2 : 1)) return 20;
  if (rows == 2 && threads == 320 && more) return 20;
  return rows <= (alone ? 4 : 3) ? 16 : rows <= (alone ? 6 : 5) ? 12 : 8;
}

/// _smem: tiles below the diagonal that have room in shared memory if all that are read again should have: a
/// quarter of the square, or all of them if the factor is solved with.
TALUS_HOST_DEVICE constexpr int potrf_smem_below(int tiles, bool solves, bool keeps) {
  if (!solves) return tiles * tiles / 4;
  return tiles * (tiles - 1) / 2 - (!keeps && tiles > 1 ? 1 : 0);
}

/// _smem by several warps: how many of them at most, on a GPU whose blocks may have `limit` bytes: as many as
/// let a multiprocessor of 228 KB hold the matrices that there are registers for. The others are read again
/// from memory, as a rule from the L2.
TALUS_HOST_DEVICE constexpr int potrf_smem_held(std::size_t limit, std::size_t element_size, bool complex,
                                                int threads, int rows) {
  const int blocks = potrf_smem_warps(element_size, complex, threads, rows, true) * 32 / threads;
  const std::size_t share = 228 * 1024 / static_cast<std::size_t>(blocks > 1 ? blocks : 1) - 1024;
  const std::size_t bytes = limit < share ? limit : share;
  return (static_cast<int>(bytes / element_size) - potrf_smem_diagonal(0, false) - 8) / 256;
}

/// _smem: elements of shared memory per matrix of order n: the tile on the diagonal, if warps share it what
/// it says of a failure, and `below` tiles. If the factor is solved with, the first right-hand side, and for
/// the others the diagonal and a tile of rows per tile.
TALUS_HOST_DEVICE constexpr int potrf_smem_elements(int n, int threads, int below, int nrhs = 0,
                                                    bool keeps = false) {
  const int tiles = (n + 15) / 16;
  const int solved = (nrhs > 0 ? posv_at_once : 0) + (nrhs > 1 ? tiles * (5 * 64 + 256) : 0);
  return potrf_smem_diagonal(tiles, keeps) + (threads > 32 ? 8 : 0) + 256 * below + solved;
}

/// _blocked: warps of a block that updates rows below the diagonal.
constexpr int potrf_blocked_warps = 4;

/// _blocked: the largest diagonal block that is factored in one step.
constexpr int potrf_blocked_diagonal(std::size_t element_size, int nb) {
  const int most = element_size == 16 ? 32 : 64;
  return nb < most ? nb : most;
}

/// _blocked: warps that factor such a block, one for two rows of tiles; and how many groups of so many there
/// are, which share the columns to the left of it; 0: that is no line of blocked.
constexpr int potrf_blocked_group(int diagonal) { return (diagonal / 16 + 1) / 2; }
constexpr int potrf_blocked_groups(std::size_t element_size, int nb, int threads) {
  const int diagonal = potrf_blocked_diagonal(element_size, nb), group = 32 * potrf_blocked_group(diagonal);
  if (threads == group) return 1;
  return threads == 2 * group && diagonal >= 32 ? 2 : 0;
}

/// _blocked: elements of shared memory: the slabs, of each the facing tiles and those of the warps; the tiles
/// of the diagonal block that are below its diagonal, and what solves with those on it.
constexpr int potrf_blocked_elements(int stages, int nb, int rows) {
  const int columns = nb / 16, slab = columns + potrf_blocked_warps * rows;
  return (stages * slab + columns * (columns - 1) / 2) * 256 + columns * 5 * 64;
}

/// _blocked: slabs on their way: three, but two where three would not leave room for two blocks, or not for
/// one on every GPU.
constexpr int potrf_blocked_stages(std::size_t element_size, int nb, int rows) {
  const auto bytes = [=](int stages) {
    return static_cast<std::size_t>(potrf_blocked_elements(stages, nb, rows)) * element_size;
  };
  const std::size_t everywhere = generic_limits.shared_bytes, half = any_gpu_limits.shared_bytes / 2;
  return bytes(3) <= everywhere || (bytes(2) > everywhere && bytes(3) <= half) ? 3 : 2;
}

/// The same as potrf_thread_elements for _panel, whatever n.
TALUS_HOST_DEVICE constexpr int potrf_panel_elements(int ib) { return ib * ib + 2 * ib; }

/// Why no kernel serves this line; null if one does.
constexpr const char* potrf_objection(const potrf_line& line, std::size_t element_size,
                                      const gpu_limits& limits) {
  const int words = static_cast<int>(element_size / 4);  // registers per element
  const bool complex = line.precision == 'c' || line.precision == 'z';
  if (line.family == potrf_family::apart) return "serves posv only";
  if (line.n_max < 1) return "n_max is below 1";
  if (line.batch_max < 1) return "batch_max is below 1";
  if (line.tbc < 1) return "tbc is below 1";
  if (line.ib < 1 || line.ib > 32) return "ib is not between 1 and 32";
  if (line.rows < 1) return "rows is below 1";
  if (line.threads < 1 || line.threads > 1024) return "threads is not between 1 and 1024";
  if (line.family == potrf_family::thread) {
    const int n = line.n_max;
    if (line.threads < 32 ? 32 % line.threads != 0 : line.threads % 32 != 0)
      return "threads is neither a power of two up to 32 nor a multiple of 32";
    if (line.rows > 32 || line.threads * line.rows < n) return "threads * rows is less than n_max rows";
    if (line.threads * line.tbc > potrf_thread_most) return "threads * tbc is above 256";
    // A smaller matrix may take more: its triangle is smaller, but what moves the next one's banks may be
    // more.
    const int most_padding = line.threads >= 32 ? 0 : static_cast<int>(128 / element_size) - 1;
    const int elements = line.tbc * (n * (n + 1) / 2 + 2 * line.ib + most_padding);
    if (static_cast<std::size_t>(elements) * element_size > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    if (words * line.rows * line.ib > 160) return "a thread's rows need more registers than there are";
  } else if (is_warp(line.family)) {
    if (line.ib != 1) return "ib is not 1, but warp goes column by column";
    if (line.threads > 32 || 32 % line.threads != 0) return "threads is not a power of two up to 32";
    if (line.threads * line.tbc % 32 != 0 || line.threads * line.tbc > 128)
      return "threads * tbc is not 32, 64, 96 or 128";
    if (line.threads * line.rows < line.n_max) return "threads * rows is less than n_max rows";
    if (line.nb < 0 || line.nb > potrf_warp_most_blocks) return "nb is above 8 blocks per multiprocessor";
    if (words * line.threads * line.rows * (line.rows + 1) / 2 > potrf_warp_registers(line.nb))
      return "a thread's rows need more registers than there are";
    if (line.family == potrf_family::warp_lines) {
      if (line.n_max > potrf_warp_staged_most) return "n_max is above 16";
      if (32 / line.threads * element_size % 16 != 0)
        return "a warp's first matrix does not begin where 16 bytes are copied at once";
    }
    const int elements = potrf_warp_block_elements(line, element_size);
    if (static_cast<std::size_t>(elements) * element_size > limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
  } else if (line.family == potrf_family::smem) {
    if (line.ib != potrf_smem_panel) return "ib is not 16, the panels of smem";
    if (line.threads % 32 != 0) return "threads is not a multiple of 32";
    if (line.threads > 32 * potrf_smem_warps(element_size, complex, line.threads, line.rows))
      return "a block has more threads than there are registers for";
    if (line.n_max > 16 * potrf_smem_tiles) return "n_max is above 384";
    if (potrf_smem_most(line.threads, line.rows, !complex) < line.n_max)
      return "the warps have fewer tiles of 16 rows than n_max takes";
    if (line.rows > potrf_smem_rows(element_size, complex))
      return "a warp's tiles need more registers than there are";
    if (line.tbc > 1) return "tbc is above 1";
    if (line.threads == 32 && line.rows < 2) return "a warp has two tiles at least";
    if (line.nb < 0 || line.nb > potrf_smem_most_shared) return "nb is above 228 KB per multiprocessor";
    if (line.threads != 32 && line.nb != 0) return "nb is not 0, but several warps share a matrix";
    const int below = line.threads == 32 ? potrf_smem_below((line.n_max + 15) / 16, false, false) : 0;
    if (static_cast<std::size_t>(potrf_smem_elements(line.n_max, line.threads, below)) * element_size >
        limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
  } else if (line.family == potrf_family::blocked) {
    if (line.ib != potrf_smem_panel) return "ib is not 16, the slabs of blocked";
    if (line.nb != 16 && line.nb != 32 && line.nb != 64 && line.nb != 128)
      return "nb is none of 16, 32, 64, 128";
    if (potrf_blocked_groups(element_size, line.nb, line.threads) == 0)
      return "threads is neither a warp for 32 columns of the diagonal block nor twice that";
    if (line.tbc > 1) return "tbc is above 1";
    if (words * line.rows * line.nb > 256) return "a warp's sums need more registers than there are";
    const int stages = potrf_blocked_stages(element_size, line.nb, line.rows);
    if (static_cast<std::size_t>(potrf_blocked_elements(stages, line.nb, line.rows)) * element_size >
        limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
  } else {
    if (line.threads % 32 != 0) return "threads is not a multiple of 32";
    if (line.family == potrf_family::panel_inclusive && line.rows != 1)
      return "the loop-inclusive panel has one row per thread";
    if (line.n_max > 1024 * line.rows) return "a block has too few threads for n_max rows";
    const int threads_needed = (line.n_max + 32 * line.rows - 1) / (32 * line.rows) * 32 * line.tbc;
    if (threads_needed > line.threads) return "a block needs more than `threads` threads for n_max rows";
    if (line.tbc * potrf_panel_elements(line.ib) * static_cast<int>(element_size) >
        static_cast<int>(limits.shared_bytes))
      return "a block needs more shared memory than the GPU has";
    const int registers = 65536 / line.threads < 255 ? 65536 / line.threads : 255;
    if (3 * words * line.rows * line.ib > registers - 15)
      return "a thread's rows need more registers than `threads` leave it";
  }
  if (line.family != potrf_family::blocked && line.family != potrf_family::smem && !is_warp(line.family) &&
      line.nb != 0)
    return "nb is not 0, but none of blocked, smem and warp";
  return nullptr;
}

// ---- the tables ----------------------------------------------------------------------------------

// What the files of tables say, potrf's here and posv's in posv_table.hpp, as initialisers of table_entry.
#define TALUS_TABLE(name, gpu, capability) {{#name, gpu, capability}, {}},
#define TALUS_LINE(precision, n_max, batch_max, family, ib, nb, tbc, threads, rows) \
  {{}, {#precision[0], n_max, batch_max, potrf_family::family, ib, nb, tbc, threads, rows}},

inline constexpr table_entry<potrf_line> potrf_entries[] = {
#include "potrf_tables.inc"  // written by CMake: includes potrf.inc of every table of this build, generic last
};
using potrf_tables = tables<potrf_entries>;

/// Factors with the given line of potrf_tables, whichever n it was meant for (n <= its n_max). For tests,
/// bench and tuner: every kernel that is compiled can be run.
template <class T>
int potrf_at(int line, uplo, batch<T> A, int* info, queue q);

}  // namespace talus::cuda
