// SPDX-License-Identifier: Apache-2.0
// Arrays of others as the library's views; new ones.
#include "arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "device.hpp"
#include "vergence/error.hpp"

namespace vergence::python {

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

void Array::set_shape(int count, const std::int64_t* shape) {
  if (count < 1 || count > most_dimensions) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format("{}{}", i > 0 ? ", " : "", shape[i]);
    refuse(fmt::format("{} has {} dimensions, shape ({}): 2 are needed, (height, width)", what_, count, text));
  }
  dimensions_ = count;
  for (int i = 0; i < count; ++i) shape_[static_cast<std::size_t>(i)] = shape[i];
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

// Text is made for errors alone: it would be a large part of a small call.
void Array::check(std::initializer_list<ElementType> types, int count, const char* cure) const {
  if (dimensions_ != count)
    refuse(fmt::format("{} has the shape {}: {} dimensions are needed{}", what_, shape_text(), count, cure));
  if (std::find(types.begin(), types.end(), type_) == types.end()) refuse_type(types);
  const auto last = static_cast<std::size_t>(dimensions_ - 1);
  if (strides_[last] != type_.bytes && shape_[last] > 1)
    refuse(
        fmt::format("{} has strides of {} bytes between neighbours of a row, {} are needed: pass "
                    "numpy.ascontiguousarray of it",
                    what_, strides_[last], type_.bytes));
  if (reinterpret_cast<std::uintptr_t>(data_) % static_cast<std::uintptr_t>(type_.bytes) != 0 && !on_device_)
    refuse(fmt::format("{} is not aligned to its {} bytes: pass a copy", what_, type_.bytes));
}

void Array::refuse_type(std::initializer_list<ElementType> types) const {
  std::string allowed;
  for (const ElementType& type : types) allowed += (allowed.empty() ? "" : " or ") + to_text(type);
  throw WrongType(fmt::format("{} is {}: {} is needed, and nothing is converted", what_, to_text(type_), allowed));
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
  static PyObject* const empty = nb::object(nb::module_::import_("numpy").attr("empty")).release().ptr();
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
