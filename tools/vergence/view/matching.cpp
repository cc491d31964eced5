// SPDX-License-Identifier: Apache-2.0
// Matches, hashes, scores and compares for the page.
#include "view/matching.hpp"

#include <algorithm>
#include <utility>

#include "cli/hash.hpp"
#include "cli/stopwatch.hpp"
#include "stereo/stock.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t most_clients = 256;
constexpr std::size_t most_kept_matchers = 3;

/// Only the device cpu has threads and SIMD targets, only GPUs a cache of kernels.
Device open_view_device(const std::string& name, const DeviceArguments& given) {
  DeviceArguments arguments;
  arguments.name = name;
  if (name == "cpu") {
    arguments.threads = given.threads;
    arguments.simd = given.simd;
  }
  if (name != "cpu" && name != "reference") arguments.no_kernel_cache = given.no_kernel_cache;
  return open_device(arguments);
}

template <class A, class B>
MapDifference compare_maps(ImageView<const A> a, ImageView<const B> b) {
  constexpr std::size_t size = std::max(sizeof(A), sizeof(B));
  MapDifference difference;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      std::uint32_t bits = static_cast<std::uint32_t>(std::int32_t{a(x, y)} ^ std::int32_t{b(x, y)});
      if (bits == 0) continue;
      ++difference.pixels;
      for (std::size_t byte = 0; byte < size; ++byte, bits >>= 8) difference.bytes += (bits & 255u) != 0 ? 1 : 0;
    }
  return difference;
}

/// `call` with the view of the disparities.
template <class Call>
decltype(auto) with_disparities(const StereoMaps& maps, const Call& call) {
  return maps.wide ? call(maps.wide_map.view()) : call(maps.narrow.view());
}

}  // namespace

void ViewClients::come(const ViewRequest& request) {
  if (request.client.empty()) return;
  const std::lock_guard lock(mutex_);
  if (newest_.size() >= most_clients && !newest_.contains(request.client)) newest_.erase(newest_.begin());
  std::uint64_t& newest = newest_[request.client];
  newest = std::max(newest, request.serial);
}

void ViewClients::check(const ViewRequest& request) const {
  if (request.client.empty()) return;
  const std::lock_guard lock(mutex_);
  const auto found = newest_.find(request.client);
  if (found != newest_.end() && found->second > request.serial) throw Superseded();
}

ViewReport report_of(const ViewMaps& from) {
  const Stopwatch watch;
  const StereoMaps& maps = *from.maps;
  ViewReport report;
  DisparityHash hash;
  Image<float> pixels(from.frame->pair.left.size());
  with_disparities(maps, [&](auto view) {
    hash.add(view);
    if (from.frame->score) disparity_to_pixels(view, from.invalid, pixels);
  });
  report.hash = hash.value();
  const MapStock stock = stock_of(maps, from.options, from.invalid);
  report.density = stock.pixels > 0 ? 100.0 * static_cast<double>(stock.valid) / static_cast<double>(stock.pixels) : 0;
  const bool fills = from.options.fill != StereoFill::none;
  // The truth is the left picture's.
  if (from.frame->score && from.options.reference == StereoView::left)
    report.scores =
        from.frame->score(pixels, fills ? maps.mask.view() : ImageView<const std::uint8_t>{}, from.options.roi);
  report.ms = watch.ms();
  return report;
}

MapDifference difference_of(const StereoMaps& a, const StereoMaps& b) {
  return with_disparities(
      a, [&b](auto first) { return with_disparities(b, [&](auto second) { return compare_maps(first, second); }); });
}

ViewMatching::ViewMatching(ViewScene& scene, const DeviceArguments& arguments) : scene_(scene), arguments_(arguments) {}

ViewMatching::Lane& ViewMatching::lane(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = lanes_.find(name);
  if (found != lanes_.end()) return *found->second;
  const auto made = std::shared_ptr<Lane>(new Lane{open_view_device(name, arguments_), {}, {}});
  // By the name that the device has: "cuda" and "cuda:0" are one, whose matches take turns.
  const auto own = lanes_.try_emplace(made->device.name(), made).first->second;
  lanes_[name] = own;
  return *own;
}

StereoMatcher& ViewMatching::matcher(Lane& lane, Size size, const StereoOptions& options) {
  const auto fits = [&](const Kept& kept) { return kept.size == size && kept.options == options; };
  const auto found = std::find_if(lane.kept.begin(), lane.kept.end(), fits);
  if (found != lane.kept.end()) {
    lane.kept.splice(lane.kept.begin(), lane.kept, found);
  } else {
    lane.kept.push_front({size, options, std::make_unique<StereoMatcher>(lane.device, size, options)});
    if (lane.kept.size() > most_kept_matchers) lane.kept.pop_back();
  }
  return *lane.kept.front().matcher;
}

std::shared_ptr<const ViewMaps> ViewMatching::match(const ViewRequest& request, const ViewMatch& what) {
  Stopwatch watch;
  auto result = std::make_shared<ViewMaps>();
  result->frame = scene_.frame(request.frame.value_or(scene_.first_frame()));
  const StereoFrame& pair = result->frame->pair;
  StereoSettings settings = what.settings;
  adopt_stereo_depth(settings, pair.left.depth, pair.left.max_value, scene_.name());
  clients_.check(request);
  Lane& lane = this->lane(what.device);
  const std::lock_guard lock(lane.mutex);
  clients_.check(request);
  result->wait_ms = watch.lap();
  StereoMatcher& matcher = this->matcher(lane, pair.left.size(), settings.options);
  OutputArguments outputs;
  if (request.mask) outputs.paths[Output::validity];
  if (request.confidence) outputs.paths[Output::confidence];
  const bool fills = settings.options.fill != StereoFill::none;
  result->maps = std::make_unique<StereoMaps>(matcher.size(), matcher.needs_wide_output(), fills, outputs);
  clients_.check(request);
  result->prepare_ms = watch.lap();
  compute_maps(matcher, pair, *result->maps);
  result->match_ms = watch.lap();
  clients_.check(request);
  result->device = lane.device.name();
  result->preset = what.preset;
  result->asked = settings.options;
  result->options = matcher.options();
  result->invalid = matcher.invalid();
  return result;
}

}  // namespace vergence::cli
