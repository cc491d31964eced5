// SPDX-License-Identifier: Apache-2.0
// How Python sees stereo matching: signatures and documentation.
#include <nanobind/stl/optional.h>

#include <cmath>
#include <limits>
#include <utility>

#include "device.hpp"
#include "options.hpp"
#include "stereo.hpp"
#include "vergence/error.hpp"

namespace vergence::python {
namespace {

/// A frame under way, and its matcher, which lives as long.
struct PendingResult {
  nb::object matcher;
  std::shared_ptr<StereoFrame> frame;
};

const std::string& matcher_docstring() {
  static const std::string text =
      class_docstring(R"(Matches rectified pairs of one size with one set of options on one device.

Making one checks the settings, compiles kernels where there are any, and allocates: whatever can fail because of a
setting fails here. Frames reuse that memory. One matcher may be used by one thread at a time (else BusyError); several
may share a Device.
)",
                      StereoDomain::name, stereo_fields(), R"(left_mask, right_mask : numpy.ndarray, optional
    uint8, shape (height, width): 0 where a picture shows nothing (behind a lens' black corner, without a source in a
    raw picture). Such pixels get no disparity and match none. Copied.
)") + R"(
Examples
--------
>>> import numpy
>>> left = numpy.zeros((48, 64), numpy.uint8)
>>> matcher = vergence.StereoMatcher(size=left.shape, preset="quality", disparities=16)
>>> matcher.compute(left, left).disparity.shape
(48, 64)
)";
  return text;
}

const std::string& matcher_signature() {
  static const std::string text = init_signature(
      stereo_fields(), "left_mask: numpy.ndarray | None = None, right_mask: numpy.ndarray | None = None, ");
  return text;
}

void make_matcher(Matcher* self, const nb::handle& device, const nb::handle& size, const std::string& preset,
                  const nb::handle& left_mask, const nb::handle& right_mask, const nb::kwargs& keywords) {
  const auto settings = settings_of<StereoDomain>(device, size, preset, keywords);
  Array left, right;
  if (!left_mask.is_none()) left = Array(left_mask, "left mask", Array::Access::read);
  if (!right_mask.is_none()) right = Array(right_mask, "right mask", Array::Access::read);
  const SourceMasks masks{mask_view(left), mask_view(right)};
  new (self) Matcher(settings.device, make_object<StereoMatcher>(settings, keywords, masks));
}

#define VERGENCE_STEREO_WANTS                                                                                \
  nb::arg("left").none(), nb::arg("right").none(), nb::kw_only(),                                            \
      nb::arg("raw") = false, nb::arg("disparity") = nb::none(), nb::arg("mask") = nb::none(),               \
      nb::arg("confidence") = nb::none(), nb::arg("cost") = nb::none(), nb::arg("second_cost") = nb::none(), \
      nb::arg("cost_before") = nb::none(), nb::arg("cost_after") = nb::none(), nb::arg("other_disparity") = nb::none()

StereoResult compute(Matcher& matcher, const nb::handle& left, const nb::handle& right, bool raw,
                     const nb::handle& disparity, const nb::handle& mask, const nb::handle& confidence,
                     const nb::handle& cost, const nb::handle& second_cost, const nb::handle& cost_before,
                     const nb::handle& cost_after, const nb::handle& other_disparity) {
  return matcher.compute(
      left, right, {raw, disparity, mask, confidence, cost, second_cost, cost_before, cost_after, other_disparity});
}

PendingResult enqueue(const nb::object& self, const nb::handle& left, const nb::handle& right, bool raw,
                      const nb::handle& disparity, const nb::handle& mask, const nb::handle& confidence,
                      const nb::handle& cost, const nb::handle& second_cost, const nb::handle& cost_before,
                      const nb::handle& cost_after, const nb::handle& other_disparity) {
  auto& matcher = nb::cast<Matcher&>(self);
  return {self, matcher.enqueue(
                    left, right,
                    {raw, disparity, mask, confidence, cost, second_cost, cost_before, cost_after, other_disparity})};
}

/// Depth in metres of a result's disparities; NaN where there is none.
nb::object depth(const StereoResult& result, double focal_px, double baseline_m, double offset_px) {
  const Array map(result.disparity, "disparity map", Array::Access::read);
  map.check({element_type<float>(), element_type<std::int16_t>(), element_type<std::int32_t>()}, 2);
  const int width = static_cast<int>(map.length(1)), height = static_cast<int>(map.length(0));
  const NewArray made = new_memory(element_type<float>(), {height, width});
  const ImageView<float> metres(made.as<float>(), width, height);
  const bool raw = map.type() != element_type<float>();
  Image<float> from_raw;
  if (raw) from_raw = Image<float>(width, height);
  if (map.type() == element_type<std::int16_t>())
    disparity_to_pixels(map.view<const std::int16_t>(), result.invalid, from_raw);
  else if (raw)
    disparity_to_pixels(map.view<const std::int32_t>(), result.invalid, from_raw);
  const ImageView<const float> pixels = raw ? from_raw.view() : map.view<const float>();
  without_gil([&] {
    pixels_to_depth(pixels, focal_px, baseline_m, offset_px, metres);  // NaN is as unknown to it as infinity
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        if (std::isinf(metres(x, y))) metres(x, y) = std::numeric_limits<float>::quiet_NaN();
  });
  return made.object;
}

void register_result(nb::module_& module) {
  nb::class_<StereoResult>(module, "StereoResult",
                           R"(The maps of a pair, each of shape (height, width), None where it was not asked for.

They lie in the arrays that the call was given, else in new ones of numpy; where the pictures lie in a device's memory,
in DeviceArrays there.)")
      .def_ro("disparity", &StereoResult::disparity, nb::for_getter(nb::sig("def disparity(self) -> numpy.ndarray")),
              "float32, px, NaN where there is none; with raw=True int16 or int32 in 1/16 px, `invalid` where there is "
              "none.")
      .def_ro("mask", &StereoResult::mask, nb::for_getter(nb::sig("def mask(self) -> numpy.ndarray | None")),
              "uint8: 1 measured, 2 filled, 0 invalid.")
      .def_ro("confidence", &StereoResult::confidence,
              nb::for_getter(nb::sig("def confidence(self) -> numpy.ndarray | None")),
              "uint8, 0..255: how much worse the best candidate more than 1 px away is; 0 where not measured.")
      .def_ro("cost", &StereoResult::cost, nb::for_getter(nb::sig("def cost(self) -> numpy.ndarray | None")),
              "uint32: the winner's cost; 4294967295 where there is none.")
      .def_ro("second_cost", &StereoResult::second_cost,
              nb::for_getter(nb::sig("def second_cost(self) -> numpy.ndarray | None")),
              "uint32: cost of the best candidate more than 1 px away.")
      .def_ro("cost_before", &StereoResult::cost_before,
              nb::for_getter(nb::sig("def cost_before(self) -> numpy.ndarray | None")),
              "uint32: cost of the winner's neighbour d - 1.")
      .def_ro("cost_after", &StereoResult::cost_after,
              nb::for_getter(nb::sig("def cost_after(self) -> numpy.ndarray | None")),
              "uint32: cost of the winner's neighbour d + 1.")
      .def_ro("other_disparity", &StereoResult::other_disparity,
              nb::for_getter(nb::sig("def other_disparity(self) -> numpy.ndarray | None")),
              "The other picture's map, of the type of `disparity`.")
      .def_ro("invalid", &StereoResult::invalid, "int: what a raw map holds where there is no disparity.")
      .def("depth", depth, nb::arg("focal_px"), nb::arg("baseline_m"), nb::arg("offset_px") = 0.0,
           nb::sig("def depth(self, focal_px: float, baseline_m: float, offset_px: float = 0.0) -> numpy.ndarray"),
           R"(Depth in metres, float32, NaN where there is none: focal_px * baseline_m / (disparity + offset_px).

`offset_px` is the difference of the principal points, cx of the right camera minus cx of the left one.)");
}

void register_pending(nb::module_& module) {
  nb::class_<PendingResult>(module, "PendingStereo", "A pair that was given to StereoMatcher.enqueue.")
      .def(
          "wait", [](const PendingResult& pending) { return nb::cast<Matcher&>(pending.matcher).wait(*pending.frame); },
          "The result, whole. Raises the frame's error, if any.")
      .def_prop_ro(
          "done", [](const PendingResult& pending) { return pending.frame->done; },
          "True once it was waited for, by this or by a later frame.");
}

void add_properties(nb::class_<Matcher>& matcher) {
  matcher
      .def_prop_ro(
          "size", [](const Matcher& self) { return to_python(self.constant().size()); },
          nb::sig("def size(self) -> tuple[int, int]"), "(height, width).")
      .def_prop_ro(
          "options", [](const Matcher& self) { return options_dict<StereoDomain>(self.constant().options()); },
          nb::sig("def options(self) -> dict[str, object]"),
          "All options by keyword, with what 'auto' and 0 stand for.")
      .def_prop_ro("device", &Matcher::device)
      .def_prop_ro(
          "invalid", [](const Matcher& self) { return self.constant().invalid(); },
          "What raw maps hold where there is no disparity: (min_disparity - 1) * 16.")
      .def_prop_ro(
          "raw_type", [](const Matcher& self) { return self.constant().needs_wide_output() ? "int32" : "int16"; },
          "Type of new raw maps: 'int16', or 'int32' where the range needs it.")
      .def_prop_ro(
          "memory", [](Matcher& self) { return self.use()->memory(); }, "Bytes allocated on the host.")
      .def_prop_ro(
          "band_rows", [](Matcher& self) { return self.use()->band_rows(); },
          "Rows of a band, where frames exceed the device's memory; 0 where they do not.");
}

}  // namespace

