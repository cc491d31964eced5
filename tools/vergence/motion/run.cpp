// SPDX-License-Identifier: Apache-2.0
// The run of `vergence motion`: everything that can be refused before the work comes first, then frame by frame search,
// predict, score, write. Of the video, no more frames are held than the reference lies back and are under way.
#include "motion/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "cli/beside.hpp"
#include "cli/command.hpp"
#include "cli/hash.hpp"
#include "cli/progress.hpp"
#include "cli/read_ahead.hpp"
#include "cli/signals.hpp"
#include "cli/stopwatch.hpp"
#include "motion/choice.hpp"
#include "motion/range_watch.hpp"
#include "motion/stages.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

/// A lane, what it found, and the frames that its next field may be measured against, oldest first. As MotionSequence
/// keeps them, but with their chroma, for several block sizes too, and so that a pair can be searched again to be
/// timed.
struct Chain {
  std::unique_ptr<MotionLane> lane;
  FoundMotion found;
  std::deque<FramePointer> references;
};

/// One run, from its arguments to its result.
class MotionRun {
 public:
  explicit MotionRun(const MotionArguments& arguments);
  MotionResult run();
  std::string standing();

 private:
  std::string purpose() const;
  std::vector<OutputName> all_outputs() const;
  void check_files();
  void prepare(const YuvFrame& frame);
  void open_outputs(const YuvFrame& frame);
  void add_compared(MotionSearch search);
  bool can_fly() const;
  bool read_references();
  void run_one_by_one();
  void run_stream();
  void time_first_pair(const YuvFrame& frame);
  void do_frame(const FramePointer& frame);
  void go_on(Chain& chain, const FramePointer& frame);
  void do_field(Chain& chain, const YuvFrame& frame, std::vector<double>& ms, bool main);
  void measure(const GreyPicture& current, const GreyPicture& reference);
  void end_field(const FramePointer& frame, const FramePointer& reference);
  void take_stock(const FoundMotion& found, const YuvFrame& frame, const YuvFrame& reference, const Turn& turn);

  const MotionArguments& arguments_;
  MotionSettings settings_;
  MotionChoice choice_;
  std::vector<StreamDevice> devices_;
  EnergyRun energy_;
  VideoInput video_;
  std::optional<MotionOutputs> outputs_;
  std::optional<Progress> progress_;
  Chain main_;
  std::vector<Chain> others_;  ///< Of --compare.
  std::int64_t index_ = 0;     // of the current frame
  std::int64_t shift_ = 0;     // from a field's number to that in the outputs
  std::int64_t written_ = 0;   // fields in the outputs
  MotionRangeWatch range_watch_;
  MotionHash hash_;
  MotionResult result_;
  std::vector<FoundMotion> being_ended_;
  Beside beside_{1};  ///< Last: what it works on goes after it.
};

MotionRun::MotionRun(const MotionArguments& arguments)
    : arguments_(arguments),
      settings_(resolve_motion_settings(arguments.settings)),
      choice_(read_motion_choice(arguments, settings_.options)),
      devices_(open_stream_devices(arguments.device, arguments.stream)),
      energy_(arguments.energy, boards_of(devices_)),
      video_(arguments.video) {
  check_motion_sharing(arguments, choice_, settings_.options, devices_);
  check_motion_outputs(arguments.outputs, settings_.options, choice_.wants.all_sizes);
  check_first_number(arguments);
  if (arguments.video.rate && !arguments.outputs.compensated && !arguments.outputs.overlay &&
      !arguments.outputs.residue)
    throw UsageError("--rate is for videos: give an output such as --overlay FILE, or leave it out");
  check_names(all_outputs());
  result_.reference = choice_.reference;
  result_.reference_source = arguments.reference_source;
  result_.independent = arguments.independent;
  result_.check = choice_.check();
  result_.ssim = choice_.wants.ssim;
  for (const StreamDevice& one : devices_) add_cache_warning(one.device, arguments.device, result_.warnings);
  result_.device = names_of(devices_);
  result_.device_description = descriptions_of(devices_);
  video_.require_range(result_.reference + 1, purpose());
  video_.open(arguments_.outputs.compensated.has_value());
  video_.require_range(result_.reference + 1, purpose());
  result_.first_frame = video_.range().first;
  shift_ = output_shift(arguments.first, result_.first_frame + result_.reference);
  check_files();
}

