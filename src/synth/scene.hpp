// SPDX-License-Identifier: Apache-2.0
// The built-in scene: a ray-traced room as rectified stereo pair and video, with everything that is true about it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "vergence/image.hpp"
#include "vergence/io.hpp"  // for its types Rgb, FlowVector and Calibration; nothing of vergence_io is called

namespace vergence::synth {

/// Settings of a Scene; Scene's constructor checks them.
struct SceneOptions {
  /// Pixels, each side 1..65535.
  Size size{640, 480};
  /// Chooses places, shapes, colours and textures; every value gives another scene.
  std::uint64_t seed = 1;
  /// All disparities of all frames lie within these, in px: 0 < min < max <= width. Default: 4 and 60 px per 640 px of
  /// width.
  std::optional<double> min_disparity = std::nullopt;
  std::optional<double> max_disparity = std::nullopt;
  /// Number of frames, at least 1. Each but the last has flow to the next one.
  int frames = 1;
  /// Deviation of the noise added to each picture, in grey levels, 0..64.
  double noise_sigma = 0;
  /// Exposure of the right picture: value * gain + offset, clipped to 0..255. Gain 0..8, offset -255..255 grey levels.
  double gain = 1;
  double offset = 0;
  /// Rays per pixel and direction (2 = four rays a pixel), 1..8: more is smoother and slower.
  int samples = 2;
  /// Also give the pictures in colour.
  bool color = false;
  /// 0 = one per core. The result does not depend on it.
  int threads = 0;
};

/// What is seen at a pixel, for scores per kind of difficulty.
enum class Region : std::uint8_t {
  textured = 0,    ///< Surfaces with texture that does not repeat.
  flat = 1,        ///< No texture at all.
  repetitive = 2,  ///< Checks or stripes.
  thin = 3,        ///< Rods and grids, a few pixels wide.
};

/// One moment, seen by both cameras. All images have the scene's size, but for those that are empty.
/// Pixel (x, y) means the point at the pixel's centre; the pictures average over the pixel's area.
struct SceneFrame {
  Image<std::uint8_t> left, right;
  Image<Rgb> left_rgb, right_rgb;  ///< Empty without SceneOptions::color. The grey pictures are made from these.
  /// px: left pixel x is right pixel x - disparity_left, right pixel x is left pixel x + disparity_right. Known
  /// everywhere.
  Image<float> disparity_left, disparity_right;
  /// 255 where the point is visible in the other picture, 0 where it is hidden or outside.
  Image<std::uint8_t> visible_left, visible_right;
  Image<std::uint8_t> region_left;  ///< Region of every left pixel.
  /// px: the point at left pixel (x, y) is at (x + u, y + v) in the next left picture. Empty for the last frame.
  Image<FlowVector> flow;
  Image<std::uint8_t> flow_visible;  ///< 255 where that point is visible there, else 0. Empty for the last frame.
};

/// A scene of moving objects before moving cameras. The same options give the same bits on every machine.
class Scene {
 public:
  /// Throws Error(invalid_argument) naming the option, its value and what is allowed.
  explicit Scene(const SceneOptions& options);
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;
  ~Scene();

  /// As given, with both disparities filled in.
  const SceneOptions& options() const;
  /// Pinholes with the same focal length and principal point, the right one baseline_m to the right: offset_px is 0.
  Calibration calibration() const;
  /// Frame 0..frames-1; throws Error(invalid_argument) for any other.
  SceneFrame render(int frame) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vergence::synth
