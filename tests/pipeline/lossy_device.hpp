// SPDX-License-Identifier: Apache-2.0
// A device that does what another one does until it is lost, which a test can bring about at any of its calls.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "vergence/error.hpp"

namespace vergence::test {

/// When the device fails, counted over the calls that do work, from 1; 0 = never. All later calls fail too.
struct Loss {
  explicit Loss(int at, ErrorCode kind = ErrorCode::device) : fail_at(at), code(kind) {}
  void call(const char* what) {
    if (const int number = ++calls; fail_at > 0 && number >= fail_at)
      throw Error(code, fmt::format("{} on the lossy device failed: injected at call {}", what, number));
  }
  const int fail_at;
  const ErrorCode code;
  std::atomic<int> calls = 0;
};

class LossyStereo final : public backend::Stereo {
 public:
  LossyStereo(std::unique_ptr<backend::Stereo> inner, std::shared_ptr<Loss> loss)
      : inner_(std::move(inner)), loss_(std::move(loss)) {}
  void begin(const backend::StereoPair& pair, const backend::StereoTargets& targets) override {
    inner_->begin(pair, targets);
  }
  void match() override {
    loss_->call("matching");
    inner_->match();
  }
  void speckle() override { inner_->speckle(); }
  void median() override { inner_->median(); }
  void fill() override { inner_->fill(); }
  void finish() override { inner_->finish(); }
  std::size_t memory() const override { return inner_->memory(); }

 private:
  std::unique_ptr<backend::Stereo> inner_;
  std::shared_ptr<Loss> loss_;
};

class LossyMotion final : public backend::Motion {
 public:
  LossyMotion(std::unique_ptr<backend::Motion> inner, std::shared_ptr<Loss> loss)
      : inner_(std::move(inner)), loss_(std::move(loss)) {}
  void begin(const backend::MotionPair& pair, std::span<const MotionMaps> maps) override { inner_->begin(pair, maps); }
  void search() override {
    loss_->call("searching");
    inner_->search();
  }
  void refine() override { inner_->refine(); }
  void confidence() override { inner_->confidence(); }
  void finish() override { inner_->finish(); }
  void predict(const backend::MotionPrediction& plane) override {
    loss_->call("predicting");
    inner_->predict(plane);
  }
  std::size_t memory() const override { return inner_->memory(); }

 private:
  std::unique_ptr<backend::Motion> inner_;
  std::shared_ptr<Loss> loss_;
};

class LossyTrack final : public backend::Track {
 public:
  LossyTrack(std::unique_ptr<backend::Track> inner, std::shared_ptr<Loss> loss)
      : inner_(std::move(inner)), loss_(std::move(loss)) {}
  void push(ImageView<const std::uint8_t> frame8, ImageView<const std::uint16_t> frame16) override {
    loss_->call("preparing");
    inner_->push(frame8, frame16);
  }
  void push(const PreparedPlanes& prepared) override {
    loss_->call("uploading");
    inner_->push(prepared);
  }
  void read(PreparedPlanes& prepared) override {
    loss_->call("reading");
    inner_->read(prepared);
  }
  void corners(ImageView<const std::uint8_t> mask, std::vector<backend::Corner>& corners) override {
    loss_->call("detecting");
    inner_->corners(mask, corners);
  }
  void lk(std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) override {
    loss_->call("following");
    inner_->lk(queries, found);
  }
  std::size_t memory() const override { return inner_->memory(); }

 private:
  std::unique_ptr<backend::Track> inner_;
  std::shared_ptr<Loss> loss_;
};

class LossyDevice final : public backend::Device {
 public:
  LossyDevice(std::string name, vergence::Device inner, std::shared_ptr<Loss> loss)
      : name_(std::move(name)), inner_(std::move(inner)), loss_(std::move(loss)) {}
  const std::string& name() const override { return name_; }
  const std::string& kind() const override { return name_; }
  const std::string& description() const override { return name_; }
  std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan) override {
    return std::make_unique<LossyStereo>(backend::of(inner_).make_stereo(plan), loss_);
  }
  std::unique_ptr<backend::Motion> make_motion(const MotionPlan& plan) override {
    return std::make_unique<LossyMotion>(backend::of(inner_).make_motion(plan), loss_);
  }
  std::unique_ptr<backend::Track> make_track(const TrackPlan& plan) override {
    return std::make_unique<LossyTrack>(backend::of(inner_).make_track(plan), loss_);
  }

 private:
  std::string name_;
  vergence::Device inner_;
  std::shared_ptr<Loss> loss_;
};

inline Device lossy_device(const std::string& name, const Device& inner, const std::shared_ptr<Loss>& loss) {
  return backend::handle(std::make_shared<LossyDevice>(name, inner, loss));
}

}  // namespace vergence::test
