// SPDX-License-Identifier: Apache-2.0
// The run of `vergence track`: everything that can be refused before the work comes first, then frame by frame.
#include "track/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>

#include "cli/command.hpp"
#include "cli/hash.hpp"
#include "cli/progress.hpp"
#include "cli/read_ahead.hpp"
#include "cli/signals.hpp"
#include "cli/stopwatch.hpp"
#include "cli/strict.hpp"
#include "track/points.hpp"
#include "track/resume.hpp"
#include "track/resume_check.hpp"
#include "track/still_points.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

constexpr const char* purpose = "following points";  // for messages

std::vector<std::string> boards_of(const std::vector<TrackMap>& maps) {
  std::vector<std::string> boards;
  for (const TrackMap& map : maps)
    for (const Device* device : {&map.prepare, &map.update})
      if (std::find(boards.begin(), boards.end(), device->pci_address()) == boards.end())
        boards.push_back(device->pci_address());
  return boards;
}

/// One run, from its arguments to its result.
class TrackRun {
 public:
  /// `resumed` may be null.
  TrackRun(const TrackArguments& arguments, const ResumedTracks* resumed);
  TrackResult run();

 private:
  TrackResult follow();
  void read_points_file();
  void check_files();
  std::vector<OutputName> all_outputs() const;
  void prepare(const GreyPicture& frame);
  void choose_map();
  void begin();
  void run_one_by_one();
  void run_stream();
  void write(const TrackSnapshot& now, const GreyPicture& frame);
  void go_on();
  std::int64_t first_index() const { return resumed_ == nullptr ? video_.range().first : resumed_->frame; }
  void take_stock(std::span<const Track> tracks);
  void measure(const Track& track);
  std::optional<GreyPicture> next_frame();

  const TrackArguments& arguments_;
  const ResumedTracks* resumed_;
  TrackSettings settings_;
  OnDeviceLoss on_loss_;
  std::vector<TrackMap> maps_;  ///< Those that may be; in the end one.
  EnergyRun energy_;
  std::vector<TrackPosition> points_;
  VideoInput video_;
  std::deque<GreyPicture> first_frames_;  ///< Read before the run began.
  std::optional<GreyPicture> before_;     ///< The frame before that with which resumed tracks end.
  std::unique_ptr<TrackLine> line_;
  std::optional<TrackOutputs> outputs_;
  std::int64_t index_ = 0;       // of the current frame
  bool points_outside_ = false;  // of --points-file, which explains what is lost
  std::int64_t seen_ = 0;        // frames, that of a resumed file's end included
  std::int64_t shift_ = 0;       // from a frame's number to that in the outputs
  TrackHash hash_;
  StillPoints still_points_;
  TrackResult result_;
};

TrackRun::TrackRun(const TrackArguments& arguments, const ResumedTracks* resumed)
    : arguments_(arguments),
      resumed_(resumed),
      settings_(resolve_track_settings(arguments.settings)),
      on_loss_(on_device_loss(arguments.stream)),
      maps_(track_maps(arguments.map, arguments.device)),
      energy_(arguments.energy, boards_of(maps_)),
      video_(arguments.video) {
  read_points_file();
  if (on_loss_ == OnDeviceLoss::go_on && maps_.size() == 1 && maps_[0].is_one())
    throw UsageError(
        "--on-device-loss is continue, but there is one device: name two, such as --map prepare=cpu,update=cuda:0");
  if (settings_.options.points == 0 && !arguments.points_file && resumed_ == nullptr)
    throw UsageError(
        "points is 0, and nothing else says which points are followed: give --points from 1 on, --points-file or "
        "--resume");
  check_track_outputs(arguments.outputs);
  require_output(arguments.first, "--first", arguments.outputs.tracks, "--output");
  require_output(arguments.video.rate, "--rate", arguments.outputs.overlay, "--overlay");
  for (const OutputName& name : all_outputs()) {
    if (has_frame_number(name.path))
      throw UsageError(
          fmt::format("{} is '{}': it is one file for all frames, leave the number out", name.option, name.path));
  }
  check_names(all_outputs());
  video_.require_range(2, purpose);
  video_.open(false);
  video_.watch_cuts();
  video_.require_range(2, purpose);
  index_ = first_index();
  result_.first_frame = resumed_ == nullptr ? index_ : index_ + 1;
  shift_ = output_shift(arguments.first, index_);
  check_files();
}

