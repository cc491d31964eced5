# SPDX-License-Identifier: Apache-2.0
"""Injects each fault at each call of the program, one run per call, and looks at what is said and left. See scripts/test-faults.

Usage: run.py PROGRAM SHIM
An older output lies there. After a fault it is as it was, or it is the new one, whole; status 0 means the new one; another
status comes with one line that is an error. Short reads and writes change nothing.
"""

import errno
import os
import subprocess
import sys
import tempfile

import numpy

FAULTS = [("open", errno.EACCES), ("open", errno.EIO), ("open", errno.EMFILE), ("read", errno.EIO), ("write", errno.EIO), ("write", errno.ENOSPC),
          ("write", errno.EDQUOT), ("fsync", errno.EIO), ("fsync", errno.ENOSPC), ("rename", errno.EIO), ("rename", errno.ENOSPC),
          ("rename", errno.EACCES), ("read", "short"), ("write", "short"), ("any", "kill")]  # fmt: skip
OLD = b"an older output"


def pgm(path, picture):
    with open(path, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % picture.shape[::-1] + picture.tobytes())


def jobs(folder):
    """Name, command, outputs, which of them are streams that stay as NAME.partial."""
    rng = numpy.random.default_rng(1)
    for number in range(3):
        pgm(f"{folder}/l{number}.pgm", rng.integers(0, 256, (40, 60)).astype(numpy.uint8))
        pgm(f"{folder}/r{number}.pgm", rng.integers(0, 256, (40, 60)).astype(numpy.uint8))
    pair = ["stereo", f"{folder}/l0.pgm", f"{folder}/r0.pgm", "--disparities", "8"]
    sequence = f"{folder}/l%d.pgm"
    return [
        ("stereo, a pair", [*pair, "-o", "o.pfm", "--color", "c.png"], ["o.pfm", "c.png"]),
        ("motion", ["motion", sequence, "--range", "4", "-o", "m.csv"], ["m.csv"]),
        ("track", ["track", sequence, "--points", "20", "-o", "t.npy"], ["t.npy"]),
    ]


def run(program, shim, command, folder, fault, log):
    environment = {**os.environ, "LD_PRELOAD": shim, "VERGENCE_FAULT_FOLDER": folder, "VERGENCE_FAULT_LOG": log}
    if fault:
        environment["VERGENCE_FAULT"] = fault
    return subprocess.run([program, *command, "--device", "cpu"], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60)


def clean(folder, outputs, inputs):
    for name in os.listdir(folder):
        if name not in inputs:
            os.unlink(f"{folder}/{name}")
    for name in outputs:
        with open(f"{folder}/{name}", "wb") as file:
            file.write(OLD)


def judge(done, folder, outputs, expected, what):
    """Texts of what is wrong."""
    wrong = []
    for name in outputs:
        with open(f"{folder}/{name}", "rb") as file:
            content = file.read()
        if content not in (OLD, expected[name]):
            wrong.append(f"{name} is neither the older nor the new output")
        if done.returncode == 0 and content != expected[name]:
            wrong.append(f"{name} is not the new output, and the status is 0")
    if what == "short" and done.returncode != 0:
        wrong.append(f"a short call is an error: {done.stderr}")
    if what == "kill":
        return wrong
    errors = [line for line in done.stderr.splitlines() if line.startswith("vergence:") and "warning" not in line]
    if done.returncode not in (0, 1) or (done.returncode == 1) != (len(errors) == 1):
        wrong.append(f"status {done.returncode} with {len(errors)} errors: {done.stderr!r}")
    hidden = [name for name in os.listdir(folder) if name.startswith(".")]
    if hidden:
        wrong.append(f"temporary files stay: {hidden}")
    return wrong


def main():
    program, shim = map(os.path.abspath, sys.argv[1:3])
    failures, table = 0, {}
    with tempfile.TemporaryDirectory() as outer:
        folder, log = f"{outer}/files", f"{outer}/log"
        os.mkdir(folder)
        for name, command, outputs in jobs(folder):
            inputs = {entry for entry in os.listdir(folder) if entry.endswith(".pgm")}
            clean(folder, outputs, inputs)
            done = run(program, shim, command, folder, "", log)
            assert done.returncode == 0, done.stderr
            expected = {output: open(f"{folder}/{output}", "rb").read() for output in outputs}  # noqa: SIM115
            for call, what in FAULTS:
                for number in range(1, 1000):
                    clean(folder, outputs, inputs)
                    if os.path.exists(log):
                        os.unlink(log)
                    done = run(program, shim, command, folder, f"{call}:{what}:{number}", log)
                    if not os.path.exists(log):  # the program makes fewer calls
                        break
                    row = table.setdefault((call, what), [0, 0, 0])
                    row[0] += 1
                    row[1] += done.returncode == 1
                    wrong = judge(done, folder, outputs, expected, what)
                    row[2] += bool(wrong)
                    failures += bool(wrong)
                    for text in wrong:
                        print(f"{name}, {call}:{what}:{number}: {text}", flush=True)
    for (call, what), (count, errors, wrong) in table.items():
        kind = what if isinstance(what, str) else errno.errorcode[what]
        print(f"{call:6} {kind:7} injected {count:4}, reported {errors:4}, wrong {wrong}")
    print(f"{sum(row[0] for row in table.values())} faults, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
