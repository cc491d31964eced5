// SPDX-License-Identifier: Apache-2.0
// Every kernel, specialised as seeded cases specialise it, compiles for CUDA, on machines without a GPU too: a device
// that compiles with NVRTC and runs nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "gpu/compiling_device.hpp"
#include "gpu/cuda/nvrtc.hpp"
#include "gpu/motion/all_sizes.hpp"
#include "gpu/motion/motion.hpp"
#include "gpu/motion/search.hpp"
#include "gpu/motion/stages.hpp"
#include "gpu/track/stages.hpp"
#include "vergence/error.hpp"
#include "verify/motion_cases.hpp"
#include "verify/stereo_cases.hpp"
#include "verify/track_cases.hpp"

namespace vergence {
namespace {

using test::compile_stages;

class CompilingDevice final : public test::CompilingDevice {
 public:
  CompilingDevice() : test::CompilingDevice(gpu::Dialect::cuda) {}
  std::vector<std::byte> compile(const std::string& text) override {
    ++compiled;
    // Optimised code takes twice as long, and none is run here.
    return gpu::cuda::nvrtc_compile(text, properties().architecture, std::getenv("VERGENCE_ALL_CANDIDATES") != nullptr);
  }
};

class NvrtcSpecialisations : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (!gpu::cuda::nvrtc_available(&reason)) GTEST_SKIP() << reason;
  }
};

TEST_F(NvrtcSpecialisations, ImagesOfCallers) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  const auto defines = [](const char* pixel) {
    return gpu::Defines().set("PIXEL", pixel).set("GROUP_W", 64).set("GROUP_H", 4);
  };
  for (const char* const pixel : {"uchar", "ushort", "uint"})
    programs.kernel("stereo/images.cl", defines(pixel), "copy_rows");
  programs.kernel("stereo/images.cl", defines("ushort").set("MAX_VALUE", 1023), "find_large");
  EXPECT_EQ(device->compiled, 4);
}

TEST_F(NvrtcSpecialisations, Remap) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  for (const int words : {0, 1})
    for (const auto& [wide, pixels] : {std::pair{0, 4}, {0, 1}, {1, 4}})
      programs.kernel("rectify/remap.cl", gpu::Defines().set("WORDS", words).set("WIDE", wide).set("PIXELS", pixels),
                      "remap");
  EXPECT_EQ(device->compiled, 6);
}

TEST_F(NvrtcSpecialisations, Presets) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  for (const StereoPreset& preset : stereo_presets())
    ASSERT_NO_THROW(compile_stages(make_stereo_plan({640, 480}, preset.options), programs, {})) << preset.name;
  EXPECT_GT(device->compiled, 5);
}

/// Each way in which a matcher finds ties: votes of match_warp.cl, the second best in match_strip.cl and match_warp.cl,
/// the other end of the least cost in match.cl.
TEST_F(NvrtcSpecialisations, TiesOfStereo) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  StereoOptions options;
  options.speckle_size = 0;
  options.left_right = -1;
  options.subpixel = false;
  for (const int disparities : {64, 128, 256}) {
    options.disparities = disparities;
    options.tie = disparities == 128 ? StereoTie::highest : StereoTie::lowest;
    options.border = disparities == 64 ? StereoBorder::invalid : StereoBorder::partial;
    for (const StereoCost cost : {StereoCost::sad, StereoCost::ssd, StereoCost::census_5x5}) {
      options.cost = cost;
      const bool confidence = disparities == 256;
      ASSERT_NO_THROW(compile_stages(make_stereo_plan({640, 480}, options), programs, {false, confidence, false}))
          << disparities << ", cost " << static_cast<int>(cost);
    }
  }
  EXPECT_GE(device->compiled, 9);
}

StereoOptions paths_options(int disparities, StereoCost cost, Size window) {
  StereoOptions options;
  options.aggregate = StereoAggregate::sgm;
  options.speckle_size = 0;
  options.disparities = disparities;
  options.cost = cost;
  options.window = window;
  return options;
}

