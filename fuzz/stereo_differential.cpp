// SPDX-License-Identifier: Apache-2.0
// Seeded cases through `reference` and every SIMD target of `cpu`, without libFuzzer.
// Usage: stereo_differential [CASES [SEED [WIDTHxHEIGHT]]]; stops at the first differing byte with exit status 1. Every
// 16th case may be four times as wide.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "stereo_compare.hpp"

namespace {

bool parse(std::string_view text, std::uint64_t& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && stop == text.data() + text.size();
}

bool parse_size(std::string_view text, vergence::Size& size) {
  const std::size_t cut = text.find('x');
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  if (cut == std::string_view::npos || !parse(text.substr(0, cut), width) || !parse(text.substr(cut + 1), height))
    return false;
  if (width < 1 || height < 1 || width > 4096 || height > 4096) return false;
  size = {static_cast<int>(width), static_cast<int>(height)};
  return true;
}

/// Small pictures reach most of the code most often; the widest vectors need a wide one now and then.
vergence::Size largest_of(std::uint64_t seed, vergence::Size largest) {
  return seed % 16 == 0 ? vergence::Size{4 * largest.width, largest.height} : largest;
}

int run(std::uint64_t cases, std::uint64_t first_seed, vergence::Size usual) {
  const vergence::fuzz::StereoCompare compare;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::uint64_t seed = first_seed + i;
    const vergence::Size largest = largest_of(seed, usual);
    const vergence::StereoCase stereo_case = vergence::make_stereo_case(seed, largest);
    vergence::StereoRunOptions options = vergence::usual_run(stereo_case);
    options.padding = static_cast<int>(seed * 7 % 23);
    const std::string difference = compare.difference(stereo_case, options);
    if (!difference.empty()) {
      fmt::print(stderr, "case {} of {}, of up to {}x{}, differs\n{}\n", i + 1, cases, largest.width, largest.height,
                 difference);
      return 1;
    }
  }
  fmt::print("{} cases from seed {} on, up to {}x{}, some four times as wide: {} give the bytes of reference\n", cases,
             first_seed, usual.width, usual.height, compare.targets());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::uint64_t cases = 1000;
  std::uint64_t seed = 1;
  vergence::Size largest{48, 32};
  const bool understood = count <= 4 && (count < 2 || parse(arguments[1], cases)) &&
                          (count < 3 || parse(arguments[2], seed)) && (count < 4 || parse_size(arguments[3], largest));
  if (!understood) {
    fmt::print(stderr, "usage: stereo_differential [CASES [SEED [WIDTHxHEIGHT]]]\n");
    return 2;
  }
  try {
    return run(cases, seed, largest);
  } catch (const std::exception& error) {
    fmt::print(stderr, "stereo_differential: {}\n", error.what());
    return 1;
  }
}
