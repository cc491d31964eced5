// SPDX-License-Identifier: Apache-2.0
// Launches of the published tracker's kernels.
#include "stencil-energy/published_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace vergence::studies::stencil_energy {
namespace {

constexpr std::size_t page = 4096, group_of_feature = 64;

/// As the kernel's structure.
struct PublishedLevels {
  std::int32_t origin0, pitch0, width0, height0, origin1, pitch1, width1, height1;
};

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

gpu::Defines filter_defines(const Variant& filters) {
  gpu::Defines defines;
  return defines.set("WIDTH", filters.width).set("UNROLLED", filters.unrolled).set("SHUFFLED", 1);
}

gpu::Defines follow_defines(const reference::exact_sdvbs::Settings& settings) {
  gpu::Defines defines;
  defines.set("HALF_SIDE", settings.window).set("ITERATIONS", settings.iterations);
  defines.set("ACCURACY", fmt::format("{:.9g}f", settings.accuracy));
  return defines.set("GROUP", static_cast<long long>(group_of_feature));
}

}  // namespace

void HostPlanes::Free::operator()(float* memory) const { std::free(memory); }  // NOLINT: of aligned_alloc

HostPlanes::HostPlanes(const PublishedLayout& layout, gpu::Device& pinned_for) {
  for (std::size_t i = 0; i < published_planes; ++i) {
    const std::size_t bytes = quotient_up(layout.of(i).bytes() + 16, page) * page;
    memory_[i].reset(static_cast<float*>(std::aligned_alloc(page, bytes)));
    if (memory_[i] == nullptr) throw std::bad_alloc();
    std::fill_n(memory_[i].get(), bytes / sizeof(float), 0.0F);
    pins_[i] = pinned_for.pin(memory_[i].get(), bytes);
  }
}

