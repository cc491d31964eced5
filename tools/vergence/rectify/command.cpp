// SPDX-License-Identifier: Apache-2.0
// `vergence rectify`: rectifies the pictures of two calibrated cameras.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/device_option.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/rig_doubts.hpp"
#include "cli/rig_option.hpp"
#include "cli/rig_refine.hpp"
#include "cli/signals.hpp"
#include "cli/strict.hpp"
#include "rectify/look.hpp"
#include "rectify/outputs.hpp"
#include "vergence/io.hpp"
#include "vergence/output_file.hpp"
#include "vergence/rectify.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli {
namespace {

struct RectifyArguments {
  std::string left, right;
  std::vector<std::string> calibration, refined;
  std::string output, other;
  std::optional<std::string> left_mask, right_mask, rectified_calibration, frames, alpha, focal, size;
  RigArguments rig;
  DeviceArguments device;
  bool grey = false;
  bool along_rows = false;
  bool required = false;
  bool strict = false;
  bool json = false;
};

RectifyOptions rectify_options(const RectifyArguments& arguments) {
  RectifyOptions options;
  if (arguments.alpha && arguments.focal)
    throw UsageError("--alpha and --focal are given: both say the focal length, give one");
  if (arguments.alpha) options.alpha = parse_alpha(*arguments.alpha);
  constexpr double longest = 1e6;
  options.along_rows = arguments.along_rows;
  if (arguments.focal) options.focal_px = parse_positive("--focal", *arguments.focal, longest);
  if (arguments.size) {
    constexpr int most = 65535;
    const auto [width, height] = parse_size("--size", *arguments.size, 1, most);
    options.size = {width, height};
  }
  return options;
}

std::vector<OutputName> rectify_outputs(const RectifyArguments& arguments, bool per_frame) {
  std::vector<OutputName> outputs{{"--output", "rectified left picture", "output", arguments.output, per_frame},
                                  {"--other", "rectified right picture", "other", arguments.other, per_frame}};
  for (OutputName& output : outputs) {
    check_ending(output, per_frame ? ".png .pgm .ppm .npy .mp4 .y4m" : ".png .pgm .ppm .npy");
    output.grows = is_video_name(output.path);
    if (arguments.grey && ending(output.path) == ".ppm")
      throw UsageError(fmt::format("{} is '{}' and --grey is given: .ppm holds colours, use .pgm or .png",
                                   output.option, output.path));
  }
  if (arguments.left_mask) outputs.push_back({"--left-mask", "left mask", "left_mask", *arguments.left_mask, false});
  if (arguments.right_mask)
    outputs.push_back({"--right-mask", "right mask", "right_mask", *arguments.right_mask, false});
  for (std::size_t i = 2; i < outputs.size(); ++i) check_ending(outputs[i], ".png .pgm .npy");
  if (arguments.rectified_calibration) {
    outputs.push_back({"--rectified-calibration", "calibration of the rectified pictures", "rectified_calibration",
                       *arguments.rectified_calibration, false});
    check_ending(outputs.back(), ".yml .yaml .xml .json");
  }
  for (OutputName& output : refined_outputs(arguments.refined)) outputs.push_back(std::move(output));
  return outputs;
}

void write_mask(const std::optional<std::string>& path, ImageView<const std::uint8_t> mask) {
  if (!path) return;
  Image<std::uint8_t> picture(mask.size());
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x) picture(x, y) = mask(x, y) != 0 ? 255 : 0;
  write_picture(*path, picture.view());
}

