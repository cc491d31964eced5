// SPDX-License-Identifier: Apache-2.0
// What a matcher allocates: stated truly by memory(), bounded, and nothing per frame. Counts every operator new of the
// process, which is why it is a program of its own.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/pictures.hpp"
#include "vergence/stereo.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VERGENCE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VERGENCE_SANITIZED 1
#endif
#endif

namespace {

std::atomic<long long> live_bytes{0};
std::atomic<long long> allocations{0};

#ifndef VERGENCE_SANITIZED
void* count(void* memory) {
  if (memory == nullptr) return nullptr;
  live_bytes += static_cast<long long>(malloc_usable_size(memory));
  ++allocations;
  return memory;
}

void discard(void* memory) {
  if (memory == nullptr) return;
  live_bytes -= static_cast<long long>(malloc_usable_size(memory));
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
}
#endif

}  // namespace

#ifndef VERGENCE_SANITIZED
void* operator new(std::size_t bytes) {
  if (void* memory = count(std::malloc(bytes))) return memory;  // NOLINT(cppcoreguidelines-no-malloc)
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return count(std::malloc(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  const auto step = static_cast<std::size_t>(alignment);
  return count(std::aligned_alloc(step, (bytes + step - 1) / step * step));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* memory = operator new(bytes, alignment, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { discard(memory); }
void operator delete(void* memory, std::size_t) noexcept { discard(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { discard(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { discard(memory); }
#endif

namespace vergence {
namespace {

constexpr Size full_hd{1920, 1080};

struct Frame {
  explicit Frame(Size size)
      : left(test::noise<std::uint8_t>(size, 3, 255)),
        right(test::shifted(left, 9)),
        map(size),
        mask(size),
        confidence(size) {}
  Image<std::uint8_t> left, right;
  Image<std::int16_t> map;
  Image<std::uint8_t> mask, confidence;
};

StereoOptions with_everything(StereoCost cost) {
  return {.cost = cost,
          .window = {11, 11},
          .disparities = 256,
          .uniqueness_ratio = 5,
          .texture_threshold = 20,
          .left_right = 1,
          .median = 5,
          .fill = StereoFill::background};
}

TEST(MatcherMemory, FullHdWith256DisparitiesStaysUnder48Megabytes) {
  Frame frame(full_hd);
  for (const StereoCost cost : {StereoCost::sad, StereoCost::ssd, StereoCost::census_5x5, StereoCost::census_9x7}) {
    [[maybe_unused]] const long long before = live_bytes;
    StereoMatcher matcher(Device("cpu", {.threads = 2, .simd = {}}), full_hd, with_everything(cost));
    matcher.compute({frame.left, frame.right},
                    {.disparity = frame.map, .mask = frame.mask, .confidence = frame.confidence});
    EXPECT_LT(matcher.memory(), 48'000'000u) << static_cast<int>(cost);
#ifndef VERGENCE_SANITIZED
    const long long held = live_bytes - before;
    EXPECT_LT(held, 48'000'000) << static_cast<int>(cost);
    // memory() tells the truth, but for small objects.
    EXPECT_NEAR(static_cast<double>(matcher.memory()), static_cast<double>(held), 300'000.0) << static_cast<int>(cost);
#endif
  }
}

void expect_no_allocation(const StereoOptions& options, int threads) {
  const Size size{319, 203};
  Frame frame(size);
  Image<std::int16_t> other(size);
  const StereoOutput output{
      .disparity = frame.map, .mask = frame.mask, .confidence = frame.confidence, .other_disparity = other};
  StereoMatcher matcher(Device("cpu", {.threads = threads, .simd = {}}), size, options);
  // The first frames may allocate, once per thread that gets work.
  for (int i = 0; i < 2; ++i) matcher.compute({frame.left, frame.right}, output);
  const long long before = allocations;
  for (int i = 0; i < 3; ++i) matcher.compute({frame.left, frame.right}, output);
  EXPECT_EQ(allocations - before, 0) << "cost " << stereo_get(options, "cost") << ", fill "
                                     << stereo_get(options, "fill") << ", median " << options.median << ", threads "
                                     << threads;
}

TEST(MatcherMemory, NothingIsAllocatedPerFrame) {
#ifdef VERGENCE_SANITIZED
  GTEST_SKIP() << "allocations are the sanitizer's here";
#endif
  for (const int threads : {1, 2})
    for (const StereoCost cost : {StereoCost::sad, StereoCost::ssd, StereoCost::census_5x5, StereoCost::census_9x7}) {
      StereoOptions options = with_everything(cost);
      options.disparities = 48;
      for (const StereoFill fill :
           {StereoFill::none, StereoFill::background, StereoFill::nearest, StereoFill::mean, StereoFill::mean_all}) {
        options.fill = fill;
        expect_no_allocation(options, threads);
      }
      options.border = StereoBorder::invalid;
      options.prefilter = StereoPrefilter::xsobel;
      options.median = 0;
      options.speckle_size = 0;
      options.fill = StereoFill::none;
      expect_no_allocation(options, threads);
    }
}

TEST(MatcherMemory, OtherViewIsPaidForByThoseWhoAsk) {
  const Size size{319, 203};
  Frame frame(size);
  Image<std::int16_t> other(size);
  StereoMatcher matcher(Device("cpu", {.threads = 1, .simd = {}}), size, {.disparities = 48});
  matcher.compute({frame.left, frame.right}, {.disparity = frame.map});
  const std::size_t before = matcher.memory();
  matcher.compute({frame.left, frame.right}, {.disparity = frame.map});
  EXPECT_EQ(matcher.memory(), before);
  matcher.compute({frame.left, frame.right}, {.disparity = frame.map, .other_disparity = other});
  EXPECT_GT(matcher.memory(), before);
}

}  // namespace
}  // namespace vergence
