# SPDX-License-Identifier: Apache-2.0
"""vergence-batch with a fault, then once more without: what the first run wrote stays, and the rest comes."""

import json
import os
import shutil
import subprocess
import sys

from common import OLD, inputs

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "batch_here.py")


def missing():
    """Why the batch cannot be tried here; empty where it can."""
    done = subprocess.run([sys.executable, "-c", "import vergence.batch, pyarrow"], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{done.stderr.splitlines()[-1]}: scripts/test-batch makes an environment that has it"


class BatchBench:
    """A folder in which two pairs are done again and again, each time with a fault."""

    def __init__(self, shim, folder):
        os.mkdir(folder)
        inputs(folder)
        with open(f"{folder}/pairs.csv", "w") as file:
            file.write("left,right,output\nl0.pgm,r0.pgm,a.npy\nl1.pgm,r1.pgm,b.npy\n")
        self._shim, self._folder, self._out, self._log = shim, folder, f"{folder}/out", f"{folder}.log"
        self.outputs = ["a.npy", "b.npy"]
        self._fresh()
        done = self._call("")
        if done.returncode != 0:
            raise SystemExit(f"without a fault: {done.stderr}{done.stdout}")
        self.expected = {name: self._read(name) for name in self.outputs}

    def _read(self, name):
        with open(f"{self._out}/{name}", "rb") as file:
            return file.read()

    def _fresh(self):
        shutil.rmtree(self._out, ignore_errors=True)
        os.mkdir(self._out)
        for name in self.outputs:
            with open(f"{self._out}/{name}", "wb") as file:
                file.write(OLD)

    def _call(self, fault):
        environment = {**os.environ, "LD_PRELOAD": self._shim, "VERGENCE_FAULT_FOLDER": os.path.abspath(self._folder), "VERGENCE_FAULT_LOG": self._log}
        if fault:
            environment["VERGENCE_FAULT"] = fault
        command = [sys.executable, HERE, "stereo", "pairs.csv", "-o", "out", "--disparities", "8"]
        return subprocess.run(command, cwd=self._folder, env=environment, capture_output=True, text=True, check=False, timeout=60)

    def run(self, fault):
        """A run; None where the program never came to the fault."""
        self._fresh()
        if os.path.exists(self._log):
            os.unlink(self._log)
        done = self._call(fault)
        return done if os.path.exists(self._log) or done.returncode != 0 else None

    def judge(self, done, harmless=False, killed=False):
        """Texts of what is wrong, after a second run, too."""
        wrong = []
        written = {}
        for name in self.outputs:
            content = self._read(name)
            if content == self.expected[name]:
                written[name] = os.stat(f"{self._out}/{name}").st_mtime_ns
            elif content != OLD:
                wrong.append(f"{name} is neither the older nor the new output")
        if done.returncode == 0 and len(written) < len(self.outputs):
            wrong.append(f"the status is 0, and {written} alone are new")
        if harmless and done.returncode != 0:
            wrong.append(f"what is harmless is an error: {done.stderr}{done.stdout}")
        if not killed:
            wrong += self._judge_words(done)
        again = self._call("")
        if again.returncode != 0 or any(self._read(name) != self.expected[name] for name in self.outputs):
            wrong.append(f"the second run does not do the rest: {again.stderr}{again.stdout}")
        wrong += [f"{name} was there, and was done again" for name, when in written.items() if os.stat(f"{self._out}/{name}").st_mtime_ns != when]
        left = [name for name in os.listdir(self._out) if name not in (*self.outputs, "results.parquet") and not (killed and name.startswith(".vergence-"))]
        if left:
            wrong.append(f"files stay: {left}")
        return wrong

    def _judge_words(self, done):
        failed = [line for line in done.stdout.splitlines() if '"failed: ' in line and json.loads(line)["event"] == "message"]
        errors = [line for line in done.stderr.splitlines() if line.startswith("vergence-batch:") and "warning" not in line]
        if done.returncode not in (0, 1) or (done.returncode == 1) != (len(errors) + len(failed) > 0) or "Traceback" in done.stderr:
            return [f"status {done.returncode}: {done.stderr!r} {done.stdout!r}"]
        return []
