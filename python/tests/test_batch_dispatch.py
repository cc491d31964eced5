# SPDX-License-Identifier: Apache-2.0
"""Who does which items: losses, poisoned items and nodes that differ, told to the dispatcher in simulated time."""

import io
import json
import random
import types

import pytest
from vergence.batch.__main__ import _report
from vergence.batch._dispatch import Dispatcher
from vergence.batch._progress import Progress, stream_of


def items_of(count):
    return [{"id": f"id{i}", "inputs": [f"in{i}"], "part": None, "truth": None, "output": f"out{i}"} for i in range(count)]


def worker(node="n0", kind="cpu", verifier=False):
    return {"node": node, "kind": kind, "device": kind, "verifier": verifier}


def record_of(item, bits="", error=None, final=False):
    done = {"status": "done", "sha256": item["id"] + bits} if error is None else {"status": "failed", "error": error, "final": final}
    return {"id": item["id"], "output": item["output"], "device": "cpu", **done}


def finish(dispatcher, assignment, bits="", **error):
    return dispatcher.finished(assignment, [record_of(item, bits, **error) for item in assignment.items])


def test_every_item_once_in_batches_that_shrink():
    dispatcher = Dispatcher(items_of(10), 4, shrink=True)
    sizes = []
    while (assignment := dispatcher.next(worker())) is not None:
        sizes.append(len(assignment.items))
        finish(dispatcher, assignment)
    assert sizes == [4, 3, 1, 1, 1] and dispatcher.done
    other = Dispatcher(items_of(40), 16, shrink=True)
    assert [len(other.next(worker()).items) for _ in range(4)] == [16, 6, 3, 1]
    assert {r["output"] for r in dispatcher.records.values()} == {f"out{i}" for i in range(10)}
    assert all(r["attempts"] == 1 and r["node"] == "n0" for r in dispatcher.records.values())


def test_errors_are_tried_again_unless_they_are_final():
    dispatcher = Dispatcher(items_of(1), 4, attempts=3)
    assert finish(dispatcher, dispatcher.next(worker()), error="disk") == []
    assert finish(dispatcher, dispatcher.next(worker()), error="disk") == []
    [record] = finish(dispatcher, dispatcher.next(worker()), error="disk")
    assert record["attempts"] == 3 and record["error"] == "disk" and dispatcher.done
    dispatcher = Dispatcher(items_of(1), 4, attempts=3)
    [record] = finish(dispatcher, dispatcher.next(worker()), error="truncated", final=True)
    assert record["attempts"] == 1 and "final" not in record and dispatcher.done


def test_an_item_that_kills_its_process_is_found_and_the_rest_goes_on():
    dispatcher, deaths = Dispatcher(items_of(20), 8, attempts=2), 0
    while not dispatcher.done:
        assignment = dispatcher.next(worker())
        if any(item["id"] == "id5" for item in assignment.items):
            deaths += 1
            dispatcher.lost(assignment, True, "signal 11")
        else:
            finish(dispatcher, assignment)
    assert deaths == 3  # with its batch, and twice alone
    failed = [r for r in dispatcher.records.values() if r["status"] == "failed"]
    assert [r["output"] for r in failed] == ["out5"] and "2 times: signal 11" in failed[0]["error"] and len(dispatcher.records) == 20


def test_nodes_that_are_lost_blame_nobody_at_first():
    dispatcher = Dispatcher(items_of(4), 4)
    for _ in range(2):
        assignment = dispatcher.next(worker())
        assert len(assignment.items) == 4 and not assignment.alone
        assert dispatcher.lost(assignment, False, "node died") == []
    dispatcher.lost(dispatcher.next(worker()), False, "node died")
    assert dispatcher.next(worker()).alone  # an item that is lost with three nodes may be the cause
    dispatcher = Dispatcher(items_of(1), 1, attempts=2)
    for _ in range(20):
        assignment = dispatcher.next(worker())
        if assignment is None:
            break
        dispatcher.lost(assignment, False, "node died")
    assert dispatcher.done and dispatcher.records["out0"]["status"] == "failed"


def test_work_that_had_not_begun_is_given_to_another():
    dispatcher = Dispatcher(items_of(4), 2)
    one, two = dispatcher.next(worker()), dispatcher.next(worker())
    dispatcher.lost(one, True, "killed")
    dispatcher.untouched(two)
    sizes = []
    while (assignment := dispatcher.next(worker())) is not None:
        sizes.append((len(assignment.items), assignment.alone))
        finish(dispatcher, assignment)
    assert sizes == [(1, True), (1, True), (2, False)]


