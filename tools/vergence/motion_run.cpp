// SPDX-License-Identifier: Apache-2.0
// The run of `vergence motion`: everything that can be refused before the work comes first, then frame by frame search,
// predict, score, write. Of the video, no more frames are held than the reference lies back.
#include "motion_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <utility>

#include "command.hpp"
#include "hash.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

using FramePointer = std::shared_ptr<const YuvFrame>;

constexpr int farthest_reference = 64;

/// A lane, and the frames that its next field may be measured against, oldest first. As MotionSequence keeps them, but
/// with their chroma, for several block sizes too, and so that a pair can be searched again to be timed.
struct Chain {
  std::unique_ptr<MotionLane> lane;
  std::deque<FramePointer> references;
};

/// One run, from its arguments to its result.
class MotionRun {
 public:
  explicit MotionRun(const MotionArguments& arguments);
  MotionResult run();

 private:
  void read_options();
  void open();
  std::vector<OutputName> all_outputs() const;
  void check_names() const;
  void check_files() const;
  void prepare(const YuvFrame& frame);
  void do_frame(const FramePointer& frame);
  FieldReport do_field(Chain& chain, const YuvFrame& frame, std::vector<double>& ms, bool main);
  void measure(MotionLane& lane, const GreyPicture& current, const GreyPicture& reference);
  void take_stock(const FieldReport& report, const YuvFrame& frame);

  const MotionArguments& arguments_;
  int repeat_ = 1;
  bool timed_ = false;
  bool reconstruction_ = false;
  std::optional<int> check_;  // quarter px
  std::optional<double> rate_;
  std::optional<MotionOptions> compared_;
  FrameRange range_;
  MotionSettings settings_;
  Device device_;
  EnergyRun energy_;
  std::optional<FrameSource> source_;
  std::optional<MotionOutputs> outputs_;
  Chain main_, other_;
  std::int64_t index_ = 0;  // of the current frame
  MotionHash hash_;
  MotionResult result_;
};

MotionRun::MotionRun(const MotionArguments& arguments)
    : arguments_(arguments),
      settings_(resolve_motion_settings(arguments.settings)),
      device_(open_device(arguments.device)),
      energy_(arguments.energy, {device_.pci_address()}) {
  read_options();
  check_motion_outputs(arguments.outputs, settings_.options);
  check_names();
  result_.device = device_.name();
  result_.device_description = device_.description();
  open();
}

void MotionRun::read_options() {
  range_ = arguments_.frames ? as_usage([&] { return parse_frame_range(*arguments_.frames); }) : FrameRange{};
  repeat_ = static_cast<int>(parse_integer("--repeat", arguments_.repeat.value_or("1"), 1, 1'000'000));
  timed_ = arguments_.json || arguments_.repeat || arguments_.energy.on || arguments_.compare;
  result_.reference = static_cast<int>(parse_integer("--reference", arguments_.reference, 1, farthest_reference));
  result_.reference_source = arguments_.reference_source;
  reconstruction_ = arguments_.reference_source == "reconstruction";
  if (!reconstruction_ && arguments_.reference_source != "original")
    throw UsageError(
        fmt::format("--reference-source is '{}': allowed are original, reconstruction", arguments_.reference_source));
  if (reconstruction_ && settings_.options.all_sizes)
    throw UsageError("--reference-source is reconstruction, but all-sizes foretells no frame: choose one block size");
  if (arguments_.check) {
    const double quarters = 4 * parse_number("--check", *arguments_.check, 0, 512);
    if (quarters != static_cast<int>(quarters))
      throw UsageError(fmt::format("--check is '{}': allowed are multiples of 0.25 px", *arguments_.check));
    check_ = static_cast<int>(quarters);
    result_.check = quarters / 4;
  }
  if (arguments_.rate) rate_ = parse_positive("--rate", *arguments_.rate, 1'000'000);
  if (!arguments_.compare) return;
  compared_ = settings_.options;
  as_usage([&] { motion_set(*compared_, "search", *arguments_.compare); });
  if (compared_->search == settings_.options.search)
    throw UsageError(fmt::format("--compare is {0} and search is {0}: give another --search, or leave --compare out",
                                 *arguments_.compare));
  if (settings_.options.all_sizes) throw UsageError("--compare needs one block size: leave all-sizes out");
}

