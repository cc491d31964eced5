// SPDX-License-Identifier: Apache-2.0
// CUDA without a GPU: what is said where it is missing, and the compiler. With one: memory, launches, errors, timing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "gpu/cuda/driver.hpp"
#include "gpu/cuda/nvrtc.hpp"
#include "gpu/cuda_kernels.hpp"
#include "gpu/devices.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {
namespace {

template <class F>
Error error_of(const F& run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::io, "no Error was thrown"};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CudaDriver, OpeningNamesWhatTheLoaderSaid) {
  const cuda::Library library = cuda::open_first({"libvergence-absent-1.so.7", "libvergence-absent-2.so"});
  EXPECT_EQ(library.handle, nullptr);
  EXPECT_TRUE(contains(library.reason, "libvergence-absent-1.so.7")) << library.reason;
  const cuda::Library present = cuda::open_first({"libvergence-absent-1.so.7", "libc.so.6"});
  EXPECT_NE(present.handle, nullptr);
  EXPECT_EQ(present.name, "libc.so.6");
  EXPECT_EQ(present.reason, "");
}

TEST(CudaDriver, VersionsReadAsPeopleWriteThem) {
  EXPECT_EQ(cuda::version_text(13000), "13.0");
  EXPECT_EQ(cuda::version_text(11020), "11.2");
}

TEST(CudaFind, SaysWhyThereIsNoDevice) {
  const std::vector<Found> found = cuda::find();
  ASSERT_FALSE(found.empty());
  if (found.front().name != "cuda") GTEST_SKIP() << "there is a CUDA device here";
  EXPECT_EQ(found.size(), 1U);
  EXPECT_FALSE(found.front().available);
  EXPECT_EQ(found.front().properties.device, "");
  const std::string& reason = found.front().reason;
  if (!cuda::calls().missing.empty()) {
    EXPECT_EQ(reason.find("libcuda.so.1 (NVIDIA's driver) "), 0U) << reason;
  } else {
    EXPECT_TRUE(contains(reason, "NVIDIA's driver")) << reason;
  }
  const Error error = error_of([] { cuda::open(0); });
  EXPECT_EQ(error.code(), ErrorCode::device);
  EXPECT_TRUE(contains(error.what(), "cuda:0")) << error.what();
  EXPECT_TRUE(contains(error.what(), reason)) << error.what();
}

class Nvrtc : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (!cuda::nvrtc_available(&reason)) GTEST_SKIP() << reason;
    EXPECT_EQ(reason, "");
    EXPECT_GE(cuda::nvrtc_version(), 11020);
  }
};

TEST(NvrtcAbsent, IsSaidWithTheLibrariesThatWereSought) {
  std::string reason;
  if (cuda::nvrtc_available(&reason)) GTEST_SKIP() << "NVRTC is here";
  for (const char* const name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda/lib64"})
    EXPECT_TRUE(contains(reason, name)) << reason;
  EXPECT_EQ(error_of([] { cuda::nvrtc_compile(test::cuda_kernels, "sm_90"); }).code(), ErrorCode::device);
}

TEST_F(Nvrtc, MakesMachineCode) {
  const std::vector<std::byte> cubin = cuda::nvrtc_compile(test::cuda_kernels, "sm_90");
  ASSERT_GT(cubin.size(), 64U);
  EXPECT_EQ(std::to_integer<int>(cubin[0]), 0x7f);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(cubin.data()) + 1, 3), "ELF");
  const std::string text(reinterpret_cast<const char*>(cubin.data()), cubin.size());
  EXPECT_TRUE(contains(text, "reverse"));
}

TEST_F(Nvrtc, TheSameTextGivesTheSameBytes) {
  EXPECT_EQ(cuda::nvrtc_compile(test::cuda_kernels, "sm_90"), cuda::nvrtc_compile(test::cuda_kernels, "sm_90"));
}

TEST_F(Nvrtc, DoesNotContractProductsAndSums) {
  const std::string text = "extern \"C\" __global__ void f(float* p) { p[0] = p[1] * p[2] + p[3]; }\n";
  const std::string fused = "extern \"C\" __global__ void f(float* p) { p[0] = fmaf(p[1], p[2], p[3]); }\n";
  const std::string apart =
      "extern \"C\" __global__ void f(float* p) { p[0] = __fadd_rn(__fmul_rn(p[1], p[2]), p[3]); }\n";
  EXPECT_EQ(cuda::nvrtc_compile(text, "sm_90"), cuda::nvrtc_compile(apart, "sm_90"));
  EXPECT_NE(cuda::nvrtc_compile(text, "sm_90"), cuda::nvrtc_compile(fused, "sm_90"));
}

