// A file that is gone when the test is over.
#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace talus::test {

class temporary_file {
 public:
  explicit temporary_file(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  ~temporary_file() { std::remove(path_.c_str()); }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ =
      (std::filesystem::temp_directory_path() /
       ("talus_" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + ".txt"))
          .string();
};

}  // namespace talus::test
