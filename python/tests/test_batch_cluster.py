# SPDX-License-Identifier: Apache-2.0
"""Workers that cannot be made, are lost or raise what nobody foresaw, on a Ray that is played, in simulated time."""

import importlib.util
import pathlib
import signal
import sys
import types

import pytest
import vergence
import vergence.batch
from test_batch_dispatch import items_of, record_of
from vergence.batch import _arguments, _start
from vergence.batch._dispatch import Dispatcher


class Ray(types.ModuleType):
    """What _cluster.py calls. `plan(number)` says what becomes of the actor of that number: "works", "cannot be made",
    "is lost with a node", "ends at work", "raises", "is late": of another kind, and ready after 20 s, or "never begins"."""

    def __init__(self, plan):
        super().__init__("ray")
        self.exceptions = types.SimpleNamespace(RayError=type("RayError", (Exception,), {}))
        self.exceptions.RayTaskError = type("RayTaskError", (self.exceptions.RayError,), {})
        self.plan, self.made, self.living, self.now = plan, 0, [f"n{number}" for number in range(9)], 0.0
        self.room, self.ready = {"CPU": 2}, {}

    def cluster_resources(self):
        return self.room

    def nodes(self):
        return [{"NodeID": name, "Alive": name in self.living} for name in [f"n{number}" for number in range(9)]]

    def remote(self, worker):
        return types.SimpleNamespace(options=lambda **options: types.SimpleNamespace(remote=self._make))

    def _make(self, *arguments):
        kind, node = self.plan(self.made), self.living[-1]
        self.made += 1

        def describe():
            if kind == "is lost with a node":
                self.living.remove(node)
            if kind in ("is lost with a node", "cannot be made"):
                raise self.exceptions.RayError("it died")
            return {"device": "cpu", "kind": "other" if kind == "is late" else "cpu", "node": node, "node_id": node}

        def run(items, write):
            if kind == "ends at work":
                raise self.exceptions.RayError("it died")
            if kind == "raises":
                error = self.exceptions.RayTaskError("a trace")
                error.cause = KeyError("odd")
                raise error
            return [record_of(item) for item in items]

        def call(function):
            def remote(*given):
                def reference():
                    return function(*given)

                if function is describe:
                    self.ready[reference] = self.now + {"is late": 20, "never begins": float("inf")}.get(kind, 0)
                return reference

            return types.SimpleNamespace(remote=remote)

        return types.SimpleNamespace(describe=call(describe), run=call(run))

    def wait(self, references, num_returns, timeout):
        there = [one for one in references if self.ready.get(one, 0) <= self.now][:num_returns]
        if not there:
            self.now += timeout
        return there, [one for one in references if one not in there]

    def get(self, reference):
        return reference()

    def kill(self, handle):
        pass

    # of the module time
    def monotonic(self):
        self.now += 0.3
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def load(monkeypatch):
    """_cluster.py on a Ray."""

    def loaded(ray):
        monkeypatch.setitem(sys.modules, "ray", ray)
        name = "vergence.batch._cluster"
        spec = importlib.util.spec_from_file_location(name, pathlib.Path(vergence.batch.__file__).with_name("_cluster.py"))
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        monkeypatch.setattr(module, "time", ray)
        return module

    return loaded


def run(load, plan, count=3):
    """The dispatcher after a run with one worker at a time, and the Ray."""
    ray = Ray(plan)
    module = load(ray)
    dispatcher = Dispatcher(items_of(count), 1, attempts=2)
    module.Cluster([module.Group("cpu", 1, 0, 1)], ()).run(dispatcher, lambda records: None, lambda: None)
    return dispatcher, ray


def test_a_node_that_is_lost_with_its_new_worker_is_no_failure_of_the_group(load):
    dispatcher, ray = run(load, lambda number: "is lost with a node" if number < 5 else "works")
    assert dispatcher.done and ray.made == 6 and all(record["status"] == "done" for record in dispatcher.records.values())


def test_a_group_that_fails_is_tried_again_after_a_while(load):
    kinds = ["ends at work", *["cannot be made"] * 3, "works"]
    dispatcher, ray = run(load, lambda number: kinds[number])
    assert dispatcher.done and all(record["status"] == "done" for record in dispatcher.records.values())
    assert ray.made == 5 and 30 < ray.now < 60


@pytest.mark.parametrize("room,workers", [({"CPU": 64, "GPU": 8}, 6), ({"CPU": 5, "GPU": 8}, 4), ({"CPU": 64, "GPU": 1}, 1)])
def test_workers_leave_verifiers_their_gpus(load, room, workers):
    ray = Ray(lambda number: "works")
    ray.room = room
    module = load(ray)
    groups = [module.Group("cuda:0", 1, 1, None), module.Group("opencl:nvidia", 0.01, 1, 2, verifier=True)]
    cluster = module.Cluster(groups, ())
    cluster._look(Dispatcher(items_of(100), 1))
    assert [sum(one.group is group for one in cluster._actors) for group in groups] == [workers, 2]


