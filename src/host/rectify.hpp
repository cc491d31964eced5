// SPDX-License-Identifier: Apache-2.0
// backend::Rectifier for devices that work in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "backend/rectify.hpp"
#include "plan/rectify/plan.hpp"

namespace vergence::host {

/// `Stages` is made from stage_arguments and offers remap for uint8_t and uint16_t, and memory.
template <class Stages>
class Rectifier final : public backend::Rectifier {
 public:
  template <class... Args>
  explicit Rectifier(std::shared_ptr<const RectifyPlan> plan, Args&&... stage_arguments)
      : plan_(std::move(plan)), stages_(std::forward<Args>(stage_arguments)...) {}

  void remap(backend::RigCamera camera, const RectifyInput& in, const RectifyOutput& out,
             const backend::Order& /*order*/) override {
    const rectify::SourceMap& map = map_of(camera);
    if (in.holds<const std::uint16_t>())
      stages_.remap(camera, map, in.view<const std::uint16_t>(), out.view<std::uint16_t>(), plan_->max_value);
    else
      stages_.remap(camera, map, in.view<const std::uint8_t>(), out.view<std::uint8_t>(), 255);
  }
  std::size_t memory() const override { return stages_.memory(); }

 private:
  const rectify::SourceMap& map_of(backend::RigCamera camera) const {
    return camera == backend::RigCamera::left ? plan_->left : plan_->right;
  }
  std::shared_ptr<const RectifyPlan> plan_;
  Stages stages_;
};

}  // namespace vergence::host
