// SPDX-License-Identifier: Apache-2.0
// Asking for large pages changes no contents, wherever the memory begins and ends.
#include "core/large_pages.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace vergence {
namespace {

TEST(LargePages, LeaveContentsAsTheyAre) {
  std::vector<unsigned char> memory(std::size_t{9} << 20);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<unsigned char>(i % 251 + 1);
  const std::vector<unsigned char> before = memory;
  for (const std::size_t start : {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{4095}})
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4} << 20, (std::size_t{8} << 20) + 7}) {
      ask_for_large_pages(memory.data() + start, bytes);
      EXPECT_EQ(memory, before) << start << ", " << bytes;
    }
  ask_for_large_pages(nullptr, 0);
}

}  // namespace
}  // namespace vergence
