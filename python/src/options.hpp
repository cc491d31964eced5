// SPDX-License-Identifier: Apache-2.0
// Options as keywords, all from the library's tables of fields: names, forms, documentation, signatures; and the
// library's objects, which are made with them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "arrays.hpp"
#include "device.hpp"
#include "errors.hpp"
#include "process.hpp"
#include "vergence/error.hpp"
#include "vergence/field.hpp"
#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"
#include "vergence/track.hpp"

namespace vergence::python {

/// A domain's table and presets, under the same names for all.
struct StereoDomain {
  using Options = StereoOptions;
  static constexpr const char* name = "stereo";
  static auto fields() { return stereo_fields(); }
  static auto presets() { return stereo_presets(); }
  static const Options& preset(std::string_view preset) { return stereo_preset(preset).options; }
  static std::string get(const Options& options, std::string_view field) { return stereo_get(options, field); }
  static void set(Options& options, std::string_view field, std::string_view text) { stereo_set(options, field, text); }
};
struct MotionDomain {
  using Options = MotionOptions;
  static constexpr const char* name = "motion";
  static auto fields() { return motion_fields(); }
  static auto presets() { return motion_presets(); }
  static const Options& preset(std::string_view preset) { return motion_preset(preset).options; }
  static std::string get(const Options& options, std::string_view field) { return motion_get(options, field); }
  static void set(Options& options, std::string_view field, std::string_view text) { motion_set(options, field, text); }
};
struct TrackDomain {
  using Options = TrackOptions;
  static constexpr const char* name = "track";
  static auto fields() { return track_fields(); }
  static auto presets() { return track_presets(); }
  static const Options& preset(std::string_view preset) { return track_preset(preset).options; }
  static std::string get(const Options& options, std::string_view field) { return track_get(options, field); }
  static void set(Options& options, std::string_view field, std::string_view text) { track_set(options, field, text); }
};

/// "min-disparity" as a keyword: "min_disparity"; a keyword of Python's gets a last underscore: "lambda_".
std::string keyword_of(std::string_view field);
/// The field that a keyword names, or the keyword with hyphens where there is none.
std::string field_of(std::string_view keyword);
/// The text form of a Python value. Throws WrongType where it is not of the field's kind.
std::string text_of_value(const Field& field, nb::handle value);
/// The Python value of a text form.
nb::object value_of_text(const Field& field, std::string_view text);

/// The signature of a class's __init__: device, size, preset, keywords of its `own` ("mask: numpy.ndarray, "), options.
enum class Presets { some, none };
std::string init_signature(std::span<const Field> fields, const char* own = "", Presets presets = Presets::some);
/// What a class is for, and all that __init__ takes; `domain` is that of the presets, "" where it has none.
std::string class_docstring(const char* purpose, const char* domain, std::span<const Field> fields,
                            const char* own = "");

[[noreturn]] void refuse_keyword(const Error& error);
/// Says how Python gave a value whose text form has another order: "640x480" is size=(480, 640).
[[noreturn]] void refuse_options(const Error& error, std::span<const Field> fields, const nb::kwargs& keywords);

/// Options changed by keywords.
template <class Domain>
typename Domain::Options changed(typename Domain::Options options, const nb::kwargs& keywords) {
  for (const auto& [key, value] : keywords) {
    const std::string name = field_of(nb::cast<std::string>(key));
    std::string text;
    for (const Field& field : Domain::fields())
      if (field.name == name) text = text_of_value(field, value);
    try {
      Domain::set(options, name, text);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::not_found) refuse_keyword(error);
      throw;
    }
  }
  return options;
}
/// The options of a preset, changed by keywords.
template <class Domain>
typename Domain::Options options_from(const std::string& preset, const nb::kwargs& keywords) {
  return changed<Domain>(Domain::preset(preset), keywords);
}

/// What every class of a domain is made with.
template <class Domain>
struct Settings {
  Device device;
  Size size;
  typename Domain::Options options;
};
template <class Domain>
Settings<Domain> settings_of(nb::handle device, nb::handle size, const std::string& preset,
                             const nb::kwargs& keywords) {
  const Size pixels = to_size(size, "size");
  const typename Domain::Options options = options_from<Domain>(preset, keywords);
  return {to_device(device), pixels, options};
}

/// Makes an object of the library without the GIL; its refusals tell values as Python gave them.
template <class Object, class Domain, class... Own>
std::unique_ptr<Object> make_object(const Settings<Domain>& settings, const nb::kwargs& keywords, const Own&... own) {
  try {
    return without_gil(
        [&] { return std::make_unique<Object>(settings.device, settings.size, settings.options, own...); });
  } catch (const Error& error) {
    refuse_options(error, Domain::fields(), keywords);
  }
}

/// A dict of all options, by their keywords.
template <class Domain>
nb::dict options_dict(const typename Domain::Options& options) {
  nb::dict all;
  for (const Field& field : Domain::fields())
    all[keyword_of(field.name).c_str()] = value_of_text(field, Domain::get(options, field.name));
  return all;
}

void register_options(nb::module_& module);

}  // namespace vergence::python
