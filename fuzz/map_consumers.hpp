// SPDX-License-Identifier: Apache-2.0
// For the fuzz targets of file parsers: what was parsed is used in every way, and only vergence::Error may come out.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>

#include "io/bytes.hpp"
#include "io/raster.hpp"
#include "vergence/error.hpp"

namespace vergence::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();  // libFuzzer keeps the input
}

/// Runs `use`; an Error of the kinds that bad input may cause is fine.
template <class Use>
void accept_errors(Use use) {
  try {
    use();
  } catch (const Error& error) {
    const ErrorCode code = error.code();
    require(code == ErrorCode::bad_data || code == ErrorCode::unsupported || code == ErrorCode::invalid_argument);
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
}

/// A raster parsed twice gives the same numbers, and each conversion keeps its promises.
template <class Parse>
void check_raster(std::span<const std::byte> bytes, Parse parse) {
  accept_errors([&] {
    io::ByteReader reader("x", bytes);
    const io::Raster raster = parse(reader);
    const Size size = raster.size();
    require(size.width >= 1 && size.height >= 1);
    const RawValues values = io::to_values(raster);
    require(values.values.size() == Size{size.width * raster.channels, size.height});
    const auto again = [&] {
      io::ByteReader second("x", bytes);
      return parse(second);
    };
    accept_errors([&] {
      const GreyPicture grey = io::to_grey(again(), "x");
      require(grey.size() == size && grey.u8.empty() != grey.u16.empty());
    });
    accept_errors([&] { require(io::to_rgb(raster, "x").size() == size); });
    accept_errors([&] {
      const Image<float> map = io::to_float_map(again(), "x", {.scale = 3, .unknown = 7.0});
      require(map.size() == size);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) require(!std::isnan(map(x, y)));
    });
  });
}

}  // namespace vergence::fuzz
