// SPDX-License-Identifier: Apache-2.0
// Looks at a stream's times every some hundred frames.
#include "pipeline/spare_threads.hpp"

namespace vergence {
namespace {

constexpr int most = 3;
constexpr std::int64_t window = 256;  // frames
// A worker without spare threads reads and writes itself: from this share of its work on, it is missed.
constexpr double little = 0.05, much = 0.1;
// Between frames of the stream: what waking takes is little of it.
constexpr double short_ns = 200e3, long_ns = 400e3;

}  // namespace

/// Less is needed to begin with one of two states than to stay in it, so that a stream between both does not alternate.
bool SpareThreads::wanted() const {
  const bool has_none = count_ == 0;
  const auto inside = static_cast<double>(inside_);
  const double interval = inside / static_cast<double>(frames_ * workers_);
  return sent_ > 0 || static_cast<double>(outside_) > (has_none ? much : little) * inside ||
         interval > (has_none ? long_ns : short_ns);
}

bool SpareThreads::change() {
  if (++frames_ <= window) return false;
  const int before = count_;
  count_ = wanted() ? most : 0;
  frames_ = 0;
  outside_ = inside_ = sent_ = 0;
  return count_ != before;
}

}  // namespace vergence
