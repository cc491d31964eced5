// SPDX-License-Identifier: Apache-2.0
// The work of stereo that candidates of an entry are tried on.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/random.hpp"
#include "tune/tune_work.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

/// Odd sizes, for every edge of strips and groups; small enough for the reference.
constexpr Size check_sizes[] = {{131, 37}, {67, 71}};

/// A pair of smooth noise 7 px apart, and its expected map.
struct Trial {
  Trial(Size size, std::uint64_t seed, const char* reference_device, const StereoOptions& options)
      : left(size), right(size), expected(size) {
    Random random(seed);
    for (int y = 0; y < size.height; ++y) {
      int value = 128;
      for (int x = 0; x < size.width; ++x) {
        value = std::clamp(value + random.within(-40, 40), 0, 255);
        left(x, y) = static_cast<std::uint8_t>(value);
      }
      for (int x = 0; x < size.width; ++x)
        right(x, y) =
            static_cast<std::uint8_t>(std::min(255, left(std::min(x + 7, size.width - 1), y) + random.within(0, 3)));
    }
    StereoMatcher(Device(reference_device), size, options).compute({left, right}, {.disparity = expected});
  }
  Image<std::uint8_t> left, right;
  Image<std::int16_t> expected;
};

std::string first_difference(const Image<std::int16_t>& expected, const Image<std::int16_t>& got) {
  for (int y = 0; y < got.height(); ++y)
    for (int x = 0; x < got.width(); ++x)
      if (got(x, y) != expected(x, y))
        return fmt::format("at x {}, y {} of {}x{} it gives {}, must be {}", x, y, got.width(), got.height(), got(x, y),
                           expected(x, y));
  return {};
}

class StereoWork final : public TuneWork {
 public:
  StereoWork(const StereoOptions& stereo, const TuneOptions& options) : stereo_(stereo), repeat_(options.repeat) {
    for (const Size size : check_sizes) trials_.emplace_back(size, options.seed, "reference", stereo_);
    trials_.emplace_back(options.size, options.seed, "cpu", stereo_);  // which tests and verify hold to the reference
  }
  std::string run(const Device& device, double& ms) const override {
    for (const Trial& trial : trials_) {
      StereoMatcher matcher(device, trial.left.size(), stereo_);
      Image<std::int16_t> got(trial.left.size());
      const auto once = [&] { matcher.compute({trial.left, trial.right}, {.disparity = got}); };
      once();
      std::string wrong = first_difference(trial.expected, got);
      if (!wrong.empty()) return wrong;
      if (&trial == &trials_.back()) ms = least_ms(matcher, repeat_, once);
    }
    return {};
  }

 private:
  StereoOptions stereo_;
  int repeat_;
  std::vector<Trial> trials_;
};

}  // namespace

std::unique_ptr<TuneWork> make_work(const StereoOptions& stereo, const TuneOptions& options) {
  return std::make_unique<StereoWork>(stereo, options);
}

}  // namespace vergence
