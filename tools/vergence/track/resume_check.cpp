// SPDX-License-Identifier: Apache-2.0
// The last step of resumed tracks, once more.
#include "track/resume_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cli/command.hpp"
#include "track/run.hpp"

namespace vergence::cli {
namespace {

struct Comparison {
  int followed = 0;     ///< Tracks of the last frame but one.
  int near = 0;         ///< Those that end within 1 px of where the file says, or are lost here and there.
  int same = 0;         ///< Those that end at the very same place, or for the same reason.
  double apart = 0;     ///< How far `near` ones end from there at most, in px.
  int begun = 0;        ///< Tracks that the file begins in the last frame,
  int begun_now = 0;    ///< and those that begin here.
  bool others = false;  ///< They begin at other places.
};

TrackPosition position(const TrackRow& row) { return to_position(row.x, row.y); }

void compare_row(const TrackRow& row, const Track& now, Comparison& result) {
  const bool lived = row.status == TrackStatus::tracked, lives = now.status == TrackStatus::tracked;
  const TrackPosition then = position(row);
  const double apart = std::hypot(position_to_pixels(then.x) - position_to_pixels(now.position.x),
                                  position_to_pixels(then.y) - position_to_pixels(now.position.y));
  ++result.followed;
  result.same += row.status == now.status && then == now.position ? 1 : 0;
  if (lived != lives || (lived && apart > 1)) return;
  ++result.near;
  result.apart = std::max(result.apart, apart);
}

Comparison compare(const std::vector<TrackRow>& rows, std::span<const Track> now) {
  std::unordered_map<std::uint64_t, const Track*> tracks;
  Comparison result;
  for (const Track& track : now) {
    tracks[track.id] = &track;
    result.begun_now += track.age == 0 && track.status == TrackStatus::tracked ? 1 : 0;
  }
  for (const TrackRow& row : rows) {
    const bool begins = row.age == 0 && row.status == TrackStatus::tracked;
    result.begun += begins ? 1 : 0;
    const auto found = tracks.find(row.id);
    if (!begins && found != tracks.end()) compare_row(row, *found->second, result);
    if (begins && (found == tracks.end() || found->second->position != position(row))) result.others = true;
  }
  result.others = result.others || result.begun != result.begun_now;
  return result;
}

template <class Picture>
std::span<const Track> repeat(PointTracker& tracker, const TrackerState& state, const Picture& before,
                              const Picture& last) {
  tracker.resume(before, state);
  return tracker.next(last);
}

}  // namespace

void add_step_warning(const ResumedTracks& tracks, const LastStep& step, PointTracker& tracker,
                      std::vector<std::string>& warnings) {
  const Comparison found = compare(tracks.rows, step.last.depth == Depth::u8
                                                    ? repeat(tracker, tracks.before, step.before.u8, step.last.u8)
                                                    : repeat(tracker, tracks.before, step.before.u16, step.last.u16));
  const std::string what = fmt::format("of the {} points of tracks {} that go from frame {} to {}", found.followed,
                                       tracks.path, tracks.frame - 1, tracks.frame);
  if (2 * found.near < found.followed) {
    warnings.push_back(fmt::format(
        "{}, {} are found within 1 px of where the file has them, in frame {} of {}: they seem to be of another video, "
        "or of other frames: give the video that they are of{}",
        what, found.near, tracks.frame, step.video, numbering_hint(tracks, step.video)));
    return;
  }
  if (step.explained || (found.same == found.followed && !found.others)) return;
  std::string how;
  if (const int other = found.followed - found.same; other > 0)
    how = fmt::format("{} end elsewhere, by up to {:.3g} px or lost", other, found.apart);
  if (found.others)
    how += fmt::format("{}{} begin{} in frame {}, {}", how.empty() ? "none ends elsewhere, but " : ", and ",
                       found.begun_now, found.begun_now == 1 ? "s" : "", tracks.frame,
                       found.begun == found.begun_now ? "at other places" : fmt::format("not {}", found.begun));
  warnings.push_back(
      fmt::format("{}, followed in {}, {}: the tracks were written under other settings or with another mask, or of "
                  "another video or copy: to go on as they began, give the video and the options of that run{}",
                  what, step.video, how, numbering_hint(tracks, step.video)));
}

void check_beside_resume(const TrackArguments& arguments) {
  if (arguments.points_file)
    throw UsageError("--resume and --points-file both say which points are followed: give one of them");
  if (arguments.first)
    throw UsageError("--resume goes on with the numbers of its file, --first would give others: leave it out");
  if (arguments.video.live.on)
    throw UsageError(
        "--resume goes on within the video that its file was made of, and live input begins anew: leave it out");
}

}  // namespace vergence::cli