def test_a_share_is_verified_elsewhere_by_another_kind():
    dispatcher = Dispatcher(items_of(2000), 50, verify_share=0.05)
    while (assignment := dispatcher.next(worker("n0", "cuda"))) is not None:
        finish(dispatcher, assignment)
    assert 60 < dispatcher.waiting < 140  # binomial: 100 in the mean, deviation 10
    assert dispatcher.next(worker("n1", "cuda")) is None and dispatcher.next(worker("n0", "cpu")) is None
    count = dispatcher.waiting
    while (assignment := dispatcher.next(worker("n1", "cpu", verifier=True))) is not None:
        assert assignment.verify
        [record] = finish(dispatcher, assignment)
        assert record["verified"] == "cpu on n1"
    assert dispatcher.done and sum("verified" in r for r in dispatcher.records.values()) == count and not dispatcher.quarantined


@pytest.mark.parametrize("wrong", ("first", "second"))
def test_a_node_that_differs_is_found_by_a_third(wrong):
    dispatcher = Dispatcher(items_of(6), 3, verify_share=1.0)
    bad = "n0" if wrong == "first" else "n1"

    def bits(node):
        return "!" if node == bad else ""

    nodes = {"n0": worker("n0", "cuda"), "n1": worker("n1", "cpu", verifier=True), "n2": worker("n2", "cpu", verifier=True), "n3": worker("n3", "cuda")}
    finish(dispatcher, dispatcher.next(nodes["n0"]), bits("n0"))
    finish(dispatcher, dispatcher.next(nodes["n1"]), bits("n1"))
    assert not dispatcher.quarantined and dispatcher.next(nodes["n1"]).items[0]["id"] != "id0"
    third = dispatcher.next(nodes["n2"])
    while third.items[0]["id"] != "id0":
        finish(dispatcher, third, bits("n2"))
        third = dispatcher.next(nodes["n2"])
    told = finish(dispatcher, third, bits("n2"))
    assert list(dispatcher.quarantined) == [bad] and dispatcher.next(nodes[bad]) is None
    assert dispatcher.disagreements[0]["node"] == bad
    if wrong == "first":  # all that it has done is done again
        assert {r["output"] for r in told if r["status"] == "revoked"} == {"out0", "out1", "out2"} and not dispatcher.records
        redone = []
        while (assignment := dispatcher.next(nodes["n3"])) is not None and not assignment.verify:
            redone += [item["output"] for item in assignment.items]
            finish(dispatcher, assignment)
        assert sorted(redone) == [f"out{i}" for i in range(6)]


def test_with_one_node_alone_the_other_kind_decides():
    dispatcher = Dispatcher(items_of(2), 2, verify_share=1.0)
    finish(dispatcher, dispatcher.next(worker()), "!")
    one = worker(kind="reference", verifier=True)
    assert dispatcher.next(one) is None
    dispatcher.allow_same_node()
    finish(dispatcher, dispatcher.next(one))
    assert dispatcher.quarantined and dispatcher.waiting == 2 and dispatcher.next(worker()) is None
    assert [entry["output"] for entry in dispatcher.left()] == ["out0", "out1"]


