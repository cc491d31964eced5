// SPDX-License-Identifier: Apache-2.0
// Flow that points follow in another form: moved, rounded, of another size, order or sign.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "eval/flow_doubts.hpp"

namespace vergence::cli {

template <class Of>
FlowDoubts::Around FlowDoubts::around_median_of_steps(const Of& of) const {
  std::map<double, std::array<std::vector<double>, 2>> values;
  for (const Pair& pair : pairs_)
    for (std::size_t i = 0; i < 2; ++i) values[pair.step_number][i].push_back(of(pair)[i]);
  std::map<double, std::array<double, 2>> medians;
  for (const auto& [step, both] : values) medians[step] = {middle_of(both[0]), middle_of(both[1])};
  return {median_of([&](const Pair& pair) {
            const std::array<double, 2>& median = medians.at(pair.step_number);
            return std::hypot(of(pair)[0] - median[0], of(pair)[1] - median[1]);
          }),
          median_of([&](const Pair& pair) {
            return std::hypot(medians.at(pair.step_number)[0], medians.at(pair.step_number)[1]);
          })};
}

/// Where the flow lacks what the camera moves by, which is another vector in each step.
std::string FlowDoubts::drift_of_steps(const std::string& truth, double error) const {
  const auto off = [](const Pair& pair) { return std::array{pair.dx - pair.u, pair.dy - pair.v}; };
  const Around found = around_median_of_steps(off);
  constexpr double enough_in_step = 10;  // pairs: the median of few is next to each of them
  const double steps = std::max_element(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
                         return a.step_number < b.step_number;
                       })->step_number;
  if (static_cast<double>(pairs_.size()) < enough_in_step * steps) return "";
  if (better * found.apart > error || found.length < better * found.apart) return "";
  return fmt::format(
      "points are off the truth {} by about one vector in each step, another one from step to step: by {:.3g} px in "
      "the median, and by {:.3g} px once these are taken off: check that the flow holds the camera's motion, too, and "
      "that neither was stabilised or cropped since",
      truth, error, found.apart);
}

/// Behind all others: what moves as one may be off so for another cause, which explains as much.
std::string FlowDoubts::drift(const std::string& truth, double error) const {
  constexpr double least = 0.25;                  // px
  if (error < least || is_constant()) return "";  // where all follow one vector, another one explains nothing
  const double x = median_of([](const Pair&pair) { return pair.dx - pair.u; }),
               y = median_of([](const Pair&pair) { return pair.dy - pair.v; });
  const double left =
      median_of([=](const Pair& pair) { return std::hypot(pair.dx - pair.u - x, pair.dy - pair.v - y); });
  // Where wrong numbers stand among right ones, the median of what is off is next to nothing.
  if (better * left > error || std::hypot(x, y) < better * left) return drift_of_steps(truth, error);
  return fmt::format(
      "points are off the truth {} by about one and the same vector, ({:.2g}, {:.2g}) px a step: by {:.3g} px in the "
      "median, and by {:.3g} px once that is taken off: check that tracks and flow are of one clip, that neither was "
      "stabilised, cropped or moved since, and what wrote their positions",
      truth, x, y, error, left);
}

std::string FlowDoubts::smaller_pictures(const std::string& truth, double error) const {
  constexpr double least = 0.1, nearer = 1.8, slack = 1.01, most_left = 0.3;  // px; times; of the size; px
  if (error < least) return "";
  double most_x = 0, most_y = 0;
  for (const Pair& pair : pairs_) most_x = std::max(most_x, pair.x), most_y = std::max(most_y, pair.y);
  std::size_t best = 0;
  double best_error = error;
  for (std::size_t i = 0; i < Pair::smaller.size(); ++i) {
    const double share = Pair::smaller[i];
    if (most_x > slack * share * size_.width || most_y > slack * share * size_.height) continue;
    const double off = share * median_of([i](const Pair& pair) { return pair.smaller_errors[i]; });  // in px of tracks
    if (off < best_error) best = i, best_error = off;
  }
  if (nearer * best_error > error || best_error > most_left) return "";
  return fmt::format(
      "tracks seem to be of pictures of {:.2g} times the size of truth {}: none goes beyond that, and points are off "
      "by {:.3g} px in the median, and by {:.3g} px once both are of one size: give tracks in px of the flow's frames",
      Pair::smaller[best], truth, error, best_error);
}

