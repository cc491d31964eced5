// SPDX-License-Identifier: Apache-2.0
// `vergence eval-tracks`: end-point errors, survival and lengths of a file of tracks against known flow.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/strict.hpp"
#include "cli/track_files.hpp"
#include "eval/file_pairs.hpp"
#include "eval/flow_doubts.hpp"
#include "eval/flow_truth.hpp"
#include "eval/track_doubts.hpp"
#include "vergence/io.hpp"
#include "vergence/score.hpp"

namespace vergence::cli {
namespace {

/// What is counted beside the errors.
struct Counts {
  static constexpr std::size_t statuses = 7;
  std::int64_t first = -1, last = -1;  ///< frames of the file
  std::int64_t pairs = 0;              ///< pairs of frames with known flow
  std::array<std::int64_t, statuses> lost{};
  std::int64_t vanished = 0;  ///< lost without a row that says why
  std::int64_t outside = 0;   ///< points where there is no flow because they lie outside its picture
};

/// First and last frame in which a track was found.
struct Life {
  std::int64_t first = 0, last = 0;
  std::int64_t row = 0;   ///< The last frame of the file in which anything was said of it, counted from 0.
  std::int64_t gaps = 0;  ///< How often it came again after frames in which nothing was.
};

struct Lengths {
  std::int64_t tracks = 0, longest = 0, median = 0;
  double mean = std::numeric_limits<double>::quiet_NaN();
};

Lengths lengths_of(const std::unordered_map<std::uint64_t, Life>& lives) {
  Lengths result;
  std::vector<std::int64_t> all;
  std::int64_t sum = 0;
  for (const auto& [id, life] : lives) {
    all.push_back(life.last - life.first);
    sum += all.back();
  }
  if (all.empty()) return result;
  std::sort(all.begin(), all.end());
  result.tracks = static_cast<std::int64_t>(all.size());
  result.longest = all.back();
  result.median = all[(all.size() - 1) / 2];
  result.mean = static_cast<double>(sum) / static_cast<double>(all.size());
  return result;
}

/// Takes the rows frame by frame.
class Evaluation {
 public:
  Evaluation(FlowTruth& truth, const FrameRange& range) : truth_(truth), range_(range) {}

  void take(std::int64_t frame, const std::vector<TrackRow>& rows) {
    if (frame < range_.first || (range_.last >= 0 && frame > range_.last)) return;
    if (counts_.first < 0) counts_.first = frame;
    truth_.meet(frame);
    const ImageView<const FlowVector> flow =
        counts_.last >= 0 && counts_.last == frame - 1 ? truth_.from(frame - 1) : ImageView<const FlowVector>();
    if (!flow.empty()) score(rows, flow);
    alive_.clear();
    for (const TrackRow& row : rows) {
      if (const auto known = lives_.find(row.id); known != lives_.end()) count_gap(known->second);
      if (row.status != TrackStatus::tracked) continue;
      alive_.push_back(row);
      reach_x_ = std::max<double>(reach_x_, row.x);
      reach_y_ = std::max<double>(reach_y_, row.y);
      least_x_ = std::min<double>(least_x_, row.x);
      least_y_ = std::min<double>(least_y_, row.y);
      lives_.try_emplace(row.id, Life{frame, frame, frames_}).first->second.last = frame;
    }
    counts_.last = frame;
    ++frames_;
  }

  const Counts& counts() const { return counts_; }
  TrackScore score() const { return scorer_.score(); }
  /// The flow that the points follow seems to be another one; else "".
  std::string doubt(const std::string& tracks, const std::string& truth) const {
    const std::string line = track_doubts_.line(tracks, truth);
    return line.empty() ? doubts_.line(truth, scorer_.score().median_error) : line;
  }
  /// Nearly all points were found at whole px: something has rounded them.
  bool is_rounded() const {
    constexpr std::int64_t enough = 50;
    constexpr double least_error = 0.2;  // px in the median, of 0.38; what moves by whole px has none
    return found_ >= enough && 20 * whole_ >= 19 * found_ && scorer_.score().median_error >= least_error;
  }
  /// By the points, frames and flow are not of one size: some lie outside the flow, or it reaches far beyond all.
  bool other_size(Size flow) const {
    constexpr double reached = 0.75;  // corners are found in all of a picture
    return counts_.outside > 0 || reach_x_ < reached * flow.width || reach_y_ < reached * flow.height;
  }
  /// Do points fill half of the width and height, and nothing beyond, as those of pictures of half the size do?
  bool fills_half(Size flow) const {
    constexpr double least = 0.44, most = 0.505;
    constexpr std::int64_t enough = 60;
    const auto fills = [](double reach, int side) { return reach >= least * side && reach <= most * side; };
    return found_ >= enough && fills(reach_x_, flow.width) && fills(reach_y_, flow.height);
  }
  /// Do all points lie inside the flow once x and y are exchanged?
  bool is_inside_exchanged(Size flow) const {
    return std::min(least_x_, least_y_) >= 0 && reach_x_ <= flow.height - 1 && reach_y_ <= flow.width - 1;
  }
  /// Do points fill half of the width and height to both sides of 0?
  bool is_from_middle(Size flow) const {
    constexpr double least = 0.3, most = 0.51;
    const auto is_half = [](double reach, int side) { return reach >= least * side && reach <= most * side; };
    return is_half(reach_x_, flow.width) && is_half(-least_x_, flow.width) && is_half(reach_y_, flow.height) &&
           is_half(-least_y_, flow.height);
  }
  /// "412.3, 290": the largest x and y of a point.
  std::string reach() const { return fmt::format("{:.4g}, {:.4g}", reach_x_, reach_y_); }
  Lengths lengths() const { return lengths_of(lives_); }

