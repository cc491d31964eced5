// SPDX-License-Identifier: Apache-2.0
// The functions of FFmpeg that are called, each looked up at its first call: loading FFmpeg with all that it needs
// takes longer than matching a small picture, and most commands do without it. Nothing of FFmpeg is linked, so that a
// call of a function that is not listed here fails to link.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

#include <atomic>

namespace vergence::io {

/// Opens `library`, which stays open for the process's life, and gives the address of its function. Throws
/// Error(unsupported) that names the library. From any thread.
void* find_av_function(const char* library, const char* name);

/// Called like the function itself.
template <class Result, class... Arguments>
class AvCall {
 public:
  constexpr AvCall(const char* library, const char* name) : library_(library), name_(name) {}
  Result operator()(Arguments... arguments) {
    Pointer function = found_.load(std::memory_order_acquire);
    if (function == nullptr) {
      function = reinterpret_cast<Pointer>(find_av_function(library_, name_));  // NOLINT: as dlsym wants
      found_.store(function, std::memory_order_release);
    }
    return function(arguments...);
  }

 private:
  using Pointer = Result (*)(Arguments...);
  const char* library_;
  const char* name_;
  std::atomic<Pointer> found_{nullptr};
};

/// Its type. Declared only: the function itself is not linked.
template <class Result, class... Arguments>
AvCall<Result, Arguments...> call_of(Result (*function)(Arguments...));

// Of the version whose headers this is compiled with: others lay out their structures differently.
#define VERGENCE_AV_CALL(library, version, name) \
  inline constinit decltype(call_of(&::name)) name { "lib" #library ".so." AV_STRINGIFY(version), #name }
#define VERGENCE_AVUTIL_CALL(name) VERGENCE_AV_CALL(avutil, LIBAVUTIL_VERSION_MAJOR, name)
#define VERGENCE_AVCODEC_CALL(name) VERGENCE_AV_CALL(avcodec, LIBAVCODEC_VERSION_MAJOR, name)
#define VERGENCE_AVFORMAT_CALL(name) VERGENCE_AV_CALL(avformat, LIBAVFORMAT_VERSION_MAJOR, name)

VERGENCE_AVUTIL_CALL(av_d2q);
VERGENCE_AVUTIL_CALL(av_dict_free);
VERGENCE_AVUTIL_CALL(av_dict_parse_string);
VERGENCE_AVUTIL_CALL(av_dict_set);
VERGENCE_AVUTIL_CALL(av_display_rotation_get);
VERGENCE_AVUTIL_CALL(av_fourcc_make_string);
VERGENCE_AVUTIL_CALL(av_frame_alloc);
VERGENCE_AVUTIL_CALL(av_frame_free);
VERGENCE_AVUTIL_CALL(av_frame_get_buffer);
VERGENCE_AVUTIL_CALL(av_frame_make_writable);
VERGENCE_AVUTIL_CALL(av_frame_unref);
VERGENCE_AVUTIL_CALL(av_free);
VERGENCE_AVUTIL_CALL(av_freep);
VERGENCE_AVUTIL_CALL(av_get_pix_fmt_name);
VERGENCE_AVUTIL_CALL(av_image_get_linesize);
VERGENCE_AVUTIL_CALL(av_log_set_callback);
VERGENCE_AVUTIL_CALL(av_malloc);
VERGENCE_AVUTIL_CALL(av_match_list);
VERGENCE_AVUTIL_CALL(av_pix_fmt_desc_get);
VERGENCE_AVUTIL_CALL(av_read_image_line);
VERGENCE_AVUTIL_CALL(av_strerror);

VERGENCE_AVCODEC_CALL(av_codec_is_decoder);
VERGENCE_AVCODEC_CALL(av_codec_iterate);
VERGENCE_AVCODEC_CALL(av_packet_alloc);
VERGENCE_AVCODEC_CALL(av_packet_clone);
VERGENCE_AVCODEC_CALL(av_packet_free);
VERGENCE_AVCODEC_CALL(av_packet_rescale_ts);
#if LIBAVCODEC_VERSION_MAJOR >= 61
VERGENCE_AVCODEC_CALL(av_packet_side_data_get);
#endif
VERGENCE_AVCODEC_CALL(av_packet_unref);
VERGENCE_AVCODEC_CALL(av_parser_close);
VERGENCE_AVCODEC_CALL(av_parser_init);
VERGENCE_AVCODEC_CALL(av_parser_parse2);
VERGENCE_AVCODEC_CALL(avcodec_alloc_context3);
VERGENCE_AVCODEC_CALL(avcodec_default_get_buffer2);
VERGENCE_AVCODEC_CALL(avcodec_descriptor_get);
VERGENCE_AVCODEC_CALL(avcodec_find_decoder);
VERGENCE_AVCODEC_CALL(avcodec_find_encoder_by_name);
VERGENCE_AVCODEC_CALL(avcodec_free_context);
VERGENCE_AVCODEC_CALL(avcodec_open2);
VERGENCE_AVCODEC_CALL(avcodec_parameters_from_context);
VERGENCE_AVCODEC_CALL(avcodec_parameters_to_context);
VERGENCE_AVCODEC_CALL(avcodec_receive_frame);
VERGENCE_AVCODEC_CALL(avcodec_receive_packet);
VERGENCE_AVCODEC_CALL(avcodec_send_frame);
VERGENCE_AVCODEC_CALL(avcodec_send_packet);

VERGENCE_AVFORMAT_CALL(av_find_best_stream);
VERGENCE_AVFORMAT_CALL(av_find_input_format);
VERGENCE_AVFORMAT_CALL(av_guess_frame_rate);
VERGENCE_AVFORMAT_CALL(av_probe_input_buffer2);
VERGENCE_AVFORMAT_CALL(av_read_frame);
VERGENCE_AVFORMAT_CALL(av_write_frame);
#if LIBAVCODEC_VERSION_MAJOR < 61  // later ones: av_packet_side_data_get
VERGENCE_AVFORMAT_CALL(av_stream_get_side_data);
#endif
VERGENCE_AVFORMAT_CALL(av_write_trailer);
VERGENCE_AVFORMAT_CALL(avformat_alloc_context);
VERGENCE_AVFORMAT_CALL(avformat_alloc_output_context2);
VERGENCE_AVFORMAT_CALL(avformat_close_input);
VERGENCE_AVFORMAT_CALL(avformat_find_stream_info);
VERGENCE_AVFORMAT_CALL(avformat_free_context);
VERGENCE_AVFORMAT_CALL(avformat_new_stream);
VERGENCE_AVFORMAT_CALL(avformat_open_input);
VERGENCE_AVFORMAT_CALL(avformat_write_header);
VERGENCE_AVFORMAT_CALL(avio_alloc_context);
VERGENCE_AVFORMAT_CALL(avio_closep);
VERGENCE_AVFORMAT_CALL(avio_context_free);
VERGENCE_AVFORMAT_CALL(avio_feof);
VERGENCE_AVFORMAT_CALL(avio_flush);
VERGENCE_AVFORMAT_CALL(avio_open2);
VERGENCE_AVFORMAT_CALL(avio_r8);
VERGENCE_AVFORMAT_CALL(avio_rb24);
VERGENCE_AVFORMAT_CALL(avio_rb32);
VERGENCE_AVFORMAT_CALL(avio_rb64);
VERGENCE_AVFORMAT_CALL(avio_read_partial);
VERGENCE_AVFORMAT_CALL(avio_rl32);
VERGENCE_AVFORMAT_CALL(avio_seek);
VERGENCE_AVFORMAT_CALL(avio_size);

// FFmpeg's own is inline and calls a function that is not linked.
inline constexpr auto avio_tell = [](AVIOContext* bytes) { return avio_seek(bytes, 0, SEEK_CUR); };

#undef VERGENCE_AVFORMAT_CALL
#undef VERGENCE_AVCODEC_CALL
#undef VERGENCE_AVUTIL_CALL
#undef VERGENCE_AV_CALL

}  // namespace vergence::io
