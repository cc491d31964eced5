// SPDX-License-Identifier: Apache-2.0
// How `vergence motion` goes about its video, apart from the settings of the search.
#include "motion/choice.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "motion/settings.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

constexpr int farthest_reference = 64;

int read_check(const std::string& text) {
  const double quarters = 4 * parse_number("--check", text, 0, 512);
  if (quarters != static_cast<int>(quarters))
    throw UsageError(fmt::format("--check is '{}': allowed are multiples of 0.25 px", text));
  return static_cast<int>(quarters);
}

std::vector<MotionSearch> read_comparison(const std::string& text, const MotionOptions& options) {
  if (text == "all") {
    std::vector<MotionSearch> others;
    for (const MotionSearch search : {MotionSearch::full, MotionSearch::step, MotionSearch::diamond,
                                      MotionSearch::hexagon, MotionSearch::tz, MotionSearch::hierarchical})
      if (search != options.search) others.push_back(search);
    return others;
  }
  MotionOptions other;
  as_usage([&] { motion_set(other, "search", text); });
  if (other.search == options.search)
    throw UsageError(
        fmt::format("--compare is {0} and search is {0}: give another --search, or leave --compare out", text));
  return {other.search};
}

bool read_all_sizes(const MotionArguments& arguments, const MotionOptions& options) {
  if (arguments.all_sizes != "on" && arguments.all_sizes != "off")
    throw UsageError(fmt::format("--all-sizes is '{}': allowed are on, off", arguments.all_sizes));
  if (arguments.all_sizes == "off") return false;
  if (options.search != MotionSearch::full)
    throw UsageError(
        fmt::format("--all-sizes needs search full, which alone knows the costs that it sums: search is {}",
                    motion_get(options, "search")));
  if (options.block != Size{8, 8})
    throw UsageError(fmt::format("--all-sizes needs block 8x8, which the larger blocks are made of: block is {}x{}",
                                 options.block.width, options.block.height));
  if (arguments.compare) throw UsageError("--compare needs one block size: leave --all-sizes out");
  return true;
}

MotionWants read_wants(const MotionArguments& arguments, const MotionOptions& options) {
  MotionWants wants;
  wants.all_sizes = read_all_sizes(arguments, options);
  if (arguments.outputs.columns) {
    const VectorColumns columns = parse_columns(*arguments.outputs.columns);
    wants.second_j = columns.second_j;
    wants.confidence = columns.confidence;
    wants.j = columns.j;
  }
  wants.j = wants.j || options.lambda != 0;
  wants.chroma = arguments.outputs.compensated.has_value();
  if (arguments.check) wants.check = read_check(*arguments.check);
  wants.independent = arguments.independent;
  if (arguments.ssim && wants.all_sizes)
    throw UsageError("--ssim is that of the prediction, and there is none with --all-sizes: leave one out");
  wants.ssim = arguments.ssim;
  return wants;
}

}  // namespace

std::optional<double> MotionChoice::check() const {
  if (!wants.check) return std::nullopt;
  return *wants.check / 4.0;
}

MotionChoice read_motion_choice(const MotionArguments& arguments, const MotionOptions& options) {
  MotionChoice choice;
  choice.repeat = static_cast<int>(parse_integer("--repeat", arguments.repeat.value_or("1"), 1, 1'000'000));
  choice.timed = arguments.json || arguments.repeat || arguments.energy.on || arguments.compare;
  choice.reference =
      static_cast<int>(parse_integer("--reference-distance", arguments.reference, 1, farthest_reference));
  choice.reconstruction = arguments.reference_source == "reconstruction";
  if (!choice.reconstruction && arguments.reference_source != "original")
    throw UsageError(
        fmt::format("--reference-source is '{}': allowed are original, reconstruction", arguments.reference_source));
  choice.wants = read_wants(arguments, options);
  if (choice.reconstruction && choice.wants.all_sizes)
    throw UsageError("--reference-source is reconstruction, but --all-sizes predicts no frame: choose one block size");
  if (arguments.compare) choice.compared = read_comparison(*arguments.compare, options);
  return choice;
}

void check_motion_sharing(const MotionArguments& arguments, const MotionChoice& choice, const MotionOptions& options,
                          const std::vector<StreamDevice>& devices) {
  if (devices.size() == 1) return;
  const auto refuse = [&](const std::string& why) {
    throw UsageError(
        fmt::format("--device is '{}': several devices share the frames of a video, {}", names_of(devices), why));
  };
  if (arguments.repeat) refuse("and --repeat times one device");
  if (arguments.compare) refuse("and --compare times two searches on one device");
  if (choice.reconstruction)
    refuse(
        "but --reference-source reconstruction needs each frame's prediction for the next one: name one device, or "
        "take --reference-source original");
  if (!carries_on(options, choice.wants)) return;
  if (options.lambda != 0)
    refuse(
        fmt::format("but lambda is {}, and bits are counted from the field of the frame before: name one device, "
                    "or add --independent",
                    options.lambda));
  refuse(
      fmt::format("but search {} begins at the field of the frame before: name one device, add --independent, or "
                  "choose search full or step",
                  motion_get(options, "search")));
}

std::vector<std::string> idle_motion_choices(const MotionArguments& arguments, const MotionChoice& choice,
                                             const MotionOptions& options) {
  if (!choice.compared.empty()) return {};  // a search that is compared may use them
  std::vector<std::string> lines = idle_motion_options(arguments.settings, options);
  MotionWants chained = choice.wants;
  chained.independent = false;
  if (choice.wants.independent && !carries_on(options, chained))
    lines.push_back(
        fmt::format("--independent does nothing: search is {}, lambda is 0, and so no field needs the one before",
                    motion_get(options, "search")));
  return lines;
}

void check_first_number(const MotionArguments& arguments) {
  const std::optional<std::string>& vectors = arguments.outputs.vectors;
  require_output(arguments.first, "--first", vectors, "--output");
  if (arguments.first && ending(*vectors) == ".npy" && !has_frame_number(*vectors))
    throw UsageError(
        fmt::format("--first needs frames' numbers in --output, and '{}' has none: write .csv or .json, or one "
                    "file per field, such as vectors_%04d.npy",
                    *vectors));
}

}  // namespace vergence::cli
