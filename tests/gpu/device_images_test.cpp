// SPDX-License-Identifier: Apache-2.0
// Pictures and maps in device memory give the bytes of those in host memory: on every GPU device, for every map, with
// gaps between rows, odd beginnings and guard bytes, one by one and in flight; and what cannot be is refused.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "gpu/placed_image.hpp"
#include "support/maps.hpp"
#include "vergence/device_image.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

/// Every map of a matcher, of T disparities.
template <class T>
struct HostMaps {
  explicit HostMaps(Size size)
      : disparity(size, T{1}),
        other(size, T{1}),
        mask(size),
        confidence(size),
        cost(size),
        second(size),
        before(size),
        after(size) {}
  StereoOutput output(bool with_other) {
    StereoOutput output{.disparity = disparity,
                        .mask = mask,
                        .confidence = confidence,
                        .cost = cost,
                        .second_cost = second,
                        .cost_before = before,
                        .cost_after = after};
    if (with_other) output.other_disparity = other;
    return output;
  }
  Image<T> disparity, other;
  Image<std::uint8_t> mask, confidence;
  Image<std::uint32_t> cost, second, before, after;
};

template <class T>
struct DeviceMaps {
  DeviceMaps(const Device& device, Size size, const Layout& layout)
      : disparity(device, size, layout),
        other(device, size, layout),
        mask(device, size, layout),
        confidence(device, size, layout),
        cost(device, size, layout),
        second(device, size, layout),
        before(device, size, layout),
        after(device, size, layout) {}
  StereoOutput output(bool with_other) const {
    return {disparity.image, mask.image,   confidence.image, cost.image,
            second.image,    before.image, after.image,      with_other ? other.image : DeviceImage()};
  }
  void expect_equal(const HostMaps<T>& expected, const std::string& where, bool with_other) {
    compare(disparity, expected.disparity, "disparity, " + where);
    if (with_other) compare(other, expected.other, "other view, " + where);
    compare(mask, expected.mask, "mask, " + where);
    compare(confidence, expected.confidence, "confidence, " + where);
    compare(cost, expected.cost, "cost, " + where);
    compare(second, expected.second, "second cost, " + where);
    compare(before, expected.before, "cost before, " + where);
    compare(after, expected.after, "cost after, " + where);
  }
  template <class V>
  static void compare(Placed<V>& got, const Image<V>& expected, const std::string& where) {
    std::string damage;
    EXPECT_EQ(values_of(got.read(damage)), values_of(expected)) << where;
    EXPECT_EQ(damage, "") << where;
  }
  Placed<T> disparity, other;
  Placed<std::uint8_t> mask, confidence;
  Placed<std::uint32_t> cost, second, before, after;
};

/// Where it lies for kernels, with gaps and odd beginnings, one after another, and ending with the memory.
constexpr Layout layouts[] = {{0, 0, 64}, {0, 12, 8}, {4, 20, 0}, {512, 0, 32}, {36, 0, 16}};

class GpuImages : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    for (const GpuDevice& gpu : gpu_devices(reasons))
      devices.push_back(
          backend::handle(gpu::make_device(gpu.name, gpu.name.substr(0, gpu.name.find(':')), gpu.device)));
    if (devices.empty()) GTEST_SKIP() << reasons;
  }
  /// All stages; and few, of which tests use the same so that they are compiled once.
  static StereoOptions all() {
    return {.window = {5, 3},
            .disparities = 6,
            .uniqueness_ratio = 3,
            .left_right = 1,
            .speckle_size = 6,
            .median = 3,
            .fill = StereoFill::background};
  }
  static StereoOptions few() { return {.window = {3, 3}, .disparities = 4, .left_right = -1, .speckle_size = 0}; }
  std::vector<Device> devices;
};

