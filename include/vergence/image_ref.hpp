// SPDX-License-Identifier: Apache-2.0
// What a call reads or writes: pixels in host memory or in a device's, as one small value. Read device_image.hpp
// first, stereo.hpp next.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "vergence/device_image.hpp"
#include "vergence/image.hpp"

namespace vergence {

/// A picture or a map that a call is given: a view of pixels of one of the types `Pixels` in host memory, or an image
/// in a device's memory. It is made implicitly from an Image, an ImageView or a DeviceImage; users seldom name it. A
/// small value that owns no pixels in host memory, which stay where they are as long as the call says, and a share of
/// the device memory of a DeviceImage. Made from nothing it means "not given" or "not wanted".
///
/// Pixel types that a call does not take are errors of the compiler; types that do not fit the options or each other
/// are an Error that names the picture or the map.
///
/// ```cpp
/// Image<std::uint8_t> mask(640, 480);
/// PictureRef read = mask;                          // a picture of 8 bits
/// ImageRef<std::uint8_t> written = mask.view();    // the same pixels, to be written
/// bool host = !read.on_device() && !written.empty();
/// ImageView<const std::uint8_t> pixels = read.view<const std::uint8_t>();
/// ```
template <class... Pixels>
class ImageRef {
  template <class T>
  static constexpr bool takes = (std::is_same_v<T, Pixels> || ...);
  /// What the conversion of a view of T to one of the types taken gives.
  template <class T>
  using Taken = std::conditional_t<takes<T>, T, const T>;

 public:
  /// "Not given", "not wanted".
  ImageRef() = default;
  template <class T>
  requires(takes<T> || takes<const T>) ImageRef(ImageView<T> view)  // NOLINT(google-explicit-constructor): as for views
      : what_(ImageView<Taken<T>>(view)) {}
  template <class T>
  requires(takes<T> || takes<const T>) ImageRef(Image<T>& image)  // NOLINT(google-explicit-constructor)
      : what_(ImageView<Taken<T>>(image.view())) {}
  template <class T>
  requires(takes<const T>) ImageRef(const Image<T>& image)  // NOLINT(google-explicit-constructor)
      : what_(ImageView<const T>(image.view())) {}
  template <class T>
  ImageRef(const Image<T>&& image) = delete;  // what refers to a temporary would dangle
  ImageRef(DeviceImage image)                 // NOLINT(google-explicit-constructor)
      : what_(std::move(image)) {}

  /// True where nothing is given: a null pointer, or an image without memory.
  bool empty() const {
    return visit([](const auto& what) {
      if constexpr (std::is_same_v<decltype(what), const DeviceImage&>)
        return what.empty();
      else
        return what.data() == nullptr;
    });
  }
  bool on_device() const { return std::holds_alternative<DeviceImage>(what_); }
  /// True where it holds a view of pixels of type T.
  template <class T>
  bool holds() const {
    return std::holds_alternative<ImageView<T>>(what_);
  }
  /// The view; an empty one where it holds no view of pixels of type T.
  template <class T>
  ImageView<T> view() const {
    const ImageView<T>* const view = std::get_if<ImageView<T>>(&what_);
    return view != nullptr ? *view : ImageView<T>();
  }
  /// The image in device memory; an empty one where there is none.
  DeviceImage image() const {
    const DeviceImage* const image = std::get_if<DeviceImage>(&what_);
    return image != nullptr ? *image : DeviceImage();
  }
  /// Calls `f` with the view or the image.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), what_);
  }

 private:
  std::variant<ImageView<Pixels>..., DeviceImage> what_;
};

/// A picture: 8 or 16 bits, or a DeviceImage of type u8 or u16.
using PictureRef = ImageRef<const std::uint8_t, const std::uint16_t>;
/// A picture that is written.
using WritablePictureRef = ImageRef<std::uint8_t, std::uint16_t>;
/// A map of disparities: 16 or 32 bits, or a DeviceImage of type i16 or i32.
using DisparityRef = ImageRef<std::int16_t, std::int32_t>;

}  // namespace vergence