std::string MotionRun::purpose() const { return fmt::format("motion against the frame {} before", result_.reference); }

std::vector<OutputName> MotionRun::all_outputs() const {
  return with_settings_file(motion_output_names(arguments_.outputs), arguments_.save_settings);
}

/// No output may overwrite an input or another output.
void MotionRun::check_files() {
  std::vector<std::string> inputs = video_.files();
  if (arguments_.settings.file) inputs.push_back(*arguments_.settings.file);
  FrameRange fields = video_.range();
  fields.first += result_.reference;
  check_distinct(all_outputs(), inputs, shifted(fields, shift_));
}

void MotionRun::open_outputs(const YuvFrame& frame) {
  MotionVideo video;
  video.size = frame.luma.size();
  video.depth = frame.luma.depth;
  video.max_value = frame.luma.max_value;
  video.chroma = frame.chroma;
  video.full_range = frame.full_range;
  video.rate = video_.rate();
  video.strict = arguments_.video.strict;
  outputs_.emplace(arguments_.outputs, settings_.options, video, choice_.wants.check.has_value());
  for (std::string& line : outputs_->warnings()) result_.warnings.push_back(std::move(line));
}

void MotionRun::prepare(const YuvFrame& frame) {
  const GreyPicture& luma = frame.luma;
  adopt_motion_depth(settings_, luma.depth, luma.max_value, shown_source(arguments_.video.video));
  video_.expect(settings_.options.max_value);
  limit_motion_range(settings_, luma.size());
  const MotionOptions& options = settings_.options;
  for (std::string& line : idle_motion_choices(arguments_, choice_, options))
    result_.warnings.push_back(std::move(line));
  result_.options = options;
  result_.all_sizes = choice_.wants.all_sizes;
  result_.size = luma.size();
  result_.input_max = luma.max_value;
  result_.max_value = luma.depth == Depth::u8 ? 255 : options.max_value;
  open_outputs(frame);
  const Device& device = devices_.front().device;
  as_usage([&] { main_.lane = std::make_unique<MotionLane>(device, luma.size(), options, choice_.wants); });
  main_.found = make_found(luma.size(), options, choice_.wants);
  for (const BlockField& field : main_.found.fields)
    result_.blocks += std::int64_t{field.vectors.width()} * field.vectors.height();
  for (const MotionSearch search : choice_.compared) add_compared(search);
  being_ended_.resize(2 * frames_ahead(result_.size));  // large files wait for the disk, and six keep it busy
  beside_.allow(being_ended_.size());
  energy_.idle();
}

void MotionRun::add_compared(MotionSearch search) {
  MotionOptions options = settings_.options;
  options.search = search;
  MotionWants wants;
  wants.independent = choice_.wants.independent;
  Chain chain;
  as_usage([&] { chain.lane = std::make_unique<MotionLane>(devices_.front().device, result_.size, options, wants); });
  chain.found = make_found(result_.size, options, wants);
  others_.push_back(std::move(chain));
  result_.comparisons.push_back({motion_get(options, "search"), {}, {}});
}

/// A search of a GPU by its own clock.
void MotionRun::measure(const GreyPicture& current, const GreyPicture& reference) {
  MotionLane& estimator = *main_.lane;
  std::optional<DeviceTimes> times = estimator.times();
  if (!times) return;
  estimator.measure(true);
  main_.lane->search(current, reference, main_.found);
  const DeviceTimes measured = estimator.times().value();
  estimator.measure(false);
  times->upload_ms = measured.upload_ms;
  times->kernel_ms = measured.kernel_ms;
  times->download_ms = measured.download_ms;
  result_.device_times = times;
}

void MotionRun::do_field(Chain& chain, const YuvFrame& frame, std::vector<double>& ms, bool main) {
  const FramePointer reference = chain.references.front();
  if (choice_.reconstruction) chain.found.prediction.reset();  // that of an earlier frame may be a reference
  MotionLane& lane = *chain.lane;
  if (choice_.timed && ms.empty()) {
    lane.search(frame.luma, reference->luma, chain.found);
    if (main) measure(frame.luma, reference->luma);
    result_.warmed_up = true;
  }
  if (main && ms.empty()) energy_.begin();
  for (int i = 0; i < choice_.repeat; ++i) {
    const Stopwatch watch;
    lane.search(frame.luma, reference->luma, chain.found);
    ms.push_back(watch.ms());
  }
  lane.finish(index_, frame, *reference, chain.found);
}

