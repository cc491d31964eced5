// SPDX-License-Identifier: Apache-2.0
// The published tracker's two phases on an OpenCL or CUDA device: its filters in the paper's best form, and its update
// of features with a group of work-items for each.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "common/bench.hpp"
#include "published/exact_sdvbs.hpp"
#include "stencil-energy/variant.hpp"

namespace vergence::studies::stencil_energy {

using PublishedFeatures = std::vector<reference::exact_sdvbs::Feature>;

/// The settings of a run, and the unrolling and group of the filters.
struct PublishedSettings {
  reference::exact_sdvbs::Settings tracker;
  Variant filters{Form::one_pass, 8, true, 4, 64, 0};
  bool may_share = true;  ///< A processor works on planes in the host's memory; else it copies as a board does.
};

/// Planes of floats that a frame becomes: pictures, gradients across and down, of two levels each.
inline constexpr std::size_t published_planes = 6;
enum : std::size_t { picture_0, picture_1, across_0, across_1, down_0, down_1 };
struct PublishedLayout {
  explicit PublishedLayout(Size size) : full(size), half({(size.width + 1) / 2, (size.height + 1) / 2}) {}
  Layout full, half;
  const Layout& of(std::size_t plane) const { return plane % 2 == 0 ? full : half; }
};

/// A frame's planes in host memory that begins at pages, pinned for a device where it has such a thing.
class HostPlanes {
 public:
  HostPlanes(const PublishedLayout& layout, gpu::Device& pinned_for);
  float* data(std::size_t plane) const { return memory_[plane].get(); }
  bool is_pinned() const { return pins_.front() != nullptr; }

 private:
  struct Free {
    void operator()(float* memory) const;
  };
  std::array<std::unique_ptr<float, Free>, published_planes> memory_;
  std::array<std::shared_ptr<void>, published_planes> pins_;
};

struct DevicePlanes {
  std::array<std::unique_ptr<gpu::Buffer>, published_planes> buffers;
};

class PublishedDevice {
 public:
  PublishedDevice(const gpu::Opened& device, Size size, const PublishedSettings& settings);

  /// Whether it works on planes in the host's memory.
  bool shares_memory() const { return settings_.may_share && bench_.properties().is_cpu; }
  gpu::Device& device() const { return bench_.device(); }
  const PublishedLayout& layout() const { return layout_; }
  /// Planes on the device, or where the device works in host memory these.
  DevicePlanes planes(const HostPlanes* host);
  /// The first phase of a frame. Done when it returns.
  void prepare(ImageView<const std::uint8_t> frame, DevicePlanes& planes);
  /// The second phase: what is left of the features in the next frame.
  PublishedFeatures follow(const DevicePlanes& previous, const DevicePlanes& next, const PublishedFeatures& features);
  void upload(const HostPlanes& from, DevicePlanes& to);
  void download(const DevicePlanes& from, HostPlanes& to);
  /// Bytes that a frame's planes have.
  std::size_t plane_bytes() const;
  /// Work-items of the filters' groups from now on.
  void use_group(int group) { settings_.filters.group = group; }

 private:
  void filter(const gpu::Kernel& kernel, const gpu::Buffer& in, const gpu::Buffer& inside, const gpu::Buffer& out,
              const Layout& layout);
  std::unique_ptr<gpu::Buffer> inside_of(const Layout& layout, int radius);

  Bench bench_;
  PublishedSettings settings_;
  PublishedLayout layout_;
  Built floats_, half_, follow_;
  std::unique_ptr<gpu::Kernel> blur_, across_, down_;
  std::unique_ptr<gpu::Buffer> frame_, raw_, inside_blur_, inside_0_, inside_1_;
  std::unique_ptr<gpu::Buffer> features_, found_, samples_;
  std::size_t capacity_ = 0;
  std::vector<float> words_;
};

/// The unrolling (2, 4, 8) and group of the filters that take least time on a device.
Variant search_filters(const gpu::Opened& device, ImageView<const std::uint8_t> frame,
                       const reference::exact_sdvbs::Settings& settings);

/// The first OpenCL device that is a processor; none, and why, where there is no such device.
std::unique_ptr<gpu::Opened> find_processor(std::string& why);

}  // namespace vergence::studies::stencil_energy
