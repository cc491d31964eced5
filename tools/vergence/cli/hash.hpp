// SPDX-License-Identifier: Apache-2.0
// The hashes that reports carry: two runs with equal hashes gave equal disparities, equal vectors and costs, or
// equal tracks.
#pragma once

#include <cstdint>
#include <span>

#include "vergence/image.hpp"
#include "vergence/motion.hpp"
#include "vergence/track.hpp"

namespace vergence::cli {

/// FNV-1a, 64 bits, over 32-bit little-endian numbers.
class Fnv1a {
 public:
  void add_value(std::uint32_t value) {
    // Each step waits for the one before. Most numbers are small, and bytes of 0 do nothing but multiply.
    if (value < 1u << 8) {
      state_ = (state_ ^ value) * (prime * prime * prime * prime);
      return;
    }
    add_byte(value);
    if (value < 1u << 16) {
      state_ = (state_ ^ value >> 8) * (prime * prime * prime);
      return;
    }
    add_byte(value >> 8);
    add_byte(value >> 16);
    add_byte(value >> 24);
  }
  std::uint64_t value() const { return state_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001B3u;
  void add_byte(std::uint32_t value) { state_ = (state_ ^ (value & 255u)) * prime; }

  std::uint64_t state_ = 0xCBF29CE484222325u;
};

/// Over the values in raster order: int16 and int32 maps of equal values have equal hashes, strides do not matter,
/// frames of a stream follow each other.
class DisparityHash {
 public:
  template <class Disparity>
  void add(ImageView<const Disparity> map) {
    for (int y = 0; y < map.height(); ++y)
      for (int x = 0; x < map.width(); ++x) add_value(static_cast<std::uint32_t>(std::int32_t{map(x, y)}));
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  void add_value(std::uint32_t value) { hash_.add_value(value); }
  Fnv1a hash_;
};

/// Over dx, dy (quarter px), and the lower and upper half of the cost of each block in raster order, field after field.
class MotionHash {
 public:
  void add(ImageView<const MotionVector> vectors, ImageView<const std::uint64_t> cost) {
    for (int y = 0; y < vectors.height(); ++y)
      for (int x = 0; x < vectors.width(); ++x) {
        hash_.add_value(static_cast<std::uint32_t>(std::int32_t{vectors(x, y).dx}));
        hash_.add_value(static_cast<std::uint32_t>(std::int32_t{vectors(x, y).dy}));
        hash_.add_value(static_cast<std::uint32_t>(cost(x, y)));
        hash_.add_value(static_cast<std::uint32_t>(cost(x, y) >> 32));
      }
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  Fnv1a hash_;
};

/// Over the frame's number and id, x, y, status, residual and age of each track, frame after frame.
class TrackHash {
 public:
  void add(std::int64_t frame, std::span<const Track> tracks) {
    for (const Track& track : tracks)
      for (const std::uint32_t value :
           {static_cast<std::uint32_t>(frame), static_cast<std::uint32_t>(track.id),
            static_cast<std::uint32_t>(track.position.x), static_cast<std::uint32_t>(track.position.y),
            static_cast<std::uint32_t>(track.status), track.residual, static_cast<std::uint32_t>(track.age)})
        hash_.add_value(value);
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  Fnv1a hash_;
};

}  // namespace vergence::cli
