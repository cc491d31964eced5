// SPDX-License-Identifier: Apache-2.0
// Frames in orders that programs make.
#include "cli/known_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "cli/middle.hpp"
#include "cli/repeats.hpp"

namespace vergence::cli {
namespace {

constexpr std::size_t most_known = 24, decoded_frames = 12, enough_known = 10;
constexpr int thinner_rows = 2;  // of those that are seen

/// Which frame of a group comes first, next, ... where each later one is decoded before those between.
const std::array<std::vector<int>, 5> groups{{{1, 0}, {2, 0, 1}, {3, 0, 1, 2}, {3, 1, 0, 2}, {2, 1, 0}}};

/// The places of frames in the order in which they were taken, if the first group begins at `begin`.
std::vector<std::size_t> order_of(const std::vector<int>& group, int begin, std::size_t count) {
  const auto size = static_cast<int>(group.size());
  std::vector<int> times;
  for (int at = size - begin; at < size - begin + static_cast<int>(count); ++at)
    times.push_back(at / size * size + group[static_cast<std::size_t>(at % size)]);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  return order;
}

/// How long an order is, and of how many percent of three frames in a row the outer ones differ most.
struct Path {
  int length = 0, rising = 0;
};
Path path_of(KnownOrders::Distances& distances, const std::vector<std::size_t>& order) {
  constexpr int by = 105;  // percent
  Path path;
  for (std::size_t i = 1; i < order.size(); ++i) path.length += distances(order[i - 1], order[i]);
  for (std::size_t i = 2; i < order.size(); ++i) {
    const int inner = std::max(distances(order[i - 2], order[i - 1]), distances(order[i - 1], order[i]));
    path.rising += 100 * distances(order[i - 2], order[i]) > by * inner ? 1 : 0;
  }
  path.rising = 100 * path.rising / static_cast<int>(order.size() - 2);
  return path;
}

}  // namespace

void KnownOrders::see(const GreyPicture& rows, std::int64_t number) {
  ++seen_;
  if (frames_.size() >= most_known) return;
  frames_.push_back(some_rows(rows, thinner_rows));
  numbers_.push_back(number);
}

int KnownOrders::Distances::operator()(std::size_t a, std::size_t b) {
  const auto [place, is_new] = known_.try_emplace(std::minmax(a, b), 0);
  if (is_new) place->second = change_of(frames_[a], frames_[b]);
  return place->second;
}

/// Moving photographs have 40 % of triples that rise in such an order, shaken ones up to 70 % in one as long as theirs;
/// frames in the order of decoding 90 % and more in theirs.
std::string KnownOrders::decoded(const std::string& video, Distances& distances) const {
  constexpr int least_rising = 85, most_given = 60, most_length = 95, least_change = 128;
  const std::size_t count = std::min(frames_.size(), decoded_frames);
  if (count < enough_known) return "";
  std::vector<std::size_t> given(count);
  std::iota(given.begin(), given.end(), std::size_t{0});
  const Path own = path_of(distances, given);
  if (own.rising > most_given || own.length < least_change * static_cast<int>(count)) return "";
  std::pair<int, std::vector<std::size_t>> best{own.length, {}};
  for (const std::vector<int>& group : groups)
    for (int begin = 0; begin < static_cast<int>(group.size()); ++begin) {
      std::vector<std::size_t> order = order_of(group, begin, count);
      const Path path = path_of(distances, order);
      if (path.rising >= least_rising && 100 * path.length <= most_length * own.length && path.length < best.first)
        best = {path.length, std::move(order)};
    }
  if (best.second.empty()) return "";
  std::vector<std::int64_t> told;
  for (const std::size_t at : best.second) told.push_back(numbers_[at]);
  return fmt::format(
      "the frames of {} seem to be in the order in which video is decoded, not in that in which they were taken: each "
      "would follow the one before by a smaller step in the order {}: write them by the times at which they are shown, "
      "as `ffmpeg -i FILE OUT_%04d.png` does",
      video, fmt::join(told, " "));
}

/// 1, 10, 11, ..., 19, 2, 20: 2 is like 1 and 3, and unlike what it stands beside.
std::string KnownOrders::sorted_as_text(const std::string& video, Distances& distances) const {
  constexpr std::int64_t least = 11, most = 400;
  constexpr int most_joined = 85, least_break = 130, least_change = 256;
  if (seen_ < least || seen_ > most) return "";
  for (const int first : {1, 0}) {
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < seen_; ++i) names.push_back(std::to_string(first + i));
    std::sort(names.begin(), names.end());
    names.resize(frames_.size());
    std::map<int, std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) places[std::stoi(names[i])] = i;
    std::vector<int> joined, breaks, steps;
    for (const auto& [number, at] : places) {
      if (const auto next = places.find(number + 1); next != places.end() && next->second != at + 1)
        joined.push_back(distances(at, next->second));
      if (at + 1 < names.size())
        (std::stoi(names[at + 1]) == number + 1 ? steps : breaks).push_back(distances(at, at + 1));
    }
    if (joined.empty() || breaks.size() < 2 || steps.empty()) continue;
    const int least_of_breaks = *std::min_element(breaks.begin(), breaks.end());
    const int most_of_joined = *std::max_element(joined.begin(), joined.end());
    if (least_of_breaks < least_change || 100 * most_of_joined > most_joined * least_of_breaks ||
        100 * middle_of(breaks) < least_break * middle_of(steps) || most_of_joined == 0)
      continue;
    return fmt::format(
        "the frames of {} seem to be those of names that were sorted as text (10 behind 1, not behind 9): frame {} "
        "would follow frame {}, in the order of numbers from {} on: sort them by number, as with names of equal length "
        "(%04d), and write them again",
        video, numbers_[places.at(first + 2)], numbers_[places.at(first + 1)], first);
  }
  return "";
}

std::string KnownOrders::warning(const std::string& video) const {
  if (frames_.size() < enough_known) return "";
  Distances all(frames_);
  std::string line = sorted_as_text(video, all);
  return line.empty() ? decoded(video, all) : line;
}

}  // namespace vergence::cli