/// Teams of one work-item to a whole warp, candidates in registers and beyond them, volumes of 1 to 4 bytes, keys of 32
/// bits and longer ones, given window costs, and the view on the diagonal.
TEST_F(NvrtcSpecialisations, PathsOfSgm) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  StereoOptions few = paths_options(1, StereoCost::ssd, {3, 3}), usual = paths_options(64, StereoCost::census_9x7, {});
  StereoOptions many = paths_options(130, StereoCost::sad, {1, 1}), most = paths_options(1100, StereoCost::ssd, {1, 1});
  many.depth = most.depth = Depth::u16;
  many.max_value = most.max_value = 1023;
  many.reference = StereoView::right;
  for (const StereoOptions& options : {few, usual, many, most}) {
    const StereoPlan plan = make_stereo_plan({1280, 48}, options);
    const bool all = options.disparities > 64;
    ASSERT_NO_THROW(compile_stages(all ? make_other_plan(plan) : plan, programs, {false, all, all}))
        << options.disparities;
  }
  EXPECT_GT(device->compiled, 12);
}

TEST_F(NvrtcSpecialisations, BitProbe) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  for (const int doubles : {0, 1})
    ASSERT_NO_THROW(
        programs.kernel("bit_probe.cl", gpu::Defines().set("GROUP", 64).set("DOUBLES", doubles), "probe_integers"));
  EXPECT_EQ(device->compiled, 2);
}

TEST_F(NvrtcSpecialisations, SeededCases) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const StereoCase one = make_stereo_case(seed, {48, 40});
    const StereoPlan plan = make_stereo_plan(one.size, one.options, one.masks());
    ASSERT_NO_THROW(compile_stages(plan, programs, {plan.wide, seed % 2 == 0, plan.max_cost < no_cost}))
        << describe(one);
  }
}

/// All that an estimator can come to launch.
void compile_motion(const MotionPlan& plan, const std::shared_ptr<CompilingDevice>& device) {
  const gpu::MotionTuning tuning = gpu::default_motion_tuning(device->properties());
  const std::unique_ptr<backend::Motion> motion = gpu::make_motion(plan, device, tuning);
  gpu::Programs programs(device);
  gpu::BlockSearch search(plan, plan.blocks.front(), programs, tuning);
  search.prepare_second(programs);
  const gpu::MotionConfidence confidence(plan, plan.blocks.front(), programs, tuning);
  for (const MotionPlane plane : {MotionPlane::luma, MotionPlane::chroma_420, MotionPlane::chroma_422})
    const gpu::MotionPredict predict(plan, scale_of(plane), programs);
}

TEST_F(NvrtcSpecialisations, SeededMotionCases) {
  const auto device = std::make_shared<CompilingDevice>();
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const MotionCase one = make_motion_case(seed);
    ASSERT_NO_THROW(compile_motion(plan_of(one), device)) << describe(one);
  }
  EXPECT_GT(device->compiled, 10);
}

TEST_F(NvrtcSpecialisations, ExhaustiveMotionInTiles) {
  const auto device = std::make_shared<CompilingDevice>();
  MotionOptions options;
  for (const int side : {8, 32, 60}) {
    options.lambda = side == 60 ? 1 << 16 : 0;
    options.block = {side, side};
    ASSERT_NO_THROW(compile_motion(make_motion_plan({640, 480}, options), device)) << side;
  }
  EXPECT_GT(device->compiled, 10);
}

TEST_F(NvrtcSpecialisations, AllSizesOfMotionInOnePass) {
  const auto device = std::make_shared<CompilingDevice>();
  MotionSizesOptions options;
  for (const int lambda : {0, 1 << 16}) {
    options.lambda = lambda;
    options.border = lambda == 0 ? MotionBorder::inside : MotionBorder::pad;
    options.cost = lambda == 0 ? MotionCost::sad : MotionCost::ssd;
    const MotionPlan plan = make_motion_sizes_plan({640, 480}, options);
    const gpu::MotionTuning tuning = gpu::default_motion_tuning(device->properties());
    ASSERT_TRUE(gpu::AllSizes::serves(plan, device->properties(), tuning));
    gpu::Programs programs(device);
    for (const bool second_best : {false, true})
      ASSERT_NO_THROW(gpu::AllSizes(plan, programs, tuning, second_best)) << lambda;
  }
  EXPECT_EQ(device->compiled, 8);
}

