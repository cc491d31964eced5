# SPDX-License-Identifier: Apache-2.0
"""Who does which items, and what follows when a process, a node or a device is lost, or two devices disagree.

Nothing here knows of Ray or of time: what happens is told by calls, so that tests can tell whatever they like.
"""

import hashlib
from collections import deque
from dataclasses import dataclass


@dataclass
class Assignment:
    """Items that a worker does in one call."""

    number: int
    items: list
    worker: dict  # of Worker.describe
    alone: bool = False  # a loss is this item's fault
    verify: bool = False  # compared, not written


@dataclass
class _Progress:
    """What is known of an item that is not done."""

    attempts: int = 0
    losses: int = 0  # with a node


class Dispatcher:
    """Deals items out.

    - An item that ends with an error is done again, up to `attempts` times, unless the error is final.
    - When a process ends, the items that it was doing are done again one by one: the one whose process ends again is at
      fault, and after `attempts` times it is recorded as failed. Items lost with a node are done again as they are; one that
      is lost with three nodes is done alone too.
    - Of the items that are done, `verify_share` (chosen by their ids) are done again by a worker of another kind of
      device, on another node where there is one. Where the bytes differ, a third node decides, if there is one, else the
      first is at fault: it gets no more work, and all that it has done in this run is done again.

    Parameters
    ----------
    items : list of dict
    batch : int
        Most items of an assignment.
    shrink : bool
        Assignments shrink towards the end, so that no worker has a large one while the others are idle.
    """

    most_node_losses = 3

    def __init__(self, items, batch, attempts=3, verify_share=0.0, shrink=False):
        self._fresh, self._alone, self._verify = deque(items), deque(), deque()
        self._batch, self._attempts, self._share, self._shrink = batch, attempts, verify_share, shrink
        self._items = {item["output"]: item for item in items}
        self._progress = {}
        self._running, self._count = {}, 0
        self._opinions = {}  # per output: nodes and sha256 of those who did it
        self.records, self.quarantined, self.disagreements, self.unverified = {}, {}, [], 0

    @property
    def done(self):
        """Nothing is left and nobody is at work."""
        return not (self._fresh or self._alone or self._verify or self._running)

    @property
    def waiting(self):
        """Items that nobody is doing; verifications too."""
        return len(self._fresh) + len(self._alone) + len(self._verify)

    def next(self, worker):
        """Work for a worker, or None; what cannot be verified by anybody here is left by `give_up_verifying`."""
        if worker["node"] in self.quarantined:
            return None
        if worker.get("verifier"):
            return self._next_verify(worker)
        if self._alone:
            return self._assign([self._alone.popleft()], worker, alone=True)
        if self._fresh:
            most = max(len(self._fresh) // (2 * len(self._running) + 2), 1) if self._shrink else len(self._fresh)
            items = [self._fresh.popleft() for _ in range(min(self._batch, most))]
            return self._assign(items, worker)
        return self._next_verify(worker)

    def _next_verify(self, worker):
        best = None
        for entry in self._verify:
            opinions = self._opinions[entry["output"]]
            if len(opinions) == 1 and opinions[0]["kind"] == worker["kind"]:
                continue
            elsewhere = worker["node"] not in {one["node"] for one in opinions}
            if elsewhere or (best is None and entry.get("_anywhere")):
                best = entry
                if elsewhere:
                    break
        if best is None:
            return None
        self._verify.remove(best)
        return self._assign([best], worker, alone=True, verify=True)

    def _assign(self, items, worker, alone=False, verify=False):
        self._count += 1
        assignment = Assignment(self._count, items, worker, alone, verify)
        self._running[self._count] = assignment
        return assignment

    def allow_same_node(self):
        """Verifications may run on the node that did the item: there is no other."""
        for entry in self._verify:
            entry["_anywhere"] = True

    def give_up_verifying(self):
        """Nobody here can verify what is left."""
        self.unverified += len(self._verify)
        self._verify.clear()

    def left(self):
        """Beginnings of records of items that nobody has done."""
        waiting = [*self._fresh, *self._alone]
        return [{"id": item["id"], "input": item["inputs"], "output": item["output"], "scores": {}, "attempts": 0} for item in waiting]

    def finished(self, assignment, records):
        """The records of an assignment; returns those that are settled now."""
        self._running.pop(assignment.number)
        if assignment.verify:
            return self._compare(assignment, records[0])
        if assignment.worker["node"] in self.quarantined:  # it was told of too late
            self._fresh.extend(assignment.items)
            return []
        settled = []
        for item, record in zip(assignment.items, records, strict=True):
            record = {**record, "node": assignment.worker["node"]}
            progress = self._progress.setdefault(item["output"], _Progress())
            progress.attempts += 1
            record["attempts"] = progress.attempts
            if record["status"] != "done" and not record.pop("final", False) and progress.attempts < self._attempts:
                self._fresh.append(item)
                continue
            record.pop("final", None)
            self.records[item["output"]] = record
            settled.append(record)
            if record["status"] == "done" and self._picked(item):
                self._opinions[item["output"]] = [self._opinion(assignment, record)]
                self._verify.append(dict(item))
        return settled

    def _picked(self, item):
        return int(hashlib.sha256(item["id"].encode()).hexdigest()[:12], 16) < self._share * 16**12

    @staticmethod
    def _opinion(assignment, record):
        return {"node": assignment.worker["node"], "kind": assignment.worker["kind"], "sha256": record.get("sha256")}

    def lost(self, assignment, blame, reason):
        """An assignment will never finish. `blame`: its own process ended while it was at work, not its node; returns
        records that are settled now."""
        self._running.pop(assignment.number)
        if assignment.verify:
            self._verify_again(assignment.items[0])
            return []
        settled = []
        for item in assignment.items:
            progress = self._progress.setdefault(item["output"], _Progress())
            if not blame:
                progress.losses += 1
                blame_now = assignment.alone and progress.losses > self.most_node_losses
                if not blame_now:
                    (self._alone if progress.losses >= self.most_node_losses else self._fresh).append(item)
                    continue
            if not assignment.alone:
                self._alone.append(item)
                continue
            progress.attempts += 1
            if progress.attempts < self._attempts:
                self._alone.append(item)
                continue
            settled.append(self._failure(item, assignment, progress.attempts, reason))
        return settled

    def _verify_again(self, entry):
        """An error while verifying says nothing of the bytes."""
        entry["_lost"] = entry.get("_lost", 0) + 1
        if entry["_lost"] < self._attempts:
            self._verify.append(entry)
        else:
            self.unverified += 1

    def untouched(self, assignment):
        """An assignment is lost that had not begun: its items wait again as before."""
        self._running.pop(assignment.number)
        queue = self._verify if assignment.verify else self._alone if assignment.alone else self._fresh
        queue.extendleft(reversed(assignment.items))
        return []

    def _failure(self, item, assignment, attempts, reason):
        record = {"id": item["id"], "input": item["inputs"], "frames": item["part"] and item["part"][:2], "output": item["output"],
                  "status": "failed", "device": assignment.worker["device"], "node": assignment.worker["node"], "attempts": attempts,
                  "scores": {}, "error": f"its process ended {attempts} times: {reason}", "kind": "ProcessLost"}  # fmt: skip
        self.records[item["output"]] = record
        return record

    def _compare(self, assignment, record):
        item, node = assignment.items[0], assignment.worker["node"]
        if item["output"] not in self.records:  # it was done by a node that is in quarantine since
            return []
        if node in self.quarantined:
            self._verify.append(item)
            return []
        if record["status"] != "done":
            self._verify_again(item)
            return []
        opinions = self._opinions[item["output"]]
        opinions.append(self._opinion(assignment, record))
        first, latest = self.records[item["output"]], opinions[-1]["sha256"]
        agree = [one for one in opinions if one["sha256"] == latest]
        if latest == first["sha256"]:
            first = self.records[item["output"]] = {**first, "verified": f"{assignment.worker['device']} on {node}"}
        elif len(agree) < 2 and not item.get("_anywhere"):
            self._verify.append(item)  # a third node decides
            return []
        told = [first] if latest == first["sha256"] else []
        for one in opinions:
            if one["sha256"] != latest and one["node"] not in self.quarantined:
                told += self._quarantine(one, item, latest)
        return told

    def _quarantine(self, wrong, item, right):
        """The node gets no more work; what it did is done again. Returns the records that hold no more."""
        node = wrong["node"]
        self.disagreements.append({"output": item["output"], "node": node, "kind": wrong["kind"], "sha256": wrong["sha256"], "others": right})
        self.quarantined[node] = item["output"]
        revoked = []
        for output, record in list(self.records.items()):
            if record["node"] == node and record["status"] == "done":
                del self.records[output]
                self._verify = deque(entry for entry in self._verify if entry["output"] != output)
                self._fresh.append(self._items[output])
                revoked.append({**record, "status": "revoked", "error": f"node {node} is in quarantine: {item['output']} differs elsewhere"})
        return revoked
