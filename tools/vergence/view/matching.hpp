// SPDX-License-Identifier: Apache-2.0
// Matches what the page asks for: devices and matchers are kept, and a newer request of a client ends its older ones.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/device_option.hpp"
#include "stereo/outputs.hpp"
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
  void come(const ViewRequest& request);
  /// Throws Superseded where a newer one has come. Called between the stages of the work.
  void check(const ViewRequest& request) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> newest_;
};

/// Maps of one match and what they took. Not changed any more once it is made.
struct ViewMaps {
  std::string device;
  std::string preset;
  StereoOptions asked;    ///< As the request says.
  StereoOptions options;  ///< As StereoMatcher::options.
  std::shared_ptr<const ViewFrame> frame;
  std::unique_ptr<StereoMaps> maps;
  int invalid = 0;
  double wait_ms = 0, prepare_ms = 0, match_ms = 0;
};

/// Hash and scores of maps, as `vergence stereo` reports them.
struct ViewReport {
  std::uint64_t hash = 0;
  double density = 0;  ///< Percent of the pixels that were to get a disparity.
  std::optional<StereoScores> scores;
  double ms = 0;  ///< What the report took.
};
ViewReport report_of(const ViewMaps& maps);

/// How two maps of one size differ: their bytes, of 32-bit values where either map has such.
struct MapDifference {
  std::int64_t bytes = 0, pixels = 0;
};
MapDifference difference_of(const StereoMaps& a, const StereoMaps& b);

/// Any number of threads may match at once; each device does one match at a time.
class ViewMatching {
 public:
  /// `arguments`: the options of devices that the program was given, for those that they fit.
  ViewMatching(ViewScene& scene, const DeviceArguments& arguments);

  /// Throws Superseded, and Error naming the field that is refused.
  std::shared_ptr<const ViewMaps> match(const ViewRequest& request, const ViewMatch& what);
  ViewClients& clients() { return clients_; }

 private:
  struct Kept {
    Size size;
    StereoOptions options;
    std::unique_ptr<StereoMatcher> matcher;
  };
  struct Lane {
    Device device;
    std::mutex mutex;      ///< Held while one of the matchers works.
    std::list<Kept> kept;  ///< Used last, in front.
  };
  Lane& lane(const std::string& name);
  static StereoMatcher& matcher(Lane& lane, Size size, const StereoOptions& options);

  ViewScene& scene_;
  DeviceArguments arguments_;
  ViewClients clients_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Lane>> lanes_;  ///< By each name that was asked for.
};

}  // namespace vergence::cli
