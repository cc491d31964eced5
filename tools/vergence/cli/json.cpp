// SPDX-License-Identifier: Apache-2.0
// JSON as the program prints it.
#include "cli/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "cli/command.hpp"
#include "vergence/version.hpp"

namespace vergence::cli {

Json json_report() { return Json{{"version", VERGENCE_VERSION}}; }

std::string json_text(const Json& object) { return printable_json(object.dump(2)) + "\n"; }

void print_json(const Json& object) { print_text(json_text(object)); }

Json json_number(double value, int decimals) {
  if (!std::isfinite(value)) return nullptr;
  const double unit = std::pow(10.0, decimals);
  return std::round(value * unit) / unit;
}

std::string hash_text(std::uint64_t hash) { return fmt::format("0x{:016x}", hash); }

}  // namespace vergence::cli
