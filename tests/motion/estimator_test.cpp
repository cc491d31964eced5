// SPDX-License-Identifier: Apache-2.0
// MotionEstimator: what it refuses, and that views of any stride serve.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/device.hpp"
#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "motion/motion_oracle.hpp"
#include "plan/motion/plan.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

constexpr Size estimator_size{32, 24};

MotionOptions options() {
  MotionOptions o;
  o.block = {8, 8};
  o.range_x = o.range_y = {-4, 4};
  return o;
}

class Estimator : public testing::Test {
 protected:
  MotionEstimator estimator{Device("reference"), estimator_size, options()};
  Image<std::uint8_t> current = test::noise<std::uint8_t>(estimator_size, 1, 255);
  Image<std::uint8_t> reference = test::noise<std::uint8_t>(estimator_size, 2, 255);
  test::Found found{estimator.blocks()};

  void expect_refused(const MotionOutput& maps, const std::string& part, ImageView<const MotionVector> previous = {}) {
    EXPECT_ERROR(estimator.compute({current, reference, previous}, maps), ErrorCode::invalid_argument, part);
  }
};

TEST_F(Estimator, KnowsItsSizes) {
  EXPECT_EQ(estimator.size(), estimator_size);
  EXPECT_EQ(estimator.blocks(), (Size{4, 3}));
  EXPECT_EQ(estimator.options(), options());
  EXPECT_FALSE(estimator.times());
}

/// A field that leads everywhere else: what does not use it finds the same vectors and J as without it.
TEST_F(Estimator, KnowsWhatThePreviousFieldDoes) {
  Image<MotionVector> previous(estimator.blocks());
  for (int y = 0; y < previous.height(); ++y)
    for (int x = 0; x < previous.width(); ++x)
      previous(x, y) = {static_cast<std::int16_t>(40 - 16 * x), static_cast<std::int16_t>(16 * y - 36)};
  for (const char* const search : {"full", "step", "diamond", "hexagon", "tz", "hierarchical"})
    for (const int lambda : {0, 1 << 20}) {
      MotionOptions o = options();
      motion_set(o, "search", search);
      o.lambda = lambda;
      o.levels = 1;
      o.border = MotionBorder::pad;
      o.range_x = o.range_y = {-12, 12};
      o.subpel = MotionSubpel::quarter;
      MotionEstimator one(Device("reference"), estimator_size, o);
      test::Found without(one.blocks()), with(one.blocks());
      one.compute({current, reference}, without.output(false));
      one.compute({current, reference, previous.view()}, with.output(false));
      bool differs = false;
      for (int y = 0; y < previous.height(); ++y)
        for (int x = 0; x < previous.width(); ++x)
          differs |= with.vectors(x, y) != without.vectors(x, y) || with.j(x, y) != without.j(x, y);
      const bool starts = std::string(search) != "full" && std::string(search) != "step";
      EXPECT_EQ(uses_previous(o), starts || lambda > 0) << search << ", " << lambda;
      EXPECT_EQ(differs, uses_previous(o)) << search << ", " << lambda;
    }
}

TEST_F(Estimator, RefusesFramesThatDoNotFit) {
  const Image<std::uint8_t> other(31, 24, 0);
  EXPECT_ERROR(estimator.compute({other, reference}, found.output()), ErrorCode::invalid_argument,
               "the current frame is 31x24");
  EXPECT_ERROR(estimator.compute({current, other}, found.output()), ErrorCode::invalid_argument,
               "the reference frame is 31x24");
  const Image<std::uint16_t> wide(estimator_size, 0);
  EXPECT_ERROR(estimator.compute({wide, wide}, found.output()), ErrorCode::invalid_argument, "16-bit pixels");
}

TEST_F(Estimator, RefusesMapsThatDoNotFit) {
  expect_refused({}, "the vector field has no pixels");
  test::Found small({3, 3});
  expect_refused(small.output(), "the vector field is 3x3: it must be 4x3");
  MotionOutput maps = found.output();
  maps.cost = small.cost;
  expect_refused(maps, "cost is 3x3");
  maps = found.output();
  maps.j = found.cost;
  expect_refused(maps, "j overlaps cost");
  expect_refused(found.output(), "the vector field overlaps previous", found.vectors);
}

