// SPDX-License-Identifier: Apache-2.0
// The run of `vergence stereo`: everything that can be refused before the work comes first, then frame by frame
// match, score, write.
#include "stereo_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "command.hpp"
#include "hash.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "stereo_warnings.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

FrameRange frame_range(const StereoArguments& arguments) {
  return arguments.frames ? as_usage([&] { return parse_frame_range(*arguments.frames); }) : FrameRange{};
}

StereoSource open_source(const StereoArguments& arguments, const FrameRange& range) {
  if (arguments.layout == "pair") {
    if (!arguments.right)
      throw UsageError(
          "RIGHT is missing: give two pictures, or --layout side-by-side or top-bottom for one that holds both");
    return {arguments.left, *arguments.right, range};
  }
  if (arguments.layout != "side-by-side" && arguments.layout != "top-bottom")
    throw UsageError(fmt::format("--layout is '{}': allowed are pair, side-by-side, top-bottom", arguments.layout));
  if (arguments.right)
    throw UsageError(fmt::format("--layout {} takes one source that holds both pictures, RIGHT is '{}'",
                                 arguments.layout, *arguments.right));
  const StereoLayout layout =
      arguments.layout == "side-by-side" ? StereoLayout::side_by_side : StereoLayout::top_bottom;
  return {arguments.left, layout, range};
}

using Clock = std::chrono::steady_clock;

/// One run, from its arguments to its result.
class StereoRun {
 public:
  explicit StereoRun(const StereoArguments& arguments);
  StereoResult run();

 private:
  void open(const FrameRange& range);
  std::vector<OutputName> all_outputs() const;
  void check_names() const;
  void check_stream_names() const;
  void check_files(const FrameRange& frames) const;
  void prepare(const StereoFrame& frame);
  std::unique_ptr<StereoMaps> make_maps() const;
  void do_frame(const StereoFrame& frame);
  void run_stream();
  void write_frame(const StereoFrame& frame);
  template <class Pixel, class Disparity>
  void match(const Image<Pixel>& left, const Image<Pixel>& right, Image<Disparity>& map);
  double take_compiling();
  template <class Compute>
  void measure(const Compute& compute);
  template <class Disparity>
  void take_stock(const Image<Disparity>& map);
  Image<Rgb> reference_colours(const StereoFrame& frame) const;
  Rect reference_part() const;

  const StereoArguments& arguments_;
  int repeat_ = 1;
  bool timed_ = false;
  std::optional<Truth> truth_;
  Settings settings_;
  std::vector<StreamDevice> devices_;
  EnergyRun energy_;
  std::optional<StereoSource> source_;
  std::optional<Calibration> geometry_;
  std::unique_ptr<StereoMatcher> matcher_;
  std::unique_ptr<StereoMaps> maps_;
  ScoreMean scores_;
  DisparityHash hash_;
  StereoResult result_;
};

/// Of a source that could be opened: where there is no file of its name, it is a sequence.
bool is_sequence(const std::string& path) {
  std::error_code problem;
  return !std::filesystem::exists(path, problem);
}

bool wants(const OutputArguments& outputs, Output output) { return outputs.paths.contains(output); }

StereoRun::StereoRun(const StereoArguments& arguments)
    : arguments_(arguments),
      settings_(resolve_settings(arguments.settings)),
      devices_(open_stream_devices(arguments.device, arguments.stream)),
      energy_(arguments.energy, boards_of(devices_)) {
  repeat_ = static_cast<int>(parse_integer("--repeat", arguments.repeat.value_or("1"), 1, 1'000'000));
  timed_ = arguments.json || arguments.repeat.has_value() || arguments.energy.on;
  Truth truth(arguments.truth);
  if (arguments.truth.file) truth_.emplace(std::move(truth));
  if (!truth_) check_no_truth_options(arguments.truth);
  check_names();
  check_geometry(arguments.geometry,
                 wants(arguments.outputs, Output::depth) || wants(arguments.outputs, Output::cloud));
  result_.device = names_of(devices_);
  result_.device_description = descriptions_of(devices_);
  open(frame_range(arguments));
}

