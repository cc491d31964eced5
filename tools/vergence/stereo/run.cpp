// SPDX-License-Identifier: Apache-2.0
// The run of `vergence stereo`: everything that can be refused before the work comes first, then frame by frame
// match, score, write.
#include "stereo/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/hash.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "cli/stopwatch.hpp"
#include "cli/strict.hpp"
#include "stereo/doubts.hpp"
#include "stereo/names.hpp"
#include "stereo/range.hpp"
#include "stereo/source.hpp"
#include "stereo/warnings.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

/// One run, from its arguments to its result.
class StereoRun {
 public:
  explicit StereoRun(const StereoArguments& arguments);
  StereoResult run();
  const Size& size() const { return result_.size; }
  std::string standing() const;

 private:
  void open();
  std::vector<OutputName> all_outputs() const;
  void check_files(const FrameRange& frames) const;
  void prepare(const StereoFrame& frame);
  std::unique_ptr<StereoMaps> make_maps() const;
  void run_one_by_one();
  void run_stream();
  void match(const StereoFrame& frame);
  double take_compiling();
  template <class Compute>
  void measure(const Compute& compute);
  void finish_frame(const StereoFrame& frame);
  template <class Disparity>
  MapShares take_stock(const Image<Disparity>& map);
  void warn(std::string line);
  bool fills() const { return settings_.options.fill != StereoFill::none; }

  const StereoArguments& arguments_;
  int repeat_ = 1;
  bool timed_ = false;
  std::optional<Truth> truth_;
  StereoSettings settings_;
  std::vector<StreamDevice> devices_;
  EnergyRun energy_;
  FrameRange range_;
  std::int64_t shift_ = 0;  ///< From a frame's number to that in its outputs' names.
  std::optional<StereoSource> source_;
  std::optional<Calibration> calibration_, geometry_;
  StereoRange range_of_search_;
  std::shared_ptr<StereoMatcher> matcher_;  ///< Of the first device.
  int invalid_ = 0;
  bool wide_ = false;  ///< Disparities take 32 bits.
  std::unique_ptr<StereoMaps> maps_;
  ColouredMaps coloured_;
  StereoDoubts doubts_;
  std::optional<FileGroup> all_files_;  ///< Of single pictures; frames of a stream appear one after the other.
  std::optional<HeldFiles> held_;
  ScoreMean scores_;
  DisparityHash hash_;
  StereoResult result_;
};

StereoRun::StereoRun(const StereoArguments& arguments)
    : arguments_(arguments),
      settings_(resolve_stereo_settings(arguments.settings)),
      devices_(open_stream_devices(arguments.device, arguments.stream)),
      energy_(arguments.energy, boards_of(devices_)),
      coloured_(arguments.outputs.colours, arguments.outputs.paths),
      doubts_(arguments.left, arguments.right) {
  repeat_ = static_cast<int>(parse_integer("--repeat", arguments.repeat.value_or("1"), 1, 1'000'000));
  timed_ = arguments.json || arguments.repeat.has_value() || arguments.energy.on;
  Truth truth(arguments.truth);
  if (arguments.truth.file) truth_.emplace(std::move(truth));
  if (!truth_) check_no_truth_options(arguments.truth);
  check_outputs(arguments.outputs, settings_.options);
  const bool metric = wants_depth(arguments.outputs);
  check_geometry(arguments.geometry, metric);
  calibration_ = read_geometry(arguments.geometry, metric);
  warn(range_of_search_.adopt(settings_, calibration_, calibration_ ? arguments.geometry.calibration[0] : ""));
  check_range_fits(arguments.outputs, settings_.options);
  for (const StreamDevice& one : devices_) add_cache_warning(one.device, arguments.device, result_.warnings);
  refuse_warnings(arguments.strict, result_.warnings);
  result_.device = names_of(devices_);
  result_.device_description = descriptions_of(devices_);
  if (arguments.frames) range_ = as_usage([&] { return parse_frame_range(*arguments.frames); });
  open();
}

