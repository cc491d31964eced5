// SPDX-License-Identifier: Apache-2.0
// Launch configurations of entry points: the form of each domain's table of entries, and what `vergence tune` has found
// best, kept in the cache folder by entry, device and driver.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/tuning.hpp"
#include "gpu/device.hpp"

namespace vergence::gpu {

/// "group 64, rows 32"
std::string text_of(const backend::Tuning& tuning);

/// What was kept; nothing where there is none, the file is broken, or the device is not to use the cache folder.
std::optional<backend::Tuning> stored_tuning(const Device& device, const std::string& entry);

/// The folder that launch configurations are kept in; Error(io) where there is no folder for them.
std::string tuning_folder(const Device& device);

/// Replaces what was kept, whole or not at all. Throws Error(io) where it cannot.
void keep_tuning(const Device& device, const std::string& entry, const backend::Tuning& tuning);

/// A launch configuration that an entry must have, whatever was kept; none where `entry` is empty.
struct RequestedTuning {
  std::string entry;
  backend::Tuning numbers;
};

/// A row of a domain's table: what is tuned apart from anything else, with launch configurations of type T.
template <class T>
struct TunedEntry {
  std::string name;
  backend::Workload workload;
  std::vector<T> (*candidates)(const Properties&);          ///< The default first, none twice.
  backend::Tuning (*numbers)(const T&);                     ///< Of the fields that the entry is about.
  void (*configure)(T& configuration, const T& candidate);  ///< Copies those fields.
};

/// Takes into `configuration` what was requested of the entry, else what was kept for it; neither where this build or
/// this device has no such candidate.
template <class T>
void configure(const TunedEntry<T>& entry, const Device& device, const RequestedTuning& requested, T& configuration) {
  const std::optional<backend::Tuning> numbers =
      requested.entry == entry.name ? requested.numbers : stored_tuning(device, entry.name);
  if (!numbers) return;
  for (const T& candidate : entry.candidates(device.properties()))
    if (entry.numbers(candidate) == *numbers) return entry.configure(configuration, candidate);
}

/// Adds a domain's table as the rest of the library sees it.
template <class T>
void list_entries(const std::vector<TunedEntry<T>>& table, const Properties& properties,
                  std::vector<backend::TuningEntry>& entries) {
  for (const TunedEntry<T>& one : table) {
    backend::TuningEntry& entry = entries.emplace_back(backend::TuningEntry{one.name, one.workload, {}});
    for (const T& candidate : one.candidates(properties)) entry.candidates.push_back(one.numbers(candidate));
  }
}

}  // namespace vergence::gpu
