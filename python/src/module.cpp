// SPDX-License-Identifier: Apache-2.0
// The module vergence._core: everything that the package exports from C++.
#include <nanobind/nanobind.h>

#include "device.hpp"
#include "errors.hpp"
#include "filter.hpp"
#include "hash.hpp"
#include "motion.hpp"
#include "options.hpp"
#include "pipeline.hpp"
#include "process.hpp"
#include "rectify.hpp"
#include "rig_files.hpp"
#include "score.hpp"
#include "stereo.hpp"
#include "synth.hpp"
#include "track.hpp"
#include "track_score.hpp"
#include "vergence/version.hpp"

NB_MODULE(_core, module) {
  using namespace vergence::python;  // NOLINT(google-build-using-namespace)
  nb::set_leak_warnings(false);      // objects that Python keeps to its very end are no news to users
  module.doc() = "The library's classes and functions; import vergence instead.";
  module.attr("__version__") = VERGENCE_VERSION;
  register_errors();
  register_process(module);
  register_options(module);
  register_devices(module);
  register_stereo(module);
  register_motion(module);
  register_motion_sizes(module);
  register_track(module);
  register_filter(module);
  register_rectify(module);
  register_rig_files(module);
  register_score(module);
  register_track_score(module);
  register_synth(module);
  register_pipeline(module);
  register_hash(module);
}
