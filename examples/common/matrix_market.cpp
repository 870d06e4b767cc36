#include "common/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace example {
namespace {

using reader = text_reader;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

enum class field { real, integer, pattern };
enum class symmetry { none, symmetric, skew };

struct header {
  field values;
  symmetry triangles;
};

field field_of(reader& in, const std::string& keyword) {
  if (keyword == "real") return field::real;
  if (keyword == "integer") return field::integer;
  if (keyword == "pattern") return field::pattern;
  if (keyword == "complex")
    in.fail("field 'complex': only real matrices are read; A + iB is the real matrix [A -B; B A]");
  in.fail("field " + quoted(keyword) + " is none of 'real', 'integer' and 'pattern'");
}

symmetry symmetry_of(reader& in, const std::string& keyword) {
  if (keyword == "general") return symmetry::none;
  if (keyword == "symmetric") return symmetry::symmetric;
  if (keyword == "skew-symmetric") return symmetry::skew;
  if (keyword == "hermitian")
    in.fail("symmetry 'hermitian' is for complex matrices: a real one is 'symmetric'");
  in.fail("symmetry " + quoted(keyword) + " is none of 'general', 'symmetric' and 'skew-symmetric'");
}

header read_header(reader& in) {
  if (!in.next_line()) in.fail("the file is empty");
  if (lower_case(in.word()) != "%%matrixmarket")
    in.fail("a Matrix Market file starts with '%%MatrixMarket', this one with " + quoted(in.whole_line()));

  const auto keyword = [&](const char* what) {
    const std::string_view found = in.word();
    if (found.empty()) in.fail(std::string("the ") + what + " is missing in " + quoted(in.whole_line()));
    return lower_case(found);
  };
  const std::string object = keyword("object"), format = keyword("format"), values = keyword("field"),
                    triangles = keyword("symmetry");
  in.expect_end_of_line();
  if (object != "matrix") in.fail("object " + quoted(object) + " is not 'matrix'");
  if (format != "coordinate") in.fail("format " + quoted(format) + " is not 'coordinate' (a sparse matrix)");
  const header head{field_of(in, values), symmetry_of(in, triangles)};
  if (head.values == field::pattern && head.triangles == symmetry::skew)
    in.fail("a skew-symmetric matrix has values of both signs: its field cannot be 'pattern'");
  return head;
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

double read_value(reader& in, field values) {
  if (values == field::pattern) return 1;
  const double value = values == field::integer ? static_cast<double>(in.number<std::int64_t>("value"))
                                                : in.number<double>("value");
  if (!std::isfinite(value)) in.fail("value " + std::to_string(value) + " is not finite");
  return value;
}

std::string position(int row, int column) {
  return "(" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + ")";
}

/// Moves an entry of a symmetric or skew-symmetric matrix to the lower triangle.
void mirror(reader& in, symmetry triangles, sparse_matrix::entry& e) {
  if (triangles == symmetry::skew && e.row == e.column && e.value != 0)
    in.fail("entry " + position(e.row, e.column) + " is not 0: a skew-symmetric matrix has a zero diagonal");
  e.above_diagonal = e.row < e.column;
  if (!e.above_diagonal) return;
  std::swap(e.row, e.column);
  if (triangles == symmetry::skew) e.value = -e.value;
}

void sort(std::vector<sparse_matrix::entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
}

/// Sums sorted entries of the same position, in the file's order. Patterns have the position once.
void sum_duplicates(sparse_matrix& A, field values) {
  std::size_t count = 0;
  for (const sparse_matrix::entry& e : A.entries) {
    sparse_matrix::entry* last = count > 0 ? &A.entries[count - 1] : nullptr;
    if (!last || last->row != e.row || last->column != e.column) {
      A.entries[count++] = e;
      continue;
    }
    if (last->above_diagonal != e.above_diagonal)
      throw file_error(A.file, std::max(last->line, e.line),
                       "entry " + position(e.row, e.column) +
                           " is stored on both sides of the diagonal, on line " +
                           std::to_string(std::min(last->line, e.line)) +
                           ", too: a symmetric or skew-symmetric matrix stores it once");
    if (values != field::pattern) last->value += e.value;
    if (!std::isfinite(last->value))
      throw file_error(A.file, e.line,
                       "entry " + position(e.row, e.column) + ": the sum of its values is not finite");
  }
  A.entries.resize(count);
}

/// Appends the upper triangle of a skew-symmetric matrix.
void add_upper_triangle(std::vector<sparse_matrix::entry>& entries) {
  const std::size_t lower = entries.size();
  for (std::size_t k = 0; k < lower; ++k) {
    sparse_matrix::entry e = entries[k];
    if (e.row == e.column) continue;
    std::swap(e.row, e.column);
    e.value = -e.value;
    entries.push_back(e);
  }
}

}  // namespace

sparse_matrix read_matrix_market(const std::string& file) {
  reader in(file, '%');
  const header head = read_header(in);

  if (!in.next_line_with_data()) in.fail("the size line (rows, columns, entries) is missing");
  sparse_matrix A{file, in.line(), 0, 0, head.triangles == symmetry::symmetric, {}};
  A.rows = read_size(in, "number of rows");
  A.columns = read_size(in, "number of columns");
  const auto promised = in.number<std::int64_t>("number of entries");
  in.expect_end_of_line();
  if (promised < 0) in.fail("number of entries " + std::to_string(promised) + " is negative");
  if (head.triangles != symmetry::none && A.rows != A.columns)
    in.fail("a " + std::string(A.symmetric ? "symmetric" : "skew-symmetric") + " matrix cannot be " +
            std::to_string(A.rows) + " x " + std::to_string(A.columns));

  // An entry takes at least six bytes ("1 1 1\n"), of a pattern four: a false promise must not reserve what
  // the file cannot hold.
  const std::size_t bytes = head.values == field::pattern ? 4 : 6;
  A.entries.reserve(
      static_cast<std::size_t>(std::min(promised, static_cast<std::int64_t>(in.bytes() / bytes + 1))));
  std::int64_t found = 0;
  for (; in.next_line_with_data(); ++found) {
    if (found == promised)
      in.fail("more entries than the " + std::to_string(promised) + " that the size line promised");
    sparse_matrix::entry e{};
    e.row = read_index(in, "row", A.rows);
    e.column = read_index(in, "column", A.columns);
    e.value = read_value(in, head.values);
    e.line = in.line();
    in.expect_end_of_line();
    if (head.triangles != symmetry::none) mirror(in, head.triangles, e);
    A.entries.push_back(e);
  }
  if (found < promised)
    in.fail("the file ends after " + std::to_string(found) + " of " + std::to_string(promised) + " entries");
  sort(A.entries);
  sum_duplicates(A, head.values);
  if (head.triangles == symmetry::skew) {
    add_upper_triangle(A.entries);
    sort(A.entries);
  }
  return A;
}

}  // namespace example
