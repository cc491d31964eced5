// SPDX-License-Identifier: Apache-2.0
// Reads the protocols by which arrays tell their memory.
#include "arrays.hpp"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>

#include "device.hpp"
#include "vergence/error.hpp"

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

std::string to_text(const ElementType& type) {
  if (type.swapped) return fmt::format(">{}{}", type.kind, type.bytes);
  const int bits = 8 * type.bytes;
  switch (type.kind) {
    case 'u':
      return fmt::format("uint{}", bits);
    case 'i':
      return fmt::format("int{}", bits);
    case 'f':
      return fmt::format("float{}", bits);
    case 'c':
      return fmt::format("complex{}", bits);
    case 'b':
      return "bool";
    default:
      return "another type";
  }
}

nb::dlpack::dtype tensor_type(const ElementType& type) {
  return {static_cast<std::uint8_t>(tensor_kinds.find(type.kind)), static_cast<std::uint8_t>(8 * type.bytes), 1};
}

void Array::Release::operator()(Py_buffer* buffer) const {
  PyBuffer_Release(buffer);
  delete buffer;
}

Array::Array(nb::handle object, const char* what, Access access) : what_(what), object_(nb::borrow(object)) {
  if (object.is_none()) throw WrongType(fmt::format("{} is None: pass an array of shape (height, width)", what));
  if (nb::isinstance<DeviceArray>(object)) {
    const auto& array = nb::cast<const DeviceArray&>(object);
    set_shape(static_cast<int>(array.shape.size()), array.shape.data());
    type_ = array.type;
    data_ = array.memory.handle();
    on_device_ = true;
    for (std::int64_t i = dimensions_ - 1, step = type_.bytes; i >= 0; --i) {
      strides_[static_cast<std::size_t>(i)] = step;
      step *= shape_[static_cast<std::size_t>(i)];
    }
  } else if (PyObject_CheckBuffer(object.ptr()) != 0) {
    // CuPy's arrays have the buffer protocol too, which refuses; their interface names the stream that they wait for.
    if (const nb::object cuda = nb::getattr(object, "__cuda_array_interface__", nb::none()); !cuda.is_none()) {
      read_cuda(nb::cast<nb::dict>(cuda));
    } else {
      refuse_masked(object, what);
      read_buffer(object);
    }
  } else if (nb::hasattr(object, "__dlpack__")) {
    read_tensor(object, access);
  } else if (nb::hasattr(object, "__cuda_array_interface__")) {
    read_cuda(nb::cast<nb::dict>(nb::object(object.attr("__cuda_array_interface__"))));
  } else if (nb::hasattr(object, "__array_interface__")) {
    object_ = numpy().attr("asarray")(object);
    read_buffer(object_);
  } else {
    refuse_no_array(object, what);
  }
  check_layout();
  if (access == Access::write && read_only_)
    refuse(fmt::format("{} is read-only, but is to be written: pass a writable array", what));
}

void Array::set_shape(int count, const std::int64_t* shape) {
  if (count < 1 || count > most_dimensions) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format("{}{}", i > 0 ? ", " : "", shape[i]);
    refuse(fmt::format("{} has {} dimensions, shape ({}): 2 are needed, (height, width)", what_, count, text));
  }
  dimensions_ = count;
  for (int i = 0; i < count; ++i) shape_[static_cast<std::size_t>(i)] = shape[i];
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
  std::array<std::int64_t, 64> shape{};
  for (int i = 0; i < buffer_->ndim && i < 64; ++i) shape[static_cast<std::size_t>(i)] = buffer_->shape[i];
  set_shape(buffer_->ndim, shape.data());
  for (int i = 0; i < dimensions_; ++i) strides_[static_cast<std::size_t>(i)] = buffer_->strides[i];
  type_ = type_of_format(buffer_->format, buffer_->itemsize);
  data_ = buffer_->buf;
  read_only_ = buffer_->readonly != 0;
}

