// SPDX-License-Identifier: Apache-2.0
// Frames of a live source. A thread takes them as they come and keeps the newest ones; clients that are slower see
// fewer.
#include "view/live_scene.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>
#include <utility>

#include "cli/command.hpp"
#include "stereo/source.hpp"

namespace vergence::cli {
namespace {

/// A client asks for pictures, and then for what is found in them and the frame before.
constexpr std::size_t most_kept = 24;
/// Of a source that is faster than any camera, frames are dropped, so that those that are kept span half a second.
constexpr auto least_apart = std::chrono::milliseconds(20);

/// One picture a frame, or both views in one.
struct LiveInput {
  std::optional<FrameSource> video;
  std::optional<StereoSource> pairs;

  std::optional<StereoFrame> next() {
    if (pairs) return pairs->next();
    std::optional<GreyPicture> picture = video->next();
    if (!picture) return std::nullopt;
    StereoFrame frame;
    frame.left = std::move(*picture);
    return frame;
  }
  LiveReport report() const { return (pairs ? pairs->live() : video->live()).value(); }
};

LiveInput open_input(const StereoArguments& arguments, const std::atomic<bool>& stop) {
  LiveInput input;
  FrameSourceOptions options;
  options.standard_input = arguments.left == "-";
  options.live = plain_live_options(arguments.live);
  options.live->stop = &stop;
  const std::string name = options.standard_input ? "standard input" : arguments.left;
  const FrameRange all;
  as_usage([&] {
    if (const Halves halves = halves_of(arguments.layout); halves != Halves::none)
      input.pairs.emplace(name, halves == Halves::columns ? StereoLayout::side_by_side : StereoLayout::top_bottom, all,
                          options);
    else
      input.video.emplace(name, all, options);
  });
  return input;
}

class LiveScene final : public ViewScene {
 public:
  explicit LiveScene(const StereoArguments& arguments)
      : arguments_(arguments),
        name_(arguments.left == "-" ? "standard input" : arguments.left),
        input_(open_input(arguments, stop_)) {
    take();
    if (frames_.empty()) throw Error(ErrorCode::bad_data, fmt::format("{} gave no frame", name_));
    thread_ = std::thread([this] { follow(); });
  }
  LiveScene(const LiveScene&) = delete;
  LiveScene& operator=(const LiveScene&) = delete;
  ~LiveScene() override {
    stop_ = true;
    thread_.join();
  }
  const std::string& name() const override { return name_; }
  bool is_pair() const override { return input_.pairs.has_value(); }
  std::int64_t first_frame() const override {
    const std::lock_guard lock(mutex_);
    return newest_ - static_cast<std::int64_t>(frames_.size()) + 1;
  }
  std::int64_t frames() const override {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(frames_.size());
  }
  std::optional<Calibration> geometry() const override { return std::nullopt; }
  std::string command(std::int64_t /*frame*/) const override { return "no command gives a live source's frame again"; }
  std::string video_command(std::string_view, std::int64_t, std::int64_t) const override { return ""; }
  std::optional<ViewLive> live(std::int64_t after) const override;
  std::shared_ptr<const ViewFrame> frame(std::int64_t number) override;

 private:
  ViewFrame load(std::int64_t /*number*/) override { return {}; }  // frame() does it all
  bool take();
  void follow();

  const StereoArguments& arguments_;
  const std::string name_;
  std::atomic<bool> stop_ = false;
  LiveInput input_;
  mutable std::mutex mutex_;
  mutable std::condition_variable came_;
  std::deque<std::shared_ptr<const ViewFrame>> frames_;  ///< The newest at the end.
  std::int64_t newest_ = -1;
  std::string failure_;
  std::thread thread_;
};

/// The source's next frame; false at its end.
bool LiveScene::take() {
  std::optional<StereoFrame> pair = input_.next();
  if (!pair) return false;
  auto frame = std::make_shared<ViewFrame>();
  frame->left = grey_colours(pair->left);
  if (input_.pairs) frame->right = grey_colours(pair->right);
  frame->pair = std::move(*pair);
  frame->pair.index = newest_ + 1;  // by this thread alone
  const std::lock_guard lock(mutex_);
  frames_.push_back(std::move(frame));
  ++newest_;
  if (frames_.size() > most_kept) frames_.pop_front();
  came_.notify_all();
  return true;
}

void LiveScene::follow() {
  std::string failure;
  try {
    while (take()) std::this_thread::sleep_for(least_apart);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  const std::lock_guard lock(mutex_);
  failure_ = failure;
  came_.notify_all();
}

std::optional<ViewLive> LiveScene::live(std::int64_t after) const {
  constexpr auto patience = std::chrono::seconds(1);
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, patience, [&] { return newest_ > after || !failure_.empty(); });
  return ViewLive{newest_, input_.report(), failure_};
}

std::shared_ptr<const ViewFrame> LiveScene::frame(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  const std::int64_t back = number == newest_frame ? 0 : newest_ - number;
  if (back < 0 || back >= static_cast<std::int64_t>(frames_.size()))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("frame {} is not kept: of a live source, {} .. {} are", number,
                            newest_ - static_cast<std::int64_t>(frames_.size()) + 1, newest_),
                "frame");
  return frames_[frames_.size() - 1 - static_cast<std::size_t>(back)];
}

}  // namespace

std::unique_ptr<ViewScene> open_live_scene(const StereoArguments& arguments) {
  const auto refuse = [](bool given, const char* option) {
    if (given) throw UsageError(fmt::format("{} is for files, and --stream says that the source is live", option));
  };
  refuse(arguments.right.has_value(), "RIGHT");
  refuse(arguments.frames.has_value(), "--frames");
  refuse(arguments.truth.file.has_value(), "--truth");
  refuse(arguments.geometry.given(), "--calibration, --focal or --baseline");
  check_no_truth_options(arguments.truth);
  if (arguments.left.empty()) throw UsageError("--stream is for a live source: give one, such as udp://127.0.0.1:5000");
  return std::make_unique<LiveScene>(arguments);
}

}  // namespace vergence::cli
