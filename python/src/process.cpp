// SPDX-License-Identifier: Apache-2.0
// Notices forks, and waits for frames in flight before the interpreter ends.
#include "process.hpp"

#include <pthread.h>

#include <set>
#include <vector>

#include "vergence/error.hpp"

namespace vergence::python {
namespace {

std::atomic<bool> at_work{false};
std::atomic<bool> forked{false};

void in_child() {
  if (at_work.load()) forked.store(true);
}

// Guarded by the GIL. Never destroyed: objects may outlive it at exit.
std::set<Unfinished*>& unfinished() {
  static auto* const all = new std::set<Unfinished*>;
  return *all;
}

void finish_all() {
  const std::vector<Unfinished*> all(unfinished().begin(), unfinished().end());
  for (Unfinished* const one : all)
    if (unfinished().contains(one)) one->finish();  // while the GIL was released, a thread may have let it go
}

}  // namespace

bool is_forked() { return forked.load(std::memory_order_relaxed); }

void check_process() {
  if (is_forked())
    throw Error(ErrorCode::device,
                "Vergence was at work before this process was forked, and its threads are gone: use multiprocessing's "
                "start method 'spawn', or open devices after the fork alone");
  at_work.store(true, std::memory_order_relaxed);
}

Unfinished::Unfinished() { unfinished().insert(this); }
Unfinished::~Unfinished() { unfinished().erase(this); }

void register_process(nanobind::module_& module) {
  pthread_atfork(nullptr, nullptr, in_child);
  module.def("_finish_all", finish_all);
  nanobind::module_::import_("atexit").attr("register")(module.attr("_finish_all"));
}

}  // namespace vergence::python
