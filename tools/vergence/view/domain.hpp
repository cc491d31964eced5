// SPDX-License-Identifier: Apache-2.0
// What the page's requests and command lines need to know of stereo, motion and tracks alike.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {

/// The library's own table of a domain, by its options.
template <class Options>
struct ViewDomain;

template <>
struct ViewDomain<StereoOptions> {
  /// Always told in command lines: a calibration may tell another number than the preset.
  static constexpr std::string_view always = "disparities";
  static std::span<const Field> fields() { return stereo_fields(); }
  static const StereoOptions& preset(std::string_view name) { return stereo_preset(name).options; }
  static std::string get(const StereoOptions& options, std::string_view name) { return stereo_get(options, name); }
  static void set(StereoOptions& options, std::string_view name, std::string_view text) {
    stereo_set(options, name, text);
  }
};

template <>
struct ViewDomain<MotionOptions> {
  static constexpr std::string_view always = "";
  static std::span<const Field> fields() { return motion_fields(); }
  static const MotionOptions& preset(std::string_view name) { return motion_preset(name).options; }
  static std::string get(const MotionOptions& options, std::string_view name) { return motion_get(options, name); }
  static void set(MotionOptions& options, std::string_view name, std::string_view text) {
    motion_set(options, name, text);
  }
};

template <>
struct ViewDomain<TrackOptions> {
  static constexpr std::string_view always = "";
  static std::span<const Field> fields() { return track_fields(); }
  static const TrackOptions& preset(std::string_view name) { return track_preset(name).options; }
  static std::string get(const TrackOptions& options, std::string_view name) { return track_get(options, name); }
  static void set(TrackOptions& options, std::string_view name, std::string_view text) {
    track_set(options, name, text);
  }
};

/// The options of a command line that make of the preset what was asked for, and the device, each with a blank before
/// it. Fields that follow from the pictures are left out.
template <class Options>
std::string options_words(const std::string& preset, const Options& asked, const std::string& device) {
  using Domain = ViewDomain<Options>;
  std::string text = preset == "default" ? "" : fmt::format(" --preset {}", preset);
  const Options& plain = Domain::preset(preset);
  for (const Field& field : Domain::fields()) {
    if (field.bound == FieldBound::pixel_depth) continue;
    const std::string word = Domain::get(asked, field.name);
    if (field.name != Domain::always && word == Domain::get(plain, field.name)) continue;
    text += fmt::format(" --{}{}{}", field.name, word.starts_with('-') ? "=" : " ", word);
  }
  return device == "cpu" ? text : text + " --device " + device;
}

}  // namespace vergence::cli
