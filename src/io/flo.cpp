// SPDX-License-Identifier: Apache-2.0
// Reading and writing .flo.
#include "io/flo.hpp"

#include <fmt/format.h>

namespace vergence::io {
namespace {

// 202021.25 as little-endian binary32 reads "PIEH".
constexpr std::string_view magic = "PIEH";

}  // namespace

bool looks_like_flo(std::string_view start) { return start.substr(0, magic.size()) == magic; }

Image<FlowVector> read_flo(ByteReader& reader) {
  if (!looks_like_flo(reader.peek(magic.size())))
    fail_read(ErrorCode::bad_data, reader.name(), "it does not start as a .flo file: give a flow file of that format");
  char start[4];
  reader.read(start, 4);
  const auto width = reader.read_little<std::int32_t>();
  const auto height = reader.read_little<std::int32_t>();
  if (width < 1 || height < 1)
    fail_read(ErrorCode::bad_data, reader.name(),
              fmt::format("its size is {}x{}: a flow field has at least 1x1 vectors", width, height));
  require_pixels(reader, static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), 2, sizeof(float));
  const std::uint64_t bytes =
      sizeof(FlowVector) * static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  if (reader.remaining() != bytes)
    fail_read(ErrorCode::bad_data, reader.name(),
              fmt::format("{} bytes follow the header, but {}x{} vectors take {}: the header or the file is damaged",
                          reader.remaining(), width, height, bytes));
  Image<FlowVector> flow(width, height);
  for (int y = 0; y < height; ++y) {
    FlowVector* row = flow.row(y);
    reader.read(row, sizeof(FlowVector) * static_cast<std::size_t>(width));
    for (int x = 0; x < width; ++x)
      row[x] = {ByteReader::from_order(row[x].u, std::endian::little),
                ByteReader::from_order(row[x].v, std::endian::little)};
  }
  return flow;
}

}  // namespace vergence::io

namespace vergence {

Image<FlowVector> read_flo(const std::string& path) {
  io::ByteReader reader(path);
  return io::read_flo(reader);
}

void write_flo(const std::string& path, ImageView<const FlowVector> flow) {
  write_flo(path, flow.size(), [flow](int y) { return flow.row(y); });
}

void write_flo(const std::string& path, Size size, const std::function<const FlowVector*(int y)>& row) {
  static_assert(sizeof(FlowVector) == 2 * sizeof(float));
  if (size.width < 1 || size.height < 1)
    io::fail_write(ErrorCode::invalid_argument, path, "the flow is empty: give at least 1x1 vectors");
  AtomicFile file(path);
  file.write(io::magic);
  for (const std::int32_t side : {size.width, size.height}) {
    const std::int32_t stored = io::ByteReader::from_order(side, std::endian::little);
    file.write(&stored, sizeof(stored));
  }
  constexpr bool as_stored = std::endian::native == std::endian::little;
  std::vector<FlowVector> turned(static_cast<std::size_t>(size.width));
  for (int y = 0; y < size.height; ++y) {
    const FlowVector* const flow = row(y);
    for (std::size_t x = 0; !as_stored && x < turned.size(); ++x)
      turned[x] = {io::ByteReader::from_order(flow[x].u, std::endian::little),
                   io::ByteReader::from_order(flow[x].v, std::endian::little)};
    file.write(as_stored ? flow : turned.data(), turned.size() * sizeof(FlowVector));
  }
  file.commit();
}

}  // namespace vergence
