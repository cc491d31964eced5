// SPDX-License-Identifier: Apache-2.0
// What `vergence motion` tells about its run, for people and for programs.
#include <fmt/format.h>

#include <cmath>

#include "cli/command.hpp"
#include "cli/times.hpp"
#include "motion/run.hpp"

namespace vergence::cli {
namespace {

double psnr_of(double mse, int max_value) {
  const double peak = static_cast<double>(max_value) * max_value;
  return mse > 0 ? 10 * std::log10(peak / mse) : std::numeric_limits<double>::infinity();
}

/// What --compare reports (loss and normalised gain as in published comparisons of searches).
struct Gain {
  double loss = 1;
  double speed_up = 1;
  double normalised = 1;
};

/// What the run's search gains over the other.
Gain gain_of(const MotionResult& result, const MotionComparison& other) {
  Gain gain;
  const auto own = static_cast<double>(result.totals.residue);
  const auto theirs = static_cast<double>(other.totals.residue);
  gain.loss = theirs > 0 ? own / theirs : own > 0 ? std::numeric_limits<double>::infinity() : 1;
  gain.speed_up = summarise_times(other.ms).median / std::max(summarise_times(result.ms).median, 1e-9);
  gain.normalised = gain.speed_up / gain.loss;
  return gain;
}

Json totals_json(const MotionTotals& totals, const MotionResult& result) {
  const auto fields = static_cast<double>(result.fields.size());
  Json one{{"cost", totals.cost}};
  if (!result.all_sizes) {
    one["residue"] = totals.residue;
    one["psnr"] = json_number(psnr_of(totals.mse / fields, result.max_value), 4);
    if (result.ssim) one["ssim"] = json_number(totals.ssim / fields, 6);
  }
  one["entropy"] = json_number(totals.entropy / fields, 4);
  if (!result.all_sizes) one["scene_cuts"] = totals.cuts;
  if (result.check)
    one["consistent"] =
        json_number(100.0 * static_cast<double>(totals.consistent) / (fields * static_cast<double>(result.blocks)), 4);
  return one;
}

Json field_json(const FieldReport& field, const MotionResult& result) {
  Json one{{"frame", field.frame}, {"cost", field.cost}};
  if (!result.all_sizes) {
    one["residue"] = field.score.residue;
    one["psnr"] = json_number(field.score.psnr, 4);
    if (result.ssim) one["ssim"] = json_number(field.score.ssim, 6);
  }
  one["entropy"] = json_number(field.entropy, 4);
  if (!result.all_sizes) one["scene_cut"] = field.cut;
  if (result.check)
    one["consistent"] =
        json_number(100.0 * static_cast<double>(field.consistent) / static_cast<double>(result.blocks), 4);
  return one;
}

Json comparison_json(const MotionResult& result, const MotionComparison& other) {
  const Gain gain = gain_of(result, other);
  return Json{{"search", other.search},
              {"ms", times_json(summarise_times(other.ms))},
              {"total", totals_json(other.totals, result)},
              {"loss", json_number(gain.loss, 6)},
              {"speed_up", json_number(gain.speed_up, 4)},
              {"normalised_gain", json_number(gain.normalised, 4)}};
}

/// "31.25 dB", "no difference" of a perfect prediction.
std::string psnr_text(double psnr) { return std::isfinite(psnr) ? fmt::format("{:.2f}", psnr) : "inf"; }
/// A column of the tables, or nothing where SSIM was not asked for.
std::string ssim_column(const MotionResult& result, double ssim) {
  return !result.ssim ? "" : fmt::format("  {:>7}", std::isfinite(ssim) ? fmt::format("{:.4f}", ssim) : "none");
}
std::string ssim_heading(const MotionResult& result) { return result.ssim ? "     SSIM" : ""; }

void print_field(const FieldReport& field, const MotionResult& result) {
  print("{:>8}  {:>12}", field.frame, field.cost);
  if (!result.all_sizes)
    print("  {:>12}  {:>6}{}", field.score.residue, psnr_text(field.score.psnr), ssim_column(result, field.score.ssim));
  print("  {:>7.3f}", field.entropy);
  if (result.check)
    print("  {:>9.1f}%", 100.0 * static_cast<double>(field.consistent) / static_cast<double>(result.blocks));
  print("{}\n", field.cut ? "  scene cut" : "");
}

void print_fields(const MotionResult& result) {
  const bool scored = !result.all_sizes;
  print("\n{:>8}  {:>12}{}  {:>7}{}\n", "frame", "cost",
        scored ? fmt::format("  {:>12}  {:>6}{}", "residue", "PSNR", ssim_heading(result)) : "", "entropy",
        result.check ? "  consistent" : "");
  for (const FieldReport& field : result.fields) print_field(field, result);
  const MotionTotals& totals = result.totals;
  const auto fields = static_cast<double>(result.fields.size());
  print("{:>8}  {:>12}", "total", totals.cost);
  if (scored)
    print("  {:>12}  {:>6}{}", totals.residue, psnr_text(psnr_of(totals.mse / fields, result.max_value)),
          ssim_column(result, totals.ssim / fields));
  print("  {:>7.3f}", totals.entropy / fields);
  if (result.check)
    print("  {:>9.1f}%",
          100.0 * static_cast<double>(totals.consistent) / (fields * static_cast<double>(result.blocks)));
  print("\n\n");
}

/// A line for each search; what this run's one loses and gains against the other.
void print_comparisons(const MotionResult& result) {
  if (result.comparisons.empty()) return;
  const auto fields = static_cast<double>(result.fields.size());
  const auto line = [&](const std::string& search, const std::vector<double>& ms, const MotionTotals& totals,
                        const std::string& gain) {
    print("{:<13} {:>10.3f}  {:>12}  {:>6}{}  {:>7.3f}{}\n", search, summarise_times(ms).median, totals.residue,
          psnr_text(psnr_of(totals.mse / fields, result.max_value)), ssim_column(result, totals.ssim / fields),
          totals.entropy / fields, gain);
  };
  const std::string own = motion_get(result.options, "search");
  print("{:<13} {:>10}  {:>12}  {:>6}{}  {:>7}  {:>7}  {:>8}  {:>8}\n", "search", "ms/field", "residue", "PSNR",
        ssim_heading(result), "entropy", "loss", "speed-up", "gain");
  line(own, result.ms, result.totals, "");
  for (const MotionComparison& other : result.comparisons) {
    const Gain gain = gain_of(result, other);
    line(other.search, other.ms, other.totals,
         fmt::format("  {:>7.4f}  {:>8.3g}  {:>8.3g}", gain.loss, gain.speed_up, gain.normalised));
  }
  print(
      "loss: residue of {0} / that of the line's search; speed-up: the line's time / that of {0}; gain (normalised):\n"
      "speed-up / loss; times are medians of the fields\n\n",
      own);
}

}  // namespace

void MotionTotals::add(const FieldReport& report) {
  cost += report.cost;
  residue += report.score.residue;
  mse += report.score.mse;
  ssim += report.score.ssim;
  entropy += report.entropy;
  cuts += report.cut ? 1 : 0;
  consistent += report.consistent;
}

std::string cuts_warning(const MotionResult& result) {
  constexpr std::int64_t enough = 4, percent = 80, percent_of_far = 30;
  const auto fields = std::ssize(result.fields);
  const bool far = result.reference > 1;
  if (!result.warnings.empty() || result.all_sizes || result.totals.cuts < enough ||
      100 * result.totals.cuts < (far ? percent_of_far : percent) * fields)
    return "";
  if (far)
    return fmt::format(
        "{} of {} fields are taken for scene cuts: frames that are {} apart (--reference-distance) hold too little of "
        "each other, or what they show moves farther than the range {}: give a smaller distance, or a larger --range",
        result.totals.cuts, fields, result.reference, motion_get(result.options, "range"));
  return fmt::format(
      "{} of {} fields are taken for scene cuts: hardly a frame is like the one it is compared with, and vectors are "
      "found by chance: check that the frames follow each other in their order, without gaps, that they are not noisy "
      "(give more light, or the mean of some), --range and --search",
      result.totals.cuts, fields);
}

void print_motion_report(const MotionResult& result) {
  const MotionOptions& options = result.options;
  print("video      {}x{}, {}, {} frames ({} .. {}), {} fields of {} blocks\n", result.size.width, result.size.height,
        pixels_text(options.depth, result.input_max), result.frames, result.first_frame,
        result.first_frame + result.frames - 1, result.fields.size(), result.blocks);
  print("search     {} {} blocks {}, range {}, border {}, subpel {}; against the {} frame {} before\n",
        motion_get(options, "search"), motion_get(options, "cost"), motion_get(options, "block"),
        motion_get(options, "range"), motion_get(options, "border"), motion_get(options, "subpel"),
        result.reference_source, result.reference);
  print("device     {}: {}\n", result.device, result.device_description);
  if (!result.ms.empty()) print("time       {} per field\n", times_text(result.ms, result.warmed_up));
  if (result.device_times) print("on device  {}\n", device_times_text(*result.device_times, true));
  if (result.live) print_live(*result.live);
  if (result.stream) print_pipeline(*result.stream);
  if (result.energy) print_energy(*result.energy, "field", "give more frames or --repeat");
  print_fields(result);
  print_comparisons(result);
  print("hash       {}\n", hash_text(result.hash));
  for (const OutputName& output : result.outputs) print("wrote      {} ({})\n", output.path, output.what);
}

void print_motion_json(const MotionResult& result) {
  Json report = json_report();
  report["device"] = result.device;
  report["device_description"] = result.device_description;
  report["settings"] = motion_settings_json(result.options);
  report["size"] = Json{{"width", result.size.width}, {"height", result.size.height}};
  report["pixels"] = pixels_json(result.options.depth, result.input_max);
  report["reference"] = result.reference;
  report["reference_source"] = result.reference_source;
  report["independent"] = result.independent;
  report["frames"] = result.frames;
  report["first_frame"] = result.first_frame;
  report["fields"] = result.fields.size();
  report["blocks"] = result.blocks;
  report["ms"] = times_json(summarise_times(result.ms));
  if (result.device_times) report["device_ms"] = device_times_json(*result.device_times);
  if (result.live) report["live"] = live_json(*result.live);
  if (result.stream) report["stream"] = pipeline_json(*result.stream);
  if (result.energy) report["energy"] = energy_json(*result.energy);
  report["total"] = totals_json(result.totals, result);
  for (const MotionComparison& other : result.comparisons) report["compare"].push_back(comparison_json(result, other));
  report["hash"] = hash_text(result.hash);
  Json outputs = Json::object();
  for (const OutputName& output : result.outputs) outputs[output.key] = output.path;
  report["outputs"] = std::move(outputs);
  report["warnings"] = result.warnings;
  // The fields of a long video would be a large tree: they are printed one by one.
  std::string text = json_text(report);
  text.resize(text.rfind('\n', text.size() - 2));  // without "\n}\n"
  print_text(text + ",\n  \"per_field\": [");
  bool first = true;
  for (const FieldReport& field : result.fields) {
    print_text((first ? "\n    " : ",\n    ") + field_json(field, result).dump());
    first = false;
  }
  print_text("\n  ]\n}\n");
}

}  // namespace vergence::cli
