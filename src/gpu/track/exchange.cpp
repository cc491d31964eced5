// SPDX-License-Identifier: Apache-2.0
// Frames that devices hand to each other: levels of pictures as they are, gradients as words of two halves
// (kernels/track/levels.h).
#include <cstddef>
#include <cstdint>

#include "gpu/track/stages.hpp"

namespace vergence::gpu {
namespace {

/// A level's rows of values of `bytes`, whose rows in host memory are `host_pitch` apart.
Rows rows_of(const TrackLevels& levels, std::size_t level, Size size, std::size_t bytes, std::ptrdiff_t host_pitch) {
  return {levels.offset(level) * bytes, levels.pitch(level) * bytes, host_pitch,
          static_cast<std::size_t>(size.width) * bytes, static_cast<std::size_t>(size.height)};
}

Rows words_of(const TrackLevels& levels, std::size_t level, Size size) {
  constexpr std::size_t bytes = sizeof(std::int32_t);
  return rows_of(levels, level, size, bytes, static_cast<std::ptrdiff_t>(static_cast<std::size_t>(size.width) * bytes));
}

std::size_t area(Size size) { return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height); }

template <class P>
void upload_levels(Queue& queue, const TrackLevels& levels, const TrackFrame<P>& from, const TrackBuffers& frame,
                   std::vector<std::int32_t>& words) {
  for (std::size_t i = 0; i < from.pictures.size(); ++i) {
    const Size size = from.pictures[i].size();
    queue.upload(*frame.pictures, rows_of(levels, i, size, sizeof(P), from.pictures[i].stride()),
                 from.pictures[i].row(0));
    words.resize(area(size));
    std::int32_t* word = words.data();
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const std::uint32_t low = static_cast<std::uint16_t>(from.dx[i](x, y));
        const std::uint32_t high = static_cast<std::uint16_t>(from.dy[i](x, y));
        *word++ = static_cast<std::int32_t>(low | high << 16);
      }
    queue.upload(*frame.gradients, words_of(levels, i, size), words.data());
  }
}

template <class P>
void download_levels(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame, TrackFrame<P>& to,
                     std::vector<std::int32_t>& words) {
  for (std::size_t i = 0; i < to.pictures.size(); ++i) {
    const Size size = to.pictures[i].size();
    queue.download(*frame.pictures, rows_of(levels, i, size, sizeof(P), to.pictures[i].stride()),
                   to.pictures[i].row(0));
    words.resize(area(size));
    queue.download(*frame.gradients, words_of(levels, i, size), words.data());
    const std::int32_t* word = words.data();
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x, ++word) {
        to.dx[i](x, y) = static_cast<std::int16_t>(*word & 0xFFFF);
        to.dy[i](x, y) = static_cast<std::int16_t>(*word >> 16);
      }
  }
}

}  // namespace

void upload(Queue& queue, const TrackLevels& levels, const PreparedPlanes& prepared, const TrackBuffers& frame,
            std::vector<std::int32_t>& words) {
  upload_levels(queue, levels, prepared.bytes, frame, words);
  upload_levels(queue, levels, prepared.words, frame, words);
}

void download(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame, PreparedPlanes& prepared,
              std::vector<std::int32_t>& words) {
  download_levels(queue, levels, frame, prepared.bytes, words);
  download_levels(queue, levels, frame, prepared.words, words);
}

}  // namespace vergence::gpu
