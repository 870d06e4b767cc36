// The libraries that talus is compared with: a name, and a function that runs a routine on a problem.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "problem.hpp"

namespace talus::bench {

template <class T>
struct library {
  std::string name;
  std::string variant;  // of several entries under one name the fastest counts, and its variant is noted
  bool writes_info;     // one int per matrix, as talus does
  std::function<void(const problem<T>&, int copy)> run;  // on a cuda problem it may return before it is done
  int n_min = 1, n_max = std::numeric_limits<int>::max();  // no use in measuring it elsewhere
};

/// What a routine moves. `copy`, the peer that computes nothing, moves the same.
struct traffic {
  bool writes_A, has_B;
};

/// Every name that can be asked for, on either backend.
extern const std::vector<std::string> peer_names;

/// The peers of this build that serve a routine on a backend.
template <class T>
std::vector<library<T>> host_peers(const std::string& routine, traffic what);
template <class T>
std::vector<library<T>> cuda_peers(const std::string& routine, traffic what, int nrhs);
template <class T>
std::vector<library<T>> cuda_copies(traffic what);

/// Why there is no such entry: not built in, on the other backend, or the library has no such routine.
std::string why_absent(const std::string& peer, const std::string& routine, backend where);

}  // namespace talus::bench