template <class P, class T>
void expect_bytes_of_the_host(const Device& device, Size size, const StereoOptions& options, unsigned largest,
                              bool with_other) {
  const Image<P> left = noise<P>(size, 7, largest), right = shifted(left, 3);
  HostMaps<T> expected(size);
  StereoMatcher(Device("reference"), size, options).compute({left, right}, expected.output(with_other));
  StereoMatcher matcher(device, size, options);
  for (const Layout& layout : layouts) {
    const std::string where = device.name() + ", layout " + std::to_string(&layout - layouts);
    const Placed<P> l(device, left, layout), r(device, right, layout);
    for (int again = 0; again < 2; ++again) {  // a captured graph
      DeviceMaps<T> maps(device, size, layout);
      matcher.compute({l.image, r.image}, maps.output(with_other));
      maps.expect_equal(expected, where, with_other);
    }
    DeviceMaps<T> maps(device, size, layout);
    matcher.compute({left, right}, maps.output(with_other));
    maps.expect_equal(expected, where + ", pictures of the host", with_other);
    HostMaps<T> host(size);
    matcher.compute({l.image, r.image}, host.output(with_other));
    EXPECT_EQ(values_of(host.disparity), values_of(expected.disparity)) << where << ", maps of the host";
    EXPECT_EQ(values_of(host.after), values_of(expected.after)) << where << ", maps of the host";
    EXPECT_EQ(values_of(host.other), values_of(expected.other)) << where << ", maps of the host";
  }
}

TEST_F(GpuImages, GiveTheBytesOfPicturesInHostMemory) {
  for (const Device& device : devices)
    expect_bytes_of_the_host<std::uint8_t, std::int16_t>(device, {37, 29}, all(), 255, false);
}

TEST_F(GpuImages, OfRowsThatEndWhereKernelsWantThem) {
  for (const Device& device : devices)
    expect_bytes_of_the_host<std::uint8_t, std::int16_t>(device, {48, 20}, few(), 255, true);
}

TEST_F(GpuImages, OfSixteenBitsAndWideMaps) {
  StereoOptions options = few();
  options.median = 3;  // one move from place to place
  options.depth = Depth::u16;
  options.max_value = 1023;
  for (const Device& device : devices)
    expect_bytes_of_the_host<std::uint16_t, std::int32_t>(device, {40, 22}, options, 1023, false);
}

TEST_F(GpuImages, InFlight) {
  const Size size{48, 30};
  for (const Device& device : devices) {
    StereoMatcher reference(Device("reference"), size, all()), matcher(device, size, all());
    struct Frame {
      Frame(const Device& where, Size s, int number)
          : left(noise<std::uint8_t>(s, static_cast<std::uint64_t>(number), 255)),
            right(shifted(left, number % 5)),
            l(where, left, layouts[number % 5]),
            r(where, right, layouts[number % 5]),
            maps(where, s, layouts[number % 5]),
            expected(s) {}
      Image<std::uint8_t> left, right;
      Placed<std::uint8_t> l, r;
      DeviceMaps<std::int16_t> maps;
      HostMaps<std::int16_t> expected;
    };
    std::vector<std::unique_ptr<Frame>> frames;
    std::vector<PendingStereo> pending;
    for (int i = 0; i < 9; ++i) {
      frames.push_back(std::make_unique<Frame>(device, size, i + 1));
      Frame& frame = *frames.back();
      reference.compute({frame.left, frame.right}, frame.expected.output(false));
      pending.push_back(i % 4 == 3 ? matcher.enqueue({frame.left, frame.right}, frame.maps.output(false))
                                   : matcher.enqueue({frame.l.image, frame.r.image}, frame.maps.output(false)));
    }
    std::swap(pending[2], pending[7]);
    for (PendingStereo& one : pending) one.wait();
    for (std::size_t i = 0; i < frames.size(); ++i)
      frames[i]->maps.expect_equal(frames[i]->expected, device.name() + ", frame " + std::to_string(i), false);
  }
}

