#include "measure/facts.hpp"

#include <ctime>

#include "version.hpp"

namespace talus::measure {

facts facts_of(const machine& m, backend where, const std::string& command) {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", std::gmtime(&now));
  return {{where == backend::cuda ? "GPU" : "CPU", m.name},
          {"details", m.details},
          {"bandwidth", formatted("%.4g GB/s", m.bandwidth * 1e-9)},
          {"peak single", formatted("%.4g GFLOP/s", m.peak_single * 1e-9)},
          {"peak double", formatted("%.4g GFLOP/s", m.peak_double * 1e-9)},
          {"commit", commit},
          {"command", command},
          {"date", date}};
}

}  // namespace talus::measure
