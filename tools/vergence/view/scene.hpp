// SPDX-License-Identifier: Apache-2.0
// The pictures that `vergence view` shows: a pair or a sequence of files, or the built-in scene.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "eval/scores.hpp"
#include "stereo/run.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// A frame with all that is known of it. Never changed once it is made: any number of threads may read it.
struct ViewFrame {
  StereoFrame pair;
  Image<Rgb> left, right;  ///< In colour, where the files have it.
  Image<float> truth;      ///< Of the left picture: px, not finite where unknown; empty where there is none.
  /// Of a map in px; `validity` is the matcher's mask or empty, `region` where pixels were to be matched.
  std::function<StereoScores(ImageView<const float> map, ImageView<const std::uint8_t> validity,
                             const std::optional<Rect>& region)>
      score;
};

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
  /// False of a single video: its frames have a left picture alone.
  virtual bool is_pair() const { return true; }
  /// A command line that matches the frame, up to the settings; files by names that a shell reads back.
  virtual std::string command(std::int64_t frame) const = 0;
  /// The same of `tool`, "motion" or "track", for the frames of the left view; "" where no command reads that.
  virtual std::string video_command(std::string_view tool, std::int64_t first, std::int64_t last) const = 0;
  /// Of a live source, whose first frame is the oldest that is kept: waits up to a second for a frame behind `after`.
  virtual std::optional<ViewLive> live(std::int64_t /*after*/) const { return std::nullopt; }
  /// Reads or renders it, or takes it from the few that are kept. Error(invalid_argument) for a number outside.
  virtual std::shared_ptr<const ViewFrame> frame(std::int64_t number);
  /// frame() of the newest one of a live source.
  static constexpr std::int64_t newest_frame = -1;
  /// What the page begins with: the first frame, of a live source the newest.
  std::shared_ptr<const ViewFrame> begin();

 protected:
  /// A command line for frames of a video that is a file, or numbered ones.
  static std::string video_words(std::string_view tool, const std::string& video, std::int64_t first,
                                 std::int64_t last);
  /// By one thread at a time.
  virtual ViewFrame load(std::int64_t number) = 0;

 private:
  std::mutex mutex_;
  std::deque<std::pair<std::int64_t, std::shared_ptr<const ViewFrame>>> kept_;  ///< Those asked for last, in front.
};

/// Without a left picture the built-in scene; with a left one alone a video, for motion and tracks. UsageError and
/// Error as of `vergence stereo`, and where a calibration says that the pictures are not rectified. `stereo` lives as
/// long as the scene.
std::unique_ptr<ViewScene> open_view_scene(const StereoArguments& stereo);

}  // namespace vergence::cli
