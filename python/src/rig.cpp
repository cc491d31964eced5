// SPDX-License-Identifier: Apache-2.0
// The classes Camera, RigRectification and StereoRig.
#include "rig.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "errors.hpp"
#include "vergence/error.hpp"
#include "vergence/rig_words.hpp"

namespace vergence::python {
namespace {

/// All numbers of a matrix, a list of lists, ...: what numpy makes of it.
std::vector<double> numbers(nb::handle value, const char* what) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  try {
    const nb::object flat = numpy.attr("ascontiguousarray")(value, nb::str("float64")).attr("ravel")();
    return nb::cast<std::vector<double>>(nb::object(flat.attr("tolist")()));
  } catch (nb::python_error&) {
    throw WrongType(fmt::format("{} is {}: numbers are needed", what, nb::cast<std::string>(nb::repr(value))));
  }
}

template <std::size_t N>
std::array<double, N> exactly(nb::handle value, const char* what) {
  const std::vector<double> all = numbers(value, what);
  if (all.size() != N) refuse(fmt::format("{} holds {} numbers: {} are needed", what, all.size(), N));
  std::array<double, N> result{};
  std::copy(all.begin(), all.end(), result.begin());
  return result;
}

Size to_size_or_none(nb::handle value) { return value.is_none() ? Size{} : to_size(value, "size"); }

LensModel model_named(const std::string& name) {
  if (name == "pinhole") return LensModel::pinhole;
  if (name == "fisheye") return LensModel::fisheye;
  refuse(fmt::format("model is '{}': 'pinhole' and 'fisheye' are known", name));
}

void make_camera(Camera* self, const nb::handle& matrix_value, const nb::handle& distortion, const nb::handle& size,
                 const std::string& model) {
  const auto m = exactly<9>(matrix_value, "matrix");
  if (m[1] != 0 || m[3] != 0 || m[6] != 0 || m[7] != 0 || m[8] != 1)
    refuse("matrix is no camera matrix: [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] is needed");
  const std::vector<double> lens = distortion.is_none() ? std::vector<double>{} : numbers(distortion, "distortion");
  Camera camera{to_size_or_none(size), m[0], m[4], m[2], m[5], model_named(model), {}};
  const std::size_t most = camera.model == LensModel::fisheye ? 4 : camera.distortion.size();
  if (lens.size() > most)
    refuse(fmt::format("distortion holds {} numbers: a {} has at most {}", lens.size(), model, most));
  std::copy(lens.begin(), lens.end(), camera.distortion.begin());
  new (self) Camera(camera);
}

constexpr const char* camera_text = R"(One camera, as OpenCV calibrates it.

Parameters
----------
matrix : array of shape (3, 3)
    [[fx, 0, cx], [0, fy, cy], [0, 0, 1]], in px.
distortion : sequence of float, optional
    pinhole: k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4 taux tauy, or the first of them; fisheye: k1 k2 k3 k4.
size : tuple[int, int]
    (height, width) of its pictures.
model : str
    'pinhole' or 'fisheye'.
)";

constexpr const char* rectification_text = R"(What rectification makes of a rig: OpenCV's R1 R2 P1 P2.

A point X in metres in the left camera's turned axes is seen at p1 @ (X, 1) and p2 @ (X, 1), in homogeneous px.

Parameters
----------
p1, p2 : array of shape (3, 4)
    Projections in px; the last column of p2 holds minus the baseline in metres, times the focal length.
r1, r2 : array of shape (3, 3), optional
    Rotations of the left and the right camera to the common axes; None: they have these axes.
size : tuple[int, int], optional
    (height, width) of the rectified pictures; None: that of the left camera.
)";

constexpr const char* rig_text = R"(A calibrated pair of cameras; read_rig reads one from files.

A point x in metres in the left camera's axes (x right, y down, z forward) lies at rotation @ x + translation in those
of the right one: R and T of OpenCV's stereoCalibrate, T in metres. A right camera b metres to the right has the
translation (-b, 0, 0). `print` tells it in words.

Parameters
----------
left, right : Camera
rotation : array of shape (3, 3)
translation : sequence of 3 float
    In metres.
