// SPDX-License-Identifier: Apache-2.0
// The published tracker, on one core as it was written, and on devices: each phase on one, two as a pipeline.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "stencil-energy/follower.hpp"
#include "stencil-energy/published_device.hpp"
#include "vergence/error.hpp"
#include "vergence/pipeline.hpp"

namespace vergence::studies::stencil_energy {
namespace {

namespace exact = reference::exact_sdvbs;

exact::Settings settings_of(const Following& following) {
  return {following.window, following.features, 20, following.frames, 0.03F};
}

std::uint64_t hash_of(const PublishedFeatures& features) {
  std::uint64_t hash = 0;
  for (const exact::Feature& one : features)
    for (const float component : {one.x, one.y}) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &component, sizeof(bits));
      hash = mixed(hash, bits);
    }
  return hash;
}

std::vector<std::pair<float, float>> places_of(const PublishedFeatures& features) {
  std::vector<std::pair<float, float>> places;
  for (const exact::Feature& one : features) places.emplace_back(one.x, one.y);
  return places;
}

/// What the loops of all mappings do with the features of a frame.
class Progress {
 public:
  Progress(const Following& following, PublishedFeatures features)
      : following_(following), features_(std::move(features)) {}
  const PublishedFeatures& features() const { return features_; }
  void take(Spent& spent, PublishedFeatures left) {
    spent.followed += static_cast<double>(features_.size());
    features_ = std::move(left);
    if (++frames_ == (following_.compare_at > 0 ? following_.compare_at : following_.frames))
      spent.places = places_of(features_);
    spent.left = static_cast<int>(features_.size());
    spent.last = hash_of(features_);
  }

 private:
  const Following& following_;
  PublishedFeatures features_;
  int frames_ = 0;
};

class Exact final : public Follower {
 public:
  Exact(const Stream& stream, const Following& following) : stream_(stream), following_(following) {}
  int detect() override {
    const exact::Settings settings = settings_of(following_);
    first_ = exact::levels(stream_.frame(0));
    features_ = exact::detect(first_, settings);
    return static_cast<int>(features_.size());
  }
  Spent follow() override {
    const exact::Settings settings = settings_of(following_);
    Spent spent;
    Progress progress(following_, features_);
    const exact::Levels* previous = &first_;
    exact::Levels held;
    for (int i = 0; i < following_.frames; ++i) {
      exact::Levels next;
      spent.prepare += milliseconds([&] { next = exact::levels(stream_.frame(i)); });
      PublishedFeatures left;
      spent.update += milliseconds([&] { left = exact::follow(*previous, next, progress.features(), settings); });
      progress.take(spent, std::move(left));
      held = std::move(next);
      previous = &held;
    }
    return spent;
  }

 private:
  const Stream& stream_;
  Following following_;
  exact::Levels first_;
  PublishedFeatures features_;
};

class Published final : public Follower {
 public:
  Published(const Stream& stream, const Following& following, const Mapping& mapping)
      : stream_(stream),
        following_(following),
        update_(std::make_unique<PublishedDevice>(
            mapping.update, stream.size(),
            PublishedSettings{settings_of(following), mapping.filters, mapping.update_shares})) {
    if (mapping.prepare.name == mapping.update.name) {
      for (int i = 0; i < 2; ++i) updated_.push_back(update_->planes(nullptr));
      return;
    }
    prepare_ = std::make_unique<PublishedDevice>(
        mapping.prepare, stream.size(),
        PublishedSettings{settings_of(following), mapping.filters, mapping.prepare_shares});
    gpu::Device& board = prepare_->shares_memory() ? update_->device() : prepare_->device();
    for (int i = 0; i < slots + 1; ++i) host_.emplace_back(prepare_->layout(), board);
    for (const HostPlanes& one : host_) {
      if (prepare_->shares_memory() || prepared_.empty()) prepared_.push_back(prepare_->planes(&one));
      if (update_->shares_memory() || updated_.size() < 2) updated_.push_back(update_->planes(&one));
    }
  }
  int detect() override {
    features_ = exact::detect(exact::levels(stream_.frame(0)), settings_of(following_));
    return static_cast<int>(features_.size());
  }
  Spent follow() override { return prepare_ ? follow_mapped() : follow_alone(); }

