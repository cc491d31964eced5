// SPDX-License-Identifier: Apache-2.0
// The bit probe on a GPU: small cases of everything that kernels build on, compared with what the host computes.
#pragma once

#include <string>

#include "gpu/device.hpp"
#include "gpu/disk_cache.hpp"

namespace vergence::gpu {

/// Runs it: every definition (definitions/probe.h), packed 16-bit differences and sums, local memory, atomics, float
/// products and sums rounded apart, and, where the device has doubles, those of core/bit_probe.hpp. Empty where every
/// bit is right, else what is wrong. Throws what the device throws.
std::string run_bit_probe(Device& device);

/// What the cache folder knows of a device's last probe: "" nothing, "passed", or what was wrong.
std::string remembered_bit_probe(Dialect dialect, const Properties& properties, const DiskCache& cache);

/// Throws Error(device), naming `name`, where the device fails. A device that passed once with this driver and this
/// version of the probe is not asked again, while the cache keeps its file.
void require_bit_probe(Device& device, const std::string& name, const DiskCache& cache);

}  // namespace vergence::gpu
