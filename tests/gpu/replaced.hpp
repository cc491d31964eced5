// SPDX-License-Identifier: Apache-2.0
// Another function in a table of calls.
#pragma once

namespace vergence::test {

/// Puts another function in a table of calls for as long as it lives.
template <class Function>
class Replaced {
 public:
  Replaced(Function& place, Function by) : place_(place), before_(place) { place = by; }
  ~Replaced() { place_ = before_; }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;
  Function before() const { return before_; }

 private:
  Function& place_;
  Function before_;
};

}  // namespace vergence::test
