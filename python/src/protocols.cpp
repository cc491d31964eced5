// SPDX-License-Identifier: Apache-2.0
// Reads the protocols by which arrays tell their memory, and the streams that work on it.
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "arrays.hpp"
#include "device.hpp"
#include "exchange.hpp"

namespace vergence::python {
namespace {

/// One letter of the struct module's formats.
ElementType type_of_format(const char* format, std::int64_t bytes) {
  ElementType type{'?', static_cast<int>(bytes)};
  if (format == nullptr) return {'u', 1};
  if (*format == '>' || *format == '!') type.swapped = bytes > 1;
  if (*format == '@' || *format == '=' || *format == '<' || *format == '>' || *format == '!') ++format;
  if (*format == 'Z') return {'c', type.bytes, type.swapped};
  if (format[0] == 0 || format[1] != 0) return type;
  switch (*format) {
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
      type.kind = 'u';
      break;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
      type.kind = 'i';
      break;
    case 'e':
    case 'f':
    case 'd':
    case 'g':
      type.kind = 'f';
      break;
    case '?':
      type.kind = 'b';
      break;
    default:
      break;
  }
  return type;
}

/// "<u2" and the like, of __cuda_array_interface__.
ElementType type_of_interface(const std::string& text) {
  if (text.size() < 3) return {};
  ElementType type{text[1], std::atoi(text.c_str() + 2)};
  type.swapped = text[0] == '>' && type.bytes > 1;
  return type;
}

/// Kinds by DLPack's codes. bfloat16, code 4, has no name in numpy.
constexpr std::string_view tensor_kinds = "iuf??cb";

ElementType type_of_tensor(nb::dlpack::dtype type) {
  const char kind = type.code < tensor_kinds.size() && type.lanes == 1 ? tensor_kinds[type.code] : '?';
  return {kind, type.bits / 8};
}

/// DLPack's kinds of devices.
bool is_cuda(int kind) { return kind == nb::device::cuda::value || kind == nb::device::cuda_managed::value; }
bool is_host(int kind) { return kind == nb::device::cpu::value || kind == nb::device::cuda_host::value; }

/// Of numpy's dtype. Those of plain numbers exist once, and are looked at once.
ElementType type_of_numpy(nb::handle type) {
  static auto* const all = new std::unordered_map<PyObject*, ElementType>;  // guarded by the GIL
  constexpr std::size_t most = 64;
  if (const auto found = all->find(type.ptr()); found != all->end()) return found->second;
  const ElementType read = type_of_interface(nb::cast<std::string>(nb::object(type.attr("str"))));
  if (all->size() < most) {
    type.inc_ref();
    all->emplace(type.ptr(), read);
  }
  return read;
}

nb::handle numpy() {
  static PyObject* const module = nb::module_::import_("numpy").release().ptr();
  return module;
}
nb::handle numpy_array() {
  static PyObject* const type = nb::object(numpy().attr("ndarray")).release().ptr();
  return type;
}

/// Masked pixels would be read as if they were measured.
void refuse_masked(nb::handle object, const char* what) {
  if (object.type().is(numpy_array())) return;
  if (nb::hasattr(object, "mask") && nb::hasattr(object, "filled"))
    throw WrongType(
        fmt::format("{} is a masked array, and its mask would be lost: pass its .filled(...), and the mask "
                    "apart where the call takes one",
                    what));
}

[[noreturn]] void refuse_no_array(nb::handle object, const char* what) {
  throw WrongType(
      fmt::format("{} is of type {}, which is no array: pass a numpy array (numpy.asarray), or what has the "
                  "buffer protocol, DLPack, __array_interface__ or __cuda_array_interface__",
                  what, name_of_type(object)));
}

}  // namespace

nb::dlpack::dtype tensor_type(const ElementType& type) {
  return {static_cast<std::uint8_t>(tensor_kinds.find(type.kind)), static_cast<std::uint8_t>(8 * type.bytes), 1};
}

void Array::Release::operator()(Py_buffer* buffer) const {
  PyBuffer_Release(buffer);
  delete buffer;
}

Array::Array(nb::handle object, const char* what, Access access) : what_(what), object_(nb::borrow(object)) {
  if (object.is_none()) throw WrongType(fmt::format("{} is None: pass an array of shape (height, width)", what));
  read(object, access);
  check_layout();
  if (access == Access::write && read_only_)
    refuse(fmt::format("{} is read-only, but is to be written: pass a writable array", what));
}

void Array::read(nb::handle object, Access access) {
  if (object.type().is(numpy_array())) return read_buffer(object);
  if (nb::isinstance<DeviceArray>(object)) return read_ours(nb::cast<const DeviceArray&>(object));
  if (read_exchanged(object) || (is_cupy(object) && read_cupy_array(object))) return;
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    // CuPy's arrays have the buffer protocol too, which refuses; their interface names the stream that they wait for.
    if (const nb::object cuda = nb::getattr(object, "__cuda_array_interface__", nb::none()); !cuda.is_none())
      return read_cuda(nb::cast<nb::dict>(cuda));
    refuse_masked(object, what_);
    return read_buffer(object);
  }
  if (nb::hasattr(object, "__dlpack__")) return read_tensor(object, access);
  if (nb::hasattr(object, "__cuda_array_interface__"))
    return read_cuda(nb::cast<nb::dict>(nb::object(object.attr("__cuda_array_interface__"))));
  if (!nb::hasattr(object, "__array_interface__")) refuse_no_array(object, what_);
  object_ = numpy().attr("asarray")(object);
  read_buffer(object_);
}

