// A level of a multifrontal factorization, as STRUMPACK has it on the GPU, and what it calls for one: fronts
//
//   [ F11 F12 ]   F11 of order d1: eliminated here
//   [ F21 F22 ]   F22 of order d2: left for the parents
//
// of mixed sizes, each block an array of its own.
#pragma once

#include "client.hpp"
#include "strumpack_laswp.hpp"

namespace client {

struct front {
  int d1, d2;
};

/// One block of every front, column by column, and what was in it at first. Where a block has no elements its
/// pointer is null.
template <class T>
class blocks {
 public:
  using M = element_of<T>;
  struct shape {
    int rows, columns;
  };

  /// With `gap` elements of no block behind each of them.
  blocks(const std::vector<shape>& shapes, std::size_t gap, std::uint64_t seed)
      : shapes_(shapes), gap_(gap), initial_(random(seed)), elements_(initial_.size()), pointers_(0) {
    std::vector<M*> pointers;
    for (std::size_t b = 0; b < shapes_.size(); ++b)
      pointers.push_back(size_of(b) > 0 ? elements_.data() + first_[b] : nullptr);
    pointers_ = device_array<M*>(pointers);
    restore(nullptr);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  M** data() const { return pointers_.data(); }
  std::vector<M*> pointers() const { return pointers_.host(); }
  void restore(cudaStream_t stream) { elements_.copy_of(initial_, stream); }

  /// Those of the fronts asked for, now and at first.
  std::vector<dense<wide<T>>> now(const std::vector<int>& which) const { return cut(elements_, which); }
  std::vector<dense<wide<T>>> at_first(const std::vector<int>& which) const { return cut(initial_, which); }
  bool are_untouched() const { return same_bits(elements_.template host<T>(), initial_.template host<T>()); }
  bool gaps_are_untouched() const {
    const std::vector<T> all = elements_.template host<T>();
    for (std::size_t b = 0; b < shapes_.size(); ++b) {
      for (std::size_t i = first_[b] + size_of(b); i < first_[b] + size_of(b) + gap_; ++i) {
        if (all[i] != in_gap()) return false;
      }
    }
    return true;
  }

 private:
  static T in_gap() { return T(-98765); }
  std::size_t size_of(std::size_t b) const {
    return static_cast<std::size_t>(shapes_[b].rows) * static_cast<std::size_t>(shapes_[b].columns);
  }
  device_array<M> random(std::uint64_t seed) {
    std::size_t all = 0;
    for (std::size_t b = 0; b < shapes_.size(); ++b) {
      first_.push_back(all);
      all += size_of(b) + gap_;
    }
    std::vector<T> values = random_elements<T>(all, seed);
    for (std::size_t b = 0; b < shapes_.size(); ++b)
      std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(first_[b] + size_of(b)), gap_, in_gap());
    return device_array<M>(values);
  }
  std::vector<dense<wide<T>>> cut(const device_array<M>& from, const std::vector<int>& which) const {
    const bool all = which.size() == shapes_.size();  // then in one copy
    const std::vector<T> copy = all ? from.template host<T>() : std::vector<T>();
    std::vector<dense<wide<T>>> result;
    for (const int b : which) {
      const auto i = static_cast<std::size_t>(b);
      const std::vector<T> one = all ? std::vector<T>() : from.template host<T>(first_[i], size_of(i));
      const T* const elements = all ? copy.data() + first_[i] : one.data();
      result.emplace_back(elements, shapes_[i].rows, shapes_[i].columns, shapes_[i].rows);
    }
    return result;
  }

  std::vector<shape> shapes_;
  std::size_t gap_;
  std::vector<std::size_t> first_;
  device_array<M> initial_, elements_;
  device_array<M*> pointers_;
};

/// All of a level on the device.
template <class T>
class level {
 public:
  level(const std::vector<front>& of, std::size_t gap, std::uint64_t seed)
      : fronts(of),
        d1(each([](front f) { return f.d1; })),
        d2(each([](front f) { return f.d2; })),
        ld1(each([](front f) { return std::max(1, f.d1); })),
        ld2(each([](front f) { return std::max(1, f.d2); })),
        one(each([](front) { return 1; })),
        F11(shapes([](front f) {
              return shape{f.d1, f.d1};
            }),
            gap, seed),
        F12(shapes([](front f) {
              return shape{f.d1, f.d2};
            }),
            gap, seed + 1),
        F21(shapes([](front f) {
              return shape{f.d2, f.d1};
            }),
            gap, seed + 2),
        F22(shapes([](front f) {
              return shape{f.d2, f.d2};
            }),
            gap, seed + 3),
        pivots(0),
        pivot_pointers(0),
        info(std::vector<int>(of.size(), -1)) {
    for (const front f : fronts) {
      first_pivot.push_back(pivot_count);
      pivot_count += static_cast<std::size_t>(f.d1);
      max_d1 = std::max(max_d1, f.d1);
      max_d2 = std::max(max_d2, f.d2);
    }
    pivots = device_array<int>(pivot_count);
    std::vector<int*> pointers;
    for (std::size_t b = 0; b < fronts.size(); ++b)
      pointers.push_back(fronts[b].d1 > 0 ? pivots.data() + first_pivot[b] : nullptr);
    pivot_pointers = device_array<int*>(pointers);
  }

