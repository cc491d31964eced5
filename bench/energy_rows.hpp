// SPDX-License-Identifier: Apache-2.0
// Rows of energy per pair below the rows of times, where the environment asks for them: ENERGY_SECONDS=3 repeats the
// work of every row for 3 s (at least 2: NVIDIA's counter is updated every 100 ms). How it is measured: docs/energy.md.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

#include "gpu/devices.hpp"
#include "vergence/energy.hpp"
#include "vergence/image.hpp"

namespace vergence::bench {

class EnergyRows {
 public:
  explicit EnergyRows(const gpu::Found& found) : device_(found.name) {
    const char* const text = std::getenv("ENERGY_SECONDS");
    if (text == nullptr || std::atof(text) <= 0) return;
    constexpr double least = 2.1;
    seconds_ = std::max(least, std::atof(text));
    EnergyOptions options;
    options.boards = {found.properties.pci_address};
    meter_.emplace(options);
  }
  bool on() const { return meter_.has_value(); }

  /// What the machine draws while the device is open and does nothing.
  void idle() {
    if (!on()) return;
    if (meter_->counters().empty()) {
      row("energy", "", "not available: " + missing_energy_text(meter_->missing()), "");
      meter_.reset();
      return;
    }
    const EnergyReport report = meter_->idle(std::max(4.0, seconds_));
    row("idle, nothing subtracted below", "",
        report.joules ? number(watts(report), "W") : "not available: " + report.reason, board_text(report, 0));
    if (report.joules)
      for (const MissingEnergy& one : report.missing) row("energy not counted", "", one.what + ": " + one.reason, "");
  }

  /// `round` does `pairs` pairs and has waited for them when it returns.
  void add(const std::string& what, Size size, int pairs, const std::function<void()>& round) {
    if (!on()) return;
    using Clock = std::chrono::steady_clock;
    std::int64_t done = 0;
    meter_->begin();
    const auto start = Clock::now();
    do {
      round();
      done += pairs;
    } while (std::chrono::duration<double>(Clock::now() - start).count() < seconds_);
    const EnergyReport report = meter_->end();
    const auto figures = energy_figures(report, done);
    char text[200] = "";
    if (figures)
      std::snprintf(text, sizeof(text), "%.4g mJ a pair, %.0f W, %.2f us a pair, within %.0f %%",
                    figures->joules_per_frame * 1e3, figures->watts, report.seconds * 1e6 / static_cast<double>(done),
                    100 * report.uncertainty);
    row(what + ": energy", std::to_string(size.width) + "x" + std::to_string(size.height),
        figures ? text : "not available: " + report.reason, board_text(report, done));
  }

 private:
  static double watts(const EnergyReport& report) { return *report.joules / report.seconds; }
  static std::string number(double value, const char* unit) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.4g %s", value, unit);
    return text;
  }
  /// The share of the board that did the work, where others were counted beside it.
  static std::string board_text(const EnergyReport& report, std::int64_t pairs) {
    const auto counted = std::count_if(report.counters.begin(), report.counters.end(),
                                       [](const EnergyReading& one) { return one.counted; });
    for (const EnergyReading& one : report.counters)
      if (one.counter.used && one.joules && report.joules && counted > 1)
        return "this board: " + (pairs > 0 ? number(*one.joules * 1e3 / static_cast<double>(pairs), "mJ a pair")
                                           : number(*one.joules / one.seconds, "W"));
    return "";
  }
  void row(const std::string& what, const std::string& size, const std::string& figure, const std::string& more) const {
    std::printf("| %s | %s | %s | | %s | %s |\n", device_.c_str(), what.c_str(), size.c_str(), figure.c_str(),
                more.c_str());
    std::fflush(stdout);
  }

  std::string device_;
  std::optional<EnergyMeter> meter_;
  double seconds_ = 0;
};

}  // namespace vergence::bench
