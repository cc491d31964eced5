// SPDX-License-Identifier: Apache-2.0
// backend::Motion for devices that work in host memory: takes the frames' type apart. The stages are the backend's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "backend/motion.hpp"
#include "plan/motion/pictures.hpp"
#include "plan/motion/plan.hpp"

namespace vergence::host {

/// `Stages` is made from (plan, stage_arguments...) and offers, for P = uint8_t and uint16_t:
///   search(plan, MotionPictures<P>, std::span<const MotionMaps>),
///   refine and confidence(plan, MotionPictures<P>, block size, maps of that size),
///   predict(plan, reference plane, vectors, PlaneScale, prediction) and memory().
/// Confidence reads the costs; where the caller wants none, they go to a place of its own.
template <class Stages>
class Motion final : public backend::Motion {
 public:
  template <class... Args>
  explicit Motion(const MotionPlan& plan, Args&&... stage_arguments)
      : plan_(plan), stages_(plan_, std::forward<Args>(stage_arguments)...) {
    maps_.reserve(plan_.blocks.size());
  }

  void begin(const backend::MotionPair& pair, std::span<const MotionMaps> maps) override {
    pair_ = pair;
    maps_.assign(maps.begin(), maps.end());
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      if (maps_[i].confidence.empty() || !maps_[i].cost.empty()) continue;
      if (costs_[i].empty()) costs_[i] = Image<std::uint64_t>(plan_.grids[i]);
      maps_[i].cost = costs_[i];
    }
  }
  void search() override {
    with_pictures([&](const auto& pictures) { stages_.search(plan_, pictures, std::span<const MotionMaps>(maps_)); });
  }
  void refine() override {
    with_pictures([&](const auto& pictures) {
      for (std::size_t i = 0; i < maps_.size(); ++i) stages_.refine(plan_, pictures, plan_.blocks[i], maps_[i]);
    });
  }
  void confidence() override {
    with_pictures([&](const auto& pictures) {
      for (std::size_t i = 0; i < maps_.size(); ++i)
        if (!maps_[i].confidence.empty()) stages_.confidence(plan_, pictures, plan_.blocks[i], maps_[i]);
    });
  }
  void predict(const backend::MotionPrediction& plane) override {
    if (plan_.options.depth == Depth::u8)
      stages_.predict(plan_, plane.reference8, plane.vectors, plane.scale, plane.prediction8);
    else
      stages_.predict(plan_, plane.reference16, plane.vectors, plane.scale, plane.prediction16);
  }
  void finish() override {}
  std::size_t memory() const override {
    std::size_t bytes = stages_.memory();
    for (const Image<std::uint64_t>& one : costs_)
      bytes += static_cast<std::size_t>(one.stride()) * static_cast<std::size_t>(one.height());
    return bytes;
  }

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
  std::vector<MotionMaps> maps_;
  std::array<Image<std::uint64_t>, 4> costs_;
};

}  // namespace vergence::host
