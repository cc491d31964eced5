// SPDX-License-Identifier: Apache-2.0
// Frames that devices hand to each other: rows copied into planes with margins, and out of them.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cpu/track/stages.hpp"

namespace vergence::cpu {
namespace {

constexpr int worth_a_thread = 64;  // rows

template <class T>
void copy_rows(Context& context, const TrackPlane<T>& from, Image<T>& to) {
  context.threads.rows(to.height(), worth_a_thread, [&](int first, int last, int) {
    for (int y = first; y < last; ++y) std::copy_n(from.at(0, y), to.width(), to.row(y));
  });
}

/// What lies around the rows of gradients was 0 from the start, and stays so.
void take_gradients(Context& context, const Image<std::int16_t>& from, TrackPlane<std::int16_t>& to) {
  context.threads.rows(from.height(), worth_a_thread, [&](int first, int last, int) {
    for (int y = first; y < last; ++y) {
      std::copy_n(from.row(y), from.width(), to.at(0, y));
      to.clear_behind(y);
    }
  });
}

template <class P>
void take_picture(Context& context, const Image<P>& from, TrackPlane<P>& to) {
  context.threads.rows(from.height(), worth_a_thread, [&](int first, int last, int) {
    for (int y = first; y < last; ++y) {
      std::copy_n(from.row(y), from.width(), to.at(0, y));
      to.mirror_row(y);
    }
  });
  to.mirror_rows();
}

}  // namespace

template <class P>
void take(Context& context, const TrackFrame<P>& prepared, TrackPlanes<P>& frame) {
  for (std::size_t i = 0; i < frame.pictures.size(); ++i) {
    take_picture(context, prepared.pictures[i], frame.pictures[i]);
    take_gradients(context, prepared.dx[i], frame.dx[i]);
    take_gradients(context, prepared.dy[i], frame.dy[i]);
  }
}
template void take(Context&, const TrackFrame<std::uint8_t>&, TrackPlanes<std::uint8_t>&);
template void take(Context&, const TrackFrame<std::uint16_t>&, TrackPlanes<std::uint16_t>&);

template <class P>
void give(Context& context, const TrackPlanes<P>& frame, TrackFrame<P>& prepared) {
  for (std::size_t i = 0; i < frame.pictures.size(); ++i) {
    copy_rows(context, frame.pictures[i], prepared.pictures[i]);
    copy_rows(context, frame.dx[i], prepared.dx[i]);
    copy_rows(context, frame.dy[i], prepared.dy[i]);
  }
}
template void give(Context&, const TrackPlanes<std::uint8_t>&, TrackFrame<std::uint8_t>&);
template void give(Context&, const TrackPlanes<std::uint16_t>&, TrackFrame<std::uint16_t>&);

}  // namespace vergence::cpu
