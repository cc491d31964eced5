// SPDX-License-Identifier: Apache-2.0
// Calls of PointTracker and PointFlow, and their tables of points as arrays.
#include "track.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "device.hpp"
#include "options.hpp"
#include "process.hpp"
#include "track_state.hpp"
#include "vergence/track.hpp"

namespace vergence::python {
namespace {

constexpr auto real = element_type<double>();

/// The points of a frame, an array for each property.
struct Tracks {
  nb::object id, xy, age, status, converged, residual, way_back;
};

/// Columns that Track and TrackedPoint have in common.
template <class Point>
void fill(std::span<const Point> points, Tracks& tracks) {
  const auto count = std::ssize(points);
  const NewArray status = new_memory(element_type<std::uint8_t>(), {count}), converged = new_memory({'b', 1}, {count});
  const NewArray residual = new_memory(real, {count}), way_back = new_memory(real, {count});
  const NewArray xy = new_memory(real, {count, 2});
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const Point& point = points[static_cast<std::size_t>(i)];
    xy.as<double>()[2 * i] = position_to_pixels(point.position.x);
    xy.as<double>()[2 * i + 1] = position_to_pixels(point.position.y);
    status.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(point.status);
    converged.as<bool>()[i] = point.converged;
    residual.as<double>()[i] = point.residual / 1024.0;
    way_back.as<double>()[i] = way_back_to_pixels(point.way_back);
  }
  tracks.xy = xy.object;
  tracks.status = status.object;
  tracks.converged = converged.object;
  tracks.residual = residual.object;
  tracks.way_back = way_back.object;
}

Tracks to_arrays(std::span<const Track> all) {
  Tracks tracks;
  fill(all, tracks);
  const auto count = std::ssize(all);
  const NewArray id = new_memory(element_type<std::uint64_t>(), {count}),
                 age = new_memory(element_type<std::int32_t>(), {count});
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    id.as<std::uint64_t>()[i] = all[static_cast<std::size_t>(i)].id;
    age.as<std::int32_t>()[i] = all[static_cast<std::size_t>(i)].age;
  }
  tracks.id = id.object;
  tracks.age = age.object;
  return tracks;
}

class Tracker {
 public:
  Tracker(const Device& device, std::unique_ptr<PointTracker> tracker, const TrackOptions& options)
      : device_(device), options_(options), tracker_("PointTracker", std::move(tracker)) {}

  Tracks next(const nb::handle& object) {
    auto tracker = tracker_.use();
    const Array frame(object, "frame", Array::Access::read);
    const PictureRef read = picture(frame, device_, tracker->flow().size());
    return to_arrays(without_gil([&] { return tracker->next(read); }));
  }
  TrackerState state() { return tracker_.use()->state(); }
  Tracks resume(const nb::handle& object, const TrackerState& state) {
    auto tracker = tracker_.use();
    const Array frame(object, "frame", Array::Access::read);
    const PictureRef read = picture(frame, device_, tracker->flow().size());
    return to_arrays(without_gil([&] { return tracker->resume(read, state); }));
  }
  std::uint64_t add(const nb::handle& points) {
    auto tracker = tracker_.use();
    return tracker->add(positions_of(points, "points"));
  }
  void set_mask(const nb::handle& object) {
    auto tracker = tracker_.use();
    const Array mask = object.is_none() ? Array() : Array(object, "mask", Array::Access::read);
    tracker->set_mask(mask_view(mask));
  }
  nb::object history(std::size_t index) {
    auto tracker = tracker_.use();
    return pixels_of(tracker->history(index));
  }
  void restart() { tracker_.use()->restart(); }
  std::size_t memory() { return tracker_.use()->memory(); }
  Size size() { return tracker_.use()->flow().size(); }
  const TrackOptions& options() const { return options_; }
  const Device& device() const { return device_; }

 private:
  Device device_;
  TrackOptions options_;
  Guarded<PointTracker> tracker_;
};

class Flow {
 public:
  Flow(const Device& device, std::unique_ptr<PointFlow> flow) : device_(device), flow_("PointFlow", std::move(flow)) {}

