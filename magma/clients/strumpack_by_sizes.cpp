#include "strumpack_by_sizes.hpp"

#include <array>
#include <numeric>

#include "cublas_by_type.hpp"
#include "measure/facts.hpp"
#include "measure/plan.hpp"
#include "talus/batched.hpp"
#include "talus/vbatched.hpp"

namespace client {
namespace {

using talus::measure::formatted;
using talus::measure::peer_time;

void check_talus(int status, const char* what) {
  if (status != 0) throw std::runtime_error(std::string(what) + ": " + talus::strerror(status));
}

/// Talus's queue, with scratch of its own.
class talus_queue {
 public:
  talus_queue(cudaStream_t stream, std::size_t bytes) : work_(bytes), queue_(talus::queue::cuda(stream)) {
    queue_.work = work_.data();
    queue_.work_bytes = bytes;
  }
  operator talus::queue() const { return queue_; }

 private:
  device_array<unsigned char> work_;
  talus::queue queue_;
};

// ---- one size after the other -----------------------------------------------------------------------------

/// The five calls for each pair of d1 and d2 that occurs: Talus's routines of equal sizes, the solver's own
/// kernel, and cuBLAS's product.
template <class T>
class by_sizes {
 public:
  using M = element_of<T>;
  static constexpr bool is_possible =
#ifdef CLIENT_WITH_CUBLAS
      true;
#else
      false;
#endif

  by_sizes(const level<T>& l, cudaStream_t stream)
      : order_(sorted(l)),
        groups_(groups_of(l)),
        d1_(array_of([&](std::size_t b) { return l.fronts[b].d1; })),
        d2_(array_of([&](std::size_t b) { return l.fronts[b].d2; })),
        ld1_(array_of([&](std::size_t b) { return std::max(1, l.fronts[b].d1); })),
        F11_(same(l.F11.pointers())),
        F12_(same(l.F12.pointers())),
        F21_(same(l.F21.pointers())),
        F22_(same(l.F22.pointers())),
        pivots_(same(l.pivot_pointers.host())),
        info_(std::vector<int>(order_.size())),
        queue_(stream, work_bytes()),
        stream_(stream)
#ifdef CLIENT_WITH_CUBLAS
        ,
        cublas_(stream)
#endif
  {
  }

  std::size_t sizes() const { return groups_.size(); }

  void factor() {
    for (const group& g : groups_) {
      if (g.d1 > 0) factor_pivots(g);
      if (g.d1 == 0 || g.d2 == 0) continue;
      exchange_rows<M>(static_cast<int>(g.count), g.d2, d1_.data() + g.first, d2_.data() + g.first,
                       F12_.data() + g.first, ld1_.data() + g.first, pivots_.data() + g.first, stream_);
      solve(g, talus::uplo::lower, talus::diag::unit);
      solve(g, talus::uplo::upper, talus::diag::non_unit);
      subtract_product(g);
    }
  }

  /// Info in the level's order.
  std::vector<int> info() const {
    const std::vector<int> mine = info_.host();
    std::vector<int> all(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) all[order_[i]] = mine[i];
    return all;
  }

 private:
  struct group {
    int d1, d2;
    std::size_t first;
    std::int64_t count;
  };

  static std::vector<std::size_t> sorted(const level<T>& l) {
    std::vector<std::size_t> order(l.fronts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const front f = l.fronts[a], g = l.fronts[b];
      return f.d1 != g.d1 ? f.d1 < g.d1 : f.d2 < g.d2;
    });
    return order;
  }
  std::vector<group> groups_of(const level<T>& l) const {
    std::vector<group> groups;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const front f = l.fronts[order_[i]];
      if (groups.empty() || groups.back().d1 != f.d1 || groups.back().d2 != f.d2)
        groups.push_back({f.d1, f.d2, i, 0});
      ++groups.back().count;
    }
    return groups;
  }
  template <class Of>
  std::vector<int> array_of(Of of) const {
    std::vector<int> values;
    for (const std::size_t b : order_) values.push_back(of(b));
    return values;
  }
  template <class E>
  std::vector<E> same(const std::vector<E>& of_level) const {
    std::vector<E> values;
    for (const std::size_t b : order_) values.push_back(of_level[b]);
    return values;
  }
  std::size_t work_bytes() const {
    std::size_t bytes = 0;
    for (const group& g : groups_) bytes = std::max(bytes, talus::getrf_work<T>(g.d1, g.d1, g.count));
    return bytes;
  }

