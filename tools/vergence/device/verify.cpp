// SPDX-License-Identifier: Apache-2.0
// `vergence verify`: the promise of equal bits, proved on the user's own machine.
#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <memory>

#include "cli/command.hpp"
#include "cli/device_option.hpp"
#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/strict.hpp"
#include "vergence/verify.hpp"

namespace vergence::cli {
namespace {

struct VerifyArguments {
  DeviceArguments device;
  std::string seed = "1";
  std::string cases = "200";
  bool json = false;
};

void print_report(const Device& device, std::uint64_t seed, const VerifyReport& found, double seconds, bool json,
                  const Warnings& warnings) {
  if (json) {
    Json report = json_report();
    report["device"] = device.name();
    report["description"] = device.description();
    report["seed"] = seed;
    report["cases"] = found.cases;
    report["differences"] = found.differences;
    report["first"] = found.first;
    report["left_out"] = verify_leaves_out(device);
    report["hash"] = hash_text(found.hash);
    report["warnings"] = warnings.lines();
    print_json(report);
    return;
  }
  print("{} ({}): {} cases from seed {} in {:.1f} s, hash {}\n", device.name(), device.description(), found.cases, seed,
        seconds, hash_text(found.hash));
  const std::string left_out = verify_leaves_out(device);
  if (!left_out.empty()) print("left out: {}\n", left_out);
  if (found.differences == 0)
    print("every byte equals the reference\n");
  else
    print("{} cases differ from the reference; the first: {}\n", found.differences, found.first);
}

int run(const VerifyArguments& arguments) {
  const auto seed =
      static_cast<std::uint64_t>(parse_integer("--seed", arguments.seed, 0, std::numeric_limits<long long>::max()));
  const auto cases = static_cast<int>(parse_integer("--cases", arguments.cases, 1, 100'000'000));
  const Device device = open_device(arguments.device);
  std::vector<std::string> lines;
  add_cache_warning(device, arguments.device, lines);
  Warnings warnings;
  for (const std::string& line : lines) warnings.add(line);
  const auto start = std::chrono::steady_clock::now();
  const VerifyReport found = verify(device, seed, cases);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print_report(device, seed, found, seconds, arguments.json, warnings);
  return found.differences == 0 ? success : failure;
}

}  // namespace

void add_verify(Program& program) {
  Command command = program.add("verify",
                                "Prove that a device here gives the bytes of the reference\n\n"
                                "Runs seeded random pictures and settings through every stage of stereo, motion, "
                                "filters, rectification and tracks on both. The hash\n"
                                "is equal on every machine for equal seed and cases, where nothing is left out.");
  const auto arguments = std::make_shared<VerifyArguments>();
  command.add("--seed", arguments->seed, "First seed [0 .. 2^63 - 1; default: 1]").type("N");
  command.add("--cases", arguments->cases, "Number of cases [1 .. 100000000; default: 200]").type("N");
  command.flag("--json", arguments->json, "Print one JSON object");
  add_device_options(command, arguments->device);
  command.common("Runs seeded random pictures and settings on both. The hash is equal on every machine.",
                 {{"--device", "cpu, opencl, cuda, ...: `vergence devices`"},
                  {"--seed", "First seed"},
                  {"--cases", "Number of cases"},
                  {"--threads", "Threads of cpu, 0 = one per core"},
                  {"--simd", "SIMD target of cpu: `vergence --version`"},
                  {"--json", "Print one JSON object"}});
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli
