// SPDX-License-Identifier: Apache-2.0
// Runs a motion case on a device in guarded memory, compares two runs, hashes one.
#include "verify/motion_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "plan/motion/plan.hpp"

namespace vergence {
namespace {

/// Calls f(name, a.map, b.map, ...) for every map of a block size, in a fixed order.
template <class F, class... Runs>
void for_each_map(F&& f, Runs&&... runs) {
  f("vectors", runs.vectors...);
  f("cost", runs.cost...);
  f("j", runs.j...);
  f("second_j", runs.second_j...);
  f("confidence", runs.confidence...);
}

MotionSizeRun allocate(Size blocks, const MotionCase& motion_case, const MotionRunOptions& options) {
  MotionSizeRun run;
  // Strides of its own for each map.
  run.vectors = {blocks, options.padding};
  if (!options.all_maps && motion_case.seed % 3 == 0) return run;
  run.cost = {blocks, options.padding / 2};
  run.j = {blocks, 0};
  if (!options.all_maps) return run;
  if (motion_case.options.search == MotionSearch::full) run.second_j = {blocks, options.padding + 1};
  run.confidence = {blocks, options.padding + 5};
  return run;
}

MotionOutput views_of(MotionSizeRun& run) {
  return {run.vectors.view(), run.cost.view(), run.j.view(), run.second_j.view(), run.confidence.view()};
}

GuardedMap<std::uint8_t>& prediction_of(MotionRun& run, std::uint8_t /*pixel*/) { return run.prediction8; }
GuardedMap<std::uint16_t>& prediction_of(MotionRun& run, std::uint16_t /*pixel*/) { return run.prediction16; }

template <class P>
void predict(MotionEstimator& estimator, const MotionCase& motion_case, ImageView<const P> reference, int padding,
             MotionRun& run) {
  const auto plane = static_cast<MotionPlane>(motion_case.seed % 4);
  const Size size = plane_size(motion_case.size, scale_of(plane));
  GuardedMap<P>& prediction = prediction_of(run, P{});
  prediction = GuardedMap<P>(size, padding);
  const Image<MotionVector> vectors = make_previous_field(motion_case, estimator.blocks());
  estimator.predict(reference.crop({0, 0, size.width, size.height}), vectors, prediction.view(), plane);
}

template <class T>
bool same_pixels(ImageView<const T> a, ImageView<const T> b) {
  for (int y = 0; y < a.height(); ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width(), b.row(y))) return false;
  return true;
}

template <class T>
std::string text_of(T value) {
  if constexpr (std::is_same_v<T, MotionVector>)
    return fmt::format("{},{}", value.dx, value.dy);
  else
    return fmt::format("{}", value);
}

template <class T>
std::string difference_of(const char* name, const GuardedMap<T>& expected, const GuardedMap<T>& got) {
  if (got.empty()) return {};
  if (expected.empty()) return fmt::format("map {} is missing", name);
  const auto a = expected.view();
  const auto b = got.view();
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (!(a(x, y) == b(x, y)))
        return fmt::format("map {} at x {}, y {} is {}, must be {}", name, x, y, text_of(b(x, y)), text_of(a(x, y)));
  return {};
}

std::uint64_t bits_of(MotionVector v) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(v.dx) * 65536 + v.dy);
}
std::uint64_t bits_of(std::uint64_t value) { return value; }

template <class T>
std::uint64_t hash_map(const GuardedMap<T>& map, std::uint64_t hash) {
  const auto view = map.view();
  for (int y = 0; y < view.height(); ++y)
    for (int x = 0; x < view.width(); ++x) hash = hash_value(hash, bits_of(view(x, y)));
  return hash;
}

