// SPDX-License-Identifier: Apache-2.0
// The classes Camera and StereoRig.
#include "rig.hpp"

#include <fmt/format.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "errors.hpp"
#include "vergence/error.hpp"

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
  Camera camera{size.is_none() ? Size{} : to_size(size, "size"), m[0], m[4], m[2], m[5], model_named(model), {}};
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

constexpr const char* rig_text = R"(A calibrated pair of cameras.

A point x in metres in the left camera's axes (x right, y down, z forward) lies at rotation @ x + translation in those
of the right one: R and T of OpenCV's stereoCalibrate, T in metres. A right camera b metres to the right has the
translation (-b, 0, 0).

Parameters
----------
left, right : Camera
rotation : array of shape (3, 3)
translation : sequence of 3 float
    In metres.
)";

}  // namespace

nb::object matrix(std::span<const double> values, std::int64_t columns) {
  const auto rows = static_cast<std::int64_t>(values.size()) / columns;
  const NewArray made = new_memory(element_type<double>(), {rows, columns});
  std::memcpy(made.data, values.data(), values.size_bytes());
  return made.object;
}

void register_rigs(nb::module_& module) {
  nb::class_<Camera>(module, "Camera", camera_text)
      .def("__init__", make_camera, nb::arg("matrix"), nb::arg("distortion") = nb::none(), nb::arg("size") = nb::none(),
           nb::arg("model") = "pinhole",
           nb::sig("def __init__(self, matrix: object, distortion: object = None, size: tuple[int, int] | None = None, "
                   "model: Literal['pinhole', 'fisheye'] = 'pinhole') -> None"))
      .def_prop_ro(
          "size", [](const Camera& self) { return to_python(self.size); }, nb::sig("def size(self) -> tuple[int, int]"))
      .def_prop_ro(
          "matrix",
          [](const Camera& self) {
            const std::array<double, 9> m{self.fx, 0, self.cx, 0, self.fy, self.cy, 0, 0, 1};
            return matrix(m, 3);
          },
          nb::sig("def matrix(self) -> numpy.ndarray"))
      .def_prop_ro(
          "distortion", [](const Camera& self) { return matrix(self.distortion, 14).attr("ravel")(); },
          nb::sig("def distortion(self) -> numpy.ndarray"));
  nb::class_<StereoRig>(module, "StereoRig", rig_text)
      .def(
          "__init__",
          [](StereoRig* self, const Camera& left, const Camera& right, const nb::handle& rotation,
             const nb::handle& translation) {
            StereoRig rig;
            rig.left = left;
            rig.right = right;
            if (!rotation.is_none()) rig.rotation = exactly<9>(rotation, "rotation");
            rig.translation = exactly<3>(translation, "translation");
            check_rig(rig);
            new (self) StereoRig(rig);
          },
          nb::arg("left"), nb::arg("right"), nb::arg("rotation") = nb::none(), nb::arg("translation"),
          nb::sig("def __init__(self, left: Camera, right: Camera, rotation: object, translation: object) -> None"))
      .def_ro("left", &StereoRig::left)
      .def_ro("right", &StereoRig::right)
      .def_prop_ro(
          "rotation", [](const StereoRig& self) { return matrix(self.rotation, 3); },
          nb::sig("def rotation(self) -> numpy.ndarray"))
      .def_prop_ro(
          "translation", [](const StereoRig& self) { return matrix(self.translation, 3).attr("ravel")(); },
          nb::sig("def translation(self) -> numpy.ndarray"))
      .def_prop_ro("baseline_m", &StereoRig::baseline_m, "Distance of the cameras in metres.")
      .def(
          "doubts", [](const StereoRig& self) { return check_rig(self); },
          "What no usual rig has, a line each with its cure.");
}

}  // namespace vergence::python
