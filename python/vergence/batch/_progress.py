# SPDX-License-Identifier: Apache-2.0
"""How far a run is: a line on a terminal, JSON lines in a pipe."""

import json
import sys
import time
from collections import Counter, deque


def stream_of(out, errors):
    """Where progress is shown: JSON lines go to standard output, a line that changes to the terminal."""
    return errors if out.isatty() and errors.isatty() else out


class Progress:
    """Counts what is settled.

    Parameters
    ----------
    total : int
        Items to do.
    stream : file
        A terminal gets one line that changes, anything else an object per line every `seconds`.
    clock : callable
        Seconds; tests have their own.
    """

    def __init__(self, total, stream=sys.stderr, seconds=10.0, clock=time.monotonic):
        self._total, self._stream, self._seconds, self._clock = total, stream, seconds, clock
        self._terminal = stream.isatty()
        self.done, self.failed = 0, 0
        self.by_device, self.by_node = Counter(), Counter()
        self._start = self._told = clock()
        self._recent = deque([(self._start, 0)], maxlen=30)
        self._shown = 0

    def start(self, total, done, failed):
        """Says how much there is, and how much of it earlier runs have done."""
        self._total, self.done, self.failed = total, done, failed
        self._recent.clear()
        self._recent.append((self._clock(), done + failed))
        self.event({"event": "start", "total": total, "done": done, "failed": failed})

    def settled(self, records):
        """Takes records as Dispatcher gives them; those that are told of again count once."""
        for record in records:
            if record["status"] == "revoked":
                self.done -= 1
                self.by_device[record["device"]] -= 1
                self.by_node[record["node"]] -= 1
            elif record["status"] == "failed":
                self.failed += 1
            elif not record.get("verified"):
                self.done += 1
                self.by_device[record["device"]] += 1
                self.by_node[record["node"]] += 1

    def state(self):
        """The event of a JSON line."""
        now, finished = self._clock(), self.done + self.failed
        then, before = self._recent[0]
        rate = (finished - before) / (now - then) if now > then else 0.0
        left = self._total - finished
        return {"event": "progress", "total": self._total, "done": self.done, "failed": self.failed, "seconds": round(now - self._start, 3),
                "rate": round(rate, 3), "eta": round(left / rate, 1) if rate else None, "devices": +self.by_device}  # fmt: skip

    def tick(self, workers, last=False):
        """Shows the state, where it is time to."""
        state = self.state()
        self._recent.append((self._clock(), self.done + self.failed))
        if self._terminal:
            total = max(sum(state["devices"].values()), 1)  # of this run
            shares = " ".join(f"{name} {100 * count // total}%" for name, count in sorted(state["devices"].items()))
            eta = "" if state["eta"] is None or last else f", {_time_text(state['eta'])} left"
            failed = f", {self.failed} failed" if self.failed else ""
            line = f"{self.done}/{self._total} ({state['rate']:.1f}/s{eta}{failed}), {workers} workers {shares}"
            self._stream.write("\r" + line.ljust(self._shown) + ("\n" if last else ""))
            self._stream.flush()
            self._shown = len(line)
        elif last or self._clock() - self._told >= self._seconds:
            self._told = self._clock()
            self.event({**state, "workers": workers})

    def end(self, state):
        """How it ended."""
        state = {**state, "seconds": round(self._clock() - self._start, 3), "devices": +self.by_device, "nodes": +self.by_node}
        if self._terminal:
            checked = f", {state['verified']} verified" if state["verified"] else ""
            self._stream.write(f"{state['done']} done, {state['failed']} failed{checked} in {_time_text(state['seconds'])}: {state['results']}\n")
        else:
            self.event({"event": "end", **state})

    def event(self, event):
        """A JSON line, in a pipe."""
        if not self._terminal:
            self._stream.write(json.dumps(event) + "\n")
            self._stream.flush()

    def message(self, text):
        """A line for people, or an event `message`."""
        if self._terminal:
            self._stream.write(f"\r{' ' * self._shown}\r{text}\n")
        else:
            self.event({"event": "message", "text": text})


def _time_text(seconds):
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
