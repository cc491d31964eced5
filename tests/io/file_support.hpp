// SPDX-License-Identifier: Apache-2.0
// Files for tests: a directory that vanishes, bytes in and out, pictures with known values.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vergence/image.hpp"

namespace vergence::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "vergence-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  /// Names of all entries, hidden ones too, sorted.
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

/// An image whose rows have gaps, which hold a guard value that nobody may read or change.
template <class T>
class GuardedImage {
 public:
  GuardedImage(int width, int height) : all_(width + 5, height, guard()), width_(width) {}
  ImageView<T> view() { return {all_.data(), width_, all_.height(), all_.stride()}; }
  ImageView<const T> view() const { return {all_.data(), width_, all_.height(), all_.stride()}; }

 private:
  static T guard() { return static_cast<T>(77); }
  Image<T> all_;
  int width_;
};

/// Values that differ from pixel to pixel and use all bits.
template <class T>
T pattern(int x, int y) {
  const std::uint32_t mixed =
      (static_cast<std::uint32_t>(x) * 2654435761u) ^ (static_cast<std::uint32_t>(y) * 40503u + 0x9E37u * 65537u);
  return static_cast<T>(mixed ^ (mixed >> 13));
}

template <class T>
void fill_pattern(ImageView<T> view) {
  for (int y = 0; y < view.height(); ++y)
    for (int x = 0; x < view.width(); ++x) view(x, y) = pattern<T>(x, y);
}

/// Calls `use` with every proper beginning of `bytes`, from nothing on.
template <class Use>
void for_every_beginning(const std::string& bytes, Use use) {
  for (std::size_t length = 0; length < bytes.size(); ++length) use(bytes.substr(0, length));
}

}  // namespace vergence::test
