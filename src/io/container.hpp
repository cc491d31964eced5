// SPDX-License-Identifier: Apache-2.0
// Opening of video files: which containers and codecs are let in, and what is wrong with a file that is not.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/joined.hpp"
#include "io/libav.hpp"

namespace vergence::io {

struct FreeIo {
  void operator()(AVIOContext* bytes) const { close_bytes(bytes); }
};

/// A container that is open, and its stream of video, which this FFmpeg can decode.
struct Container {
  std::unique_ptr<AVIOContext, FreeIo> bytes;  // must outlive the format
  FormatPtr format;
  int stream = -1;
  const AVCodec* decoder = nullptr;
  /// The end of the file was met while its beginning was looked at, and it was not where it should be.
  bool ends_early = false;
  /// Bytes that the file should have and has not.
  std::int64_t missing_bytes = 0;
  /// Which of several streams of video was chosen: a line for the user, else empty.
  std::string choice;

  /// Whether its kind is one of `kinds`, FFmpeg's names with commas between them.
  bool is(const char* kinds) const;
  /// Whether packets of MPEG-TS are missing in what was read so far.
  bool lost_packets() const { return is("mpegts") && lost_av_packets(format.get(), stream); }
};

/// Throws Error that says why `path` cannot be read. From standard input, `path` is for messages.
Container open_container(const std::string& path, bool standard_input);

/// Of the containers that are let in, FFmpeg's names with commas between them.
const char* known_container_names();
/// Those of the decoders that FFmpeg may use while it looks at a beginning: audio's are not among them.
const std::string& known_decoder_names();
/// Throws Error(unsupported) for a codec that is not let in, or that this FFmpeg lacks.
const AVCodec* known_decoder(const AVCodecParameters& parameters, const std::string& path);

/// Throws Error that tells of a second video, joined to the first one, whose head is at byte `second`.
[[noreturn]] void fail_joined(const std::string& path, std::int64_t second);

/// H.263 and the codecs built on it. Told to stop at damage, FFmpeg's decoder of MPEG-4 ends the program.
bool is_h263_family(AVCodecID codec);

/// Whether the bytes end where `complaint`, of a container's reader, was made.
bool speaks_of_end(const std::string& complaint);

}  // namespace vergence::io
