// SPDX-License-Identifier: Apache-2.0
// Pictures in memory: an Image owns its pixels, an ImageView refers to pixels of others. The headers read as a tutorial
// in the order image, device, device_image, image_ref, stereo, motion, track, pipeline; error.hpp and field.hpp serve
// all of them. Read device.hpp next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "vergence/error.hpp"

namespace vergence {

/// Type of a picture's pixels: 8 or 16 bits.
enum class Depth { u8, u16 };

/// Width and height in pixels.
struct Size {
  int width = 0;
  int height = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

/// A rectangle of pixels: columns [x, x + width), rows [y, y + height).
struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  friend bool operator==(const Rect&, const Rect&) = default;
  bool empty() const { return width <= 0 || height <= 0; }
};

/// A rectangle of pixels that it does not own: a small value, passed by copy. Rows lie `stride` bytes apart (at
/// least width * sizeof(T), a multiple of alignof(T); the call that gets the view checks it). An empty view (data ==
/// nullptr) means "not given" or "not wanted". The pixels must outlive it. Views of the same pixels may be read by
/// several threads at once.
///
/// ```cpp
/// std::vector<std::uint8_t> memory(640 * 480);
/// const ImageView<std::uint8_t> all(memory.data(), 640, 480);
/// const ImageView<std::uint8_t> part = all.crop({10, 20, 100, 50});
/// part(0, 0) = 7;  // column 10 of row 20
/// ```
template <class T>
class ImageView {
 public:
  ImageView() = default;
  ImageView(T* data, int width, int height, std::ptrdiff_t stride_bytes)
      : data_(data), width_(width), height_(height), stride_(stride_bytes) {}
  /// Rows without gaps.
  ImageView(T* data, int width, int height)
      : ImageView(data, width, height, static_cast<std::ptrdiff_t>(width) * static_cast<std::ptrdiff_t>(sizeof(T))) {}
  /// A writable view is readable.
  template <class U>
  requires(std::is_same_v<const U, T> && !std::is_const_v<U>)
      ImageView(const ImageView<U>& other)  // NOLINT(google-explicit-constructor): as for pointers
      : ImageView(other.data(), other.width(), other.height(), other.stride()) {}

  T* data() const { return data_; }
  int width() const { return width_; }
  int height() const { return height_; }
  Size size() const { return {width_, height_}; }
  /// Distance between rows in bytes.
  std::ptrdiff_t stride() const { return stride_; }
  bool empty() const { return data_ == nullptr || width_ <= 0 || height_ <= 0; }

  /// First pixel of a row. row, operator() and crop check no bounds; what lies outside is undefined.
  T* row(int y) const {
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    return reinterpret_cast<T*>(reinterpret_cast<Byte*>(data_) + static_cast<std::ptrdiff_t>(y) * stride_);
  }
  T& operator()(int x, int y) const { return row(y)[x]; }

  /// The part of this view inside `rect`, which must lie within it.
  ImageView crop(const Rect& rect) const { return {row(rect.y) + rect.x, rect.width, rect.height, stride_}; }

 private:
  T* data_ = nullptr;
  int width_ = 0;
  int height_ = 0;
  std::ptrdiff_t stride_ = 0;
};

/// Owns its pixels. Every row starts on a 64-byte boundary; move-only, because a silent copy of a picture is nearly
/// always a mistake (use clone()). Contents are uninitialised after construction unless a value is given. A moved-from
/// image is empty. Several threads may read one image at once; who writes needs it alone.
///
/// ```cpp
/// Image<std::uint8_t> picture(640, 480, 0);
/// picture(3, 4) = 255;
/// const ImageView<const std::uint8_t> view = picture;
/// Image<std::uint8_t> copy = picture.clone();
/// ```
template <class T>
class Image {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::size_t alignment = 64;

  Image() = default;
  /// Throws Error(out_of_memory) naming the size where the memory cannot be had.
  Image(int width, int height) { allocate(width, height); }
  Image(int width, int height, T value) : Image(width, height) { fill(value); }
  explicit Image(Size size) : Image(size.width, size.height) {}
  Image(Size size, T value) : Image(size.width, size.height, value) {}
  Image(Image&& other) noexcept : view_(std::exchange(other.view_, {})) {}
  Image& operator=(Image&& other) noexcept {
    if (this != &other) {
      release();
      view_ = std::exchange(other.view_, {});
    }
    return *this;
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() { release(); }

  int width() const { return view_.width(); }
  int height() const { return view_.height(); }
  Size size() const { return view_.size(); }
  std::ptrdiff_t stride() const { return view_.stride(); }
  bool empty() const { return view_.empty(); }
  T* data() { return view_.data(); }
  const T* data() const { return view_.data(); }
  T* row(int y) { return view_.row(y); }
  const T* row(int y) const { return view_.row(y); }
  T& operator()(int x, int y) { return view_(x, y); }
  const T& operator()(int x, int y) const { return view_(x, y); }

  ImageView<T> view() { return view_; }
  ImageView<const T> view() const { return view_; }
  operator ImageView<T>() & { return view_; }             // NOLINT(google-explicit-constructor): an owner is viewable
  operator ImageView<const T>() const& { return view_; }  // NOLINT(google-explicit-constructor)
  operator ImageView<T>() && = delete;                    // a view of a temporary would dangle
  operator ImageView<const T>() const&& = delete;

  void fill(T value) {
    for (int y = 0; y < height(); ++y)
      for (int x = 0; x < width(); ++x) view_(x, y) = value;
  }
  /// A copy with memory of its own. Throws Error(out_of_memory).
  Image clone() const {
    Image copy(size());
    for (int y = 0; y < height(); ++y) std::memcpy(copy.row(y), row(y), sizeof(T) * static_cast<std::size_t>(width()));
    return copy;
  }

 private:
  void allocate(int width, int height) {
    if (width < 0 || height < 0)
      throw Error(ErrorCode::invalid_argument, "image size " + std::to_string(width) + "x" + std::to_string(height) +
                                                   " is negative: give a width and a height of at least 0");
    if (width == 0 || height == 0) return;
    const std::size_t row_bytes = (static_cast<std::size_t>(width) * sizeof(T) + alignment - 1) / alignment * alignment;
    void* memory =
        ::operator new (row_bytes* static_cast<std::size_t>(height), std::align_val_t{alignment}, std::nothrow);
    if (memory == nullptr)
      throw Error(ErrorCode::out_of_memory, "no memory for an image of " + std::to_string(width) + "x" +
                                                std::to_string(height) +
                                                " pixels: use a smaller picture or free memory");
    view_ = ImageView<T>(static_cast<T*>(memory), width, height, static_cast<std::ptrdiff_t>(row_bytes));
  }
  void release() {
    if (view_.data() != nullptr) ::operator delete (view_.data(), std::align_val_t{alignment});
    view_ = {};
  }

  ImageView<T> view_;
};

}  // namespace vergence