TEST_F(Estimator, RefusesAbsurdPredictions) {
  Image<MotionVector> previous(estimator.blocks(), MotionVector{});
  previous(2, 1) = {-2048, 2048};
  EXPECT_NO_THROW(estimator.compute({current, reference, previous}, found.output()));
  previous(2, 1) = {-2049, 0};
  expect_refused(found.output(), "previous holds the vector -2049,0 at block 2,1", previous);
}

TEST_F(Estimator, RefusesPixelsAboveTheMaximum) {
  MotionOptions o = options();
  o.depth = Depth::u16;
  o.max_value = 1023;
  MotionEstimator ten_bits(Device("reference"), estimator_size, o);
  Image<std::uint16_t> good(estimator_size, 1023);
  Image<std::uint16_t> bad(estimator_size, 1023);
  bad(5, 7) = 1024;
  EXPECT_NO_THROW(ten_bits.compute({good, good}, found.output()));
  EXPECT_ERROR(ten_bits.compute({bad, good}, found.output()), ErrorCode::invalid_argument,
               "the current frame has the value 1024 at x 5, y 7");
  EXPECT_ERROR(ten_bits.compute({good, bad}, found.output()), ErrorCode::invalid_argument, "the reference frame has");
}

TEST_F(Estimator, TheSecondBestIsKnownByFullSearchAlone) {
  MotionOptions o = options();
  o.search = MotionSearch::diamond;
  MotionEstimator diamond(Device("reference"), estimator_size, o);
  EXPECT_ERROR(diamond.compute({current, reference}, found.output()), ErrorCode::unsupported, "second_j");
  EXPECT_NO_THROW(diamond.compute({current, reference}, found.output(false)));
}

TEST_F(Estimator, RefusesFramesOfTwoTypes) {
  const Image<std::uint16_t> wide(estimator_size, 0);
  EXPECT_ERROR(estimator.compute({current, wide}, found.output()), ErrorCode::invalid_argument,
               "the reference frame has 16-bit pixels, but option pixel-depth is u8");
}

TEST_F(Estimator, ReadsAndWritesThroughAnyStride) {
  estimator.compute({current, reference}, found.output());
  // The same frames inside larger ones, and maps with a gap between rows that must stay as it is.
  const Image<std::uint8_t> filler(64, 48, 77);
  Image<std::uint8_t> big_current = filler.clone();
  Image<std::uint8_t> big_reference = filler.clone();
  for (int y = 0; y < estimator_size.height; ++y)
    for (int x = 0; x < estimator_size.width; ++x) {
      big_current(x + 5, y + 3) = current(x, y);
      big_reference(x + 9, y + 7) = reference(x, y);
    }
  Image<MotionVector> vectors(9, 3, MotionVector{111, 222});
  MotionOutput maps;
  maps.vectors = vectors.view().crop({2, 0, 4, 3});
  estimator.compute({std::as_const(big_current).view().crop({5, 3, estimator_size.width, estimator_size.height}),
                     std::as_const(big_reference).view().crop({9, 7, estimator_size.width, estimator_size.height})},
                    maps);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 9; ++x) {
      const bool inside = x >= 2 && x < 6;
      EXPECT_EQ(vectors(x, y), inside ? found.vectors(x - 2, y) : (MotionVector{111, 222})) << x << "," << y;
    }
}

/// A device that knows stereo alone.
class WithoutMotion final : public backend::Device {
 public:
  const std::string& name() const override { return name_; }
  const std::string& kind() const override { return name_; }
  const std::string& description() const override { return name_; }
  std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan&) override { return nullptr; }

 private:
  std::string name_ = "test";
};

TEST(MotionDevices, WithoutMotionSaySo) {
  EXPECT_ERROR(WithoutMotion().make_motion(make_motion_plan(estimator_size, options())), ErrorCode::unsupported,
               "device test computes no motion");
}

}  // namespace
}  // namespace vergence
