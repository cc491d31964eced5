# SPDX-License-Identifier: Apache-2.0
"""vergence-batch with one worker in its own process in the place of a cluster, for faults of files. The command line is that of the program."""

import contextlib
import sys

from vergence.batch import __main__ as program
from vergence.batch import _start
from vergence.batch._worker import Worker


class Here:
    """What vergence-batch asks of a cluster."""

    groups, workers = (), ()

    def __init__(self, told, journal):
        self._worker = Worker(told.settings, told.out, "cpu", 1, journal)

    def run(self, dispatcher, settled, tick):
        about = self._worker.describe()
        while not dispatcher.done:
            assignment = dispatcher.next(about)
            settled(dispatcher.finished(assignment, self._worker.run(assignment.items)))
            tick()


@contextlib.contextmanager
def started(told, journal):
    yield Here(told, journal)


if __name__ == "__main__":
    _start.started = started
    program._check_settings = lambda told, items: None  # a process of its own, whose calls would count as well
    sys.exit(program.main())
