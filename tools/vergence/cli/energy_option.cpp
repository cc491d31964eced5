// SPDX-License-Identifier: Apache-2.0
// Energy around a command's work: options, measuring, and the report.
#include "cli/energy_option.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/program.hpp"

namespace vergence::cli {
namespace {

/// "541 W", "15.9 mJ", "0.00 J".
std::string quantity(double value, const char* unit) {
  const char* prefix = "";
  if (value > 0 && value < 1e-3) {
    value *= 1e6;
    prefix = "u";
  } else if (value > 0 && value < 1) {
    value *= 1e3;
    prefix = "m";
  }
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}{}", value, decimals, prefix, unit);
}

std::string idle_text(const EnergyReport& report) {
  if (!report.joules) return "not available: " + report.reason;
  return fmt::format("{} over {} before the run, not subtracted", quantity(*report.joules / report.seconds, "W"),
                     quantity(report.seconds, "s"));
}

Json reading_json(const EnergyReading& reading) {
  const EnergyCounter& counter = reading.counter;
  Json one{{"name", counter.name}, {"source", counter.source}, {"place", counter.place}, {"id", counter.id}};
  one["joules"] = reading.joules ? json_number(*reading.joules, 6) : Json(nullptr);
  one["seconds"] = json_number(reading.seconds, 6);
  one["interval"] = counter.interval;
  one["counted"] = reading.counted;
  one["used"] = counter.used;
  one["note"] = reading.note;
  return one;
}

Json report_json(const EnergyReport& report) {
  Json one{{"seconds", json_number(report.seconds, 6)}};
  one["joules"] = report.joules ? json_number(*report.joules, 6) : Json(nullptr);
  one["watts"] = report.joules ? json_number(*report.joules / report.seconds, 3) : Json(nullptr);
  one["reason"] = report.reason;
  one["uncertainty"] = report.joules ? json_number(report.uncertainty, 4) : Json(nullptr);
  return one;
}

void print_counter(const EnergyReading& reading) {
  const EnergyCounter& counter = reading.counter;
  const std::string where = counter.source == "NVML" ? " " + counter.place : "";
  const std::string figure =
      reading.joules ? fmt::format("{}, {}", quantity(*reading.joules, "J"),
                                   quantity(reading.seconds > 0 ? *reading.joules / reading.seconds : 0, "W"))
                     : "not available";
  print("           {} {}{}: {}{}{}\n", counter.source, counter.name, where, figure,
        counter.used ? ", did the work" : "", reading.note.empty() ? "" : "; " + reading.note);
}

}  // namespace

void add_energy_options(Command command, EnergyArguments& arguments, const std::string& frame) {
  command
      .flag("--energy", arguments.on,
            fmt::format("Report joules, watts and joules per {} by the machine's own counters (RAPL, NVML), after a "
                        "run that is not timed; what is not there reads `not available: why`",
                        frame))
      .group("Energy");
  command
      .add("--energy-idle", arguments.idle,
           "With --energy: wait this many seconds before the run and report the idle power [0.1 .. 600; unit: s; "
           "default: none]")
      .type("SECONDS")
      .group("Energy");
}

EnergyRun::EnergyRun(const EnergyArguments& arguments, const std::vector<std::string>& boards) {
  if (arguments.idle) {
    if (!arguments.on) throw UsageError("--energy-idle needs --energy");
    idle_seconds_ = parse_number("--energy-idle", *arguments.idle, 0.1, 600);
  }
  if (!arguments.on) return;
  EnergyOptions options;
  options.boards = boards;
  meter_.emplace(options);
}

void EnergyRun::idle() {
  if (meter_ && idle_seconds_ > 0) before_ = meter_->idle(idle_seconds_);
}

void EnergyRun::begin() {
  if (!meter_) return;
  meter_->begin();
  running_ = true;
}

void EnergyRun::end(std::int64_t frames) {
  if (!running_) return;
  running_ = false;
  result_ = EnergyResult{meter_->end(), before_, frames};
}

Json energy_json(const EnergyResult& result) {
  Json one = report_json(result.report);
  one["frames"] = result.frames;
  const std::optional<EnergyFigures> figures = energy_figures(result.report, result.frames);
  one["joules_per_frame"] = figures ? json_number(figures->joules_per_frame, 9) : Json(nullptr);
  one["frames_per_watt"] = figures ? json_number(figures->frames_per_watt, 6) : Json(nullptr);
  one["energy_delay"] = figures ? json_number(figures->energy_delay, 6) : Json(nullptr);
  one["idle"] = result.idle ? report_json(*result.idle) : Json(nullptr);
  one["counters"] = Json::array();
  for (const EnergyReading& reading : result.report.counters) one["counters"].push_back(reading_json(reading));
  one["missing"] = Json::array();
  for (const MissingEnergy& missing : result.report.missing)
    one["missing"].push_back(Json{{"what", missing.what}, {"reason", missing.reason}});
  return one;
}

void print_energy(const EnergyResult& result, const std::string& frame, const std::string& advice) {
  const EnergyReport& report = result.report;
  const std::optional<EnergyFigures> figures = energy_figures(report, result.frames);
  if (!figures) {
    const bool too_short = report.needed_seconds > 0 && !advice.empty();
    print("energy     not available: {}{}\n", report.joules ? "the counters did not move" : report.reason,
          too_short ? "; " + advice : "");
  } else {
    print("energy     {} in {}, {}; {} per {}, {:.3g} {}s/s per W, energy-delay {} s (within {:.1f} %)\n",
          quantity(*report.joules, "J"), quantity(report.seconds, "s"), quantity(figures->watts, "W"),
          quantity(figures->joules_per_frame, "J"), frame, figures->frames_per_watt, frame,
          quantity(figures->energy_delay, "J"), 100 * report.uncertainty);
    for (const EnergyReading& reading : report.counters) print_counter(reading);
    for (const MissingEnergy& missing : report.missing)
      print("           not counted: {}: {}\n", missing.what, missing.reason);
  }
  const bool same = result.idle && !result.idle->joules && result.idle->reason == report.reason;
  if (result.idle && !same) print("idle       {}\n", idle_text(*result.idle));
}

}  // namespace vergence::cli
