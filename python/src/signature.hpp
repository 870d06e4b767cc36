// Python signatures. The parameter types of a bound function are types of namespace `hint`, and each has the
// name that type checkers see. `def` joins these names with the names and defaults of the parameters to a
// signature. Docstrings show this signature, and the stub _talus.pyi is generated from it. stub.pat defines
// the names of the types.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/string_view.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace talus::python {
namespace hint {

/// Any object, None included. The binding checks it, so that errors begin with the argument's name.
struct object {
  nanobind::handle value;
  operator nanobind::handle() const { return value; }
};
struct array : object {
  static constexpr const char* name = "_Array";
};
/// An array, or a list of arrays of different sizes.
struct arrays : object {
  static constexpr const char* name = "_Arrays";
};
struct list_of_arrays : object {
  static constexpr const char* name = "Sequence[_Array]";
};
struct sizes : object {
  static constexpr const char* name = "_Sizes";
};
struct stream : object {
  static constexpr const char* name = "_StreamLike";
};

/// A string, which the binding converts to an enum of talus.
struct word {
  std::string_view text;
  operator std::string_view() const { return text; }
};
struct uplo : word {
  static constexpr const char* name = "_Uplo";
};
struct op : word {
  static constexpr const char* name = "_Op";
};
struct side : word {
  static constexpr const char* name = "_Side";
};
struct diag : word {
  static constexpr const char* name = "_Diag";
};
struct form : word {
  static constexpr const char* name = "_Form";
};
struct schur : word {
  static constexpr const char* name = "_Schur";
};
struct part : word {
  static constexpr const char* name = "_Part";
};

/// A T, or None.
template <class T>
struct optional : T {};

template <class T>
struct name_of {
  static std::string get() { return T::name; }
};
template <class T>
struct name_of<optional<T>> {
  static std::string get() { return name_of<T>::get() + " | None"; }
};
template <>
struct name_of<double> {
  static std::string get() { return "float"; }
};
template <>
struct name_of<std::complex<double>> {
  static std::string get() { return "complex"; }
};

}  // namespace hint

/// The name and the default of a parameter.
struct parameter_with_default {
  const char* name;
  nanobind::object value;
};

/// The name of a parameter: "A"_a, or "A_from"_a = nb::none() with a default.
struct parameter {
  const char* name;

  template <class T>
  parameter_with_default operator=(const T& value) const {
    return {name, nanobind::cast(value)};
  }
};

inline namespace literals {
constexpr parameter operator""_a(const char* name, std::size_t) { return {name}; }
}  // namespace literals

/// The signature of a routine, "def potrf(uplo: _Uplo, A: _Arrays, ...) -> None", and its docstring.
class signature {
 public:
  /// types: one for each parameter, in order.
  signature(const char* routine, const std::string* types)
      : text_(std::string("def ") + routine + "("), type_(types) {}

  void add(const parameter& p) { add_item(std::string(p.name) + ": " + *type_++); }
  void add(const parameter_with_default& p) {
    add_item(std::string(p.name) + ": " + *type_++ + " = " + nanobind::repr(p.value).c_str());
  }
  void add(nanobind::kw_only) { add_item("*"); }
  /// Removes the indentation from a docstring, so that it is indented neither in help() nor in the stub.
  void add(const char* docstring) {
    for (const char* c = docstring; *c; ++c)
      if (*c != ' ' || docstring_.empty() || docstring_.back() != '\n') docstring_ += *c;
  }

  // What nanobind receives for each item that was added.
  auto for_nanobind(const parameter& p) const { return nanobind::arg(p.name).none(); }
  auto for_nanobind(const parameter_with_default& p) const { return nanobind::arg(p.name).none() = p.value; }
  nanobind::kw_only for_nanobind(nanobind::kw_only k) const { return k; }
  const char* for_nanobind(const char* /* docstring */) const { return docstring_.c_str(); }

  std::string text() const { return text_ + ") -> None"; }

 private:
  void add_item(const std::string& item) { text_ += (text_.back() == '(' ? "" : ", ") + item; }

  std::string text_, docstring_;
  const std::string* type_;
};

/// Adds a routine to the module: its name, the function, its parameters, and the docstring.
template <class... Types, class... Items>
void def(nanobind::module_& m, const char* name, void (*function)(Types...), const Items&... items) {
  const std::string types[] = {hint::name_of<Types>::get()...};
  signature s(name, types);
  (s.add(items), ...);
  m.def(name, function, s.for_nanobind(items)..., nanobind::sig(s.text().c_str()));
}

}  // namespace talus::python

namespace nanobind::detail {

template <class T>
struct type_caster<T, enable_if_t<std::is_base_of_v<talus::python::hint::object, T>>> {
  NB_TYPE_CASTER(T, const_name("object"))

  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    value.value = source;
    return true;
  }
};

template <class T>
struct type_caster<T, enable_if_t<std::is_base_of_v<talus::python::hint::word, T>>> {
  NB_TYPE_CASTER(T, const_name("str"))

  bool from_python(handle source, std::uint32_t, cleanup_list* cleanup) noexcept {
    make_caster<std::string_view> text;
    if (!text.from_python(source, 0, cleanup)) return false;
    value.text = text.value;
    return true;
  }
};

}  // namespace nanobind::detail
