// SPDX-License-Identifier: Apache-2.0
// How often pairs are taken for not rectified: rectified ones (false alarms), and such whose right picture is turned by
// a rotation drawn at random, by the px that this makes of rows (docs/warnings.md, rotations).
// Usage: rig_rates FIRST LAST [LEFT RIGHT]...      built-in scenes of the seeds FIRST .. LAST, and photographed pairs,
// whole and in parts, mirrored, reduced and with noise. Lines that contradict what is wanted are printed with their
// names. Environment: DRAWS=N (2) rotations of each pair, SEED=N (1) of these and of noise.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "core/matrix.hpp"
#include "environment.hpp"
#include "synth/scene.hpp"
#include "vergence/io.hpp"
#include "vergence/rectify.hpp"
#include "vergence/rig_check.hpp"

namespace vergence::bench {
namespace {

using Grey = Image<std::uint8_t>;

struct Pair {
  std::string name;
  Grey left, right;
};

Grey part_of(const Grey& from, Rect part) {
  Grey out(Size{part.width, part.height});
  for (int y = 0; y < part.height; ++y) std::copy_n(from.row(part.y + y) + part.x, part.width, out.row(y));
  return out;
}
/// Left and right change places then.
Grey mirrored(const Grey& from) {
  Grey out(from.size());
  for (int y = 0; y < out.height(); ++y) std::reverse_copy(from.row(y), from.row(y) + from.width(), out.row(y));
  return out;
}
/// Means of 3x3 blocks.
Grey reduced(const Grey& from) {
  Grey out(Size{from.width() / 3, from.height() / 3});
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x) {
      int sum = 4;
      for (int i = 0; i < 9; ++i) sum += from(3 * x + i % 3, 3 * y + i / 3);
      out(x, y) = static_cast<std::uint8_t>(sum / 9);
    }
  return out;
}
Grey noisy(const Grey& from, double sigma, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, sigma);
  Grey out(from.size());
  for (int y = 0; y < out.height(); ++y)
    for (int x = 0; x < out.width(); ++x)
      out(x, y) = static_cast<std::uint8_t>(std::clamp(from(x, y) + noise(random) + 0.5, 0.0, 255.0));
  return out;
}

std::vector<Pair> scene_pairs(int first, int last) {
  constexpr std::array<Size, 4> sizes{{{320, 240}, {480, 360}, {640, 200}, {400, 400}}};
  constexpr std::array<double, 3> noises{0, 2, 5};
  std::vector<Pair> pairs;
  for (int seed = first; seed <= last; ++seed) {
    synth::SceneOptions options;
    options.seed = static_cast<std::uint64_t>(seed);
    options.size = sizes[static_cast<std::size_t>(seed) % sizes.size()];
    options.noise_sigma = noises[static_cast<std::size_t>(seed) % noises.size()];
    options.samples = 1;
    auto frame = synth::Scene(options).render(0);
    pairs.push_back({fmt::format("scene {}", seed), std::move(frame.left), std::move(frame.right)});
  }
  return pairs;
}

/// Thirds, a ninth from amid, what is left without a rim, upside down, mirrored, a third of the size, and noise.
std::vector<Pair> photographs(const std::string& left_file, const std::string& right_file, std::mt19937_64& random) {
  const Grey left = read_grey(left_file).u8.clone(), right = read_grey(right_file).u8.clone();
  const int w = left.width(), h = left.height();
  std::vector<Pair> pairs;
  const auto add = [&](const std::string& what, Grey a, Grey b) {
    pairs.push_back({left_file + " " + what, std::move(a), std::move(b)});
  };
  for (int i = 0; i < 3; ++i) {
    const Rect band{0, i * h / 3, w, h / 3}, column{i * w / 4, 0, w / 2, h};
    add(fmt::format("third {}", i + 1), part_of(left, band), part_of(right, band));
    add(fmt::format("columns {}", i + 1), part_of(left, column), part_of(right, column));
  }
  const Rect inner{w / 10, h / 10, 4 * w / 5, 4 * h / 5}, corner{w / 8, h / 8, 2 * w / 3, 2 * h / 3};
  add("inner", part_of(left, inner), part_of(right, inner));
  add("corner", part_of(left, corner), part_of(right, corner));
  add("mirrored", mirrored(right), mirrored(left));
  add("reduced", reduced(left), reduced(right));
  for (const double sigma : {3.0, 6.0, 10.0, 16.0})
    add(fmt::format("noise {}", sigma), noisy(left, sigma, random), noisy(right, sigma, random));
  return pairs;
}

RigFindings found_in(const Grey& left, const Grey& right) {
  return check_rig_points(match_pair_points(left.view(), right.view()), {.size = left.size()});
}

