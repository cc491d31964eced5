// SPDX-License-Identifier: Apache-2.0
// A gpu::Device around a real one that counts its calls, fails the one that a test names, and counts what lives.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/device.hpp"
#include "gpu/disk_cache.hpp"
#include "vergence/error.hpp"

namespace vergence::test {

/// What is to fail, and what happened. Calls are counted from 1 in the order in which they are made.
struct Faults {
  int fail_at = 0;  ///< 0: none fails.
  ErrorCode code = ErrorCode::device;
  bool lost = false;         ///< All calls after that one fail too.
  int corrupt_download = 0;  ///< This download, counted from 1, brings another bit; 0: none does.

  int calls = 0, downloads = 0;
  std::string failed;  ///< What the call was that failed first; empty while none did.
  bool queue_died = false;
  std::size_t allocated = 0;                               ///< Bytes of the buffers that live.
  int buffers = 0, programs = 0, kernels = 0, queues = 0;  ///< That live.

  int living() const { return buffers + programs + kernels + queues; }

  /// One call: throws where it is the one.
  void call(const std::string& what) {
    ++calls;
    if (fail_at == 0 || calls < fail_at || (calls > fail_at && !lost)) return;
    if (failed.empty()) failed = what;
    throw Error(code, fmt::format("{} on the failing device failed: injected at call {}", what, calls));
  }
};
using SharedFaults = std::shared_ptr<Faults>;

/// Counts one object for as long as it lives.
class Counted {
 public:
  Counted(SharedFaults faults, int Faults::*count) : faults_(std::move(faults)), count_(count) {
    ++((*faults_).*count_);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --((*faults_).*count_); }
  Faults& faults() const { return *faults_; }
  const SharedFaults& shared() const { return faults_; }

 private:
  SharedFaults faults_;
  int Faults::*count_;
};

class FailingBuffer final : public gpu::Buffer {
 public:
  FailingBuffer(std::unique_ptr<gpu::Buffer> inner, const SharedFaults& faults)
      : real(std::move(inner)), counted_(faults, &Faults::buffers) {
    counted_.faults().allocated += real->bytes();
  }
  ~FailingBuffer() override { counted_.faults().allocated -= real->bytes(); }
  std::size_t bytes() const override { return real->bytes(); }
  std::unique_ptr<gpu::Buffer> real;

 private:
  Counted counted_;
};

class FailingKernel final : public gpu::Kernel {
 public:
  FailingKernel(std::unique_ptr<gpu::Kernel> inner, std::string its_name, const SharedFaults& faults)
      : real(std::move(inner)), name(std::move(its_name)), counted_(faults, &Faults::kernels) {}
  std::unique_ptr<gpu::Kernel> real;
  std::string name;

 private:
  Counted counted_;
};

class FailingProgram final : public gpu::Program {
 public:
  FailingProgram(std::shared_ptr<gpu::Program> inner, const SharedFaults& faults)
      : real_(std::move(inner)), counted_(faults, &Faults::programs) {}
  std::unique_ptr<gpu::Kernel> kernel(const std::string& name) override {
    counted_.faults().call("finding kernel " + name);
    return std::make_unique<FailingKernel>(real_->kernel(name), name, counted_.shared());
  }

 private:
  std::shared_ptr<gpu::Program> real_;
  Counted counted_;
};

/// After Error(device) it is dead, as gpu/device.hpp asks.
class FailingQueue final : public gpu::Queue {
 public:
  FailingQueue(std::unique_ptr<gpu::Queue> inner, const SharedFaults& faults)
      : real_(std::move(inner)), counted_(faults, &Faults::queues) {}

  void upload(gpu::Buffer& to, const gpu::Rows& rows, const void* from) override {
    call("uploading");
    real_->upload(real(to), rows, from);
  }
  void download(const gpu::Buffer& from, const gpu::Rows& rows, void* to) override {
    call("downloading");
    real_->download(*static_cast<const FailingBuffer&>(from).real, rows, to);
    if (++counted_.faults().downloads == counted_.faults().corrupt_download)
      static_cast<unsigned char*>(to)[rows.row_bytes - 3] ^= 1;
  }
  void fill(gpu::Buffer& buffer, std::uint8_t value) override {
    call("filling memory");
    real_->fill(real(buffer), value);
  }
  void launch(const gpu::Kernel& kernel, gpu::Range groups, gpu::Range group,
              std::span<const gpu::Argument> arguments) override {
    const auto& function = static_cast<const FailingKernel&>(kernel);
    call("launching " + function.name);
    std::vector<gpu::Argument> real_arguments;
    for (const gpu::Argument& one : arguments) {
      if (one.kind() == gpu::Argument::Kind::buffer)
        real_arguments.emplace_back(*static_cast<const FailingBuffer&>(one.buffer()).real);
      else
        real_arguments.push_back(one);
    }
    real_->launch(*function.real, groups, group, real_arguments);
  }
  void finish() override {
    call("waiting");
    real_->finish();
  }
  void measure(bool on) override { real_->measure(on); }
  gpu::Timing timing() override { return real_->timing(); }