void TrackRun::read_points_file() {
  if (!arguments_.points_file) return;
  points_ = read_points(*arguments_.points_file);
  // Only those of the file, unless others were asked for.
  if (!arguments_.settings.given.contains("points")) settings_.options.points = 0;
}

/// No output may overwrite an input or another output.
void TrackRun::check_files() {
  std::vector<std::string> inputs = video_.files();
  for (const std::optional<std::string>* file :
       {&arguments_.settings.file, &arguments_.points_file, &arguments_.mask, &arguments_.resume})
    if (*file) inputs.push_back(**file);
  check_distinct(all_outputs(), inputs, video_.range());
}

std::vector<OutputName> TrackRun::all_outputs() const {
  return with_settings_file(track_output_names(arguments_.outputs), arguments_.save_settings);
}

void TrackRun::prepare(const GreyPicture& frame) {
  if (resumed_ != nullptr) check_fits(*resumed_, frame.size());
  adopt_track_depth(settings_, frame.depth, frame.max_value, shown_source(arguments_.video.video));
  video_.expect(settings_.options.max_value);
  const bool explained =
      resumed_ != nullptr && add_resume_warnings(*resumed_, track_settings_json(settings_.options), result_.warnings);
  result_.options = settings_.options;
  result_.size = frame.size();
  result_.input_max = frame.max_value;
  const auto bits = static_cast<int>(std::bit_width(static_cast<unsigned>(frame.max_value)));
  result_.totals.residuals = Distribution(std::max(0, bits - 8));
  TrackOptions options = settings_.options;
  options.history = std::max(options.history, overlay_tail(arguments_.outputs));
  for (std::string& line : idle_track_options(arguments_.settings, settings_.options))
    result_.warnings.push_back(std::move(line));
  if (arguments_.mask && settings_.options.points == 0)
    result_.warnings.emplace_back("--points-mask does nothing: points is 0");
  if (maps_.size() > 1) choose_map();
  const TrackMap& map = maps_.front();
  for (const Device* device : {&map.prepare, &map.update})
    add_cache_warning(*device, arguments_.device, result_.warnings);
  const bool fallback = on_loss_ == OnDeviceLoss::go_on && !map.is_one();
  as_usage([&] { line_ = std::make_unique<TrackLine>(map, frame.size(), options, fallback); });
  result_.device = map.is_one() ? map.update.name() : map.text();
  result_.device_description = map.update.description();
  if (!map.is_one()) result_.device_description = map.prepare.description() + "; " + result_.device_description;
  PointTracker& tracker = line_->tracker();
  result_.levels = tracker.flow().levels();
  if (arguments_.mask) {
    const Image<std::uint8_t> mask = read_points_mask(*arguments_.mask, frame.size(), result_.warnings);
    tracker.set_mask(mask);
  }
  tracker.add(points_);
  if (arguments_.points_file)
    if (std::string line = outside_warning(*arguments_.points_file, points_, frame.size()); !line.empty()) {
      points_outside_ = true;
      result_.warnings.push_back(std::move(line));
    }
  if (before_)
    add_step_warning(*resumed_, {*before_, frame, arguments_.video.video, explained}, tracker, result_.warnings);
  if (resumed_ != nullptr) refuse_warnings(arguments_.video.strict, result_.warnings);
  TrackFrames frames{frame.size(), video_.rate(), {}};
  // Tracks that are taken over are older than this video.
  if (const auto count = video_.source().count(); count && resumed_ == nullptr) frames.greatest_age = *count - 1;
  if (arguments_.outputs.tracks && shift_ == 0)
    can_be_resumed(AtomicFile::target(*arguments_.outputs.tracks) + ".partial");
  outputs_.emplace(arguments_.outputs, settings_.options, frames);
  if (resumed_ != nullptr) go_on();
  energy_.idle();
}

