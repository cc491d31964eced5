// SPDX-License-Identifier: Apache-2.0
// Going on with the tracks of a file.
#include "track/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/settings.hpp"
#include "vergence/error.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::bad_data, fmt::format("tracks {}, {}", path, what));
}

TrackPosition position_of(const std::string& path, const TrackRow& row) {
  try {
    return to_position(row.x, row.y);
  } catch (const Error& error) {
    refuse(path, fmt::format("frame {}: track {}: {}", row.frame, row.id, error.what()));
  }
}

/// A track that goes on has a line in the next frame, be it that it was lost: else lines are missing, as where a file
/// was cut. The rows of `frame` are `now`, those of the frame of the file before it `before`.
void check_whole(const std::string& path, const std::vector<TrackRow>& before, std::int64_t frame,
                 const std::vector<TrackRow>& now) {
  std::unordered_set<std::uint64_t> ids;
  for (const TrackRow& row : now) ids.insert(row.id);
  for (const TrackRow& row : before) {
    if (row.status != TrackStatus::tracked) continue;
    if (frame == row.frame + 1 && ids.contains(row.id)) continue;
    refuse(path, fmt::format("frame {}: track {}, which frame {} has, has no line: the file was cut or changed: take a "
                             "whole one, or leave out all lines from frame {} on",
                             row.frame + 1, row.id, row.frame, row.frame + 1));
  }
}

/// Looks at one frame after the other: ages grow by one, and what is new begins with 0 and an id of its own.
class AgeCheck {
 public:
  explicit AgeCheck(const std::string& path) : path_(path) {}

  void take(const std::vector<TrackRow>& rows) {
    std::unordered_map<std::uint64_t, const TrackRow*> before;
    for (const TrackRow& row : last_) before[row.id] = &row;
    for (const TrackRow& row : rows) {
      const auto found = before.find(row.id);
      if (found != before.end() && found->second->frame + 1 == row.frame)
        check_next(row, *found->second);
      else
        check_first(row);
    }
    for (const TrackRow& row : rows) next_id_ = std::max(next_id_, row.id + 1);
    last_ = rows;
  }

 private:
  void check_next(const TrackRow& row, const TrackRow& before) const {
    if (before.status != TrackStatus::tracked)
      refuse_row(row, fmt::format("was lost in frame {}, and is there again in frame {}", before.frame, row.frame));
    const bool lives = row.status == TrackStatus::tracked;
    if (std::int64_t{row.age} != std::int64_t{before.age} + (lives ? 1 : 0))
      refuse_row(row, fmt::format("has the age {} in frame {} and, {}, {} in frame {}", before.age, before.frame,
                                  lives ? "found again" : "lost", row.age, row.frame));
  }
  /// A file may begin in the middle of a video; what came before may have been left out.
  void check_first(const TrackRow& row) const {
    if (row.age > row.frame) refuse_row(row, fmt::format("has the age {} in frame {}", row.age, row.frame));
    if (last_.empty()) return;
    if (row.age > 0)
      refuse_row(row, fmt::format("has the age {} in frame {}, and no line in the frame before", row.age, row.frame));
    if (row.id < next_id_)
      refuse_row(row, fmt::format("begins in frame {}, where ids up to {} were given", row.frame, next_id_ - 1));
  }
  [[noreturn]] void refuse_row(const TrackRow& row, const std::string& what) const {
    refuse(path_, fmt::format("{}: track {} {}: the file was changed: take one as -o wrote it, or leave out all lines "
                              "from frame {} on",
                              place_text(path_, row.place), row.id, what, row.frame));
  }

  const std::string& path_;
  std::vector<TrackRow> last_;
  std::uint64_t next_id_ = 0;
};

/// Keeps the rows that lie farthest to each side. Points that were given, and not found yet, may lie anywhere.
void keep_outermost(std::vector<TrackRow>& outermost, const std::vector<TrackRow>& rows) {
  for (const TrackRow& row : rows) {
    if (row.age == 0) continue;
    if (outermost.empty()) outermost.assign(4, row);
    if (row.x < outermost[0].x) outermost[0] = row;
    if (row.y < outermost[1].y) outermost[1] = row;
    if (row.x > outermost[2].x) outermost[2] = row;
    if (row.y > outermost[3].y) outermost[3] = row;
  }
}

/// Positions are whole 1/1024 px, which decimals hold exactly. Points that were given lie anywhere.
void look_for_rounding(const TrackRow& row, ResumedTracks& tracks) {
  const auto is_exact = [](double px) { return std::floor(px * 1024) == px * 1024; };
  if (!tracks.rounded && !(is_exact(row.x) && is_exact(row.y))) tracks.rounded = row;
  if (row.age == 0) return;
  ++tracks.moved;
  tracks.whole += std::floor(row.x) == row.x && std::floor(row.y) == row.y ? 1 : 0;
}

