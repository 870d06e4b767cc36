// Reads small text files word by word, and says where in the file it is when it complains.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace example {

/// What() reads "FILE:LINE: what is wrong".
class file_error : public std::runtime_error {
 public:
  file_error(const std::string& file, std::int64_t line, const std::string& what)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + what) {}
};

/// In quotation marks, cut where it gets long; bytes that are no printable ASCII as \x1b.
std::string quoted(std::string_view text);

/// The words of a file, line by line: divided by blanks, or by `separator` and blanks around it. Knows the
/// line it is in.
class text_reader {
 public:
  /// Throws file_error (line 0) if the file cannot be read. Lines that begin with `comment` hold no data.
  text_reader(std::string file, char comment, char separator = ' ');

  [[noreturn]] void fail(const std::string& what) const { throw file_error(file_, line_, what); }

  std::int64_t line() const { return line_; }
  std::size_t bytes() const { return text_.size(); }
  std::string_view whole_line() const { return whole_line_; }

  bool next_line();

  /// Skips blank lines and comments.
  bool next_line_with_data();

  /// The next word of this line, empty at its end, or where nothing stands between two separators.
  std::string_view word();

  /// Real numbers may have Fortran's exponents: 1.0D+03.
  template <class Number>
  Number number(const char* what) {
    const std::string_view found = word();
    if (found.empty()) fail(std::string(what) + " is missing in " + quoted(whole_line_));
    std::string digits(found.front() == '+' ? found.substr(1) : found);  // from_chars accepts no plus sign
    if constexpr (std::is_floating_point_v<Number>)
      for (char& c : digits)
        if (c == 'd' || c == 'D') c = 'e';
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range)
      fail(std::string(what) + " " + quoted(found) + " is out of range");
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(std::string(what) + " " + quoted(found) +
           (std::is_integral_v<Number> ? " is not an integer" : " is not a number"));
    return value;
  }

  void expect_end_of_line();

 private:
  std::string file_, text_;
  std::string_view whole_line_, rest_;
  char comment_, separator_;
  std::size_t position_ = 0;
  std::int64_t line_ = 0;
};

}  // namespace example
