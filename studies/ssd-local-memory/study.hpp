// SPDX-License-Identifier: Apache-2.0
// The study ssd-local-memory: how pixels lie in local memory, and what one launch for everything costs in exactness.
#pragma once

#include "common/bench.hpp"
#include "common/study.hpp"

namespace vergence::studies::ssd_local_memory {

Study study();

enum class Memory { none, bytes, uchar4 };
const char* memory_name(Memory memory);

/// What is computed.
struct Problem {
  Size picture;
  int radius = 7, disparities = 90;
  int threshold = 125;  ///< Grey levels of 255 / disparities each.
  int fill_radius = 5;
  bool fill_all = false;  ///< The mean counts zeros, too.
};

/// How it is computed.
struct Variant {
  Memory memory = Memory::uchar4;
  Size group{32, 16};
  bool single = false;  ///< The paper's one launch instead of three.
};

/// Grey maps but for the two of winners.
struct Maps {
  Image<std::uint8_t> left, right;  ///< Disparities of both views.
  Image<std::uint8_t> checked, filled;
};

/// The plainest form, on one core: what the paper's program in C is to its kernel.
Maps reference(const Problem& problem, const Image<std::uint8_t>& left, const Image<std::uint8_t>& right);

/// The paper's formula: two pictures, (width + 2 radius + disparities) x (height + 2 radius) of a group each.
std::size_t local_bytes(const Problem& problem, const Variant& variant);

/// Pixels read and written by the launch that matches; a test compares them with counters inside the kernels.
struct Traffic {
  std::int64_t global_reads = 0, local_reads = 0, local_writes = 0;
};
Traffic count_traffic(const Problem& problem, const Variant& variant);

gpu::Defines make_defines(const Problem& problem, const Variant& variant, bool counted);

/// Compiles, checks and measures one variant. With `traffic`, also counts what matching reads and writes.
Cell run_variant(Bench& bench, const Problem& problem, const Variant& variant, const Image<std::uint8_t>& left,
                 const Image<std::uint8_t>& right, const Maps& expected, int runs, Traffic* traffic = nullptr);

}  // namespace vergence::studies::ssd_local_memory
