#include <algorithm>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "backends.hpp"
#include "host/one_matrix.hpp"
#include "host/over_batch.hpp"
#include "host/potrf_ways.hpp"
#include "validate.hpp"

namespace talus::host {
namespace {

/// Of matrix b: n[b] and so on. Without right-hand sides nrhs and ldb are those of A itself.
struct sizes {
  const int *n, *lda, *nrhs, *ldb;

  template <class S, class T>
  sizes(const variable_batch<S>& A, const variable_batch<T>& B) : n(A.n), lda(A.lda), nrhs(B.n), ldb(B.lda) {}

  auto beside_n(std::int64_t b) const { return std::tuple(lda[b], nrhs[b], ldb[b]); }
};

/// What a thread does at a time: `count` matrices, which agree in all sizes if they go in lanes, else one.
struct task {
  const std::int64_t* matrices;
  std::int64_t count;
  bool in_lanes;
  double work;
};

/// A whole batch as tasks, most work first: so threads that draw one after the other end together.
class schedule {
 public:
  /// extents[b]: n[b] if there is anything to do with matrix b, else less than 1. The range decides for all
  /// matrices of order n, whatever their other sizes are, so that how they lie in memory has no influence on
  /// their bits.
  template <class T>
  schedule(const lane_functions<T>& lanes, const sizes& all, const std::vector<int>& extents,
           const lanes_range& range) {
    // One place per order up to the largest: less memory than one matrix of that order has.
    const int largest = std::max(0, *std::max_element(extents.begin(), extents.end()));
    std::vector<std::int64_t> place(static_cast<std::size_t>(largest) + 1);
    std::int64_t sum = 0;
    for (const int n : extents) {
      if (n > 0) ++place[static_cast<std::size_t>(n)];
    }
    for (std::int64_t& p : place) sum += std::exchange(p, sum);
    by_order_.resize(static_cast<std::size_t>(sum));
    for (std::size_t b = 0; b < extents.size(); ++b) {
      if (extents[b] < 1) continue;
      const std::int64_t next = place[static_cast<std::size_t>(extents[b])]++;
      by_order_[static_cast<std::size_t>(next)] = static_cast<std::int64_t>(b);
    }
    std::int64_t* first = by_order_.data();
    for (int n = 1; n <= largest; ++n) {
      std::int64_t* const last = by_order_.data() + place[static_cast<std::size_t>(n)];
      if (first < last && range.covers(n, last - first)) {
        add_lanes(lanes, all, first, last);
      } else {
        for (; first < last; ++first) add(all, first, 1, false);
      }
      first = last;
    }
    std::sort(tasks_.begin(), tasks_.end(), [](const task& a, const task& b) {
      return a.work != b.work ? a.work > b.work : a.matrices < b.matrices;
    });
  }

  const std::vector<task>& tasks() const { return tasks_; }

 private:
  /// All matrices of one order: runs of equal sizes, each in tasks of some groups.
  template <class T>
  void add_lanes(const lane_functions<T>& lanes, const sizes& all, std::int64_t* first, std::int64_t* last) {
    const auto before = [&](std::int64_t b, std::int64_t c) {
      return std::pair(all.beside_n(b), b) < std::pair(all.beside_n(c), c);
    };
    if (!std::is_sorted(first, last, before)) std::sort(first, last, before);
    while (first < last) {
      const auto like_first = [&](std::int64_t b) { return all.beside_n(b) == all.beside_n(*first); };
      const std::int64_t* const next = std::find_if_not(first, last, like_first);
      const std::int64_t groups = (next - first + lanes.width - 1) / lanes.width;
      const std::int64_t most =
          lanes.width * groups_at_a_time(lanes, groups, all.n[*first], omp_get_max_threads());
      while (first < next) {
        const std::int64_t count = std::min<std::int64_t>(most, next - first);
        add(all, first, count, true);
        first += count;
      }
    }
  }

  void add(const sizes& all, const std::int64_t* matrices, std::int64_t count, bool in_lanes) {
    const double n = all.n[*matrices], nrhs = all.nrhs[*matrices];
    tasks_.push_back({matrices, count, in_lanes, n * n * (n + nrhs) * static_cast<double>(count)});
  }

