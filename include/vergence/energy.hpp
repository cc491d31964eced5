// SPDX-License-Identifier: Apache-2.0
// Energy around any piece of work, from the counters that the machine has: RAPL for processors (through Linux'
// powercap zones), NVML for NVIDIA's boards. What a machine does not count is named with the reason and never
// estimated. docs/energy.md says how it is measured and what is summed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vergence {

/// A counter of the whole machine or of a part of it; it counts what every process does.
struct EnergyCounter {
  std::string name;      ///< "package-0", "package-0/core", "psys"; of a board what it is called: "NVIDIA H200".
  std::string source;    ///< "RAPL" or "NVML".
  std::string place;     ///< The zone's folder; of a board its address on the PCI bus, "0000:17:00.0".
  std::string id{};      ///< Of a board its UUID.
  std::string within{};  ///< The counter that contains this one, so that it is not summed twice; empty: none does.
  double interval = 0;   ///< Seconds between updates of the counter: a reading may be this old.
  bool used = false;     ///< One of EnergyOptions::boards.
};

/// What a counter is that is not there, and why.
struct MissingEnergy {
  std::string what;    ///< "RAPL", "RAPL package-0", "NVML", "NVML NVIDIA H200 0000:17:00.0", ...
  std::string reason;  ///< "/sys/class/powercap is not there", "permission denied ...", ...
};

struct EnergyOptions {
  /// Folder of the powercap zones; empty = the environment variable VERGENCE_POWERCAP (for containers that see the
  /// host's /sys elsewhere), and where that is unset /sys/class/powercap.
  std::string powercap{};
  /// NVML's library, opened at run time: a name that the loader looks for, or a path.
  std::string nvml = "libnvidia-ml.so.1";
  /// PCI addresses of the boards that do the work (Device::pci_address()). Their counters have `used` set. A board
  /// without a counter is listed by its address in EnergyReport::missing. All other boards are counted as well. Empty
  /// texts are ignored.
  std::vector<std::string> boards{};
  /// Seconds between reads of counters that wrap around, while a measurement runs; 0.001 .. 60. At 1 kW the smallest
  /// known counter (65 kJ) wraps around in 65 s.
  double look_every = 10;
};

/// What one counter counted.
struct EnergyReading {
  EnergyCounter counter;
  std::optional<double> joules{};  ///< None: `note` says why.
  double seconds = 0;              ///< Between its own two readings, which take time themselves (NVML: about 4 ms).
  bool counted = false;            ///< Part of the sum.
  std::string note{};              ///< Why there is no figure, or why it is not part of the sum; else empty.
};

/// What was measured between begin() and end().
struct EnergyReport {
  double seconds = 0;  ///< From begin()'s end to end()'s start.
  /// The sum of all counters, parts of others left out, devices that had nothing to do included. None where there is no
  /// counter, where one of the sum's failed, or where the run was too short for one of them: `reason` says which.
  std::optional<double> joules{};
  std::string reason{};  ///< Empty where there is a sum.
  /// Bound of the sum's relative error because counters are updated only now and then: for each counter at most one
  /// interval at each end of the run.
  double uncertainty = 0;
  double needed_seconds = 0;  ///< Where the run was too short: how long it has to be. Else 0.
  std::vector<EnergyReading> counters{};
  std::vector<MissingEnergy> missing{};
};

/// What follows from a report for work of a number of frames (pairs, pictures, launches).
/// Source of the measures: R. Gran, A. Shi, E. Totoni, M. J. Garzaran, "Evaluation of a Feature Tracking Vision
/// Application on a Heterogeneous Chip", SBAC-PAD 2014, sections IV-B (Table II, Figure 6) and IV-C (Table III).
struct EnergyFigures {
  double watts = 0;  ///< Joules / seconds.
  double joules_per_frame = 0;
  double frames_per_watt = 0;               ///< Frames per second per watt, which is frames per joule.
  double energy_delay = 0;                  ///< Joules x seconds of the whole run.
  std::optional<double> mflop_per_joule{};  ///< 10^6 operations per joule, where their number was given.
};

/// The figures of a report; none where it has no sum, or a sum of 0. `frames` >= 1; `operations` is the number of
/// arithmetic operations in all the frames together.
std::optional<EnergyFigures> energy_figures(const EnergyReport& report, std::int64_t frames,
                                            std::optional<double> operations = std::nullopt);

/// Measures. Counters are read at begin() and at end() (those that wrap around also every few seconds, by a thread that
/// sleeps in between), never while a frame is at work. For one thread at a time.
///
/// ```cpp
/// EnergyMeter meter;
/// meter.begin();
/// // the work of 100 frames
/// const EnergyReport report = meter.end();
/// if (const auto figures = energy_figures(report, 100)) static_cast<void>(figures->joules_per_frame);
/// ```
class EnergyMeter {
 public:
  /// Looks for counters. A machine without any is no error: see missing(). Throws Error(invalid_argument) for options
  /// outside their range.
  explicit EnergyMeter(const EnergyOptions& options = {});
  ~EnergyMeter();
  EnergyMeter(EnergyMeter&&) noexcept;
  EnergyMeter& operator=(EnergyMeter&&) noexcept;

  /// All that can be read.
  std::vector<EnergyCounter> counters() const;
  /// All that cannot.
  const std::vector<MissingEnergy>& missing() const;

  /// Starts a measurement; one that was under way is dropped. Takes about 4 ms for each board.
  void begin();
  /// Ends it. Whatever was started on a device must have been waited for. Throws Error(invalid_argument) where nothing
  /// was begun.
  EnergyReport end();
  /// Measures for the given number of seconds (0.001 .. 3600) in which this thread sleeps: idle power, where nothing
  /// else runs. Throws Error(invalid_argument) for other numbers.
  EnergyReport idle(double seconds);

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// "RAPL: /sys/class/powercap is not there; NVML: ..." - all reasons in one line.
std::string missing_energy_text(const std::vector<MissingEnergy>& missing);

}  // namespace vergence
