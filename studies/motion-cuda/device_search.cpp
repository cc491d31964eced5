// SPDX-License-Identifier: Apache-2.0
// How each rung brings pixels to the device, what it launches, and where the least SAD is found.
#include "motion-cuda/device_search.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>

namespace vergence::studies::motion_cuda {
namespace {

constexpr std::size_t page = 4096;
constexpr gpu::Range copy_group{32, 8, 1};

template <class F>
void clocked(double& sum, const F& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  sum += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::size_t pixels(Size size) { return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height); }

/// Groups of copy_group that cover a square.
gpu::Range copy_groups(int side) {
  const auto count = static_cast<std::size_t>(side);
  return {(count + copy_group.x - 1) / copy_group.x, (count + copy_group.y - 1) / copy_group.y, 1};
}

Built build_copy(const Bench& bench, const Geometry& geometry, const char* function) {
  gpu::Defines defines = defines_of(geometry);
  defines.set("GROUP_W", static_cast<long long>(copy_group.x)).set("GROUP_H", static_cast<long long>(copy_group.y));
  return bench.build("motion-cuda/blocks.cl", defines, function);
}

}  // namespace

HostSplit& HostSplit::operator+=(const HostSplit& more) {
  launch += more.launch;
  copy += more.copy;
  wait += more.wait;
  launches += more.launches;
  copies += more.copies;
  bytes_up += more.bytes_up;
  bytes_down += more.bytes_down;
  return *this;
}

HostSplit HostSplit::scaled(double factor) const {
  const auto times = [factor](auto count) {
    return static_cast<decltype(count)>(static_cast<double>(count) * factor + 0.5);
  };
  return {launch * factor, copy * factor,   wait * factor,    times(launches),
          times(copies),   times(bytes_up), times(bytes_down)};
}

void HostMemory::Free::operator()(std::byte* data) const { std::free(data); }

HostMemory::HostMemory(gpu::Device& device, std::size_t bytes, bool pinned) {
  const std::size_t whole = (bytes + page - 1) / page * page;
  if (pinned) given_ = device.pinned_memory(whole);
  if (given_ == nullptr) {
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(page, whole)));
    if (data_ == nullptr) throw std::bad_alloc();
  }
  std::memset(as<std::byte>(), 0, whole);
  if (pinned && given_ == nullptr) pin_ = device.pin(data_.get(), whole);
}

DeviceSearch::DeviceSearch(const Bench& bench, const Variant& variant, const Clip& clip)
    : bench_(bench),
      variant_(variant),
      size_(clip.size()),
      geometry_(clip.geometry),
      host_frames_{HostMemory(bench.device(), pixels(size_), variant.pinned),
                   HostMemory(bench.device(), pixels(size_), variant.pinned)},
      host_results_(bench.device(), static_cast<std::size_t>(geometry_.candidates()) * sizeof(std::int32_t),
                    variant.pinned) {
  const KernelName name = kernel_of(variant);
  search_ = bench.build(name.file, defines_of(variant, geometry_), name.function);
  if (variant.block_kernel) block_ = build_copy(bench, geometry_, "get_block");
  if (variant.area_kernel) area_ = build_copy(bench, geometry_, "get_area");
  gpu::Device& device = bench.device();
  if (variant.reduced) {
    lines_ = bench.build("motion-cuda/reduce.cl", defines_of(geometry_), "reduce_lines");
    last_ = bench.build("motion-cuda/reduce.cl", defines_of(geometry_), "reduce_last");
    line_bests_ = device.allocate(static_cast<std::size_t>(geometry_.span()) * 2 * sizeof(std::int32_t));
    best_ = device.allocate(2 * sizeof(std::int32_t));
  }
  for (int i = 0; i < variant.streams; ++i) queues_.push_back(device.make_queue());
  if (variant.block_kernel || variant.area_kernel)
    for (auto& one : frames_) one = device.allocate(pixels(size_));
  block_pixels_ = device.allocate(static_cast<std::size_t>(geometry_.block_pixels()));
  area_pixels_ = device.allocate(static_cast<std::size_t>(geometry_.area_pixels()));
  results_ = device.allocate(static_cast<std::size_t>(geometry_.candidates()) * sizeof(std::int32_t));
  if (variant.zones) send_lists();
}

