// SPDX-License-Identifier: Apache-2.0
// Compiling, timing, and what a device refuses.
#include "common/bench.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "common/study.hpp"
#include "vergence/error.hpp"

namespace vergence::studies {
namespace {

template <class T>
T number_at(std::span<const std::byte> code, std::size_t offset) {
  T value{};
  if (offset + sizeof(T) <= code.size()) std::memcpy(&value, code.data() + offset, sizeof(T));
  return value;
}

/// Sections of an ELF-64 file whose names start with ".text".
std::size_t text_bytes(std::span<const std::byte> code) {
  const auto sections = number_at<std::uint64_t>(code, 40);
  const auto size = number_at<std::uint16_t>(code, 58), count = number_at<std::uint16_t>(code, 60),
             names_index = number_at<std::uint16_t>(code, 62);
  const auto at = [&](std::size_t index) { return static_cast<std::size_t>(sections) + index * size; };
  const auto names = number_at<std::uint64_t>(code, at(names_index) + 24);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t name = static_cast<std::size_t>(names) + number_at<std::uint32_t>(code, at(i));
    constexpr std::string_view wanted = ".text";
    if (name + wanted.size() <= code.size() && std::memcmp(code.data() + name, wanted.data(), wanted.size()) == 0)
      sum += static_cast<std::size_t>(number_at<std::uint64_t>(code, at(i) + 32));
  }
  return sum;
}

}  // namespace

double milliseconds(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

gpu::Rows packed_rows(std::size_t row_bytes, std::size_t count) {
  return {0, row_bytes, static_cast<std::ptrdiff_t>(row_bytes), row_bytes, count};
}

CodeSize code_size(std::span<const std::byte> code) {
  constexpr std::uint16_t machine_cuda = 190;
  if (code.size() >= 64 && std::memcmp(code.data(), "\x7f\x45LF\x02", 5) == 0 &&
      number_at<std::uint16_t>(code, 18) == machine_cuda)
    return {text_bytes(code), "machine code"};
  const std::string_view text(reinterpret_cast<const char*>(code.data()), code.size());
  const bool is_ptx = text.find(".version") != std::string_view::npos && text.find(".entry") != std::string_view::npos;
  return {code.size(), is_ptx ? "PTX" : "program file"};
}

Bench::Bench(const gpu::Opened& device) : device_(device.device), queue_(device_->make_queue()) {}

Built Bench::build(std::string_view file, const gpu::Defines& defines, const std::string& kernel) const {
  const std::string text = gpu::assemble(device_->dialect(), properties(), file, defines, kernel_files());
  Built built;
  std::vector<std::byte> code;
  built.compile_ms = milliseconds([&] { code = device_->compile(text); });
  built.program = device_->load(code);
  built.kernel = built.program->kernel(kernel);
  const CodeSize size = code_size(code);
  built.code_bytes = size.bytes;
  built.code_kind = size.kind;
  return built;
}

std::vector<Times> Bench::measure(int runs, const Work& work) const {
  const auto prepare = [&] {
    if (work.prepare) work.prepare();
    queue_->finish();
  };
  const auto frame = [&] {
    work.upload();
    work.launch();
    work.download();
  };
  std::vector<Times> all(static_cast<std::size_t>(runs));
  prepare();
  frame();
  for (Times& times : all) {
    prepare();
    times.wall = milliseconds([&] {
      frame();
      queue_->finish();
    });
  }
  queue_->measure(true);
  for (Times& times : all) {
    prepare();
    queue_->timing();
    frame();
    const gpu::Timing timing = queue_->timing();
    times.upload = timing.upload;
    times.kernel = timing.kernel;
    times.download = timing.download;
  }
  queue_->measure(false);
  return all;
}

void Bench::guard(Cell& cell, const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::device && error.code() != ErrorCode::out_of_memory) throw;
    const std::size_t items = cell.local.x * cell.local.y * cell.local.z;
    cell.refused = fmt::format("failed: {}", error.what());
    if (items > 0)
      cell.refused += fmt::format(" (groups of {} work-items with {} bytes of local memory)", items, cell.local_bytes);
    cell.failed = true;
    queue_ = device_->make_queue();
  }
}

std::string Bench::refusal(gpu::Range group, std::size_t local_bytes) const {
  const std::size_t items = group.x * group.y * group.z;
  if (items > properties().largest_group)
    return fmt::format("does not fit: work-groups of {}, the device takes {}", items, properties().largest_group);
  if (local_bytes > properties().local_memory)
    return fmt::format("does not fit: {} bytes of local memory, the device has {}", local_bytes,
                       properties().local_memory);
  return {};
}

}  // namespace vergence::studies
