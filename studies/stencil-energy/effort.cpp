// SPDX-License-Identifier: Apache-2.0
// Bounds of time, and energy around repeated work.
#include "stencil-energy/effort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

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

Joules::Joules(const Effort& effort, const std::string& board) : effort_(effort), meter_(options_of(board)) {}

bool Joules::counts_processor() const {
  const std::vector<EnergyCounter> counters = meter_.counters();
  return std::any_of(counters.begin(), counters.end(), [](const EnergyCounter& one) { return one.source == "RAPL"; });
}

std::string Joules::reason(Worker worker) const {
  if (effort_.energy_seconds <= 0) return "energy-ms is 0";
  const std::vector<EnergyCounter> counters = meter_.counters();
  const bool board = std::any_of(counters.begin(), counters.end(), [](const EnergyCounter& one) { return one.used; });
  if (worker != Worker::board && !counts_processor())
    return "the processor has no counter: " + missing_energy_text(meter_.missing());
  if (worker != Worker::processor && !board)
    return "the board has no counter: " + missing_energy_text(meter_.missing());
  return {};
}

Json Joules::around(Worker worker, const std::function<void()>& action, double frames, double unit, double delay,
                    double flop_per_frame) {
  if (const std::string why = reason(worker); !why.empty()) return not_available(why);
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
  const bool whole = counts_processor();
  double sum = 0;
  Json parts = Json::object(), summed = Json::array();
  for (const EnergyReading& one : report.counters) {
    if (!one.joules) continue;
    parts[label_of(one.counter)] = *one.joules / (actions * frames) * unit;
    if (!(whole ? one.counted : one.counter.used)) continue;
    sum += *one.joules;
    summed.push_back(label_of(one.counter));
  }
  if (summed.elements().empty()) return not_available("no counter that belongs to the sum has a figure");
  const double joules = sum / (actions * frames), time = report.seconds / (actions * frames);
  Json json{{"frames", actions * frames},
            {"seconds", report.seconds},
            {"joules", joules * unit},
            {"watts", joules / time},
            {"unit_frames", unit},
            {"delay_frames", delay},
            {"energy_delay", joules * delay * time * delay}};
  if (flop_per_frame > 0) json["mflop_per_joule"] = flop_per_frame * 1e-6 / joules;
  json["counters"] = parts;
  json["summed"] = summed;
  json["missing"] = missing_energy_text(meter_.missing());
  return json;
}

Json Joules::idle() {
  if (effort_.energy_seconds <= 0) return not_available("energy-ms is 0");
  if (meter_.counters().empty()) return not_available(missing_energy_text(meter_.missing()));
  const EnergyReport report = meter_.idle(std::max(effort_.energy_seconds, 0.001));
  Json parts = Json::object();
  for (const EnergyReading& one : report.counters)
    if (one.joules) parts[label_of(one.counter)] = *one.joules / report.seconds;
  return {{"watts", parts}, {"seconds", report.seconds}};
}

Json Joules::about() const {
  Json names = Json::array();
  for (const EnergyCounter& one : meter_.counters()) names.push_back(label_of(one));
  return {{"counted", names},
          {"processor", reason(Worker::processor)},
          {"board", reason(Worker::board)},
          {"missing", missing_energy_text(meter_.missing())}};
}

}  // namespace vergence::studies::stencil_energy
