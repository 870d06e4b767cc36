// Tests that a family's functions refuse illegal arguments by number. A Call is a struct of all arguments of
// the family's routines. All are legal at first. Its member is_untouched compares its memory with the
// initial values.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "memory.hpp"

namespace talus::test {

constexpr int untouched = 4711;

/// An argument with a matrix, or a vector, of each of two problems, as all three forms pass it. The memory is
/// on the host, whatever the queue says: no call may access it.
template <class T>
struct matrix_argument {
  int ld;
  std::int64_t stride = 16;
  std::vector<T> data = std::vector<T>(64, T(untouched));
  std::vector<T*> pointers{data.data(), data.data() + 32};
  std::vector<int> all_ld{6, 5};
  T* slab = data.data();
  T* const* array = pointers.data();
  const int* lds = all_ld.data();

  bool is_untouched() const { return data == std::vector<T>(64, T(untouched)); }
  void forget() { slab = nullptr, array = nullptr; }
};

/// The arguments that most calls have, for two problems.
struct common_arguments {
  int m = 3, n = 3, k = 2, nrhs = 2;
  std::int64_t count = 2;
  std::vector<int> info_data = std::vector<int>(8, untouched);
  int* info = info_data.data();
  queue q = queue::host();

  // Of mixed sizes.
  std::vector<int> all_m{3, 2}, all_n{3, 2}, all_k{2, 1}, all_nrhs{2, 1};
  const int *ms = all_m.data(), *ns = all_n.data(), *ks = all_k.data(), *nrhss = all_nrhs.data();
  int m_max = 3, n_max = 3, k_max = 2, nrhs_max = 2;

  bool info_is_untouched() const { return info_data == std::vector<int>(8, untouched); }
};

/// An entry, the names of its arguments in their order, and how it is called.
template <class Call>
struct entry {
  const char* name;
  std::vector<std::string> arguments;
  int (*call)(const Call&);

