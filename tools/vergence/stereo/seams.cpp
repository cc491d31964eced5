// SPDX-License-Identifier: Apache-2.0
// Seams between views, and within them.
#include "stereo/seams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/middle.hpp"
#include "cli/picture_watch.hpp"
#include "vergence/inspect_lines.hpp"

namespace vergence::cli {
namespace {

enum class Edge { left, right, top, bottom };

/// Lines of about one grey level from one edge on; none where a quarter of all are.
template <class Pixel>
int bar_of(const Image<Pixel>& picture, int max_value, Edge edge) {
  const bool columns = edge == Edge::left || edge == Edge::right, last = edge == Edge::right || edge == Edge::bottom;
  const int lines = columns ? picture.width() : picture.height(), length = columns ? picture.height() : picture.width();
  int count = 0;
  for (; count < lines / 4; ++count) {
    const int at = last ? lines - 1 - count : count;
    int lowest = max_value, highest = 0;
    for (int k = 0; k < length; ++k) {
      const int pixel = columns ? picture(at, k) : picture(k, at);
      lowest = std::min(lowest, pixel);
      highest = std::max(highest, pixel);
    }
    if (highest - lowest > max_value / 16) break;  // compression leaves some
  }
  return count < lines / 4 ? count : 0;
}

int bar_of(const GreyPicture& picture, Edge edge) {
  return picture.depth == Depth::u8 ? bar_of(picture.u8, picture.max_value, edge)
                                    : bar_of(picture.u16, picture.max_value, edge);
}

}  // namespace

std::string separator_warning(const StereoFrame& frame, Halves halves) {
  constexpr int least = 2;  // px
  if (halves == Halves::none) return {};
  const bool columns = halves == Halves::columns;
  const Edge start = columns ? Edge::left : Edge::top, end = columns ? Edge::right : Edge::bottom;
  const int of_first = bar_of(frame.left, end), of_second = bar_of(frame.right, start);
  // Views that have bars at both sides have them in a film's own frame.
  if (of_first + of_second < least || bar_of(frame.left, start) > 0 || bar_of(frame.right, end) > 0) return {};
  const std::string harm =
      columns
          ? fmt::format("{} px too far to the right in its half, and all disparities are so much too small", of_second)
          : fmt::format("{} px too low in its half, and rows of both views do not meet", of_second);
  return fmt::format(
      "{} of about one grey level lie between both views, {} px of the {} half and {} px of the {} one: what belongs "
      "to "
      "the second view lies {}: cut the picture into its views first, without what parts them",
      columns ? "columns" : "rows", of_first, columns ? "left" : "upper", of_second, columns ? "right" : "lower", harm);
}

namespace {

/// Both views as they lie in one picture: its columns, or rows.
class Joined {
 public:
  Joined(const StereoFrame& frame, bool columns) : frame_(frame), columns_(columns) {}
  int half() const { return columns_ ? frame_.left.width() : frame_.left.height(); }
  int length() const { return columns_ ? frame_.left.height() : frame_.left.width(); }
  int max_value() const { return frame_.left.max_value; }
  int pixel(int line, int at) const {
    const GreyPicture& picture = line < half() ? frame_.left : frame_.right;
    const int own = line < half() ? line : line - half(), x = columns_ ? own : at, y = columns_ ? at : own;
    return picture.depth == Depth::u8 ? int{picture.u8(x, y)} : picture.u16(x, y);
  }
  /// From the line before, in the sum.
  std::int64_t step(int line) const { return step(line, 1, max_value()); }
  /// Of every `apart`-th place; larger ones count as `most`.
  std::int64_t step(int line, int apart, int most) const {
    std::int64_t sum = 0;
    for (int i = 0; i < length(); i += apart) sum += std::min(std::abs(pixel(line, i) - pixel(line - 1, i)), most);
    return sum;
  }
  /// Does the step to this line, or one beside it, stand out? Views that meet there are unlike along all of it.
  bool has_seam(int line) const {
    constexpr int slack = 1, beside = 6, share = 40;  // px; px; of the largest value, as 1 in so many
    std::int64_t here = 0, around = 0;
    for (int i = -beside; i <= beside; ++i) {
      std::int64_t& most = std::abs(i) <= slack ? here : around;
      most = std::max(most, step(line + i));
    }
    return 2 * here >= 3 * around && share * here >= std::int64_t{max_value()} * length();
  }
  /// Lines from the middle to the one at which both views meet; 0 where that is the middle, and where nothing tells.
  int seam_beside_middle() const;
  struct Range {
    int lowest = 65535, highest = 0;
  };
  Range range(int line) const {
    Range found;
    for (int i = 0; i < length(); ++i) {
      found.lowest = std::min(found.lowest, pixel(line, i));
      found.highest = std::max(found.highest, pixel(line, i));
    }
    return found;
  }
  /// Lines of one level from `first` on, forwards or backwards (`way` 1 or -1), before others that are not; else 0.
  int even_lines(int first, int way) const {
    constexpr int varied = 8, even = 60, ringing = 2;  // shares; px
    int count = 0;
    for (; count < half() / 3; ++count) {
      const Range found = range(first + way * count);
      if (even * (found.highest - found.lowest) > max_value()) break;
    }
    if (count < least_bar || count == half() / 3) return 0;
    const Range inner = range(first + way * (count + ringing));
    return varied * (inner.highest - inner.lowest) > max_value() ? count : 0;
  }
  /// Lines that repeat one, which shows something, from `first` on, without that one; else 0.
  int repeated_lines(int first, int way) const {
    constexpr int even = 60, varied = 8;  // shares of the largest value
    const Range own = range(first);
    if (varied * (own.highest - own.lowest) < max_value()) return 0;
    const auto is_like = [&](int line) {
      for (int i = 0; i < length(); ++i)
        if (even * std::abs(pixel(line, i) - pixel(first, i)) > max_value()) return false;
      return true;
    };
    int count = 0;
    while (count < half() / 3 && is_like(first + way * (count + 1))) ++count;
    return count < least_bar || count == half() / 3 ? 0 : count;
  }
  int padding(int first, int way) const { return std::max(even_lines(first, way), repeated_lines(first, way)); }
  static constexpr int least_bar = 4, least_half = 48;

