// SPDX-License-Identifier: Apache-2.0
// Rectification of pairs of pictures.
#include "rectify.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "device.hpp"
#include "order.hpp"
#include "process.hpp"
#include "results.hpp"
#include "rig.hpp"
#include "vergence/rectify.hpp"

namespace vergence::python {
namespace {

void wait_for(std::span<const DeviceEvent> events) {
  for (const DeviceEvent& event : events) event.wait();
}

class Rectifier {
 public:
  Rectifier(const Device& device, std::unique_ptr<StereoRectifier> rectifier)
      : device_(device), rectifier_("StereoRectifier", std::move(rectifier)) {}

  nb::tuple rectify(nb::handle left, nb::handle right, nb::handle left_out, nb::handle right_out) {
    auto rectifier = rectifier_.use();
    const Array left_array(left, "left picture", Array::Access::read);
    const Array right_array(right, "right picture", Array::Access::read);
    const PictureRef a = picture(left_array, device_, rectifier->source_size()),
                     b = picture(right_array, device_, rectifier->source_size());
    const Map left_map = output(left_out, "left output", left_array),
              right_map = output(right_out, "right output", left_array);
    const WritablePictureRef c = written_picture(left_map.array, device_),
                             d = written_picture(right_map.array, device_);
    Order order(device_);
    order.reads(left_array);
    order.reads(right_array);
    order.writes(left_map.array);
    order.writes(right_map.array);
    const auto before = order.before();
    if (c.on_device() && d.on_device()) {
      order.after(without_gil([&] { return rectifier->submit(a, b, c, d, before); }));
    } else {
      without_gil([&] {
        wait_for(before);
        rectifier->rectify(a, b, c, d);
      });
    }
    return nb::make_tuple(left_map.object, right_map.object);
  }
  nb::object one(bool is_left, nb::handle in, nb::handle out) {
    auto rectifier = rectifier_.use();
    const Array array(in, "picture", Array::Access::read);
    const PictureRef read = picture(array, device_, rectifier->source_size());
    const Map map = output(out, "output", array);
    const WritablePictureRef written = written_picture(map.array, device_);
    Order order(device_);
    order.reads(array);
    order.writes(map.array);
    const auto before = order.before();
    if (written.on_device()) {
      order.after(without_gil([&] {
        return is_left ? rectifier->submit_left(read, written, before) : rectifier->submit_right(read, written, before);
      }));
    } else {
      without_gil([&] {
        wait_for(before);
        is_left ? rectifier->rectify_left(read, written) : rectifier->rectify_right(read, written);
      });
    }
    return map.object;
  }
  nb::object mask(bool is_left) const {
    const auto view = is_left ? constant().left_mask() : constant().right_mask();
    const NewArray made = new_memory(element_type<std::uint8_t>(), {view.height(), view.width()});
    for (int y = 0; y < view.height(); ++y)
      std::memcpy(made.as<std::uint8_t>() + std::ptrdiff_t{y} * view.width(), view.row(y),
                  static_cast<std::size_t>(view.width()));
    return made.object;
  }
  const StereoRectifier& constant() const { return rectifier_.constant(); }
  const Device& device() const { return device_; }

 private:
  Map output(nb::handle given, const char* what, const Array& like) const {
    const Size size = constant().size();
    return needed_map(given, what, like.type(), {size.height, size.width},
                      {like.on_device() ? &device_ : nullptr, spare_});
  }

  Device device_;
  std::shared_ptr<SpareMemory> spare_ = std::make_shared<SpareMemory>();
  Guarded<StereoRectifier> rectifier_;
};

void make_rectifier(Rectifier* self, const StereoRig& rig, const nb::handle& device, double alpha, double focal_px,
                    const nb::handle& size, int max_value, bool along_rows) {
  const Device opened = to_device(device);
  const RectifyOptions options{alpha, focal_px, size.is_none() ? Size{} : to_size(size, "size"), max_value, along_rows};
  auto rectifier = without_gil([&] { return std::make_unique<StereoRectifier>(opened, rig, options); });
  new (self) Rectifier(opened, std::move(rectifier));
}

const RigRectification& projections(const Rectifier& self) { return self.constant().rig().projections; }

/// What depth needs of the rectified pair: (focal length in px, baseline in metres).
double focal(const Rectifier& self) { return projections(self).p1[0]; }
double baseline(const Rectifier& self) {
  const RectifiedRig& rig = self.constant().rig();
  return -rig.projections.p2[rig.vertical ? 7 : 3] / rig.projections.p2[rig.vertical ? 5 : 0];
}

constexpr const char* rectifier_text =
    R"(Turns the pictures of a calibrated pair so that a point lies in the same row of both.

Bilinear, the same bytes on every device. A pixel without source holds the nearest sample that has one; the masks say
which pixels these are: give them to StereoMatcher.

Parameters
----------
rig : StereoRig
device : Device or str
alpha : float
    0: so large that no pixel lacks a source; 1: so small that no source pixel is lost; -1: the mean focal length.
focal_px : float
    Focal length of the rectified pictures in px, in the place of alpha; 0: alpha says.
size : tuple[int, int], optional
    (height, width) of the rectified pictures; None: that of the cameras.
max_value : int
    Largest value of 16-bit pixels.
along_rows : bool
    Pictures of a vertical rig are turned by 90 degrees, as StereoMatcher needs them.

Examples
--------
>>> camera = vergence.Camera([[500, 0, 319.5], [0, 500, 239.5], [0, 0, 1]], [-0.1], size=(480, 640))
>>> rig = vergence.StereoRig(camera, camera, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], (-0.12, 0, 0))
>>> rectifier = vergence.StereoRectifier(rig, alpha=0)
>>> rectifier.size, round(rectifier.baseline_m, 3)
((480, 640), 0.12)
)";