TEST_F(Nvrtc, FunctionsWithoutAMarkAreTheDevices) {
  const std::string text =
      "inline int twice(int x) { return 2 * x; }\n"
      "extern \"C\" __global__ void f(int* p) { *p = twice(*p); }\n";
  EXPECT_FALSE(cuda::nvrtc_compile(text, "sm_90").empty());
}

TEST_F(Nvrtc, AnErrorNamesFileAndLine) {
  const std::string text =
      "inline int unused() { int nobody; return 1; }\n"
      "#line 41 \"stereo/broken.cl\"\n"
      "extern \"C\" __global__ void f(int* p) {\n"
      "  *p = unknown_name;\n"
      "  *p = another_one;\n"
      "}\n";
  const Error error = error_of([&] { cuda::nvrtc_compile(text, "sm_90"); });
  EXPECT_EQ(error.code(), ErrorCode::device);
  EXPECT_TRUE(contains(error.what(), "stereo/broken.cl(42)")) << error.what();
  EXPECT_TRUE(contains(error.what(), "unknown_name")) << error.what();
  EXPECT_FALSE(contains(error.what(), "another_one")) << error.what();
  EXPECT_FALSE(contains(error.what(), "\n")) << error.what();
}

TEST_F(Nvrtc, AnErrorOfTheAssemblerIsFound) {
  const std::string text =
      "extern \"C\" __global__ void f(int* p) { __shared__ int q[1 << 20]; q[threadIdx.x] = *p;\n"
      "  __syncthreads(); *p = q[threadIdx.x ^ 1]; }\n";
  const Error error = error_of([&] { cuda::nvrtc_compile(text, "sm_90"); });
  EXPECT_EQ(error.code(), ErrorCode::device);
  EXPECT_TRUE(contains(error.what(), "shared data")) << error.what();
}

TEST_F(Nvrtc, RefusesAnArchitectureThatItDoesNotKnow) {
  std::string reason;
  EXPECT_FALSE(cuda::nvrtc_supports("sm_1", &reason));
  const Error error = error_of([] { cuda::nvrtc_compile(test::cuda_kernels, "sm_1"); });
  EXPECT_TRUE(contains(error.what(), "sm_1,")) << error.what();
  EXPECT_TRUE(contains(error.what(), reason)) << error.what();
}

/// With a device.
class CudaDevice : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Found> found = cuda::find();
    if (!found.front().available) GTEST_SKIP() << found.front().reason;
    device = cuda::open(0);
    queue = device->make_queue();
  }
  std::unique_ptr<Buffer> buffer_of(const std::vector<std::int32_t>& values) {
    std::unique_ptr<Buffer> buffer = device->allocate(values.size() * 4);
    queue->upload(*buffer, packed(values.size()), values.data());
    return buffer;
  }
  std::vector<std::int32_t> values_of(const Buffer& buffer) {
    std::vector<std::int32_t> values(buffer.bytes() / 4);
    queue->download(buffer, packed(values.size()), values.data());
    return values;
  }
  static Rows packed(std::size_t count) { return {0, count * 4, static_cast<std::ptrdiff_t>(count * 4), count * 4, 1}; }

  std::shared_ptr<Device> device;
  std::unique_ptr<Queue> queue;
};

TEST_F(CudaDevice, HasProperties) {
  const Properties& p = device->properties();
  EXPECT_NE(p.device, "");
  EXPECT_EQ(p.api.find("CUDA 1"), 0U) << p.api;
  EXPECT_TRUE(contains(p.driver, "NVRTC 1")) << p.driver;
  EXPECT_EQ(p.architecture.find("sm_"), 0U) << p.architecture;
  EXPECT_GT(p.compute_units, 0);
  EXPECT_GT(p.global_memory, std::uint64_t{1} << 28);
  EXPECT_GE(p.local_memory, 48U << 10);
  EXPECT_GE(p.largest_group, 1024U);
  EXPECT_TRUE(p.is_nvidia);
  EXPECT_FALSE(p.is_cpu);
  EXPECT_EQ(device->dialect(), Dialect::cuda);
  EXPECT_THROW(cuda::open(-1), Error);
  EXPECT_THROW(cuda::open(1000), Error);
}

