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

ViewMatch match_of(const Json& parent) {
  ViewMatch match;
  match.device = word_of(parent, "device", match.device);
  match.preset = word_of(parent, "preset", match.preset);
  match.settings.options = stereo_preset(match.preset).options;
  if (!parent.contains("settings")) return match;
  for (const JsonMember& member : object_of(parent, "settings").members()) {
    const std::string name = one_line(member.name.substr(0, longest_name));
    stereo_set(match.settings.options, name, short_text(member.value));
    match.settings.given.insert(name);
  }
  match.settings.depth_given = match.settings.given.contains("pixel-depth");
  match.settings.max_value_given = match.settings.given.contains("max-value");
  return match;
}

}  // namespace

ViewRequest parse_view_request(std::string_view body, bool compares) {
  const Json json = parse_json(body, "send an object, as docs/view.md says", refuse_request);
  if (!json.is_object()) refuse_request("is no JSON object: send one, as docs/view.md says");
  ViewRequest request;
  std::set<std::string_view> known{"client", "serial", "frame", "report", "mask", "confidence"};
  if (compares) {
    known.insert({"a", "b"});
    for (const std::string_view name : {"a", "b"})
      refuse_unknown(object_of(json, name), {"device", "preset", "settings"});
    request.match = match_of(json["a"]);
    request.other = match_of(json["b"]);
  } else {
    known.insert({"device", "preset", "settings"});
    request.match = match_of(json);
  }
  refuse_unknown(json, known);
  request.client = word_of(json, "client", "");
  request.serial = static_cast<std::uint64_t>(whole_of(json, "serial").value_or(0));
  request.frame = whole_of(json, "frame");
  request.mask = switch_of(json, "mask");
  request.confidence = switch_of(json, "confidence");
  request.report = switch_of(json, "report");
  return request;
}

}  // namespace vergence::cli
