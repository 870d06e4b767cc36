// How a family's entries are held to refuse what is illegal, by number. A Call is a struct of all arguments
// that the family's routines have, legal ones at first, and says whether what it owns is untouched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "memory.hpp"

namespace talus::test {

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
  void (*spoil)(Call&);
};

/// Each illegal argument of these entries alone, and with each later one; the names of those that it made
/// illegal.
template <class Call>
std::set<std::string> check_refusals(const std::vector<entry<Call>>& entries,
                                     const std::vector<spoiler<Call>>& spoilers) {
  std::set<std::string> spoilt;
  for (const entry<Call>& e : entries) {
    for (const spoiler<Call>& one : spoilers) {
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
        for (const spoiler<Call>& other : spoilers) {
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

/// Without a device, cuda queues say so and touch nothing.
template <class Call>
void check_no_device(const std::vector<const std::vector<entry<Call>>*>& forms) {
  if (queue::best().where == backend::cuda) return;
  for (const auto* form : forms) {
    for (const entry<Call>& e : *form) {
      Call c;
      c.q = queue::cuda();
      CAPTURE(e.name);
      CHECK(e.call(c) == err_no_cuda);
      CHECK(c.is_untouched());
    }
  }
}

/// An address that is no multiple of an element's size.
template <class T>
T* misplaced(T* start) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(start) + 1);
}

/// On a GPU each of these slabs, whose names go with the arguments', begins at a whole element.
template <class Call, class T>
void check_misplaced(const std::vector<entry<Call>>& strided,
                     const std::vector<std::pair<std::string, T * Call::*>>& slabs) {
  for (const entry<Call>& e : strided) {
    for (const auto& [argument, start] : slabs) {
      if (e.refusal(argument) == 0) continue;
      Call c;
      c.q = queue::cuda();
      c.*start = misplaced(c.*start);
      CAPTURE(e.name, argument);
      CHECK(e.call(c) == e.refusal(argument));
      CHECK(c.is_untouched());
    }
  }
}

}  // namespace talus::test