 private:
  static gpu::Buffer& real(gpu::Buffer& buffer) { return *static_cast<FailingBuffer&>(buffer).real; }
  void call(const std::string& what) {
    if (dead_) throw Error(ErrorCode::device, "a queue of the failing device is not used any more");
    try {
      counted_.faults().call(what);
    } catch (const Error& error) {
      dead_ = error.code() == ErrorCode::device;
      counted_.faults().queue_died = counted_.faults().queue_died || dead_;
      throw;
    }
  }

  std::unique_ptr<gpu::Queue> real_;
  Counted counted_;
  bool dead_ = false;
};

/// Compiles each text once for all devices of one Workshop, so that a walk over many failures takes little time.
class Workshop {
 public:
  explicit Workshop(std::shared_ptr<gpu::Device> device) : device_(std::move(device)) {}
  gpu::Device& device() const { return *device_; }

  std::vector<std::byte> compile(const std::string& text) {
    std::vector<std::byte>& code = code_[text];
    const std::string key = cache_.key(device_->properties(), text);
    if (code.empty()) code = cache_.read(key);
    if (code.empty()) {
      code = device_->compile(text);
      cache_.write(key, code);
    }
    return code;
  }
  std::shared_ptr<gpu::Program> load(std::span<const std::byte> code) {
    std::shared_ptr<gpu::Program>& program = programs_[{reinterpret_cast<const char*>(code.data()), code.size()}];
    if (program == nullptr) program = device_->load(code);
    return program;
  }

 private:
  std::shared_ptr<gpu::Device> device_;
  gpu::DiskCache cache_;  ///< Of the time when this was made, whatever a test makes of VERGENCE_CACHE later.
  std::map<std::string, std::vector<std::byte>> code_;
  std::map<std::string, std::shared_ptr<gpu::Program>> programs_;
};

class FailingDevice final : public gpu::Device {
 public:
  FailingDevice(std::shared_ptr<Workshop> workshop, SharedFaults faults)
      : workshop_(std::move(workshop)), faults_(std::move(faults)), properties_(workshop_->device().properties()) {
    use_cache(false);  // so that every program is compiled
  }

  const gpu::Properties& properties() const override { return properties_; }
  /// Lets it seem another device.
  template <class Change>
  void set_properties(const Change& change) {
    change(properties_);
  }
  gpu::Dialect dialect() const override { return workshop_->device().dialect(); }
  std::unique_ptr<gpu::Buffer> allocate(std::size_t bytes) override {
    faults_->call(fmt::format("allocating {} bytes", bytes));
    if (bytes > properties_.largest_buffer)
      throw Error(ErrorCode::out_of_memory, fmt::format("allocating {} bytes on the failing device failed: it gives {}",
                                                        bytes, properties_.largest_buffer));
    if (faults_->allocated + bytes > properties_.global_memory)
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("allocating {} bytes on the failing device failed: {} of {} are taken", bytes,
                              faults_->allocated, properties_.global_memory));
    return std::make_unique<FailingBuffer>(workshop_->device().allocate(bytes), faults_);
  }
  NativeDevice native() const override { return workshop_->device().native(); }
  std::unique_ptr<gpu::Queue> make_queue() override {
    faults_->call("making a queue");
    return std::make_unique<FailingQueue>(workshop_->device().make_queue(), faults_);
  }
  std::vector<std::byte> compile(const std::string& text) override {
    faults_->call("compiling");
    return workshop_->compile(text);
  }
  std::unique_ptr<gpu::Program> load(std::span<const std::byte> code) override {
    faults_->call("loading a program");
    return std::make_unique<FailingProgram>(workshop_->load(code), faults_);
  }

 private:
  std::shared_ptr<Workshop> workshop_;
  SharedFaults faults_;
  gpu::Properties properties_;
};

}  // namespace vergence::test
