// SPDX-License-Identifier: Apache-2.0
// What all differential programs share.
#include "differential.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <string_view>

namespace vergence::fuzz {
namespace {

constexpr std::uint64_t report_every = 10'000;

struct Arguments {
  std::uint64_t cases = 1000;
  std::uint64_t seed = 1;
  Size largest;
};

bool parse(std::string_view text, std::uint64_t& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && stop == text.data() + text.size();
}

bool parse_size(std::string_view text, Size& size) {
  const std::size_t cut = text.find('x');
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  if (cut == std::string_view::npos || !parse(text.substr(0, cut), width) || !parse(text.substr(cut + 1), height))
    return false;
  if (width < 4 || height < 4 || width > 4096 || height > 4096) return false;
  size = {static_cast<int>(width), static_cast<int>(height)};
  return true;
}

/// Small pictures reach most of the code most often; the widest vectors need a wide one now and then.
Size largest_of(std::uint64_t seed, Size largest) {
  return seed % 16 == 0 ? Size{4 * largest.width, largest.height} : largest;
}

int run(const Arguments& arguments, const Differential& differential) {
  for (std::uint64_t i = 0; i < arguments.cases; ++i) {
    const std::uint64_t seed = arguments.seed + i;
    const Size largest = largest_of(seed, arguments.largest);
    const std::string difference = differential.difference(seed, largest);
    if (!difference.empty()) {
      fmt::print(stderr, "case {} of {}, of up to {}x{}, differs\n{}\n", i + 1, arguments.cases, largest.width,
                 largest.height, difference);
      return 1;
    }
    if ((i + 1) % report_every == 0 && i + 1 < arguments.cases) {
      fmt::print("{} of {} cases passed\n", i + 1, arguments.cases);
      std::fflush(stdout);
    }
  }
  fmt::print("{} cases from seed {} on, up to {}x{}, some four times as wide: {} give the bytes of reference\n",
             arguments.cases, arguments.seed, arguments.largest.width, arguments.largest.height, differential.targets);
  return 0;
}

}  // namespace

int differential_main(int count, char** arguments, const char* program, Size usual,
                      const std::function<Differential()>& make) {
  Arguments read;
  read.largest = usual;
  const bool understood = count <= 4 && (count < 2 || parse(arguments[1], read.cases)) &&
                          (count < 3 || parse(arguments[2], read.seed)) &&
                          (count < 4 || parse_size(arguments[3], read.largest));
  if (!understood) {
    fmt::print(stderr, "usage: {} [CASES [SEED [WIDTHxHEIGHT]]]\n", program);
    return 2;
  }
  try {
    return run(read, make());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 1;
  }
}

}  // namespace vergence::fuzz
