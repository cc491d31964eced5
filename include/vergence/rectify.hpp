// SPDX-License-Identifier: Apache-2.0
// Rectification: turns the pictures of two calibrated cameras so that a point lies in the same row of both (in the same
// column, where one camera stands above the other). Read rig.hpp first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "vergence/device.hpp"
#include "vergence/image.hpp"
#include "vergence/image_ref.hpp"
#include "vergence/rig.hpp"

namespace vergence {

/// How rectified pictures are to look.
struct RectifyOptions {
  /// 0: so large that no pixel lacks a source; 1: so small that no source pixel is lost; between: in proportion; -1:
  /// the mean focal length of both cameras. Fisheyes: 0 (also -1) and 1 fit the middles of the picture's sides instead.
  double alpha = -1;
  /// Focal length of the rectified pictures in px, in the place of alpha; 0: alpha says.
  double focal_px = 0;
  /// Of the rectified pictures in px; 0x0: that of the cameras.
  Size size{};
  /// The largest value of 16-bit pixels, 1..65535: no sample exceeds it.
  int max_value = 65535;
  /// Pictures of a vertical rig are turned by 90 degrees, so that points keep their row, as StereoMatcher needs it, and
  /// so that disparities are not negative.
  bool along_rows = false;
};

/// What rectification does to a rig.
struct RectifiedRig {
  /// r1, r2, p1, p2 as OpenCV's stereoRectify names them; the size is set. Principal points are equal, so that infinity
  /// has disparity 0.
  RigRectification projections;
  /// One camera stands above the other: points keep their column, and p2's shift stands in its second row.
  bool vertical = false;
  /// Pictures, size and projections are those of a vertical rig that was turned by 90 degrees: what was up is now left
  /// (-90), or right (90); 0: not turned. `vertical` is false then.
  int turned = 0;
  /// The largest rectangle in which each pixel of both rectified pictures has a source; may be empty.
  Rect valid;
};

/// Bouguet's method: each camera turns by half of the rotation between them, then both turn alike until the baseline
/// lies along an axis, and project with one focal length. The same bits on every machine. A rig that tells its
/// rectification keeps it as long as `options` ask for nothing. Throws Error(invalid_argument) for what check_rig
/// refuses, a camera of unknown size or cameras of two sizes, alpha that is neither -1 nor 0..1 (also together with
/// focal_px), a focal length that is negative or not finite, a size beyond 1..65536 px each way, and a rig that looks
/// along its baseline. May be called by any thread. Source: J.-Y. Bouguet, "Camera Calibration Toolbox for Matlab",
/// 1999-2004; G. Bradski and A. Kaehler, "Learning OpenCV", O'Reilly 2008, chapter 12, "Calibrated stereo
/// rectification".
RectifiedRig rectify_rig(const StereoRig& rig, const RectifyOptions& options = {});

/// A picture to be rectified: 8 or 16 bits, in host memory or in that of the rectifier's device.
using RectifyInput = ImageRef<const std::uint8_t, const std::uint16_t>;
/// A rectified one, of the same type.
using RectifyOutput = ImageRef<std::uint8_t, std::uint16_t>;

/// Rectifies the pictures of a rig on one device: bilinear, with the same bytes on every device
/// (docs/algorithms/rectify/remap.md). A pixel without source holds the sample at the nearest place that has one, so
/// that no black edge is matched; the masks say which pixels these are. One object may be used by one thread at a time.
///
/// ```cpp
/// StereoRig rig;
/// rig.left = rig.right = {{640, 480}, 500, 500, 319.5, 239.5, LensModel::pinhole, {-0.1}};
/// rig.translation = {-0.12, 0, 0};
/// const Image<std::uint8_t> left({640, 480}, 0), right({640, 480}, 0);
/// StereoRectifier rectifier(Device("cpu"), rig, {.alpha = 0});
/// Image<std::uint8_t> rectified_left(rectifier.size()), rectified_right(rectifier.size());
/// rectifier.rectify(left, right, rectified_left, rectified_right);
/// ```
class StereoRectifier {
 public:
  /// Makes the maps, once: about 0.1 us a pixel. Throws what rectify_rig throws, Error(unsupported) naming a device
  /// that has no rectification, and Error(out_of_memory).
  StereoRectifier(const Device& device, const StereoRig& rig, const RectifyOptions& options = {});
  StereoRectifier(StereoRectifier&&) noexcept;
  StereoRectifier& operator=(StereoRectifier&&) noexcept;
  ~StereoRectifier();

  /// Both pictures have source_size() and one type; outputs have size() and that type. Strides are free; an output
  /// shares no byte with another view. Each may lie in host memory or, on OpenCL and CUDA devices, in a DeviceImage of
  /// any pitch and offset; what other queues do with it must have ended. All outputs are whole when this returns.
  /// Throws Error(invalid_argument) naming a picture that does not fit, and Error(device) where the device is lost.
  void rectify(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
               const RectifyOutput& right_out);
  /// One picture alone: a channel of a coloured one, for example.
  void rectify_left(const RectifyInput& in, const RectifyOutput& out);
  void rectify_right(const RectifyInput& in, const RectifyOutput& out);

  /// The same for outputs in device memory, and nothing is waited for on the host: the device begins when the events
  /// `after` have come, where there are any, and the outputs are whole when the returned event has come; until then all
  /// pictures stay where they are, and memory of a DeviceMemory is kept. Pictures in host memory pass through memory of
  /// four: a later one waits for a copy, which comes after its call's `after`. Throws besides Error(invalid_argument)
  /// for outputs in host memory and for an event of another Device, before anything is done.
  DeviceEvent submit(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
                     const RectifyOutput& right_out, std::span<const DeviceEvent> after = {});
  DeviceEvent submit_left(const RectifyInput& in, const RectifyOutput& out, std::span<const DeviceEvent> after = {});
  DeviceEvent submit_right(const RectifyInput& in, const RectifyOutput& out, std::span<const DeviceEvent> after = {});

  /// 1 where a rectified pixel has a source, 0 elsewhere. Valid as long as this object.
  ImageView<const std::uint8_t> left_mask() const;
  ImageView<const std::uint8_t> right_mask() const;
  const RectifiedRig& rig() const;
  /// Of the rectified pictures.
  Size size() const;
  /// Of the cameras' pictures.
  Size source_size() const;
  /// Bytes that this object has allocated on the host, maps and masks among them.
  std::size_t memory() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vergence
