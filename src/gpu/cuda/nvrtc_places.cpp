// SPDX-License-Identifier: Apache-2.0
// Lists where NVRTC may lie. No process is started: folders are looked at.
#include "gpu/cuda/nvrtc_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "gpu/cuda/driver.hpp"

namespace vergence::gpu::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* variable = "VERGENCE_NVRTC";
constexpr const char* toolkit = "/usr/local/cuda/lib64";

std::string variable_text(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// "python3.11" -> 11; -1 for other names. Debian's "python3" is older than any.
int python_version(std::string_view name) {
  constexpr std::string_view start = "python3";
  if (!name.starts_with(start)) return -1;
  name.remove_prefix(start.size());
  if (name.empty()) return 0;
  int minor = 0;
  const char* const end = name.data() + name.size();
  const bool whole = name.front() == '.' && std::from_chars(name.data() + 1, end, minor).ptr == end;
  return whole ? minor : -1;
}

/// Names in a folder; none where it cannot be read.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator one(folder, error), end; !error && one != end; one.increment(error))
    names.push_back(one->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Folders {
 public:
  /// Of Python packages below PREFIX/lib: newest Python first.
  void add_packages(const fs::path& prefix) {
    std::vector<std::pair<int, std::string>> pythons;
    for (std::string& name : names_in(prefix / "lib"))
      if (const int version = python_version(name); version >= 0) pythons.emplace_back(-version, std::move(name));
    std::sort(pythons.begin(), pythons.end());
    for (const auto& [order, name] : pythons)
      for (const char* const packages : {"site-packages", "dist-packages"})
        add_libraries(prefix / "lib" / name / packages);
  }
  /// Of a folder of Python packages: NVRTC 13 and later lie in nvidia/cu13, NVRTC 12 and earlier in nvidia/cuda_nvrtc.
  void add_libraries(const fs::path& packages) {
    std::vector<std::string> names = names_in(packages / "nvidia");
    std::reverse(names.begin(), names.end());
    for (const std::string& name : names)
      if (name == "cuda_nvrtc" || (name.starts_with("cu") && name.find_first_not_of("0123456789", 2) == name.npos))
        add_existing(packages / "nvidia" / name / "lib");
  }
  void add(const fs::path& folder) {
    if (std::find(all_.begin(), all_.end(), folder.string()) == all_.end()) all_.push_back(folder.string());
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  void add_existing(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) add(folder);
  }
  std::vector<std::string> all_;
};

/// Where the first python3 of PATH is installed; empty where there is none.
fs::path python_prefix(const std::string& path) {
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    if (const fs::path python = fs::path(folder) / "python3"; !folder.empty() && fs::exists(python, error))
      return python.parent_path().parent_path();
  }
  return {};
}

std::vector<std::string> names_by_version(int driver_major) {
  std::vector<std::pair<const char*, int>> versions{
      {"libnvrtc.so.13", 13}, {"libnvrtc.so.12", 12}, {"libnvrtc.so.11.2", 11}};
  if (driver_major > 0)
    std::stable_partition(versions.begin(), versions.end(),
                          [driver_major](const auto& one) { return one.second <= driver_major; });
  std::vector<std::string> names;
  for (const auto& one : versions) names.emplace_back(one.first);
  names.emplace_back("libnvrtc.so");
  return names;
}

}  // namespace

NvrtcSurroundings this_process() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return {variable_text(variable), variable_text("VIRTUAL_ENV"),
          variable_text("HOME"),   variable_text("PATH"),
          program.string(),        "",
          driver_version() / 1000};
}

std::vector<std::string> nvrtc_folders(const NvrtcSurroundings& surroundings) {
  Folders folders;
  folders.add(surroundings.root + toolkit);
  if (!surroundings.virtual_env.empty()) folders.add_packages(surroundings.virtual_env);
  if (const fs::path prefix = python_prefix(surroundings.path); !prefix.empty()) folders.add_packages(prefix);
  if (!surroundings.home.empty()) folders.add_packages(fs::path(surroundings.home) / ".local");
  for (const char* const prefix : {"/usr/local", "/usr"}) folders.add_packages(surroundings.root + prefix);
  // build/PRESET/bin/vergence -> build/nvrtc/packages
  if (!surroundings.program.empty())
    folders.add_libraries(fs::path(surroundings.program).parent_path().parent_path().parent_path() / "nvrtc" /
                          "packages");
  return folders.take();
}

std::vector<std::string> nvrtc_libraries(const NvrtcSurroundings& surroundings) {
  if (!surroundings.chosen.empty()) return {surroundings.chosen};
  const std::vector<std::string> folders = nvrtc_folders(surroundings);
  std::vector<std::string> libraries;
  for (const std::string& name : names_by_version(surroundings.driver_major)) {
    libraries.push_back(name);
    for (const std::string& folder : folders) libraries.push_back(folder + "/" + name);
  }
  return libraries;
}

std::string nvrtc_missing(const NvrtcSurroundings& surroundings, const std::string& reason) {
  if (!surroundings.chosen.empty())
    return fmt::format(
        "NVRTC (NVIDIA's compiler) cannot be opened: {} is {}, and the loader says: {}; name a libnvrtc.so.12 there, "
        "or "
        "unset it",
        variable, surroundings.chosen, reason);
  return fmt::format(
      "NVRTC (NVIDIA's compiler) cannot be opened: libnvrtc.so.13, libnvrtc.so.12, libnvrtc.so.11.2 and libnvrtc.so "
      "were tried on the loader's path, in {}, and in the Python packages of VIRTUAL_ENV, python3, the user and the "
      "system ({}); install it (pip install nvidia-cuda-nvrtc-cu12), or name the library in {}",
      fmt::join(nvrtc_folders(surroundings), ", "), reason, variable);
}

}  // namespace vergence::gpu::cuda