TEST_F(GpuImages, MoreSetsOfImagesThanAreRemembered) {
  const Size size{32, 8};
  for (const Device& device : devices) {
    StereoMatcher reference(Device("reference"), size, few()), matcher(device, size, few());
    std::vector<std::unique_ptr<Placed<std::int16_t>>> kept;  // so that each has a handle of its own
    for (int i = 0; i < 40; ++i) {
      const Image<std::uint8_t> left = noise<std::uint8_t>(size, static_cast<std::uint64_t>(i), 255);
      const Image<std::uint8_t> right = shifted(left, 2);
      Image<std::int16_t> expected(size);
      reference.compute({left, right}, {.disparity = expected});
      kept.push_back(std::make_unique<Placed<std::int16_t>>(device, size, layouts[0]));
      matcher.compute({left, right}, {.disparity = kept.back()->image});
      std::string damage;
      ASSERT_EQ(values_of(kept.back()->read(damage)), values_of(expected)) << i;
      ASSERT_EQ(damage, "");
    }
  }
}

TEST_F(GpuImages, AreFreeWhenTheFrameIsDone) {
  const Size size{32, 8};
  for (const Device& device : devices) {
    StereoMatcher matcher(device, size, few());
    const Placed<std::uint8_t> l(device, size, layouts[0]), r(device, size, layouts[0]);
    std::optional<Placed<std::int16_t>> map(std::in_place, device, size, layouts[1]);
    const std::weak_ptr<backend::Memory> memory = backend::of(map->memory);
    PendingStereo pending = matcher.enqueue({l.image, r.image}, {.disparity = map->image});
    map.reset();
    EXPECT_FALSE(memory.expired()) << "the frame keeps what it writes";
    pending.wait();
    EXPECT_TRUE(memory.expired());
  }
}

TEST_F(GpuImages, LieWhereKernelsTakeThemOrNot) {
  for (const Device& device : devices) {
    const DeviceMemory memory = device.allocate(4096);
    const Size size{16, 10};
    EXPECT_TRUE(DeviceImage(memory, PixelType::u8, size).is_direct());
    EXPECT_EQ(DeviceImage(memory, PixelType::i16, size).pitch(), 32U);
    EXPECT_FALSE(DeviceImage(memory, PixelType::u8, size, 17).is_direct());
    EXPECT_TRUE(DeviceImage(memory, PixelType::u8, {16, 1}, 17).is_direct()) << "one row has no gaps";
    EXPECT_TRUE(DeviceImage(memory, PixelType::u8, size, 0, 2048).is_direct());
    EXPECT_FALSE(DeviceImage(memory, PixelType::u8, size, 0, 8).is_direct());
    EXPECT_TRUE(DeviceImage(device.wrap(memory.handle()), PixelType::u8, {64, 64}).is_direct());
  }
}

/// With gaps between rows on both sides, by several threads at once.
TEST_F(GpuImages, AreReadToRowsOfTheHost) {
  const Size size{37, 21};
  for (const Device& device : devices) {
    const Image<std::uint16_t> expected = noise<std::uint16_t>(size, 5, 65535);
    const Placed<std::uint16_t> gaps(device, expected, {6, 10, 4}), none(device, expected, {0, 0, 0});
    constexpr std::size_t threads = 4;
    std::vector<Image<std::uint16_t>> got;
    for (std::size_t i = 0; i < threads; ++i) got.emplace_back(Size{size.width + 3, size.height}, std::uint16_t{7});
    {
      std::vector<std::jthread> all;
      for (std::size_t i = 0; i < threads; ++i)
        all.emplace_back([&, i] {
          for (int again = 0; again < 20; ++again)
            (i % 2 == 0 ? gaps : none).image.read(got[i].data(), got[i].stride());
        });
    }
    for (const Image<std::uint16_t>& one : got)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < one.width(); ++x)
          ASSERT_EQ(one(x, y), x < size.width ? expected(x, y) : 7) << device.name() << " " << x << " " << y;
    std::vector<std::uint16_t> row(37);
    EXPECT_ERROR(gaps.image.read(row.data(), 73), ErrorCode::invalid_argument, "73 bytes apart: its rows have 74");
  }
  EXPECT_ERROR(DeviceImage().read(nullptr, 64), ErrorCode::invalid_argument, "no image");
}

