// SPDX-License-Identifier: Apache-2.0
// The text of a kept launch configuration, one "NAME NUMBER" a line, in a file of the cache folder.
#include "gpu/tuning.hpp"

#include <fmt/format.h>

#include <charconv>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/disk_cache.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {
namespace {

std::string key_of(const DiskCache& cache, const Device& device, const std::string& entry) {
  return cache.key(device.properties(), "tuning\n" + entry);
}

}  // namespace

std::string text_of(const backend::Tuning& tuning) {
  std::string text;
  for (const auto& [name, number] : tuning) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, number);
  return text;
}

std::optional<backend::Tuning> stored_tuning(const Device& device, const std::string& entry) {
  const DiskCache cache = DiskCache::of(device);
  if (cache.folder().empty()) return std::nullopt;
  const std::vector<std::byte> bytes = cache.read(key_of(cache, device, entry));
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: bytes are characters
  backend::Tuning tuning;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view digits = line.substr(std::min(line.find(' '), line.size() - 1) + 1);
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    tuning.emplace_back(line.substr(0, line.find(' ')), number);
  }
  if (tuning.empty()) return std::nullopt;
  return tuning;
}

std::string tuning_folder(const Device& device) {
  const DiskCache cache = DiskCache::of(device);
  if (!cache.folder().empty()) return cache.folder().string();
  throw Error(
      ErrorCode::io,
      "there is no cache folder to keep a launch configuration in: leave the kernel cache on, and set VERGENCE_CACHE, "
      "XDG_CACHE_HOME or HOME");
}

void keep_tuning(const Device& device, const std::string& entry, const backend::Tuning& tuning) {
  const std::string folder = tuning_folder(device);
  const DiskCache cache = DiskCache::of(device);
  std::string text;
  for (const auto& [name, number] : tuning) text += fmt::format("{} {}\n", name, number);
  cache.write(key_of(cache, device, entry), std::as_bytes(std::span(text)));
  if (stored_tuning(device, entry) != tuning)
    throw Error(
        ErrorCode::io,
        fmt::format("the launch configuration cannot be kept in '{}': see whether it can be written to", folder));
}

}  // namespace vergence::gpu
