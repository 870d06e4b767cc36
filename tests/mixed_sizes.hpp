// Batches of variable size with guarded surroundings, the routines on them, and checks of what came out.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "cholesky/cholesky.hpp"
#include "talus/vbatched.hpp"

namespace talus::test {

/// Matrices of different sizes, each a slab of its own on the host, behind each other in one piece in the
/// memory of the backend under test. Every second empty one has a null pointer.
template <class T>
struct mixed {
  explicit mixed(std::vector<slab<T>> matrices)
      : host(std::move(matrices)),
        memory(joined()),
        pointers(host.size()),
        m(host.size()),
        n(host.size()),
        ld(host.size()) {
    T* start = memory.data() + margin;
    for (std::size_t b = 0; b < host.size(); ++b) {
      const slab<T>& s = host[b];
      const bool empty = s.m == 0 || s.n == 0;
      starts.push_back(empty && b % 2 == 0 ? nullptr : start);
      rows.push_back(s.m);
      columns.push_back(s.n);
      lds.push_back(s.ld);
      start += s.host.size();
    }
    upload_sizes();
  }

  /// What a test changed of these.
  void upload_sizes() {
    pointers.upload(starts);
    m.upload(rows);
    n.upload(columns);
    ld.upload(lds);
  }
  void restore() { memory.upload(joined()); }

  std::vector<slab<T>> download() const {
    const std::vector<T> all = memory.download();
    const std::vector<T> guard(margin, nan_of<T>());
    if (std::memcmp(static_cast<const void*>(all.data()), static_cast<const void*>(guard.data()),
                    margin * sizeof(T)) != 0)
      throw std::runtime_error("written before the first matrix");
    std::vector<slab<T>> result = host;
    auto from = all.begin() + static_cast<std::ptrdiff_t>(margin);
    for (slab<T>& s : result) {
      const auto to = from + static_cast<std::ptrdiff_t>(s.host.size());
      s.host.assign(from, to);
      from = to;
    }
    return result;
  }
  std::int64_t count() const { return static_cast<std::int64_t>(host.size()); }

  static constexpr std::size_t margin = 16;
  std::vector<slab<T>> host;  // as uploaded
  array<T> memory;
  std::vector<T*> starts;
  std::vector<int> rows, columns, lds;
  array<T*> pointers;
  array<int> m, n, ld;

 private:
  std::vector<T> joined() const {
    std::vector<T> all(margin, nan_of<T>());
    for (const slab<T>& s : host) all.insert(all.end(), s.host.begin(), s.host.end());
    return all;
  }
};

template <class T>
int potrf(uplo uplo, const mixed<T>& A, const info_array& info, int n_max, queue q = test_queue()) {
  return potrf_vbatched(uplo, A.n.data(), A.pointers.data(), A.ld.data(), info.data(), A.count(), n_max, q);
}
template <class T>
int potri(uplo uplo, const mixed<T>& A, const info_array& info, int n_max, queue q = test_queue()) {
  return potri_vbatched(uplo, A.n.data(), A.pointers.data(), A.ld.data(), info.data(), A.count(), n_max, q);
}
template <class T>
int potrs(uplo uplo, const mixed<T>& A, const mixed<T>& B, const info_array& info, int n_max, int nrhs_max,
          queue q = test_queue()) {
  return potrs_vbatched<T>(uplo, A.n.data(), B.n.data(), A.pointers.data(), A.ld.data(), B.pointers.data(),
                           B.ld.data(), info.data(), A.count(), n_max, nrhs_max, q);
}
template <class T>
int posv(uplo uplo, const mixed<T>& A, const mixed<T>& B, const info_array& info, int n_max, int nrhs_max,
         queue q = test_queue()) {
  return posv_vbatched<T>(uplo, A.n.data(), B.n.data(), A.pointers.data(), A.ld.data(), B.pointers.data(),
                          B.ld.data(), info.data(), A.count(), n_max, nrhs_max, q);
}

/// Matrices of one kind: of every order two, made when they are asked for first.
template <class T>
class library {
 public:
  explicit library(std::string kind) : kind_(std::move(kind)) {}
  const dense<T>& operator()(int n, std::size_t b) {
    const auto [found, is_new] = made_.try_emplace({n, b % 2});
    if (is_new) found->second = hermitian<T>(kind_, n, static_cast<unsigned>(2 * n) + b % 2);
    return found->second;
  }
  const std::string& kind() const { return kind_; }