std::string rounding_warning(const ResumedTracks& tracks) {
  constexpr const char* cure =
      "another program has rounded them, and what follows is not what one run would find: take the file as -o wrote it";
  if (tracks.rounded)
    return fmt::format("tracks {}, {}: {},{} is no whole 1/1024 px, as all positions are that -o writes: {}",
                       tracks.path, place_text(tracks.path, tracks.rounded->place), tracks.rounded->x,
                       tracks.rounded->y, cure);
  constexpr std::int64_t enough = 20;
  if (tracks.moved < enough || tracks.whole < tracks.moved) return "";
  return fmt::format("tracks {}: all positions are whole pixels: if they moved, {}", tracks.path, cure);
}

/// On a full disk even the last brackets may be missing.
bool ends_as_json(const std::string& path) {
  constexpr std::string_view end = "]}\n";
  std::ifstream file(path, std::ios::binary);
  std::string last(end.size(), '\0');
  file.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
  return file.read(last.data(), static_cast<std::streamsize>(last.size())) && last == end;
}

/// The tracks that live in the rows `now` of `frame`; `before` are those of the frame of the file before it.
std::vector<TrackState> states(const std::string& path, const std::vector<TrackRow>& before,
                               const std::vector<TrackRow>& now, std::int64_t frame) {
  std::unordered_map<std::uint64_t, TrackPosition> previous;
  for (const TrackRow& row : before)
    if (row.frame == frame - 1) previous[row.id] = position_of(path, row);
  std::vector<TrackState> tracks;
  for (const TrackRow& row : now) {
    if (row.frame != frame || row.status != TrackStatus::tracked) continue;
    TrackState state{row.id, position_of(path, row), {}, row.age};
    const auto found = previous.find(row.id);
    state.previous = found == previous.end() || row.age == 0 ? state.position : found->second;
    tracks.push_back(state);
  }
  std::sort(tracks.begin(), tracks.end(), [](const TrackState& a, const TrackState& b) { return a.id < b.id; });
  return tracks;
}

}  // namespace

ResumedTracks read_resumed(const std::string& path) {
  // It is read twice: its lines are the first ones of the output, too.
  std::error_code problem;
  if (std::filesystem::exists(path, problem) && !std::filesystem::is_regular_file(path, problem) &&
      !std::filesystem::is_directory(path, problem))
    throw UsageError(fmt::format("--resume is {}, which is no regular file: give the file that -o wrote", path));
  check_ending({"--resume", "tracks", "tracks", path, false}, ".csv .json .npy");
  ResumedTracks result;
  result.path = path;
  std::vector<TrackRow> last, before, earlier;
  AgeCheck ages(path);
  result.head = read_tracks(
      path,
      [&](std::int64_t frame, const std::vector<TrackRow>& rows) {
        earlier = std::move(before);
        before = std::move(last);
        last = rows;
        result.before.next_id = result.state.next_id;
        check_whole(path, before, frame, rows);
        ages.take(rows);
        keep_outermost(result.outermost, rows);
        for (const TrackRow& row : rows) look_for_rounding(row, result);
        if (result.state.next_id == 0) result.first = frame;  // no row yet
        result.frame = frame;
        for (const TrackRow& row : rows) result.state.next_id = std::max(result.state.next_id, row.id + 1);
      },
      TrackColumns::all);
  result.state.tracks = states(path, before, last, result.frame);
  result.before.tracks = states(path, earlier, before, result.frame - 1);
  result.rows = std::move(last);
  return result;
}

void check_fits(const ResumedTracks& tracks, Size size) {
  if (tracks.head.size && *tracks.head.size != size)
    refuse(tracks.path, fmt::format("whose frames are {}x{}, cannot go on with frames of {}x{}: give the same video",
                                    tracks.head.size->width, tracks.head.size->height, size.width, size.height));
  const auto check = [&](const std::string& where, std::uint64_t id, double x, double y) {
    if (x < 0 || y < 0 || x > size.width - 1 || y > size.height - 1)
      refuse(tracks.path,
             fmt::format("{}: track {} lies at {},{}, outside the {}x{} frames: are they of the same video?", where, id,
                         x, y, size.width, size.height));
  };
  for (const TrackState& one : tracks.state.tracks)
    check(fmt::format("frame {}", tracks.frame), one.id, position_to_pixels(one.position.x),
          position_to_pixels(one.position.y));
  for (const TrackRow& row : tracks.outermost) check(place_text(tracks.path, row.place), row.id, row.x, row.y);
}

