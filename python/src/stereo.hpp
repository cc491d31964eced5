// SPDX-License-Identifier: Apache-2.0
// The class StereoMatcher: pairs in, results out, frames in flight.
#pragma once

#include <nanobind/nanobind.h>

#include <deque>
#include <exception>
#include <memory>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "order.hpp"
#include "process.hpp"
#include "results.hpp"
#include "vergence/stereo.hpp"

namespace vergence::python {

/// What a call asks for: each None, True, False or an array.
struct StereoWants {
  bool raw = false;
  nb::handle disparity, mask, confidence, cost, second_cost, cost_before, cost_after, other_disparity;
};

/// The arrays of a frame that was matched.
struct StereoResult {
  nb::object disparity, mask, confidence, cost, second_cost, cost_before, cost_after, other_disparity;
  int invalid = 0;
};

/// Disparities in 1/16 px, between the library and float pixels.
using Sixteenths = std::variant<Image<std::int16_t>, Image<std::int32_t>>;

/// One frame: its arrays, held until it is whole.
struct StereoFrame {
  Array left, right;
  Map disparity, mask, confidence, cost, second_cost, cost_before, cost_after, other_disparity;
  std::shared_ptr<Sixteenths> sixteenths, other_sixteenths;  // where float pixels are wanted
  StereoInput input;
  StereoOutput output;
  PendingStereo pending;
  bool done = false;
  std::exception_ptr error;
};

class Matcher final : public Unfinished {
 public:
  Matcher(const Device& device, std::unique_ptr<StereoMatcher> matcher);
  /// Waits for all frames, whose arrays go only then.
  ~Matcher() { finish(); }

  StereoResult compute(nb::handle left, nb::handle right, const StereoWants& wants);
  std::shared_ptr<StereoFrame> enqueue(nb::handle left, nb::handle right, const StereoWants& wants);
  StereoResult wait(StereoFrame& frame);
  void finish() noexcept override;

  const StereoMatcher& constant() const { return matcher_.constant(); }
  Guarded<StereoMatcher>::Use use() { return matcher_.use(); }
  const Device& device() const { return device_; }

 private:
  /// Reads the arrays of a call, and tells its order among other work.
  Order take(nb::handle left, nb::handle right, const StereoWants& wants, StereoFrame& frame);
  void take_maps(const StereoWants& wants, StereoFrame& frame);
  DisparityRef disparity_map(const Map& map, std::shared_ptr<Sixteenths>& sixteenths);
  std::shared_ptr<Sixteenths> free_sixteenths();
  /// Without the GIL: float pixels from sixteenths.
  void convert(StereoFrame& frame) const;
  StereoResult result(const StereoFrame& frame) const;
  /// With the matcher in use.
  void wait_once(StereoFrame& frame) const;

  Device device_;
  std::shared_ptr<SpareMemory> spare_ = std::make_shared<SpareMemory>();
  DeviceEvent last_;  ///< Of the last frame that nobody waits for.
  Guarded<StereoMatcher> matcher_;
  std::deque<std::shared_ptr<StereoFrame>> flights_;
  std::vector<std::shared_ptr<Sixteenths>> pool_;
};

void register_stereo(nb::module_& module);

}  // namespace vergence::python
