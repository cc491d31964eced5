// SPDX-License-Identifier: Apache-2.0
// Packets, and the JSON of matches and of the scene.
#include "view/answers.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "stereo/settings.hpp"
#include "vergence/version.hpp"
#include "view/domain.hpp"
#include "view/motion.hpp"
#include "view/tracks.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t packet_alignment = 8;
std::size_t padding(std::size_t bytes) { return (packet_alignment - bytes % packet_alignment) % packet_alignment; }

constexpr std::array<std::byte, packet_alignment> zeros{};

Json geometry_json(const Calibration& calibration) {
  return Json{{"focal_px", calibration.focal_px},
              {"baseline_m", calibration.baseline_m},
              {"offset_px", calibration.offset_px},
              {"center_x", calibration.center_x},
              {"center_y", calibration.center_y}};
}

/// The colours of maps, as the program's pictures have them.
Json scale_json() {
  constexpr int steps = 255;
  Json scale = Json::array();
  for (int i = 0; i <= steps; ++i) {
    const Rgb colour = scale_colour(static_cast<double>(i) / steps);
    scale.push_back(Json::array({colour.r, colour.g, colour.b}));
  }
  return scale;
}

template <class T>
void add_sampled(Packet& packet, const std::string& name, ImageView<const T> map, std::shared_ptr<const void> owner,
                 int every) {
  if (every == 1) return packet.add(name, map, std::move(owner));
  const auto parts = [every](int length) { return (length + every - 1) / every; };
  auto sampled = std::make_shared<Image<T>>(parts(map.width()), parts(map.height()));
  for (int y = 0; y < sampled->height(); ++y)
    for (int x = 0; x < sampled->width(); ++x) (*sampled)(x, y) = map(x * every, y * every);
  packet.add(name, std::as_const(*sampled).view(), sampled);
}

}  // namespace

HttpResponse json_response(const Json& json) { return text_response(200, "application/json", json.dump()); }

Json warnings_json(const ViewStart& start) {
  Json lines = Json::array();
  for (const std::string& line : start.warnings) lines.push_back(line);
  return lines;
}

Json view_scene_json(const ViewScene& scene, const ViewFrame& frame, const ViewStart& start) {
  const GreyPicture& left = frame.pair.left;
  Json json{{"vergence", VERGENCE_VERSION}, {"name", scene.name()}};
  json["first_frame"] = frame.pair.index;
  json["frames"] = scene.frames();
  json["size"] = Json{{"width", left.width()}, {"height", left.height()}};
  json["pixels"] = pixels_json(left.depth, left.max_value);
  json["truth"] = !frame.truth.empty();
  const auto geometry = scene.geometry();
  json["geometry"] = geometry ? geometry_json(*geometry) : Json();
  json["pair"] = scene.is_pair();
  json["live"] = scene.is_live();
  const bool moves = scene.is_live() || scene.frames() > 1;
  json["motion"] = moves ? motion_start_json(frame) : Json();
  json["track"] = moves ? track_start_json(frame) : Json();
  json["warnings"] = warnings_json(start);
  json["device"] = start.device;
  json["preset"] = start.preset;
  json["settings"] = stereo_settings_json(start.options);
  json["scale"] = scale_json();
  return json;
}

void add_report_members(Json& json, const ViewReport& report) {
  json["hash"] = hash_text(report.hash);
  json["density"] = json_number(report.density, 4);
  json["scores"] = report.scores ? scores_json(*report.scores) : Json();
  json["ms"]["report"] = json_number(report.ms, 3);
}

Json maps_json(const ViewMaps& maps, const ViewScene& scene) {
  Json json{{"device", maps.device}, {"preset", maps.preset}};
  json["frame"] = maps.frame->pair.index;
  json["settings"] = stereo_settings_json(maps.options);
  json["invalid"] = maps.invalid;
  json["ms"] = Json{{"wait", json_number(maps.wait_ms, 3)},
                    {"prepare", json_number(maps.prepare_ms, 3)},
                    {"match", json_number(maps.match_ms, 3)}};
  std::string command = scene.command(maps.frame->pair.index);
  if (!scene.is_live())  // whose frames no command gives again
    command += options_words(maps.preset, maps.asked, maps.device);
  json["command"] = std::move(command);
  return json;
}

void Packet::add_rows(const std::string& name, const char* type, const PacketRows& rows,
                      std::shared_ptr<const void> owner) {
  const std::size_t bytes = rows.row_bytes * rows.height;
  arrays_.push_back(Json{{"name", name}, {"type", type}, {"offset", offset_}, {"bytes", bytes}});
  if (rows.stride == rows.row_bytes) {
    pieces_.emplace_back(rows.data, bytes);
  } else {
    for (std::size_t y = 0; y < rows.height; ++y) pieces_.emplace_back(rows.data + y * rows.stride, rows.row_bytes);
  }
  pieces_.emplace_back(zeros.data(), padding(bytes));
  offset_ += bytes + padding(bytes);
  owners_.push_back(std::move(owner));
}

HttpResponse Packet::response(Json json) {
  struct Held {
    std::string head;
    std::vector<std::shared_ptr<const void>> owners;
  };
  json["arrays"] = std::move(arrays_);
  std::string text = json.dump();
  text.append(padding(text.size() + 4), ' ');
  auto held = std::make_shared<Held>();
  for (int byte = 0; byte < 4; ++byte) held->head.push_back(static_cast<char>(text.size() >> (8 * byte) & 255u));
  held->head += text;
  held->owners = std::move(owners_);
  HttpResponse response;
  response.type = "application/octet-stream";
  response.pieces.push_back(std::as_bytes(std::span(std::as_const(held->head))));
  response.pieces.insert(response.pieces.end(), pieces_.begin(), pieces_.end());
  response.owner = std::move(held);
  return response;
}

void add_maps(Packet& packet, const std::string& prefix, const std::shared_ptr<const ViewMaps>& maps, int every) {
  const StereoMaps& from = *maps->maps;
  if (from.wide)
    add_sampled(packet, prefix + "disparity", from.wide_map.view(), maps, every);
  else
    add_sampled(packet, prefix + "disparity", from.narrow.view(), maps, every);
  if (!from.mask.empty()) add_sampled(packet, prefix + "mask", from.mask.view(), maps, every);
  if (!from.confidence.empty()) add_sampled(packet, prefix + "confidence", from.confidence.view(), maps, every);
}

}  // namespace vergence::cli