namespace {

std::string other_settings_warning(const ResumedTracks& tracks, const Json& settings) {
  std::string theirs, ours, options;
  bool other_pixels = false;
  for (const auto& [name, value] : settings.members()) {
    if (!tracks.head.settings.contains(name)) continue;
    const std::string then = setting_text(tracks.head.settings[name]).substr(0, 40), now = setting_text(value);
    if (then == now) continue;
    theirs += fmt::format("{}{} {}", theirs.empty() ? "" : ", ", name, then);
    ours += fmt::format("{}{} {}", ours.empty() ? "" : ", ", name, now);
    options += fmt::format(" --{} {}", name, then);
    other_pixels = other_pixels || name == "pixel-depth";
  }
  if (theirs.empty()) return "";
  return fmt::format("tracks {} were written with {}, and this run has {}: {}", tracks.path, theirs, ours,
                     other_pixels ? "are they of the same video?" : "to go on as they began, give" + options);
}

}  // namespace

bool add_resume_warnings(const ResumedTracks& tracks, const Json& settings, std::vector<std::string>& warnings) {
  const std::size_t before = warnings.size();
  for (const std::string& line : {rounding_warning(tracks), other_settings_warning(tracks, settings)})
    if (!line.empty()) warnings.push_back(line);
  return warnings.size() > before;
}

void refuse_whole(const ResumedTracks& tracks, const std::string& video) {
  throw Error(
      ErrorCode::bad_data,
      fmt::format("{} ends with frame {}, as the tracks of {} do: these are whole, and there is nothing to go on "
                  "with; resume them once there are more frames",
                  video, tracks.frame, tracks.path));
}

void refuse_short(const ResumedTracks& tracks, const std::string& video) {
  throw Error(ErrorCode::bad_data,
              fmt::format("{} ends with frame {}, before the tracks of {} do, whose last frame is {}: give the video "
                          "that they are of",
                          video, tracks.frame - 1, tracks.path, tracks.frame));
}

std::string numbering_hint(const ResumedTracks& tracks, const std::string& video) {
  std::error_code problem;
  if (has_frame_number(video) && !std::filesystem::exists(video, problem)) {
    const std::string zeroth = frame_path(video, 0);
    if (tracks.first != 0 || std::filesystem::exists(zeroth, problem)) return "";
    return fmt::format(
        "; their first frame is 0, as of a video, and there is no {}: are they of frames that were "
        "counted from 0?",
        zeroth);
  }
  if (tracks.first == 0) return "";
  return fmt::format(
      "; their first frame is {}, and frames of a video are counted from 0: are they of numbered "
      "pictures?",
      tracks.first);
}

std::string resume_cure(const std::string& output, std::int64_t frame) {
  const std::string partial = AtomicFile::target(output) + ".partial";
  std::error_code problem;
  if (!std::filesystem::is_regular_file(partial, problem)) return "";  // a pipe keeps nothing
  if (ending(output) == ".json" && !ends_as_json(partial)) return "";
  return fmt::format(
      "; {} holds the tracks up to frame {}: rename it to a name that ends in {}, and --resume goes on with "
      "it",
      partial, frame, ending(output));
}

std::string resumed_frames(const ResumedTracks& tracks, const std::string& video,
                           const std::optional<std::string>& frames) {
  std::error_code problem;
  const bool is_there = !has_frame_number(video) || std::filesystem::exists(video, problem) ||
                        std::filesystem::exists(frame_path(video, tracks.frame - 1), problem);
  const std::int64_t first = tracks.frame - (is_there && !tracks.before.tracks.empty() ? 1 : 0);
  if (!frames) return fmt::format("{}:", first);
  const FrameRange range = as_usage([&] { return parse_frame_range(*frames); });
  const std::int64_t next = tracks.frame + 1;
  const bool follows = frames->starts_with(':') || range.first == next;
  if (!follows || (range.last >= 0 && range.last < next))
    throw UsageError(fmt::format("--frames is '{}', but {} ends with frame {}: give {}:, or {}:B with a B from {} on",
                                 *frames, tracks.path, tracks.frame, next, next, next));
  return range.last < 0 ? fmt::format("{}:", first) : fmt::format("{}:{}", first, range.last);
}

void copy_tracks(const std::string& path, const std::function<void(std::int64_t, std::span<const Track>)>& take) {
  std::vector<Track> tracks;
  read_tracks(
      path,
      [&](std::int64_t frame, const std::vector<TrackRow>& rows) {
        tracks.clear();
        for (const TrackRow& row : rows) {
          Track track;
          track.id = row.id;
          track.position = position_of(path, row);
          track.age = row.age;
          track.status = row.status;
          track.residual = row.residual;
          tracks.push_back(track);
        }
        take(frame, tracks);
      },
      TrackColumns::all);
}

}  // namespace vergence::cli
