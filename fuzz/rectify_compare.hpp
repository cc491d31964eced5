// SPDX-License-Identifier: Apache-2.0
// A raw pair, rectified and matched on `reference` and on `cpu` with every SIMD target of this machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vergence/device.hpp"
#include "vergence/image.hpp"
#include "vergence/rectify.hpp"
#include "vergence/stereo.hpp"

namespace vergence::fuzz {

template <class P>
struct RawPair {
  Image<P> left, right;
};

class RectifyCompare {
 public:
  /// How rectified pictures of a size are matched; `depth` and `max_value` follow from the pictures.
  using Matching = std::function<StereoOptions(Size)>;

  RectifyCompare();
  /// Empty where all give the same bytes, and no disparity leads from or to a pixel without source.
  template <class P>
  std::string difference(const StereoRig& rig, const RectifyOptions& options, const RawPair<P>& raw,
                         const Matching& matching) const;

 private:
  Device reference_;
  std::vector<Device> devices_;
};

}  // namespace vergence::fuzz
