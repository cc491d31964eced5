// SPDX-License-Identifier: Apache-2.0
// Frames of a single video.
#include "view/video_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/command.hpp"
#include "stereo/source.hpp"

namespace vergence::cli {
namespace {

void refuse_of_pairs(const StereoArguments& stereo) {
  const auto refuse = [&stereo](bool given, const char* option) {
    if (given)
      throw UsageError(
          fmt::format("{} is for pairs, and {} is one video: give RIGHT, too, or --layout", option, stereo.left));
  };
  refuse(stereo.truth.file.has_value(), "--truth");
  refuse(stereo.geometry.given(), "--calibration, --focal or --baseline");
  refuse(stereo.settings.file.has_value(), "--settings");
  refuse(!stereo.settings.given.empty(), "a setting of stereo");
  refuse(stereo.settings.preset != "default", "--preset");
  check_no_truth_options(stereo.truth);
}

class VideoScene final : public ViewScene {
 public:
  explicit VideoScene(const StereoArguments& arguments) : arguments_(arguments) {
    refuse_of_pairs(arguments);
    const FrameRange range =
        arguments.frames ? as_usage([&] { return parse_frame_range(*arguments.frames); }) : FrameRange{};
    const FrameSource source = open(range);
    if (!source.is_stream())
      throw UsageError(fmt::format("RIGHT is missing: {} is a single picture, and shows neither disparities nor motion",
                                   arguments.left));
    first_ = source.number();
    if (!source.count())
      warn(
          fmt::format("{} does not tell how many frames it has: the first two are taken, and --frames A:B names others",
                      arguments.left));
    frames_ = source.count().value_or(2);
    if (range.last >= 0) frames_ = std::min(frames_, range.last - first_ + 1);
    if (frames_ < 2) throw UsageError(fmt::format("{} has one frame: motion and tracks need two", arguments.left));
  }
  const std::string& name() const override { return arguments_.left; }
  std::int64_t first_frame() const override { return first_; }
  std::int64_t frames() const override { return frames_; }
  std::optional<Calibration> geometry() const override { return std::nullopt; }
  bool is_pair() const override { return false; }
  std::string command(std::int64_t /*frame*/) const override { return ""; }
  std::string video_command(std::string_view tool, std::int64_t first, std::int64_t last) const override {
    return video_words(tool, arguments_.left, first, last);
  }

 private:
  FrameSource open(const FrameRange& range) const {
    try {
      return FrameSource(arguments_.left, range);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range is beyond the end
      throw;
    }
  }
  ViewFrame load(std::int64_t number) override;

  const StereoArguments& arguments_;
  std::int64_t first_ = 0, frames_ = 2;
  std::optional<FrameSource> reading_;  ///< Behind the frame that was loaded last.
};

ViewFrame VideoScene::load(std::int64_t number) {
  // The next frame is read on; for any other a video is decoded from its start.
  std::optional<FrameSource> source = std::exchange(reading_, std::nullopt);
  if (!source || source->number() != number) source.emplace(open({number, first_ + frames_ - 1}));
  std::optional<GreyPicture> picture = source->next();
  if (!picture) throw Error(ErrorCode::bad_data, fmt::format("{} has no frame {}", arguments_.left, number));
  ViewFrame frame;
  frame.pair.index = number;
  frame.pair.left = std::move(*picture);
  frame.left = source->is_sequence() ? read_rgb(source->name()) : grey_colours(frame.pair.left);
  reading_ = std::move(source);
  return frame;
}

}  // namespace

std::unique_ptr<ViewScene> open_video_scene(const StereoArguments& arguments) {
  return std::make_unique<VideoScene>(arguments);
}

}  // namespace vergence::cli
