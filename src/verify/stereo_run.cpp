// SPDX-License-Identifier: Apache-2.0
// Runs a stereo case on a device in guarded memory, compares two runs, hashes one.
#include "verify/stereo_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "plan/stereo/plan.hpp"

namespace vergence {
namespace {

/// Calls f(name, a.map, b.map, ...) for every map of the runs, in a fixed order.
template <class F, class... Runs>
void for_each_map(F&& f, Runs&&... runs) {
  f("disparity", runs.disparity16...);
  f("disparity", runs.disparity32...);
  f("mask", runs.mask...);
  f("confidence", runs.confidence...);
  f("cost", runs.cost...);
  f("second_cost", runs.second_cost...);
  f("cost_before", runs.cost_before...);
  f("cost_after", runs.cost_after...);
  f("other_disparity", runs.other16...);
  f("other_disparity_wide", runs.other32...);
}

template <class T>
bool same_pixels(ImageView<const T> a, ImageView<const T> b) {
  for (int y = 0; y < a.height(); ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width(), b.row(y))) return false;
  return true;
}

StereoRun allocate(Size size, const StereoRunOptions& options) {
  StereoRun run;
  const auto make = [&](auto& map) { map = std::remove_reference_t<decltype(map)>(size, options.padding); };
  if (options.wide_maps) {
    make(run.disparity32);
    make(run.other32);
  } else {
    make(run.disparity16);
    make(run.other16);
  }
  make(run.mask);
  make(run.confidence);
  if (options.costs) {
    make(run.cost);
    make(run.second_cost);
    make(run.cost_before);
    make(run.cost_after);
  }
  return run;
}

template <class P>
void compute(StereoMatcher& matcher, const Image<P>& left, const Image<P>& right, int padding, StereoRun& run) {
  const GuardedMap<P> left_copy(left.view(), padding);
  const GuardedMap<P> right_copy(right.view(), padding);
  StereoOutput output{.mask = run.mask.view(),
                      .confidence = run.confidence.view(),
                      .cost = run.cost.view(),
                      .second_cost = run.second_cost.view(),
                      .cost_before = run.cost_before.view(),
                      .cost_after = run.cost_after.view()};
  if (run.disparity32.empty())
    output.disparity = run.disparity16.view(), output.other_disparity = run.other16.view();
  else
    output.disparity = run.disparity32.view(), output.other_disparity = run.other32.view();
  matcher.compute({left_copy.view(), right_copy.view()}, output);
  run.intact = left_copy.intact() && right_copy.intact() && same_pixels(left_copy.view(), left.view()) &&
               same_pixels(right_copy.view(), right.view());
  for_each_map([&](const char*, const auto& map) { run.intact = run.intact && (map.empty() || map.intact()); }, run);
}

}  // namespace

StereoRunOptions usual_run(const StereoCase& stereo_case) {
  const StereoPlan plan = make_stereo_plan(stereo_case.size, stereo_case.options);
  return {plan.wide || stereo_case.seed % 2 == 1, 0, plan.max_cost < no_cost};
}

StereoRun run_stereo(const Device& device, const StereoCase& stereo_case, const StereoRunOptions& options) {
  StereoMatcher matcher(device, stereo_case.size, stereo_case.options, stereo_case.masks());
  StereoRun run = allocate(stereo_case.size, options);
  if (stereo_case.options.depth == Depth::u8)
    compute(matcher, stereo_case.left8, stereo_case.right8, options.padding, run);
  else
    compute(matcher, stereo_case.left16, stereo_case.right16, options.padding, run);
  return run;
}

std::string first_difference(const StereoRun& expected, const StereoRun& got) {
  std::string text;
  const auto compare = [&](const char* name, const auto& a, const auto& b) {
    if (!text.empty() || (a.empty() && b.empty())) return;
    if (a.empty() != b.empty()) {
      text = fmt::format("map {} is missing", name);
      return;
    }
    const auto one = a.view();
    const auto two = b.view();
    for (int y = 0; y < one.height(); ++y)
      for (int x = 0; x < one.width(); ++x)
        if (one(x, y) != two(x, y)) {
          text = fmt::format("map {} at x {}, y {} is {}, must be {}", name, x, y, two(x, y), one(x, y));
          return;
        }
  };
  for_each_map(compare, expected, got);
  if (text.empty() && !got.intact) text = "memory outside a map, or a picture, was changed";
  return text;
}

std::uint64_t hash_run(const StereoRun& run, std::uint64_t hash) {
  const auto add = [&](const char*, const auto& map) {
    const auto view = map.view();
    for (int y = 0; y < view.height(); ++y)
      for (int x = 0; x < view.width(); ++x)
        hash = hash_value(hash, static_cast<std::uint64_t>(static_cast<std::int64_t>(view(x, y))));
  };
  for_each_map(add, run);
  return hash;
}

}  // namespace vergence
