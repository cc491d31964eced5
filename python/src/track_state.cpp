// SPDX-License-Identifier: Apache-2.0
// The class TrackerState: what a tracker needs to go on, as arrays.
#include "track_state.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <new>
#include <utility>

#include "errors.hpp"

namespace vergence::python {
namespace {

constexpr auto real_type = element_type<double>();

std::uint64_t count_of(nb::handle value, const char* what) {
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  std::uint64_t count = 0;
  if (!number.is_valid()) PyErr_Clear();
  if (!number.is_valid() || !nb::try_cast(number, count))
    throw WrongType(
        fmt::format("{} is {}: an int of 0 or more is needed", what, nb::cast<std::string>(nb::repr(value))));
  return count;
}

void make_state(TrackerState* self, const nb::handle& id, const nb::handle& xy, const nb::handle& previous_xy,
                const nb::handle& age, const nb::handle& next_id) {
  const std::vector<std::uint64_t> ids = column_of<std::uint64_t>(id, "id");
  const std::vector<TrackPosition> now = positions_of(xy, "xy"), before = positions_of(previous_xy, "previous_xy");
  const std::vector<std::int32_t> ages = column_of<std::int32_t>(age, "age");
  if (now.size() != ids.size() || before.size() != ids.size() || ages.size() != ids.size())
    refuse(fmt::format("id, xy, previous_xy and age have {}, {}, {} and {} entries: one for each track is needed",
                       ids.size(), now.size(), before.size(), ages.size()));
  TrackerState state{{}, count_of(next_id, "next_id")};
  state.tracks.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) state.tracks.push_back({ids[i], now[i], before[i], ages[i]});
  new (self) TrackerState(std::move(state));
}

template <class T>
nb::object column(const TrackerState& state, T TrackState::*member) {
  const NewArray made = new_memory(element_type<T>(), {std::ssize(state.tracks)});
  T* out = made.as<T>();
  for (const TrackState& track : state.tracks) *out++ = track.*member;
  return made.object;
}

nb::object positions(const TrackerState& state, TrackPosition TrackState::*member) {
  std::vector<TrackPosition> all;
  all.reserve(state.tracks.size());
  for (const TrackState& track : state.tracks) all.push_back(track.*member);
  return pixels_of(all);
}

nb::object ids(const TrackerState& state) { return column(state, &TrackState::id); }
nb::object ages(const TrackerState& state) { return column(state, &TrackState::age); }
nb::object now(const TrackerState& state) { return positions(state, &TrackState::position); }
nb::object before(const TrackerState& state) { return positions(state, &TrackState::previous); }

nb::dict all_arrays(const TrackerState& state) {
  nb::dict all;
  all["id"] = ids(state);
  all["xy"] = now(state);
  all["previous_xy"] = before(state);
  all["age"] = ages(state);
  all["next_id"] = state.next_id;
  return all;
}

constexpr const char* state_text = R"(What a PointTracker needs to go on with a video: PointTracker.state gives it.

It can be pickled. Positions are multiples of 1/1024 px, which float64 holds without loss.

Parameters
----------
id : array of uint64, (n,)
    Of the tracks that live, ascending.
xy, previous_xy : array of float64, (n, 2)
    Positions in the last frame and in the one before, px; equal where age is 0.
age : array of int32, (n,)
    Frames since the one that each was found in.
next_id : int
    Above all ids that were given.

Examples
--------
>>> import os, tempfile
>>> video = vergence.Scene(size=(96, 128), frames=3)
>>> frames = [video.render(i)["left"] for i in range(3)]
>>> first = vergence.PointTracker("cpu", frames[0].shape, points=20)
>>> for frame in frames[:2]:
...     tracks = first.next(frame)
>>> path = os.path.join(tempfile.mkdtemp(), "state.npz")
>>> numpy.savez(path, **first.state().arrays())
>>> second = vergence.PointTracker("reference", frames[0].shape, points=20)
>>> tracks = second.resume(frames[1], vergence.TrackerState(**numpy.load(path)))
>>> bool((second.next(frames[2]).xy == first.next(frames[2]).xy).all())
True
)";

}  // namespace

nb::object pixels_of(std::span<const TrackPosition> positions) {
  const NewArray made = new_memory(real_type, {std::ssize(positions), 2});
  auto* out = made.as<double>();
  for (const TrackPosition& one : positions) {
    *out++ = position_to_pixels(one.x);
    *out++ = position_to_pixels(one.y);
  }
  return made.object;
}

std::vector<double> coordinates_of(nb::handle object, const char* what) {
  // An array without a point has no memory to look at.
  if (nb::hasattr(object, "__len__") && nb::len(object) == 0) return {};
  const Array array(object, what, Array::Access::read);
  array.check({real_type}, 2, ": (n, 2), x and y in px");
  if (array.length(1) != 2)
    refuse(fmt::format("{} has the shape {}: (n, 2) is needed, x and y in px", what, array.shape_text()));
  const auto view = array.view<const double>();
  std::vector<double> all;
  for (int i = 0; i < view.height(); ++i) all.insert(all.end(), {view(0, i), view(1, i)});
  return all;
}

std::vector<TrackPosition> positions_of(nb::handle object, const char* what) {
  const std::vector<double> all = coordinates_of(object, what);
  std::vector<TrackPosition> points;
  points.reserve(all.size() / 2);
  for (std::size_t i = 0; i < all.size(); i += 2) points.push_back(to_position(all[i], all[i + 1]));
  return points;
}

void register_tracker_state(nb::module_& module) {
  nb::class_<TrackerState>(module, "TrackerState", state_text)
      .def("__init__", make_state, nb::arg("id").none(), nb::arg("xy").none(), nb::arg("previous_xy").none(),
           nb::arg("age").none(), nb::arg("next_id").none(),
           nb::sig("def __init__(self, id: numpy.ndarray, xy: numpy.ndarray, previous_xy: numpy.ndarray, age: "
                   "numpy.ndarray, next_id: int) -> None"))
      .def_prop_ro("id", ids, nb::sig("def id(self) -> numpy.ndarray"))
      .def_prop_ro("xy", now, nb::sig("def xy(self) -> numpy.ndarray"))
      .def_prop_ro("previous_xy", before, nb::sig("def previous_xy(self) -> numpy.ndarray"))
      .def_prop_ro("age", ages, nb::sig("def age(self) -> numpy.ndarray"))
      .def_ro("next_id", &TrackerState::next_id)
      .def("arrays", all_arrays, nb::sig("def arrays(self) -> dict[str, numpy.ndarray | int]"),
           "All of it by the names of __init__: numpy.savez(path, **state.arrays()) keeps it, "
           "TrackerState(**numpy.load(path)) brings it back.")
      .def("__getstate__", all_arrays)
      .def("__setstate__",
           [](TrackerState& self, const nb::dict& all) {
             make_state(&self, nb::object(all["id"]), nb::object(all["xy"]), nb::object(all["previous_xy"]),
                        nb::object(all["age"]), nb::object(all["next_id"]));
           })
      .def("__len__", [](const TrackerState& self) { return self.tracks.size(); });
}

}  // namespace vergence::python
