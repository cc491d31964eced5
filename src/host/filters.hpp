// SPDX-License-Identifier: Apache-2.0
// backend::Filters for devices that work in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "backend/filter.hpp"

namespace vergence::host {

/// `Stages` is made from stage_arguments and offers blur, gradients and half for float and uint8_t, and memory().
template <class Stages>
class Filters final : public backend::Filters {
 public:
  template <class... Args>
  explicit Filters(Args&&... stage_arguments) : stages_(std::forward<Args>(stage_arguments)...) {}

  void blur(ImageView<const float> in, ImageView<float> out, FilterBorder border) override {
    stages_.blur(in, out, border);
  }
  void blur(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, FilterBorder border) override {
    stages_.blur(in, out, border);
  }
  void gradients(ImageView<const float> in, const backend::GradientWeights& slope, ImageView<float> dx,
                 ImageView<float> dy, FilterBorder border) override {
    stages_.gradients(in, slope, dx, dy, border);
  }
  void gradients(ImageView<const std::uint8_t> in, const backend::GradientWeights& slope, ImageView<std::int16_t> dx,
                 ImageView<std::int16_t> dy, FilterBorder border) override {
    stages_.gradients(in, slope, dx, dy, border);
  }
  void half(ImageView<const float> in, ImageView<float> out, FilterBorder border) override {
    stages_.half(in, out, border);
  }
  void half(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, FilterBorder border) override {
    stages_.half(in, out, border);
  }
  std::size_t memory() const override { return stages_.memory(); }

 private:
  Stages stages_;
};

}  // namespace vergence::host
