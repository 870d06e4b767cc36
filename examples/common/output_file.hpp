// A file that an option asks a program to write, beside what it prints.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "common/program.hpp"

namespace example {

/// Throws where the file cannot be written, and names the option.
class output_file {
 public:
  output_file(const std::string& option, const std::string& name)
      : title_(option + " " + name), file_(std::fopen(name.c_str(), "w")) {
    if (!file_) throw std::runtime_error(title_ + ": cannot be written: " + std::strerror(errno));
  }
  void write(const std::string& text) const {
    std::fwrite(text.data(), 1, text.size(), file_.get());
    require_written(file_.get(), title_);
  }

 private:
  struct close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string title_;
  std::unique_ptr<std::FILE, close> file_;
};

/// None where the option was not given.
inline std::unique_ptr<output_file> optional_file(const std::string& option, const std::string& name) {
  return name.empty() ? nullptr : std::make_unique<output_file>(option, name);
}

}  // namespace example
