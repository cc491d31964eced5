// SPDX-License-Identifier: Apache-2.0
// A run of `vergence stereo` up to its first match: everything that can be refused before the work.
#include <fmt/format.h>

#include <utility>

#include "cli/command.hpp"
#include "cli/masks.hpp"
#include "cli/rig_refine.hpp"
#include "stereo/metric.hpp"
#include "stereo/names.hpp"
#include "stereo/source.hpp"
#include "stereo/stereo_run.hpp"
#include "stereo/upright.hpp"
#include "stereo/warnings.hpp"

namespace vergence::cli {

StereoRun::StereoRun(const StereoArguments& arguments)
    : arguments_(arguments),
      settings_(resolve_stereo_settings(arguments.settings)),
      devices_(open_stream_devices(arguments.device, arguments.stream)),
      energy_(arguments.energy, boards_of(devices_)),
      coloured_(arguments.outputs.colours, arguments.outputs.paths),
      doubts_(shown_source(arguments.left), arguments.right, halves_of(arguments.layout)) {
  repeat_ = static_cast<int>(parse_integer("--repeat", arguments.repeat.value_or("1"), 1, 1'000'000));
  timed_ = arguments.json || arguments.repeat.has_value() || arguments.energy.on;
  Truth truth(arguments.truth);
  if (arguments.truth.file) truth_.emplace(std::move(truth));
  if (!truth_) check_no_truth_options(arguments.truth);
  check_outputs(arguments.outputs, settings_.options);
  check_geometry(arguments.geometry, wants_depth(arguments.outputs));
  if (arguments.rectification.required) doubts_.require_rectified();
  if (arguments.json || !arguments.rectification.refined.empty()) doubts_.measure_rows();
  rectification_.decide(arguments.rectification, arguments.geometry.calibration);
  warn(rectification_.idle_unit());
  calibration_ = rectification_.told();
  if (!rectification_.on() && !calibration_)
    calibration_ =
        read_geometry(arguments.geometry, wants_depth(arguments.outputs) || !arguments.rectification.refined.empty());
  if (rectification_.on() && (arguments.left_mask || arguments.right_mask))
    throw UsageError(
        "--left-mask and --right-mask are for rectified pictures, and these are rectified by the run, which "
        "knows what shows nothing: leave them out");
  read_masks();
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
  } else if (are_files_ = is_sequence(arguments_.left) && (!arguments_.right || is_sequence(*arguments_.right));
             are_files_) {
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
  for (OutputName& name : refined_outputs(arguments_.rectification.refined)) names.push_back(std::move(name));
  return with_settings_file(std::move(names), arguments_.save_settings);
}

/// No output may overwrite an input or another output.
void StereoRun::check_files(const FrameRange& frames) const {
  std::vector<std::string> inputs = input_files(arguments_, *source_);
  for (const auto& mask : {arguments_.left_mask, arguments_.right_mask})
    if (mask) inputs.push_back(*mask);
  if (arguments_.settings.file) inputs.push_back(*arguments_.settings.file);
  inputs.insert(inputs.end(), arguments_.geometry.calibration.begin(), arguments_.geometry.calibration.end());
  if (truth_)
    for (const std::string& file : truth_->files(frames)) inputs.push_back(file);
  check_distinct(all_outputs(), inputs, shifted(frames, shift_));
}

bool StereoRun::follow_range(StereoOptions& options, const StereoFrame& frame) {
  // Several devices match at the same time: then the one that cannot be lost looks.
  const Device device = devices_.size() == 1 ? devices_.front().device : Device("cpu");
  if (!range_of_search_.follow(settings_, options, device, frame, !wide_)) return false;
  check_range_fits(arguments_.outputs, options);
  return true;
}

/// What was matched last had this range, and says so of its map.
void StereoRun::take_range(const StereoOptions& options, int invalid, std::int64_t frame) {
  settings_.options = options;
  invalid_ = invalid;
  const SearchedRange range{frame, options.min_disparity, options.disparities};
  const auto& ranges = result_.ranges;
  if (ranges.empty() || ranges.back().min_disparity != range.min_disparity ||
      ranges.back().disparities != range.disparities)
    result_.ranges.push_back(range);
}

/// Looks at the first raw frame.
void StereoRun::prepare_rectification(const GreyPicture& raw) {
  // Several devices match at the same time: then the one that cannot be lost rectifies.
  const Device device = devices_.size() == 1 ? devices_.front().device : Device("cpu");
  for (std::string& line : rectification_.prepare(device, raw)) warn(std::move(line));
  calibration_ = rectification_.told();
  if (rectification_.turned() != 0 && settings_.options.roi)
    throw UsageError(
        "--roi is for cameras beside each other, and these stand above each other: leave it out and crop the maps");
}

/// Rectified where the run rectifies.
std::optional<StereoFrame> StereoRun::next_frame() {
  std::optional<StereoFrame> frame = source_->next();
  if (!frame || !rectification_.on()) return frame;
  if (!std::exchange(prepared_, true)) prepare_rectification(frame->left);
  if (rectification_.on()) rectification_.apply(*frame);
  return frame;
}

/// Error(bad_data) where a mask that was given has another size than the pictures.
void StereoRun::check_masks() const {
  for (const auto& [path, mask] :
       {std::pair{&arguments_.left_mask, &left_mask_}, {&arguments_.right_mask, &right_mask_}})
    if (*path && mask->size() != result_.size)
      throw Error(ErrorCode::bad_data,
                  fmt::format("mask {} is {}x{}, the pictures are {}x{}: both must be of one size", **path,
                              mask->width(), mask->height(), result_.size.width, result_.size.height));
}

std::shared_ptr<StereoMatcher> StereoRun::make_matcher(const Device& device, const StereoOptions& options) const {
  const SourceMasks masks = rectification_.on() ? rectification_.masks() : SourceMasks{left_mask_, right_mask_};
  return std::make_shared<StereoMatcher>(device, result_.size, options, masks);
}

void StereoRun::read_masks() {
  const std::string meaning = "0 where the picture shows nothing, other values where it does";
  for (const auto& [path, mask] :
       {std::pair{&arguments_.left_mask, &left_mask_}, {&arguments_.right_mask, &right_mask_}}) {
    if (!*path) continue;
    *mask = read_mask(**path, meaning);
    warn(mask_warning(**path, *mask, meaning));
  }
}

/// What is known of the cameras that took the pictures that are matched.
void StereoRun::expect_rig() {
  if (rectification_.on()) {
    doubts_.rig().expect(rectification_.right_camera(), rectification_.result().rig.valid);
  } else if (calibration_) {
    const Calibration& known = *calibration_;
    doubts_.rig().expect({result_.size, known.focal_right_px > 0 ? known.focal_right_px : known.focal_px,
                          known.center_right_x.value_or(known.center_x + known.offset_px),
                          known.center_right_y.value_or(known.center_y)},
                         {});
  } else if (geometry_) {
    doubts_.rig().expect(
        {result_.size, geometry_->focal_px, (result_.size.width - 1) * 0.5, (result_.size.height - 1) * 0.5}, {});
  }
}

/// The geometry of the pictures that are matched.
void StereoRun::read_metres() {
  const StereoView reference = settings_.options.reference;
  if (rectification_.on()) {
    doubts_.expect_rectified([this] { return rectification_.first_exchanged(); });
    Calibration turned = rectification_.geometry();
    if (reference == StereoView::right) turned.center_x += turned.offset_px;
    geometry_ = upright(turned, result_.size, rectification_.turned());
    result_.baseline_m = geometry_->baseline_m;
    return;
  }
  if (!arguments_.geometry.given()) return;
  if (!calibration_ && !arguments_.geometry.focal) return;  // rectified pictures without anything in metres
  geometry_ = resolve_geometry(arguments_.geometry, calibration_, result_.size, reference);
  if (calibration_) result_.baseline_m = geometry_->baseline_m;
  for (std::string& line : geometry_warnings(*geometry_, result_.size, reference)) warn(std::move(line));
}

void StereoRun::prepare(const StereoFrame& frame) {
  const Size size = frame.left.size();
  result_.size = size;
  adopt_stereo_depth(settings_, frame.left.depth, frame.left.max_value, shown_source(arguments_.left));
  warn(range_of_search_.find(settings_, frame.left, frame.right));
  check_range_fits(arguments_.outputs, settings_.options);
  range_of_search_.limit(settings_, size);
  result_.disparities_from = range_of_search_.origin();
  compiles_ = true;
  read_metres();
  expect_rig();
  check_masks();
  as_usage([&] { matcher_ = make_matcher(devices_.front().device, settings_.options); });
  invalid_ = matcher_->invalid();
  wide_ = matcher_->needs_wide_output();
  for (std::string& line : source_->notices()) warn(std::move(line));
  if (std::string line = no_candidate_warning(size, matcher_->options()); !line.empty()) {
    doubts_.expect_nothing();
    warn(std::move(line));
  }
  for (std::string& line : idle_stereo_options(arguments_.settings, settings_.options)) warn(std::move(line));
  warn(penalties_warning(settings_.options, matcher_->options()));
  warn(window_warning(size, matcher_->options()));
  warn(speckle_size_warning(size, settings_));
  warn(match_error_warning(arguments_.outputs.metric, settings_.options));
  if (arguments_.outputs.metric.include_filled && !fills()) warn("--include-filled does nothing: fill is none");
  if (truth_ && settings_.options.roi) truth_->limit_to(*settings_.options.roi);
  result_.options = matcher_->options();
  result_.input_max = frame.left.max_value;
  maps_ = make_maps();
  result_.stream = source_->is_stream();
  coloured_.set_rate(source_->rate());
  if (const auto& paths = arguments_.outputs.paths; paths.contains(Output::rgbd)) {
    rgbd_.emplace(paths.at(Output::rgbd), per_metre_of(arguments_.outputs.metric, Output::rgbd));
    rgbd_->set_rate(coloured_.rate());
  }
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

}  // namespace vergence::cli
