# SPDX-License-Identifier: Apache-2.0
"""What Ray costs: pairs of 640x480 by preset `quality` done by workers of vergence-batch, and by the same class in this process.

Usage: batch.py [PAIRS [ROUNDS [BATCH...]]]; all take turns, and the least time of each counts. Needs Ray and pyarrow.
WORKERS=N in the environment: with 1, 2, 4 ... N workers of a thread each; the serial part is Amdahl's, of one worker's time.
"""

import os
import sys
import tempfile
import time

import ray
import vergence
from vergence.batch._cluster import Cluster, Group
from vergence.batch._dispatch import Dispatcher
from vergence.batch._items import plan
from vergence.batch._outputs import npy
from vergence.batch._worker import Worker

SIZE = (480, 640)
SETTINGS = {"task": "stereo", "options": {"preset": "quality"}, "format": "npy"}


class Timed(Cluster):
    """Workers that are ready before the clock starts."""

    def time(self, items, batch):
        times = []
        dispatcher = Dispatcher(items, batch)
        start = time.perf_counter()
        self.run(dispatcher, lambda records: times.append(time.perf_counter()), lambda: None)
        assert all(record["status"] == "done" for record in dispatcher.records.values()), dispatcher.records
        return times[-1] - start


def counts():
    """1, 2, 4 ... up to WORKERS."""
    most = max(int(os.environ.get("WORKERS", "1")), 1)
    return sorted({min(2**power, most) for power in range(most.bit_length() + 1)})


def make_items(folder, frame, pairs):
    for side in ("left", "right"):
        with open(f"{folder}/{side}.npy", "wb") as file:
            file.write(npy(frame[side]))
    rows = [{"left": f"{folder}/left.npy", "right": f"{folder}/right.npy", "output": f"{number}.npy"} for number in range(pairs)]
    return plan("stereo", rows, SETTINGS)


def least(rounds, works):
    """The least time of each work, by name; they take turns."""
    times = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            took = work()
            times[name].append(time.perf_counter() - start if took is None else took)
    return {name: min(all_times) for name, all_times in times.items()}


def main():
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    batches = [int(word) for word in sys.argv[3:]] or [1, 4, 16]
    frame = vergence.Scene(size=SIZE, seed=1).render()
    matcher = vergence.StereoMatcher(vergence.Device("cpu", threads=1), SIZE, "quality")

    def match():
        for _ in range(pairs):
            matcher.compute(frame["left"], frame["right"], raw=True)

    def work_here():
        worker.run(items)

    with tempfile.TemporaryDirectory() as folder:
        items = make_items(folder, frame, pairs)
        worker = Worker(SETTINGS, f"{folder}/plain", "cpu", 1)
        worker.run(items[:2])
        ray.init(num_cpus=sum(counts()), num_gpus=0, include_dashboard=False, log_to_driver=False)
        clusters = {count: Timed([Group("cpu", 1, 0, count)], (SETTINGS, f"{folder}/ray{count}")) for count in counts()}
        works = {"matching": match, "plain": work_here}
        for count, cluster in clusters.items():
            while len(cluster.workers) < count:
                cluster.time(items[: 2 * count], 1)
            works |= {(count, batch): lambda cluster=cluster, batch=batch: cluster.time(items, batch) for batch in batches}
        times = least(rounds, works)
        for cluster in clusters.values():
            cluster.close()
        ray.shutdown()
    report(times, pairs, rounds, batches)


def report(times, pairs, rounds, batches):
    per_pair = 1000 / pairs
    matching, plain = times["matching"] * per_pair, times["plain"] * per_pair
    print(f"{pairs} pairs of {SIZE[1]}x{SIZE[0]}, quality, one thread a worker, least of {rounds} rounds")
    print(f"matching alone           {matching:8.2f} ms a pair")
    print(f"read, match, hash, write {plain:8.2f} ms a pair")
    for batch in batches:
        one = times[1, batch] * per_pair
        print(f"by Ray, {batch:3d} to a call, 1 worker: {one:8.2f} ms a pair, {100 * (one - plain) / matching:6.2f} % of the matching more")
        for count in counts()[1:]:
            gain = one / (times[count, batch] * per_pair)
            serial = (count / gain - 1) / (count - 1)
            print(f"{count:26d} workers: {one / gain:8.2f} ms a pair, {gain:5.2f} times one, serial part {100 * serial:.1f} %")


if __name__ == "__main__":
    main()
