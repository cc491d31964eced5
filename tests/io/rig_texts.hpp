// SPDX-License-Identifier: Apache-2.0
// Calibration files written by hand, for tests of their readers and writers.
#pragma once

#include <string>

#include "io/rig/formats.hpp"

namespace vergence::test {

/// As OpenCV's FileStorage writes YAML.
inline const std::string opencv_yaml = R"(%YAML:1.0
---
image_width: 640
image_height: 480
M1: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 5.3e+02, 0., 320.25, 0., 531., 240.5, 0., 0.,
       1. ]
D1: !!opencv-matrix
   rows: 1
   cols: 5
   dt: d
   data: [ -0.28, 0.07, 1.0e-03, -2.0e-04, 0.01 ]
M2: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 540., 0., 322., 0., 541., 238., 0., 0., 1. ]
D2: !!opencv-matrix
   rows: 1
   cols: 8
   dt: d
   data: [ 1., 2., 3., 4., 5., 6., 7., 8. ]
R: !!opencv-matrix
   rows: 3
   cols: 3
   dt: d
   data: [ 0.8, 0., 0.6, 0., 1., 0., -0.6, 0., 0.8 ]
T: !!opencv-matrix
   rows: 3
   cols: 1
   dt: d
   data: [ -0.08, 0., 0.06 ]
)";

/// Rotations and projections that fit them: R1 = R2 R = I, R2 T = (-0.1, 0, 0).
inline const std::string opencv_rectification =
    R"(R1: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [ 1., 0., 0., 0., 1., 0., 0., 0., 1. ] }
R2: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [ 0.8, 0., -0.6, 0., 1., 0., 0.6, 0., 0.8 ] }
P1: !!opencv-matrix { rows: 3, cols: 4, dt: d, data: [ 400., 0., 320., 0., 0., 400., 240., 0., 0., 0., 1., 0. ] }
P2: !!opencv-matrix { rows: 3, cols: 4, dt: d, data: [ 400., 0., 320., -40., 0., 400., 240., 0., 0., 0., 1., 0. ] }
Q: !!opencv-matrix { rows: 4, cols: 4, dt: d, data: [ 1., 0., 0., -320., 0., 1., 0., -240., 0., 0., 0., 400., 0., 0., 10., 0. ] }
)";

inline const std::string ros_left = R"(image_width: 640
image_height: 480
camera_name: narrow_stereo/left
camera_matrix:
  rows: 3
  cols: 3
  data: [530.0, 0.0, 320.25, 0.0, 531.0, 240.5, 0.0, 0.0, 1.0]
distortion_model: plumb_bob
distortion_coefficients:
  rows: 1
  cols: 5
  data: [-0.28, 0.07, 0.001, -0.0002, 0.01]
rectification_matrix:
  rows: 3
  cols: 3
  data: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
projection_matrix:
  rows: 3
  cols: 4
  data: [400.0, 0.0, 320.0, 0.0, 0.0, 400.0, 240.0, 0.0, 0.0, 0.0, 1.0, 0.0]
)";

/// As `rostopic echo` prints it.
inline const std::string ros_right = R"(header:
  seq: 7
  stamp: {secs: 0, nsecs: 0}
  frame_id: "right"
height: 480
width: 640
distortion_model: "rational_polynomial"
D: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
K: [540.0, 0.0, 322.0, 0.0, 541.0, 238.0, 0.0, 0.0, 1.0]
R: [0.8, 0.0, -0.6, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]
P: [400.0, 0.0, 320.0, -40.0, 0.0, 400.0, 240.0, 0.0, 0.0, 0.0, 1.0, 0.0]
binning_x: 0
roi: {x_offset: 0, y_offset: 0, height: 0, width: 0, do_rectify: false}
)";

