// SPDX-License-Identifier: Apache-2.0
// x264's exhaustive search cannot be called alone, so a frame is encoded twice: once with it and once with the hexagon,
// all else equal and as little as x264 can be brought to do. Both encoders are given the two frames by turns.
#include <cstring>
#include <stdexcept>

#include "motion_peers.hpp"

#if defined(VERGENCE_BENCH_X264)
extern "C" {
#include <x264.h>
}
#endif

namespace vergence::bench {

#if defined(VERGENCE_BENCH_X264)
namespace {

constexpr int range = 64;

/// Blocks of 16x16, one reference, no partition, no decision but the vector's.
x264_param_t settings(Size size, int method) {
  x264_param_t p;
  x264_param_default(&p);
  p.i_width = size.width;
  p.i_height = size.height;
  p.i_csp = X264_CSP_I400;
  p.i_log_level = X264_LOG_ERROR;
  p.i_threads = 1;
  p.i_lookahead_threads = 1;
  p.b_sliced_threads = 0;
  p.i_sync_lookahead = 0;
  p.b_vfr_input = 0;  // would hold a frame back
  p.i_keyint_max = X264_KEYINT_MAX_INFINITE;
  p.i_scenecut_threshold = 0;
  p.i_bframe = 0;
  p.i_frame_reference = 1;
  p.b_cabac = 0;
  p.b_deblocking_filter = 0;
  p.rc.i_rc_method = X264_RC_CQP;
  p.rc.i_qp_constant = 10;  // the reference is close to the original, and vectors cost next to nothing
  p.rc.i_lookahead = 0;
  p.rc.b_mb_tree = 0;
  p.rc.i_aq_mode = X264_AQ_NONE;
  p.analyse.i_me_method = method;
  p.analyse.i_me_range = method == X264_ME_HEX ? 16 : range;
  p.analyse.i_mv_range = 512;
  p.analyse.i_subpel_refine = 1;  // SAD; next to no sub-pixel work, the same for both
  p.analyse.inter = 0;
  p.analyse.intra = 0;
  p.analyse.b_transform_8x8 = 0;
  p.analyse.b_mixed_references = 0;
  p.analyse.b_chroma_me = 0;
  p.analyse.b_fast_pskip = 0;  // else it does not search blocks that look still
  p.analyse.b_dct_decimate = 0;
  p.analyse.b_psy = 0;
  p.analyse.i_trellis = 0;
  p.analyse.i_weighted_pred = X264_WEIGHTP_NONE;
  return p;
}

class Encoder {
 public:
  Encoder(Size size, int method) {
    x264_param_t p = settings(size, method);
    encoder_ = x264_encoder_open(&p);
    if (encoder_ == nullptr || x264_picture_alloc(&picture_, p.i_csp, p.i_width, p.i_height) < 0)
      throw std::runtime_error("x264 refuses its settings");
  }
  ~Encoder() {
    x264_picture_clean(&picture_);
    x264_encoder_close(encoder_);
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  /// Milliseconds.
  double encode(const Image<std::uint8_t>& frame) {
    for (int y = 0; y < frame.height(); ++y)
      std::memcpy(picture_.img.plane[0] + static_cast<std::ptrdiff_t>(y) * picture_.img.i_stride[0], frame.row(y),
                  static_cast<std::size_t>(frame.width()));
    picture_.i_pts = number_++;
    x264_nal_t* nals = nullptr;
    int count = 0;
    x264_picture_t out;
    const double start = cpu_ms();
    const int bytes = x264_encoder_encode(encoder_, &nals, &count, &picture_, &out);
    const double ms = cpu_ms() - start;
    if (bytes <= 0) throw std::runtime_error("x264 did not give a frame at once");
    return ms;
  }

 private:
  x264_t* encoder_ = nullptr;
  x264_picture_t picture_{};
  std::int64_t number_ = 0;
};

class X264Peer final : public MotionPeer {
 public:
  X264Peer(const Image<std::uint8_t>& current, const Image<std::uint8_t>& reference)
      : current_(current),
        reference_(reference),
        exhaustive_(current.size(), X264_ME_ESA),
        hexagon_(current.size(), X264_ME_HEX) {
    exhaustive_.encode(reference_);
    hexagon_.encode(reference_);
  }
  Times run() override {
    forward_ = !forward_;
    const Image<std::uint8_t>& frame = forward_ ? current_ : reference_;
    return {exhaustive_.encode(frame), hexagon_.encode(frame)};
  }

 private:
  const Image<std::uint8_t>& current_;
  const Image<std::uint8_t>& reference_;
  Encoder exhaustive_, hexagon_;
  bool forward_ = false;
};

}  // namespace

std::unique_ptr<MotionPeer> make_x264_peer(const Image<std::uint8_t>& current, const Image<std::uint8_t>& reference) {
  return std::make_unique<X264Peer>(current, reference);
}
#else
std::unique_ptr<MotionPeer> make_x264_peer(const Image<std::uint8_t>& /*current*/,
                                           const Image<std::uint8_t>& /*reference*/) {
  return nullptr;
}
#endif

}  // namespace vergence::bench