/// The points of the zones never change.
void DeviceSearch::send_lists() {
  for (const Zone zone : {Zone::start, Zone::raster, Zone::refine}) {
    std::vector<std::int32_t> list;
    for (const Offset& point : zone_points(zone, geometry_)) {
      list.push_back(point.dy);
      list.push_back(point.dx);
    }
    const auto index = static_cast<std::size_t>(zone);
    const std::size_t bytes = list.size() * sizeof(std::int32_t);
    list_sizes_[index] = list.size() / 2;
    lists_[index] = bench_.device().allocate(bytes);
    queues_.front()->upload(*lists_[index], packed_rows(bytes, 1), list.data());
    queues_.front()->finish();
  }
}

void DeviceSearch::read(const FramePair& frames) {
  pair_ = frames;
  current_ = 1 - current_;  // what was the current frame becomes the reference
  const auto put = [this](ImageView<const std::uint8_t> from, HostMemory& to) {
    for (int y = 0; y < size_.height; ++y)
      std::memcpy(to.as<std::uint8_t>() + static_cast<std::ptrdiff_t>(y) * size_.width, from.row(y),
                  static_cast<std::size_t>(size_.width));
  };
  put(frames.current, host_frames_[current_]);
  put(frames.reference, host_frames_[1 - current_]);
}

void DeviceSearch::send(bool first) {
  const gpu::Rows rows = packed_rows(static_cast<std::size_t>(size_.width), static_cast<std::size_t>(size_.height));
  if (variant_.area_kernel && (first || !variant_.swap))
    upload(*frames_[1 - current_], rows, host_frames_[1 - current_].as<std::byte>());
  if (variant_.block_kernel) upload(*frames_[current_], rows, host_frames_[current_].as<std::byte>());
}

exact::Match DeviceSearch::search(Place place, const std::function<void()>& meanwhile) {
  bring_block(place);
  if (variant_.zones) return search_zones(place);
  if (variant_.is_step()) return search_steps(place);
  if (variant_.unit == Unit::sad) return search_by_candidate(place, meanwhile);
  return variant_.reduced ? search_reduced(place, meanwhile) : search_whole(place, meanwhile);
}

/// Into memory that is made for this block, a copy for each row.
void DeviceSearch::upload_rows(std::unique_ptr<gpu::Buffer>& to, const std::uint8_t* from, int side) {
  const auto bytes = static_cast<std::size_t>(side);
  finish(0);  // what was launched may still read the old ones
  to = bench_.device().allocate(bytes * bytes);
  for (std::size_t row = 0; row < bytes; ++row)
    upload(*to, {row * bytes, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}, from + row * bytes);
}

void DeviceSearch::bring_block(Place place) {
  if (variant_.block_kernel) {
    launch(0, block_, copy_groups(geometry_.block), copy_group,
           with_place({*frames_[current_], *block_pixels_}, place));
  } else {
    Block block;
    get_block(pair_.current, place, geometry_, block);
    if (variant_.flat)
      upload(*block_pixels_, packed_rows(block.size(), 1), block.data());
    else
      upload_rows(block_pixels_, block.data(), geometry_.block);
  }
  if (variant_.area_kernel) {
    launch(0, area_, copy_groups(geometry_.area()), copy_group,
           with_place({*frames_[1 - current_], *area_pixels_}, place));
  } else {
    Area area;
    get_area(pair_.reference, place, geometry_, area);
    if (variant_.flat)
      upload(*area_pixels_, packed_rows(area.size(), 1), area.data());
    else
      upload_rows(area_pixels_, area.data(), geometry_.area());
  }
  if (variant_.streams > 1) finish(0);  // the other queues do not wait for this one
}

/// The program's own order: dy outside, dx inside.
exact::Match DeviceSearch::search_by_candidate(Place place, const std::function<void()>& meanwhile) {
  exact::Match best;
  auto* const partial = host_results_.as<std::int32_t>();
  const int span = geometry_.span(), reach = geometry_.reach;
  const auto rows = static_cast<std::size_t>(geometry_.block);
  for (int px = 0; px < span; ++px)
    for (int py = 0; py < span; ++py) {
      launch(0, search_, groups(), group(), with_place({*block_pixels_, *area_pixels_, *results_, px, py}, place));
      if (variant_.borders == Borders::overlapped) {
        start_download(0, *results_, 0, rows * sizeof(std::int32_t), partial);
        meanwhile();
        collect(0);
      } else {
        download(*results_, 0, rows * sizeof(std::int32_t), partial);
      }
      int sad = 0;
      for (int i = 0; i < geometry_.block; ++i) sad += partial[i];
      if (sad < best.sad) best = {py - reach, px - reach, sad};
    }
  return best;
}

