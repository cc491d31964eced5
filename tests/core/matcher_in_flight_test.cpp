// SPDX-License-Identifier: Apache-2.0
// Frames under way at the same time give the maps that they give one by one, on every device.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "vergence/device.hpp"
#include "vergence/error.hpp"
#include "vergence/stereo.hpp"

namespace vergence {
namespace {

constexpr Size flight_size{70, 33};

struct Frame {
  Image<std::uint8_t> left{flight_size}, right{flight_size};
  Image<std::int16_t> expected{flight_size}, got{flight_size};
  Image<std::uint8_t> expected_mask{flight_size}, mask{flight_size};
};

StereoOptions all_steps() {
  StereoOptions options;
  options.disparities = 20;
  options.uniqueness_ratio = 5;
  options.speckle_size = 10;
  options.median = 3;
  options.fill = StereoFill::background;
  return options;
}

std::vector<Frame> make_frames(int count) {
  Random random(20261121);
  std::vector<Frame> frames;
  for (int i = 0; i < count; ++i) {
    Frame& frame = frames.emplace_back();
    for (int y = 0; y < flight_size.height; ++y)
      for (int x = 0; x < flight_size.width; ++x) {
        frame.left(x, y) = static_cast<std::uint8_t>(random.within(0, 255));
        frame.right(x, y) = x + i < flight_size.width && y > 5 ? frame.left(x + i >= 0 ? x : 0, y) : std::uint8_t{9};
      }
  }
  StereoMatcher reference(Device("reference"), flight_size, all_steps());
  for (Frame& frame : frames) {
    reference.compute({frame.left, frame.right}, {.disparity = frame.expected, .mask = frame.expected_mask});
  }
  return frames;
}

template <class T>
bool equal(const Image<T>& a, const Image<T>& b) {
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (a(x, y) != b(x, y)) return false;
  return true;
}

void expect_equal(const std::vector<Frame>& frames, const std::string& device) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_TRUE(equal(frames[i].expected, frames[i].got)) << device << ", disparities of frame " << i;
    EXPECT_TRUE(equal(frames[i].expected_mask, frames[i].mask)) << device << ", mask of frame " << i;
  }
}

PendingStereo enqueue(StereoMatcher& matcher, Frame& frame) {
  // What is given to it may be changed at once.
  Image<std::uint8_t> left(flight_size), right(flight_size);
  for (int y = 0; y < flight_size.height; ++y)
    for (int x = 0; x < flight_size.width; ++x) left(x, y) = frame.left(x, y), right(x, y) = frame.right(x, y);
  PendingStereo pending = matcher.enqueue({left, right}, {.disparity = frame.got, .mask = frame.mask});
  for (int y = 0; y < flight_size.height; ++y)
    for (int x = 0; x < flight_size.width; ++x) left(x, y) = right(x, y) = 0;
  return pending;
}

std::vector<Device> flight_devices() {
  std::vector<Device> all;
  for (const DeviceInfo& info : Device::list())
    if (info.available) all.emplace_back(info.name);
  return all;
}

TEST(MatcherInFlight, FramesAreThoseOfOneByOne) {
  for (const Device& device : flight_devices()) {
    std::vector<Frame> frames = make_frames(11);
    StereoMatcher matcher(device, flight_size, all_steps());
    std::vector<PendingStereo> pending;
    for (Frame& frame : frames) pending.push_back(enqueue(matcher, frame));
    std::swap(pending[8], pending[10]);  // any order
    for (PendingStereo& one : pending) one.wait();
    expect_equal(frames, device.name());
    pending[0].wait();  // again: nothing
  }
}

TEST(MatcherInFlight, MixesWithCompute) {
  for (const Device& device : flight_devices()) {
    std::vector<Frame> frames = make_frames(6);
    StereoMatcher matcher(device, flight_size, all_steps());
    std::vector<PendingStereo> pending;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (i % 3 == 2)
        matcher.compute({frames[i].left, frames[i].right}, {.disparity = frames[i].got, .mask = frames[i].mask});
      else
        pending.push_back(enqueue(matcher, frames[i]));
    }
    for (PendingStereo& one : pending) one.wait();
    expect_equal(frames, device.name());
  }
}

TEST(MatcherInFlight, TheMatchersEndWaits) {
  for (const Device& device : flight_devices()) {
    std::vector<Frame> frames = make_frames(3);
    std::vector<PendingStereo> pending;
    {
      StereoMatcher matcher(device, flight_size, all_steps());
      for (Frame& frame : frames) pending.push_back(enqueue(matcher, frame));
      StereoMatcher moved(std::move(matcher));
    }
    expect_equal(frames, device.name());
    for (PendingStereo& one : pending) one.wait();  // after its matcher
  }
}

TEST(MatcherInFlight, ArgumentsAreCheckedAtOnce) {
  StereoMatcher matcher(Device("cpu"), flight_size, all_steps());
  Image<std::uint8_t> picture(flight_size), small(Size{5, 5});
  Image<std::int16_t> map(flight_size);
  EXPECT_THROW(matcher.enqueue({picture, small}, {.disparity = map}), Error);
  PendingStereo().wait();
}

TEST(MatcherInFlight, PinnedPicturesAndMaps) {
  for (const Device& device : flight_devices()) {
    std::vector<Frame> frames = make_frames(5);
    std::vector<std::shared_ptr<void>> pins;
    const auto pin = [&](auto& image) {
      pins.push_back(device.pin(
          image.row(0), static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(flight_size.height)));
    };
    for (Frame& frame : frames) pin(frame.left), pin(frame.right), pin(frame.got), pin(frame.mask);
    StereoMatcher matcher(device, flight_size, all_steps());
    std::vector<PendingStereo> pending;
    for (Frame& frame : frames) {
      pending.push_back(matcher.enqueue({frame.left, frame.right}, {.disparity = frame.got, .mask = frame.mask}));
    }
    for (PendingStereo& one : pending) one.wait();
    expect_equal(frames, device.name());
  }
}

}  // namespace
}  // namespace vergence
