# SPDX-License-Identifier: Apache-2.0
"""Calls in processes of their own, for what looks at inputs before the work: one that ends its process must not end the program.

A process is `python -m vergence.batch._apart`, which reads calls from its standard input until that ends.
"""

import os
import pickle
import queue
import subprocess
import sys
import threading


class ProcessLost(Exception):
    """The process of a call ended before it answered."""


class Processes:
    """Processes that are begun when they are needed and go with this object. Calls may come from several threads.

    Parameters
    ----------
    most : int
        Processes at a time.
    """

    def __init__(self, most=1):
        self._free, self._begun, self._lock, self._closed = queue.LifoQueue(), set(), threading.Lock(), False
        for _ in range(most):
            self._free.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        with self._lock:
            self._closed = True
            for process in self._begun:
                process.kill()
        while self._begun:
            self._end(next(iter(self._begun)))

    def call(self, function, *arguments):
        """What a function of a module gives, or raises. ProcessLost where its process ends."""
        process = self._free.get()
        try:
            process = process or self._begin()
            pickle.dump((function, arguments), process.stdin)
            process.stdin.flush()
            raised, answer = pickle.load(process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._end(process)
            process = None
            raise ProcessLost from None
        finally:
            self._free.put(process)
        if raised:
            raise answer
        return answer

    def _begin(self):
        with self._lock:
            if self._closed:
                raise EOFError
            # A session of its own: Ctrl-C is for the program, which ends its processes.
            process = subprocess.Popen([sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
            self._begun.add(process)
            return process

    def _end(self, process):
        with self._lock:
            self._begun.discard(process)
        if process is not None:
            process.kill()
            process.stdout.close()
            try:
                process.stdin.close()
            except OSError:  # what nobody read
                pass
            process.wait()


def _serve():
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints shall not print between answers
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = False, function(*arguments)
        except Exception as error:
            answer = True, error
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    _serve()
