// SPDX-License-Identifier: Apache-2.0
// Bounds of time, and energy around repeated work.
#include "stencil-energy/effort.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vergence::studies::stencil_energy {
namespace {

EnergyOptions options_of(const std::string& board) {
  EnergyOptions options;
  options.boards = {board};
  return options;
}

/// Boards of one kind have one name: with the address where there is one.
std::string label_of(const EnergyCounter& counter) {
  return counter.source == "NVML" ? counter.name + " " + counter.place : counter.name;
}

}  // namespace

Json not_available(const std::string& why) { return fmt::format("not available: {}", why); }

Effort::Effort(const Settings& settings)
    : launches(settings.integer("launches", 1, 1000)),
      runs(settings.integer("runs", 1, 100000)),
      search_runs(settings.integer("search-runs", 1, 1000)),
      cell_seconds(settings.integer("cell-ms", 0, 1 << 30) / 1000.0),
      seconds(settings.integer("seconds", 0, 1 << 30)),
      energy_seconds(settings.integer("energy-ms", 0, 1 << 30) / 1000.0) {}

bool Effort::over() const {
  return seconds > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > seconds;
}

int Effort::runs_within(double run_ms) const {
  if (cell_seconds <= 0 || run_ms <= 0) return runs;
  return std::clamp(static_cast<int>(std::min(1e9, cell_seconds * 1000 / (launches * run_ms))), 1, runs);
}

Joules::Joules(const Effort& effort, const std::string& board) : effort_(effort), meter_(options_of(board)) {
  if (effort.energy_seconds <= 0)
    reason_ = "energy-ms is 0";
  else if (meter_.counters().empty())
    reason_ = missing_energy_text(meter_.missing());
}

Json Joules::around(const std::function<void()>& action, double frames, double unit, double delay,
                    double flop_per_frame) {
  if (!reason_.empty()) return not_available(reason_);
  if (effort_.over()) return not_available(time_is_over);
  meter_.begin();
  double actions = 0;
  const auto start = std::chrono::steady_clock::now();
  double passed = 0;
  do {
    action();
    ++actions;
    passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } while (passed < effort_.energy_seconds);
  const EnergyReport report = meter_.end();
  if (!report.joules) return not_available(report.reason);
  const double joules = *report.joules / (actions * frames), time = report.seconds / (actions * frames);
  Json json{{"frames", actions * frames},
            {"seconds", report.seconds},
            {"joules", joules * unit},
            {"watts", joules / time},
            {"unit_frames", unit},
            {"delay_frames", delay},
            {"energy_delay", joules * delay * time * delay}};
  if (flop_per_frame > 0) json["mflop_per_joule"] = flop_per_frame * 1e-6 / joules;
  Json parts = Json::object();
  for (const EnergyReading& one : report.counters)
    if (one.joules) parts[label_of(one.counter)] = *one.joules / (actions * frames) * unit;
  json["counters"] = parts;
  return json;
}

Json Joules::idle() {
  if (!reason_.empty()) return not_available(reason_);
  const EnergyReport report = meter_.idle(std::max(effort_.energy_seconds, 0.001));
  if (!report.joules) return not_available(report.reason);
  return {{"watts", *report.joules / report.seconds}, {"seconds", report.seconds}};
}

Json Joules::about() const {
  Json names = Json::array();
  for (const EnergyCounter& one : meter_.counters()) names.push_back(label_of(one));
  return {{"counted", reason_.empty() ? names : not_available(reason_)},
          {"missing", missing_energy_text(meter_.missing())}};
}

}  // namespace vergence::studies::stencil_energy