  /// Lines of the file seem to be missing: many tracks come again, nearly always after one frame; else "".
  std::string gap_warning(const std::string& tracks) const {
    constexpr std::int64_t enough = 20, share = 5;
    const auto with_gaps =
        std::count_if(lives_.begin(), lives_.end(), [](const auto& one) { return one.second.gaps > 0; });
    if (gaps_ < enough || share * with_gaps < std::ssize(lives_) || 4 * single_gaps_ < 3 * gaps_) return "";
    return fmt::format(
        "{} of {} tracks in {} come again after frames in which the file holds no line of theirs, {} times, {} of "
        "them after one frame: lines were lost, and survival and lengths count these points as lost: give all lines",
        with_gaps, lives_.size(), tracks, gaps_, single_gaps_);
  }

 private:
  void count_gap(Life& life) {
    if (frames_ > life.row + 1) ++gaps_, ++life.gaps;
    if (frames_ == life.row + 2) ++single_gaps_;
    life.row = frames_;
  }
  void score(const std::vector<TrackRow>& rows, ImageView<const FlowVector> flow) {
    ++counts_.pairs;
    std::unordered_map<std::uint64_t, const TrackRow*> now;
    for (const TrackRow& row : rows) now[row.id] = &row;
    track_doubts_.meet(rows);
    for (const TrackRow& before : alive_) {
      const auto found = now.find(before.id);
      TrackStep step{before.x, before.y};
      if (found != now.end() && found->second->status == TrackStatus::tracked)
        step = {before.x, before.y, true, found->second->x, found->second->y};
      const bool known = scorer_.add(step, flow);
      if (known && step.found) {
        doubts_.add(step, flow, counts_.pairs);
        track_doubts_.add(step, flow);
      }
      whole_ +=
          step.found && std::round(step.found_x) == step.found_x && std::round(step.found_y) == step.found_y ? 1 : 0;
      found_ += step.found ? 1 : 0;
      if (!known && (step.x < 0 || step.y < 0 || step.x > flow.width() - 1 || step.y > flow.height() - 1))
        ++counts_.outside;
      if (!known || step.found) continue;
      if (found == now.end())
        ++counts_.vanished;
      else
        ++counts_.lost[static_cast<std::size_t>(found->second->status)];
    }
    track_doubts_.close(counts_.last);
  }

