// SPDX-License-Identifier: Apache-2.0
// StereoMatcher::compute for calls.py, in its own process and on its own arrays: what both sides measure then differs
// by the Python package alone, and not by where the memory of two processes lies.
#include <chrono>
#include <cstdint>
#include <iostream>

#include "vergence/stereo.hpp"

namespace {

struct Matcher {
  vergence::Device device;
  vergence::Size size;
  vergence::StereoMatcher matcher;
};

}  // namespace

extern "C" {

/// Null after an error, which is printed.
void* open_matcher(const char* device, int width, int height, int disparities, const char* preset) try {
  const vergence::Device opened(device);
  const vergence::Size size{width, height};
  vergence::StereoOptions options = vergence::stereo_preset(preset).options;
  options.disparities = disparities;
  return new Matcher{opened, size, vergence::StereoMatcher(opened, size, options)};
} catch (const vergence::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return nullptr;
}
/// Of rows without gaps; returns us. An error ends the process.
double compute(void* opened, const std::uint8_t* left, const std::uint8_t* right, std::int16_t* map) noexcept {
  using Clock = std::chrono::steady_clock;
  auto& matcher = *static_cast<Matcher*>(opened);
  const auto [width, height] = matcher.size;
  const Clock::time_point start = Clock::now();
  matcher.matcher.compute({vergence::ImageView<const std::uint8_t>(left, width, height),
                           vergence::ImageView<const std::uint8_t>(right, width, height)},
                          {.disparity = vergence::ImageView<std::int16_t>(map, width, height)});
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}
void close_matcher(void* opened) { delete static_cast<Matcher*>(opened); }
}
