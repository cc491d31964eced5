// SPDX-License-Identifier: Apache-2.0
// Any bytes as PNG, JPEG, TIFF or BMP, up to the point where FFmpeg takes over: our look at the file's structure.
#include <algorithm>
#include <string_view>
#include <vector>

#include "io/codec_check.hpp"
#include "io/plain_png.hpp"
#include "map_consumers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vergence;
  std::vector<std::uint8_t> bytes(data, data + size);
  const std::string_view start(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 16));
  const auto codec = io::picture_codec(start);
  if (!codec) return 0;
  fuzz::accept_errors([&] {
    const io::CodecFacts facts = io::check_structure(*codec, bytes, "x");
    fuzz::require(facts.bytes <= size && facts.width >= 0 && facts.height >= 0);
    if (*codec == io::PictureCodec::png)
      if (const auto raster = io::read_plain_png(bytes))
        fuzz::require(raster->size().width == facts.width && raster->size().height == facts.height);
    if (*codec != io::PictureCodec::tiff) return;
    io::tidy_tiff(bytes, "x");
    const io::CodecFacts tidy = io::check_structure(*codec, bytes, "x");  // what is left is whole and has the same size
    fuzz::require(tidy.width == facts.width && tidy.height == facts.height);
  });
  return 0;
}