  FlowTruth& truth_;
  FrameRange range_;
  TrackScorer scorer_;
  FlowDoubts doubts_;
  TrackDoubts track_doubts_;
  Counts counts_;
  std::int64_t found_ = 0, whole_ = 0;
  std::int64_t frames_ = 0;                  ///< Of the file, so far.
  std::int64_t gaps_ = 0, single_gaps_ = 0;  ///< In tracks, and those of one frame.
  double reach_x_ = 0, reach_y_ = 0, least_x_ = 0, least_y_ = 0;
  std::vector<TrackRow> alive_;  ///< in the last frame
  std::unordered_map<std::uint64_t, Life> lives_;
};

void print_text_report(const Counts& counts, const TrackScore& score, const Lengths& lengths) {
  print("frames     {} to {}, the flow is known between {} pair{} of them\n", counts.first, counts.last, counts.pairs,
        counts.pairs == 1 ? "" : "s");
  print("points     {} followed to a next frame where the flow is known, {} where it is not (left out)\n", score.points,
        score.unknown);
  if (counts.outside > 0) print("           {} of the latter lie outside the flow\n", counts.outside);
  print("survival   {:.2f} % were found there\n", score.survival);
  std::string reasons;
  const auto add = [&reasons](std::int64_t count, std::string_view why) {
    if (count > 0) reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, why);
  };
  for (std::size_t i = 1; i < Counts::statuses; ++i) add(counts.lost[i], to_text(static_cast<TrackStatus>(i)));
  add(counts.vanished, "without a reason");
  print("lost       {}\n", reasons.empty() ? "none" : reasons);
  if (score.found > 0) {
    print("error      mean {:.4f} px, median {:.4f} px\n", score.mean_error, score.median_error);
    print("off by     more than 0.5 px {:.2f} %, 1 px {:.2f} %, 2 px {:.2f} % of the points found\n", score.bad[0],
          score.bad[1], score.bad[2]);
  }
  print("length     {} tracks of {:.1f} frames on average, median {}, the longest {}\n", lengths.tracks, lengths.mean,
        lengths.median, lengths.longest);
}

void print_json_report(const EvalTracksArguments& arguments, const Counts& counts, const TrackScore& score,
                       const Lengths& lengths, const Warnings& warnings) {
  Json report = json_report();
  report["tracks"] = arguments.tracks;
  report["truth"] = arguments.truth;
  report["frames"] = Json{{"first", counts.first}, {"last", counts.last}};
  report["pairs"] = counts.pairs;
  Json bad = Json::object();
  for (std::size_t i = 0; i < score.bad.size(); ++i)
    bad[fmt::format("{}", TrackScore::thresholds[i])] = json_number(score.bad[i], 4);
  report["scores"] = Json{{"points", score.points},
                          {"found", score.found},
                          {"unknown", score.unknown},
                          {"outside", counts.outside},
                          {"survival", json_number(score.survival, 4)},
                          {"mean_error", json_number(score.mean_error, 6)},
                          {"median_error", json_number(score.median_error, 6)},
                          {"bad", bad}};
  Json lost = Json::object();
  for (std::size_t i = 1; i < Counts::statuses; ++i)
    lost[std::string(to_text(static_cast<TrackStatus>(i)))] = counts.lost[i];
  lost["no_reason"] = counts.vanished;
  report["lost"] = std::move(lost);
  report["length"] = Json{{"tracks", lengths.tracks},
                          {"mean", json_number(lengths.mean, 4)},
                          {"median", lengths.median},
                          {"longest", lengths.longest}};
  report["warnings"] = warnings.lines();
  print_json(report);
}

/// Where the tracks' file does not tell the frames' size, points outside the flow alone can tell that it is another's.
std::string outside_text(const EvalTracksArguments& arguments, const Evaluation& evaluation, Size flow) {
  return fmt::format("{} of the points of {} lie outside {}, which is {}x{}: {}", evaluation.counts().outside,
                     arguments.tracks, arguments.truth, flow.width, flow.height,
                     evaluation.is_from_middle(flow)
                         ? "they seem to be counted from the middle of the picture: x and y begin at the centre of its "
                           "upper left pixel"
                     : evaluation.is_inside_exchanged(flow)
                         ? "with x and y exchanged, all lie inside: x is the column, and stands first"
                         : "is it the flow of these frames?");
}

/// What is odd about tracks and flow beside each other.
void add_doubts(const EvalTracksArguments& arguments, const Evaluation& evaluation, const FlowTruth& truth,
                bool tells_size, Warnings& warnings) {
  const Counts& counts = evaluation.counts();
  if (!tells_size && counts.outside > 0 && evaluation.is_from_middle(truth.size())) return;  // which was told
  const TrackScore score = evaluation.score();
  std::string doubt = evaluation.doubt(arguments.tracks, arguments.truth);
  constexpr double off = 0.5;  // px in the median
  constexpr std::int64_t enough = 20;
  const bool astray = !doubt.empty() || (score.found >= enough && score.median_error >= off);
  // A file that tells the size was compared.
  const bool other_size =
      !tells_size && !doubt.starts_with("tracks seem to be of pictures") && evaluation.other_size(truth.size());
  if (astray && other_size && counts.outside == 0)
    warnings.add(
        fmt::format("truth {} is {}x{}, and the points of {} reach ({}) alone and do not follow it: is it the flow of "
                    "these frames?",
                    arguments.truth, truth.size().width, truth.size().height, arguments.tracks, evaluation.reach()));
  if (doubt.empty() && !astray && !tells_size && evaluation.fills_half(truth.size()))
    warnings.add(
        fmt::format("truth {} is {}x{}, and the points of {} reach ({}) alone: they seem to be of pictures of half the "
                    "size: give the flow of these, whose vectors are half as long, too",
                    arguments.truth, truth.size().width, truth.size().height, arguments.tracks, evaluation.reach()));
  if (truth.is_counted_from_0(counts.first, counts.last))
    warnings.add(
        fmt::format("the frames of {} seem to be counted from 1: {} begins at 0, and leads to all but the last one: "
                    "count them from 0, as `track` does",
                    arguments.tracks, arguments.truth));
  if (doubt.empty() && !astray && evaluation.is_rounded())
    warnings.add(
        fmt::format("positions of {} are whole px, which alone makes errors of 0.4 px in the mean: give them as they "
                    "were found, with their fractions",
                    arguments.tracks));
  if (std::string line = evaluation.gap_warning(arguments.tracks); !line.empty()) warnings.add(std::move(line));
  if (!doubt.empty() && !other_size) warnings.add(std::move(doubt));
}

int run(const EvalTracksArguments& arguments) {
  check_ending({"TRACKS", "tracks", "tracks", arguments.tracks, false}, ".csv .json .npy");
  FlowTruth truth(arguments);
  const FrameRange range =
      arguments.frames ? as_usage([&] { return parse_frame_range(*arguments.frames); }) : FrameRange{};
  Evaluation evaluation(truth, range);
  const std::optional<Size> size =
      read_tracks(arguments.tracks, [&](std::int64_t frame, const std::vector<TrackRow>& rows) {
        evaluation.take(frame, rows);
      }).size;
  const Counts& counts = evaluation.counts();
  if (counts.first < 0)
    throw Error(ErrorCode::bad_data, fmt::format("nothing to score: tracks {} have no frame within --frames '{}'",
                                                 arguments.tracks, *arguments.frames));
  if (counts.first > range.first && range.first >= 0)
    throw Error(ErrorCode::bad_data, fmt::format("tracks {} have no frame {}: their first within --frames '{}' is {}",
                                                 arguments.tracks, range.first, *arguments.frames, counts.first));
  Warnings warnings;
  if (is_numbered(arguments.truth)) warnings.add(left_out_notice(arguments.truth));
  if (counts.last < range.last)
    warnings.add(
        fmt::format("frames {} were asked for, but the last one of the tracks is {}", *arguments.frames, counts.last));
  if (counts.pairs == 0)
    throw Error(ErrorCode::bad_data, fmt::format("nothing to score: {}", truth.missing(counts.first, counts.last)));
  if (size && *size != truth.size())
    throw Error(ErrorCode::bad_data,
                fmt::format("truth {} is {}x{}, the frames of {} are {}x{}: give that of these frames", arguments.truth,
                            truth.size().width, truth.size().height, arguments.tracks, size->width, size->height));
  const TrackScore score = evaluation.score();
  if (score.points == 0 && counts.outside > 0)
    throw Error(ErrorCode::bad_data, "nothing to score: " + outside_text(arguments, evaluation, truth.size()));
  if (score.points == 0)
    throw Error(ErrorCode::bad_data,
                fmt::format("nothing to score: of {} followed points, none lies where {} knows the flow", score.unknown,
                            arguments.truth));
  if (counts.outside > 0) warnings.add(outside_text(arguments, evaluation, truth.size()));
  add_doubts(arguments, evaluation, truth, size.has_value(), warnings);
  if (arguments.json)
    print_json_report(arguments, counts, score, evaluation.lengths(), warnings);
  else
    print_text_report(counts, score, evaluation.lengths());
  return success;
}

}  // namespace