 private:
  const StereoFrame& frame_;
  bool columns_;
};

int Joined::seam_beside_middle() const {
  // Of 512 good pictures none passes: their middle stands out, or shows nothing. Of 728 others 535 do, all at the right
  // line. Steps are bounded, so that edges of things, which do not stand along all of it, count less.
  constexpr int least_off = 4, around = 2, near = 6, rows = 4;  // px; every fourth one
  constexpr int bound = 8, shows = 255;                         // shares of the largest value
  constexpr double as_others = 2, as_near = 1.5, above_others = 1.3, above_middle = 2;
  if (half() < least_half) return 0;
  const int reach = half() / 4;
  std::vector<std::int64_t> steps;  // to lines from half - reach on
  for (int line = half() - reach; line <= half() + reach; ++line)
    steps.push_back(step(line, rows, max_value() / bound));
  const auto most = [&](int first, int end) {  // 0 of none
    return first < end ? static_cast<double>(*std::max_element(steps.begin() + first, steps.begin() + end)) : 0.0;
  };
  const int lines = static_cast<int>(steps.size());
  const int at = static_cast<int>(std::max_element(steps.begin(), steps.end()) - steps.begin());
  if (std::abs(at - reach) < least_off) return 0;
  const double seam = most(at, at + 1), middle = most(reach - 1, reach + around),
               beside = std::max(most(reach - near, reach - 1), most(reach + around, reach + near + 1)),
               others = std::max(most(0, at - around), most(at + around + 1, lines));
  if (middle > as_near * beside || seam < above_others * others || seam < above_middle * middle) return 0;
  if (shows * middle < static_cast<double>(max_value()) * ((length() + rows - 1) / rows)) return 0;
  return middle <= as_others * static_cast<double>(middle_of(std::move(steps))) ? at - reach : 0;
}

}  // namespace

std::string beside_middle_warning(const StereoFrame& frame, Halves halves) {
  if (halves == Halves::none) return {};
  const bool columns = halves == Halves::columns;
  const Joined whole(frame, columns);
  const int off = whole.seam_beside_middle();
  if (off == 0) return {};
  const int half = whole.half(), views = 2 * (half - std::abs(off)), first = off > 0 ? 2 * off : 0;
  return fmt::format(
      "both views meet {0} px {1} the middle of the picture that holds them, at {2} {3} of {4}: something lies at an "
      "outer edge, such as a tool bar or a scroll bar, or one view is {5} px {6} than the other one: its halves are "
      "not the views, {7}: cut it into its views first: where a bar is at the {8} edge, with `ffmpeg -i FILE -vf "
      "crop={9} OUT`",
      std::abs(off), columns ? (off > 0 ? "to the right of" : "to the left of") : (off > 0 ? "below" : "above"),
      columns ? "column" : "row", half + off, 2 * half, 2 * std::abs(off), columns ? "narrower" : "lower",
      columns ? fmt::format("and all disparities are {} px too large or too small", std::abs(off))
              : fmt::format("and rows of both lie {} px apart", std::abs(off)),
      columns ? (off > 0 ? "left" : "right") : (off > 0 ? "upper" : "lower"),
      columns ? fmt::format("{}:{}:{}:0", views, whole.length(), first)
              : fmt::format("{}:{}:0:{}", whole.length(), views, first));
}

std::string several_views_warning(const StereoFrame& frame, Halves halves) {
  if (halves == Halves::none) return {};
  const bool columns = halves == Halves::columns;
  const Joined whole(frame, columns);
  const int half = whole.half();
  if (half < Joined::least_half) return {};
  const auto seam_at = [&](int part, int parts) { return whole.has_seam(2 * half * part / parts); };
  const int views = seam_at(1, 3) && seam_at(2, 3) ? 3 : seam_at(1, 4) && seam_at(1, 2) && seam_at(3, 4) ? 4 : 0;
  if (views == 0) return {};
  return fmt::format(
      "the picture seems to hold {} views {}, not two: edges as between views stand at 1/{} and {}/{} of its {}: its "
      "halves are no views of one scene: cut out two of them first, as with `ffmpeg -i FILE -vf crop={} OUT`",
      views, columns ? "side by side" : "above each other", views, views - 1, views, columns ? "width" : "height",
      columns ? fmt::format("iw*2/{}:ih:0:0", views) : fmt::format("iw:ih*2/{}:0:0", views));
}

std::string outer_bars_warning(const StereoFrame& frame, Halves halves) {
  constexpr int least = 3;  // px by which bars differ
  if (halves == Halves::none) return {};
  const bool columns = halves == Halves::columns;
  const Joined whole(frame, columns);
  const int half = whole.half(), last = 2 * half - 1;
  if (half < 4 * Joined::least_bar) return {};
  const int first_start = whole.padding(0, 1), second_end = whole.padding(last, -1);
  if (first_start + second_end == 0) return {};
  const int first_end = whole.padding(half - 1, -1), second_start = whole.padding(half, 1);
  if (std::abs(first_start - second_start) < least && std::abs(first_end - second_end) < least) return {};
  if (first_end + second_start > 0) return {};  // what lies between both is told by another line
  // Where they differ, both views meet beside the middle, unless one view has them at its own edge, or more lies there.
  const int off = (first_start - second_end) / 2, meet = whole.seam_beside_middle();
  if (meet != 0 ? std::abs(meet - off) > 1 : off != 0 && !whole.has_seam(half + off)) return {};
  const int too_large = (first_start + second_end) / 2;
  const int length = whole.length(), left = 2 * half - first_start - second_end;
  return fmt::format(
      "bars of one level, or lines that repeat the outermost one, lie at the outer edges of the picture that holds "
      "both views "
      "({} ones of {} and {} px), and not between them: its halves are not the views, {}: crop it first, as with "
      "`ffmpeg -i FILE -vf crop={} OUT`",
      columns ? "left and right" : "upper and lower", first_start, second_end,
      columns ? fmt::format("and all disparities are {} px too large", too_large)
              : fmt::format("and rows of both lie {} px apart", too_large),
      columns ? fmt::format("{}:{}:{}:0", left, length, first_start)
              : fmt::format("{}:{}:0:{}", length, left, first_start));
}

std::string torn_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  const TearFindings a = tear_of(frame.left), b = tear_of(frame.right);
  if (a.row == b.row && a.shift == b.shift) return {};
  const TearFindings& torn = a.row > 0 ? a : b;
  return fmt::format(
      "{} is torn: from row {} on it lies {} px to the {} of what is above, as where a frame was written while it was "
      "shown: disparities above and below differ by that: synchronise capture and camera, or copy the frame anew",
      a.row > 0 ? left : right, torn.row, std::abs(torn.shift), torn.shift > 0 ? "right" : "left");
}

