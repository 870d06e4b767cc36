#include "common/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

namespace example {
namespace {

using reader = text_reader;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
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
  reader in(file, '%');
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

}  // namespace example
