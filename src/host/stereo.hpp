// SPDX-License-Identifier: Apache-2.0
// backend::Stereo for devices that work in host memory: where the map of a frame lies from stage to stage, and what the
// mask and the confidence say at the end. The stages themselves are the backend's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "backend/stereo.hpp"
#include "plan/stereo/match_maps.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::host {

/// `Stages` is made from (plan, stage_arguments...) and offers, for P = uint8_t, uint16_t and T = int16_t, int32_t:
///   match<P, T>(plan, left, right, maps), source<T>(plan, map), speckle<T>(plan, map), median<T>(plan, in, out),
///   fill<T>(plan, in, out), for_rows(rows, body(first, last)), which covers [0, rows) by disjoint ranges, and
///   memory().
///
/// Speckle works in place, median and fill from one map into another. Two places are enough, the caller's target and
/// one buffer, and `match` starts in the one from which the last stage ends in the target: nothing is ever copied.
template <class Stages>
class Stereo final : public backend::Stereo {
 public:
  template <class... Args>
  explicit Stereo(const StereoPlan& plan, Args&&... stage_arguments)
      : plan_(plan), stages_(plan, std::forward<Args>(stage_arguments)...) {
    // What most callers need is allocated here; the 32-bit map of a narrow range at its first use.
    if (plan_.wide)
      reserve(wide_);
    else
      reserve(narrow_);
  }

  void begin(const backend::StereoPair& pair, const backend::StereoTargets& targets) override {
    pair_ = pair;
    targets_ = targets;
    uses_wide_ = targets.disparity32.data() != nullptr;
    if (uses_wide_)
      place(wide_, targets.disparity32);
    else
      place(narrow_, targets.disparity16);
  }

  void match() override {
    with_maps([&](auto& maps) {
      const MatchMaps<typename std::remove_reference_t<decltype(maps)>::Value> out{
          maps.current,         targets_.confidence,  targets_.cost,
          targets_.second_cost, targets_.cost_before, targets_.cost_after};
      if (plan_.options.depth == Depth::u8)
        stages_.match(plan_, pair_.left8, pair_.right8, out);
      else
        stages_.match(plan_, pair_.left16, pair_.right16, out);
    });
  }

  void speckle() override {
    with_maps([&](auto& maps) { stages_.speckle(plan_, maps.current); });
  }

  void median() override {
    with_maps([&](auto& maps) {
      stages_.median(plan_, readable(maps.current), maps.other);
      std::swap(maps.current, maps.other);
    });
  }

  void fill() override {
    with_maps([&](auto& maps) {
      stages_.fill(plan_, readable(maps.current), maps.other);
      std::swap(maps.current, maps.other);
      if (plan_.masks != nullptr) stages_.source(plan_, maps.current);
    });
  }

  void finish() override {
    with_maps([&](auto& maps) {
      // After a fill the other place still holds what was measured.
      const bool filled = plan_.options.fill != StereoFill::none;
      finish_extras(readable(filled ? maps.other : maps.current), readable(maps.current));
    });
  }

  backend::HostMap current() override {
    return {uses_wide_ ? ImageView<std::int16_t>() : narrow_.current,
            uses_wide_ ? wide_.current : ImageView<std::int32_t>()};
  }

  std::size_t memory() const override { return stages_.memory() + bytes(narrow_.buffer) + bytes(wide_.buffer); }

 private:
  template <class T>
  struct Maps {
    using Value = T;
    Image<T> buffer;
    ImageView<T> current, other;
  };

  template <class T>
  static ImageView<const T> readable(ImageView<T> view) {
    return view;
  }
  template <class T>
  static std::size_t bytes(const Image<T>& image) {
    return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
  }

  /// How often the map changes its place.
  int moves() const { return (plan_.options.median != 0 ? 1 : 0) + (plan_.options.fill != StereoFill::none ? 1 : 0); }

  template <class T>
  void reserve(Maps<T>& maps) {
    if (moves() > 0 && maps.buffer.empty()) maps.buffer = Image<T>(plan_.size);
  }
  template <class T>
  void place(Maps<T>& maps, ImageView<T> target) {
    reserve(maps);
    maps.current = target;
    maps.other = maps.buffer;
    if (moves() % 2 == 1) std::swap(maps.current, maps.other);
  }
  template <class F>
  void with_maps(F&& f) {
    if (uses_wide_)
      f(wide_);
    else
      f(narrow_);
  }

  /// Mask, and confidence 0 where the final map was not measured (speckle and median came after `match` wrote it).
  template <class T>
  void finish_extras(ImageView<const T> measured, ImageView<const T> final_map) {
    if (targets_.mask.empty() && targets_.confidence.empty()) return;
    stages_.for_rows(plan_.size.height, [&](int first, int last) {
      const auto invalid = static_cast<T>(plan_.invalid);
      for (int y = first; y < last; ++y) {
        const T* const before = measured.row(y);
        const T* const after = final_map.row(y);
        if (!targets_.mask.empty()) {
          std::uint8_t* const mask = targets_.mask.row(y);
          for (int x = 0; x < plan_.size.width; ++x) {
            const StereoValidity late = after[x] != invalid ? StereoValidity::filled : StereoValidity::invalid;
            mask[x] = static_cast<std::uint8_t>(before[x] != invalid ? StereoValidity::measured : late);
          }
        }
        if (!targets_.confidence.empty()) {
          std::uint8_t* const confidence = targets_.confidence.row(y);
          for (int x = 0; x < plan_.size.width; ++x)
            confidence[x] = before[x] != invalid ? confidence[x] : std::uint8_t{0};
        }
      }
    });
  }

  StereoPlan plan_;
  Stages stages_;
  backend::StereoPair pair_;
  backend::StereoTargets targets_;
  bool uses_wide_ = false;
  Maps<std::int16_t> narrow_;
  Maps<std::int32_t> wide_;
};

}  // namespace vergence::host
