// SPDX-License-Identifier: Apache-2.0
// Inputs, expected results and verdict of the bit probe on a GPU, and the file that remembers it.
#include "gpu/bit_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "core/bit_probe.hpp"
#include "definitions/probe_doubles.h"
#include "gpu/grid.hpp"
#include "gpu/program.hpp"
#include "vergence/error.hpp"

namespace vergence::gpu {
namespace {

constexpr int group = 64, items = 256;
constexpr std::string_view passed = "passed";

Defines probe_defines(const Properties& properties) {
  return Defines().set("GROUP", group).set("DOUBLES", properties.has_doubles ? 1 : 0);
}

/// A device's memory with a queue, for as long as the probe runs.
class Bench {
 public:
  explicit Bench(Device& device) : device_(device), queue_(device.make_queue()) {}

  std::unique_ptr<Buffer> make(std::size_t bytes) { return device_.allocate(bytes); }
  template <class T>
  std::unique_ptr<Buffer> give(std::span<const T> values) {
    std::unique_ptr<Buffer> buffer = device_.allocate(values.size_bytes());
    queue_->upload(*buffer, rows(values.size_bytes()), values.data());
    return buffer;
  }
  template <class T>
  void take(const Buffer& buffer, std::span<T> values) {
    queue_->download(buffer, rows(values.size_bytes()), values.data());
  }
  void run(const Kernel& kernel, int count, std::initializer_list<Argument> arguments) {
    queue_->launch(kernel, {groups_for(count, group), 1, 1}, {group, 1, 1}, {arguments.begin(), arguments.size()});
  }

 private:
  static Rows rows(std::size_t bytes) { return {0, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}; }
  Device& device_;
  std::unique_ptr<Queue> queue_;
};

std::string wrong(const char* what, std::size_t item) {
  return fmt::format("bit probe failed: {} (item {})", what, item);
}

using Numbers = std::array<int, std::size_t{4} * items>;

/// 0 .. 2^20 - 1, four for each work-item.
Numbers numbers() {
  Numbers in{};
  std::uint64_t state = 1;  // a linear congruential generator: every bit of the words changes
  for (int& value : in) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<int>(state >> 44);
  }
  return in;
}

std::string probe_solutions(Bench& bench, const Kernel& kernel) {
  const Numbers in = numbers();
  std::array<std::uint64_t, items> hashes{};
  const auto given = bench.give<int>(in), hashed = bench.make(sizeof(hashes));
  bench.run(kernel, items, {*given, *hashed});
  bench.take<std::uint64_t>(*hashed, hashes);
  for (std::size_t i = 0; i < items; ++i)
    if (hashes[i] != definitions::probe_double_definitions(in[4 * i], in[4 * i + 1], in[4 * i + 2], in[4 * i + 3]))
      return wrong("definitions in double give other numbers", i);
  return {};
}

std::string probe_integers(Bench& bench, const Kernel& kernel) {
  const Numbers in = numbers();
  std::array<std::uint64_t, items> hashes{};
  std::array<std::uint32_t, items> packed{};
  std::array<std::int32_t, items> reversed{};
  std::array<std::int32_t, 2> counters{0, 1 << 30};
  const auto given = bench.give<int>(in), counted = bench.give<std::int32_t>(counters);
  const auto hashed = bench.make(sizeof(hashes)), differences = bench.make(sizeof(packed)),
             turned = bench.make(sizeof(reversed));
  bench.run(kernel, items, {*given, *hashed, *differences, *turned, *counted});
  bench.take<std::uint64_t>(*hashed, hashes);
  bench.take<std::uint32_t>(*differences, packed);
  bench.take<std::int32_t>(*turned, reversed);
  bench.take<std::int32_t>(*counted, counters);
  int sum = 0, least = 1 << 30;
  for (std::size_t i = 0; i < items; ++i) {
    const int a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];
    if (hashes[i] != definitions::probe_definitions(a, b, c, d)) return wrong("integer arithmetic is wrong", i);
    const int low = (a & 255) + std::abs((c & 1023) - (b & 1023)), high = (b & 255) + std::abs((d & 1023) - (a & 1023));
    if (packed[i] != static_cast<std::uint32_t>(low | high << 16))
      return wrong("packed 16-bit differences are wrong", i);
    const std::size_t partner = 4 * (i / group * group + group - 1 - i % group);
    if (reversed[i] != in[partner] - in[partner + 1]) return wrong("local memory holds other values than written", i);
    sum += c & 255;
    least = std::min(least, d - a);
  }
  if (counters[0] != sum) return wrong("atomic additions are lost", 0);
  return counters[1] != least ? wrong("atomic minima are lost", 1) : "";
}

