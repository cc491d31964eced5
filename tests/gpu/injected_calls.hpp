// SPDX-License-Identifier: Apache-2.0
// Puts a layer between a backend and the API of its driver: the call that a test names fails with a code of the API's
// own instead of being made, and objects that were made and not released are counted.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace vergence::test {

struct Injection {
  int fail_at = 0;  ///< 0: none fails. Calls are counted from 1.
  int code = 0;     ///< What the call answers that fails.

  int calls = 0;
  std::string failed;  ///< Its name.
  int living = 0;      ///< Objects made and not released, contexts on a thread's stack included.
};
inline Injection injection;

/// +1 for calls that make something, -1 for those that give it back, which never fail here, 0 for the others.
inline int balance_of(std::string_view name) {
  constexpr std::string_view makes[] = {"Create", "MemAlloc", "MemHostAlloc", "ModuleLoad", "CtxPush", "Retain"};
  constexpr std::string_view gives_back[] = {"Release", "Destroy", "MemFree", "ModuleUnload", "CtxPop"};
  for (const std::string_view word : gives_back)
    if (name.find(word) != std::string_view::npos) return -1;
  for (const std::string_view word : makes)
    if (name.find(word) != std::string_view::npos) return 1;
  return 0;
}

/// Stands in for the member `Member` of a table of calls.
template <auto Member>
struct Hook;

template <class Calls, class Answer, class... Parameters, Answer (*Calls::*Member)(Parameters...)>
struct Hook<Member> {
  static inline Answer (*real)(Parameters...) = nullptr;
  static inline std::string_view name;
  using Last = std::tuple_element_t<sizeof...(Parameters) - 1, std::tuple<Parameters...>>;
  /// Calls that answer with an object write the code to their last parameter.
  static constexpr bool answers_object = std::is_pointer_v<Answer>;
  /// A command that may make an event.
  static constexpr bool may_make_event =
      !answers_object && std::is_pointer_v<Last> && std::is_pointer_v<std::remove_pointer_t<Last>>;

  static Answer call(Parameters... parameters) {
    const int balance = balance_of(name);
    [[maybe_unused]] const auto last = std::get<sizeof...(Parameters) - 1>(std::tuple<Parameters...>(parameters...));
    if (balance >= 0 && ++injection.calls == injection.fail_at) {
      injection.failed = name;
      if constexpr (answers_object) {
        *last = injection.code;
        return nullptr;
      } else {
        return injection.code;
      }
    }
    const Answer answer = real(parameters...);
    if constexpr (answers_object) {
      if (answer != nullptr) injection.living += balance;
    } else if (answer == 0) {
      injection.living += balance;
      if constexpr (may_make_event) injection.living += name.substr(0, 7) == "Enqueue" && last != nullptr ? 1 : 0;
    }
    return answer;
  }

  static void put(Calls& calls, std::string_view its_name) {
    name = its_name;
    real = calls.*Member;
    calls.*Member = &call;
  }
  static void remove(Calls& calls) { calls.*Member = real; }
};

}  // namespace vergence::test
