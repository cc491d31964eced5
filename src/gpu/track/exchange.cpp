// SPDX-License-Identifier: Apache-2.0
// Frames that devices hand to each other: levels of pictures as they are, gradients as two planes, which the device
// joins to words of two halves (kernels/track/levels.h).
#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/grid.hpp"
#include "gpu/track/stages.hpp"

namespace vergence::gpu {
namespace {

constexpr int threads = 64;

/// A level's rows of values of `bytes`, whose rows in host memory are `host_pitch` apart.
Rows rows_of(const TrackLevels& levels, std::size_t level, Size size, std::size_t bytes, std::ptrdiff_t host_pitch) {
  return {levels.offset(level) * bytes, levels.pitch(level) * bytes, host_pitch,
          static_cast<std::size_t>(size.width) * bytes, static_cast<std::size_t>(size.height)};
}

template <class T>
Rows rows_of(const TrackLevels& levels, std::size_t level, const Image<T>& image) {
  return rows_of(levels, level, image.size(), sizeof(T), image.stride());
}

Range groups_of(Size size) { return {groups_for(size.width, threads), static_cast<std::size_t>(size.height), 1}; }

}  // namespace

TrackExchange::TrackExchange(Programs& programs)
    : device_(programs.device()),
      join_(programs.kernel("track/exchange.cl", Defines().set("THREADS", threads), "join")),
      split_(programs.kernel("track/exchange.cl", Defines().set("THREADS", threads), "split")) {}

void TrackExchange::reserve(const TrackLevels& levels) {
  if (across_ != nullptr) return;
  across_ = device_.allocate(levels.pixels() * sizeof(std::int16_t));
  down_ = device_.allocate(levels.pixels() * sizeof(std::int16_t));
}

template <class P>
void TrackExchange::upload(Queue& queue, const TrackLevels& levels, const TrackFrame<P>& from,
                           const TrackBuffers& frame) {
  for (std::size_t i = 0; i < from.pictures.size(); ++i) {
    queue.upload(*frame.pictures, rows_of(levels, i, from.pictures[i]), from.pictures[i].row(0));
    queue.upload(*across_, rows_of(levels, i, from.dx[i]), from.dx[i].row(0));
    queue.upload(*down_, rows_of(levels, i, from.dy[i]), from.dy[i].row(0));
    queue.launch(
        join_, groups_of(from.pictures[i].size()), {threads, 1, 1},
        std::array<Argument, 5>{*across_, *down_, *frame.gradients, levels.table(), static_cast<std::int32_t>(i)});
  }
}

template <class P>
void TrackExchange::download(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame, TrackFrame<P>& to) {
  for (std::size_t i = 0; i < to.pictures.size(); ++i) {
    queue.launch(
        split_, groups_of(to.pictures[i].size()), {threads, 1, 1},
        std::array<Argument, 5>{*frame.gradients, *across_, *down_, levels.table(), static_cast<std::int32_t>(i)});
    queue.download(*frame.pictures, rows_of(levels, i, to.pictures[i]), to.pictures[i].row(0));
    queue.download(*across_, rows_of(levels, i, to.dx[i]), to.dx[i].row(0));
    queue.download(*down_, rows_of(levels, i, to.dy[i]), to.dy[i].row(0));
  }
}

void TrackExchange::upload(Queue& queue, const TrackLevels& levels, const PreparedPlanes& prepared,
                           const TrackBuffers& frame) {
  reserve(levels);
  upload(queue, levels, prepared.bytes, frame);
  upload(queue, levels, prepared.words, frame);
  queue.finish();
}

void TrackExchange::download(Queue& queue, const TrackLevels& levels, const TrackBuffers& frame,
                             PreparedPlanes& prepared) {
  reserve(levels);
  download(queue, levels, frame, prepared.bytes);
  download(queue, levels, frame, prepared.words);
}

}  // namespace vergence::gpu
