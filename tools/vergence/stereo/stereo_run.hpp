// SPDX-License-Identifier: Apache-2.0
// A run of `vergence stereo`: setup.cpp is what comes before the first match, run.cpp the work on frames.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/beside.hpp"
#include "cli/hash.hpp"
#include "cli/strict.hpp"
#include "eval/score_watch.hpp"
#include "stereo/doubts.hpp"
#include "stereo/range.hpp"
#include "stereo/rectification.hpp"
#include "stereo/rgbd.hpp"
#include "stereo/run.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// One run, from its arguments to its result.
class StereoRun {
 public:
  explicit StereoRun(const StereoArguments& arguments);
  StereoResult run();
  const Size& size() const { return result_.size; }
  std::string standing();

 private:
  void open();
  std::vector<OutputName> all_outputs() const;
  void check_files(const FrameRange& frames) const;
  std::optional<StereoFrame> next_frame();
  std::size_t frames_to_read_ahead() const;
  void prepare_rectification(const GreyPicture& raw);
  void prepare(const StereoFrame& frame);
  std::shared_ptr<StereoMatcher> make_matcher(const Device& device, const StereoOptions& options) const;
  /// Changes the range of `options` where the frame, which is not the first, shows another one.
  bool follow_range(StereoOptions& options, const StereoFrame& frame);
  void take_range(const StereoOptions& options, int invalid, std::int64_t frame);
  void read_metres();
  void expect_rig();
  void read_masks();
  void check_masks() const;
  std::unique_ptr<StereoMaps> make_maps() const;
  void run_one_by_one();
  void run_stream();
  void match(const StereoFrame& frame);
  double take_compiling();
  template <class Compute>
  void measure(const Compute& compute);
  void score_frame(std::int64_t frame);
  void finish_frame(const StereoFrame& frame);
  MapShares take_stock();
  void write_frame(const StereoFrame& frame, Image<Rgb> colours, ImageView<const Rgb> reference);
  void end_writing();
  void commit_files();
  void warn(std::string line);
  bool fills() const { return settings_.options.fill != StereoFill::none; }

  const StereoArguments& arguments_;
  int repeat_ = 1;
  bool timed_ = false;
  bool are_files_ = false;  ///< Both pictures of each frame are files of their own, or one.
  bool prepared_ = false;   ///< What rectifies, if anything does.
  std::optional<Truth> truth_;
  StereoSettings settings_;
  std::vector<StreamDevice> devices_;
  EnergyRun energy_;
  FrameRange range_;
  std::int64_t shift_ = 0;  ///< From a frame's number to that in its outputs' names.
  std::optional<StereoSource> source_;
  Rectification rectification_;
  Image<std::uint8_t> left_mask_, right_mask_;  ///< That were given.
  std::optional<Calibration> calibration_, geometry_;
  StereoRange range_of_search_;
  std::shared_ptr<StereoMatcher> matcher_;  ///< Of the first device.
  bool compiles_ = false;                   ///< The next match is the first one of its matcher.
  int invalid_ = 0;
  bool wide_ = false;  ///< Disparities take 32 bits.
  std::unique_ptr<StereoMaps> maps_;
  ColouredMaps coloured_;
  StereoDoubts doubts_;
  bool told_of_bare_ = false;  ///< Areas in which nothing can be matched.
  std::optional<RgbdFolder> rgbd_;
  std::optional<FileGroup> all_files_;  ///< Of single pictures; frames of a stream appear one after the other.
  std::optional<HeldFiles> held_;
  ScoreMean scores_;
  ScoreWatch score_watch_;
  DisparityHash hash_;
  StereoResult result_;
  std::int64_t written_ = 0;                                  ///< Frames whose outputs stand.
  std::array<std::unique_ptr<StereoMaps>, 3> being_written_;  ///< Of the frames before.
  std::vector<std::string> write_warnings_;                   ///< Of what was written.
  Beside writer_{3};                                          ///< Last: what it works on goes after it.
};

}  // namespace vergence::cli
