// SPDX-License-Identifier: Apache-2.0
// `vergence stereo` on raw pictures: whether they are rectified, and the rectifier of a run.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/rig_option.hpp"
#include "vergence/io.hpp"
#include "vergence/rectify.hpp"
#include "vergence/rig_check.hpp"

namespace vergence::cli {

class Command;

struct RectificationArguments {
  bool on = false, off = false;
  bool required = false;             ///< A pair that is not rectified is an error.
  std::vector<std::string> refined;  ///< Where the calibration is written with its rotation mended.
  std::optional<std::string> alpha;
  RigArguments rig;
};

void add_rectification_options(Command command, RectificationArguments& arguments);

/// What a run's report says of its rectification.
struct RectificationResult {
  std::string reason;  ///< "the calibration holds distortion", ...
  RectifiedRig rig;
  Size source;
  double ms = 0;  ///< Of all pairs.
};

/// The rectification of a run, or none: decide(), prepare() with the first pair, then apply() to each.
class Rectification {
 public:
  /// Reads the calibration, if there is one, and decides. `reason` is empty where pictures are taken as they are.
  /// UsageError for options that contradict each other; Error where the files cannot be read, but for files of
  /// rectified pairs alone, which are left to read_calibration.
  void decide(const RectificationArguments& arguments, const std::vector<std::string>& files);

  bool on() const { return !result_.reason.empty(); }
  /// The geometry of pictures that are rectified already, where files are read as --unit or --cameras say, or where the
  /// pictures' size showed it; else read_geometry has it.
  const std::optional<Calibration>& told() const { return told_; }

  /// A unit that the file does not heed: one line, else "".
  const std::string& idle_unit() const { return idle_unit_; }

  /// The rectifier for pictures like this one; a line for each doubt about it. Pictures of a size that shows that they
  /// are rectified already turn the rectification off, where nobody asked for it.
  std::vector<std::string> prepare(const Device& device, const GreyPicture& raw);
  /// Puts rectified pictures into the place of the raw ones.
  void apply(StereoFrame& frame);
  /// The first pair that apply() met, rectified as if its pictures were exchanged.
  StereoFrame first_exchanged();
  Image<Rgb> colours(ImageView<const Rgb> raw, StereoView view) {
    const std::lock_guard lock(using_);
    return rectified_colours(*rectifier_, raw, view);
  }

  SourceMasks masks() const { return {rectifier_->left_mask(), rectifier_->right_mask()}; }
  Calibration geometry() const { return rectified_geometry(rectifier_->rig()); }
  const RectificationResult& result() const { return result_; }
  /// By how much pictures are turned to be matched: RectifiedRig::turned.
  int turned() const { return on() ? result_.rig.turned : 0; }
  /// Of the rectified pictures of the right camera.
  RigCheckCamera right_camera() const;
  /// The files of --calibration, where these are raw cameras or --refine-calibration is given.
  const RigFile& file() const { return file_; }
  /// How the pictures that are matched were rectified, by this run or before. The file must tell it or the run do it.
  RectifiedRig how() const;

 private:
  void rectify(StereoFrame& frame);

  StereoFrame first_raw_;
  RectifyOptions options_;
  bool asked_ = false;
  RigFile file_;
  std::string idle_unit_;
  std::optional<Calibration> told_;
  std::optional<StereoRectifier> rectifier_;
  std::mutex using_;  ///< Of rectifier_: in streams one thread reads frames while another looks at earlier ones.
  RectificationResult result_;
};

}  // namespace vergence::cli
