// SPDX-License-Identifier: Apache-2.0
// Checks and completes the options of a Scene, furnishes its world and renders its frames.
#include "synth/scene.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "synth/layout.hpp"
#include "synth/render.hpp"

namespace vergence::synth {
namespace {

std::string text(double v) {
  std::string s = std::to_string(v);
  s.erase(s.find_last_not_of('0') + 1);
  if (s.back() == '.') s.pop_back();
  return s;
}

/// Throws where the value is outside low..high or is not a number.
void require(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return;
  throw Error(ErrorCode::invalid_argument, "scene: " + std::string(name) + " is " + text(value) +
                                               ": give a number from " + text(low) + " to " + text(high));
}

SceneOptions completed(SceneOptions o) {
  require("size.width", o.size.width, 1, 65535);
  require("size.height", o.size.height, 1, 65535);
  const double width = o.size.width;
  if (!o.max_disparity)
    o.max_disparity = std::max(60 * width / 640, o.min_disparity ? std::min(15 * *o.min_disparity, width) : 0.0);
  if (!o.min_disparity) o.min_disparity = std::min(4 * width / 640, *o.max_disparity / 15);
  const double lowest = *o.min_disparity;
  const double highest = *o.max_disparity;
  if (!(lowest > 0 && lowest < highest && highest <= width))
    throw Error(ErrorCode::invalid_argument, "scene: disparities are " + text(lowest) + " to " + text(highest) +
                                                 " px: give 0 < min_disparity < max_disparity <= " + text(width) +
                                                 " (the picture's width)");
  require("frames", o.frames, 1, std::numeric_limits<int>::max());
  require("noise_sigma", o.noise_sigma, 0, 64);
  require("gain", o.gain, 0, 8);
  require("offset", o.offset, -255, 255);
  require("samples", o.samples, 1, 8);
  require("threads", o.threads, 0, 1024);
  return o;
}

}  // namespace

struct Scene::Impl {
  explicit Impl(const SceneOptions& given) : options(completed(given)), world(furnish(options)) {}
  SceneOptions options;
  World world;
};

Scene::Scene(const SceneOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

const SceneOptions& Scene::options() const { return impl_->options; }

Calibration Scene::calibration() const {
  const SceneOptions& o = impl_->options;
  Calibration c;
  c.focal_px = impl_->world.focal;
  c.baseline_m = impl_->world.baseline;
  c.offset_px = 0;
  c.center_x = 0.5 * (o.size.width - 1);
  c.center_y = 0.5 * (o.size.height - 1);
  c.size = o.size;
  c.disparities = static_cast<int>(std::ceil(*o.max_disparity)) + 1;
  return c;
}

SceneFrame Scene::render(int frame) const {
  if (frame < 0 || frame >= impl_->options.frames)
    throw Error(ErrorCode::invalid_argument, "scene: frame " + std::to_string(frame) + " does not exist: give 0 to " +
                                                 std::to_string(impl_->options.frames - 1));
  return synth::render(impl_->world, impl_->options, frame);
}

}  // namespace vergence::synth