void Array::read_ours(const DeviceArray& array) {
  set_shape(static_cast<int>(array.shape.size()), array.shape.data());
  type_ = array.type;
  data_ = array.memory.handle();
  on_device_ = true;
  set_packed_strides();
}

void Array::read_buffer(nb::handle object) {
  auto buffer = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object.ptr(), buffer.get(), PyBUF_RECORDS_RO) != 0) {
    const nb::python_error error;
    throw WrongType(fmt::format("the memory of {} cannot be read ({}): pass an array of numbers", what_,
                                nb::cast<std::string>(nb::str(error.value()))));
  }
  buffer_.reset(buffer.release());
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  set_shape(buffer_->ndim, buffer_->shape);
  for (int i = 0; i < dimensions_; ++i) strides_[static_cast<std::size_t>(i)] = buffer_->strides[i];
  type_ = type_of_format(buffer_->format, buffer_->itemsize);
  data_ = buffer_->buf;
  read_only_ = buffer_->readonly != 0;
}

void Array::set_packed_strides() {
  for (std::int64_t i = dimensions_ - 1, step = type_.bytes; i >= 0; --i) {
    strides_[static_cast<std::size_t>(i)] = step;
    step *= shape_[static_cast<std::size_t>(i)];
  }
}

void Array::take_tensor(const nb::dlpack::dltensor& tensor) {
  set_shape(tensor.ndim, tensor.shape);
  type_ = type_of_tensor(tensor.dtype);
  data_ = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
  if (tensor.strides == nullptr) return set_packed_strides();
  for (int i = 0; i < dimensions_; ++i) strides_[static_cast<std::size_t>(i)] = tensor.strides[i] * type_.bytes;
}

/// False where the object has no table of functions, or is better read by __dlpack__, which refuses tensors that need
/// gradients: only floating point can.
bool Array::read_exchanged(nb::handle object) {
  const ExchangeApi* const api = exchange_api(object);
  if (api == nullptr) return false;
  TensorOwner owner = tensor_of(*api, object);
  if (owner == nullptr) return false;
  const nb::dlpack::dltensor& tensor = owner->tensor;
  const ElementType type = type_of_tensor(tensor.dtype);
  if (owner->major != 1 || (type.kind != 'u' && type.kind != 'i')) return false;
  if (!is_cuda(tensor.device.device_type) && !is_host(tensor.device.device_type)) return false;
  if (is_cuda(tensor.device.device_type)) {
    void* stream = nullptr;
    if (api->current_stream(nb::device::cuda::value, tensor.device.device_id, &stream) != 0) {
      PyErr_Clear();
      return false;
    }
    on_device_ = true;
    owner_ = {Owner::Tells::stream, reinterpret_cast<std::uintptr_t>(stream)};
  }
  take_tensor(tensor);
  read_only_ = (owner->flags & ManagedTensor::read_only) != 0;
  exchanged_ = std::move(owner);
  return true;
}