/// Opens the pictures, and checks what depends on which frames there are.
void StereoRun::open() {
  try {
    source_.emplace(open_source(arguments_, range_));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range is beyond the end
    throw;
  }
  range_.first = source_->number();
  result_.first_frame = range_.first;
  shift_ = output_shift(arguments_.first, range_.first);
  held_.emplace(arguments_.strict && source_->is_stream());
  FrameRange frames = range_;
  if (!source_->is_stream()) {
    if (range_.last > 0)
      throw UsageError(fmt::format("--frames is '{}': LEFT and RIGHT are single pictures, whose only frame is 0",
                                   *arguments_.frames));
    frames.last = 0;
  } else if (is_sequence(arguments_.left) && (!arguments_.right || is_sequence(*arguments_.right))) {
    frames.last = range_.first + source_->count().value() - 1;  // of videos, the number is not certain
  }
  if (devices_.size() > 1 && (!source_->is_stream() || repeat_ > 1))
    throw UsageError(fmt::format("--device is '{}': several devices share the frames of a sequence or video, {}",
                                 names_of(devices_),
                                 repeat_ > 1 ? "and --repeat times one device" : "these are single pictures"));
  for (std::string& line : check_stereo_names(arguments_, source_->is_stream())) warn(std::move(line));
  check_names(all_outputs());
  check_files(frames);
}

std::vector<OutputName> StereoRun::all_outputs() const {
  std::vector<OutputName> names = output_names(arguments_.outputs);
  for (OutputName& name : names) name.per_frame = source_->is_stream();
  return with_settings_file(std::move(names), arguments_.save_settings);
}

/// No output may overwrite an input or another output.
void StereoRun::check_files(const FrameRange& frames) const {
  std::vector<std::string> inputs = input_files(arguments_, *source_);
  if (arguments_.settings.file) inputs.push_back(*arguments_.settings.file);
  inputs.insert(inputs.end(), arguments_.geometry.calibration.begin(), arguments_.geometry.calibration.end());
  if (truth_)
    for (const std::string& file : truth_->files(frames)) inputs.push_back(file);
  check_distinct(all_outputs(), inputs, shifted(frames, shift_));
}

void StereoRun::prepare(const StereoFrame& frame) {
  const Size size = frame.left.size();
  result_.size = size;
  adopt_stereo_depth(settings_, frame.left.depth, frame.left.max_value, arguments_.left);
  range_of_search_.limit(settings_, size);
  result_.disparities_from = range_of_search_.origin();
  if (arguments_.geometry.given())
    geometry_ = resolve_geometry(arguments_.geometry, calibration_, size, settings_.options.reference);
  as_usage([&] { matcher_ = std::make_shared<StereoMatcher>(devices_.front().device, size, settings_.options); });
  invalid_ = matcher_->invalid();
  wide_ = matcher_->needs_wide_output();
  for (std::string& line : source_->notices()) warn(std::move(line));
  if (std::string line = no_candidate_warning(size, matcher_->options()); !line.empty()) {
    doubts_.expect_nothing();
    warn(std::move(line));
  }
  for (std::string& line : idle_stereo_options(arguments_.settings, settings_.options)) warn(std::move(line));
  warn(penalties_warning(settings_.options, matcher_->options()));
  if (arguments_.outputs.metric.include_filled && !fills()) warn("--include-filled does nothing: fill is none");
  if (geometry_)
    for (std::string& line : geometry_warnings(*geometry_, size, settings_.options.reference)) warn(std::move(line));
  if (truth_ && settings_.options.roi) truth_->limit_to(*settings_.options.roi);
  result_.options = matcher_->options();
  result_.input_max = frame.left.max_value;
  maps_ = make_maps();
  result_.stream = source_->is_stream();
  coloured_.set_rate(source_->rate());
  energy_.idle();
}

/// "" says nothing.
void StereoRun::warn(std::string line) {
  if (line.empty()) return;
  result_.warnings.push_back(std::move(line));
  refuse_warnings(arguments_.strict, result_.warnings);
}

