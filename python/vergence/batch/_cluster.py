# SPDX-License-Identifier: Apache-2.0
"""Workers as actors of Ray: started as the cluster has room, fed by a Dispatcher, replaced when they are lost."""

import time
from dataclasses import dataclass, field

import ray

from .._errors import DeviceError, Error
from ._worker import Worker

DEPTH = 2  # assignments of an actor: one at work, one that waits there
_LOOK = 1.0  # seconds between looks at the cluster
_PATIENCE = 30.0  # seconds until a group whose workers cannot be made tries again; two of them without any worker end a run
_LONG_PATIENCE = 600.0  # seconds that workers may take to begin where all that are ready are in quarantine
_MOST_FAILURES = 3  # to make a worker of a group, in a row, before that


class Actor(Worker):
    """A worker that knows its node."""

    def describe(self):
        about, node = super().describe(), ray.get_runtime_context().get_node_id()
        return {**about, "node": f"{about['node']}/{node[:8]}", "node_id": node}


@dataclass
class Group:
    """Actors of one kind."""

    device: str
    cpus: float
    gpus: float
    most: int | None  # actors; None: as many as the cluster has room for
    verifier: bool = False
    failures: int = 0  # of making one, in a row
    failed: float = 0.0  # when the last one failed, or was tried again

    def may_start(self, now):
        """Whether another actor may be tried; after too many failures one at a time, now and then."""
        if self.failures < _MOST_FAILURES:
            return True
        if now - self.failed <= _PATIENCE:
            return False
        self.failed = now
        return True


@dataclass(eq=False)
class _One:
    """An actor of a group."""

    handle: object
    group: Group
    ready: object  # of describe()
    nodes: frozenset  # ids of those that lived when it was started
    about: dict | None = None
    work: list = field(default_factory=list)  # (reference, assignment), the oldest first
    since: float = 0.0  # when the oldest began


