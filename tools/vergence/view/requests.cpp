// SPDX-License-Identifier: Apache-2.0
// Reads requests of the page.
#include "view/requests.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/json_text.hpp"
#include "cli/printable.hpp"
#include "cli/text_file.hpp"
#include "vergence/error.hpp"
#include "view/domain.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t longest_name = 64;

[[noreturn]] void refuse_request(std::string_view why) {
  throw Error(ErrorCode::bad_data, one_line(fmt::format("the request {}", why)));
}

void refuse_unknown(const Json& object, const std::set<std::string_view>& known) {
  for (const JsonMember& member : object.members())
    if (!known.contains(member.name))
      refuse_request(fmt::format("has the unknown member '{}': known are {}", member.name.substr(0, longest_name),
                                 fmt::join(known, ", ")));
}

const Json& object_of(const Json& parent, std::string_view name) {
  const Json& value = parent[name];
  if (!value.is_object()) refuse_request(fmt::format("has no object '{}'", name));
  return value;
}

std::string word_of(const Json& parent, std::string_view name, std::string_view otherwise,
                    std::size_t longest = longest_name) {
  if (!parent.contains(name)) return std::string(otherwise);
  const Json& value = parent[name];
  if (!value.is_text() || value.text().size() > longest)
    refuse_request(fmt::format("has a '{}' that is no text of at most {} characters", name, longest));
  return value.text();
}

bool switch_of(const Json& parent, std::string_view name) {
  if (!parent.contains(name)) return false;
  if (!parent[name].is_boolean()) refuse_request(fmt::format("has a '{}' that is neither true nor false", name));
  return parent[name].boolean();
}

std::optional<std::int64_t> whole_of(const Json& parent, std::string_view name) {
  if (!parent.contains(name)) return std::nullopt;
  constexpr double most = 9007199254740992;  // what JavaScript's numbers hold
  const Json& value = parent[name];
  if (!value.is_integer() || value.number() < 0 || value.number() > most)
    refuse_request(fmt::format("has a '{}' that is no whole number from 0 on", name));
  return static_cast<std::int64_t>(value.number());
}

/// A setting as an option's text, short enough for a message.
std::string short_text(const Json& value) {
  std::string text = value.is_array() || value.is_object() ? text_of(value) : setting_text(value);
  if (text.size() > longest_name) text.replace(longest_name, std::string::npos, "...");
  return one_line(text);
}

template <class Settings>
void read_choice(const Json& parent, ViewChoice<Settings>& choice) {
  using Domain = ViewDomain<decltype(choice.settings.options)>;
  choice.device = word_of(parent, "device", choice.device);
  choice.preset = word_of(parent, "preset", choice.preset);
  Settings& settings = choice.settings;
  settings.options = Domain::preset(choice.preset);
  if (!parent.contains("settings")) return;
  for (const JsonMember& member : object_of(parent, "settings").members()) {
    const std::string name = one_line(member.name.substr(0, longest_name));
    Domain::set(settings.options, name, short_text(member.value));
    settings.given.insert(name);
  }
  settings.depth_given = settings.given.contains("pixel-depth");
  settings.max_value_given = settings.given.contains("max-value");
}

Json object_in(std::string_view body) {
  Json json = parse_json(body, "send an object, as docs/view.md says", refuse_request);
  if (!json.is_object()) refuse_request("is no JSON object: send one, as docs/view.md says");
  return json;
}

void read_caller(const Json& json, ViewCaller& caller) {
  caller.client = word_of(json, "client", "");
  caller.serial = static_cast<std::uint64_t>(whole_of(json, "serial").value_or(0));
  caller.frame = whole_of(json, "frame");
}

/// Of comparisons the choices "a" and "b", else one choice beside the other members, which `known` names.
template <class Settings>
void read_choices(const Json& json, std::set<std::string_view> known, bool compares, ViewChoice<Settings>& one,
                  ViewChoice<Settings>& other) {
  if (!compares) {
    known.insert({"device", "preset", "settings"});
    refuse_unknown(json, known);
    return read_choice(json, one);
  }
  known.insert({"a", "b"});
  refuse_unknown(json, known);
  for (const std::string_view name : {"a", "b"})
    refuse_unknown(object_of(json, name), {"device", "preset", "settings"});
  read_choice(json["a"], one);
  read_choice(json["b"], other);
}

}  // namespace

ViewRequest parse_view_request(std::string_view body, bool compares) {
  const Json json = object_in(body);
  ViewRequest request;
  std::set<std::string_view> known{"client", "serial", "frame", "report", "mask", "confidence"};
  if (!compares) known.insert("every");
  read_choices(json, std::move(known), compares, request.match, request.other);
  read_caller(json, request);
  request.mask = switch_of(json, "mask");
  request.confidence = switch_of(json, "confidence");
  request.report = switch_of(json, "report");
  constexpr std::int64_t most_every = 64;
  const std::int64_t every = whole_of(json, "every").value_or(1);
  if (every < 1 || every > most_every)
    refuse_request(fmt::format("has the member 'every' {}: give 1 to {}", every, most_every));
  request.every = static_cast<int>(every);
  return request;
}

ViewOpenRequest parse_open_request(std::string_view body) {
  constexpr std::size_t longest_path = 1024;
  const Json json = object_in(body);
  refuse_unknown(json, {"left", "right", "frames", "truth", "truth-scale", "calibration", "flow"});
  const auto path = [&json](std::string_view name) { return word_of(json, name, "", longest_path); };
  ViewOpenRequest request;
  request.left = path("left");
  request.right = path("right");
  request.frames = word_of(json, "frames", "");
  request.truth = path("truth");
  request.truth_scale = word_of(json, "truth-scale", "");
  request.calibration = path("calibration");
  request.flow = path("flow");
  if (request.left.empty()) refuse_request("names no 'left': give the left picture, or a video");
  return request;
}

ViewMotionRequest parse_motion_request(std::string_view body, bool compares) {
  const Json json = object_in(body);
  ViewMotionRequest request;
  read_choices(json, {"client", "serial", "frame", "pictures"}, compares, request.choice, request.other);
  read_caller(json, request);
  request.pictures = !json.contains("pictures") || switch_of(json, "pictures");
  return request;
}

ViewTrackRequest parse_track_request(std::string_view body, bool compares) {
  const Json json = object_in(body);
  ViewTrackRequest request;
  read_choices(json, {"client", "serial", "frame"}, compares, request.choice, request.other);
  read_caller(json, request);
  return request;
}

}  // namespace vergence::cli
