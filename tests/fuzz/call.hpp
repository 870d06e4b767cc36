// A random call of a routine: operands between guard values, one list of arguments for all three forms,
// illegal arguments, and a check that the call wrote no element outside of its results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.hpp"
#include "fuzz/draw.hpp"
#include "fuzz/fuzz.hpp"
#include "mixed_sizes.hpp"

namespace talus::test::fuzz {

enum class entry { batched, strided, vbatched };

template <class E>
E unset() {
  if constexpr (std::is_same_v<E, int>) {
    return -999;
  } else {
    return nan_of<E>();
  }
}

/// One extent of all matrices: m, n, k, ...
struct size_list {
  std::string name;
  std::vector<int> each{};
  int bound = -1;                          // of a _vbatched call
  std::unique_ptr<array<int>> resident{};  // of a _vbatched call

  int operator[](std::size_t b) const { return each[b]; }
};

/// What the driver does with an operand of any type.
struct any_operand {
  virtual ~any_operand() = default;
  virtual bool is_empty(std::size_t b) const = 0;
  virtual int least_ld(std::size_t b) const = 0;
  virtual void resize(std::size_t count) = 0;
  virtual void place(entry how, draw& random, bool equal) = 0;
  virtual void upload() = 0;
  virtual void forget_pointer(std::size_t b) = 0;  // makes it null
  virtual std::string illegal_writes(const std::vector<bool>& untouched) = 0;

  std::string name;
  std::vector<bool> kept;  // per matrix: the call must not write it
  std::vector<int> ld;
  std::int64_t stride = 0;
};

/// Matrices, or vectors as matrices of one column, or of one row with their step as leading dimension.
/// Everything that no routine may read holds a NaN, and everything that the call may not write is compared
/// after it. `values` holds the elements before the call, then what the call left.
template <class E>
struct operand : any_operand {
  using predicate = std::function<bool(int i, int j)>;

  /// owned: the elements that the call may write.
  operand(std::string name_, bool is_written_, predicate owned_ = nullptr)
      : is_written(is_written_), owned(std::move(owned_)) {
    name = std::move(name_);
  }

  /// Sets the shape of matrix b and returns its elements, which are unset.
  dense<E>& set(std::size_t b, int rows, int columns) {
    shape[b] = {rows, columns};
    return values[b] =
               dense<E>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), unset<E>());
  }
  void resize(std::size_t count) override {
    shape.resize(count);
    values.resize(count);
    ld.resize(count, 1);
    kept.resize(count);
  }
  bool is_empty(std::size_t b) const override { return values[b].empty(); }
  int least_ld(std::size_t b) const override { return is_vector_with_step ? 0 : std::max(1, shape[b].m); }

  void place(entry how, draw& random, bool equal) override;
  void upload() override;
  void forget_pointer(std::size_t b) override { null[b] = true; }
  std::string illegal_writes(const std::vector<bool>& untouched) override;

  bool is_written, is_vector_with_step = false;
  predicate owned;
  std::vector<test::extents> shape;
  std::vector<dense<E>> values;
  std::unique_ptr<array<E>> memory;
  std::unique_ptr<array<E*>> pointers;
  std::unique_ptr<array<int>> lds;
  E* base = nullptr;

 private:
  static constexpr std::int64_t guard = 8;

  int step(std::size_t b) const { return std::abs(ld[b]); }
  template <class Visit>
  void for_each_element(std::size_t b, Visit visit) const {
    const auto [m, n] = shape[b];
    for (int j = 0; j < n; ++j) {
      const int column = ld[b] > 0 ? j : n - 1 - j;
      for (int i = 0; i < m; ++i)
        visit(static_cast<std::size_t>(starts[b] + i + std::int64_t{column} * step(b)),
              static_cast<std::size_t>(i + j * m), i, j);
    }
  }

  std::vector<std::int64_t> starts;
  std::vector<E> before;
  std::vector<bool> null;
};

extern template struct operand<int>;
extern template struct operand<float>;
extern template struct operand<double>;
extern template struct operand<std::complex<float>>;
extern template struct operand<std::complex<double>>;

/// Three arguments of a call in its strided form, A, lda, stride_A; two of the other forms.
template <class E>
struct matrices : operand<E> {
  using operand<E>::operand;
};
/// Two arguments, v and stride_v; one of the other forms.
template <class E>
struct vectors : operand<E> {
  using operand<E>::operand;
};
/// x and incx of BLAS.
template <class T>
struct vectors_with_step : matrices<T> {
  vectors_with_step(std::string name, bool is_written) : matrices<T>(std::move(name), is_written) {
    this->is_vector_with_step = true;
  }
};