 private:
  std::string kind_;
  std::map<std::pair<int, std::size_t>, dense<T>> made_;
};

/// Leading dimensions of equal matrices differ, too.
inline int ld_of(int n, std::size_t b) { return std::max(1, n) + static_cast<int>(b / 2 % 3); }

template <class T>
std::vector<slab<T>> matrices(library<T>& A, const std::vector<int>& n, uplo uplo) {
  std::vector<slab<T>> all;
  for (std::size_t b = 0; b < n.size(); ++b) {
    all.emplace_back(n[b], n[b], ld_of(n[b], b), 1);
    all.back().put_triangle(0, A(n[b], b), uplo);
  }
  return all;
}

template <class T>
std::vector<slab<T>> right_hand_sides(const std::vector<int>& n, const std::vector<int>& nrhs) {
  std::vector<slab<T>> all;
  for (std::size_t b = 0; b < n.size(); ++b) {
    all.emplace_back(n[b], nrhs[b], ld_of(n[b], b / 3), 1);
    all.back().put(0, random_matrix<T>(n[b], nrhs[b], static_cast<unsigned>(100 + b % 5)));
  }
  return all;
}

/// Sizes around the borders that kernels may have, without an order; one of them is the largest.
inline std::vector<int> some_sizes(std::int64_t count, int largest, unsigned seed) {
  const std::vector<int> small{0,  1,  2,  3,  4,  5,  7,  8,  9,  12, 15, 16, 17, 23,
                               24, 25, 31, 32, 33, 40, 41, 48, 49, 56, 57, 63, 64, 65};
  const std::vector<int> larger{95, 97, 104, 128, 129, 160, 161, 200};
  std::mt19937 generator(seed);
  std::vector<int> n(static_cast<std::size_t>(count));
  for (int& x : n) {
    x = generator() % 16 == 0 ? larger[generator() % larger.size()] : small[generator() % small.size()];
    x = std::min(x, largest);
  }
  n[n.size() / 2] = largest;
  return n;
}
inline std::vector<int> some_nrhs(std::size_t count) {
  const std::vector<int> few{1, 3, 0, 17, 1, 40};
  std::vector<int> nrhs(count);
  for (std::size_t b = 0; b < count; ++b) nrhs[b] = few[(b + b / 7) % few.size()];
  return nrhs;
}
inline int largest_of(const std::vector<int>& n) { return *std::max_element(n.begin(), n.end()); }

template <class T>
bool same(const dense<T>& A, const dense<T>& B) {
  if (A.empty() || A.size() != B.size()) return A.size() == B.size();
  return std::memcmp(static_cast<const void*>(A.data()), static_cast<const void*>(B.data()),
                     A.size() * sizeof(T)) == 0;
}
template <class T>
bool same_bits(const std::vector<slab<T>>& a, const std::vector<slab<T>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const slab<T>& x, const slab<T>& y) { return x.same_bits(y); });
}

/// Slabs of equal sizes as one, for the routines of batched.hpp.
template <class T>
slab<T> joined(const std::vector<slab<T>>& all, const std::vector<std::size_t>& which) {
  const slab<T>& first = all[which[0]];
  slab<T> s(first.m, first.n, std::max(1, first.m), static_cast<std::int64_t>(which.size()));
  for (std::size_t i = 0; i < which.size(); ++i) s.put(static_cast<std::int64_t>(i), all[which[i]].get(0));
  return s;
}

/// Factors, and what is around them; those of equal matrices are equal wherever they stand.
template <class T>
void check_factors(library<T>& A, const std::vector<slab<T>>& before, const std::vector<slab<T>>& after,
                   uplo uplo) {
  std::map<std::pair<int, std::size_t>, dense<T>> factors;
  for (std::size_t b = 0; b < after.size(); ++b) {
    const int n = after[b].n;
    CAPTURE(b, n);
    CHECK(after[b].guards_untouched(before[b], &uplo));
    dense<T> L = after[b].get_lower(0, uplo);
    const auto [first, is_new] = factors.try_emplace({n, b % 2}, L);
    if (!is_new) {
      CHECK(same(first->second, L));
      continue;
    }
    const auto R = factor_residual(A(n, b), L, n);
    CHECK(norm1(R, n, n) <= threshold * n * static_cast<double>(epsilon<T>));
    if (A.kind() == "random") CHECK((n == 0 || entry_ratio(A(n, b), R, n) < 1));
  }
}