/// False where it is not as CuPy's arrays were when this was written: then its interface tells.
bool Array::read_cupy_array(nb::handle object) {
  try {
    const CupyArray array = read_cupy(object);
    if (array.shape.size() != array.strides.size() || array.shape.size() > most_dimensions || array.data == nullptr)
      return false;
    std::array<std::int64_t, most_dimensions> lengths{};
    for (std::size_t i = 0; i < array.shape.size(); ++i) {
      lengths[i] = nb::cast<std::int64_t>(nb::object(array.shape[i]));
      strides_[i] = nb::cast<std::int64_t>(nb::object(array.strides[i]));
    }
    set_shape(static_cast<int>(array.shape.size()), lengths.data());
    type_ = type_of_numpy(array.type);
    data_ = array.data;
  } catch (const nb::python_error&) {
    return false;
  } catch (const nb::cast_error&) {
    return false;
  }
  on_device_ = true;
  owner_ = {Owner::Tells::cupy, 0};
  return true;
}

void Array::read_tensor(nb::handle object, Access access) {
  nb::object source = nb::borrow(object);
  if (nb::hasattr(object, "__dlpack_device__")) {
    const int kind = nb::cast<int>(nb::object(object.attr("__dlpack_device__")())[0]);
    on_device_ = is_cuda(kind);
    if (!on_device_ && !is_host(kind))
      refuse(fmt::format("{} lies on a device of DLPack's kind {}: host memory and CUDA are taken", what_, kind));
    // The legacy default stream waits for what its owner still does with it.
    if (on_device_) source = object.attr("__dlpack__")(nb::arg("stream") = legacy_stream);
  }
  nb::ndarray<> writable;
  if (nb::try_cast(source, writable))
    tensor_ = nb::ndarray<nb::ro>(writable);
  else if (access == Access::write || !nb::try_cast(source, tensor_))
    refuse(fmt::format("the memory of {} ({}) cannot be had by DLPack{}: pass a plain array without gradients", what_,
                       name_of_type(object), access == Access::write ? ", or is read-only" : ""));
  if (is_cuda(tensor_.device_type()) != on_device_)  // also where the object has no __dlpack_device__
    refuse(fmt::format("{} ({}) lies elsewhere than its __dlpack_device__ says: pass an array that tells its device",
                       what_, name_of_type(object)));
  std::array<std::int64_t, 64> shape{};
  for (std::size_t i = 0; i < tensor_.ndim() && i < 64; ++i) shape[i] = static_cast<std::int64_t>(tensor_.shape(i));
  set_shape(static_cast<int>(tensor_.ndim()), shape.data());
  type_ = type_of_tensor(tensor_.dtype());
  for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions_); ++i) strides_[i] = tensor_.stride(i) * type_.bytes;
  data_ = const_cast<void*>(tensor_.data());
  if (on_device_) owner_ = {Owner::Tells::before, legacy_stream};
}

void Array::read_cuda(const nb::dict& interface) {
  const auto shape = nb::cast<nb::tuple>(nb::object(interface["shape"]));
  std::array<std::int64_t, 64> lengths{};
  for (std::size_t i = 0; i < shape.size() && i < 64; ++i) lengths[i] = nb::cast<std::int64_t>(shape[i]);
  set_shape(static_cast<int>(shape.size()), lengths.data());
  type_ = type_of_interface(nb::cast<std::string>(nb::object(interface["typestr"])));
  const nb::object data = interface["data"];
  data_ = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(nb::object(data[0])));
  read_only_ = nb::cast<bool>(nb::object(data[1]));
  on_device_ = true;
  const nb::object strides = interface.contains("strides") ? nb::object(interface["strides"]) : nb::none();
  set_packed_strides();
  for (int i = 0; i < dimensions_ && !strides.is_none(); ++i)
    strides_[static_cast<std::size_t>(i)] = nb::cast<std::int64_t>(nb::object(strides[i]));
  const nb::object stream = interface.contains("stream") ? nb::object(interface["stream"]) : nb::none();
  const std::uintptr_t its_stream = stream.is_none() ? 0 : nb::cast<std::uintptr_t>(stream);
  owner_ = its_stream == 0 ? Owner{Owner::Tells::before, legacy_stream} : Owner{Owner::Tells::stream, its_stream};
}

}  // namespace vergence::python
