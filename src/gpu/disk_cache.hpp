// SPDX-License-Identifier: Apache-2.0
// Compiled programs on disk, so that a second start compiles nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "gpu/device.hpp"

namespace vergence::gpu {

/// A folder of files named after the hash of everything that the code depends on. Reading or writing never throws: what
/// cannot be read is absent, what cannot be written is compiled again next time.
class DiskCache {
 public:
  /// $VERGENCE_CACHE ("off": none), else $XDG_CACHE_HOME/vergence, else ~/.cache/vergence.
  DiskCache();
  explicit DiskCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// The same folder, or none where the device is not to use one.
  static DiskCache of(const Device& device) {
    return device.uses_cache() ? DiskCache() : DiskCache(std::filesystem::path());
  }

  const std::filesystem::path& folder() const { return folder_; }
  /// Why nothing can be kept in the folder, with the cure; empty where it can, and where there is none.
  std::string problem() const;
  std::string key(const Properties& properties, const std::string& text) const;
  /// Empty where there is no such file, or it is truncated, changed, or of another format.
  std::vector<std::byte> read(const std::string& key) const;
  /// Under a temporary name first, then renamed: a reader sees a whole file or none.
  void write(const std::string& key, std::span<const std::byte> code) const;

 private:
  std::filesystem::path folder_;  ///< Empty: nothing is kept.
};

}  // namespace vergence::gpu
