// SPDX-License-Identifier: Apache-2.0
// Frames in bands of rows give the bytes of whole ones: on a device that works as `reference` does and has memory for
// few rows, over seeded settings, every map, and bands of several heights.
#include "stereo/bands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "backend/access.hpp"
#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "support/maps.hpp"
#include "vergence/error.hpp"
#include "vergence/stereo.hpp"
#include "verify/stereo_cases.hpp"

namespace vergence::test {
namespace {

enum class Call { make, begin, match, median, finish };

/// What lets a device run out of memory: pictures of more than `most` rows, at a call.
struct Capacity {
  int most = 0;
  Call call = Call::make;
  void check(int rows, Call now) const {
    if (now == call && rows > most)
      throw Error(ErrorCode::out_of_memory, "memory for " + std::to_string(most) + " rows alone");
  }
};

class NarrowStereo final : public backend::Stereo {
 public:
  NarrowStereo(std::unique_ptr<backend::Stereo> real, int rows, const Capacity& capacity)
      : real_(std::move(real)), rows_(rows), capacity_(capacity) {}
  void begin(const backend::StereoPair& pair, const backend::StereoTargets& targets) override {
    capacity_.check(rows_, Call::begin);
    real_->begin(pair, targets);
  }
  void match() override {
    capacity_.check(rows_, Call::match);
    real_->match();
  }
  void speckle() override { real_->speckle(); }
  void median() override {
    capacity_.check(rows_, Call::median);
    real_->median();
  }
  void fill() override { real_->fill(); }
  void finish() override {
    capacity_.check(rows_, Call::finish);
    real_->finish();
  }
  std::size_t memory() const override { return real_->memory(); }

 private:
  std::unique_ptr<backend::Stereo> real_;
  int rows_;
  const Capacity& capacity_;
};

/// The device `reference`, which takes pictures of at most `most_rows` rows; what has been asked of it is noted.
class NarrowDevice final : public backend::Device {
 public:
  explicit NarrowDevice(int most_rows) : capacity{most_rows, Call::make} {}
  const std::string& name() const override { return name_; }
  const std::string& kind() const override { return name_; }
  const std::string& description() const override { return name_; }
  const void* space() const override { return this; }
  std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan) override {
    EXPECT_FALSE(plan.size.height < whole_rows && plan.options.speckle_size + plan.options.median > 0) << "in bands";
    capacity.check(plan.size.height, Call::make);
    highest = std::max(highest, plan.size.height);
    return std::make_unique<NarrowStereo>(backend::of(reference_).make_stereo(plan), plan.size.height, capacity);
  }
  Capacity capacity;
  int whole_rows = 0, highest = 0;

