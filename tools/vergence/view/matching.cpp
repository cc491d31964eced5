// SPDX-License-Identifier: Apache-2.0
// Matches, hashes, scores and compares for the page.
#include "view/matching.hpp"

#include <utility>

#include "cli/hash.hpp"
#include "cli/stopwatch.hpp"
#include "stereo/stock.hpp"
#include "view/differing_bytes.hpp"

namespace vergence::cli {
namespace {

template <class A, class B>
MapDifference compare_maps(ImageView<const A> a, ImageView<const B> b) {
  MapDifference difference;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const int bytes = differing_bytes(a(x, y), b(x, y));
      difference.bytes += bytes;
      difference.pixels += bytes > 0 ? 1 : 0;
    }
  return difference;
}

/// `call` with the view of the disparities.
template <class Call>
decltype(auto) with_disparities(const StereoMaps& maps, const Call& call) {
  return maps.wide ? call(maps.wide_map.view()) : call(maps.narrow.view());
}

}  // namespace

Image<float> pixels_of(const ViewMaps& maps) {
  Image<float> pixels(maps.frame->pair.left.size());
  if (maps.maps->wide)
    disparity_to_pixels(ImageView<const std::int32_t>(maps.maps->wide_map), maps.invalid, pixels);
  else
    disparity_to_pixels(ImageView<const std::int16_t>(maps.maps->narrow), maps.invalid, pixels);
  return pixels;
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

std::shared_ptr<const ViewMaps> ViewMatching::match(const ViewRequest& request, const ViewMatch& what) {
  Stopwatch watch;
  auto result = std::make_shared<ViewMaps>();
  result->frame = work_.scene.frame(request.frame.value_or(work_.scene.first_frame()));
  const StereoFrame& pair = result->frame->pair;
  StereoSettings settings = what.settings;
  adopt_stereo_depth(settings, pair.left.depth, pair.left.max_value, work_.scene.name());
  work_.clients.check(request);
  ViewDevice& device = work_.devices.open(what.device);
  const std::lock_guard lock(device.mutex);
  work_.clients.check(request);
  result->wait_ms = watch.lap();
  const Size size = pair.left.size();
  StereoMatcher& matcher = matchers_.get(device, size, settings.options, [&] {
    return std::make_unique<StereoMatcher>(device.device, size, settings.options);
  });
  OutputArguments outputs;
  if (request.mask) outputs.paths[Output::validity];
  if (request.confidence) outputs.paths[Output::confidence];
  const bool fills = settings.options.fill != StereoFill::none;
  result->maps = std::make_unique<StereoMaps>(matcher.size(), matcher.needs_wide_output(), fills, outputs);
  work_.clients.check(request);
  result->prepare_ms = watch.lap();
  compute_maps(matcher, pair, *result->maps);
  result->match_ms = watch.lap();
  work_.clients.check(request);
  result->device = device.device.name();
  result->preset = what.preset;
  result->asked = settings.options;
  result->options = matcher.options();
  result->invalid = matcher.invalid();
  return result;
}

}  // namespace vergence::cli
