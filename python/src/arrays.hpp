// SPDX-License-Identifier: Apache-2.0
// Arrays of others as the library's views, without a copy: numpy, the buffer protocol, DLPack, __array_interface__ and
// __cuda_array_interface__. What does not fit is refused by name, never converted.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "errors.hpp"
#include "exchange.hpp"
#include "vergence/device.hpp"
#include "vergence/image.hpp"
#include "vergence/image_ref.hpp"

namespace vergence::python {

/// Type of an array's elements: kind as numpy writes it ('u', 'i', 'f', 'b', 'c', other), and bytes.
struct ElementType {
  char kind = '?';
  int bytes = 0;
  bool swapped = false;  ///< In the other byte order than this machine's.
  friend bool operator==(const ElementType&, const ElementType&) = default;
};
template <class T>
constexpr ElementType element_type() {
  if constexpr (std::is_floating_point_v<T>)
    return {'f', sizeof(T)};
  else
    return {std::is_signed_v<T> ? 'i' : 'u', sizeof(T)};
}
/// "uint16", ">u2".
std::string to_text(const ElementType& type);
/// As DLPack writes a type of one of the kinds 'u', 'i', 'f', 'b' and 'c'.
nb::dlpack::dtype tensor_type(const ElementType& type);

/// What CUDA calls the legacy default stream.
constexpr std::uintptr_t legacy_stream = 1;

struct DeviceArray;

/// The memory of an array, held as long as this lives: numpy refuses to resize it so long. Made, moved and destroyed
/// with the GIL held. `what` is what messages call it: "left picture".
class Array {
 public:
  enum class Access { read, write };
  static constexpr int most_dimensions = 3;

  /// Not given.
  Array() = default;
  /// Throws WrongType or Error naming `what`: no array, a masked one, more than three dimensions, negative strides,
  /// another byte order, read-only though it is to be written.
  Array(nb::handle object, const char* what, Access access);

  bool given() const { return data_ != nullptr; }
  const char* what() const { return what_; }
  const ElementType& type() const { return type_; }
  int dimensions() const { return dimensions_; }
  std::int64_t length(int dimension) const { return shape_[static_cast<std::size_t>(dimension)]; }
  /// In the memory of a CUDA device, or of a DeviceArray.
  bool on_device() const { return on_device_; }
  /// What an array in CUDA memory that is no DeviceArray tells of its owner's work.
  struct Owner {
    enum class Tells {
      nothing,  ///< There is none: host memory, or a DeviceArray, which has events.
      before,   ///< What was done with it so far is in, or waited for by, this CUDA stream; no more is known.
      stream,   ///< That, and what will be done with it is in this stream.
      cupy,     ///< The same of CuPy's current stream.
    };
    Tells tells = Tells::nothing;
    std::uintptr_t stream = 0;
  };
  const Owner& owner() const { return owner_; }
  const nb::object& object() const { return object_; }
  /// "(480, 640)".
  std::string shape_text() const;

  /// The pixels, in host memory. Throws unless it has two dimensions, type T, and pixels of a row beside each other.
  template <class T>
  ImageView<T> view() const {
    check_view(element_type<std::remove_const_t<T>>());
    return {static_cast<T*>(data_), static_cast<int>(shape_[1]), static_cast<int>(shape_[0]), row_bytes()};
  }
  /// The same of memory of `device`.
  DeviceImage image(const Device& device, PixelType pixel) const;
  /// Throws unless its type is one of `types` and it has `count` dimensions, the last without gaps.
  void check(std::initializer_list<ElementType> types, int count, const char* cure = "") const;
  /// All elements in one piece, of any type. Throws where there are gaps.
  void* whole() const;

 private:
  struct Release {
    void operator()(Py_buffer* buffer) const;
  };
  void read(nb::handle object, Access access);
  void read_ours(const DeviceArray& array);
  void read_buffer(nb::handle object);
  bool read_exchanged(nb::handle object);
  bool read_cupy_array(nb::handle object);
  void read_tensor(nb::handle object, Access access);
  void read_cuda(const nb::dict& interface);
  void take_tensor(const nb::dlpack::dltensor& tensor);
  void set_packed_strides();
  void set_shape(int count, const std::int64_t* shape);
  void check_layout() const;
  void check_view(ElementType type) const;
  void check_rows() const;
  [[noreturn]] void refuse_type(std::initializer_list<ElementType> types) const;
  std::ptrdiff_t row_bytes() const;

  const char* what_ = "";
  nb::object object_;
  std::unique_ptr<Py_buffer, Release> buffer_;
  nb::ndarray<nb::ro> tensor_;
  TensorOwner exchanged_;
  void* data_ = nullptr;
  int dimensions_ = 0;
  std::array<std::int64_t, most_dimensions> shape_{};
  std::array<std::int64_t, most_dimensions> strides_{};  // in bytes
  ElementType type_;
  bool read_only_ = false;
  bool on_device_ = false;
  Owner owner_;
};

/// A picture of 8 or 16 bits, of that size.
PictureRef picture(const Array& array, const Device& device, Size size);
/// The same of any size.
PictureRef picture(const Array& array, const Device& device);
WritablePictureRef written_picture(const Array& array, const Device& device);
/// A mask of bytes in host memory; an empty view for None.
ImageView<const std::uint8_t> mask_view(const Array& array);

/// numpy.empty(shape, type).
nb::object new_array(const ElementType& type, std::initializer_list<std::int64_t> shape);
/// A new array and its memory, to be filled.
struct NewArray {
  nb::object object;
  void* data;
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};
NewArray new_memory(const ElementType& type, std::initializer_list<std::int64_t> shape);

/// (height, width) as Python has it.
nb::tuple to_python(Size size);
/// Throws WrongType unless it is two ints; None is a size that was not given.
Size to_size(nb::handle value, const char* what);

}  // namespace vergence::python
