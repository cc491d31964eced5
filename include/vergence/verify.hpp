// SPDX-License-Identifier: Apache-2.0
// Proving on this machine that a device gives the bytes of the reference.
#pragma once

#include <cstdint>
#include <string>

#include "vergence/device.hpp"

namespace vergence {

/// What `verify` found.
struct VerifyReport {
  int cases = 0;           ///< Seeds tried.
  int differences = 0;     ///< Cases in which at least one byte differed from `reference`.
  std::string first;       ///< The first differing case: domain, seed, size, settings, map, pixel, both values.
  std::uint64_t hash = 0;  ///< Over all outputs of the device: equal on every machine for equal arguments.
};

/// Proves on this machine that `device` gives the bytes of `reference`: for each of `cases` seeds, a random stereo pair
/// and a random pair of frames with points go through every stage of stereo, motion, filters, rectification and
/// tracks, with random settings, on both. Domains that the device does not have are left out, see verify_leaves_out.
///
/// ```cpp
/// const Device device("cpu");
/// const VerifyReport report = verify(device, 1, 50);
/// if (report.differences > 0) throw Error(ErrorCode::device, report.first);
/// const std::string left_out = verify_leaves_out(device);  // empty: all domains were tried
/// ```
VerifyReport verify(const Device& device, std::uint64_t seed = 1, int cases = 200);

/// The domains that `verify` leaves out on this device because it does not have them, each with the device's own words;
/// empty where it has all. A hash of `verify` equals another machine's only where both leave out the same.
std::string verify_leaves_out(const Device& device);

}  // namespace vergence
