// SPDX-License-Identifier: Apache-2.0
// How Python sees block motion: signatures and documentation.

#include <utility>

#include "device.hpp"
#include "motion.hpp"
#include "options.hpp"

namespace vergence::python {
namespace {

struct PendingField {
  nb::object stream;
  std::shared_ptr<MotionFrame> frame;
};

const std::string& motion_signature() {
  static const std::string text = init_signature(motion_fields());
  return text;
}

void make_estimator(Estimator* self, const nb::handle& device, const nb::handle& size, const std::string& preset,
                    const nb::kwargs& keywords) {
  const auto settings = settings_of<MotionDomain>(device, size, preset, keywords);
  new (self) Estimator(settings.device, make_object<MotionEstimator>(settings, keywords));
}

void make_stream(Stream* self, const nb::handle& device, const nb::handle& size, const std::string& preset,
                 const nb::kwargs& keywords) {
  const auto settings = settings_of<MotionDomain>(device, size, preset, keywords);
  new (self) Stream(settings.device, settings.options, make_object<MotionStream>(settings, keywords));
}

constexpr const char* wants_text =
    "raw: bool = False, vectors: numpy.ndarray | None = None, cost: bool | numpy.ndarray = False, j: bool | "
    "numpy.ndarray = False, second_j: bool | numpy.ndarray = False, confidence: bool | numpy.ndarray = False";

#define VERGENCE_MOTION_WANTS                                                                           \
  nb::kw_only(), nb::arg("raw") = false, nb::arg("vectors") = nb::none(), nb::arg("cost") = nb::none(), \
                 nb::arg("j") = nb::none(), nb::arg("second_j") = nb::none(), nb::arg("confidence") = nb::none()

void register_result(nb::module_& module) {
  const auto map = [](const char* name) { return std::string("def ") + name + "(self) -> numpy.ndarray | None"; };
  nb::class_<MotionResult>(module, "MotionResult",
                           "A field of vectors: arrays with one entry a block, None where not asked for.")
      .def_ro("vectors", &MotionResult::vectors, nb::for_getter(nb::sig("def vectors(self) -> numpy.ndarray")),
              "(rows, columns, 2), (dx, dy): pixel (x, y) is found at (x + dx, y + dy) of the reference frame. float32 "
              "in px; with raw=True int16 in quarter px.")
      .def_ro("cost", &MotionResult::cost, nb::for_getter(nb::sig(map("cost").c_str())),
              "uint64: distortion of each block's vector, summed grey levels (or their squares).")
      .def_ro("j", &MotionResult::j, nb::for_getter(nb::sig(map("j").c_str())),
              "uint64: the distortion and the weighted rate.")
      .def_ro("second_j", &MotionResult::second_j, nb::for_getter(nb::sig(map("second_j").c_str())),
              "uint64: least j of a candidate more than 1 px away; 2**64 - 1 where there is none. Search full alone.")
      .def_ro("confidence", &MotionResult::confidence, nb::for_getter(nb::sig(map("confidence").c_str())),
              "uint8, 0..255: how much of the block's texture the vector explains.");
  nb::class_<PendingField>(module, "PendingMotion", "A frame that was given to MotionStream.enqueue.")
      .def(
          "wait", [](const PendingField& self) { return nb::cast<Stream&>(self.stream).wait(*self.frame); },
          nb::sig("def wait(self) -> MotionResult | None"),
          "The field, whole; None for the first frame of a video. Raises the frame's error, if any.");
}

void register_estimator(nb::module_& module) {
  static const std::string compute_signature =
      std::string(
          "def compute(self, current: numpy.ndarray, reference: numpy.ndarray, previous: numpy.ndarray | None = "
          "None, *, ") +
      wants_text + ") -> MotionResult";
  nb::class_<Estimator>(module, "MotionEstimator",
                        class_docstring(R"(Finds where each block of a frame was in an earlier frame.

Making one checks the settings and allocates; frames reuse that memory. One estimator may be used by one thread at a
time. For a video, MotionStream keeps frames in flight.
)",
                                        MotionDomain::name, motion_fields())
                            .c_str())
      .def("__init__", make_estimator, nb::arg("device") = "cpu", nb::arg("size") = nb::none(),
           nb::arg("preset") = "default", nb::arg("options"), nb::sig(motion_signature().c_str()))
      .def(
          "compute",
          [](Estimator& self, const nb::handle& current, const nb::handle& reference, const nb::handle& previous,
             bool raw, const nb::handle& vectors, const nb::handle& cost, const nb::handle& j,
             const nb::handle& second_j, const nb::handle& confidence) {
            return self.compute(current, reference, previous, {raw, vectors, cost, j, second_j, confidence});
          },
          nb::arg("current").none(), nb::arg("reference").none(), nb::arg("previous") = nb::none(),
          VERGENCE_MOTION_WANTS, nb::sig(compute_signature.c_str()),
          R"(Finds each block of `current` in `reference`, both uint8 or uint16 of shape (height, width).

Parameters
----------
previous : array, optional
    The raw vectors of the frame before, as prediction.
raw : bool
    Vectors as int16 in quarter px, in the place of float px.
vectors : array, optional
    Where to write the vectors: float32 or int16, (rows, columns, 2), without gaps.
cost, j, second_j, confidence : bool or array
    True: also give this map; an array: write it there. See MotionResult.
)")
      .def("predict", &Estimator::predict, nb::arg("reference").none(), nb::arg("vectors").none(),
           nb::arg("prediction") = nb::none(),
           nb::sig("def predict(self, reference: numpy.ndarray, vectors: numpy.ndarray, prediction: numpy.ndarray | "
                   "None = None) -> numpy.ndarray"),
           "The current frame as predicted from the reference frame by raw vectors (int16, quarter px).")
      .def_prop_ro(
          "size", [](const Estimator& self) { return to_python(self.constant().size()); },
          nb::sig("def size(self) -> tuple[int, int]"), "(height, width).")
      .def_prop_ro(
          "blocks", [](const Estimator& self) { return to_python(self.constant().blocks()); },
          nb::sig("def blocks(self) -> tuple[int, int]"), "(rows, columns) of blocks.")
      .def_prop_ro(
          "options", [](const Estimator& self) { return options_dict<MotionDomain>(self.constant().options()); },
          nb::sig("def options(self) -> dict[str, object]"), "All options by keyword.")
      .def_prop_ro("device", &Estimator::device)
      .def_prop_ro(
          "memory", [](Estimator& self) { return self.use()->memory(); }, "Bytes allocated on the host.");
}

nb::object check(const nb::handle& forward, const nb::handle& backward, const nb::handle& frame,
                 const nb::handle& block, int threshold) {
  const Array there(forward, "forward vectors", Array::Access::read);
  const Array back(backward, "backward vectors", Array::Access::read);
  const auto a = vectors_view(there);
  const Size blocks = a.size();
  const auto b = vectors_view(back, blocks);
  const NewArray made = new_memory(element_type<std::uint8_t>(), {blocks.height, blocks.width});
  check_motion(a, b, to_size(frame, "frame"), to_size(block, "block"), threshold,
               {made.as<std::uint8_t>(), blocks.width, blocks.height});
  return made.object;
}

nb::object dense(const nb::handle& vectors, const nb::handle& block, const nb::handle& frame) {
  const Array field(vectors, "vectors", Array::Access::read);
  const auto view = vectors_view(field);
  const Size size = to_size(frame, "frame");
  if (size.width < 1 || size.height < 1) refuse("frame is empty: (height, width) of at least 1 each is needed");
  const NewArray made = new_memory(element_type<std::int16_t>(), {size.height, size.width, 2});
  dense_motion(view, to_size(block, "block"), {made.as<MotionVector>(), size.width, size.height});
  return made.object;
}

void register_functions(nb::module_& module) {
  module.def("check_motion", check, nb::arg("forward").none(), nb::arg("backward").none(), nb::arg("frame"),
             nb::arg("block"), nb::arg("threshold") = 4,
             nb::sig("def check_motion(forward: numpy.ndarray, backward: numpy.ndarray, frame: tuple[int, int], block: "
                     "tuple[int, int], threshold: int = 4) -> numpy.ndarray"),
             "Forward-backward check of two fields of raw vectors: uint8, 1 per block whose way there and back ends "
             "within `threshold`\nquarter px of where it began. frame and block are (height, width).");
  module.def("dense_motion", dense, nb::arg("vectors").none(), nb::arg("block"), nb::arg("frame"),
             nb::sig("def dense_motion(vectors: numpy.ndarray, block: tuple[int, int], frame: tuple[int, int]) -> "
                     "numpy.ndarray"),
             "One raw vector per pixel of the frame, its block's: int16, (height, width, 2), quarter px.");
}

}  // namespace

