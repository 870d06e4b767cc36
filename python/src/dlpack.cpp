#include "dlpack.hpp"

#include <string>
#include <typeinfo>
#include <vector>

namespace nb = nanobind;

namespace talus::python {
namespace {

enum class framework { other, numpy, torch, cupy, jax };

/// That of the first class in the type's order of resolution that belongs to one.
framework framework_of(nb::handle type) {
  for (nb::handle base : nb::borrow<nb::tuple>(type.attr("__mro__"))) {
    const nb::object module = nb::getattr(base, "__module__", nb::none());
    if (!nb::isinstance<nb::str>(module)) continue;
    const std::string name = nb::borrow<nb::str>(module).c_str();
    const std::string package = name.substr(0, name.find('.'));
    if (package == "numpy") return framework::numpy;
    if (package == "torch") return framework::torch;
    if (package == "cupy") return framework::cupy;
    if (package == "jax" || package == "jaxlib") return framework::jax;
  }
  return framework::other;
}

/// What a type is known by after its first array.
struct array_type {
  PyTypeObject* type;
  framework package;
  const dlpack::exchange* functions;  // or null
  bool is_lazy;                       // has PyTorch's requires_grad, is_conj and is_neg
};

array_type look_up(PyTypeObject* type) {
  const dlpack::exchange* functions = nullptr;
  const nb::handle object(reinterpret_cast<PyObject*>(type));
  const nb::object capsule = nb::getattr(object, "__dlpack_c_exchange_api__", nb::none());
  if (PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api"))
    functions =
        static_cast<const dlpack::exchange*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  while (functions && functions->version.major != 1) functions = functions->previous;
  if (functions && !functions->tensor_from_object) functions = nullptr;
  Py_INCREF(type);  // so that no other type comes to lie at its address
  return {type, framework_of(object), functions,
          nb::hasattr(object, "requires_grad") && nb::hasattr(object, "is_neg")};
}

array_type known(PyTypeObject* type) {
  static std::vector<array_type> types;  // guarded by Python's lock
  for (const array_type& each : types)
    if (each.type == type) return each;
  const array_type found = look_up(type);  // may run Python's code, and that come here
  return types.emplace_back(found);
}

[[noreturn]] void refuse(const char* name, nb::handle owner, const std::string& why) {
  throw nb::type_error((std::string(name) + ": " + nb::type_name(owner.type()).c_str() + ": " + why).c_str());
}

/// The first line of what went wrong.
std::string words_of(const nb::python_error& error) {
  const std::string words = nb::str(error.value()).c_str();
  return words.substr(0, words.find('\n'));
}

/// Refuses a NumPy array if DLPack lacks its type and another type has the same numbers.
void refuse_types_of_numpy(const char* name, nb::handle owner) {
  const nb::object dtype = owner.attr("dtype");
  const std::string type = nb::str(dtype).c_str(), code = nb::str(dtype.attr("str")).c_str();
  const char kind = *nb::str(dtype.attr("kind")).c_str();
  const auto refuse_of = [&](const char* what, const std::string& of) {
    throw nb::type_error(
        (std::string(name) + ": is of " + type + ", " + what + "; use .astype('" + of + "')").c_str());
  };
  if (kind != 'V' && !nb::cast<bool>(dtype.attr("isnative")))
    refuse_of("whose byte order is not this machine's", "=" + code.substr(1));
  const int size = nb::cast<int>(dtype.attr("itemsize"));
  if (kind == 'f' && size > 8) refuse_of("which is long double", "=f8");
  if (kind == 'c' && size > 16) refuse_of("which is long double", "=c16");
}

/// True if all addresses of elements are multiples of the size of a real number.
bool is_aligned(const dlpack::tensor& t) {
  const std::uintptr_t size = t.type.bits / (t.type.code == dlpack::complex ? 16 : 8);
  return size == 0 || (reinterpret_cast<std::uintptr_t>(t.data) + t.byte_offset) % size == 0;
}

/// Python's string, made once.
nb::handle name_of(const char* attribute) { return PyUnicode_InternFromString(attribute); }

/// Tensors that PyTorch's faster function accepts although their values are not in memory. Its __dlpack__
/// refuses all of them but the last.
void refuse_what_memory_does_not_hold(const char* name, nb::handle owner, bool is_complex) {
  static const nb::handle requires_grad = name_of("requires_grad"), is_conj = name_of("is_conj"),
                          is_neg = name_of("is_neg");
  if (nb::cast<bool>(owner.attr(requires_grad)))
    refuse(name, owner, "requires a gradient, of which only talus.torch takes care; or use tensor.detach()");
  if (is_complex && nb::cast<bool>(owner.attr(is_conj)()))
    refuse(name, owner, "is conjugated only when it is read; use tensor.resolve_conj()");
  if (nb::cast<bool>(owner.attr(is_neg)()))
    refuse(name, owner, "is negated only when it is read; use tensor.resolve_neg()");
}

/// The stream on which CuPy, or a PyTorch without those functions, works; else CUDA's default.
void* current_stream(framework package, dlpack::device device) {
  nb::object number;
  if (package == framework::cupy)
    number = nb::module_::import_("cupy.cuda").attr("get_current_stream")(device.id).attr("ptr");
  else if (package == framework::torch)
    number = nb::module_::import_("torch.cuda").attr("current_stream")(device.id).attr("cuda_stream");
  return number.is_valid() ? reinterpret_cast<void*>(nb::cast<std::uintptr_t>(number)) : nullptr;
}

/// From the framework's exchange functions.
dlpack::tensor exchanged(const char* name, nb::handle owner, const array_type& type, stream_choice& stream) {
  dlpack::tensor tensor;
  if (type.functions->tensor_from_object(owner.ptr(), &tensor) != 0) {
    const nb::python_error error;
    refuse(name, owner, words_of(error));
  }
  if (type.is_lazy && tensor.type.code != dlpack::integer)
    refuse_what_memory_does_not_hold(name, owner, tensor.type.code == dlpack::complex);
  if (is_on_gpu(tensor.device) && !stream) {
    void* current = nullptr;
    if (type.functions->current_stream(tensor.device.type, tensor.device.id, &current) != 0)
      throw nb::python_error();
    stream = current;
  }
  return tensor;
}

}  // namespace

borrowed::borrowed(const char* name, nb::handle owner, stream_choice& stream, bool may_copy)
    : owner_(nb::borrow(owner)) {
  const array_type type = known(Py_TYPE(owner.ptr()));
  read_only = type.package == framework::jax;  // its arrays never change, though their capsules do not say so
  if (type.functions) {
    tensor = exchanged(name, owner, type, stream);
    be_strided();
    return;
  }
  if (!nb::hasattr(owner, "__dlpack__")) refuse(name, owner, "not an array that speaks DLPack");
  if (type.is_lazy) refuse_what_memory_does_not_hold(name, owner, false);
  try {
    const nb::object pair = owner.attr("__dlpack_device__")();
    const dlpack::device device{nb::cast<std::int32_t>(nb::int_(pair[0])),
                                nb::cast<std::int32_t>(nb::int_(pair[1]))};
    nb::dict words;
    words["max_version"] = nb::make_tuple(1, 3);
    if (is_on_gpu(device)) {
      if (!stream) stream = current_stream(type.package, device);
      words["stream"] =
          *stream ? reinterpret_cast<std::uintptr_t>(*stream) : 1;  // DLPack's number for the default
    }
    try {
      take(owner.attr("__dlpack__")(**words));
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_TypeError)) throw;
      PyDict_DelItemString(words.ptr(), "max_version");  // older than DLPack 1.0
      take(owner.attr("__dlpack__")(**words));
    }
    if (may_copy && type.package == framework::numpy && !is_aligned(tensor)) {
      give_back();
      take_copy();
    }
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception) || error.matches(PyExc_MemoryError)) throw;
    if (type.package == framework::numpy) refuse_types_of_numpy(name, owner);
    if (!may_copy || type.package != framework::numpy || !error.matches(PyExc_BufferError))
      refuse(name, owner, words_of(error));
    try {
      take_copy();
    } catch (nb::python_error&) {
      refuse(name, owner, words_of(error));
    }
  } catch (const std::bad_cast&) {
    refuse(name, owner, "what its __dlpack_device__ returns is no pair of small ints");
  }
  be_strided();
}