def test_what_nobody_can_verify_is_counted():
    dispatcher = Dispatcher(items_of(3), 3, verify_share=1.0)
    finish(dispatcher, dispatcher.next(worker()))
    assert not dispatcher.done
    dispatcher.give_up_verifying()
    assert dispatcher.done and dispatcher.unverified == 3


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_lost_each_item_ends_once(seed):
    """Random losses of processes and nodes, errors and poisoned items, in any order."""
    draw = random.Random(seed)
    count, batch = draw.randrange(1, 120), draw.randrange(1, 12)
    poisoned = {f"id{i}" for i in range(count) if draw.random() < 0.03}
    dispatcher = Dispatcher(items_of(count), batch, attempts=3, verify_share=draw.choice((0, 0.3)))
    nodes = [[worker(f"n{n}", kind) for _ in range(3)] for n, kind in enumerate(("cpu", "cuda", "reference"))]
    running, settled, steps = [], [], 0
    while not dispatcher.done and steps < 100000:
        steps += 1
        place = draw.randrange(len(nodes))
        if len(running) < 9 and draw.random() < 0.6:
            assignment = dispatcher.next(draw.choice(nodes[place]))
            if assignment is not None:
                running.append(assignment)
            elif not running:
                dispatcher.allow_same_node()
        elif draw.random() < 0.01:  # a node with all that runs there
            for assignment in [one for one in running if one.worker["node"] == f"n{place}"]:
                running.remove(assignment)
                settled += dispatcher.lost(assignment, False, "node died")
        elif running:
            assignment = running.pop(draw.randrange(len(running)))
            if any(item["id"] in poisoned for item in assignment.items) or draw.random() < 0.01:
                settled += dispatcher.lost(assignment, True, "killed")
            elif draw.random() < 0.05:
                settled += dispatcher.untouched(assignment)
            else:
                flaky = draw.random() < 0.02
                settled += dispatcher.finished(assignment, [record_of(i, error="io" if flaky else None) for i in assignment.items])
    assert dispatcher.done and len(dispatcher.records) == count
    for output, record in dispatcher.records.items():
        assert record["output"] == output and (record["status"] == "failed") == (record["id"] in poisoned)
    settled_once = [r["output"] for r in settled if "verified" not in r]
    assert sorted(settled_once) == sorted(dispatcher.records)


@pytest.mark.parametrize("seed", range(40))
def test_wrong_bits_do_not_stay(seed):
    """One of five nodes gives wrong bits now and then; everything is verified."""
    draw = random.Random(seed)
    count, bad = draw.randrange(5, 60), draw.randrange(5)
    dispatcher = Dispatcher(items_of(count), draw.randrange(1, 6), verify_share=1.0)
    nodes = [worker(f"n{n}", ("cpu", "cuda")[n % 2]) for n in range(5)]
    wrong, running = {f"id{i}" for i in range(count) if draw.random() < 0.2} | {"id0"}, []
    for _ in range(100000):
        if dispatcher.done:
            break
        if len(running) < 6 and draw.random() < 0.6:
            assignment = dispatcher.next(draw.choice(nodes))
            if assignment is not None:
                running.append(assignment)
        elif running:
            assignment = running.pop(draw.randrange(len(running)))
            mine = assignment.worker["node"] == f"n{bad}"
            dispatcher.finished(assignment, [record_of(i, "!" if mine and i["id"] in wrong else "") for i in assignment.items])
    assert dispatcher.done and len(dispatcher.records) == count and dispatcher.unverified == 0
    assert all(record["sha256"] == record["id"] and "verified" in record for record in dispatcher.records.values())
    assert set(dispatcher.quarantined) <= {f"n{bad}"}


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_counts_each_item_once():
    now = [0.0]
    for stream in (io.StringIO(), Terminal()):
        progress = Progress(0, stream, seconds=5, clock=lambda: now[0])
        progress.start(10, 2, 1)
        records = [{"status": "done", "device": "cpu", "node": "n", "output": str(i)} for i in range(4)]
        progress.settled(records[:3])
        now[0] += 6
        progress.tick(2)
        progress.settled([{**records[0], "status": "revoked"}, records[3], {**records[1], "verified": "x"}, {**records[2], "status": "failed"}])
        state = progress.state()
        assert (state["done"], state["failed"], state["devices"]) == (5, 2, {"cpu": 3}) and progress.by_node == {"n": 3}
        progress.message("hello")
        progress.end({"done": 5, "failed": 2, "verified": 1, "results": "r"})
        text = stream.getvalue()
        assert ("5/10" in text and "cpu 100%" in text and "5 done, 2 failed, 1 verified" in text) if stream.isatty() else '"eta": 8.0' in text and '"event": "end"' in text


def test_json_lines_go_to_standard_output():
    terminal, file = Terminal(), io.StringIO()
    assert stream_of(file, terminal) is file and stream_of(file, io.StringIO()) is file
    assert stream_of(terminal, file) is terminal
    other = Terminal()
    assert stream_of(terminal, other) is other


def test_the_report_names_the_table_of_its_shard():
    stream, results = io.StringIO(), types.SimpleNamespace(path="/out/results.00002-of-00003.parquet", records={})
    items = items_of(12)
    assert _report(Dispatcher([], 1), results, items, Progress(0, stream)) == 1
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert events[-1]["results"] == results.path and events[-1]["failed"] == 12
    assert f"2 more; {results.path} names them all" in events[-2]["text"]
