// SPDX-License-Identifier: Apache-2.0
// What `vergence rectify` makes of a pair of frames.
#include "rectify/outputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/files.hpp"
#include "cli/rig_option.hpp"
#include "cli/signals.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

/// The file of a frame, where frames are pictures.
std::string file_of(const std::string& name, std::int64_t index) {
  std::error_code problem;
  return std::filesystem::exists(name, problem) ? name : frame_path(name, index);
}

bool has_colour(const Image<Rgb>& picture) {
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const Rgb& pixel = picture(x, y);
      if (pixel.r != pixel.g || pixel.g != pixel.b) return true;
    }
  return false;
}

/// By its first frame; chroma that is neutral is none.
bool video_has_colour(const std::string& path) {
  FrameSource source(path, {}, {.chroma = true});
  const std::optional<YuvFrame> frame = source.next_yuv();
  if (!frame || frame->chroma == ChromaFormat::none) return false;
  const auto coloured = [](const GreyPicture& plane) {
    const int neutral = (plane.max_value + 1) / 2, little = neutral / 32;
    for (int y = 0; y < plane.height(); ++y)
      for (int x = 0; x < plane.width(); ++x) {
        const int value = plane.depth == Depth::u8 ? int{plane.u8(x, y)} : int{plane.u16(x, y)};
        if (value < neutral - little || value > neutral + little) return true;
      }
    return false;
  };
  return coloured(frame->cb) || coloured(frame->cr);
}

}  // namespace

GreyPicture rectified_grey(StereoRectifier& rectifier, const GreyPicture& in, StereoView view) {
  GreyPicture out{.depth = in.depth, .max_value = in.max_value, .u8 = {}, .u16 = {}};
  const auto rectify = [&](const auto& from, auto& to) {
    to = std::remove_reference_t<decltype(to)>(rectifier.size());
    if (view == StereoView::left)
      rectifier.rectify_left(from, to);
    else
      rectifier.rectify_right(from, to);
  };
  if (in.depth == Depth::u8)
    rectify(in.u8, out.u8);
  else
    rectify(in.u16, out.u16);
  return out;
}

bool is_video_name(const std::string& path) { return ending(path) == ".mp4" || ending(path) == ".y4m"; }

/// Empty where the picture is to be grey.
Image<Rgb> RectifiedOutputs::colours_of(StereoView view, const StereoFrame& frame) {
  const std::size_t which = view == StereoView::left ? 0 : 1;
  const std::string &in = files_.in[which], end = ending(files_.out[which]);
  if (files_.grey || end == ".pgm" || end == ".npy") return {};
  const bool wanted = end == ".ppm";
  if (frame.left.depth != Depth::u8 && !wanted) return {};
  std::error_code problem;
  const bool video = files_.stream && std::filesystem::exists(in, problem);
  if (video) {
    if (!looked_[which]) colours_left_out_ = video_has_colour(in) || colours_left_out_;
    looked_[which] = true;
    if (wanted)
      throw Error(ErrorCode::unsupported,
                  fmt::format("frames of the video {} are rectified as grey: write .pgm or .png "
                              "instead of {}",
                              in, files_.out[which]));
    return {};
  }
  Image<Rgb> picture = read_rgb(file_of(in, frame.index));
  return wanted || has_colour(picture) ? std::move(picture) : Image<Rgb>();
}

void RectifiedOutputs::write(const StereoFrame& frame) {
  const WriteGuard guard;
  FileGroup group;
  for (const StereoView view : {StereoView::left, StereoView::right}) {
    const std::size_t which = view == StereoView::left ? 0 : 1;
    const std::string& name = files_.out[which];
    const std::string path = files_.stream ? frame_path(name, frame.index) : name;
    const Image<Rgb> colours = colours_of(view, frame);
    if (colours.empty())
      write_grey(which, path, rectified_grey(rectifier_, view == StereoView::left ? frame.left : frame.right, view));
    else
      write_colours(which, path, rectified_colours(rectifier_, colours, view));
  }
  group.commit();
  for (const std::string& name : files_.out)
    if (files_.stream && !is_video_name(name)) is_whole(name, frame_path(name, frame.index));
}

VideoWriter& RectifiedOutputs::video(std::size_t which, const VideoFormat& format) {
  std::optional<VideoWriter>& writer = videos_[which];
  if (!writer) writer.emplace(files_.out[which], format);
  return *writer;
}

void RectifiedOutputs::write_colours(std::size_t which, const std::string& path, const Image<Rgb>& picture) {
  if (is_video_name(path))
    video(which, {.size = picture.size(), .rate = files_.rate}).write(picture.view());
  else
    write_picture(path, picture.view());
}

void RectifiedOutputs::write_grey(std::size_t which, const std::string& path, const GreyPicture& picture) {
  if (is_video_name(path)) {
    VideoWriter& writer = video(which, {.size = picture.size(),
                                        .rate = files_.rate,
                                        .chroma = ChromaFormat::none,
                                        .depth = picture.depth,
                                        .max_value = picture.max_value});
    YuvFrame frame;
    frame.luma.depth = picture.depth;
    frame.luma.max_value = picture.max_value;
    frame.luma.u8 = picture.u8.clone();
    frame.luma.u16 = picture.u16.clone();
    writer.write(frame);
  } else if (picture.depth == Depth::u8) {
    write_picture(path, picture.u8.view());
  } else {
    write_picture(path, picture.u16.view());
  }
}

void RectifiedOutputs::commit() {
  for (std::optional<VideoWriter>& writer : videos_)
    if (writer) writer->commit();
}

}  // namespace vergence::cli
