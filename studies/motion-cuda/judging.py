# SPDX-License-Identifier: Apache-2.0
"""What the claims' checks share: both baselines, blocks that a device searched, the paper's sizes."""

from statistics import median

from cells import CODES, base, best, clip_names, code, is_whole, speedup, walls
from figures import number
from verdicts import FAILS, HOLDS, NOT_YET, OPEN, Finding, compare, of_signs

UNSAID = "the paper does not say how its CPU program was compiled, and the two ways of ours give different answers"
FEW = 8  # blocks of a frame that the device must have searched for a verdict


def on_device(cell):
    """Blocks of a frame that the device searched."""
    counts = cell["counts"]
    left = counts["blocks"] - counts.get("on_host", 0)
    return left if is_whole(cell) else round(counts["searched"] * left / counts["blocks"])


def listed(values, digits=3):
    return ", ".join(number(v, digits) for v in values)


def by_code(measure, test):
    """A finding about speed-ups over the scalar program, compiled plainly and with vectors: `measure(code)` is a list of figures
    with None where there are none, `test(list)` says whether the claim holds for them."""
    return by_code_verdicts(measure, lambda how, values: HOLDS if test(values) else FAILS)


def by_code_verdicts(measure, verdict):
    """The same where `verdict(code, list)` gives one for each way of compiling."""
    figures = {how: measure(how) for how in CODES}
    have = {how: values for how, values in figures.items() if values and None not in values}
    if not have:
        return None
    text = "; ".join(f"over {'plain code' if how == 'plain' else 'vectors'} {listed(values)}" for how, values in have.items())
    if len(have) == 1:
        only = next(iter(have))
        return Finding(text, OPEN, f"the scalar program {'with vectors' if only == 'plain' else 'without vectors'} is {NOT_YET.replace('measured', 'timed')} beside it")
    answers = {how: verdict(how, values) for how, values in have.items()}
    return Finding(text, OPEN, UNSAID) if len(set(answers.values())) == 2 else Finding(text, answers["plain"])


def spread_of(cell):
    """Half the width of the middle half of its frames, as a part of the median."""
    ordered = sorted(walls(cell))
    return (ordered[len(ordered) * 3 // 4] - ordered[len(ordered) // 4]) / 2 / median(ordered)


def growth(result, rung, lanes, how, of=speedup):
    """From each clip to the next larger one: -1 where the speed-up (or gain) grows, 1 where it falls, 0 where it changes by no more
    than compare() lets pass: 2 %, or the middle of the four runs' spreads."""
    signs, clips = [], clip_names(result)
    for pair in zip(clips, clips[1:]):
        cells = [best(result, clip, rung, lanes) for clip in pair]
        before, after = (of(result, clip, cell, how) for clip, cell in zip(pair, cells))
        spreads = [spread_of(one) for clip, cell in zip(pair, cells) for one in (cell, base(result, clip, cell, how))]
        signs.append(0 if abs(after / before - 1) <= max(0.02, sum(spreads) / 2) else -1 if after > before else 1)
    return signs


def grows(rung, lanes, of=speedup):
    """A check that the speed-up, or the gain, grows from clip to clip."""

    def check(result):
        if not three(result):
            return None
        return by_code_verdicts(speedups(rung, lanes, of=of)(result), lambda how, values: of_signs(growth(result, rung, lanes, how, of), "").verdict)

    return check


def speedups(rung, lanes=0, which=slice(None), of=speedup):
    """For by_code: the speed-ups (or gains) of a rung on the clips."""

    def measure_of(result):
        return lambda how: [of(result, clip, best(result, clip, rung, lanes), how) for clip in clip_names(result)[which]]

    return measure_of


def three(result):
    """The paper's three sizes are there."""
    return len(clip_names(result)) == 3