/// Two of a device at a time, whatever a place's choice does.
TEST_F(GpuImages, AreReadInTurn) {
  const Size size{64, 48};
  for (const Device& device : devices) {
    const Image<std::uint16_t> expected = noise<std::uint16_t>(size, 5, 65535);
    const Placed<std::uint16_t> gaps(device, expected, {6, 10, 4});
    std::atomic<int> now = 0, most = 0;
    std::vector<Image<std::uint16_t>> got;
    for (int i = 0; i < 5; ++i) got.emplace_back(size, std::uint16_t{7});
    {
      std::vector<std::jthread> all;
      for (Image<std::uint16_t>& one : got)
        all.emplace_back([&] {
          for (int again = 0; again < 20; ++again)
            gaps.image.read_in_turn([&]() -> HostRows {
              const int here = ++now;
              for (int seen = most; here > seen && !most.compare_exchange_weak(seen, here);) {
              }
              std::this_thread::sleep_for(std::chrono::microseconds(200));  // others could come in, if they were let
              --now;
              return {one.data(), one.stride()};
            });
        });
    }
    EXPECT_LE(most, 2) << device.name();
    for (const Image<std::uint16_t>& one : got) EXPECT_EQ(values_of(one), values_of(expected)) << device.name();
    for (int again = 0; again < 3; ++again) {  // a turn that kept on would let the third one wait for ever
      EXPECT_ERROR(gaps.image.read_in_turn([]() -> HostRows { throw Error(ErrorCode::io, "no place"); }), ErrorCode::io,
                   "no place");
      EXPECT_ERROR(gaps.image.read_in_turn([&]() -> HostRows {
        return {got[0].data(), 127};
      }),
                   ErrorCode::invalid_argument, "127 bytes apart");
    }
  }
  EXPECT_ERROR(DeviceImage().read_in_turn([]() -> HostRows { return {}; }), ErrorCode::invalid_argument, "no image");
}

TEST_F(GpuImages, ThatCannotBeAreRefused) {
  using Code = ErrorCode;
  for (const Device& device : devices) {
    const DeviceMemory memory = device.allocate(1000);
    const auto make = [&](PixelType type, Size size, std::size_t pitch, std::size_t offset) {
      return DeviceImage(memory, type, size, pitch, offset);
    };
    EXPECT_ERROR(make(PixelType::u8, {10, 10}, 9, 0), Code::invalid_argument, "a pitch of 9 bytes");
    EXPECT_ERROR(make(PixelType::i16, {10, 10}, 21, 0), Code::invalid_argument, "a multiple of 2");
    EXPECT_ERROR(make(PixelType::u32, {10, 10}, 0, 2), Code::invalid_argument, "begins at byte");
    EXPECT_ERROR(make(PixelType::u8, {10, 101}, 0, 0), Code::invalid_argument, "does not fit memory of 1000 bytes");
    EXPECT_ERROR(make(PixelType::u8, {10, 2}, 991, 0), Code::invalid_argument, "does not fit");
    EXPECT_ERROR(make(PixelType::u8, {10, 1}, 0, 991), Code::invalid_argument, "does not fit");
    EXPECT_ERROR(make(PixelType::u8, {0, 1}, 0, 0), Code::invalid_argument, "0x1");
    EXPECT_ERROR(make(static_cast<PixelType>(9), {1, 1}, 0, 0), Code::invalid_argument, "pixel type 9");
    EXPECT_NO_THROW(make(PixelType::u8, {10, 2}, 990, 0));
    EXPECT_ERROR(DeviceImage({}, PixelType::u8, {1, 1}), Code::invalid_argument, "no memory");
    std::uint8_t byte = 0;
    EXPECT_ERROR(memory.write(&byte, 1, 1000), Code::invalid_argument, "writing 1 bytes from byte 1000");
    EXPECT_ERROR(memory.read(&byte, 2, 999), Code::invalid_argument, "reading 2 bytes");
    EXPECT_ERROR(device.allocate(0), Code::invalid_argument, "0 bytes");
    EXPECT_ERROR(device.wrap(nullptr), Code::invalid_argument, "null pointer");
  }
}

