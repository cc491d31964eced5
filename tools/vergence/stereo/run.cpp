// SPDX-License-Identifier: Apache-2.0
// The run of `vergence stereo`, frame by frame: match, score, write.
#include "stereo/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/read_ahead.hpp"
#include "cli/rig_refine.hpp"
#include "cli/signals.hpp"
#include "cli/stopwatch.hpp"
#include "stereo/frame_doubts.hpp"
#include "stereo/levels.hpp"
#include "stereo/map_looks.hpp"
#include "stereo/source.hpp"
#include "stereo/stereo_run.hpp"
#include "stereo/stock.hpp"
#include "stereo/upright.hpp"
#include "stereo/warnings.hpp"

namespace vergence::cli {

/// Adds what kernels took to compile since this was last called; returns that.
double StereoRun::take_compiling() {
  const std::optional<DeviceTimes> times = matcher_->times();
  if (!times) return 0;
  if (!result_.device_times) result_.device_times.emplace();
  *result_.device_times += *times;
  return times->compile_ms;
}

/// Runs of one frame timed by the device's clock. They are runs of their own, because that clock slows them.
template <class Compute>
void StereoRun::measure(const Compute& compute) {
  if (!result_.device_times) return;
  constexpr int most = 10;
  const int runs = std::min(repeat_, most);
  matcher_->measure(true);
  for (int i = 0; i < runs; ++i) compute();
  const DeviceTimes times = matcher_->times().value();
  matcher_->measure(false);
  result_.device_times->upload_ms = times.upload_ms / runs;
  result_.device_times->kernel_ms = times.kernel_ms / runs;
  result_.device_times->download_ms = times.download_ms / runs;
  result_.measured = true;
}

/// A frame's match, timed.
void StereoRun::match(const StereoFrame& frame) {
  const auto compute = [&] { compute_maps(*matcher_, frame, *maps_); };
  const bool first = result_.frames == 0;
  if (compiles_) take_compiling();  // that of the constructor
  if (timed_ && first) {
    compute();
    take_compiling();
    measure(compute);
    result_.warmed_up = true;
  }
  if (first) energy_.begin();
  for (int i = 0; i < repeat_; ++i) {
    const Stopwatch watch;
    compute();
    result_.ms.push_back(watch.ms());
    if (compiles_ && i == 0) result_.ms.back() -= take_compiling();
  }
  compiles_ = false;
  if (!result_.stream) energy_.end(repeat_);
}

/// Counts and converts the map that was matched last.
MapShares StereoRun::take_stock() {
  if (maps_->pixels.empty()) {  // nobody wants it in px
  } else if (maps_->wide) {
    disparity_to_pixels(std::as_const(maps_->wide_map).view(), invalid_, maps_->pixels.view());
  } else {
    disparity_to_pixels(std::as_const(maps_->narrow).view(), invalid_, maps_->pixels.view());
  }
  const MapStock stock = stock_of(*maps_, settings_.options, invalid_);
  result_.matched += stock.pixels;
  result_.with_disparity += stock.valid;
  result_.filled += stock.filled;
  return stock.shares(settings_.options.disparities);
}

/// Scores the frame's map, and looks at the truth where frames are looked at, and where the scores stand out.
void StereoRun::score_frame(std::int64_t frame) {
  bool told = doubts_.pair_is_wrong();
  const auto look = [this, &told] {
    const auto tell = [this, &told](std::string line) {
      told = true;
      warn(std::move(line));
    };
    truth_->doubts(maps_->pixels.view(), tell, !doubts_.pair_is_wrong());
  };
  if (doubts_.looked()) look();
  const StereoScores scores =
      truth_->score(maps_->pixels.view(), fills() ? maps_->mask.view() : ImageView<const std::uint8_t>{});
  scores_.add(scores);
  const auto edges_met = [this] { return inspect_edges_met(std::as_const(maps_->pixels).view(), truth_->pixels()); };
  if (!score_watch_.stands_out(scores, edges_met)) return;
  if (!doubts_.looked()) look();
  if (!told && !truth_->is_doubted()) warn(score_watch_.warning(frame, *arguments_.truth.file));
}

/// Until the files of the frames before are written.
void StereoRun::end_writing() {
  writer_.wait();
  for (const std::string& line : std::exchange(write_warnings_, {})) warn(line);
}

/// Hashes and writes its maps, while the next frames are matched where there are any. Not where times are asked for: a
/// match beside other work takes longer. `reference` is of `colours`.
void StereoRun::write_frame(const StereoFrame& frame, Image<Rgb> colours, ImageView<const Rgb> reference) {
  const bool stream = source_->is_stream();
  const std::optional<std::int64_t> number = stream ? std::optional(frame.index + shift_) : std::nullopt;
  const auto write = [this, number, reference, options = settings_.options, invalid = invalid_,
                      looks = doubts_.looked(),
                      kept = std::make_shared<Image<Rgb>>(std::move(colours))](StereoMaps& maps, const Turn& turn) {
    const FrameContext context{number,    options, invalid, geometry_, coloured_, rgbd_ ? &*rgbd_ : nullptr,
                               reference, looks};
    write_warnings_ = write_outputs(arguments_.outputs, maps, context, *held_, turn);
    ++written_;
    if (maps.wide)
      hash_.add<std::int32_t>(maps.wide_map.view());
    else
      hash_.add<std::int16_t>(maps.narrow.view());
  };
  if (!stream || timed_ || devices_.size() > 1) {
    write(*maps_, [] {});
    return end_writing();
  }
  writer_.make_room();
  std::unique_ptr<StereoMaps>& own = being_written_[static_cast<std::size_t>(result_.frames) % being_written_.size()];
  if (!own) own = make_maps();
  std::swap(maps_, own);
  writer_.start([write, &maps = *own](const Turn& turn) { write(maps, turn); });
}

/// What is made of the maps that the frame's match has filled.
void StereoRun::finish_frame(const StereoFrame& frame) {
  if (held_->holds() || !can_overtake(arguments_.outputs)) end_writing();
  const QuarterTurn turned = rectification_.turned();
  std::unique_ptr<StereoMaps> matched;  // of turned pictures; from here on maps_ is as the cameras stood
  if (turned != 0) matched = std::exchange(maps_, std::make_unique<StereoMaps>(upright(*maps_, turned)));
  const MapShares shares = take_stock();
  std::vector<std::string> lines = doubts_.look(frame, settings_, shares, result_.frames);
  const bool is_doubted = !lines.empty();
  for (std::string& line : lines) warn(std::move(line));
  if (doubts_.looked() && !doubts_.pair_is_wrong() && !told_of_bare_) {
    const StereoMaps& maps = matched ? *matched : *maps_;
    std::string line = bare_warning(frame, settings_.options, maps, invalid_);
    if (line.empty() && result_.frames == 0) line = clipped_warning(frame, settings_.options.reference, maps, invalid_);
    if (line.empty() && result_.frames == 0) line = swing_warning(maps, invalid_);
    if (line.empty() && result_.frames == 0 && !is_doubted)
      line = misled_warning(frame, settings_.options, maps, invalid_);
    told_of_bare_ = !line.empty();
    if (told_of_bare_ && result_.frames > 0) line.insert(0, fmt::format("frame {}: ", frame.index));
    warn(std::move(line));
  }
  if (truth_) score_frame(frame.index);
  Image<Rgb> colours;
  ImageView<const Rgb> reference;
  if (arguments_.outputs.paths.contains(Output::cloud) || rgbd_) {
    colours = reference_colours(arguments_, *source_, frame, settings_.options.reference);
    const bool from_file = coloured_file(arguments_, *source_, frame, settings_.options.reference).has_value();
    const Size view = rectification_.on() ? rectification_.result().source : result_.size;
    reference = std::as_const(colours).view();
    if (from_file)  // else colours are those of the frame, which is rectified
      reference = reference.crop(reference_part(arguments_, view, settings_.options.reference));
    if (from_file && rectification_.on()) {
      colours = rectification_.colours(reference, settings_.options.reference);
      reference = std::as_const(colours).view();
    }
    if (turned != 0) {
      colours = upright(reference, turned);
      reference = std::as_const(colours).view();
    }
  }
  write_frame(frame, std::move(colours), reference);
  if (matched) maps_ = std::move(matched);
  result_.candidates += settings_.options.disparities;
  ++result_.frames;
}

namespace {

/// A frame on its way through a stream.
struct Slot {
  StereoFrame frame;
  std::unique_ptr<StereoMaps> maps;
  StereoOptions options;  ///< It is matched with these.
  int invalid = 0;
  double ms = 0;
};

/// What matches one frame after the other on a device.
struct Lane {
  Device device;
  StereoOptions options;
  std::shared_ptr<StereoMatcher> matcher;
};
using MakeMatcher = std::function<std::shared_ptr<StereoMatcher>(const Device&, const StereoOptions&)>;

/// The first one has the matcher that there is.
std::vector<std::shared_ptr<Lane>> lanes_of(const std::vector<StreamDevice>& devices, const StereoOptions& options,
                                            const std::shared_ptr<StereoMatcher>& first, const MakeMatcher& make) {
  std::vector<std::shared_ptr<Lane>> lanes;
  for (const StreamDevice& one : devices)
    for (int number = 0; number < one.lanes; ++number)
      lanes.push_back(
          std::make_shared<Lane>(Lane{one.device, options, lanes.empty() ? first : make(one.device, options)}));
  return lanes;
}

void match_slot(Lane& lane, Slot& slot, const MakeMatcher& make) {
  if (lane.options != slot.options) {
    lane.matcher = make(lane.device, slot.options);
    lane.options = slot.options;
  }
  const Stopwatch watch;
  compute_maps(*lane.matcher, slot.frame, *slot.maps);
  slot.invalid = lane.matcher->invalid();
  slot.ms = watch.ms();
}

}  // namespace

/// Frames shared by several devices, while others are read and written.
void StereoRun::run_stream() {
  std::vector<Slot> slots;
  const auto at = [&slots](int number) -> Slot& { return slots[static_cast<std::size_t>(number)]; };
  std::optional<StereoFrame> first = next_frame();
  if (!first) return;
  prepare(*first);
  const MakeMatcher make = [this](const Device& device, const StereoOptions& options) {
    return make_matcher(device, options);
  };
  PipelineStage stage{"match", {}};
  const std::vector<std::shared_ptr<Lane>> lanes = lanes_of(devices_, settings_.options, matcher_, make);
  for (const std::shared_ptr<Lane>& lane : lanes)
    stage.workers.push_back({lane->device.name(),
                             [at, lane, &make](int number) { match_slot(*lane, at(number), make); },
                             lane->device.on_processor(), lane->device.numa_node(), lane->device.description()});
  const std::vector<PipelineStage> stages{std::move(stage)};
  const auto pixels = static_cast<std::size_t>(result_.size.width) * static_cast<std::size_t>(result_.size.height);
  // Per pixel: two pictures, a map, and some of its companions.
  slots.resize(static_cast<std::size_t>(pipeline_slots(stages, 16 * pixels)));
  Progress progress("frames", source_->count().value_or(-1));
  energy_.begin();
  StereoOptions options = settings_.options;
  const auto read = [&](int number) {
    Slot& slot = at(number);
    const bool is_first = first.has_value();
    std::optional<StereoFrame> frame = is_first ? std::exchange(first, std::nullopt) : next_frame();
    if (!frame) return false;
    if (!is_first) follow_range(options, *frame);
    slot.options = options;
    slot.frame = std::move(*frame);
    if (!slot.maps) slot.maps = make_maps();
    return true;
  };
  const auto write = [&](int number) {
    Slot& slot = at(number);
    std::swap(maps_, slot.maps);
    if (truth_) truth_->load(slot.frame.index, upright_size(result_.size, rectification_.turned()));
    result_.ms.push_back(slot.ms);
    take_range(slot.options, slot.invalid, slot.frame.index);
    finish_frame(slot.frame);
    std::swap(maps_, slot.maps);
    progress.step();
  };
  result_.shares = run_pipeline(static_cast<int>(slots.size()), read, stages, write,
                                {on_device_loss(arguments_.stream), range_.first});
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (i == 0 || lanes[i]->device.name() != lanes[i - 1]->device.name())
      warn(bands_warning(lanes[i]->device.name(), *lanes[i]->matcher));
  for (std::string& line : loss_warnings(*result_.shares)) warn(std::move(line));
}

/// Not where times are asked for: a match beside other work takes longer. Nor of pipes, for which a thread may wait
/// when the run ends.
std::size_t StereoRun::frames_to_read_ahead() const {
  const bool on_disk = are_files_ || are_files(source_->files());
  return result_.stream && on_disk && !timed_ ? frames_ahead(result_.size) : 0;
}

void StereoRun::run_one_by_one() {
  std::optional<Progress> progress;
  if (source_->is_stream()) progress.emplace("frames", source_->count().value_or(-1));
  std::optional<StereoFrame> frame = next_frame();
  if (!frame) return;
  prepare(*frame);
  const std::size_t ahead = frames_to_read_ahead();
  result_.read_ahead = ahead > 0;
  ReadAhead<StereoFrame> others([this] { return next_frame(); }, ahead);
  for (; frame; frame = others.next()) {
    if (StereoOptions options = settings_.options; result_.frames > 0 && follow_range(options, *frame)) {
      matcher_ = make_matcher(devices_.front().device, options);
      settings_.options = options;
      compiles_ = true;
    }
    take_range(settings_.options, matcher_->invalid(), frame->index);
    if (truth_) truth_->load(frame->index, upright_size(result_.size, rectification_.turned()));
    match(*frame);
    finish_frame(*frame);
    if (progress) progress->step();
  }
  end_writing();
  warn(bands_warning(result_.device, *matcher_));
}

StereoResult StereoRun::run() {
  if (!source_->is_stream()) all_files_.emplace();
  if (devices_.size() > 1)
    run_stream();
  else
    run_one_by_one();
  energy_.end(result_.frames * repeat_);
  result_.energy = energy_.take();
  if (!matcher_)
    throw Error(ErrorCode::bad_data, fmt::format("{} has no frame to match", shown_source(arguments_.left)));
  result_.live = source_->live();
  warn(source_->warning());
  warn(doubts_.end());
  if (!scores_.empty()) result_.scores = scores_.mean();
  result_.hash = hash_.value();
  result_.outputs = all_outputs();
  result_.rows = doubts_.rig().report();
  if (source_->is_stream() && !arguments_.frames)
    warn(leftover_warning(result_.outputs, result_.first_frame + shift_ + result_.frames - 1));
  if (rectification_.on()) result_.rectified = rectification_.result();
  if (rgbd_) warn(rgbd_->warning());
  commit_files();
  result_.size = upright_size(result_.size, rectification_.turned());
  return std::move(result_);
}

/// All that was written gets its name; where the pictures do not tell what refines the calibration, the rest stands.
void StereoRun::commit_files() {
  const WriteGuard guard;
  {
    FileGroup files;
    if (rgbd_) rgbd_->write_lists();
    coloured_.commit();
    held_->commit();
    StereoOptions saved = settings_.options;
    saved.min_disparity = result_.ranges.front().min_disparity;
    saved.disparities = result_.ranges.front().disparities;
    if (arguments_.save_settings) save_stereo_settings(*arguments_.save_settings, saved);
    files.commit();
  }
  if (all_files_) all_files_->commit();
  all_files_.reset();
  if (rgbd_) rgbd_->commit();
  if (const auto& refined = arguments_.rectification.refined; !refined.empty()) {
    result_.refined = refine_calibration(refined, rectification_.file(), rectification_.how(), doubts_.rig(),
                                         rectification_.on() ? rectification_.result().source : result_.size);
    warn(yaw_warning(*result_.refined, doubts_.rig().report().camera));
  }
}

/// Of the frames before an error.
std::string StereoRun::standing() {
  writer_.wait_whatever_comes();
  const std::int64_t first = result_.first_frame + shift_;
  return source_->is_stream() ? standing_files(all_outputs(), first, first + written_ - 1, arguments_.strict) : "";
}

StereoResult run_stereo(const StereoArguments& arguments) {
  return naming_settings_file(arguments.settings, [&] {
    StereoRun run(arguments);
    const auto standing = [&] { return run.standing(); };
    return naming_what_stands([&] { return naming_size(run.size(), [&] { return run.run(); }); }, standing);
  });
}

}  // namespace vergence::cli
