// SPDX-License-Identifier: Apache-2.0
// FrameSource and StereoSource: pictures, numbered sequences and videos as streams of grey frames.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <system_error>
#include <utility>

#include "io/bytes.hpp"
#include "io/live.hpp"
#include "io/pair_times.hpp"
#include "io/picture_notes.hpp"
#include "io/picture_part.hpp"
#include "io/raster.hpp"
#include "io/raw_video.hpp"
#include "io/sequence.hpp"
#include "io/video.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

std::string describe(const GreyPicture& picture) {
  return fmt::format("{}x{} {}-bit (maximum {})", picture.width(), picture.height(),
                     picture.depth == Depth::u8 ? 8 : 16, picture.max_value);
}

bool same_form(const GreyPicture& a, const GreyPicture& b) {
  return a.size() == b.size() && a.depth == b.depth && a.max_value == b.max_value;
}

}  // namespace

struct FrameSource::Impl {
  std::string path;
  std::string current;  // what name() tells
  FrameRange range;
  FrameSourceOptions options;
  std::int64_t index = 0;  // of the next frame to be given: its file's number, or counted from 0
  std::optional<io::SequenceName> sequence;
  std::vector<std::int64_t> numbers;
  std::vector<std::string> notices;  // about the files of a sequence
  io::PictureWatch pictures;
  std::optional<io::VideoReader> video;
  std::optional<io::RawVideoReader> raw;
  std::optional<io::LiveReader> live;
  std::optional<YuvFrame> ahead;  // the next frame: it is read beforehand so that opening finds a bad source
  GreyPicture form;               // size and depth of the first frame, without its pixels
  ChromaFormat chroma = ChromaFormat::none;
  Size size;

  void open() {
    std::error_code ignored;
    const bool named = !options.raw && !options.standard_input && !options.live;
    if (named && !std::filesystem::exists(path, ignored)) {
      io::refuse_address(path);
      sequence = io::parse_sequence(path);
      if (!sequence) io::refuse_pattern(path);
    }
    if (options.live) {
      if (options.raw)
        throw Error(ErrorCode::invalid_argument, "raw video cannot be read live: send it as NUT or Y4M, say");
      live.emplace(path, options.standard_input, *options.live);
    } else if (options.raw) {
      raw.emplace(path, *options.raw, options.standard_input);
    } else if (sequence) {
      find_files();
      if (range.first < 0) range.first = numbers.front();
      if (range.first > numbers.back() || (range.last >= 0 && range.last < range.first)) fail_start(0);
      require_no_gap();
    } else if (options.standard_input || !io::is_picture_file(path)) {
      video.emplace(path, options.standard_input);
    }
    range.first = std::max<std::int64_t>(range.first, 0);
    for (; (video || raw || live) && index < range.first; ++index)
      if (!(video ? video->skip() : raw ? raw->skip() : live->next(false).has_value())) fail_start(index);
    index = range.first;
    ahead = fetch();
    if (!ahead) fail_start(video || raw || live ? index : 1);
    form.depth = ahead->luma.depth;
    form.max_value = ahead->luma.max_value;
    chroma = ahead->chroma;
    size = ahead->luma.size();
  }

  void find_files() {
    io::SequenceFiles files = io::find_files(*sequence);
    numbers = std::move(files.numbers);
    if (numbers.empty())
      io::fail_read(ErrorCode::not_found, path,
                    files.left_out > 0
                        ? fmt::format("no file such as \"{}\" exists, but {}: check how many digits there are",
                                      sequence->path(files.other_number), files.other)
                        : fmt::format("no file such as \"{}\" exists: check the name", sequence->path(0)));
    if (files.left_out > 0) notices.push_back(io::left_out_text(files, *sequence, path));
  }

  // Of a sequence: the last number of the range.
  std::int64_t last_number() const { return range.last < 0 ? numbers.back() : std::min(range.last, numbers.back()); }

  // Files that are left out may be those that are missed.
  std::string left_out() const { return notices.empty() ? "" : "; " + notices.front(); }

