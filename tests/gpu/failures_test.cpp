// SPDX-License-Identifier: Apache-2.0
// Each call that a matcher makes to a GPU fails once, in every way it can: where it is lack of memory the matcher goes
// on in bands of rows and gives right bytes; else one clear Error comes out, afterwards the matcher gives right bytes
// or says that it is dead, and nothing is left behind.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/failing_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "support/maps.hpp"
#include "vergence/stereo.hpp"

namespace vergence::test {
namespace {

constexpr unsigned time_limit_s = 240;  ///< For all failures of one test: what hangs ends the program.

/// Everything that a matcher can be asked for.
struct Maps {
  explicit Maps(Size size) : narrow(size), other(size), wide(size), mask(size), confidence(size), cost(size) {}
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
enum class Request { plain, all, wide, other };

class GpuFailures : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    const std::vector<GpuDevice> devices = gpu_devices(reasons);
    if (devices.empty()) GTEST_SKIP() << reasons;
    workshop_ = std::make_shared<Workshop>(devices.front().device);
    alarm(time_limit_s);
  }
  void TearDown() override { alarm(0); }

  void compute(StereoMatcher& matcher, Request request, Maps& maps) const {
    if (request == Request::plain) matcher.compute({left_, right_}, {.disparity = maps.narrow});
    if (request == Request::all)
      matcher.compute({left_, right_},
                      {.disparity = maps.narrow, .mask = maps.mask, .confidence = maps.confidence, .cost = maps.cost});
    if (request == Request::wide) matcher.compute({left_, right_}, {.disparity = maps.wide});
    if (request == Request::other)
      matcher.compute({left_, right_}, {.disparity = maps.narrow, .other_disparity = maps.other});
  }

  /// Empty where the matcher gives the reference's bytes.
  std::string compare(StereoMatcher& matcher, Request request) {
    Maps expected(size_), got(size_);
    for (Maps* maps : {&expected, &got}) maps->clear();  // what no frame writes is equal too
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

  std::unique_ptr<StereoMatcher> make_matcher(const SharedFaults& faults) {
    return std::make_unique<StereoMatcher>(
        Device(gpu::make_device("failing:0", "opencl", std::make_shared<FailingDevice>(workshop_, faults))), size_,
        options_);
  }

  /// Calls that a matcher and frames of these requests make.
  int count_calls(const std::vector<Request>& requests) {
    const auto faults = std::make_shared<Faults>();
    const std::unique_ptr<StereoMatcher> matcher = make_matcher(faults);
    for (const Request request : requests) EXPECT_EQ(compare(*matcher, request), "");
    return faults->calls;
  }

  void walk(const std::vector<Request>& requests, ErrorCode code, bool lost);
  void fail_once(const std::vector<Request>& requests, const SharedFaults& faults);
  void go_on(StereoMatcher& matcher, Request failed, const std::vector<Request>& requests, const Faults& faults);

  std::shared_ptr<Workshop> workshop_;
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

/// After the first Error: right bytes, or Error(device) at every further frame that needs what died.
void GpuFailures::go_on(StereoMatcher& matcher, Request failed, const std::vector<Request>& requests,
                        const Faults& faults) {
  const bool dead = faults.lost || faults.queue_died;
  for (int again = 0; again < 2; ++again)
    for (const Request request : requests) {
      std::string outcome;
      try {
        outcome = compare(matcher, request);
      } catch (const Error& error) {
        EXPECT_TRUE(dead) << error.what();
        EXPECT_EQ(error.code(), faults.lost ? faults.code : ErrorCode::device) << error.what();
        EXPECT_TRUE(faults.lost || std::string(error.what()).find("not used any more") != std::string::npos);
        continue;
      }
      EXPECT_EQ(outcome, "");
      EXPECT_FALSE(dead && request == failed) << "a frame through what is dead";
    }
}

void GpuFailures::fail_once(const std::vector<Request>& requests, const SharedFaults& faults) {
  std::unique_ptr<StereoMatcher> matcher;
  std::optional<Error> first;
  Request failed = Request::plain;
  try {
    matcher = make_matcher(faults);
    for (const Request request : requests) {
      failed = request;
      EXPECT_EQ(compare(*matcher, request), "");
    }
  } catch (const Error& error) {
    first = error;
  }
  if (!first && faults->code == ErrorCode::out_of_memory && !faults->failed.empty()) {
    matcher.reset();  // it went on in bands of rows, or with fewer frames in flight, and gave right bytes
    EXPECT_EQ(faults->living(), 0);
    return;
  }
  ASSERT_TRUE(first) << "nothing was thrown";
  EXPECT_EQ(first->code(), faults->code) << first->what();
  EXPECT_NE(std::string(first->what()).find(faults->failed), std::string::npos) << first->what();
  if (matcher == nullptr) {
    EXPECT_EQ(faults->living(), 0) << "after a constructor that failed";
    if (!faults->lost) matcher = make_matcher(faults);
    EXPECT_EQ(matcher != nullptr ? compare(*matcher, requests.front()) : "", "");
  } else {
    go_on(*matcher, failed, requests, *faults);
  }
  matcher.reset();
  EXPECT_EQ(faults->buffers, 0);
  EXPECT_EQ(faults->programs, 0);
  EXPECT_EQ(faults->kernels, 0);
  EXPECT_EQ(faults->queues, 0);
}

void GpuFailures::walk(const std::vector<Request>& requests, ErrorCode code, bool lost) {
  const int calls = count_calls(requests);
  EXPECT_GT(calls, 30);
  for (int n = 1; n <= calls; ++n) {
    const auto faults = std::make_shared<Faults>();
    faults->fail_at = n;
    faults->code = code;
    faults->lost = lost;
    fail_once(requests, faults);
    ASSERT_FALSE(HasFailure()) << "call " << n << " of " << calls << ": " << faults->failed;
  }
}

TEST_F(GpuFailures, OutOfMemoryAtEachCall) { walk({Request::plain}, ErrorCode::out_of_memory, false); }
TEST_F(GpuFailures, AnErrorOfTheDeviceAtEachCall) { walk({Request::plain}, ErrorCode::device, false); }
TEST_F(GpuFailures, ADeviceLostAtEachCall) { walk({Request::plain}, ErrorCode::device, true); }

/// What a frame makes that is the first to ask for more.
TEST_F(GpuFailures, OutOfMemoryAtEachCallOfLaterMaps) {
  walk({Request::plain, Request::all, Request::wide}, ErrorCode::out_of_memory, false);
}
TEST_F(GpuFailures, AnErrorOfTheDeviceAtEachCallOfLaterMaps) {
  walk({Request::plain, Request::all, Request::wide}, ErrorCode::device, false);
}
TEST_F(GpuFailures, OutOfMemoryAtEachCallOfTheOtherView) {
  walk({Request::other, Request::plain}, ErrorCode::out_of_memory, false);
}
TEST_F(GpuFailures, ADeviceLostAtEachCallOfTheOtherView) {
  walk({Request::other, Request::plain}, ErrorCode::device, true);
}

}  // namespace
}  // namespace vergence::test