void add_eval_tracks(Program& program) {
  Command command = program.add(
      "eval-tracks",
      "Score tracks against known flow\n\n"
      "The end-point error of a point is the distance from where the flow leads to where it was found in the next\n"
      "frame. Points where the flow is not known count neither as found nor as lost.");
  const auto arguments = std::make_shared<EvalTracksArguments>();
  command.add("TRACKS", arguments->tracks, "What `vergence track -o` wrote: .csv, .json or .npy").required();
  command
      .add("TRUTH", arguments->truth,
           "Flow from a frame to the next (.flo); numbered names (flow_%04d.flo) are one per frame, of its number")
      .required();
  command
      .add(
          "--frame", arguments->frame,
          "Frame from which the one file leads [default: the number in its name; without one, the first of two frames]")
      .type("N");
  command
      .add("--truth-first", arguments->truth_first,
           "Number of the file that leads from frame 0 to frame 1 [default: 0]")
      .type("N");
  command
      .add("--frames", arguments->frames, "Frames A to B of the tracks, both included [A:B, A:, :B, A; default: all]")
      .type("A:B");
  command.flag("--json", arguments->json, "Print one JSON object");
  command.common("Numbered flow (flow_%04d.flo): the file of number N leads from frame N to the next.",
                 {{"--frame", "Frame from which the one file leads"},
                  {"--truth-first", "Number of the file that leads from frame 0"},
                  {"--frames", "Frames of the tracks, both included"},
                  {"--json", "Print one JSON object"}});
  command.footer(
      "Examples:\n"
      "  vergence eval-tracks tracks.csv flow10.flo\n"
      "  vergence eval-tracks tracks.csv scene/flow_%04d.flo");
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli
