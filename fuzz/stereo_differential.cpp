// SPDX-License-Identifier: Apache-2.0
// Seeded cases through `reference` and every SIMD target of `cpu`, without libFuzzer.
// Usage: stereo_differential [CASES [SEED [WIDTHxHEIGHT]]]; stops at the first differing byte with exit status 1.
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

int run(std::uint64_t cases, std::uint64_t seed, vergence::Size largest) {
  const vergence::fuzz::StereoCompare compare;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const vergence::StereoCase stereo_case = vergence::make_stereo_case(seed + i, largest);
    vergence::StereoRunOptions options = vergence::usual_run(stereo_case);
    options.padding = static_cast<int>((seed + i) * 7 % 23);
    const std::string difference = compare.difference(stereo_case, options);
    if (!difference.empty()) {
      fmt::print(stderr, "case {} of seed {}, up to {}x{}, differs\n{}\n", i, seed, largest.width, largest.height,
                 difference);
      return 1;
    }
  }
  fmt::print("{} cases from seed {} up to {}x{}: {} give the bytes of reference\n", cases, seed, largest.width,
             largest.height, compare.targets());
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
