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

std::string motion_words(const ViewField& field) {
  const MotionOptions& preset = motion_preset(field.preset).options;
  return settings_words(
             field.preset, motion_fields(), [&](const Field& one) { return motion_get(preset, one.name); },
             [&](const Field& one) { return motion_get(field.asked, one.name); }) +
         (field.device == "cpu" ? "" : " --device " + field.device);
}

}  // namespace

std::shared_ptr<const ViewField> ViewMotion::search(const ViewMotionRequest& request) {
  Stopwatch watch;
  const std::int64_t first = work_.scene.first_frame();
  const std::int64_t number = request.frame.value_or(first + 1);
  if (number == first)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("frame {} is the first one: motion needs a frame before it", number), "frame");
  const auto before = work_.scene.frame(number - 1);
  const auto now = work_.scene.frame(number);
  const GreyPicture& current = now->pair.left;
  MotionSettings settings = request.choice.settings;
  adopt_motion_depth(settings, current.depth, current.max_value, work_.scene.name());
  limit_motion_range(settings, current.size());
  MotionWants wants;
  wants.independent = independent;
  work_.clients.check(request);
  ViewDevice& device = work_.devices.open(request.choice.device);
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
  if (request.pictures) add_pictures(current, field->found.prediction->luma, *field);
  MotionHash hash;
  hash.add(field->found.fields.front().vectors.view(), field->found.fields.front().cost.view());
  field->hash = hash.value();
  field->device = device.device.name();
  field->preset = request.choice.preset;
  field->asked = settings.options;
  return field;
}

Json motion_start_json(const ViewFrame& frame) {
  MotionSettings settings;
  adopt_motion_depth(settings, frame.pair.left.depth, frame.pair.left.max_value, "the scene");
  limit_motion_range(settings, frame.pair.left.size());
  return Json{{"preset", "default"}, {"settings", motion_settings_json(settings.options)}};
}

HttpResponse motion_response(const std::shared_ptr<const ViewField>& field, const ViewScene& scene) {
  const FieldReport& report = field->found.report;
  const BlockField& blocks = field->found.fields.front();
  Json json{{"device", field->device}, {"preset", field->preset}, {"frame", report.frame}};
  json["settings"] = motion_settings_json(field->asked);
  json["block"] = size_json(blocks.block);
  json["grid"] = size_json(blocks.vectors.size());
  json["ms"] = Json{{"wait", json_number(field->wait_ms, 3)}, {"search", json_number(field->search_ms, 3)}};
  json["cost"] = report.cost;
  json["residue"] = report.score.residue;
  json["psnr"] = json_number(report.score.psnr, 4);
  json["entropy"] = json_number(report.entropy, 4);
  const auto count = static_cast<double>(blocks.vectors.width()) * blocks.vectors.height();
  json["bits"] = std::llround(report.entropy * count);
  json["scene_cut"] = report.cut;
  json["hash"] = hash_text(field->hash);
  const std::string command = scene.video_command("motion", report.frame - 1, report.frame);
  json["command"] = command.empty() ? "" : command + motion_words(*field);
  // dx and dy take turns.
  const ImageView<const MotionVector> vectors = blocks.vectors.view();
  const auto numbers = std::make_shared<Image<std::int16_t>>(2 * vectors.width(), vectors.height());
  for (int y = 0; y < vectors.height(); ++y)
    for (int x = 0; x < vectors.width(); ++x) {
      (*numbers)(2 * x, y) = vectors(x, y).dx;
      (*numbers)(2 * x + 1, y) = vectors(x, y).dy;
    }
  Packet packet;
  packet.add("vectors", std::as_const(*numbers).view(), numbers);
  if (!field->predicted.empty()) {
    packet.add("predicted", field->predicted.view(), field);
    packet.add("difference", field->residue.view(), field);
  }
  return packet.response(std::move(json));
}

}  // namespace vergence::cli
