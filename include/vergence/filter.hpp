// SPDX-License-Identifier: Apache-2.0
// Small filters of pictures, with the same bits on every device that has them: blur, gradients, half size. Read
// image.hpp and device.hpp first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "vergence/device.hpp"
#include "vergence/image.hpp"
#include "vergence/image_ref.hpp"

namespace vergence {

/// What stands for pixels beside the picture.
enum class FilterBorder {
  zero,    ///< 0.
  edge,    ///< The nearest pixel of the picture.
  mirror,  ///< The picture mirrored about its first and last pixels, which are not repeated; again and again.
  /// No pixel does. Where taps of the first pass (across) leave the picture, its result is 0; the second pass (down)
  /// reads these zeros, and its own result is 0 where its taps leave the picture.
  blank,
};

/// The picture that is filtered: bytes or floats, in host memory.
using FilterInput = ImageRef<const std::uint8_t, const float>;
/// What blur and half write: pixels of the picture's type.
using FilterOutput = ImageRef<std::uint8_t, float>;
/// A gradient: std::int16_t of bytes, float of floats.
using FilterGradient = ImageRef<std::int16_t, float>;

/// Filters pictures of one size on one device. In floating point each pass goes in one written order, without fused
/// multiply-add: docs/algorithms/imgproc. `in` and what is written have the filter's size, any stride, and share no
/// byte. One object may be used by one thread at a time.
///
/// ```cpp
/// const Image<std::uint8_t> picture({640, 480}, 0);
/// PictureFilter filter(Device("cpu"), picture.size());
/// Image<std::uint8_t> smooth(picture.size());
/// filter.blur(picture, smooth);
/// ```
class PictureFilter {
 public:
  /// Throws Error(invalid_argument) for a size that is not 1..1048576 px each way, Error(unsupported) naming a device
  /// that has no such filters, and Error(out_of_memory).
  PictureFilter(const Device& device, Size size);
  PictureFilter(PictureFilter&&) noexcept;
  PictureFilter& operator=(PictureFilter&&) noexcept;
  ~PictureFilter();

  /// Weights 1 4 6 4 1 (over 16) across, then down (P. J. Burt and E. H. Adelson, "The Laplacian pyramid as a compact
  /// image code", IEEE Trans. Communications 31, 1983, section II). Bytes are rounded once, (sum + 128) >> 8. All
  /// functions here throw Error(invalid_argument) naming a view that does not fit in size, type or memory.
  void blur(const FilterInput& in, const FilterOutput& out, FilterBorder border = FilterBorder::mirror);

  /// Gradients across (dx) and down (dy): the next pixel minus the one before, with weights 1 2 1 (Sobel) or 3 10 3
  /// (H. Scharr, "Optimale Operatoren in der digitalen Bildverarbeitung", thesis, Heidelberg, 2000, 9.3) along the
  /// other axis. They are not scaled: 8 (Sobel) or 32 (Scharr) times the change per pixel. dx or dy may be left out:
  /// {}.
  void sobel(const FilterInput& in, const FilterGradient& dx, const FilterGradient& dy,
             FilterBorder border = FilterBorder::mirror);
  void scharr(const FilterInput& in, const FilterGradient& dx, const FilterGradient& dy,
              FilterBorder border = FilterBorder::mirror);

  /// Every second pixel of every second row of blur's result, from the first on. `out` has half_size().
  void half(const FilterInput& in, const FilterOutput& out, FilterBorder border = FilterBorder::mirror);

  Size size() const;
  /// (width + 1) / 2, (height + 1) / 2.
  Size half_size() const;
  /// Bytes that this object has allocated on the host.
  std::size_t memory() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vergence