void borrowed::be_strided() {
  if (tensor.strides) return;
  row_by_row_.resize(static_cast<std::size_t>(tensor.ndim), 1);
  for (std::size_t i = row_by_row_.size(); i-- > 1;) row_by_row_[i - 1] = row_by_row_[i] * tensor.shape[i];
  tensor.strides = row_by_row_.data();
}

void borrowed::take(nb::object capsule) {
  if ((versioned_ = static_cast<dlpack::managed_versioned*>(
           PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned")))) {
    if (versioned_->version.major != 1) {
      versioned_ = nullptr;  // the capsule frees it
      PyErr_SetString(PyExc_BufferError, "its DLPack has another major version than 1");
      throw nb::python_error();
    }
    PyCapsule_SetName(capsule.ptr(), "used_dltensor_versioned");
    tensor = versioned_->tensor;
    read_only |= (versioned_->flags & dlpack::read_only) != 0;
    return;
  }
  PyErr_Clear();
  managed_ = static_cast<dlpack::managed*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (!managed_) throw nb::python_error();
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  tensor = managed_->tensor;
}

/// Borrows a NumPy array of the same order of elements for the lifetime of this object.
void borrowed::take_copy() {
  owner_ = owner_.attr("copy")("K");
  take(owner_.attr("__dlpack__")());
}

void borrowed::give_back() {
  if (managed_ && managed_->deleter) managed_->deleter(managed_);
  if (versioned_ && versioned_->deleter) versioned_->deleter(versioned_);
  managed_ = nullptr;
  versioned_ = nullptr;
}

borrowed::~borrowed() { give_back(); }

}  // namespace talus::python
