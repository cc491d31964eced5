// SPDX-License-Identifier: Apache-2.0
// Devices: what can do the work, and why something cannot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vergence {

namespace backend {
class Device;
}

/// One line of `Device::list()`.
struct DeviceInfo {
  std::string name;         ///< What Device's constructor takes: "reference", "cpu", ...
  std::string kind;         ///< "reference", "cpu", "opencl" or "cuda".
  std::string description;  ///< For people: instruction sets, cores.
  bool available = false;
  std::string reason;  ///< Why it is not available; empty where it is.
};

/// How a device is opened.
struct DeviceOptions {
  /// Threads that the device `cpu` may use; 0 = one per core. Range 0..1024. Changes speed and nothing else.
  int threads = 0;
  /// SIMD target that the device `cpu` must use ("SSSE3", "SSE4", "AVX2", "AVX3", "AVX3_DL", "NEON", ...); empty = the
  /// best one of this machine. A target that this machine or this build lacks is refused by name.
  std::string simd{};
};

/// A device to run on. A small handle: copies share the device. Every device gives the same bits.
class Device {
 public:
  /// Opens a device by name. An empty name means the environment variable VERGENCE_DEVICE, and where that is unset,
  /// "cpu". Throws Error(not_found) for an unknown name (the text lists the known ones) and Error(device) where the
  /// device is absent or fails its bit probe; never falls back to another device.
  explicit Device(std::string_view name = {}, const DeviceOptions& options = {});

  const std::string& name() const;
  const std::string& kind() const;
  const std::string& description() const;

  /// All devices this build knows, those that are absent too, with the reason.
  static std::vector<DeviceInfo> list();
  /// The SIMD targets compiled into `cpu` that this machine can run, best first.
  static std::vector<std::string> simd_targets();

  backend::Device& backend() const { return *backend_; }

 private:
  std::shared_ptr<backend::Device> backend_;
};

/// What `verify` found.
struct VerifyReport {
  int cases = 0;           ///< Inputs tried.
  int differences = 0;     ///< Cases in which at least one byte differed from `reference`.
  std::string first;       ///< The first differing case: seed, size, settings, map, pixel and both values.
  std::uint64_t hash = 0;  ///< Over all outputs of the device: equal on every machine for equal arguments.
};

/// Proves on this machine that `device` gives the bytes of `reference`: runs `cases` seeded random inputs and settings
/// through every stage on both.
VerifyReport verify(const Device& device, std::uint64_t seed = 1, int cases = 200);

}  // namespace vergence
