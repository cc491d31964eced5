// SPDX-License-Identifier: Apache-2.0
// Motion for the page.
#include "view/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "cli/hash.hpp"
#include "cli/stopwatch.hpp"
#include "view/differing_bytes.hpp"
#include "view/domain.hpp"

namespace vergence::cli {
namespace {

/// Each field by itself: what it is does not depend on which frames the page showed before.
constexpr bool independent = true;

YuvFrame luma_frame(const GreyPicture& picture) {
  YuvFrame frame;
  frame.luma.depth = picture.depth;
  frame.luma.max_value = picture.max_value;
  frame.luma.u8 = picture.u8.clone();
  frame.luma.u16 = picture.u16.clone();
  return frame;
}

/// In 1/255 of the largest value.
int eighth(const GreyPicture& picture, int x, int y) {
  return picture.depth == Depth::u8 ? picture.u8(x, y) : picture.u16(x, y) * 255 / picture.max_value;
}

void add_pictures(const GreyPicture& current, const GreyPicture& predicted, ViewField& field) {
  field.predicted = Image<std::uint8_t>(current.size());
  field.residue = Image<std::uint8_t>(current.size());
  for (int y = 0; y < current.height(); ++y)
    for (int x = 0; x < current.width(); ++x) {
      const int guess = std::min(eighth(predicted, x, y), 255);
      field.predicted(x, y) = static_cast<std::uint8_t>(guess);
      field.residue(x, y) = static_cast<std::uint8_t>(std::min(std::abs(eighth(current, x, y) - guess), 255));
    }
}

Json size_json(Size size) { return Json{{"width", size.width}, {"height", size.height}}; }

/// Mean distance, px, of pixels of the frame before whose flow is known and ends in this frame, from where the block at
/// that end says that they were. Nothing where there is none.
std::optional<double> end_point_error(const BlockField& field, ImageView<const FlowVector> flow) {
  double sum = 0;
  std::int64_t pixels = 0;
  for (int y = 0; y < flow.height(); ++y)
    for (int x = 0; x < flow.width(); ++x) {
      const FlowVector to = flow(x, y);
      if (!is_known(to)) continue;
      const double column = std::round(x + double{to.u}), row = std::round(y + double{to.v});
      if (column < 0 || row < 0 || column >= flow.width() || row >= flow.height()) continue;
      const MotionVector back =
          field.vectors(static_cast<int>(column) / field.block.width, static_cast<int>(row) / field.block.height);
      sum += std::hypot(back.dx / 4.0 + double{to.u}, back.dy / 4.0 + double{to.v});
      ++pixels;
    }
  return pixels > 0 ? std::optional(sum / static_cast<double>(pixels)) : std::nullopt;
}

/// Motion needs a frame before it.
void refuse_first(ViewScene& scene, std::int64_t number) {
  if (scene.is_live() ? !scene.before(number).empty() : number != scene.first_frame()) return;
  scene.frame(number);  // of a live source it may be gone, which this says
  throw Error(ErrorCode::invalid_argument,
              fmt::format("frame {} is the first one: motion needs a frame before it", number), "frame");
}

}  // namespace

std::shared_ptr<const ViewField> ViewMotion::search(const ViewMotionRequest& request,
                                                    const ViewChoice<MotionSettings>& what) {
  Stopwatch watch;
  const std::int64_t number = request.frame.value_or(work_.scene.first_frame() + 1);
  refuse_first(work_.scene, number);
  const auto before = work_.scene.frame(number - 1);
  const auto now = work_.scene.frame(number);
  const GreyPicture& current = now->pair.left;
  MotionSettings settings = what.settings;
  adopt_motion_depth(settings, current.depth, current.max_value, work_.scene.name());
  limit_motion_range(settings, current.size());
  MotionWants wants;
  wants.independent = independent;
  work_.clients.check(request);
  ViewDevice& device = work_.devices.open(what.device);
  const std::lock_guard lock(device.mutex);
  work_.clients.check(request);
  auto field = std::make_shared<ViewField>();
  field->wait_ms = watch.lap();
  MotionLane& lane = lanes_.get(device, current.size(), settings.options, [&] {
    return std::make_unique<MotionLane>(device.device, current.size(), settings.options, wants);
  });
  field->found = make_found(current.size(), settings.options, wants);
  watch.lap();
  lane.search(current, before->pair.left, field->found);
  field->search_ms = watch.lap();
  work_.clients.check(request);
  lane.finish(number, luma_frame(current), luma_frame(before->pair.left), field->found);
  lane.score(luma_frame(current), field->found);
  if (request.pictures) add_pictures(current, field->found.prediction->luma, *field);
  MotionHash hash;
  hash.add(field->found.fields.front().vectors.view(), field->found.fields.front().cost.view());
  field->hash = hash.value();
  if (!before->flow.empty()) field->epe = end_point_error(field->found.fields.front(), before->flow.view());
  field->frame_size = current.size();
  field->device = device.device.name();
  field->preset = what.preset;
  field->asked = settings.options;
  return field;
}

Json motion_start_json(const ViewFrame& frame) {
  MotionSettings settings;
  adopt_motion_depth(settings, frame.pair.left.depth, frame.pair.left.max_value, "the scene");
  limit_motion_range(settings, frame.pair.left.size());
  return Json{{"preset", "default"}, {"settings", motion_settings_json(settings.options)}};
}

FieldDifference difference_of(const ViewField& a, const ViewField& b) {
  const BlockField &one = a.found.fields.front(), &other = b.found.fields.front();
  FieldDifference difference;
  const Size size = a.frame_size;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      if (one.vectors(x / one.block.width, y / one.block.height) !=
          other.vectors(x / other.block.width, y / other.block.height))
        ++difference.pixels;
  if (one.block != other.block) return difference;
  std::int64_t bytes = 0;
  for (int y = 0; y < one.vectors.height(); ++y)
    for (int x = 0; x < one.vectors.width(); ++x) {
      const MotionVector from = one.vectors(x, y), to = other.vectors(x, y);
      bytes += differing_bytes(from.dx, to.dx) + differing_bytes(from.dy, to.dy) +
               differing_bytes(one.cost(x, y), other.cost(x, y));
    }
  difference.bytes = bytes;
  return difference;
}

Json motion_json(const ViewField& field, const ViewScene& scene) {
  const FieldReport& report = field.found.report;
  const BlockField& blocks = field.found.fields.front();
  Json json{{"device", field.device}, {"preset", field.preset}, {"frame", report.frame}};
  json["settings"] = motion_settings_json(field.asked);
  json["block"] = size_json(blocks.block);
  json["grid"] = size_json(blocks.vectors.size());
  json["ms"] = Json{{"wait", json_number(field.wait_ms, 3)}, {"search", json_number(field.search_ms, 3)}};
  json["cost"] = report.cost;
  json["residue"] = report.score.residue;
  json["psnr"] = json_number(report.score.psnr, 4);
  json["epe"] = field.epe ? json_number(*field.epe, 4) : Json();
  json["entropy"] = json_number(report.entropy, 4);
  const auto count = static_cast<double>(blocks.vectors.width()) * blocks.vectors.height();
  json["bits"] = std::llround(report.entropy * count);
  json["scene_cut"] = report.cut;
  json["hash"] = hash_text(field.hash);
  const std::string command = scene.video_command("motion", report.frame - 1, report.frame);
  json["command"] = command.empty() ? "" : command + options_words(field.preset, field.asked, field.device);
  return json;
}

void add_field(Packet& packet, const std::string& prefix, const std::shared_ptr<const ViewField>& field) {
  // dx and dy take turns.
  const ImageView<const MotionVector> vectors = field->found.fields.front().vectors.view();
  const auto numbers = std::make_shared<Image<std::int16_t>>(2 * vectors.width(), vectors.height());
  for (int y = 0; y < vectors.height(); ++y)
    for (int x = 0; x < vectors.width(); ++x) {
      (*numbers)(2 * x, y) = vectors(x, y).dx;
      (*numbers)(2 * x + 1, y) = vectors(x, y).dy;
    }
  packet.add(prefix + "vectors", std::as_const(*numbers).view(), numbers);
  if (field->predicted.empty()) return;
  packet.add(prefix + "predicted", field->predicted.view(), field);
  packet.add(prefix + "difference", field->residue.view(), field);
}

}  // namespace vergence::cli
