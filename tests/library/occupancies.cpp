#include "gpu/occupancies.hpp"

#include "catch.hpp"

using talus::cuda::occupancies;

TEST_CASE("numbers of blocks are kept for each shape", "[occupancies]") {
  occupancies known;
  const std::uint64_t small = occupancies::key(0, 48 * 1024, 128, 1),
                      large = occupancies::key(0, 227 * 1024, 1024, 1);
  CHECK(known.find(small) == -1);
  known.keep(small, 264);
  known.keep(large, 132);
  for (int alternating = 0; alternating < 3; ++alternating) {
    CHECK(known.find(small) == 264);
    CHECK(known.find(large) == 132);
  }
}

TEST_CASE("every part of a shape makes it another one", "[occupancies]") {
  occupancies known;
  known.keep(occupancies::key(0, 1024, 64, 1), 7);
  CHECK(known.find(occupancies::key(1, 1024, 64, 1)) == -1);
  CHECK(known.find(occupancies::key(0, 1040, 64, 1)) == -1);
  CHECK(known.find(occupancies::key(0, 1024, 96, 1)) == -1);
  CHECK(known.find(occupancies::key(0, 1024, 64, 16)) == -1);
  CHECK(known.find(occupancies::key(0, 1024, 64, 1)) == 7);
  known.keep(occupancies::key(0, 1024, 64, 16), 0);  // a cluster that the device cannot run
  CHECK(known.find(occupancies::key(0, 1024, 64, 16)) == 0);
}

TEST_CASE("32 shapes are kept, and a further shape replaces one of them", "[occupancies]") {
  occupancies known;
  const auto key = [](int i) { return occupancies::key(0, static_cast<std::size_t>(16 * i), 256, 1); };
  for (int i = 0; i < 32; ++i) known.keep(key(i), 100 + i);
  for (int i = 0; i < 32; ++i) CHECK(known.find(key(i)) == 100 + i);
  known.keep(key(32), 132);
  CHECK(known.find(key(32)) == 132);
  int kept = 0;
  for (int i = 0; i < 32; ++i) kept += known.find(key(i)) == 100 + i;
  CHECK(kept == 31);
}

TEST_CASE("what does not fit into 64 bits is not kept", "[occupancies]") {
  occupancies known;
  known.keep(occupancies::key(0, 16, 32, 1), std::int64_t{1} << 20);
  CHECK(known.find(occupancies::key(0, 16, 32, 1)) == -1);
  known.keep(occupancies::key(5000, 16, 32, 1), 1);
  CHECK(known.find(occupancies::key(5000, 16, 32, 1)) == -1);
}
