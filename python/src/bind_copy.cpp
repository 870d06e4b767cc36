// copy: matrices from one layout into another.
#include "call.hpp"
#include "signature.hpp"

namespace nb = nanobind;

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

void copy_arrays(hint::arrays A, hint::arrays B, hint::part part_word, hint::optional<hint::stream> stream) {
  const part which = to_part(part_word);
  call c("copy", stream);
  if (is_list(A)) {
    c.copy_lists("A", A, "B", B, which);
  } else {
    const layout a = c.any_layout("A", A, access::read);
    c.copy(a, c.any_layout("B", B, access::written), which);
  }
  c.run();
}

}  // namespace

void bind_copy(nb::module_& m) {
  def(m, "copy", copy_arrays, "A"_a, "B"_a, "part"_a = "all", nb::kw_only(), "stream"_a = nb::none(),
      R"(B := A, both (*batch, m, n) with any strides: transposed on the way where their layouts
        differ. part: 'lower', 'upper': that triangle, and zeros in the rest of B;
        'mirror_lower', 'mirror_upper': that triangle and its conjugate transpose. A and B may be
        one array, else they share no element.)");
}

}  // namespace talus::python