// ---- the list of arguments ------------------------------------------------------------------------------

/// Describes one argument of a call.
struct argument {
  enum { letter, extent, bound, pointer, ld, stride, info, count, queue, other } kind;
  any_operand* of = nullptr;
  size_list* size = nullptr;
  std::string value{};  // of a letter or a number
};

/// The arguments that one member of a routine's list stands for, and their descriptions.
template <entry How, class X>
auto flat(X& x, std::vector<argument>& all) {
  if constexpr (std::is_enum_v<X>) {
    all.push_back({argument::letter, nullptr, nullptr, {static_cast<char>(x)}});
    return std::tuple<X>(x);
  } else if constexpr (std::is_same_v<X, size_list>) {
    all.push_back({argument::extent, nullptr, &x});
    if constexpr (How == entry::vbatched) {
      return std::tuple<const int*>(x.resident->data());
    } else {
      return std::tuple<int>(x.each[0]);
    }
  } else if constexpr (std::is_base_of_v<any_operand, X>) {
    using E = std::remove_pointer_t<decltype(x.base)>;
    constexpr bool has_ld = std::is_base_of_v<matrices<E>, X>;
    all.push_back({argument::pointer, &x});
    if constexpr (has_ld) all.push_back({argument::ld, &x});
    if constexpr (How == entry::strided) all.push_back({argument::stride, &x});
    if constexpr (How == entry::strided && has_ld) {
      return std::tuple<E*, int, std::int64_t>(x.base, x.ld[0], x.stride);
    } else if constexpr (How == entry::strided) {
      return std::tuple<E*, std::int64_t>(x.base, x.stride);
    } else if constexpr (How == entry::vbatched && has_ld) {
      return std::tuple<E* const*, const int*>(x.pointers->data(), x.lds->data());
    } else if constexpr (has_ld) {
      return std::tuple<E* const*, int>(x.pointers->data(), x.ld[0]);
    } else {
      return std::tuple<E* const*>(x.pointers->data());
    }
  } else {
    all.push_back({argument::other});
    if constexpr (!std::is_pointer_v<X>) all.back().value = std::to_string(std::real(x));
    return std::tuple<X>(x);
  }
}

template <entry How, class X>
auto bound_of(X& x) {
  if constexpr (How == entry::vbatched && std::is_same_v<X, size_list>) {
    return std::tuple<int>(x.bound);
  } else {
    return std::tuple<>();
  }
}
/// The extents of one member of a list, as _work takes them.
template <class X>
auto size_of(X& x, bool bounds) {
  if constexpr (std::is_same_v<X, size_list>) {
    return std::tuple<int>(bounds ? x.bound : x.each[0]);
  } else {
    return std::tuple<>();
  }
}

/// Makes an argument of a call illegal.
template <class X>
void make_illegal(X& x, const argument& what) {
  if constexpr (std::is_enum_v<X>) {
    x = static_cast<X>('?');
  } else if constexpr (std::is_pointer_v<X>) {
    if (what.kind != argument::other) x = nullptr;
  } else if constexpr (std::is_same_v<X, talus::queue>) {
    x.options = 1;
  } else if constexpr (std::is_same_v<X, int>) {
    x = what.kind == argument::ld ? what.of->least_ld(0) - 1 : what.kind == argument::bound ? -2 : -1;
  } else if constexpr (std::is_same_v<X, std::int64_t>) {
    x = -1;
  }
}
template <class Tuple, std::size_t... I>
void make_illegal(Tuple& all, std::size_t which, const argument& what, std::index_sequence<I...>) {
  ((I == which ? make_illegal(std::get<I>(all), what) : void()), ...);
}

/// What a call of any routine has. A routine adds its operands, and arguments(), their list in LAPACK's
/// order.
struct any_call {
  explicit any_call(draw& random_) : random(random_) {}
  virtual ~any_call() = default;
  /// Draws the extents of one matrix, in the order of the arguments.
  virtual std::vector<int> sizes() = 0;
  /// Draws the operands of matrix b.
  virtual void prepare(std::size_t b, draw& own) = 0;
  /// Returns a ratio that is below 30 if the result of matrix b is right.
  virtual double ratio(std::size_t b) = 0;

  int size() { return random.one_in(9) ? 0 : random.one_in(5) ? largest : 1 + random.below(largest); }
  /// True for one matrix of eight, in half of the calls.
  bool is_spoilt(draw& own) const { return may_fail && own.one_in(8); }

