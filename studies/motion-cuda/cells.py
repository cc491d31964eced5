# SPDX-License-Identifier: Apache-2.0
"""Looks figures of the study motion-cuda up."""

from statistics import mean, median

from verdicts import nearly_all

CODES = ["plain", "vectors"]


def clip_names(result):
    return [clip["name"] for clip in result["clips"]]


def ms(cell):
    """Per frame, from the frames in host memory to the rebuilt frame; None of what was run by the device's clock alone."""
    return None if cell is None or clocked(cell) else cell["median"]["wall_ms"]


def clocked(cell):
    """Was it run by the device's clock alone?"""
    return cell["counts"].get("timed_frames") == 0


def walls(cell):
    """The same of each timed frame."""
    return [run[3] for run in cell["runs"]]


def in_turns(result):
    """Were frames of all rungs timed in turns, so that times of a round met the same speed of the host?"""
    return result.get("settings", {}).get("turns") == "yes"


def ratios(result, a, b):
    """How many times as long as the second cell the first one took: in each round, where they took turns; else by the medians."""
    return [x / y for x, y in zip(walls(a), walls(b))] if in_turns(result) and a.get("of") == b.get("of") and not a.get("apart") else [ms(a) / ms(b)]


def times(result, a, b):
    return median(ratios(result, a, b))


def kernels(cell):
    """Kernels of each frame that was run by the device's clock."""
    return [run[1] for run in cell["runs"][: cell["counts"].get("event_frames", len(cell["runs"]))]]


def code(cell):
    """How the host's SAD was compiled: the older runs know the plain form alone."""
    return cell.get("host", "plain")


def residue(cell):
    return cell["counts"]["residue"]


def has_all(result):
    """Is it a run of all the paper's rungs? Others answer few questions each."""
    rungs = {c["rung"] for c in result["cells"]}
    return is_as_paper(result) and "z" in rungs and (not in_turns(result) or "step-7x7" in rungs)


def borrow_host_cells(results):
    """Cells of the host alone, the program's and ours, for runs without: those of another run of the same machine and clips. Where
    rungs took turns, ours alone."""

    def key(result):
        return result["device"]["device"], str(result["clips"]), str(result.get("machine"))

    for _, result in results:
        if in_turns(result) and not has_all(result):
            continue
        for on in sorted(({"one core", "all cores"} if in_turns(result) else {"host", "one core", "all cores"}) - {c["on"] for c in result["cells"]}):
            for name, other in results:
                found = [c for c in other["cells"] if c["on"] == on]
                if other is not result and in_turns(other) == in_turns(result) and key(other) == key(result) and found:
                    result["cells"] = found + result["cells"]
                    result["host_cells_of"] = name
                    break
    return results


def lend_plain_borders(results):
    """By clip, what the border blocks of a frame take more in plain code than in vectors, as a part of the plain program's time: by the
    rung `search` of the same device and API, which has both."""
    for _, result in results:
        for _, other in results:
            if of_device(other) != of_device(result) or not is_as_paper(other):
                continue
            for clip in set(clip_names(result)) & set(clip_names(other)) - set(result.get("plain_borders", {})):
                pair = [pick(other, clip, "search", how=how) for how in CODES]
                program = base(other, clip, pair[0], "plain") if all(pair) else None
                if program:
                    result.setdefault("plain_borders", {})[clip] = (pair[0]["counts"]["cpu_ms"] - pair[1]["counts"]["cpu_ms"]) / mean(walls(program))
    return results


def with_plain_borders(result, clip, cell):
    """An estimate: the cell, had it searched border blocks in plain code; None where nothing tells."""
    part = result.get("plain_borders", {}).get(clip)
    program = base(result, clip, cell, "plain") if code(cell) != "plain" and part is not None else None
    if not program:
        return None
    more, counts = part * mean(walls(program)), cell["counts"]
    return {**cell, "host": "plain", "runs": [[*run[:3], run[3] + more] for run in cell["runs"]], "median": {**cell["median"], "wall_ms": ms(cell) + more},
            "counts": {**counts, "cpu_ms": counts["cpu_ms"] + more}}


