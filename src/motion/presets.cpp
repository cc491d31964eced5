// SPDX-License-Identifier: Apache-2.0
// The presets of motion: settings that have a name. docs/presets.md shows what differs; a test compares.
#include <array>

#include "core/option_fields.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

MotionOptions fast() {
  MotionOptions o;
  o.search = MotionSearch::tz;
  return o;
}

MotionOptions exhaustive() {
  MotionOptions o;
  o.block = {8, 8};
  o.range_x = o.range_y = {-128, 128};
  o.subpel = MotionSubpel::quarter;
  return o;
}

const std::array<MotionPreset, 3>& presets() {
  static const std::array<MotionPreset, 3> list{{
      {"fast", "Test zones instead of every candidate: few dozen candidates a block.", fast()},
      {"default", "Every candidate within 64 px: the best whole-pixel vectors there are.", MotionOptions{}},
      {"exhaustive", "Small blocks, every candidate within 128 px, quarter pixels: the smallest residue.",
       exhaustive()},
  }};
  return list;
}

}  // namespace

std::span<const MotionPreset> motion_presets() { return presets(); }

const MotionPreset& motion_preset(std::string_view name) {
  return option_fields::find_preset(presets(), "motion", name);
}

}  // namespace vergence
