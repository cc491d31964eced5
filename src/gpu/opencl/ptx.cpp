// SPDX-License-Identifier: Apache-2.0
// Rewrites the directives of kernels in PTX ("Parallel Thread Execution ISA", NVIDIA, "Performance-Tuning Directives").
#include "gpu/opencl/ptx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>

namespace vergence::gpu::opencl {
namespace {

constexpr int registers_of_multiprocessor = 65536;
constexpr std::string_view directive = "\n.reqntid ";

/// Work-items of a group, of "128, 1, 1"; 0 where it cannot be read.
int group_of(const std::string& numbers) {
  int x = 0, y = 1, z = 1;
  return std::sscanf(numbers.c_str(), "%d, %d, %d", &x, &y, &z) >= 1 ? x * y * z
                                                                     : 0;  // NOLINT: the compiler's own text
}

}  // namespace

std::vector<std::byte> limit_registers(std::vector<std::byte> program, int registers) {
  const std::string_view text(reinterpret_cast<const char*>(program.data()),
                              program.size());  // NOLINT: is text, if PTX
  if (registers <= 0 || text.find(".version") == text.npos || text.find(".entry") == text.npos) return program;
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = text.find(directive, from)) != text.npos;) {
    const std::size_t end = std::min(text.find('\n', at + 1), text.size());
    out += text.substr(from, end - from);
    const int group = group_of(std::string(text.substr(at + directive.size(), end - at - directive.size())));
    const int groups = group > 0 ? registers_of_multiprocessor / (group * registers) : 0;
    if (groups > 0) out += fmt::format("\n.minnctapersm {}", groups);
    from = end;
  }
  out += text.substr(from);
  const auto* const bytes = reinterpret_cast<const std::byte*>(out.data());  // NOLINT: back again
  return {bytes, std::next(bytes, static_cast<std::ptrdiff_t>(out.size()))};
}

}  // namespace vergence::gpu::opencl
