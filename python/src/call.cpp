#include "call.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "pivots.hpp"
#include "validate.hpp"

namespace nb = nanobind;

namespace talus::python {
namespace {

std::string words_of(const std::int64_t* numbers, std::size_t count) {
  std::string words = "(";
  for (std::size_t i = 0; i < count; ++i) words += (i ? ", " : "") + std::to_string(numbers[i]);
  return words + (count == 1 ? ",)" : ")");
}

std::string name_of(dlpack::type type) {
  const char* kind = type.code == dlpack::integer   ? "int"
                     : type.code == dlpack::real    ? "float"
                     : type.code == dlpack::complex ? "complex"
                                                    : nullptr;
  if (!kind || type.lanes != 1) return "DLPack's type code " + std::to_string(type.code);
  return kind + std::to_string(type.bits);
}

std::string name_of(dlpack::device device) {
  if (device.type == dlpack::cpu) return "the CPU";
  if (device.type == dlpack::cuda) return "CUDA device " + std::to_string(device.id);
  return "DLPack's device type " + std::to_string(device.type);
}

[[noreturn]] void type_error(const char* name, const std::string& why) {
  throw nb::type_error((std::string(name) + ": " + why).c_str());
}
[[noreturn]] void value_error(const char* name, const std::string& why) {
  throw nb::value_error((std::string(name) + ": " + why).c_str());
}

template <class E, std::size_t count>
E to_enum(const char* name, std::string_view word, const std::pair<const char*, E> (&values)[count]) {
  std::string legal;
  for (const auto& [each, value] : values) {
    if (word == each || (word.size() == 1 && word[0] == static_cast<char>(value))) return value;
    legal += (legal.empty() ? "'" : ", '") + std::string(each) + "'";
  }
  value_error(name, "'" + std::string(word) + "' is none of " + legal);
}

constexpr std::size_t alignment = 16;  // of each array among what is uploaded

}  // namespace

bool is_list(nb::handle object) { return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr()); }

uplo to_uplo(const char* name, std::string_view word) {
  return to_enum<uplo>(name, word, {{"lower", uplo::lower}, {"upper", uplo::upper}});
}
op to_op(const char* name, std::string_view word) {
  return to_enum<op>(name, word, {{"none", op::none}, {"trans", op::trans}, {"conj_trans", op::conj_trans}});
}
side to_side(const char* name, std::string_view word) {
  return to_enum<side>(name, word, {{"left", side::left}, {"right", side::right}});
}
diag to_diag(const char* name, std::string_view word) {
  return to_enum<diag>(name, word, {{"non_unit", diag::non_unit}, {"unit", diag::unit}});
}
form to_form(const char* name, std::string_view word) {
  return to_enum<form>(name, word, {{"lapack", form::lapack}, {"left", form::left}});
}
schur to_schur(const char* name, std::string_view word) {
  return to_enum<schur>(name, word, {{"subtract", schur::subtract}, {"product", schur::product}});
}

struct call::view {
  const char* name;
  dlpack::type type;
  char* data;
  std::size_t ndim;
  const std::int64_t *shape, *strides;  // of the borrowed array
  bool of_columns = false;              // each of its vectors is taken as a matrix of one column

  std::size_t dimensions() const { return ndim + of_columns; }
  /// From the end: 1 is the last one.
  std::int64_t extent(std::size_t i) const {
    return !of_columns ? shape[ndim - i] : i == 1 ? 1 : shape[ndim + 1 - i];
  }
  std::int64_t stride(std::size_t i) const {
    return !of_columns ? strides[ndim - i] : i == 1 ? 1 : strides[ndim + 1 - i];
  }
  /// Strides of an array without elements mean nothing.
  bool is_empty() const { return std::find(shape, shape + ndim, 0) != shape + ndim; }
};

call::call(const char* routine, nb::handle stream) : routine_(routine) {
  held_.reserve(8);  // nearly always enough
  if (stream.is_none()) return;
  nb::object number = nb::borrow(stream);
  if (nb::hasattr(stream, "__cuda_stream__")) number = nb::object(stream.attr("__cuda_stream__")())[1];
  std::uintptr_t address = 0;
  if (!nb::try_cast(number, address))
    type_error("stream", "neither None nor an int that is a cudaStream_t nor an object with __cuda_stream__");
  stream_ = reinterpret_cast<void*>(address);
}

