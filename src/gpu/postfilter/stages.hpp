// SPDX-License-Identifier: Apache-2.0
// The stages of stereo on a GPU: launch code, written once for both APIs. Each gives the bytes of the function of the
// same name in reference/postfilter/stages.hpp. Maps lie in buffers without gaps between rows: plan.size.width elements
// a row, int16, or int32 where `wide`. Everything is allocated and compiled by the constructors; run() only launches.
#pragma once

#include <memory>

#include "gpu/program.hpp"
#include "plan/stereo/plan.hpp"

namespace vergence::gpu {

/// The masks of a plan that has some, in device memory, as kernels/stereo/sources.h reads them.
struct SourceBuffers {
  SourceBuffers(const StereoPlan& plan, Device& device, Queue& queue);
  /// Others of the same size in place of them.
  void fill(const StereoPlan& plan, Queue& queue);
  const Buffer& of(StereoView view) const { return view == StereoView::left ? *left : *right; }
  std::unique_ptr<Buffer> left, right;
};
/// In place.
class SourceStage {
 public:
  SourceStage(const StereoPlan& plan, Programs& programs, bool wide);
  ~SourceStage();
  void run(Queue& queue, Buffer& map, const SourceBuffers& masks);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// In place.
class Speckle {
 public:
  Speckle(const StereoPlan& plan, Programs& programs, bool wide);
  ~Speckle();
  void run(Queue& queue, Buffer& map);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class Median {
 public:
  Median(const StereoPlan& plan, Programs& programs, bool wide);
  /// `pairs`: by median_pairs.cl, where it serves the settings; on NVIDIA's devices they must have has_packed_minimum.
  Median(const StereoPlan& plan, Programs& programs, bool wide, bool pairs);
  ~Median();
  void run(Queue& queue, const Buffer& in, Buffer& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class FillStage {
 public:
  FillStage(const StereoPlan& plan, Programs& programs, bool wide);
  ~FillStage();
  void run(Queue& queue, const Buffer& in, Buffer& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vergence::gpu
