// SPDX-License-Identifier: Apache-2.0
// backend::Memory on a GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

#include "backend/memory.hpp"
#include "gpu/device.hpp"

namespace vergence::gpu {

/// What the memory of one open device shares: its name, and queues for copies, as many as there were copies at once.
class MemoryOwner {
 public:
  MemoryOwner(std::string name, std::shared_ptr<Device> device) : name_(std::move(name)), device_(std::move(device)) {}
  const std::string& name() const { return name_; }
  Device& device() const { return *device_; }
  /// Calls `copy(queue)`, with a queue that nobody else uses meanwhile; any thread may. A queue whose copy fails is not
  /// used again, since an error may have ended it.
  template <class Copy>
  void use_queue(const Copy& copy) {
    std::unique_ptr<Queue> queue = take();
    copy(*queue);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(queue));
  }

  /// See backend::Memory::read_turn: two at a time.
  static std::shared_ptr<void> read_turn(const std::shared_ptr<MemoryOwner>& owner) {
    owner->turns_.acquire();
    return {owner.get(), [owner](void*) { owner->turns_.release(); }};
  }

 private:
  std::unique_ptr<Queue> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Queue> queue = std::move(free_.back());
        free_.pop_back();
        return queue;
      }
    }
    return device_->make_queue();
  }

  std::string name_;
  std::shared_ptr<Device> device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Queue>> free_;  ///< Under mutex_.
  std::counting_semaphore<> turns_{2};
};

class Memory final : public backend::Memory, public std::enable_shared_from_this<Memory> {
 public:
  Memory(std::shared_ptr<MemoryOwner> owner, std::unique_ptr<Buffer> buffer, std::shared_ptr<Memory> whole = nullptr)
      : whole_(std::move(whole)), owner_(std::move(owner)), buffer_(std::move(buffer)) {}

  const Buffer& buffer() const { return *buffer_; }
  Buffer& buffer() { return *buffer_; }

  std::size_t bytes() const override { return buffer_->bytes(); }
  void* handle() const override { return buffer_->handle(); }
  void write(const void* from, std::size_t bytes, std::size_t offset) override;
  void read(void* to, const backend::MemoryRows& rows) override;
  std::shared_ptr<void> read_turn() override { return MemoryOwner::read_turn(owner_); }
  const std::string& device() const override { return owner_->name(); }
  const void* space() const override { return owner_->device().native().context; }
  Place place() const override;
  std::shared_ptr<backend::Memory> part(std::size_t offset, std::size_t bytes) override;

 private:
  std::shared_ptr<Memory> whole_;  ///< What this is a part of.
  std::shared_ptr<MemoryOwner> owner_;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace vergence::gpu