void call::raise(int status) const {
  const std::string words = std::string(routine_) + ": " + strerror(status);
  if (status > -100) throw nb::value_error(words.c_str());
  throw std::runtime_error(words);
}

call::view call::look(const char* name, nb::handle array, access how) {
  const borrowed& it = held_.emplace_back(name, array, stream_, how == access::read);
  const dlpack::tensor& t = it.tensor;
  dlpack::device device = t.device;
  if (device.type == dlpack::cuda_host) device = {dlpack::cpu, 0};
  if (device.type == dlpack::cuda_managed) device.type = dlpack::cuda;
  if (device.type != dlpack::cpu && device.type != dlpack::cuda)
    value_error(name, "lives on " + name_of(device) + "; Talus works on the CPU and on CUDA devices");
#if !defined(TALUS_WITH_CUDA)
  if (device.type == dlpack::cuda)
    value_error(name, "lives on " + name_of(device) + ", but this Talus was built without CUDA");
#endif
  if (!device_) device_ = device;
  if (device.type != device_->type || (device.type == dlpack::cuda && device.id != device_->id))
    value_error(name, "lives on " + name_of(device) + ", arrays before it on " + name_of(*device_));
  if (how == access::written && it.read_only)
    type_error(name, "is read-only, and " + std::string(routine_) + " writes it");

  const view v{
      name,    t.type,   static_cast<char*>(t.data) + t.byte_offset, static_cast<std::size_t>(t.ndim),
      t.shape, t.strides};
  if (!t.data && !v.is_empty()) value_error(name, "has no memory");
  return v;
}

void call::be_of_the_type(const view& v) {
  type found = type::none;
  if (v.type.lanes == 1 && v.type.code == dlpack::real)
    found = v.type.bits == 32 ? type::s : v.type.bits == 64 ? type::d : found;
  if (v.type.lanes == 1 && v.type.code == dlpack::complex)
    found = v.type.bits == 64 ? type::c : v.type.bits == 128 ? type::z : found;
  if (found == type::none)
    type_error(v.name, "is of " + name_of(v.type) + "; Talus has float32, float64, complex64 and complex128");
  static const std::string built =
#if defined(TALUS_HAVE_S)
      "s"
#endif
#if defined(TALUS_HAVE_D)
      "d"
#endif
#if defined(TALUS_HAVE_C)
      "c"
#endif
#if defined(TALUS_HAVE_Z)
      "z"
#endif
      "";
  if (built.find(static_cast<char>(found)) == std::string::npos)
    type_error(v.name,
               "is of " + name_of(v.type) + ", without which this Talus was built (TALUS_PRECISIONS)");
  if (type_ == type::none) {
    type_ = found;
    type_from_ = v.name;
  }
  if (found != type_)
    type_error(v.name, "is of " + name_of(v.type) + ", not of the same type as " + type_from_);
  if (found == type::z && device_->type == dlpack::cuda && reinterpret_cast<std::uintptr_t>(v.data) % 16 != 0)
    value_error(v.name, "starts at an address that is no multiple of 16, as complex128 on a GPU has to");
}

void call::be_of_int32(const view& v) {
  if (v.type.code != dlpack::integer || v.type.bits != 32 || v.type.lanes != 1)
    type_error(v.name, "is of " + name_of(v.type) + ", not of int32");
}

void call::same_batch(const view& v, std::size_t dimensions) {
  const std::int64_t* const end = v.shape + dimensions;
  if (!batch_) {
    batch_.emplace(v.shape, end);
    count_ = 1;
    for (const std::int64_t each : *batch_) count_ *= each;
    count_from_ = v.name;
  }
  if (!std::equal(v.shape, end, batch_->begin(), batch_->end()))
    value_error(v.name, "its batch is " + words_of(v.shape, dimensions) + ", that of " + count_from_ + " " +
                            words_of(batch_->data(), batch_->size()));
}

