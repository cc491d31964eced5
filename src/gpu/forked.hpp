// SPDX-License-Identifier: Apache-2.0
// No driver survives a fork: a child that calls it hangs or crashes. There, every call answers with an error instead.
#pragma once

#include <pthread.h>

#include <tuple>
#include <type_traits>

namespace vergence::gpu {

/// What stands in errors of a forked child.
inline constexpr const char* forked_child =
    "this process was forked after the driver had been used, and cannot use it: open devices after the fork alone";

/// A function of a driver that does nothing and answers `Code`; where it gives an object, by its last parameter.
template <auto Code, class Function>
struct Refusal;
template <auto Code, class Answer, class... Parameters>
struct Refusal<Code, Answer (*)(Parameters...)> {
  static Answer call(Parameters... parameters) {
    if constexpr (std::is_pointer_v<Answer>) {
      const auto last = std::get<sizeof...(Parameters) - 1>(std::tuple<Parameters...>(parameters...));
      if (last != nullptr) *last = Code;
      return nullptr;
    } else {
      return Code;
    }
  }
};
/// `call`: a member of a table of calls.
template <auto Code, class Function>
void refuse_calls(Function& call) {
  call = &Refusal<Code, Function>::call;
}

/// Has `in_child` called in every child that is forked from now on.
inline bool watch_forks(void (*in_child)()) { return pthread_atfork(nullptr, nullptr, in_child) == 0; }

}  // namespace vergence::gpu