/// What of the rectified pictures can hardly be wanted.
std::vector<std::string> doubts_of_result(const StereoRig& rig, const RectifiedRig& made, bool has_focal) {
  constexpr double most_ratio = 10;        // of focal lengths; what shows all of a wide lens has 0.3 times
  constexpr std::int64_t least_share = 4;  // a fourth of the area
  const Rect& valid = made.valid;
  const Size size = made.projections.size;
  if (valid.empty())
    return {
        "no pixel has a source in both pictures: the cameras look past each other, or the calibration is another "
        "pair's"};
  if (const double focal = made.projections.p1[0], ratio = focal / rig.left.fx;
      has_focal && (ratio < 1 / most_ratio || ratio > most_ratio))
    return {fmt::format(
        "--focal is {:g} px, and the cameras have {:g} px: give it in px, which is mm * width / the sensor's "
        "width in mm, or leave it out",
        focal, rig.left.fx)};
  if (least_share * valid.width * valid.height < static_cast<std::int64_t>(size.width) * size.height)
    return {
        fmt::format("both cameras see {}x{} of the rectified {}x{} px: check the calibration's distortion (`calibrate` "
                    "with fewer coefficients), and --focal, --size",
                    valid.width, valid.height, size.width, size.height)};
  return {};
}

/// One run, from its arguments to its report.
class RectifyRun {
 public:
  explicit RectifyRun(const RectifyArguments& arguments)
      : arguments_(arguments), options_(rectify_options(arguments)), warnings_(arguments.strict) {}

  int run() {
    const FrameRange range =
        arguments_.frames ? as_usage([&] { return parse_frame_range(*arguments_.frames); }) : FrameRange{};
    StereoSource source = open(range);
    outputs_ = rectify_outputs(arguments_, source.is_stream());
    check_usage(source, range);
    const RigFile file = read_rig(arguments_.calibration, rig_read_options(arguments_.rig));
    warnings_.add(idle_unit_warning(arguments_.rig, file));
    if (!arguments_.refined.empty()) refined_format(arguments_.refined, file.format);
    for (const std::string& notice : source.notices()) warnings_.add(notice);
    const Device device = open_device(arguments_.device);
    while (const std::optional<StereoFrame> frame = source.next()) {
      if (!rectifier_) {
        prepare(device, file, frame->left, source);
        look_.emplace(*rectifier_, arguments_.required);
      }
      for (const std::string& line : look_->look(*frame, frames_)) warnings_.add(line);
      files_->write(*frame);
      ++frames_;
    }
    if (!rectifier_) throw Error(ErrorCode::bad_data, fmt::format("{} has no frame to rectify", arguments_.left));
    if (files_->colours_left_out())
      warnings_.add("the frames of the video are rectified as grey: their colours are lost");
    warnings_.add(source.warning());
    files_->commit();
    if (const WriteGuard guard; !arguments_.refined.empty()) {
      refined_ =
          refine_calibration(arguments_.refined, file, rectifier_->rig(), look_->rig(), rectifier_->source_size());
      warnings_.add(yaw_warning(*refined_, look_->rig().report().camera));
    }
    report(device);
    return success;
  }

 private:
  StereoSource open(const FrameRange& range) const {
    try {
      return {arguments_.left, arguments_.right, range};
    } catch (const Error& error) {
      if (error.code() == ErrorCode::invalid_argument) throw UsageError(error.what());  // the range is beyond the end
      throw;
    }
  }
  void check_usage(const StereoSource& source, const FrameRange& range) const {
    if (!source.is_stream() && arguments_.frames)
      throw UsageError(fmt::format("--frames is '{}': LEFT and RIGHT are single pictures", *arguments_.frames));
    for (const OutputName& output : outputs_)
      if (output.per_frame && !output.grows && !has_frame_number(output.path))
        throw UsageError(
            fmt::format("{} is '{}': a stream's frames are numbered files, give a name with %d or %04d, or "
                        "a video (.mp4, .y4m)",
                        output.option, output.path));
    check_names(outputs_);
    std::vector<std::string> inputs = source.files();
    inputs.insert(inputs.end(), {arguments_.left, arguments_.right});
    inputs.insert(inputs.end(), arguments_.calibration.begin(), arguments_.calibration.end());
    FrameRange frames = range;
    frames.first = source.number();
    if (!source.is_stream()) frames.last = frames.first;
    check_distinct(outputs_, inputs, frames);
  }

