// SPDX-License-Identifier: Apache-2.0
// Scans of a progressive JPEG: each gives some bits of some coefficients. Decoders make a picture of those that are
// there, and of components whose tables are missing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace vergence::io {

/// The tables of quantisation: components without one become grey areas.
class JpegTables {
 public:
  /// A segment DQT, behind its length.
  void define(std::span<const std::uint8_t> tables);
  /// A frame header, SOF.
  void use(std::span<const std::uint8_t> frame);
  /// What lacks; empty where nothing does.
  std::string problem() const;

 private:
  std::array<bool, 16> defined_{};
  std::vector<std::uint8_t> used_;
};

class JpegScans {
 public:
  /// The segment SOF2, behind its length. Without it scans are not counted.
  void begin(std::span<const std::uint8_t> frame);
  /// A segment SOS.
  void add(std::span<const std::uint8_t> scan);
  /// What lacks; empty where nothing does.
  std::string problem() const;

 private:
  static constexpr int none = -1;
  /// The lowest bit that was met of each coefficient, by the component's name; 0 is all.
  std::map<std::uint8_t, std::array<int, 64>> lowest_;
};

}  // namespace vergence::io
