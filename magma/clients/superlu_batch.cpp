// magma_superlu_batch: a batch of supernodes by the calls that SuperLU_DIST makes of MAGMA.
//
// A supernode has n columns. Its L panel is (n + below) x n, the diagonal block on top; its U panel is
// n x right:
//
//   [ D | U ]    D = L U without row exchanges, U := L^-1 U, B := B U^-1
//   [ B | P ]    P := B U, for the scatter into other supernodes
#include "client.hpp"

namespace client {
namespace {

constexpr std::uint64_t seed = 2;

struct supernode {
  int n, below, right;
};

/// The pivots of D that are too small, by their columns.
using tiny_pivots = std::vector<std::vector<int>>;

struct batch_kind {
  bool has_tiny_pivots, has_zero_pivot;
};

// ---- what is in the batch ---------------------------------------------------------------------------------

std::vector<supernode> random_supernodes(int count, int n_max, int below_max, int right_max) {
  random_numbers numbers(seed);
  std::vector<supernode> all = {
      {1, 0, 0}, {n_max, below_max, right_max}, {n_max, 0, right_max}, {1, below_max, 1}};
  while (static_cast<int>(all.size()) < count)
    all.push_back({numbers.from(1, n_max), numbers.from(0, below_max), numbers.from(0, right_max)});
  return all;
}

/// Slabs on the host: L panels with their leading dimension n + below, U panels and products. Behind each of
/// them stands one element that belongs to none.
template <class T>
struct host_batch {
  static T in_gap() { return T(-98765); }

  host_batch(const std::vector<supernode>& of, batch_kind kind) : supernodes(of), tiny(of.size()) {
    random_numbers numbers(seed + 1);
    for (std::size_t b = 0; b < supernodes.size(); ++b) {
      const supernode s = supernodes[b];
      first_L.push_back(L.size());
      first_U.push_back(U.size());
      first_P.push_back(P.size());
      for (int i = 0; i < (s.n + s.below) * s.n; ++i) L.push_back(numbers.element<T>());
      for (int i = 0; i < s.n * s.right; ++i) U.push_back(numbers.element<T>());
      P.insert(P.end(), static_cast<std::size_t>(s.below * s.right),
               T(std::numeric_limits<real_of<T>>::quiet_NaN()));
      for (std::vector<T>* const slab : {&L, &U, &P}) slab->push_back(in_gap());
      for (int j = 0; j < s.n; ++j) D(b, j, j) = static_cast<real_of<T>>(3 * s.n + 8) + numbers.element<T>();
      norm = std::max(norm, norm1(dense<wide<T>>(&D(b, 0, 0), s.n, s.n, s.n + s.below)));
    }
    tolerance = static_cast<real_of<T>>(1e-6 * norm);
    for (std::size_t b = 0; kind.has_tiny_pivots && b < supernodes.size(); b += 3)
      make_tiny(b, numbers.from(0, supernodes[b].n - 1), numbers);
    for (std::size_t b = 0; kind.has_tiny_pivots && b < supernodes.size(); b += 9)
      make_tiny(b, numbers.from(0, supernodes[b].n - 1), numbers);
    if (kind.has_zero_pivot) {
      zero_b = static_cast<int>(supernodes.size() / 2);
      const auto b = static_cast<std::size_t>(zero_b);
      zero_j = supernodes[b].n / 2;
      for (int i = 0; i < supernodes[b].n; ++i) D(b, i, zero_j) = D(b, zero_j, i) = T(0);
    }
  }

  T& D(std::size_t b, int i, int j) {
    const supernode s = supernodes[b];
    return L[first_L[b] + static_cast<std::size_t>(i + j * (s.n + s.below))];
  }

  std::vector<supernode> supernodes;
  tiny_pivots tiny;
  std::vector<std::size_t> first_L, first_U, first_P;
  std::vector<T> L, U, P;
  double norm = 0;
  real_of<T> tolerance = 0;
  int zero_b = -1, zero_j = -1;

 private:
  /// Pivot j will be what stands there, zero or a thousandth of the tolerance with either sign: no column
  /// before changes it. Below it are numbers as small as the tolerance, which divides them.
  void make_tiny(std::size_t b, int j, random_numbers& numbers) {
    if (std::find(tiny[b].begin(), tiny[b].end(), j) != tiny[b].end()) return;
    tiny[b].push_back(j);
    const int n = supernodes[b].n;
    for (int l = 0; l < j; ++l) D(b, l, j) = D(b, j, l) = T(0);
    for (int i = j + 1; i < n; ++i) {
      const bool is_tiny = std::find(tiny[b].begin(), tiny[b].end(), i) != tiny[b].end();
      D(b, i, j) = is_tiny ? T(0) : numbers.element<T>() * tolerance;
    }
    const int which = numbers.from(0, 2);
    D(b, j, j) = which == 0 ? T(0) : T(tolerance * static_cast<real_of<T>>(which == 1 ? 1e-3 : -1e-3));
  }
};

/// The batch on the device.
template <class T>
struct device_batch {
  using M = element_of<T>;

