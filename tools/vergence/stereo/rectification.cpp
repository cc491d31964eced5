// SPDX-License-Identifier: Apache-2.0
// `vergence stereo` on raw pictures.
#include "stereo/rectification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "cli/rig_doubts.hpp"
#include "cli/rig_refine.hpp"
#include "cli/stopwatch.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

/// Of a rotation's elements: what a file's digits leave.
constexpr double least_turn = 1e-6;

bool turns(const Matrix3x3& rotation) {
  for (std::size_t i = 0; i < 9; ++i)
    if (std::abs(rotation[i] - (i % 4 == 0 ? 1 : 0)) > least_turn) return true;
  return false;
}

/// Why pictures of such cameras are raw; "" where nothing says so.
std::string reason_of(const StereoRig& rig) {
  if (rig.left.distorted() || rig.right.distorted()) return "the calibration holds distortion";
  if (turns(rig.rotation) || (rig.rectified && (turns(rig.rectified->r1) || turns(rig.rectified->r2))))
    return "the calibration holds a rotation";
  if (std::abs(rig.translation[1]) > std::abs(rig.translation[0])) return "the cameras stand above each other";
  return rig.rectified ? "" : "the calibration holds no projections of rectified pictures (P1 P2)";
}

RigFile read_raw_rig(const RectificationArguments& arguments, const std::vector<std::string>& files) {
  const RigReadOptions options = rig_read_options(arguments.rig);
  try {
    return read_rig(files, options);
  } catch (const Error& error) {
    if (arguments.on || arguments.rig.given() || error.code() == ErrorCode::not_found || error.code() == ErrorCode::io)
      throw;
    // A file that is no rig's and speaks of no lenses is that of a rectified pair.
    if (error.field() != "distortion") return {};
    throw Error(error.code(),
                fmt::format("{}; where the pictures are rectified already, say --no-rectify", error.what()),
                error.field());
  }
}

/// Of pictures that are rectified as the file tells.
Calibration told_geometry(const StereoRig& rig) {
  if (!rig.rectified)
    throw Error(
        ErrorCode::bad_data,
        "calibration: it holds no projections of rectified pictures (P1 P2), without which these have no depth: "
        "leave --no-rectify out, if they are raw");
  RectifiedRig told;
  told.projections = *rig.rectified;
  if (told.projections.size == Size{}) told.projections.size = rig.left.size;
  return rectified_geometry(told);
}

GreyPicture copy_of(const GreyPicture& picture) {
  GreyPicture copy;
  copy.depth = picture.depth;
  copy.max_value = picture.max_value;
  if (picture.depth == Depth::u8)
    copy.u8 = picture.u8.clone();
  else
    copy.u16 = picture.u16.clone();
  return copy;
}

/// Of one form, but for what whole px leave.
bool is_resized(Size size, Size from) {
  const std::int64_t apart = std::int64_t{size.width} * from.height - std::int64_t{size.height} * from.width;
  return std::abs(apart) <= std::max(from.width, from.height);
}

/// Pictures that were rectified and then made smaller have no calibration in the file of the raw ones.
void refuse_resized(const StereoRig& rig, Size size) {
  const Size camera = rig.left.size, rectified = rig.rectified ? rig.rectified->size : Size{};
  if (camera == Size{} || rectified == Size{} || is_resized(size, camera) || !is_resized(size, rectified)) return;
  const double scale = static_cast<double>(size.width) / rectified.width;
  const Matrix3x4 &p1 = rig.rectified->p1, &p2 = rig.rectified->p2;
  throw Error(
      ErrorCode::bad_data,
      fmt::format("the calibration is of raw pictures of {}x{}, which become {}x{} when they are rectified, and these "
                  "have {}x{}, as rectified ones have that were resized: give them in their own size, or, in place of "
                  "the file, --focal {:.6g} --baseline {:.6g}{}",
                  camera.width, camera.height, rectified.width, rectified.height, size.width, size.height,
                  scale * p1[0], (p1[3] - p2[3]) / p2[0],
                  p1[2] == p2[2] ? "" : fmt::format(" --doffs {:.6g}", scale * (p2[2] - p1[2]))));
}

}  // namespace

void add_rectification_options(Command command, RectificationArguments& arguments) {
  const char* const group = "Rectification (of raw pictures)";
  command
      .flag(
          "--rectify", arguments.on,
          "LEFT and RIGHT are raw: rectify them by --calibration; on by itself where that holds distortion, a rotation "
          "or no projections")
      .group(group);
  command.flag("--no-rectify", arguments.off, "LEFT and RIGHT are rectified already, whatever the calibration holds")
      .group(group);
  command
      .flag("--require-rectified", arguments.required,
            "A pair that is not rectified is an error, and not a warning: in the first frame and in every hundredth")
      .group(group);
  add_refine_option(command, arguments.refined, group);
  command
      .add("--alpha", arguments.alpha,
           "0: no pixel without source .. 1: no source pixel lost; -1: the cameras' focal length [-1, 0 .. 1; default: "
           "as the file tells, else -1]")
      .type("X")
      .group(group);
  add_rig_options(command, arguments.rig, group);
}

