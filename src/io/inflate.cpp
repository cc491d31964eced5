// SPDX-License-Identifier: Apache-2.0
// By zlib: libdeflate, which is faster, unpacks nothing but whole streams into memory for all of their bytes.
#include "io/inflate.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace vergence::io {
namespace {

struct EndInflate {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

}  // namespace

bool inflate(std::span<const std::uint8_t> packed, const std::function<bool(std::span<const std::uint8_t>)>& take) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, EndInflate> ends(&stream);
  std::vector<std::uint8_t> piece(std::size_t{1} << 15);
  int state = Z_OK;
  while (state == Z_OK) {
    // zlib counts in 32 bits.
    const std::size_t given = std::min(packed.size(), std::size_t{1} << 30);
    stream.next_in = packed.data();
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = piece.data();
    stream.avail_out = static_cast<uInt>(piece.size());
    state = ::inflate(&stream, Z_NO_FLUSH);
    packed = packed.subspan(given - stream.avail_in);
    const std::size_t unpacked = piece.size() - stream.avail_out;
    if (unpacked > 0 && !take(std::span(piece).first(unpacked))) return true;
  }
  return state == Z_STREAM_END;
}

}  // namespace vergence::io
