// SPDX-License-Identifier: Apache-2.0
// A device that compiles and runs nothing, and what has all stages compiled on it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device.hpp"
#include "gpu/postfilter/stages.hpp"
#include "gpu/program.hpp"
#include "gpu/stereo/match.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::test {

class NoBuffer final : public gpu::Buffer {
 public:
  explicit NoBuffer(std::size_t bytes) : bytes_(bytes) {}
  std::size_t bytes() const override { return bytes_; }

 private:
  std::size_t bytes_;
};

class NoKernel final : public gpu::Kernel {};

class NoProgram final : public gpu::Program {
 public:
  std::unique_ptr<gpu::Kernel> kernel(const std::string&) override { return std::make_unique<NoKernel>(); }
};

/// One of NVIDIA's, as far as texts depend on it.
class CompilingDevice : public gpu::Device {
 public:
  explicit CompilingDevice(gpu::Dialect dialect) : dialect_(dialect) {
    properties_.device = "no device";
    properties_.architecture = "sm_90";
    properties_.local_memory = 48 << 10;
    properties_.largest_group = 1024;
    properties_.is_nvidia = properties_.has_warp_minimum = properties_.has_packed_minimum = true;
    use_cache(false);  // what is kept on disk would prove nothing
  }
  const gpu::Properties& properties() const override { return properties_; }
  gpu::Dialect dialect() const override { return dialect_; }
  std::unique_ptr<gpu::Buffer> allocate(std::size_t bytes) override { return std::make_unique<NoBuffer>(bytes); }
  std::unique_ptr<gpu::Queue> make_queue() override { return nullptr; }
  std::unique_ptr<gpu::Program> load(std::span<const std::byte> code) override {
    EXPECT_FALSE(code.empty());
    return std::make_unique<NoProgram>();
  }
  int compiled = 0;

 protected:
  gpu::Properties properties_;

 private:
  gpu::Dialect dialect_;
};

/// Compiles what a matcher for the plan asks for.
inline void compile_stages(const StereoPlan& plan, gpu::Programs& programs, const gpu::MatchWants& wants) {
  const gpu::Match match(plan, programs, wants, gpu::default_match_tuning(programs.device().properties()), {});
  if (plan.masks != nullptr) const gpu::SourceStage source(plan, programs, wants.wide);
  if (plan.options.speckle_size > 0) const gpu::Speckle speckle(plan, programs, wants.wide);
  if (plan.options.median > 0) const gpu::Median median(plan, programs, wants.wide);
  if (plan.options.fill != vergence::StereoFill::none) const gpu::FillStage fill(plan, programs, wants.wide);
}

}  // namespace vergence::test
