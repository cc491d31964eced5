# SPDX-License-Identifier: Apache-2.0
"""The page's server for soak.py: a process of its own, asked what a browser asks, whose memory is judged beside that of the soak."""

import http.client
import json
import os
import re
import subprocess

FRAMES_ASKED = 4  # of a round
CONNECTIONS = 128  # that are served at once, each by a thread


def process_values(pid):
    """Resident memory, file descriptors and threads of a process."""
    with open(f"/proc/{pid}/statm") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return {"memory_mb": resident, "descriptors": len(os.listdir(f"/proc/{pid}/fd")), "threads": len(os.listdir(f"/proc/{pid}/task"))}


class Page:
    """`vergence view` of a sequence of pairs.

    Parameters
    ----------
    program : str
    folder : str
        Gets the pictures.
    pairs : list of (left, right)
        uint8 pictures.
    device : str
    """

    def __init__(self, program, folder, pairs, device):
        for number, pair in enumerate(pairs):
            for side, picture in zip(("left", "right"), pair):
                with open(f"{folder}/{side}{number:04d}.pgm", "wb") as file:
                    file.write(b"P5 %d %d 255\n" % picture.shape[::-1] + picture.tobytes())
        command = [program, "view", f"{folder}/left%04d.pgm", f"{folder}/right%04d.pgm", "--no-open", "--device", device]
        self._process = subprocess.Popen([*command, "--disparities", "32"], stdout=subprocess.PIPE, text=True)
        self._device, self._asked = device, 0
        try:
            line = self._process.stdout.readline()
            found = re.search(r"http://([\d.]+):(\d+)/\?token=(\w+)", line)
            if not found:
                raise SystemExit(f"`{' '.join(command)}` gives no address, but {line!r}")
            self._host, self._port, self._token = found[1], int(found[2]), found[3]
            self._use_threads()
        except BaseException:
            self._end()
            raise

    def measure(self):
        """As `process_values`, with names of their own."""
        return {f"page_{name}": value for name, value in process_values(self._process.pid).items()}

    def _use_threads(self):
        """Each thread of the server gets memory of its own with its first work: that of all of them before anything is measured."""
        connections = [self._connection() for _ in range(CONNECTIONS)]
        for connection in connections:
            self._work(connection)
        for connection in connections:
            connection.close()

    def ask(self):
        """What pages ask, the first request by a connection of its own; a text that never changes, of all hashes."""
        kept, other = self._connection(), self._connection()
        self._get(other, "/")
        other.close()
        text = self._work(kept)
        kept.close()
        return text

    def _connection(self):
        return http.client.HTTPConnection(self._host, self._port, timeout=60)

    def _work(self, kept):
        for path in ("/api/scene", "/api/fields"):
            json.loads(self._get(kept, path))
        hashes = []
        for frame in range(FRAMES_ASKED):
            _members(self._get(kept, f"/api/pictures?frame={frame}"))
            hashes.append(self._post(kept, "/api/stereo", {"frame": frame, "preset": "quality", "confidence": True, "report": True}))
        hashes.append(self._post(kept, "/api/motion", {"frame": 3}))
        hashes.append(self._post(kept, "/api/track", {"frame": 3}))
        self._post(kept, "/api/compare", {"frame": 1, "a": {"preset": "fast"}, "b": {"preset": "quality"}})
        return " ".join(hashes)

    def _get(self, connection, path):
        return self._answer(connection, "GET", path, None)

    def _post(self, connection, path, body):
        """The hash that it gives, "" where it gives none."""
        self._asked += 1
        told = {"client": f"page {self._asked % 20}", "serial": self._asked, **body}  # of more clients than maps are kept of
        for one in ("a", "b") if "a" in body else ():
            told[one] = {"device": self._device, **body[one]}
        if "a" not in body:
            told["device"] = self._device
        return _members(self._answer(connection, "POST", path, json.dumps(told))).get("hash", "")

    def _answer(self, connection, method, path, body):
        headers = {"X-Vergence-Token": self._token, "Accept-Encoding": "gzip", "Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        if answer.status != 200:
            raise SystemExit(f"the page answers {answer.status} to {method} {path}: {data[:300]!r}")
        return data

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._end()

    def _end(self):
        self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        self._process.stdout.close()


def _members(packet):
    """The JSON of a packet."""
    length = int.from_bytes(packet[:4], "little")
    return json.loads(packet[4 : 4 + length])