rectified : RigRectification, optional
    Where it is known. StereoRectifier keeps it as long as it is asked for nothing else.

Examples
--------
>>> camera = vergence.Camera([[500, 0, 319.5], [0, 500, 239.5], [0, 0, 1]], size=(480, 640))
>>> rig = vergence.StereoRig(camera, camera, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], (-0.12, 0, 0))
>>> print(rig)                                                  # doctest: +ELLIPSIS
left      640x480, pinhole without distortion
          focal length 500.00 x 500.00 px, principal point (319.50, 239.50)
          sees 65.2 x 51.3 degrees
right     ...
)";

std::string camera_repr(const Camera& self) {
  return fmt::format("<Camera ({}, {}) {}>", self.size.height, self.size.width,
                     self.model == LensModel::fisheye ? "fisheye" : "pinhole");
}

nb::object view_of(const Camera& self) {
  const auto view = view_degrees(self);
  if (!view) return nb::none();
  return nb::make_tuple((*view)[1], (*view)[0]);
}

void register_camera(nb::module_& module) {
  nb::class_<Camera>(module, "Camera", camera_text)
      .def("__init__", make_camera, nb::arg("matrix"), nb::arg("distortion") = nb::none(), nb::arg("size") = nb::none(),
           nb::arg("model") = "pinhole",
           nb::sig("def __init__(self, matrix: object, distortion: object = None, size: tuple[int, int] | None = None, "
                   "model: Literal['pinhole', 'fisheye'] = 'pinhole') -> None"))
      .def_prop_ro(
          "size", [](const Camera& self) { return to_python(self.size); }, nb::sig("def size(self) -> tuple[int, int]"),
          "(height, width) of its pictures; (0, 0) where it is not known.")
      .def_prop_ro(
          "matrix",
          [](const Camera& self) {
            const std::array<double, 9> m{self.fx, 0, self.cx, 0, self.fy, self.cy, 0, 0, 1};
            return matrix(m, 3);
          },
          nb::sig("def matrix(self) -> numpy.ndarray"), "float64, (3, 3): [[fx, 0, cx], [0, fy, cy], [0, 0, 1]], px.")
      .def_prop_ro(
          "distortion", [](const Camera& self) { return matrix(self.distortion, 14).attr("ravel")(); },
          nb::sig("def distortion(self) -> numpy.ndarray"), "float64, (14,): the coefficients, 0 behind the last one.")
      .def_prop_ro(
          "model", [](const Camera& self) { return self.model == LensModel::fisheye ? "fisheye" : "pinhole"; },
          "'pinhole' or 'fisheye'.")
      .def_prop_ro("view_degrees", view_of, nb::sig("def view_degrees(self) -> tuple[float, float] | None"),
                   "Degrees that its pictures are (high, wide): of a pinhole without its distortion; None where their "
                   "size is not known.")
      .def(
          "__eq__", [](const Camera& self, const Camera& other) { return self == other; }, nb::is_operator())
      .def("__repr__", camera_repr);
}

void register_rectification(nb::module_& module) {
  using Rectification = RigRectification;
  nb::class_<Rectification>(module, "RigRectification", rectification_text)
      .def(
          "__init__",
          [](Rectification* self, const nb::handle& p1, const nb::handle& p2, const nb::handle& r1,
             const nb::handle& r2, const nb::handle& size) {
            Rectification made{.p1 = exactly<12>(p1, "p1"), .p2 = exactly<12>(p2, "p2"), .size = to_size_or_none(size)};
            if (!r1.is_none()) made.r1 = exactly<9>(r1, "r1");
            if (!r2.is_none()) made.r2 = exactly<9>(r2, "r2");
            new (self) Rectification(made);
          },
          nb::arg("p1"), nb::arg("p2"), nb::arg("r1") = nb::none(), nb::arg("r2") = nb::none(),
          nb::arg("size") = nb::none(),
          nb::sig("def __init__(self, p1: object, p2: object, r1: object = None, r2: object = None, size: tuple[int, "
                  "int] | None = None) -> None"))
      .def_prop_ro(
          "p1", [](const Rectification& self) { return matrix(self.p1, 4); }, nb::sig("def p1(self) -> numpy.ndarray"))
      .def_prop_ro(
          "p2", [](const Rectification& self) { return matrix(self.p2, 4); }, nb::sig("def p2(self) -> numpy.ndarray"))
      .def_prop_ro(
          "r1", [](const Rectification& self) { return matrix(self.r1, 3); }, nb::sig("def r1(self) -> numpy.ndarray"))
      .def_prop_ro(
          "r2", [](const Rectification& self) { return matrix(self.r2, 3); }, nb::sig("def r2(self) -> numpy.ndarray"))
      .def_prop_ro(
          "size", [](const Rectification& self) { return to_python(self.size); },
          nb::sig("def size(self) -> tuple[int, int]"), "(height, width); (0, 0): that of the left camera.")
      .def(
          "__eq__", [](const Rectification& self, const Rectification& other) { return self == other; },
          nb::is_operator());
}

