# SPDX-License-Identifier: Apache-2.0
"""What Ray costs: pairs of 640x480 by preset `quality` done by one worker of vergence-batch, and by the same class in this process.

Usage: batch.py [PAIRS [ROUNDS [BATCH...]]]; both take turns, and the least time of each counts. Needs Ray and pyarrow.
"""

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
    """One worker, which is ready before the clock starts."""

    def time(self, items, batch):
        times = []
        dispatcher = Dispatcher(items, batch)
        start = time.perf_counter()
        self.run(dispatcher, lambda records: times.append(time.perf_counter()), lambda: None)
        assert all(record["status"] == "done" for record in dispatcher.records.values()), dispatcher.records
        return times[-1] - start


def main():
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    batches = [int(word) for word in sys.argv[3:]] or [1, 4, 16]
    with tempfile.TemporaryDirectory() as folder:
        frame = vergence.Scene(size=SIZE, seed=1).render()
        for side in ("left", "right"):
            with open(f"{folder}/{side}.npy", "wb") as file:
                file.write(npy(frame[side]))
        rows = [{"left": f"{folder}/left.npy", "right": f"{folder}/right.npy", "output": f"{number}.npy"} for number in range(pairs)]
        items = plan("stereo", rows, SETTINGS)
        worker = Worker(SETTINGS, f"{folder}/plain", "cpu", 1)
        matcher = vergence.StereoMatcher(vergence.Device("cpu", threads=1), SIZE, "quality")
        ray.init(num_cpus=1, num_gpus=0, include_dashboard=False, log_to_driver=False)
        cluster = Timed([Group("cpu", 1, 0, 1)], (SETTINGS, f"{folder}/ray"))
        matching, plain, with_ray = [], [], {batch: [] for batch in batches}
        worker.run(items[:2])
        cluster.time(items[:2], 2)
        for _ in range(rounds):
            start = time.perf_counter()
            for _ in range(pairs):
                matcher.compute(frame["left"], frame["right"], raw=True)
            matching.append(time.perf_counter() - start)
            start = time.perf_counter()
            worker.run(items)
            plain.append(time.perf_counter() - start)
            for batch in batches:
                with_ray[batch].append(cluster.time(items, batch))
        cluster.close()
        ray.shutdown()
    per_pair = 1000 / pairs
    print(f"{pairs} pairs of {SIZE[1]}x{SIZE[0]}, quality, one thread, least of {rounds} rounds")
    print(f"matching alone          {min(matching) * per_pair:8.2f} ms a pair")
    print(f"read, match, hash, write{min(plain) * per_pair:8.2f} ms a pair")
    for batch in batches:
        extra = (min(with_ray[batch]) - min(plain)) * per_pair
        print(f"the same by Ray, {batch:3d} to a call: {min(with_ray[batch]) * per_pair:8.2f} ms a pair, {100 * extra / (min(matching) * per_pair):6.2f} % of the matching")


if __name__ == "__main__":
    main()
