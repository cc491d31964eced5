// SPDX-License-Identifier: Apache-2.0
// Frames of a live source. A thread takes them as they come and keeps the newest ones; clients that are slower see
// fewer. What a client looks at is kept for it: so a page can pause, and try settings on the frame that it shows.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>
#include <utility>

#include "cli/command.hpp"
#include "stereo/source.hpp"
#include "view/input.hpp"
#include "view/scene.hpp"

namespace vergence::cli {
namespace {

using Frame = std::shared_ptr<const ViewFrame>;

/// Of the newest frames, and of all those that clients look at.
constexpr std::size_t most_newest = 24, most_newest_bytes = std::size_t{256} << 20;
constexpr std::size_t most_looks = 64, most_looked_bytes = std::size_t{512} << 20;
/// For one client.
constexpr std::size_t most_looked_bytes_of_one = std::size_t{32} << 20;
/// Motion needs the frame before.
constexpr std::size_t least_kept = 2;
/// Of a source that is faster than any camera, frames are dropped, so that those that are kept span half a second.
constexpr auto least_apart = std::chrono::milliseconds(20);

/// What a client looks at: the newest frame at the end.
struct Look {
  std::string client;
  std::deque<Frame> frames;
  std::size_t bytes = 0;
};

class LiveScene final : public ViewScene {
 public:
  explicit LiveScene(const StereoArguments& arguments)
      : name_(arguments.left == "-" ? "standard input" : shown_source(arguments.left)),
        pairs_(gives_pairs(arguments)),
        input_(arguments, stop_) {
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
  bool is_pair() const override { return pairs_; }
  std::int64_t first_frame() const override {
    const std::lock_guard lock(mutex_);
    return first();
  }
  std::int64_t frames() const override {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(frames_.size());
  }
  std::optional<Calibration> geometry() const override { return std::nullopt; }
  std::string command(std::int64_t /*frame*/) const override { return "no command gives a live source's frame again"; }
  std::string video_command(std::string_view, std::int64_t, std::int64_t) const override { return ""; }
  bool is_live() const override { return true; }
  std::optional<ViewLive> live(std::int64_t after) const override;
  Frame frame(std::int64_t number) override;
  Frame begin() override {
    const std::lock_guard lock(mutex_);
    return frames_.back();
  }
  void look(const std::string& client, std::int64_t number) override;
  std::vector<Frame> before(std::int64_t number) const override;

 private:
  ViewFrame load(std::int64_t /*number*/) override { return {}; }  // frame() does it all
  bool take();
  void follow();
  // These are called under the lock.
  std::int64_t first() const { return newest_ - static_cast<std::int64_t>(frames_.size()) + 1; }
  Frame find(std::int64_t number) const;

  const std::string name_;
  const bool pairs_;
  std::atomic<bool> stop_ = false;
  ViewInput input_;
  mutable std::mutex mutex_;
  mutable std::condition_variable came_;
  std::deque<Frame> frames_;  ///< The newest at the end.
  std::size_t bytes_ = 0;     ///< Of them.
  std::deque<Look> looks_;    ///< Who looked last, in front.
  std::size_t looked_bytes_ = 0;
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
  if (pairs_) frame->right = grey_colours(pair->right);
  frame->pair = std::move(*pair);
  frame->pair.index = newest_ + 1;  // by this thread alone
  const std::lock_guard lock(mutex_);
  bytes_ += bytes_of(*frame);
  frames_.push_back(std::move(frame));
  ++newest_;
  while (frames_.size() > most_newest || (frames_.size() > least_kept && bytes_ > most_newest_bytes)) {
    bytes_ -= bytes_of(*frames_.front());
    frames_.pop_front();
  }
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
  return ViewLive{newest_, input_.live().value(), failure_};
}

/// Among the newest, or among those that somebody looks at; null where it is gone.
Frame LiveScene::find(std::int64_t number) const {
  if (number >= first() && number <= newest_) return frames_[static_cast<std::size_t>(number - first())];
  for (const Look& look : looks_)
    for (const Frame& frame : look.frames)
      if (frame->pair.index == number) return frame;
  return nullptr;
}

Frame LiveScene::frame(std::int64_t number) {
  const std::lock_guard lock(mutex_);
  if (Frame found = find(number)) return found;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("frame {} is not kept: of a live source, {} .. {} are, and what a page shows", number,
                          first(), newest_),
              "frame");
}

void LiveScene::look(const std::string& client, std::int64_t number) {
  const std::lock_guard lock(mutex_);
  Look look{client, {}, 0};
  for (Frame one = find(number); one && look.frames.size() < most_newest; one = find(--number)) {
    const std::size_t bytes = bytes_of(*one);
    if (look.frames.size() >= least_kept && look.bytes + bytes > most_looked_bytes_of_one) break;
    look.bytes += bytes;
    look.frames.push_front(std::move(one));
  }
  if (look.frames.empty()) return;  // it is gone: what was looked at before stays
  const auto is_old = [&](const Look& one) { return one.client == client; };
  for (const Look& one : looks_) looked_bytes_ -= is_old(one) ? one.bytes : 0;
  std::erase_if(looks_, is_old);
  looked_bytes_ += look.bytes;
  looks_.push_front(std::move(look));
  for (; looks_.size() > most_looks || (looks_.size() > 1 && looked_bytes_ > most_looked_bytes); looks_.pop_back())
    looked_bytes_ -= looks_.back().bytes;
}

std::vector<Frame> LiveScene::before(std::int64_t number) const {
  const std::lock_guard lock(mutex_);
  std::vector<Frame> found;
  while (found.size() + 1 < most_newest) {
    Frame one = find(--number);
    if (!one) break;
    found.insert(found.begin(), std::move(one));
  }
  return found;
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
