#include "common/text_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

namespace example {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string contents(const std::string& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  // An empty file sets failbit on the output side, a folder sets badbit on the input side.
  if (in) text << in.rdbuf();
  if (!in || in.bad() || (text.fail() && errno != 0))
    throw file_error(file, 0, std::string("cannot be read: ") + std::strerror(errno ? errno : EIO));
  return text.str();
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t enough = 60;
  std::string shown;
  for (const char c : text) {
    char escaped[8] = {c};
    if (c < ' ' || c > '~') std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(c));
    if (shown.size() + std::strlen(escaped) > enough) return "'" + shown + "...'";
    shown += escaped;
  }
  return "'" + shown + "'";
}

text_reader::text_reader(std::string file, char comment, char separator)
    : file_(std::move(file)), text_(contents(file_)), comment_(comment), separator_(separator) {}

bool text_reader::next_line() {
  if (position_ >= text_.size()) return false;
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  whole_line_ = std::string_view(text_).substr(position_, end - position_);
  while (!whole_line_.empty() && is_space(whole_line_.back())) whole_line_.remove_suffix(1);
  rest_ = whole_line_;
  position_ = end + 1;
  ++line_;
  return true;
}

bool text_reader::next_line_with_data() {
  while (next_line()) {
    const std::size_t first = rest_.find_first_not_of(" \t");
    if (first != std::string_view::npos && rest_[first] != comment_) return true;
  }
  return false;
}

std::string_view text_reader::word() {
  const auto skip_blanks = [this] {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
  };
  skip_blanks();
  std::size_t length = 0;
  while (length < rest_.size() && !is_space(rest_[length]) && rest_[length] != separator_) ++length;
  const std::string_view found = rest_.substr(0, length);
  rest_.remove_prefix(length);
  skip_blanks();
  if (!rest_.empty() && rest_.front() == separator_) rest_.remove_prefix(1);
  return found;
}

void text_reader::expect_end_of_line() {
  const std::string_view extra = word();
  if (!extra.empty()) fail("unexpected " + quoted(extra) + " at the end of " + quoted(whole_line_));
}

}  // namespace example
