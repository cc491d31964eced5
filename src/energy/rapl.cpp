// SPDX-License-Identifier: Apache-2.0
// Finds powercap zones and reads their files.
#include "energy/rapl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>

#include "vergence/error.hpp"

namespace vergence::energy {
namespace {

namespace fs = std::filesystem;

constexpr const char* energy_file = "energy_uj";
constexpr const char* range_file = "max_energy_range_uj";
/// The registers are updated about every millisecond: Intel, Software Developer's Manual, volume 3, section on RAPL.
constexpr double update_interval = 1e-3;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(ErrorCode::io, fmt::format("{} {}", file.string(), why));
}

/// The first line of a file of the kernel's, which are tiny.
std::string line_of(const fs::path& file) {
  std::FILE* const stream = std::fopen(file.c_str(), "re");
  if (stream == nullptr) {
    const int code = errno;
    const char* const cure =
        code == EACCES || code == EPERM ? " (run as root, or let root allow it: chmod a+r on that file)" : "";
    refuse(file, fmt::format("cannot be read: {}{}", std::strerror(code), cure));
  }
  char text[128];
  errno = 0;
  const std::size_t size = std::fread(text, 1, sizeof(text), stream);
  const int code = std::ferror(stream) != 0 ? (errno != 0 ? errno : EIO) : 0;
  std::fclose(stream);
  if (code != 0) refuse(file, fmt::format("cannot be read: {}", std::strerror(code)));
  const std::string_view all(text, size);
  return std::string(all.substr(0, all.find('\n')));
}

std::uint64_t number_of(const fs::path& file) {
  const std::string line = line_of(file);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc() || end != line.data() + line.size())
    refuse(file, fmt::format("holds '{}', which is no number of microjoules", line));
  return value;
}

class RaplCounter final : public Counter {
 public:
  RaplCounter(EnergyCounter about, std::uint64_t range, fs::path file)
      : Counter(std::move(about), 1e-6, range), file_(std::move(file)) {}
  std::uint64_t read() override { return number_of(file_); }

 private:
  fs::path file_;
};

/// A zone as its folder is called: "intel-rapl:0:2" is the third part of the first zone of its type.
struct Zone {
  std::string type;
  std::vector<int> numbers;
  fs::path folder;
};

std::optional<Zone> zone_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::size_t colon = name.find(':');
  Zone zone{name.substr(0, colon), {}, folder};
  if (!zone.type.starts_with("intel-rapl")) return std::nullopt;
  while (colon != std::string::npos) {
    const std::size_t next = name.find(':', colon + 1);
    const char* const end = name.data() + (next == std::string::npos ? name.size() : next);
    int number = 0;
    const auto [stop, error] = std::from_chars(name.data() + colon + 1, end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    zone.numbers.push_back(number);
    colon = next;
  }
  if (zone.numbers.empty()) return std::nullopt;
  return zone;
}

/// All zones, those above before those below, "intel-rapl" before "intel-rapl-mmio".
std::vector<Zone> zones_in(const fs::path& folder, std::error_code& problem) {
  std::vector<Zone> zones;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
    if (std::optional<Zone> zone = zone_of(at->path())) zones.push_back(*std::move(zone));
  std::sort(zones.begin(), zones.end(),
            [](const Zone& a, const Zone& b) { return std::tie(a.type, a.numbers) < std::tie(b.type, b.numbers); });
  return zones;
}

/// Without a range a counter that starts again cannot be told from one that was set back.
std::uint64_t range_of(const Zone& zone) {
  try {
    return number_of(zone.folder / range_file);
  } catch (const Error&) {
    return 0;
  }
}

/// Parts of a package are within its figure, memory beside it.
bool is_part(std::string_view name) { return name != "dram"; }

}  // namespace

Sources find_rapl(const std::string& folder) {
  Sources found;
  std::error_code problem;
  const std::vector<Zone> zones = fs::exists(folder, problem) ? zones_in(folder, problem) : std::vector<Zone>();
  if (problem)
    found.missing.push_back({"RAPL", fmt::format("{} cannot be listed: {}", folder, problem.message())});
  else if (!fs::exists(folder, problem))
    found.missing.push_back({"RAPL", fmt::format("{} is not there", folder)});
  else if (zones.empty())
    found.missing.push_back({"RAPL", fmt::format("{} has no RAPL zone", folder)});
  std::map<std::pair<std::string, std::vector<int>>, std::string> names;  // of those that were seen, by number
  std::set<std::string> taken;
  for (const Zone& zone : zones) {
    std::string name = zone.folder.filename().string(), above;
    try {
      const std::string own = line_of(zone.folder / "name");
      const auto parent = names.find({zone.type, {zone.numbers.begin(), zone.numbers.end() - 1}});
      if (parent != names.end()) above = parent->second;
      name = above.empty() ? own : fmt::format("{}/{}", above, own);
      names[{zone.type, zone.numbers}] = name;
      if (taken.contains(name)) continue;
      number_of(zone.folder / energy_file);  // tells whether it can be read
      taken.insert(name);
      EnergyCounter about{name, "RAPL", zone.folder.string(), "", is_part(own) ? above : "", update_interval, false};
      found.counters.push_back(
          std::make_unique<RaplCounter>(std::move(about), range_of(zone), zone.folder / energy_file));
    } catch (const Error& error) {
      found.missing.push_back({"RAPL " + name, error.what()});
    }
  }
  return found;
}

}  // namespace vergence::energy