namespace {

LostRows lost_rows_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8
             ? inspect_lost_rows(ImageView<const std::uint8_t>(picture.u8.view()))
             : inspect_lost_rows(ImageView<const std::uint16_t>(picture.u16.view()), picture.max_value);
}

LinesInTurn lines_in_turn_of(const GreyPicture& picture) {
  return picture.depth == Depth::u8 ? inspect_lines_in_turn(ImageView<const std::uint8_t>(picture.u8.view()))
                                    : inspect_lines_in_turn(ImageView<const std::uint16_t>(picture.u16.view()));
}

/// In how many rows bytes are looked at, of which few tell that most pictures have no words.
constexpr int byte_rows = 12, few_byte_rows = 3;

template <class Look>
void each_byte_row(const Image<std::uint8_t>& picture, int most, const Look& look) {
  const int apart = std::max(1, picture.height() / most);
  for (int y = apart / 2; y < picture.height(); y += apart) look(picture.row(y));
}

/// By what columns whose numbers leave 0 to 3 when divided by four change to the next one of their kind.
std::array<std::int64_t, 4> changes_of_kinds(const Image<std::uint8_t>& picture, int rows) {
  std::array<std::int64_t, 4> changes{};
  each_byte_row(picture, rows, [&](const std::uint8_t* row) {
    for (int x = 0; x + 8 <= picture.width(); x += 4)
      for (std::size_t kind = 0; kind < changes.size(); ++kind)
        changes[kind] += std::abs(row[x + static_cast<int>(kind)] - row[x + static_cast<int>(kind) + 4]);
  });
  return changes;
}