void Array::read_tensor(nb::handle object, Access access) {
  nb::object source = nb::borrow(object);
  if (nb::hasattr(object, "__dlpack_device__")) {
    const int kind = nb::cast<int>(nb::object(object.attr("__dlpack_device__")())[0]);
    on_device_ = kind == nb::device::cuda::value || kind == nb::device::cuda_managed::value;
    if (!on_device_ && kind != nb::device::cpu::value && kind != nb::device::cuda_host::value)
      refuse(fmt::format("{} lies on a device of DLPack's kind {}: host memory and CUDA are taken", what_, kind));
    // The legacy default stream waits for what its owner still does with it, and is waited for before work begins.
    if (on_device_) source = object.attr("__dlpack__")(nb::arg("stream") = 1);
  }
  nb::ndarray<> writable;
  if (nb::try_cast(source, writable))
    tensor_ = nb::ndarray<nb::ro>(writable);
  else if (access == Access::write || !nb::try_cast(source, tensor_))
    refuse(fmt::format("the memory of {} ({}) cannot be had by DLPack{}: pass a plain array without gradients", what_,
                       name_of_type(object), access == Access::write ? ", or is read-only" : ""));
  const int lies = tensor_.device_type();  // also where the object has no __dlpack_device__
  if ((lies == nb::device::cuda::value || lies == nb::device::cuda_managed::value) != on_device_)
    refuse(fmt::format("{} ({}) lies elsewhere than its __dlpack_device__ says: pass an array that tells its device",
                       what_, name_of_type(object)));
  std::array<std::int64_t, 64> shape{};
  for (std::size_t i = 0; i < tensor_.ndim() && i < 64; ++i) shape[i] = static_cast<std::int64_t>(tensor_.shape(i));
  set_shape(static_cast<int>(tensor_.ndim()), shape.data());
  type_ = type_of_tensor(tensor_.dtype());
  for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions_); ++i) strides_[i] = tensor_.stride(i) * type_.bytes;
  data_ = const_cast<void*>(tensor_.data());
  if (on_device_) stream_ = 1;
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
  for (std::int64_t i = dimensions_ - 1, step = type_.bytes; i >= 0; --i) {
    strides_[static_cast<std::size_t>(i)] = strides.is_none() ? step : nb::cast<std::int64_t>(nb::object(strides[i]));
    step *= shape_[static_cast<std::size_t>(i)];
  }
  const nb::object stream = interface.contains("stream") ? nb::object(interface["stream"]) : nb::none();
  stream_ = stream.is_none() ? 1 : nb::cast<std::uintptr_t>(stream);
}

std::string Array::shape_text() const {
  std::string text = fmt::format("({}", shape_[0]);
  for (int i = 1; i < dimensions_; ++i) text += fmt::format(", {}", length(i));
  return text + (dimensions_ == 1 ? ",)" : ")");
}

void Array::check_layout() const {
  if (type_.swapped)
    throw WrongType(fmt::format("{} is {}, in another byte order than this machine's: pass .astype('{}')", what_,
                                to_text(type_), to_text({type_.kind, type_.bytes})));
  for (int i = 0; i < dimensions_; ++i) {
    if (length(i) > std::numeric_limits<int>::max())
      refuse(fmt::format("{} has the shape {}: no side may exceed {}", what_, shape_text(),
                         std::numeric_limits<int>::max()));
    if (length(i) == 0) refuse(fmt::format("{} has the shape {} and is empty: it needs a pixel", what_, shape_text()));
    if (strides_[static_cast<std::size_t>(i)] < 0)
      refuse(fmt::format("{} has negative strides (it is a flipped view): pass numpy.ascontiguousarray of it", what_));
  }
}

void Array::check(std::initializer_list<ElementType> types, int count, const char* cure) const {
  bool fits = false;
  std::string allowed;
  for (const ElementType& type : types) {
    fits = fits || type == type_;
    allowed += (allowed.empty() ? "" : " or ") + to_text(type);
  }
  if (dimensions_ != count)
    refuse(fmt::format("{} has the shape {}: {} dimensions are needed{}", what_, shape_text(), count, cure));
  if (!fits)
    throw WrongType(fmt::format("{} is {}: {} is needed, and nothing is converted", what_, to_text(type_), allowed));
  const auto last = static_cast<std::size_t>(dimensions_ - 1);
  if (strides_[last] != type_.bytes && shape_[last] > 1)
    refuse(
        fmt::format("{} has strides of {} bytes between neighbours of a row, {} are needed: pass "
                    "numpy.ascontiguousarray of it",
                    what_, strides_[last], type_.bytes));
  if (reinterpret_cast<std::uintptr_t>(data_) % static_cast<std::uintptr_t>(type_.bytes) != 0 && !on_device_)
    refuse(fmt::format("{} is not aligned to its {} bytes: pass a copy", what_, type_.bytes));
}

std::ptrdiff_t Array::row_bytes() const {
  // numpy gives an axis of length 1 any stride.
  return shape_[0] > 1 ? strides_[0] : shape_[1] * type_.bytes;
}

void Array::check_view(ElementType type) const {
  check({type}, 2);
  if (on_device_) refuse(fmt::format("{} lies in a device's memory: host memory is needed here", what_));
  check_rows();
}

void Array::check_rows() const {
  if (row_bytes() < shape_[1] * type_.bytes || row_bytes() % type_.bytes != 0)
    refuse(
        fmt::format("{} has rows that overlap ({} bytes from row to row, {} in a row): pass "
                    "numpy.ascontiguousarray of it",
                    what_, row_bytes(), shape_[1] * type_.bytes));
}

