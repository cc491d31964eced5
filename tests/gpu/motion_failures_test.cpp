// SPDX-License-Identifier: Apache-2.0
// Each call that a motion estimator makes to a GPU fails once.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/pictures.hpp"
#include "gpu/each_call_fails.hpp"
#include "support/maps.hpp"
#include "vergence/motion.hpp"

namespace vergence::test {
namespace {

class GpuMotionFailures : public EachCallFails {
 protected:
  class Estimator final : public Subject {
   public:
    Estimator(GpuMotionFailures& test, const Device& device)
        : test_(test), estimator_(device, test.size_, test.options_) {}
    std::string compare(int /*request*/) override { return test_.compare(estimator_); }

   private:
    GpuMotionFailures& test_;
    MotionEstimator estimator_;
  };
  std::unique_ptr<Subject> make_subject(const Device& device) override {
    return std::make_unique<Estimator>(*this, device);
  }
  void SetUp() override {
    EachCallFails::SetUp();
    MotionEstimator reference(Device("reference"), size_, options_);
    expected_ = Image<MotionVector>(reference.blocks());
    expected_plane_ = Image<std::uint8_t>(size_);
    run(reference, expected_, expected_plane_);
  }

  /// What is asked for first makes further kernels.
  void run(MotionEstimator& estimator, Image<MotionVector>& vectors, Image<std::uint8_t>& plane) const {
    Image<std::uint8_t> confidence(estimator.blocks());
    MotionOutput maps;
    maps.vectors = vectors;
    estimator.compute({current_, reference_}, maps);
    maps.confidence = confidence;
    estimator.compute({current_, reference_}, maps);
    estimator.predict(reference_, expected_, plane);
  }
  std::string compare(MotionEstimator& estimator) {
    Image<MotionVector> vectors(expected_.size());
    Image<std::uint8_t> plane(size_);
    run(estimator, vectors, plane);
    for (int y = 0; y < expected_.height(); ++y)
      for (int x = 0; x < expected_.width(); ++x)
        if (expected_(x, y) != vectors(x, y)) return "vectors differ";
    return values_of(expected_plane_) == values_of(plane) ? "" : "prediction differs";
  }

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

/// All that an estimator can be asked for is one request.
TEST_F(GpuMotionFailures, OutOfMemoryAtEachCall) { walk({0}, ErrorCode::out_of_memory, false); }
TEST_F(GpuMotionFailures, AnErrorOfTheDeviceAtEachCall) { walk({0}, ErrorCode::device, false); }
TEST_F(GpuMotionFailures, ADeviceLostAtEachCall) { walk({0}, ErrorCode::device, true); }

}  // namespace
}  // namespace vergence::test