  void require_no_gap() const {
    for (std::int64_t number = range.first; number <= last_number(); ++number)
      if (!std::binary_search(numbers.begin(), numbers.end(), number))
        io::fail_read(ErrorCode::not_found, sequence->path(number),
                      fmt::format("the sequence lacks this file (its numbers are {} .. {}): add it, or choose frames "
                                  "up to {} or from {} on (--frames){}",
                                  numbers.front(), numbers.back(), number - 1, number + 1, left_out()));
  }

  [[noreturn]] void fail_start(std::int64_t frames) const {
    if (sequence)
      io::fail_read(ErrorCode::invalid_argument, path,
                    fmt::format("frame {} is not among its files: their numbers are {} .. {}{}",
                                range.first > numbers.back() ? range.first : range.last, numbers.front(),
                                numbers.back(), left_out()));
    if (frames == 0) io::fail_read(ErrorCode::bad_data, path, "it holds no frame: give a source with at least one");
    io::fail_read(ErrorCode::invalid_argument, path,
                  fmt::format("frame {} is beyond its end: it has {} frame{}, counted from 0", range.first, frames,
                              frames == 1 ? "" : "s"));
  }

  // The frame at `index`, or nothing at the end of the source or of the range.
  std::optional<YuvFrame> fetch() {
    const bool wanted = range.last < 0 || index <= range.last;
    if (video) return video->next(options.chroma, wanted);
    if (!wanted) return std::nullopt;
    if (live) return live->next(options.chroma);
    if (raw) return raw->next(options.chroma);
    if (index > (sequence ? last_number() : 0)) return std::nullopt;
    if (sequence) current = sequence->path(index);
    io::Raster raster = io::read_raster(current, io::Want::grey);
    pictures.see(raster.notes, current, raster.size());
    std::optional<YuvFrame> frame(std::in_place);
    frame->luma = io::to_grey(std::move(raster), current);
    return frame;
  }
};

FrameSource::FrameSource(const std::string& path, const FrameRange& range, const FrameSourceOptions& options)
    : impl_(std::make_unique<Impl>()) {
  if (range.last >= 0 && range.last < range.first)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("frames {}:{} are no range: give A:B with A <= B", range.first, range.last));
  impl_->path = path;
  impl_->current = options.live ? shown_source(path) : path;
  impl_->range = range;
  impl_->options = options;
  impl_->open();
}
FrameSource::FrameSource(FrameSource&&) noexcept = default;
FrameSource& FrameSource::operator=(FrameSource&&) noexcept = default;
FrameSource::~FrameSource() = default;

std::optional<GreyPicture> FrameSource::next() {
  std::optional<YuvFrame> frame = next_yuv();
  return frame ? std::optional<GreyPicture>(std::move(frame->luma)) : std::nullopt;
}

std::optional<YuvFrame> FrameSource::next_yuv() {
  Impl& self = *impl_;
  if (self.ahead) {
    ++self.index;
    std::optional<YuvFrame> first = std::move(self.ahead);
    self.ahead.reset();
    return first;
  }
  std::optional<YuvFrame> frame = self.fetch();
  if (!frame) return std::nullopt;
  const GreyPicture& luma = frame->luma;
  if (luma.size() != self.size || luma.depth != self.form.depth || luma.max_value != self.form.max_value)
    io::fail_read(
        ErrorCode::bad_data, self.current,
        fmt::format(
            "frame {} is {}, but the first one is {}x{} {}-bit (maximum {}): all frames must have the same form",
            self.index, describe(luma), self.size.width, self.size.height, self.form.depth == Depth::u8 ? 8 : 16,
            self.form.max_value));
  if (frame->chroma != self.chroma)
    io::fail_read(ErrorCode::bad_data, self.current,
                  fmt::format("frame {} has other chroma planes than the first one: all frames must have the same form",
                              self.index));
  ++self.index;
  return frame;
}

bool FrameSource::is_stream() const {
  const Impl& self = *impl_;
  return self.video || self.raw || self.live || self.sequence;
}

std::optional<std::int64_t> FrameSource::count() const {
  const Impl& self = *impl_;
  std::optional<std::int64_t> all = 1;  // the number behind the last one
  if (self.sequence) all = self.numbers.back() + 1;
  if (self.video) all = self.video->count();
  if (self.raw) all = self.raw->count();
  if (self.live) all.reset();
  if (!all) return self.range.last < 0 ? all : std::optional<std::int64_t>(self.range.last - self.range.first + 1);
  const std::int64_t end = self.range.last < 0 ? *all : std::min(*all, self.range.last + 1);
  return std::max<std::int64_t>(end - self.range.first, 0);
}