  void push(const nb::handle& object) {
    auto flow = flow_.use();
    const Array frame(object, "frame", Array::Access::read);
    const PictureRef read = picture(frame, device_, flow->size());
    without_gil([&] { flow->push(read); });
  }
  Tracks track(const nb::handle& points, const nb::handle& guesses) {
    auto flow = flow_.use();
    const std::vector<TrackPosition> from = positions_of(points, "points");
    const std::vector<TrackPosition> near =
        guesses.is_none() ? std::vector<TrackPosition>{} : positions_of(guesses, "guesses");
    std::vector<TrackedPoint> found(from.size());
    without_gil([&] { flow->track(from, found, near); });
    Tracks tracks;
    fill(std::span<const TrackedPoint>(found), tracks);
    tracks.id = tracks.age = nb::none();
    return tracks;
  }
  nb::object corners(std::size_t most, const nb::handle& occupied, const nb::handle& mask_object) {
    auto flow = flow_.use();
    const std::vector<TrackPosition> taken =
        occupied.is_none() ? std::vector<TrackPosition>{} : positions_of(occupied, "occupied");
    const Array mask = mask_object.is_none() ? Array() : Array(mask_object, "mask", Array::Access::read);
    const auto view = mask_view(mask);
    return pixels_of(without_gil([&] { return flow->corners(most, taken, view); }));
  }
  void restart() { flow_.use()->restart(); }
  const PointFlow& constant() const { return flow_.constant(); }
  const Device& device() const { return device_; }

 private:
  Device device_;
  Guarded<PointFlow> flow_;
};

const std::string& track_signature() {
  static const std::string text = init_signature(track_fields());
  return text;
}

/// Names and values are the library's own.
void register_status(nb::module_& module) {
  nb::enum_<TrackStatus> statuses(module, "TrackStatus", "What became of a point: the values of Tracks.status.",
                                  nb::is_arithmetic());
  for (std::uint8_t value = 0; to_text(static_cast<TrackStatus>(value)) != "unknown"; ++value) {
    std::string name(to_text(static_cast<TrackStatus>(value)));
    for (char& letter : name) letter = letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
    statuses.value(name.c_str(), static_cast<TrackStatus>(value));
  }
}

void register_tracks(nb::module_& module) {
  const auto column = [](const char* name) { return std::string("def ") + name + "(self) -> numpy.ndarray"; };
  nb::class_<Tracks>(module, "Tracks", "Points of a frame: arrays with one entry a point.")
      .def_ro("id", &Tracks::id, nb::for_getter(nb::sig("def id(self) -> numpy.ndarray | None")),
              "uint64, ascending; never used again. None for PointFlow.")
      .def_ro("xy", &Tracks::xy, nb::for_getter(nb::sig(column("xy").c_str())),
              "float64, (n, 2): x and y in px, whole numbers are centres of pixels; of a lost point its last good "
              "position.")
      .def_ro("age", &Tracks::age, nb::for_getter(nb::sig("def age(self) -> numpy.ndarray | None")),
              "int32: frames since the one it was found in. None for PointFlow.")
      .def_ro("status", &Tracks::status, nb::for_getter(nb::sig(column("status").c_str())),
              "uint8: 0 tracked, else why it is lost: see TrackStatus.")
      .def_ro("converged", &Tracks::converged, nb::for_getter(nb::sig(column("converged").c_str())),
              "bool: the last steps were short.")
      .def_ro("residual", &Tracks::residual, nb::for_getter(nb::sig(column("residual").c_str())),
              "float64: mean difference of both windows in grey levels.")
      .def_ro("way_back", &Tracks::way_back, nb::for_getter(nb::sig(column("way_back").c_str())),
              "float64: with forward_backward, distance in px between the point and where its way back ended.")
      .def("__len__", [](const Tracks& self) { return nb::len(self.xy); });
}