def test_a_verifier_that_is_ready_late_verifies(load):
    ray = Ray(lambda number: "is late" if number == 1 else "works")
    ray.room = {"CPU": 2, "GPU": 1}
    module = load(ray)
    groups = [module.Group("cpu", 1, 0, 1), module.Group("opencl:other", 0.01, 1, 1, verifier=True)]
    dispatcher = Dispatcher(items_of(4), 2, verify_share=1.0)
    module.Cluster(groups, ()).run(dispatcher, lambda records: None, lambda: None)
    assert dispatcher.done and dispatcher.unverified == 0 and not dispatcher.disagreements and ray.now > 20


def test_a_run_ends_where_all_that_are_ready_are_in_quarantine(load):
    ray = Ray(lambda number: "works" if number == 0 else "never begins")
    module = load(ray)
    dispatcher = Dispatcher(items_of(2), 1)
    dispatcher.quarantined["n8"] = "out0"

    def tick():
        assert ray.now < 2000

    module.Cluster([module.Group("cpu", 1, 0, 2)], ()).run(dispatcher, lambda records: None, tick)
    assert len(dispatcher.left()) == 2 and ray.made == 2 and ray.now > 600


def test_where_no_worker_was_ever_made_that_is_an_error_at_once(load):
    with pytest.raises(vergence.DeviceError, match="no worker can be started: it died"):
        run(load, lambda number: "cannot be made")


def test_what_nobody_foresaw_is_recorded(load):
    dispatcher, _ = run(load, lambda number: "raises", 1)
    assert dispatcher.done and "'odd'" in dispatcher.records["out0"]["error"]


def told(*more):
    return _arguments.parse(["stereo", "a.csv", "-o", "out", *more])


def test_the_handler_of_sigterm_outlives_the_start_of_ray(load, monkeypatch):
    ray = Ray(lambda number: "works")
    ray.init = lambda **options: signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ray.shutdown = lambda: None
    load(ray)
    before = signal.getsignal(signal.SIGTERM)
    with _start.started(told()):
        assert signal.getsignal(signal.SIGTERM) == before
    ray.init = lambda **options: sys.exit(signal.SIGTERM)  # what Ray's own does

    def terminate(number, frame):
        raise InterruptedError

    try:
        signal.signal(signal.SIGTERM, terminate)
        with pytest.raises(InterruptedError), _start.started(told()):
            pass
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_cluster_that_refuses_may_want_a_token(load, monkeypatch):
    ray = Ray(lambda number: "works")

    def init(**options):
        raise ConnectionError("no way in")

    ray.init = init
    load(ray)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    for address, hint in (("head:6379", True), ("auto", False)):
        with pytest.raises(vergence.DeviceError, match="cannot be used: no way in") as raised, _start.started(told("--address", address)):
            pass
        assert ("RAY_AUTH_MODE=token" in str(raised.value)) == hint


def test_devices_that_cannot_verify_are_told_before_the_work(load):
    load(Ray(lambda number: "works"))
    for options, error, text in (
        (["--verify-share", "0.1", "--verify-device", "cuda"], vergence.DeviceError, "--verify-device cuda: the cluster has no GPU"),
        (["--verify-share", "0.1", "--verify-device", "cpu"], vergence.ArgumentError, "--verify-device cpu: the items are done on it"),
        (["--threads", "9"], vergence.ArgumentError, "--threads is 9: this machine's Ray has 4 cores"),
    ):
        with pytest.raises(error, match=text):
            _start.groups(told(*options), {"CPU": 4})
    for options, text in (
        (["--verify-share", "0.1", "--verify-device", "gpu"], "--verify-device is 'gpu': cpu, cuda, opencl"),
        (["--device", "cpu,gpu"], "--device is 'gpu': .* or auto"),
        (["--verify-device", "reference"], "without --verify-share"),
        (["--verify-share", "0.1", "--device", "cpu", "--verify-device", "cpu"], "are both cpu"),
    ):
        with pytest.raises(vergence.ArgumentError, match=text):
            told(*options)
    found = _start.groups(told("--verify-share", "0.1", "--verify-device", "cuda", "--device", "cpu", "--gpu-share", "0.5"), {"CPU": 4, "GPU": 1})
    assert [(one.device, one.gpus, one.verifier) for one in found] == [("cpu", 0, False), ("cuda:0", 0.5, True)]


def test_workers_write_where_the_program_does_wherever_they_stand(load, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    ray = Ray(lambda number: "works")
    ray.init, ray.shutdown = (lambda **options: None), (lambda: None)
    load(ray)
    with _start.started(told("-o", "out"), "results.journal-1") as cluster:
        assert cluster._make[1] == str(tmp_path / "out") and cluster._journal == "results.journal-1"
