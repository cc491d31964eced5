// SPDX-License-Identifier: Apache-2.0
// Live input: options, and what reports say.
#include "cli/live_option.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"

namespace vergence::cli {
namespace {

constexpr const char* heading = "Live input";

const char* end_word(LiveEnd end) {
  switch (end) {
    case LiveEnd::open:
      return "frames";
    case LiveEnd::source:
      return "source";
    case LiveEnd::stopped:
      return "signal";
    case LiveEnd::lost:
      return "lost";
  }
  return "";
}

const char* end_text(LiveEnd end) {
  switch (end) {
    case LiveEnd::open:
      return "all frames that were asked for";
    case LiveEnd::source:
      return "the source ended";
    case LiveEnd::stopped:
      return "ended by a signal";
    case LiveEnd::lost:
      return "lost for good";
  }
  return "";
}

}  // namespace

void add_live_options(Command command, LiveArguments& arguments) {
  command
      .flag("--stream", arguments.on,
            "The input is live: a named pipe, - (standard input), or udp://HOST:PORT or rtsp://HOST/NAME, which "
            "nothing but this option allows. The latest frame is taken, others are dropped and counted; Ctrl-C ends "
            "it, and outputs "
            "are finished")
      .group(heading);
  command
      .add("--timeout", arguments.timeout,
           "Live input that is silent for so long is lost [0.1 .. 3600; unit: s; default: 5]")
      .type("SECONDS")
      .group(heading);
  command
      .add("--reconnects", arguments.reconnects,
           "So often in a row a source of the network that was lost is opened again [0 .. 1000000; default: 5]")
      .type("N")
      .group(heading);
}

std::optional<LiveOptions> plain_live_options(const LiveArguments& arguments) {
  if (!arguments.on) {
    if (arguments.timeout) throw UsageError("--timeout is for live input: give --stream too, or leave it out");
    if (arguments.reconnects) throw UsageError("--reconnects is for live input: give --stream too, or leave it out");
    return std::nullopt;
  }
  LiveOptions options;
  if (arguments.timeout) {
    options.silence_s = parse_positive("--timeout", *arguments.timeout, 3600);
    if (options.silence_s < 0.1)
      throw UsageError(fmt::format("--timeout is '{}': it must be 0.1 .. 3600 (s)", *arguments.timeout));
  }
  if (arguments.reconnects)
    options.reconnects = static_cast<int>(parse_integer("--reconnects", *arguments.reconnects, 0, 1'000'000));
  return options;
}

std::optional<LiveOptions> live_options(const LiveArguments& arguments, const std::string& source, bool raw) {
  std::optional<LiveOptions> options = plain_live_options(arguments);
  if (!options) return options;
  if (raw)
    throw UsageError(
        fmt::format("--stream does not read raw video, and --size says that {} is: send it as NUT or Y4M, with `ffmpeg "
                    "-f rawvideo -pixel_format gray -video_size WxH -i - -c copy -f nut -`",
                    source));
  options->stop = end_by_itself();
  return options;
}

Json live_json(const LiveReport& report) {
  Json json{{"given", report.given},
            {"dropped", report.dropped},
            {"damaged", report.damaged},
            {"reconnects", report.reconnects},
            {"end", end_word(report.end)}};
  if (!report.reason.empty()) json["reason"] = report.reason;
  return json;
}

void print_live(const LiveReport& report) {
  print("live       {} frames taken, {} dropped, {} damaged, {} reconnects; {}\n", report.given, report.dropped,
        report.damaged, report.reconnects, end_text(report.end));
}

}  // namespace vergence::cli
