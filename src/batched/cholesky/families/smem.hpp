// Cholesky with the matrix on the chip, by one warp: read once, factored in one launch, written once. What
// later columns need lies in shared memory, as tiles that the tensor units multiply.
#pragma once

#include "batch.hpp"
#include "gpu/search.hpp"
#include "gpu/table.hpp"
#include "talus/types.hpp"

namespace talus::cuda::cholesky {

// ---- what the kernels in shared memory have in common: this one, and smem_lookahead.cuh ------------

/// Tiles of 16 x 16 that a matrix may have, one below the other.
constexpr int smem_most_tiles = 24;

/// KB of a multiprocessor's memory that can be shared memory. What is not is first-level cache, through which
/// all loads come, so fewer matrices with more of it can be faster.
constexpr int smem_most_carve_out = 228;

/// By one warp, in real precisions (registers): rows and columns of the identity that a matrix is taken to
/// have before its own, so that the first panel is half as wide where else the last tile would be half empty.
/// Such a panel may have a tile more than the warp holds.
TALUS_HOST_DEVICE constexpr int smem_border(int n) { return (n + 15) % 16 < 8 ? 8 : 0; }
constexpr int smem_bordered_tiles = 9;

/// Where tile (I, P) of the factor lies, 16 x 16, I > P, of a matrix of `tiles` tiles by rows, and how
/// many elements all of them take. Once panel P is done nobody reads the tiles left of it in its own rows, so
/// a quarter of the square has room for all: each gets the first place that is free by then, those that are
/// read for longest first. After a border tiles (I, 0) are 16 x 8.
template <int TILES>
struct tile_slots {
  unsigned short at[TILES + 1][TILES][TILES];
  int elements[TILES + 1];
};
template <int TILES>
constexpr tile_slots<TILES> all_tile_slots(int border) {
  constexpr int half = 128;
  tile_slots<TILES> slots{};
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

/// The largest order that is factored and solved with in one launch.
constexpr int solved_in_smem_most = 112;

/// Elements of the first right-hand side in shared memory, which a warp fetches 32 at a time.
TALUS_HOST_DEVICE constexpr int smem_solved(int tiles) { return (tiles + 1) / 2 * 32; }

/// Whether all tiles on the diagonal stay in shared memory for what is solved with them. Elsewhere their room
/// is worth another matrix: they come back from memory, and the last tile below has the place of the one on
/// the diagonal.
constexpr bool smem_keeps(std::size_t element_size, int tiles) {
  return element_size * static_cast<std::size_t>(tiles) < 32 || tiles == 2;
}

/// Elements of shared memory for what trsm wants of a tile on the diagonal, three blocks and two inverses; of
/// tiles that are kept, the blocks.
TALUS_HOST_DEVICE constexpr int smem_diagonal(int tiles, bool keeps) {
  return 64 * (keeps ? 3 * tiles + 2 : 5);
}

/// Tiles of 16 rows that a warp may have.
constexpr int smem_most_tiles_of_warp(element e) { return e.size == 16 ? 4 : e.complex ? 6 : 8; }

/// Warps per multiprocessor that the registers are shared out to at least, as many as leave none to be
/// spilled: 8 have 255 each, 12 have 168, 16 have 128, 20 have 96, 24 have 80, 28 have 72, 32 have 64.
/// `more`: for the kernel that reads tiles again.
TALUS_HOST_DEVICE constexpr int smem_warps(element e, int threads, int tiles, bool more = false) {
  const bool alone = threads == 32;  // with the tile on the diagonal beside those below
  if (e.size == 4 && !alone && tiles <= 3) {
    if (more) return 24;
    if (tiles == 2) return threads == 256 ? 32 : threads == 320 ? 30 : 28;
    return threads <= 224 ? 28 : 24;
  }
  if (e.size == 4) return tiles <= 4 ? 20 : tiles <= (alone ? 7 : 8) ? 16 : 12;
  if (e.size == 16) return tiles <= 2 && alone ? 12 : 8;
  if (e.complex) return tiles <= 3 && alone ? 16 : tiles <= 5 ? 12 : 8;
  if (tiles == (alone ? 2 : 1)) return 20;
  if (tiles == 2 && threads == 320 && more) return 20;
  return tiles <= (alone ? 4 : 3) ? 16 : tiles <= (alone ? 6 : 5) ? 12 : 8;
}

/// Tiles below the diagonal that have room in shared memory if all that are read again should have: a quarter
/// of the square, or all of them if the factor is solved with.
TALUS_HOST_DEVICE constexpr int smem_below(int tiles, bool solves, bool keeps) {
  if (!solves) return tiles * tiles / 4;
  return tiles * (tiles - 1) / 2 - (!keeps && tiles > 1 ? 1 : 0);
}

/// Elements of shared memory per matrix of order n: the tile on the diagonal, if warps share it what it says
/// of a failure, and `below` tiles. If the factor is solved with, the first right-hand side, and for the
/// others the diagonal and a tile of rows per tile.
TALUS_HOST_DEVICE constexpr int smem_elements(int n, int threads, int below, int solved_columns = 0,
                                              bool keeps = false) {
  const int tiles = (n + 15) / 16;
  const int solved =
      (solved_columns > 0 ? smem_solved(tiles) : 0) + (solved_columns > 1 ? tiles * (5 * 64 + 256) : 0);
  return smem_diagonal(tiles, keeps) + (threads > 32 ? 8 : 0) + 256 * below + solved;
}

// ---- parameters ----------------------------------------------------------------------------------

/// A line of a table: one warp per matrix, of order n <= 16 * tiles (in real precisions 8 more).
struct smem {
  static constexpr const char* name = "smem";
  static constexpr bool takes_form = true;  // lower or upper: an argument of the kernel

  int tiles = 0;         // of 16 rows, that the warp holds in registers
  int carve_out_kb = 0;  // of a multiprocessor's memory that are shared memory; 0: as CUDA likes, which is
                         // room for as many matrices as possible

  template <class Self, class Visit>
  static constexpr void for_each_parameter(Self& self, Visit visit) {
    visit("tiles", self.tiles);
    visit("carve_out_kb", self.carve_out_kb);
  }

  /// Returns the parameters that the kernel is compiled for. Only the launch needs the other parameters.
  constexpr smem of_kernel() const { return {tiles}; }

  constexpr const char* objection(int n_max, const element& e, const gpu_limits& limits,
                                  bool solves = false) const {
    if (tiles < 2) return "a warp has two tiles at least";
    if (tiles > smem_most_tiles_of_warp(e)) return "a warp's tiles need more registers than there are";
    if (16 * tiles + (e.complex || solves ? 0 : 8) < n_max)
      return "the warp has fewer tiles of 16 rows than n_max takes";
    if (carve_out_kb < 0 || carve_out_kb > smem_most_carve_out)
      return "carve_out_kb is not between 0 and 228 KB per multiprocessor";
    if (solves && n_max > solved_in_smem_most) return "n_max is above 112";
    const bool keeps = solves && smem_keeps(e.size, tiles);
    const int below = smem_below((n_max + 15) / 16, solves, keeps);
    if (static_cast<std::size_t>(smem_elements(n_max, 32, below, solves ? 2 : 0, keeps)) * e.size >
        limits.shared_bytes)
      return "a block needs more shared memory than the GPU has";
    return nullptr;
  }

  /// Launches the kernel of a line for the matrices of a source.
  template <class Line, uplo UPLO, class Source, class Then>
  static int launch(Source source, int* info, queue q, Then then);

  static search_space<smem> space() {
    return {{{"tiles", {2, 3, 4, 5, 6, 7, 8}, "tiles of 16 rows that a warp holds; more spill (c: 6, z: 4)"},
             {"carve_out_kb",
              {0, 164},
              "as CUDA likes; three matrices in four, and three times the first-level cache (log, 66)"}},
            17,
            136,
            "smaller ones leave most of a tile empty; of larger ones a warp has too few registers",
            [](const smem& k, int n) {
              const int tiles = (n + 15) / 16;
              const bool narrow = smem_border(n) > 0;  // the first panel, so it may have one more
              return k.tiles == tiles || (narrow && k.tiles == tiles - 1);
            },
            "as many tiles as n takes",
            "tiles"};
  }
};

}  // namespace talus::cuda::cholesky
