// SPDX-License-Identifier: Apache-2.0
// What the server answers, as JSON and as packets of JSON and maps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/json.hpp"
#include "view/http.hpp"
#include "view/matching.hpp"
#include "view/scene.hpp"

namespace vergence::cli {

HttpResponse json_response(const Json& json);

/// Fields and presets of stereo, motion and track: GET /api/fields.
Json view_fields_json();
/// GET /api/devices.
Json view_devices_json();
/// What the page begins with.
struct ViewStart {
  std::string device, preset;
  StereoOptions options;
  std::vector<std::string> warnings;  ///< Of the scene and of the settings, in lines for the user.
};
Json warnings_json(const ViewStart& start);
/// GET /api/scene.
Json view_scene_json(const ViewScene& scene, const ViewFrame& frame, const ViewStart& start);

/// Adds hash, density and scores.
void add_report_members(Json& json, const ViewReport& report);
/// What a match says besides its maps: device, settings, times, command line, invalid value.
Json maps_json(const ViewMaps& maps, const ViewScene& scene);

/// The rows of an array in memory; sizes in bytes.
struct PacketRows {
  const std::byte* data;
  std::size_t height, row_bytes, stride;
};

template <class T>
constexpr const char* packet_type = nullptr;
template <>
inline constexpr const char* packet_type<std::int16_t> = "int16";
template <>
inline constexpr const char* packet_type<std::int32_t> = "int32";
template <>
inline constexpr const char* packet_type<std::uint8_t> = "uint8";
template <>
inline constexpr const char* packet_type<float> = "float32";
template <>
inline constexpr const char* packet_type<Rgb> = "rgb8";

/// A packet: 4 bytes length of the JSON, little endian; the JSON, with blanks behind it up to a multiple of 8 bytes;
/// the arrays, rows without gaps, each with zeros up to a multiple of 8 bytes. The JSON has a member "arrays": name,
/// type (packet_type), offset behind the JSON, bytes.
class Packet {
 public:
  /// `owner` keeps the array alive; nothing is copied.
  template <class T>
  void add(const std::string& name, ImageView<const T> array, std::shared_ptr<const void> owner) {
    static_assert(packet_type<T> != nullptr);
    add_rows(name, packet_type<T>,
             {reinterpret_cast<const std::byte*>(array.data()), static_cast<std::size_t>(array.height()),
              sizeof(T) * static_cast<std::size_t>(array.width()), static_cast<std::size_t>(array.stride())},
             std::move(owner));
  }
  /// Of all that was added.
  HttpResponse response(Json json);

 private:
  void add_rows(const std::string& name, const char* type, const PacketRows& rows, std::shared_ptr<const void> owner);

  std::size_t offset_ = 0;
  Json::Array arrays_;
  std::vector<std::span<const std::byte>> pieces_;
  std::vector<std::shared_ptr<const void>> owners_;
};

/// The maps that there are: "disparity" with `prefix`, "mask", "confidence"; of them each `every`-th pixel of each
/// `every`-th row, from the first on.
void add_maps(Packet& packet, const std::string& prefix, const std::shared_ptr<const ViewMaps>& maps, int every = 1);

}  // namespace vergence::cli
