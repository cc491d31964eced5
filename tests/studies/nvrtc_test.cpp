// SPDX-License-Identifier: Apache-2.0
// Every kernel of the studies compiles for CUDA, on machines without a GPU too.
#include <gtest/gtest.h>

#include <string>

#include "gpu/cuda/nvrtc.hpp"
#include "motion-cuda/variant.hpp"
#include "sad-streaming/study.hpp"
#include "ssd-local-memory/study.hpp"
#include "stencil-energy/variant.hpp"
#include "studies/study_bench.hpp"

namespace vergence::studies {
namespace {

class StudiesNvrtc : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (!gpu::cuda::nvrtc_available(&reason)) GTEST_SKIP() << reason;
    properties.architecture = "sm_90";
    properties.is_nvidia = true;
  }
  /// Bytes of instructions.
  std::size_t compile(const std::string& file, const gpu::Defines& defines) const {
    const std::string text = gpu::assemble(gpu::Dialect::cuda, properties, file, defines, kernel_files());
    const CodeSize size = code_size(gpu::cuda::nvrtc_compile(text, properties.architecture));
    EXPECT_STREQ(size.kind, "machine code");
    return size.bytes;
  }
  gpu::Properties properties;
};

TEST_F(StudiesNvrtc, SadStreaming) {
  const Settings settings = test::settings_of(study("sad-streaming"), {{"groups", "256"}});
  const auto problem = sad_streaming::make_problem(settings, {434, 383});
  std::size_t unrolled = 0, loops = 0;
  for (const sad_streaming::Variant& variant : sad_streaming::choose_variants(settings, 1024)) {
    const auto shape = sad_streaming::make_shape(problem, variant);
    const std::size_t bytes = compile("sad-streaming/" + variant.kernel + ".cl",
                                      sad_streaming::make_defines(problem, variant, shape, !variant.bytes));
    EXPECT_GT(bytes, 0u) << variant.kernel;
    if (variant.tile == sad_streaming::Tile::rows && variant.rows == 1) (variant.unrolled ? unrolled : loops) += bytes;
  }
  EXPECT_GT(unrolled, loops);  // loops that are written out are longer
}

TEST_F(StudiesNvrtc, MotionCuda) {
  const Settings settings = test::settings_of(study("motion-cuda"), {{"streams", "4"}, {"groups", "128x1,8x8"}});
  const motion_cuda::Geometry geometry = motion_cuda::geometry_of(settings);
  const auto sizes = [&] { return motion_cuda::defines_of(geometry); };
  for (const motion_cuda::Variant& variant : motion_cuda::choose_variants(settings))
    EXPECT_GT(compile(motion_cuda::kernel_of(variant).file, motion_cuda::defines_of(variant, geometry)), 0u)
        << variant.rung;
  const gpu::Defines shuffled = sizes().set("CONDITION", 1).set("GRID", 7).set("LANES", 256).set("WARPS", 1);
  EXPECT_GT(compile("motion-cuda/step_z.cl", shuffled), 0u);
  EXPECT_GT(compile("motion-cuda/reduce.cl", sizes()), 0u);
  EXPECT_GT(compile("motion-cuda/blocks.cl", sizes().set("GROUP_W", 32).set("GROUP_H", 8)), 0u);
}

TEST_F(StudiesNvrtc, SsdLocalMemory) {
  using ssd_local_memory::Memory;
  for (const Memory memory : {Memory::uchar4, Memory::bytes, Memory::none})
    for (const bool counted : {false, true}) {
      const gpu::Defines defines = ssd_local_memory::make_defines({}, {memory, {32, 16}, false}, counted);
      for (const char* name : {"match", "check", "fill", "single"})
        EXPECT_GT(compile(std::string("ssd-local-memory/") + name + ".cl", defines), 0u) << name;
    }
}

TEST_F(StudiesNvrtc, StencilEnergy) {
  using stencil_energy::Form;
  using stencil_energy::Variant;
  for (const auto& [points, variant] : {std::pair{25, Variant{Form::one_pass, 8, true, 8, 64, 0}},
                                        {25, {Form::one_pass, 1, false, 1, 64, 0}},
                                        {25, {Form::two_rows, 16, true, 4, 64, 0}},
                                        {25, {Form::columns_alone, 8, false, 1, 64, 0}},
                                        {9, {Form::one_pass, 16, false, 1, 64, 0}},
                                        {9, {Form::two_rows, 4, true, 2, 64, 0}}})
    for (const auto& pass : stencil_energy::passes_of(variant.form))
      EXPECT_GT(compile(file_of(pass), defines_of(variant, points)), 0u) << pass.kernel << variant.width;
  // Written out is longer: the compiler unrolls nothing of its own.
  const Variant written{Form::one_pass, 4, true, 8, 64, 0}, loop{Form::one_pass, 4, true, 1, 64, 0};
  const auto size_of = [&](const Variant& one) { return compile("stencil-energy/one_pass.cl", defines_of(one, 25)); };
  EXPECT_GT(2 * size_of(written), 3 * size_of(loop));
  EXPECT_GT(compile("stencil-energy/peak.cl", gpu::Defines().set("WIDTH", 8)), 0u);
  const gpu::Defines filters = gpu::Defines().set("WIDTH", 8).set("UNROLLED", 4).set("SHUFFLED", 1);
  EXPECT_GT(compile("stencil-energy/published_filters.cl", filters), 0u);
  EXPECT_GT(compile("stencil-energy/published_half.cl", {}), 0u);
  gpu::Defines follow;
  follow.set("HALF_SIDE", 48).set("ITERATIONS", 20).set("ACCURACY", "0.03f").set("GROUP", 64);
  EXPECT_GT(compile("stencil-energy/published_follow.cl", follow), 0u);
}

}  // namespace
}  // namespace vergence::studies