TEST_F(CudaDevice, RowsKeepTheirPlacesBetweenPitches) {
  struct Case {
    std::size_t offset, pitch, row_bytes, count;
    std::ptrdiff_t host_pitch;
  };
  // Packed, with gaps, one row, from the last row up, and a download of several pieces.
  for (const Case& c : {Case{0, 33, 33, 7, 33}, Case{5, 64, 33, 7, 40}, Case{3, 1, 33, 1, 50}, Case{0, 40, 33, 9, -35},
                        Case{128, 2048, 1999, 1501, 2001}}) {
    const std::size_t host_pitch = static_cast<std::size_t>(std::abs(c.host_pitch));
    const std::size_t host_bytes = host_pitch * c.count, first = c.host_pitch < 0 ? host_pitch * (c.count - 1) : 0;
    std::vector<std::uint8_t> in(host_bytes), out(host_bytes, 0xEE), expected(host_bytes, 0xEE);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
    for (std::size_t y = 0; y < c.count; ++y)
      std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(y * host_pitch), c.row_bytes,
                  expected.begin() + static_cast<std::ptrdiff_t>(y * host_pitch));
    const std::size_t bytes = c.offset + c.pitch * (c.count - 1) + c.row_bytes;
    const std::unique_ptr<Buffer> buffer = device->allocate(bytes);
    queue->fill(*buffer, 0xAB);
    const Rows rows{c.offset, c.pitch, c.host_pitch, c.row_bytes, c.count};
    queue->upload(*buffer, rows, in.data() + first);
    std::fill(in.begin(), in.end(), std::uint8_t{0});  // they were taken
    queue->download(*buffer, rows, out.data() + first);
    EXPECT_EQ(out, expected) << c.offset << " " << c.pitch << " " << c.host_pitch;
    std::vector<std::uint8_t> whole(bytes);
    queue->download(*buffer, {0, bytes, 0, bytes, 1}, whole.data());
    for (std::size_t i = 0; i < bytes; ++i) {
      const bool row = i >= c.offset && (c.count == 1 || (i - c.offset) % c.pitch < c.row_bytes);
      ASSERT_TRUE(row || whole[i] == 0xAB) << i;
    }
  }
}

TEST_F(CudaDevice, ManyUploadsInARowAllArrive) {
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<std::int32_t> values(70001);
  for (int i = 0; i < 20; ++i) {
    values.resize(values.size() + 1000);  // staging memory grows on the way
    std::iota(values.begin(), values.end(), i * 1000);
    buffers.push_back(buffer_of(values));
  }
  for (int i = 0; i < 20; ++i) {
    const std::vector<std::int32_t> back = values_of(*buffers[static_cast<std::size_t>(i)]);
    EXPECT_EQ(back.front(), i * 1000);
    EXPECT_EQ(back.back(), i * 1000 + static_cast<int>(back.size()) - 1);
  }
}

TEST_F(CudaDevice, KernelsRunWithArgumentsOfAllKinds) {
  const std::unique_ptr<Program> program = device->load(device->compile(test::cuda_kernels));
  const std::unique_ptr<Kernel> add = program->kernel("add"), reverse = program->kernel("reverse");
  constexpr std::int32_t count = 1000, padded = 1024;
  std::vector<std::uint8_t> in(padded);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i % 253);
  const std::unique_ptr<Buffer> from = device->allocate(padded), to = device->allocate(padded * 4);
  queue->upload(*from, {0, padded, padded, padded, 1}, in.data());
  queue->fill(*to, 0xFF);
  queue->launch(*add, {4}, {256}, std::vector<Argument>{*from, *to, count, std::int64_t{5}});
  std::vector<std::int32_t> expected(padded, -1);
  for (std::size_t i = 0; i < count; ++i) expected[i] = in[i] + 5;
  EXPECT_EQ(values_of(*to), expected);
  queue->launch(*reverse, {4}, {256}, std::vector<Argument>{*to, Argument::local(1024)});
  for (auto at = expected.begin(); at != expected.end(); at += 256) std::reverse(at, at + 256);
  EXPECT_EQ(values_of(*to), expected);
  const std::unique_ptr<Kernel> scale = program->kernel("scale");
  queue->launch(*scale, {4}, {256}, std::vector<Argument>{*to, test::ScaleArguments{-3, count, {7, 40}, 1000}});
  for (std::size_t i = 0; i < count; ++i) expected[i] = expected[i] * -3 + (i % 2 == 0 ? 1007 : 1040);
  EXPECT_EQ(values_of(*to), expected);
}