void add_properties(nb::class_<Rectifier>& rectifier) {
  rectifier
      .def_prop_ro(
          "left_mask", [](const Rectifier& self) { return self.mask(true); },
          nb::sig("def left_mask(self) -> numpy.ndarray"), "uint8: 1 where a rectified pixel has a source.")
      .def_prop_ro(
          "right_mask", [](const Rectifier& self) { return self.mask(false); },
          nb::sig("def right_mask(self) -> numpy.ndarray"))
      .def_prop_ro(
          "size", [](const Rectifier& self) { return to_python(self.constant().size()); },
          nb::sig("def size(self) -> tuple[int, int]"), "(height, width) of the rectified pictures.")
      .def_prop_ro(
          "source_size", [](const Rectifier& self) { return to_python(self.constant().source_size()); },
          nb::sig("def source_size(self) -> tuple[int, int]"), "(height, width) of the cameras' pictures.")
      .def_prop_ro(
          "r1", [](const Rectifier& self) { return matrix(projections(self).r1, 3); },
          nb::sig("def r1(self) -> numpy.ndarray"))
      .def_prop_ro(
          "r2", [](const Rectifier& self) { return matrix(projections(self).r2, 3); },
          nb::sig("def r2(self) -> numpy.ndarray"))
      .def_prop_ro(
          "p1", [](const Rectifier& self) { return matrix(projections(self).p1, 4); },
          nb::sig("def p1(self) -> numpy.ndarray"))
      .def_prop_ro(
          "p2", [](const Rectifier& self) { return matrix(projections(self).p2, 4); },
          nb::sig("def p2(self) -> numpy.ndarray"))
      .def_prop_ro("focal_px", focal, "Focal length of the rectified pictures, for StereoResult.depth.")
      .def_prop_ro("baseline_m", baseline, "Baseline in metres, for StereoResult.depth.")
      .def_prop_ro(
          "vertical", [](const Rectifier& self) { return self.constant().rig().vertical; },
          "One camera stands above the other, and points keep their column.")
      .def_prop_ro("device", &Rectifier::device);
}

}  // namespace

void register_rectify(nb::module_& module) {
  register_rigs(module);
  nb::class_<Rectifier> rectifier(module, "StereoRectifier", rectifier_text);
  rectifier
      .def(
          "__init__", make_rectifier, nb::arg("rig"), nb::arg("device") = "cpu", nb::kw_only(), nb::arg("alpha") = -1.0,
          nb::arg("focal_px") = 0.0, nb::arg("size") = nb::none(), nb::arg("max_value") = 65535,
          nb::arg("along_rows") = false,
          nb::sig("def __init__(self, rig: StereoRig, device: Device | str = 'cpu', *, alpha: float = -1.0, focal_px: "
                  "float = 0.0, size: tuple[int, int] | None = None, max_value: int = 65535, along_rows: bool = False) "
                  "-> None"))
      .def("rectify", &Rectifier::rectify, nb::arg("left").none(), nb::arg("right").none(), nb::kw_only(),
           nb::arg("left_out") = nb::none(), nb::arg("right_out") = nb::none(),
           nb::sig("def rectify(self, left: numpy.ndarray, right: numpy.ndarray, *, left_out: numpy.ndarray | None = "
                   "None, right_out: numpy.ndarray | None = None) -> tuple[numpy.ndarray, numpy.ndarray]"),
           "Both rectified pictures, uint8 or uint16 as the given ones; in a device's memory in the order of the "
           "streams of the\narrays' owners, as by StereoMatcher.compute.")
      .def(
          "rectify_left",
          [](Rectifier& self, const nb::handle& in, const nb::handle& out) { return self.one(true, in, out); },
          nb::arg("picture").none(), nb::arg("out") = nb::none(),
          nb::sig("def rectify_left(self, picture: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray"),
          "One picture of the left camera: a channel of a coloured one, for example.")
      .def(
          "rectify_right",
          [](Rectifier& self, const nb::handle& in, const nb::handle& out) { return self.one(false, in, out); },
          nb::arg("picture").none(), nb::arg("out") = nb::none(),
          nb::sig(
              "def rectify_right(self, picture: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray"));
  add_properties(rectifier);
}

}  // namespace vergence::python