std::int64_t call::stride_of_batch(const view& v, std::size_t dimensions) const {
  if (count_ <= 1) return 0;
  std::int64_t stride = 0, next = 0;
  bool first = true;
  for (std::size_t i = dimensions; i-- > 0;) {
    if (v.shape[i] == 1) continue;
    if (first)
      stride = v.strides[i];
    else if (v.strides[i] != next)
      value_error(v.name, "strides " + words_of(v.strides, dimensions) + " of the batch " +
                              words_of(v.shape, dimensions) + " are not one distance between matrices");
    first = false;
    next = v.strides[i] * v.shape[i];
  }
  if (stride < 0) value_error(v.name, "a stride of its batch is negative");
  return stride;
}

void call::choose_form(const char* name, bool of_list) {
  if (!mixed_) mixed_ = of_list;
  if (of_list != *mixed_)
    type_error(name, of_list ? "is a list, but arguments before it are not"
                             : "is no list, but arguments before it are");
}

std::size_t call::pack(const void* data, std::size_t bytes) {
  const std::size_t offset = (packed_.size() + alignment - 1) / alignment * alignment;
  packed_.resize(offset + bytes);
  if (bytes) std::memcpy(packed_.data() + offset, data, bytes);
  return offset;
}

/// The operand of a list, from what one(array's view) says of each.
template <class One>
operand call::each_of(const char* name, nb::handle list, One one) {
  operand whole{name};
  std::vector<void*> starts;
  const std::size_t length = nb::len(list);
  for (extent* each : {&whole.m, &whole.n, &whole.ld}) each->each.reserve(length);
  for (std::size_t b = 0; b < length; ++b) {
    const operand each = one(nb::object(list[b]));
    whole.m.each.push_back(each.m.all);
    whole.n.each.push_back(each.n.all);
    whole.ld.each.push_back(each.ld.all);
    starts.push_back(each.data);
  }
  for (extent* each : {&whole.m, &whole.n, &whole.ld}) {
    for (const int value : each->each) each->all = std::max(each->all, value);
    each->offset = pack(each->each.data(), length * sizeof(int));
  }
  whole.starts = pack(starts.data(), length * sizeof(void*));
  same_length(name, length);
  return whole;
}

/// Of lists.
void call::same_length(const char* name, std::size_t length) {
  if (!batch_) {
    batch_ = std::vector<std::int64_t>{static_cast<std::int64_t>(length)};
    count_ = batch_->front();
    count_from_ = name;
  }
  if (static_cast<std::int64_t>(length) != count_)
    value_error(name,
                "holds " + std::to_string(length) + " arrays, " + count_from_ + " " + std::to_string(count_));
}

