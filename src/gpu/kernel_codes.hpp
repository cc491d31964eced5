// SPDX-License-Identifier: Apache-2.0
// What a device has compiled since it was opened, so that several who do the same work on it compile once.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace vergence::gpu {

/// Machine codes by the texts that they were compiled from. May be used by several threads.
class KernelCodes {
 public:
  using Code = std::vector<std::byte>;

  /// `most`: bytes of texts and codes; beyond, all are forgotten, as after many settings none comes again soon.
  explicit KernelCodes(std::size_t most = std::size_t{64} << 20) : most_(most) {}

  /// Null where the text is not known.
  std::shared_ptr<const Code> find(const std::string& text) const {
    const std::lock_guard lock(mutex_);
    const auto known = codes_.find(text);
    return known == codes_.end() ? nullptr : known->second;
  }
  void keep(const std::string& text, Code code) {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = text.size() + code.size();
    if (bytes > most_ || codes_.find(text) != codes_.end()) return;
    if (bytes_ + bytes > most_) {
      codes_.clear();
      bytes_ = 0;
    }
    codes_.emplace(text, std::make_shared<const Code>(std::move(code)));
    bytes_ += bytes;
  }

 private:
  std::size_t most_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Code>> codes_;
  std::size_t bytes_ = 0;
};

}  // namespace vergence::gpu