/// Opens the video, and checks what depends on it.
void MotionRun::open() {
  FrameSourceOptions options;
  options.standard_input = arguments_.video == "-";
  options.chroma = arguments_.outputs.compensated.has_value();
  const std::string kind = ending(arguments_.video);
  if (arguments_.size) {
    const auto [width, height] = parse_size("--size", *arguments_.size, 1, 65535);
    options.raw = RawVideo{{width, height}, arguments_.format.value_or("yuv420p")};
  } else if (arguments_.format) {
    throw UsageError("--format needs --size: both say how raw video is read, other video says so itself");
  } else if (kind == ".yuv" || kind == ".raw" || kind == ".y") {
    throw UsageError(
        fmt::format("{} is raw video, which does not say its size: give --size WxH and --format", arguments_.video));
  }
  try {
    source_.emplace(options.standard_input ? "standard input" : arguments_.video, range_, options);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range, the raw format
    throw;
  }
  if (!source_->is_stream())
    throw UsageError(fmt::format("{} is a single picture: give a video, or numbered pictures such as frame_%04d.png",
                                 arguments_.video));
  check_files();
}

std::vector<OutputName> MotionRun::all_outputs() const {
  std::vector<OutputName> names = motion_output_names(arguments_.outputs);
  if (arguments_.save_settings)
    names.push_back({"--save-settings", "settings", "settings", *arguments_.save_settings, false});
  return names;
}

void MotionRun::check_names() const {
  for (const OutputName& name : all_outputs()) {
    check_number(name);
    check_writable(name);
  }
}

/// No output may overwrite an input or another output.
void MotionRun::check_files() const {
  std::vector<std::string> inputs = source_->files();
  if (arguments_.settings.file) inputs.push_back(*arguments_.settings.file);
  check_distinct(all_outputs(), inputs, range_);
}

void MotionRun::prepare(const YuvFrame& frame) {
  const GreyPicture& luma = frame.luma;
  adopt_motion_depth(settings_, luma.depth, luma.max_value, arguments_.video);
  const MotionOptions& options = settings_.options;
  result_.options = options;
  result_.size = luma.size();
  result_.max_value = luma.depth == Depth::u8 ? 255 : options.max_value;
  MotionVideo video;
  video.size = luma.size();
  video.depth = luma.depth;
  video.max_value = luma.max_value;
  video.chroma = frame.chroma;
  video.full_range = frame.full_range;
  const double own_rate = source_->rate();
  video.rate = rate_.value_or(own_rate > 0 ? own_rate : 25);
  outputs_.emplace(arguments_.outputs, options, video, check_.has_value());
  for (std::string& line : outputs_->warnings()) result_.warnings.push_back(std::move(line));
  MotionWants wants;
  if (arguments_.outputs.columns) {
    const VectorColumns columns = parse_columns(*arguments_.outputs.columns);
    wants.second_j = columns.second_j;
    wants.confidence = columns.confidence;
    wants.j = columns.j;
  }
  wants.j = wants.j || options.lambda != 0;
  wants.chroma = arguments_.outputs.compensated.has_value();
  wants.check = check_;
  as_usage([&] { main_.lane = std::make_unique<MotionLane>(device_, luma.size(), options, wants); });
  for (const BlockField& field : main_.lane->fields())
    result_.blocks += std::int64_t{field.vectors.width()} * field.vectors.height();
  if (compared_) {
    MotionOptions other = options;
    other.search = compared_->search;
    as_usage([&] { other_.lane = std::make_unique<MotionLane>(device_, luma.size(), other, MotionWants{}); });
    result_.comparison.emplace();
    result_.comparison->search = *arguments_.compare;
  }
  energy_.idle();
}