void* Array::whole() const {
  std::int64_t step = type_.bytes;
  for (int i = dimensions_ - 1; i >= 0; --i) {
    if (strides_[static_cast<std::size_t>(i)] != step && length(i) > 1)
      refuse(fmt::format("{} has gaps between its elements: pass numpy.ascontiguousarray of it", what_));
    step *= length(i);
  }
  if (on_device_) refuse(fmt::format("{} lies in a device's memory: host memory is needed here", what_));
  return data_;
}

DeviceImage Array::image(const Device& device, PixelType pixel) const {
  check_rows();
  DeviceMemory memory;
  if (nb::isinstance<DeviceArray>(object_))
    memory = nb::cast<const DeviceArray&>(object_).memory;
  else if (device.kind() == "cuda")
    memory = device.wrap(data_);
  else
    refuse(
        fmt::format("{} lies in CUDA memory, but the work is done on {}: make the object with a CUDA device, or pass "
                    "an array of host memory",
                    what_, device.name()));
  if (stream_ != 0) wait_for_stream(device, stream_);
  return DeviceImage(memory, pixel, {static_cast<int>(shape_[1]), static_cast<int>(shape_[0])},
                     static_cast<std::size_t>(row_bytes()));
}

PictureRef picture(const Array& array, const Device& device) {
  if (array.dimensions() == 3)
    refuse(fmt::format("{} has the shape {}: pictures are grey, (height, width): pass vergence.grey of a coloured one",
                       array.what(), array.shape_text()));
  if (array.type().kind == 'f' || array.type().kind == 'b')
    throw WrongType(
        fmt::format("{} is {}: pictures are uint8 or uint16, and nothing is converted: scale it to 0..255 "
                    "and pass .astype('uint8')",
                    array.what(), to_text(array.type())));
  array.check({element_type<std::uint8_t>(), element_type<std::uint16_t>()}, 2, ", (height, width)");
  const bool bytes = array.type().bytes == 1;
  if (array.on_device()) return array.image(device, bytes ? PixelType::u8 : PixelType::u16);
  if (bytes) return array.view<const std::uint8_t>();
  return array.view<const std::uint16_t>();
}

PictureRef picture(const Array& array, const Device& device, Size size) {
  PictureRef read = picture(array, device);
  if (array.length(0) != size.height || array.length(1) != size.width)
    refuse(fmt::format("{} has the shape {}: ({}, {}) is needed", array.what(), array.shape_text(), size.height,
                       size.width));
  return read;
}

WritablePictureRef written_picture(const Array& array, const Device& device) {
  array.check({element_type<std::uint8_t>(), element_type<std::uint16_t>()}, 2, ", (height, width)");
  const bool bytes = array.type().bytes == 1;
  if (array.on_device()) return array.image(device, bytes ? PixelType::u8 : PixelType::u16);
  if (bytes) return array.view<std::uint8_t>();
  return array.view<std::uint16_t>();
}

ImageView<const std::uint8_t> mask_view(const Array& array) {
  if (!array.given()) return {};
  return array.view<const std::uint8_t>();
}

nb::object new_array(const ElementType& type, std::initializer_list<std::int64_t> shape) {
  nb::list lengths;
  for (const std::int64_t length : shape) lengths.append(length);
  static PyObject* const empty = nb::object(numpy().attr("empty")).release().ptr();
  const std::string name = type.kind == 'b' ? "bool" : to_text(type);
  return nb::handle(empty)(lengths, nb::str(name.c_str()));
}

NewArray new_memory(const ElementType& type, std::initializer_list<std::int64_t> shape) {
  nb::object object = new_array(type, shape);
  Py_buffer buffer;
  if (PyObject_GetBuffer(object.ptr(), &buffer, PyBUF_WRITABLE) != 0) throw nb::python_error();
  void* const data = buffer.buf;  // stays where it is as long as the object lives and nobody resizes it
  PyBuffer_Release(&buffer);
  return {std::move(object), data};
}

nb::tuple to_python(Size size) { return nb::make_tuple(size.height, size.width); }

Size to_size(nb::handle value, const char* what) {
  if (value.is_none()) throw WrongType(fmt::format("{} is missing: give (height, width), as picture.shape", what));
  int sides[2] = {};
  if (nb::len_hint(value) != 2 || !nb::isinstance<nb::sequence>(value) || nb::isinstance<nb::str>(value))
    throw WrongType(
        fmt::format("{} is {}: two ints are needed, (height, width)", what, nb::cast<std::string>(nb::repr(value))));
  for (int i = 0; i < 2; ++i)
    if (!nb::try_cast(nb::object(value[i]), sides[i]))
      throw WrongType(
          fmt::format("{} is {}: two ints are needed, (height, width)", what, nb::cast<std::string>(nb::repr(value))));
  return {sides[1], sides[0]};
}

}  // namespace vergence::python