  static T* const* in_talus(M* const* pointers) { return reinterpret_cast<T* const*>(pointers); }

  void factor_pivots(const group& g) {
    check_talus(talus::getrf_batched<T>(g.d1, g.d1, in_talus(F11_.data() + g.first), g.d1,
                                        pivots_.data() + g.first, info_.data() + g.first, g.count, queue_),
                "getrf_batched");
  }
  void solve(const group& g, talus::uplo triangle, talus::diag diagonal) {
    check_talus(talus::trsm_batched<T>(talus::side::left, triangle, talus::op::none, diagonal, g.d1, g.d2,
                                       T(1), in_talus(F11_.data() + g.first), g.d1,
                                       in_talus(F12_.data() + g.first), g.d1, nullptr, g.count, queue_),
                "trsm_batched");
  }
  void subtract_product([[maybe_unused]] const group& g) {
#ifdef CLIENT_WITH_CUBLAS
    const M minus_one = scalar(T(-1)), one = scalar(T(1));
    check_cublas(cublas<T>::gemm(cublas_, CUBLAS_OP_N, CUBLAS_OP_N, g.d2, g.d2, g.d1, &minus_one,
                                 F21_.data() + g.first, g.d2, F12_.data() + g.first, g.d1, &one,
                                 F22_.data() + g.first, g.d2, static_cast<int>(g.count)),
                 "cublas<t>gemmBatched");
#endif
  }

  std::vector<std::size_t> order_;
  std::vector<group> groups_;
  device_array<int> d1_, d2_, ld1_;
  device_array<M*> F11_, F12_, F21_, F22_;
  device_array<int*> pivots_;
  device_array<int> info_;
  talus_queue queue_;
  cudaStream_t stream_;
#ifdef CLIENT_WITH_CUBLAS
  cublas_handle cublas_;
#endif
};

// ---- one call for all -------------------------------------------------------------------------------------

template <class T>
class one_call {
 public:
  one_call(level<T>& l, cudaStream_t stream)
      : l_(l),
        queue_(stream, talus::getrf_partial_split_vbatched_work<T>(l.max_d1, l.max_d2, l.max_d2, l.count())) {
  }

  void factor() {
    const auto in_talus = [](const blocks<T>& one) { return reinterpret_cast<T* const*>(one.data()); };
    check_talus(talus::getrf_partial_split_vbatched<T>(
                    talus::form::left, talus::schur::subtract, l_.d1.data(), l_.d2.data(), l_.d2.data(),
                    in_talus(l_.F11), l_.ld1.data(), in_talus(l_.F12), l_.ld1.data(), in_talus(l_.F21),
                    l_.ld2.data(), in_talus(l_.F22), l_.ld2.data(), l_.pivot_pointers.data(), l_.info.data(),
                    l_.count(), l_.max_d1, l_.max_d2, l_.max_d2, queue_),
                "getrf_partial_split_vbatched");
  }

 private:
  level<T>& l_;
  talus_queue queue_;
};

// ---- one call for fronts in one piece ---------------------------------------------------------------------

/// Fronts of the same sizes, of random elements, each one matrix: what getrf_partial_vbatched takes.
template <class T>
class in_one_piece {
 public:
  using M = element_of<T>;

  in_one_piece(const level<T>& l, cudaStream_t stream)
      : n_(array_of(l, [](front f) { return f.d1 + f.d2; })),
        ld_(array_of(l, [](front f) { return std::max(1, f.d1 + f.d2); })),
        fronts_(l.shapes([](front f) {
          return typename blocks<T>::shape{f.d1 + f.d2, f.d1 + f.d2};
        }),
                0, 9),
        l_(l),
        queue_(stream, talus::getrf_partial_vbatched_work<T>(most(), most(), l.max_d1, l.count())) {}

  void restore(cudaStream_t stream) { fronts_.restore(stream); }
  void factor() {
    check_talus(talus::getrf_partial_vbatched<T>(n_.data(), n_.data(), l_.d1.data(),
                                                 reinterpret_cast<T* const*>(fronts_.data()), ld_.data(),
                                                 l_.pivot_pointers.data(), l_.info.data(), l_.count(), most(),
                                                 most(), l_.max_d1, queue_),
                "getrf_partial_vbatched");
  }

 private:
  template <class Of>
  static std::vector<int> array_of(const level<T>& l, Of of) {
    std::vector<int> all;
    for (const front f : l.fronts) all.push_back(of(f));
    return all;
  }
  int most() const {
    int n = 0;
    for (const front f : l_.fronts) n = std::max(n, f.d1 + f.d2);
    return n;
  }