TEST_F(CudaDevice, AnyThreadMayUseIt) {
  const std::unique_ptr<Buffer> buffer = buffer_of({1, 2, 3});
  std::vector<std::int32_t> back;
  std::thread([&] { back = values_of(*buffer); }).join();
  EXPECT_EQ(back, (std::vector<std::int32_t>{1, 2, 3}));
}

TEST_F(CudaDevice, ObjectsOutliveTheDevice) {
  const std::unique_ptr<Buffer> buffer = buffer_of({4, 5});
  std::unique_ptr<Kernel> kernel = device->load(device->compile(test::cuda_kernels))->kernel("reverse");
  device.reset();
  queue->launch(*kernel, {1}, {2}, std::vector<Argument>{*buffer, Argument::local(8)});
  EXPECT_EQ(values_of(*buffer), (std::vector<std::int32_t>{5, 4}));
}

TEST_F(CudaDevice, SaysHowMuchMemoryWasWanted) {
  const Error error = error_of([&] { device->allocate(std::size_t{1} << 50); });
  EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << error.what();
  EXPECT_TRUE(contains(error.what(), "1125899906842624 bytes")) << error.what();
  EXPECT_TRUE(contains(error.what(), device->properties().device)) << error.what();
  EXPECT_EQ(values_of(*buffer_of({7})), std::vector<std::int32_t>{7});  // all goes on
  EXPECT_EQ(device->allocate(0)->bytes(), 0U);
}

TEST_F(CudaDevice, RefusesCodeThatIsNotItsOwn) {
  const std::vector<std::byte> code = device->compile(test::cuda_kernels);
  EXPECT_EQ(error_of([&] { device->load({}); }).code(), ErrorCode::device);
  EXPECT_EQ(error_of([&] { device->load(std::vector<std::byte>(4096)); }).code(), ErrorCode::device);
  for (const std::size_t bytes : {std::size_t{64}, code.size() / 2, code.size() - 1})  // a truncated file
    EXPECT_EQ(error_of([&] { device->load(std::span(code).first(bytes)); }).code(), ErrorCode::device) << bytes;
  const std::string other = device->properties().architecture == "sm_80" ? "sm_90" : "sm_80";
  EXPECT_EQ(error_of([&] { device->load(cuda::nvrtc_compile(test::cuda_kernels, other)); }).code(), ErrorCode::device);
  const std::unique_ptr<Program> program = device->load(code);
  const Error error = error_of([&] { program->kernel("absent"); });
  EXPECT_EQ(error.code(), ErrorCode::device);
  EXPECT_TRUE(contains(error.what(), "absent")) << error.what();
  EXPECT_TRUE(contains(error.what(), "CUDA_ERROR_NOT_FOUND")) << error.what();
}

TEST_F(CudaDevice, TimesCommandsWhenAsked) {
  const std::unique_ptr<Program> program = device->load(device->compile(test::cuda_kernels));
  const std::unique_ptr<Kernel> reverse = program->kernel("reverse");
  constexpr std::size_t count = 1 << 14;
  const std::vector<std::int32_t> values(count);
  const std::unique_ptr<Buffer> buffer = buffer_of(values);
  const std::vector<Argument> arguments{*buffer, Argument::local(1024)};
  queue->launch(*reverse, {count / 256}, {256}, arguments);
  const Timing off = queue->timing();
  EXPECT_EQ(off.upload + off.kernel + off.download, 0.0);
  queue->measure(true);
  for (int i = 0; i < 5000; ++i) queue->launch(*reverse, {count / 256}, {256}, arguments);
  queue->upload(*buffer, packed(count), values.data());
  values_of(*buffer);
  const Timing on = queue->timing();
  EXPECT_GT(on.kernel, 0.5);  // not even 0.1 us a launch
  EXPECT_LT(on.kernel, 5000.0);
  EXPECT_GT(on.upload, 0.0);
  EXPECT_GT(on.download, 0.0);
  const Timing anew = queue->timing();
  EXPECT_EQ(anew.upload + anew.kernel + anew.download, 0.0);
}

