// SPDX-License-Identifier: Apache-2.0
// `vergence diff`: are two files equal, number by number?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "command.hpp"
#include "json.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

struct DiffArguments {
  std::string a;
  std::string b;
  bool json = false;
};

struct Differences {
  std::int64_t count = 0;  ///< Pixels in which at least one channel differs.
  int x = 0;               ///< The first one in raster order, and its first differing channel.
  int y = 0;
  int channel = 0;
  double value_a = 0;
  double value_b = 0;
  double largest = 0;  ///< |a - b|; infinite where only one of them is infinite or not a number.
};

/// Equal numbers, or both not a number.
bool equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double distance(double a, double b) {
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

Differences compare(const RawValues& a, const RawValues& b) {
  Differences found;
  const int channels = a.channels;
  for (int y = 0; y < a.values.height(); ++y) {
    int last_pixel = -1;
    for (int column = 0; column < a.values.width(); ++column) {
      const double va = a.values(column, y);
      const double vb = b.values(column, y);
      if (equal(va, vb)) continue;
      const int x = column / channels;
      if (found.count == 0) {
        found.x = x;
        found.y = y;
        found.channel = column % channels;
        found.value_a = va;
        found.value_b = vb;
      }
      if (x != last_pixel) ++found.count;
      last_pixel = x;
      found.largest = std::max(found.largest, distance(va, vb));
    }
  }
  return found;
}

void check_comparable(const DiffArguments& arguments, const RawValues& a, const RawValues& b) {
  if (a.values.size() == b.values.size() && a.channels == b.channels) return;
  const auto shape = [](const RawValues& v) {
    return fmt::format("{}x{} with {} channel{}", v.values.width() / v.channels, v.values.height(), v.channels,
                       v.channels == 1 ? "" : "s");
  };
  throw Error(ErrorCode::bad_data, fmt::format("{} is {}, {} is {}: give two files of one size", arguments.a, shape(a),
                                               arguments.b, shape(b)));
}

/// JSON has no infinity: text stands for it.
Json number_or_text(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

void print_differences_json(const RawValues& a, const Differences& found, std::int64_t pixels) {
  Json report = json_report();
  report["equal"] = found.count == 0;
  report["pixels"] = pixels;
  report["differing"] = found.count;
  report["largest"] = number_or_text(found.largest);
  if (found.count > 0) {
    Json first{{"x", found.x}, {"y", found.y}};
    if (a.channels > 1) first["channel"] = found.channel;
    first["a"] = number_or_text(found.value_a);
    first["b"] = number_or_text(found.value_b);
    report["first"] = std::move(first);
  }
  print_json(report);
}

void print_differences(const RawValues& a, const Differences& found, std::int64_t pixels) {
  if (found.count == 0) {
    print("equal: all {} pixels\n", pixels);
    return;
  }
  const std::string channel = a.channels > 1 ? fmt::format(" channel {}", found.channel) : "";
  print("{} of {} pixels differ ({:.3f} %)\n", found.count, pixels,
        100.0 * static_cast<double>(found.count) / static_cast<double>(pixels));
  print("first: x {} y {}{}: {} and {}\n", found.x, found.y, channel, found.value_a, found.value_b);
  print("largest difference: {}\n", found.largest);
}

int run(const DiffArguments& arguments) {
  const RawValues a = read_values(arguments.a);
  const RawValues b = read_values(arguments.b);
  check_comparable(arguments, a, b);
  const Differences found = compare(a, b);
  const std::int64_t pixels = static_cast<std::int64_t>(a.values.width() / a.channels) * a.values.height();
  if (arguments.json)
    print_differences_json(a, found, pixels);
  else
    print_differences(a, found, pixels);
  return found.count == 0 ? success : failure;
}

}  // namespace

void add_diff(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "diff",
      "Compare two files number by number\n\n"
      "Pictures, .npy, .pfm or .flo of one size. Exit status 0: equal; 1: they differ, or one cannot be read.");
  const auto arguments = std::make_shared<DiffArguments>();
  command->add_option("A", arguments->a, "One file")->required();
  command->add_option("B", arguments->b, "The other file")->required();
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([&action, arguments] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace vergence::cli
