// SPDX-License-Identifier: Apache-2.0
// Motion of every GPU device, for tests: in several launch configurations.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "backend/motion.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "gpu/motion/motion.hpp"
#include "gpu/motion_tuning.hpp"
#include "stage/gpu_devices.hpp"
#include "verify/motion_cases.hpp"

namespace vergence::test {

constexpr bool measures_times = true;

/// A GPU device whose motion is launched in a given configuration.
class TunedMotionDevice final : public backend::Device {
 public:
  TunedMotionDevice(const GpuDevice& gpu, const gpu::MotionTuning& tuning)
      : gpu_(gpu.device), whole_(gpu::make_device(gpu.name, "opencl", gpu.device)), tuning_(tuning) {}
  const std::string& name() const override { return whole_->name(); }
  const std::string& kind() const override { return whole_->kind(); }
  const std::string& description() const override { return whole_->description(); }
  std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan) override { return whole_->make_stereo(plan); }
  std::unique_ptr<backend::Motion> make_motion(const MotionPlan& plan) override {
    return gpu::make_motion(plan, gpu_, tuning_);
  }

 private:
  std::shared_ptr<gpu::Device> gpu_;
  std::unique_ptr<backend::Device> whole_;
  gpu::MotionTuning tuning_;
};

struct MotionConfiguration {
  Device device;
  std::string name;
  bool all_maps;
};
/// Work-groups of a size that the seed says; every second seed with all maps, since each choice has kernels of its own.
inline std::vector<MotionConfiguration> motion_configurations(const MotionCase& one) {
  std::vector<MotionConfiguration> all;
  std::string reasons;
  for (const GpuDevice& gpu : gpu_devices(reasons)) {
    const gpu::MotionTuning tuning = tuning_of_seed(one.seed, gpu);
    all.push_back({backend::handle(std::make_shared<TunedMotionDevice>(gpu, tuning)),
                   gpu.name + ", group " + std::to_string(tuning.group), one.seed % 2 == 0});
  }
  return all;
}

/// First and last seed of each test: one seed, because compilers for processors take a second or two for each; and, on
/// machines with a GPU, as many as VERGENCE_GPU_CASES says.
inline std::vector<std::pair<int, int>> motion_seeds() {
  std::vector<std::pair<int, int>> seeds;
  for (int seed = 1; seed <= 6; ++seed) seeds.emplace_back(seed, seed);
  if (const int last = cases_to_run(6, 1'000'000); last > 6) seeds.emplace_back(7, last);
  return seeds;
}

}  // namespace vergence::test
