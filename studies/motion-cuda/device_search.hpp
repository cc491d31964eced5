// SPDX-License-Identifier: Apache-2.0
// A rung of the ladder on a device: its buffers and kernels, and the search of one block after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/bench.hpp"
#include "motion-cuda/clip.hpp"
#include "motion-cuda/zones.hpp"

namespace vergence::studies::motion_cuda {

/// What the host spent inside calls of the device, in ms, and how often it called.
struct HostSplit {
  double launch = 0;  ///< Giving kernels to the device.
  double copy = 0;    ///< Copies, with all that has to be waited for until they are done.
  double wait = 0;    ///< Waiting for nothing but the device.
  std::int64_t launches = 0, copies = 0;
  std::uint64_t bytes_up = 0, bytes_down = 0;

  HostSplit& operator+=(const HostSplit& more);
  /// Everything times `factor`.
  HostSplit scaled(double factor) const;
};

/// Memory in whole pages, pinned where that is asked for: by the API where it pins what exists, else what it gives.
class HostMemory {
 public:
  HostMemory(gpu::Device& device, std::size_t bytes, bool pinned);
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(given_ != nullptr ? given_.get() : data_.get());
  }
  bool is_pinned() const { return pin_ != nullptr || given_ != nullptr; }

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte[], Free> data_;
  std::shared_ptr<void> pin_;  ///< Goes first.
  std::shared_ptr<std::byte> given_;
};

class DeviceSearch {
 public:
  DeviceSearch(const Bench& bench, const Variant& variant, const Clip& clip);

  /// Frames as a program has them that just read them: in the host memory that they are sent from. Not timed.
  void read(const FramePair& frames);
  /// Brings to the device what it needs of the frames; `first` where it has not seen the reference yet.
  void send(bool first);
  /// `meanwhile` is called once for each launch of a search, while the device works.
  exact::Match search(Place place, const std::function<void()>& meanwhile);

  const Built& built() const { return search_; }
  gpu::Range groups() const;
  gpu::Range group() const;
  HostSplit take_split();
  /// From now on by the device's clock.
  void measure(bool on);
  gpu::Timing timing();

 private:
  void launch(std::size_t lane, const Built& kernel, gpu::Range groups, gpu::Range group,
              const std::vector<gpu::Argument>& arguments);
  void upload(gpu::Buffer& to, const gpu::Rows& rows, const void* from);
  void download(const gpu::Buffer& from, std::size_t offset, std::size_t bytes, void* to);
  void start_download(std::size_t lane, const gpu::Buffer& from, std::size_t offset, std::size_t bytes, void* to);
  void collect(std::size_t lane);
  void finish(std::size_t lane);
  void bring_block(Place place);
  void upload_rows(std::unique_ptr<gpu::Buffer>& to, const std::uint8_t* from, int side);
  exact::Match search_by_candidate(Place place, const std::function<void()>& meanwhile);
  exact::Match search_whole(Place place, const std::function<void()>& meanwhile);
  exact::Match search_reduced(Place place, const std::function<void()>& meanwhile);
  exact::Match search_steps(Place place);
  exact::Match search_zones(Place place);
  void send_lists();
  void launch_part(Place place, int part);
  void take_least(int first, int count, exact::Match& best) const;
  std::vector<gpu::Argument> with_place(std::vector<gpu::Argument> arguments, Place place) const;

  const Bench& bench_;
  Variant variant_;
  Size size_;
  Geometry geometry_;
  Built search_, block_, area_, lines_, last_;
  std::vector<std::unique_ptr<gpu::Queue>> queues_;
  std::array<std::unique_ptr<gpu::Buffer>, 2> frames_;
  std::unique_ptr<gpu::Buffer> block_pixels_, area_pixels_, results_, line_bests_, best_;
  std::array<std::unique_ptr<gpu::Buffer>, 3> lists_;  ///< Of each zone: row and column of its points.
  std::array<std::size_t, 3> list_sizes_{};
  std::array<HostMemory, 2> host_frames_;
  HostMemory host_results_;
  std::size_t current_ = 0;  ///< Which of both frames is the current one.
  FramePair pair_;
  HostSplit split_;
};

}  // namespace vergence::studies::motion_cuda
