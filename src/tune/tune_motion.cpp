// SPDX-License-Identifier: Apache-2.0
// The work of motion that candidates of an entry are tried on.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/random.hpp"
#include "tune/tune_work.hpp"

namespace vergence {
namespace {

/// Odd sizes, for every edge of blocks and tiles, as high as the usual range; small enough for the reference.
constexpr Size check_sizes[] = {{131, 67}, {71, 93}};

/// Settings that such a frame allows.
MotionOptions fitted(MotionOptions options, Size size) {
  const auto block = [](int side, int most) { return std::min(side, most / 4 * 4); };
  const auto clip = [](MotionRange& range, int most) {
    range = {std::max(range.first, -most), std::min(range.last, most)};
  };
  options.block = {block(options.block.width, size.width), block(options.block.height, size.height)};
  clip(options.range_x, size.width);
  clip(options.range_y, size.height);
  return options;
}

struct Found {
  Found(const Device& device, Size size, const MotionOptions& options) : estimator(device, size, options) {
    vectors = Image<MotionVector>(estimator.blocks());
    costs = Image<std::uint64_t>(estimator.blocks());
  }
  void compute(const Image<std::uint8_t>& current, const Image<std::uint8_t>& reference) {
    MotionOutput maps;
    maps.vectors = vectors;
    maps.cost = costs;
    estimator.compute({current, reference}, maps);
  }
  MotionEstimator estimator;
  Image<MotionVector> vectors;
  Image<std::uint64_t> costs;
};

std::string first_difference(const Found& expected, const Found& got) {
  const Size size = expected.estimator.size();
  for (int y = 0; y < expected.vectors.height(); ++y)
    for (int x = 0; x < expected.vectors.width(); ++x) {
      const MotionVector a = expected.vectors(x, y), b = got.vectors(x, y);
      if (!(a == b) || expected.costs(x, y) != got.costs(x, y))
        return fmt::format("block {},{} of {}x{} moves {},{} at cost {}, must move {},{} at cost {}", x, y, size.width,
                           size.height, b.dx, b.dy, got.costs(x, y), a.dx, a.dy, expected.costs(x, y));
    }
  return {};
}

/// Smooth noise that moves by (9, 5), with fresh noise on it, and the expected vectors.
struct Trial {
  Trial(Size size, std::uint64_t seed, const char* reference_device, const MotionOptions& motion)
      : current(size),
        reference(size),
        options(fitted(motion, size)),
        expected(Device(reference_device), size, options) {
    Random random(seed);
    for (int y = 0; y < size.height; ++y) {
      int value = 128;
      for (int x = 0; x < size.width; ++x) {
        value = std::clamp(value + random.within(-40, 40), 0, 255);
        reference(x, y) = static_cast<std::uint8_t>(value);
      }
    }
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const int from = reference(std::min(x + 9, size.width - 1), std::min(y + 5, size.height - 1));
        current(x, y) = static_cast<std::uint8_t>(std::min(255, from + random.within(0, 3)));
      }
    expected.compute(current, reference);
  }
  Image<std::uint8_t> current, reference;
  MotionOptions options;
  Found expected;
};

class MotionWork final : public TuneWork {
 public:
  MotionWork(const MotionOptions& motion, const TuneOptions& options) : repeat_(options.repeat) {
    for (const Size size : check_sizes) trials_.emplace_back(size, options.seed, "reference", motion);
    trials_.emplace_back(options.size, options.seed, "cpu", motion);  // which tests and verify hold to the reference
  }
  std::string run(const Device& device, double& ms) const override {
    for (const Trial& trial : trials_) {
      Found got(device, trial.current.size(), trial.options);
      const auto once = [&] { got.compute(trial.current, trial.reference); };
      once();
      std::string wrong = first_difference(trial.expected, got);
      if (!wrong.empty()) return wrong;
      if (&trial == &trials_.back()) ms = least_ms(got.estimator, repeat_, once);
    }
    return {};
  }

 private:
  int repeat_;
  std::vector<Trial> trials_;
};

}  // namespace

std::unique_ptr<TuneWork> make_work(const MotionOptions& motion, const TuneOptions& options) {
  return std::make_unique<MotionWork>(motion, options);
}

}  // namespace vergence