/// What the file holds comes first in the output, so that it is what one run would have written.
void TrackRun::go_on() {
  line_->resume(resumed_->state);
  copy_tracks(resumed_->path, [this](std::int64_t number, std::span<const Track> tracks) {
    hash_.add(number, tracks);
    outputs_->copy(number, tracks);
  });
  result_.resumed_frame = resumed_->frame;
  result_.totals.resumed = std::ssize(resumed_->state.tracks);
}

/// Points that were lost before their windows could be compared have no residual.
void TrackRun::measure(const Track& track) {
  TrackTotals& totals = result_.totals;
  if (track.status == TrackStatus::outside || track.status == TrackStatus::small_determinant) return;
  totals.residuals.add(track.residual);
  if (settings_.options.forward_backward == 0) return;
  if (track.status == TrackStatus::not_converged || track.status == TrackStatus::residual) return;
  if (track.way_back == ~std::uint32_t{0})
    ++totals.not_back;
  else
    totals.ways_back.add(static_cast<std::uint32_t>(std::sqrt(static_cast<double>(track.way_back))));
}

void TrackRun::take_stock(std::span<const Track> tracks) {
  TrackTotals& totals = result_.totals;
  totals.alive = 0;
  for (const Track& track : tracks) {
    const bool alive = track.status == TrackStatus::tracked;
    // A track that was added is told of once with age 0, whether it is found at once or not.
    const bool is_new = track.age == 0 && alive;
    totals.started += is_new ? 1 : 0;
    totals.alive += alive ? 1 : 0;
    totals.sought += is_new ? 0 : 1;
    if (!alive) {
      ++totals.lost[static_cast<std::size_t>(track.status)];
      totals.ages += track.age;
    } else if (!is_new) {
      ++totals.found;
      totals.residual += track.residual / 1024.0;
    }
    if (!is_new) measure(track);
    totals.oldest = std::max<std::int64_t>(totals.oldest, track.age);
  }
}

/// Measures on the first frames, which then are the first of the run.
void TrackRun::choose_map() {
  constexpr std::size_t sample = 12;
  while (first_frames_.size() < sample) {
    std::optional<GreyPicture> frame = video_.next();
    if (!frame) break;
    first_frames_.push_back(std::move(*frame));
  }
  const TrackMap chosen =
      as_usage([&] { return choose_track_map(maps_, first_frames_, settings_.options, result_.measured_maps); });
  maps_ = {chosen};
}

void TrackRun::write(const TrackSnapshot& now, const GreyPicture& frame) {
  if (++seen_ == 1 && resumed_ != nullptr) {  // its lines were those of the file
    ++index_;
    return;
  }
  hash_.add(index_, now.tracks);
  take_stock(now.tracks);
  still_points_.see(now.tracks, seen_);
  outputs_->write(index_ + shift_, now, frame);
  ++index_;
  ++result_.frames;
}

/// Reads the first frame, from which everything else follows.
void TrackRun::begin() {
  if (resumed_ != nullptr && video_.range().first < resumed_->frame) before_ = video_.next();
  std::optional<GreyPicture> frame = video_.next();
  if (!frame && before_) refuse_short(*resumed_, arguments_.video.video);
  if (!frame) return;
  first_frames_.push_back(std::move(*frame));
  if (resumed_ != nullptr) {  // before an output is begun
    std::optional<GreyPicture> second = video_.next();
    if (!second) refuse_whole(*resumed_, arguments_.video.video);
    first_frames_.push_back(std::move(*second));
  }
  prepare(first_frames_.front());
}

std::optional<GreyPicture> TrackRun::next_frame() {
  if (first_frames_.empty()) return video_.next();
  GreyPicture frame = std::move(first_frames_.front());
  first_frames_.pop_front();
  return frame;
}

/// On one device without --map. Where times are asked for, nothing but decoders works while a frame is timed.
void TrackRun::run_one_by_one() {
  Progress progress("frames", video_.source().count().value_or(-1));
  TrackSnapshot now;
  const bool ahead = !arguments_.json && !arguments_.energy.on && video_.is_on_disk();
  ReadAhead<GreyPicture> frames([this] { return next_frame(); }, ahead ? frames_ahead(result_.size) : 0);
  while (const std::optional<GreyPicture> frame = frames.next()) {
    if (seen_ == 1) energy_.begin();
    const Stopwatch watch;
    line_->update(*frame);
    if (seen_ > 0) result_.ms.push_back(watch.ms());
    now.take(line_->tracker(), arguments_.outputs.overlay.has_value());
    write(now, *frame);
    progress.step();
  }
}

