// Needs: potrf_partial

// potrf_partial and potrf_partial_split: the first k columns of the Cholesky factor, and the Schur complement
// that they leave. Every case runs on the backend under test.
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "cholesky/fronts.hpp"

using namespace talus;
using namespace talus::test;

namespace {

const std::vector<front_size> fronts{
    {0, 0},     {1, 0},    {1, 1},    {2, 0},    {2, 1},     {2, 2},    {3, 1},    {3, 2},    {4, 3},
    {5, 2},     {7, 7},    {8, 3},    {8, 8},    {9, 1},     {9, 8},    {12, 5},   {16, 0},   {16, 8},
    {16, 16},   {17, 1},   {17, 16},  {20, 13},  {24, 24},   {31, 15},  {32, 16},  {33, 7},   {33, 32},
    {40, 31},   {47, 46},  {48, 16},  {64, 1},   {64, 32},   {64, 64},  {65, 33},  {65, 64},  {70, 69},
    {90, 90},   {96, 40},  {100, 1},  {100, 50}, {100, 99},  {129, 64}, {129, 65}, {160, 40}, {200, 0},
    {200, 150}, {257, 96}, {300, 20}, {300, 8},  {300, 299}, {300, 300}};

call_form form_of(const front_size& f) { return forms[(f.n + f.k) % 2]; }

template <class T>
void eliminate_known(const front_size& f, uplo uplo, std::int64_t count) {
  CAPTURE(f.n, f.k, static_cast<char>(uplo), count);
  std::vector<known_front<T>> known;
  slab<T> s(f.n, f.n, std::max(1, f.n) + f.n % 3, count);
  for (std::int64_t b = 0; b < count; ++b) {
    if (b < 3) known.emplace_back(f, static_cast<unsigned>(f.n + f.k + b));
    s.put_triangle(b, known[static_cast<std::size_t>(b % 3)].A, uplo);
  }
  for (const layout as : layouts) {
    const eliminated<T> now(as, form_of(f), uplo, f.k, s);
    CHECK(all_zero(now.info));
    if (f.k == 0) {
      CHECK(now.fronts.same_bits(s));
      continue;
    }
    for (std::int64_t b = 0; b < count; ++b)
      CHECK(now.fronts.get_lower(b, uplo) == known[static_cast<std::size_t>(b % 3)].left);
  }
}

template <class T>
void eliminate_and_check(const std::string& kind, const front_size& f, uplo uplo, std::int64_t count) {
  CAPTURE(kind, f.n, f.k, static_cast<char>(uplo), count);
  const int distinct = 2;
  const repeated<T> A(kind, f.n, distinct, static_cast<unsigned>(f.n + 3 * f.k));
  const slab<T> before = A.fill(uplo, f.n, f.n + f.n % 3, count);
  const eliminated<T> now(layouts[f.k / 2 % 2], form_of(f), uplo, f.k, before);
  CHECK(all_zero(now.info));
  CHECK(position_does_not_matter(now.fronts, distinct));
  for (std::int64_t b = 0; b < std::min<std::int64_t>(count, distinct); ++b)
    CHECK(front_ratio(A[b], now.fronts.get_lower(b, uplo), f.n, f.k) < threshold);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("potrf_partial eliminates the front worked by hand", "[potrf_partial]", precisions) {
  using T = TestType;
  // After one column 37 - 6 * 6 and so on; after two 98 - 8 * 8 - 5 * 5. The last pivot would be 3 * 3.
  const dense<T> A{4, 12, -16, 12, 37, -43, -16, -43, 98};
  const dense<T> left[] = {{4, 12, -16, 0, 37, -43, 0, 0, 98},
                           {2, 6, -8, 0, 1, 5, 0, 0, 34},
                           {2, 6, -8, 0, 1, 5, 0, 0, 9},
                           {2, 6, -8, 0, 1, 5, 0, 0, 3}};
  for (const uplo uplo : both) {
    slab<T> s(3, 3, 4, 2);
    for (const int b : {0, 1}) s.put_triangle(b, A, uplo);
    for (const int k : {1, 2, 3}) {
      for (const layout as : layouts) {
        for (const call_form how : forms) {
          const eliminated<T> now(as, how, uplo, k, s);
          CAPTURE(static_cast<char>(uplo), k, as == layout::split, how == call_form::pointers);
          for (const int b : {0, 1}) CHECK(now.fronts.get_lower(b, uplo) == left[k]);
          CHECK(now.info == std::vector<int>{0, 0});
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial gives exact factors and Schur complements where there are such",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  for (const front_size& f : fronts) {
    for (const uplo uplo : both) eliminate_known<T>(f, uplo, f.n > 200 ? 2 : 4);
  }
  eliminate_known<T>({700, 130}, uplo::lower, 1);
  eliminate_known<T>({700, 130}, uplo::upper, 2);
}

TEMPLATE_LIST_TEST_CASE("potrf_partial is backward stable on every kind of matrix", "[potrf_partial]",
                        precisions) {
  using T = TestType;
  for (const std::string& kind : kinds()) {
    for (const front_size& f : fronts) {
      if (f.k == 0 || (f.n > 130 && kind != "random" && kind != "condition")) continue;
      for (const uplo uplo : both) {
        if (f.n > 100 && uplo != both[f.k % 2]) continue;
        eliminate_and_check<T>(kind, f, uplo, 3);
      }
    }
  }
  eliminate_and_check<T>("random", {513, 400}, uplo::lower, 1);
  eliminate_and_check<T>("random", {520, 33}, uplo::upper, 2);
}

TEMPLATE_LIST_TEST_CASE("potrf_partial takes any number of fronts", "[potrf_partial]", precisions) {
  using T = TestType;
  for (const std::int64_t count : {1, 2, 7, 8, 9, 16, 17, 33, 65, 1000}) {
    for (const front_size& f : {front_size{2, 1}, {3, 2}, {5, 3}, {8, 4}, {13, 8}, {30, 6}}) {
      if (count > 100 && f.n > 8) continue;
      eliminate_and_check<T>("random", f, both[(f.n + count) % 2], count);
    }
  }
  eliminate_and_check<T>("random", {3, 1}, uplo::lower, 70000);
  eliminate_and_check<T>("random", {3, 2}, uplo::upper, 70000);
}

TEMPLATE_LIST_TEST_CASE("potrf_partial gives the same bits whole and in blocks, by pointers and by strides",
                        "[potrf_partial]", precisions) {
  using T = TestType;
  const auto compare = [](const front_size& f, uplo uplo, std::int64_t count) {
    CAPTURE(f.n, f.k, static_cast<char>(uplo), count);
    const slab<T> s = repeated<T>("condition", f.n, 3, 11).fill(uplo, f.n, std::max(1, f.n), count);
    const eliminated<T> first(layout::whole, call_form::strided, uplo, f.k, s);
    CHECK(all_zero(first.info));
    CHECK(position_does_not_matter(first.fronts, 3));
    for (const layout as : layouts) {
      for (const call_form how : forms)
        CHECK(first.fronts.same_bits(eliminated<T>(as, how, uplo, f.k, s).fronts));
    }
  };
  for (const front_size& f : fronts) {
    for (const uplo uplo : both) compare(f, uplo, f.n > 100 ? 4 : 8);
  }
  for (const int n : {6, 19, 37}) {
    for (int k = 0; k <= n; ++k) compare({n, k}, both[(n + k) % 2], 5);
  }
  for (const uplo uplo : both) compare({700, 130}, uplo, 1);
}

TEMPLATE_LIST_TEST_CASE("potrf_partial of all columns is potrf", "[potrf_partial]", precisions) {
  using T = TestType;
  for (const int n : {1, 2, 5, 8, 16, 17, 33, 64, 100, 200}) {
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      const slab<T> s = repeated<T>("random", n, 2, 4).fill(uplo, n, n, 3);
      const resident<T> factor(s);
      const info_array info(3);
      REQUIRE(potrf(call_form::strided, uplo, factor, info) == 0);
      finish();
      for (const layout as : layouts) {
        const eliminated<T> now(as, call_form::pointers, uplo, n, s);
        CHECK(all_zero(now.info));
        double worst = 0;
        for (std::int64_t b = 0; b < 3; ++b) {
          const dense<T> L = factor.download().get_lower(b, uplo), X = now.fronts.get_lower(b, uplo);
          for (std::size_t i = 0; i < L.size(); ++i)
            worst = worse(static_cast<double>(std::abs(L[i] - X[i])), worst);
        }
        CHECK(worst <= 8.0 * n * static_cast<double>(epsilon<T>));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial of no columns does nothing", "[potrf_partial]", precisions) {
  using T = TestType;
  for (const int n : {0, 1, 5, 33, 100}) {
    for (const uplo uplo : both) {
      CAPTURE(n, static_cast<char>(uplo));
      slab<T> s = repeated<T>("random", n, 2, 4).fill(uplo, n, n + 1, 3);
      if (n > 0) s.at(1, n - 1, n - 1) = nan_of<T>();
      if (n > 1) s.at(2, 0, 0) = T(-1);
      for (const layout as : layouts) {
        for (const call_form how : forms) {
          const eliminated<T> now(as, how, uplo, 0, s);
          CHECK(all_zero(now.info));
          CHECK(now.fronts.same_bits(s));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("blocks without elements need no memory", "[potrf_partial]", precisions) {
  using T = TestType;
  const std::int64_t count = 3;
  const queue q = test_queue();
  for (const uplo uplo : both) {
    for (const int n : {1, 9, 40}) {
      CAPTURE(static_cast<char>(uplo), n);
      const repeated<T> A("random", n, 2, 7);
      const resident<T> all(A.fill(uplo, n, n, count)), none(all.host), as_potrf(all.host);
      const slab<T>& s = all.host;
      const info_array infos[] = {info_array(count), info_array(count), info_array(count), info_array(count)};
      T* const nothing = nullptr;
      T* const* const nowhere = nullptr;
      const int ld = uplo == uplo::lower ? 1 : n;  // of A21, where n2 is 0; where k is 0 it is the other
      const int other_ld = uplo == uplo::lower ? n : 1;
      CHECK(potrf_partial_split_batched(uplo, n, 0, all.pointers.data(), s.ld, nowhere, ld, nowhere, 1,
                                        infos[0].data(), count, q) == 0);
      CHECK(potrf_partial_split_strided_batched(uplo, n, 0, as_potrf.memory.data(), s.ld, s.stride, nothing,
                                                ld, 0, nothing, 1, 0, infos[1].data(), count, q) == 0);
      CHECK(potrf_partial_split_batched(uplo, 0, n, nowhere, 1, nowhere, other_ld, none.pointers.data(), s.ld,
                                        infos[2].data(), count, q) == 0);
      CHECK(potrf_partial_split_strided_batched(uplo, 0, n, nothing, 1, 0, nothing, other_ld, 0,
                                                none.memory.data(), s.ld, s.stride, infos[3].data(), count,
                                                q) == 0);
      finish();
      for (const info_array& info : infos) CHECK(all_zero(info.download()));
      CHECK(none.download().same_bits(s));
      CHECK(all.download().same_bits(as_potrf.download()));
      for (std::int64_t b = 0; b < count; ++b)
        CHECK(factor_ratio(A[b], all.download().get_lower(b, uplo), n) < threshold);
    }
    const info_array infos[] = {info_array(count), info_array(count), info_array(count), info_array(count)};
    CHECK(potrf_partial_batched<T>(uplo, 0, 0, nullptr, 1, infos[0].data(), count, q) == 0);
    CHECK(potrf_partial_strided_batched<T>(uplo, 0, 0, nullptr, 1, 0, infos[1].data(), count, q) == 0);
    CHECK(potrf_partial_split_batched<T>(uplo, 0, 0, nullptr, 1, nullptr, 1, nullptr, 1, infos[2].data(),
                                         count, q) == 0);
    CHECK(potrf_partial_split_strided_batched<T>(uplo, 0, 0, nullptr, 1, 0, nullptr, 1, 0, nullptr, 1, 0,
                                                 infos[3].data(), count, q) == 0);
    finish();
    for (const info_array& info : infos) CHECK(all_zero(info.download()));
  }
}

TEMPLATE_LIST_TEST_CASE(
    "potrf_partial reports the first of its pivots that is not positive, and harms no neighbour",
    "[potrf_partial]", precisions) {
  using T = TestType;
  using R = real_of<T>;
  const std::vector<front_size> some{{1, 1},    {2, 1},    {3, 2},     {8, 8},    {9, 4},
                                     {17, 16},  {33, 7},   {40, 31},   {64, 32},  {65, 65},
                                     {100, 50}, {129, 65}, {200, 150}, {200, 20}, {260, 250}};
  for (const front_size& f : some) {
    for (const uplo uplo : both) {
      CAPTURE(f.n, f.k, static_cast<char>(uplo));
      struct place {
        int i, j;  // i >= j, of the lower triangle
        T value;
      };
      const T nan = nan_of<T>();
      const int last = f.k - 1, end = f.n - 1;
      std::vector<place> places{{0, 0, T(0)},
                                {0, 0, T(-2)},
                                {0, 0, nan},
                                {last, last, T(0)},
                                {last, last, T(-1)},
                                {last, last, nan},
                                {last, 0, nan},
                                {f.k / 2, f.k / 2, T(-1)},
                                {f.k / 2, f.k / 2, nan},
                                {last, f.k / 2, nan},
                                {f.k / 2, f.k / 3, nan}};
      if (f.k < f.n) {  // no pivots of the first k columns: they come out, and are not reported
        for (const T value : {T(-1), T(R(-1e4)), T(0), nan}) places.push_back({end, end, value});
        places.push_back({f.k, f.k, T(-1)});
        places.push_back({end, 0, nan});
        places.push_back({end, last, nan});
      }
      const auto count = static_cast<std::int64_t>(2 * places.size() + 1);
      slab<T> s = repeated<T>("random", f.n, 1, 5).fill(uplo, f.n, f.n + 1, count);
      const eliminated<T> healthy(layout::whole, call_form::strided, uplo, f.k, s);
      const dense<T> L_healthy = healthy.fronts.get_lower(0, uplo);
      std::vector<int> expected(static_cast<std::size_t>(count));
      for (std::size_t p = 0; p < places.size(); ++p) {
        const place& at = places[p];
        const std::size_t b = 2 * p + 1;
        s.at(static_cast<std::int64_t>(b), uplo == uplo::lower ? at.i : at.j,
             uplo == uplo::lower ? at.j : at.i) = at.value;
        expected[b] = at.i < f.k ? at.i + 1 : 0;
      }
      for (const layout as : layouts) {
        const call_form how = as == layout::whole ? form_of(f) : forms[(f.n + f.k + 1) % 2];
        const eliminated<T> now(as, how, uplo, f.k, s), again(as, how, uplo, f.k, s);
        CHECK(now.info == expected);
        CHECK(now.fronts.same_bits(again.fronts));
        for (std::int64_t b = 0; b < count; ++b) {
          const int failed = expected[static_cast<std::size_t>(b)];
          CAPTURE(as == layout::split, b, failed);
          if (b % 2 == 0) {
            CHECK(now.fronts.same_bits(b, healthy.fronts, b));
            continue;
          }
          // What stands left of the failed column is the factor's as far as the failure has no part in it.
          const dense<T> L = now.fronts.get_lower(b, uplo);
          const auto at = [&f](int i, int j) { return static_cast<std::size_t>(i + j * f.n); };
          if (failed > 0) CHECK_FALSE(std::real(L[at(failed - 1, failed - 1)]) > 0);
          const int done = failed > 0 ? failed - 1 : f.k;
          bool leading = true;
          for (int j = 0; j < done; ++j) {
            for (int i = j; i < done; ++i)
              leading = leading && std::abs(L[at(i, j)] - L_healthy[at(i, j)]) <=
                                       R(100) * epsilon<T> * static_cast<R>(f.n);
          }
          CHECK(leading);
          // A spoilt diagonal element of A22 shows in its own of the Schur complement alone.
          const place& p = places[static_cast<std::size_t>(b / 2)];
          if (p.i < f.k || p.i != p.j) continue;
          bool others = true;
          for (int j = 0; j < f.n; ++j) {
            for (int i = j; i < f.n; ++i)
              others = others && ((i == p.i && j == p.i) || L[at(i, j)] == L_healthy[at(i, j)]);
          }
          CHECK(others);
          const T left = L[at(p.i, p.i)];
          CHECK((std::isnan(std::real(p.value)) ? std::isnan(std::real(left))
                                                : std::real(left) <= std::real(p.value)));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a NaN beside the first columns comes out in the Schur complement", "[potrf_partial]",
                        precisions) {
  using T = TestType;
  for (const front_size& f : {front_size{2, 1}, {9, 4}, {33, 16}, {70, 33}, {129, 64}}) {
    for (const uplo uplo : both) {
      for (const layout as : layouts) {
        CAPTURE(f.n, f.k, static_cast<char>(uplo), as == layout::split);
        slab<T> s = repeated<T>("random", f.n, 1, 5).fill(uplo, f.n, f.n, 1);
        const int end = f.n - 1;
        s.at(0, uplo == uplo::lower ? end : 0, uplo == uplo::lower ? 0 : end) = nan_of<T>();
        const eliminated<T> now(as, call_form::strided, uplo, f.k, s);
        CHECK(now.info == std::vector<int>{0});
        bool all = true;
        for (int j = f.k; j < f.n; ++j)
          all = all &&
                std::isnan(std::real(now.fronts.get_lower(0, uplo)[static_cast<std::size_t>(end + j * f.n)]));
        CHECK(all);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial leaves a real diagonal", "[potrf_partial]", precisions) {
  using T = TestType;
  if constexpr (is_complex<T>) {  // put_triangle makes NaN of the imaginary parts
    for (const front_size& f : {front_size{1, 1}, {2, 1}, {9, 4}, {40, 1}, {65, 33}, {130, 64}}) {
      for (const uplo uplo : both) {
        for (const layout as : layouts) {
          CAPTURE(f.n, f.k, static_cast<char>(uplo), as == layout::split);
          const slab<T> s = repeated<T>("random", f.n, 1, 5).fill(uplo, f.n, f.n, 2);
          const eliminated<T> now(as, call_form::pointers, uplo, f.k, s);
          bool is_real = true;
          for (int i = 0; i < f.n; ++i) is_real = is_real && std::imag(now.fronts.at(1, i, i)) == 0;
          CHECK(is_real);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial takes the scratch it says and no less", "[potrf_partial]",
                        precisions) {
  using T = TestType;
  const std::int64_t count = 5;
  for (const front_size& f : {front_size{8, 3}, {40, 20}, {100, 60}, {200, 150}, {300, 100}, {700, 130}}) {
    const uplo uplo = both[f.n / 4 % 2];
    const slab<T> s = repeated<T>("random", f.n, 1, 5).fill(uplo, f.n, f.n, count);
    for (const layout as : layouts) {
      CAPTURE(f.n, f.k, as == layout::split);
      const std::size_t bytes = as == layout::whole ? potrf_partial_work<T>(f.n, f.k, count)
                                                    : potrf_partial_split_work<T>(f.k, f.n - f.k, count);
      const guarded_work work(bytes);
      queue q = test_queue();
      q.work = work.memory.data();
      q.work_bytes = bytes;
      const eliminated<T> with(as, call_form::strided, uplo, f.k, s, q),
          without(as, call_form::strided, uplo, f.k, s);
      CHECK(all_zero(with.info));
      CHECK(with.fronts.same_bits(without.fronts));
      CHECK(work.guard_untouched());
      if (!on_cuda() || bytes == 0) continue;
      q.work_bytes = bytes - 1;
      const resident<T> A(s);
      const resident_blocks<T> blocks(front_blocks<T>(s, f.k, uplo));
      const info_array info(count);
      CHECK((as == layout::whole ? potrf_partial(call_form::strided, uplo, f.k, A, info, q)
                                 : potrf_partial_split(call_form::strided, blocks, info, q)) == err_work);
      finish();
      CHECK(A.download().same_bits(s));
      CHECK(blocks.download().together(s).same_bits(s));
      CHECK(info.download() == std::vector<int>(static_cast<std::size_t>(count), -777));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("potrf_partial, small", "[.][sanitize]", precisions) {
  using T = TestType;
  for (const front_size& f : {front_size{3, 2}, {8, 3}, {20, 9}, {40, 33}, {70, 20}, {150, 100}}) {
    for (const uplo uplo : both) eliminate_known<T>(f, uplo, 3);
  }
}
