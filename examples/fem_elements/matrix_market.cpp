#include "matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>

namespace fem {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string quoted(std::string_view text) {
  constexpr std::size_t enough = 60;
  return "'" + std::string(text.substr(0, enough)) + (text.size() > enough ? "...'" : "'");
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// The words of a text, line by line. Knows the line it is in, so that whoever complains can say where.
class reader {
 public:
  reader(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {}

  [[noreturn]] void fail(const std::string& what) const { throw file_error(file_, line_, what); }

  std::int64_t line() const { return line_; }
  std::size_t bytes() const { return text_.size(); }
  std::string_view whole_line() const { return whole_line_; }

  bool next_line() {
    if (position_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    whole_line_ = std::string_view(text_).substr(position_, end - position_);
    while (!whole_line_.empty() && is_space(whole_line_.back())) whole_line_.remove_suffix(1);
    rest_ = whole_line_;
    position_ = end + 1;
    ++line_;
    return true;
  }

  /// Skips blank lines and comments.
  bool next_line_with_data() {
    while (next_line()) {
      const std::size_t first = rest_.find_first_not_of(" \t");
      if (first != std::string_view::npos && rest_[first] != '%') return true;
    }
    return false;
  }

  /// The next word of this line, empty at its end.
  std::string_view word() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest_.size() && !is_space(rest_[length])) ++length;
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
  }

  template <class Number>
  Number number(const char* what) {
    const std::string_view found = word();
    if (found.empty()) fail(std::string(what) + " is missing in " + quoted(whole_line_));
    std::string_view digits = found;
    if (digits.front() == '+') digits.remove_prefix(1);  // from_chars knows no plus sign
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range)
      fail(std::string(what) + " " + quoted(found) + " is out of range");
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(std::string(what) + " " + quoted(found) +
           (std::is_integral_v<Number> ? " is not an integer" : " is not a number"));
    return value;
  }

  void expect_end_of_line() {
    const std::string_view extra = word();
    if (!extra.empty()) fail("unexpected " + quoted(extra) + " at the end of " + quoted(whole_line_));
  }

 private:
  std::string file_, text_;
  std::string_view whole_line_, rest_;
  std::size_t position_ = 0;
  std::int64_t line_ = 0;
};

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

struct header {
  bool integer, symmetric;
};

header read_header(reader& in) {
  if (!in.next_line()) in.fail("the file is empty");
  if (lower_case(in.word()) != "%%matrixmarket")
    in.fail("a Matrix Market file starts with '%%MatrixMarket', this one with " + quoted(in.whole_line()));

  const auto keyword = [&](const char* what) {
    const std::string_view found = in.word();
    if (found.empty()) in.fail(std::string("the ") + what + " is missing in " + quoted(in.whole_line()));
    return lower_case(found);
  };
  const std::string object = keyword("object"), format = keyword("format"), field = keyword("field"),
                    symmetry = keyword("symmetry");
  in.expect_end_of_line();
  if (object != "matrix") in.fail("object " + quoted(object) + " is not 'matrix'");
  if (format != "coordinate") in.fail("format " + quoted(format) + " is not 'coordinate' (a sparse matrix)");
  if (field == "pattern") in.fail("field 'pattern': the matrix has no values");
  if (field != "real" && field != "integer")
    in.fail("field " + quoted(field) + " is neither 'real' nor 'integer'");
  if (symmetry != "general" && symmetry != "symmetric")
    in.fail("symmetry " + quoted(symmetry) + " is neither 'general' nor 'symmetric'");
  return {field == "integer", symmetry == "symmetric"};
}

int read_size(reader& in, const char* what) {
  const auto value = in.number<std::int64_t>(what);
  if (value < 1 || value > std::numeric_limits<int>::max())
    in.fail(std::string(what) + " " + std::to_string(value) + " is not between 1 and " +
            std::to_string(std::numeric_limits<int>::max()));
  return static_cast<int>(value);
}

int read_index(reader& in, const char* what, int count) {
  const auto value = in.number<std::int64_t>(what);
  if (value < 1 || value > count)
    in.fail(std::string(what) + " " + std::to_string(value) + " is not between 1 and " +
            std::to_string(count));
  return static_cast<int>(value - 1);
}

double read_value(reader& in, bool integer) {
  const double value =
      integer ? static_cast<double>(in.number<std::int64_t>("value")) : in.number<double>("value");
  if (!std::isfinite(value)) in.fail("value " + std::to_string(value) + " is not finite");
  return value;
}

/// Sorts by column, then row, and sums what stands at the same place, in the file's order.
void sort_and_sum(std::vector<sparse_matrix::entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  std::size_t count = 0;
  for (const sparse_matrix::entry& e : entries) {
    if (count > 0 && entries[count - 1].row == e.row && entries[count - 1].column == e.column)
      entries[count - 1].value += e.value;
    else
      entries[count++] = e;
  }
  entries.resize(count);
}

}  // namespace

sparse_matrix read_matrix_market(const std::string& file) {
  reader in(file, contents(file));
  const header head = read_header(in);

  if (!in.next_line_with_data()) in.fail("the size line (rows, columns, entries) is missing");
  sparse_matrix A{file, in.line(), 0, 0, head.symmetric, {}};
  A.rows = read_size(in, "number of rows");
  A.columns = read_size(in, "number of columns");
  const auto promised = in.number<std::int64_t>("number of entries");
  in.expect_end_of_line();
  if (promised < 0) in.fail("number of entries " + std::to_string(promised) + " is negative");
  if (A.symmetric && A.rows != A.columns)
    in.fail("a symmetric matrix cannot be " + std::to_string(A.rows) + " x " + std::to_string(A.columns));

  // An entry takes at least six bytes ("1 1 1\n"): a false promise must not reserve what the file cannot
  // hold.
  A.entries.reserve(
      static_cast<std::size_t>(std::min(promised, static_cast<std::int64_t>(in.bytes() / 6 + 1))));
  std::int64_t found = 0;
  for (; in.next_line_with_data(); ++found) {
    if (found == promised)
      in.fail("more entries than the " + std::to_string(promised) + " that the size line promised");
    sparse_matrix::entry e{};
    e.row = read_index(in, "row", A.rows);
    e.column = read_index(in, "column", A.columns);
    e.value = read_value(in, head.integer);
    e.line = in.line();
    in.expect_end_of_line();
    if (A.symmetric && e.row < e.column)
      in.fail("entry (" + std::to_string(e.row + 1) + ", " + std::to_string(e.column + 1) +
              ") lies above the diagonal of a symmetric matrix, whose file holds the lower triangle");
    A.entries.push_back(e);
  }
  if (found < promised)
    in.fail("the file ends after " + std::to_string(found) + " of " + std::to_string(promised) + " entries");
  sort_and_sum(A.entries);
  return A;
}

}  // namespace fem
