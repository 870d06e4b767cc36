// DLPack (dmlc.github.io/dlpack, versions 1.0 to 1.3): the structs by which frameworks lend each other
// arrays, and how an array is borrowed for the length of one call.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace talus::python {

namespace dlpack {

enum device_type : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };
enum type_code : std::uint8_t { integer = 0, real = 2, complex = 5 };

struct device {
  std::int32_t type, id;
};
struct type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct tensor {
  void* data;
  dlpack::device device;
  std::int32_t ndim;
  dlpack::type type;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: row by row without gaps
  std::uint64_t byte_offset;
};

/// What __dlpack__ returns in a capsule named "dltensor".
struct managed {
  dlpack::tensor tensor;
  void* context;
  void (*deleter)(managed*);
};

struct version {
  std::uint32_t major, minor;
};
constexpr std::uint64_t read_only = 1;
/// The same since version 1.0, in one named "dltensor_versioned".
struct managed_versioned {
  dlpack::version version;
  void* context;
  void (*deleter)(managed_versioned*);
  std::uint64_t flags;
  dlpack::tensor tensor;
};

/// The functions of a framework whose type has __dlpack_c_exchange_api__, since version 1.3. They return 0,
/// or -1 with Python's exception set.
struct exchange {
  dlpack::version version;
  exchange* previous;
  void *allocate, *managed_from_object, *managed_to_object;
  int (*tensor_from_object)(void* object,
                            tensor* out);  // may be null; what it gives lives as long as the object
  int (*current_stream)(std::int32_t device_type, std::int32_t device_id, void** stream);
};

}  // namespace dlpack

/// The stream of a call: given by its user, or else that on which the framework of its first array works at
/// present.
using stream_choice = std::optional<void*>;

/// Is it memory of a CUDA device?
inline bool is_on_gpu(dlpack::device device) {
  return device.type == dlpack::cuda || device.type == dlpack::cuda_managed;
}

/// An array that speaks DLPack, borrowed: its memory stays while this object does.
class borrowed {
 public:
  /// Where the array cannot be had, a TypeError begins with its name. Of an array in device memory this
  /// chooses the stream, if none is chosen yet. What its framework has queued on other streams is waited for
  /// only if it has no exchange functions: PyTorch's arrays are taken to be ready on the stream of the call.
  /// may_copy: borrows a copy of a NumPy array if its elements are not aligned or DLPack cannot describe
  /// them. Fields of packed records are such arrays.
  borrowed(const char* name, nanobind::handle owner, stream_choice& stream, bool may_copy);
  borrowed(borrowed&& other) noexcept
      : tensor(other.tensor),
        read_only(other.read_only),
        owner_(std::move(other.owner_)),
        row_by_row_(std::move(other.row_by_row_)),
        managed_(std::exchange(other.managed_, nullptr)),
        versioned_(std::exchange(other.versioned_, nullptr)) {}
  borrowed& operator=(borrowed&&) = delete;
  ~borrowed();

  dlpack::tensor tensor;  // whose strides are never null
  bool read_only = false;

 private:
  void take(nanobind::object capsule);
  void give_back();
  void take_copy();
  void be_strided();

  nanobind::object owner_;                // an element of a list may have no other
  std::vector<std::int64_t> row_by_row_;  // strides, where the array gave none
  dlpack::managed* managed_ = nullptr;
  dlpack::managed_versioned* versioned_ = nullptr;
};

}  // namespace talus::python
