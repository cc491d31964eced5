# SPDX-License-Identifier: Apache-2.0
"""A simulated batch on 1,000 workers: what share of the ideal it reaches, and which setting matters.

The dispatcher is that of vergence-batch; time is simulated. Usage: schedule.py [PAIRS [WORKERS [SEED]]]

What is drawn, all stated here and none of it measured on a cluster:

- a pair takes 900 ms on a core, log-normal with sigma 0.15 (sizes and contents differ);
- a node has 16 workers and a speed, log-normal with sigma 0.05; one node of 50 is a straggler, 3 times slower;
- nodes fail at exponential times, in the mean after 200 hours; a new one is there after 120 s;
- workers are ready 10 to 30 s after the start (uniform);
- the driver spends 0.4 ms on each call and its result, one after the other; a call and its answer take 2 ms on the way.
"""

import heapq
import random
import sys
from dataclasses import dataclass

from vergence.batch._dispatch import Dispatcher

ITEM_S, ITEM_SIGMA = 0.900, 0.15
PER_NODE, NODE_SIGMA = 16, 0.05
START_S, REPLACE_S, WAY_S = (10.0, 30.0), 120.0, 0.002


@dataclass
class Setting:
    """What is varied."""

    batch: int = 16
    straggler_share: float = 0.02
    straggler_factor: float = 3.0
    node_mtbf_h: float = 200.0
    driver_ms: float = 0.4
    depth: int = 2
    shrink: bool = True


class Simulation:
    """Events in time: a worker is ready, a call is done, a node fails."""

    def __init__(self, pairs, workers, setting, seed):
        self._draw, self._setting, self._workers = random.Random(seed), setting, workers
        items = [{"id": str(i), "inputs": [""], "part": None, "output": str(i)} for i in range(pairs)]
        self._pairs, self._dispatcher = pairs, Dispatcher(items, setting.batch, shrink=setting.shrink)
        self._events, self._count, self._driver, self._idle = [], 0, 0.0, {}
        self._nodes = {}
        self.lost, self.work_s = 0, 0.0

    def run(self):
        """Seconds until all is done."""
        for number in range(-(-self._workers // PER_NODE)):
            self._add_node(number, self._draw.uniform(*START_S), min(PER_NODE, self._workers - number * PER_NODE))
        now = 0.0
        while not self._dispatcher.done:
            now, _, what, node, *about = heapq.heappop(self._events)
            if node["alive"] or what == "fail":
                getattr(self, "_" + what)(now, node, *about)
        return now

    def _at(self, time, *event):
        self._count += 1
        heapq.heappush(self._events, (time, self._count, *event))

    def _add_node(self, name, ready, workers):
        slow = self._draw.random() < self._setting.straggler_share
        speed = self._draw.lognormvariate(0, NODE_SIGMA) / (self._setting.straggler_factor if slow else 1)
        node = {"name": f"{name}", "speed": speed, "alive": True, "workers": workers, "calls": {}}
        for worker in range(workers):
            self._at(ready, "ready", node, worker)
        self._at(ready + self._draw.expovariate(1 / (self._setting.node_mtbf_h * 3600)), "fail", node)

    def _ready(self, now, node, worker):
        node["calls"][worker] = []
        self._feed(now, node, worker)

    def _feed(self, now, node, worker):
        """The driver serves one after the other."""
        calls = node["calls"][worker]
        while len(calls) < self._setting.depth:
            assignment = self._dispatcher.next({"node": node["name"], "kind": "cpu", "device": "cpu"})
            if assignment is None:
                self._idle[node["name"], worker] = node
                return
            self._driver = max(self._driver, now) + self._setting.driver_ms / 1000
            begin = max(self._driver + WAY_S / 2, calls[-1][1] if calls else 0.0)
            seconds = sum(ITEM_S * self._draw.lognormvariate(0, ITEM_SIGMA) for _ in assignment.items) / node["speed"]
            calls.append((assignment, begin + seconds))
            self._at(begin + seconds + WAY_S / 2, "finish", node, worker, assignment)

    def _finish(self, now, node, worker, assignment):
        calls = node["calls"][worker]
        calls[:] = [call for call in calls if call[0] is not assignment]
        self._dispatcher.finished(assignment, [{"status": "done", "output": item["output"], "sha256": ""} for item in assignment.items])
        self._feed(now, node, worker)

    def _fail(self, now, node):
        node["alive"] = False
        for calls in node["calls"].values():
            for place, (assignment, _) in enumerate(calls):
                self.lost += len(assignment.items) if place == 0 else 0
                if place == 0:
                    self._dispatcher.lost(assignment, False, "node died")
                else:
                    self._dispatcher.untouched(assignment)
        idle, self._idle = self._idle, {}
        for (_, worker), other in idle.items():
            if other["alive"]:
                self._feed(now, other, worker)
        self._add_node(node["name"] + "'", now + REPLACE_S, node["workers"])


def main():
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    ideal = pairs * ITEM_S / workers
    print(f"{pairs} pairs of {1000 * ITEM_S:.0f} ms on {workers} workers, seed {seed}: at best {ideal:.0f} s")
    print(f"{'setting':44} {'seconds':>8} {'of the ideal':>12} {'pairs lost':>10}")
    settings = {"as it is: batches of 16, smaller at the end": Setting(),
                **{f"batches of {batch} to the end": Setting(batch=batch, shrink=False) for batch in (1, 4, 16, 64, 256)},
                "batches of 1": Setting(batch=1), "batches of 64": Setting(batch=64),
                "no stragglers": Setting(straggler_share=0), "stragglers 10 times slower": Setting(straggler_factor=10),
                "nodes fail after 10 h": Setting(node_mtbf_h=10), "nodes fail after 1 h": Setting(node_mtbf_h=1),
                "the driver takes 5 ms": Setting(driver_ms=5), "the driver takes 5 ms, batches of 1": Setting(driver_ms=5, batch=1),
                "one call at a time": Setting(depth=1)}  # fmt: skip
    for name, setting in settings.items():
        simulation = Simulation(pairs, workers, setting, seed)
        seconds = simulation.run()
        print(f"{name:44} {seconds:8.1f} {100 * ideal / seconds:11.1f}% {simulation.lost:10d}", flush=True)


if __name__ == "__main__":
    main()