def frames_apart(result):
    """How far the slowest frame of a rung lies from the fastest, as a part of the median: three quarters of the device's rungs on
    the first clip, which have three frames or more, stay below."""
    ranges = sorted((max(walls(c)) - min(walls(c))) / ms(c) for c in result["cells"]
                    if not clocked(c) and c["clip"] == clip_names(result)[0] and c["on"] == "device" and c["refused"] is None and len(c["runs"]) >= 3 and not c["rung"].startswith("ours"))
    return ranges[len(ranges) * 3 // 4] if ranges else None


def reach_of(result):
    return int(result["settings"].get("reach", 64))


def is_as_paper(result):
    """The paper's block and reach, blocks at the border among them."""
    return result["settings"].get("block", "32") == "32" and reach_of(result) == 64 and result["settings"].get("borders", "yes") == "yes"


def of_paper(results):
    """Runs of all the paper's rungs, in its setting."""
    return [(name, result) for name, result in results if has_all(result)]


def of_device(result):
    return result["device"]["device"], result["device"]["api"].split()[0]


def turns_instead(chosen, results, rung, alike=is_as_paper):
    """The same runs, but of each device and API that has a run in turns with this rung that one."""
    turns = {of_device(result): (name, result) for name, result in results if in_turns(result) and not result.get("part_of") and alike(result) and pick(result, clip_names(result)[0], rung)}
    return list({name: (name, result) for name, result in (turns.get(of_device(result), (name, result)) for name, result in chosen)}.values())


def of_sads(results):
    """For the rungs with a launch for each candidate: of each device and API the run with the most frames of them, and blocks of each.
    A machine with other work meets launches more than the scalar program: such a run compares rungs in turns alone."""
    chosen = {}
    for name, result in results:
        cell = pick(result, clip_names(result)[0], "sad") if is_as_paper(result) and not result.get("beside_other_work") else None
        key, much = of_device(result), (len(cell["runs"]), cell["counts"].get("searched", 0)) if cell else None
        if cell and (key not in chosen or much > chosen[key][0]):
            chosen[key] = much, (name, result)
    return [one for _, one in chosen.values()]


def pick(result, clip, rung, on=None, lanes=0, how=None, streams=None, group=None):
    """The first such cell that ran: of host codes and group shapes that is the one which all rungs have."""
    for c in result["cells"]:
        if c["clip"] != clip or c["rung"] != rung or c["refused"] is not None or (on and c["on"] != on):
            continue
        if (lanes and c["lanes"] != lanes) or (how and code(c) != how) or (streams and c["streams"] != streams) or (group and c["group"] != group):
            continue
        return c
    return None


def stream_cells(result, clip, rung):
    return sorted((c for c in result["cells"] if c["clip"] == clip and c["rung"] == rung and c["refused"] is None), key=lambda c: c["streams"])


def shape_cells(result, clip):
    return [c for c in result["cells"] if c["clip"] == clip and c["rung"] == "all-on-device" and c["refused"] is None]


def best(result, clip, rung, lanes=0, streams=()):
    """Of numbers of streams, all or these, the fastest."""
    if rung.startswith("streams"):
        return min((c for c in stream_cells(result, clip, rung) if not streams or c["streams"] in streams), key=ms, default=None)
    return pick(result, clip, rung, "device" if rung.startswith("ours") else None, lanes)


def base_rung(cell):
    return {"full": "scalar", "step": "step-scalar", "zones": "tz-scalar"}[cell["counts"]["search"]]


def base(result, clip, cell, how):
    """The scalar program's cell, of the same run."""
    return next((c for c in result["cells"] if (c["clip"], c["rung"], c["on"], code(c), c.get("of")) == (clip, base_rung(cell), "host", how, cell.get("of"))), None)


def speedup(result, clip, cell, how, shift=None):
    """Over the scalar program, compiled in that way; with `shift` as at_speed_of() says, or, where they took turns, what `shift` makes
    of the rounds."""
    against = base(result, clip, cell, how) if cell and not clocked(cell) else None
    if not against:
        return None
    if in_turns(result):
        return (shift or median)(ratios(result, against, cell))
    return ms(against) / (ms(cell) if shift is None else median(at_speed_of(result, cell, against, shift)))


def slowdown(result, clip, cell, how, shift=None):
    """How many times as long as the scalar program, as speedup(): where they took turns, of the rounds' own quotients."""
    against = base(result, clip, cell, how) if cell and not clocked(cell) else None
    if against and in_turns(result):
        return (shift or median)(ratios(result, cell, against))
    faster = speedup(result, clip, cell, how, shift)
    return 1 / faster if faster else None


def loss(result, clip, cell):
    against = base(result, clip, cell, "plain") or base(result, clip, cell, "vectors") if cell else None
    return residue(cell) / residue(against) if against else None


def gain(result, clip, cell, how, shift=None):
    faster = speedup(result, clip, cell, how, shift)
    return faster / loss(result, clip, cell) if faster else None


def best_cpu(result, clip, search):
    """ms of our search on one core or all, whichever takes less."""
    rung = {"full": "ours full", "step": "ours step 3x3", "zones": "ours tz"}[search]
    cells = [pick(result, clip, rung, on) for on in ("one core", "all cores")]
    return min((ms(cell) for cell in cells if cell), default=None)


def is_whole(cell):
    """Were all blocks of a frame searched?"""
    return cell["counts"]["searched"] >= cell["counts"]["blocks"]


# ---- The host's own speed. Each cell rebuilds the same frames by the same code, so that the time of that tells how fast the host was.

def host_candidates(result, clip):
    """Valid candidates of a clip's blocks, all and those at the border, by the program's rule (studies/published/exact_lab.md)."""
    size, reach, block = next(c for c in result["clips"] if c["name"] == clip), reach_of(result), int(result["settings"].get("block", 32))

    def along(length):
        return [(max(0, min(reach - 1, length - reach - 1 - at) + reach + 1), at >= reach) for at in range(0, length - block + 1, block)]

    across, down = along(size["width"]), along(size["height"])
    inner = [sum(n == 2 * reach and free for n, free in line) for line in (across, down)]
    every = sum(n for n, _ in across) * sum(n for n, _ in down)
    return every, every - inner[0] * inner[1] * (2 * reach) ** 2


def rebuilds(cell):
    """Does it rebuild frames as the program does? This library's searches do it otherwise."""
    return cell["refused"] is None and not cell["rung"].startswith("ours") and bool(cell["counts"].get("reconstruct_ms"))


def host_speeds(result, clip):
    """(nanoseconds of a candidate's SAD on the host with vectors, milliseconds of rebuilding a frame) of the cells that have both: the
    scalar program, and rungs that leave border blocks to the host, but for those with a launch for each candidate."""
    cells = [c for c in result["cells"] if c["clip"] == clip and rebuilds(c) and code(c) == "vectors" and c["counts"].get("search") == "full"]
    found = []
    for c in cells:
        every, border = host_candidates(result, clip)
        if c["rung"] == "scalar":
            found.append((1e6 * ms(c) / every, c["counts"]["reconstruct_ms"]))
        elif c["counts"].get("on_host") and c["launches"] < 10000 and is_whole(c):
            found.append((1e6 * c["counts"]["cpu_ms"] / border, c["counts"]["reconstruct_ms"]))
    return found


def host_doubt(result):
    """How far rebuilding a frame and searching a block disagree at most, from cell to cell, about the host's speed: 1.3 for 30 %."""
    ratios = [[each / rebuilt for each, rebuilt in host_speeds(result, clip)] for clip in clip_names(result)]
    return max((max(line) / min(line) for line in ratios if len(line) > 1), default=result.get("host_doubt", 1))


def borrow_host_doubt(results):
    """For runs without work on the host: the largest of the other runs of the same machine."""
    for _, result in results:
        if not in_turns(result) and host_doubt(result) == 1:
            alike = [host_doubt(r) for _, r in results if not in_turns(r) and (r.get("machine"), r["device"]["device"]) == (result.get("machine"), result["device"]["device"])]
            result["host_doubt"] = max(alike, default=1)
    return results


def at_speed_of(result, cell, other, shift):
    """A cell's frames, had the host been as fast as in the other cell, times `shift`: only what hangs on the host's speed is changed, on
    a processor all of it."""
    wall, part = ms(cell), ms(cell)
    if "NVIDIA" in result["device"]["device"] and cell["on"] == "device":
        part = min(wall, max(wall - cell["median"]["kernel_ms"], cell["counts"].get("cpu_ms", 0)))
    slower = shift * (cell["counts"]["reconstruct_ms"] / other["counts"]["reconstruct_ms"] if rebuilds(cell) and rebuilds(other) else 1)
    return [run * (1 - part / wall * (1 - 1 / slower)) for run in walls(cell)]


def least(rounds):
    """Of nearly all rounds."""
    return nearly_all(rounds)[0]


def most(rounds):
    return nearly_all(rounds)[1]
