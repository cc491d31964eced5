// SPDX-License-Identifier: Apache-2.0
// Frames out of files and out of the built-in scene.
#include "view/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/command.hpp"
#include "cli/printable.hpp"
#include "stereo/source.hpp"
#include "synth/scene.hpp"
#include "view/live_scene.hpp"
#include "view/video_scene.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t most_kept_frames = 4;

/// The truth inside `region` alone.
Image<float> truth_inside(ImageView<const float> truth, const Rect& region) {
  Image<float> inside(truth.size(), std::numeric_limits<float>::quiet_NaN());
  for (int y = region.y; y < region.y + region.height; ++y)
    for (int x = region.x; x < region.x + region.width; ++x) inside(x, y) = truth(x, y);
  return inside;
}

Image<Rgb> part_of(ImageView<const Rgb> picture, const Rect& part) {
  Image<Rgb> copy(part.width, part.height);
  for (int y = 0; y < part.height; ++y)
    for (int x = 0; x < part.width; ++x) copy(x, y) = picture(part.x + x, part.y + y);
  return copy;
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

class BuiltInScene final : public ViewScene {
 public:
  BuiltInScene() : scene_({.color = true}) {}
  const std::string& name() const override { return name_; }
  std::int64_t first_frame() const override { return 0; }
  std::int64_t frames() const override { return 1; }
  std::optional<Calibration> geometry() const override { return scene_.calibration(); }
  std::string command(std::int64_t /*frame*/) const override {
    return "vergence synth scene --rgb && vergence stereo scene/left.png scene/right.png "
           "--truth scene/disparity.pfm --mask scene/mask.png";
  }
  std::string video_command(std::string_view, std::int64_t, std::int64_t) const override { return ""; }

 private:
  ViewFrame load(std::int64_t number) override {
    synth::SceneFrame from = scene_.render(static_cast<int>(number));
    ViewFrame frame{{number, grey_of(std::move(from.left)), grey_of(std::move(from.right))},
                    std::move(from.left_rgb),
                    std::move(from.right_rgb),
                    from.disparity_left.clone(),
                    {}};
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

class FileScene final : public ViewScene {
 public:
  explicit FileScene(const StereoArguments& arguments) : arguments_(arguments), truth_(arguments.truth) {
    if (arguments.left == "-")
      throw UsageError("standard input is read once, and the page asks for frames again: give --stream, or a file");
    const FrameRange range =
        arguments.frames ? as_usage([&] { return parse_frame_range(*arguments.frames); }) : FrameRange{};
    StereoSource source = open(range);
    stream_ = source.is_stream();
    first_ = source.number();
    frames_ = stream_ ? source.count().value_or(1) : 1;
    if (stream_ && !source.count())
      warn(fmt::format("{} does not tell how many frames it has: the first one is taken, and --frames A:B names others",
                       arguments.left));
    if (range.last >= 0) frames_ = std::min(frames_, range.last - first_ + 1);
    name_ = arguments.left + (arguments.right ? ", " + *arguments.right : "");
    if (!arguments.truth.file) check_no_truth_options(arguments.truth);
    check_geometry(arguments.geometry, arguments.geometry.given());
    refuse_raw();
    const std::optional<StereoFrame> first = source.next();
    if (!first) throw Error(ErrorCode::bad_data, fmt::format("{} has no frame to match", arguments.left));
    if (arguments.geometry.given())
      geometry_ = resolve_geometry(arguments.geometry, read_geometry(arguments.geometry, true), first->left.size(),
                                   StereoView::left);
  }
  const std::string& name() const override { return name_; }
  std::int64_t first_frame() const override { return first_; }
  std::int64_t frames() const override { return frames_; }
  std::optional<Calibration> geometry() const override { return geometry_; }
  std::string command(std::int64_t frame) const override;
  std::string video_command(std::string_view tool, std::int64_t first, std::int64_t last) const override {
    return stream_ && arguments_.layout == "pair" ? video_words(tool, arguments_.left, first, last) : "";
  }

 private:
  StereoSource open(const FrameRange& range) const;
  void refuse_raw() const;
  ViewFrame load(std::int64_t number) override;

  const StereoArguments& arguments_;
  Truth truth_;  ///< Read once, so that its options are checked before the server starts.
  std::string name_;
  bool stream_ = false;
  std::int64_t first_ = 0, frames_ = 1;
  std::optional<StereoSource> reading_;  ///< Behind the frame that was loaded last.
  std::optional<Calibration> geometry_;
};

StereoSource FileScene::open(const FrameRange& range) const {
  try {
    return open_source(arguments_, range);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range is beyond the end
    throw;
  }
}

void FileScene::refuse_raw() const {
  Rectification rectification;
  rectification.decide(arguments_.rectification, arguments_.geometry.calibration);
  if (rectification.on())
    throw UsageError(
        fmt::format("{}, so the pictures are raw, and `view` shows rectified ones: rectify them first, "
                    "with `vergence rectify ... --rectified-calibration FILE`",
                    rectification.result().reason));
}

ViewFrame FileScene::load(std::int64_t number) {
  // The next frame is read on; for any other a video is decoded from its start.
  std::optional<StereoSource> source = std::exchange(reading_, std::nullopt);
  if (!stream_ || !source || source->number() != number)
    source.emplace(open_source(arguments_, stream_ ? FrameRange{number, first_ + frames_ - 1} : FrameRange{}));
  std::optional<StereoFrame> pair = source->next();
  if (!pair) throw Error(ErrorCode::bad_data, fmt::format("{} has no frame {}", name_, number));
  ViewFrame frame;
  const auto colours = [&](StereoView view) {
    Image<Rgb> all = reference_colours(arguments_, *source, *pair, view);
    const Rect part = reference_part(arguments_, pair->left.size(), view);
    return part.width == all.width() && part.height == all.height() ? std::move(all) : part_of(all.view(), part);
  };
  frame.left = colours(StereoView::left);
  frame.right = colours(StereoView::right);
  const Size size = pair->left.size();
  frame.pair = std::move(*pair);
  reading_ = std::move(source);
  if (!arguments_.truth.file) return frame;
  const auto truth = std::make_shared<Truth>(arguments_.truth);
  truth->load(number, size);
  frame.truth = Image<float>(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) frame.truth(x, y) = truth->pixels()(x, y);
  frame.score = [this, number, truth](ImageView<const float> map, ImageView<const std::uint8_t> validity,
                                      const std::optional<Rect>& region) {
    if (!region) return truth->score(map, validity);
    Truth inside(arguments_.truth);  // what lies outside is forgotten while it is read
    inside.limit_to(*region);
    inside.load(number, map.size());
    return inside.score(map, validity);
  };
  return frame;
}

std::string FileScene::command(std::int64_t frame) const {
  std::string text = "vergence stereo " + shell_word(arguments_.left);
  if (arguments_.right) text += " " + shell_word(*arguments_.right);
  const auto add = [&text](std::string_view option, const std::optional<std::string>& value) {
    if (value) text.append(" ").append(option).append(" ").append(shell_word(*value));
  };
  if (arguments_.layout != "pair") add("--layout", arguments_.layout);
  if (stream_) add("--frames", fmt::format("{0}:{0}", frame));
  add("--truth", arguments_.truth.file);
  add("--truth-scale", arguments_.truth.scale);
  add("--mask", arguments_.truth.mask);
  add("--max-disparity", arguments_.truth.max_disparity);
  if (arguments_.truth.round) text += " --round";
  return text;
}

}  // namespace

std::string ViewScene::video_words(std::string_view tool, const std::string& video, std::int64_t first,
                                   std::int64_t last) {
  return fmt::format("vergence {} {} --frames {}:{}", tool, shell_word(video), first, last);
}

std::shared_ptr<const ViewFrame> ViewScene::begin() { return frame(live(-1) ? newest_frame : first_frame()); }

std::shared_ptr<const ViewFrame> ViewScene::frame(std::int64_t number) {
  const std::int64_t last = first_frame() + frames() - 1;
  if (number < first_frame() || number > last)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("frame is {}: allowed are {} .. {}", number, first_frame(), last), "frame");
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i].first != number) continue;
    auto found = kept_[i];
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
    kept_.push_front(std::move(found));
    return kept_.front().second;
  }
  kept_.emplace_front(number, std::make_shared<const ViewFrame>(load(number)));
  if (kept_.size() > most_kept_frames) kept_.pop_back();
  return kept_.front().second;
}

std::unique_ptr<ViewScene> open_view_scene(const StereoArguments& stereo) {
  if (plain_live_options(stereo.live)) return open_live_scene(stereo);
  if (stereo.left.empty()) {
    refuse_without_pictures(stereo);
    return std::make_unique<BuiltInScene>();
  }
  if (!stereo.right && stereo.layout == "pair") return open_video_scene(stereo);
  return std::make_unique<FileScene>(stereo);
}

}  // namespace vergence::cli