TEST_F(CudaDevice, RefusesRowsOutsideABuffer) {
  const std::unique_ptr<Buffer> buffer = device->allocate(100);
  std::vector<std::uint8_t> host(400);
  for (const Rows& rows : {Rows{0, 10, 10, 10, 11}, Rows{91, 10, 10, 10, 1}, Rows{200, 10, 10, 1, 1},
                           Rows{0, 5, 10, 10, 2}, Rows{0, std::size_t{1} << 62, 10, 10, 9}}) {
    const std::unique_ptr<Queue> other = device->make_queue();
    EXPECT_EQ(error_of([&] { other->upload(*buffer, rows, host.data()); }).code(), ErrorCode::device);
    const Error again = error_of([&] { other->finish(); });
    EXPECT_TRUE(contains(again.what(), "not used any more")) << again.what();
    EXPECT_TRUE(contains(again.what(), "uploading")) << again.what();
  }
  queue->upload(*buffer, {0, 10, 10, 10, 10}, host.data());
  queue->finish();
}

TEST_F(CudaDevice, RefusesLaunchesThatCannotBe) {
  const std::unique_ptr<Program> program = device->load(device->compile(test::cuda_kernels));
  const std::unique_ptr<Kernel> reverse = program->kernel("reverse");
  const std::unique_ptr<Buffer> buffer = device->allocate(1 << 20);
  const std::vector<Argument> good{*buffer, Argument::local(1024)};
  const auto refused = [&](Range groups, Range group, const std::vector<Argument>& arguments) {
    const std::unique_ptr<Queue> other = device->make_queue();
    const Error error = error_of([&] { other->launch(*reverse, groups, group, arguments); });
    EXPECT_TRUE(contains(error.what(), "launching reverse")) << error.what();
    return error.code() == ErrorCode::device &&
           contains(error_of([&] { other->finish(); }).what(), "launching reverse");
  };
  EXPECT_TRUE(refused({0}, {256}, good));
  EXPECT_TRUE(refused({1}, {4096}, good));
  EXPECT_TRUE(refused({std::size_t{1} << 32}, {1}, good));
  EXPECT_TRUE(refused({1}, {256}, {*buffer, Argument::local(std::size_t{1} << 30)}));
  EXPECT_TRUE(refused({1}, {256}, std::vector<Argument>(40, Argument(*buffer))));
  if (cuda::calls().FuncGetParamInfo != nullptr) {
    EXPECT_TRUE(refused({1}, {256}, {}));
    EXPECT_TRUE(refused({1}, {256}, {Argument(1)}));
    EXPECT_TRUE(refused({1}, {256}, {*buffer, *buffer}));
  }
  queue->launch(*reverse, {1}, {256}, good);
  queue->finish();
}

// A kernel that writes outside memory ends the context of its whole process: the test runs in a process of its own.
TEST_F(CudaDevice, AStrayWriteEndsTheQueue) {
  queue.reset();
  device.reset();
  const auto good = [] {
    const std::shared_ptr<Device> own = cuda::open(0);
    const std::unique_ptr<Queue> line = own->make_queue();
    const std::unique_ptr<Program> program = own->load(own->compile(test::cuda_kernels));
    const std::unique_ptr<Kernel> kernel = program->kernel("stray");
    const std::unique_ptr<Buffer> buffer = own->allocate(16);
    line->launch(*kernel, {1}, {32}, std::vector<Argument>{*buffer});
    const Error first = error_of([&] { line->finish(); });
    const Error second = error_of([&] { line->fill(*buffer, 0); });
    std::fprintf(stderr, "%s\n%s\n", first.what(), second.what());
    return first.code() == ErrorCode::device && contains(first.what(), "CUDA_ERROR_ILLEGAL_ADDRESS") &&
           second.code() == ErrorCode::device && contains(second.what(), "not used any more") &&
           contains(second.what(), "CUDA_ERROR_ILLEGAL_ADDRESS");
  };
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(std::exit(good() ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace vergence::gpu
