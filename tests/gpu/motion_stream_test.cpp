// SPDX-License-Identifier: Apache-2.0
// Frames of a video in flight on every device: the fields of a MotionSequence on the reference.
#include "vergence/motion_stream.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "core/random.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/gpu_devices.hpp"

namespace vergence {
namespace {

constexpr Size size{53, 41};

MotionOptions options_of(MotionSearch search) {
  MotionOptions options{.search = search, .levels = 1, .block = {16, 16}};
  options.range_x = options.range_y = {-9, 9};
  options.lambda = 1 << 16;  // so that every field depends on the one before
  return options;
}

std::vector<Image<std::uint8_t>> make_video(int count) {
  Random random(11);
  std::vector<Image<std::uint8_t>> frames;
  for (int i = 0; i < count; ++i) {
    frames.emplace_back(size);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        frames.back()(x, y) =
            static_cast<std::uint8_t>(i == 0 || y == 0 ? random.within(0, 255) : frames[frames.size() - 2](x, y - 1));
  }
  return frames;
}

/// A device of the machine that passes for one with a memory of its own, so that frames are in flight on processors
/// too.
class NoProcessor final : public gpu::Device {
 public:
  explicit NoProcessor(std::shared_ptr<gpu::Device> device) : device_(std::move(device)) {
    properties_ = device_->properties();
    properties_.is_cpu = false;
  }
  std::shared_ptr<void> pin(void* memory, std::size_t bytes) override { return device_->pin(memory, bytes); }
  const gpu::Properties& properties() const override { return properties_; }
  gpu::Dialect dialect() const override { return device_->dialect(); }
  std::unique_ptr<gpu::Buffer> allocate(std::size_t bytes) override { return device_->allocate(bytes); }
  std::unique_ptr<gpu::Queue> make_queue() override { return device_->make_queue(); }
  std::unique_ptr<gpu::Event> new_event() override { return device_->new_event(); }
  std::vector<std::byte> compile(const std::string& text) override { return device_->compile(text); }
  std::unique_ptr<gpu::Program> load(std::span<const std::byte> code) override { return device_->load(code); }

 private:
  std::shared_ptr<gpu::Device> device_;
  gpu::Properties properties_;
};

/// The reference, `cpu`, and all GPU devices, processors among them twice.
std::vector<Device> all_devices() {
  std::string reasons;
  std::vector<Device> devices{Device("reference"), Device("cpu")};
  for (const test::GpuDevice& gpu : test::gpu_devices(reasons)) {
    devices.push_back(backend::handle(gpu::make_device(gpu.name, "opencl", gpu.device)));
    if (gpu.device->properties().is_cpu)
      devices.push_back(backend::handle(
          gpu::make_device(gpu.name + " as no processor", "opencl", std::make_shared<NoProcessor>(gpu.device))));
  }
  return devices;
}

void expect_video(const Device& device, MotionSearch search, const std::vector<Image<std::uint8_t>>& frames) {
  MotionSequence sequence(Device("reference"), size, options_of(search));
  MotionStream stream(device, size, options_of(search));
  for (int time = 0; time < 2; ++time) {
    std::vector<Image<MotionVector>> found;
    std::vector<Image<std::uint64_t>> costs;
    std::vector<PendingMotion> pending;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      found.emplace_back(stream.blocks());
      costs.emplace_back(stream.blocks());
      MotionOutput maps;
      maps.vectors = found.back();
      maps.cost = costs.back();
      pending.push_back(stream.enqueue(frames[i], maps));
      if (time == 1 && i == 4) {
        EXPECT_TRUE(pending[3].wait());  // not the oldest
      }
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
      Image<MotionVector> expected(stream.blocks());
      Image<std::uint64_t> expected_cost(stream.blocks());
      MotionOutput maps;
      maps.vectors = expected;
      maps.cost = expected_cost;
      const bool measured = sequence.next(frames[i], maps);
      ASSERT_EQ(pending[i].wait(), measured);
      if (!measured) continue;
      for (int y = 0; y < expected.height(); ++y)
        for (int x = 0; x < expected.width(); ++x) {
          ASSERT_EQ(found[i](x, y), expected(x, y)) << device.name() << ", frame " << i << ": " << x << "," << y;
          ASSERT_EQ(costs[i](x, y), expected_cost(x, y)) << device.name() << ", frame " << i << ": " << x << "," << y;
        }
    }
    stream.restart();
    sequence.restart();
  }
}

TEST(MotionStream, FindsWhatASequenceFinds) {
  const std::vector<Image<std::uint8_t>> frames = make_video(12);
  for (const Device& device : all_devices())
    ASSERT_NO_FATAL_FAILURE(expect_video(device, MotionSearch::hierarchical, frames));
}

TEST(MotionStream, RefusesWhatDoesNotFitAndGoesOn) {
  const std::vector<Image<std::uint8_t>> frames = make_video(3);
  MotionStream stream(Device("cpu"), size, options_of(MotionSearch::step));
  Image<MotionVector> field(stream.blocks());
  MotionOutput maps;
  maps.vectors = field;
  EXPECT_FALSE(stream.enqueue(frames[0], maps).wait());
  const Image<std::uint8_t> small(Size{5, 5});
  EXPECT_THROW(stream.enqueue(small, maps), Error);
  const Image<std::uint16_t> wide(size);
  EXPECT_THROW(stream.enqueue(wide, maps), Error);
  EXPECT_TRUE(stream.enqueue(frames[1], maps).wait());
}

}  // namespace
}  // namespace vergence