  /// What it answers where the argument of this name is illegal; 0: it has none.
  int refusal(const std::string& argument) const {
    const auto found = std::find(arguments.begin(), arguments.end(), argument);
    return found == arguments.end() ? 0 : -static_cast<int>(found - arguments.begin()) - 1;
  }
};

/// A way to make the argument of this name illegal.
template <class Call>
struct spoiler {
  std::string argument;
  std::function<void(Call&)> spoil;
  bool makes_null = false;  ///< legal in an empty batch
};

template <class Call>
using spoilers = std::vector<spoiler<Call>>;

/// The ways to make common_arguments illegal.
template <class Call>
spoilers<Call> common_spoilers() {
  return {{"m", [](Call& c) { c.m = -1; }},
          {"n", [](Call& c) { c.n = -1; }},
          {"k", [](Call& c) { c.k = -1; }},
          {"nrhs", [](Call& c) { c.nrhs = -1; }},
          {"info", [](Call& c) { c.info = nullptr; }, true},
          {"count", [](Call& c) { c.count = -1; }},
          {"q", [](Call& c) { c.q.where = static_cast<backend>(7); }},
          {"q", [](Call& c) { c.q.options = 1; }},
          {"q", [](Call& c) { c.q.reserved[1] = &c; }},
          {"ms", [](Call& c) { c.ms = nullptr; }, true},
          {"ns", [](Call& c) { c.ns = nullptr; }, true},
          {"ks", [](Call& c) { c.ks = nullptr; }, true},
          {"nrhss", [](Call& c) { c.nrhss = nullptr; }, true},
          {"m_max", [](Call& c) { c.m_max = -2; }},
          {"n_max", [](Call& c) { c.n_max = -2; }},
          {"k_max", [](Call& c) { c.k_max = -2; }},
          {"nrhs_max", [](Call& c) { c.nrhs_max = -2; }}};
}

/// Adds the ways to make matrix `name` illegal. Of "A" these are A, lda, stride_A, ldas, and read_A, the
/// stride of a matrix that is only read. `rows` is the least legal leading dimension.
template <class Call, class T>
void add_matrix(spoilers<Call>& to, const std::string& name, matrix_argument<T> Call::*of, int rows) {
  std::string ld = "ld" + name;
  ld[2] = static_cast<char>(std::tolower(ld[2]));
  to.push_back({name, [of](Call& c) { (c.*of).forget(); }, true});
  to.push_back({ld, [of, rows](Call& c) { (c.*of).ld = rows - 1; }});
  to.push_back({ld, [of](Call& c) { (c.*of).ld = 0; }});
  to.push_back({"stride_" + name, [of, rows](Call& c) { (c.*of).stride = rows - 1; }});
  to.push_back({"stride_" + name, [of](Call& c) { (c.*of).stride = -16; }});
  to.push_back({"read_" + name, [of](Call& c) { (c.*of).stride = -16; }});
  to.push_back({ld + "s", [of](Call& c) { (c.*of).lds = nullptr; }, true});
}

/// Adds the ways to make vector `name` illegal: as add_matrix, but a vector has no leading dimension. `rows` is
/// the least legal stride.
template <class Call, class T>
void add_vector(spoilers<Call>& to, const std::string& name, matrix_argument<T> Call::*of, int rows) {
  spoilers<Call> all;
  add_matrix(all, name, of, rows);
  for (const spoiler<Call>& one : all)
    if (one.argument.substr(0, 2) != "ld") to.push_back(one);
}

template <class Call>
using entry_lists = std::vector<const std::vector<entry<Call>>*>;

/// Makes each argument of these entries illegal, alone and with each earlier one. Returns the arguments'
/// names.
template <class Call>
std::set<std::string> check_refusals(const std::vector<entry<Call>>& entries, const spoilers<Call>& all) {
  std::set<std::string> spoilt;
  for (const entry<Call>& e : entries) {
    for (const spoiler<Call>& one : all) {
      const int expected = e.refusal(one.argument);
      if (expected == 0) continue;
      spoilt.insert(one.argument);
      for (const backend where : {backend::host, backend::cuda}) {
        Call c;
        c.q.where = where;
        one.spoil(c);
        CAPTURE(e.name, e.arguments.size(), one.argument, static_cast<int>(where));
        CHECK(e.call(c) == expected);
        CHECK(c.is_untouched());
        // Of two that are illegal it is the first; though where no matrix is, a null pointer is legal.
        for (const spoiler<Call>& other : all) {
          if (e.refusal(other.argument) >= expected || other.argument == "count") continue;
          Call both = c;
          other.spoil(both);
          CAPTURE(other.argument);
          CHECK(e.call(both) == expected);
        }
      }
    }
  }
  return spoilt;
}

/// Makes the arguments of all forms illegal, and checks that `all` contains every argument except those that
/// are always legal. "optional" is an info that may be null.
template <class Call>
void check_refusals(const entry_lists<Call>& all_forms, const spoilers<Call>& all) {
  static const std::set<std::string> always_legal = {"alpha", "beta", "floors", "replaced", "optional"};
  for (const auto* form : all_forms) {
    const std::set<std::string> spoilt = check_refusals(*form, all);
    for (const entry<Call>& e : *form) {
      for (const std::string& argument : e.arguments) {
        CAPTURE(e.name, argument);
        CHECK(spoilt.count(argument) + always_legal.count(argument) == 1);
      }
    }
  }
}

/// A batch without matrices is legal, even if all pointers are null.
template <class Call>
void check_empty(const entry_lists<Call>& all_forms, const spoilers<Call>& all) {
  for (const auto* form : all_forms) {
    for (const entry<Call>& e : *form) {
      CAPTURE(e.name, e.arguments.size());
      Call c;
      c.q = test_queue();
      c.count = 0;
      for (const spoiler<Call>& one : all)
        if (one.makes_null) one.spoil(c);
      CHECK(e.call(c) == 0);
    }
  }
}

/// Without a device, cuda queues return err_no_cuda and touch nothing.
template <class Call>
void check_no_device(const entry_lists<Call>& all_forms) {
  if (queue::best().where == backend::cuda) return;
  for (const auto* form : all_forms) {
    for (const entry<Call>& e : *form) {
      Call c;
      c.q = queue::cuda();
      CAPTURE(e.name);
      CHECK(e.call(c) == err_no_cuda);
      CHECK(c.is_untouched());
    }
  }
}

/// On a GPU, a slab that begins between two elements is illegal. `slabs` contains the arguments by name.
template <class Call, class T>
void check_misplaced(const std::vector<entry<Call>>& strided,
                     const std::vector<std::pair<std::string, matrix_argument<T> Call::*>>& slabs) {
  for (const entry<Call>& e : strided) {
    for (const auto& [argument, of] : slabs) {
      if (e.refusal(argument) == 0) continue;
      Call c;
      c.q = queue::cuda();
      T*& slab = (c.*of).slab;
      slab = reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(slab) + 1);
      CAPTURE(e.name, argument);
      CHECK(e.call(c) == e.refusal(argument));
      CHECK(c.is_untouched());
    }
  }
}

}  // namespace talus::test