/// Opens the pictures, and checks what depends on which frames there are.
void StereoRun::open(const FrameRange& range) {
  try {
    source_.emplace(open_source(arguments_, range));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range is beyond the end
    throw;
  }
  FrameRange frames = range;
  if (!source_->is_stream()) {
    if (range.last > 0)
      throw UsageError(fmt::format("--frames is '{}': LEFT and RIGHT are single pictures, whose only frame is 0",
                                   *arguments_.frames));
    frames.last = 0;
  } else if (is_sequence(arguments_.left) && (!arguments_.right || is_sequence(*arguments_.right))) {
    frames.last = range.first + source_->count().value() - 1;  // of videos, the number is not certain
  }
  if (devices_.size() > 1 && (!source_->is_stream() || repeat_ > 1))
    throw UsageError(fmt::format("--device is '{}': several devices share the frames of a sequence or video, {}",
                                 names_of(devices_),
                                 repeat_ > 1 ? "and --repeat times one device" : "these are single pictures"));
  check_stream_names();
  check_files(frames);
}

std::vector<OutputName> StereoRun::all_outputs() const {
  std::vector<OutputName> names = output_names(arguments_.outputs);
  if (arguments_.save_settings)
    names.push_back({"--save-settings", "settings", "settings", *arguments_.save_settings, false});
  return names;
}

void StereoRun::check_names() const {
  check_outputs(arguments_.outputs, settings_.options);
  for (const OutputName& name : all_outputs()) {
    check_number(name);
    check_writable(name);
  }
}

/// No output may overwrite an input or another output.
void StereoRun::check_files(const FrameRange& frames) const {
  std::vector<std::string> inputs = source_->files();
  if (arguments_.settings.file) inputs.push_back(*arguments_.settings.file);
  inputs.insert(inputs.end(), arguments_.geometry.calibration.begin(), arguments_.geometry.calibration.end());
  if (truth_)
    for (const std::string& file : truth_->files(frames)) inputs.push_back(file);
  check_distinct(all_outputs(), inputs, frames);
}

/// Frames of a stream must not overwrite each other.
void StereoRun::check_stream_names() const {
  if (!source_->is_stream()) return;
  for (const OutputName& name : output_names(arguments_.outputs))
    if (!has_frame_number(name.path))
      throw UsageError(
          fmt::format("{} is '{}': a sequence or video needs the frame's number in it, such as map_%04d.png",
                      name.option, name.path));
  if (truth_ && !has_frame_number(*arguments_.truth.file))
    throw UsageError(
        fmt::format("--truth is '{}': a sequence or video needs the frame's number in it, such as truth_%04d.pfm",
                    *arguments_.truth.file));
}

void StereoRun::prepare(const StereoFrame& frame) {
  const Size size = frame.left.size();
  adopt_depth(settings_, frame.left.depth, frame.left.max_value, arguments_.left);
  if (arguments_.geometry.given()) geometry_ = resolve_geometry(arguments_.geometry, size, settings_.options.reference);
  as_usage([&] { matcher_ = std::make_unique<StereoMatcher>(devices_.front().device, size, settings_.options); });
  std::string warning = no_candidate_warning(size, settings_.options);
  if (!warning.empty()) result_.warnings.push_back(std::move(warning));
  maps_ = make_maps();
  result_.options = settings_.options;
  result_.size = size;
  result_.stream = source_->is_stream();
  energy_.idle();
}

std::unique_ptr<StereoMaps> StereoRun::make_maps() const {
  auto maps = std::make_unique<StereoMaps>(matcher_->size(), matcher_->needs_wide_output(), arguments_.outputs);
  if (truth_ || geometry_) maps->pixels = Image<float>(matcher_->size());
  return maps;
}

