// SPDX-License-Identifier: Apache-2.0
// Any bytes as a .flo file.
#include "io/flo.hpp"

#include "map_consumers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vergence::fuzz::accept_errors([&] {
    vergence::io::ByteReader reader("x", std::as_bytes(std::span(data, size)));
    const auto flow = vergence::io::read_flo(reader);
    vergence::fuzz::require(flow.width() >= 1 && flow.height() >= 1 && reader.remaining() == 0);
  });
  return 0;
}
