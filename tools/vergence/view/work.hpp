// SPDX-License-Identifier: Apache-2.0
// What the page's stereo, motion and tracks share: the scene, devices that take one piece of work at a time, and
// clients whose newer requests end their older ones.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "cli/device_option.hpp"
#include "view/requests.hpp"
#include "view/scene.hpp"

namespace vergence::cli {

/// A newer request of the same client has come.
class Superseded : public std::runtime_error {
 public:
  Superseded() : std::runtime_error("a newer request of this client has come") {}
};

/// The newest request of each client; any thread.
class ViewClients {
 public:
  /// A request comes in. One without a client is never cancelled.
  void come(const ViewCaller& request);
  /// Throws Superseded where a newer one has come. Called between the stages of the work.
  void check(const ViewCaller& request) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> newest_;
};

/// An open device.
struct ViewDevice {
  Device device;
  std::mutex mutex;  ///< Held while it works.
};

/// Devices that are open; any thread.
class ViewDevices {
 public:
  /// `arguments`: the options of devices that the program was given, for those that they fit.
  explicit ViewDevices(DeviceArguments arguments) : arguments_(std::move(arguments)) {}
  /// The one that the arguments name. Throws as open_device.
  ViewDevice& given();
  /// Throws Error where it cannot be opened.
  ViewDevice& open(const std::string& name);

 private:
  std::shared_ptr<ViewDevice> keep(Device device);

  DeviceArguments arguments_;
  std::mutex mutex_;
  std::shared_ptr<ViewDevice> given_;
  std::map<std::string, std::shared_ptr<ViewDevice>> devices_;  ///< By each name that was asked for.
};

/// Of one scene; devices are shared by all of them.
struct ViewWork {
  ViewScene& scene;
  ViewDevices& devices;
  ViewClients clients{};
};

/// Matchers, estimators or trackers of each device that were used last: settings often come again. What is given is
/// used under the device's lock, under which it is asked for, too.
template <class Worker, class Options>
class KeptWorkers {
 public:
  /// `most` are kept for each device.
  explicit KeptWorkers(std::size_t most = 3) : most_(most) {}
  template <class Make>
  Worker& get(const ViewDevice& device, Size size, const Options& options, const Make& make) {
    std::list<Kept>& all = of(device);
    for (auto one = all.begin(); one != all.end(); ++one) {
      if (one->size != size || one->options != options) continue;
      all.splice(all.begin(), all, one);
      return *all.front().worker;
    }
    all.push_front({size, options, make()});
    if (all.size() > most_) all.pop_back();
    return *all.front().worker;
  }

 private:
  struct Kept {
    Size size;
    Options options;
    std::unique_ptr<Worker> worker;
  };
  std::list<Kept>& of(const ViewDevice& device) {
    const std::lock_guard lock(mutex_);
    return kept_[&device];
  }
  std::size_t most_;
  std::mutex mutex_;
  std::map<const ViewDevice*, std::list<Kept>> kept_;  ///< Used last, in front.
};

}  // namespace vergence::cli