std::int64_t FrameSource::number() const { return impl_->index; }

bool FrameSource::is_sequence() const { return impl_->sequence.has_value(); }

double FrameSource::rate() const {
  if (impl_->live) return impl_->live->rate();
  return impl_->video ? impl_->video->rate() : 0;
}

std::optional<LiveReport> FrameSource::live() const {
  return impl_->live ? std::optional<LiveReport>(impl_->live->report()) : std::nullopt;
}

std::optional<double> FrameSource::time() const { return impl_->video ? impl_->video->time() : std::nullopt; }

std::string FrameSource::missing() const {
  if (impl_->live) return fmt::format("{}", fmt::join(notices(), "; "));
  return impl_->video ? impl_->video->missing() : impl_->pictures.later_line();
}

std::vector<std::string> FrameSource::notices() const {
  if (impl_->live) return io::live_notices(impl_->path, impl_->live->report());
  std::vector<std::string> lines = impl_->video ? impl_->video->notices() : impl_->notices;
  for (std::string& line : impl_->pictures.lines()) lines.push_back(std::move(line));
  return lines;
}

const std::vector<std::uint8_t>& FrameSource::raw_start() const {
  static const std::vector<std::uint8_t> none;
  return impl_->raw ? impl_->raw->start() : none;
}

const std::string& FrameSource::name() const { return impl_->current; }

std::vector<std::string> FrameSource::files() const {
  const Impl& self = *impl_;
  if (self.options.standard_input || self.live) return {};
  if (!self.sequence) return {self.path};
  std::vector<std::string> names;
  for (std::int64_t number = self.range.first; number <= self.last_number(); ++number)
    names.push_back(self.sequence->path(number));
  return names;
}

struct StereoSource::Impl {
  FrameSource first;
  std::optional<FrameSource> second;
  StereoLayout layout = StereoLayout::side_by_side;
  FrameRange range;  // its first frame is known
  std::int64_t given = 0;
  std::string warning;
  io::PairTimes times;

  StereoFrame split(const GreyPicture& both) const {
    const bool columns = layout == StereoLayout::side_by_side;
    const Size size = both.size();
    if ((columns ? size.width : size.height) % 2 != 0)
      io::fail_read(ErrorCode::bad_data, first.name(),
                    fmt::format("its frames are {}x{} and cannot be halved: {} must be even", size.width, size.height,
                                columns ? "the width" : "the height"));
    const Size half{columns ? size.width / 2 : size.width, columns ? size.height : size.height / 2};
    StereoFrame frame;
    frame.left = io::part_of(both, {0, 0, half.width, half.height});
    frame.right = io::part_of(both, {columns ? half.width : 0, columns ? 0 : half.height, half.width, half.height});
    return frame;
  }

  void require_alike(const GreyPicture& left, const GreyPicture& right) const {
    if (same_form(left, right)) return;
    const bool turned =
        left.width() == right.height() && left.height() == right.width() && left.width() != left.height();
    throw Error(
        ErrorCode::bad_data,
        fmt::format(R"(left and right differ: "{}" is {}, "{}" is {}: {})", first.name(), describe(left),
                    second->name(), describe(right),
                    turned
                        ? "one is turned: turn it back, for the orientation that a camera notes (Exif) is not applied"
                        : "give two pictures of the same size and depth"));
  }

  void end(bool left_goes_on, bool right_goes_on) {
    if (left_goes_on != right_goes_on) {
      warning =
          fmt::format("the {} stream ended after {} frame{}, the {} one is longer: the rest of it was left out",
                      left_goes_on ? "right" : "left", given, given == 1 ? "" : "s", left_goes_on ? "left" : "right");
    } else if (range.last >= 0 && range.first + given <= range.last && first.is_stream()) {
      warning = fmt::format("frames {}:{} were asked for, but the stream ended after frame {}", range.first, range.last,
                            range.first + given - 1);
    }
    // Where frames got lost, one may end early for that.
    for (const std::string& line : {first.missing(), second ? second->missing() : "", times.text()})
      if (!line.empty()) warning += (warning.empty() ? "" : "; ") + line;
  }

