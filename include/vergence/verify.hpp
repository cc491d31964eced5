// SPDX-License-Identifier: Apache-2.0
// What goes with `verify` (vergence/device.hpp).
#pragma once

#include <string>

#include "vergence/device.hpp"

namespace vergence {

/// The domains that `verify` leaves out on this device because it does not have them, each with the device's own words;
/// empty where it has all. A hash of `verify` equals another machine's only where both leave out the same.
std::string verify_leaves_out(const Device& device);

}  // namespace vergence
