// SPDX-License-Identifier: Apache-2.0
// FFmpeg's filter mestimate searches each frame in the one before and in the one after: two passes, of which one
// counts. It is given the two frames by turns, so both passes do the same.
#include <cstring>
#include <stdexcept>

#include "motion_peers.hpp"

#if defined(VERGENCE_BENCH_LIBAVFILTER)
extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>
}
#endif

namespace vergence::bench {

#if defined(VERGENCE_BENCH_LIBAVFILTER)
namespace {

void check(int result, const char* what) {
  if (result < 0) throw std::runtime_error(std::string("FFmpeg: ") + what);
}

class MestimatePeer final : public MotionPeer {
 public:
  MestimatePeer(const std::string& method, const Image<std::uint8_t>& current, const Image<std::uint8_t>& reference)
      : slow_(method == "esa"), current_(current), reference_(reference), graph_(avfilter_graph_alloc()) {
    graph_->nb_threads = 1;
    const Size size = current.size();
    const std::string input = "video_size=" + std::to_string(size.width) + "x" + std::to_string(size.height) +
                              ":pix_fmt=" + std::to_string(AV_PIX_FMT_GRAY8) + ":time_base=1/25";
    const std::string options = "method=" + method + ":mb_size=16:search_param=64";
    AVFilterContext* filter = nullptr;
    check(avfilter_graph_create_filter(&source_, avfilter_get_by_name("buffer"), "in", input.c_str(), nullptr, graph_),
          "buffer");
    check(avfilter_graph_create_filter(&filter, avfilter_get_by_name("mestimate"), "search", options.c_str(), nullptr,
                                       graph_),
          "mestimate");
    check(avfilter_graph_create_filter(&sink_, avfilter_get_by_name("buffersink"), "out", nullptr, nullptr, graph_),
          "buffersink");
    check(avfilter_link(source_, 0, filter, 0), "link");
    check(avfilter_link(filter, 0, sink_, 0), "link");
    check(avfilter_graph_config(graph_, nullptr), "graph");
    feed(reference_);
    // The second frame's first pass meets the first frame with itself and ends at once: one pass is measured. For the
    // others that run only fills the filter.
    if (!slow_) run();
  }
  ~MestimatePeer() override { avfilter_graph_free(&graph_); }

  Times run() override {
    forward_ = !forward_;
    const double ms = feed(forward_ ? current_ : reference_);
    return {slow_ ? ms : ms / 2, 0};
  }
  int most_runs() const override { return slow_ ? 1 : 0; }

 private:
  double feed(const Image<std::uint8_t>& image) {
    AVFrame* frame = av_frame_alloc();
    frame->width = image.width();
    frame->height = image.height();
    frame->format = AV_PIX_FMT_GRAY8;
    frame->pts = number_++;
    check(av_frame_get_buffer(frame, 0), "memory");
    for (int y = 0; y < image.height(); ++y)
      std::memcpy(frame->data[0] + static_cast<std::ptrdiff_t>(y) * frame->linesize[0], image.row(y),
                  static_cast<std::size_t>(image.width()));
    const double start = cpu_ms();
    check(av_buffersrc_add_frame(source_, frame), "frame");
    AVFrame* out = av_frame_alloc();
    const int result = av_buffersink_get_frame(sink_, out);
    const double ms = cpu_ms() - start;
    av_frame_free(&out);
    av_frame_free(&frame);
    if (result < 0 && number_ > 1) throw std::runtime_error("FFmpeg: mestimate gave no frame");
    return ms;
  }

  bool slow_;
  const Image<std::uint8_t>& current_;
  const Image<std::uint8_t>& reference_;
  AVFilterGraph* graph_;
  AVFilterContext* source_ = nullptr;
  AVFilterContext* sink_ = nullptr;
  std::int64_t number_ = 0;
  bool forward_ = false;
};

}  // namespace

std::unique_ptr<MotionPeer> make_mestimate_peer(const std::string& method, const Image<std::uint8_t>& current,
                                                const Image<std::uint8_t>& reference) {
  return std::make_unique<MestimatePeer>(method, current, reference);
}
#else
std::unique_ptr<MotionPeer> make_mestimate_peer(const std::string& /*method*/, const Image<std::uint8_t>& /*current*/,
                                                const Image<std::uint8_t>& /*reference*/) {
  return nullptr;
}
#endif

}  // namespace vergence::bench