void DeviceSearch::launch_part(Place place, int part) {
  const int lines = geometry_.span() / variant_.streams;
  std::vector<gpu::Argument> arguments{*block_pixels_, *area_pixels_, *results_};
  if (variant_.unit == Unit::search) arguments.emplace_back(part * lines);
  launch(static_cast<std::size_t>(part), search_, groups(), group(), with_place(std::move(arguments), place));
}

exact::Match DeviceSearch::search_whole(Place place, const std::function<void()>& meanwhile) {
  const int count = geometry_.candidates() / variant_.streams;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(std::int32_t);
  exact::Match best;
  auto* const results = host_results_.as<std::int32_t>();
  if (variant_.borders != Borders::overlapped) {
    launch_part(place, 0);
    download(*results_, 0, bytes, results);
    take_least(0, count, best);
    return best;
  }
  for (int part = 0; part < variant_.streams; ++part) {
    launch_part(place, part);
    start_download(static_cast<std::size_t>(part), *results_, static_cast<std::size_t>(part) * bytes, bytes,
                   results + part * count);
    queues_[static_cast<std::size_t>(part)]->flush();
  }
  meanwhile();
  for (int part = 0; part < variant_.streams; ++part) {
    collect(static_cast<std::size_t>(part));
    take_least(part * count, count, best);
  }
  return best;
}

exact::Match DeviceSearch::search_reduced(Place place, const std::function<void()>& meanwhile) {
  const int lines = geometry_.span() / variant_.streams;
  const gpu::Range line{static_cast<std::size_t>(geometry_.span()), 1, 1};
  for (int part = 0; part < variant_.streams; ++part) {
    launch_part(place, part);
    launch(static_cast<std::size_t>(part), lines_, {static_cast<std::size_t>(lines), 1, 1}, line,
           {*results_, *line_bests_, part * lines});
    queues_[static_cast<std::size_t>(part)]->flush();
  }
  if (variant_.streams > 1)
    for (std::size_t part = 0; part < queues_.size(); ++part) finish(part);
  launch(0, last_, {1, 1, 1}, line, {*line_bests_, *best_});
  auto* const found = host_results_.as<std::int32_t>();
  start_download(0, *best_, 0, 2 * sizeof(std::int32_t), found);
  meanwhile();
  collect(0);
  if (found[0] >= exact::no_sad) return {};
  return {found[1] / geometry_.span() - geometry_.reach, found[1] % geometry_.span() - geometry_.reach, found[0]};
}

exact::Match DeviceSearch::search_steps(Place place) {
  const int half = variant_.grid / 2, reach = geometry_.reach, count = variant_.grid * variant_.grid;
  const exact::Grid grid = variant_.exact_grid();
  auto* const results = host_results_.as<std::int32_t>();
  exact::Match best;
  for (int spacing = exact::first_spacing(grid, geometry_); spacing >= 1;
       spacing = exact::next_spacing(grid, spacing)) {
    const exact::Match centre = best;
    launch(
        0, search_, groups(), group(),
        with_place({*block_pixels_, *area_pixels_, *results_, centre.dy + reach, centre.dx + reach, spacing}, place));
    download(*results_, 0, static_cast<std::size_t>(count) * sizeof(std::int32_t), results);
    const auto attempt = [&](int i) {
      if (results[i] < best.sad)
        best = {centre.dx + (i / variant_.grid - half) * spacing, centre.dy + (i % variant_.grid - half) * spacing,
                results[i]};
    };
    attempt(count / 2);  // the centre first, as the program has it; it matters in the first round alone
    for (int i = 0; i < count; ++i) attempt(i);
  }
  return best;
}

