// SPDX-License-Identifier: Apache-2.0
// Finds the board in all pictures, and says what is wrong where there is none.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "calibrate/pictures.hpp"
#include "cli/progress.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

using calibrate::Board;
using calibrate::Corners;
using calibrate::Effort;

Image<std::uint8_t> as_bytes(const GreyPicture& picture) {
  if (picture.depth == Depth::u8 && picture.max_value == 255) return picture.u8.clone();
  Image<std::uint8_t> bytes(picture.size());
  for (int y = 0; y < bytes.height(); ++y)
    for (int x = 0; x < bytes.width(); ++x) {
      const int value = picture.depth == Depth::u8 ? int{picture.u8(x, y)} : int{picture.u16(x, y)};
      bytes(x, y) = static_cast<std::uint8_t>(std::min(255, value * 255 / std::max(1, picture.max_value)));
    }
  return bytes;
}

class BoardSearch {
 public:
  BoardSearch(calibrate::Solver& solver, PairPictures& pictures, const Board& board, int most_views)
      : solver_(solver), pictures_(pictures), board_(board), most_views_(most_views) {}

  FoundBoards run() {
    // Of a video, some frames a second: more would look alike.
    constexpr double looks_a_second = 6;
    const std::int64_t step =
        pictures_.is_video() ? std::max<std::int64_t>(1, std::llround(pictures_.rate() / looks_a_second)) : 1;
    Progress progress("pictures", pictures_.count());
    for (std::int64_t read = 0; std::optional<StereoFrame> frame = pictures_.next(); ++read) {
      if (read % step == 0) look(*frame);
      progress.step();
    }
    check_found();
    if (pictures_.is_video() || std::ssize(found_.views) > most_views_) choose();
    found_.edge_px = median_edge();
    return std::move(found_);
  }

 private:
  Corners find(const Image<std::uint8_t>& picture) {
    if (!is_seen_ && is_of_other_size(picture)) return {};
    Corners corners = find(picture, board_, pictures_.is_video() ? Effort::quick : Effort::thorough);
    is_seen_ = is_seen_ || !corners.empty();
    return corners;
  }
  Corners find(const Image<std::uint8_t>& picture, const Board& board, Effort effort) {
    Corners corners = solver_.find(picture, board, effort);
    if (board.kind == Board::Kind::chessboard && !corners.empty()) order_corners(corners, board, picture);
    return corners;
  }

  /// While no picture has shown the board: a thorough look for it takes seconds where there is one of another size.
  bool is_of_other_size(const Image<std::uint8_t>& picture) {
    if (pictures_.is_video() || board_.kind != Board::Kind::chessboard) return false;
    if (!solver_.find(picture, board_, Effort::sole).empty()) return false;
    const Size found = other_size(picture);
    if (found == Size{}) return false;
    const auto area = [](Size size) { return size.width * size.height; };
    const int count = ++others_[{found.width, found.height}], most = others_[{other_.width, other_.height}];
    if (count > most || (count == most && area(found) > area(other_))) other_ = found;
    return true;
  }

  void look(const StereoFrame& frame) {
    const Image<std::uint8_t> left = as_bytes(frame.left), right = as_bytes(frame.right);
    found_.size = left.size();
    ++found_.pictures;
    calibrate::Candidate candidate;
    calibrate::View& view = candidate.view;
    view.number = frame.index;
    view.left = find(left);
    view.right = find(right);
    if (view.left.empty()) found_.without_left.push_back(frame.index);
    if (view.right.empty()) found_.without_right.push_back(frame.index);
    order_like(view.left, view.right, board_);
    count_whole(view.left, left);
    count_whole(view.right, right);
    constexpr std::size_t kept = 2;
    if (view.left.empty() && first_.size() < kept) first_.push_back(left.clone());
    candidate.edge_px =
        std::max(edge_width(view.left, board_, left.view()), edge_width(view.right, board_, right.view()));
    // Between single pictures the board is moved on purpose.
    if (const auto& before = found_.views; pictures_.is_video() && !before.empty())
      candidate.motion_px = std::max(calibrate::motion_between(before.back().left, view.left),
                                     calibrate::motion_between(before.back().right, view.right));
    if (view.left.empty() && view.right.empty()) return;
    if (const calibrate::View* const same = earlier(view)) {
      found_.again.emplace_back(view.number, same->number);
      return;
    }
    found_.views.push_back(view);
    candidates_.push_back(std::move(candidate));
  }

  /// A view whose corners lie at the same places to the last bit, as in copies of its pictures; null: there is none.
  const calibrate::View* earlier(const calibrate::View& view) const {
    const auto same = [](const Corners& a, const Corners& b) {
      return std::ranges::equal(a, b, [](const calibrate::Corner& p, const calibrate::Corner& q) {
        return p.index == q.index && p.x == q.x && p.y == q.y;
      });
    };
    const auto found = std::ranges::find_if(found_.views, [&](const calibrate::View& before) {
      return same(before.left, view.left) && same(before.right, view.right);
    });
    return found != found_.views.end() ? &*found : nullptr;
  }

  void count_whole(const Corners& corners, const Image<std::uint8_t>& picture) {
    if (corners.empty() || board_.kind != Board::Kind::chessboard) return;
    if (const std::optional<Size> whole = whole_board(corners, board_, picture))
      ++sizes_[{std::max(whole->width, whole->height), std::min(whole->width, whole->height)}];
  }

