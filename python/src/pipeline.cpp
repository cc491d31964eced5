// SPDX-License-Identifier: Apache-2.0
// run_pipeline with functions of Python, which any thread calls with the GIL held.
#include "pipeline.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "process.hpp"
#include "vergence/error.hpp"
#include "vergence/pipeline.hpp"

namespace vergence::python {
namespace {

/// A DeviceError of Python means to the pipeline what the library's means: the device is lost.
[[noreturn]] void rethrow(nb::python_error& error) {
  if (error.matches(nb::module_::import_("vergence._errors").attr("DeviceError")))
    throw Error(ErrorCode::device, nb::cast<std::string>(nb::str(error.value())));
  throw nb::python_error(std::move(error));
}

/// A function of Python for threads that do not hold the GIL.
class Call {
 public:
  Call(nb::handle function, const char* what) : function_(function) {
    if (PyCallable_Check(function.ptr()) == 0)
      throw WrongType(
          fmt::format("{} is of type {}: a function of a slot's number is needed", what, name_of_type(function)));
  }
  /// Whether what the function returns is true.
  bool ask(int slot) const {
    const nb::gil_scoped_acquire held;
    try {
      return nb::cast<bool>(nb::bool_(function_(slot)));
    } catch (nb::python_error& error) {
      rethrow(error);
    }
  }
  /// What the function returns may be anything: a numpy array is neither true nor false.
  void run(int slot) const {
    const nb::gil_scoped_acquire held;
    try {
      function_(slot);
    } catch (nb::python_error& error) {
      rethrow(error);
    }
  }

 private:
  nb::handle function_;  // held by the caller, who waits until the stream has ended
};

/// `held` keeps the functions, whatever becomes of the lists that they came in.
std::vector<PipelineStage> stages_of(const nb::list& given, std::vector<nb::object>& held) {
  std::vector<PipelineStage> stages;
  for (const nb::handle stage : given) {
    PipelineStage made;
    try {
      made.name = nb::cast<std::string>(nb::object(stage[0]));
      for (const nb::handle worker : nb::cast<nb::list>(nb::object(stage[1]))) {
        held.emplace_back(worker[1]);
        const Call call(held.back(), "work");
        made.workers.push_back({nb::cast<std::string>(nb::object(worker[0])), [call](int slot) { call.run(slot); }});
      }
    } catch (const std::bad_cast&) {
      throw WrongType("stages are a list of (name, [(device name, work), ...])");
    } catch (const nb::python_error&) {
      throw WrongType("stages are a list of (name, [(device name, work), ...])");
    }
    stages.push_back(std::move(made));
  }
  return stages;
}

nb::dict report_of(const PipelineReport& report) {
  nb::dict all;
  all["frames"] = report.frames;
  all["seconds"] = report.seconds;
  all["most_in_flight"] = report.most_in_flight;
  nb::list shares;
  for (const PipelineShare& share : report.shares) {
    nb::dict one;
    one["stage"] = share.stage;
    one["device"] = share.device;
    one["frames"] = share.frames;
    one["busy_ms"] = share.busy_ms;
    one["lost"] = share.lost;
    one["reason"] = share.reason;
    one["held_back"] = share.held_back;
    shares.append(one);
  }
  all["shares"] = shares;
  return all;
}

nb::dict run(int slots, const nb::handle& read, const nb::list& stages, const nb::handle& write,
             const std::string& on_device_loss, std::int64_t first_frame) {
  check_process();
  if (on_device_loss != "stop" && on_device_loss != "go_on")
    refuse(fmt::format("on_device_loss is '{}': 'stop' and 'go_on' are known", on_device_loss));
  const Call next(read, "read"), done(write, "write");
  std::vector<nb::object> held;
  const std::vector<PipelineStage> made = stages_of(stages, held);
  const PipelineOptions options{on_device_loss == "go_on" ? OnDeviceLoss::go_on : OnDeviceLoss::stop, first_frame};
  return report_of(without_gil([&] {
    return run_pipeline(
        slots, [&](int slot) { return next.ask(slot); }, made, [&](int slot) { done.run(slot); }, options);
  }));
}

}  // namespace

void register_pipeline(nb::module_& module) {
  module.def(
      "run_pipeline", run, nb::arg("slots"), nb::arg("read").none(), nb::arg("stages"), nb::arg("write").none(),
      nb::kw_only(), nb::arg("on_device_loss") = "stop", nb::arg("first_frame") = 0,
      nb::sig("def run_pipeline(slots: int, read: Callable[[int], bool], stages: list[tuple[str, list[tuple[str, "
              "Callable[[int], object]]]]], write: Callable[[int], object], *, on_device_loss: Literal['stop', "
              "'go_on'] = 'stop', first_frame: int = 0) -> dict[str, object]"),
      R"(Passes frames through stages that work at the same time, each on one or several devices.

read(slot) puts the next frame into a slot, 0 .. slots - 1, or returns False at the end; write(slot) takes it out. Both
are called in the order of the frames, from any thread. The workers of a stage, (device name, work), each take a frame
when they are free, and need objects of their own. A DeviceError of work means that the device is lost: with 'go_on'
the stage's other workers do its frames. Any other exception ends the stream, and is raised.

Returns
-------
dict
    frames, seconds, most_in_flight, and shares: what each device did in each stage.

Examples
--------
>>> numbers, squares, found = iter(range(10)), [0] * 4, []
>>> def read(slot):
...     squares[slot] = next(numbers, None)
...     return squares[slot] is not None
>>> def square(slot):
...     squares[slot] *= squares[slot]
>>> report = vergence.run_pipeline(4, read, [("square", [("cpu", square)])], lambda slot: found.append(squares[slot]))
>>> report["frames"], found
(10, [0, 1, 4, 9, 16, 25, 36, 49, 64, 81])
)");
}

}  // namespace vergence::python