void MotionRun::take_stock(const FoundMotion& found, const YuvFrame& frame, const YuvFrame& reference,
                           const Turn& turn) {
  outputs_->write(found.report.frame + shift_, found, frame, turn);
  range_watch_.see(found.fields.front(), frame.luma, reference.luma, settings_.options, found.report.frame);
  result_.totals.add(found.report);
  result_.fields.push_back(found.report);
  for (const BlockField& field : found.fields) hash_.add(field.vectors.view(), field.cost.view());
  ++written_;
}

void MotionRun::do_frame(const FramePointer& frame) {
  do_field(main_, *frame, result_.ms, true);
  const FramePointer reference = main_.references.front();
  go_on(main_, frame);
  end_field(frame, reference);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    do_field(others_[i], *frame, result_.comparisons[i].ms, false);
    others_[i].lane->score(*frame, others_[i].found);
    result_.comparisons[i].totals.add(others_[i].found.report);
    go_on(others_[i], frame);
  }
}

/// Scores, counts and writes what was found while the next fields are searched, but where times are asked for: those
/// take longer.
void MotionRun::end_field(const FramePointer& frame, const FramePointer& reference) {
  beside_.make_room();
  FoundMotion& found = being_ended_[static_cast<std::size_t>(result_.frames) % being_ended_.size()];
  if (found.fields.empty()) found = make_found(result_.size, settings_.options, choice_.wants);
  std::swap(main_.found, found);
  const auto end = [this, frame, reference, &found](const Turn& turn) {
    main_.lane->score(*frame, found);
    take_stock(found, *frame, *reference, turn);
  };
  if (choice_.timed || !outputs_->is_open()) return end([] {});
  beside_.start(end);
}

/// The frame, or its prediction, becomes a reference.
void MotionRun::go_on(Chain& chain, const FramePointer& frame) {
  chain.references.push_back(choice_.reconstruction ? FramePointer(chain.found.prediction) : frame);
  chain.references.pop_front();
}

/// Reads the first frames, which have no reference. False where the video has no others.
bool MotionRun::read_references() {
  const auto wanted = static_cast<std::size_t>(result_.reference);
  while (main_.references.size() < wanted) {
    std::optional<YuvFrame> frame = video_.next_yuv();
    if (!frame) return false;
    if (!main_.lane) prepare(*frame);
    main_.references.push_back(std::make_shared<const YuvFrame>(std::move(*frame)));
    ++index_;
    ++result_.frames;
    progress_->step();
  }
  for (Chain& other : others_) other.references = main_.references;
  return true;
}

void MotionRun::run_one_by_one() {
  const bool ahead = !choice_.timed && video_.is_on_disk();
  ReadAhead<YuvFrame> frames([this] { return video_.next_yuv(); }, ahead ? frames_ahead(result_.size) : 0);
  while (std::optional<YuvFrame> frame = frames.next()) {
    do_frame(std::make_shared<const YuvFrame>(std::move(*frame)));
    ++index_;
    ++result_.frames;
    progress_->step();
  }
}

/// Whether a GPU can keep frames in flight. Else nothing else works while a frame is searched.
bool MotionRun::can_fly() const {
  const std::string& kind = devices_.front().device.kind();
  const bool gpu = kind != "cpu" && kind != "reference";
  const MotionOptions& options = settings_.options;
  const bool known = uses_previous(options) == carries_on(options, choice_.wants);
  return gpu && known && result_.reference == 1 && !choice_.reconstruction && !choice_.wants.all_sizes &&
         !choice_.wants.check && !arguments_.repeat && choice_.compared.empty();
}

/// In flight nothing is timed by itself, so the first field is found again and again before.
void MotionRun::time_first_pair(const YuvFrame& frame) {
  constexpr int runs = 10;
  const GreyPicture& reference = main_.references.front()->luma;
  main_.lane->search(frame.luma, reference, main_.found);
  measure(frame.luma, reference);
  for (int i = 0; i < runs; ++i) {
    const Stopwatch watch;
    main_.lane->search(frame.luma, reference, main_.found);
    result_.ms.push_back(watch.ms());
  }
  result_.warmed_up = true;
}