 private:
  static constexpr int slots = 4;

  Spent follow_alone() {
    Spent spent;
    Progress progress(following_, features_);
    update_->prepare(stream_.frame(0), updated_[1]);
    for (int i = 0; i < following_.frames; ++i) {
      DevicePlanes &next = updated_[static_cast<std::size_t>(i % 2)],
                   &previous = updated_[static_cast<std::size_t>((i + 1) % 2)];
      spent.prepare += milliseconds([&] { update_->prepare(stream_.frame(i), next); });
      PublishedFeatures left;
      spent.update += milliseconds([&] { left = update_->follow(previous, next, progress.features()); });
      progress.take(spent, std::move(left));
    }
    return spent;
  }

  /// Frame n of the pipeline is frame n - 1 of the loop; frame 0 is what that is compared with.
  Spent follow_mapped() {
    Spent spent;
    Progress progress(following_, features_);
    std::array<int, slots> number{};
    int next = 0;
    const auto of = [&](int slot) { return number[static_cast<std::size_t>(slot)]; };
    const auto first_phase = [&](int slot) {
      const int n = of(slot);
      HostPlanes& host = host_[static_cast<std::size_t>(n % (slots + 1))];
      DevicePlanes& planes = prepared_[prepare_->shares_memory() ? static_cast<std::size_t>(n % (slots + 1)) : 0];
      spent.prepare += milliseconds([&] { prepare_->prepare(stream_.frame(std::max(n - 1, 0)), planes); });
      if (!prepare_->shares_memory()) spent.read += milliseconds([&] { prepare_->download(planes, host); });
    };
    const auto second_phase = [&](int slot) {
      const int n = of(slot), ring = static_cast<int>(updated_.size());
      DevicePlanes& planes = updated_[static_cast<std::size_t>(n % ring)];
      if (!update_->shares_memory())
        spent.hand_over +=
            milliseconds([&] { update_->upload(host_[static_cast<std::size_t>(n % (slots + 1))], planes); });
      if (n == 0) return;
      PublishedFeatures left;
      spent.update += milliseconds([&] {
        left = update_->follow(updated_[static_cast<std::size_t>((n - 1) % ring)], planes, progress.features());
      });
      progress.take(spent, std::move(left));
    };
    const std::vector<PipelineStage> stages{{"filters", {{"first", first_phase}}},
                                            {"update", {{"second", second_phase}}}};
    auto start = std::chrono::steady_clock::now();
    run_pipeline(
        slots,
        [&](int slot) {
          if (next > following_.frames) return false;
          number[static_cast<std::size_t>(slot)] = next++;
          return true;
        },
        stages,
        [&](int slot) {
          if (of(slot) == 0) start = std::chrono::steady_clock::now();
        });
    spent.whole = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    spent.plane_bytes = static_cast<double>(prepare_->plane_bytes());
    return spent;
  }

  const Stream& stream_;
  Following following_;
  std::unique_ptr<PublishedDevice> prepare_;  ///< Of two devices; null where one does both.
  std::unique_ptr<PublishedDevice> update_;
  std::vector<HostPlanes> host_;  ///< A frame more than slots: the one before is still read.
  std::vector<DevicePlanes> prepared_, updated_;
  PublishedFeatures features_;
};

}  // namespace

std::uint64_t mixed(std::uint64_t hash, std::uint32_t bits) { return (hash ^ bits) * 0x9E3779B97F4A7C15U; }

std::unique_ptr<Follower> make_exact(const Stream& stream, const Following& following) {
  return std::make_unique<Exact>(stream, following);
}

std::unique_ptr<Follower> make_published(const Stream& stream, const Following& following, const Mapping& mapping) {
  return std::make_unique<Published>(stream, following, mapping);
}

}  // namespace vergence::studies::stencil_energy