  explicit device_batch(const host_batch<T>& host)
      : count(static_cast<int>(host.supernodes.size())),
        n(each(host, [](supernode s) { return s.n; })),
        n_again(each(host, [](supernode s) { return s.n; })),
        below(each(host, [](supernode s) { return s.below; })),
        right(each(host, [](supernode s) { return s.right; })),
        ld_L(each(host, [](supernode s) { return s.n + s.below; })),
        ld_U(each(host, [](supernode s) { return s.n; })),
        ld_P(each(host, [](supernode s) { return std::max(1, s.below); })),
        L_at_first(host.L),
        U_at_first(host.U),
        L(host.L),
        U(host.U),
        P(host.P),
        D_array(pointers(
            host, L, host.first_L, [](supernode) { return 0; }, [](supernode s) { return s.n; })),
        B_array(pointers(
            host, L, host.first_L, [](supernode s) { return s.n; }, [](supernode s) { return s.below; })),
        U_array(pointers(
            host, U, host.first_U, [](supernode) { return 0; }, [](supernode s) { return s.right; })),
        P_array(pointers(
            host, P, host.first_P, [](supernode) { return 0; },
            [](supernode s) { return s.below * s.right; })),
        info(std::vector<int>(host.supernodes.size(), -1)) {
    for (const supernode s : host.supernodes) {
      max_n = std::max(max_n, s.n);
      max_below = std::max(max_below, s.below);
      max_right = std::max(max_right, s.right);
    }
  }
  void restore(cudaStream_t stream) {
    L.copy_of(L_at_first, stream);
    U.copy_of(U_at_first, stream);
  }

  int count, max_n = 0, max_below = 0, max_right = 0;
  size_array n, n_again, below, right, ld_L, ld_U, ld_P;
  device_array<M> L_at_first, U_at_first, L, U, P;
  device_array<M*> D_array, B_array, U_array, P_array;
  device_array<int> info;

 private:
  template <class Of>
  static std::vector<int> each(const host_batch<T>& host, Of of) {
    std::vector<int> all;
    for (const supernode s : host.supernodes) all.push_back(of(s));
    return all;
  }
  /// Null where there are no elements.
  template <class Offset, class Elements>
  static std::vector<M*> pointers(const host_batch<T>& host, const device_array<M>& slab,
                                  const std::vector<std::size_t>& first, Offset offset, Elements elements) {
    std::vector<M*> all;
    for (std::size_t b = 0; b < first.size(); ++b) {
      const supernode s = host.supernodes[b];
      all.push_back(elements(s) > 0 ? slab.data() + first[b] + offset(s) : nullptr);
    }
    return all;
  }
};

// ---- the calls --------------------------------------------------------------------------------------------

template <class T>
class supernode_solver {
 public:
  using magma = by_type<T>;

  supernode_solver(device_batch<T>& d, magma_queue_t queue) : d_(d), queue_(queue) {}

  /// Pivots below the tolerance become the tolerance; 0: none does.
  void factor_diagonal(real_of<T> tolerance) {
    if (tolerance > 0) {
      check_magma(magma::getrf_nopiv_expert_vbatched(d_.n.data(), d_.n_again.data(), d_.D_array.data(),
                                                     d_.ld_L.data(), nullptr, tolerance, d_.info.data(),
                                                     d_.count, queue_),
                  "getrf_nopiv_expert_vbatched");
    } else {
      check_magma(magma::getrf_nopiv_vbatched(d_.n.data(), d_.n_again.data(), d_.D_array.data(),
                                              d_.ld_L.data(), d_.info.data(), d_.count, queue_),
                  "getrf_nopiv_vbatched");
    }
  }
  void solve_U_panels() {
    magma::trsm_vbatched_nocheck(MagmaLeft, MagmaLower, MagmaNoTrans, MagmaUnit, d_.n.data(), d_.right.data(),
                                 scalar(T(1)), d_.D_array.data(), d_.ld_L.data(), d_.U_array.data(),
                                 d_.ld_U.data(), d_.count, queue_);
  }
  void solve_L_panels() {
    magma::trsm_vbatched_nocheck(MagmaRight, MagmaUpper, MagmaNoTrans, MagmaNonUnit, d_.below.data(),
                                 d_.n.data(), scalar(T(1)), d_.D_array.data(), d_.ld_L.data(),
                                 d_.B_array.data(), d_.ld_L.data(), d_.count, queue_);
  }
  void multiply_panels() {
    magma::gemm_vbatched_max_nocheck(MagmaNoTrans, MagmaNoTrans, d_.below.data(), d_.right.data(),
                                     d_.n.data(), scalar(T(1)), d_.B_array.data(), d_.ld_L.data(),
                                     d_.U_array.data(), d_.ld_U.data(), scalar(T(0)), d_.P_array.data(),
                                     d_.ld_P.data(), d_.count, d_.max_below, d_.max_right, d_.max_n, queue_);
  }