/// Several frames under way at a time: shared by devices, or in flight on one.
void MotionRun::run_stream() {
  const bool shared = devices_.size() > 1;
  std::optional<YuvFrame> first = video_.next_yuv();
  if (!first) return;
  if (choice_.timed && !shared) time_first_pair(*first);
  main_.lane.reset();  // the stages have lanes of their own
  std::vector<MotionSlot> slots;
  const MotionSlotAt at = [&slots](int number) -> MotionSlot& { return slots[static_cast<std::size_t>(number)]; };
  const MotionJob job{result_.size, settings_.options, choice_.wants};
  const auto stages = shared ? shared_motion_stages(devices_, job, at)
                             : flight_motion_stages(devices_.front().device, job, *main_.references.front(), at);
  constexpr std::size_t bytes_per_pixel = 6;  // a frame and its prediction, perhaps with chroma or wide pixels
  const auto pixels = static_cast<std::size_t>(result_.size.width) * static_cast<std::size_t>(result_.size.height);
  slots.resize(static_cast<std::size_t>(pipeline_slots(stages, bytes_per_pixel * pixels)));
  const auto read = [&](int number) {
    std::optional<YuvFrame> frame = first ? std::exchange(first, std::nullopt) : video_.next_yuv();
    if (!frame) return false;
    MotionSlot& slot = at(number);
    if (slot.found.fields.empty()) slot.found = make_found(job.size, job.options, job.wants);
    slot.index = index_++;
    slot.frame = std::make_shared<const YuvFrame>(std::move(*frame));
    slot.reference = std::move(main_.references.front());
    main_.references.pop_front();
    main_.references.push_back(slot.frame);
    ++result_.frames;
    return true;
  };
  const auto write = [&](int number) {
    const MotionSlot& slot = at(number);
    if (shared) result_.ms.push_back(slot.ms);
    take_stock(slot.found, *slot.frame, *slot.reference, [] {});
    progress_->step();
  };
  energy_.begin();
  result_.stream =
      run_pipeline(static_cast<int>(slots.size()), read, stages, write, {on_device_loss(arguments_.stream), index_});
  for (std::string& line : loss_warnings(*result_.stream)) result_.warnings.push_back(std::move(line));
}

MotionResult MotionRun::run() {
  progress_.emplace("frames", video_.source().count().value_or(-1));
  index_ = video_.range().first;
  if (read_references()) {
    if (devices_.size() > 1 || can_fly())
      run_stream();
    else
      run_one_by_one();
  }
  beside_.wait();
  progress_.reset();
  video_.require_frames(result_.frames, result_.reference + 1, purpose());
  if (std::string line = video_.ended_early(result_.frames); !line.empty()) result_.warnings.push_back(std::move(line));
  if (!range_watch_.warning().empty() && !video_.form_is_doubted()) result_.warnings.push_back(range_watch_.warning());
  energy_.end(static_cast<std::int64_t>(result_.fields.size()) * choice_.repeat);
  result_.energy = energy_.take();
  result_.hash = hash_.value();
  result_.outputs = all_outputs();
  result_.live = video_.source().live();
  if (!arguments_.video.frames) {
    const std::int64_t last = result_.first_frame + result_.reference + shift_ + written_ - 1;
    if (std::string line = leftover_warning(result_.outputs, last); !line.empty()) result_.warnings.push_back(line);
  }
  video_.finish_warnings(result_.warnings);
  if (std::string line = cuts_warning(result_); !line.empty()) result_.warnings.push_back(std::move(line));
  FileGroup files;
  outputs_->commit();
  const WriteGuard guard;
  if (arguments_.save_settings) save_motion_settings(*arguments_.save_settings, settings_.options);
  files.commit();
  return std::move(result_);
}

/// Of the fields before an error.
std::string MotionRun::standing() {
  beside_.wait_whatever_comes();
  outputs_.reset();  // those that hold no frame leave nothing
  const std::int64_t first = result_.first_frame + result_.reference + shift_;
  return standing_files(all_outputs(), first, first + written_ - 1, arguments_.video.strict);
}

}  // namespace

MotionResult run_motion(const MotionArguments& arguments) {
  return naming_settings_file(arguments.settings, [&] {
    MotionRun run(arguments);
    return naming_what_stands([&] { return run.run(); }, [&] { return run.standing(); });
  });
}

}  // namespace vergence::cli