operand call::matrices_in(const char* name, nb::handle array, access how, order allowed, bool or_vectors) {
  const bool of_list = is_list(array);
  choose_form(name, of_list);
  bool by_rows = false, known = false;  // known: of a list, by an array before
  const auto one = [&](nb::handle object) {
    view v = look(name, object, how);
    be_of_the_type(v);
    if (or_vectors) be_columns(v);
    if (v.dimensions() < 2 || (of_list && v.dimensions() != 2))
      value_error(name, "has " + std::to_string(v.dimensions()) + " dimensions, " +
                            (of_list ? "not 2" : "not 2 or more"));
    const std::size_t batch_dimensions = v.dimensions() - 2;
    if (!of_list) same_batch(v, batch_dimensions);
    const std::int64_t m = v.extent(2), n = v.extent(1), row = v.stride(2), column = v.stride(1);
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    const std::int64_t ld_of_columns = n > 1 ? column : std::max<std::int64_t>(1, m);
    const std::int64_t ld_of_rows = m > 1 ? row : std::max<std::int64_t>(1, n);
    if (m > most || n > most || ld_of_columns > most || ld_of_rows > most)
      value_error(name, "a dimension or a stride of its matrices is beyond 32 bits");
    const bool is_empty = v.is_empty();
    const bool columns = is_empty || ((m <= 1 || row == 1) && ld_of_columns >= m);
    const bool rows = is_empty || ((n <= 1 || column == 1) && ld_of_rows >= n);
    const bool may_be_rows = allowed == order::either || (allowed == order::either_if_real && is_real());
    const bool take_rows = known ? by_rows : !columns;
    if (!(take_rows ? rows && may_be_rows : columns)) {
      const std::int64_t strides[] = {row, column};
      std::string why = "strides " + words_of(strides, 2) +
                        " of its matrices are not those of matrices stored column by column";
      if (may_be_rows) why += known ? ", or row by row, as the first one" : ", or row by row";
      if (rows && !may_be_rows) why += "; it is stored row by row, of which talus.linalg takes care";
      value_error(name, why);
    }
    if (!is_empty && m > 1 && n > 1) known = true;  // the others are stored both ways
    by_rows = take_rows;
    operand a{name};
    a.m.all = static_cast<int>(m);
    a.n.all = static_cast<int>(n);
    a.ld.all = static_cast<int>(std::max<std::int64_t>(1, is_empty    ? (take_rows ? n : m)
                                                          : take_rows ? ld_of_rows
                                                                      : ld_of_columns));
    a.data = v.data;
    if (of_list) return a;
    a.stride = stride_of_batch(v, batch_dimensions);
    if (how == access::written && !is_legal_stride(a.stride, take_rows ? a.n.all : a.m.all,
                                                   take_rows ? a.m.all : a.n.all, a.ld.all, count_))
      value_error(name, "its matrices overlap, and " + std::string(routine_) + " writes them");
    return a;
  };
  operand a = of_list ? each_of(name, array, one) : one(array);
  a.by_rows = by_rows;
  return a;
}

operand call::matrices(const char* name, nb::handle array, access how) {
  return matrices_in(name, array, how, order::column_by_column);
}

operand call::right_hand_sides(const char* name, nb::handle array, access how) {
  return matrices_in(name, array, how, order::column_by_column, true);
}

/// A vector beside each matrix is a matrix of one column.
void call::be_columns(view& v) const { v.of_columns = v.dimensions() == (mixed() ? 0 : batch_->size()) + 1; }

operand call::triangles_in(const char* name, nb::handle array, access how, order allowed, uplo& triangle) {
  const operand a = matrices_in(name, array, how, allowed);
  square(a);
  if (a.by_rows) triangle = triangle == uplo::lower ? uplo::upper : uplo::lower;
  return a;
}

operand call::hermitian(const char* name, nb::handle array, access how, uplo& triangle) {
  return triangles_in(name, array, how, order::either, triangle);
}

operand call::real_symmetric(const char* name, nb::handle array, access how, uplo& triangle) {
  return triangles_in(name, array, how, order::either_if_real, triangle);
}

layout call::layout_of(const view& v, std::size_t batch_dimensions) const {
  if (v.extent(2) > std::numeric_limits<int>::max() || v.extent(1) > std::numeric_limits<int>::max())
    value_error(v.name, "a dimension of its matrices is beyond 32 bits");
  return {v.name,
          static_cast<int>(v.extent(2)),
          static_cast<int>(v.extent(1)),
          {v.data, v.stride(2), v.stride(1), {v.strides, v.strides + batch_dimensions}}};
}

layout call::any_layout(const char* name, nb::handle array, access how, bool or_vectors) {
  choose_form(name, false);
  view v = look(name, array, how);
  be_of_the_type(v);
  if (or_vectors) be_columns(v);
  if (v.dimensions() < 2)
    value_error(name, "has " + std::to_string(v.dimensions()) + " dimensions, not 2 or more");
  const std::size_t batch_dimensions = v.dimensions() - 2;
  same_batch(v, batch_dimensions);
  if (how == access::written) elements_are_apart(v);
  return layout_of(v, batch_dimensions);
}

/// Of lists' matrices.
layout call::layout_in_list(const char* name, nb::handle array, access how, bool or_vectors) {
  view v = look(name, array, how);
  be_of_the_type(v);
  if (or_vectors) be_columns(v);
  if (v.dimensions() != 2) value_error(name, "has " + std::to_string(v.dimensions()) + " dimensions, not 2");
  if (how == access::written) elements_are_apart(v);
  return layout_of(v, 0);
}