inline const std::string kalibr = R"(cam0:
  cam_overlaps: [1]
  camera_model: pinhole
  distortion_coeffs: [-0.28, 0.07, 0.001, -0.0002]
  distortion_model: radtan
  intrinsics: [530.0, 531.0, 320.25, 240.5]
  resolution: [640, 480]
  rostopic: /cam0/image_raw
cam1:
  T_cn_cnm1:
  - [0.8, 0.0, 0.6, -0.08]
  - [0.0, 1.0, 0.0, 0.0]
  - [-0.6, 0.0, 0.8, 0.06]
  - [0.0, 0.0, 0.0, 1.0]
  cam_overlaps: [0]
  camera_model: pinhole
  distortion_coeffs: [0.1, 0.2, 0.3, 0.4]
  distortion_model: equidistant
  intrinsics: [540.0, 541.0, 322.0, 238.0]
  resolution: [640, 480]
  rostopic: /cam1/image_raw
)";

/// A body turned by 90 degrees about z: the camera's x is the body's y.
inline std::string euroc(const std::string& place_y) {
  return R"(# General sensor definitions.
sensor_type: camera
comment: VI-Sensor cam
T_BS:
  cols: 4
  rows: 4
  data: [0.0, -1.0, 0.0, 0.5,
         1.0, 0.0, 0.0, )" +
         place_y + R"(,
         0.0, 0.0, 1.0, 2.0,
         0.0, 0.0, 0.0, 1.0]
rate_hz: 20
resolution: [752, 480]
camera_model: pinhole
intrinsics: [458.5, 457.5, 367.25, 248.5] #fu, fv, cu, cv
distortion_model: radial-tangential
distortion_coefficients: [-0.28, 0.07, 0.0002, 1.75e-05]
)";
}

/// Camera 2 is turned by 90 degrees about z beside camera 0, camera 3 is not turned.
inline const std::string kitti_raw = R"(calib_time: 09-Jan-2012 13:57:47
corner_dist: 9.950000e-02
S_02: 1.392000e+03 5.120000e+02
K_02: 9.6e+02 0 7.0e+02 0 9.5e+02 2.2e+02 0 0 1
D_02: -3.6e-01 2.0e-01 1.5e-03 -3.0e-04 -6.0e-02
R_02: 0 -1 0 1 0 0 0 0 1
T_02: 0.25 0 0
S_rect_02: 1.242000e+03 3.750000e+02
R_rect_02: 0 1 0 -1 0 0 0 0 1
P_rect_02: 700 0 600 0 0 700 172 0 0 0 1 0
S_03: 1.392000e+03 5.120000e+02
K_03: 9.7e+02 0 7.1e+02 0 9.6e+02 2.3e+02 0 0 1
D_03: 1 2 3 4 5
R_03: 1 0 0 0 1 0 0 0 1
T_03: -0.5 0 0
S_rect_03: 1.242000e+03 3.750000e+02
R_rect_03: 1 0 0 0 1 0 0 0 1
P_rect_03: 700 0 600 -350 0 700 172 175 0 0 1 0
)";

inline const std::string kitti_odometry =
    "P0: 718.5 0 607.25 0 0 718.5 185.5 0 0 0 1 0\nP1: 718.5 0 607.25 -359.25 0 718.5 185.5 0 0 0 1 0\n";

inline const std::string middlebury =
    "cam0=[1733.74 0 792.27; 0 1733.75 541.89; 0 0 1]\ncam1=[1733.74 0 822.27; 0 1733.75 541.89; 0 0 1]\n"
    "doffs=30\nbaseline=536.62\nwidth=1920\nheight=1080\nndisp=170\n";

inline RigFile parsed(const std::string& text, const RigReadOptions& options = {}) {
  return io::rig::parse_rig({{text, "a"}}, options);
}
inline RigFile parsed(const std::string& left, const std::string& right, const RigReadOptions& options = {}) {
  return io::rig::parse_rig({{left, "l"}, {right, "r"}}, options);
}

/// `text` with the first `from` replaced, which must be there.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace vergence::test