std::unique_ptr<StereoMaps> StereoRun::make_maps() const {
  auto maps = std::make_unique<StereoMaps>(result_.size, wide_, fills(), arguments_.outputs);
  if (truth_ || wants_depth(arguments_.outputs)) maps->pixels = Image<float>(result_.size);
  return maps;
}

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
  if (first) take_compiling();  // that of the constructor
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
    if (first && i == 0) result_.ms.back() -= take_compiling();
  }
  if (!result_.stream) energy_.end(repeat_);
}

template <class Disparity>
MapShares StereoRun::take_stock(const Image<Disparity>& map) {
  hash_.add<Disparity>(map.view());
  if (!maps_->pixels.empty())
    disparity_to_pixels(ImageView<const Disparity>(map.view()), invalid_, maps_->pixels.view());
  const Rect area = settings_.options.roi.value_or(Rect{0, 0, map.width(), map.height()});
  const std::int64_t pixels = std::int64_t{area.width} * area.height;
  std::int64_t valid = 0, filled = 0, sum = 0;
  for (int y = 0; y < map.height(); ++y) {
    const Disparity* const row = map.row(y);
    for (int x = 0; x < map.width(); ++x) {
      valid += row[x] != invalid_ ? 1 : 0;
      sum += row[x] != invalid_ ? row[x] : 0;
    }
  }
  const Image<std::uint8_t>& mask = maps_->mask;
  for (int y = 0; fills() && y < map.height(); ++y)
    filled += std::count(mask.row(y), mask.row(y) + mask.width(), filled_pixel);
  result_.matched += pixels;
  result_.with_disparity += valid;
  result_.filled += filled;
  const auto part = [](std::int64_t some, std::int64_t all) {
    return all > 0 ? static_cast<double>(some) / static_cast<double>(all) : 0.0;
  };
  return {part(valid - filled, pixels), part(filled, pixels), part(sum, valid) / (16.0 * settings_.options.disparities),
          pixels};
}

/// What is made of the maps that the frame's match has filled.
void StereoRun::finish_frame(const StereoFrame& frame) {
  const MapShares shares = maps_->wide ? take_stock(maps_->wide_map) : take_stock(maps_->narrow);
  for (std::string& line : doubts_.look(frame, settings_, shares, result_.frames)) warn(std::move(line));
  const auto tell = [this](std::string line) { warn(std::move(line)); };
  if (truth_ && doubts_.looked()) truth_->doubts(maps_->pixels.view(), tell, !doubts_.pair_is_wrong());
  if (truth_)
    scores_.add(truth_->score(maps_->pixels.view(), fills() ? maps_->mask.view() : ImageView<const std::uint8_t>{}));
  Image<Rgb> colours;
  ImageView<const Rgb> reference;
  if (arguments_.outputs.paths.contains(Output::cloud)) {
    colours = reference_colours(arguments_, *source_, frame, settings_.options.reference);
    reference = std::as_const(colours).view().crop(
        reference_part(arguments_, *source_, result_.size, settings_.options.reference));
  }
  const std::optional<std::int64_t> number = source_->is_stream() ? std::optional(frame.index + shift_) : std::nullopt;
  const FrameContext context{number, settings_.options, invalid_, geometry_, coloured_, reference, doubts_.looked()};
  for (std::string& line : write_outputs(arguments_.outputs, *maps_, context, *held_)) warn(std::move(line));
  ++result_.frames;
}