void call::elements_are_apart(const view& v) const {
  if (v.is_empty()) return;
  for (std::size_t i = 0; i < v.ndim; ++i)
    if (v.shape[i] > 1 && v.strides[i] == 0)
      value_error(v.name, "its elements overlap, and " + std::string(routine_) + " writes them");
}

void call::copy(const layout& from, const layout& to, part which) {
  if (from.m != to.m || from.n != to.n) {
    const std::int64_t shapes[] = {to.m, to.n, from.m, from.n};
    value_error(to.name, "its matrices are " + words_of(shapes, 2) + ", those of " + from.name + " " +
                             words_of(shapes + 2, 2));
  }
  if (mirrors(which) && from.m != from.n)
    value_error(from.name,
                "has " + std::to_string(from.m) + " rows, and " + std::to_string(from.n) + " columns");
  if (mixed())
    copies_of_lists_.push_back({which, from.m, from.n, from.lie.data, from.lie.row, from.lie.column,
                                to.lie.data, to.lie.row, to.lie.column});
  else
    copies_.emplace_back(which, from.m, from.n, *batch_, from.lie, to.lie);
}

void call::copy_lists(const char* name_A, nb::handle A, const char* name_B, nb::handle B, part which) {
  choose_form(name_A, is_list(A));
  choose_form(name_B, is_list(B));
  same_length(name_A, nb::len(A));
  same_length(name_B, nb::len(B));
  for (std::size_t b = 0; b < static_cast<std::size_t>(count_); ++b) {
    const layout from = layout_in_list(name_A, nb::object(A[b]), access::read);
    copy(from, layout_in_list(name_B, nb::object(B[b]), access::written), which);
  }
}

void call::copy_into(const operand& to, const char* name, nb::handle array, part which, bool or_vectors) {
  if (array.is_none()) return;
  const auto place = [&](std::size_t b, void* data) -> layout {
    const std::int64_t ld = to.ld[b];
    return {to.name, to.m[b], to.n[b], {data, to.by_rows ? ld : 1, to.by_rows ? 1 : ld, {}}};
  };
  if (!mixed()) {
    layout whole = place(0, to.data);
    whole.lie.batch.resize(batch_->size());
    std::int64_t stride = to.stride;
    for (std::size_t i = batch_->size(); i-- > 0; stride *= (*batch_)[i]) whole.lie.batch[i] = stride;
    return copy(any_layout(name, array, access::read, or_vectors), whole, which);
  }
  if (!is_list(array) || static_cast<std::int64_t>(nb::len(array)) != count_)
    value_error(name, std::string("has to be a list as long as ") + to.name);
  std::vector<void*> starts(static_cast<std::size_t>(count_));
  if (!starts.empty()) std::memcpy(starts.data(), packed_.data() + to.starts, starts.size() * sizeof(void*));
  for (std::size_t b = 0; b < starts.size(); ++b)
    copy(layout_in_list(name, nb::object(array[b]), access::read, or_vectors), place(b, starts[b]), which);
}

operand call::vectors_in(const char* name, nb::handle array, access how, bool of_int32) {
  const bool of_list = is_list(array);
  choose_form(name, of_list);
  const auto one = [&](nb::handle object) {
    const view v = look(name, object, how);
    of_int32 ? be_of_int32(v) : be_of_the_type(v);
    if (v.dimensions() < 1 || (of_list && v.dimensions() != 1))
      value_error(name, "has " + std::to_string(v.dimensions()) + " dimensions, " +
                            (of_list ? "not 1" : "not 1 or more"));
    if (!of_list) same_batch(v, v.dimensions() - 1);
    const std::int64_t m = v.extent(1);
    if (m > std::numeric_limits<int>::max())
      value_error(name, "its vectors have more than 2^31 - 1 elements");
    if (m > 1 && v.stride(1) != 1 && !v.is_empty())
      value_error(name, "the elements of its vectors are " + std::to_string(v.stride(1)) + " apart, not 1");
    operand a{name};
    a.m.all = static_cast<int>(m);
    a.n.all = 1;
    a.ld.all = static_cast<int>(std::max<std::int64_t>(1, m));
    a.data = v.data;
    if (of_list) return a;
    a.stride = stride_of_batch(v, v.dimensions() - 1);
    if (how == access::written && !is_legal_stride(a.stride, a.m.all, 1, a.ld.all, count_))
      value_error(name, "its vectors overlap, and " + std::string(routine_) + " writes them");
    return a;
  };
  return of_list ? each_of(name, array, one) : one(array);
}