TEST_F(GpuImages, OfAFrameThatCannotBeAreRefused) {
  const Size size{16, 8};
  for (const Device& device : devices) {
    StereoMatcher matcher(device, size, few());
    const DeviceMemory memory = device.allocate(16384);
    const auto image = [&](PixelType type, std::size_t offset, Size of) {
      return DeviceImage(memory, type, of, 0, offset);
    };
    const DeviceImage l = image(PixelType::u8, 0, size), r = image(PixelType::u8, 128, size);
    const DeviceImage map = image(PixelType::i16, 1024, size);
    const auto error = ErrorCode::invalid_argument;
    EXPECT_ERROR(matcher.compute({DeviceImage(), r}, {.disparity = map}), error, "the left picture is an empty image");
    EXPECT_ERROR(matcher.compute({l, r}, {.disparity = DeviceImage()}), error, "the disparity map is an empty image");
    EXPECT_ERROR(matcher.compute({image(PixelType::u16, 0, size), r}, {.disparity = map}), error,
                 "the left picture has pixels of type u16: u8 is needed");
    EXPECT_ERROR(matcher.compute({l, image(PixelType::u8, 128, {16, 7})}, {.disparity = map}), error,
                 "the right picture is 16x7");
    EXPECT_ERROR(matcher.compute({l, r}, {.disparity = image(PixelType::u16, 1024, size)}), error,
                 "i16 or i32 is needed");
    EXPECT_ERROR(matcher.compute({l, r}, {.disparity = image(PixelType::i16, 130, size)}), error,
                 "the disparity map overlaps the right picture");
    EXPECT_ERROR(matcher.compute({l, r}, {.disparity = map, .mask = image(PixelType::u8, 1024, size)}), error,
                 "mask overlaps the disparity map");
    EXPECT_ERROR(matcher.compute({l, r}, {.disparity = map, .cost = image(PixelType::i32, 2048, size)}), error,
                 "u32 is needed");
    EXPECT_NO_THROW(matcher.compute({l, l}, {.disparity = map}));  // pictures may share
    StereoMatcher on_cpu(Device("cpu"), size, few());
    EXPECT_ERROR(on_cpu.compute({l, r}, {.disparity = map}), error,
                 "the matcher works on device cpu, in host memory: give ImageViews");
    StereoOptions far = few(), dim = few();
    far.min_disparity = 3000;
    StereoMatcher wide(device, size, far);
    EXPECT_ERROR(wide.compute({l, r}, {.disparity = map}), error, "give a 32-bit map");
    dim.depth = Depth::u16;
    dim.max_value = 1000;
    StereoMatcher deep(device, size, dim);
    std::vector<std::uint16_t> pixels(256, 1000);
    pixels[16 * 5 + 3] = 1001;
    pixels[200] = 2000;
    memory.write(pixels.data(), 512);
    const DeviceImage deep_l = image(PixelType::u16, 0, size), deep_r = image(PixelType::u16, 256, size);
    EXPECT_ERROR(deep.compute({deep_l, deep_r}, {.disparity = map}), error,
                 "the left picture has a value above max-value 1000 at x 3, y 5");
    pixels[16 * 5 + 3] = 7;
    memory.write(pixels.data(), 512);
    EXPECT_ERROR(deep.enqueue({deep_l, deep_r}, {.disparity = map}), error,
                 "the right picture has a value above max-value 1000 at x 8");
  }
}

TEST(DeviceImages, AreNotForDevicesInHostMemory) {
  for (const char* const name : {"cpu", "reference"}) {
    EXPECT_ERROR(Device(name).allocate(16), ErrorCode::unsupported, name);
    EXPECT_ERROR(Device(name).wrap(nullptr), ErrorCode::unsupported, "give pictures and maps as ImageViews");
    EXPECT_ERROR(Device(name).native(), ErrorCode::unsupported, "works in host memory");
  }
}

}  // namespace
}  // namespace vergence::test
