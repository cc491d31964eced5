// SPDX-License-Identifier: Apache-2.0
// Finds the motion that the page asks for: a frame of the left view against the one before it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "motion/lane.hpp"
#include "view/answers.hpp"
#include "view/work.hpp"

namespace vergence::cli {

/// A field and what it took. Not changed any more once it is made.
struct ViewField {
  std::string device, preset;
  MotionOptions asked;  ///< As the request says, with the frames' depth.
  Size frame_size;
  FoundMotion found;
  Image<std::uint8_t> predicted, residue;  ///< Of 8 bits; empty where not asked for.
  std::uint64_t hash = 0;                  ///< As `vergence motion` prints it for these two frames.
  std::optional<double> epe;               ///< Mean end-point error, px, where the flow is known.
  double wait_ms = 0, search_ms = 0;
};

/// Any number of threads may ask at once; each device does one search at a time.
class ViewMotion {
 public:
  explicit ViewMotion(ViewWork& work) : work_(work) {}
  /// Throws Superseded, and Error naming the field that is refused.
  std::shared_ptr<const ViewField> search(const ViewMotionRequest& request, const ViewChoice<MotionSettings>& what);

 private:
  ViewWork& work_;
  KeptWorkers<MotionLane, MotionOptions> lanes_;
};

/// The settings that the page begins with.
Json motion_start_json(const ViewFrame& frame);
/// How two fields of one frame differ.
struct FieldDifference {
  /// Of vectors and costs, 12 a block; nothing where the blocks are of other sizes.
  std::optional<std::int64_t> bytes;
  std::int64_t pixels = 0;  ///< That have another vector.
};
FieldDifference difference_of(const ViewField& a, const ViewField& b);

/// What a search says besides its arrays.
Json motion_json(const ViewField& field, const ViewScene& scene);
/// Its arrays, with `prefix`: "vectors", and "predicted" and "difference" where there are.
void add_field(Packet& packet, const std::string& prefix, const std::shared_ptr<const ViewField>& field);

}  // namespace vergence::cli
