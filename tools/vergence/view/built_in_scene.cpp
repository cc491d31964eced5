// SPDX-License-Identifier: Apache-2.0
// The built-in scene: rendered when it is asked for, with all that is true about it.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "cli/command.hpp"
#include "synth/scene.hpp"
#include "view/scene.hpp"

namespace vergence::cli {
namespace {

/// The truth inside `region` alone.
Image<float> truth_inside(ImageView<const float> truth, const Rect& region) {
  Image<float> inside(truth.size(), std::numeric_limits<float>::quiet_NaN());
  for (int y = region.y; y < region.y + region.height; ++y)
    for (int x = region.x; x < region.x + region.width; ++x) inside(x, y) = truth(x, y);
  return inside;
}

GreyPicture grey_of(Image<std::uint8_t>&& picture) {
  GreyPicture grey;
  grey.u8 = std::move(picture);
  return grey;
}

/// What belongs to pictures does nothing without them.
void refuse_without_pictures(const StereoArguments& stereo) {
  const auto refuse = [](bool given, const char* option) {
    if (given) throw UsageError(fmt::format("{} is given, but no pictures, and the built-in scene needs none", option));
  };
  refuse(stereo.right.has_value(), "RIGHT");
  refuse(stereo.layout != "pair", "--layout");
  refuse(stereo.frames.has_value(), "--frames");
  refuse(stereo.truth.file.has_value(), "--truth");
  refuse(stereo.geometry.given(), "--calibration, --focal or --baseline");
  check_no_truth_options(stereo.truth);
}

/// Not known where the point is hidden in the next frame.
Image<FlowVector> seen_flow(Image<FlowVector>&& flow, ImageView<const std::uint8_t> visible) {
  constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
  for (int y = 0; y < flow.height(); ++y)
    for (int x = 0; x < flow.width(); ++x)
      if (visible(x, y) == 0) flow(x, y) = {unknown, unknown};
  return std::move(flow);
}

class BuiltInScene final : public ViewScene {
 public:
  BuiltInScene() : scene_({.frames = count, .color = true}) {}
  const std::string& name() const override { return name_; }
  std::int64_t first_frame() const override { return 0; }
  std::int64_t frames() const override { return count; }
  std::optional<Calibration> geometry() const override { return scene_.calibration(); }
  // A frame does not depend on how many follow.
  std::string command(std::int64_t frame) const override {
    if (frame == 0)
      return "vergence synth scene --rgb && vergence stereo scene/left.png scene/right.png "
             "--truth scene/disparity.pfm --mask scene/mask.png";
    return fmt::format(
        "vergence synth scene --rgb --frame-count {} && vergence stereo scene/left_%04d.png scene/right_%04d.png "
        "--frames {}:{} --truth scene/disparity_%04d.pfm --mask scene/mask_%04d.png",
        frame + 1, frame, frame);
  }
  std::string video_command(std::string_view tool, std::int64_t first, std::int64_t last) const override {
    return fmt::format("vergence synth scene --rgb --frame-count {} && vergence {} scene/left_%04d.png --frames {}:{}",
                       last + 1, tool, first, last);
  }

 private:
  static constexpr int count = 8;

  ViewFrame load(std::int64_t number) override {
    synth::SceneFrame from = scene_.render(static_cast<int>(number));
    ViewFrame frame;
    frame.pair = {number, grey_of(std::move(from.left)), grey_of(std::move(from.right))};
    frame.left = std::move(from.left_rgb);
    frame.right = std::move(from.right_rgb);
    frame.truth = from.disparity_left.clone();
    if (!from.flow.empty()) frame.flow = seen_flow(std::move(from.flow), from.flow_visible.view());
    struct Known {
      Image<float> truth;
      Image<std::uint8_t> visible;
    };
    const auto known =
        std::make_shared<const Known>(Known{std::move(from.disparity_left), std::move(from.visible_left)});
    frame.score = [known](ImageView<const float> map, ImageView<const std::uint8_t> validity,
                          const std::optional<Rect>& region) {
      StereoScoreOptions options;
      options.validity = validity;
      if (!region) return score_stereo(map, known->truth, known->visible, options);
      const Image<float> inside = truth_inside(known->truth, *region);
      return score_stereo(map, inside, known->visible, options);
    };
    return frame;
  }

  const std::string name_ = "the built-in scene";
  synth::Scene scene_;
};

}  // namespace

std::unique_ptr<ViewScene> open_built_in_scene(const StereoArguments& arguments) {
  refuse_without_pictures(arguments);
  return std::make_unique<BuiltInScene>();
}

}  // namespace vergence::cli
