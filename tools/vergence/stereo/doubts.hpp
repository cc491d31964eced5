// SPDX-License-Identifier: Apache-2.0
// What `vergence stereo` notices about its pictures: one warning of each cause, with its cure.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/rig_watch.hpp"
#include "cli/second_looks.hpp"
#include "cli/upper_bytes.hpp"
#include "stereo/frozen_views.hpp"
#include "stereo/map_doubts.hpp"
#include "stereo/settings.hpp"
#include "vergence/inspect.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

/// Looks for flat, equal and frozen pictures in every frame, and at the pair itself in frames 0, 1, 2, 4, 8, ..., 64,
/// in every hundredth, and where the map is all of a sudden another one.
class StereoDoubts {
 public:
  /// `halves`: where `left` holds both views, how it is cut.
  StereoDoubts(const std::string& left, const std::optional<std::string>& right, Halves halves);
  /// Warnings about a frame before which there were `count`, each cause only once in a run.
  std::vector<std::string> look(const StereoFrame& frame, const StereoSettings& settings, const MapShares& shares,
                                std::int64_t count);
  /// One line behind the last frame, or "".
  std::string end() const { return frozen_.end(); }
  /// That hardly a pixel is measured is told already.
  void expect_nothing() { told_of_measured_ = true; }
  /// The frames were rectified by this run; `exchanged` gives the first one as it is with its pictures exchanged.
  void expect_rectified(std::function<StereoFrame()> exchanged) {
    rectified_here_ = true;
    exchanged_ = std::move(exchanged);
  }
  /// A pair that is not rectified is an Error, in place of a warning.
  void require_rectified() { rows_required_ = rows_wanted_ = true; }
  /// How rows lie is asked for: pairs whose rows seem to meet are looked at as well.
  void measure_rows() { rows_wanted_ = true; }
  RigWatch& rig() { return rig_; }
  /// Was the last frame one at which everything is looked at?
  bool looked() const { return looked_; }
  /// Is the last frame that was looked at a pair whose map says nothing about a truth? That is told.
  bool pair_is_wrong() const { return pair_is_wrong_; }

 private:
  bool due(const MapShares& shares, std::int64_t count);
  /// Samples of the first pair whose bytes are exchanged; else "".
  std::string exchanged_bytes_warning(const StereoFrame& frame) const;
  /// The first pair is a raw one of sensors with colour filters; else "".
  std::string mosaic_warning(const StereoFrame& frame) const;
  std::string regular_warning(const PairBytes& bytes) const;
  /// Rows of the first pair that are not as long as the header says; else "".
  std::string width_warning(const StereoFrame& frame) const;
  /// What else is odd about the form of the first pair: the first line that there is, else "".
  std::string form_warning(const StereoFrame& frame, const PairBytes& bytes, const std::optional<Rect>& roi) const;
  /// A large part of one picture shows nothing; else "".
  std::string flat_part_warning(const StereoFrame& frame, const StereoOptions& options) const;
  void look_at_parts(const StereoFrame& frame, const StereoOptions& options, PairFindings& found,
                     std::vector<std::string>& lines, bool& explained);
  /// Of the first pair: what lies between both views of one picture, and a view that was put together of two frames.
  /// True where rows of both do not meet for it.
  bool look_at_seams(const StereoFrame& frame, std::vector<std::string>& lines);
  /// What to add where one picture may hold more than two views, and about rectification.
  std::string added_text(PairProblem problem) const;
  /// The pair itself, and whether it is rectified: one line for each cause.
  void look_at_pair(const StereoFrame& frame, const StereoOptions& options, std::int64_t count,
                    std::vector<std::string>& lines, bool& explained);
  /// Where the pictures hardly agree: which mistake explains it, as a whole line; else "".
  std::string mistake_warning(const StereoFrame& frame, const StereoOptions& options, PairProblem problem,
                              std::int64_t count) const;
  /// With require_rectified, an Error of this line.
  void refuse_rows(const std::string& line) const;
  /// The first pair's rows meet, as far as its first look tells: a closer one can wait until another one is due.
  bool rows_seem_to_meet(const StereoFrame& frame, const PairFindings& found, std::int64_t count);
  void look_at_rig(const StereoFrame& frame, PairProblem problem, std::vector<std::string>& lines, bool& explained);
  /// `explained`: nothing can be measured in this frame, whether that is told already or not.
  std::vector<std::string> look_at_pictures(const StereoFrame& frame, const StereoOptions& options, bool& explained);

  std::string left_, right_;
  std::string place_;                                    ///< "frame 7: "; of the first frame "".
  Halves halves_;                                        ///< One picture holds both views.
  bool left_has_header_alone_, right_has_header_alone_;  ///< Nothing else in the file tells the width.
  FrozenViews frozen_;
  RigWatch rig_;
  std::set<PairProblem> told_;
  std::set<std::string> told_of_pictures_;
  std::function<StereoFrame()> exchanged_;
  bool rectified_here_ = false, rows_required_ = false, rows_wanted_ = false;
  bool told_of_bits_ = false;
  bool halves_are_no_views_ = false;  ///< Of one picture that holds both.
  bool told_of_measured_ = false;
  bool looked_ = false, pair_is_wrong_ = false;
  MapShares last_;              ///< Of the frame that was looked at last.
  std::int64_t next_look_ = 0;  ///< None out of turn before this frame.
};

}  // namespace vergence::cli