/// Finds the fields of a case; `exchanged`: of the frames the other way round before.
template <class P>
void search(const Device& device, const MotionCase& motion_case, const MotionRunOptions& options,
            const GuardedMap<P>& current, const GuardedMap<P>& reference,
            const std::vector<ImageView<const MotionVector>>& previous, MotionRun& run) {
  if (motion_case.all_sizes) {
    MotionSizesEstimator estimator(device, motion_case.size, sizes_options(motion_case.options));
    MotionSizesInput input{current.view(), reference.view(), {}};
    MotionSizesOutput output;
    for (std::size_t i = 0; i < output.size(); ++i) {
      input.previous[i] = previous[i];
      output[i] = views_of(run.sizes[i]);
    }
    if (options.exchanged) estimator.compute({reference.view(), current.view(), input.previous}, output);
    estimator.compute(input, output);
    return;
  }
  MotionEstimator estimator(device, motion_case.size, motion_case.options);
  const MotionOutput output = views_of(run.sizes.front());
  if (options.exchanged) estimator.compute({reference.view(), current.view(), previous.front()}, output);
  estimator.compute({current.view(), reference.view(), previous.front()}, output);
  if (options.prediction) predict<P>(estimator, motion_case, reference.view(), options.padding, run);
}

}  // namespace

ImageView<const MotionVector> previous_of(const MotionCase& motion_case, const Image<MotionVector>& field) {
  return motion_case.seed % 2 == 1 ? field.view() : ImageView<const MotionVector>();
}

template <class P>
MotionRun run_motion(const Device& device, const MotionCase& motion_case, const MotionFrames<P>& frames,
                     const MotionRunOptions& options) {
  const GuardedMap<P> current(frames.current.view(), options.padding);
  const GuardedMap<P> reference(frames.reference.view(), options.padding / 3);
  MotionRun run;
  std::vector<Image<MotionVector>> fields;
  std::vector<ImageView<const MotionVector>> previous;
  for (const Size blocks : plan_of(motion_case).grids) {
    run.sizes.push_back(allocate(blocks, motion_case, options));
    fields.push_back(make_previous_field(motion_case, blocks));
    previous.push_back(previous_of(motion_case, fields.back()));
  }
  search(device, motion_case, options, current, reference, previous, run);
  run.intact = current.intact() && reference.intact() && same_pixels(current.view(), frames.current.view()) &&
               same_pixels(reference.view(), frames.reference.view());
  const auto check = [&](const char*, const auto& map) { run.intact = run.intact && (map.empty() || map.intact()); };
  for (const MotionSizeRun& one : run.sizes) for_each_map(check, one);
  check("prediction", run.prediction8);
  check("prediction", run.prediction16);
  return run;
}
template MotionRun run_motion(const Device&, const MotionCase&, const MotionFrames<std::uint8_t>&,
                              const MotionRunOptions&);
template MotionRun run_motion(const Device&, const MotionCase&, const MotionFrames<std::uint16_t>&,
                              const MotionRunOptions&);

MotionRun run_motion(const Device& device, const MotionCase& motion_case, const MotionRunOptions& options) {
  if (motion_case.options.depth == Depth::u8)
    return run_motion(device, motion_case, make_motion_frames<std::uint8_t>(motion_case), options);
  return run_motion(device, motion_case, make_motion_frames<std::uint16_t>(motion_case), options);
}

std::string first_difference(const MotionRun& expected, const MotionRun& got) {
  std::string text;
  for (std::size_t i = 0; i < got.sizes.size() && text.empty(); ++i) {
    for_each_map(
        [&](const char* name, const auto& a, const auto& b) {
          if (text.empty()) text = difference_of(name, a, b);
        },
        expected.sizes[i], got.sizes[i]);
    if (!text.empty() && got.sizes.size() > 1)
      text = fmt::format("blocks of {} px: {}", MotionSizesEstimator::sides[i], text);
  }
  if (text.empty()) text = difference_of("prediction", expected.prediction8, got.prediction8);
  if (text.empty()) text = difference_of("prediction", expected.prediction16, got.prediction16);
  if (text.empty() && !got.intact) text = "memory outside a map, or a frame, was changed";
  return text;
}

std::uint64_t hash_run(const MotionRun& run, std::uint64_t hash) {
  for (const MotionSizeRun& one : run.sizes)
    for_each_map([&](const char*, const auto& map) { hash = hash_map(map, hash); }, one);
  return hash_map(run.prediction16, hash_map(run.prediction8, hash));
}

}  // namespace vergence
