// SPDX-License-Identifier: Apache-2.0
// Files of compiled programs: their name, their header, and how they get there whole.
#include "gpu/disk_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/switch_words.hpp"

namespace vergence::gpu {
namespace {

/// Changes whenever the layout below does, or what is made of a text, so that files of older versions are foreign.
constexpr std::string_view format = "vergence-kernel-2";

struct Header {
  char format[24];
  std::uint64_t size;
  std::uint64_t checksum;
};

/// FNV-1a with a seed of choice.
std::uint64_t hash(std::string_view bytes, std::uint64_t state) {
  for (const char c : bytes) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return state;
}
constexpr std::uint64_t seed_1 = 0xCBF29CE484222325ULL, seed_2 = 0x9AE16A3B2F90404FULL;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: bytes are characters
}

Header header_of(std::span<const std::byte> code) {
  Header header{};
  format.copy(header.format, sizeof(header.format) - 1);
  header.size = code.size();
  header.checksum = hash(as_text(code), seed_1);
  return header;
}

std::filesystem::path default_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string own = variable("VERGENCE_CACHE");
  if (means_off(own)) return {};  // no folder
  if (!own.empty() && !means_on(own)) return own;
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return std::filesystem::path(xdg) / "vergence";
  if (const std::string home = variable("HOME"); !home.empty())
    return std::filesystem::path(home) / ".cache" / "vergence";
  return {};
}

/// What keeps a file from being made there. Permissions alone do not tell: some file systems take none, a full disk has
/// no room.
std::string writing_problem(const std::filesystem::path& folder) {
  const std::string name = (folder / fmt::format(".vergence.{}", getpid())).string();
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return errno == EEXIST ? "" : std::strerror(errno);
  const std::string problem = ::write(file, "x", 1) == 1 ? "" : std::strerror(errno);
  close(file);
  unlink(name.c_str());
  return problem;
}

}  // namespace

DiskCache::DiskCache() : folder_(default_folder()) {}

std::string DiskCache::problem() const {
  if (folder_.empty()) return {};
  std::error_code error;
  std::filesystem::path existing = std::filesystem::absolute(folder_, error);
  while (existing != existing.parent_path() && !std::filesystem::exists(existing, error))
    existing = existing.parent_path();
  std::string why;
  if (!std::filesystem::exists(folder_, error) && error == std::errc::filename_too_long)
    why = "its name is too long";
  else if (!std::filesystem::is_directory(existing, error))
    why = fmt::format("{} is no folder", existing.string());
  else if (std::string problem = writing_problem(existing); !problem.empty())
    why = fmt::format("{} cannot be written: {}", existing.string(), problem);
  if (why.empty()) return {};
  return fmt::format(
      "the cache folder {} cannot be used ({}), so that kernels are compiled in every run: set VERGENCE_CACHE to a "
      "folder that can be written, or to off",
      folder_.string(), why);
}

std::string DiskCache::key(const Properties& p, const std::string& text) const {
  const std::string all =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}", format, p.device, p.api, p.driver, p.architecture, text);
  return fmt::format("{:016x}{:016x}.bin", hash(all, seed_1), hash(all, seed_2));
}

std::vector<std::byte> DiskCache::read(const std::string& key) const {
  std::error_code problem;
  if (folder_.empty() || !std::filesystem::is_regular_file(folder_ / key, problem)) return {};
  std::ifstream file(folder_ / key, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
  Header header{};
  if (size <= static_cast<std::streamoff>(sizeof(header))) return {};
  file.seekg(0);
  std::vector<std::byte> code(static_cast<std::size_t>(size) - sizeof(header));
  file.read(reinterpret_cast<char*>(&header), sizeof(header));  // NOLINT: bytes are characters
  file.read(reinterpret_cast<char*>(code.data()), static_cast<std::streamsize>(code.size()));  // NOLINT
  const Header expected = header_of(code);  // format, size and checksum
  if (!file || std::memcmp(&header, &expected, sizeof(header)) != 0) return {};
  return code;
}

void DiskCache::write(const std::string& key, std::span<const std::byte> code) const {
  if (folder_.empty() || code.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  const std::filesystem::path temporary =
      folder_ / fmt::format("{}.{}.{}", key, getpid(), static_cast<const void*>(&code));
  const Header header = header_of(code);
  {
    std::ofstream file(temporary, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof(header));  // NOLINT: bytes are characters
    file.write(as_text(code).data(), static_cast<std::streamsize>(code.size()));
    file.close();
    if (!file) {
      std::filesystem::remove(temporary, ignored);
      return;
    }
  }
  std::filesystem::rename(temporary, folder_ / key, ignored);
  if (ignored) std::filesystem::remove(temporary, ignored);
}

}  // namespace vergence::gpu
