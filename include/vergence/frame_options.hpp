// SPDX-License-Identifier: Apache-2.0
// How a source of frames is read: raw video, live sources. See FrameSource in io.hpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "vergence/image.hpp"

namespace vergence {

/// Video without a header: frames one after the other, each luma, then (where there is chroma) Cb, then Cr, unless the
/// format says otherwise.
struct RawVideo {
  Size size;
  /// As FFmpeg names it: gray, yuv420p, yuv422p, yuv444p (8 bits); the same with 10le or 12le behind it (16-bit words,
  /// little endian); gray16le; nv12 (Cb and Cr take turns in one plane); p010le (the same with 10 bits
  /// in the upper ones of 16); yuyv422 (Y Cb Y Cr).
  std::string format = "yuv420p";
};

/// Bytes of a frame of raw video, those from a luma sample to the next one, and what lies behind the luma: planes of Cb
/// and Cr (2), one in which they take turns (1), or none. Throws Error(invalid_argument) for a
/// format that is not known.
struct RawFrameLayout {
  std::int64_t frame_bytes = 0;
  int luma_step = 1;
  int sample_bytes = 1;
  int chroma_planes = 0;
  int bits = 8;
};
RawFrameLayout raw_frame_layout(const RawVideo& form);
/// So many of the first bytes show inspect_raw_video all that it can find: two frames of each usual format. 0 where
/// that is above 256 MiB.
std::int64_t raw_start_bytes(const RawVideo& form);

/// How a live source is read; see FrameSourceOptions::live.
struct LiveOptions {
  double silence_s = 5;  ///< A source that gives nothing for so long is lost.
  /// So often in a row a source of the network that was lost is opened again; it is ended then.
  int reconnects = 5;
  /// Where it becomes true, the source ends within half a second. It must outlive the source; may be null.
  const std::atomic<bool>* stop = nullptr;
};
/// Why a live source gives no more frames.
enum class LiveEnd {
  open,     ///< It does.
  source,   ///< The pipe was closed.
  stopped,  ///< LiveOptions::stop.
  lost,     ///< It was silent or gone for longer than the options allow.
};
/// How a live source went so far.
struct LiveReport {
  std::int64_t given = 0;       ///< Frames that were taken,
  std::int64_t dropped = 0;     ///< that were replaced by later ones before anybody took them,
  std::int64_t damaged = 0;     ///< and that came damaged, or refer to damaged ones.
  std::int64_t reconnects = 0;  ///< So often it was lost and came back.
  LiveEnd end = LiveEnd::open;
  std::string reason{};  ///< Why it was lost.
};

struct FrameSourceOptions {
  /// The file has no header; it is read as this says.
  std::optional<RawVideo> raw = std::nullopt;
  /// Frames come from standard input, raw or any video that can be read without going back; the path is for messages.
  bool standard_input = false;
  /// next_yuv gives the chroma too.
  bool chroma = false;
  /// The source is live: a named pipe, standard input, or, which is allowed here alone, udp://HOST:PORT or
  /// rtsp://HOST/NAME. A thread reads it all the time; next() waits for a frame that is later than the last one and
  /// gives the latest, so that frames are dropped where the caller is slower, and memory does not grow. Frames count as
  /// given. Not with `raw`. Where it stops or is lost for good, it ends; where it never gave a frame, opening is an
  /// Error.
  std::optional<LiveOptions> live = std::nullopt;
};

}  // namespace vergence