  int count() const { return static_cast<int>(fronts.size()); }
  void restore(cudaStream_t stream) {
    F11.restore(stream);
    F12.restore(stream);
    F22.restore(stream);
  }

  std::vector<front> fronts;
  int max_d1 = 0, max_d2 = 0;
  size_array d1, d2, ld1, ld2, one;
  blocks<T> F11, F12, F21, F22;
  std::size_t pivot_count = 0;
  std::vector<std::size_t> first_pivot;
  device_array<int> pivots;
  device_array<int*> pivot_pointers;
  device_array<int> info;

  /// One block of every front.
  using shape = typename blocks<T>::shape;
  template <class Of>
  std::vector<shape> shapes(Of of) const {
    std::vector<shape> all;
    for (const front f : fronts) all.push_back(of(f));
    return all;
  }

 private:
  template <class Of>
  std::vector<int> each(Of of) const {
    std::vector<int> all;
    for (const front f : fronts) all.push_back(of(f));
    return all;
  }
};

/// What the solver calls for a level.
template <class T>
class level_solver {
 public:
  using magma = by_type<T>;
  using M = element_of<T>;

  /// Asks for scratch before there is a queue, or anything on the device.
  static magma_int_t work_bytes(const level<T>& l) {
    magma_int_t bytes = -1;
    check_magma(magma::getrf_vbatched_max_nocheck_work(nullptr, nullptr, l.max_d1, l.max_d1, l.max_d1,
                                                       l.max_d1 * l.max_d1, nullptr, nullptr, nullptr,
                                                       nullptr, nullptr, &bytes, l.count(), nullptr),
                "getrf_vbatched_max_nocheck_work, asked for scratch,");
    return bytes;
  }

  level_solver(level<T>& l, const own_queue& q)
      : l_(l), q_(q), bytes_(work_bytes(l)), work_(with_guard(bytes_)) {}

  /// F11 = P L U, F12 := F11^-1 F12, F22 := F22 - F21 F12.
  void factor() {
    factor_pivots();
    exchange_rows_of_F12();
    solve_lower();
    solve_upper();
    subtract_product();
  }

  // The five calls.
  void factor_pivots() {
    magma_int_t bytes = bytes_;
    check_magma(magma::getrf_vbatched_max_nocheck_work(l_.d1.data(), l_.d1.data(), l_.max_d1, l_.max_d1,
                                                       l_.max_d1, l_.max_d1 * l_.max_d1, l_.F11.data(),
                                                       l_.ld1.data(), l_.pivot_pointers.data(),
                                                       l_.info.data(), work_.data(), &bytes, l_.count(), q_),
                "getrf_vbatched_max_nocheck_work");
  }
  void exchange_rows_of_F12() {
    exchange_rows<M>(l_.count(), l_.max_d2, l_.d1.data(), l_.d2.data(), l_.F12.data(), l_.ld1.data(),
                     l_.pivot_pointers.data(), q_.stream());
  }
  void solve_lower() { solve(MagmaLower, MagmaUnit, l_.max_d2, l_.d2, l_.F12); }
  void solve_upper() { solve(MagmaUpper, MagmaNonUnit, l_.max_d2, l_.d2, l_.F12); }
  void subtract_product() {
    magma::gemm_vbatched_max_nocheck(MagmaNoTrans, MagmaNoTrans, l_.d2.data(), l_.d2.data(), l_.d1.data(),
                                     scalar(T(-1)), l_.F21.data(), l_.ld2.data(), l_.F12.data(),
                                     l_.ld1.data(), scalar(T(1)), l_.F22.data(), l_.ld2.data(), l_.count(),
                                     l_.max_d2, l_.max_d2, l_.max_d1, q_);
  }

