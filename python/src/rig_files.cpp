// SPDX-License-Identifier: Apache-2.0
// Reads and writes files of calibrated rigs.
#include "rig_files.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "errors.hpp"
#include "process.hpp"
#include "vergence/error.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::python {
namespace {

/// The bytes of a file's name, as Python's open takes them: str, bytes or os.PathLike.
std::string path_of(nb::handle value, const char* what) {
  PyObject* encoded = nullptr;
  if (PyUnicode_FSConverter(value.ptr(), &encoded) == 0) {
    PyErr_Clear();
    throw WrongType(fmt::format("{} is {}: a file's name is needed, str, bytes or os.PathLike, without a zero byte",
                                what, nb::cast<std::string>(nb::repr(value))));
  }
  const nb::bytes bytes = nb::steal<nb::bytes>(encoded);
  return {bytes.c_str(), bytes.size()};
}

std::vector<std::string> paths_of(nb::handle path, nb::handle other) {
  std::vector<std::string> paths{path_of(path, "path")};
  if (!other.is_none()) paths.push_back(path_of(other, "other"));
  return paths;
}

RigFile read(const nb::handle& path, const nb::handle& other, std::optional<int> left_camera,
             std::optional<int> right_camera, double metres_per_unit, bool fisheye) {
  const std::vector<std::string> paths = paths_of(path, other);
  const RigReadOptions options{left_camera, right_camera, metres_per_unit, fisheye};
  try {
    return without_gil([&] { return read_rig(paths, options); });
  } catch (const Error& error) {
    // In Python a file that is missing is an OSError.
    if (error.code() == ErrorCode::not_found) throw Error(ErrorCode::io, error.what());
    throw;
  }
}

void write(const nb::handle& path, const StereoRig& rig, const std::string& name, const nb::handle& other) {
  const std::optional<RigFormat> format = rig_format_named(name);
  if (!format)
    refuse(
        fmt::format("format is '{}': allowed are opencv-yaml, opencv-xml, opencv-json, ros, kalibr, euroc, "
                    "kitti-odometry, middlebury",
                    name));
  const std::vector<std::string> paths = paths_of(path, other);
  without_gil([&] { write_rig(paths, rig, *format); });
}

constexpr const char* read_text = R"(Reads a calibrated pair of cameras from one file or two, and checks it.

The format is recognised by what is in the files: OpenCV's FileStorage (M1 D1 M2 D2 R T; YAML, XML, JSON), Kalibr's
camchain, KITTI and Middlebury, in one file; ROS's camera_info and EuRoC's sensor.yaml, in two: left and right.

Parameters
----------
path, other : str, bytes or os.PathLike
left_camera, right_camera : int, optional
    Cameras of a file that holds more than two: Kalibr (0 and 1), KITTI raw (2 and 3), KITTI odometry (0 and 1).
metres_per_unit : float
    Length that the file's translations count in; 0.001 where a chessboard's square was given in mm.
fisheye : bool
    Lenses of OpenCV's files are fisheyes.

Returns
-------
RigFile
    `rig`, `format`, and `doubts`: what no usual rig has, a line each with its cure.

Raises
------
IoError
    A file cannot be read. It is an OSError.
BadDataError
    What a file holds is missing, unknown or wrong: the text names file, name and line.
UnsupportedError
    A lens is of another model.

Examples
--------
>>> import os, tempfile
>>> camera = vergence.Camera([[500, 0, 319.5], [0, 500, 239.5], [0, 0, 1]], [-0.1], size=(480, 640))
>>> rig = vergence.StereoRig(camera, camera, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], (-0.12, 0, 0))
>>> path = os.path.join(tempfile.mkdtemp(), "rig.yml")
>>> vergence.write_rig(path, rig, "opencv-yaml")
>>> file = vergence.read_rig(path)
>>> file.rig == rig, file.format, file.doubts
(True, 'opencv-yaml', [])
)";

constexpr const char* write_text = R"(Writes a rig to a file; one that is there is replaced.

Numbers are the shortest decimals that read back as the same bits. What a format cannot hold is refused, and nothing is
written: lenses beyond its own, or cameras that are not rectified. The rectification is left out where there is no place
for it (kalibr, euroc), and all but the rectified pair is (kitti-odometry, middlebury). ros needs a rectification.

Parameters
----------
path : str, bytes or os.PathLike
rig : StereoRig
format : str
    'opencv-yaml', 'opencv-xml', 'opencv-json', 'ros', 'kalibr', 'euroc', 'kitti-odometry' or 'middlebury'.
other : str, bytes or os.PathLike, optional
    The right camera's file, of ros and euroc.
)";

}  // namespace

void register_rig_files(nb::module_& module) {
  nb::class_<RigFile>(module, "RigFile", "What read_rig found.")
      .def_ro("rig", &RigFile::rig, nb::for_getter(nb::sig("def rig(self) -> StereoRig")))
      .def_prop_ro(
          "format", [](const RigFile& self) { return std::string(rig_format_name(self.format)); },
          "'opencv-yaml', 'kitti-raw', ...")
      .def_ro("doubts", &RigFile::doubts, "What no usual rig has, a line each with its cure.");
  module.def("read_rig", read, nb::arg("path").none(), nb::arg("other") = nb::none(), nb::kw_only(),
             nb::arg("left_camera") = nb::none(), nb::arg("right_camera") = nb::none(),
             nb::arg("metres_per_unit") = 1.0, nb::arg("fisheye") = false,
             nb::sig("def read_rig(path: str | bytes | os.PathLike, other: str | bytes | os.PathLike | None = None, *, "
                     "left_camera: int | None = None, right_camera: int | None = None, metres_per_unit: float = 1.0, "
                     "fisheye: bool = False) -> RigFile"),
             read_text);
  module.def("write_rig", write, nb::arg("path").none(), nb::arg("rig"), nb::arg("format"),
             nb::arg("other") = nb::none(),
             nb::sig("def write_rig(path: str | bytes | os.PathLike, rig: StereoRig, format: Literal['opencv-yaml', "
                     "'opencv-xml', 'opencv-json', 'ros', 'kalibr', 'euroc', 'kitti-odometry', 'middlebury'], other: "
                     "str | bytes | os.PathLike | None = None) -> None"),
             write_text);
}

}  // namespace vergence::python
