// How much memory the host can give without hurting anyone.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <string>

namespace talus::bench {

inline std::size_t available_host_memory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string word; meminfo >> word;) {
    std::size_t kilobytes = 0;
    if (word == "MemAvailable:" && meminfo >> kilobytes) return kilobytes * 1024;
  }
  const long pages = sysconf(_SC_PHYS_PAGES),
             page = sysconf(_SC_PAGESIZE);  // no Linux: half of what there is
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / 2
                               : std::size_t{1} << 30;
}

}  // namespace talus::bench
