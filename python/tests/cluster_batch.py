# SPDX-License-Identifier: Apache-2.0
"""vergence-batch on a cluster of three nodes on this machine, of which two are killed while one is added; the driver is
killed too. Every output must be there, with the bytes of a plain run. Run by scripts/test-batch.

Usage: cluster_batch.py [PAIRS [SEED]]
"""

import contextlib
import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy
import ray
from pyarrow import parquet
from ray.cluster_utils import Cluster
from support import write_pgm
from vergence.batch._items import plan
from vergence.batch._manifest import read_manifest
from vergence.batch._worker import Worker

SETTINGS = {"task": "stereo", "options": {"preset": "default", "disparities": 16}, "format": "npy", "truth_scale": 1.0}
BATCH = 25


class Watch:
    """Counts files that get their final names in a folder, by the kernel's inotify."""

    moved_to = 0x80

    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        libc = ctypes.CDLL(None, use_errno=True)
        self._file, self.count = libc.inotify_init1(os.O_CLOEXEC), 0
        if self._file < 0 or libc.inotify_add_watch(self._file, folder.encode(), self.moved_to) < 0:
            raise OSError(ctypes.get_errno(), "inotify")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            data = os.read(self._file, 1 << 16)
            at = 0
            while at < len(data):  # watch, mask, cookie, length of the name; the name
                length = int.from_bytes(data[at + 12 : at + 16], sys.byteorder)
                self.count += data[at + 16 : at + 16 + length].rstrip(b"\0").endswith(b".npy")
                at += 16 + length


def make_pairs(folder, count, seed):
    """Pairs of 64x48, each its own."""
    rng = numpy.random.default_rng(seed)
    wall = rng.integers(0, 256, (400, 700)).astype(numpy.uint8)
    for side in "lr":
        os.mkdir(f"{folder}/{side}")
    for number in range(count):
        y, x = int(rng.integers(350)), int(rng.integers(16, 620))
        write_pgm(f"{folder}/l/{number:05d}.pgm", wall[y : y + 48, x : x + 64])
        write_pgm(f"{folder}/r/{number:05d}.pgm", wall[y : y + 48, x + 5 : x + 69])


def journalled(out):
    """How many records the driver has been told of."""
    count = 0
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(out):
            if name.startswith("results.journal") and not name.endswith(".workers"):
                with open(f"{out}/{name}", "rb") as file:
                    count += file.read().count(b"\n")
    return count


def wait_for(count, out, process):
    """Until so many records are there; False where the run has ended before."""
    while process.poll() is None:
        if journalled(out) >= count:
            return True
        time.sleep(0.05)
    return False


def start(folder, address):
    command = [sys.executable, "-m", "vergence.batch", "stereo", f"{folder}/l/*.pgm", f"{folder}/r/*.pgm", "-o", f"{folder}/out",
               "--disparities", "16", "--address", address, "--batch", str(BATCH), "--device", "cpu"]  # fmt: skip
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def disturb(cluster, nodes, folder, process, count, draw):
    """Kills two nodes and adds one, each when a share of the records, drawn at random, is there."""
    moments = sorted(draw.randrange(count // 20, count // 2) for _ in range(3))
    print(f"  at {moments[0]} records a node is killed, at {moments[1]} one is added, at {moments[2]} another one is killed")
    for moment, what in zip(moments, ("kill", "add", "kill")):
        if not wait_for(moment, f"{folder}/out", process):
            raise SystemExit(f"the run ended before {moment} records: {process.communicate()[0]}")
        if what == "kill":
            cluster.remove_node(nodes.pop(draw.randrange(len(nodes))), allow_graceful=False)
        else:
            nodes.append(cluster.add_node(num_cpus=1))


def compare(folder, items, expected):
    table = {row["output"]: row for row in parquet.read_table(f"{folder}/out/results.parquet").to_pylist()}
    files = {name for name in os.listdir(f"{folder}/out") if name.endswith(".npy")}
    assert files == set(expected) == set(table), (len(files), len(expected), len(table))
    for item in items:
        row = table[item["output"]]
        assert row["status"] == "done", row
        assert row["sha256"] == expected[item["output"]], row
        with open(f"{folder}/out/{item['output']}", "rb") as file:
            assert row["sha256"] == _sha256(file.read()), row
    return table


def _sha256(data):
    import hashlib

    return hashlib.sha256(data).hexdigest()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 30)
    print(f"{count} pairs, seed {seed}", flush=True)
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        make_pairs(folder, count, seed)
        items = plan("stereo", read_manifest("stereo", [f"{folder}/l/*.pgm", f"{folder}/r/*.pgm"]), SETTINGS)
        began = time.monotonic()
        expected = {record["output"]: record["sha256"] for record in Worker(SETTINGS, f"{folder}/plain", "cpu", 1).run(items)}
        print(f"plain run, one thread: {time.monotonic() - began:.1f} s", flush=True)
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        try:
            nodes, watch = [cluster.add_node(num_cpus=1) for _ in range(3)], Watch(f"{folder}/out")
            process = start(folder, cluster.address)
            disturb(cluster, nodes, folder, process, count, draw)
            moment = draw.randrange(count // 2, count * 9 // 10)
            assert wait_for(moment, f"{folder}/out", process), process.communicate()[0]
            process.send_signal(signal.SIGKILL)
            process.wait()
            there = journalled(f"{folder}/out")
            written = {name: os.stat(f"{folder}/out/{name}").st_mtime_ns for name in os.listdir(f"{folder}/out") if name.endswith(".npy")}
            print(f"  at {there} records the driver is killed; it is started again", flush=True)
            process = start(folder, cluster.address)
            out = process.communicate()[0]
            assert process.returncode == 0, out
            events = [json.loads(line) for line in out.splitlines()]
            begun, ended = events[0], events[-1]
            assert begun["done"] >= there, (begun, there)
            table = compare(folder, items, expected)
            again = sum(os.stat(f"{folder}/out/{name}").st_mtime_ns != stamp for name, stamp in written.items())
            # What the driver's death lost: assignments under way, two to a worker.
            assert again <= 2 * 3 * BATCH + len(written) - there, (again, len(written), there)
            # And what each death of a node lost: its worker's two assignments.
            assert count <= watch.count <= count + again + 2 * 2 * BATCH, (watch.count, count, again)
            assert all(row["attempts"] == 1 for row in table.values())
            print(f"all {count} outputs are those of the plain run; {ended['seconds']:.0f} s after the restart; {watch.count - count - again} outputs were written "
                  f"again because of lost nodes, {again} because of the lost driver")  # fmt: skip
        finally:
            ray.shutdown()
            cluster.shutdown()


if __name__ == "__main__":
    main()