/// The whole Hermitian matrix from its lower half.
template <class T>
dense<T> whole(dense<T> X, int n) {
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i)
      X[static_cast<std::size_t>(j + i * n)] = conjugate(X[static_cast<std::size_t>(i + j * n)]);
  }
  return X;
}

/// All four routines' results for one batch.
template <class T>
struct results {
  std::vector<slab<T>> factors, at_once, solved, solved_at_once, inverses;

  results(uplo uplo, const std::vector<slab<T>>& A, const std::vector<slab<T>>& B, int n_max, int nrhs_max) {
    const mixed<T> a(A), b(B), a2(A), b2(B);
    const info_array info(a.count());
    REQUIRE(potrf(uplo, a, info, n_max) == 0);
    finish();
    factors = a.download();
    REQUIRE(potrs(uplo, a, b, info, n_max, nrhs_max) == 0);
    REQUIRE(posv(uplo, a2, b2, info, n_max, nrhs_max) == 0);
    REQUIRE(potri(uplo, a, info, n_max) == 0);
    finish();
    at_once = a2.download();
    solved = b.download();
    solved_at_once = b2.download();
    inverses = a.download();
  }
  std::vector<const std::vector<slab<T>>*> all() const {
    return {&factors, &at_once, &solved, &solved_at_once, &inverses};
  }
};

/// Scratch of so many bytes in the memory of the device, and as many guard bytes behind it as tell.
struct guarded_work {
  explicit guarded_work(std::size_t bytes_)
      : bytes(bytes_), memory(std::vector<unsigned char>(bytes + 256, 0xa5)) {}
  bool guard_untouched() const {
    const std::vector<unsigned char> all = memory.download();
    return std::all_of(all.begin() + static_cast<std::ptrdiff_t>(bytes), all.end(),
                       [](unsigned char c) { return c == 0xa5; });
  }
  std::size_t bytes;
  array<unsigned char> memory;
};

// ---- matrices of any shape ---------------------------------------------------------------------------

/// What a call promises of its sizes.
struct size_bounds {
  int m = -1, n = -1, k = -1, nrhs = -1;
};

/// Rows and columns, and k or right-hand sides where a routine has them.
struct shape {
  int m, n, k, nrhs;
};

inline size_bounds bounds_of(const std::vector<shape>& shapes, int more = 0) {
  size_bounds most{0, 0, 0, 0};
  for (const shape& s : shapes)
    most = {std::max(most.m, s.m + more), std::max(most.n, s.n + more), std::max(most.k, s.k + more),
            std::max(most.nrhs, s.nrhs + more)};
  return most;
}

/// Squares and rectangles around the borders that kernels may have; any number of their columns eliminated.
inline std::vector<shape> some_shapes(std::int64_t count, int largest, unsigned seed) {
  const std::vector<int> m = some_sizes(count, largest, seed), n = some_sizes(count, largest, seed + 1);
  std::mt19937 generator(seed);
  std::vector<shape> shapes;
  for (std::size_t b = 0; b < m.size(); ++b) {
    const int columns = b % 3 == 0 ? n[b] : m[b], least = std::min(m[b], columns);
    const int k = static_cast<int>(generator() % static_cast<unsigned>(least + 1));
    shapes.push_back({m[b], columns, b % 5 == 0 ? least : k, 0});
  }
  return shapes;
}
/// Squares with right-hand sides.
inline std::vector<shape> some_systems(std::int64_t count, int largest, unsigned seed) {
  const std::vector<int> n = some_sizes(count, largest, seed), nrhs = some_nrhs(n.size());
  std::vector<shape> shapes;
  for (std::size_t b = 0; b < n.size(); ++b) shapes.push_back({n[b], n[b], n[b] / 2, nrhs[b]});
  return shapes;
}

/// Of every size up to these bounds some, the largest first, those without elements among them.
inline std::vector<shape> shapes_up_to(int most_m, int most_n, std::size_t count) {
  const int m[] = {most_m, 1, most_m / 2, std::max(0, most_m - 1), 2, 0},
            n[] = {most_n, most_n / 2, 1, std::max(0, most_n - 1), most_n};
  std::vector<shape> shapes;
  for (std::size_t b = 0; b < count; ++b)
    shapes.push_back({std::min(most_m, m[b % 6]), std::min(most_n, n[(b + b / 6) % 5]), 0, 0});
  return shapes;
}

