// potrf's table as data: it is checked before any kernel of it runs, on machines without a GPU too.
#include "batched/potrf_table.hpp"
#include "catch.hpp"
#include "matgen.hpp"

using namespace talus;
using namespace talus::cuda;

TEMPLATE_LIST_TEST_CASE("potrf's table is ascending, complete and within every device's limits", "[table]",
                        test::precisions) {
  using T = TestType;
  const auto& table = potrf_table<T>;
  REQUIRE(table.size() > 0);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const potrf_line& line = table[i];
    CAPTURE(i, line.n_max, line.ib, line.nb, line.tbc, line.threads);
    if (i > 0) CHECK(line.n_max > table[i - 1].n_max);  // else it would never be chosen
    CHECK(line.tbc >= 1);
    CHECK((line.ib == 1 || line.ib == 2 || line.ib == 4 || line.ib == 8 || line.ib == 16 || line.ib == 32));
    const bool in_smem = line.family == potrf_family::smem, blocked = line.family == potrf_family::blocked;
    if (in_smem || blocked) {
      const int n = blocked ? line.threads : line.n_max;  // the largest matrix a block holds
      REQUIRE(n <= 1024);
      CHECK(line.threads >= n);
      CHECK((line.threads < 32 ? 32 % line.threads : line.threads % 32) == 0);
      CHECK(line.threads * line.tbc <= 1024);
      const std::size_t elements = static_cast<std::size_t>(n * (n + 1) / 2 + 2 * line.ib);
      CHECK(static_cast<std::size_t>(line.tbc) * elements * sizeof(T) <= 48 * 1024);
    } else {
      CHECK(line.threads <= 1024);
      CHECK((line.n_max + 31) / 32 * 32 * line.tbc <= line.threads);
    }
    CHECK((blocked ? line.nb > 0 && line.nb % line.threads == 0 : line.nb == 0));
  }
  CHECK(table.back().n_max == any_n);
}

TEMPLATE_LIST_TEST_CASE("a size is served by the first line that covers it", "[table]", test::precisions) {
  using T = TestType;
  const auto& table = potrf_table<T>;
  for (std::size_t i = 0; i < table.size(); ++i) {
    CHECK(potrf_select<T>(table[i].n_max) == static_cast<int>(i));
    if (i > 0) CHECK(potrf_select<T>(table[i - 1].n_max + 1) == static_cast<int>(i));
  }
  CHECK(potrf_select<T>(0) == 0);
}
