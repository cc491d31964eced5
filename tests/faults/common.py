# SPDX-License-Identifier: Apache-2.0
"""What the parts of run.py share: jobs of the program, runs with a shim, and what must be true after a fault."""

import os
import subprocess

import numpy

OLD = b"an older output"


def pgm(path, picture):
    with open(path, "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % picture.shape[::-1] + picture.tobytes())


def inputs(folder):
    """Three pairs as pictures, and the left ones as a video."""
    rng = numpy.random.default_rng(1)
    lefts = []
    for number in range(3):
        lefts.append(rng.integers(0, 256, (40, 60)).astype(numpy.uint8))
        pgm(f"{folder}/l{number}.pgm", lefts[-1])
        pgm(f"{folder}/r{number}.pgm", rng.integers(0, 256, (40, 60)).astype(numpy.uint8))
    with open(f"{folder}/video.y4m", "wb") as file:
        file.write(b"YUV4MPEG2 W60 H40 F25:1 Ip A1:1 Cmono\n" + b"".join(b"FRAME\n" + left.tobytes() for left in lefts))


PAIR = ["stereo", "l0.pgm", "r0.pgm", "--disparities", "8"]
STEREO = ([*PAIR, "-o", "o.pfm", "--color", "c.png"], ["o.pfm", "c.png"])
JOBS = {  # command and outputs
    "stereo, a pair": STEREO,
    "stereo, numbered pairs, which a thread reads ahead": (["stereo", "l%d.pgm", "r%d.pgm", "--disparities", "8", "-o", "o%d.pfm"], ["o0.pfm", "o1.pfm", "o2.pfm"]),
    "motion": (["motion", "l%d.pgm", "--range", "4", "-o", "m.csv"], ["m.csv"]),
    "motion of a video": (["motion", "video.y4m", "--range", "4", "-o", "v.csv"], ["v.csv"]),
    "track": (["track", "l%d.pgm", "--points", "20", "-o", "t.npy"], ["t.npy"]),
}


class Bench:
    """A folder in which a job is run again and again, each time with a fault."""

    def __init__(self, program, shim, folder, command, outputs):
        os.mkdir(folder)
        inputs(folder)
        self._program, self._shim, self._folder, self._log = program, shim, folder, f"{folder}.log"
        self._command, self.outputs, self._inputs = command, outputs, set(os.listdir(folder))
        done = self.run("")
        if done.returncode != 0:
            raise SystemExit(f"without a fault: {done.stderr}")
        self.expected = {name: self._read(name) for name in outputs}

    def _read(self, name):
        with open(f"{self._folder}/{name}", "rb") as file:
            return file.read()

    def run(self, fault, timeout=60):
        """A run; None where the program never came to the fault."""
        for name in os.listdir(self._folder):
            if name not in self._inputs:
                os.unlink(f"{self._folder}/{name}")
        for name in self.outputs:
            with open(f"{self._folder}/{name}", "wb") as file:
                file.write(OLD)
        if os.path.exists(self._log):
            os.unlink(self._log)
        environment = {**os.environ, "LD_PRELOAD": self._shim, "VERGENCE_FAULT_FOLDER": os.path.abspath(self._folder), "VERGENCE_FAULT_LOG": self._log}
        if fault:
            environment["VERGENCE_FAULT"] = fault
        command = [self._program, *(f"{self._folder}/{part}" if part in self._inputs or "%d" in part else part for part in self._command)]
        if "--device" not in command:
            command += ["--device", "cpu"]
        done = subprocess.run(command, cwd=self._folder, env=environment, capture_output=True, text=True, check=False, timeout=timeout)
        # A run that ends badly before its fault is no end of the faults: it is judged.
        return done if not fault or os.path.exists(self._log) or done.returncode != 0 else None

    def judge(self, done, harmless=False, killed=False):
        """Texts of what is wrong. An older output lies there: after a fault it is as it was, or the new one, whole; status 0
        means the new one; another status comes with one line that is an error."""
        wrong = []
        for name in self.outputs:
            content = self._read(name)
            if content not in (OLD, self.expected[name]):
                wrong.append(f"{name} is neither the older nor the new output")
            if done.returncode == 0 and content != self.expected[name]:
                wrong.append(f"{name} is not the new output, and the status is 0")
        if harmless and done.returncode != 0:
            wrong.append(f"what is harmless is an error: {done.stderr}")
        if killed:
            return wrong
        errors = [line for line in done.stderr.splitlines() if line.startswith("vergence:") and "warning" not in line]
        if done.returncode not in (0, 1) or (done.returncode == 1) != (len(errors) == 1):
            wrong.append(f"status {done.returncode} with {len(errors)} errors: {done.stderr!r}")
        wrong += [f"{line}: it says nothing of what to do" for line in errors if "std::" in line]
        hidden = [name for name in os.listdir(self._folder) if name.startswith(".")]
        if hidden:
            wrong.append(f"temporary files stay: {hidden}")
        return wrong
