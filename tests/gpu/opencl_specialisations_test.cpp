// SPDX-License-Identifier: Apache-2.0
// The kernels for NVIDIA's warps are OpenCL C: any OpenCL compiler takes them, once their PTX is left out. NVIDIA's own
// takes them as they are, in all other tests.
#include <gtest/gtest.h>

#include <string>

#include "gpu/compiling_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

class OpenClCompiler final : public test::CompilingDevice {
 public:
  explicit OpenClCompiler(std::shared_ptr<gpu::Device> compiler)
      : test::CompilingDevice(gpu::Dialect::opencl), compiler_(std::move(compiler)) {}
  std::vector<std::byte> compile(const std::string& text) override {
    ++compiled;
    // What NVIDIA's compiler has beyond OpenCL C 1.2 is a name there and cannot be one here.
    return compiler_->compile(
        "typedef struct { int x; } half_of_nvidia;\n#define half half_of_nvidia\n" +
        without(without(text, "#define VERGENCE_ASM_VOLATILE __asm__ volatile"), "#define VERGENCE_ASM __asm__"));
  }

 private:
  /// The macro takes its arguments and makes nothing of them.
  static std::string without(std::string text, const std::string& macro) {
    const std::size_t at = text.find(macro + "\n");
    EXPECT_NE(at, std::string::npos) << macro;
    const std::string name = macro.substr(0, macro.find(" __asm__"));
    return text.replace(at, macro.size(), name + "(...)");
  }
  std::shared_ptr<gpu::Device> compiler_;
};

/// An OpenCL compiler that is not NVIDIA's, or null.
std::shared_ptr<OpenClCompiler> find_compiler() {
  std::string reasons;
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons))
    if (gpu.device->dialect() == gpu::Dialect::opencl && !gpu.device->properties().is_nvidia)
      return std::make_shared<OpenClCompiler>(gpu.device);
  return nullptr;
}

TEST(OpenClSpecialisations, OfNvidiasKernels) {
  const auto device = find_compiler();
  if (device == nullptr) GTEST_SKIP() << "no OpenCL device but NVIDIA's";
  gpu::Programs programs(device);
  StereoOptions options;  // match_warp.cl, and its keys in check.cl
  options.speckle_size = options.median = 0;
  options.uniqueness_ratio = 10;
  ASSERT_NO_THROW(test::compile_stages(make_stereo_plan({640, 480}, options), programs, {false, true, true}));
  options.aggregate = StereoAggregate::sgm;  // paths.cl and path_winners.cl
  ASSERT_NO_THROW(test::compile_stages(make_stereo_plan({640, 480}, options), programs, {false, true, true}));
  options.aggregate = StereoAggregate::window;
  options.left_right = -1;  // match_strip.cl
  options.border = StereoBorder::invalid;
  options.subpixel = options.reject_ties = false;
  options.uniqueness_ratio = 0;
  for (const StereoCost cost : {StereoCost::sad, StereoCost::ssd}) {
    options.cost = cost;
    ASSERT_NO_THROW(test::compile_stages(make_stereo_plan({640, 480}, options), programs, {}));
  }
  EXPECT_GE(device->compiled, 4);
}

TEST(OpenClSpecialisations, ALineOfTheWholeTextGetsItsFile) {
  const std::string text = "#define A 1\n#line 1 \"first.h\"\none\n#line 7 \"second.cl\"\nseven\neight\n";
  EXPECT_EQ(gpu::with_places(text, "<kernel>:6:4: error: eight"), "second.cl:8:4: error: eight");
  EXPECT_EQ(gpu::with_places(text, "<kernel>:3: x, <kernel>:5: y"), "first.h:1: x, second.cl:7: y");
  EXPECT_EQ(gpu::with_places(text, "second.cl:8:4: error: eight"), "second.cl:8:4: error: eight");
}

}  // namespace
}  // namespace vergence