  device_array<int> n_, ld_;
  blocks<T> fronts_;
  const level<T>& l_;
  talus_queue queue_;
};

// ---- one level --------------------------------------------------------------------------------------------

constexpr std::size_t calls = 5;
const char* const call_names[calls] = {"getrf", "laswp", "trsm_lower", "trsm_upper", "gemm"};

/// Milliseconds; 0: not measured, or not known.
struct level_times {
  std::size_t fronts = 0, sizes = 0;
  int n_max = 0;
  double five_calls = 0, by_sizes = 0, one_call = 0, one_piece = 0, cholesky = 0;
  std::array<double, calls> each = {};

  void add(const level_times& other, bool is_first) {
    const auto sum = [is_first](double& all, double one) {
      all = is_first || (all > 0 && one > 0) ? all + one : 0;
    };
    fronts += other.fronts;
    sizes += other.sizes;
    n_max = std::max(n_max, other.n_max);
    sum(five_calls, other.five_calls);
    sum(by_sizes, other.by_sizes);
    sum(one_call, other.one_call);
    sum(one_piece, other.one_piece);
    sum(cholesky, other.cholesky);
    for (std::size_t i = 0; i < calls; ++i) each[i] += other.each[i];
  }
};

/// Some fronts of a level that the host checks in no time.
template <class T>
std::vector<int> sample_of(const level<T>& l) {
  constexpr int most = 16, largest = 1024;
  std::vector<int> small;
  for (int b = 0; b < l.count(); ++b) {
    const front f = l.fronts[static_cast<std::size_t>(b)];
    if (f.d1 + f.d2 <= largest) small.push_back(b);
  }
  std::vector<int> sample;
  const std::size_t step = std::max<std::size_t>(1, small.size() / most);
  for (std::size_t i = 0; i < small.size(); i += step) sample.push_back(small[i]);
  return sample;
}

template <class T>
level_times time_level(results& all, const named_level& named) {
  level<T> l(named.fronts, 0, 1);
  const own_queue q;
  level_solver<T> solver(l, q);
  by_sizes<T> groups(l, q.stream());
  one_call<T> whole(l, q.stream());
  in_one_piece<T> piece(l, q.stream());

  struct way {
    const char* name;
    work factor, report_info;
  };
  std::vector<way> ways = {{"five calls", [&] { solver.factor(); }, [] {}},
                           {"one call", [&] { whole.factor(); }, [] {}}};
  if (groups.is_possible)
    ways.push_back({"by sizes", [&] { groups.factor(); }, [&] { l.info.upload(groups.info()); }});

  const work restore = [&] { l.restore(q.stream()); };
  const std::vector<int> sample = sample_of(l);
  std::vector<work> factors;
  for (const way& one : ways) {
    restore();
    l.info.upload(std::vector<int>(l.fronts.size(), -1));
    one.factor();
    one.report_info();
    all.section(named.tree + ", level " + named.name + ", " + one.name + ": ");
    check_blocks(all, l, sample);
    factors.push_back(one.factor);
  }

  // Its fronts are others: they are timed, and checked elsewhere.
  const std::vector<double> of_piece =
      in_turn_ms(q.stream(), [&] { piece.restore(q.stream()); }, {[&] { piece.factor(); }});

  level_times t;
  t.one_piece = of_piece[0];
  t.fronts = l.fronts.size();
  t.sizes = groups.sizes();
  for (const front f : l.fronts) t.n_max = std::max(t.n_max, f.d1 + f.d2);
  const std::vector<double> ms = in_turn_ms(q.stream(), restore, factors);
  t.five_calls = ms[0];
  t.one_call = ms[1];
  if (groups.is_possible) t.by_sizes = ms[2];
  const std::vector<double> each = steps_ms(
      q.stream(), restore,
      {[&] { solver.factor_pivots(); }, [&] { solver.exchange_rows_of_F12(); }, [&] { solver.solve_lower(); },
       [&] { solver.solve_upper(); }, [&] { solver.subtract_product(); }});
  std::copy(each.begin(), each.end(), t.each.begin());
  return t;
}

// ---- the report -------------------------------------------------------------------------------------------

std::string ratio_of(const level_times& t, const char* format) {
  return t.by_sizes > 0 ? formatted(format, t.by_sizes / t.five_calls) : "-";
}

