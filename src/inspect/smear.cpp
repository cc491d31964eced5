// SPDX-License-Identifier: Apache-2.0
// Motion blur along rows. A row that was smeared over n px steps by what enters less what leaves: what makes it rise
// now makes it fall n px further on.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "inspect/for_avx2.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect_layout.hpp"

namespace vergence {
namespace {

using SmearPicture = ImageView<const std::uint8_t>;

constexpr Size least_smear_picture{128, 48};
constexpr int smear_rows = 64;        // that are looked at, at most,
constexpr int first_smear_rows = 16;  // and those that tell whether that is worth it
constexpr int smear_step = 2;         // px of a step
constexpr int least_smear = 13, most_smear = 64;
// Steps along rows beside those along columns, in percent of their squares; docs/warnings.md has what pictures have.
constexpr std::int64_t smear_doubtful = 35;
constexpr double smear_dip = -0.18;   // the correlation of steps so far apart
constexpr double smear_alone = 0.75;  // of it: what is left 4 px beside

class Smear {
 public:
  explicit Smear(SmearPicture picture) : picture_(picture) {}

  /// Squares of steps along rows in percent of those across them.
  VERGENCE_FOR_AVX2 std::int64_t along_percent() const {
    std::int64_t along = 0, across = 0;
    each_row(first_smear_rows, picture_.height() - smear_step, [&](int y) {
      const std::uint8_t *const row = picture_.row(y), *const below = picture_.row(y + smear_step);
      for (int x = 0; x + smear_step < picture_.width(); ++x) {
        const int one = row[x + smear_step] - row[x], other = below[x] - row[x];
        along += one * one;
        across += other * other;
      }
    });
    return across > 0 ? 100 * along / across : 100;
  }

  int length() const {
    std::array<std::int64_t, most_smear + 5> sums{};
    std::vector<int> curved(static_cast<std::size_t>(picture_.width())), steps;
    each_row(smear_rows, picture_.height() - 2, [&](int y) {
      const std::uint8_t *const above = picture_.row(y), *const row = picture_.row(y + 1),
                                *const below = picture_.row(y + 2);
      // What rows have that those beside them have not: steps of that are those of fine texture.
      for (int x = 0; x < picture_.width(); ++x) curved[static_cast<std::size_t>(x)] = 2 * row[x] - above[x] - below[x];
      steps.clear();
      for (std::size_t x = 0; x + smear_step < curved.size(); ++x) steps.push_back(curved[x + smear_step] - curved[x]);
      for (std::size_t lag = 0; lag < sums.size(); ++lag) {
        std::int64_t sum = 0;
        for (std::size_t x = 0; x + sums.size() < steps.size(); ++x) sum += steps[x] * steps[x + lag];
        sums[lag] += sum;
      }
    });
    if (sums[0] <= 0) return 0;
    int best = least_smear;
    for (int lag = least_smear; lag <= most_smear; ++lag)
      if (sums[static_cast<std::size_t>(lag)] < sums[static_cast<std::size_t>(best)]) best = lag;
    const auto at = static_cast<std::size_t>(best);
    const auto share = [&sums](std::int64_t sum) { return static_cast<double>(sum) / static_cast<double>(sums[0]); };
    const double dip = share(sums[at]), beside = share(std::min(sums[at - 4], sums[at + 4]));
    return dip <= smear_dip && beside > smear_alone * dip ? best : 0;
  }

 private:
  template <class Row>
  static void each_row(int most, int count, Row row) {
    const int rows = std::min(count, most);
    for (int i = 0; i < rows; ++i) row((2 * i + 1) * count / (2 * rows));
  }
  SmearPicture picture_;
};

int smear(SmearPicture picture) {
  if (picture.width() < least_smear_picture.width || picture.height() < least_smear_picture.height) return 0;
  const Smear found(picture);
  return found.along_percent() <= smear_doubtful ? found.length() : 0;
}

}  // namespace

int inspect_smear(ImageView<const std::uint8_t> picture) { return smear(picture); }
int inspect_smear(ImageView<const std::uint16_t> picture) {
  return smear(inspect::Bytes(picture, inspect::highest(picture, 255)).view());
}

}  // namespace vergence
