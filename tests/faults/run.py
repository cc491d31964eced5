# SPDX-License-Identifier: Apache-2.0
"""Injects each fault at each call of the program, one run per call, and looks at what is said and left. See scripts/test-faults.

Usage: run.py PROGRAM FOLDER_OF_SHIMS [PART...]      parts: files, batch, memory, clocks, devices; all if not said
VERGENCE_FAULT_ALLOCATIONS: FIRST:LAST, allocations that fail, one a run, instead of all (some 20,000).
"""

import errno
import os
import re
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import batch as batches
from common import JOBS, PAIR, STEREO, Bench

FAULTS = [("open", errno.EACCES), ("open", errno.EIO), ("open", errno.EMFILE), ("read", errno.EIO), ("write", errno.EIO), ("write", errno.ENOSPC),
          ("write", errno.EDQUOT), ("fsync", errno.EIO), ("fsync", errno.ENOSPC), ("rename", errno.EIO), ("rename", errno.ENOSPC),
          ("rename", errno.EACCES), ("read", "short"), ("write", "short"), ("any", "kill")]  # fmt: skip


class Table:
    """Counts faults of each kind: injected, reported, wrong."""

    def __init__(self):
        self._rows, self._lock = {}, threading.Lock()

    def add(self, kind, where, done, wrong):
        with self._lock:
            row = self._rows.setdefault(kind, [0, 0, 0])
            row[0], row[1], row[2] = row[0] + 1, row[1] + (done is not None and done.returncode == 1), row[2] + bool(wrong)
            for text in wrong:
                print(f"{where}: {text}", flush=True)

    def add_counts(self, kind, injected, reported):
        """Faults that others have injected."""
        row = self._rows.setdefault(kind, [0, 0, 0])
        row[0], row[1] = row[0] + injected, row[1] + reported

    def show(self):
        """Prints the table; how many faults were wrong, or 1 where there were none."""
        for kind, (count, errors, wrong) in self._rows.items():
            print(f"{kind:34} injected {count:5}, reported {errors:5}, wrong {wrong}")
        wrong = sum(row[2] for row in self._rows.values())
        count = sum(row[0] for row in self._rows.values())
        print(f"{count} faults, {wrong} wrong" if count else "no fault was injected: the shim was not loaded", flush=True)
        return wrong if count else 1


def files(program, shims, folder, table):
    """Calls for files: each fails, is cut short (all from one on), or is where the process is killed."""
    for place, (name, (command, outputs)) in enumerate(JOBS.items()):
        bench = Bench(program, f"{shims}/shim.so", f"{folder}/files{place}", command, outputs)
        for call, what in FAULTS:
            kind = what if isinstance(what, str) else errno.errorcode[what]
            for number in range(1, 1000):
                done = bench.run(f"{call}:{what}:{number}")
                if done is None:  # the program makes fewer calls
                    break
                wrong = bench.judge(done, what == "short", what == "kill")
                if call == "read" and done.returncode == 1 and "Input/output error" not in done.stderr and "refused to read" not in done.stderr:
                    wrong.append(f"it names another cause: {done.stderr}")
                table.add(f"{call} {kind}", f"{name}, {call}:{kind}:{number}", done, wrong)


def batch(program, shims, folder, table):
    """Calls for files of vergence-batch; a second run does what is missing, and nothing else."""

    def one(place, call, what):
        bench, kind = batches.BatchBench(f"{shims}/shim.so", f"{folder}/batch{place}"), what if isinstance(what, str) else errno.errorcode[what]
        for number in range(1, 1000):
            done = bench.run(f"{call}:{what}:{number}")
            if done is None:
                break
            table.add(f"batch: {call} {kind}", f"batch, {call}:{kind}:{number}", done, bench.judge(done, what == "short", what == "kill"))

    with ThreadPoolExecutor(max(os.cpu_count(), 4)) as pool:  # most of the time is the disk's
        list(pool.map(lambda place: one(place, *FAULTS[place]), range(len(FAULTS))))


def devices(program, shims, folder, table):
    """Calls of the GPU interfaces, and devices lost in a stream: tests that let them fail, and say how often."""
    for binary, pattern in (("gpu_test", "*Failures.*"), ("pipeline_test", "Dealing.*:Failover.*")):
        path = os.path.join(os.path.dirname(program), binary)
        done = subprocess.run([path, f"--gtest_filter={pattern}"], capture_output=True, text=True, check=False)
        for kind, injected, reported in re.findall(r"^faults: (.*): injected (\d+), reported (\d+)$", done.stdout, re.M):
            table.add_counts(kind, int(injected), int(reported))
        if done.returncode != 0:
            table.add(binary, binary, None, [line for line in done.stdout.splitlines() if "FAILED" in line])


def memory(program, shims, folder, table):
    """Allocations: each one from main on fails."""
    first, _, last = os.environ.get("VERGENCE_FAULT_ALLOCATIONS", "1:100000").partition(":")
    local, benches = threading.local(), iter(range(1000))
    ended = threading.Event()

    def one(number):
        if ended.is_set():
            return
        if not hasattr(local, "bench"):
            local.bench = Bench(program, f"{shims}/memory.so", f"{folder}/memory{next(benches)}", *STEREO)
        try:
            done = local.bench.run(str(number))
        except subprocess.TimeoutExpired:
            table.add("allocation", f"allocation {number}", None, ["it does not end"])
            return
        if done is None:  # the program makes fewer, give or take what its threads need
            ended.set()
        else:
            table.add("allocation", f"allocation {number}", done, local.bench.judge(done))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, range(int(first), int(last) + 1)))


def clocks(program, shims, folder, table):
    """Clocks: from each of their readings on they are years off, a day ahead, or stand still. Nothing may change."""
    jobs = {**JOBS, "stereo on two devices": ([*PAIR[:1], "l%d.pgm", "r%d.pgm", *PAIR[3:], "-o", "o%d.pfm", "--device", "cpu,reference"], ["o0.pfm", "o1.pfm", "o2.pfm"])}
    year = 365 * 86400
    for place, (name, (command, outputs)) in enumerate(jobs.items()):
        bench = Bench(program, f"{shims}/clock.so", f"{folder}/clocks{place}", command, outputs)
        for clock, jump in (("real", year), ("real", -year), ("real", "still"), ("monotonic", 86400), ("monotonic", "still")):
            for number in range(1, 1000):
                try:
                    done = bench.run(f"{clock}:{jump}:{number}")
                except subprocess.TimeoutExpired:
                    table.add(f"{clock} clock {jump}", f"{name}, {clock}:{jump}:{number}", None, ["it does not end"])
                    continue
                if done is None:
                    break
                table.add(f"{clock} clock {jump}", f"{name}, {clock}:{jump}:{number}", done, bench.judge(done, harmless=True))


def main():
    program, shims = map(os.path.abspath, sys.argv[1:3])
    parts = {"files": files, "batch": batch, "memory": memory, "clocks": clocks, "devices": devices}
    reasons = {"batch": batches.missing(), "devices": "" if os.path.exists(f"{os.path.dirname(program)}/gpu_test") else "the tests are not built"}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in sys.argv[3:] or parts:
            if reasons.get(part):
                print(f"{part}: skipped: {reasons[part]}")
                continue
            table = Table()
            parts[part](program, shims, folder, table)
            wrong += table.show()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