  /// From the leaves to the root: x1 := F11^-1 x1, x2 := x2 - F21 x1.
  void solve_forward(const blocks<T>& x1, const blocks<T>& x2) {
    exchange_rows<M>(l_.count(), 1, l_.d1.data(), l_.one.data(), x1.data(), l_.ld1.data(),
                     l_.pivot_pointers.data(), q_.stream());
    solve(MagmaLower, MagmaUnit, 1, l_.one, x1);
    solve(MagmaUpper, MagmaNonUnit, 1, l_.one, x1);
    magma::gemv_vbatched_max_nocheck(MagmaNoTrans, l_.d2.data(), l_.d1.data(), scalar(T(-1)), l_.F21.data(),
                                     l_.ld2.data(), x1.data(), l_.one.data(), scalar(T(1)), x2.data(),
                                     l_.one.data(), l_.count(), l_.max_d2, l_.max_d1, q_);
  }
  /// And back: x1 := x1 - F12 x2.
  void solve_backward(const blocks<T>& x1, const blocks<T>& x2) {
    magma::gemv_vbatched_max_nocheck(MagmaNoTrans, l_.d1.data(), l_.d2.data(), scalar(T(-1)), l_.F12.data(),
                                     l_.ld1.data(), x2.data(), l_.one.data(), scalar(T(1)), x1.data(),
                                     l_.one.data(), l_.count(), l_.max_d1, l_.max_d2, q_);
  }

  bool scratch_is_kept_to() const {
    const std::vector<unsigned char> behind = work_.host(static_cast<std::size_t>(bytes_), guard_bytes);
    return std::all_of(behind.begin(), behind.end(), [](unsigned char byte) { return byte == guard; });
  }

 private:
  static constexpr unsigned char guard = 0xa5;
  static constexpr std::size_t guard_bytes = 64;
  static std::vector<unsigned char> with_guard(magma_int_t bytes) {
    return std::vector<unsigned char>(static_cast<std::size_t>(bytes) + guard_bytes, guard);
  }

  void solve(magma_uplo_t uplo, magma_diag_t diag, int max_columns, const size_array& columns,
             const blocks<T>& B) {
    magma::trsm_vbatched_max_nocheck(MagmaLeft, uplo, MagmaNoTrans, diag, l_.max_d1, max_columns,
                                     l_.d1.data(), columns.data(), scalar(T(1)), l_.F11.data(), l_.ld1.data(),
                                     B.data(), l_.ld1.data(), l_.count(), q_);
  }

  level<T>& l_;
  const own_queue& q_;
  magma_int_t bytes_;
  device_array<unsigned char> work_;
};

/// The factored blocks of the fronts asked for are what they have to be.
template <class T>
void check_blocks(results& all, const level<T>& l, const std::vector<int>& which) {
  const int count = static_cast<int>(which.size());
  const auto number = [&](int i) { return static_cast<std::size_t>(which[static_cast<std::size_t>(i)]); };
  all.name_by([&l, number](int i) {
    const front f = l.fronts[number(i)];
    return "front " + std::to_string(number(i)) + " (" + std::to_string(f.d1) + " + " + std::to_string(f.d2) +
           ")";
  });
  const auto A11 = l.F11.at_first(which), A12 = l.F12.at_first(which), A22 = l.F22.at_first(which);
  const auto LU = l.F11.now(which), X = l.F12.now(which), A21 = l.F21.now(which), S = l.F22.now(which);
  const std::vector<int> pivots = l.pivots.host(), info = l.info.host();
  const auto at = [](const auto& array, int i) -> const auto& { return array[static_cast<std::size_t>(i)]; };
  all.equal(
      "info of F11", count, [&](int i) { return info[number(i)]; }, [](int) { return 0; });
  all.below("P L U = F11", count, [&](int i) {
    return lu_ratio<T>(at(A11, i), at(LU, i), pivots.data() + l.first_pivot[number(i)]);
  });
  all.below("F12 = F11^-1 F12", count,
            [&](int i) { return solve_ratio<T>(at(A11, i), at(X, i), at(A12, i)); });
  all.below("F22 = F22 - F21 F11^-1 F12", count,
            [&](int i) { return product_ratio<T>(at(A22, i), at(A21, i), at(X, i), at(S, i)); });
}

}  // namespace client