operand call::vectors(const char* name, nb::handle array, access how) {
  return vectors_in(name, array, how, false);
}
operand call::indices(const char* name, nb::handle array, access how) {
  return vectors_in(name, array, how, true);
}

int* call::ints(const char* name, nb::handle array, bool may_be_none) {
  if (array.is_none()) {
    if (!may_be_none) type_error(name, std::string(routine_) + " needs an int32 array for it");
    return nullptr;
  }
  const view v = look(name, array, access::written);
  be_of_int32(v);
  same_batch(v, v.dimensions());
  if (count_ > 1 && stride_of_batch(v, v.dimensions()) != 1)
    value_error(name, "has gaps between its elements");
  return reinterpret_cast<int*>(v.data);
}

const void* call::reals(const char* name, nb::handle array) {
  if (array.is_none()) return nullptr;
  const view v = look(name, array, access::read);
  const int bits = type_ == type::s || type_ == type::c ? 32 : 64;
  if (v.type.code != dlpack::real || v.type.bits != bits || v.type.lanes != 1)
    type_error(name, "is of " + name_of(v.type) + ", not of float" + std::to_string(bits));
  same_batch(v, v.dimensions());
  if (count_ > 1 && stride_of_batch(v, v.dimensions()) != 1)
    value_error(name, "has gaps between its elements");
  return v.data;
}

extent call::sizes(const char* name, nb::handle value) {
  const auto one = [&](nb::handle number) {
    int size = 0;
    if (!nb::try_cast(number, size)) type_error(name, "is no int");
    if (size < 0) value_error(name, "is " + std::to_string(size) + ", which is negative");
    return size;
  };
  if (!is_list(value)) return sizes(one(value));
  if (!mixed()) type_error(name, "is a list, but the matrices are of one size");
  extent e;
  for (std::size_t b = 0, length = nb::len(value); b < length; ++b)
    e.each.push_back(one(nb::object(value[b])));
  if (static_cast<std::int64_t>(e.each.size()) != count_)
    value_error(name, "holds " + std::to_string(e.each.size()) + " sizes, " + count_from_ + " " +
                          std::to_string(count_) + " arrays");
  for (const int size : e.each) e.all = std::max(e.all, size);
  e.offset = pack(e.each.data(), e.each.size() * sizeof(int));
  return e;
}

extent call::sizes(int value) {
  extent e;
  e.all = value;
  if (mixed()) {
    e.each.assign(static_cast<std::size_t>(count_), value);
    e.offset = pack(e.each.data(), e.each.size() * sizeof(int));
  }
  return e;
}

std::size_t call::cases() const { return mixed() ? static_cast<std::size_t>(count_) : 1; }

/// Says which one of different matrices.
std::string call::in_matrix(std::size_t b) const { return mixed() ? " in matrix " + std::to_string(b) : ""; }

/// Returns the index of matrix b in the batch, in words: " of matrix 3", " of matrix (1, 0)".
std::string call::in_batch(std::size_t b) const {
  if (batch_->empty()) return "";
  if (batch_->size() == 1) return " of matrix " + std::to_string(b);
  std::vector<std::int64_t> index(batch_->size());
  for (std::size_t i = index.size(), rest = b; i-- > 0; rest /= static_cast<std::size_t>((*batch_)[i]))
    index[i] = static_cast<std::int64_t>(rest % static_cast<std::size_t>((*batch_)[i]));
  return " of matrix " + words_of(index.data(), index.size());
}