/// The first searches of a GPU, for its own clock.
void MotionRun::measure(MotionLane& lane, const GreyPicture& current, const GreyPicture& reference) {
  std::optional<DeviceTimes> times = lane.estimator().times();
  if (!times) return;
  lane.estimator().measure(true);
  lane.search(current, reference);
  const DeviceTimes measured = lane.estimator().times().value();
  lane.estimator().measure(false);
  times->upload_ms = measured.upload_ms;
  times->kernel_ms = measured.kernel_ms;
  times->download_ms = measured.download_ms;
  result_.device_times = times;
}

FieldReport MotionRun::do_field(Chain& chain, const YuvFrame& frame, std::vector<double>& ms, bool main) {
  using Clock = std::chrono::steady_clock;
  const FramePointer reference = chain.references.front();
  MotionLane& lane = *chain.lane;
  if (timed_ && ms.empty()) {
    lane.search(frame.luma, reference->luma);
    if (main) measure(lane, frame.luma, reference->luma);
    result_.warmed_up = true;
  }
  if (main && ms.empty()) energy_.begin();
  for (int i = 0; i < repeat_; ++i) {
    const Clock::time_point start = Clock::now();
    lane.search(frame.luma, reference->luma);
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return lane.finish(index_, frame, *reference);
}

void MotionRun::take_stock(const FieldReport& report, const YuvFrame& frame) {
  result_.totals.add(report);
  result_.fields.push_back(report);
  for (const BlockField& field : main_.lane->fields()) hash_.add(field.vectors.view(), field.cost.view());
  outputs_->write(index_, *main_.lane, frame);
}

void MotionRun::do_frame(const FramePointer& frame) {
  const auto reference = static_cast<std::size_t>(result_.reference);
  const bool first = main_.references.size() < reference;
  if (!first) {
    take_stock(do_field(main_, *frame, result_.ms, true), *frame);
    if (other_.lane) result_.comparison->totals.add(do_field(other_, *frame, result_.comparison->ms, false));
  }
  for (Chain* chain : {&main_, &other_}) {
    if (!chain->lane) continue;
    const bool foretold = reconstruction_ && !first;
    chain->references.push_back(foretold ? FramePointer(chain->lane->prediction()) : frame);
    if (chain->references.size() > reference) chain->references.pop_front();
  }
  ++result_.frames;
}

MotionResult MotionRun::run() {
  const std::optional<std::int64_t> count = source_->count();
  std::optional<Progress> progress;
  progress.emplace("frames", count.value_or(-1));
  index_ = range_.first;
  while (std::optional<YuvFrame> frame = source_->next_yuv()) {
    if (!main_.lane) prepare(*frame);
    do_frame(std::make_shared<const YuvFrame>(std::move(*frame)));
    ++index_;
    progress->step();
  }
  progress.reset();
  if (result_.fields.empty())
    throw Error(ErrorCode::bad_data,
                fmt::format("{} has {} frame{}: motion against the frame {} before needs at least {}", source_->name(),
                            result_.frames, result_.frames == 1 ? "" : "s", result_.reference, result_.reference + 1));
  if (range_.last >= 0 && range_.first + result_.frames <= range_.last)
    result_.warnings.push_back(fmt::format("frames {}:{} were asked for, but the video ended after frame {}",
                                           range_.first, range_.last, range_.first + result_.frames - 1));
  energy_.end(static_cast<std::int64_t>(result_.fields.size()) * repeat_);
  result_.energy = energy_.take();
  result_.hash = hash_.value();
  result_.outputs = all_outputs();
  outputs_->commit();
  if (arguments_.save_settings) {
    const WriteGuard guard;
    save_motion_settings(*arguments_.save_settings, settings_.options);
  }
  return std::move(result_);
}

}  // namespace

void MotionTotals::add(const FieldReport& report) {
  cost += report.cost;
  residue += report.score.residue;
  mse += report.score.mse;
  ssim += report.score.ssim;
  entropy += report.entropy;
  cuts += report.cut ? 1 : 0;
  consistent += report.consistent;
}

MotionResult run_motion(const MotionArguments& arguments) { return MotionRun(arguments).run(); }

}  // namespace vergence::cli
