// SPDX-License-Identifier: Apache-2.0
// A folder that looks like Linux' powercap zones.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace vergence::test {

/// Vanishes with the object.
class PowercapTree {
 public:
  PowercapTree() {
    std::string name = (std::filesystem::temp_directory_path() / "powercap-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    root_ = name;
    std::filesystem::permissions(root_, std::filesystem::perms(0755));  // for tests that read as somebody else
  }
  ~PowercapTree() { std::filesystem::remove_all(root_); }
  PowercapTree(const PowercapTree&) = delete;
  PowercapTree& operator=(const PowercapTree&) = delete;

  std::string path(const std::string& name = {}) const { return name.empty() ? root_ : root_ + "/" + name; }

  /// A zone "intel-rapl:0:1" that the kernel calls "core".
  void zone(const std::string& folder, const std::string& name, std::uint64_t energy,
            std::uint64_t range = 262'143'328'850) const {
    std::filesystem::create_directory(path(folder));
    write(folder + "/name", name + "\n");
    write(folder + "/max_energy_range_uj", std::to_string(range) + "\n");
    set(folder, energy);
  }
  /// The zone's counter, in microjoules; whoever reads at the same time sees the old or the new one.
  void set(const std::string& folder, std::uint64_t energy) const {
    write(folder + "/next", std::to_string(energy) + "\n");
    std::filesystem::rename(path(folder + "/next"), path(folder + "/energy_uj"));
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(path(file)) << text; }

 private:
  std::string root_;
};

}  // namespace vergence::test
