// SPDX-License-Identifier: Apache-2.0
// Reads all counters at the ends of a run, and those that wrap around in between.
#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "energy/nvml.hpp"
#include "energy/rapl.hpp"
#include "energy/report.hpp"
#include "vergence/energy.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

using Clock = std::chrono::steady_clock;

std::string powercap_folder(const EnergyOptions& options) {
  if (!options.powercap.empty()) return options.powercap;
  const char* const value = std::getenv("VERGENCE_POWERCAP");
  return value != nullptr && *value != '\0' ? value : "/sys/class/powercap";
}

double checked(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return value;  // not-a-number is neither
  throw Error(ErrorCode::invalid_argument, fmt::format("{} is {} s: allowed are {} .. {}", name, value, low, high));
}

}  // namespace

class EnergyMeter::State {
 public:
  explicit State(const EnergyOptions& options) : look_every_(checked("look_every", options.look_every, 0.001, 60)) {
    add(energy::find_rapl(powercap_folder(options)));
    add(energy::find_nvml(options.nvml, options.boards));
  }
  ~State() { stop(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  const std::vector<std::unique_ptr<energy::Counter>>& counters() const { return counters_; }
  const std::vector<MissingEnergy>& missing() const { return missing_; }

  /// The slow ones first here and last in end(), so that the quick ones lie close around the run.
  void begin() {
    stop();
    for (std::size_t i = counters_.size(); i-- > 0;) counters_[i]->start();
    bool wraps = false;
    for (const auto& counter : counters_) wraps = wraps || counter->wraps();
    stopped_ = false;
    if (wraps) watch_ = std::thread([this] { watch(); });
    begun_ = true;
    start_ = Clock::now();
  }

  EnergyReport end() {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (!begun_)
      throw Error(ErrorCode::invalid_argument, "EnergyMeter::end was called without EnergyMeter::begin before it");
    stop();
    begun_ = false;
    std::vector<EnergyReading> readings;
    for (const auto& counter : counters_) counter->look();
    for (const auto& counter : counters_) readings.push_back(counter->reading());
    return energy::make_report(seconds, std::move(readings), missing_);
  }

 private:
  void add(energy::Sources found) {
    for (auto& counter : found.counters) counters_.push_back(std::move(counter));
    for (MissingEnergy& one : found.missing) missing_.push_back(std::move(one));
  }

  /// The thread's: counters are its alone until it has been joined.
  void watch() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::duration<double>(look_every_), [this] { return stopped_; }))
      for (const auto& counter : counters_)
        if (counter->wraps()) counter->look();
  }
  void stop() {
    if (!watch_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_one();
    watch_.join();
  }

  double look_every_;
  std::vector<std::unique_ptr<energy::Counter>> counters_;
  std::vector<MissingEnergy> missing_;
  bool begun_ = false;
  Clock::time_point start_;
  std::thread watch_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
};

EnergyMeter::EnergyMeter(const EnergyOptions& options) : state_(std::make_unique<State>(options)) {}
EnergyMeter::~EnergyMeter() = default;
EnergyMeter::EnergyMeter(EnergyMeter&&) noexcept = default;
EnergyMeter& EnergyMeter::operator=(EnergyMeter&&) noexcept = default;

std::vector<EnergyCounter> EnergyMeter::counters() const {
  std::vector<EnergyCounter> all;
  for (const auto& counter : state_->counters()) all.push_back(counter->about());
  return all;
}
const std::vector<MissingEnergy>& EnergyMeter::missing() const { return state_->missing(); }
void EnergyMeter::begin() { state_->begin(); }
EnergyReport EnergyMeter::end() { return state_->end(); }

EnergyReport EnergyMeter::idle(double seconds) {
  checked("idle window", seconds, 0.001, 3600);
  begin();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return end();
}

}  // namespace vergence