 private:
  std::string name_ = "narrow";
  vergence::Device reference_{"reference"};
};

template <class T>
struct Maps {
  explicit Maps(Size size)
      : disparity(size, T{1}), mask(size), confidence(size), costs{map(size), map(size), map(size), map(size)} {}
  static Image<std::uint32_t> map(Size size) { return Image<std::uint32_t>(size, 77U); }
  StereoOutput output(bool with_costs) {
    StereoOutput output{.disparity = disparity, .mask = mask, .confidence = confidence};
    if (with_costs)
      output.cost = costs[0], output.second_cost = costs[1], output.cost_before = costs[2],
      output.cost_after = costs[3];
    return output;
  }
  Image<T> disparity;
  Image<std::uint8_t> mask, confidence;
  Image<std::uint32_t> costs[4];
};

template <class P, class T>
void expect_equal(const StereoCase& one, const Image<P>& left, const Image<P>& right, const Device& device) {
  const bool with_costs = make_stereo_plan(one.size, one.options).max_cost < no_cost;
  Maps<T> expected(one.size), got(one.size);
  StereoMatcher(Device("reference"), one.size, one.options, one.masks())
      .compute({left, right}, expected.output(with_costs));
  StereoMatcher matcher(device, one.size, one.options, one.masks());
  for (int frame = 0; frame < 2; ++frame) matcher.compute({left, right}, got.output(with_costs));
  EXPECT_GT(matcher.band_rows(), 0);
  ASSERT_EQ(values_of(expected.disparity), values_of(got.disparity)) << describe(one);
  ASSERT_EQ(values_of(expected.mask), values_of(got.mask)) << describe(one);
  ASSERT_EQ(values_of(expected.confidence), values_of(got.confidence)) << describe(one);
  for (std::size_t i = 0; i < 4; ++i)
    ASSERT_EQ(values_of(expected.costs[i]), values_of(got.costs[i])) << "costs " << i << "\n" << describe(one);
}

/// False where its pictures are too low for bands, or its paths cross the whole picture.
bool run_seed(std::uint64_t seed) {
  const StereoCase one = make_stereo_case(seed, {40, 90});
  if (one.options.aggregate == StereoAggregate::sgm) return false;
  const int least = 2 * rows_around(make_stereo_plan(one.size, one.options)) + 3, height = one.size.height;
  if (height <= least + 1) return false;
  const int most = least + static_cast<int>(seed % 7) * (height - least - 1) / 7;
  const auto backend = std::make_shared<NarrowDevice>(most);
  backend->whole_rows = height;
  const Device device = backend::handle(backend);
  if (one.options.depth == Depth::u8 && !make_stereo_plan(one.size, one.options).wide)
    expect_equal<std::uint8_t, std::int16_t>(one, one.left8, one.right8, device);
  else if (one.options.depth == Depth::u8)
    expect_equal<std::uint8_t, std::int32_t>(one, one.left8, one.right8, device);
  else
    expect_equal<std::uint16_t, std::int32_t>(one, one.left16, one.right16, device);
  EXPECT_LE(backend->highest, most);
  return true;
}

TEST(Bands, GiveTheBytesOfWholePictures) {
  int cases = 0;
  for (std::uint64_t seed = 1; seed <= 130; ++seed) {
    cases += run_seed(seed) ? 1 : 0;
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(cases, 25);
}

/// The last row of a picture of odd height is another with this filter, and no last row of a band.
TEST(Bands, KnowTheLastRowOfOddPictures) {
  for (const int height : {31, 32}) {
    StereoCase one;
    one.size = {24, height};
    one.options = {.window = {3, 3}, .disparities = 6, .prefilter = StereoPrefilter::xsobel_opencv, .left_right = -1};
    const Image<std::uint8_t> left = noise<std::uint8_t>(one.size, 5, 255), right = shifted(left, 2);
    for (int most = 7; most < height; ++most)
      expect_equal<std::uint8_t, std::int16_t>(one, left, right, backend::handle(std::make_shared<NarrowDevice>(most)));
  }
}

TEST(Bands, OnlyWhereWholePicturesHaveNoRoom) {
  const auto backend = std::make_shared<NarrowDevice>(20);
  StereoMatcher whole(backend::handle(backend), {24, 20}, {.window = {3, 3}, .disparities = 6});
  EXPECT_EQ(whole.band_rows(), 0);
  StereoMatcher bands(backend::handle(backend), {24, 21}, {.window = {3, 3}, .disparities = 6});
  EXPECT_EQ(bands.band_rows(), 11) << "half of it, and as odd";
}

/// Memory that gets tight between frames, for whole pictures and then for bands, and shows so at any call.
TEST(Bands, GetLowerAsMemoryDoes) {
  const Size size{24, 40};
  const StereoOptions options{.window = {3, 3}, .disparities = 6, .median = 3, .fill = StereoFill::mean};
  const Image<std::uint8_t> left = noise<std::uint8_t>(size, 6, 255), right = shifted(left, 2);
  Image<std::int16_t> expected(size);
  StereoMatcher(Device("reference"), size, options).compute({left, right}, {.disparity = expected});
  for (const Call call : {Call::begin, Call::match, Call::median, Call::finish}) {
    const auto backend = std::make_shared<NarrowDevice>(size.height);
    StereoMatcher matcher(backend::handle(backend), size, options);
    backend->capacity.call = call;
    for (const int most : {40, 20, 9}) {
      backend->capacity.most = most;
      Image<std::int16_t> got(size, std::int16_t{1});
      if (most == 20)
        matcher.enqueue({left, right}, {.disparity = got}).wait();
      else
        matcher.compute({left, right}, {.disparity = got});
      EXPECT_EQ(values_of(expected), values_of(got)) << static_cast<int>(call) << ", " << most;
      // A band has no median of its own.
      EXPECT_EQ(matcher.band_rows(), most == 40 ? 0 : most == 20 || call == Call::median ? 20 : 6);
    }
    backend->capacity.most = 3;
    Image<std::int16_t> got(size);
    if (call != Call::median) {
      EXPECT_ERROR(matcher.compute({left, right}, {.disparity = got}), ErrorCode::out_of_memory, "memory for 3 rows");
    }
    backend->capacity.most = 40;
    matcher.compute({left, right}, {.disparity = got});
    EXPECT_EQ(values_of(expected), values_of(got)) << "there is enough memory again";
  }
}

TEST(Bands, ThatHaveNoRoomAreRefused) {
  const auto make = [](int most, Size size) {
    const StereoMatcher matcher(backend::handle(std::make_shared<NarrowDevice>(most)), size,
                                {.window = {5, 9}, .disparities = 6});
  };
  EXPECT_NO_THROW(make(10, {24, 40}));
  EXPECT_ERROR(make(9, {24, 40}), ErrorCode::out_of_memory,
               "device narrow has too little memory for pictures of 24x40 with 6 disparities, not even for bands of 10 "
               "rows: memory for 9 rows alone; use narrower pictures");
  EXPECT_ERROR(make(9, {24, 10}), ErrorCode::out_of_memory, "24x10 with 6 disparities: memory for 9 rows alone");
}

}  // namespace
}  // namespace vergence::test