void make_rig(StereoRig* self, const Camera& left, const Camera& right, const nb::handle& rotation,
              const nb::handle& translation, const std::optional<RigRectification>& rectified) {
  StereoRig rig;
  rig.left = left;
  rig.right = right;
  if (!rotation.is_none()) rig.rotation = exactly<9>(rotation, "rotation");
  rig.translation = exactly<3>(translation, "translation");
  rig.rectified = rectified;
  check_rig(rig);
  new (self) StereoRig(rig);
}

std::string words_of(const StereoRig& self) { return fmt::format("{}", fmt::join(describe_rig(self), "\n")); }

nb::object turn_of(const StereoRig& self) { return matrix(turn_degrees(self.rotation), 3).attr("ravel")(); }

}  // namespace

nb::object matrix(std::span<const double> values, std::int64_t columns) {
  const auto rows = static_cast<std::int64_t>(values.size()) / columns;
  const NewArray made = new_memory(element_type<double>(), {rows, columns});
  std::memcpy(made.data, values.data(), values.size_bytes());
  return made.object;
}

void register_rigs(nb::module_& module) {
  register_camera(module);
  register_rectification(module);
  nb::class_<StereoRig>(module, "StereoRig", rig_text)
      .def("__init__", make_rig, nb::arg("left"), nb::arg("right"), nb::arg("rotation") = nb::none(),
           nb::arg("translation"), nb::arg("rectified") = nb::none(),
           nb::sig("def __init__(self, left: Camera, right: Camera, rotation: object, translation: object, rectified: "
                   "RigRectification | None = None) -> None"))
      .def_ro("left", &StereoRig::left)
      .def_ro("right", &StereoRig::right)
      .def_prop_ro(
          "rotation", [](const StereoRig& self) { return matrix(self.rotation, 3); },
          nb::sig("def rotation(self) -> numpy.ndarray"))
      .def_prop_ro(
          "translation", [](const StereoRig& self) { return matrix(self.translation, 3).attr("ravel")(); },
          nb::sig("def translation(self) -> numpy.ndarray"), "float64, (3,): metres.")
      .def_prop_ro(
          "rectified", [](const StereoRig& self) { return self.rectified; },
          "As its file tells; None where it does not.")
      .def_prop_ro("baseline_m", &StereoRig::baseline_m, "Distance of the cameras in metres.")
      .def_prop_ro("turn_degrees", turn_of, nb::sig("def turn_degrees(self) -> numpy.ndarray"),
                   "float64, (3,): how far the right camera is turned about the left one's x, y, z.")
      .def(
          "scaled",
          [](const StereoRig& self, const nb::handle& size) { return scaled_rig(self, to_size(size, "size")); },
          nb::arg("size"), nb::sig("def scaled(self, size: tuple[int, int]) -> StereoRig"),
          "The same cameras with pictures of (height, width), scaled whole and by one factor.")
      .def(
          "doubts", [](const StereoRig& self) { return check_rig(self); },
          "What no usual rig has, a line each with its cure.")
      .def(
          "__eq__", [](const StereoRig& self, const StereoRig& other) { return self == other; }, nb::is_operator())
      .def("__str__", words_of)
      .def("__repr__",
           [](const StereoRig& self) { return fmt::format("<StereoRig, baseline {:.6g} m>", self.baseline_m()); });
}

}  // namespace vergence::python