std::string FlowDoubts::other_form(const std::string& truth, double error) const {
  struct Form {
    const char* what;
    const char* cure;
    double off;
  };
  const auto turned = [this](std::size_t way) {
    return median_of([way](const Pair& pair) { return pair.turned_errors[way]; });
  };
  const auto tracks = [this](std::size_t way) {
    return median_of([way](const Pair& pair) { return pair.other_track_errors[way]; });
  };
  const auto polar = [this](double half_turn) {
    return median_of([half_turn](const Pair& pair) {
      const double angle = pair.v * std::numbers::pi / half_turn;
      return std::hypot(pair.u * std::cos(angle) - pair.dx, pair.u * std::sin(angle) - pair.dy);
    });
  };
  constexpr const char* order = "that is undone: check the order of its rows and columns";
  constexpr const char* flow_frames = "they do: give tracks in px of the flow's frames, y down";
  const std::array<Form, 12> forms{{
      {"seems to have the opposite sign",
       "it is turned round: give the flow from each frame to the next, x to the right and y down",
       median_of([](const Pair& pair) { return std::hypot(pair.u + pair.dx, pair.v + pair.dy); })},
      {"seems to have x and y exchanged", "they are exchanged: give x first",
       median_of([](const Pair& pair) { return std::hypot(pair.u - pair.dy, pair.v - pair.dx); })},
      {"seems to be upside down", order, turned(0)},
      {"seems to be mirrored", order, turned(1)},
      {"seems to be turned by 180 degrees", order, turned(2)},
      {"seems to hold all x before all y, in place of each vector's x and y",
       "that is undone: check the order of its numbers", turned(3)},
      {"is not counted as the tracks are, which seem to have y from the lower edge upwards", flow_frames, tracks(0)},
      {"is not counted as the tracks are, which seem to have x from the right edge on, as in mirrored pictures",
       "they are turned round: give tracks of the flow's frames", tracks(1)},
      {"seems to hold lengths and angles in degrees", "it does: give x and y of each vector in px", polar(180)},
      {"seems to hold lengths and angles in radians", "it does: give x and y of each vector in px",
       polar(std::numbers::pi)},
      {"is of other pictures than the tracks, which seem to be of pictures of half the size", flow_frames, tracks(2)},
      {"is of other pictures than the tracks, which seem to be of pictures of twice the size", flow_frames, tracks(3)},
  }};
  // Where things move alike, several explain some of it.
  const Form& best =
      *std::min_element(forms.begin(), forms.end(), [](const Form& a, const Form& b) { return a.off < b.off; });
  if (better * best.off > error) return "";
  return fmt::format("truth {} {}: points are off by {:.3g} px in the median, and by {:.3g} px once {}", truth,
                     best.what, error, best.off, best.cure);
}

/// Vectors of whole px: what moves by other numbers is off by a quarter in the mean along each axis.
std::string FlowDoubts::rounded(const std::string& truth, double error) const {
  constexpr double least = 0.15;  // px
  const auto whole = std::count_if(pairs_.begin(), pairs_.end(), [](const Pair& pair) {
    return pair.u == std::round(pair.u) && pair.v == std::round(pair.v);
  });
  if (error < least || is_constant() || 20 * whole < 19 * std::ssize(pairs_)) return "";
  return fmt::format(
      "truth {} holds whole px at {} of {} points, and these are off by {:.3g} px in the median: it was rounded: give "
      "it with its fractions",
      truth, whole, pairs_.size(), error);
}

}  // namespace vergence::cli