  draw& random;
  int largest = 1;        // of all extents
  bool may_fail = false;  // some matrices are singular, or hold a NaN
  std::vector<int> info;  // expected, per matrix
};
template <class T>
struct call : any_call {
  using any_call::any_call;
  using value_type = T;
  static constexpr bool has_fixed_sizes = true, info_may_be_null = false;
};

/// A call that did something else than its documentation says.
struct wrong_call : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs one call of one form. call.cpp implements what does not depend on the routine.
class any_trial {
 public:
  any_trial(draw& random, any_call& call, entry how, bool info_may_be_null)
      : how_(how), random_(random), call_(call), info_may_be_null_(info_may_be_null) {}
  virtual ~any_trial() = default;
  void run(const announcement& announce);

 protected:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  virtual std::vector<argument> list() = 0;  // without info and what follows it
  virtual std::size_t work_bytes() = 0;
  /// Makes the call. Argument `illegal` becomes illegal.
  virtual int enter(int* info, talus::queue q, std::size_t illegal) = 0;

  std::int64_t count() const { return static_cast<std::int64_t>(count_); }

  entry how_;
  std::vector<argument> arguments_;
  std::vector<size_list*> extents_;
  std::vector<any_operand*> operands_;

 private:
  enum class fault { none, argument, matrix, bound };

  void prepare();
  void choose_fault();
  bool choose_fault_of_matrix(std::size_t b, const argument& what);
  bool may_be_illegal(const argument& what) const;
  void execute();
  void check(const std::vector<int>& info);
  std::string description();
  std::string numbers(const std::vector<int>& all) const;

  draw& random_;
  any_call& call_;
  bool info_may_be_null_;
  std::size_t count_ = 0;
  std::vector<bool> untouched_;
  bool has_scratch_ = false, has_info_ = true;
  fault fault_ = fault::none;
  std::size_t which_ = none;
};

template <class Call, entry How>
class trial : public any_trial {
 public:
  explicit trial(draw& random) : any_trial(random, call_, How, Call::info_may_be_null), call_(random) {
    std::apply([&](auto&... x) { (collect(x), ...); }, call_.arguments());
  }

 private:
  template <class X>
  void collect(X& x) {
    if constexpr (std::is_same_v<X, size_list>) extents_.push_back(&x);
    if constexpr (std::is_base_of_v<any_operand, X>) operands_.push_back(&x);
  }
  std::vector<argument> list() override {
    std::vector<argument> all;
    std::apply([&](auto&... x) { (static_cast<void>(flat<How>(x, all)), ...); }, call_.arguments());
    return all;
  }
  std::size_t work_bytes() override {
    const auto sizes = std::apply(
        [](auto&... x) { return std::tuple_cat(size_of(x, How == entry::vbatched)...); }, call_.arguments());
    return std::apply(
        [&](auto... size) -> std::size_t {
          if constexpr (How == entry::vbatched) {
            return call_.vbatched_work(size..., count());
          } else {
            return call_.work(size..., count());
          }
        },
        sizes);
  }
  int enter(int* info, talus::queue q, std::size_t illegal) override {
    std::vector<argument> unused;
    auto all = std::apply(
        [&](auto&... x) {
          return std::tuple_cat(flat<How>(x, unused)..., std::tuple<int*, std::int64_t>(info, count()),
                                bound_of<How>(x)..., std::tuple<talus::queue>(q));
        },
        call_.arguments());
    if (illegal != none)
      make_illegal(all, illegal, arguments_[illegal],
                   std::make_index_sequence<std::tuple_size_v<decltype(all)>>());
    return std::apply(
        [](auto... x) {
          if constexpr (How == entry::vbatched) {
            return Call::vbatched(x...);
          } else if constexpr (How == entry::strided) {
            return Call::strided(x...);
          } else {
            return Call::batched(x...);
          }
        },
        all);
  }

  Call call_;
};

/// Runs a call of a form that the seed draws.
template <class Call>
void run(draw& random, const announcement& announce) {
  const int form = Call::has_fixed_sizes ? random.below(3) : 2;
  if constexpr (Call::has_fixed_sizes) {
    if (form == 0) return trial<Call, entry::batched>(random).run(announce);
    if (form == 1) return trial<Call, entry::strided>(random).run(announce);
  }
  trial<Call, entry::vbatched>(random).run(announce);
}

}  // namespace talus::test::fuzz