  std::vector<std::int64_t> by_order_;  // the matrices, those of one order one behind the other
  std::vector<task> tasks_;
};

/// Does in_lanes(matrices, count, infos, scratch) with every group, where infos has room for all lanes, and
/// info[b] = alone(b, scratch) with every matrix that goes in no lanes, once all memory is there. check(b):
/// 0, or the info of a matrix that must not be touched.
template <class T, class Check, class InLanes, class AloneBytes, class Alone>
int over_sizes(const lane_functions<T>& lanes, const sizes& all, std::int64_t count, int* info, Check check,
               const lanes_range& range, InLanes in_lanes, AloneBytes alone_bytes, Alone alone) try {
  std::vector<int> extents(static_cast<std::size_t>(count));  // n, or info of those with nothing to do
  int* const extent = extents.data();
#pragma omp parallel for if (count > 10000)
  for (std::int64_t b = 0; b < count; ++b) {
    const int illegal = check(b);
    extent[b] = illegal != 0 ? illegal : all.n[b];
  }
  const schedule plan(lanes, all, extents, range);
  const std::vector<task>& tasks = plan.tasks();
  const auto end = static_cast<std::int64_t>(tasks.size());
  std::size_t bytes = 0;
  bool any_alone = false;
  for (const task& t : tasks) {
    const int n = all.n[*t.matrices];
    bytes = std::max(bytes, t.in_lanes ? lanes.work_bytes(n) : alone_bytes(n));
    any_alone = any_alone || !t.in_lanes;
  }
  const int threads = std::max(1, threads_for(end));
  const thread_scratch scratch(threads, bytes);
  if (!scratch) return err_work;

  std::optional<one_thread_blas> guard;
  if (any_alone) guard.emplace();
  for (std::int64_t b = 0; b < count; ++b) {
    if (extent[b] < 1) info[b] = extent[b];
  }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (std::int64_t i = 0; i < end; ++i) {
    const task& t = tasks[static_cast<std::size_t>(i)];
    if (!t.in_lanes) {
      info[*t.matrices] = alone(*t.matrices, scratch.of_this_thread());
      continue;
    }
    for (std::int64_t done = 0; done < t.count; done += lanes.width) {
      const std::int64_t* const matrices = t.matrices + done;
      const auto members = static_cast<int>(std::min<std::int64_t>(lanes.width, t.count - done));
      int infos[lanes_max];
      in_lanes(matrices, members, infos, scratch.of_this_thread());
      for (int l = 0; l < members; ++l) info[matrices[l]] = infos[l];
    }
  }
  return 0;
} catch (const std::exception&) {  // no memory for the schedule
  return err_work;
}

}  // namespace

template <class T>
int potrf(uplo uplo, variable_batch<T> A, int* info, int n_max) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  return over_sizes(
      lanes, sizes(A, A), A.count, info, [&](std::int64_t b) { return check_matrix(A[b], n_max); },
      potrf_range(lanes),
      [&](const std::int64_t* b, int count, int* infos, void* scratch) {
        lanes.potrf(uplo, A.n[*b], group<T>(A, b, count, lanes.width).of, A.lda[*b], infos, scratch);
      },
      [&](int) { return factor_bytes(lanes); },
      [&](std::int64_t b, void* scratch) { return factor(lanes, uplo, A[b], scratch); });
}

template <class T>
int potrs(uplo uplo, variable_batch<const T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  return over_sizes(
      lanes, sizes(A, B), A.count, info,
      [&](std::int64_t b) { return check_system(A[b], B[b], n_max, nrhs_max); }, solve_range(lanes),
      [&](const std::int64_t* b, int count, int* infos, void* scratch) {
        lanes.potrs(uplo, A.n[*b], B.n[*b], group<const T>(A, b, count, lanes.width).of, A.lda[*b],
                    group<T>(B, b, count, lanes.width).of, B.lda[*b], infos, scratch);
      },
      solve_bytes<T>,
      [&](std::int64_t b, void* scratch) { return solve_if_factored(uplo, A[b], B[b], scratch); });
}

template <class T>
int posv(uplo uplo, variable_batch<T> A, variable_batch<T> B, int* info, int n_max, int nrhs_max) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  return over_sizes(
      lanes, sizes(A, B), A.count, info,
      [&](std::int64_t b) { return check_system(read_only(A)[b], B[b], n_max, nrhs_max); },
      solve_range(lanes),
      [&](const std::int64_t* b, int count, int* infos, void* scratch) {
        lanes.posv(uplo, A.n[*b], B.n[*b], group<T>(A, b, count, lanes.width).of, A.lda[*b],
                   group<T>(B, b, count, lanes.width).of, B.lda[*b], infos, scratch);
      },
      [&](int) { return factor_bytes(lanes); },
      [&](std::int64_t b, void* scratch) { return factor_and_solve(lanes, uplo, A[b], B[b], scratch); });
}

template <class T>
int potri(uplo uplo, variable_batch<T> A, int* info, int n_max) {
  const lane_functions<T>& lanes = lane_kernels<T>();
  return over_sizes(
      lanes, sizes(A, A), A.count, info, [&](std::int64_t b) { return check_matrix(A[b], n_max); },
      potri_range(lanes),
      [&](const std::int64_t* b, int count, int* infos, void* scratch) {
        lanes.potri(uplo, A.n[*b], group<T>(A, b, count, lanes.width).of, A.lda[*b], infos, scratch);
      },
      aligned_copy<T>::bytes,
      [&](std::int64_t b, void* scratch) { return invert_if_factored(uplo, A[b], scratch); });
}

template int potrf(uplo, variable_batch<TALUS_T>, int*, int);
template int potrs(uplo, variable_batch<const TALUS_T>, variable_batch<TALUS_T>, int*, int, int);
template int posv(uplo, variable_batch<TALUS_T>, variable_batch<TALUS_T>, int*, int, int);
template int potri(uplo, variable_batch<TALUS_T>, int*, int);

}  // namespace talus::host