/// Adds what kernels took to compile since this was last called; returns that.
double StereoRun::take_compiling() {
  const std::optional<DeviceTimes> times = matcher_->times();
  if (!times) return 0;
  DeviceTimes& sum = result_.device_times ? *result_.device_times : result_.device_times.emplace();
  sum.compile_ms += times->compile_ms;
  sum.compiled += times->compiled;
  sum.cached += times->cached;
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

template <class Pixel, class Disparity>
void StereoRun::match(const Image<Pixel>& left, const Image<Pixel>& right, Image<Disparity>& map) {
  const StereoExtras extras = maps_->extras();
  const auto compute = [&] { matcher_->compute(left.view(), right.view(), map.view(), extras); };
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
    const Clock::time_point start = Clock::now();
    compute();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    result_.ms.push_back(first && i == 0 ? ms - take_compiling() : ms);
  }
  if (!result_.stream) energy_.end(repeat_);
  take_stock(map);
}

template <class Disparity>
void StereoRun::take_stock(const Image<Disparity>& map) {
  const int invalid = matcher_->invalid();
  hash_.add<Disparity>(map.view());
  if (!maps_->pixels.empty()) to_pixels(ImageView<const Disparity>(map.view()), invalid, maps_->pixels.view());
  const Rect area = settings_.options.roi.value_or(Rect{0, 0, map.width(), map.height()});
  result_.matched += std::int64_t{area.width} * area.height;
  for (int y = 0; y < map.height(); ++y)
    result_.with_disparity += map.width() - std::count(map.row(y), map.row(y) + map.width(), invalid);
}

/// Colours of single pictures; streams are decoded as grey, and their clouds are grey. May be larger than the frame:
/// reference_part says where the reference picture is in it.
Image<Rgb> StereoRun::reference_colours(const StereoFrame& frame) const {
  const bool left = settings_.options.reference == View::left;
  if (!source_->is_stream()) return read_rgb(left || !arguments_.right ? arguments_.left : *arguments_.right);
  const GreyPicture& picture = left ? frame.left : frame.right;
  Image<Rgb> colours(picture.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const int value = picture.depth == Depth::u8 ? picture.u8(x, y) : picture.u16(x, y) * 255 / picture.max_value;
      const auto grey = static_cast<std::uint8_t>(std::min(value, 255));
      colours(x, y) = {grey, grey, grey};
    }
  return colours;
}

Rect StereoRun::reference_part() const {
  const Size size = result_.size;
  Rect part{0, 0, size.width, size.height};
  const bool second = settings_.options.reference == View::right && !source_->is_stream();
  if (second && arguments_.layout == "side-by-side") part.x = size.width;
  if (second && arguments_.layout == "top-bottom") part.y = size.height;
  return part;
}

void StereoRun::do_frame(const StereoFrame& frame) {
  if (truth_) truth_->load(frame.index, result_.size);
  if (frame.left.depth == Depth::u8 && maps_->wide) match(frame.left.u8, frame.right.u8, maps_->wide_map);
  if (frame.left.depth == Depth::u8 && !maps_->wide) match(frame.left.u8, frame.right.u8, maps_->narrow);
  if (frame.left.depth == Depth::u16 && maps_->wide) match(frame.left.u16, frame.right.u16, maps_->wide_map);
  if (frame.left.depth == Depth::u16 && !maps_->wide) match(frame.left.u16, frame.right.u16, maps_->narrow);
  write_frame(frame);
}

/// What is made of the maps that the frame's match has filled.
void StereoRun::write_frame(const StereoFrame& frame) {
  if (truth_) scores_.add(truth_->score(maps_->pixels.view()));
  Image<Rgb> colours;
  ImageView<const Rgb> reference;
  if (wants(arguments_.outputs, Output::cloud)) {
    colours = reference_colours(frame);
    reference = std::as_const(colours).view().crop(reference_part());
  }
  const FrameContext context{frame.index, settings_.options, matcher_->invalid(), geometry_, reference};
  for (std::string& warning : write_outputs(arguments_.outputs, *maps_, context))
    result_.warnings.push_back(std::move(warning));
  ++result_.frames;
}