/// number[i] is expected(i), for every matrix i.
template <class Expected>
void call::count_is(const operand& of, const extent& number, const char* what, const operand& a,
                    const char* expected_what, Expected expected) const {
  for (std::size_t i = 0; i < cases(); ++i)
    if (number[i] != expected(i))
      value_error(of.name, "has " + std::to_string(number[i]) + " " + what + in_matrix(i) + ", and " +
                               (&a == &of ? "" : std::string(a.name) + " has ") +
                               std::to_string(expected(i)) + " " + expected_what);
}

void call::agree(const operand& b, const extent& of_b, const char* what_b, const operand& a,
                 const extent& of_a, const char* what_a) const {
  count_is(b, of_b, what_b, a, what_a, [&](std::size_t i) { return of_a[i]; });
}
void call::length_of_diagonal(const operand& vectors, const operand& a) const {
  count_is(vectors, vectors.m, "elements", a, "on the diagonal",
           [&](std::size_t i) { return std::min(a.m[i], a.n[i]); });
}
void call::longer_side(const operand& b, const operand& a) const {
  count_is(b, b.m, "rows", a, "rows or columns, whichever are more",
           [&](std::size_t i) { return std::max(a.m[i], a.n[i]); });
}
void call::shorter_side(const operand& b, const operand& a) const {
  count_is(b, b.m, "rows", a, "rows or columns, whichever are fewer",
           [&](std::size_t i) { return std::min(a.m[i], a.n[i]); });
}

void call::length(const operand& vectors, const extent& number, const char* what) const {
  for (std::size_t i = 0; i < cases(); ++i)
    if (vectors.m[i] != number[i])
      value_error(vectors.name, "has " + std::to_string(vectors.m[i]) + " elements" + in_matrix(i) +
                                    ", and " + what + " is " + std::to_string(number[i]));
}

void call::pivots_up_to(const operand& ipiv, const extent& n) const {
  if (count_ == 0 || device_->type != dlpack::cpu) return;
  // Vectors that are broadcast are the same one.
  const std::size_t distinct = mixed() || ipiv.stride != 0 ? static_cast<std::size_t>(count_) : 1;
  for (std::size_t b = 0; b < distinct; ++b) {
    const int* first = ipiv.first<int>() + static_cast<std::int64_t>(b) * ipiv.stride;
    if (mixed()) std::memcpy(&first, packed_.data() + ipiv.starts + b * sizeof first, sizeof first);
    const int illegal = first_illegal_pivot(first, n[b]);
    if (illegal == n[b]) continue;
    const int value = first[illegal];
    value_error(ipiv.name,
                "element " + std::to_string(illegal) + in_batch(b) + " is " + std::to_string(value) +
                    ", which is none of the rows " + std::to_string(illegal + 1) + " to " +
                    std::to_string(n[b]) +
                    (value >= 0 && value <= illegal ? ": pivots count from 1, and SciPy's need + 1" : ""));
  }
}

void call::real_where_matrices_are(const char* name, std::complex<double> value) const {
  if (is_real() && value.imag() != 0) value_error(name, "has an imaginary part, and the matrices are real");
}

void call::lists_alone(const char* name, nb::handle array) const {
  if (!is_list(array))
    type_error(name, "is no list: " + std::string(routine_) + " takes lists of arrays alone");
}

void call::refuse_trans_of_complex(const char* name, op op) const {
  if (op == op::trans && !is_real())
    value_error(name, "'trans' is for real matrices; of complex ones it is 'conj_trans'");
}

void call::at_most(const char* name, const extent& value, const operand& a, const extent& bound,
                   const char* what, const char* what_value) const {
  for (std::size_t i = 0; i < cases(); ++i)
    if (value[i] > bound[i]) {
      const std::string number = std::to_string(value[i]);
      value_error(name, (what_value ? "has " + number + " " + what_value : "is " + number) + in_matrix(i) +
                            ", and " + (std::strcmp(name, a.name) == 0 ? "" : std::string(a.name) + " has ") +
                            std::to_string(bound[i]) + " " + what);
    }
}

}  // namespace talus::python
