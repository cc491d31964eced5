// SPDX-License-Identifier: Apache-2.0
// Compiles and measures variants, all in the same way.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/report.hpp"
#include "gpu/devices.hpp"
#include "gpu/program.hpp"

namespace vergence::studies {

/// A compiled kernel. Nothing is taken from a cache of ours, so that the times of compiling are true.
struct Built {
  std::unique_ptr<gpu::Program> program;
  std::unique_ptr<gpu::Kernel> kernel;
  double compile_ms = 0;
  std::size_t code_bytes = 0;
  std::string code_kind;
};

/// What a variant does in each run, in this order. `prepare` is not timed.
struct Work {
  std::function<void()> prepare, upload, launch, download;
};

class Bench {
 public:
  explicit Bench(const gpu::Opened& device);

  gpu::Device& device() const { return *device_; }
  gpu::Queue& queue() const { return *queue_; }
  const gpu::Properties& properties() const { return device_->properties(); }

  Built build(std::string_view file, const gpu::Defines& defines, const std::string& kernel) const;
  /// A first run that is not counted, then `runs` runs by the device's clock and as many by the host's.
  std::vector<Times> measure(int runs, const Work& work) const;
  /// Runs `action`. An error of the device becomes the cell's, and the queue, which it may have ended, is made anew, so
  /// that one variant does not end a study.
  void guard(Cell& cell, const std::function<void()>& action);
  /// Why the device cannot run such a group; empty where it can.
  std::string refusal(gpu::Range group, std::size_t local_bytes) const;

 private:
  std::shared_ptr<gpu::Device> device_;
  std::unique_ptr<gpu::Queue> queue_;
};

/// Milliseconds that `action` takes.
double milliseconds(const std::function<void()>& action);
/// Rows of a packed buffer.
gpu::Rows packed_rows(std::size_t row_bytes, std::size_t count);

struct CodeSize {
  std::size_t bytes;
  const char* kind;
};
/// The instructions in a compiled program: in CUDA's ELF files the bytes of its functions; PTX and other formats as
/// they are.
CodeSize code_size(std::span<const std::byte> code);

}  // namespace vergence::studies
