// SPDX-License-Identifier: Apache-2.0
// The figures of a study: one cell per variant, as a table for people and as JSON for scripts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/json_value.hpp"
#include "gpu/device.hpp"

namespace vergence::studies {

using Json = cli::Json;

/// One run of a variant, in ms. The first three by the device's clock, `wall` by the host's around copies and launches
/// of another run without events.
struct Times {
  double upload = 0, kernel = 0, download = 0, wall = 0;
};

/// One variant with all that was measured of it.
struct Cell {
  Json what = Json::object();  ///< What distinguishes it, in order: {"kernel": "global", "group": 32}.
  std::string refused;         ///< Why it could not run; empty where it ran.
  bool failed = false;         ///< It should have run: `refused` holds the error.
  double setup_ms = 0;         ///< Compiling, loading, memory.
  double compile_ms = 0;
  std::size_t code_bytes = 0;
  std::string code_kind;  ///< Of what these are bytes: "machine code", "PTX", "program file".
  int launches = 0;
  gpu::Range global{0, 0, 0}, local{0, 0, 0};  ///< Work-items.
  std::size_t local_bytes = 0;
  std::size_t bytes_up = 0, bytes_down = 0;
  Json counts = Json::object();  ///< What was counted, not timed.
  std::vector<Times> runs;
  bool must_equal = true;      ///< Does the promise of equal bytes cover this variant?
  std::int64_t differing = 0;  ///< Pixels that differ from the reference.

  bool ran() const { return refused.empty(); }
  Times median() const;
};

/// The medians, one by one.
Times median_of(const std::vector<Times>& runs);

struct Report {
  Json head = Json::object();   ///< Study, date, device, inputs, settings.
  Json notes = Json::object();  ///< Figures that belong to no variant.
  std::vector<Cell> cells;

  /// Aligned columns with a line of names.
  std::string table() const;
  /// One object; each cell is one line. A run is [upload, kernel, download, wall] in ms.
  std::string json_text() const;
  bool all_equal() const;
};

/// "2026-11-21T10:42:00Z".
std::string utc_now();
/// The commit that the program was built from: `scripts/studies` says it in VERGENCE_COMMIT, a program run by hand
/// knows none.
std::string commit();
/// The host: its processor and how many threads it runs.
Json machine_json();
/// What is known of a device.
Json device_json(const std::string& name, const gpu::Properties& properties);

}  // namespace vergence::studies