/// Products that need more bits than a float has: one rounding instead of two changes the sum.
std::string probe_words_and_floats(Bench& bench, const Kernel& kernel, ProbeOutput& out) {
  const ProbeInput in = probe_input();
  constexpr std::size_t count = probe_words;
  std::array<std::uint16_t, 2 * count> words{};
  std::copy(in.left.begin(), in.left.end(), words.begin());
  std::copy(in.right.begin(), in.right.end(), words.begin() + count);
  std::array<float, 3 * count> floats{};
  std::array<float, count> expected{}, fused{};
  for (std::size_t i = 0; i < count; ++i) {
    const float a = 1.0F + static_cast<float>(2 * i + 1) / 8192.0F, b = 1.0F + static_cast<float>(i + 3) / 4096.0F;
    const auto product = static_cast<float>(static_cast<double>(a) * b);  // exact, then rounded once
    floats[i] = a;
    floats[count + i] = b;
    floats[2 * count + i] = -product + static_cast<float>(i % 2) / 16.0F;
    expected[i] = static_cast<float>(static_cast<double>(product) + floats[2 * count + i]);
  }
  const auto given = bench.give<std::uint16_t>(words), numbers = bench.give<float>(floats);
  const auto sums = bench.make(sizeof(out.sum)), results = bench.make(sizeof(fused));
  bench.run(kernel, probe_words, {*given, *sums, *numbers, *results, probe_words});
  bench.take<std::uint16_t>(*sums, out.sum);
  bench.take<float>(*results, fused);
  for (std::size_t i = 0; i < count; ++i)
    if (fused[i] != expected[i]) return wrong("a * b + c of floats is rounded once instead of twice", i);
  return {};
}

void probe_doubles_into(Bench& bench, const Kernel& kernel, ProbeOutput& out) {
  const ProbeInput in = probe_input();
  constexpr std::size_t count = probe_doubles;
  std::array<double, 8 * count> given{};
  std::size_t at = 0;
  for (const ProbeInput::Doubles* const one :
       {&in.a, &in.b, &in.c, &in.numerator, &in.denominator, &in.radicand, &in.small, &in.factor}) {
    std::copy(one->begin(), one->end(), given.begin() + static_cast<std::ptrdiff_t>(at));
    at += count;
  }
  std::array<double, 4 * count> results{};
  const auto from = bench.give<double>(given), to = bench.make(sizeof(results));
  bench.run(kernel, probe_doubles, {*from, *to, probe_doubles});
  bench.take<double>(*to, results);
  at = 0;
  for (ProbeInput::Doubles* const one : {&out.product_sum, &out.quotient, &out.root, &out.small_product}) {
    std::copy_n(results.begin() + static_cast<std::ptrdiff_t>(at), count, one->begin());
    at += count;
  }
}

std::string record_key(Dialect dialect, const Properties& properties, const DiskCache& cache) {
  return cache.key(properties,
                   "bit probe\n" + assemble(dialect, properties, "bit_probe.cl", probe_defines(properties)));
}

}  // namespace

std::string run_bit_probe(Device& device) {
  // Not shared: the probe lasts as long as this call.
  Programs programs(std::shared_ptr<Device>(std::shared_ptr<Device>(), &device));
  const Defines defines = probe_defines(device.properties());
  Bench bench(device);
  std::string failure = probe_integers(bench, programs.kernel("bit_probe.cl", defines, "probe_integers"));
  if (!failure.empty()) return failure;
  ProbeOutput out = scalar_probe();  // what the device has no type for counts as right
  failure = probe_words_and_floats(bench, programs.kernel("bit_probe.cl", defines, "probe_words"), out);
  if (!failure.empty()) return failure;
  if (!device.properties().has_doubles) return probe_failure(out);
  // Single operations first: what is wrong with them has a better name.
  probe_doubles_into(bench, programs.kernel("bit_probe.cl", defines, "probe_doubles"), out);
  failure = probe_failure(out);
  if (!failure.empty()) return failure;
  return probe_solutions(bench, programs.kernel("bit_probe.cl", defines, "probe_solutions"));
}

std::string remembered_bit_probe(Dialect dialect, const Properties& properties, const DiskCache& cache) {
  if (cache.folder().empty()) return {};
  const std::vector<std::byte> bytes = cache.read(record_key(dialect, properties, cache));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};  // NOLINT: bytes are characters
}

void require_bit_probe(Device& device, const std::string& name, const DiskCache& cache) {
  const Properties& properties = device.properties();
  if (remembered_bit_probe(device.dialect(), properties, cache) == passed) return;
  std::string failure;
  try {
    failure = run_bit_probe(device);
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("device {} ({}) cannot run its bit probe: {}", name, properties.device, error.what()));
  }
  const std::string_view verdict = failure.empty() ? passed : failure;
  cache.write(record_key(device.dialect(), properties, cache), std::as_bytes(std::span(verdict)));
  if (!failure.empty())
    throw Error(ErrorCode::device,
                fmt::format("device {} ({}) is refused: {}; its driver ({}) computes other bits than the reference",
                            name, properties.device, failure, properties.driver));
}

}  // namespace vergence::gpu