 private:
  device_batch<T>& d_;
  magma_queue_t queue_;
};

// ---- the test ---------------------------------------------------------------------------------------------

/// What MAGMA wrote behind the sizes since the last time: behind those listed the largest size, behind the
/// others nothing.
template <class T>
void check_last_elements(results& all, device_batch<T>& d, const std::string& call,
                         const std::vector<std::pair<const size_array*, int>>& largest) {
  size_array* const arrays[] = {&d.n, &d.n_again, &d.below, &d.right, &d.ld_L, &d.ld_U, &d.ld_P};
  static const char* const names[] = {"n", "n again", "below", "right", "L's ld", "U's ld", "P's ld"};
  all.name_by([](int i) { return std::string("the array of ") + names[i]; });
  all.equal(
      "the last element of the sizes after " + call, 7, [&](int i) { return arrays[i]->last(); },
      [&](int i) {
        for (const auto& [array, value] : largest) {
          if (array == arrays[i]) return value;
        }
        return size_array::untouched;
      });
  for (size_array* const array : arrays) array->reset();
}

template <class T>
void test_batch(results& all, const std::string& what, const std::vector<supernode>& supernodes,
                batch_kind kind) {
  using W = wide<T>;
  all.section(what + ": ");
  host_batch<T> host(supernodes, kind);
  device_batch<T> d(host);
  const own_queue q;
  supernode_solver<T> solver(d, q);

  solver.factor_diagonal(kind.has_tiny_pivots ? host.tolerance : 0);
  check_last_elements(all, d, "getrf", {});
  solver.solve_U_panels();
  check_last_elements(all, d, "trsm of the U panels", {{&d.n, d.max_n}, {&d.right, d.max_right}});
  solver.solve_L_panels();
  check_last_elements(all, d, "trsm of the L panels", {{&d.below, d.max_below}, {&d.n, d.max_n}});
  solver.multiply_panels();
  check_last_elements(all, d, "gemm", {});

  const std::vector<T> L = d.L.template host<T>(), U = d.U.template host<T>(), P = d.P.template host<T>();
  const std::vector<int> info = d.info.host();
  const auto at = [](int b) { return static_cast<std::size_t>(b); };
  const auto size = [&](int b) { return supernodes[at(b)]; };
  all.name_by([&](int b) {
    return "supernode " + std::to_string(b) + " (" + std::to_string(size(b).n) + ", " +
           std::to_string(size(b).below) + " below, " + std::to_string(size(b).right) + " to the right)";
  });
  // Blocks of a supernode, from slabs of before or after.
  const auto D_of = [&](const std::vector<T>& slab, int b) {
    return dense<W>(&slab[host.first_L[at(b)]], size(b).n, size(b).n, size(b).n + size(b).below);
  };
  const auto B_of = [&](const std::vector<T>& slab, int b) {
    return dense<W>(&slab[host.first_L[at(b)]] + size(b).n, size(b).below, size(b).n,
                    size(b).n + size(b).below);
  };
  const auto U_of = [&](const std::vector<T>& slab, int b) {
    return dense<W>(&slab[host.first_U[at(b)]], size(b).n, size(b).right, size(b).n);
  };

  all.equal(
      "info, how many pivots became the tolerance or which one is zero", d.count,
      [&](int b) { return info[at(b)]; },
      [&](int b) { return b == host.zero_b ? host.zero_j + 1 : static_cast<int>(host.tiny[at(b)].size()); });
  all.equal(
      "pivots that became the tolerance have its size and their own sign", d.count,
      [&](int b) {
        const double tolerance = static_cast<double>(host.tolerance);
        int as_expected = 0;
        for (const int j : host.tiny[at(b)]) {
          const W pivot = D_of(L, b)(j, j), was = D_of(host.L, b)(j, j);
          const W expected = std::real(was) < 0 ? -tolerance : tolerance;
          as_expected += std::abs(pivot - expected) <= 4 * epsilon<T> * tolerance ? 1 : 0;
        }
        return as_expected;
      },
      [&](int b) { return static_cast<int>(host.tiny[at(b)].size()); });
  all.below("L U = D", d.count, [&](int b) {
    dense<W> D = D_of(host.L, b);
    const dense<W> LU = D_of(L, b);
    for (const int j : host.tiny[at(b)]) D(j, j) = LU(j, j);
    return lu_ratio<T>(D, LU, nullptr);
  });
  all.below("U = L^-1 U", d.count,
            [&](int b) { return solve_ratio<T>(unit_lower(D_of(L, b)), U_of(U, b), U_of(host.U, b)); });
  all.below("B = B U^-1", d.count, [&](int b) {  // of the transposed system
    if (b == host.zero_b) return 0.0;
    return solve_ratio<T>(transposed(upper(D_of(L, b))), transposed(B_of(L, b)), transposed(B_of(host.L, b)));
  });
  all.below("P = B U", d.count, [&](int b) {
    if (b == host.zero_b) return 0.0;
    const dense<W> product(&P[host.first_P[at(b)]], size(b).below, size(b).right, size(b).below);
    const dense<W> zero(size(b).below, size(b).right);
    dense<W> minus_B = B_of(L, b);
    for (W& e : minus_B.elements) e = -e;
    return product_ratio<T>(zero, minus_B, U_of(U, b), product);
  });
  all.equal(
      "between panels nothing is written", d.count,
      [&](int b) {
        const supernode s = size(b);
        const auto behind = [](std::size_t first, int elements) {
          return first + static_cast<std::size_t>(elements);
        };
        return (L[behind(host.first_L[at(b)], (s.n + s.below) * s.n)] == host.in_gap() ? 1 : 0) +
               (U[behind(host.first_U[at(b)], s.n * s.right)] == host.in_gap() ? 1 : 0) +
               (P[behind(host.first_P[at(b)], s.below * s.right)] == host.in_gap() ? 1 : 0);
      },
      [](int) { return 3; });
}

template <class T>
int test(const options& o) {
  results all("superlu_batch " + o.precision);
  test_batch<T>(all, "300 supernodes with tiny pivots", random_supernodes(300, 64, 96, 80), {true, false});
  test_batch<T>(all, "300 supernodes, one with a zero pivot", random_supernodes(300, 64, 96, 80),
                {false, true});
  test_batch<T>(all, "70,000 supernodes", random_supernodes(70000, 4, 3, 3), {true, false});
  return all.verdict();
}

// ---- times ------------------------------------------------------------------------------------------------

template <class T>
int bench(const options& o) {
  constexpr int count = 4000;
  const std::vector<supernode> supernodes = random_supernodes(count, 64, 96, 80);
  const host_batch<T> host(supernodes, {false, false});
  device_batch<T> d(host);
  const own_queue q;
  supernode_solver<T> solver(d, q);
  const std::vector<double> ms =
      steps_ms(q.stream(), [&] { d.restore(q.stream()); },
               {[&] { solver.factor_diagonal(host.tolerance); }, [&] { solver.solve_U_panels(); },
                [&] { solver.solve_L_panels(); }, [&] { solver.multiply_panels(); }});

  const double per_flop = std::is_same_v<T, real_of<T>> ? 1 : 4;
  double flops[4] = {};
  for (const supernode s : supernodes) {
    const double n = s.n, below = s.below, right = s.right;
    flops[0] += per_flop * 2 * n * n * n / 3;
    flops[1] += per_flop * n * n * right;
    flops[2] += per_flop * n * n * below;
    flops[3] += per_flop * 2 * below * n * right;
  }
  const char* const stages[] = {"getrf_nopiv_expert of D", "trsm of the U panels", "trsm of the L panels",
                                "gemm of the panels"};
  std::printf("%d supernodes of 1 to 64 columns, precision %s\n\n%-26s %10s %10s\n", count,
              o.precision.c_str(), "", "ms", "GFLOP/s");
  double all_ms = 0, all_flops = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    std::printf("%-26s %10s %10.1f\n", stages[i], text_of_ms(ms[i]).c_str(), 1e-6 * flops[i] / ms[i]);
    all_ms += ms[i];
    all_flops += flops[i];
  }
  std::printf("%-26s %10s %10.1f\n\n", "all", text_of_ms(all_ms).c_str(), 1e-6 * all_flops / all_ms);
  std::puts("Medians of 5 runs. All but gemm look at the sizes on the device first, and wait for that.");
  return fine;
}

}  // namespace
}  // namespace client

int main(int argc, char** argv) {
  using namespace client;
  options o;
  command_line line(
      "Factors a batch of supernodes of mixed sizes without row exchanges, solves for their panels, and "
      "multiplies\n"
      "these, by the calls that SuperLU_DIST makes of MAGMA, and checks every block on the host.",
      "magma_superlu_batch");
  declare(line, o, "Time each stage on 4,000 supernodes",
          "  magma_superlu_batch\n"
          "      300 supernodes with tiny pivots, 300 with a zero one, and 70,000 tiny ones\n"
          "  magma_superlu_batch --precision z --bench\n");
  return run_client(
      line, o, argc, argv, [&](auto zero) { return test<decltype(zero)>(o); },
      [&](auto zero) { return bench<decltype(zero)>(o); });
}