class Cluster:
    """Runs what a dispatcher has on a cluster.

    Parameters
    ----------
    groups : list of Group
    make : tuple
        Arguments of the worker's class: settings, out.
    timeout : float
        Seconds that an assignment may take per item; 0: any time.
    worker : type
        The actor's class.
    journal : str
        Of the run; None: workers note nothing.
    """

    def __init__(self, groups, make, timeout=0.0, worker=Actor, journal=None):
        self.groups, self._make, self._timeout, self._class, self._journal = groups, make, timeout, worker, journal
        self._actors, self._looked, self._lonely, self._allowed, self._lost_error, self._begun = [], 0.0, None, None, None, False
        self._whose = {}  # actors, by the references of their calls

    @property
    def workers(self):
        """Workers that are ready."""
        return [one.about for one in self._actors if one.about]

    def run(self, dispatcher, settled, tick):
        """Until nothing is left. `settled(records)` is told of records, `tick()` is called about once a second.

        Raises
        ------
        DeviceError
            No worker could be made.
        """
        while not dispatcher.done:
            now = time.monotonic()
            if now - self._looked > _LOOK:
                self._looked = now
                self._look(dispatcher)
                tick()
            self._feed(dispatcher)
            waited = [reference for one in self._actors for reference, _ in one.work] + [one.ready for one in self._actors if one.about is None]
            if any(one.work for one in self._actors):
                self._lonely = self._allowed = None
            elif (not waited or self._may_work(dispatcher) or dispatcher.quarantined) and self._stuck(dispatcher, now, bool(waited)):
                return
            if not waited:
                time.sleep(0.05)
                continue
            if ray.wait(waited, num_returns=1, timeout=_LOOK)[0]:
                for reference in ray.wait(waited, num_returns=len(waited), timeout=0)[0]:  # all that is there
                    self._take(reference, dispatcher, settled)
            if self._timeout:
                self._end_late(dispatcher, settled)
        tick()

    def close(self):
        """Ends all actors."""
        for one in self._actors:
            ray.kill(one.handle)
        self._actors = []

    def _may_work(self, dispatcher):
        """Whether a worker is ready that is no verifier."""
        return any(one.about and not one.group.verifier and one.about["node"] not in dispatcher.quarantined for one in self._actors)

    def _stuck(self, dispatcher, now, starting):
        """Nobody is at work, and nobody takes what waits. True where nobody ever will. `starting`: some workers are not ready yet."""
        self._lonely = self._lonely or now
        if starting and now - self._lonely < _PATIENCE:
            return False
        if self._may_work(dispatcher) and dispatcher.waiting:  # only verifications are left that nobody here may do as they are
            if self._allowed is None:
                dispatcher.allow_same_node()
                self._allowed = now
            elif now - self._allowed > 2 * _LOOK:  # nobody has taken any since
                dispatcher.give_up_verifying()
            return False
        if not self._begun and all(group.failures >= _MOST_FAILURES for group in self.groups if not group.verifier):
            raise DeviceError(f"no worker can be started: {self._lost_error}")
        return now - self._lonely > (_LONG_PATIENCE if starting else 2 * _PATIENCE)

    def _look(self, dispatcher):
        """Starts actors where there is room for them."""
        room, nodes, now = ray.cluster_resources(), _living_nodes(), time.monotonic()
        for group in self.groups:
            mine = [one for one in self._actors if one.group is group]
            wanted = group.most
            if wanted is None:
                others = [other for other in self.groups if other is not group and other.most]
                left = {"CPU": room.get("CPU", 0) - sum(other.cpus * other.most for other in others),
                        "GPU": room.get("GPU", 0) - sum(other.gpus * other.most for other in others)}  # fmt: skip
                fits = [int(left[kind] / each) for kind, each in (("CPU", group.cpus), ("GPU", group.gpus)) if each]
                wanted = max(min(fits), 1)
            needed = wanted if group.verifier else min(wanted, len(mine) + dispatcher.waiting)
            while len(mine) < needed and group.may_start(now):
                mine.append(self._start(group, nodes))

    def _start(self, group, nodes):
        actor = ray.remote(self._class).options(
            num_cpus=group.cpus, num_gpus=group.gpus, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD",
        ).remote(*self._make, group.device, max(int(group.cpus), 1), self._journal)  # fmt: skip
        one = _One(actor, group, actor.describe.remote(), nodes)
        self._whose[one.ready] = one
        self._actors.append(one)
        return one

    def _feed(self, dispatcher):
        """Each gets one assignment before any gets a second one."""
        for depth in range(1, DEPTH + 1):
            for one in self._actors:
                while one.about and len(one.work) < depth:
                    assignment = dispatcher.next(one.about)
                    if assignment is None:
                        break
                    if not one.work:
                        one.since = time.monotonic()
                    reference = one.handle.run.remote(assignment.items, not assignment.verify)
                    one.work.append((reference, assignment))
                    self._whose[reference] = one

    def _take(self, reference, dispatcher, settled):
        """What a call gave, or the loss of its worker."""
        one = self._whose.pop(reference, None)
        if one not in self._actors:  # it was lost with another call
            return
        if reference == one.ready:
            self._welcome(one)
            return
        place = next(place for place, (mine, _) in enumerate(one.work) if mine == reference)
        try:
            records = ray.get(reference)
        except ray.exceptions.RayTaskError as error:  # DeviceError, or what nobody foresaw
            self._lose(one, dispatcher, settled, " ".join(str(getattr(error, "cause", error)).split()), blame=True)
        except ray.exceptions.RayError as error:
            self._lose(one, dispatcher, settled, _reason(error), blame=self._node_lives(one))
        else:
            _, assignment = one.work.pop(place)
            one.since = time.monotonic()
            settled(dispatcher.finished(assignment, records))

    def _welcome(self, one):
        try:
            one.about = {**ray.get(one.ready), "verifier": one.group.verifier}
            one.group.failures = 0
            self._begun = self._begun or not one.group.verifier
        except ray.exceptions.RayError as error:
            self._actors.remove(one)
            cause = getattr(error, "cause", None)
            if self._node_lives(one):
                one.group.failures, one.group.failed = one.group.failures + 1, time.monotonic()
            self._lost_error = str(cause) if isinstance(cause, Error) else _reason(error)

    def _lose(self, one, dispatcher, settled, reason, blame):
        """The oldest assignment was at work, the others had not begun."""
        self._actors.remove(one)
        ray.kill(one.handle)
        for reference, _ in one.work:
            self._whose.pop(reference, None)
        for place, (_, assignment) in enumerate(one.work):
            settled(dispatcher.lost(assignment, blame and place == 0, reason) if place == 0 else dispatcher.untouched(assignment))

    def _end_late(self, dispatcher, settled):
        now = time.monotonic()
        for one in list(self._actors):
            if one.work and now - one.since > self._timeout * len(one.work[0][1].items):
                self._lose(one, dispatcher, settled, f"it took more than {self._timeout:g} s (--timeout)", blame=True)

    @staticmethod
    def _node_lives(one):
        """False where its node is lost; of one that was not ready, nobody knows where it was, where any node is lost."""
        return ({one.about["node_id"]} if one.about else one.nodes) <= _living_nodes()


def _living_nodes():
    return frozenset(node["NodeID"] for node in ray.nodes() if node["Alive"])


def _reason(error):
    """The first telling line of what Ray says."""
    text = str(getattr(error, "error_msg", None) or error)
    for line in text.splitlines():
        if "exit" in line.lower() or "killed" in line.lower() or "died" in line.lower():
            return line.strip()
    return text.splitlines()[0] if text else type(error).__name__