/// All points of a zone in a launch; the host looks at them in the program's order, at some of them in vain.
exact::Match DeviceSearch::search_zones(Place place) {
  auto* const results = host_results_.as<std::int32_t>();
  const auto enter = [&](Zone zone, const exact::Match& centre) {
    const auto index = static_cast<std::size_t>(zone);
    launch(0, search_, {list_sizes_[index], 1, 1}, group(),
           with_place({*block_pixels_, *area_pixels_, *results_, *lists_[index], centre.dy + geometry_.reach,
                       centre.dx + geometry_.reach},
                      place));
    download(*results_, 0, list_sizes_[index] * sizeof(std::int32_t), results);
  };
  return walk_zones(geometry_, enter, [&](std::size_t i, int, int) { return results[i]; });
}

void DeviceSearch::take_least(int first, int count, exact::Match& best) const {
  const auto* const results = const_cast<HostMemory&>(host_results_).as<std::int32_t>();
  const int span = geometry_.span(), reach = geometry_.reach;
  for (int i = first; i < first + count; ++i)
    if (results[i] < best.sad) best = {i / span - reach, i % span - reach, results[i]};
}

gpu::Range DeviceSearch::group() const {
  if (variant_.unit == Unit::sad) return {static_cast<std::size_t>(geometry_.block), 1, 1};
  if (variant_.unit == Unit::shared) return {static_cast<std::size_t>(variant_.lanes), 1, 1};
  const auto grid = static_cast<std::size_t>(variant_.grid);
  if (variant_.is_step()) return {grid, grid, 1};
  return {static_cast<std::size_t>(variant_.group.width), static_cast<std::size_t>(variant_.group.height), 1};
}

gpu::Range DeviceSearch::groups() const {
  if (variant_.unit == Unit::sad) return {1, static_cast<std::size_t>(geometry_.block), 1};
  if (variant_.zones) return {list_sizes_[0], 1, 1};
  const auto grid = static_cast<std::size_t>(variant_.is_step() ? variant_.grid : geometry_.span());
  if (variant_.unit == Unit::shared) return {grid, grid, 1};
  if (variant_.is_step()) return {1, 1, 1};
  return {static_cast<std::size_t>(geometry_.span() / variant_.group.width),
          static_cast<std::size_t>(geometry_.span() / variant_.streams / variant_.group.height), 1};
}

std::vector<gpu::Argument> DeviceSearch::with_place(std::vector<gpu::Argument> arguments, Place place) const {
  for (const int number : {place.x, place.y, size_.width, size_.height}) arguments.emplace_back(number);
  return arguments;
}

void DeviceSearch::launch(std::size_t lane, const Built& kernel, gpu::Range groups, gpu::Range group,
                          const std::vector<gpu::Argument>& arguments) {
  clocked(split_.launch, [&] { queues_[lane]->launch(*kernel.kernel, groups, group, arguments); });
  ++split_.launches;
}

void DeviceSearch::upload(gpu::Buffer& to, const gpu::Rows& rows, const void* from) {
  clocked(split_.copy, [&] { queues_.front()->upload(to, rows, from); });
  ++split_.copies;
  split_.bytes_up += rows.row_bytes * rows.count;
}

void DeviceSearch::download(const gpu::Buffer& from, std::size_t offset, std::size_t bytes, void* to) {
  clocked(split_.copy, [&] {
    queues_.front()->download(from, {offset, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}, to);
  });
  ++split_.copies;
  split_.bytes_down += bytes;
}

void DeviceSearch::start_download(std::size_t lane, const gpu::Buffer& from, std::size_t offset, std::size_t bytes,
                                  void* to) {
  clocked(split_.copy, [&] {
    queues_[lane]->start_download(from, {offset, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}, to);
  });
  ++split_.copies;
  split_.bytes_down += bytes;
}

void DeviceSearch::collect(std::size_t lane) {
  clocked(split_.copy, [&] { queues_[lane]->collect(); });
}

void DeviceSearch::finish(std::size_t lane) {
  clocked(split_.wait, [&] { queues_[lane]->finish(); });
}

HostSplit DeviceSearch::take_split() { return std::exchange(split_, {}); }

void DeviceSearch::measure(bool on) {
  for (auto& queue : queues_) queue->measure(on);
}

gpu::Timing DeviceSearch::timing() {
  gpu::Timing sum;
  for (auto& queue : queues_) {
    const gpu::Timing one = queue->timing();
    sum.upload += one.upload;
    sum.kernel += one.kernel;
    sum.download += one.download;
  }
  return sum;
}

}  // namespace vergence::studies::motion_cuda
