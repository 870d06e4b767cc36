// The libraries that talus is compared with: a name, and a function that runs a routine on a problem.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "problem.hpp"
#include "variable.hpp"

namespace talus::bench {

/// One way to do the work, on problems of one kind.
template <class Problem>
struct way {
  std::string name;
  std::string variant;  // of several entries under one name the fastest counts, and its variant is noted
  bool writes_info;     // one int per matrix, as talus does
  std::function<void(const Problem&, int copy)> run;  // on a cuda problem it may return before it is done
  int n_min = 1, n_max = std::numeric_limits<int>::max();  // no use in measuring it elsewhere

  /// If set: called before the clock starts, for each copy once it is restored.
  std::function<void(const Problem&, int copy)> prepare = {};
  /// If set: called after the run on copy 0 that is checked, instead of the check that all others get, which
  /// it may call. Returns a complaint, or nothing.
  std::function<std::string(const Problem&, const std::function<std::string()>& usual)> check = {};
};

template <class T>
using library = way<problem<T>>;
template <class T>
using variable_library = way<variable_problem<T>>;

/// What a routine moves. `copy`, the peer that computes nothing, moves the same.
struct traffic {
  bool writes_A, has_B;
};

/// Every name that can be asked for, on either backend, for a routine of one size.
extern const std::vector<std::string> peer_names;

/// The peers of this build that serve a routine on a backend.
template <class T>
std::vector<library<T>> host_peers(const std::string& routine, traffic what);
template <class T>
std::vector<library<T>> cuda_peers(const std::string& routine, traffic what, int nrhs);
template <class T>
std::vector<library<T>> cuda_copies(traffic what);

/// The peers that serve potrf_vbatched.
template <class T>
std::vector<variable_library<T>> variable_host_peers();
template <class T>
std::vector<variable_library<T>> variable_cuda_peers();
template <class T>
std::vector<variable_library<T>> variable_cuda_copies(const variable_problem<T>& p);

/// Why there is no such entry: not built in, on the other backend, or the library has no such routine.
std::string why_absent(const std::string& peer, const std::string& routine, backend where);

}  // namespace talus::bench