#ifdef TALUS_WITH_CUDA
constexpr size_bounds most_of_calls{200, 200, 200, 40};

/// Calls on mixed sizes, all of a family's, each on operands of its own, and their scratch.
template <class Batch, class Routine>
struct calls_on_mixed_sizes {
  struct call {
    Routine routine;
    std::unique_ptr<Batch> operands;
    std::size_t work_bytes;
  };

  std::vector<int> run(queue q, const size_bounds& most = most_of_calls) {
    std::vector<int> statuses;
    for (const call& c : calls) statuses.push_back(c.operands->run(c.routine, most, q));
    return statuses;
  }
  std::vector<int> all_done() const { return std::vector<int>(calls.size(), 0); }
  void restore() {
    for (const call& c : calls) c.operands->restore();
    finish();
  }
  bool untouched() const {
    bool all = true;
    for (const call& c : calls) all = all && c.operands->results().same_bits(c.operands->as_uploaded());
    return all;
  }
  bool same_results(const calls_on_mixed_sizes& other) const {
    bool all = true;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const auto now = calls[i].operands->results();
      all = all && now.same_bits(other.calls[i].operands->results()) && all_zero(now.info);
    }
    return all;
  }
  std::size_t most_work_bytes() const {
    std::size_t bytes = 0;
    for (const call& c : calls) bytes = std::max(bytes, c.work_bytes);
    return bytes;
  }

  std::vector<call> calls;
};

/// These calls take the scratch that they say and no less.
template <class Calls>
void check_scratch() {
  Calls without, with;
  with.restore();
  CHECK(without.run(test_queue()) == without.all_done());
  finish();
  std::vector<std::unique_ptr<guarded_work>> works;
  for (const auto& call : with.calls) works.push_back(std::make_unique<guarded_work>(call.work_bytes));
  const auto run = [&](std::size_t less) {
    std::vector<int> statuses;
    for (const auto& [routine, operands, bytes] : with.calls) {
      queue q = test_queue();
      q.work = works[statuses.size()]->memory.data();
      q.work_bytes = bytes - less;
      statuses.push_back(operands->run(routine, most_of_calls, q));
    }
    return statuses;
  };
  CHECK(run(1) == std::vector<int>(with.calls.size(), err_work));
  finish();
  CHECK(with.untouched());
  CHECK(run(0) == with.all_done());
  finish();
  CHECK(with.same_results(without));
  for (const auto& work : works) CHECK(work->guard_untouched());
}

/// These calls captured in a graph and replayed, with scratch and without. Those that would have to
/// wait for bounds are refused.
template <class Calls>
void capture_and_replay() {
  for (const bool with_work : {true, false}) {
    CAPTURE(with_work);
    Calls direct, captured;
    const std::vector<int> all_done = direct.all_done();
    const guarded_work work(direct.most_work_bytes());
    const stream s;
    queue q = queue::cuda(s.handle);
    if (with_work) {
      q.work = work.memory.data();
      q.work_bytes = work.bytes;
    }
    captured.restore();
    CHECK(direct.run(test_queue()) == all_done);
    finish();

    std::vector<int> without_bounds, statuses;
    const graph calls(s, [&] {
      without_bounds = captured.run(q, {});
      statuses = captured.run(q);
    });
    CHECK(without_bounds == std::vector<int>(all_done.size(), err_unsupported));
    CHECK(statuses == all_done);
    CHECK(captured.untouched());  // captured, not run
    for (int round = 0; round < 2; ++round) {
      CAPTURE(round);
      captured.restore();
      calls.replay();
      CHECK(captured.same_results(direct));
    }
    CHECK(work.guard_untouched());

    // A call that lacks one bound either needs none or is refused before anything is queued.
    Calls partly;
    partly.restore();
    size_bounds without_nrhs = most_of_calls;
    without_nrhs.nrhs = -1;
    const graph other_calls(s, [&] { statuses = partly.run(q, without_nrhs); });
    other_calls.replay();
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      if (statuses[i] == 0) continue;
      CAPTURE(i);
      CHECK(statuses[i] == err_unsupported);
      const auto& operands = *partly.calls[i].operands;
      CHECK(operands.results().same_bits(operands.as_uploaded()));
    }
  }
}
#endif

}  // namespace talus::test
