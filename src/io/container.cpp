// SPDX-License-Identifier: Apache-2.0
// Containers and codecs that are let in. Those of these lists were fed with damaged files: FFmpeg reads many more, some
// of which crash, ask for the network, or end early without a word.
#include "io/container.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>

#include "io/bytes.hpp"
#include "io/transport.hpp"

namespace vergence::io {
namespace {

constexpr const char* known_containers =
    "mov,mp4,3gp,3g2,mj2,matroska,webm,avi,mpeg,mpegts,mpegvideo,m4v,h264,hevc,av1,obu,ivf,flv,nut,yuv4mpegpipe,mjpeg,"
    "dv,h263";

constexpr AVCodecID known_codecs[] = {
    AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_H264,  AV_CODEC_ID_HEVC,      AV_CODEC_ID_VP8,
    AV_CODEC_ID_VP9,        AV_CODEC_ID_AV1,        AV_CODEC_ID_MPEG4, AV_CODEC_ID_MSMPEG4V1, AV_CODEC_ID_MSMPEG4V2,
    AV_CODEC_ID_MSMPEG4V3,  AV_CODEC_ID_H263,       AV_CODEC_ID_H263P, AV_CODEC_ID_WMV1,      AV_CODEC_ID_WMV2,
    AV_CODEC_ID_FLV1,       AV_CODEC_ID_MJPEG,      AV_CODEC_ID_FFV1,  AV_CODEC_ID_HUFFYUV,   AV_CODEC_ID_FFVHUFF,
    AV_CODEC_ID_UTVIDEO,    AV_CODEC_ID_MAGICYUV,   AV_CODEC_ID_PNG,   AV_CODEC_ID_RAWVIDEO,  AV_CODEC_ID_V210,
    AV_CODEC_ID_DVVIDEO,    AV_CODEC_ID_PRORES,     AV_CODEC_ID_DNXHD, AV_CODEC_ID_CFHD,      AV_CODEC_ID_JPEG2000,
};

bool is_known(AVCodecID codec) {
  return std::find(std::begin(known_codecs), std::end(known_codecs), codec) != std::end(known_codecs);
}

bool begins_with_start_code(AVIOContext* bytes) {
  if (avio_seek(bytes, 0, SEEK_SET) < 0) return false;
  const unsigned first = avio_rb24(bytes);
  return first == 1 || (first == 0 && avio_r8(bytes) == 1);
}

[[noreturn]] void fail_unknown(const std::string& path, AVIOContext* bytes) {
  if (begins_with_start_code(bytes))
    fail_read(ErrorCode::bad_data, path,
              "it begins as H.264, HEVC and MPEG video do, but the parameters of its pictures (SPS and PPS, sequence "
              "header), without which nothing can be decoded, are not in it: copy it again from its beginning");
  fail_read(ErrorCode::bad_data, path,
            "it is not a picture or video that can be read: give PNG, JPEG, TIFF, BMP, PNM, PFM, NPY or a video");
}

[[noreturn]] void fail_start(const std::string& path, int error) {
  if (error == AVERROR(ENOMEM))
    fail_read(ErrorCode::bad_data, path,
              "it asks for more memory than there is: copy or create it again if it may be damaged, else free memory");
  // FFmpeg's complaint where the table of an MP4, which recorders write last, is not there.
  if (av_complaint().find("moov atom not found") != std::string::npos)
    fail_read(ErrorCode::bad_data, path,
              "the video is truncated: the file ends before the table of its frames (moov): copy or create it again");
  // The error number that comes with it says nothing of the cause.
  if (av_complaint().find("Picture size ") != std::string::npos)
    fail_read(ErrorCode::bad_data, path,
              "its header gives a frame size that is 0 or too large: copy or create it again");
  fail_read(ErrorCode::bad_data, path,
            fmt::format("the video is damaged at its beginning: {}: copy or create it again", av_reason(error)));
}

struct Options {
  AVDictionary* list = nullptr;
  Options() { av_dict_set(&list, "protocol_whitelist", "file,pipe", 0); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options() { av_dict_free(&list); }
};

AVIOContext* open_bytes(const std::string& path, bool standard_input) {
  Options options;
  AVIOContext* bytes = nullptr;
  const int held = !standard_input && is_held(path) ? open_held(path) : -1;
  // "file:" keeps a name such as "a:b.mkv" from being taken for a protocol.
  const std::string address = standard_input ? "pipe:0"
                              : held >= 0    ? fmt::format("file:/proc/self/fd/{}", held)
                                             : "file:" + path;
  const int error = avio_open2(&bytes, address.c_str(), AVIO_FLAG_READ, nullptr, &options.list);
  if (held >= 0) close(held);  // FFmpeg has opened it anew
  if (error == AVERROR(ENOENT)) fail_read(ErrorCode::not_found, path, "there is no such file: check the name");
  if (error == AVERROR(EACCES)) fail_read(ErrorCode::io, path, "permission denied: check the file's permissions");
  if (error == AVERROR(ENOMEM)) fail_read(ErrorCode::out_of_memory, path, "no memory to open it: free memory");
  if (error < 0) fail_read(ErrorCode::io, path, av_reason(error));
  if ((bytes->seekable & AVIO_SEEKABLE_NORMAL) != 0) return bytes;
  AVIOContext* watched = watch_heads(bytes);
  if (watched == nullptr) {
    avio_closep(&bytes);
    fail_read(ErrorCode::out_of_memory, path, "no memory to open it: free memory");
  }
  return watched;
}

/// Loses nothing, and each slice has a checksum: damage is noticed.
constexpr const char* convert_video = "`ffmpeg -i FILE -c:v ffv1 -level 3 -slicecrc 1 out.mkv`";

// The container's reader; `sure` where the bytes told it, and not the name's ending.
const AVInputFormat* find_format(AVIOContext* bytes, const std::string& path, bool& sure) {
  const int first = avio_r8(bytes);
  if (avio_feof(bytes) != 0) fail_read(ErrorCode::bad_data, path, "it is empty or closed: give a video");
  const bool jpeg = first == 0xFF && avio_r8(bytes) == 0xD8;
  avio_seek(bytes, 0, SEEK_SET);
  const AVInputFormat* input = jpeg ? av_find_input_format("mjpeg") : nullptr;
  sure = input != nullptr;
  if (sure) return input;
  const int score = av_probe_input_buffer2(bytes, &input, path.c_str(), nullptr, 0, 0);
  if (score == AVERROR(ENOMEM)) fail_start(path, score);
  sure = score > AVPROBE_SCORE_EXTENSION + 1;  // raw streams are sure of no more than that
  // Anything may hold pictures of JPEG, but not before its first byte.
  if (score < 0 || input == nullptr || std::strcmp(input->name, "mjpeg") == 0) fail_unknown(path, bytes);
  if (av_match_list(input->name, known_containers, ',') != 0) return input;
  if (!sure) fail_unknown(path, bytes);
  const bool described = input->long_name != nullptr && *input->long_name != '\0';
  const std::string_view kind = input->name;
  const bool pictures = kind == "gif" || kind.ends_with("_pipe");
  fail_read(ErrorCode::unsupported, path,
            fmt::format("files of the kind {}{} are not read here: convert it, e.g. {}", kind,
                        described ? fmt::format(" ({})", input->long_name) : "",
                        pictures ? "`ffmpeg -i FILE out.png`, or to out_%04d.png where it moves" : convert_video));
}

void open_format(Container& container, const AVInputFormat* input, const std::string& path, bool sure) {
  Options options;
  av_dict_set(&options.list, "format_whitelist", known_containers, 0);
  av_dict_set(&options.list, "codec_whitelist", known_decoder_names().c_str(), 0);
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) fail_start(path, AVERROR(ENOMEM));
  context->pb = container.bytes.get();
  const int error = avformat_open_input(&context, path.c_str(), input, &options.list);  // frees it where it fails
  container.format.reset(error < 0 ? nullptr : context);
  // FFmpeg's own reason speaks of its lists and probes, but for this one.
  if (error < 0 && av_complaint().find("pixel format") != std::string::npos)
    fail_read(ErrorCode::unsupported, path,
              "its pixel format is not known: convert it to grey, 4:2:0, 4:2:2 or 4:4:4 of 8 to 16 bits");
  if (error < 0 && !sure) fail_unknown(path, container.bytes.get());
  if (error < 0) fail_start(path, error);
}

// FFmpeg reads on until it knows every stream; from a small file that is all there is.
void look_ahead(Container& container, const std::string& path) {
  forget_av_complaint();
  const int error = avformat_find_stream_info(container.format.get(), nullptr);
  const std::string complaint = av_container_complaint();
  container.ends_early = speaks_of_end(complaint);
  // A small second video is met here.
  const bool wrong = error < 0 || (!complaint.empty() && !container.ends_early);
  if (wrong && container.is("mov,flv"))
    if (const std::int64_t second = second_head(container.bytes.get(), container.is("flv")); second > 0)
      fail_joined(path, second);
  if (error < 0) fail_start(path, error);
  if (!complaint.empty() && !container.ends_early)
    fail_read(ErrorCode::bad_data, path,
              fmt::format("the video is damaged at its beginning: {}: copy or create it again", complaint));
}

// FFmpeg finds the next frame of an AVI behind a gap without a word. The size in its head tells of the gap.
std::int64_t end_of_avi(AVIOContext* bytes) {
  if (avio_seek(bytes, 4, SEEK_SET) < 0) return 0;
  return std::int64_t{avio_rl32(bytes)} + 8;  // recorders that were cut off leave 0 or a small number
}

// The end of an MP4's last box. Of a table that is cut off, FFmpeg takes what there is; of a second one, nothing.
std::int64_t end_of_mp4(AVIOContext* bytes, std::int64_t size, std::int64_t& second_table) {
  std::int64_t at = 0;
  int tables = 0;
  while (at + 8 <= size && avio_seek(bytes, at, SEEK_SET) >= 0) {
    std::uint64_t length = avio_rb32(bytes);
    if (avio_rb32(bytes) == 0x6D6F6F76 && ++tables == 2) second_table = at;  // moov
    if (length == 1) length = avio_rb64(bytes);
    if (length == 0) return size;  // up to the end
    if (length < 8 || length > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 2)) return at;
    at += static_cast<std::int64_t>(length);
  }
  return at;
}

// Where the head of another FLV stands among the tags, which FFmpeg takes for the end; else 0.
std::int64_t second_flv(AVIOContext* bytes, std::int64_t size) {
  constexpr std::int64_t size_of_tag_before = 4, head_of_tag = 11;
  if (avio_seek(bytes, 5, SEEK_SET) < 0) return 0;
  std::int64_t at = std::int64_t{avio_rb32(bytes)} + size_of_tag_before;
  while (at + head_of_tag <= size && avio_seek(bytes, at, SEEK_SET) >= 0) {
    const int type = avio_r8(bytes);
    const std::uint32_t length = avio_rb24(bytes);
    if (type == 'F' && length == 0x4C5601) return at;  // "LV", version 1
    at += head_of_tag + length + size_of_tag_before;
  }
  return 0;
}

// What the file should have according to its own lengths, and has not. Throws Error where two files were joined.
std::int64_t missing_bytes(AVIOContext* bytes, const AVInputFormat* input, const std::string& path) {
  const std::int64_t size = avio_size(bytes);
  const std::int64_t start = avio_tell(bytes);
  if (size < 12 || (bytes->seekable & AVIO_SEEKABLE_NORMAL) == 0) return 0;
  std::int64_t end = 0, second = 0;
  if (std::strcmp(input->name, "avi") == 0) end = end_of_avi(bytes);
  if (std::strcmp(input->name, "mpegts") == 0) end = end_of_packets(bytes, size);
  if (std::strcmp(input->name, "flv") == 0) second = second_flv(bytes, size);
  if (av_match_list(input->name, "mov", ',') != 0) end = end_of_mp4(bytes, size, second);
  if (avio_seek(bytes, start, SEEK_SET) < 0) return 0;
  if (second > 0) fail_joined(path, second);
  return std::max<std::int64_t>(end - size, 0);
}

std::string codec_text(const AVCodecParameters& parameters) {
  const AVCodecDescriptor* descriptor = avcodec_descriptor_get(parameters.codec_id);
  if (descriptor != nullptr && parameters.codec_id != AV_CODEC_ID_NONE) return descriptor->name;
  char tag[AV_FOURCC_MAX_STRING_SIZE] = {};
  return fmt::format("'{}'", av_fourcc_make_string(tag, parameters.codec_tag));
}

// Of several streams of video, what players show: the one marked as the default, else the first. FFmpeg's choice is the
// one with the most bits. Covers and thumbnails are no videos.
void choose_among(Container& container, const std::string& path) {
  const AVFormatContext& format = *container.format;
  int count = 0, first = -1, marked = -1;
  for (int i = 0; i < static_cast<int>(format.nb_streams); ++i) {
    const AVStream& stream = *format.streams[i];
    constexpr int still = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS;
    if (stream.codecpar->codec_type != AVMEDIA_TYPE_VIDEO || stream.codecpar->width == 0) continue;
    if ((stream.disposition & still) != 0) continue;
    ++count;
    if (first < 0) first = i;
    if (marked < 0 && (stream.disposition & AV_DISPOSITION_DEFAULT) != 0) marked = i;
  }
  if (count < 2) return;
  container.stream = marked >= 0 ? marked : first;
  const AVCodecParameters& chosen = *format.streams[container.stream]->codecpar;
  container.choice =
      fmt::format("{} has {} video streams: stream {}, {}x{}, is read; take another one out with ffmpeg -map 0:v:N",
                  path, count, container.stream, chosen.width, chosen.height);
}

void choose_stream(Container& container, const std::string& path, bool sure) {
  container.stream = av_find_best_stream(container.format.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  choose_among(container, path);
  if (container.stream < 0) {
    if (!sure) fail_unknown(path, container.bytes.get());
    fail_read(ErrorCode::bad_data, path, "there is no video stream in it: give a file that holds video");
  }
  const AVCodecParameters& parameters = *container.format->streams[container.stream]->codecpar;
  container.decoder = known_decoder(parameters, path);
  // What only looks like the start of a stream has no picture in it.
  if (parameters.width == 0 || parameters.height == 0) {
    if (!sure) fail_unknown(path, container.bytes.get());
    fail_start(path, AVERROR_INVALIDDATA);
  }
  require_av_size(path, true, parameters.width, parameters.height);
}

}  // namespace

const char* known_container_names() { return known_containers; }

const std::string& known_decoder_names() {
  static const std::string names = [] {
    std::string list;
    void* at = nullptr;
    while (const AVCodec* codec = av_codec_iterate(&at))
      if (av_codec_is_decoder(codec) != 0 && is_known(codec->id))
        list.append(list.empty() ? "" : ",").append(codec->name);
    return list;
  }();
  return names;
}

const AVCodec* known_decoder(const AVCodecParameters& parameters, const std::string& path) {
  if (!is_known(parameters.codec_id))
    fail_read(
        ErrorCode::unsupported, path,
        fmt::format("video coded as {} is not read here: convert it, e.g. {}", codec_text(parameters), convert_video));
  const AVCodec* decoder = avcodec_find_decoder(parameters.codec_id);
  if (decoder == nullptr)
    fail_read(ErrorCode::unsupported, path,
              fmt::format("this FFmpeg has no decoder of {}: install one that has, or convert the video",
                          codec_text(parameters)));
  return decoder;
}

Container open_container(const std::string& path, bool standard_input) {
  quiet_av_log();
  forget_av_complaint();
  Container container;
  container.bytes.reset(open_bytes(path, standard_input));
  bool sure = false;
  const AVInputFormat* input = find_format(container.bytes.get(), path, sure);
  container.missing_bytes = missing_bytes(container.bytes.get(), input, path);
  open_format(container, input, path, sure);
  look_ahead(container, path);
  choose_stream(container, path, sure);
  AVFormatContext& format = *container.format;
  for (unsigned i = 0; i < format.nb_streams; ++i)
    if (static_cast<int>(i) != container.stream) format.streams[i]->discard = AVDISCARD_ALL;
  return container;
}

bool Container::is(const char* kinds) const { return av_match_list(format->iformat->name, kinds, ',') != 0; }

void fail_joined(const std::string& path, std::int64_t second) {
  fail_read(ErrorCode::bad_data, path,
            fmt::format("two videos were joined into one file, and frames of the second one, whose head is at byte "
                        "{}, would be lost: give them one by one, or join them with `ffmpeg -f concat`",
                        second));
}

bool is_h263_family(AVCodecID codec) {
  switch (codec) {
    case AV_CODEC_ID_MPEG4:
    case AV_CODEC_ID_MSMPEG4V1:
    case AV_CODEC_ID_MSMPEG4V2:
    case AV_CODEC_ID_MSMPEG4V3:
    case AV_CODEC_ID_H263:
    case AV_CODEC_ID_H263P:
    case AV_CODEC_ID_WMV1:
    case AV_CODEC_ID_WMV2:
    case AV_CODEC_ID_FLV1:
      return true;
    default:
      return false;
  }
}

bool speaks_of_end(const std::string& complaint) {
  return complaint.find("prematurely") != std::string::npos || complaint.find("partial file") != std::string::npos;
}

}  // namespace vergence::io