  /// Of sequences both are decoded at the same time. Videos have threads of their own.
  std::pair<std::optional<GreyPicture>, std::optional<GreyPicture>> next_two() {
    const auto read_right = [this] { return second->next(); };
    std::future<std::optional<GreyPicture>> later;
    try {
      if (first.is_sequence() && second->is_sequence()) later = std::async(std::launch::async, read_right);
    } catch (const std::system_error&) {  // no thread can be started
    }
    std::optional<GreyPicture> left = first.next();
    return {std::move(left), later.valid() ? later.get() : read_right()};
  }

  std::optional<StereoFrame> next() {
    if (!second) {
      if (std::optional<GreyPicture> both = first.next()) return split(*both);
      end(false, false);
      return std::nullopt;
    }
    auto [left, right] = next_two();
    if (!left || !right) {
      end(left.has_value(), right.has_value());
      return std::nullopt;
    }
    require_alike(*left, *right);
    times.take(range.first + given, first.time(), second->time());
    StereoFrame frame;
    frame.left = std::move(*left);
    frame.right = std::move(*right);
    return frame;
  }
};

StereoSource::StereoSource(const std::string& left_path, const std::string& right_path, const FrameRange& range)
    : impl_(new Impl{FrameSource(left_path, range), std::nullopt, StereoLayout::side_by_side, range, 0, {}, {}}) {
  FrameSource& left = impl_->first;
  impl_->range.first = left.number();
  // A sequence says where the other begins; of two, the one with the lower number shows what the other lacks.
  FrameSource right(right_path, range);
  if (range.first < 0 && right.number() != left.number()) {
    if (left.is_sequence() && (!right.is_sequence() || left.number() < right.number())) {
      right = FrameSource(right_path, {left.number(), range.last});
    } else {
      impl_->range.first = right.number();
      left = FrameSource(left_path, {right.number(), range.last});
    }
  }
  if (left.is_sequence() && right.is_sequence()) io::require_partners(left.files(), right.files());
  impl_->second.emplace(std::move(right));
  impl_->times.set_rates(impl_->first.rate(), impl_->second->rate());
}
StereoSource::StereoSource(const std::string& path, StereoLayout layout, const FrameRange& range,
                           const FrameSourceOptions& options)
    : impl_(new Impl{FrameSource(path, range, options), std::nullopt, layout, range, 0, {}, {}}) {
  impl_->range.first = impl_->first.number();
}
StereoSource::StereoSource(StereoSource&&) noexcept = default;
StereoSource& StereoSource::operator=(StereoSource&&) noexcept = default;
StereoSource::~StereoSource() = default;

std::optional<StereoFrame> StereoSource::next() {
  std::optional<StereoFrame> frame = impl_->next();
  if (frame) frame->index = impl_->range.first + impl_->given++;
  return frame;
}

std::int64_t StereoSource::number() const { return impl_->range.first + impl_->given; }

bool StereoSource::is_stream() const {
  return impl_->first.is_stream() || (impl_->second && impl_->second->is_stream());
}

std::optional<std::int64_t> StereoSource::count() const {
  const auto left = impl_->first.count();
  if (!impl_->second) return left;
  const auto right = impl_->second->count();
  return left && right ? std::optional<std::int64_t>(std::min(*left, *right)) : left ? left : right;
}

std::optional<LiveReport> StereoSource::live() const { return impl_->first.live(); }

double StereoSource::rate() const { return impl_->first.rate(); }

std::vector<std::string> StereoSource::notices() const {
  const FrameSource* right = impl_->second ? &*impl_->second : nullptr;
  std::vector<std::string> lines = io::pair_notices(impl_->first, right);
  if (right != nullptr) io::join_orientations(impl_->first.impl_->pictures, right->impl_->pictures, lines);
  return lines;
}

std::vector<std::string> StereoSource::files() const {
  std::vector<std::string> names = impl_->first.files();
  if (!impl_->second) return names;
  const std::vector<std::string> right = impl_->second->files();
  names.insert(names.end(), right.begin(), right.end());
  return names;
}

const std::string& StereoSource::warning() const { return impl_->warning; }

}  // namespace vergence
