// SPDX-License-Identifier: Apache-2.0
// Live input: --stream and what belongs to it, and what reports say of a live source.
#pragma once

#include <optional>
#include <string>

#include "cli/json.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

class Command;

struct LiveArguments {
  bool on = false;
  std::optional<std::string> timeout, reconnects;
};
void add_live_options(Command command, LiveArguments& arguments);

/// How `source` is read where --stream is given, else nothing; `raw` where it is raw video. From then on the first
/// signal ends the source, and the run may end by itself. UsageError for what does not go together.
std::optional<LiveOptions> live_options(const LiveArguments& arguments, const std::string& source, bool raw = false);

/// The same for a program that a signal ends at once.
std::optional<LiveOptions> plain_live_options(const LiveArguments& arguments);

Json live_json(const LiveReport& report);
void print_live(const LiveReport& report);

}  // namespace vergence::cli
