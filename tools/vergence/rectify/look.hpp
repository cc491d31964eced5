// SPDX-License-Identifier: Apache-2.0
// Whether rectified pictures look rectified.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/rig_watch.hpp"
#include "vergence/io.hpp"
#include "vergence/rectify.hpp"

namespace vergence::cli {

/// Rectifies pairs as grey pictures, the first one and every hundredth, and looks whether points lie in the same row of
/// both, within the rectangle that both cameras see. Nothing is looked at where cameras stand above each other and
/// pictures are not turned, nor where that rectangle is under 64x48.
class RectifiedLook {
 public:
  /// `required`: what is not rectified is an Error.
  RectifiedLook(StereoRectifier& rectifier, bool required);

  /// Lines that say what points of the frame, before which there were `count`, do instead.
  std::vector<std::string> look(const StereoFrame& frame, std::int64_t count);
  const RigWatch& rig() const { return rig_; }

 private:
  StereoFrame rectified(const StereoFrame& frame) const;
  /// Does the pair fit once left and right are exchanged?
  bool fits_exchanged(const StereoFrame& frame) const;
  void refuse(const StereoFrame& frame, const std::string& line) const;

  StereoRectifier& rectifier_;
  bool required_, possible_;
  bool told_ = false;  ///< That the pictures do not fit.
  RigWatch rig_;
};

}  // namespace vergence::cli
