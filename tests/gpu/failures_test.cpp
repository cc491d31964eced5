// SPDX-License-Identifier: Apache-2.0
// Each call that a matcher makes to a GPU fails once; where it is lack of memory the matcher goes on in bands of rows,
// or with fewer frames in flight, and gives right bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "gpu/each_call_fails.hpp"
#include "support/maps.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

/// Everything that a matcher can be asked for.
struct MapsOfAll {
  explicit MapsOfAll(Size size) : narrow(size), other(size), wide(size), mask(size), confidence(size), cost(size) {}
  void clear() {
    for (int y = 0; y < narrow.height(); ++y)
      for (int x = 0; x < narrow.width(); ++x)
        narrow(x, y) = 1, other(x, y) = 1, wide(x, y) = 1, mask(x, y) = 1, confidence(x, y) = 1, cost(x, y) = 1;
  }
  Image<std::int16_t> narrow, other;
  Image<std::int32_t> wide;
  Image<std::uint8_t> mask, confidence;
  Image<std::uint32_t> cost;
};

/// What one frame asks for: each choice has its own kernels and buffers, made at its first frame.
enum Request { plain, everything, wide, other };

class GpuFailures : public EachCallFails {
 protected:
  class Matcher final : public Subject {
   public:
    Matcher(GpuFailures& test, const Device& device) : test_(test), matcher_(device, test.size_, test.options_) {}
    std::string compare(int request) override { return test_.compare(matcher_, static_cast<Request>(request)); }

   private:
    GpuFailures& test_;
    StereoMatcher matcher_;
  };
  std::unique_ptr<Subject> make_subject(const Device& device) override {
    return std::make_unique<Matcher>(*this, device);
  }
  bool may_recover(ErrorCode code) const override { return code == ErrorCode::out_of_memory; }

  void compute(StereoMatcher& matcher, Request request, MapsOfAll& maps) const {
    if (request == plain) matcher.compute({left_, right_}, {.disparity = maps.narrow});
    if (request == everything)
      matcher.compute({left_, right_},
                      {.disparity = maps.narrow, .mask = maps.mask, .confidence = maps.confidence, .cost = maps.cost});
    if (request == wide) matcher.compute({left_, right_}, {.disparity = maps.wide});
    if (request == other) matcher.compute({left_, right_}, {.disparity = maps.narrow, .other_disparity = maps.other});
  }

  /// Empty where the matcher gives the reference's bytes.
  std::string compare(StereoMatcher& matcher, Request request) {
    MapsOfAll expected(size_), got(size_);
    for (MapsOfAll* maps : {&expected, &got}) maps->clear();  // what no frame writes is equal too
    compute(reference_, request, expected);
    compute(matcher, request, got);
    if (values_of(expected.narrow) != values_of(got.narrow)) return "disparity differs";
    if (values_of(expected.wide) != values_of(got.wide)) return "wide disparity differs";
    if (values_of(expected.other) != values_of(got.other)) return "other_disparity differs";
    if (values_of(expected.mask) != values_of(got.mask)) return "mask differs";
    if (values_of(expected.confidence) != values_of(got.confidence)) return "confidence differs";
    if (values_of(expected.cost) != values_of(got.cost)) return "cost differs";
    return {};
  }

  Size size_{37, 29};
  StereoOptions options_{.window = {5, 3},
                         .disparities = 6,
                         .uniqueness_ratio = 3,
                         .left_right = 1,
                         .speckle_size = 6,
                         .median = 3,
                         .fill = StereoFill::background};
  Image<std::uint8_t> left_ = noise<std::uint8_t>(size_, 5, 255);
  Image<std::uint8_t> right_ = shifted(left_, 3);
  StereoMatcher reference_{Device("reference"), size_, options_};
};

TEST_F(GpuFailures, OutOfMemoryAtEachCall) { walk({plain}, ErrorCode::out_of_memory, false); }
TEST_F(GpuFailures, AnErrorOfTheDeviceAtEachCall) { walk({plain}, ErrorCode::device, false); }
TEST_F(GpuFailures, ADeviceLostAtEachCall) { walk({plain}, ErrorCode::device, true); }

/// What a frame makes that is the first to ask for more.
TEST_F(GpuFailures, OutOfMemoryAtEachCallOfLaterMaps) {
  walk({plain, everything, wide}, ErrorCode::out_of_memory, false);
}
TEST_F(GpuFailures, AnErrorOfTheDeviceAtEachCallOfLaterMaps) {
  walk({plain, everything, wide}, ErrorCode::device, false);
}
TEST_F(GpuFailures, OutOfMemoryAtEachCallOfTheOtherView) { walk({other, plain}, ErrorCode::out_of_memory, false); }
TEST_F(GpuFailures, ADeviceLostAtEachCallOfTheOtherView) { walk({other, plain}, ErrorCode::device, true); }

}  // namespace
}  // namespace vergence::test
