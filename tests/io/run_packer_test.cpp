// SPDX-License-Identifier: Apache-2.0
// What is packed by runs and Huffman codes is unpacked again, by code of our own and by libdeflate.
#include "io/run_packer.hpp"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "io/inflate.hpp"

namespace vergence {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes pack(const Bytes& bytes) {
  const std::size_t most = io::most_packed_runs(bytes.size());
  Bytes packed(most + 1, 0xA5);
  const std::size_t count = io::pack_runs(bytes, packed.data());
  EXPECT_LE(count, most);
  EXPECT_EQ(packed[most], 0xA5);
  packed.resize(count);
  return packed;
}

void expect_unpacked(const Bytes& packed, const Bytes& wanted) {
  Bytes found;
  const auto take = [&found](std::span<const std::uint8_t> part) {
    found.insert(found.end(), part.begin(), part.end());
    return true;
  };
  EXPECT_TRUE(io::inflate(packed, take));
  EXPECT_EQ(found, wanted);
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> unpacker(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  Bytes other(wanted.size() + 1);
  std::size_t count = 0;
  EXPECT_EQ(
      libdeflate_zlib_decompress(unpacker.get(), packed.data(), packed.size(), other.data(), other.size(), &count),
      LIBDEFLATE_SUCCESS);
  other.resize(count);
  EXPECT_EQ(other, wanted);
}

TEST(RunPacker, UnpacksToTheSameBytes) {
  std::mt19937 random(1);
  for (const std::size_t size : {0U, 1U, 2U, 3U, 4U, 259U, 260U, 65535U, 65536U, 65537U, 200000U}) {
    SCOPED_TRACE(size);
    Bytes zeros(size), noise(size), few(size);
    for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());
    for (std::uint8_t& byte : few) byte = random() % 8 == 0 ? static_cast<std::uint8_t>(random() % 3) : 0;
    for (const Bytes& bytes : {zeros, noise, few}) expect_unpacked(pack(bytes), bytes);
  }
}

TEST(RunPacker, OfAllLengthsRunsAreToldRight) {
  Bytes bytes;
  for (std::size_t length = 1; length <= 600; ++length)
    bytes.insert(bytes.end(), length, static_cast<std::uint8_t>(length % 2 == 0 ? 7 : 250));
  expect_unpacked(pack(bytes), bytes);
}

/// Weights as Fibonacci's numbers would make codes of more bits than the format has.
TEST(RunPacker, KeepsCodesAsShortAsTheFormatHasThem) {
  Bytes bytes;
  std::size_t count = 1, before = 1;
  for (std::uint8_t value = 1; bytes.size() + count < 60000; ++value) {
    for (std::size_t i = 0; i < count; ++i) {  // no two alike in a row
      bytes.push_back(value);
      if (i % 2 == 0) bytes.push_back(0);
    }
    before = std::exchange(count, count + before);
  }
  expect_unpacked(pack(bytes), bytes);
}

TEST(RunPacker, PacksZerosToLittle) { EXPECT_LT(pack(Bytes(1 << 20)).size(), std::size_t{1} << 13); }

}  // namespace
}  // namespace vergence
