// copy: matrices from one layout into another.
#include <deque>

#include "call.hpp"
#include "routines.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace talus::python {
namespace {

part to_part(std::string_view word) {
  static constexpr std::pair<const char*, part> parts[] = {{"all", part::all},
                                                           {"lower", part::lower},
                                                           {"upper", part::upper},
                                                           {"mirror_lower", part::mirror_lower},
                                                           {"mirror_upper", part::mirror_upper}};
  for (const auto& [name, value] : parts)
    if (word == name) return value;
  throw nb::value_error(
      ("part: '" + std::string(word) + "' is none of 'all', 'lower', 'upper', 'mirror_lower', 'mirror_upper'")
          .c_str());
}

/// Of lists all arrays are looked at before the first one is copied.
void copy_arrays(nb::handle A, nb::handle B, std::string_view part_word, nb::handle stream) {
  const part which = to_part(part_word);
  if (is_list(A) != is_list(B) || (is_list(A) && nb::len(A) != nb::len(B)))
    throw nb::value_error("B: has to be a list as long as A, or both have to be arrays");
  std::deque<call> calls;
  const auto add = [&](nb::handle from, nb::handle to) {
    call& c = calls.emplace_back("copy", stream);
    const layout a = c.any_layout("A", from, access::read);
    c.copy(a, c.any_layout("B", to, access::written), which);
  };
  if (is_list(A))
    for (std::size_t i = 0, length = nb::len(A); i < length; ++i) add(nb::object(A[i]), nb::object(B[i]));
  else
    add(A, B);
  for (call& c : calls) c.run();
}

}  // namespace

void bind_copy(nb::module_& m) {
  m.def("copy", copy_arrays, "A"_a.none(), "B"_a.none(), "part"_a = "all", nb::kw_only(),
        "stream"_a = nb::none(),
        R"(B := A, both (*batch, m, n) with any strides: transposed on the way where their layouts
        differ. part: 'lower', 'upper': that triangle, and zeros in the rest of B;
        'mirror_lower', 'mirror_upper': that triangle and its conjugate transpose. A and B may be
        one array, else they share no element. Lists are copied one by one.)");
}

}  // namespace talus::python