/// Is one kind noise beside another one, as lower bytes of words are?
bool is_of_words(const Image<std::uint8_t>& picture) {
  constexpr int noisy = 24, less = 6, perhaps = 3;  // grey levels; times
  const auto ends = [&](int rows) {
    const std::array changes = changes_of_kinds(picture, rows);
    const auto [least, most] = std::minmax_element(changes.begin(), changes.end());
    return std::pair(*least, *most);
  };
  if (const auto [least, most] = ends(few_byte_rows); most < perhaps * least) return false;
  const auto [least, most] = ends(byte_rows);
  std::int64_t places = 0;  // of a kind
  each_byte_row(picture, byte_rows, [&](const std::uint8_t*) { places += picture.width() / 4 - 1; });
  return most >= noisy * places && most >= less * least;
}

/// Does every second column lie about the middle level, or is it of two kinds, as Cb and Cr are?
bool is_of_chroma(const Image<std::uint8_t>& picture) {
  constexpr int near = 40, middle = 128;  // grey levels
  std::array<std::int64_t, 2> near_middle{}, of_next{}, count{};
  each_byte_row(picture, byte_rows, [&](const std::uint8_t* row) {
    for (int x = 0; x + 4 < picture.width(); ++x) {
      const auto kind = static_cast<std::size_t>(x % 2);
      near_middle[kind] += std::abs(row[x] - middle) <= near ? 1 : 0;
      of_next[kind] += std::abs(row[x] - row[x + 2]);
      ++count[kind];
    }
  });
  const std::array changes = changes_of_kinds(picture, byte_rows);
  const auto is_near = [&](std::size_t kind, int percent) { return 100 * near_middle[kind] >= percent * count[kind]; };
  const auto is_chroma = [&](std::size_t kind) {
    return (is_near(kind, 95) && !is_near(1 - kind, 80)) || of_next[kind] >= 3 * (changes[kind] + changes[kind + 2]);
  };
  return is_chroma(0) || is_chroma(1);
}

