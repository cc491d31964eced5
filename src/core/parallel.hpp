// SPDX-License-Identifier: Apache-2.0
// All parallelism of the library goes through this header: loops over ranges of rows, on oneTBB, or on std::jthread
// where ThreadSanitizer is on (VERGENCE_TSAN), because Debian's oneTBB makes it report races that are none.
#pragma once

#include <memory>
#include <type_traits>

namespace vergence {

/// The body of a parallel loop: refers to a callable (first, last, worker) of the caller's, which std::function would
/// copy to the heap, once per loop and frame.
class RowBody {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, RowBody>)
      RowBody(F&& body)  // NOLINT(bugprone-forwarding-reference-overload): a lambda is a body, no copy is hidden
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(body)))),
        call_([](void* object, int first, int last, int worker) {
          (*static_cast<std::remove_reference_t<F>*>(object))(first, last, worker);
        }) {}
  void operator()(int first, int last, int worker) const { call_(object_, first, last, worker); }

 private:
  void* object_;
  void (*call_)(void*, int, int, int);
};

/// Cores that this process may use; at least 1.
int usable_cores();

/// A number of threads to run loops on. What is computed never depends on it.
class Threads {
 public:
  /// 0 = one per core that this process may use.
  explicit Threads(int count = 0);
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads();

  int count() const { return count_; }

  /// Calls body(first, last, worker) on disjoint ranges that cover [0, rows), each at least `smallest` rows long (but
  /// for one that is all there is); at most count() ranges run at a time, `worker` < count() is unique among those
  /// running. An exception of a body is rethrown after all others ended.
  void rows(int rows, int smallest, RowBody body);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  int count_ = 1;
};

}  // namespace vergence
