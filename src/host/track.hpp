// SPDX-License-Identifier: Apache-2.0
// backend::Track for devices that work in host memory: keeps two frames of one of the two types. The stages are the
// backend's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "backend/track.hpp"
#include "plan/track/plan.hpp"

namespace vergence::host {

/// `Stages` is made from (plan, stage_arguments...) and offers, for P = uint8_t and uint16_t: a type Frame<P> made from
/// a plan, with bytes(); prepare(plan, picture, Frame<P>&), take(TrackFrame<P>, Frame<P>&) and give(Frame<P>,
/// TrackFrame<P>&), which copy it; corners(plan, frame, mask, corners), lk(plan, previous,
/// current, queries, found); and memory().
template <class Stages>
class Track final : public backend::Track {
 public:
  template <class... Args>
  explicit Track(const TrackPlan& plan, Args&&... stage_arguments)
      : plan_(plan), stages_(plan_, std::forward<Args>(stage_arguments)...) {
    if (plan_.options.depth == Depth::u8)
      bytes_ = std::make_unique<Frames<std::uint8_t>>(plan_);
    else
      words_ = std::make_unique<Frames<std::uint16_t>>(plan_);
  }

  void push(ImageView<const std::uint8_t> frame8, ImageView<const std::uint16_t> frame16) override {
    if (bytes_ != nullptr)
      push(*bytes_, frame8);
    else
      push(*words_, frame16);
  }
  void push(const PreparedPlanes& prepared) override {
    if (bytes_ != nullptr)
      take(*bytes_, prepared.bytes);
    else
      take(*words_, prepared.words);
  }
  void read(PreparedPlanes& prepared) override {
    if (bytes_ != nullptr)
      stages_.give(bytes_->current, prepared.bytes);
    else
      stages_.give(words_->current, prepared.words);
  }
  void corners(ImageView<const std::uint8_t> mask, std::vector<backend::Corner>& corners) override {
    if (bytes_ != nullptr)
      stages_.corners(plan_, bytes_->current, mask, corners);
    else
      stages_.corners(plan_, words_->current, mask, corners);
  }
  void lk(std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) override {
    if (bytes_ != nullptr)
      stages_.lk(plan_, bytes_->previous, bytes_->current, queries, found);
    else
      stages_.lk(plan_, words_->previous, words_->current, queries, found);
  }
  std::size_t memory() const override {
    return stages_.memory() + (bytes_ != nullptr ? bytes_->bytes() : words_->bytes());
  }

 private:
  template <class P>
  struct Frames {
    explicit Frames(const TrackPlan& plan) : previous(plan), current(plan) {}
    std::size_t bytes() const { return previous.bytes() + current.bytes(); }
    typename Stages::template Frame<P> previous, current;
  };
  template <class P>
  void push(Frames<P>& frames, ImageView<const P> picture) {
    std::swap(frames.previous, frames.current);
    stages_.prepare(plan_, picture, frames.current);
  }
  template <class P>
  void take(Frames<P>& frames, const TrackFrame<P>& prepared) {
    std::swap(frames.previous, frames.current);
    stages_.take(prepared, frames.current);
  }

  TrackPlan plan_;
  Stages stages_;
  std::unique_ptr<Frames<std::uint8_t>> bytes_;  ///< of 8-bit frames, or
  std::unique_ptr<Frames<std::uint16_t>> words_;
};

}  // namespace vergence::host
