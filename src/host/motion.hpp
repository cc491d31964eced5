// SPDX-License-Identifier: Apache-2.0
// backend::Motion for devices that work in host memory: takes the frames' type apart. The stages are the wing's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "motion/pictures.hpp"
#include "motion/plan.hpp"
#include "motion_backend.hpp"

namespace vergence::host {

/// `Stages` is made from (plan, stage_arguments...) and offers, for P = uint8_t and uint16_t:
///   search(plan, MotionPictures<P>, std::span<const MotionMaps>) and memory().
template <class Stages>
class Motion final : public backend::Motion {
 public:
  template <class... Args>
  explicit Motion(const MotionPlan& plan, Args&&... stage_arguments)
      : plan_(plan), stages_(plan_, std::forward<Args>(stage_arguments)...) {}

  void begin(const backend::MotionPair& pair, std::span<const MotionMaps> maps) override {
    pair_ = pair;
    maps_ = maps;
  }
  void search() override {
    with_pictures([&](const auto& pictures) { stages_.search(plan_, pictures, maps_); });
  }
  void finish() override {}
  std::size_t memory() const override { return stages_.memory(); }

 private:
  template <class F>
  void with_pictures(F&& f) {
    if (plan_.options.depth == Depth::u8)
      f(MotionPictures<std::uint8_t>{pair_.current8, pair_.reference8});
    else
      f(MotionPictures<std::uint16_t>{pair_.current16, pair_.reference16});
  }

  MotionPlan plan_;
  Stages stages_;
  backend::MotionPair pair_;
  std::span<const MotionMaps> maps_;
};

}  // namespace vergence::host