/// Bytes that were taken for pixels. Chroma is looked for where columns are of two pictures in turn.
std::string bytes_warning(const StereoFrame& frame, bool in_turn) {
  if (frame.left.depth != Depth::u8 || frame.right.depth != Depth::u8) return {};
  const auto which = [](bool left, bool right) {
    return left && right ? "both pictures" : left ? "the left picture" : "the right picture";
  };
  const bool left_words = is_of_words(frame.left.u8), right_words = is_of_words(frame.right.u8);
  if (left_words || right_words)
    return fmt::format(
        "pixels of {} seem to be the bytes of 16-bit or floating-point words, stored as grey levels: columns of every "
        "second or fourth byte are noise beside the others, as lower bytes are: read the words first",
        which(left_words, right_words));
  const bool left_chroma = in_turn && is_of_chroma(frame.left.u8),
             right_chroma = in_turn && is_of_chroma(frame.right.u8);
  if (!left_chroma && !right_chroma) return {};
  return fmt::format(
      "pixels of {} seem to be luma and chroma in turn (YUYV, UYVY), stored as grey levels: every second column is of "
      "another kind, as Cb and Cr are: convert them to grey levels first",
      which(left_chroma, right_chroma));
}

}  // namespace

std::string lost_rows_warning(const StereoFrame& frame, const std::string& left, const std::string& right) {
  const LostRows a = lost_rows_of(frame.left), b = lost_rows_of(frame.right);
  if (a.rows == 0 && b.rows == 0) return {};
  const LostRows& more = a.rows >= b.rows ? a : b;
  return fmt::format(
      "{} has {} rows of one grey level amid others, such as row {}: they were lost, and windows that hold them match "
      "worse: copy or record the picture anew",
      a.rows >= b.rows ? left : right, more.rows, more.first);
}

std::string lines_in_turn_warning(const StereoFrame& frame) {
  const LinesInTurn a = lines_in_turn_of(frame.left), b = lines_in_turn_of(frame.right);
  // Rows of one picture alone are two fields, which are looked for by their motion.
  if (std::string line = bytes_warning(frame, a.columns || b.columns); !line.empty()) return line;
  if ((!a.columns && !b.columns) && !(a.rows && b.rows)) return {};
  const char* const lines = a.columns || b.columns ? "columns" : "rows";
  return fmt::format(
      "{} {} are those of two pictures in turn, as for a 3D display that stores both views in every second one{}: take "
      "them apart first, so that left and right are one view each",
      a.columns && !b.columns   ? "the left picture's"
      : b.columns && !a.columns ? "the right picture's"
                                : "both pictures'",
      lines, a.columns || b.columns ? "" : ", or as of interlaced video, which is to be deinterlaced");
}

}  // namespace vergence::cli