  void prepare(const Device& device, const RigFile& file, const GreyPicture& picture, const StereoSource& source) {
    for (const std::string& doubt : doubts_of(file, with_size(file.rig, picture.size()))) warnings_.add(doubt);
    options_.max_value = picture.max_value;
    const StereoRig rig = fitted_rig(file.rig, picture.size());
    rectifier_.emplace(device, rig, options_);
    if (rectifier_->rig().vertical && (arguments_.required || !arguments_.refined.empty()))
      throw UsageError(
          fmt::format("{} looks along rows, and the cameras stand above each other: give --along-rows, too",
                      arguments_.required ? "--require-rectified" : "--refine-calibration"));
    if (rectifier_->rig().vertical)
      warnings_.add(
          "the cameras stand above each other: rectified pictures have points in the same column, and "
          "`stereo` wants the same row: --along-rows turns them by 90 degrees");
    for (const std::string& doubt : doubts_of_result(rig, rectifier_->rig(), arguments_.focal.has_value()))
      warnings_.add(doubt);
    const WriteGuard guard;
    write_mask(arguments_.left_mask, rectifier_->left_mask());
    write_mask(arguments_.right_mask, rectifier_->right_mask());
    if (arguments_.rectified_calibration)
      write_rig({*arguments_.rectified_calibration}, rectified_pair(rectifier_->rig().projections),
                opencv_format(*arguments_.rectified_calibration).value());
    const double rate = source.rate() > 0 ? source.rate() : 25;
    files_.emplace(*rectifier_, RectifyFiles{{arguments_.left, arguments_.right},
                                             {arguments_.output, arguments_.other},
                                             source.is_stream(),
                                             arguments_.grey,
                                             rate});
  }

  void report(const Device& device) const {
    const RectifiedRig& rig = rectifier_->rig();
    const RigRectification& to = rig.projections;
    const double focal = rig.vertical ? to.p2[5] : to.p2[0];
    const double shift = rig.vertical ? to.p2[7] - to.p1[7] : to.p2[3] - to.p1[3];
    if (arguments_.json) {
      Json json = json_report();
      json["device"] = device.name();
      json["frames"] = frames_;
      json["width"] = to.size.width;
      json["height"] = to.size.height;
      json["focal_px"] = to.p1[0];
      json["center_px"] = Json::array({to.p1[2], to.p1[6]});
      json["baseline_m"] = -shift / focal;
      json["vertical"] = rig.vertical;
      json["turned"] = rig.turned;
      json["valid"] = Json::array({rig.valid.x, rig.valid.y, rig.valid.width, rig.valid.height});
      if (refined_) json["refined"] = refined_json(*refined_);
      json["rows"] = rig_report_json(look_->rig().report());
      json["warnings"] = warnings_.lines();
      print_json(json);
      return;
    }
    print("size      {}x{}, {} frame{}\n", to.size.width, to.size.height, frames_, frames_ == 1 ? "" : "s");
    print("focal     {:.2f} px, principal point ({:.2f}, {:.2f})\n", to.p1[0], to.p1[2], to.p1[6]);
    print("baseline  {:.6g} m{}\n", -shift / focal,
          rig.vertical      ? ", vertical"
          : rig.turned != 0 ? ", turned by 90 degrees"
                            : "");
    print("valid     {}x{} px from ({}, {}) on\n", rig.valid.width, rig.valid.height, rig.valid.x, rig.valid.y);
    if (const std::string rows = rig_report_text(look_->rig().report()); !rows.empty()) print("rows      {}\n", rows);
    if (refined_) print("refined   {}\n", refined_text(*refined_));
    for (const OutputName& output : outputs_) print("wrote     {} ({})\n", output.path, output.what);
  }

  const RectifyArguments& arguments_;
  RectifyOptions options_;
  Warnings warnings_;
  std::vector<OutputName> outputs_;
  std::optional<StereoRectifier> rectifier_;
  std::optional<RectifiedOutputs> files_;
  std::optional<RectifiedLook> look_;
  std::optional<RigFindings> refined_;
  std::int64_t frames_ = 0;
};