  void check_found() {
    if (found_.pictures == 0) throw Error(ErrorCode::bad_data, "there is no picture to calibrate from");
    const bool few = std::ssize(found_.views) < calibrate::least_views;
    const std::string other = few && board_.kind == Board::Kind::chessboard ? other_board() : std::string();
    if (found_.views.empty() || !other.empty()) refuse_unseen(other);
    refuse_part();
  }

  /// A detector that is told too few corners finds a part of a board, another one in each picture.
  void refuse_part() const {
    const std::pair asked{std::max(board_.columns, board_.rows), std::min(board_.columns, board_.rows)};
    int all = 0, most = 0, whole = 0;
    std::pair seems = asked;
    for (const auto& [size, count] : sizes_) {
      all += count;
      if (size == asked) {
        whole = count;
      } else if (count >= most) {
        most = count;
        seems = size;
      }
    }
    if (2 * whole >= all) return;
    throw Error(ErrorCode::bad_data,
                fmt::format("the board has more inner corners than --board {}x{} says: squares go on beyond them in {} "
                            "of {} pictures; it seems to be --board {}x{}",
                            board_.columns, board_.rows, all - whole, all, seems.first, seems.second));
  }

  [[noreturn]] void refuse_unseen(const std::string& other) const {
    const bool charuco = board_.kind == Board::Kind::charuco;
    const std::string asked = charuco ? fmt::format("ChArUco board of {}x{} squares with markers of {}",
                                                    board_.columns + 1, board_.rows + 1, board_.dictionary)
                                      : fmt::format("chessboard of {}x{} inner corners", board_.columns, board_.rows);
    throw Error(
        ErrorCode::bad_data,
        fmt::format("{} of {} pairs of pictures shows a {}{}", found_.views.empty() ? "none" : "hardly one",
                    found_.pictures, asked,
                    !other.empty() ? "; " + other
                    : charuco ? ": give its squares, its dictionary and the sides of squares and markers as printed"
                              : ": give the inner corners, one fewer each way than squares; the whole board must "
                                "be seen, flat, sharp, with a bright margin around it"));
  }

  /// Counts that are one off, as of squares or of outer corners: the largest board, because parts of it are found, too.
  /// The one that was seen already comes first. Empty where none is seen.
  Size other_size(const Image<std::uint8_t>& picture) {
    const auto whole = [&](int columns, int rows) {
      Board board = board_;
      board.columns = columns;
      board.rows = rows;
      if (columns < 3 || rows < 3) return Size{};
      const Corners corners = find(picture, board, Effort::sole);
      const Size size = corners.empty() ? Size{} : whole_board(corners, board, picture.view()).value_or(Size{});
      return Size{std::max(size.width, size.height), std::min(size.width, size.height)};
    };
    Size largest = other_ == Size{} ? Size{} : whole(other_.width, other_.height);
    if (largest != Size{}) return largest;
    for (const auto& [columns, rows] : {std::pair{-1, -1}, {-1, 0}, {0, -1}, {1, 0}, {0, 1}, {1, 1}, {-2, -2}})
      if (const Size size = whole(board_.columns + columns, board_.rows + rows);
          size.width * size.height > largest.width * largest.height)
        largest = size;
    return largest;
  }

  std::string other_board() {
    Size largest = other_;
    for (std::size_t i = 0; i < first_.size() && other_ == Size{}; ++i)
      if (const Size size = other_size(first_[i]); size.width * size.height > largest.width * largest.height)
        largest = size;
    if (largest == Size{}) return "";
    return fmt::format("one of {}x{} is seen: give --board {}x{} (inner corners, not squares)", largest.width,
                       largest.height, largest.width, largest.height);
  }

  void choose() {
    std::vector<calibrate::Candidate> both;
    for (calibrate::Candidate& candidate : candidates_)
      if (!candidate.view.left.empty() && !candidate.view.right.empty()) both.push_back(std::move(candidate));
    found_.candidates = std::ssize(both);
    found_.views.clear();
    candidates_.clear();
    for (const int i : calibrate::select_views(both, board_, found_.size, most_views_)) {
      calibrate::Candidate& candidate = both[static_cast<std::size_t>(i)];
      found_.views.push_back(candidate.view);
      candidates_.push_back(std::move(candidate));
    }
  }

  double median_edge() const {
    std::vector<double> widths;
    for (const calibrate::Candidate& candidate : candidates_)
      if (candidate.edge_px > 0) widths.push_back(candidate.edge_px);
    return widths.empty() ? 0 : calibrate::median_of(std::move(widths));
  }

  calibrate::Solver& solver_;
  PairPictures& pictures_;
  const Board& board_;
  int most_views_;
  FoundBoards found_;
  std::vector<calibrate::Candidate> candidates_;
  std::map<std::pair<int, int>, int> sizes_;  ///< How many pictures show a board of so many corners, longer side first.
  std::vector<Image<std::uint8_t>> first_;    ///< Some without the board.
  bool is_seen_ = false;
  std::map<std::pair<int, int>, int> others_;  ///< How many pictures showed a board of another size,
  Size other_;                                 ///< and the one that most did; empty: none.
};

}  // namespace

FoundBoards find_boards(calibrate::Solver& solver, PairPictures& pictures, const calibrate::Board& board,
                        int most_views) {
  return BoardSearch(solver, pictures, board, most_views).run();
}

}  // namespace vergence::cli
