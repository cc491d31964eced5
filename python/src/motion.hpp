// SPDX-License-Identifier: Apache-2.0
// The classes MotionEstimator and MotionStream.
#pragma once

#include <nanobind/nanobind.h>

#include <deque>
#include <exception>
#include <memory>

#include "arrays.hpp"
#include "process.hpp"
#include "results.hpp"
#include "vergence/motion.hpp"
#include "vergence/motion_stream.hpp"

namespace vergence::python {

/// What a call asks for: each None, True, False or an array.
struct MotionWants {
  bool raw = false;
  nb::handle vectors, cost, j, second_j, confidence;
};

/// The arrays of a field.
struct MotionResult {
  nb::object vectors, cost, j, second_j, confidence;
};

/// The maps of one field, and what the library writes.
struct MotionMaps {
  Map vectors, cost, j, second_j, confidence;
  Image<MotionVector> quarters;  ///< Where float pixels are wanted.
  MotionOutput output;

  MotionMaps(const MotionWants& wants, Size blocks);
  /// Float pixels from quarters; without the GIL.
  void convert();
  MotionResult result() const;
};

/// Vectors that Python gives: int16 in quarter px, shape (rows, columns, 2).
ImageView<const MotionVector> vectors_view(const Array& array, Size blocks);
/// The same of any number of blocks.
ImageView<const MotionVector> vectors_view(const Array& array);

class Estimator {
 public:
  Estimator(const Device& device, std::unique_ptr<MotionEstimator> estimator);
  MotionResult compute(nb::handle current, nb::handle reference, nb::handle previous, const MotionWants& wants);
  nb::object predict(nb::handle reference, nb::handle vectors, nb::handle prediction);
  const MotionEstimator& constant() const { return estimator_.constant(); }
  Guarded<MotionEstimator>::Use use() { return estimator_.use(); }
  const Device& device() const { return device_; }

 private:
  Device device_;
  Guarded<MotionEstimator> estimator_;
};

/// One frame of a stream: its arrays, held until the frame after it is whole.
struct MotionFrame {
  Array frame;
  std::unique_ptr<MotionMaps> maps;
  PendingMotion pending;
  bool done = false, measured = false;
  std::exception_ptr error;
};

class Stream final : public Unfinished {
 public:
  Stream(const Device& device, const MotionOptions& options, std::unique_ptr<MotionStream> stream);
  ~Stream() { finish(); }
  std::shared_ptr<MotionFrame> enqueue(nb::handle frame, const MotionWants& wants);
  /// None for the first frame of a video.
  nb::object wait(MotionFrame& frame);
  void restart();
  void finish() noexcept override;
  const MotionStream& constant() const { return stream_.constant(); }
  const MotionOptions& options() const { return options_; }
  const Device& device() const { return device_; }

 private:
  void wait_once(MotionFrame& frame) const;

  Device device_;
  MotionOptions options_;
  Guarded<MotionStream> stream_;
  std::deque<std::shared_ptr<MotionFrame>> flights_;
};

/// The class MotionSizesEstimator.
void register_motion_sizes(nb::module_& module);
void register_motion(nb::module_& module);

}  // namespace vergence::python
