// SPDX-License-Identifier: Apache-2.0
// The library's own tables as JSON: fields, presets, devices.
#include "motion/settings.hpp"
#include "stereo/settings.hpp"
#include "track/settings.hpp"
#include "vergence/device.hpp"
#include "view/answers.hpp"

namespace vergence::cli {
namespace {

std::string_view kind_word(FieldKind kind) {
  switch (kind) {
    case FieldKind::integer:
      return "integer";
    case FieldKind::real:
      return "real";
    case FieldKind::choice:
      return "choice";
    case FieldKind::boolean:
      return "boolean";
    case FieldKind::size:
      return "size";
    case FieldKind::range:
      return "range";
    case FieldKind::rectangle:
      return "rectangle";
  }
  return "";
}

std::string_view bound_word(FieldBound bound) {
  switch (bound) {
    case FieldBound::none:
      return "none";
    case FieldBound::picture_width:
      return "picture-width";
    case FieldBound::picture_size:
      return "picture-size";
    case FieldBound::below_picture:
      return "below-picture";
    case FieldBound::inside:
      return "inside";
    case FieldBound::pixel_depth:
      return "pixel-depth";
  }
  return "";
}

Json field_json(const Field& field) {
  Json choices = Json::array(), also = Json::array();
  for (const std::string_view word : field.choices) choices.push_back(word);
  for (const int number : field.also) also.push_back(number);
  Json json{{"name", field.name}, {"kind", kind_word(field.kind)}, {"group", field.group}, {"help", field.help}};
  json["unit"] = field.unit;
  json["default"] = setting_json(field, std::string(field.default_value));
  json["allowed"] = field.range;
  json["form"] = field.form;
  json["choices"] = std::move(choices);
  json["least"] = field.least;
  json["most"] = field.most;
  json["below_most"] = field.below_most;
  json["step"] = field.step;
  json["also"] = std::move(also);
  json["square"] = field.square;
  json["bound"] = bound_word(field.bound);
  json["special"] =
      field.special.meaning.empty() ? Json() : Json{{"value", field.special.value}, {"meaning", field.special.meaning}};
  return json;
}

template <class Presets, class SettingsJson>
Json domain_json(std::span<const Field> fields, const Presets& presets, const SettingsJson& settings_json) {
  Json json{{"fields", Json::array()}, {"presets", Json::array()}};
  for (const Field& field : fields) json["fields"].push_back(field_json(field));
  for (const auto& preset : presets)
    json["presets"].push_back(
        Json{{"name", preset.name}, {"summary", preset.summary}, {"settings", settings_json(preset.options)}});
  return json;
}

}  // namespace

Json view_fields_json() {
  return Json{{"stereo", domain_json(stereo_fields(), stereo_presets(), stereo_settings_json)},
              {"motion", domain_json(motion_fields(), motion_presets(), motion_settings_json)},
              {"track", domain_json(track_fields(), track_presets(), track_settings_json)}};
}

Json view_devices_json() {
  Json list = Json::array();
  for (const DeviceInfo& device : Device::list())
    list.push_back(Json{{"name", device.name},
                        {"kind", device.kind},
                        {"description", device.description},
                        {"available", device.available},
                        {"reason", device.reason}});
  return Json{{"devices", std::move(list)}};
}

}  // namespace vergence::cli