/// Frames shared by several devices, while others are read and written.
void StereoRun::run_stream() {
  struct Slot {
    StereoFrame frame;
    std::unique_ptr<StereoMaps> maps;
    double ms = 0;
  };
  std::vector<Slot> slots;
  const auto at = [&slots](int number) -> Slot& { return slots[static_cast<std::size_t>(number)]; };
  std::optional<StereoFrame> first = source_->next();
  if (!first) return;
  prepare(*first);
  PipelineStage stage{"match", {}};
  std::vector<std::pair<std::string, std::shared_ptr<const StereoMatcher>>> matchers;  // one of each device
  for (const StreamDevice& one : devices_)
    for (int lane = 0; lane < one.lanes; ++lane) {
      auto matcher = matcher_;  // the first worker's
      if (!stage.workers.empty())
        matcher = std::make_shared<StereoMatcher>(one.device, result_.size, settings_.options);
      if (lane == 0) matchers.emplace_back(one.device.name(), matcher);
      stage.workers.push_back({one.device.name(), [at, matcher](int number) {
                                 Slot& slot = at(number);
                                 const Stopwatch watch;
                                 compute_maps(*matcher, slot.frame, *slot.maps);
                                 slot.ms = watch.ms();
                               }});
    }
  const std::vector<PipelineStage> stages{std::move(stage)};
  const auto pixels = static_cast<std::size_t>(result_.size.width) * static_cast<std::size_t>(result_.size.height);
  // Per pixel: two pictures, a map, and some of its companions.
  slots.resize(static_cast<std::size_t>(pipeline_slots(stages, 16 * pixels)));
  Progress progress("frames", source_->count().value_or(-1));
  energy_.begin();
  const auto read = [&](int number) {
    Slot& slot = at(number);
    std::optional<StereoFrame> frame = first ? std::exchange(first, std::nullopt) : source_->next();
    if (!frame) return false;
    slot.frame = std::move(*frame);
    if (!slot.maps) slot.maps = make_maps();
    return true;
  };
  const auto write = [&](int number) {
    Slot& slot = at(number);
    std::swap(maps_, slot.maps);
    if (truth_) truth_->load(slot.frame.index, result_.size);
    result_.ms.push_back(slot.ms);
    finish_frame(slot.frame);
    std::swap(maps_, slot.maps);
    progress.step();
  };
  result_.shares = run_pipeline(static_cast<int>(slots.size()), read, stages, write,
                                {on_device_loss(arguments_.stream), range_.first});
  for (const auto& [device, matcher] : matchers) warn(bands_warning(device, *matcher));
  for (std::string& line : loss_warnings(*result_.shares)) warn(std::move(line));
}

void StereoRun::run_one_by_one() {
  std::optional<Progress> progress;
  if (source_->is_stream()) progress.emplace("frames", source_->count().value_or(-1));
  while (const std::optional<StereoFrame> frame = source_->next()) {
    if (!matcher_) prepare(*frame);
    if (truth_) truth_->load(frame->index, result_.size);
    match(*frame);
    finish_frame(*frame);
    if (progress) progress->step();
  }
  if (matcher_) warn(bands_warning(result_.device, *matcher_));
}

StereoResult StereoRun::run() {
  if (!source_->is_stream()) all_files_.emplace();
  if (devices_.size() > 1)
    run_stream();
  else
    run_one_by_one();
  energy_.end(result_.frames * repeat_);
  result_.energy = energy_.take();
  if (!matcher_) throw Error(ErrorCode::bad_data, fmt::format("{} has no frame to match", arguments_.left));
  warn(source_->warning());
  if (!scores_.empty()) result_.scores = scores_.mean();
  result_.hash = hash_.value();
  result_.outputs = all_outputs();
  const WriteGuard guard;
  FileGroup files;
  coloured_.commit();
  held_->commit();
  if (arguments_.save_settings) save_stereo_settings(*arguments_.save_settings, settings_.options);
  files.commit();
  if (all_files_) all_files_->commit();
  return std::move(result_);
}

/// Of the frames before an error.
std::string StereoRun::standing() const {
  const std::int64_t first = result_.first_frame + shift_;
  return source_->is_stream() ? standing_files(all_outputs(), first, first + result_.frames - 1, arguments_.strict)
                              : "";
}

}  // namespace

StereoResult run_stereo(const StereoArguments& arguments) {
  return naming_settings_file(arguments.settings, [&] {
    StereoRun run(arguments);
    const auto standing = [&] { return run.standing(); };
    return naming_what_stands([&] { return naming_size(run.size(), [&] { return run.run(); }); }, standing);
  });
}

}  // namespace vergence::cli
