// SPDX-License-Identifier: Apache-2.0
// Frames out of files: pairs, or those of a single video.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/command.hpp"
#include "cli/picture_watch.hpp"
#include "cli/printable.hpp"
#include "eval/flow_truth.hpp"
#include "view/input.hpp"
#include "view/scene.hpp"

namespace vergence::cli {
namespace {

/// What single videos do not have.
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
}

class FileScene final : public ViewScene {
 public:
  FileScene(const StereoArguments& read, const StereoArguments& told, const std::optional<std::string>& flow);
  const std::string& name() const override { return name_; }
  bool is_pair() const override { return gives_pairs(arguments_); }
  std::int64_t first_frame() const override { return first_; }
  std::int64_t frames() const override { return frames_; }
  std::optional<Calibration> geometry() const override { return geometry_; }
  std::string command(std::int64_t frame) const override;
  std::string video_command(std::string_view tool, std::int64_t first, std::int64_t last) const override {
    if (!stream_ || arguments_.layout != "pair") return "";
    return fmt::format("vergence {} {} --frames {}:{}", tool, shell_word(told_.left), first, last);
  }

 private:
  void find_frames(const ViewInput& input, const FrameRange& range);
  void check_pair(ViewInput& input);
  void watch(ViewInput& input);
  void refuse_raw() const;
  ViewFrame load(std::int64_t number) override;
  void add_truth(ViewFrame& frame);
  void add_flow(ViewFrame& frame);

  const StereoArguments& arguments_;
  const StereoArguments& told_;
  Truth truth_;  ///< Read once, so that its options are checked before the server starts.
  std::optional<FlowTruth> flow_;
  std::string name_;
  bool stream_ = false;
  std::int64_t first_ = 0, frames_ = 1;
  std::optional<ViewInput> reading_;  ///< Behind the frame that was loaded last.
  std::optional<Calibration> geometry_;
};

FileScene::FileScene(const StereoArguments& read, const StereoArguments& told, const std::optional<std::string>& flow)
    : arguments_(read), told_(told), truth_(read.truth), name_(told.left + (told.right ? ", " + *told.right : "")) {
  if (read.left == "-")
    throw UsageError("standard input is read once, and the page asks for frames again: give --stream, or a file");
  if (!is_pair()) refuse_of_pairs(read);
  if (!read.truth.file) check_no_truth_options(read.truth);
  const FrameRange range = read.frames ? as_usage([&] { return parse_frame_range(*read.frames); }) : FrameRange{};
  ViewInput input(read, range);
  find_frames(input, range);
  if (is_pair())
    check_pair(input);
  else
    watch(input);
  if (!flow) return;
  if (frames_ < 2) throw UsageError(fmt::format("--flow leads from frame to frame, and {} is one frame", name_));
  EvalTracksArguments truth;
  truth.truth = *flow;
  flow_.emplace(truth);
  flow_->meet(first_);
}

void FileScene::find_frames(const ViewInput& input, const FrameRange& range) {
  stream_ = input.is_stream();
  if (!is_pair() && !stream_)
    throw UsageError(fmt::format("RIGHT is missing: {} is a single picture, and shows neither disparities nor motion",
                                 arguments_.left));
  first_ = input.number();
  const std::int64_t least = is_pair() ? 1 : 2;
  if (stream_ && !input.count())
    doubt(fmt::format("{} does not tell how many frames it has: the first {} taken, and --frames A:B names others",
                      told_.left, least == 1 ? "one is" : "two are"));
  frames_ = stream_ ? input.count().value_or(least) : 1;
  if (range.last >= 0) frames_ = std::min(frames_, range.last - first_ + 1);
  if (frames_ < least) throw UsageError(fmt::format("{} has one frame: motion and tracks need two", arguments_.left));
}

void FileScene::check_pair(ViewInput& input) {
  const GeometryArguments& geometry = arguments_.geometry;
  check_geometry(geometry, geometry.given());
  refuse_raw();
  const std::optional<StereoFrame> first = input.next();
  if (!first) throw Error(ErrorCode::bad_data, fmt::format("{} has no frame to match", arguments_.left));
  if (geometry.given())
    geometry_ = resolve_geometry(geometry, read_geometry(geometry, true), first->left.size(), StereoView::left);
}

/// What `track` would say of the first frames.
void FileScene::watch(ViewInput& input) {
  constexpr std::int64_t looked_at = 12;
  PictureWatch frames(told_.left, false, false);
  frames.watch_cuts();
  for (std::int64_t i = 0; i < std::min(frames_, looked_at); ++i) {
    try {
      const std::optional<StereoFrame> frame = input.next();
      if (!frame) break;
      frames.see(frame->left, first_ + i);
    } catch (const Error&) {
      break;  // which whoever asks for that frame is told
    }
  }
  frames.finish();
  for (const std::string& line : frames.warnings()) doubt(line);
  for (std::string& line : frames.cut_warnings()) doubt(std::move(line));
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
  std::optional<ViewInput> input = std::exchange(reading_, std::nullopt);
  if (!stream_ || !input || input->number() != number)
    input.emplace(arguments_, stream_ ? FrameRange{number, first_ + frames_ - 1} : FrameRange{});
  std::optional<StereoFrame> pair = input->next();
  if (!pair) throw Error(ErrorCode::bad_data, fmt::format("{} has no frame {}", name_, number));
  ViewFrame frame;
  frame.left = input->colours(*pair, StereoView::left);
  if (is_pair()) frame.right = input->colours(*pair, StereoView::right);
  frame.pair = std::move(*pair);
  reading_ = std::move(input);
  if (arguments_.truth.file) add_truth(frame);
  if (flow_) add_flow(frame);
  return frame;
}

void FileScene::add_truth(ViewFrame& frame) {
  const std::int64_t number = frame.pair.index;
  const Size size = frame.pair.left.size();
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
}

void FileScene::add_flow(ViewFrame& frame) {
  const ImageView<const FlowVector> flow = flow_->from(frame.pair.index);
  const Size size = frame.pair.left.size();
  if (flow.empty()) return;
  if (flow.width() != size.width || flow.height() != size.height)
    throw Error(ErrorCode::bad_data, fmt::format("--flow is {}x{}, the frames are {}x{}: give the flow of these frames",
                                                 flow.width(), flow.height(), size.width, size.height));
  frame.flow = Image<FlowVector>(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) frame.flow(x, y) = flow(x, y);
}

std::string FileScene::command(std::int64_t frame) const {
  std::string text = "vergence stereo " + shell_word(told_.left);
  if (told_.right) text += " " + shell_word(*told_.right);
  const auto add = [&text](std::string_view option, const std::optional<std::string>& value) {
    if (value) text.append(" ").append(option).append(" ").append(shell_word(*value));
  };
  if (told_.layout != "pair") add("--layout", told_.layout);
  if (stream_) add("--frames", fmt::format("{0}:{0}", frame));
  add("--truth", told_.truth.file);
  add("--truth-scale", told_.truth.scale);
  add("--mask", told_.truth.mask);
  add("--max-disparity", told_.truth.max_disparity);
  if (told_.truth.round) text += " --round";
  return text;
}

}  // namespace

std::unique_ptr<ViewScene> open_file_scene(const StereoArguments& read, const StereoArguments& told,
                                           const std::optional<std::string>& flow) {
  return std::make_unique<FileScene>(read, told, flow);
}

}  // namespace vergence::cli