std::string table_head() {
  std::string text = formatted("%6s %8s %6s %6s | %10s | %10s %6s | %10s %10s |", "level", "fronts", "n_max",
                               "sizes", "five calls", "by sizes", "ratio", "one call", "one piece");
  for (const char* const name : call_names) text += formatted(" %10s", name);
  return text + formatted(" | %14s", "MAGMA Cholesky");
}

std::string table_line(const std::string& name, const level_times& t) {
  std::string text =
      formatted("%6s %8zu %6d %6zu | %10s | %10s %6s | %10s %10s |", name.c_str(), t.fronts, t.n_max, t.sizes,
                text_of_ms(t.five_calls).c_str(), text_of_ms(t.by_sizes).c_str(), ratio_of(t, "%.2f").c_str(),
                text_of_ms(t.one_call).c_str(), text_of_ms(t.one_piece).c_str());
  for (const double ms : t.each) text += formatted(" %10s", text_of_ms(ms).c_str());
  return text + formatted(" | %14s", text_of_ms(t.cholesky).c_str());
}

const char* const legend =
    R"(Milliseconds, medians of 5 runs. n_max: rows of the largest front, d1 + d2. sizes: pairs of d1 and d2.
five calls: getrf, laswp, trsm, trsm, gemm of the whole level, and each of them by itself. by sizes: the
same for one pair after the other, getrf and trsm of equal sizes by Talus, the product by cuBLAS. ratio: by
sizes over five calls. one call: Talus's getrf_partial_split_vbatched. one piece: Talus's
getrf_partial_vbatched for fronts of the same sizes, each one matrix. MAGMA Cholesky: from the file of
--peers, partial Cholesky of the same fronts, which is half of the work of LU.)";

std::vector<peer_time> peers_of(const report_options& o) {
  return o.peers.empty() ? std::vector<peer_time>() : talus::measure::read_peer_times(o.peers);
}

}  // namespace

void check_report(const report_options& o) {
  try {
    peers_of(o);
  } catch (const std::invalid_argument& e) {
    throw usage_error("--peers: " + std::string(e.what()));
  }
}

template <class T>
int bench_levels(const std::vector<named_level>& levels, const report_options& o) {
  constexpr std::size_t few = 8;  // up to so many fronts the solver works without batches
  const std::vector<peer_time> peers = peers_of(o);
  results all("strumpack_level " + o.precision, false);
  level_times sum;
  std::size_t measured = 0;
  std::string left_out;
  const std::string tree = levels.front().tree;
  std::printf("%s, precision %s\n\n%s\n", tree.c_str(), o.precision.c_str(), table_head().c_str());
  for (const named_level& one : levels) {
    if (one.fronts.size() <= few) {
      left_out += (left_out.empty() ? "" : ", ") + one.name + " (" + std::to_string(one.fronts.size()) + ")";
      continue;
    }
    level_times t = time_level<T>(all, one);
    if (const peer_time* const magma = talus::measure::find_peer_time(
            peers, "magma", "potrf_partial", o.precision, "tree:" + tree + ":" + one.name, t.n_max,
            static_cast<std::int64_t>(t.fronts)))
      t.cholesky = magma->median_ms;
    std::printf("%s\n", table_line(one.name, t).c_str());
    sum.add(t, measured++ == 0);
  }
  if (measured > 0) {
    std::printf("%s\n", table_line("all", sum).c_str());
  }
  if (!left_out.empty())
    std::printf("\nleft out, levels of 8 fronts or fewer (and how many they have): %s\n", left_out.c_str());
  for (const named_level& one : levels) {
    if (one.left_out > 0)
      std::printf("level %s: %lld larger fronts left out\n", one.name.c_str(),
                  static_cast<long long>(one.left_out));
  }
  if (!by_sizes<T>::is_possible) std::printf("\nby sizes is left out: cuBLAS was not found\n");
  std::printf("\n%s\n\n", legend);
  return all.verdict();
}

#define INSTANTIATE(T) template int bench_levels<T>(const std::vector<named_level>&, const report_options&);
#ifndef CLIENT_WITHOUT_S
INSTANTIATE(float)
#endif
#ifndef CLIENT_WITHOUT_D
INSTANTIATE(double)
#endif
#ifndef CLIENT_WITHOUT_C
INSTANTIATE(std::complex<float>)
#endif
#ifndef CLIENT_WITHOUT_Z
INSTANTIATE(std::complex<double>)
#endif

}  // namespace client
