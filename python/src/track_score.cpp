// SPDX-License-Identifier: Apache-2.0
// The class TrackScorer: how far points that were followed are from where they went.
#include "track_score.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "arrays.hpp"
#include "track_state.hpp"
#include "vergence/flow.hpp"
#include "vergence/score.hpp"

namespace vergence::python {
namespace {

/// A flow (height, width, 2) of float32.
ImageView<const FlowVector> flow_view(const Array& array) {
  array.check({element_type<float>()}, 3, ": (height, width, 2) of float32, in px");
  if (array.length(2) != 2)
    refuse(fmt::format("{} has the shape {}: (height, width, 2) is needed", array.what(), array.shape_text()));
  return {static_cast<const FlowVector*>(array.whole()), static_cast<int>(array.length(1)),
          static_cast<int>(array.length(0))};
}

/// All of them are checked before the first one counts.
std::vector<TrackStep> steps_of(nb::handle xy, nb::handle found_xy, nb::handle found) {
  const std::vector<double> from = coordinates_of(xy, "xy"), to = coordinates_of(found_xy, "found_xy");
  const std::size_t count = from.size() / 2;
  const std::vector<std::uint8_t> there =
      found.is_none() ? std::vector<std::uint8_t>(count, 1) : column_of<std::uint8_t>(found, "found", {'b', 1});
  if (to.size() != from.size() || there.size() != count)
    refuse(fmt::format("xy, found_xy and found have {}, {} and {} entries: one for each point is needed", count,
                       to.size() / 2, there.size()));
  std::vector<TrackStep> steps;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_there = there[i] != 0;
    const TrackStep step{from[2 * i], from[2 * i + 1], is_there, is_there ? to[2 * i] : 0,
                         is_there ? to[2 * i + 1] : 0};
    for (const double number : {step.x, step.y, step.found_x, step.found_y})
      if (!std::isfinite(number)) refuse(fmt::format("point {} has a position that is not finite", i));
    steps.push_back(step);
  }
  return steps;
}

nb::object add(TrackScorer& self, const nb::handle& xy, const nb::handle& found_xy, const nb::handle& truth,
               const nb::handle& found) {
  const std::vector<TrackStep> steps = steps_of(xy, found_xy, found);
  const Array flow(truth, "truth", Array::Access::read);
  const auto view = flow_view(flow);
  const NewArray known = new_memory({'b', 1}, {std::ssize(steps)});
  for (std::size_t i = 0; i < steps.size(); ++i) known.as<bool>()[i] = self.add(steps[i], view);
  return known.object;
}

nb::dict score(const TrackScorer& self) {
  const TrackScore found = self.score();
  nb::dict all;
  all["points"] = found.points;
  all["found"] = found.found;
  all["unknown"] = found.unknown;
  all["survival"] = found.survival;
  all["mean_error"] = found.mean_error;
  all["median_error"] = found.median_error;
  nb::dict bad;
  for (std::size_t i = 0; i < found.bad.size(); ++i) bad[nb::float_(TrackScore::thresholds[i])] = found.bad[i];
  all["bad"] = bad;
  return all;
}

constexpr const char* scorer_text = R"(Scores points that were followed against known flow, over any number of frames.

The end-point error of a point is the distance in px between where it was found and where the flow leads. Between pixels
the flow is interpolated linearly.

Examples
--------
>>> truth = numpy.zeros((48, 64, 2), numpy.float32)
>>> truth[..., 0] = 2                                        # all goes 2 px to the right
>>> scorer = vergence.TrackScorer()
>>> scorer.add(numpy.array([[10.0, 20.0]]), numpy.array([[12.25, 20.0]]), truth)
array([ True])
>>> scorer.score()["mean_error"]
0.25
)";
constexpr const char* add_text = R"(Adds the points of a frame.

Parameters
----------
xy : array of float64, (n, 2)
    Points of a frame in px: (0, 0) is the centre of the first pixel.
found_xy : array of float64, (n, 2)
    Where each was found in the next frame.
truth : array of float32, (height, width, 2)
    Flow from that frame to the next in px, without gaps; unknown where it is NaN or beyond 1e9.
found : array of bool, (n,), optional
    Whether it was found at all: tracks.status == 0. None: all were.

Returns
-------
array of bool, (n,)
    Whether the flow is known there; points without it are left out of the score.
)";

}  // namespace

void register_track_score(nb::module_& module) {
  nb::class_<TrackScorer>(module, "TrackScorer", scorer_text)
      .def(nb::init<>())
      .def("add", add, nb::arg("xy").none(), nb::arg("found_xy").none(), nb::arg("truth").none(),
           nb::arg("found") = nb::none(),
           nb::sig("def add(self, xy: numpy.ndarray, found_xy: numpy.ndarray, truth: numpy.ndarray, found: "
                   "numpy.ndarray | None = None) -> numpy.ndarray"),
           add_text)
      .def("score", score, nb::sig("def score(self) -> dict[str, object]"),
           "points (flow known), found, unknown, survival (% of points), mean_error, median_error (px, of found ones; "
           "NaN without any), and\nbad: % of the found ones off by more than 0.5, 1 and 2 px, by threshold.");
}

}  // namespace vergence::python
