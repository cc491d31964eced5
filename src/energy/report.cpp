// SPDX-License-Identifier: Apache-2.0
// The sum of the counters and what follows from it.
#include "energy/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace vergence {
namespace energy {
namespace {

bool is_board(const EnergyReading& reading) { return reading.counter.source == "NVML"; }
bool is_platform(const EnergyReading& reading) {
  return !is_board(reading) && reading.counter.name.starts_with("psys");
}
bool is_package(const EnergyReading& reading) {
  return !is_board(reading) && reading.counter.name.starts_with("package") &&
         reading.counter.name.find('/') == std::string::npos;
}

void leave_out(EnergyReading& reading, std::string why) {
  reading.counted = false;
  if (reading.joules) reading.note = std::move(why);
}

/// Every counter that is no part of another one. The platform's contains packages and memory; it takes their place
/// where nothing is beside it that it may or may not contain, and where it counts at all.
void choose(std::vector<EnergyReading>& readings) {
  double platform = 0, parts = 0;
  bool has_platform = false, has_boards = false, platform_failed = false;
  for (EnergyReading& one : readings) {
    one.counted = true;
    has_boards = has_boards || is_board(one);
    has_platform = has_platform || is_platform(one);
    platform_failed = platform_failed || (is_platform(one) && !one.joules);
    if (is_platform(one)) platform += one.joules.value_or(0);
    const std::string& above = one.counter.within;
    if (std::any_of(readings.begin(), readings.end(), [&](const auto& other) { return other.counter.name == above; }))
      leave_out(one, "within " + above);
    else if (!is_board(one) && !is_platform(one))
      parts += one.joules.value_or(0);
  }
  if (!has_platform) return;
  const bool whole = !platform_failed && !has_boards && platform > 0 && platform >= parts;
  for (EnergyReading& one : readings) {
    if (whole && one.counted && !is_platform(one)) leave_out(one, "within psys");
    if (!whole && is_platform(one))
      leave_out(one, has_boards ? "not summed: whether it contains the boards is up to the machine's maker"
                                : "not summed: it counted less than its parts");
  }
}

/// Why there is no sum; empty where there is one.
std::string problem_of(EnergyReport& report) {
  bool any = false;
  std::string too_short, failed;
  for (const EnergyReading& one : report.counters) {
    if (!one.counted) continue;
    any = true;
    const double needed = one.counter.interval * least_intervals;
    if (!one.joules) {
      if (failed.empty()) failed = fmt::format("{} {}: {}", one.counter.source, one.counter.name, one.note);
    } else if (report.seconds < needed) {
      if (needed > report.needed_seconds)
        too_short =
            fmt::format("the run took {:.3g} s, too short for {} {}, which is updated every {:g} s: {:g} s are needed",
                        report.seconds, one.counter.source, one.counter.name, one.counter.interval, needed);
      report.needed_seconds = std::max(report.needed_seconds, needed);
    } else if (*one.joules == 0 && (is_board(one) || is_package(one)) && failed.empty()) {
      failed = fmt::format("{} {}: the counter did not move in {:.3g} s", one.counter.source, one.counter.name,
                           report.seconds);
    }
  }
  if (!failed.empty()) return failed;
  if (!any) return report.missing.empty() ? "there is no counter" : missing_energy_text(report.missing);
  return too_short;
}

}  // namespace

EnergyReport make_report(double seconds, std::vector<EnergyReading> readings, std::vector<MissingEnergy> missing) {
  EnergyReport report;
  report.seconds = seconds;
  report.counters = std::move(readings);
  report.missing = std::move(missing);
  choose(report.counters);
  report.reason = problem_of(report);
  if (!report.reason.empty()) return report;
  double joules = 0, uncertain = 0;
  for (const EnergyReading& one : report.counters) {
    if (!one.counted) continue;
    joules += *one.joules;
    // A reading is up to one interval old, at either end; and the readings themselves lie around the run.
    uncertain += *one.joules * (one.counter.interval + std::max(0.0, one.seconds - seconds)) / seconds;
  }
  report.joules = joules;
  report.uncertainty = joules > 0 ? uncertain / joules : 0;
  return report;
}

}  // namespace energy

std::optional<EnergyFigures> energy_figures(const EnergyReport& report, std::int64_t frames,
                                            std::optional<double> operations) {
  if (!report.joules || *report.joules <= 0 || report.seconds <= 0 || frames < 1) return std::nullopt;
  const double joules = *report.joules, count = static_cast<double>(frames);
  EnergyFigures figures;
  figures.watts = joules / report.seconds;
  figures.joules_per_frame = joules / count;
  figures.frames_per_watt = count / joules;
  figures.energy_delay = joules * report.seconds;
  if (operations) figures.mflop_per_joule = *operations * 1e-6 / joules;
  return figures;
}

std::string missing_energy_text(const std::vector<MissingEnergy>& missing) {
  std::string text;
  for (const MissingEnergy& one : missing)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", one.what, one.reason);
  return text;
}

}  // namespace vergence