void Rectification::decide(const RectificationArguments& arguments, const std::vector<std::string>& files) {
  asked_ = arguments.on;
  if (arguments.on && arguments.off) throw UsageError("--rectify and --no-rectify are given: use one or the other");
  if (arguments.off && arguments.alpha) throw UsageError("--no-rectify leaves nothing to do for --alpha: leave it out");
  const bool refines = !arguments.refined.empty();
  const char* const about_files = arguments.on            ? "--rectify"
                                  : arguments.alpha       ? "--alpha"
                                  : arguments.rig.unit    ? "--unit"
                                  : arguments.rig.cameras ? "--cameras"
                                  : arguments.rig.fisheye ? "--fisheye"
                                  : refines               ? "--refine-calibration"
                                                          : nullptr;
  if (about_files != nullptr && files.empty())
    throw UsageError(fmt::format("{} needs --calibration FILE", about_files));
  if (arguments.alpha) options_.alpha = parse_alpha(*arguments.alpha);
  options_.along_rows = true;
  refined_outputs(arguments.refined);
  if (files.empty() || (arguments.off && !arguments.rig.given() && !refines)) return;
  file_ = refines ? read_rig(files, rig_read_options(arguments.rig)) : read_raw_rig(arguments, files);
  if (file_.rig == StereoRig{}) return;
  if (refines) refined_format(arguments.refined, file_.format);
  idle_unit_ = idle_unit_warning(arguments.rig, file_);
  if (!arguments.off) result_.reason = asked_ ? "--rectify" : reason_of(file_.rig);
  if (!arguments.off && !on() && arguments.alpha) result_.reason = "--alpha";
  if (!on() && refines) told_geometry(file_.rig);  // must tell its projections
  if (!on() && arguments.rig.given() && file_.format != RigFormat::middlebury) told_ = told_geometry(file_.rig);
}

std::vector<std::string> Rectification::prepare(const Device& device, const GreyPicture& raw) {
  const Size size = raw.size(), camera = file_.rig.left.size;
  const Size rectified = file_.rig.rectified ? file_.rig.rectified->size : Size{};
  if (!asked_ && rectified != Size{} && size == rectified && size != camera) {
    result_.reason.clear();
    told_ = told_geometry(file_.rig);
    return {};
  }
  if (!asked_) refuse_resized(file_.rig, size);
  options_.max_value = raw.max_value;
  rectifier_.emplace(device, fitted_rig(file_.rig, size), options_);
  result_.rig = rectifier_->rig();
  result_.source = size;
  rectified_geometry(result_.rig);  // refuses exchanged cameras before any work
  std::vector<std::string> doubts = doubts_of(file_, with_size(file_.rig, size));
  if (result_.rig.valid.empty())
    doubts.emplace_back(
        "no pixel has a source in both pictures: the cameras look past each other, or the calibration is another "
        "pair's");
  return doubts;
}

RectifiedRig Rectification::how() const {
  RectifiedRig before;
  before.projections = file_.rig.rectified.value_or(RigRectification{});
  return on() ? result_.rig : before;
}

RigCheckCamera Rectification::right_camera() const {
  const RigRectification& to = result_.rig.projections;
  return {to.size, to.p2[0], to.p2[2], to.p2[6]};
}

void Rectification::rectify(StereoFrame& frame) {
  const std::lock_guard lock(using_);
  for (GreyPicture* const picture : {&frame.left, &frame.right}) {
    const bool left = picture == &frame.left;
    const auto replace = [&](auto& pixels) {
      std::remove_reference_t<decltype(pixels)> out(rectifier_->size());
      if (left)
        rectifier_->rectify_left(pixels, out);
      else
        rectifier_->rectify_right(pixels, out);
      pixels = std::move(out);
    };
    if (picture->depth == Depth::u8)
      replace(picture->u8);
    else
      replace(picture->u16);
  }
}

void Rectification::apply(StereoFrame& frame) {
  if (first_raw_.left.size() == Size{}) {
    first_raw_.left = copy_of(frame.left);
    first_raw_.right = copy_of(frame.right);
  }
  const Stopwatch watch;
  rectify(frame);
  result_.ms += watch.ms();
}

StereoFrame Rectification::first_exchanged() {
  StereoFrame frame;
  frame.left = copy_of(first_raw_.right);
  frame.right = copy_of(first_raw_.left);
  rectify(frame);
  return frame;
}

}  // namespace vergence::cli
