// SPDX-License-Identifier: Apache-2.0
// A seeded motion case on a GPU in a given launch configuration, against the reference: all maps and planes.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "gpu/gpu_devices.hpp"
#include "gpu/motion/motion.hpp"
#include "plan/motion/plan.hpp"
#include "verify/motion_cases.hpp"

namespace vergence::test {

/// Every map of one block size, and which are asked for.
struct MotionResults {
  explicit MotionResults(Size blocks) : vectors(blocks), cost(blocks), j(blocks), second(blocks), confidence(blocks) {}
  MotionMaps views(const MotionCase& one, ImageView<const MotionVector> previous) {
    MotionMaps maps;
    maps.vectors = vectors;
    maps.cost = cost;
    maps.j = j;
    if (one.options.search == MotionSearch::full && one.seed % 2 == 0) maps.second_j = second;
    if (one.seed % 3 != 0) maps.confidence = confidence;
    if (one.seed % 5 != 0) maps.previous = previous;
    return maps;
  }
  Image<MotionVector> vectors;
  Image<std::uint64_t> cost, j, second;
  Image<std::uint8_t> confidence;
};

template <class T>
void expect_equal(const Image<T>& expected, const Image<T>& got, const char* map, const std::string& where) {
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x)
      ASSERT_EQ(expected(x, y), got(x, y)) << map << " at " << x << "," << y << "\n" << where;
}
inline void expect_equal(const Image<MotionVector>& expected, const Image<MotionVector>& got, const char* map,
                         const std::string& where) {
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x)
      ASSERT_EQ(expected(x, y), got(x, y))
          << map << " at " << x << "," << y << ": " << expected(x, y).dx << "," << expected(x, y).dy << " expected, "
          << got(x, y).dx << "," << got(x, y).dy << " found\n"
          << where;
}

inline backend::MotionPair pair_of(const MotionFrames<std::uint8_t>& frames) {
  return {frames.current, frames.reference, {}, {}};
}
inline backend::MotionPair pair_of(const MotionFrames<std::uint16_t>& frames) {
  return {{}, {}, frames.current, frames.reference};
}

/// The plane of a case that is predicted: a part of the reference frame.
inline MotionPlane plane_of(const MotionCase& one) { return static_cast<MotionPlane>(one.seed % 4); }

inline void run_backend(backend::Motion& motion, const MotionPlan& plan, const backend::MotionPair& pair,
                        const std::vector<MotionMaps>& maps) {
  motion.begin(pair, maps);
  motion.search();
  if (plan.options.subpel != MotionSubpel::none) motion.refine();
  if (!maps.front().confidence.empty()) motion.confidence();
  motion.finish();
}

inline void set_planes(backend::MotionPrediction& call, ImageView<const std::uint8_t> from,
                       ImageView<std::uint8_t> to) {
  call.reference8 = from;
  call.prediction8 = to;
}
inline void set_planes(backend::MotionPrediction& call, ImageView<const std::uint16_t> from,
                       ImageView<std::uint16_t> to) {
  call.reference16 = from;
  call.prediction16 = to;
}

template <class P>
void run_case(const MotionCase& one, const MotionFrames<P>& frames, const gpu::MotionTuning& tuning,
              const test::GpuDevice& gpu) {
  const MotionPlan plan = plan_of(one);
  const std::string where = gpu.name + ", group " + std::to_string(tuning.group) + (tuning.tiles ? ", tiles" : "") +
                            (tuning.sizes ? ", sizes\n" : "\n") + describe(one);
  const std::unique_ptr<backend::Motion> motion = gpu::make_motion(plan, gpu.device, tuning);
  std::vector<Image<MotionVector>> previous;
  std::vector<MotionResults> expected, got;
  std::vector<MotionMaps> expected_views, got_views;
  for (const Size grid : plan.grids) {
    previous.push_back(make_previous_field(one, grid));
    expected.emplace_back(grid);
    got.emplace_back(grid);
  }
  for (std::size_t i = 0; i < previous.size(); ++i) {
    expected_views.push_back(expected[i].views(one, previous[i]));
    got_views.push_back(got[i].views(one, previous[i]));
  }
  const std::unique_ptr<backend::Motion> reference = backend::of(Device("reference")).make_motion(plan);
  run_backend(*reference, plan, pair_of(frames), expected_views);
  // Twice: the second time runs what a queue has captured.
  for (int time = 0; time < 2; ++time) run_backend(*motion, plan, pair_of(frames), got_views);
  for (std::size_t i = 0; i < previous.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_equal(expected[i].vectors, got[i].vectors, "vectors", where));
    ASSERT_NO_FATAL_FAILURE(expect_equal(expected[i].cost, got[i].cost, "cost", where));
    ASSERT_NO_FATAL_FAILURE(expect_equal(expected[i].j, got[i].j, "j", where));
    if (!got_views[i].second_j.empty()) {
      ASSERT_NO_FATAL_FAILURE(expect_equal(expected[i].second, got[i].second, "second_j", where));
    }
    if (!got_views[i].confidence.empty()) {
      ASSERT_NO_FATAL_FAILURE(expect_equal(expected[i].confidence, got[i].confidence, "confidence", where));
    }
  }
  if (one.all_sizes) return;
  backend::MotionPrediction call;
  call.scale = scale_of(plane_of(one));
  call.vectors = previous[0];  // longer than those found
  const Size size = plane_size(one.size, call.scale);
  const ImageView<const P> plane = frames.reference.view().crop({0, 0, size.width, size.height});
  Image<P> expected_plane(size), got_plane(size);
  MotionEstimator(Device("reference"), one.size, one.options)
      .predict(plane, previous[0], expected_plane, plane_of(one));
  set_planes(call, plane, got_plane);
  motion->predict(call);
  expect_equal(expected_plane, got_plane, "prediction", where);
}

inline void run_case(const MotionCase& one, const gpu::MotionTuning& tuning, const test::GpuDevice& gpu) {
  if (one.options.depth == Depth::u8)
    run_case(one, make_motion_frames<std::uint8_t>(one), tuning, gpu);
  else
    run_case(one, make_motion_frames<std::uint16_t>(one), tuning, gpu);
}

}  // namespace vergence::test