void register_motion(nb::module_& module) {
  register_result(module);
  register_functions(module);
  register_estimator(module);
  static const std::string enqueue_signature =
      std::string("def enqueue(self, frame: numpy.ndarray, *, ") + wants_text + ") -> PendingMotion";
  nb::class_<Stream>(
      module, "MotionStream",
      class_docstring("Motion along a video, each frame against the one before, with frames in flight.\n",
                      MotionDomain::name, motion_fields())
          .c_str())
      .def("__init__", make_stream, nb::arg("device") = "cpu", nb::arg("size") = nb::none(),
           nb::arg("preset") = "default", nb::arg("options"), nb::sig(motion_signature().c_str()))
      .def(
          "enqueue",
          [](const nb::object& self, const nb::handle& frame, bool raw, const nb::handle& vectors,
             const nb::handle& cost, const nb::handle& j, const nb::handle& second_j, const nb::handle& confidence) {
            return PendingField{self,
                                nb::cast<Stream&>(self).enqueue(frame, {raw, vectors, cost, j, second_j, confidence})};
          },
          nb::arg("frame").none(), VERGENCE_MOTION_WANTS, nb::sig(enqueue_signature.c_str()),
          "Takes the next frame, which must not be changed until the one after it was waited for.")
      .def(
          "stream",
          [](const nb::object& self, const nb::object& frames, int in_flight, const nb::kwargs& wants) {
            return nb::module_::import_("vergence._stream").attr("motion")(self, frames, in_flight, **wants);
          },
          nb::arg("frames"), nb::kw_only(), nb::arg("in_flight") = MotionStream::most_in_flight, nb::arg("wants"),
          nb::sig("def stream(self, frames: Iterable[numpy.ndarray], *, in_flight: int = 4, raw: bool = False, "
                  "**wants: bool) -> Iterator[MotionResult | None]"),
          R"(Fields of frames, in their order, None for the first frame.

Each frame is an array of its own, since it is read until the field of the one after it is there. `wants` are those of
enqueue that are True or False.)")
      .def("restart", &Stream::restart, "As after a scene cut: waits for all frames, and the next one is the first.")
      .def_prop_ro(
          "size", [](const Stream& self) { return to_python(self.constant().size()); },
          nb::sig("def size(self) -> tuple[int, int]"), "(height, width).")
      .def_prop_ro(
          "blocks", [](const Stream& self) { return to_python(self.constant().blocks()); },
          nb::sig("def blocks(self) -> tuple[int, int]"), "(rows, columns) of blocks.")
      .def_prop_ro(
          "options", [](const Stream& self) { return options_dict<MotionDomain>(self.options()); },
          nb::sig("def options(self) -> dict[str, object]"), "All options by keyword.")
      .def_prop_ro("device", &Stream::device);
}

}  // namespace vergence::python
