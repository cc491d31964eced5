// SPDX-License-Identifier: Apache-2.0
// A calibration whose right camera is turned to where its pictures say it is.
#include "core/matrix.hpp"
#include "vergence/rig_check.hpp"

namespace vergence {

StereoRig mended_rig(const StereoRig& rig, const RectifiedRig& rectified, const RigFindings& found) {
  using namespace matrix;  // NOLINT(google-build-using-namespace): its operators
  check_rig(rig);
  if (!found.known) return rig;
  // A ray x of the right camera is seen rectified along r2 x, and should be along D^T r2 x, where D is what was found:
  // as if the camera stood turned by N = r2^T D r2, with its centre where it is.
  const Matrix3x3& r2 = rectified.projections.r2;
  const Matrix3x3 turn = transposed(r2) * (rotation_by({found.pitch, found.yaw, found.roll}) * r2);
  StereoRig mended = rig;
  mended.rotation = turn * rig.rotation;
  mended.translation = turn * Vector3(rig.translation);
  if (mended.rectified) mended.rectified->r2 = rig.rectified->r2 * transposed(turn);
  return mended;
}

}  // namespace vergence