/// Frames dealt out to several devices, while others are read and written.
void StereoRun::run_stream() {
  struct Slot {
    StereoFrame frame;
    std::unique_ptr<StereoMaps> maps;
    double ms = 0;
  };
  std::optional<StereoFrame> first = source_->next();
  if (!first) return;
  prepare(*first);
  std::vector<Slot> all;
  PipelineStage stage{"match", {}};
  for (const StreamDevice& one : devices_)
    for (int lane = 0; lane < one.lanes; ++lane)
      stage.workers.push_back({one.device.name(), [&all, matcher = std::make_shared<StereoMatcher>(
                                                             one.device, result_.size, settings_.options)](int number) {
                                 Slot& slot = all[static_cast<std::size_t>(number)];
                                 const Clock::time_point start = Clock::now();
                                 compute_maps(*matcher, slot.frame, *slot.maps);
                                 slot.ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
                               }});
  const std::vector<PipelineStage> stages{std::move(stage)};
  constexpr std::size_t bytes_per_pixel = 16;  // two pictures, a map, and some of its companions
  const auto pixels = static_cast<std::size_t>(result_.size.width) * static_cast<std::size_t>(result_.size.height);
  all.resize(static_cast<std::size_t>(pipeline_slots(stages, bytes_per_pixel * pixels)));
  Progress progress("frames", source_->count().value_or(-1));
  energy_.begin();
  const auto read = [&](int number) {
    Slot& slot = all[static_cast<std::size_t>(number)];
    std::optional<StereoFrame> frame = first ? std::exchange(first, std::nullopt) : source_->next();
    if (!frame) return false;
    slot.frame = std::move(*frame);
    if (!slot.maps) slot.maps = make_maps();
    return true;
  };
  const auto write = [&](int number) {
    Slot& slot = all[static_cast<std::size_t>(number)];
    std::swap(maps_, slot.maps);
    if (truth_) truth_->load(slot.frame.index, result_.size);
    if (maps_->wide)
      take_stock(maps_->wide_map);
    else
      take_stock(maps_->narrow);
    result_.ms.push_back(slot.ms);
    write_frame(slot.frame);
    std::swap(maps_, slot.maps);
    progress.step();
  };
  result_.shares = run_pipeline(static_cast<int>(all.size()), read, stages, write,
                                {.on_device_loss = on_device_loss(arguments_.stream)});
  for (std::string& line : loss_warnings(*result_.shares)) result_.warnings.push_back(std::move(line));
}

StereoResult StereoRun::run() {
  std::optional<Progress> progress;
  if (devices_.size() > 1)
    run_stream();
  else if (source_->is_stream())
    progress.emplace("frames", source_->count().value_or(-1));
  while (const std::optional<StereoFrame> frame = devices_.size() > 1 ? std::nullopt : source_->next()) {
    if (!matcher_) prepare(*frame);
    do_frame(*frame);
    if (progress) progress->step();
  }
  progress.reset();
  energy_.end(result_.frames * repeat_);
  result_.energy = energy_.take();
  if (!matcher_) throw Error(ErrorCode::bad_data, fmt::format("{} has no frame to match", arguments_.left));
  if (!source_->warning().empty()) result_.warnings.push_back(source_->warning());
  if (matcher_->band_rows() > 0)
    result_.warnings.push_back(fmt::format(
        "device {} has no room for whole pictures of {}x{}: it matched them in bands of {} rows, and device "
        "cpu filtered and filled the maps",
        result_.device, result_.size.width, result_.size.height, matcher_->band_rows()));
  if (!scores_.empty()) result_.scores = scores_.mean();
  result_.hash = hash_.value();
  result_.outputs = all_outputs();
  if (arguments_.save_settings) {
    const WriteGuard guard;
    save_settings(*arguments_.save_settings, settings_.options);
  }
  return std::move(result_);
}

}  // namespace

StereoResult run_stereo(const StereoArguments& arguments) { return StereoRun(arguments).run(); }

}  // namespace vergence::cli
