// SPDX-License-Identifier: Apache-2.0
// Each call that a motion estimator makes to a GPU fails once: one Error comes out, afterwards the estimator gives
// right vectors or says that it is dead, and nothing is left behind.
#include <gtest/gtest.h>

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
#include "vergence/motion.hpp"

namespace vergence::test {
namespace {

class GpuMotionFailures : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    const std::vector<GpuDevice> devices = gpu_devices(reasons);
    if (devices.empty()) GTEST_SKIP() << reasons;
    workshop_ = std::make_shared<Workshop>(devices.front().device);
    MotionEstimator reference(Device("reference"), size_, options_);
    expected_ = Image<MotionVector>(reference.blocks());
    expected_plane_ = Image<std::uint8_t>(size_);
    run(reference, expected_, expected_plane_);
  }

  /// What is asked for first makes further kernels.
  void run(MotionEstimator& estimator, Image<MotionVector>& vectors, Image<std::uint8_t>& plane) const {
    Image<std::uint8_t> confidence(estimator.blocks());
    MotionMaps maps;
    maps.vectors = vectors;
    estimator.compute(current_, reference_, maps);
    maps.confidence = confidence;
    estimator.compute(current_, reference_, maps);
    estimator.predict(reference_, expected_, plane);
  }
  void expect_right(MotionEstimator& estimator) {
    Image<MotionVector> vectors(expected_.size());
    Image<std::uint8_t> plane(size_);
    run(estimator, vectors, plane);
    for (int y = 0; y < expected_.height(); ++y)
      for (int x = 0; x < expected_.width(); ++x) EXPECT_EQ(expected_(x, y), vectors(x, y));
    EXPECT_EQ(values_of(expected_plane_), values_of(plane));
  }
  std::unique_ptr<MotionEstimator> make(const SharedFaults& faults) {
    return std::make_unique<MotionEstimator>(
        Device(gpu::make_device("failing:0", "opencl", std::make_shared<FailingDevice>(workshop_, faults))), size_,
        options_);
  }

  void fail_once(const SharedFaults& faults) {
    std::unique_ptr<MotionEstimator> estimator;
    std::optional<Error> first;
    try {
      estimator = make(faults);
      expect_right(*estimator);
    } catch (const Error& error) {
      first = error;
    }
    ASSERT_TRUE(first) << "nothing was thrown";
    EXPECT_EQ(first->code(), faults->code) << first->what();
    EXPECT_NE(std::string(first->what()).find(faults->failed), std::string::npos) << first->what();
    if (estimator == nullptr) {
      EXPECT_EQ(faults->living(), 0) << "after a constructor that failed";
      return;
    }
    try {
      expect_right(*estimator);
      EXPECT_FALSE(faults->queue_died);
    } catch (const Error& error) {
      EXPECT_TRUE(faults->queue_died) << error.what();
      EXPECT_NE(std::string(error.what()).find("not used any more"), std::string::npos) << error.what();
    }
    estimator.reset();
    EXPECT_EQ(faults->living(), 0);
  }

  void walk(ErrorCode code) {
    const auto counted = std::make_shared<Faults>();
    const std::unique_ptr<MotionEstimator> estimator = make(counted);
    expect_right(*estimator);
    EXPECT_GT(counted->calls, 30);
    for (int n = 1; n <= counted->calls; ++n) {
      const auto faults = std::make_shared<Faults>();
      faults->fail_at = n;
      faults->code = code;
      fail_once(faults);
      ASSERT_FALSE(HasFailure()) << "call " << n << " of " << counted->calls << ": " << faults->failed;
    }
  }

  std::shared_ptr<Workshop> workshop_;
  Size size_{37, 29};
  MotionOptions options_{.search = MotionSearch::hierarchical,
                         .levels = 1,
                         .block = {12, 8},
                         .range_x = {-6, 6},
                         .range_y = {-5, 5},
                         .subpel = MotionSubpel::half};
  Image<std::uint8_t> reference_ = noise<std::uint8_t>(size_, 5, 255);
  Image<std::uint8_t> current_ = shifted(reference_, 3);
  Image<MotionVector> expected_;
  Image<std::uint8_t> expected_plane_;
};

TEST_F(GpuMotionFailures, OutOfMemoryAtEachCall) { walk(ErrorCode::out_of_memory); }
TEST_F(GpuMotionFailures, AnErrorOfTheDeviceAtEachCall) { walk(ErrorCode::device); }

}  // namespace
}  // namespace vergence::test