int run_rectify(const RectifyArguments& arguments) {
  if (arguments.calibration.size() > 2)
    throw UsageError(fmt::format("--calibration is given {} times: allowed are one file, or two (left, right)",
                                 arguments.calibration.size()));
  return RectifyRun(arguments).run();
}

void add_common_options(Command command) {
  command.common("LEFT and RIGHT are pictures, sequences (NAME_%04d.png) or videos.",
                 {{"--calibration", "OpenCV, Kalibr, KITTI; twice: ROS, EuRoC"},
                  {"--output", "Rectified left picture"},
                  {"--other", "Rectified right picture"},
                  {"--rectified-calibration", "Its calibration, for `stereo`"},
                  {"--alpha", "0: no pixel without source .. 1: all seen"},
                  {"--size", "Of the rectified pictures, px"},
                  {"--grey", "Leave colours out"},
                  {"--unit", "Of the file's translations: m, cm, mm"},
                  {"--device", "reference, cpu, cuda, opencl"},
                  {"--json", "Print one JSON object"}});
}

}  // namespace

void add_rectify(Program& program) {
  Command command = program.add("rectify",
                                "Rectify the pictures of two calibrated cameras\n\n"
                                "Turns both pictures so that a point lies in the same row of both, which `stereo` "
                                "needs, and takes out the lenses'\n"
                                "distortion. Colours are kept, but those of videos and of 16 bits.");
  const auto arguments = std::make_shared<RectifyArguments>();
  command.add("LEFT", arguments->left, "Left picture, sequence (NAME_%04d.png) or video").type("FILE").required();
  command.add("RIGHT", arguments->right, "Right one").type("FILE").required();
  command
      .add("--calibration", arguments->calibration,
           "Calibration: OpenCV, Kalibr or KITTI; given twice, left and right of ROS or EuRoC, or OpenCV's two")
      .type("FILE")
      .required()
      .repeatable();
  command
      .add("-o,--output", arguments->output,
           "Rectified left picture [.png, .pgm, .ppm, .npy; of a stream also .mp4, .y4m]")
      .type("FILE")
      .required();
  command.add("--other", arguments->other, "Rectified right picture [the same]").type("FILE").required();
  command.add("--left-mask", arguments->left_mask, "Mask of the left picture: 255 where a pixel has a source")
      .type("FILE");
  command.add("--right-mask", arguments->right_mask, "Mask of the right picture").type("FILE");
  command
      .add("--rectified-calibration", arguments->rectified_calibration,
           "Calibration of the rectified pictures, for `stereo` [.yml, .yaml, .xml, .json]")
      .type("FILE");
  command
      .add("--alpha", arguments->alpha,
           "0: no pixel without source .. 1: no source pixel lost; -1: the cameras' focal length [-1, 0 .. 1; default: "
           "as the file tells, else -1]")
      .type("X");
  command.add("--focal", arguments->focal, "Focal length of the rectified pictures, instead of --alpha [px]")
      .type("PX");
  command.add("--size", arguments->size, "Size of the rectified pictures [px; default: that of the cameras]")
      .type("WxH");
  command.flag("--along-rows", arguments->along_rows,
               "Turn the pictures of cameras that stand above each other by 90 degrees, as `stereo` needs them");
  command.flag("--grey", arguments->grey,
               "Write grey pictures: the same bytes that `stereo --rectify` matches, also where pictures are coloured");
  command.flag("--require-rectified", arguments->required,
               "Rectified pictures whose points do not lie in one row are an error, and not a warning: in the first "
               "frame and in every hundredth");
  add_refine_option(command, arguments->refined, "");
  add_rig_options(command, arguments->rig, "Calibration");
  command.add("--frames", arguments->frames, "Frames A to B of a stream, both included [A:B, A:, :B]").type("A:B");
  add_device_options(command, arguments->device);
  add_strict_option(command, arguments->strict);
  command.flag("--json", arguments->json, "Print one JSON object");
  add_common_options(command);
  command.run([arguments] { return run_rectify(*arguments); });
}

}  // namespace vergence::cli