void register_flow(nb::module_& module) {
  nb::class_<Flow>(
      module, "PointFlow",
      class_docstring("Finds corners, and finds points of one frame in the next: what PointTracker is built on.\n",
                      TrackDomain::name, track_fields())
          .c_str())
      .def(
          "__init__",
          [](Flow* self, const nb::handle& device, const nb::handle& size, const std::string& preset,
             const nb::kwargs& keywords) {
            const auto settings = settings_of<TrackDomain>(device, size, preset, keywords);
            new (self) Flow(settings.device, make_object<PointFlow>(settings, keywords));
          },
          nb::arg("device") = "cpu", nb::arg("size") = nb::none(), nb::arg("preset") = "default", nb::arg("options"),
          nb::sig(track_signature().c_str()))
      .def("push", &Flow::push, nb::arg("frame").none(), nb::sig("def push(self, frame: numpy.ndarray) -> None"),
           "Takes the next frame, uint8 or uint16, which is copied; the current one becomes the previous one.")
      .def("track", &Flow::track, nb::arg("points").none(), nb::arg("guesses") = nb::none(),
           nb::sig("def track(self, points: numpy.ndarray, guesses: numpy.ndarray | None = None) -> Tracks"),
           "Finds points (float64, (n, 2), px) of the previous frame in the current one.")
      .def("corners", &Flow::corners, nb::arg("most"), nb::arg("occupied") = nb::none(), nb::arg("mask") = nb::none(),
           nb::sig("def corners(self, most: int, occupied: numpy.ndarray | None = None, mask: numpy.ndarray | None = "
                   "None) -> numpy.ndarray"),
           "Corners of the current frame, best first, at most `most`: float64, (n, 2), px.")
      .def("restart", &Flow::restart, "Drops the frames: the next one is the first.")
      .def_prop_ro(
          "size", [](const Flow& self) { return to_python(self.constant().size()); },
          nb::sig("def size(self) -> tuple[int, int]"), "(height, width).")
      .def_prop_ro(
          "options", [](const Flow& self) { return options_dict<TrackDomain>(self.constant().options()); },
          nb::sig("def options(self) -> dict[str, object]"), "All options by keyword.")
      .def_prop_ro(
          "levels", [](const Flow& self) { return self.constant().levels(); }, "Coarse levels in use.")
      .def_prop_ro("device", &Flow::device);
}

}  // namespace

void register_track(nb::module_& module) {
  register_status(module);
  register_tracks(module);
  register_tracker_state(module);
  register_flow(module);
  nb::class_<Tracker>(
      module, "PointTracker",
      class_docstring(
          R"(Follows points along a video: finds them, keeps their identities, says why one is lost, and replaces it.

One tracker may be used by one thread at a time.
)",
          TrackDomain::name, track_fields())
          .c_str())
      .def(
          "__init__",
          [](Tracker* self, const nb::handle& device, const nb::handle& size, const std::string& preset,
             const nb::kwargs& keywords) {
            const auto settings = settings_of<TrackDomain>(device, size, preset, keywords);
            new (self) Tracker(settings.device, make_object<PointTracker>(settings, keywords), settings.options);
          },
          nb::arg("device") = "cpu", nb::arg("size") = nb::none(), nb::arg("preset") = "default", nb::arg("options"),
          nb::sig(track_signature().c_str()))
      .def(
          "next", &Tracker::next, nb::arg("frame").none(), nb::sig("def next(self, frame: numpy.ndarray) -> Tracks"),
          R"(Takes the next frame, uint8 or uint16 of shape (height, width), and gives all tracks in the order of their ids:
those that live on, new ones (age 0), and, this one time, those that were lost in this frame.)")
      .def("add", &Tracker::add, nb::arg("points").none(), nb::sig("def add(self, points: numpy.ndarray) -> int"),
           "Starts tracks at points (float64, (n, 2), px) of the current frame and returns the first one's id.")
      .def("set_mask", &Tracker::set_mask, nb::arg("mask").none(),
           nb::sig("def set_mask(self, mask: numpy.ndarray | None) -> None"),
           "uint8, (height, width): points may be found where it is not 0, from the next frame on; None allows all. "
           "Copied.")
      .def("history", &Tracker::history, nb::arg("index"), nb::sig("def history(self, index: int) -> numpy.ndarray"),
           "Kept positions of the last frame's track number `index`, oldest first (option history): float64, (n, 2), "
           "px.")
      .def("state", &Tracker::state, nb::sig("def state(self) -> TrackerState"),
           "What another tracker of equal options needs to go on from here, on any device; see TrackerState.")
      .def("resume", &Tracker::resume, nb::arg("frame").none(), nb::arg("state"),
           nb::sig("def resume(self, frame: numpy.ndarray, state: TrackerState) -> Tracks"),
           R"(Goes on with a state, in the place of next() for the frame that the state was taken after.

What follows is what would have followed there, given equal options and mask. Histories begin anew; residuals are 0
until the next frame. A state that cannot be is refused, and the tracker stays as it was.)")
      .def("restart", &Tracker::restart, "Drops all tracks and the last frame; ids go on.")
      .def_prop_ro(
          "size", [](Tracker& self) { return to_python(self.size()); }, nb::sig("def size(self) -> tuple[int, int]"),
          "(height, width).")
      .def_prop_ro(
          "options", [](const Tracker& self) { return options_dict<TrackDomain>(self.options()); },
          nb::sig("def options(self) -> dict[str, object]"), "All options by keyword.")
      .def_prop_ro("device", &Tracker::device)
      .def_prop_ro("memory", &Tracker::memory, "Bytes allocated on the host.");
}

}  // namespace vergence::python
