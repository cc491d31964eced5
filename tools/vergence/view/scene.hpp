// SPDX-License-Identifier: Apache-2.0
// The pictures that `vergence view` shows: files, a live source, or the built-in scene.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/scores.hpp"
#include "stereo/run.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// A frame with all that is known of it. Never changed once it is made: any number of threads may read it.
struct ViewFrame {
  StereoFrame pair;
  Image<Rgb> left, right;  ///< In colour, where the files have it.
  Image<float> truth;      ///< Of the left picture: px, not finite where unknown; empty where there is none.
  /// From this frame to the next: px, not known where FlowVector says so; empty where there is none.
  Image<FlowVector> flow;
  /// Of a map in px; `validity` is the matcher's mask or empty, `region` where pixels were to be matched.
  std::function<StereoScores(ImageView<const float> map, ImageView<const std::uint8_t> validity,
                             const std::optional<Rect>& region)>
      score;
};

/// In memory.
std::size_t bytes_of(const ViewFrame& frame);

/// How a live source went so far.
struct ViewLive {
  std::int64_t newest = 0;  ///< The number of the frame that came last.
  LiveReport report;
  std::string failure;  ///< Why it gives no more, where it failed.
};

/// What is looked at. Any number of threads may use one.
class ViewScene {
 public:
  virtual ~ViewScene() = default;
  /// "the built-in scene", or names of files.
  virtual const std::string& name() const = 0;
  virtual std::int64_t first_frame() const = 0;
  virtual std::int64_t frames() const = 0;
  /// Of pairs from files the geometry that was given, if any.
  virtual std::optional<Calibration> geometry() const = 0;
  /// What was doubtful when it was opened, in lines for the user.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// False of a single video: its frames have a left picture alone.
  virtual bool is_pair() const { return true; }
  /// A command line that matches the frame, up to the settings; files by names that a shell reads back.
  virtual std::string command(std::int64_t frame) const = 0;
  /// The same of `tool`, "motion" or "track", for the frames of the left view; "" where no command reads that.
  virtual std::string video_command(std::string_view tool, std::int64_t first, std::int64_t last) const = 0;
  /// Frames come and go: the first frame is the oldest that is kept.
  virtual bool is_live() const { return false; }
  /// Of a live source: waits up to a second for a frame behind `after`.
  virtual std::optional<ViewLive> live(std::int64_t /*after*/) const { return std::nullopt; }
  /// Of a live source: keeps frame `number` and some of those before it, which motion and tracks need, for `client`
  /// until that looks at another one. Frames of files can be read again.
  virtual void look(const std::string& /*client*/, std::int64_t /*number*/) {}
  /// Of a live source: the frames before `number` that are there, without a gap, oldest first.
  virtual std::vector<std::shared_ptr<const ViewFrame>> before(std::int64_t /*number*/) const { return {}; }
  /// Reads or renders it, or takes it from those that are kept, of at most 256 MiB. Error(invalid_argument) for a
  /// number outside.
  virtual std::shared_ptr<const ViewFrame> frame(std::int64_t number);
  /// What the page begins with: the first frame, of a live source the newest.
  virtual std::shared_ptr<const ViewFrame> begin() { return frame(first_frame()); }

 protected:
  /// By one thread at a time.
  virtual ViewFrame load(std::int64_t number) = 0;
  /// While it is opened.
  void doubt(std::string line) { warnings_.push_back(std::move(line)); }

 private:
  std::vector<std::string> warnings_;
  std::mutex mutex_;
  std::list<std::pair<std::int64_t, std::shared_ptr<const ViewFrame>>> kept_;  ///< Those asked for last, in front.
};

/// Without a left picture the built-in scene; with a left one alone a video, for motion and tracks. UsageError and
/// Error as of `vergence stereo`, and where a calibration says that the pictures are not rectified. `read` has the
/// names that files are opened by, `told` those that are shown; both live as long as the scene. `flow`: known flow from
/// frame to frame.
std::unique_ptr<ViewScene> open_view_scene(const StereoArguments& read, const StereoArguments& told,
                                           const std::optional<std::string>& flow = std::nullopt);
/// The kinds that there are.
std::unique_ptr<ViewScene> open_file_scene(const StereoArguments& read, const StereoArguments& told,
                                           const std::optional<std::string>& flow);
std::unique_ptr<ViewScene> open_built_in_scene(const StereoArguments& arguments);
/// `arguments.left` is the source; with --layout it holds both pictures. UsageError for what does not fit it.
std::unique_ptr<ViewScene> open_live_scene(const StereoArguments& arguments);

}  // namespace vergence::cli