/// The right picture as a camera turned by (pitch, yaw, roll) sees it.
struct Turn {
  double pitch, yaw, roll, focal;
};
Grey turned(const Grey& right, const Turn& turn) {
  const Size size = right.size();
  const double cx = (size.width - 1) / 2.0, cy = (size.height - 1) / 2.0, f = turn.focal;
  StereoRig rig;
  rig.left = rig.right = {size, f, f, cx, cy, LensModel::pinhole, {}};
  rig.translation = {-0.1, 0, 0};
  RigRectification to;
  to.r2 = matrix::rotation_by({turn.pitch, turn.yaw, turn.roll});
  to.p1 = to.p2 = {f, 0, cx, 0, 0, f, cy, 0, 0, 0, 1, 0};
  to.p2[3] = -f * 0.1;
  to.size = size;
  rig.rectified = to;
  Grey out(size);
  StereoRectifier(Device("cpu"), rig).rectify_right(right, out);
  return out;
}

/// Root of the mean square of what the turn, and what the pair had before, make of rows.
double offset_of(const Turn& turn, const RigFindings& before, Size size) {
  constexpr int steps = 20;
  const Matrix3x3 r = matrix::rotation_by({turn.pitch, turn.yaw, turn.roll});
  double sum = 0;
  for (int j = 0; j < steps; ++j)
    for (int i = 0; i < steps; ++i) {
      const double x = size.width * ((i + 0.5) / steps - 0.5), y = size.height * ((j + 0.5) / steps - 0.5);
      const double a = x / turn.focal, b = y / turn.focal, u = x / size.width, v = y / size.width;
      const double moved = turn.focal * ((r[3] * a + r[4] * b + r[5]) / (r[6] * a + r[7] * b + r[8]) - b);
      const double own =
          size.width * (-before.pitch * (1 + v * v) + before.yaw * u * v + before.roll * u + (before.scale - 1) * v);
      sum += (moved + own) * (moved + own);
    }
  return std::sqrt(sum / (steps * steps));
}

struct Rate {
  int all = 0, told = 0, unknown = 0;
  void add(const RigFindings& found) {
    ++all;
    told += found.off ? 1 : 0;
    unknown += found.known ? 0 : 1;
  }
};
void print(const char* what, const Rate& rate) {
  std::printf("| %s | %d | %d (%.2f %%) | %d |\n", what, rate.all, rate.told, 100.0 * rate.told / std::max(1, rate.all),
              rate.unknown);
}

class Rates {
 public:
  explicit Rates(int draws) : draws_(draws) {}
  void add(const Pair& pair, std::mt19937_64& random) {
    std::uniform_real_distribution<double> any(-1, 1);
    const RigFindings good = found_in(pair.left, pair.right);
    good_.add(good);
    if (good.off) std::printf("false alarm: %s, %.2f px\n", pair.name.c_str(), good.offset);
    const Size size = pair.left.size();
    for (int i = 0; i < draws_; ++i) {
      const double px = 1.5 * std::pow(10, 0.5 * any(random)), focal = 1.2 * size.width;
      Turn turn{0, 0, 0, focal};
      turn.pitch = any(random) * px / focal;
      turn.yaw = any(random) * px * 4 / focal;
      turn.roll = any(random) * px * 4 / size.width;
      const double offset = offset_of(turn, good, size);
      const RigFindings found = found_in(pair.left, turned(pair.right, turn));
      (offset >= 0.7 ? large_ : offset >= 0.5 ? between_ : small_).add(found);
      if (offset >= 0.7 && !found.off)
        std::printf("missed: %s, %.2f px, found %.2f%s\n", pair.name.c_str(), offset, found.offset,
                    found.known ? "" : " (too few points)");
    }
    std::fflush(stdout);
  }
  void print_all() const {
    std::printf("| pairs | all | told | too few points |\n|---|---|---|---|\n");
    print("rectified", good_);
    print("turned, below 0.5 px", small_);
    print("turned, 0.5 to 0.7 px", between_);
    print("turned, 0.7 px and more", large_);
  }

 private:
  int draws_;
  Rate good_, small_, between_, large_;
};

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) try {
  using namespace vergence::bench;
  if (argc < 3 || argc % 2 == 0) {
    std::fprintf(stderr, "usage: rig_rates FIRST LAST [LEFT RIGHT]...\n");
    return 2;
  }
  int draws = 2, seed = 1;
  take_number("DRAWS", draws);
  take_number("SEED", seed);
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  Rates scenes(draws), pictures(draws);
  for (const Pair& pair : scene_pairs(std::stoi(argv[1]), std::stoi(argv[2]))) scenes.add(pair, random);
  for (int i = 3; i + 1 < argc; i += 2)
    for (const Pair& pair : photographs(argv[i], argv[i + 1], random)) pictures.add(pair, random);
  std::printf("built-in scenes\n");
  scenes.print_all();
  std::printf("photographs\n");
  pictures.print_all();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