/// Decoding, the stages and writing at the same time, each on a frame of its own.
void TrackRun::run_stream() {
  Progress progress("frames", video_.source().count().value_or(-1));
  struct Slot {
    GreyPicture frame;
    TrackSnapshot now;
    double ms = 0;  ///< Since the frame before was through.
  };
  constexpr int slots = 6;
  std::vector<Slot> all(slots);
  const auto at = [&](int slot) -> Slot& { return all[static_cast<std::size_t>(slot)]; };
  energy_.begin();
  Stopwatch watch;
  const auto stages = line_->stages(
      slots, [&](int slot) -> const GreyPicture& { return at(slot).frame; },
      [&](int slot) {
        at(slot).now.take(line_->tracker(), arguments_.outputs.overlay.has_value());
        at(slot).ms = watch.lap();
      });
  const auto read = [&](int slot) {
    std::optional<GreyPicture> frame = next_frame();
    if (!frame) return false;
    at(slot).frame = std::move(*frame);
    return true;
  };
  const auto take = [&](int slot) {
    if (seen_ > 0) result_.ms.push_back(at(slot).ms);
    write(at(slot).now, at(slot).frame);
    progress.step();
  };
  result_.stream = run_pipeline(slots, read, stages, take, {.first_frame = index_});
  for (std::string& line : line_->losses()) result_.warnings.push_back(std::move(line));
}

/// Where an error ends the run, what was written is worth going on with.
TrackResult TrackRun::run() {
  try {
    return follow();
  } catch (const Error& error) {
    // With --first, the numbers of the file are not those of the video.
    if (!arguments_.outputs.tracks || shift_ != 0 || index_ == first_index() || !outputs_) throw;
    {
      const WriteGuard guard;
      outputs_.reset();
    }
    throw Error(error.code(), error.what() + resume_cure(*arguments_.outputs.tracks, index_ - 1), error.field());
  }
}

TrackResult TrackRun::follow() {
  begin();
  if (line_ && arguments_.map)
    run_stream();
  else if (line_)
    run_one_by_one();
  video_.require_frames(seen_, 2, purpose);
  if (std::string line = video_.ended_early(seen_ + first_index() - video_.range().first); !line.empty())
    result_.warnings.push_back(std::move(line));
  energy_.end(arguments_.map ? seen_ : seen_ - 1);
  result_.energy = energy_.take();
  for (const Track& track : line_->tracker().tracks())
    if (track.status == TrackStatus::tracked) result_.totals.ages += track.age;
  result_.hash = hash_.value();
  result_.outputs = all_outputs();
  result_.live = video_.source().live();
  const std::size_t before = result_.warnings.size();
  video_.finish_warnings(result_.warnings);
  const bool explained = result_.warnings.size() > before;
  if (std::string line = still_points_.warning(arguments_.video.video); !line.empty() && !explained)
    result_.warnings.push_back(std::move(line));
  for (std::string& line : doubts_about_points(result_, explained || points_outside_, video_.cut_warnings()))
    result_.warnings.push_back(std::move(line));
  refuse_warnings(arguments_.video.strict, result_.warnings);
  FileGroup files;
  outputs_->commit();
  const WriteGuard guard;
  if (arguments_.save_settings) save_track_settings(*arguments_.save_settings, settings_.options);
  files.commit();
  return std::move(result_);
}

TrackResult run_either(const TrackArguments& arguments) {
  if (!arguments.resume) return TrackRun(arguments, nullptr).run();
  check_beside_resume(arguments);
  const ResumedTracks resumed = read_resumed(*arguments.resume);
  TrackArguments own = arguments;
  own.video.frames = resumed_frames(resumed, arguments.video.video, arguments.video.frames);
  return TrackRun(own, &resumed).run();
}

}  // namespace

TrackResult run_track(const TrackArguments& arguments) {
  return naming_settings_file(arguments.settings, [&] { return run_either(arguments); });
}

}  // namespace vergence::cli
