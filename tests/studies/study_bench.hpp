// SPDX-License-Identifier: Apache-2.0
// What the tests of the studies share: every GPU device, small pictures, and settings written as a user writes them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/printed_json.hpp"
#include "common/bench.hpp"
#include "common/study.hpp"
#include "gpu/gpu_devices.hpp"

namespace vergence::studies::test {

/// Every device; the test is skipped, with the reasons, where there is none.
class OnEveryDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    for (const vergence::test::GpuDevice& one : vergence::test::gpu_devices(reasons))
      devices.push_back({one.name, one.device});
    if (devices.empty()) GTEST_SKIP() << reasons;
  }
  std::vector<gpu::Opened> devices;
};

inline Settings settings_of(const Study& study, const std::vector<std::pair<std::string, std::string>>& values) {
  Settings settings(study.fields);
  for (const auto& [name, value] : values) settings.set(name, value);
  return settings;
}

/// Few grey levels, so that costs tie often.
inline Image<std::uint8_t> noise(Size size, unsigned seed, int levels) {
  std::mt19937 random(seed);
  Image<std::uint8_t> image(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      image(x, y) = static_cast<std::uint8_t>(random() % static_cast<unsigned>(levels) * 255 /
                                              static_cast<unsigned>(std::max(levels - 1, 1)));
  return image;
}

/// As a reader of the report's file gets it.
inline cli_test::Json printed(const Json& json) { return cli_test::Json::parse(json.dump()); }
inline cli_test::Json printed_file(const std::string& path) {
  std::ifstream file(path);
  return cli_test::Json::parse(std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

}  // namespace vergence::studies::test
