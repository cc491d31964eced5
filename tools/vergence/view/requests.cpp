// SPDX-License-Identifier: Apache-2.0
// Reads requests of the page.
#include "view/requests.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/json_text.hpp"
#include "cli/printable.hpp"
#include "cli/text_file.hpp"
#include "vergence/error.hpp"

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

std::string word_of(const Json& parent, std::string_view name, std::string_view otherwise) {
  if (!parent.contains(name)) return std::string(otherwise);
  const Json& value = parent[name];
  if (!value.is_text() || value.text().size() > longest_name)
    refuse_request(fmt::format("has a '{}' that is no text of at most {} characters", name, longest_name));
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

/// What choice_of needs to know of a domain.
struct StereoWords {
  static StereoOptions preset(std::string_view name) { return stereo_preset(name).options; }
  static void set(StereoOptions& options, std::string_view name, std::string_view text) {
    stereo_set(options, name, text);
  }
};
struct MotionWords {
  static MotionOptions preset(std::string_view name) { return motion_preset(name).options; }
  static void set(MotionOptions& options, std::string_view name, std::string_view text) {
    motion_set(options, name, text);
  }
};
struct TrackWords {
  static TrackOptions preset(std::string_view name) { return track_preset(name).options; }
  static void set(TrackOptions& options, std::string_view name, std::string_view text) {
    track_set(options, name, text);
  }
};

template <class Words, class Settings>
void read_choice(const Json& parent, ViewChoice<Settings>& choice) {
  choice.device = word_of(parent, "device", choice.device);
  choice.preset = word_of(parent, "preset", choice.preset);
  Settings& settings = choice.settings;
  settings.options = Words::preset(choice.preset);
  if (!parent.contains("settings")) return;
  for (const JsonMember& member : object_of(parent, "settings").members()) {
    const std::string name = one_line(member.name.substr(0, longest_name));
    Words::set(settings.options, name, short_text(member.value));
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
}

}  // namespace

ViewRequest parse_view_request(std::string_view body, bool compares) {
  const Json json = object_in(body);
  ViewRequest request;
  std::set<std::string_view> known{"client", "serial", "frame", "report", "mask", "confidence"};
  if (compares) {
    known.insert({"a", "b"});
    for (const std::string_view name : {"a", "b"})
      refuse_unknown(object_of(json, name), {"device", "preset", "settings"});
    read_choice<StereoWords>(json["a"], request.match);
    read_choice<StereoWords>(json["b"], request.other);
  } else {
    known.insert({"device", "preset", "settings"});
    read_choice<StereoWords>(json, request.match);
  }
  refuse_unknown(json, known);
  read_caller(json, request);
  request.frame = whole_of(json, "frame");
  request.mask = switch_of(json, "mask");
  request.confidence = switch_of(json, "confidence");
  request.report = switch_of(json, "report");
  return request;
}

ViewMotionRequest parse_motion_request(std::string_view body) {
  const Json json = object_in(body);
  refuse_unknown(json, {"client", "serial", "frame", "device", "preset", "settings", "pictures"});
  ViewMotionRequest request;
  read_caller(json, request);
  read_choice<MotionWords>(json, request.choice);
  request.frame = whole_of(json, "frame");
  request.pictures = !json.contains("pictures") || switch_of(json, "pictures");
  return request;
}

ViewTrackRequest parse_track_request(std::string_view body) {
  const Json json = object_in(body);
  refuse_unknown(json, {"client", "serial", "frame", "device", "preset", "settings"});
  ViewTrackRequest request;
  read_caller(json, request);
  read_choice<TrackWords>(json, request.choice);
  request.frame = whole_of(json, "frame");
  return request;
}

}  // namespace vergence::cli