void register_stereo(nb::module_& module) {
  register_result(module);
  register_pending(module);
  const char* const wanted =
      "raw: bool = False, disparity: numpy.ndarray | DeviceArray | None = None, mask: bool | numpy.ndarray | "
      "DeviceArray = False, confidence: bool | numpy.ndarray | DeviceArray = False, cost: bool | numpy.ndarray | "
      "DeviceArray = False, second_cost: bool | numpy.ndarray | DeviceArray = False, cost_before: bool | numpy.ndarray "
      "| DeviceArray = False, cost_after: bool | numpy.ndarray | DeviceArray = False, other_disparity: bool | "
      "numpy.ndarray | DeviceArray = False";
  static const std::string compute_signature =
      std::string("def compute(self, left: numpy.ndarray, right: numpy.ndarray, *, ") + wanted + ") -> StereoResult";
  static const std::string enqueue_signature =
      std::string("def enqueue(self, left: numpy.ndarray, right: numpy.ndarray, *, ") + wanted + ") -> PendingStereo";
  nb::class_<Matcher> matcher(module, "StereoMatcher", matcher_docstring().c_str());
  matcher
      .def("__init__", make_matcher, nb::arg("device") = "cpu", nb::arg("size") = nb::none(),
           nb::arg("preset") = "default", nb::kw_only(), nb::arg("left_mask") = nb::none(),
           nb::arg("right_mask") = nb::none(), nb::arg("options"), nb::sig(matcher_signature().c_str()))
      .def(
          "compute", compute, VERGENCE_STEREO_WANTS, nb::sig(compute_signature.c_str()),
          R"(Matches a pair. Maps in host memory are whole when it returns; maps in a device's memory are written in the
order of the streams that the arrays' owners work on, as by an operation of theirs, and nothing waits on the host.

Parameters
----------
left, right : array
    uint8 or uint16 (with pixel_depth='u16'), shape (height, width), grey. Read where they lie, without a copy: numpy,
    the buffer protocol, DLPack, __cuda_array_interface__. Rows may lie apart (crops); pixels of a row may not.
raw : bool
    Disparities as integers in 1/16 px, in the place of float px.
disparity : array, optional
    Where to write the map: float32 (px), int16 or int32 (1/16 px).
mask, confidence, cost, second_cost, cost_before, cost_after, other_disparity : bool or array
    True: also give this map; an array: write it there. See StereoResult.

Returns
-------
StereoResult
)")
      .def("enqueue", enqueue, VERGENCE_STEREO_WANTS, nb::sig(enqueue_signature.c_str()),
           R"(As compute, but a GPU works on while Python goes on; up to four frames are under way.

Pictures in host memory may be changed as soon as this returns; those in a device's memory stay as they are until
wait(). Arrays that are written are whole after wait().)")
      .def(
          "stream",
          [](const nb::object& self, const nb::object& pairs, int in_flight, const nb::kwargs& wants) {
            return nb::module_::import_("vergence._stream").attr("stereo")(self, pairs, in_flight, **wants);
          },
          nb::arg("pairs"), nb::kw_only(), nb::arg("in_flight") = StereoMatcher::most_in_flight, nb::arg("wants"),
          nb::sig("def stream(self, pairs: Iterable[tuple[numpy.ndarray, numpy.ndarray]], *, in_flight: int = 4, "
                  "raw: bool = False, **wants: bool) -> Iterator[StereoResult]"),
          R"(Results of pairs, in their order, with up to `in_flight` frames under way.

`wants` are those of compute that are True or False: every frame gets arrays of its own.)");
  add_properties(matcher);
}

}  // namespace vergence::python
