// SPDX-License-Identifier: Apache-2.0
// The #defines that all kernels of `match` have in common.
#include "gpu/stereo/match_settings.hpp"

namespace vergence::gpu {
namespace {

int cost_of(StereoCost cost) {
  return cost == StereoCost::sad ? COST_SAD : cost == StereoCost::ssd ? COST_SSD : COST_HAMMING;
}
int outside_of(StereoOutside outside) {
  return outside == StereoOutside::skip ? OUTSIDE_SKIP : outside == StereoOutside::zero ? OUTSIDE_ZERO : OUTSIDE_CLAMP;
}

}  // namespace

Defines match_settings(const StereoPlan& plan, const MatchWants& wants, bool matches_left, bool winner_only) {
  const StereoOptions& o = plan.options;
  const auto flag = [&](bool on) { return on && !winner_only ? 1 : 0; };
  return Defines()
      .set("RX", plan.rx)
      .set("RY", plan.ry)
      .set("COUNT", o.disparities)
      .set("DMIN", o.min_disparity)
      .set("COST", cost_of(o.cost))
      .set("MATCHES_LEFT", matches_left ? 1 : 0)
      .set("WHOLE_WINDOWS", o.border == StereoBorder::invalid ? 1 : 0)
      .set("OUTSIDE", outside_of(o.outside))
      .set("SUMS_PATHS", plan.sums_paths() ? 1 : 0)
      .set("TIE_HIGHEST", o.tie == StereoTie::highest ? 1 : 0)
      .set("MAP", wants.wide ? "int" : "short")
      .set("INVALID", plan.invalid)
      .set("RATIO", winner_only ? 0 : o.uniqueness_ratio)
      .set("REJECT_TIES", flag(o.reject_ties))
      .set("TEXTURE", flag(o.texture_threshold > 0))
      .set("SUBPIXEL", flag(o.subpixel))
      .set("CONFIDENCE", flag(wants.confidence))
      .set("COSTS", flag(wants.costs))
      .set("WINNER_ONLY", winner_only ? 1 : 0)
      .set("WANT_WINNER", winner_only || o.left_right >= 0 ? 1 : 0)
      .set("WANT_DISPARITY", winner_only ? 0 : 1);
}

bool asks_full(const StereoPlan& plan, const MatchWants& wants, bool winner_only) {
  const StereoOptions& o = plan.options;
  return !winner_only && (o.subpixel || o.uniqueness_ratio > 0 || o.reject_ties || wants.confidence || wants.costs);
}

const char* unsigned_type(std::size_t bytes) {
  return bytes == 1 ? "uchar" : bytes == 2 ? "ushort" : bytes == 4 ? "uint" : "uint64";
}

const char* sixteen_of(std::size_t bytes) {
  return bytes == 1 ? "uchar16" : bytes == 2 ? "ushort16" : bytes == 4 ? "uint16" : "ulong16";
}

}  // namespace vergence::gpu
