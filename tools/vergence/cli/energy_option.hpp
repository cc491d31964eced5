// SPDX-License-Identifier: Apache-2.0
// --energy and --energy-idle, for every command that runs on a device, and what they add to a report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/json.hpp"
#include "vergence/energy.hpp"

namespace vergence::cli {

class Command;

struct EnergyArguments {
  bool on = false;
  std::optional<std::string> idle;
};

/// `frame` is what the command calls the unit of its work: "pair", "frame".
void add_energy_options(Command command, EnergyArguments& arguments, const std::string& frame);

/// What was measured.
struct EnergyResult {
  EnergyReport report;
  std::optional<EnergyReport> idle;  ///< Before the run.
  std::int64_t frames = 0;           ///< Done in the run.
};

/// Measures around a command's work. Does nothing where --energy was not given.
class EnergyRun {
 public:
  /// UsageError for a bad --energy-idle. `boards`: PCI addresses of the devices that work.
  EnergyRun(const EnergyArguments& arguments, const std::vector<std::string>& boards);
  /// The idle window, where one was asked for: call it when devices are open and nothing runs.
  void idle();
  void begin();
  /// Ends what was begun; may be called again, to no effect.
  void end(std::int64_t frames);
  /// None where --energy was not given.
  std::optional<EnergyResult> take() { return std::move(result_); }

 private:
  std::optional<EnergyMeter> meter_;
  double idle_seconds_ = 0;
  bool running_ = false;
  std::optional<EnergyReport> before_;
  std::optional<EnergyResult> result_;
};

Json energy_json(const EnergyResult& result);
/// The report's lines. `advice` follows where the run was too short ("--repeat 400 would do").
void print_energy(const EnergyResult& result, const std::string& frame, const std::string& advice);

}  // namespace vergence::cli
