# SPDX-License-Identifier: Apache-2.0
"""vergence-batch through Ray's client (ray://), on a head that this starts and whose workers stand in another folder. See scripts/test-batch."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import numpy
from support import write_pgm
from test_batch import SETTINGS
from vergence.batch import _items, _manifest
from vergence.batch._worker import Worker

def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def head(folder, environment):
    """The address of a head of its own, which ends with this."""
    port, client = free_port(), free_port()
    command = [f"{pathlib.Path(sys.executable).parent}/ray", "start", "--head", "--block", f"--port={port}", f"--ray-client-server-port={client}", "--num-cpus=2",
               "--num-gpus=0", "--include-dashboard=false", f"--temp-dir={folder}"]  # fmt: skip
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        end = time.monotonic() + 300
        while time.monotonic() < end and process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", client), 1):
                break
            time.sleep(0.2)
        yield f"ray://127.0.0.1:{client}"
    finally:
        process.send_signal(signal.SIGTERM)  # it ends what it started
        process.wait()


def main():
    environment = dict(os.environ)
    if pathlib.Path("~/.ray/auth_token").expanduser().exists():
        environment["RAY_AUTH_MODE"] = "token"
    with tempfile.TemporaryDirectory() as folder, head(f"{folder}/ray", environment) as address:
        rng = numpy.random.default_rng(1)
        for name in [f"{side}{number}" for side in "lr" for number in range(6)]:
            write_pgm(f"{folder}/{name}.pgm", rng.integers(0, 256, (20, 30)).astype(numpy.uint8))
        with open(f"{folder}/pairs.csv", "w") as file:
            file.write("left,right,output\n" + "".join(f"l{number}.pgm,r{number}.pgm,{number}.npy\n" for number in range(6)))
        command = [sys.executable, "-m", "vergence.batch", "stereo", "pairs.csv", "-o", "out", "--disparities", "8", "--address", address]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"status {done.returncode}: {done.stderr}{done.stdout}")
        items = _items.plan("stereo", _manifest.read_manifest("stereo", [f"{folder}/pairs.csv"]), SETTINGS)
        for name in [record["output"] for record in Worker(SETTINGS, f"{folder}/plain", "reference").run(items)]:
            if pathlib.Path(f"{folder}/out/{name}").read_bytes() != pathlib.Path(f"{folder}/plain/{name}").read_bytes():
                raise SystemExit(f"{name} differs")
        print(f"{address}: {json.loads(done.stdout.splitlines()[-1])['done']} items, the same bytes")


if __name__ == "__main__":
    main()