TEST_F(NvrtcSpecialisations, MotionThatWalks) {
  const auto device = std::make_shared<CompilingDevice>();
  MotionOptions options;
  options.block = {32, 32};
  for (const MotionSearch search : {MotionSearch::tz, MotionSearch::step}) {
    options.search = search;
    options.step_grid = MotionStepGrid::g13x13;
    options.border = search == MotionSearch::tz ? MotionBorder::pad : MotionBorder::inside;
    options.lambda = search == MotionSearch::step ? 1 << 16 : 0;
    ASSERT_NO_THROW(compile_motion(make_motion_plan({640, 480}, options), device)) << static_cast<int>(search);
  }
  EXPECT_GT(device->compiled, 5);
}

TEST_F(NvrtcSpecialisations, ExhaustiveMotionByMatrices) {
  const auto device = std::make_shared<CompilingDevice>();
  MotionOptions options;
  options.cost = MotionCost::ssd;
  for (const Size block : {Size{32, 32}, Size{16, 64}, Size{64, 8}}) {
    options.lambda = block.width == 16 ? 1 << 16 : 0;
    options.block = block;
    ASSERT_NO_THROW(compile_motion(make_motion_plan({640, 483}, options), device)) << block.width;
  }
  EXPECT_GT(device->compiled, 10);
}

TEST_F(NvrtcSpecialisations, FiltersOfPictures) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  for (const int is_float : {0, 1})
    for (const int step : {1, 2}) {
      const auto defines = gpu::Defines().set("FLOATS", is_float).set("STEP", step).set("ROWS", 8);
      ASSERT_NO_THROW(
          programs.kernel("imgproc/separable.cl", gpu::Defines(defines).set("GROUP_W", 64).set("GROUP_H", 4), "blur"));
    }
  EXPECT_EQ(device->compiled, 4);
}

TEST_F(NvrtcSpecialisations, Rectification) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  for (const int words : {0, 1})
    for (const int wide : {0, 1}) {
      const auto defines = gpu::Defines().set("WORDS", words).set("WIDE", wide).set("PIXELS", 4);
      ASSERT_NO_THROW(programs.kernel("rectify/remap.cl", defines, "remap"));
    }
  EXPECT_EQ(device->compiled, 4);
}

TEST_F(NvrtcSpecialisations, SeededTrackCases) {
  const auto device = std::make_shared<CompilingDevice>();
  gpu::Programs programs(device);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const TrackCase one = make_track_case(seed);
    const TrackPlan plan = make_track_plan(one.size, one.options);
    const gpu::TrackTuning tuning = gpu::default_track_tuning(device->properties());
    ASSERT_NO_THROW(gpu::TrackPrepare(plan, programs, tuning)) << describe(one);
    ASSERT_NO_THROW(gpu::TrackPoints(plan, programs, tuning)) << describe(one);
    ASSERT_NO_THROW(gpu::TrackCorners(plan, programs)) << describe(one);
    ASSERT_NO_THROW(gpu::TrackExchange{programs}) << describe(one);
  }
  EXPECT_GT(device->compiled, 8);
}

TEST_F(NvrtcSpecialisations, AnErrorNamesTheKernelFile) {
  CompilingDevice device;
  try {
    device.compile(gpu::assemble(gpu::Dialect::cuda, device.properties(), "stereo/match.cl", gpu::Defines()));
    FAIL() << "a matcher compiled without its settings";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device);
    EXPECT_NE(std::string(error.what()).find("stereo/settings.h"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace vergence