PublishedDevice::PublishedDevice(const gpu::Opened& device, Size size, const PublishedSettings& settings)
    : bench_(device), settings_(settings), layout_(size) {
  const gpu::Defines defines = filter_defines(settings_.filters);
  floats_ = bench_.build("stencil-energy/published_filters.cl", defines, "published_floats");
  blur_ = floats_.program->kernel("published_blur");
  across_ = floats_.program->kernel("published_gradient_x");
  down_ = floats_.program->kernel("published_gradient_y");
  half_ = bench_.build("stencil-energy/published_half.cl", {}, "published_half");
  follow_ = bench_.build("stencil-energy/published_follow.cl", follow_defines(settings_.tracker), "published_follow");
  frame_ = bench_.device().allocate(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
  raw_ = bench_.device().allocate(layout_.full.bytes());
  bench_.queue().fill(*raw_, 0);
  inside_blur_ = inside_of(layout_.full, 2);
  inside_0_ = inside_of(layout_.full, 1);
  inside_1_ = inside_of(layout_.half, 1);
}

std::unique_ptr<gpu::Buffer> PublishedDevice::inside_of(const Layout& layout, int radius) {
  std::vector<float> row(static_cast<std::size_t>(layout.pitch), 0.0F);
  for (int x = radius; x < layout.size.width - radius; ++x) row[static_cast<std::size_t>(16 + x)] = 1;
  const std::size_t bytes = row.size() * sizeof(float);
  auto buffer = bench_.device().allocate(bytes);
  bench_.queue().upload(*buffer, packed_rows(bytes, 1), row.data());
  bench_.queue().finish();
  return buffer;
}

DevicePlanes PublishedDevice::planes(const HostPlanes* host) {
  DevicePlanes made;
  for (std::size_t i = 0; i < published_planes; ++i) {
    const std::size_t bytes = layout_.of(i).bytes();
    if (shares_memory() && host != nullptr) made.buffers[i] = bench_.device().allocate_on_host(host->data(i), bytes);
    if (made.buffers[i] == nullptr) made.buffers[i] = bench_.device().allocate(bytes);
    bench_.queue().fill(*made.buffers[i], 0);  // margins and borders stay as they are from now on
  }
  bench_.queue().finish();
  return made;
}

void PublishedDevice::filter(const gpu::Kernel& kernel, const gpu::Buffer& in, const gpu::Buffer& inside,
                             const gpu::Buffer& out, const Layout& layout) {
  const std::size_t group = static_cast<std::size_t>(settings_.filters.group),
                    vectors = quotient_up(static_cast<std::size_t>(layout.size.width),
                                          static_cast<std::size_t>(settings_.filters.width));
  const gpu::Argument arguments[] = {
      in, inside, out, layout.origin, layout.pitch, layout.size.width, layout.size.height};
  bench_.queue().launch(kernel, {quotient_up(vectors, group), 1, 1}, {group, 1, 1}, arguments);
}

void PublishedDevice::prepare(ImageView<const std::uint8_t> frame, DevicePlanes& planes) {
  gpu::Queue& queue = bench_.queue();
  const Layout &full = layout_.full, &half = layout_.half;
  const auto width = static_cast<std::size_t>(full.size.width), height = static_cast<std::size_t>(full.size.height);
  queue.upload(*frame_, {0, width, frame.stride(), width, height}, frame.data());
  const gpu::Argument to_floats[] = {*frame_, *raw_, full.origin, full.pitch, full.size.width, full.size.height};
  queue.launch(*floats_.kernel, {quotient_up(width, 64), height, 1}, {64, 1, 1}, to_floats);
  auto& buffers = planes.buffers;
  filter(*blur_, *raw_, *inside_blur_, *buffers[picture_0], full);
  const gpu::Argument to_half[] = {*buffers[picture_0], *buffers[picture_1], full.origin, full.pitch,
                                   full.size.width,     full.size.height,    half.origin, half.pitch};
  queue.launch(*half_.kernel, {quotient_up(static_cast<std::size_t>(half.size.width), 64), 1, 1}, {64, 1, 1}, to_half);
  filter(*across_, *buffers[picture_0], *inside_0_, *buffers[across_0], full);
  filter(*down_, *buffers[picture_0], *inside_0_, *buffers[down_0], full);
  filter(*across_, *buffers[picture_1], *inside_1_, *buffers[across_1], half);
  filter(*down_, *buffers[picture_1], *inside_1_, *buffers[down_1], half);
  queue.finish();
}

PublishedFeatures PublishedDevice::follow(const DevicePlanes& previous, const DevicePlanes& next,
                                          const PublishedFeatures& features) {
  if (features.empty()) return {};
  gpu::Queue& queue = bench_.queue();
  const std::size_t count = features.size(), side = 2 * static_cast<std::size_t>(settings_.tracker.window);
  if (count > capacity_) {
    features_ = bench_.device().allocate(count * 2 * sizeof(float));
    found_ = bench_.device().allocate(count * 3 * sizeof(float));
    samples_ = bench_.device().allocate(count * 3 * side * side * sizeof(float));
    capacity_ = count;
  }
  words_.clear();
  for (const auto& one : features) words_.insert(words_.end(), {one.x, one.y});
  queue.upload(*features_, packed_rows(words_.size() * sizeof(float), 1), words_.data());
  const Layout &full = layout_.full, &half = layout_.half;
  const PublishedLevels levels{full.origin, full.pitch, full.size.width, full.size.height,
                               half.origin, half.pitch, half.size.width, half.size.height};
  const auto &before = previous.buffers, &after = next.buffers;
  const gpu::Argument arguments[] = {
      *before[picture_0], *before[picture_1], *after[picture_0], *after[picture_1], *after[across_0], *after[across_1],
      *after[down_0],     *after[down_1],     *features_,        *found_,           *samples_,        levels};
  queue.launch(*follow_.kernel, {count, 1, 1}, {group_of_feature, 1, 1}, arguments);
  words_.resize(3 * count);
  queue.download(*found_, packed_rows(words_.size() * sizeof(float), 1), words_.data());
  PublishedFeatures left;
  for (std::size_t i = 0; i < count; ++i)
    if (words_[3 * i + 2] != 0) left.push_back({words_[3 * i], words_[3 * i + 1]});
  return left;
}

void PublishedDevice::upload(const HostPlanes& from, DevicePlanes& to) {
  for (std::size_t i = 0; i < published_planes; ++i)
    bench_.queue().upload(*to.buffers[i], packed_rows(layout_.of(i).bytes(), 1), from.data(i));
  bench_.queue().finish();
}

void PublishedDevice::download(const DevicePlanes& from, HostPlanes& to) {
  for (std::size_t i = 0; i < published_planes; ++i)
    bench_.queue().start_download(*from.buffers[i], packed_rows(layout_.of(i).bytes(), 1), to.data(i));
  bench_.queue().collect();
}

std::size_t PublishedDevice::plane_bytes() const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < published_planes; ++i) sum += layout_.of(i).bytes();
  return sum;
}

Variant search_filters(const gpu::Opened& device, ImageView<const std::uint8_t> frame,
                       const reference::exact_sdvbs::Settings& settings) {
  Variant best{Form::one_pass, 8, true, 4, 64, 0};
  double least = -1;
  // Each group is compiled anew for a processor.
  const std::vector<int> groups = device.device->properties().is_cpu ? std::vector{8, 64} : std::vector{8, 32, 64, 128};
  for (const int unrolled : {2, 4, 8}) {
    Variant one = best;
    one.unrolled = unrolled;
    PublishedDevice tried(device, frame.size(), {settings, one});
    DevicePlanes planes = tried.planes(nullptr);
    for (const int group : groups) {
      tried.use_group(group);
      tried.prepare(frame, planes);
      for (int i = 0; i < 5; ++i) {
        const double ms = milliseconds([&] { tried.prepare(frame, planes); });
        if (least >= 0 && ms >= least) continue;
        least = ms;
        best.unrolled = unrolled;
        best.group = group;
      }
    }
  }
  return best;
}

std::unique_ptr<gpu::Opened> find_processor(std::string& why) {
  for (const gpu::Found& one : gpu::opencl::find())
    if (one.available && one.properties.is_cpu) return std::make_unique<gpu::Opened>(gpu::open_by_name(one.name));
  why = "no OpenCL device is a processor (PoCL is one)";
  return nullptr;
}

}  // namespace vergence::studies::stencil_energy
